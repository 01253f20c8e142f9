/* Panic: exit status and message of each kind of failure, observed in a child process. */
#define _POSIX_C_SOURCE 200809L
#include "frontend/base/panic.h"

#include <stdlib.h>

#include "frontend/base/diag.h"
#include "frontend/base/rational.h"
#include "frontend/base/vec.h"
#include "tests/unit/child.h"

static Cx *new_cx(void) {
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, "t.diderot", "x = F⁻¹;\n", strlen("x = F⁻¹;\n"));
  return cx;
}

static const char *some_state(Cx *cx) {
  (void)cx;
  return "ir high\n";
}

static char folder[] = "/tmp/panic-XXXXXX";

/* The message contains the text of describe_state. */
static void check_state(void) {
  char text[64] = "";
  FILE *file = fopen("diderotc-bug.ir", "r");
  if (!file || !fgets(text, sizeof text, file) || strcmp(text, "ir high\n") != 0)
    fputs("but it is not there\n", stderr);
  if (file) fclose(file);
  remove("diderotc-bug.ir");
  if (chdir("/") == 0) rmdir(folder);
}

static void bug_with_state(void) {
  Cx *cx = new_cx();
  if (!mkdtemp(folder) || chdir(folder) != 0 || atexit(check_state) != 0) return;
  cx->describe_state = some_state;
  BUG(cx, "with a state");
}

static const char *no_state(Cx *cx) { BUG(cx, "and describing it fails"); }

static void bug(void) {
  Cx *cx = new_cx();
  cx->running = "share-probes";
  BUG(cx, "value %d", 7);
}

static void bug_in_describing(void) {
  Cx *cx = new_cx();
  cx->describe_state = no_state;
  BUG(cx, "first");
}

static void limit(void) {
  Cx *cx = new_cx();
  diag(cx, (Span){4, 5}, W_HIDES, d_name(name_from(cx->names, "F")), d_text("a kernel"));
  LIMIT(cx, ((Span){0, 1}), "strands that %s", "die");
}

static void extra_argument(void) { diag(new_cx(), SPAN_NONE, E_NEW_PLACE, d_int(1)); }
static void missing_argument(void) { diag(new_cx(), SPAN_NONE, E_NO_OUTPUT); }
static void wrong_argument(void) { diag(new_cx(), SPAN_NONE, E_NO_OUTPUT, d_int(1)); }
static void note_alone(void) { diag_note(new_cx(), SPAN_NONE, N_FIRST_HERE); }
static void huge_array(void) { arena_alloc_array(arena_new(), SIZE_MAX / 2, 3); }
static void sum_overflow(void) { rational_add(RATIONAL(INT64_MAX, 1), RATIONAL(1, 1)); }
static void product_overflow(void) { rational_mul(RATIONAL(INT64_MAX, 1), RATIONAL(-3, 1)); }
static void negation_overflow(void) { rational_neg(RATIONAL(INT64_MIN, 1)); }
static void zero_denominator(void) { rational(1, 0); }
static void division_by_zero(void) { rational_div(RATIONAL(1, 2), RATIONAL(0, 1)); }

static void bugs_name_pass_place_and_reason(void) {
  check_fails(bug, 70, "in pass share-probes: value 7\n");
  check_fails(bug, 70, "panic_test.c:");
  check_fails(bug_with_state, 70, "with a state\nits state is in diderotc-bug.ir\n");
  char said[2048];
  CHECK_EQ(run_in_child(bug_with_state, said, sizeof said), 70);
  CHECK(strstr(said, "but it is not there") == NULL);
  check_fails(bug_in_describing, 70, "and describing it fails");
}

static void limits_come_with_position_among_the_messages(void) {
  check_fails(limit, 1, "[t.diderot:1.1-1] Error: not supported yet: strands that die\n");
  check_fails(limit, 1, "[t.diderot:1.5-5] Warning: 'F' hides a kernel of the same name [hides]\n");
}

static void misuse_of_base_is_caught(void) {
  check_fails(extra_argument, 70, "E_NEW_PLACE");
  check_fails(missing_argument, 70, "E_NO_OUTPUT");
  check_fails(wrong_argument, 70, "E_NO_OUTPUT");
  check_fails(note_alone, 70, "N_FIRST_HERE");
  check_fails(huge_array, 1, "out of memory");
  check_fails(sum_overflow, 70, "overflow");
  check_fails(product_overflow, 70, "overflow");
  check_fails(negation_overflow, 70, "overflow");
  check_fails(zero_denominator, 70, "denominator 0");
  check_fails(division_by_zero, 70, "division by 0");
}

int main(void) {
  RUN(bugs_name_pass_place_and_reason);
  RUN(limits_come_with_position_among_the_messages);
  RUN(misuse_of_base_is_caught);
  return test_result();
}
