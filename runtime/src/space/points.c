/* points.c: copies the positions of strands to columns, and finds their bounding box.
 *
 * Strands whose position is not finite are listed separately.
 * Read next: index.c, sort.c.
 */
#include <math.h>

#include "local.h"

typedef struct Collection {
  ddr_index *index;
  int n_parts;
} Collection;

/* --- boxes ------------------------------------------------------------------------------------ */

static ddr_region bounds_of(const ddr_index *index, const Columns *columns, int64_t begin,
                            int64_t end) {
  ddr_region box = {{0}, {0}};
  for (int k = 0; k < index->dim; k++) {
    const double *doubles = columns->place[k];
    const float *floats = columns->place[k];
    if (index->is_double) ddr_bounds_double(doubles + begin, end - begin, &box.lo[k], &box.hi[k]);
    else ddr_bounds_float(floats + begin, end - begin, &box.lo[k], &box.hi[k]);
  }
  return box;
}

ddr_region ddr_index_bounds(const ddr_index *index, uint32_t begin, uint32_t end) {
  return bounds_of(index, &index->sorted, begin, end);
}

static ddr_region join(const Collection *all) {
  const Part *parts = all->index->parts;
  ddr_region box = parts[0].bounds;
  for (int part = 1; part < all->n_parts; part++) box = ddr_region_join(box, parts[part].bounds);
  return box;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Reads a column from consecutive states; returns how many numbers are not finite. */
#define READ(real)                                                                                 \
  static int64_t read_##real(real *column, const char *src, size_t size, int64_t n) {              \
    int64_t n_not_finite = 0;                                                                      \
    for (int64_t at = 0; at < n; at++, src += size) {                                              \
      memcpy(&column[at], src, sizeof *column);                                                    \
      n_not_finite += isfinite(column[at]) ? 0 : 1;                                                \
    }                                                                                              \
    return n_not_finite;                                                                           \
  }
READ(float)
READ(double)
#undef READ

/* Some at a time, whose columns are still in the cache when the box around them is made. */
static void read_piece(const ddr_world *world, ddr_index *index, Part *part, int64_t begin,
                       int64_t end) {
  const ddr_program *program = world->program;
  const size_t size = ddr_before_size(program);
  const char *src =
      (const char *)world->store->strands.before + ddr_before_pos(program) + (size_t)begin * size;
  for (int k = 0; k < index->dim; k++, src += program->real_size) {
    double *doubles = index->read.place[k];
    float *floats = index->read.place[k];
    part->n_nowhere += index->is_double ? read_double(doubles + begin, src, size, end - begin)
                                        : read_float(floats + begin, src, size, end - begin);
  }
  for (int64_t slot = begin; slot < end; slot++) index->read.slots[slot] = (uint32_t)slot;
  const ddr_region box = bounds_of(index, &index->read, begin, end);
  part->bounds = ddr_region_join(part->bounds, box);
}

static void read_part(ddr_worker *worker, void *data, int64_t number) {
  const Collection *all = data;
  const ddr_world *world = worker->threads->world;
  const int64_t n_slots = world->store->strands.n_slots;
  const int64_t end = ddr_index_cut(n_slots, number + 1, all->n_parts);
  Part *part = &all->index->parts[number];
  *part = (Part){.bounds = ddr_region_none()};
  for (int64_t begin = ddr_index_cut(n_slots, number, all->n_parts); begin < end; begin += PIECE)
    read_piece(world, all->index, part, begin, ddr_piece_end(begin, end));
}

/* --- those that are nowhere ------------------------------------------------------------------- */

bool ddr_index_push_nowhere(ddr_index *index, uint32_t slot) {
  index->nowhere =
      ddr_index_reserve(index, SPACE_NOWHERE, index->n_nowhere + 1, sizeof *index->nowhere);
  if (!index->nowhere) return false;
  index->nowhere[index->n_nowhere++] = slot;
  return true;
}

static bool is_finite(const ddr_index *index, uint32_t at) {
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  for (int k = 0; k < index->dim; k++) {
    const char *column = index->read.place[k];
    if (!isfinite(coordinate(index, column + at * real_size, 0))) return false;
  }
  return true;
}

static void move_down(const ddr_index *index, uint32_t from, uint32_t to) {
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  for (int k = 0; k < index->dim; k++) {
    char *column = index->read.place[k];
    memmove(column + to * real_size, column + from * real_size, real_size);
  }
  index->read.slots[to] = index->read.slots[from];
}

/* Moves strands without a finite position from the columns to a list. */
static bool drop_points(ddr_index *index, uint32_t n_slots) {
  uint32_t n_kept = 0;
  for (uint32_t slot = 0; slot < n_slots; slot++) {
    if (is_finite(index, slot)) move_down(index, slot, n_kept++);
    else if (!ddr_index_push_nowhere(index, slot)) return false;
  }
  index->n_points = n_kept;
  return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Columns are padded, since vector loads may read beyond the last point. */
static bool reserve_columns(ddr_index *index, unsigned first, int64_t n, Columns *columns) {
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  const SpaceName slots = (SpaceName)(first + (unsigned)MOST_DIM);
  columns->slots = ddr_index_reserve(index, slots, n + DDR_NEAR_SPARE, sizeof *columns->slots);
  bool is_there = columns->slots != NULL;
  for (int k = 0; k < index->dim; k++) {
    columns->place[k] =
        ddr_index_reserve(index, (SpaceName)(first + (unsigned)k), n + DDR_NEAR_SPARE, real_size);
    is_there &= columns->place[k] != NULL;
  }
  return is_there;
}

static bool reserve_points(ddr_index *index, const ddr_program *program, int64_t n_slots) {
  index->dim = (int)program->pos_dim;
  index->is_double = program->real_size == sizeof(double);
  index->cells_of = ddr_index_reserve(index, SPACE_CELLS_OF, n_slots, sizeof *index->cells_of);
  index->parts = ddr_index_reserve(index, SPACE_PARTS, MOST_PARTS, sizeof *index->parts);
  return index->cells_of && index->parts &&
         reserve_columns(index, SPACE_READ, n_slots, &index->read) &&
         reserve_columns(index, SPACE_SORTED, n_slots, &index->sorted);
}

bool ddr_index_collect(ddr_world *world, ddr_index *index, Sched *run, ddr_region *bounds) {
  const int64_t n_slots = world->store->strands.n_slots;
  if (!reserve_points(index, world->program, n_slots)) return false;
  index->n_nowhere = 0;
  if (index->is_part && !ddr_part_read(world, index)) return false;
  if (index->is_part) {
    *bounds = bounds_of(index, &index->read, 0, index->n_points);
    return true;
  }
  Collection all = {.index = index, .n_parts = ddr_index_parts(world, n_slots, run)};
  const ddr_job job = {read_part, &all, all.n_parts, true};
  run(world->workers->threads, &job);
  *bounds = join(&all);
  index->n_points = (uint32_t)n_slots;
  int64_t n_nowhere = 0;
  for (int part = 0; part < all.n_parts; part++) n_nowhere += index->parts[part].n_nowhere;
  if (n_nowhere > 0 && index->machine) return false;
  return n_nowhere == 0 || drop_points(index, (uint32_t)n_slots);
}
