/* Test: functions of ddr/array.h that only the library has: pitched arrays, reductions along
 * several axes; and the example of the header.  The others are tested where they are
 * implemented. */
#include "ddr/array.h"
#include "tests/unit/test.h"

static void does_as_the_header_says(void) {
  const int64_t len[] = {3, 4};
  ddr_ndview x, flipped;
  ddr_number sum;
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, len, DDR_HOST, &x), DDR_ARRAY_OK);
  CHECK_EQ(ddr_transform_fill(ddr_number_real(0.5), &x, 1), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_flip(&x, 1, &flipped), DDR_ARRAY_OK);
  ddr_ndview_release(&x);
  CHECK_EQ(ddr_reduce_sum(&flipped, NULL, &sum), DDR_ARRAY_OK);
  CHECK(sum.re == 6 && sum.type == DDR_ELEMENT_FLOAT);
  ddr_ndview_release(&flipped);
}

/* --- pitches ---------------------------------------------------------------------------------- */

static void makes_pitched_arrays(void) {
  const int64_t len[] = {2, 5, 3}, align[] = {256, 64, 32};
  size_t pitch[3];
  ddr_ndview view;
  CHECK_EQ(ddr_pitch_compute(3, len, 3, align, 4, pitch), DDR_ARRAY_OK);
  CHECK(pitch[2] == 32 && pitch[1] == 192 && pitch[0] == 512);
  CHECK_EQ(ddr_ndview_new_pitched(DDR_ELEMENT_FLOAT, 3, len, pitch, &view), DDR_ARRAY_OK);
  CHECK(view.layout.stride[0] == 48 && view.layout.stride[1] == 8 && view.layout.stride[2] == 1);
  CHECK_EQ(ddr_transform_fill(ddr_number_real(1), &view, 1), DDR_ARRAY_OK);
  const float *data = view.data; /* padding stays 0 */
  float sum = 0;
  for (size_t k = 0; k < pitch[0] / sizeof *data; k++) sum += data[k];
  CHECK(sum == 30);
  ddr_ndview_release(&view);
}

/* --- several axes ----------------------------------------------------------------------------- */

enum { RANK = 4 };
static const int64_t extents[RANK] = {3, 4, 2, 5};

/* Sums of ints over a set of axes, reduced one after another: exact, whatever the order. */
static void check_sums(const ddr_ndview *view, unsigned set, const ddr_ndview *mask) {
  int axes[RANK], n_axes = 0;
  ddr_ndview sums;
  for (int k = RANK - 1; k >= 0; k--)
    if (set >> k & 1u) axes[n_axes++] = k;
  const ddr_reduce_options options = {.mask = mask, .n_threads = 2};
  if (!CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_SUM, &view, n_axes, axes, &options, &sums),
                DDR_ARRAY_OK))
    return;
  CHECK_EQ(sums.layout.rank, RANK - n_axes);
  int64_t *want = calloc(120, sizeof *want), idx[RANK];
  for (int64_t p = 0; p < 120; p++) {
    int64_t rest = p, at = 0;
    void *element, *is_chosen = NULL;
    for (int k = RANK - 1; k >= 0; k--) idx[k] = rest % extents[k], rest /= extents[k];
    for (int k = 0; k < RANK; k++)
      if (!(set >> k & 1u)) at = at * extents[k] + idx[k];
    CHECK_EQ(ddr_ndview_at(view, RANK, idx, &element), DDR_ARRAY_OK);
    if (mask) ddr_ndview_at(mask, RANK, idx, &is_chosen);
    if (!is_chosen || *(bool *)is_chosen) want[at] += *(int32_t *)element;
  }
  const int64_t *found = sums.data;
  for (int64_t k = 0; k < ddr_ndview_size(&sums); k++) CHECK_EQ(found[k], want[k]);
  free(want);
  ddr_ndview_release(&sums);
}

static void sums_along_any_axes(void) {
  static int32_t numbers[120];
  static bool chosen[120];
  ddr_layout layout;
  ddr_ndview plain, permuted, flipped, mask;
  const int back[] = {1, 3, 0, 2};
  const int64_t turned[] = {2, 3, 5, 4};
  for (int k = 0; k < 120; k++) numbers[k] = (k * 37) % 101 - 50, chosen[k] = k % 3 != 0;
  CHECK_EQ(ddr_layout_packed(RANK, extents, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT32, numbers, &layout, DDR_HOST, NULL, &plain),
           DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_BOOL, chosen, &layout, DDR_HOST, NULL, &mask), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_packed(RANK, turned, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_permute(&layout, back, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT32, numbers, &layout, DDR_HOST, NULL, &permuted),
           DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_flip(&plain, 1, &flipped), DDR_ARRAY_OK);
  CHECK(ddr_layout_same_shape(&permuted.layout, &plain.layout));
  for (unsigned set = 0; set < 1u << RANK; set++) {
    check_sums(&plain, set, NULL);
    check_sums(&permuted, set, NULL);
    check_sums(&flipped, set, &mask);
  }
}

/* Elements of a line are numbered in the order of the axes: of equal elements the first is
 * chosen. */
static void takes_axes_in_the_order_given(void) {
  static const ddr_complex_float same[4] = {{3, 4}, {5, 0}, {0, 5}, {-5, 0}};
  ddr_ndview view = {.type = DDR_ELEMENT_CFLOAT, .layout = {2, 0, {2, 2}, {2, 1}}}, first;
  view.data = malloc(sizeof same);
  memcpy(view.data, same, sizeof same);
  const ddr_ndview *arrays[] = {&view};
  const int rows[] = {0, 1}, columns[] = {1, 0};
  CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_MAX_ELEMENT, arrays, 2, rows, NULL, &first), DDR_ARRAY_OK);
  CHECK(first.layout.rank == 0 && ((ddr_complex_float *)first.data)->im == 4);
  ddr_ndview_release(&first);
  ((ddr_complex_float *)view.data)[0].im = 0; /* now its modulus is 3 */
  CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_MAX_ELEMENT, arrays, 2, columns, NULL, &first), DDR_ARRAY_OK);
  CHECK(((ddr_complex_float *)first.data)->im == 5); /* by columns */
  ddr_ndview_release(&first);
  CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_MAX_ELEMENT, arrays, 2, rows, NULL, &first), DDR_ARRAY_OK);
  CHECK(((ddr_complex_float *)first.data)->re == 5);
  ddr_ndview_release(&first);
  free(view.data);
}

int main(void) {
  RUN(does_as_the_header_says);
  RUN(makes_pitched_arrays);
  RUN(sums_along_any_axes);
  RUN(takes_axes_in_the_order_given);
  return test_result();
}
