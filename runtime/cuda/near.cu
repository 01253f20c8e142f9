/* near.cu: sorts the strands by position, for the queries of a superstep (ddr/device/near.h).
 *
 * The cells are those of the host (ddr/cells.h), but without finer cells within them: where points
 * crowd, queries take longer.  Positions that are not finite are left out.  The points of each cell
 * are counted, and take the places of their cell in any order: a query sorts what it finds. Sorting
 * is repeated only when a strand has moved, was born or died.
 */
#include "runtime/cuda/near.h"

#include <stdio.h>

#define MOST_POINTS ((int64_t)(UINT32_MAX / 8)) /* as in runtime/src/space/index.c */

enum { MOST_GRANTED = 15 };

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

/* The cell in which queries look for a position (ddr/device/near.h). */
DDR_FN int64_t cell_on_axis(const ddr_places *places, const ddr_grid *grid, int64_t slot, int k) {
  const double x = ddr_coordinate(places, slot, k);
  if (places->real_size == sizeof x) return ddr_cell_in_double(&grid->real.in_doubles, k, x);
  return ddr_cell_in_float(&grid->real.in_floats, k, (float)x);
}

/* Four reals, which are loaded together. */
DDR_FN void write_place(const ddr_places *places, int64_t slot, char *all) {
  for (int k = 0; k < 4; k++) {
    const double x = k < 3 ? ddr_coordinate(places, slot, k) : 0;
    if (places->real_size == sizeof x) ((double *)(void *)all)[4 * slot + k] = x;
    else ((float *)(void *)all)[4 * slot + k] = (float)x;
  }
}

/* The cell of each slot, and the number of points in each cell.  Positions that are not finite come
 * behind all cells. */
DDR_KERNEL void count_kernel(ddr_places places, const ddr_grid *grid, uint32_t *cells,
                             uint32_t *counts, char *all) {
  const int64_t slot = DDR_THREAD;
  if (slot >= places.n) return;
  if (places.dim == 3) write_place(&places, slot, all);
  int64_t cell = 0;
  for (int k = places.dim; k-- > 0;)
    cell = cell * grid->cells.n[k] + cell_on_axis(&places, grid, slot, k);
  if (!ddr_is_somewhere(&places, slot)) cell = ddr_cells_count(&grid->cells);
  cells[slot] = (uint32_t)cell;
  (void)DDR_DEVICE_ADD(&counts[cell], 1u);
}

DDR_FN void write_point(const ddr_places *places, int64_t slot, char *point) {
  for (int k = 0; k < places->dim; k++, point += places->real_size) {
    const double x = ddr_coordinate(places, slot, k);
    if (places->real_size == sizeof x) *(double *)(void *)point = x;
    else *(float *)(void *)point = (float)x;
  }
  *(uint32_t *)(void *)point = (uint32_t)slot;
}

/* Each point takes a place of its cell; afterwards all counts are 0.  The last slot is repeated
 * behind the end, for queries that read beyond it. */
DDR_KERNEL void points_kernel(ddr_places places, const uint32_t *cells, const uint32_t *starts,
                              uint32_t *counts, char *points, int64_t *slots) {
  const int64_t thread = DDR_THREAD;
  if (thread >= places.n + DDR_POINTS_AT_ONCE) return;
  const int64_t slot = thread < places.n ? thread : places.n - 1;
  int64_t at = thread;
  if (thread < places.n) {
    const uint32_t cell = cells[slot], n_left = DDR_DEVICE_ADD(&counts[cell], UINT32_MAX);
    at = (int64_t)starts[cell] + n_left - 1;
    slots[at] = slot;
  }
  write_point(&places, slot, points + at * (places.dim + 1) * places.real_size);
}

/* The cells that ddr_cells_choose gives, and one for positions that are not finite. */
static size_t most_cells(const ddr_places *places) { return 4 * (size_t)places->n + 1; }

static const char *reserve(ddr_device *device, const ddr_places *places) {
  ddr_near_spaces *near = &device->near;
  const size_t n = (size_t)places->n, n_points = n + DDR_POINTS_AT_ONCE;
  const size_t point_size = ((size_t)places->dim + 1) * places->real_size;
  const size_t n_bytes = most_cells(places) * sizeof(uint32_t);
  const char *error = ddr_space_reserve(device, &near->moved, sizeof(uint32_t));
  if (!error) error = ddr_space_reserve(device, &near->grid, sizeof(ddr_grid));
  if (!error) error = ddr_space_reserve(device, &near->cells, n * sizeof(uint32_t));
  if (!error) error = ddr_space_reserve(device, &near->slots, n * sizeof(int64_t));
  if (!error) error = ddr_space_reserve(device, &near->points, n_points * point_size);
  if (!error && places->dim == 3)
    error = ddr_space_reserve(device, &near->places, n * 4 * places->real_size);
  if (!error) error = ddr_space_reserve_zeros(device, "allocate memory", &near->counts, n_bytes);
  return error ? error : ddr_space_reserve(device, &near->starts, n_bytes);
}

static const char *sort_by_cell(ddr_device *device, const ddr_places *places) {
  ddr_near_spaces *near = &device->near;
  const ddr_grid *grid = (const ddr_grid *)near->grid.memory;
  uint32_t *cells = (uint32_t *)near->cells.memory, *counts = (uint32_t *)near->counts.memory;
  uint32_t *starts = (uint32_t *)near->starts.memory;
  char *points = (char *)near->points.memory;
  DDR_LAUNCH(count_kernel, &device->launch, places->n, *places, grid, cells, counts,
             (char *)near->places.memory);
  const char *error = ddr_device_launched(device, what);
  if (!error) error = ddr_device_scan_counts(device, counts, (int64_t)most_cells(places), starts);
  if (error) return error;
  DDR_LAUNCH(points_kernel, &device->launch, places->n + DDR_POINTS_AT_ONCE, *places, cells, starts,
             counts, points, (int64_t *)near->slots.memory);
  const ddr_near found = {&grid->real, starts, points, near->places.memory, near->bounds.memory};
  device->strands.near = found;
  return ddr_device_launched(device, what);
}

/* --- who runs --------------------------------------------------------------------------------- */

/* In the order of cells: the threads of neighbours are neighbours, and read the same points. */

const char *ddr_near_order(ddr_device *device, const int64_t **running) {
  ddr_near_spaces *near = &device->near;
  const int64_t n = device->strands.n_slots, *slots = (const int64_t *)near->slots.memory;
  *running = near->is_current ? slots : NULL;
  if (!near->is_current || device->strands.n_running == n) return NULL;
  const char *error = ddr_space_reserve(device, &near->order, (size_t)n * sizeof(int64_t));
  if (error) return error;
  *running = (const int64_t *)near->order.memory;
  return ddr_device_select(device, slots, n, DDR_THAT_RUN, (int64_t *)near->order.memory);
}

/* --- when ------------------------------------------------------------------------------------- */

/* A position has moved if its bits have changed, so that NaN does not count as moving for ever. */
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
  error = ddr_device_copy(device, &device->near.has_moved, has_moved, sizeof *has_moved);
  return error ? error : ddr_device_finish(device, what);
}

/* Strands that have moved will move: the more often checks found moves, the longer none is made. */
static const char *look_seldom(ddr_device *device) {
  ddr_near_spaces *near = &device->near;
  if (near->n_granted > 0) {
    near->n_granted--;
    near->has_moved = 1;
    return NULL;
  }
  const char *error = look_for_moves(device);
  near->n_moves = near->has_moved ? 2 * near->n_moves + 1 : 0;
  if (near->n_moves > MOST_GRANTED) near->n_moves = MOST_GRANTED;
  near->n_granted = near->n_moves;
  return error;
}

const char *ddr_near_follow(ddr_device *device, bool is_same_store) {
  ddr_near_spaces *near = &device->near;
  near->is_current = near->is_current && is_same_store && !near->has_moved;
  return near->is_current && device->program->is_dual ? look_seldom(device) : NULL;
}

static double known_radius(const ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  return program->radius ? program->radius(device->globals_before) : 0;
}

const char *ddr_near_prepare(ddr_device *device) {
  ddr_near_spaces *near = &device->near;
  const ddr_places places = places_of(device, device->strands.before);
  if (places.dim == 0 || places.n == 0 || (near->is_current && !near->has_moved)) return NULL;
  near->is_current = false;
  if (places.n > MOST_POINTS) return too_many(device);
  const char *error = reserve(device, &places);
  if (!error)
    error = ddr_near_choose(device, &places, known_radius(device), (ddr_grid *)near->grid.memory);
  if (!error) error = sort_by_cell(device, &places);
  near->is_current = !error;
  near->has_moved = 0;
  return error;
}
