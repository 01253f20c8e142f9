/* index.c: sort the strands by where they are, in time linear in their number.
 *
 * A grid of about two points per cell over the bounding box, filled by a stable counting sort, so
 * that the slots of a cell ascend.  Where points crowd, a cell gets a grid of its own: that keeps
 * queries fast whatever the distribution.  Positions that are not finite are left out.
 * Built again only when something moved, was born or died.
 * Read next: local.h, query.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "space.h"

#define MOST_POINTS (UINT32_MAX / 8) /* a grid may have four cells per point */

#if defined(DDR_SMALL_SIZES)
enum { CROWD = 2, MOST_DEPTH = 3, POINTS_PER_ITEM = 4 };
#else
enum { CROWD = 32, MOST_DEPTH = 32, POINTS_PER_ITEM = 8192 };
#endif

typedef enum {
  SPACE_POINTS,
  SPACE_SORTED,
  SPACE_CELLS_OF,
  SPACE_GRIDS,
  SPACE_STARTS,
  SPACE_CHILDREN,
  SPACE_NOWHERE,
  SPACE_SLOTS,
  SPACE_PLACES /* and one more for each further dimension */
} SpaceName;

/* Room for n elements, old content kept; NULL when memory is short. */
static void *reserve(ddr_index *index, SpaceName name, int64_t n, size_t size) {
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

/* --- points ----------------------------------------------------------------------------------- */

/* Items of a job over n points or slots. */
static int64_t count_items(int64_t n) { return (n + POINTS_PER_ITEM - 1) / POINTS_PER_ITEM; }

static int64_t item_end(int64_t item, int64_t n) {
  return n - item * POINTS_PER_ITEM < POINTS_PER_ITEM ? n : (item + 1) * POINTS_PER_ITEM;
}

static bool reserve_points(ddr_index *index, const ddr_program *program, int64_t n_slots) {
  const size_t real_size = program->real_size;
  index->dim = (int)program->pos_dim;
  index->is_double = real_size == sizeof(double);
  index->slot_offset = program->pos_dim * real_size;
  index->stride = (index->slot_offset + sizeof(uint32_t) + real_size - 1) / real_size * real_size;
  index->points = reserve(index, SPACE_POINTS, n_slots, index->stride);
  index->sorted = reserve(index, SPACE_SORTED, n_slots, index->stride);
  index->cells_of = reserve(index, SPACE_CELLS_OF, n_slots, sizeof *index->cells_of);
  return index->points && index->sorted && index->cells_of;
}

static void read_points(ddr_worker *worker, void *data, int64_t item) {
  const ddr_index *index = data;
  const ddr_world *world = worker->threads->world;
  const ddr_program *program = world->program;
  const size_t size = ddr_before_size(program);
  const char *src = (const char *)world->store->strands.before + ddr_before_pos(program);
  const int64_t end = item_end(item, world->store->strands.n_slots);
  for (int64_t slot = item * POINTS_PER_ITEM; slot < end; slot++) {
    char *point = index->points + (size_t)slot * index->stride;
    memcpy(point, src + (size_t)slot * size, index->slot_offset);
    memcpy(point + index->slot_offset, &(uint32_t){(uint32_t)slot}, sizeof(uint32_t));
  }
}

static bool is_finite(const ddr_index *index, const char *point) {
  for (int k = 0; k < index->dim; k++) {
    if (!isfinite(coordinate(index, point, k))) return false;
  }
  return true;
}

bool ddr_index_push_nowhere(ddr_index *index, uint32_t slot) {
  index->nowhere = reserve(index, SPACE_NOWHERE, index->n_nowhere + 1, sizeof *index->nowhere);
  if (!index->nowhere) return false;
  index->nowhere[index->n_nowhere++] = slot;
  return true;
}

/* What is nowhere leaves the list for another. */
static bool drop_points(ddr_index *index, uint32_t n_slots) {
  char *dst = index->points;
  for (uint32_t slot = 0; slot < n_slots; slot++) {
    const char *point = point_at(index, slot);
    if (is_finite(index, point)) {
      if (dst != point) memcpy(dst, point, index->stride);
      dst += index->stride;
      continue;
    }
    if (!ddr_index_push_nowhere(index, slot)) return false;
  }
  index->n_points = n_slots - index->n_nowhere;
  return true;
}

/* All strands, or those of a part. */
static bool collect_points(ddr_world *world, ddr_index *index, Sched *run) {
  const int64_t n_slots = world->store->strands.n_slots;
  if (!reserve_points(index, world->program, n_slots)) return false;
  index->n_nowhere = 0;
  if (index->is_part && !ddr_part_read(world, index)) return false;
  if (index->is_part) return true;
  const ddr_job job = {read_points, index, count_items(n_slots)};
  run(world->workers->threads, &job);
  return drop_points(index, (uint32_t)n_slots);
}

/* --- one grid --------------------------------------------------------------------------------- */

static void find_bounds(const ddr_index *index, Cells *cells) {
  for (int k = 0; k < index->dim; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t at = cells->begin; at < cells->end; at++) {
      const double x = coordinate(index, point_at(index, at), k);
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    cells->box.lo[k] = lo;
    cells->box.hi[k] = hi;
  }
}

static void find_cells(const ddr_index *index, const Cells *cells, uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at < end; at++) {
    const char *point = point_at(index, at);
    int64_t cell = 0;
    for (int k = index->dim; k-- > 0;) {
      const double x = coordinate(index, point, k);
      cell = cell * cells->box.n[k] + ddr_cell_on_axis(&cells->box, k, x);
    }
    index->cells_of[at] = (uint32_t)cell;
  }
}

/* The same of all points, by all workers. */
static void find_cells_of_item(ddr_worker *worker, void *data, int64_t item) {
  (void)worker;
  const ddr_index *index = data;
  find_cells(index, index->grids, (uint32_t)(item * POINTS_PER_ITEM),
             (uint32_t)item_end(item, index->n_points));
}

/* A stable counting sort: then starts[cell] and starts[cell + 1] enclose the points of a cell. */
static void sort_points(ddr_index *index, const Cells *cells) {
  const int64_t n_cells = ddr_cells_count(&cells->box);
  const size_t stride = index->stride;
  uint32_t *starts = index->starts + cells->first_start, next = cells->begin;
  memset(starts, 0, (size_t)(n_cells + 1) * sizeof *starts);
  for (uint32_t at = cells->begin; at < cells->end; at++) starts[index->cells_of[at]]++;
  for (int64_t cell = 0; cell <= n_cells; cell++) {
    const uint32_t n = starts[cell];
    starts[cell] = next;
    next += n;
  }
  for (uint32_t at = cells->begin; at < cells->end; at++) {
    const uint32_t dst = starts[index->cells_of[at]]++;
    memcpy(index->sorted + dst * stride, point_at(index, at), stride);
  }
  memmove(starts + 1, starts, (size_t)n_cells * sizeof *starts);
  starts[0] = cells->begin;
}

/* All points change places with their sorted copies; part of them is copied back. */
static void take_sorted(ddr_index *index, const Cells *cells) {
  const size_t at = cells->begin * index->stride;
  const size_t n_bytes = (size_t)(cells->end - cells->begin) * index->stride;
  if (cells->depth > 0) {
    memcpy(index->points + at, index->sorted + at, n_bytes);
    return;
  }
  const Space space = index->space[SPACE_POINTS];
  index->space[SPACE_POINTS] = index->space[SPACE_SORTED];
  index->space[SPACE_SORTED] = space;
  index->points = index->space[SPACE_POINTS].data;
  index->sorted = index->space[SPACE_SORTED].data;
}

/* --- all grids -------------------------------------------------------------------------------- */

static bool push_grid(ddr_index *index, uint32_t begin, uint32_t end, int depth) {
  index->grids = reserve(index, SPACE_GRIDS, index->n_grids + 1, sizeof *index->grids);
  if (!index->grids) return false;
  index->grids[index->n_grids++] =
      (Cells){.begin = begin, .end = end, .first_child = -1, .depth = depth};
  return true;
}

/* Grids of their own for the crowded cells of one. */
static bool push_children(ddr_index *index, int64_t grid) {
  const Cells cells = index->grids[grid];
  const int64_t n_cells = ddr_cells_count(&cells.box);
  if (n_cells == 1 || cells.depth == MOST_DEPTH) return true;
  for (int64_t cell = 0; cell < n_cells; cell++) {
    const uint32_t *starts = index->starts + cells.first_start + cell;
    if (starts[1] - starts[0] <= CROWD) continue;
    if (index->grids[grid].first_child < 0) {
      const int64_t first = index->n_children;
      index->children = reserve(index, SPACE_CHILDREN, first + n_cells, sizeof *index->children);
      if (!index->children) return false;
      memset(index->children + first, 0, (size_t)n_cells * sizeof *index->children);
      index->n_children += n_cells;
      index->grids[grid].first_child = first;
    }
    index->children[index->grids[grid].first_child + cell] = (uint32_t)index->n_grids;
    if (!push_grid(index, starts[0], starts[1], cells.depth + 1)) return false;
  }
  return true;
}

static bool divide(ddr_thread_pool *threads, ddr_index *index, int64_t grid, Sched *run) {
  Cells *cells = &index->grids[grid];
  find_bounds(index, cells);
  ddr_cells_choose(&cells->box, cells->end - cells->begin);
  cells->first_start = index->n_starts;
  index->n_starts += ddr_cells_count(&cells->box) + 1;
  index->starts = reserve(index, SPACE_STARTS, index->n_starts, sizeof *index->starts);
  if (!index->starts) return false;
  const ddr_job job = {find_cells_of_item, index, count_items(index->n_points)};
  if (grid == 0) run(threads, &job);
  else find_cells(index, cells, cells->begin, cells->end);
  sort_points(index, cells);
  take_sorted(index, cells);
  return push_children(index, grid);
}

/* --- columns ---------------------------------------------------------------------------------- */

static bool reserve_columns(ddr_index *index) {
  const int64_t n = (int64_t)index->n_points + DDR_NEAR_SPARE;
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  ddr_near_points *columns = &index->columns;
  columns->dim = index->dim;
  columns->slots = reserve(index, SPACE_SLOTS, n, sizeof *columns->slots);
  bool is_there = columns->slots != NULL;
  for (int k = 0; k < index->dim && is_there; k++) {
    char *column = reserve(index, (SpaceName)(SPACE_PLACES + k), n, real_size);
    columns->place[k] = column;
    is_there = column != NULL;
    if (column) memset(column + index->n_points * real_size, 0, DDR_NEAR_SPARE * real_size);
  }
  return is_there;
}

/* Into columns of floats or doubles, which are copied as they are. */
#define SPREAD(real)                                                                               \
  static void spread_##real(const ddr_index *index, int64_t begin, int64_t end) {                  \
    for (int k = 0; k < index->dim; k++) {                                                         \
      real *column = index->space[SPACE_PLACES + k].data;                                          \
      const char *from = point_at(index, (uint32_t)begin) + (size_t)k * sizeof *column;            \
      for (int64_t at = begin; at < end; at++, from += index->stride)                              \
        memcpy(&column[at], from, sizeof *column);                                                 \
    }                                                                                              \
  }
SPREAD(float)
SPREAD(double)
#undef SPREAD

static void spread_points(ddr_worker *worker, void *data, int64_t item) {
  (void)worker;
  const ddr_index *index = data;
  const int64_t begin = item * POINTS_PER_ITEM, end = item_end(item, index->n_points);
  uint32_t *slots = index->space[SPACE_SLOTS].data;
  if (index->is_double) spread_double(index, begin, end);
  else spread_float(index, begin, end);
  for (int64_t at = begin; at < end; at++)
    slots[at] = slot_of(index, point_at(index, (uint32_t)at));
}

/* --- the index -------------------------------------------------------------------------------- */

bool ddr_index_build(ddr_world *world, ddr_index *index, Sched *run) {
  if (!collect_points(world, index, run)) return false;
  index->n_grids = index->n_starts = index->n_children = 0;
  if (index->n_points > 0 && !push_grid(index, 0, index->n_points, 0)) return false;
  for (int64_t grid = 0; grid < index->n_grids; grid++) {
    if (!divide(world->workers->threads, index, grid, run)) return false;
  }
  if (!reserve_columns(index)) return false;
  const ddr_job spread = {spread_points, index, count_items(index->n_points)};
  run(world->workers->threads, &spread);
  index->version = world->store->version_of_places;
  return true;
}

static ddr_index *index_new(void) {
  ddr_index *index = calloc(1, sizeof *index);
  if (!index) return NULL;
  if (pthread_mutex_init(&index->lock, NULL) == 0) return index;
  free(index);
  return NULL;
}

void ddr_index_free_spaces(ddr_index *index) {
  for (int k = 0; k < SPACE_COUNT; k++) free(index->space[k].data);
  free(index);
}

static void free_wider(ddr_index *index) {
  while (index->wider) {
    ddr_index *wider = index->wider;
    index->wider = wider->wider;
    ddr_index_free_spaces(wider);
  }
}

ddr_status ddr_index_prepare(ddr_world *world) {
  const int64_t n_slots = world->store->strands.n_slots;
  if (world->program->pos_dim == 0) return DDR_OK;
  if (n_slots > MOST_POINTS) {
    return ddr_error(world, "cannot query the positions of %lld strands", (long long)n_slots);
  }
  if (!world->index) world->index = index_new();
  if (is_current(world->index, world->store)) return DDR_OK;
  if (world->index) free_wider(world->index);
  if (world->index) ddr_part_choose(world, world->index);
  if (!world->index || !ddr_index_build(world, world->index, ddr_sched_run)) {
    return ddr_error(world, "out of memory for the positions of %lld strands", (long long)n_slots);
  }
  return DDR_OK;
}

void ddr_index_free(ddr_index *index) {
  if (!index) return;
  free_wider(index);
  pthread_mutex_destroy(&index->lock);
  ddr_index_free_spaces(index);
}
