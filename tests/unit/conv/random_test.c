/* Random convolutions and correlations against their definition. */
#include "tests/unit/conv/model.h"

static ddr_conv_task *task_of(const Problem *problem) {
  ddr_conv_task *task = ddr_conv_task_new(problem->op, problem->rank, problem->x.len,
                                          problem->y.len, problem->z.len, problem->z.type);
  ddr_conv_task_set_types(task, problem->x.type, problem->y.type, problem->z.type);
  ddr_conv_task_set_origin(task, problem->p, problem->q);
  ddr_conv_task_set_decimation(task, problem->decimation);
  ddr_conv_task_set_conj_x(task, problem->is_conjugate);
  if (problem->has_start) ddr_conv_task_set_start(task, problem->start);
  return task;
}

static ddr_conv_array array_of(const Array *array, int rank) {
  ddr_conv_array result = {.data = array->data, .length = array->length};
  memcpy(result.stride, array->stride, (size_t)rank * sizeof *array->stride);
  return result;
}

/* Half the distance of floats, or doubles, near a number: the error of one rounding. */
static double rounding(ddr_element type, double value) {
  return is_of_floats(type) ? fabs(value) * 0x1p-24 + 0x1p-150 : 0;
}

static double padded_points(const Problem *problem) {
  double points = 1;
  for (int k = 0; k < problem->rank; k++) {
    int64_t n = problem->x.len[k] + problem->y.len[k] - 1, rest = 0;
    for (; rest != 1; n++) {
      rest = n;
      for (int64_t factor = 2; factor <= 5; factor++) {
        while (rest % factor == 0) rest /= factor;
      }
    }
    points *= (double)(n - 1);
  }
  return points;
}

/* Every element of z is as defined, within `bound` of the sums (0: bit for bit), and memory between
 * the elements is unchanged. */
static bool is_as_defined(const Problem *problem, const unsigned char *before, double bound) {
  const size_t size = ddr_element_size(problem->z.type);
  const size_t n_bytes = (size_t)(problem->z.length + SLACK) * size;
  unsigned char *want = malloc(n_bytes);
  memcpy(want, before, n_bytes);
  int64_t k[MODEL_MOST_RANK] = {0};
  bool is_good = true;
  for (;;) {
    int64_t r[MODEL_MOST_RANK];
    for (int a = 0; a < problem->rank; a++)
      r[a] = problem->start[a] + k[a] * problem->decimation[a];
    const ddr_complex_double sum = sum_at(problem, r);
    const ddr_complex_float rounded = {(float)sum.re, (float)sum.im};
    const int64_t at = distance(&problem->z, problem->rank, k);
    const Array *z = &problem->z;
    if (bound > 0) {
      const ddr_complex_double found = read_exact(z, at, false);
      is_good = is_good && fabs(found.re - sum.re) <= bound + rounding(z->type, found.re) &&
                fabs(found.im - sum.im) <= bound + rounding(z->type, found.im);
      memcpy(want + (size_t)at * size, z->data + (size_t)at * size, size);
    } else if (is_of_floats(z->type)) {
      memcpy(want + (size_t)at * size, &rounded, size);
    } else {
      memcpy(want + (size_t)at * size, &sum, size);
    }
    int a = problem->rank - 1;
    while (a >= 0 && k[a] == problem->z.len[a] - 1) k[a--] = 0;
    if (a < 0) break;
    k[a]++;
  }
  is_good = is_good && memcmp(want, problem->z.data, n_bytes) == 0;
  free(want);
  return is_good;
}

static bool has_fft(const Problem *problem) {
  const ddr_element_kind x = ddr_element_kind_of(problem->x.type);
  const ddr_element_kind y = ddr_element_kind_of(problem->y.type);
  return ddr_conv_has_fft() && x != DDR_KIND_INT && x != DDR_KIND_UINT && y != DDR_KIND_INT &&
         y != DDR_KIND_UINT;
}

static void check_problem(Problem problem, uint64_t seed, const ddr_conv_mode *mode) {
  uint64_t state = seed;
  const size_t n_bytes = (size_t)(problem.z.length + SLACK) * ddr_element_size(problem.z.type);
  unsigned char *before = malloc(n_bytes);
  memcpy(before, problem.z.data, n_bytes);
  ddr_conv_task *task = task_of(&problem);
  ddr_conv_task_set_mode(task, mode);
  ddr_conv_task_set_threads(task, (int)random_between(&state, 1, 3));
  const ddr_conv_array x = array_of(&problem.x, problem.rank);
  const ddr_conv_array y = array_of(&problem.y, problem.rank);
  const ddr_conv_array z = array_of(&problem.z, problem.rank);
  const bool is_bound = random_between(&state, 0, 1);
  const bool is_float = is_of_floats(problem.z.type) && random_between(&state, 0, 1);
  if (is_float) ddr_conv_task_set_precision(task, DDR_ELEMENT_FLOAT); /* affects transforms only */
  double bound = 0;
  if (mode == &ddr_conv_fft) {
    bound = 4 * (is_float ? 0x1p-24 : 0x1p-53) * log2(padded_points(&problem)) *
                norm_of(&problem, &problem.x) * norm_of(&problem, &problem.y) +
            1e-300;
  }
  const ddr_array_status want =
      mode == &ddr_conv_fft && !has_fft(&problem) ? DDR_ARRAY_EMODE : DDR_ARRAY_OK;
  if (is_bound) CHECK_EQ(ddr_conv_task_bind_x(task, &x), want);
  CHECK_EQ(ddr_conv_task_exec(task, is_bound ? NULL : &x, &y, &z), want);
  const bool is_good = want != DDR_ARRAY_OK ? memcmp(before, problem.z.data, n_bytes) == 0
                                            : is_as_defined(&problem, before, bound);
  if (!CHECK(is_good)) fprintf(stderr, "  seed %llu\n", (unsigned long long)seed);
  ddr_conv_task_delete(task);
  free(before);
  free_problem(&problem);
}

static void check(uint64_t seed, const ddr_conv_mode *mode, ProblemSize size) {
  uint64_t state = seed;
  const Problem problem = random_problem(&state, size);
  check_problem(problem, state, mode);
}

static void direct_is_the_definition(void) {
  for (uint64_t seed = 1; seed <= test_rounds(4000); seed++)
    check(seed * 7919, &ddr_conv_direct, SIZE_SMALL);
}

static void direct_is_the_definition_for_long_arrays(void) {
  for (uint64_t seed = 1; seed <= test_rounds(60); seed++)
    check(seed * 104729, &ddr_conv_direct, SIZE_LONG);
}

/* Often packed: axes in any order in memory, every n-th result. */
static void direct_is_the_definition_for_broad_arrays(void) {
  for (uint64_t seed = 1; seed <= test_rounds(600); seed++)
    check(seed * 15485863, &ddr_conv_direct, SIZE_BROAD);
}

/* Packed in bands. */
static void direct_is_the_definition_for_huge_arrays(void) {
  for (uint64_t seed = 1; seed <= test_rounds(16); seed++)
    check(seed * 86028121, &ddr_conv_direct, SIZE_HUGE);
}

/* Rows long enough for vectors, with all weights along any one axis.  Now and then an axis is
 * longer than a tile. */
static Problem wide_problem(uint64_t *state) {
  static const int64_t usual[] = {14, 14, 90}, most[] = {400, 400, 5000};
  Problem problem = {.op = (ddr_conv_op)random_between(state, 0, 1), .rank = 3};
  Array *x = &problem.x, *y = &problem.y;
  if (random_between(state, 0, 3) == 0) x = &problem.y, y = &problem.x;
  const int long_axis = (int)random_between(state, 0, 11);
  for (int k = 0; k < 3; k++) {
    x->len[k] = 1;
    y->len[k] = random_between(state, 1, k == long_axis ? most[k] : usual[k]);
  }
  x->len[random_between(state, 0, 2)] = random_between(state, 1, 9);
  problem.has_start = true;
  for (int k = 0; k < 3; k++) {
    const int64_t range = problem.x.len[k] + problem.y.len[k] - 1;
    const int64_t least = problem.op == DDR_CONVOLUTION ? 0 : 1 - problem.x.len[k];
    const int64_t skipped = random_between(state, 0, range - 1);
    problem.start[k] = least + (k < 2 ? skipped / 3 : skipped / 9);
    problem.decimation[k] = k < 2 && random_between(state, 0, 3) == 0 ? 3 : 1;
    problem.z.len[k] = (least + range - problem.start[k] - 1) / problem.decimation[k] + 1;
  }
  Array *const arrays[] = {&problem.x, &problem.y, &problem.z};
  for (int which = 0; which < 3; which++) {
    Array *array = arrays[which];
    /* Products of doubles are not exact. */
    const bool is_exact = array == x && random_between(state, 0, 1);
    array->type = is_exact ? DDR_ELEMENT_DOUBLE : DDR_ELEMENT_FLOAT;
    array->stride[2] = 1;
    array->stride[1] = array->len[2] + random_between(state, 0, 2);
    array->stride[0] = array->len[1] * array->stride[1];
    if (random_between(state, 0, 3) == 0) array->stride[random_between(state, 0, 1)] *= -1;
    array->length = 1;
    for (int k = 0; k < 3; k++) array->length += llabs(array->stride[k]) * (array->len[k] - 1);
    array->data = malloc((size_t)(array->length + SLACK) * ddr_element_size(array->type));
    for (int64_t k = 0; k < array->length + SLACK; k++) random_element(state, array, k);
  }
  if (x->type == DDR_ELEMENT_DOUBLE && random_between(state, 0, 7) == 0) {
    ((double *)(void *)x->data)[x->length / 2] =
        HUGE_VAL; /* gives NaN when multiplied by zero: must not be read */
  }
  return problem;
}

static void direct_is_the_definition_for_wide_rows(void) {
  for (uint64_t seed = 1; seed <= test_rounds(500); seed++) {
    uint64_t state = seed * 7368787;
    check_problem(wide_problem(&state), state, &ddr_conv_direct);
  }
}

/* Weights that are not floats: b + 0.1 * 3 is 0 if the product is rounded first. */
static void products_are_rounded(void) {
  enum { N = 64 };
  const double rounded = 0.1 * 3;
  double weights[] = {-rounded, 0.1};
  float samples[2 * N], results[2 * N];
  for (int axis = 0; axis < 2; axis++) {
    const int64_t x[] = {axis == 0 ? 2 : 1, axis == 1 ? 2 : 1}, y[] = {2, N};
    const int64_t z[] = {3 - x[0], N + 1 - x[1]}, start[] = {0, 0};
    for (int k = 0; k < 2 * N; k++) {
      samples[k] = (axis == 0 ? k / N : k) % 2 ? 3 : 1;
      results[k] = 1;
    }
    ddr_conv_task *task = ddr_conv_task_new(DDR_CORRELATION, 2, x, y, z, DDR_ELEMENT_FLOAT);
    ddr_conv_task_set_types(task, DDR_ELEMENT_DOUBLE, DDR_ELEMENT_FLOAT, DDR_ELEMENT_FLOAT);
    ddr_conv_task_set_start(task, start);
    const ddr_conv_array of_x = {weights, 2, {1, 1}}, of_y = {samples, 2 * N, {N, 1}};
    const ddr_conv_array of_z = {results, 2 * N, {N, 1}};
    CHECK_EQ(ddr_conv_task_exec(task, &of_x, &of_y, &of_z), DDR_ARRAY_OK);
    for (int row = 0; row < z[0]; row++) {
      for (int k = 0; k < z[1]; k += 1 + axis) CHECK(results[row * N + k] == 0);
    }
    ddr_conv_task_delete(task);
  }
}

static void fft_is_near_the_definition(void) {
  for (uint64_t seed = 1; seed <= test_rounds(1500); seed++)
    check(seed * 6007, &ddr_conv_fft, SIZE_SMALL);
  for (uint64_t seed = 1; seed <= test_rounds(30); seed++)
    check(seed * 15485863, &ddr_conv_fft, SIZE_LONG);
  for (uint64_t seed = 1; seed <= test_rounds(800); seed++)
    check(seed * 32452843, &ddr_conv_fft, SIZE_BROAD);
}

int main(void) {
  RUN(direct_is_the_definition);
  RUN(direct_is_the_definition_for_long_arrays);
  RUN(direct_is_the_definition_for_broad_arrays);
  RUN(direct_is_the_definition_for_huge_arrays);
  RUN(direct_is_the_definition_for_wide_rows);
  RUN(products_are_rounded);
  RUN(fft_is_near_the_definition);
  return test_result();
}
