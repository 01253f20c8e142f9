/* Every allocation fails in turn: each time there is an error, nothing is written, nothing
 * leaks. */
#include "tests/unit/failing.h"
#include "runtime/conv/conv.h"
#include "runtime/conv/filters/bspline.h"
#include "runtime/conv/filters/decimate.h"
#include "runtime/conv/filters/sample_grid.h"
#include "tests/unit/conv/kernels.h"

enum { LEN = 12, UNTOUCHED = -99 };

static short shorts[LEN][LEN];
static float reals[LEN][LEN]; /* the same */
static float results[2][LEN][LEN];
static const ddr_ndview image = {
    DDR_ELEMENT_INT16, shorts, {2, 0, {LEN, LEN}, {LEN, 1}}, DDR_HOST, NULL};
static const ddr_ndview real_image = {
    DDR_ELEMENT_FLOAT, reals, {2, 0, {LEN, LEN}, {LEN, 1}}, DDR_HOST, NULL};
static const ddr_ndview result_views[] = {
    {DDR_ELEMENT_FLOAT, results[0], {2, 0, {LEN, LEN}, {LEN, 1}}, DDR_HOST, NULL},
    {DDR_ELEMENT_FLOAT, results[1], {2, 0, {LEN, LEN}, {LEN, 1}}, DDR_HOST, NULL}};

static const ddr_ndview odd_view = {
    DDR_ELEMENT_FLOAT, results[0], {2, 0, {2, 3}, {3, 2}}, DDR_HOST, NULL};

static ddr_array_status convolve_by(const ddr_conv_mode *mode, const ddr_ndview *from) {
  const int64_t x_len[] = {2, 2}, y_len[] = {LEN, LEN}, z_len[] = {2, 3};
  float weights[] = {1, 2, 3, 4};
  ddr_conv_array x = {weights, 4, {2, 1}}, y, z;
  ddr_conv_array_of_view(from, &y);
  ddr_conv_array_of_view(&odd_view, &z);
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, 2, x_len, y_len, z_len, DDR_ELEMENT_FLOAT);
  if (!task) return DDR_ARRAY_ENOMEM;
  ddr_conv_task_set_types(task, DDR_ELEMENT_FLOAT, from->type, DDR_ELEMENT_FLOAT);
  ddr_conv_task_set_mode(task, mode);
  ddr_conv_task_bind_x(task, &x);
  const ddr_array_status status = ddr_conv_task_exec(task, NULL, &y, &z);
  CHECK_EQ(ddr_conv_task_status(task), status);
  ddr_conv_task_delete(task);
  return status;
}

static ddr_array_status convolve(void) { return convolve_by(&ddr_conv_direct, &image); }
static ddr_array_status transform(void) { return convolve_by(&ddr_conv_fft, &real_image); }

static ddr_array_status sample(void) {
  double coeff[64];
  const ddr_kernel kernel = kernel_of(&bspln3, coeff);
  const ddr_sample_grid grid = {.image = &image,
                                .n_axes = 2,
                                .axes = {{kernel, -2.5, 3, 2, LEN}, {kernel, .25, 1, 3, LEN}},
                                .border = {DDR_EXTEND_MIRROR, 0},
                                .n_threads = 2};
  const ddr_sample_result wanted[] = {{{0, 0}, &result_views[0]}, {{1, 1}, &result_views[1]}};
  return ddr_field_sample_grid(&grid, 2, wanted);
}

static ddr_array_status prefilter(ddr_prefilter_method method, ddr_prefilter_ends ends) {
  const ddr_prefilter filter = {
      .n_axes = 2, .degree = 5, .border = {DDR_EXTEND_CLAMP, 0}, .method = method, .ends = ends};
  return ddr_bspline_prefilter(&image, &filter, &result_views[0]);
}

static ddr_array_status prefilter_by_taps(void) {
  return prefilter(DDR_PREFILTER_TAPS, DDR_ENDS_OF_COEFFICIENTS);
}

static ddr_array_status prefilter_by_recursion(void) {
  return prefilter(DDR_PREFILTER_RECURSION, DDR_ENDS_OF_VALUES);
}

static ddr_array_status decimate(void) {
  const ddr_decimation decimation = {
      .n_axes = 2, .axes = {{2, 0, 0, NULL}, {3, 0, 0, NULL}}, .border = {DDR_EXTEND_WRAP, 0}};
  ddr_ndview small = result_views[0];
  small.layout.len[0] = LEN / 2;
  small.layout.len[1] = LEN / 3;
  return ddr_image_decimate(&image, &decimation, &small);
}

/* Fails, and writes nothing; or does without the memory, as it may so many times, and gives the
 * same results. */
static void survives(ddr_array_status (*work)(void), int least, int n_spared) {
  float *all = &results[0][0][0], expected[2 * LEN * LEN];
  for (int k = 0; k < 2 * LEN * LEN; k++) all[k] = UNTOUCHED;
  CHECK_EQ(work(), DDR_ARRAY_OK);
  memcpy(expected, all, sizeof expected);
  for (int n = 0; n < 1000; n++) {
    for (int k = 0; k < 2 * LEN * LEN; k++) all[k] = UNTOUCHED;
    fail_at(n);
    const ddr_array_status status = work();
    const bool has_failed = fail_no_more();
    bool is_untouched = true;
    for (int k = 0; k < 2 * LEN * LEN; k++) is_untouched = is_untouched && all[k] == UNTOUCHED;
    if (has_failed && status == DDR_ARRAY_ENOMEM) {
      CHECK(is_untouched);
      continue;
    }
    CHECK_EQ(status, DDR_ARRAY_OK);
    CHECK(memcmp(expected, all, sizeof expected) == 0);
    if (has_failed) {
      n_spared--;
      continue;
    }
    CHECK(n >= least); /* at least this many allocations were made */
    CHECK_EQ(n_spared, 0);
    return;
  }
  CHECK(false); /* no end was reached */
}

static void convolutions(void) { survives(convolve, 3, 1); }
static void transforms(void) { survives(transform, 3, 0); }
static void grids(void) { survives(sample, 12, 10); }
static void prefilters_by_taps(void) { survives(prefilter_by_taps, 8, 2); }
static void prefilters_by_recursion(void) { survives(prefilter_by_recursion, 4, 0); }
static void decimations(void) { survives(decimate, 8, 2); }

int main(void) {
  for (int y = 0; y < LEN; y++) {
    for (int x = 0; x < LEN; x++) reals[y][x] = shorts[y][x] = (short)(y * y - 3 * x);
  }
  RUN(convolutions);
  if (ddr_conv_has_fft()) RUN(transforms);
  else puts("skipped: transforms, since there is no FFTW");
  RUN(grids);
  RUN(prefilters_by_taps);
  RUN(prefilters_by_recursion);
  RUN(decimations);
  return test_result();
}
