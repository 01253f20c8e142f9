/* Fields on grids: the tables, and random grids against sums over all taps. */
#include "runtime/conv/filters/sample_grid.h"
#include "tests/unit/conv/kernels.h"
#include "tests/unit/conv/model.h"
#include "tests/unit/conv/table.h"

enum { MOST_COEFF = 2 * KERNEL_SUPPORT * (KERNEL_DEGREE + 1) };

/* --- tables ----------------------------------------------------------------------------------- */

/* Reads "a/b" or "a"; *end is after it. */
static double read_fraction(const char *text, const char **end) {
  char *after;
  double value = strtod(text, &after);
  if (*after == '/') value /= strtod(after + 1, &after);
  *end = after;
  return value;
}

static void check_weights(const Vector *row) {
  double coeff[MOST_COEFF], weights[4], fraction;
  const char *at;
  const ddr_kernel kernel = kernel_of(&bspln3, coeff);
  fraction = read_fraction(row->field[2], &at);
  ddr_kernel_weights(&kernel, atoi(row->field[1]), fraction, weights);
  at = row->field[3];
  for (int tap = 0; tap < 4; tap++) CHECK_NEAR(weights[tap], read_fraction(at, &at), 1e-15);
}

static void check_values(const Vector *row) {
  double coeff[MOST_COEFF], found[MOST_NUMBERS];
  float data[] = {0, 0, 48, 0, 0, 96, 0, 0};
  int64_t step[MOST_NUMBERS], want[MOST_NUMBERS];
  const char *at;
  const int64_t n = read_numbers(row->field[4], 0, want);
  ddr_ndview image = {DDR_ELEMENT_FLOAT, data, {1, 0, {8}, {1}}, DDR_HOST, NULL};
  ddr_ndview view = {DDR_ELEMENT_DOUBLE, found, {1, 0, {n}, {1}}, DDR_HOST, NULL};
  read_numbers(row->field[3], 0, &step[0]);
  read_numbers(part(row->field[3], '/', 1), 0, &step[1]);
  const ddr_sample_grid grid = {
      .image = &image,
      .n_axes = 1,
      .axes = {{kernel_of(&bspln3, coeff), read_fraction(row->field[2], &at), step[0], step[1], n}},
  };
  const ddr_sample_result result = {{atoi(row->field[1])}, &view};
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_OK);
  for (int k = 0; k < n; k++) CHECK_NEAR(found[k], (double)want[k], 1e-13);
}

static void samples_as_tabled(void) {
  FILE *file = vectors_open("tests/unit/conv/grids.txt");
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    if (strcmp(row.field[0], "weights") == 0) check_weights(&row);
    else check_values(&row);
  }
  CHECK_EQ(n, 7);
  vectors_close(file);
}

/* --- random grids ----------------------------------------------------------------------------- */

typedef struct Trial {
  const Pieces *pieces[3];
  double coeff[3][MOST_COEFF];
  ddr_sample_grid grid;
  ddr_ndview image;
  Array samples; /* component, then n_axes index axes */
  int n_components;
} Trial;

/* The sample at an index, by the border rule. */
static double sample_at(const Trial *trial, int component, const int64_t *idx) {
  int64_t place[MODEL_MOST_RANK] = {component};
  for (int k = 0; k < trial->grid.n_axes; k++) {
    const int64_t n = trial->samples.len[k + 1];
    int64_t i = idx[k];
    switch (trial->grid.border.extension) {
    case DDR_EXTEND_CLAMP: i = i < 0 ? 0 : i >= n ? n - 1 : i; break;
    case DDR_EXTEND_WRAP: i = ((i % n) + n) % n; break;
    case DDR_EXTEND_MIRROR:
      while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
      break;
    case DDR_EXTEND_CONSTANT:
      if (i < 0 || i >= n) return trial->grid.border.value;
      break;
    case DDR_EXTEND_NONE: break;
    }
    place[k + 1] = i;
  }
  const int64_t at = distance(&trial->samples, trial->grid.n_axes + 1, place);
  return read_exact(&trial->samples, at, false).re;
}

/* The sum over taps of axis k and the axes after it. */
static double sum_taps(const Trial *trial, const int *derivative, const double *position,
                       int component, int k, int64_t *idx) {
  if (k == 3 || k == trial->grid.n_axes) return sample_at(trial, component, idx);
  const int s = trial->pieces[k]->support;
  const int64_t below = (int64_t)floor(position[k]);
  double sum = 0;
  for (int j = 1 - s; j <= s; j++) {
    idx[k] = below + j;
    const double weight = kernel_at(trial->pieces[k], derivative[k], position[k] - (double)idx[k]);
    if (weight != 0) {
      sum += weight * sum_taps(trial, derivative, position, component, k + 1, idx);
    }
  }
  return sum;
}

static ddr_ndview view_of(Array *array, int rank) {
  ddr_ndview view = {.type = array->type, .data = array->data, .residency = DDR_HOST};
  view.layout.rank = rank;
  for (int k = 0; k < rank; k++) {
    view.layout.len[k] = array->len[k];
    view.layout.stride[k] = array->stride[k];
    if (array->len[k] > 1 && array->stride[k] < 0) {
      view.layout.offset -= array->stride[k] * (array->len[k] - 1);
    }
  }
  return view;
}

static void random_axis(uint64_t *state, Trial *trial, int k) {
  const Pieces *all[] = {&tent, &ctmr, &bspln3, &bspln5};
  ddr_sample_axis *axis = &trial->grid.axes[k];
  const int64_t len = trial->samples.len[k + 1];
  trial->pieces[k] = all[random_between(state, 0, 3)];
  axis->kernel = kernel_of(trial->pieces[k], trial->coeff[k]);
  axis->n = random_between(state, 1, 7);
  axis->step_den = random_between(state, 0, 1) ? 1 : random_between(state, 2, 4);
  axis->step_num = random_between(state, -3, 3);
  if (axis->step_num == 0) axis->step_num = 1;
  const double reach = (double)((axis->n - 1) * axis->step_num) / (double)axis->step_den;
  if (trial->grid.border.extension == DDR_EXTEND_NONE) {
    const double s = trial->pieces[k]->support; /* keeps all taps inside */
    axis->n = fabs(reach) > (double)len - 2 * s ? 1 : axis->n;
    axis->start = s - 1 + (axis->n > 1 && reach < 0 ? -reach : 0) + random_real(state) / 8 + .125;
  } else {
    axis->start = (double)random_between(state, -6, len + 6) + random_real(state);
    if (random_between(state, 0, 2) == 0) axis->start = floor(axis->start);
  }
}

static Trial *random_trial(uint64_t *state) {
  Trial *trial = calloc(1, sizeof *trial);
  const bool has_border = random_between(state, 0, 3) > 0;
  trial->grid.n_axes = (int)random_between(state, 1, 3);
  trial->grid.n_threads = (int)random_between(state, 0, 2);
  if (has_border) {
    trial->grid.border.extension = (ddr_extension)random_between(state, 1, 4);
    trial->grid.border.value = (double)random_between(state, -3, 3); /* representable in any type */
  }
  trial->n_components = (int)random_between(state, 1, 3);
  trial->samples.len[0] = trial->n_components;
  for (int k = 0; k < trial->grid.n_axes; k++) {
    trial->samples.len[k + 1] = random_between(state, has_border ? 1 : 7, 12);
    random_axis(state, trial, k);
  }
  const ddr_element types[] = {DDR_ELEMENT_FLOAT, DDR_ELEMENT_DOUBLE, DDR_ELEMENT_INT8};
  random_array(state, trial->grid.n_axes + 1, types[random_between(state, 0, 2)], &trial->samples);
  trial->image = view_of(&trial->samples, trial->grid.n_axes + 1);
  trial->grid.image = &trial->image;
  return trial;
}

static void check_result(const Trial *trial, const int *derivative, const Array *found,
                         const unsigned char *before, uint64_t seed) {
  const int rank = trial->grid.n_axes + 1;
  const size_t size = ddr_element_size(found->type);
  const double largest = trial->samples.type == DDR_ELEMENT_INT8 ? 128 : 1;
  const double tolerance = (found->type == DDR_ELEMENT_FLOAT ? 3e-6 : 1e-13) * largest *
                           pow(6, derivative[0] + derivative[1] + derivative[2]);
  unsigned char *touched = calloc((size_t)(found->length + SLACK), 1);
  int64_t k[MODEL_MOST_RANK] = {0};
  bool is_good = true;
  for (;;) {
    double position[3];
    int64_t idx[3];
    for (int a = 0; a < rank - 1; a++) {
      const ddr_sample_axis *axis = &trial->grid.axes[a];
      position[a] = axis->start + (double)(k[a + 1] * axis->step_num) / (double)axis->step_den;
    }
    const double want = sum_taps(trial, derivative, position, (int)k[0], 0, idx);
    const int64_t at = distance(found, rank, k);
    touched[at] = 1;
    is_good = is_good && fabs(read_exact(found, at, false).re - want) <= tolerance;
    int a = rank - 1;
    while (a >= 0 && k[a] == found->len[a] - 1) k[a--] = 0;
    if (a < 0) break;
    k[a]++;
  }
  for (int64_t at = 0; at < found->length + SLACK; at++) {
    const size_t byte = (size_t)at * size;
    is_good = is_good && (touched[at] || memcmp(found->data + byte, before + byte, size) == 0);
  }
  if (!CHECK(is_good)) fprintf(stderr, "  seed %llu\n", (unsigned long long)seed);
  free(touched);
}

enum { MOST_RESULTS = 5 };

static void check_trial(uint64_t seed) {
  uint64_t state = seed;
  Trial *trial = random_trial(&state);
  const int rank = trial->grid.n_axes + 1, n = (int)random_between(&state, 1, MOST_RESULTS);
  const ddr_element type = random_between(&state, 0, 1) ? DDR_ELEMENT_FLOAT : DDR_ELEMENT_DOUBLE;
  Array found[MOST_RESULTS];
  unsigned char *before[MOST_RESULTS];
  ddr_ndview views[MOST_RESULTS];
  ddr_sample_result results[MOST_RESULTS];
  for (int which = 0; which < n; which++) {
    found[which] = (Array){.len = {trial->n_components}};
    results[which] = (ddr_sample_result){{0}, &views[which]};
    for (int k = 0; k + 1 < rank; k++) {
      /* at breakpoints the highest derivatives have two values */
      const int most = trial->pieces[k] == &tent ? 0 : trial->pieces[k] == &ctmr ? 1 : 2;
      found[which].len[k + 1] = trial->grid.axes[k].n;
      results[which].derivative[k] = (int)random_between(&state, 0, most);
    }
    random_array(&state, rank, type, &found[which]);
    views[which] = view_of(&found[which], rank);
    const size_t n_bytes = (size_t)(found[which].length + SLACK) * ddr_element_size(type);
    before[which] = malloc(n_bytes);
    memcpy(before[which], found[which].data, n_bytes);
  }
  CHECK_EQ(ddr_field_sample_grid(&trial->grid, n, results), DDR_ARRAY_OK);
  for (int which = 0; which < n; which++) {
    check_result(trial, results[which].derivative, &found[which], before[which], seed);
    free(before[which]);
    free(found[which].data);
  }
  free(trial->samples.data);
  free(trial);
}

static void samples_random_grids(void) {
  for (uint64_t seed = 1; seed <= 400; seed++) check_trial(seed * 49999);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refuses_what_does_not_fit(void) {
  double coeff[MOST_COEFF];
  float data[8] = {0}, found[8] = {0};
  ddr_ndview image = {DDR_ELEMENT_FLOAT, data, {1, 0, {8}, {1}}, DDR_HOST, NULL};
  ddr_ndview view = {DDR_ELEMENT_FLOAT, found, {1, 0, {5}, {1}}, DDR_HOST, NULL};
  const ddr_sample_grid good = {
      .image = &image, .n_axes = 1, .axes = {{kernel_of(&bspln3, coeff), 1.5, 1, 1, 5}}};
  ddr_sample_result result = {{0}, &view};
  ddr_sample_grid grid = good;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_OK);
  grid.axes[0].start = 2.5; /* the last tap is sample 8 */
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANGE);
  grid.border.extension = DDR_EXTEND_CLAMP;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_OK);
  grid.axes[0].start = NAN;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANGE);
  grid = good;
  grid.axes[0].step_num = 0;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANGE);
  grid = good;
  grid.axes[0].step_den = 0;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANGE);
  grid = good;
  grid.axes[0].n = 4;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ESHAPE);
  grid = good;
  grid.n_axes = 2;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANK);
  grid = good;
  result.derivative[0] = -1;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ERANGE);
  result.derivative[0] = 0;
  view.type = DDR_ELEMENT_INT32;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_ETYPE);
  view.type = DDR_ELEMENT_FLOAT;
  view.data = data + 3;
  CHECK_EQ(ddr_field_sample_grid(&grid, 1, &result), DDR_ARRAY_EALIAS);
  const ddr_sample_result twice[] = {{{0}, &view}, {{1}, &view}};
  view.data = found;
  CHECK_EQ(ddr_field_sample_grid(&grid, 2, twice), DDR_ARRAY_EALIAS);
}

int main(void) {
  RUN(samples_as_tabled);
  RUN(samples_random_grids);
  RUN(refuses_what_does_not_fit);
  return test_result();
}
