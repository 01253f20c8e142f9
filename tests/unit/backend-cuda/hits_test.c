/* Hits: which results of queries need not become sequences on a device. */
#include "tests/unit/backend-cuda/device_code.h"

/* A strand whose update method is `update`; it can query with `sphere` and count in `n`. */
static const char *device_text_of(Cx *cx, const char *update) {
  const char *text = text_format(cx->arena,
                                 "#version 2.0\n"
                                 "strand p (int i) {\n"
                                 "  vec2 pos = [real(i), 0.0];\n"
                                 "  output int n = 0;\n"
                                 "  update { %s pos += [1.0, 0.0]; }\n"
                                 "}\n"
                                 "create_collection { p(i) | i in 0..9 }\n",
                                 update);
  return device_code(cx, text);
}

static int n_calls(const char *update, const char *call) {
  Cx *cx = test_cx();
  int n = 0;
  for (const char *at = device_text_of(cx, update); (at = strstr(at, call));) n++, at++;
  cx_free(cx);
  return n;
}

/* The number of variables in the update method that are hits. */
static int n_hits(const char *update) { return n_calls(update, "ddr_hits_of2("); }

static void results_that_a_loop_goes_through_are_hits(void) {
  CHECK_EQ(n_hits("foreach (p q in sphere(1.0)) { n += q.n; }"), 1);
  CHECK_EQ(n_hits("p[] near = sphere(1.0); n = length(near); foreach (p q in near) { n += q.n; }"),
           1);
}

/* A thread has room for the hits of one query only. */
static void results_of_two_queries_are_sequences(void) {
  CHECK_EQ(n_hits("foreach (p q in sphere(1.0)) { n += q.n; }"
                  "foreach (p q in sphere(2.0)) { n += q.n; }"),
           0);
  CHECK_EQ(n_hits("foreach (p q in sphere(1.0)) {"
                  "  foreach (p r in sphere(2.0)) { n += q.n*r.n; } }"),
           0);
}

static void results_that_are_kept_are_sequences(void) {
  CHECK_EQ(n_hits("p[] near = sphere(1.0); p[] all = near @ near;"
                  "foreach (p q in all) { n += q.n; }"),
           0);
}

/* Only what comes from a loop over all elements is known to be in range. */
static void other_indices_are_clamped(void) {
  const char *loop = "foreach (p q in sphere(1.0)) { n += q.n; }";
  CHECK_EQ(n_calls(loop, "ddr_hits_each("), 1);
  CHECK_EQ(n_calls(loop, "ddr_hits_slot("), 0);
  const char *others = "p[] near = sphere(1.0);"
                       "foreach (int i in 0..length(near)) { n += near[i].n; }"
                       "foreach (int i in 1..length(near)-1) { n += near[i].n; }"
                       "foreach (int i in 0..length(near)-1) { n += near[i+1].n; }";
  CHECK_EQ(n_calls(others, "ddr_hits_each("), 0);
  CHECK_EQ(n_calls(others, "ddr_hits_slot("), 3);
  CHECK_EQ(n_calls("p[] near = sphere(1.0);"
                   "foreach (int i in 0..length(near)-1) { n += near[i].n; }",
                   "ddr_hits_each("),
           1);
}

/* A constant, also of a global; what differs between strands is not known. */
static void a_radius_of_the_whole_run_is_told(void) {
  const char *tells = ".radius = radius";
  CHECK_EQ(n_calls("foreach (p q in sphere(1.0)) { n += q.n; }", tells), 1);
  CHECK_EQ(n_calls("real r = 1.0; foreach (p q in sphere(r)) { n += q.n; }", tells), 1);
  CHECK_EQ(n_calls("foreach (p q in sphere(real(n))) { n += q.n; }", tells), 0);
  CHECK_EQ(n_calls("n += 1;", tells), 0);
}

int main(void) {
  RUN(other_indices_are_clamped);
  RUN(results_that_a_loop_goes_through_are_hits);
  RUN(results_of_two_queries_are_sequences);
  RUN(results_that_are_kept_are_sequences);
  RUN(a_radius_of_the_whole_run_is_told);
  return test_result();
}
