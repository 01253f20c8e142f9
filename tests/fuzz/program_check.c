/* program_check.c: the same program before and after every pass. Read next: program_check.h. */
#include "tests/fuzz/program_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"

enum { MAX_STEPS = 4 };

/* --- running ---------------------------------------------------------------------------------- */

/* Images are inputs called img<number>. */
static const Image *image_of(const GenProgram *program, const Global *global) {
  const unsigned long image = strtoul(global->name->text + strlen("img"), NULL, 10);
  return &program->images.data[image].image;
}

/* Most files have the type of their proxies, some another: so all ways to samples are gone. */
static void set_samples(Module *m, const GenProgram *program) {
  for (uint32_t i = 0; i < m->globals.len; i++) {
    Global *global = &m->globals.data[i];
    if (!type_is(global->ty, TY_IMAGE)) continue;
    const Image *image = image_of(program, global);
    global->samples = sample_in_file(image->type, true);
    if (grid_count(&image->grid) % 3 == 0) global->samples = SAMPLE_U16;
  }
}

static Module *module_from(Cx *cx, const GenProgram *program, const char *text) {
  types_init(cx);
  cx->is_double = true;
  diag_set_policy(cx, DIAG_COUNT, WARN_NEVER);
  cx->source = source_from_text(cx->arena, "program", text, strlen(text));
  const Ast *ast = parse(cx);
  TProgram *tree = ast ? check(cx, ast, NULL) : NULL;
  if (!tree) {
    diag_print_all(cx, stderr, DIAG_PLAIN);
    return NULL;
  }
  Module *m = high_from_tast(cx, tree);
  set_samples(m, program);
  ir_verify(cx, m);
  return m;
}

static IrEval *evaluator(const Module *m, const GenProgram *program, double epsilon) {
  IrEval *eval = ir_eval_new(m, epsilon);
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const Global *global = &m->globals.data[i];
    if (!type_is(global->ty, TY_IMAGE)) continue;
    ir_eval_set_image(eval, i, image_of(program, global));
  }
  return eval;
}

static void run_strands(IrEval *eval, const Module *m, IrOutcome out[GEN_STRANDS]) {
  ir_eval_call(eval, module_find_func(m, FN_GLOBALS), NULL, 0);
  for (int64_t i = 0; i < GEN_STRANDS; i++) {
    const IrScalar iter = ir_int(i);
    out[i] = ir_eval_strand(eval, &iter, 1, MAX_STEPS);
  }
}

bool reference_new(Reference *ref, const GenProgram *program, const char *text, double epsilon) {
  *ref = (Reference){.cx = cx_new()};
  ref->m = module_from(ref->cx, program, text);
  if (!ref->m) {
    cx_free(ref->cx);
    return false;
  }
  ref->eval = evaluator(ref->m, program, epsilon);
  run_strands(ref->eval, ref->m, ref->strands);
  ref->is_unsure = ir_eval_is_unsure(ref->eval);
  return true;
}

void reference_free(Reference *ref) {
  ir_eval_free(ref->eval);
  cx_free(ref->cx);
}

/* --- comparing -------------------------------------------------------------------------------- */

typedef struct Watch {
  const GenProgram *program;
  const Reference *ref;
  const Module *m; /* as the passes change it */
  CheckResult *result;
  bool has_failed;
} Watch;

/* Name of the state variable that a scalar of an outcome belongs to. */
static const char *state_name(const Module *m, uint32_t scalar) {
  for (uint32_t i = 0; i < m->state.len; i++) {
    const uint32_t n = ir_n_scalars(m->state.data[i].ty);
    if (scalar < n) return m->state.data[i].name->text;
    scalar -= n;
  }
  return "?";
}

static double as_real(const IrScalar *scalar) {
  return scalar->value.kind == OV_REAL ? scalar->value.real : scalar->value.b;
}

static void report(Watch *watch, const char *when, uint32_t strand, const IrOutcome *found,
                   uint32_t scalar) {
  const IrScalar *want = &watch->ref->strands[strand].values[scalar];
  watch->has_failed = true;
  fprintf(stderr, "after %s: strand %u, %s, scalar %u: %.17g instead of %.17g, bound %g\n", when,
          strand, state_name(watch->m, scalar), scalar, as_real(&found->values[scalar]),
          as_real(want), want->error);
}

/* Passes may drop or reorder no state, so that outcomes are alike scalar by scalar. */
static void compare_strands(Watch *watch, const char *when) {
  IrEval *eval = evaluator(watch->m, watch->program, 0x1p-53);
  IrOutcome found[GEN_STRANDS];
  run_strands(eval, watch->m, found);
  for (uint32_t i = 0; i < GEN_STRANDS && !watch->has_failed; i++) {
    IrComparison one = {0};
    const IrOutcome *want = &watch->ref->strands[i];
    if (found[i].n != want->n || found[i].exit != want->exit) {
      fprintf(stderr, "after %s: strand %u leaves otherwise\n", when, i);
      watch->has_failed = true;
      break;
    }
    ir_compare(&one, want->values, found[i].values, want->n);
    watch->result->all.n_compared += one.n_compared;
    watch->result->all.n_free += one.n_free;
    if (one.worst > watch->result->all.worst) watch->result->all.worst = one.worst;
    if (one.n_wrong > 0) report(watch, when, i, &found[i], one.first_wrong);
  }
  if (ir_eval_stray_reads(eval) > 0) {
    fprintf(stderr, "after %s: reads outside an image\n", when);
    watch->has_failed = true;
  }
  ir_eval_free(eval);
}

static void after_pass(void *context, PassId after, const char *text) {
  Watch *watch = context;
  (void)text;
  if (!watch->has_failed) compare_strands(watch, pass_name(after));
}

Verdict check_levels(const GenProgram *program, const char *text, CheckResult *result) {
  Reference ref;
  *result = (CheckResult){.is_unsure = false};
  if (!reference_new(&ref, program, text, 0x1p-53)) return REJECTED;
  Cx *cx = cx_new();
  Module *m = module_from(cx, program, text);
  Watch watch = {.program = program, .ref = &ref, .m = m, .result = result};
  result->is_unsure = ref.is_unsure;
  bool dumped[PASS_COUNT];
  for (uint32_t i = 0; i < PASS_COUNT; i++) dumped[i] = !ref.is_unsure;
  const bool disabled[PASS_COUNT] = {[PASS_uniform_state] = true}; /* states are compared whole */
  const RunOptions options = {
      .disabled = disabled, .dump_after = dumped, .dump = after_pass, .context = &watch};
  run_pipeline(cx, m, LEVEL_LOW, NULL, &options);
  cx_free(cx);
  reference_free(&ref);
  return watch.has_failed ? DIFFERENT : SAME;
}
