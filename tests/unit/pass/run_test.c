/* The pass runner, on whole programs. tests/oracle/ir_roundtrip.c tests that texts after every pass
 * can be read back, and that every result verifies. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "frontend/base/panic.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/local.h"
#include "tests/unit/child.h"
#include "tests/unit/core/ir_text.h"

typedef struct Log {
  uint32_t n_dumps, counts[PASS_COUNT];
} Log;

static void count_dump(void *context, PassId after, const char *text) {
  Log *log = context;
  CHECK(strncmp(text, "ir ", 3) == 0);
  log->n_dumps++;
  log->counts[after]++;
}

static Module *lower_program(Cx *cx, const char *path) {
  const char *error;
  char said[4096];
  cx->source = source_read(cx->arena, path, &error);
  const Ast *ast = cx->source ? parse(cx) : NULL;
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (!CHECK(program != NULL)) fprintf(stderr, "  %s: %s", path, messages(cx, said, sizeof said));
  return program ? high_from_tast(cx, program) : NULL;
}

static void run_vr(const bool *disabled, Log *log) {
  static const bool all[PASS_COUNT] = {
#define PASS(id, ...) [PASS_##id] = true,
#include "ir/pass/passes.def"
  };
  Cx *cx = test_cx();
  *log = (Log){.n_dumps = 0};
  RunOptions options = {
      .disabled = disabled, .dump_after = all, .dump = count_dump, .context = log};
  Module *m = lower_program(cx, "examples/vr/vr.diderot");
  if (m) {
    run_pipeline(cx, m, LEVEL_LOW, NULL, &options);
    CHECK_EQ(m->level, LEVEL_LOW);
    CHECK_STR(ir_check(cx, m), NULL);
  }
  cx_free(cx);
}

static void each_pass_runs_as_often_as_listed(void) {
  uint32_t want[PASS_COUNT] = {0}, n_passes = 2; /* the two changes of level */
  for (uint32_t level = LEVEL_HIGH; level <= LEVEL_LOW; level <<= 1) {
    const Stage *stage = pipeline_stage((Level)level);
    n_passes += stage->n_passes;
    for (uint32_t i = 0; i < stage->n_passes; i++) want[stage->passes[i]]++;
  }
  Log log;
  run_vr(NULL, &log);
  CHECK_EQ(log.n_dumps, n_passes);
  CHECK_EQ(log.counts[PASS_dce], want[PASS_dce]);
  CHECK_EQ(log.counts[PASS_high_to_mid], 1);

  bool disabled[PASS_COUNT] = {[PASS_value_number] = true};
  run_vr(disabled, &log);
  CHECK_EQ(log.counts[PASS_value_number], 0);
  CHECK_EQ(log.n_dumps, n_passes - want[PASS_value_number]);
}

static void names_find_their_passes(void) {
  for (uint32_t id = 0; id < PASS_COUNT; id++) {
    CHECK_EQ(pass_find(pass_name((PassId)id)), id);
    CHECK(strchr(pass_name((PassId)id), '_') == NULL);
    CHECK(pass_from((PassId)id) != 0);
  }
  CHECK_EQ(pass_find("share-probes"), PASS_share_probes);
  CHECK_EQ(pass_find("frobnicate"), PASS_COUNT);
}

static void a_pipeline_stops_at_the_level_asked(void) {
  Cx *cx = test_cx();
  Module *m = lower_program(cx, "examples/mip/mip.diderot");
  if (m) {
    run_pipeline(cx, m, LEVEL_HIGH, NULL, NULL);
    CHECK_EQ(m->level, LEVEL_HIGH);
    run_pipeline(cx, m, LEVEL_MID, NULL, NULL);
    CHECK_EQ(m->level, LEVEL_MID);
  }
  cx_free(cx);
}

/* An update method with 1 + 3 n blocks. */
static const char *branches_in_a_row(Arena *a, int n) {
  Text text = text_new(a);
  text_add(&text, "ir high\nstrand \"s\" grid 1\nstate \"p\": bool\n"
                  "func update {\n  b0(%0 \"p\": bool):\n");
  for (int b = 0; b < 3 * n; b += 3) {
    text_addf(&text, "    branch %%0, b%d(), b%d(), merge b%d\n", b + 1, b + 2, b + 3);
    text_addf(&text, "  b%d():\n    jump b%d()\n", b + 1, b + 3);
    text_addf(&text, "  b%d():\n    jump b%d()\n  b%d():\n", b + 2, b + 3, b + 3);
  }
  text_add(&text, "    leave<stabilize> %0\n}\n");
  return text_str(&text);
}

static void number_branches_in_a_row(int n) {
  Cx *cx = test_cx();
  Module *m = module_from_text(cx, branches_in_a_row(cx->arena, n));
  if (!m) _exit(2);
  run_pass(cx, m, PASS_value_number, NULL, NULL);
  cx_free(cx);
}

static void some_blocks(void) { number_branches_in_a_row(100); }
static void too_many_blocks(void) { number_branches_in_a_row(16667); }

static void long_functions_are_refused(void) {
  check_fails(some_blocks, 0, "");
  check_fails(too_many_blocks, 1, "not supported yet: methods and functions of more than 50000");
}

int main(void) {
  RUN(long_functions_are_refused);
  RUN(names_find_their_passes);
  RUN(each_pass_runs_as_often_as_listed);
  RUN(a_pipeline_stops_at_the_level_asked);
  return test_result();
}
