/* Places of samples on devices: which images they can be computed for, and the rows found there. */
#include <math.h>

#include "ddr/device/samples.h"
#include "tests/unit/test.h"

enum { PAIR = sizeof(ddr_pair) };

static ddr_image image_of(int dim, int64_t stride_y, int64_t stride_z) {
  return (ddr_image){.dim = dim, .size = {9, 8, 7}, .stride = {1, stride_y, stride_z}};
}

static void fit(void) {
  const int64_t most = INT32_MAX / PAIR;
  const ddr_image largest = image_of(3, 9, most), reversed = image_of(3, -9, -most);
  const ddr_image deep = image_of(3, 9, most + 1), wide = image_of(2, most + 1, 0);
  const ddr_image upwards = image_of(3, 9, -most - 1), flat = image_of(2, 9, most + 1);
  ddr_image is_long = image_of(1, 0, 0);
  CHECK(ddr_places_fit(&largest, PAIR) && ddr_places_fit(&reversed, PAIR));
  CHECK(ddr_places_fit(&flat, PAIR)); /* there is no third axis */
  CHECK(!ddr_places_fit(&deep, PAIR) && !ddr_places_fit(&wide, PAIR));
  CHECK(!ddr_places_fit(&upwards, PAIR) && !ddr_places_fit(&largest, 2 * PAIR));
  is_long.size[DDR_X] = (int64_t)INT32_MAX + 1;
  CHECK(!ddr_places_fit(&is_long, PAIR));
  /* Floats count the samples of an axis only up to 2^24. */
  ddr_image is_wide = image_of(2, 1 << 25, 0);
  is_wide.size[DDR_X] = 1 << 24;
  CHECK(ddr_places_fit(&is_wide, PAIR));
  is_wide.size[DDR_X]++;
  CHECK(!ddr_places_fit(&is_wide, PAIR));
  is_wide.dim = 1;
  CHECK(!ddr_places_fit(&is_wide, PAIR));
}

/* Rows are loaded from the cell of a position: for NaN, which devices take for 0, they would begin
 * before the image. */
static void nowhere(void) {
  CHECK(!ddr_support_within((ddr_real)NAN, 100, 2) && !ddr_support_within((ddr_real)NAN, 100, 3));
  for (int half_support = 1; half_support <= 3; half_support++)
    for (int cell = -4; cell < 12; cell++) {
      const bool is_within = cell >= half_support - 1 && cell + half_support < 9;
      CHECK_EQ(ddr_support_within((ddr_real)cell, 9, half_support), is_within);
      CHECK(!is_within ||
            ddr_corner_within((ddr_real)cell, 9, half_support) == cell + 1 - half_support);
    }
}

/* Every row under a kernel, for axes of either direction and voxels of one and of two samples. */
static void check_rows(int64_t n, int64_t stride_y, int64_t stride_z) {
  ddr_pair pairs[1];
  ddr_image image = image_of(3, stride_y, stride_z);
  image.samples = pairs;
  const uintptr_t first = (uintptr_t)pairs;
  const ddr_rows rows = ddr_rows_at(&image, (int)n, 3, 2);
  const ddr_stacks stacks = ddr_stacks_at(&image, (int)n, 3, 2, 1);
  for (int y = 0; y < DDR_MAX_TAPS; y++) {
    const int64_t row = 3 * n + (2 + y) * stride_y;
    CHECK_EQ((int64_t)((uintptr_t)rows.y[y] - first), row * PAIR);
    for (int z = 0; z < DDR_MAX_TAPS; z++)
      CHECK_EQ((int64_t)((uintptr_t)stacks.y[y].z[z] - first), (row + (1 + z) * stride_z) * PAIR);
  }
}

static void rows(void) {
  check_rows(1, 9, 72);
  check_rows(2, 18, -144);
  check_rows(1, -9, 72);
}

int main(void) {
  RUN(fit);
  RUN(nowhere);
  RUN(rows);
  return test_result();
}
