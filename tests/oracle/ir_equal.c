/* ir-equal FILE.ir ...: checks that the passes in the "// run:" lines of a golden case change no
 * results: every function returns, prints and stores the same before and after, and does the same
 * to strands, for random arguments, globals, images and strands. Where a pass removes part of the
 * state, whole lives of strands are compared instead. Read next: ir_same.h, tests/run/run_golden.c.
 */
#include <stdlib.h>

#include "frontend/base/diag.h"
#include "ir/pass/pass.h"
#include "tests/oracle/ir_same.h"
#include "tests/oracle/ir_world.h"
#include "tests/unit/test.h"

enum {
  N_ROUNDS = 8,
  MAX_GLOBALS = 32,
  MAX_SCALARS = 256,
  MAX_ELEMS = 3,
  N_STRANDS = 6,
  N_STEPS = 4
};

typedef struct Random {
  uint64_t state;
} Random;

static uint32_t random_below(Random *random, uint32_t n) {
  random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random->state >> 33) % n;
}

/* --- arguments -------------------------------------------------------------------------------- */

typedef struct Scalars {
  IrScalar at[MAX_SCALARS];
  uint32_t n;
} Scalars;

static void push(Scalars *out, IrScalar scalar) {
  if (out->n == MAX_SCALARS) abort();
  out->at[out->n++] = scalar;
}

static void push_random(Scalars *out, const Type *ty, Random *random) {
  uint64_t n = 1;
  switch (type_kind(ty)) {
  case TY_BOOL: push(out, ir_bool(random_below(random, 2))); return;
  case TY_INT: push(out, ir_int((int64_t)random_below(random, 9) - 2)); return;
  case TY_STRING:
    push(out, (IrScalar){.value = op_value_string(random_below(random, 2) ? "a" : "b")});
    return;
  case TY_TENSOR:
    for (uint64_t i = 0; i < shape_size(type_shape(ty)); i++)
      push(out, ir_real((double)random_below(random, 4096) / 1024 - 1.75));
    return;
  case TY_SEQ:
    n = type_seq_len(ty);
    if (type_is_dynamic_seq(ty)) {
      n = random_below(random, MAX_ELEMS + 1);
      push(out, ir_int((int64_t)n));
    }
    for (uint64_t i = 0; i < n; i++) push_random(out, type_elem(ty), random);
    return;
  default: fprintf(stderr, "arguments of this type are not made\n"); abort();
  }
}

/* Noise on a sheared grid that surrounds the positions made above. */
static Image random_image(const Type *ty, Random *random) {
  Grid grid = {.dim = (int)type_dim(ty), .size = {11, 12, 13}, .origin = {-4, -3.75L, -4.25L}};
  for (int axis = 0; axis < 3; axis++)
    for (int r = 0; r < 3; r++)
      grid.dir[axis][r] = axis == r ? 0.75L : (long double)random_below(random, 32) / 256 - 0.0625L;
  Image image = image_new(&grid, (int)shape_size(type_shape(ty)));
  for (size_t k = 0; k < grid_count(&grid) * (size_t)image.n_comp; k++)
    image.samples[k] = (long double)random_below(random, 512) / 128 - 2;
  return image;
}

/* --- evaluations ------------------------------------------------------------------------------ */

typedef struct Inputs { /* of one round */
  Image images[MAX_GLOBALS];
  Scalars globals[MAX_GLOBALS];
  uint32_t n_globals;
  Scalars states[N_STRANDS];
  IrStrand strands[N_STRANDS];
  Scalars args;
} Inputs;

static void make_strands(Inputs *inputs, const Module *m, Random *random) {
  for (uint32_t k = 0; k < N_STRANDS; k++) {
    Scalars *state = &inputs->states[k];
    state->n = 0;
    for (uint32_t i = 0; i < m->state.len; i++) push_random(state, m->state.data[i].ty, random);
    inputs->strands[k].status = (IrStatus)random_below(random, IR_DEAD);
    inputs->strands[k].state = (IrOutcome){EXIT_ACTIVE, state->n, state->at};
  }
}

static void make_inputs(Inputs *inputs, const Module *m, const Func *fn, uint32_t round) {
  Random random = {.state = 17 + round};
  *inputs = (Inputs){.n_globals = m->globals.len};
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const Type *ty = m->globals.data[i].ty;
    if (type_is(ty, TY_IMAGE)) inputs->images[i] = random_image(ty, &random);
    else push_random(&inputs->globals[i], ty, &random);
  }
  for (uint32_t i = 0; i < fn->blocks.data[0]->params.len; i++)
    push_random(&inputs->args, fn->blocks.data[0]->params.data[i]->ty, &random);
  make_strands(inputs, m, &random);
}

static void free_inputs(Inputs *inputs, const Module *m) {
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (type_is(m->globals.data[i].ty, TY_IMAGE)) image_free(&inputs->images[i]);
}

typedef struct Run {
  IrEval *eval;
  IrWorld *world;
  IrOutcome outcome;
} Run;

/* The number of a global that the pass may have removed; UINT32_MAX: it has. */
static uint32_t global_in(const Module *changed, const Global *global) {
  for (uint32_t i = 0; i < changed->globals.len; i++)
    if (strcmp(changed->globals.data[i].name->text, global->name->text) == 0) return i;
  return UINT32_MAX;
}

static void set_globals(IrEval *eval, const Module *m, const Module *original,
                        const Inputs *inputs) {
  for (uint32_t i = 0; i < inputs->n_globals; i++) {
    const Global *global = &original->globals.data[i];
    const uint32_t k = global_in(m, global);
    if (k == UINT32_MAX) continue;
    if (type_is(global->ty, TY_IMAGE)) ir_eval_set_image(eval, k, &inputs->images[i]);
    else ir_eval_set_global(eval, k, inputs->globals[i].at, inputs->globals[i].n);
  }
}

/* If the module computes globals, that is done first, because strands need them. */
static IrEval *evaluator(const Module *m, const Func *fn, const Module *original,
                         const Inputs *inputs) {
  IrEval *eval = ir_eval_new(m, 0x1p-53);
  set_globals(eval, m, original, inputs);
  const Func *globals = module_find_func(m, FN_GLOBALS);
  if (globals && globals != fn) ir_eval_call(eval, globals, NULL, 0);
  return eval;
}

static Run evaluate(const Module *m, const Func *fn, const Module *original, const Inputs *inputs) {
  IrEval *eval = evaluator(m, fn, original, inputs);
  Run run = {.eval = eval, .world = ir_world_of(eval, inputs->strands, N_STRANDS, N_STRANDS / 2)};
  run.outcome = ir_eval_call(eval, fn, inputs->args.at, inputs->args.n);
  return run;
}

static void compare_globals(IrComparison *result, const Module *m, const IrEval *before,
                            const Module *changed, const IrEval *after) {
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const uint32_t k = global_in(changed, &m->globals.data[i]);
    if (k == UINT32_MAX) continue;
    uint32_t n_before, n_after;
    const IrScalar *want = ir_eval_global(before, i, &n_before);
    const IrScalar *found = ir_eval_global(after, k, &n_after);
    if (CHECK_EQ(n_after, n_before)) ir_compare(result, want, found, n_before);
  }
}

typedef const IrStrand *StrandsOf(const IrWorld *world, uint32_t *n);

static void compare_strands(IrComparison *result, const Run *before, const Run *after,
                            StrandsOf *strands_of) {
  uint32_t n_before, n_after;
  const IrStrand *want = strands_of(before->world, &n_before);
  const IrStrand *found = strands_of(after->world, &n_after);
  if (!CHECK_EQ(n_after, n_before)) return;
  for (uint32_t k = 0; k < n_before; k++) {
    CHECK_EQ(found[k].status, want[k].status);
    if (CHECK_EQ(found[k].state.n, want[k].state.n))
      ir_compare(result, want[k].state.values, found[k].state.values, want[k].state.n);
  }
}

static void compare_round(const Module *before, const Func *fn, const Module *after,
                          const Func *changed, uint32_t round) {
  static Inputs inputs;
  IrComparison result = {0};
  make_inputs(&inputs, before, fn, round);
  const Run first = evaluate(before, fn, before, &inputs);
  const Run second = evaluate(after, changed, before, &inputs);
  const IrOutcome want = first.outcome, found = second.outcome;
  if (!ir_eval_is_unsure(first.eval) && CHECK_EQ(found.n, want.n)) {
    CHECK_EQ(found.exit, want.exit);
    CHECK_STR(ir_eval_printed(second.eval), ir_eval_printed(first.eval));
    ir_compare(&result, want.values, found.values, want.n);
    compare_globals(&result, before, first.eval, after, second.eval);
    compare_strands(&result, &first, &second, ir_world_strands);
    compare_strands(&result, &first, &second, ir_world_born);
    if (!CHECK_EQ(result.n_wrong, 0))
      fprintf(stderr, "  scalar %u is off by %g times what rounding explains\n", result.first_wrong,
              result.worst);
  }
  CHECK_EQ(ir_eval_stray_reads(second.eval), 0);
  ir_eval_free(first.eval);
  ir_eval_free(second.eval);
  free_inputs(&inputs, before);
}

/* The state that both have, after a life from the parameters of `create`. */
static void compare_life(const Module *before, const Module *after, uint32_t round) {
  static Inputs inputs;
  IrComparison result = {0};
  make_inputs(&inputs, before, module_find_func(before, FN_CREATE), round);
  IrEval *first = evaluator(before, NULL, before, &inputs);
  IrEval *second = evaluator(after, NULL, before, &inputs);
  const Scalars *args = &inputs.args;
  const IrOutcome want = ir_eval_strand(first, args->at, args->n, N_STEPS);
  const IrOutcome found = ir_eval_strand(second, args->at, args->n, N_STEPS);
  if (!ir_eval_is_unsure(first)) CHECK_EQ(found.exit, want.exit);
  for (uint32_t i = 0; !ir_eval_is_unsure(first) && i < after->state.len; i++) {
    const StateVar *var = &after->state.data[i];
    ir_compare(&result, ir_eval_state(first, &want, var->name->text),
               ir_eval_state(second, &found, var->name->text), ir_n_scalars(var->ty));
  }
  CHECK_EQ(result.n_wrong, 0);
  ir_eval_free(first);
  ir_eval_free(second);
  free_inputs(&inputs, before);
}

/* --- cases ------------------------------------------------------------------------------------ */

static const Func *counterpart(const Module *m, const Func *fn) {
  for (uint32_t i = 0; i < m->funcs.len; i++) {
    const Func *other = m->funcs.data[i];
    if (other->kind != fn->kind) continue;
    if (fn->kind != FN_USER || strcmp(other->name->text, fn->name->text) == 0) return other;
  }
  return NULL; /* inlined and removed */
}

static Module *read_module(Cx *cx, const char *path) {
  const char *why = "";
  types_init(cx);
  cx->is_double = true;
  cx->source = source_read(cx->arena, path, &why);
  Module *m = cx->source ? ir_parse(cx) : NULL;
  if (m && m->globals.len <= MAX_GLOBALS) return m;
  diag_print_all(cx, stderr, DIAG_PLAIN);
  fprintf(stderr, "%s: cannot be read: %s\n", path, why);
  exit(2);
}

/* The words of the "// run:" lines, one pass each. */
static uint32_t run_listed(Module *m, const char *text) {
  static const char key[] = "// run:";
  uint32_t n_passes = 0;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, key, sizeof key - 1) != 0) continue;
    char words[256], *rest = words;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n") - (int)sizeof key + 1,
             line + sizeof key - 1);
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " "), n_passes++) {
      const PassId pass = pass_find(word);
      if (CHECK(pass != PASS_COUNT)) run_pass(m->cx, m, pass, NULL, NULL);
    }
  }
  return n_passes;
}

static void compare_functions(const Module *before, const Module *after) {
  for (uint32_t i = 0; i < before->funcs.len; i++) {
    const Func *fn = before->funcs.data[i], *changed = counterpart(after, fn);
    for (uint32_t round = 0; changed && round < N_ROUNDS; round++)
      compare_round(before, fn, after, changed, round);
  }
}

static void check_case(const char *path) {
  Cx *cx[2] = {cx_new(), cx_new()};
  Module *before = read_module(cx[0], path), *after = read_module(cx[1], path);
  const uint64_t n_failed = test_state.n_failed;
  const bool is_run = run_listed(after, cx[1]->source->text) > 0;
  const bool is_all_there = after->state.len == before->state.len;
  if (is_run && is_all_there) compare_functions(before, after);
  for (uint32_t round = 0; is_run && !is_all_there && round < N_ROUNDS; round++)
    compare_life(before, after, round);
  if (test_state.n_failed > n_failed) fprintf(stderr, "  in %s\n", path);
  for (int k = 0; k < 2; k++) cx_free(cx[k]);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) check_case(argv[i]);
  return test_result();
}
