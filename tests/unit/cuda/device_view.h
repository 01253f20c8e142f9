/* Copies of arrays in device memory, and back: with the same layout, including gaps. */
#pragma once

#include "runtime/cuda/array/array_device.h"
#include "runtime/layout/ndview.h"
#include "tests/unit/random_view.h"

static inline char *lowest_of(const ddr_ndview *view) {
  int64_t least = 0, greatest = 0;
  ddr_layout_span(&view->layout, &least, &greatest);
  return (char *)view->data + least * (int64_t)ddr_element_size(view->type);
}

static inline ddr_ndview copy_in(const ddr_ndview *view, ddr_residency residency) {
  ddr_array_device *device = ddr_array_device_in_use();
  const size_t size = ddr_element_size(view->type);
  int64_t least = 0, greatest = -1;
  ddr_layout_span(&view->layout, &least, &greatest);
  const int64_t n = greatest - least + 1;
  ddr_ndview copy = {.data = NULL};
  CHECK_EQ(ddr_ndview_new(view->type, 1, &n, residency, &copy), DDR_ARRAY_OK);
  const size_t n_bytes = (size_t)n * size;
  if (n > 0)
    CHECK_EQ(device->copy_rows(device, copy.data, n_bytes, lowest_of(view), n_bytes, n_bytes, 1),
             DDR_ARRAY_OK);
  copy.layout = view->layout;
  copy.layout.offset -= least;
  return copy;
}

/* The same elements at the same indices, in any memory. */
static inline bool same_elements(const ddr_ndview *a, const ddr_ndview *b) {
  ddr_ndview copies[2] = {copy_in(a, DDR_HOST), copy_in(b, DDR_HOST)};
  bool is_same = CHECK_EQ(a->type, b->type) && CHECK(ddr_layout_same_shape(&a->layout, &b->layout));
  for (int64_t p = 0; is_same && p < ddr_ndview_size(&copies[0]); p++) {
    const ddr_number x = number_at(&copies[0], p), y = number_at(&copies[1], p);
    const bool is_nan = x.re != x.re && y.re != y.re;
    is_same = x.integer == y.integer && (is_nan || memcmp(&x.re, &y.re, sizeof x.re) == 0) &&
              ((x.im != x.im && y.im != y.im) || memcmp(&x.im, &y.im, sizeof x.im) == 0);
  }
  for (int k = 0; k < 2; k++) ddr_ndview_release(&copies[k]);
  return is_same;
}

/* Including the bytes between elements. */
static inline bool same_bytes(const ddr_ndview *a, const ddr_ndview *b) {
  ddr_ndview copies[2] = {copy_in(a, DDR_HOST), copy_in(b, DDR_HOST)};
  int64_t least = 0, greatest = -1;
  ddr_layout_span(&a->layout, &least, &greatest);
  const size_t n_bytes = (size_t)(greatest - least + 1) * ddr_element_size(a->type);
  const bool is_same =
      n_bytes == 0 || memcmp(lowest_of(&copies[0]), lowest_of(&copies[1]), n_bytes) == 0;
  for (int k = 0; k < 2; k++) ddr_ndview_release(&copies[k]);
  return is_same;
}

static inline ddr_array_device *device_open(void) {
  ddr_array_device *device = NULL;
  if (!CHECK_EQ(ddr_cuda_arrays_open(0, 64, &device), DDR_ARRAY_OK)) exit(1);
  ddr_array_device_use(device);
  return device;
}

/* Checks that all allocations have been freed. */
static inline void device_close(ddr_array_device *device) {
  CHECK_EQ(shim_n_blocks(), 0);
  ddr_array_device_use(NULL);
  ddr_cuda_arrays_close(device);
}
