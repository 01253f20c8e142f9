/* side.c: see side.h. */
#include "runtime/layout/side.h"

void ddr_arrays_add(ddr_arrays *arrays, const ddr_ndview *view) {
  if (view) arrays->views[arrays->n++] = view;
}

static bool has(const ddr_arrays *arrays, ddr_residency residency) {
  for (int k = 0; k < arrays->n; k++) {
    if (arrays->views[k]->residency == residency) return true;
  }
  return false;
}

ddr_side ddr_side_of(const ddr_arrays *arrays) {
  const bool has_device = ddr_array_device_in_use() != NULL;
  if (has(arrays, DDR_CUDA))
    return has_device && !has(arrays, DDR_HOST) ? DDR_SIDE_DEVICE : DDR_SIDE_NONE;
  if (!has_device || arrays->n == 0 || has(arrays, DDR_HOST)) return DDR_SIDE_HOST;
  for (int k = 0; k < arrays->n; k++) {
    if (ddr_cleanup_is_on_device(arrays->views[k]->cleanup)) return DDR_SIDE_DEVICE;
  }
  return DDR_SIDE_HOST;
}

ddr_residency ddr_side_residency(const ddr_arrays *arrays) {
  if (has(arrays, DDR_CUDA)) return DDR_CUDA;
  if (has(arrays, DDR_HOST) || !ddr_array_device_in_use()) return DDR_HOST;
  return arrays->n > 0 ? DDR_UNIFIED : DDR_HOST;
}

void ddr_side_touch(ddr_side side, const ddr_arrays *arrays) {
  for (int k = 0; k < arrays->n; k++) {
    if (arrays->views[k]->residency == DDR_UNIFIED)
      ddr_cleanup_touch(arrays->views[k]->cleanup, side == DDR_SIDE_DEVICE);
  }
}
