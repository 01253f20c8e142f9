/* Arrays in device memory: how they are allocated, copies between host and device, and what happens
 * when any call of CUDA fails. */
#include "runtime/transform/transform.h"
#include "tests/unit/cuda/device_view.h"

static const ddr_residency all_kinds[] = {DDR_HOST, DDR_CUDA, DDR_UNIFIED};

/* --- storage ---------------------------------------------------------------------------------- */

static void storage(void) {
  for (int k = 0; k < 3; k++) {
    ddr_storage made;
    CHECK(ddr_residency_is_there(all_kinds[k]));
    for (size_t n = 0; n < 300; n += 99) {
      CHECK_EQ(ddr_storage_alloc(n, 64, all_kinds[k], &made), DDR_ARRAY_OK);
      CHECK(made.n_bytes == n && made.residency == all_kinds[k]);
      ddr_storage_release(&made);
    }
    CHECK_EQ(ddr_storage_alloc(8, 3, all_kinds[k], &made), DDR_ARRAY_EALIGN);
    CHECK_EQ(ddr_storage_alloc(PTRDIFF_MAX, 64, all_kinds[k], &made), DDR_ARRAY_EOVERFLOW);
  }
  ddr_storage made;
  CHECK_EQ(ddr_storage_alloc(8, 512, DDR_CUDA, &made), DDR_ARRAY_EALIGN);
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_array_device_use(NULL);
  CHECK_EQ(ddr_storage_alloc(8, 8, DDR_CUDA, &made), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_storage_alloc(8, 8, DDR_UNIFIED, &made), DDR_ARRAY_ERESIDENCY);
  CHECK(!ddr_residency_is_there(DDR_CUDA) && !ddr_residency_is_there(DDR_UNIFIED));
  ddr_array_device_use(device);
}

static void devices(void) {
  ddr_array_device *none;
  CHECK_EQ(ddr_cuda_arrays_open(7, 0, &none), DDR_ARRAY_ENODEVICE);
  CHECK_EQ(ddr_cuda_arrays_open(-1, 0, &none), DDR_ARRAY_ENODEVICE);
  CHECK(none == NULL);
  setenv("DDR_SHIM_DEVICES", "0", 1);
  CHECK_EQ(ddr_cuda_arrays_open(0, 0, &none), DDR_ARRAY_ENODEVICE);
  unsetenv("DDR_SHIM_DEVICES");
  ddr_cuda_arrays_close(NULL);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Pitches are those of the device, if they are multiples of the element size. */
static void rows_have_the_device_s_pitch(void) {
  static const struct {
    const char *pitch;
    ddr_element type;
    int n_row_axes;
    int64_t strides[3];
  } rows[] = {{"512", DDR_ELEMENT_FLOAT, 1, {5 * 128, 128, 1}},
              {"256", DDR_ELEMENT_FLOAT, 1, {5 * 64, 64, 1}},
              {"100", DDR_ELEMENT_FLOAT, 1, {5 * 25, 25, 1}},
              {"100", DDR_ELEMENT_DOUBLE, 1, {5 * 32, 32, 1}}, /* 7 * 8 rounded up to 256 */
              {"36", DDR_ELEMENT_UINT8, 2, {36, 7, 1}},
              {"1024", DDR_ELEMENT_CDOUBLE, 3, {35, 7, 1}}};
  const int64_t len[] = {3, 5, 7};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    ddr_ndview view, want = random_view(rows[k].type, 3, len);
    setenv("DDR_SHIM_PITCH", rows[k].pitch, 1);
    CHECK_EQ(ddr_ndview_new_rows(rows[k].type, 3, len, rows[k].n_row_axes, DDR_CUDA, &view),
             DDR_ARRAY_OK);
    for (int axis = 0; axis < 3; axis++) CHECK_EQ(view.layout.stride[axis], rows[k].strides[axis]);
    CHECK_EQ(view.residency, DDR_CUDA);
    CHECK_EQ(ddr_transform_assign(&want, &view, 1), DDR_ARRAY_OK);
    CHECK(same_elements(&view, &want));
    ddr_ndview_release(&view);
    ddr_ndview_release(&want);
  }
  unsetenv("DDR_SHIM_PITCH");
}

static void rows_elsewhere(void) {
  const int64_t len[] = {2, 3, 100}, none[] = {2, 0, 100};
  ddr_ndview view;
  CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_FLOAT, 3, len, 1, DDR_HOST, &view), DDR_ARRAY_OK);
  CHECK_EQ(view.layout.stride[1], 112); /* 400 bytes to 448 */
  for (int64_t k = 0; k < 6; k++) {
    const float *row = (const float *)view.data + 112 * k;
    for (int i = 0; i < 12; i++) CHECK(row[100 + i] == 0); /* padding, and a vector at the end */
  }
  for (int i = 0; i < 16; i++) CHECK(((const float *)view.data)[672 + i] == 0);
  ddr_ndview_release(&view);
  CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_FLOAT, 3, len, 1, DDR_UNIFIED, &view), DDR_ARRAY_OK);
  CHECK_EQ(view.layout.stride[1], 128); /* to 512 bytes */
  ddr_ndview_release(&view);
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_INT8, 3, none, 1, all_kinds[k], &view), DDR_ARRAY_OK);
    CHECK(ddr_ndview_is_empty(&view));
    ddr_ndview_release(&view);
    CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_INT8, 3, len, 0, all_kinds[k], &view), DDR_ARRAY_EDIM);
    CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_INT8, 3, len, 4, all_kinds[k], &view), DDR_ARRAY_EDIM);
    const int64_t large[] = {INT64_MAX / 200, 100};
    CHECK_EQ(ddr_ndview_new_rows(DDR_ELEMENT_FLOAT, 2, large, 1, all_kinds[k], &view),
             DDR_ARRAY_EOVERFLOW);
  }
}

/* --- copies ----------------------------------------------------------------------------------- */

static void check_assign(const ddr_ndview *from, ddr_residency from_kind, const ddr_ndview *to,
                         ddr_residency to_kind) {
  ddr_ndview from_there = copy_in(from, from_kind), to_there = copy_in(to, to_kind);
  ddr_ndview want = copy_in(to, DDR_HOST);
  CHECK_EQ(ddr_transform_assign(from, &want, 1), DDR_ARRAY_OK);
  CHECK_EQ(ddr_transform_assign(&from_there, &to_there, 1), DDR_ARRAY_OK);
  CHECK(same_bytes(&to_there, &want)); /* and nothing between elements */
  CHECK(same_bytes(&from_there, from));
  ddr_ndview_release(&from_there);
  ddr_ndview_release(&to_there);
  ddr_ndview_release(&want);
}

static void assign_crosses(void) {
  for (int round = 0; round < 300; round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const ddr_element type = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    ddr_ndview from = random_view(type, rank, len), to = random_view(type, rank, len);
    if (round % 3 == 1) {
      ddr_ndview_release(&to);
      CHECK_EQ(ddr_ndview_new(type, rank, len, DDR_HOST, &to), DDR_ARRAY_OK);
      const size_t n_bytes = (size_t)ddr_ndview_size(&to) * ddr_element_size(type);
      if (n_bytes > 0) memset(to.data, 0, n_bytes);
    }
    for (int k = 0; k < 9; k++) check_assign(&from, all_kinds[k / 3], &to, all_kinds[k % 3]);
    ddr_ndview_release(&from);
    ddr_ndview_release(&to);
  }
}

static void assign_converts_nothing(void) {
  const int64_t len[] = {4}, other[] = {5};
  ddr_ndview x = random_view(DDR_ELEMENT_INT32, 1, len), there = copy_in(&x, DDR_CUDA);
  ddr_ndview reals = random_view(DDR_ELEMENT_FLOAT, 1, len);
  ddr_ndview more = random_view(DDR_ELEMENT_INT32, 1, other), repeated = there;
  CHECK_EQ(ddr_transform_assign(&there, &reals, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_cast(&there, &reals, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_assign(&there, &more, 1), DDR_ARRAY_ESHAPE);
  repeated.layout.stride[0] = 0;
  repeated.layout.offset = 0;
  CHECK_EQ(ddr_transform_assign(&x, &repeated, 1), DDR_ARRAY_EALIAS);
  CHECK(same_elements(&there, &x));
  ddr_ndview *const all[] = {&x, &there, &reals, &more};
  for (int k = 0; k < 4; k++) ddr_ndview_release(all[k]);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Makes arrays, copies, casts and adds; releases everything. */
static ddr_array_status work_on_device(const ddr_ndview *x) {
  ddr_ndview there = {.data = NULL}, rows = {.data = NULL}, both = {.data = NULL};
  ddr_ndview sum = {.data = NULL};
  const int rank = x->layout.rank;
  const int64_t *len = x->layout.len;
  ddr_array_status status = ddr_ndview_new(x->type, rank, len, DDR_CUDA, &there);
  if (status == DDR_ARRAY_OK)
    status = ddr_ndview_new_rows(DDR_ELEMENT_DOUBLE, rank, len, 1, DDR_CUDA, &rows);
  if (status == DDR_ARRAY_OK) status = ddr_ndview_new(x->type, rank, len, DDR_UNIFIED, &both);
  if (status == DDR_ARRAY_OK) status = ddr_transform_assign(x, &there, 1);
  if (status == DDR_ARRAY_OK) status = ddr_transform_cast(&there, &rows, 1);
  if (status == DDR_ARRAY_OK) status = ddr_transform_assign(&there, &both, 1);
  const ddr_operand operands[2] = {ddr_operand_view(&rows), ddr_operand_view(&both)};
  if (status == DDR_ARRAY_OK) status = ddr_transform_make(DDR_TRANSFORM_ADD, 2, operands, 1, &sum);
  ddr_ndview *const all[] = {&there, &rows, &both, &sum};
  for (int k = 0; k < 4; k++) ddr_ndview_release(all[k]);
  return status;
}

static void any_call_may_fail(void) {
  const int64_t len[] = {3, 70};
  ddr_ndview x = random_view(DDR_ELEMENT_INT16, 2, len);
  int n_failed = 0, n_short = 0;
  for (int k = 1;; k++) {
    char number[20];
    snprintf(number, sizeof number, "%d", k);
    shim_reset();
    setenv("DDR_SHIM_FAIL", number, 1);
    const ddr_array_status status = work_on_device(&x);
    unsetenv("DDR_SHIM_FAIL");
    CHECK_EQ(shim_n_blocks(), 0);
    if (status == DDR_ARRAY_OK) break;
    n_short += status == DDR_ARRAY_ENOMEM;
    if (!CHECK(status == DDR_ARRAY_ENOMEM || status == DDR_ARRAY_EDEVICE) || ++n_failed > 500)
      break;
  }
  shim_reset();
  CHECK(n_failed > 12 && n_short > 3);
  CHECK_EQ(work_on_device(&x), DDR_ARRAY_OK);
  ddr_ndview_release(&x);
}

int main(void) {
  ddr_array_device *device = device_open();
  RUN(storage);
  RUN(devices);
  RUN(rows_have_the_device_s_pitch);
  RUN(rows_elsewhere);
  RUN(assign_crosses);
  RUN(assign_converts_nothing);
  RUN(any_call_may_fail);
  device_close(device);
  return test_result();
}
