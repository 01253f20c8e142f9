/* Ends of updates: where the state is stored before tests by which strands end. */
#include "tests/unit/backend-cuda/device_code.h"

/* A strand without supersteps whose update method ends with `ends`, after x and n have changed. */
static const char *device_text_of(Cx *cx, const char *ends) {
  const char *text = text_format(cx->arena,
                                 "#version 2.0\n"
                                 "input image(1)[] samples;\n"
                                 "field#1(1)[] F = bspln3 ⊛ samples;\n"
                                 "strand p (int i) {\n"
                                 "  output real x = real(i);\n"
                                 "  int n = 0;\n"
                                 "  update { x = 2.0*x + 1.0; n += 1; %s }\n"
                                 "}\n"
                                 "create_collection { p(i) | i in 0..9 }\n",
                                 ends);
  return device_code(cx, text);
}

/* The number of times that the update method stores n. */
static int n_stores(const char *ends) {
  Cx *cx = test_cx();
  const char *method = strstr(device_text_of(cx, ends), "p_update(");
  const char *end = method ? strstr(method, "\n}") : NULL;
  int n = 0;
  if (!CHECK(end != NULL)) return 0;
  for (const char *at = method; (at = strstr(at, "self->n = ")) && at < end; at++) n++;
  cx_free(cx);
  return n;
}

/* Whether it stores n before it says that the strand dies. */
static bool stores_early(const char *ends) {
  Cx *cx = test_cx();
  const char *method = strstr(device_text_of(cx, ends), "p_update(");
  const char *store = method ? strstr(method, "self->n = ") : NULL;
  const char *death = method ? strstr(method, "DDR_DEAD") : NULL;
  const bool is_early = store && death && store < death;
  cx_free(cx);
  return is_early;
}

static void state_is_stored_once_before_tests(void) {
  CHECK(stores_early("if (x > 9.0) die;"));
  const char *several = "if (x > 9.0) die; if (n == 5) stabilize; if (n == 7) die;";
  CHECK(stores_early(several));
  CHECK_EQ(n_stores(several), 1);
}

static void other_values_are_stored_where_they_are(void) {
  const char *other = "if (x > 9.0) die; if (x > 5.0) { n = 3; stabilize; } n = 2*n + i;";
  CHECK(!stores_early(other));
  CHECK_EQ(n_stores(other), 2);
}

/* The test may say that there are samples, or such an element. */
static void memory_is_read_behind_tests(void) {
  CHECK(!stores_early("if (!inside(x, F)) die; x += F(x);"));
  CHECK(!stores_early("if (n > 2) die; x += { 1.0, 2.0, 3.0 }[n];"));
}

/* Where no strand dies, nothing is gained. */
static void without_death_each_end_stores(void) {
  CHECK_EQ(n_stores("if (x > 5.0) stabilize; if (n == 5) stabilize;"), 3);
}

int main(void) {
  RUN(state_is_stored_once_before_tests);
  RUN(other_values_are_stored_where_they_are);
  RUN(memory_is_read_behind_tests);
  RUN(without_death_each_end_stores);
  return test_result();
}
