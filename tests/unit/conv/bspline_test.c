/* Prefilters: the tables, both methods, and that B-splines interpolate the samples. */
#include "runtime/conv/filters/bspline.h"
#include "tests/unit/conv/model.h"
#include "tests/unit/conv/outside.h"
#include "tests/unit/conv/table.h"

/* --- tables ----------------------------------------------------------------------------------- */

static int read_reals(const char *text, double *reals) {
  int n = 0;
  for (char *end; n < MOST_NUMBERS; text = end) {
    reals[n] = strtod(text, &end);
    if (end == text) break;
    n++;
  }
  return n;
}

static void check_coefficients(const Vector *row, int degree) {
  double data[MOST_NUMBERS], want[MOST_NUMBERS], found[MOST_NUMBERS];
  float floats[MOST_NUMBERS];
  const int n = read_reals(row->field[3], data);
  const double tolerance = strtod(row->field[2], NULL);
  CHECK_EQ(read_reals(strstr(row->field[3], "->") + 2, want), n);
  const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, n);
  const ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, n);
  const ddr_ndview float_result = row_of(DDR_ELEMENT_FLOAT, floats, n);
  for (int method = 0; method <= 1; method++) {
    const ddr_prefilter prefilter = {.n_axes = 1,
                                     .degree = degree,
                                     .border = {DDR_EXTEND_MIRROR, 0},
                                     .method = (ddr_prefilter_method)method};
    CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_OK);
    CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &float_result), DDR_ARRAY_OK);
    for (int k = 0; k < n; k++) {
      CHECK_NEAR(found[k], want[k], tolerance + 4e-14 * degree);
      CHECK_NEAR(floats[k], want[k], 1e-5);
    }
  }
}

static void filters_as_tabled(void) {
  FILE *file = vectors_open("tests/unit/conv/prefilters.txt");
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    double want[MOST_NUMBERS], poles[DDR_BSPLINE_MOST_POLES], factors[DDR_BSPLINE_MOST_POLES];
    double taps[DDR_BSPLINE_MOST_TAPS];
    const int degree = atoi(row.field[1]), n_poles = ddr_bspline_poles(degree, poles, factors);
    const bool is_factors = strcmp(row.field[0], "factors") == 0;
    if (is_factors || strcmp(row.field[0], "poles") == 0) {
      if (!CHECK_EQ(read_reals(row.field[2], want), n_poles)) continue;
      for (int k = 0; k < n_poles; k++) {
        CHECK_NEAR(is_factors ? factors[k] : poles[k], want[k], 1e-14 * fabs(want[k]));
      }
    } else if (strcmp(row.field[0], "taps") == 0) {
      CHECK_EQ(ddr_bspline_taps(degree, 0x1p-24, taps), atoi(row.field[2]));
      CHECK_EQ(ddr_bspline_taps(degree, 0x1p-53, taps), atoi(row.field[3]));
    } else {
      check_coefficients(&row, degree);
    }
  }
  CHECK_EQ(n, 12);
  vectors_close(file);
}

/* --- interpolation ---------------------------------------------------------------------------- */

static const double samples_of[3][4] = {{4. / 6, 1. / 6},
                                        {66. / 120, 26. / 120, 1. / 120},
                                        {2416. / 5040, 1191. / 5040, 120. / 5040, 1. / 5040}};

enum { MOST_LEN = 70 };

/* With the border rule of the field, along one axis of any length. */
static void goes_through_the_samples(void) {
  uint64_t state = 11;
  double data[MOST_LEN], found[MOST_LEN];
  for (int trial = 0; trial < (int)test_rounds(2000); trial++) {
    const int64_t n = random_between(&state, 1, random_between(&state, 0, 1) ? 7 : MOST_LEN);
    const int m = (int)random_between(&state, 1, 3);
    const ddr_prefilter prefilter = {
        .n_axes = 1,
        .degree = 2 * m + 1,
        .border = {(ddr_extension)random_between(&state, 0, 4), random_real(&state)},
        .method = (ddr_prefilter_method)random_between(&state, 0, 1),
        .ends = DDR_ENDS_OF_COEFFICIENTS};
    const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, n);
    const ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, n);
    for (int64_t k = 0; k < n; k++) data[k] = random_real(&state);
    CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_OK);
    bool is_good = true;
    for (int64_t k = 0; k < n; k++) {
      double sum = 0;
      for (int j = -m; j <= m; j++) {
        sum += samples_of[m - 1][abs(j)] * outside_at(found, n, prefilter.border, k + j);
      }
      is_good = is_good && fabs(sum - data[k]) <= 1e-12;
    }
    if (!CHECK(is_good)) {
      fprintf(stderr, "  degree %d, border %d, method %d, n %d\n", prefilter.degree,
              prefilter.border.extension, prefilter.method, (int)n);
    }
  }
}

/* Against the definition with extended values, by both methods, on images with components. */
static void extends_values(void) {
  uint64_t state = 12;
  for (int trial = 0; trial < (int)test_rounds(400); trial++) {
    Array from = {.len = {0}}, to[2] = {{.len = {0}}, {.len = {0}}};
    const int n_axes = (int)random_between(&state, 1, 3), rank = n_axes + 1;
    for (int k = 0; k < rank; k++) {
      from.len[k] = to[0].len[k] = to[1].len[k] = random_between(&state, 1, 9);
    }
    const bool is_float = random_between(&state, 0, 1);
    const ddr_element type = is_float ? DDR_ELEMENT_FLOAT : DDR_ELEMENT_DOUBLE;
    ddr_prefilter prefilter = {.n_axes = n_axes,
                               .degree = 2 * (int)random_between(&state, 1, 3) + 1,
                               .border = {(ddr_extension)random_between(&state, 0, 4), 2},
                               .n_threads = (int)random_between(&state, 0, 3)};
    ddr_ndview views[3];
    random_array(&state, rank, random_between(&state, 0, 3) ? type : DDR_ELEMENT_INT8, &from);
    for (int which = 0; which < 3; which++) {
      Array *array = which ? &to[which - 1] : &from;
      if (which) random_array(&state, rank, type, array);
      views[which] = (ddr_ndview){.type = array->type, .data = array->data};
      views[which].layout.rank = rank;
      for (int k = 0; k < rank; k++) {
        const int64_t stride = array->len[k] > 1 ? array->stride[k] : 0;
        views[which].layout.len[k] = array->len[k];
        views[which].layout.stride[k] = stride;
        if (stride < 0) views[which].layout.offset -= stride * (array->len[k] - 1);
      }
    }
    for (int method = 0; method <= 1; method++) {
      prefilter.method = (ddr_prefilter_method)method;
      CHECK_EQ(ddr_bspline_prefilter(&views[0], &prefilter, &views[1 + method]), DDR_ARRAY_OK);
    }
    int64_t k[MODEL_MOST_RANK] = {0};
    double largest = 0, difference = 0;
    for (int a = 0; a >= 0;) {
      const double x = read_exact(&to[0], distance(&to[0], rank, k), false).re;
      const double y = read_exact(&to[1], distance(&to[1], rank, k), false).re;
      largest = fmax(largest, fabs(x));
      difference = fmax(difference, fabs(x - y));
      for (a = rank - 1; a >= 0 && k[a] == from.len[a] - 1;) k[a--] = 0;
      if (a >= 0) k[a]++;
    }
    CHECK(difference <= largest * (is_float ? 2e-5 : 1e-13));
    free(from.data);
    free(to[0].data);
    free(to[1].data);
  }
}

static void copies_what_needs_no_filter(void) {
  double data[] = {1, -2, 3}, found[3];
  const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, 3);
  const ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, 3);
  for (int degree = 0; degree <= 1; degree++) {
    const ddr_prefilter prefilter = {.n_axes = 1, .degree = degree};
    CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_OK);
    for (int k = 0; k < 3; k++) CHECK_EQ(found[k], data[k]);
  }
}

static void refuses_what_does_not_fit(void) {
  double data[4] = {0}, found[4] = {7, 7, 7, 7};
  const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, 4);
  ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, 4);
  ddr_prefilter prefilter = {.n_axes = 1, .degree = 4};
  CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_ERANGE);
  prefilter.degree = 3;
  prefilter.n_axes = 2;
  CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_ERANGE);
  prefilter.n_axes = 1;
  result.layout.len[0] = 3;
  CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_ESHAPE);
  result.type = DDR_ELEMENT_INT64;
  CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &result), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_bspline_prefilter(&image, &prefilter, &image), DDR_ARRAY_EALIAS);
  for (int k = 0; k < 4; k++) CHECK_EQ(found[k], 7);
}

int main(void) {
  RUN(filters_as_tabled);
  RUN(goes_through_the_samples);
  RUN(extends_values);
  RUN(copies_what_needs_no_filter);
  RUN(refuses_what_does_not_fit);
  return test_result();
}
