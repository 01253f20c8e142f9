/* Test: what convolutions and filters of ddr/array.h refuse, and that they write nothing then. */
#include "tests/unit/array/refusals.h"

static const int64_t shape[] = {2, 3}, negative[] = {2, -1}, none[] = {0, 3}, zero[] = {0, 0};
static const int64_t huge[] = {INT64_MAX, 8}, ones[] = {1, 1, 1};
static const int64_t eight[] = {1, 1, 1, 1, 1, 1, 1, 1};

/* Commits a new task for each case, since errors of a task are permanent. */
static ddr_array_status committed(ddr_conv_op op, int rank, const int64_t *len, ddr_element type) {
  ddr_conv_task *task = ddr_conv_task_new(op, rank, len, len, len, type);
  const ddr_array_status status = ddr_conv_task_commit(task);
  CHECK_EQ(ddr_conv_task_status(task), status);
  CHECK_EQ(ddr_conv_task_set_threads(task, 2), status);
  ddr_conv_task_delete(task);
  return status;
}

static ddr_array_status executed(const ddr_conv_array *a, const ddr_conv_array *b,
                                 const ddr_conv_array *c) {
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, 2, shape, shape, shape, DDR_ELEMENT_FLOAT);
  const ddr_array_status status = ddr_conv_task_exec(task, a, b, c);
  ddr_conv_task_delete(task);
  return status;
}

static ddr_array_status bound(const ddr_conv_array *a) {
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, 2, shape, shape, shape, DDR_ELEMENT_FLOAT);
  const ddr_array_status status = ddr_conv_task_bind_x(task, a);
  ddr_conv_task_delete(task);
  return status;
}

/* A convolution of 2 x 3 by 2 x 3 elements with one unusual setting. */
typedef struct {
  const int64_t *z_len, *start, *decimation;
  ddr_element type, precision; /* bool: not set */
} Change;

static ddr_array_status changed(Change change) {
  ddr_conv_task *task = ddr_conv_task_new(DDR_CONVOLUTION, 2, shape, shape,
                                          change.z_len ? change.z_len : shape, change.type);
  ddr_conv_task_set_start(task, change.start);
  ddr_conv_task_set_decimation(task, change.decimation);
  if (change.precision) ddr_conv_task_set_precision(task, change.precision);
  const ddr_array_status status = ddr_conv_task_commit(task);
  ddr_conv_task_delete(task);
  return status;
}

/* A refusal counts for the function that the helper tests. */
#define REFUSE_COMMIT(status, helper, ...)                                                         \
  check_refusal(#helper "(" #__VA_ARGS__ ")", "ddr_conv_task_commit", helper(__VA_ARGS__),         \
                DDR_ARRAY_##status)
#define REFUSE_BOUND(status, x)                                                                    \
  check_refusal("bound(" #x ")", "ddr_conv_task_bind_x", bound(x), DDR_ARRAY_##status)
#define REFUSE_EXEC(status, ...)                                                                   \
  check_refusal("executed(" #__VA_ARGS__ ")", "ddr_conv_task_exec", executed(__VA_ARGS__),         \
                DDR_ARRAY_##status)

static void refuses_tasks(void) {
  const ddr_conv_op conv = DDR_CONVOLUTION;
  const int64_t late[] = {0, 5}, early[] = {-1, 0}, beyond[] = {2, 6}, twofold[] = {1, 2};
  REFUSE(ENULL, ddr_conv_task_set_mode, NULL, &ddr_conv_direct);
  REFUSE(ENULL, ddr_conv_task_set_types, NULL, DDR_ELEMENT_INT8, DDR_ELEMENT_INT8,
         DDR_ELEMENT_FLOAT);
  REFUSE(ENULL, ddr_conv_task_set_start, NULL, zero);
  REFUSE(ENULL, ddr_conv_task_set_decimation, NULL, ones);
  REFUSE(ENULL, ddr_conv_task_set_origin, NULL, zero, zero);
  REFUSE(ENULL, ddr_conv_task_set_conj_x, NULL, true);
  REFUSE(ENULL, ddr_conv_task_set_precision, NULL, DDR_ELEMENT_DOUBLE);
  REFUSE(ENULL, ddr_conv_task_set_threads, NULL, 1);
  REFUSE(ENULL, ddr_conv_task_commit, NULL);
  REFUSE(ENULL, ddr_conv_task_bind_x, NULL, &memory.array);
  REFUSE(ENULL, ddr_conv_task_exec, NULL, &memory.array, &memory.array, &memory.array);
  REFUSE(ENULL, ddr_conv_task_status, NULL);
  REFUSE_COMMIT(ENULL, committed, conv, 2, NULL, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(EOPERATION, committed, (ddr_conv_op)2, 2, shape, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(ERANK, committed, conv, 8, eight, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(ERANK, committed, conv, 0, shape, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(ESHAPE, committed, conv, 2, none, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(ESHAPE, committed, conv, 2, negative, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(EOVERFLOW, committed, conv, 2, huge, DDR_ELEMENT_FLOAT);
  REFUSE_COMMIT(ETYPE, committed, conv, 2, shape, DDR_ELEMENT_BOOL);
  REFUSE_COMMIT(ETYPE, committed, conv, 2, shape, DDR_ELEMENT_INT16);
  REFUSE_COMMIT(ETYPE, committed, conv, 2, shape, DDR_ELEMENT_COUNT);
  REFUSE_COMMIT(ESTART, changed, (Change){.start = late, .type = DDR_ELEMENT_FLOAT});
  REFUSE_COMMIT(ESTART, changed, (Change){.start = early, .type = DDR_ELEMENT_FLOAT});
  REFUSE_COMMIT(EDECIMATION, changed, (Change){.decimation = zero, .type = DDR_ELEMENT_FLOAT});
  REFUSE_COMMIT(ERANGE, changed,
                (Change){.start = ones, .decimation = twofold, .type = DDR_ELEMENT_FLOAT});
  REFUSE_COMMIT(EMODE, changed,
                (Change){.type = DDR_ELEMENT_DOUBLE, .precision = DDR_ELEMENT_FLOAT});
  REFUSE_COMMIT(ERANGE, changed, (Change){.z_len = beyond, .type = DDR_ELEMENT_FLOAT});
}

static void refuses_arrays_of_tasks(void) {
  const ddr_conv_array a = {memory.x, 6, {3, 1}}, b = {memory.y, 6, {3, 1}},
                       c = {memory.out, 6, {3, 1}};
  const ddr_conv_array short_one = {memory.x, 5, {3, 1}}, still = {memory.x, 6, {0, 1}};
  const ddr_conv_array missing = {NULL, 6, {3, 1}}, same = {memory.out, 6, {1, 1}};
  const ddr_conv_array away = {memory.x, 6, {INT64_MIN, INT64_MAX}};
  REFUSE_BOUND(ENULL, NULL);
  REFUSE_BOUND(ENULL, &missing);
  REFUSE_BOUND(ELENGTH, &short_one);
  REFUSE_BOUND(ESTRIDE, &still);
  REFUSE_EXEC(ESHAPE, NULL, &b, &c);
  REFUSE_EXEC(ENULL, &a, NULL, &c);
  REFUSE_EXEC(ENULL, &a, &b, NULL);
  REFUSE_EXEC(ENULL, &a, &b, &missing);
  REFUSE_EXEC(ENULL, &missing, &b, &c);
  REFUSE_EXEC(ELENGTH, &a, &short_one, &c);
  REFUSE_EXEC(ELENGTH, &away, &b, &c);
  REFUSE_EXEC(ESTRIDE, &a, &still, &c);
  REFUSE_EXEC(EALIAS, &a, &b, &same);
  REFUSE_EXEC(EALIAS, &a, &b, &a);
  REFUSE_VIEWS(ddr_conv_array_of_view, FIRST, &memory.array);
  REFUSE(ENULL, ddr_conv_array_of_view, &x, NULL);
  REFUSE(ERESIDENCY, ddr_conv_array_of_view, &device, &memory.array);
}

static void refuses_images(void) {
  const ddr_decimation twofold = {.n_axes = 1, .axes = {{.factor = 1}}};
  ddr_decimation other = twofold;
  REFUSE_VIEWS(ddr_image_decimate, FIRST, &twofold, &out);
  REFUSE(ENULL, ddr_image_decimate, &x, NULL, &out);
  REFUSE(ENULL, ddr_image_decimate, &x, &twofold, NULL);
  REFUSE(ERANK, ddr_image_decimate, &x, &twofold, &bad_rank);
  REFUSE(ESHAPE, ddr_image_decimate, &x, &twofold, &wide);
  REFUSE(EALIAS, ddr_image_decimate, &x, &twofold, &shifted);
  REFUSE(ETYPE, ddr_image_decimate, &mask, &twofold, &out);
  REFUSE(ETYPE, ddr_image_decimate, &x, &twofold, &ints);
  REFUSE(ERESIDENCY, ddr_image_decimate, &device, &twofold, &out);
  other.axes[0].factor = 0;
  REFUSE(EDECIMATION, ddr_image_decimate, &x, &other, &out);
  other = twofold;
  other.axes[0].start = 3;
  REFUSE(ERANGE, ddr_image_decimate, &x, &other, &out);
  other = twofold;
  other.axes[0].n_weights = 3; /* without any weights */
  REFUSE(ENULL, ddr_image_decimate, &x, &other, &out);
  other = twofold;
  other.border.extension = (ddr_extension)6;
  REFUSE(EOPERATION, ddr_image_decimate, &x, &other, &out);
}

static void refuses_prefilters(void) {
  const ddr_prefilter cubic = {.n_axes = 1, .degree = 3};
  ddr_prefilter other = cubic;
  REFUSE_VIEWS(ddr_bspline_prefilter, FIRST, &cubic, &out);
  REFUSE(ENULL, ddr_bspline_prefilter, &x, NULL, &out);
  REFUSE(ENULL, ddr_bspline_prefilter, &x, &cubic, NULL);
  REFUSE(ESHAPE, ddr_bspline_prefilter, &x, &cubic, &wide);
  REFUSE(ETYPE, ddr_bspline_prefilter, &x, &cubic, &mask);
  other.degree = 4;
  REFUSE(ERANGE, ddr_bspline_prefilter, &x, &other, &out);
  other = cubic;
  other.n_axes = 3;
  REFUSE(ERANGE, ddr_bspline_prefilter, &x, &other, &out);
  REFUSE(EALIAS, ddr_bspline_prefilter, &x, &cubic, &shifted);
  other = cubic;
  other.method = (ddr_prefilter_method)2;
  REFUSE(EOPERATION, ddr_bspline_prefilter, &x, &other, &out);
}

static void refuses_grids(void) {
  const double tent[] = {1, -1, 0, 1};
  const ddr_sample_axis axis = {{1, 1, tent}, 0, 1, 1, 3};
  const ddr_sample_grid good = {&x, 1, {axis}, {DDR_EXTEND_CLAMP, 0}, 1};
  const ddr_sample_result result = {{0}, &out}, none_there = {{0}, NULL}, wide_one = {{0}, &wide};
  const ddr_sample_result onto_itself = {{0}, &shifted};
  ddr_sample_grid other = good;
  REFUSE(ENULL, ddr_field_sample_grid, NULL, 1, &result);
  REFUSE(ENULL, ddr_field_sample_grid, &good, 1, NULL);
  REFUSE(ENULL, ddr_field_sample_grid, &good, 1, &none_there);
  REFUSE(ESHAPE, ddr_field_sample_grid, &good, 1, &wide_one);
  other.image = NULL;
  REFUSE(ENULL, ddr_field_sample_grid, &other, 1, &result);
  other.image = &bad_rank;
  REFUSE(ERANK, ddr_field_sample_grid, &other, 1, &result);
  other.image = &bad_extent;
  REFUSE(EDIM, ddr_field_sample_grid, &other, 1, &result);
  other.image = &bad_stride;
  REFUSE(EOVERFLOW, ddr_field_sample_grid, &other, 1, &result);
  other.image = &device;
  REFUSE(ERESIDENCY, ddr_field_sample_grid, &other, 1, &result);
  other.image = &mask;
  REFUSE(ETYPE, ddr_field_sample_grid, &other, 1, &result);
  REFUSE(EALIAS, ddr_field_sample_grid, &good, 1, &onto_itself);
  other = good;
  other.n_axes = 4;
  REFUSE(ERANK, ddr_field_sample_grid, &other, 1, &result);
  other = good;
  other.axes[0].kernel.coeff = NULL;
  REFUSE(ENULL, ddr_field_sample_grid, &other, 1, &result);
  other = good;
  other.axes[0].kernel.support = INT32_MAX;
  REFUSE(ERANGE, ddr_field_sample_grid, &other, 1, &result);
  other = good;
  other.axes[0].step_den = 0;
  REFUSE(ERANGE, ddr_field_sample_grid, &other, 1, &result);
  other = good;
  other.border.extension = (ddr_extension)-1;
  REFUSE(EOPERATION, ddr_field_sample_grid, &other, 1, &result);
}

static void refuses_by_every_function(void) { check_all_are_tried(true); }

int main(void) {
  prepare();
  RUN(refuses_tasks);
  RUN(refuses_arrays_of_tasks);
  RUN(refuses_images);
  RUN(refuses_prefilters);
  RUN(refuses_grids);
  RUN(refuses_by_every_function);
  return test_result();
}
