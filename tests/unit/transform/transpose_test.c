/* Copies between arrays whose adjacent elements lie along different axes: large ones are copied by
 * rectangles. Each element is in its place, and nothing between the elements of the output is
 * written. */
#include <stdlib.h>

#include "runtime/transform/transform.h"
#include "tests/unit/random_view.h"

enum { MOST_BYTES = 1 << 21 };

static const ddr_element types[] = {DDR_ELEMENT_UINT8, DDR_ELEMENT_INT16, DDR_ELEMENT_FLOAT,
                                    DDR_ELEMENT_DOUBLE, DDR_ELEMENT_CDOUBLE};

/* The number of bytes up to the last element. */
static size_t n_bytes_of(const ddr_ndview *view) {
  int64_t least, greatest;
  CHECK(ddr_layout_span(&view->layout, &least, &greatest) && least >= 0);
  return (size_t)(greatest + 1) * ddr_element_size(view->type);
}

static void copy(ddr_element type, int rank, const int64_t *len, int n_threads) {
  ddr_ndview from = random_view(type, rank, len), to = random_view(type, rank, len);
  const size_t size = ddr_element_size(type), n_bytes = n_bytes_of(&to);
  unsigned char *want = malloc(n_bytes);
  if (!want) exit(1);
  if (chance_below(8) == 0) from.layout.stride[chance_below(rank)] = 0;
  memcpy(want, to.data, n_bytes);
  for (int64_t p = 0; p < ddr_ndview_size(&to); p++)
    memcpy(want + ((char *)element_at(&to, p) - (char *)to.data), element_at(&from, p), size);
  CHECK_EQ(ddr_transform_assign(&from, &to, n_threads), DDR_ARRAY_OK);
  CHECK(memcmp(to.data, want, n_bytes) == 0);
  free(want);
  ddr_ndview_release(&from);
  ddr_ndview_release(&to);
}

static void of_any_shape(void) {
  for (int round = 0; round < (int)test_rounds(100); round++) {
    const ddr_element type = types[round % 5];
    const int rank = 2 + (int)chance_below(3);
    int64_t len[4], size = (int64_t)ddr_element_size(type);
    for (int k = 0; k < rank; k++) {
      len[k] = 1 + chance_below(rank == 2 ? 400 : rank == 3 ? 50 : 16);
      size *= len[k];
    }
    if (size <= MOST_BYTES) copy(type, rank, len, 1 + (int)chance_below(3));
  }
}

/* Sides that are multiples of a rectangle's, and one more or less. */
static void of_whole_rectangles(void) {
  for (int k = 0; k < 5; k++) {
    const int64_t some = 1024 / (int64_t)ddr_element_size(types[k]);
    for (int more = -1; more <= 1; more++) {
      copy(types[k], 2, (const int64_t[]){256 + more, some + more}, 1);
      copy(types[k], 2, (const int64_t[]){some + more, 256 - more}, 2);
    }
  }
}

/* An axis with a single index may have any stride. */
static void of_any_strides(void) {
  static double from[64][64], to[64][64];
  ddr_ndview x, out;
  ddr_layout of_x = {4, 0, {1, 64, 64, 1}, {INT64_MIN, 1, 64, INT64_MAX}};
  ddr_layout of_out = {4, 0, {1, 64, 64, 1}, {INT64_MAX, 64, 1, INT64_MIN}};
  for (int k = 0; k < 64 * 64; k++) from[k / 64][k % 64] = k;
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_DOUBLE, from, &of_x, DDR_HOST, NULL, &x), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_DOUBLE, to, &of_out, DDR_HOST, NULL, &out), DDR_ARRAY_OK);
  CHECK_EQ(ddr_transform_assign(&x, &out, 1), DDR_ARRAY_OK);
  for (int k = 0; k < 64 * 64; k++) CHECK_EQ(to[k % 64][k / 64], k);
}

int main(void) {
  RUN(of_any_strides);
  RUN(of_any_shape);
  RUN(of_whole_rectangles);
  return test_result();
}
