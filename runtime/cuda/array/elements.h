/* elements.h: arrays of one shape as an argument of kernels, passed by value, and the addresses of
 * their elements.
 */
#pragma once

#include "runtime/cuda/array/arrays.h"
#include "runtime/transform/on_device.h"

enum { DDR_MOST_ARRAYS = DDR_MAX_OPERANDS + 1 };

/* With the fewest axes that are possible for all arrays together, at least one; slowest first. */
typedef struct ddr_elements {
  int rank, n_arrays;
  int64_t n, len[DDR_MAX_RANK];
  struct {
    char *data;                   /* the first element; NULL: all elements are `number` */
    int64_t stride[DDR_MAX_RANK]; /* elements */
    ddr_complex_double number;    /* memory of an element */
  } arrays[DDR_MOST_ARRAYS];
} ddr_elements;

typedef struct ddr_offsets {
  int64_t of[DDR_MOST_ARRAYS];
} ddr_offsets;

/* The offsets of the elements at a position from the first ones. */
DDR_FN ddr_offsets ddr_offsets_at(const ddr_elements *elements, int64_t position) {
  ddr_offsets offsets = {{0, 0, 0, 0, 0}};
  for (int axis = elements->rank - 1; axis > 0; axis--) {
    const int64_t rest = position / elements->len[axis];
    const int64_t index = position - rest * elements->len[axis];
    for (int k = 0; k < DDR_MOST_ARRAYS; k++)
      offsets.of[k] += index * elements->arrays[k].stride[axis];
    position = rest;
  }
  for (int k = 0; k < DDR_MOST_ARRAYS; k++)
    offsets.of[k] += position * elements->arrays[k].stride[0];
  return offsets;
}

#ifdef __cplusplus
extern "C" {
#endif

/* elements.cu.  To be called in this order: begin with the shape, add arrays and numbers, collapse
 * the axes. */
void ddr_elements_begin(ddr_elements *elements, int rank, const int64_t *len);
void ddr_elements_add(ddr_elements *elements, void *first, const int64_t *strides);
void ddr_elements_add_view(ddr_elements *elements, const ddr_ndview *view);
void ddr_elements_add_number(ddr_elements *elements, ddr_number number);
void ddr_elements_collapse(ddr_elements *elements);

/* casts.cu: casts the second array to the first, element by element. */
cudaError_t ddr_elements_cast(const ddr_launch *launch, const ddr_elements *elements,
                              ddr_element to, ddr_element from);

/* Copies elements of so many bytes unchanged; if there is a third array, only where that mask is
 * true.
 */
cudaError_t ddr_elements_copy(const ddr_launch *launch, const ddr_elements *elements,
                              size_t element_size);

/* kernels.cu: the kernels of kernels.def; the first array is the result.  NULL: there is none. */
typedef void ddr_elements_kernel(ddr_elements elements);
ddr_elements_kernel *ddr_elements_kernel_of(ddr_transform transform, ddr_element type);

#ifdef __cplusplus
}
#endif
