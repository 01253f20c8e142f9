/* spatial.c: sort the strands by where they are, in time linear in their number.
 *
 * A grid of about two points per cell over the bounding box, filled by a stable counting sort, so
 * that the slots of a cell ascend.  Where points crowd, a cell gets a grid of its own: that keeps
 * queries fast whatever the distribution.  Positions that are not finite are left out.
 * Built again only when something moved, was born or died.
 * Read next: cells.h, spatial_query.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"

#if defined(DDR_SMALL_SIZES)
enum { CROWD = 2, MOST_DEPTH = 3, SLOTS_PER_ITEM = 4 };
#else
enum { CROWD = 32, MOST_DEPTH = 32, SLOTS_PER_ITEM = 8192 };
#endif

typedef enum {
  SPACE_POINTS, SPACE_SLOTS, SPACE_GRIDS, SPACE_STARTS, SPACE_CHILDREN, SPACE_PLACES,
  SPACE_CELLS_OF, SPACE_SORTED
} SpaceName;

/* Room for n elements, old content kept; NULL when memory is short. */
static void *reserve(ddr_index *index, SpaceName name, int64_t n, size_t size)
{
  Space *space = &index->space[name];
  if ((uint64_t)n >= PTRDIFF_MAX / 2 / size) return NULL;
  const size_t bytes = (size_t)n * size + 1;
  if (bytes <= space->size) return space->data;
  void *data = realloc(space->data, bytes + bytes / 2);
  if (!data) return NULL;
  space->data = data;
  space->size = bytes + bytes / 2;
  return data;
}

/* --- positions -------------------------------------------------------------------------------- */

static const char *position_of(const ddr_world *world, int64_t slot)
{
  const ddr_program *program = world->program;
  return (const char *)world->strands.before + (size_t)slot * program->state_size +
         program->pos_offset;
}

static int64_t item_end(int64_t item, int64_t n)
{
  return n - item * SLOTS_PER_ITEM < SLOTS_PER_ITEM ? n : (item + 1) * SLOTS_PER_ITEM;
}

/* A float is a double exactly, so what is decided for doubles holds for both. */
static void read_places(ddr_worker *worker, void *data, int64_t item)
{
  const ddr_world *world = worker->team->world;
  const ddr_index *index = data;
  const int64_t end = item_end(item, world->strands.n_slots);
  for (int64_t slot = item * SLOTS_PER_ITEM; slot < end; slot++) {
    const char *position = position_of(world, slot);
    double *place = index->places + slot * index->dim;
    if (world->program->real_size == sizeof(double)) {
      memcpy(place, position, (size_t)index->dim * sizeof(double));
      continue;
    }
    float single[MOST_DIM];
    memcpy(single, position, (size_t)index->dim * sizeof(float));
    for (int k = 0; k < index->dim; k++) place[k] = (double)single[k];
  }
}

/* The positions once more, as the program has them, next to each other cell by cell. */
static void write_points(ddr_worker *worker, void *data, int64_t item)
{
  const ddr_world *world = worker->team->world;
  const ddr_index *index = data;
  const size_t n_bytes = (size_t)index->dim * world->program->real_size;
  const int64_t end = item_end(item, index->n_points);
  for (int64_t at = item * SLOTS_PER_ITEM; at < end; at++) {
    memcpy((char *)index->points + (size_t)at * n_bytes, position_of(world, index->slots[at]),
           n_bytes);
  }
}

static void run(ddr_world *world, ddr_task *task, int64_t n)
{
  const ddr_job job = {task, world->index, (n + SLOTS_PER_ITEM - 1) / SLOTS_PER_ITEM};
  ddr_sched_run(world->team, &job);
}

static void choose_points(ddr_index *index, int64_t n_slots)
{
  index->n_points = 0;
  for (int64_t slot = 0; slot < n_slots; slot++) {
    bool is_finite = true;
    for (int k = 0; k < index->dim; k++) {
      is_finite = is_finite && isfinite(index->places[slot * index->dim + k]);
    }
    if (is_finite) index->slots[index->n_points++] = slot;
  }
}

/* --- one grid --------------------------------------------------------------------------------- */

static void find_bounds(const ddr_index *index, Cells *cells)
{
  for (int k = 0; k < index->dim; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int64_t at = cells->begin; at < cells->end; at++) {
      const double x = index->places[index->slots[at] * index->dim + k];
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    cells->lo[k] = lo;
    cells->hi[k] = hi;
  }
}

/* The edge of a cube such that `n` of them fill the axes that are divided. */
static double edge_for(const Cells *cells, const bool is_divided[MOST_DIM], double n)
{
  double sum = -log(n);
  int n_divided = 0;
  for (int k = 0; k < MOST_DIM; k++) {
    if (!is_divided[k]) continue;
    sum += log(cells->hi[k] - cells->lo[k]);
    n_divided++;
  }
  return n_divided > 0 ? exp(sum / n_divided) : 0;
}

/* About two points per cell, cells as cubic as can be: an axis shorter than a cell is not divided.
 * Nor is one on which dividing overflows, which costs time only. */
static void choose_cells(Cells *cells)
{
  const double n_wanted = fmax(1, (double)(cells->end - cells->begin) / 2);
  bool is_divided[MOST_DIM], has_changed = true;
  for (int k = 0; k < MOST_DIM; k++) {
    const double extent = cells->hi[k] - cells->lo[k];
    is_divided[k] = extent > 0 && isfinite(extent) && isfinite(n_wanted / extent);
    cells->n[k] = 1;
    cells->inverse[k] = 0;
  }
  double edge = 0;
  while (has_changed) {
    has_changed = false;
    edge = edge_for(cells, is_divided, n_wanted);
    for (int k = 0; k < MOST_DIM; k++) {
      if (!is_divided[k] || cells->hi[k] - cells->lo[k] >= edge) continue;
      is_divided[k] = false;
      has_changed = true;
    }
  }
  for (int k = 0; k < MOST_DIM; k++) {
    if (!is_divided[k]) continue;
    const double extent = cells->hi[k] - cells->lo[k];
    cells->n[k] = (int64_t)fmin(fmax(2, floor(extent / edge)), n_wanted + 1);
    cells->inverse[k] = (double)cells->n[k] / extent;
  }
}

static int64_t count_cells(const Cells *cells) { return cells->n[0] * cells->n[1] * cells->n[2]; }

static int64_t cell_of(const ddr_index *index, const Cells *cells, int64_t slot)
{
  const double *place = index->places + slot * index->dim;
  int64_t cell = 0;
  for (int k = index->dim; k-- > 0;) {
    cell = cell * cells->n[k] + cell_on_axis(cells, k, place[k]);
  }
  return cell;
}

/* A stable counting sort: then starts[cell] and starts[cell + 1] enclose the points of a cell. */
static void sort_points(ddr_index *index, const Cells *cells)
{
  const int64_t n_cells = count_cells(cells), begin = cells->begin, end = cells->end;
  int64_t *starts = index->starts + cells->first_start;
  memset(starts, 0, (size_t)(n_cells + 1) * sizeof *starts);
  for (int64_t at = begin; at < end; at++) {
    index->cells_of[at] = cell_of(index, cells, index->slots[at]);
    starts[index->cells_of[at]]++;
  }
  int64_t next = begin;
  for (int64_t cell = 0; cell <= n_cells; cell++) {
    const int64_t n = starts[cell];
    starts[cell] = next;
    next += n;
  }
  for (int64_t at = begin; at < end; at++) {
    index->sorted[starts[index->cells_of[at]]++] = index->slots[at];
  }
  memmove(starts + 1, starts, (size_t)n_cells * sizeof *starts);
  starts[0] = begin;
  memcpy(index->slots + begin, index->sorted + begin, (size_t)(end - begin) * sizeof *starts);
}

/* --- all grids -------------------------------------------------------------------------------- */

static bool push_grid(ddr_index *index, int64_t begin, int64_t end, int depth)
{
  index->grids = reserve(index, SPACE_GRIDS, index->n_grids + 1, sizeof *index->grids);
  if (!index->grids) return false;
  index->grids[index->n_grids++] =
    (Cells){.begin = begin, .end = end, .first_child = -1, .depth = depth};
  return true;
}

/* Grids of their own for the crowded cells of one. */
static bool push_children(ddr_index *index, int64_t grid)
{
  const Cells cells = index->grids[grid];
  const int64_t n_cells = count_cells(&cells);
  if (n_cells == 1 || cells.depth == MOST_DEPTH) return true;
  for (int64_t cell = 0; cell < n_cells; cell++) {
    const int64_t *starts = index->starts + cells.first_start + cell;
    if (starts[1] - starts[0] <= CROWD) continue;
    if (index->grids[grid].first_child < 0) {
      const int64_t first = index->n_children;
      index->children = reserve(index, SPACE_CHILDREN, first + n_cells, sizeof *index->children);
      if (!index->children) return false;
      memset(index->children + first, 0, (size_t)n_cells * sizeof *index->children);
      index->n_children += n_cells;
      index->grids[grid].first_child = first;
    }
    index->children[index->grids[grid].first_child + cell] = index->n_grids;
    if (!push_grid(index, starts[0], starts[1], cells.depth + 1)) return false;
  }
  return true;
}

static bool divide(ddr_index *index, int64_t grid)
{
  Cells *cells = &index->grids[grid];
  find_bounds(index, cells);
  choose_cells(cells);
  cells->first_start = index->n_starts;
  index->n_starts += count_cells(cells) + 1;
  index->starts = reserve(index, SPACE_STARTS, index->n_starts, sizeof *index->starts);
  if (!index->starts) return false;
  sort_points(index, cells);
  return push_children(index, grid);
}

static bool reserve_points(ddr_index *index, int64_t n_slots, size_t real_size)
{
  const size_t size = sizeof(int64_t), dim = (size_t)index->dim;
  index->places = reserve(index, SPACE_PLACES, n_slots, dim * sizeof(double));
  index->points = reserve(index, SPACE_POINTS, n_slots, dim * real_size);
  index->slots = reserve(index, SPACE_SLOTS, n_slots, size);
  index->sorted = reserve(index, SPACE_SORTED, n_slots, size);
  index->cells_of = reserve(index, SPACE_CELLS_OF, n_slots, size);
  return index->places && index->points && index->slots && index->sorted && index->cells_of;
}

static bool build(ddr_world *world)
{
  ddr_index *index = world->index;
  const int64_t n_slots = world->strands.n_slots;
  if (!reserve_points(index, n_slots, world->program->real_size)) return false;
  run(world, read_places, n_slots);
  choose_points(index, n_slots);
  index->n_grids = index->n_starts = index->n_children = 0;
  if (index->n_points > 0 && !push_grid(index, 0, index->n_points, 0)) return false;
  for (int64_t grid = 0; grid < index->n_grids; grid++) {
    if (!divide(index, grid)) return false;
  }
  run(world, write_points, index->n_points);
  return true;
}

ddr_status ddr_index_prepare(ddr_world *world)
{
  if (world->program->pos_dim == 0) return DDR_OK;
  if (!world->index) world->index = calloc(1, sizeof *world->index);
  if (world->index && world->index->is_current) return DDR_OK;
  if (world->index) world->index->dim = (int)world->program->pos_dim;
  if (!world->index || !build(world)) {
    return ddr_error(world, "out of memory for the positions of %lld strands",
                     (long long)world->strands.n_slots);
  }
  world->index->is_current = true;
  return DDR_OK;
}

void ddr_index_outdate(ddr_world *world)
{
  if (world->index) world->index->is_current = false;
}

void ddr_index_free(ddr_index *index)
{
  if (!index) return;
  for (size_t k = 0; k < sizeof index->space / sizeof *index->space; k++) {
    free(index->space[k].data);
  }
  free(index);
}
