/* index.c: sorts the strands by position, in time linear in their number.
 *
 * A grid with about two points per cell over the bounding box, filled by a stable counting sort, so
 * that the slots of a cell ascend.  A crowded cell gets a grid of its own, which keeps queries fast
 * for any distribution.  Strands without a finite position are left out. The index is rebuilt only
 * when a strand has moved, died or been born.
 * Read next: local.h, points.c, sort.c, query.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "space.h"

#define MOST_POINTS (UINT32_MAX / 8) /* a grid may have four cells per point */

#if defined(DDR_SMALL_SIZES)
enum { MOST_DEPTH = 3 };
#else
enum { MOST_DEPTH = 32 };
#endif

void *ddr_index_reserve(ddr_index *index, SpaceName name, int64_t n, size_t size) {
  const bool is_common = index->machine && name != SPACE_GRIDS;
  Space *space = is_common ? &index->common[name] : &index->space[name];
  if ((uint64_t)n >= PTRDIFF_MAX / 2 / size) return NULL;
  const size_t bytes = (size_t)n * size + 1;
  if (bytes <= space->size) return space->data;
  if (is_common) return ddr_common_reserve(index, space, bytes + bytes / 2);
  void *data = realloc(space->data, bytes + bytes / 2);
  if (!data) return NULL;
  space->data = data;
  space->size = bytes + bytes / 2;
  return data;
}

/* --- all grids -------------------------------------------------------------------------------- */

static bool push_grid(ddr_index *index, uint32_t begin, uint32_t end, int depth) {
  index->grids = ddr_index_reserve(index, SPACE_GRIDS, index->n_grids + 1, sizeof *index->grids);
  if (!index->grids) return false;
  index->grids[index->n_grids++] =
      (Cells){.begin = begin, .end = end, .first_child = -1, .depth = depth};
  return true;
}

/* Adds grids for the crowded cells of a grid. */
static bool push_children(ddr_index *index, int64_t grid) {
  const Cells cells = index->grids[grid];
  const int64_t n_cells = ddr_cells_count(&cells.box);
  if (n_cells == 1 || cells.depth == MOST_DEPTH) return true;
  for (int64_t cell = 0; cell < n_cells; cell++) {
    const uint32_t *starts = index->starts + cells.first_start + cell;
    const uint32_t n_points = starts[1] - starts[0];
    if (n_points <= CROWD) continue;
    if (grid == 0 && n_points > index->crowd) index->crowd = n_points;
    if (index->grids[grid].first_child < 0) {
      const int64_t first = index->n_children;
      index->children =
          ddr_index_reserve(index, SPACE_CHILDREN, first + n_cells, sizeof *index->children);
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

static bool divide(ddr_world *world, ddr_index *index, int64_t grid, const ddr_region *bounds,
                   Sched *run) {
  Cells *cells = &index->grids[grid];
  memcpy(cells->box.lo, bounds->lo, sizeof bounds->lo);
  memcpy(cells->box.hi, bounds->hi, sizeof bounds->hi);
  ddr_cells_choose(&cells->box, cells->end - cells->begin);
  cells->first_start = index->n_starts;
  index->n_starts += ddr_cells_count(&cells->box) + 1;
  index->starts = ddr_index_reserve(index, SPACE_STARTS, index->n_starts, sizeof *index->starts);
  const int n_parts = grid == 0 ? ddr_index_parts(world, index->n_points, run) : 1;
  if (!index->starts || !ddr_index_reserve_counts(index, cells, n_parts)) return false;
  const bool is_crowded = ddr_index_sort(world, index, cells, run);
  if (is_crowded && index->machine) return false;
  return !is_crowded || push_children(index, grid);
}

/* --- the index -------------------------------------------------------------------------------- */

static void show_columns(ddr_index *index) {
  index->columns.dim = index->dim;
  index->columns.slots = index->sorted.slots;
  for (int k = 0; k < index->dim; k++) index->columns.place[k] = index->sorted.place[k];
}

bool ddr_index_build(ddr_world *world, ddr_index *index, Sched *run) {
  ddr_region bounds;
  if (!ddr_index_collect(world, index, run, &bounds)) return false;
  index->n_grids = index->n_starts = index->n_children = 0;
  index->crowd = 0;
  if (index->n_points > 0 && !push_grid(index, 0, index->n_points, 0)) return false;
  for (int64_t grid = 0; grid < index->n_grids; grid++) {
    if (grid > 0)
      bounds = ddr_index_bounds(index, index->grids[grid].begin, index->grids[grid].end);
    if (!divide(world, index, grid, &bounds, run)) return false;
  }
  show_columns(index);
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

/* --- an index for each worker ----------------------------------------------------------------- */

/* With few points, building an index takes less time than fetching one from the cache of another
 * core and invalidating those lines for the next build. */
static bool is_by_worker(const ddr_world *world) {
  const int64_t n_workers = world->workers->threads->n_workers;
  const int64_t n_parts = n_workers < MOST_PARTS ? n_workers : MOST_PARTS;
  return n_workers > 1 && !ddr_is_shared_out(world) &&
         world->store->strands.n_slots <= MOST_BY_WORKER / n_parts;
}

static bool reserve_own(const ddr_world *world, ddr_index *index) {
  if (index->own) return true;
  const uint32_t n_workers = world->workers->threads->n_workers;
  index->own = calloc(n_workers, sizeof *index->own);
  index->n_own = index->own ? n_workers : 0;
  return index->own != NULL;
}

static ddr_status no_memory(ddr_world *world) {
  return ddr_error(world, "out of memory for the positions of %lld strands",
                   (long long)world->store->strands.n_slots);
}

const ddr_index *ddr_index_of(ddr_worker *worker) {
  ddr_world *world = worker->threads->world;
  const ddr_index *index = world->index;
  if (!index || !index->is_by_worker) return index;
  ddr_index **own = &index->own[ddr_worker_number(worker)];
  if (is_current(*own, world->store)) return *own;
  if (!*own) *own = calloc(1, sizeof **own);
  if (*own && ddr_index_build(world, *own, ddr_sched_alone)) return *own;
  no_memory(world);
  return NULL;
}

static void free_own(ddr_index *index) {
  for (uint32_t k = 0; k < index->n_own; k++) {
    if (index->own[k]) ddr_index_free_spaces(index->own[k]);
  }
  free(index->own);
}

/* --- before a phase --------------------------------------------------------------------------- */

/* Builds an index for all workers, or lets each worker build its own later. */
static bool make_ready(ddr_world *world, ddr_index *index) {
  index->is_by_worker = is_by_worker(world);
  if (ddr_index_build_together(world, index)) return true;
  if (!index->is_by_worker) return ddr_index_build(world, index, ddr_sched_run);
  index->version = world->store->version_of_places;
  return reserve_own(world, index);
}

ddr_status ddr_index_prepare(ddr_world *world) {
  const int64_t n_slots = world->store->strands.n_slots;
  if (world->program->pos_dim == 0) return DDR_OK;
  if (n_slots > MOST_POINTS) {
    return ddr_error(world, "cannot query the positions of %lld strands", (long long)n_slots);
  }
  if (!world->index) world->index = index_new();
  if (ddr_is_shared_out(world)) ddr_ranks_memory(world, world->index); /* the others would wait */
  if (is_current(world->index, world->store)) {
    world->index->neighbours =
        ddr_neighbours_open(world, world->index->neighbours, world->program->real_size);
    return DDR_OK;
  }
  if (world->index && world->index->neighbours) world->index->neighbours->is_open = false;
  if (world->index) free_wider(world->index);
  if (world->index) ddr_part_choose(world, world->index);
  if (!world->index || !make_ready(world, world->index)) return no_memory(world);
  return DDR_OK;
}

void ddr_index_free(ddr_index *index) {
  if (!index) return;
  free_wider(index);
  free_own(index);
  ddr_neighbours_free(index->neighbours);
  pthread_mutex_destroy(&index->lock);
  ddr_index_free_spaces(index);
}
