/* near.cu: sort the strands by where they are, for the queries of a superstep (ddr/device/near.h).
 *
 * The cells are those of the host (ddr/cells.h), but none has cells of its own: where points crowd,
 * queries take longer.  Positions that are not finite are left out.  Points come in the order of
 * cell and slot, whatever order threads run in.  Sorted again only when something moved, was born
 * or died.
 */
#include "runtime/cuda/near.h"

#include <stdio.h>

enum { SLOT_BITS = 32 };

#define MOST_POINTS ((int64_t)(UINT32_MAX / 8)) /* as in runtime/src/space/index.c */

static const char what[] = "sort the strands by where they are";

static const char *too_many(ddr_device *device) {
  snprintf(device->message, sizeof device->message, "cannot query the positions of %lld strands",
           (long long)device->strands.n_slots);
  return device->message;
}

static ddr_places places_of(const ddr_device *device, ddr_columns columns) {
  const ddr_program *program = device->program;
  const ddr_places places = {columns, (uint32_t)program->pos_offset, program->real_size,
                             (int)program->pos_dim, device->strands.n_slots};
  return places;
}

/* --- points in the order of cells ------------------------------------------------------------- */

/* The same as queries find (ddr/device/near.h). */
DDR_FN int64_t cell_on_axis(const ddr_places *places, const ddr_grid *grid, int64_t slot, int k) {
  const double x = ddr_coordinate(places, slot, k);
  if (places->real_size == sizeof x) return ddr_cell_in_double(&grid->real.in_doubles, k, x);
  return ddr_cell_in_float(&grid->real.in_floats, k, (float)x);
}

/* Keys: the cell, then the slot.  Who is nowhere comes behind all cells. */
DDR_KERNEL void keys_kernel(ddr_places places, const ddr_grid *grid, uint64_t *keys) {
  const int64_t slot = DDR_THREAD;
  if (slot >= places.n) return;
  int64_t cell = 0;
  for (int k = places.dim; k-- > 0;)
    cell = cell * grid->cells.n[k] + cell_on_axis(&places, grid, slot, k);
  if (!ddr_is_somewhere(&places, slot)) cell = ddr_cells_count(&grid->cells);
  keys[slot] = (uint64_t)cell << SLOT_BITS | (uint64_t)slot;
}

/* A thread for each cell: how many keys are of cells before it. */
DDR_KERNEL void starts_kernel(const uint64_t *keys, int64_t n, const ddr_grid *grid,
                              uint32_t *starts) {
  const int64_t cell = DDR_THREAD;
  if (cell > ddr_cells_count(&grid->cells)) return;
  int64_t begin = 0, end = n;
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (keys[middle] >> SLOT_BITS < (uint64_t)cell) begin = middle + 1;
    else end = middle;
  }
  starts[cell] = (uint32_t)begin;
}

/* The last one is repeated, for queries that read beyond it. */
DDR_KERNEL void points_kernel(ddr_places places, const uint64_t *keys, char *points) {
  const int64_t at = DDR_THREAD;
  if (at >= places.n + DDR_POINTS_AT_ONCE) return;
  const int64_t slot = (int64_t)(uint32_t)keys[at < places.n ? at : places.n - 1];
  char *point = points + at * (places.dim + 1) * places.real_size;
  for (int k = 0; k < places.dim; k++, point += places.real_size) {
    const double x = ddr_coordinate(&places, slot, k);
    if (places.real_size == sizeof x) *(double *)(void *)point = x;
    else *(float *)(void *)point = (float)x;
  }
  *(uint32_t *)(void *)point = (uint32_t)slot;
}

/* As ddr_cells_choose says. */
static size_t most_cells(const ddr_places *places) { return 4 * (size_t)places->n; }

static int bits_of(int64_t n) {
  int n_bits = 0;
  while (n >> n_bits > 0) n_bits++;
  return n_bits;
}

static const char *reserve(ddr_device *device, const ddr_places *places) {
  ddr_near_spaces *near = &device->near;
  const size_t n = (size_t)places->n, n_points = n + DDR_POINTS_AT_ONCE;
  const size_t point_size = ((size_t)places->dim + 1) * places->real_size;
  const char *error = ddr_space_reserve(device, &near->moved, sizeof(uint32_t));
  if (!error) error = ddr_space_reserve(device, &near->grid, sizeof(ddr_grid));
  if (!error) error = ddr_space_reserve(device, &near->keys, n * sizeof(uint64_t));
  if (!error) error = ddr_space_reserve(device, &near->sorted, n * sizeof(uint64_t));
  if (!error) error = ddr_space_reserve(device, &near->points, n_points * point_size);
  if (error) return error;
  return ddr_space_reserve(device, &near->starts, (most_cells(places) + 1) * sizeof(uint32_t));
}

static const char *sort_by_cell(ddr_device *device, const ddr_places *places) {
  const ddr_grid *grid = (const ddr_grid *)device->near.grid.memory;
  uint64_t *keys = (uint64_t *)device->near.keys.memory;
  DDR_LAUNCH(keys_kernel, &device->launch, places->n, *places, grid, keys);
  const char *error = ddr_device_launched(device, what);
  if (error) return error;
  return ddr_device_sort(device, keys, places->n, SLOT_BITS,
                         SLOT_BITS + bits_of((int64_t)most_cells(places)),
                         (uint64_t *)device->near.sorted.memory);
}

static const char *sort_points(ddr_device *device, const ddr_places *places) {
  const ddr_grid *grid = (const ddr_grid *)device->near.grid.memory;
  const uint64_t *keys = (const uint64_t *)device->near.sorted.memory;
  uint32_t *starts = (uint32_t *)device->near.starts.memory;
  char *points = (char *)device->near.points.memory;
  DDR_LAUNCH(starts_kernel, &device->launch, (int64_t)most_cells(places) + 1, keys, places->n, grid,
             starts);
  DDR_LAUNCH(points_kernel, &device->launch, places->n + DDR_POINTS_AT_ONCE, *places, keys, points);
  const ddr_near near = {&grid->real, starts, points};
  device->strands.near = near;
  return ddr_device_launched(device, what);
}

/* --- who runs, in the order of cells: neighbours' threads are neighbours and read the same points
 * --
 */

DDR_KERNEL void order_kernel(const uint64_t *keys, int64_t n, int64_t *slots) {
  const int64_t at = DDR_THREAD;
  if (at < n) slots[at] = (int64_t)(uint32_t)keys[at];
}

const char *ddr_near_order(ddr_device *device, const int64_t **running) {
  ddr_near_spaces *near = &device->near;
  const int64_t n = device->strands.n_slots;
  *running = NULL;
  if (!near->is_current) return NULL;
  const char *error = ddr_space_reserve(device, &near->slots, (size_t)n * sizeof(int64_t));
  if (!error) error = ddr_space_reserve(device, &near->order, (size_t)n * sizeof(int64_t));
  if (error) return error;
  int64_t *slots = (int64_t *)near->slots.memory, *order = (int64_t *)near->order.memory;
  DDR_LAUNCH(order_kernel, &device->launch, n, (const uint64_t *)near->sorted.memory, n, slots);
  error = ddr_device_launched(device, what);
  if (!error) error = ddr_device_select(device, slots, n, DDR_THAT_RUN, order);
  *running = order;
  return error;
}

/* --- when ------------------------------------------------------------------------------------- */

/* A moved position is one whose bits changed, so that NaN does not move for ever. */
DDR_KERNEL void moves_kernel(ddr_places now, ddr_places before, uint32_t *has_moved) {
  const int64_t slot = DDR_THREAD;
  if (slot >= now.n) return;
  bool is_same = true;
  for (int k = 0; k < now.dim; k++) {
    const double x = ddr_coordinate(&now, slot, k), was = ddr_coordinate(&before, slot, k);
    is_same = is_same && ddr_order_of(x) == ddr_order_of(was);
  }
  if (!is_same) ddr_warp_max(has_moved, 1);
}

static const char *look_for_moves(ddr_device *device) {
  uint32_t *has_moved = (uint32_t *)device->near.moved.memory;
  const ddr_device_strands *strands = &device->strands;
  const char *error = ddr_device_check(
      device, what, cudaMemsetAsync(has_moved, 0, sizeof *has_moved, ddr_stream(device)));
  if (error) return error;
  DDR_LAUNCH(moves_kernel, &device->launch, strands->n_slots, places_of(device, strands->state),
             places_of(device, strands->before), has_moved);
  error = ddr_device_launched(device, what);
  if (error) return error;
  return ddr_device_copy(device, &device->near.has_moved, has_moved, sizeof *has_moved);
}

const char *ddr_near_follow(ddr_device *device, bool is_same_store) {
  ddr_near_spaces *near = &device->near;
  near->is_current = near->is_current && is_same_store && !near->has_moved;
  return near->is_current && device->program->is_dual ? look_for_moves(device) : NULL;
}

const char *ddr_near_prepare(ddr_device *device) {
  ddr_near_spaces *near = &device->near;
  const ddr_places places = places_of(device, device->strands.before);
  if (places.dim == 0 || places.n == 0 || (near->is_current && !near->has_moved)) return NULL;
  near->is_current = false;
  if (places.n > MOST_POINTS) return too_many(device);
  const char *error = reserve(device, &places);
  if (!error) error = ddr_near_choose(device, &places, (ddr_grid *)near->grid.memory);
  if (!error) error = sort_by_cell(device, &places);
  if (!error) error = sort_points(device, &places);
  near->is_current = !error;
  near->has_moved = 0;
  return error;
}
