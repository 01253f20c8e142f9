/* Test: the harness of all unit tests. A test file is one program:
 *
 *   static void adds_digits(void) { CHECK_EQ(sum(3, 4), 7); }
 *   int main(void) { RUN(adds_digits); return test_result(); }
 *
 * Failures are printed with file:line and counted; the program continues and ends with status 1. A
 * program that makes no check fails, too. Each CHECK... gives true if the check held.
 */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TestState {
  const char *running;
  uint64_t n_checks, n_failed;
} TestState;

static TestState test_state;

#define TEST_AT __FILE__, __LINE__

/* CHECK_EQ compares 64-bit integers; for pointers use CHECK(p == q). */
#define CHECK(cond) test_true(TEST_AT, (cond), #cond)
#define CHECK_EQ(found, want) test_eq(TEST_AT, (int64_t)(found), (int64_t)(want), #found)
#define CHECK_STR(found, want) test_str(TEST_AT, (found), (want), #found)
/* The absolute difference is at most tol, or both are NaN, or both the same infinity. */
#define CHECK_NEAR(found, want, tol) test_near(TEST_AT, (found), (want), (tol), #found)
#define RUN(test) ((void)(test_state.running = #test), test())

/* Whether the test runs with the label slow, and may take long. */
static inline bool test_is_slow(void) { return getenv("DDR_ALL_ROUNDS") != NULL; }

/* The number of rounds of a random test: n with the label slow, else an eighth. */
static inline uint32_t test_rounds(uint32_t n) { return test_is_slow() ? n : (n + 7) / 8; }

static inline bool test_count(const char *file, int line, bool held) {
  test_state.n_checks++;
  if (held) return true;
  test_state.n_failed++;
  fprintf(stderr, "%s:%d: %s: ", file, line, test_state.running ? test_state.running : "main");
  return false;
}

static inline bool test_true(const char *file, int line, bool held, const char *what) {
  if (test_count(file, line, held)) return true;
  fprintf(stderr, "does not hold: %s\n", what);
  return false;
}

static inline bool test_eq(const char *file, int line, int64_t found, int64_t want,
                           const char *what) {
  if (test_count(file, line, found == want)) return true;
  fprintf(stderr, "%s is %" PRId64 ", expected %" PRId64 "\n", what, found, want);
  return false;
}

static inline bool test_str(const char *file, int line, const char *found, const char *want,
                            const char *what) {
  bool same = found && want ? strcmp(found, want) == 0 : found == want;
  if (test_count(file, line, same)) return true;
  fprintf(stderr, "%s is\n  \"%s\", expected\n  \"%s\"\n", what, found ? found : "(null)",
          want ? want : "(null)");
  return false;
}

static inline bool test_near(const char *file, int line, double found, double want, double tol,
                             const char *what) {
  bool near = fabs(found - want) <= tol || (isnan(found) && isnan(want)) ||
              (isinf(found) && isinf(want) && (found > 0) == (want > 0));
  if (test_count(file, line, near)) return true;
  fprintf(stderr, "%s is %.17g, expected %.17g within %g\n", what, found, want, tol);
  return false;
}

/* The exit status if the machine lacks what the test needs. */
static inline int test_skipped(const char *reason) {
  if (test_state.n_failed > 0) return 1;
  fprintf(stderr, "skipped: %s\n", reason);
  return 77;
}

static inline int test_result(void) {
  if (test_state.n_checks == 0) fprintf(stderr, "no check was made\n");
  if (test_state.n_failed > 0)
    fprintf(stderr, "%" PRIu64 " of %" PRIu64 " checks failed\n", test_state.n_failed,
            test_state.n_checks);
  return test_state.n_failed > 0 || test_state.n_checks == 0;
}
