/* transforms.cu: elementwise operations: operands of other types are first cast into new memory,
 * then one kernel processes all elements.
 */
#include "runtime/cuda/array/elements.h"
#include "runtime/cuda/base/warp.h"
#include "runtime/reduce/reduce.h"

static ddr_cuda_arrays *cuda_of(ddr_array_device *device) { return (ddr_cuda_arrays *)device; }

/* Memory of operands that were cast. */
typedef struct {
  int n;
  void *data[DDR_MAX_OPERANDS];
} Casts;

/* --- what a kernel is given ------------------------------------------------------------------- */

/* If all arrays are contiguous with the same layout, they become one axis, from the lowest address
 * on. */
static void begin(ddr_elements *elements, const ddr_device_work *work) {
  const ddr_layout *layout = &work->out->layout;
  const int64_t n = ddr_layout_size(layout);
  if (work->is_one_layout) ddr_elements_begin(elements, 1, &n);
  else ddr_elements_begin(elements, layout->rank, layout->len);
}

static void add_view(ddr_elements *elements, const ddr_device_work *work, const ddr_ndview *view) {
  const int64_t one = 1;
  if (work->is_one_layout) ddr_elements_add(elements, ddr_ndview_unordered_range(view).data, &one);
  else ddr_elements_add_view(elements, view);
}

static void add_packed(ddr_elements *elements, const ddr_device_work *work, void *data) {
  ddr_layout packed;
  const ddr_layout *shape = &work->out->layout;
  memset(&packed, 0, sizeof packed);
  packed.stride[0] = 1;
  if (!work->is_one_layout) (void)ddr_layout_packed(shape->rank, shape->len, &packed);
  ddr_elements_add(elements, data, packed.stride);
}

/* --- apply ------------------------------------------------------------------------------------ */

/* Casts the operand to the type of the operation, packed, in new memory. */
static ddr_array_status cast_operand(ddr_cuda_arrays *device, const ddr_device_work *work,
                                     const ddr_ndview *view, Casts *casts) {
  ddr_elements elements;
  void *data;
  begin(&elements, work);
  const size_t n_bytes = (size_t)elements.n * ddr_element_size(work->type);
  ddr_array_status status =
      device->functions.allocate(&device->functions, DDR_IN_ORDER, n_bytes, &data);
  if (status != DDR_ARRAY_OK) return status;
  casts->data[casts->n++] = data;
  add_packed(&elements, work, data);
  add_view(&elements, work, view);
  ddr_elements_collapse(&elements);
  const cudaError_t error = ddr_cuda_enter(device);
  return ddr_cuda_leave(device, error != cudaSuccess ? error
                                                     : ddr_elements_cast(&device->launch, &elements,
                                                                         work->type, view->type));
}

static ddr_array_status add_operand(ddr_cuda_arrays *device, const ddr_device_work *work, int k,
                                    ddr_elements *elements, Casts *casts) {
  const ddr_ndview *view = work->operands[k].view;
  if (!view) ddr_elements_add_number(elements, work->operands[k].number);
  else if (view->type == work->type || work->transform == DDR_TRANSFORM_CAST)
    add_view(elements, work, view);
  else {
    const ddr_array_status status = cast_operand(device, work, view, casts);
    if (status != DDR_ARRAY_OK) return status;
    add_packed(elements, work, casts->data[casts->n - 1]);
  }
  return DDR_ARRAY_OK;
}

static cudaError_t launch(const ddr_cuda_arrays *device, const ddr_device_work *work,
                          const ddr_elements *elements) {
  const ddr_ndview *first = work->operands[0].view;
  ddr_elements_kernel *const kernel = ddr_elements_kernel_of(work->transform, work->type);
  if (!kernel && first && first->type != work->out->type)
    return ddr_elements_cast(&device->launch, elements, work->out->type, first->type);
  if (!kernel)
    return ddr_elements_copy(&device->launch, elements, ddr_element_size(work->out->type));
  DDR_LAUNCH(kernel, &device->launch, ddr_threads_for(elements->n), *elements);
  return cudaGetLastError();
}

static ddr_array_status apply(ddr_array_device *arrays, const ddr_device_work *work) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  ddr_elements elements;
  Casts casts = {0, {NULL, NULL, NULL, NULL}};
  ddr_array_status status = DDR_ARRAY_OK;
  begin(&elements, work);
  add_view(&elements, work, work->out);
  for (int k = 0; k < work->n_operands && status == DDR_ARRAY_OK; k++)
    status = add_operand(device, work, k, &elements, &casts);
  if (status == DDR_ARRAY_OK) {
    ddr_elements_collapse(&elements);
    cudaError_t error = ddr_cuda_enter(device);
    if (error == cudaSuccess) error = launch(device, work, &elements);
    status = ddr_cuda_leave(device, error);
  }
  for (int k = 0; k < casts.n; k++) arrays->release(arrays, DDR_IN_ORDER, casts.data[k]);
  return status;
}

/* --- merge ------------------------------------------------------------------------------------ */

static ddr_array_status merge(ddr_array_device *arrays, const ddr_ndview *x, const ddr_ndview *mask,
                              const ddr_operand *from) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  ddr_elements elements;
  ddr_elements_begin(&elements, x->layout.rank, x->layout.len);
  ddr_elements_add_view(&elements, x);
  if (from->view) ddr_elements_add_view(&elements, from->view);
  else ddr_elements_add_number(&elements, from->number);
  ddr_elements_add_view(&elements, mask);
  ddr_elements_collapse(&elements);
  cudaError_t error = ddr_cuda_enter(device);
  if (error == cudaSuccess)
    error = ddr_elements_copy(&device->launch, &elements, ddr_element_size(x->type));
  return ddr_cuda_leave(device, error);
}

static ddr_array_status has_zero(ddr_array_device *device, const ddr_ndview *ints, bool *result) {
  (void)device; /* it is the device in use */
  ddr_number n_not_zero;
  const ddr_array_status status = ddr_reduce_l0(ints, NULL, &n_not_zero);
  *result = status == DDR_ARRAY_OK && n_not_zero.integer < ddr_ndview_size(ints);
  return status;
}

const ddr_device_transforms ddr_cuda_transforms = {apply, merge, has_zero};
