/* Decimation: the table, slopes, orientation, all borders against the definition. */
#include "runtime/conv/filters/decimate.h"
#include "tests/unit/conv/model.h"
#include "tests/unit/conv/outside.h"
#include "tests/unit/conv/table.h"

static void decimates_as_tabled(void) {
  FILE *file = vectors_open("tests/unit/conv/decimations.txt");
  const double weights[] = {1, 2, 1};
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    int64_t data[MOST_NUMBERS], want[MOST_NUMBERS];
    float found[MOST_NUMBERS];
    const int n_data = read_numbers(row.field[1], 0, data);
    const int n_found = read_numbers(row.field[2], 0, want);
    ddr_decimation decimation = {.n_axes = 1, .axes = {{2, 0, 3, weights}}};
    if (strcmp(row.field[0], "clamp") == 0) decimation.border.extension = DDR_EXTEND_CLAMP;
    const ddr_ndview image = row_of(DDR_ELEMENT_INT64, data, n_data);
    const ddr_ndview result = row_of(DDR_ELEMENT_FLOAT, found, n_found);
    CHECK_EQ(ddr_decimated_size(n_data, &decimation.axes[0]), n_found);
    CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_OK);
    for (int k = 0; k < n_found; k++) CHECK_EQ(found[k], want[k]);
  }
  CHECK_EQ(n, 2);
  vectors_close(file);
}

/* A slope in world space stays the same after decimation, if no tap was outside. */
static void keeps_slopes_in_the_world(void) {
  enum { NX = 23, NY = 19 };
  double data[NY][NX], found[NY * NX];
  double direction[2][2] = {{.3, -.8}, {1.1, .2}}, origin[2] = {4, -2}; /* of y, of x */
  for (int y = 0; y < NY; y++) {
    for (int x = 0; x < NX; x++) {
      const double at[] = {origin[0] + y * direction[0][0] + x * direction[1][0],
                           origin[1] + y * direction[0][1] + x * direction[1][1]};
      data[y][x] = 7 - 2 * at[0] + 3 * at[1];
    }
  }
  const ddr_ndview image = {DDR_ELEMENT_DOUBLE, data, {2, 0, {NY, NX}, {NX, 1}}, DDR_HOST, NULL};
  const ddr_decimation decimation = {
      .n_axes = 2, .axes = {{3, 2, 0, NULL}, {4, 1, 0, NULL}}, .border = {DDR_EXTEND_CLAMP, 0}};
  const int64_t ny = ddr_decimated_size(NY, &decimation.axes[0]);
  const int64_t nx = ddr_decimated_size(NX, &decimation.axes[1]);
  const ddr_ndview result = {DDR_ELEMENT_DOUBLE, found, {2, 0, {ny, nx}, {nx, 1}}, DDR_HOST, NULL};
  CHECK_EQ(ny, 6);
  CHECK_EQ(nx, 6);
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_OK);
  for (int axis = 0; axis < 2; axis++) {
    ddr_decimate_orientation(&decimation.axes[axis], 2, direction[axis], origin);
  }
  for (int64_t y = 0; y < ny; y++) {
    for (int64_t x = 0; x < nx; x++) {
      const bool is_inside = x >= 1 && 1 + 4 * x + 3 < NX && 2 + 3 * y + 2 < NY;
      const double at[] = {origin[0] + (double)y * direction[0][0] + (double)x * direction[1][0],
                           origin[1] + (double)y * direction[0][1] + (double)x * direction[1][1]};
      if (is_inside) CHECK_NEAR(found[y * nx + x], 7 - 2 * at[0] + 3 * at[1], 1e-12);
    }
  }
}

/* The tent by its formula, with any factor, start and border. */
static void is_the_weighted_mean(void) {
  enum { MOST = 40 };
  uint64_t state = 5;
  double data[MOST], found[MOST];
  for (int trial = 0; trial < 1000; trial++) {
    const int64_t n = random_between(&state, 1, MOST);
    const ddr_decimation decimation = {
        .n_axes = 1,
        .axes = {{random_between(&state, 1, 9), random_between(&state, 0, n - 1), 0, NULL}},
        .border = {(ddr_extension)random_between(&state, 0, 4), random_real(&state)}};
    const ddr_decimation_axis *axis = &decimation.axes[0];
    const int64_t size = ddr_decimated_size(n, axis);
    const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, n);
    const ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, size);
    for (int64_t k = 0; k < n; k++) data[k] = random_real(&state);
    CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_OK);
    bool is_good = axis->start + (size - 1) * axis->factor < n;
    is_good = is_good && axis->start + size * axis->factor >= n;
    for (int64_t k = 0; k < size; k++) {
      double sum = 0;
      for (int64_t t = 1 - axis->factor; t < axis->factor; t++) {
        sum += (double)(axis->factor - llabs(t)) *
               outside_at(data, n, decimation.border, axis->start + k * axis->factor + t);
      }
      sum /= (double)(axis->factor * axis->factor);
      is_good = is_good && fabs(found[k] - sum) <= 1e-14;
    }
    CHECK(is_good);
  }
}

/* If any index is outside, the value is the constant, also along axes that are filtered first; the
 * weights do not add up to 1. */
static void has_one_constant_outside(void) {
  enum { SIDE = 5, TAPS = 3 };
  static const double along[2][TAPS] = {{1, 2, -5}, {3, 0.5, 4}};
  double data[SIDE][SIDE], found[SIDE * SIDE] = {0};
  for (int k = 0; k < SIDE * SIDE; k++) data[k / SIDE][k % SIDE] = k * k % 17;
  const ddr_ndview image = {
      DDR_ELEMENT_DOUBLE, data, {2, 0, {SIDE, SIDE}, {SIDE, 1}}, DDR_HOST, NULL};
  for (int64_t factor = 1; factor <= 2; factor++) {
    const ddr_decimation decimation = {
        .n_axes = 2,
        .axes = {{factor, 0, TAPS, along[0]}, {3 - factor, 0, TAPS, along[1]}},
        .border = {DDR_EXTEND_CONSTANT, 7}};
    const int64_t n[] = {ddr_decimated_size(SIDE, &decimation.axes[0]),
                         ddr_decimated_size(SIDE, &decimation.axes[1])};
    const ddr_ndview result = {
        DDR_ELEMENT_DOUBLE, found, {2, 0, {n[0], n[1]}, {n[1], 1}}, DDR_HOST, NULL};
    CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_OK);
    for (int64_t k = 0; k < n[0] * n[1]; k++) {
      double sum = 0;
      for (int t = 0; t < TAPS * TAPS; t++) {
        const int64_t y = k / n[1] * factor + t / TAPS - 1;
        const int64_t x = k % n[1] * (3 - factor) + t % TAPS - 1;
        const bool is_inside = y >= 0 && y < SIDE && x >= 0 && x < SIDE;
        sum += along[0][t / TAPS] * along[1][t % TAPS] * (is_inside ? data[y][x] : 7);
      }
      CHECK_NEAR(found[k], sum, 1e-12);
    }
  }
}

static void refuses_what_does_not_fit(void) {
  double data[8] = {0}, found[8] = {7, 7, 7, 7, 7, 7, 7, 7};
  const double weights[] = {1, 1};
  const ddr_ndview image = row_of(DDR_ELEMENT_DOUBLE, data, 8);
  ddr_ndview result = row_of(DDR_ELEMENT_DOUBLE, found, 5);
  ddr_decimation decimation = {.n_axes = 1, .axes = {{2, 0, 0, NULL}}};
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_ESHAPE);
  result.layout.len[0] = 4;
  decimation.axes[0].factor = 0;
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_EDECIMATION);
  decimation.axes[0] = (ddr_decimation_axis){2, 8, 0, NULL};
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_ERANGE);
  decimation.axes[0] = (ddr_decimation_axis){2, 0, 2, weights};
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_ERANGE);
  decimation.n_axes = 2;
  CHECK_EQ(ddr_image_decimate(&image, &decimation, &result), DDR_ARRAY_ERANGE);
  for (int k = 0; k < 8; k++) CHECK_EQ(found[k], 7);
}

int main(void) {
  RUN(decimates_as_tabled);
  RUN(keeps_slopes_in_the_world);
  RUN(is_the_weighted_mean);
  RUN(has_one_constant_outside);
  RUN(refuses_what_does_not_fit);
  return test_result();
}
