/* sort.c: sorts the points of a grid by cell: a stable parallel counting sort.
 *
 * Each part of the points is counted separately.  The counts of all earlier cells, and of the same
 * cell in earlier parts, give the first index for each part's points of a cell.  So the order does
 * not depend on the number of parts.
 * Read next: index.c.
 */
#include "local.h"

enum { AHEAD = 24 }; /* rows that are asked for before they are read */

typedef struct Sorting {
  ddr_index *index;
  const Cells *cells;
  Columns from;
  uint32_t *slots;            /* where they go */
  int n_parts;                /* of points, and of cells */
  uint32_t first[MOST_PARTS]; /* for each part of cells, the index of its first point */
} Sorting;

typedef struct Range {
  int64_t begin, end;
} Range;

static Range points_of(const Sorting *sorting, int64_t part) {
  const Cells *cells = sorting->cells;
  const int64_t n = cells->end - cells->begin;
  return (Range){cells->begin + ddr_index_cut(n, part, sorting->n_parts),
                 cells->begin + ddr_index_cut(n, part + 1, sorting->n_parts)};
}

static Range cells_of(const Sorting *sorting, int64_t part) {
  const int64_t n = ddr_cells_count(&sorting->cells->box);
  return (Range){ddr_index_cut(n, part, sorting->n_parts),
                 ddr_index_cut(n, part + 1, sorting->n_parts)};
}

static uint32_t *counts_of(const Sorting *sorting, int64_t part) {
  return sorting->index->counts + part * ddr_cells_count(&sorting->cells->box);
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Like ddr_cell_on_axis, but as a 32-bit number, which vector instructions can make from doubles:
 * there are at most four cells per point. */
#define FIND_CELLS(real)                                                                           \
  static void find_cells_##real(const ddr_cells *box, int axis, const real *x, int64_t n,          \
                                uint32_t *cells_of) {                                              \
    const double lo = box->lo[axis], inverse = box->inverse[axis];                                 \
    const double last = (double)(box->n[axis] - 1);                                                \
    const uint32_t n_here = (uint32_t)box->n[axis];                                                \
    for (int64_t at = 0; at < n; at++) {                                                           \
      const double place = ((double)x[at] - lo) * inverse, from_0 = place > 0 ? place : 0;         \
      const int32_t cell = (int32_t)(from_0 < last ? from_0 : last);                               \
      cells_of[at] = cells_of[at] * n_here + (uint32_t)cell;                                       \
    }                                                                                              \
  }
FIND_CELLS(float)
FIND_CELLS(double)
#undef FIND_CELLS

static void find_cells(const Sorting *sorting, Range points) {
  const ddr_index *index = sorting->index;
  uint32_t *cells_of = index->cells_of + points.begin;
  const int64_t n = points.end - points.begin;
  memset(cells_of, 0, (size_t)n * sizeof *cells_of);
  for (int k = index->dim; k-- > 0;) {
    const double *doubles = sorting->from.place[k];
    const float *floats = sorting->from.place[k];
    const ddr_cells *box = &sorting->cells->box;
    if (box->n[k] == 1) continue;
    if (index->is_double) find_cells_double(box, k, doubles + points.begin, n, cells_of);
    else find_cells_float(box, k, floats + points.begin, n, cells_of);
  }
}

/* In pieces that stay in the cache from one axis to the next. */
static void count_part(ddr_worker *worker, void *data, int64_t part) {
  (void)worker;
  const Sorting *sorting = data;
  const Range points = points_of(sorting, part);
  const uint32_t *cells_of = sorting->index->cells_of;
  uint32_t *counts = counts_of(sorting, part);
  memset(counts, 0, (size_t)ddr_cells_count(&sorting->cells->box) * sizeof *counts);
  for (Range piece = {points.begin, 0}; piece.begin < points.end; piece.begin = piece.end) {
    piece.end = ddr_piece_end(piece.begin, points.end);
    find_cells(sorting, piece);
    for (int64_t at = piece.begin; at < piece.end; at++) counts[cells_of[at]]++;
  }
}

/* --- where they begin ------------------------------------------------------------------------- */

static void add_up(ddr_worker *worker, void *data, int64_t part) {
  (void)worker;
  const Sorting *sorting = data;
  const Range cells = cells_of(sorting, part);
  uint32_t n = 0;
  for (int k = 0; k < sorting->n_parts; k++) {
    const uint32_t *counts = counts_of(sorting, k);
    for (int64_t cell = cells.begin; cell < cells.end; cell++) n += counts[cell];
  }
  sorting->index->parts[part].n_points = n;
}

static void begin_parts(Sorting *sorting) {
  const Part *parts = sorting->index->parts;
  uint32_t *first = sorting->first;
  first[0] = sorting->cells->begin;
  for (int k = 1; k < sorting->n_parts; k++) first[k] = first[k - 1] + parts[k - 1].n_points;
}

/* Replaces counts by indices of first points. */
static void begin_cells(ddr_worker *worker, void *data, int64_t part) {
  (void)worker;
  const Sorting *sorting = data;
  const Range cells = cells_of(sorting, part);
  uint32_t *starts = sorting->index->starts + sorting->cells->first_start;
  const int64_t row = ddr_cells_count(&sorting->cells->box);
  uint32_t *counts = counts_of(sorting, 0), next = sorting->first[part], most = 0;
  for (int64_t cell = cells.begin; cell < cells.end; cell++) {
    const uint32_t first = next;
    starts[cell] = first;
    for (int k = 0; k < sorting->n_parts; k++) {
      const uint32_t n = counts[k * row + cell];
      counts[k * row + cell] = next;
      next += n;
    }
    most = next - first > most ? next - first : most;
  }
  if (cells.end == row) starts[row] = next;
  sorting->index->parts[part].is_crowded = most > CROWD;
}

/* --- moving ----------------------------------------------------------------------------------- */

static void place_part(ddr_worker *worker, void *data, int64_t part) {
  (void)worker;
  const Sorting *sorting = data;
  const Range points = points_of(sorting, part);
  uint32_t *places = sorting->index->cells_of, *next = counts_of(sorting, part);
  for (int64_t at = points.begin; at < points.end; at++) places[at] = next[places[at]]++;
}

/* One worker moves all slots.  If workers moved parts of the points, their scattered writes would
 * share cache lines, which is slower than one worker alone.  A grid of some of the points is copied
 * back to its place. */
static void move_slots(ddr_worker *worker, void *data, int64_t number) {
  (void)worker;
  (void)number;
  const Sorting *sorting = data;
  const size_t begin = sorting->cells->begin, end = sorting->cells->end;
  const uint32_t *places = sorting->index->cells_of;
  uint32_t *sorted = sorting->index->sorted.slots;
  for (size_t at = begin; at < end; at++) sorting->slots[places[at]] = sorting->from.slots[at];
  if (sorting->slots != sorted)
    memcpy(sorted + begin, sorting->slots + begin, (end - begin) * sizeof *sorted);
}

/* Coordinates are read again from the rows of `before`, where those of a point share a cache line,
 * instead of moved column by column. */
#define READ_ROWS(real)                                                                            \
  static inline void read_rows_##real(const ddr_index *index, Range points, const char *rows,      \
                                      size_t size, int dim) {                                      \
    const uint32_t *slots = index->sorted.slots;                                                   \
    real *columns[MOST_DIM] = {0};                                                                 \
    for (int k = 0; k < dim; k++) columns[k] = index->sorted.place[k];                             \
    for (int64_t at = points.begin; at < points.end; at++) {                                       \
      const char *row = rows + slots[at] * size;                                                   \
      if (at + AHEAD < points.end) ddr_prefetch(rows + slots[at + AHEAD] * size);                  \
      for (int k = 0; k < dim; k++)                                                                \
        memcpy(&columns[k][at], row + (size_t)k * sizeof(real), sizeof(real));                     \
    }                                                                                              \
  }                                                                                                \
  static void read_points_##real(const ddr_index *index, Range points, const char *rows,           \
                                 size_t size) {                                                    \
    if (index->dim == 1) read_rows_##real(index, points, rows, size, 1);                           \
    else if (index->dim == 2) read_rows_##real(index, points, rows, size, 2);                      \
    else read_rows_##real(index, points, rows, size, 3);                                           \
  }
READ_ROWS(float)
READ_ROWS(double)
#undef READ_ROWS

/* Behind the last point. */
static void clear_spare(const ddr_index *index) {
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  for (int k = 0; k < index->dim; k++) {
    char *column = index->sorted.place[k];
    memset(column + index->n_points * real_size, 0, DDR_NEAR_SPARE * real_size);
  }
}

static void read_sorted(ddr_worker *worker, void *data, int64_t part) {
  const Sorting *sorting = data;
  const ddr_index *index = sorting->index;
  const ddr_world *world = worker->threads->world;
  const Range points = points_of(sorting, part);
  const size_t size = ddr_before_size(world->program);
  const char *rows = (const char *)world->store->strands.before + ddr_before_pos(world->program);
  if (index->is_double) read_points_double(index, points, rows, size);
  else read_points_float(index, points, rows, size);
  if (points.end == index->n_points) clear_spare(index);
}

/* --- all of it -------------------------------------------------------------------------------- */

bool ddr_index_reserve_counts(ddr_index *index, const Cells *cells, int n_parts) {
  const int64_t n = n_parts * ddr_cells_count(&cells->box);
  index->counts = ddr_index_reserve(index, SPACE_COUNTS, n, sizeof *index->counts);
  return index->counts != NULL;
}

bool ddr_index_sort(ddr_world *world, ddr_index *index, const Cells *cells, Sched *run) {
  ddr_thread_pool *threads = world->workers->threads;
  Sorting sorting = {.index = index,
                     .cells = cells,
                     .n_parts = 1,
                     .from = index->sorted,
                     .slots = index->read.slots};
  if (cells->depth == 0) {
    sorting.n_parts = ddr_index_parts(world, index->n_points, run);
    sorting.from = index->read;
    sorting.slots = index->sorted.slots;
  }
  ddr_job job = {
      .task = count_part, .data = &sorting, .n_items = sorting.n_parts, .is_at_home = true};
  run(threads, &job);
  job.task = add_up;
  if (sorting.n_parts > 1) run(threads, &job);
  begin_parts(&sorting);
  job.task = begin_cells;
  run(threads, &job);
  job.task = place_part;
  run(threads, &job);
  const ddr_job move = {.task = move_slots, .data = &sorting, .n_items = 1};
  run(threads, &move);
  job.task = read_sorted;
  run(threads, &job);
  bool is_crowded = false;
  for (int part = 0; part < sorting.n_parts; part++) is_crowded |= index->parts[part].is_crowded;
  return is_crowded;
}
