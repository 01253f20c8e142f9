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

/* Most files have the type of their proxies, some another one: so all kinds of sample access
 * occur. */
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

static double as_real(const IrScalar *scalar) {
  return scalar->value.kind == OV_REAL ? scalar->value.real : scalar->value.b;
}

static void report(Watch *watch, const char *when, const char *name, const IrScalar *want,
                   const IrScalar *found) {
  watch->has_failed = true;
  fprintf(stderr, "after %s: %s: %.17g instead of %.17g, bound %g\n", when, name, as_real(found),
          as_real(want), want->error);
}

/* Passes may drop state, but no output. */
static void compare_outcomes(Watch *watch, const char *when, const IrEval *eval,
                             const IrOutcome *want, const IrOutcome *found) {
  CheckResult *all = watch->result;
  for (uint32_t v = 0; v < watch->m->state.len && !watch->has_failed; v++) {
    IrComparison one = {0};
    const StateVar *var = &watch->m->state.data[v];
    const IrScalar *wanted = ir_eval_state(watch->ref->eval, want, var->name->text);
    const IrScalar *its = ir_eval_state(eval, found, var->name->text);
    ir_compare(&one, wanted, its, ir_n_scalars(var->ty));
    all->all.n_compared += one.n_compared;
    all->all.n_free += one.n_free;
    if (one.worst > all->all.worst) all->all.worst = one.worst;
    if (one.n_wrong > 0)
      report(watch, when, var->name->text, &wanted[one.first_wrong], &its[one.first_wrong]);
  }
}

static uint32_t n_outputs(const Module *m) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < m->state.len; v++) n += m->state.data[v].is_output;
  return n;
}

static void compare_strands(Watch *watch, const char *when) {
  IrEval *eval = evaluator(watch->m, watch->program, 0x1p-53);
  IrOutcome found[GEN_STRANDS];
  run_strands(eval, watch->m, found);
  watch->has_failed = n_outputs(watch->m) != n_outputs(watch->ref->m);
  if (watch->has_failed) fprintf(stderr, "after %s: an output is missing\n", when);
  for (uint32_t i = 0; i < GEN_STRANDS && !watch->has_failed; i++) {
    const IrOutcome *want = &watch->ref->strands[i];
    if (found[i].exit != want->exit) {
      fprintf(stderr, "after %s: strand %u leaves otherwise\n", when, i);
      watch->has_failed = true;
      break;
    }
    compare_outcomes(watch, when, eval, want, &found[i]);
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
  const RunOptions options = {.dump_after = dumped, .dump = after_pass, .context = &watch};
  run_pipeline(cx, m, LEVEL_LOW, NULL, &options);
  cx_free(cx);
  reference_free(&ref);
  return watch.has_failed ? DIFFERENT : SAME;
}
