/* program_run.c: the same program compiled and run. Read next: program_check.h. */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/program_check.h"
#include "tests/run/process.h"

enum { MAX_NAME = 32 };

static bool run(const char *const argv[]) {
  Outcome outcome;
  const bool is_good = process_run(argv, &outcome) && outcome.status == 0;
  if (!is_good) fprintf(stderr, "%s ends with %d\n%s", argv[0], outcome.status, outcome.err);
  outcome_free(&outcome);
  return is_good;
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fputs(text, file);
  return fclose(file) == 0;
}

static bool compile(const char *text, const Toolchain *tools) {
  const char *argv[9] = {tools->diderotc, "--exec", "-o", "program", "program.diderot"};
  char target[MAX_NAME];
  int n = 5;
  if (tools->is_double) argv[n++] = "--double";
  snprintf(target, sizeof target, "--target=%s", tools->target ? tools->target : "sequential");
  argv[n++] = target;
  return write_text("program.diderot", text) && run(argv);
}

/* They are proxies, too. */
static void write_images(const GenProgram *program) {
  char path[MAX_NAME];
  for (uint32_t i = 0; i < program->images.len; i++) {
    snprintf(path, sizeof path, "img%u.nrrd", i);
    image_write(&program->images.data[i].image, path);
  }
}

/* Gives each image to its input. */
static bool execute(const GenProgram *program) {
  char words[MAX_WORDS / 2][2][MAX_NAME];
  const char *argv[MAX_WORDS] = {"./program"};
  uint32_t n = 1;
  for (uint32_t i = 0; i < program->images.len && n + 3 < MAX_WORDS; i++) {
    if (!gen_uses_image(program, i)) continue;
    snprintf(words[i][0], MAX_NAME, "-img%u", i);
    snprintf(words[i][1], MAX_NAME, "img%u.nrrd", i);
    argv[n++] = words[i][0];
    argv[n++] = words[i][1];
  }
  return run(argv);
}

/* The output called name against the scalars of that state variable. */
static bool compare_output(const Reference *ref, const StateVar *var, CheckResult *result) {
  char path[MAX_NAME];
  NrrdFile file = {.n_axes = 0};
  IrComparison one = {0};
  const uint32_t n = ir_n_scalars(var->ty);
  snprintf(path, sizeof path, "%s.nrrd", var->name->text);
  bool is_good = nrrd_file_read(&file, path) && file.n_values == (size_t)n * GEN_STRANDS;
  if (!is_good) fprintf(stderr, "%s: %zu values %s\n", path, file.n_values, file.reason);
  for (uint32_t k = 0; is_good && k < n * GEN_STRANDS; k++) {
    const IrScalar *want = ir_eval_state(ref->eval, &ref->strands[k / n], var->name->text) + k % n;
    const double value = (double)file.value[k];
    const IrScalar found = want->value.kind == OV_BOOL ? ir_bool(value != 0) : ir_real(value);
    ir_compare(&one, want, &found, 1);
    if (one.n_wrong == 0) continue;
    fprintf(stderr, "compiled: strand %u, %s, scalar %u: %.9g instead of %.9g, bound %g\n", k / n,
            var->name->text, k % n, value,
            want->value.kind == OV_BOOL ? want->value.b : want->value.real, want->error);
    is_good = false;
  }
  result->all.n_compared += one.n_compared;
  result->all.n_free += one.n_free;
  if (one.worst > result->all.worst) result->all.worst = one.worst;
  nrrd_file_free(&file);
  return is_good;
}

Verdict check_compiled(const GenProgram *program, const char *text, const Toolchain *tools,
                       CheckResult *result) {
  Reference ref;
  *result = (CheckResult){.is_unsure = false};
  if (!reference_new(&ref, program, text, tools->is_double ? 0x1p-53 : 0x1p-24)) return REJECTED;
  result->is_unsure = ref.is_unsure;
  write_images(program);
  bool is_good = compile(text, tools) && execute(program);
  for (uint32_t i = 0; is_good && !ref.is_unsure && i < ref.m->state.len; i++)
    if (ref.m->state.data[i].is_output)
      is_good = compare_output(&ref, &ref.m->state.data[i], result);
  reference_free(&ref);
  return is_good ? SAME : DIFFERENT;
}
