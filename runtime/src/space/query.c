/* query.c: the strands in a ball, found through the index of positions.
 *
 * Cells only save work: membership is decided by one test in the program's real, so the result
 * depends on the positions, not on the index.
 * Read next: local.h, ddr/host/spatial.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ddr/host/spatial.h"
#include "local.h"
#include "runtime/src/strands/phases.h"

#if defined(DDR_SMALL_SIZES)
enum { FIRST_HITS = 1, SHORT_RUN = 2, MOST_RUNS = 2 };
#else
enum { FIRST_HITS = 256, SHORT_RUN = 32, MOST_RUNS = 32 };
#endif

typedef struct Query {
  ddr_world *world;
  const ddr_index *first, *index; /* the worker's index, and one that covers the ball */
  ddr_worker *worker;
  ddr_scratch *scratch; /* of the worker */
  ddr_near_ball ball;   /* of the query at hand */
  const ddr_near_loops *loops;
  Question asked;     /* the ball in doubles, and its bounding box */
  ddr_near_run *runs; /* ranges of points to test, MOST_RUNS of them */
  int n_runs;
  int64_t n_points; /* points in these ranges */
  int64_t n_hits;
  bool is_short;
} Query;

/* --- memory ----------------------------------------------------------------------------------- */

static bool reserve_hits(Query *query, int64_t n_more) {
  ddr_scratch *scratch = query->scratch;
  int64_t capacity = scratch->capacity > 0 ? scratch->capacity : FIRST_HITS;
  while (capacity - query->n_hits < n_more) capacity *= 2;
  if (capacity == scratch->capacity) return true;
  uint32_t *hits = realloc(scratch->hits, (size_t)capacity * sizeof *hits);
  if (hits) scratch->hits = hits;
  uint32_t *merged = realloc(scratch->merged, (size_t)capacity * sizeof *merged);
  if (merged) scratch->merged = merged;
  if (hits && merged) scratch->capacity = capacity;
  else query->is_short = true;
  return hits && merged;
}

/* --- membership ------------------------------------------------------------------------------- */

static void test_runs(Query *query) {
  if (query->n_runs == 0) return;
  if (reserve_hits(query, query->n_points + DDR_NEAR_SPARE))
    query->n_hits += query->loops->test(&query->index->columns, &query->ball, query->runs,
                                        query->n_runs, query->scratch->hits + query->n_hits);
  query->n_runs = 0;
  query->n_points = 0;
}

static inline void add_run(Query *query, uint32_t begin, uint32_t end) {
  if (begin == end) return;
  if (query->n_runs == MOST_RUNS) test_runs(query);
  query->runs[query->n_runs++] = (ddr_near_run){begin, end};
  query->n_points += end - begin;
}

/* --- cells ------------------------------------------------------------------------------------ */

static void visit_grid(Query *query, int64_t grid);

static inline void visit_row(Query *query, const Cells *cells, int64_t first, int64_t last) {
  const ddr_index *index = query->index;
  const uint32_t *starts = index->starts + cells->first_start;
  if (cells->first_child < 0) {
    add_run(query, starts[first], starts[last + 1]);
    return;
  }
  for (int64_t cell = first; cell <= last; cell++) {
    const uint32_t child = index->children[cells->first_child + cell];
    if (child > 0) visit_grid(query, child);
    else add_run(query, starts[cell], starts[cell + 1]);
  }
}

/* The depth of recursion is that of nested grids, at most MOST_DEPTH of index.c. */
static void visit_grid(Query *query, int64_t grid) {
  const Cells *cells = &query->index->grids[grid];
  const ddr_cells *box = &cells->box;
  const ddr_region *asked = &query->asked.box;
  int64_t first[MOST_DIM], last[MOST_DIM];
  for (int k = 0; k < MOST_DIM; k++) {
    if (asked->hi[k] < box->lo[k] || asked->lo[k] > box->hi[k]) return;
    first[k] = ddr_cell_on_axis(box, k, asked->lo[k]);
    last[k] = ddr_cell_on_axis(box, k, asked->hi[k]);
  }
  for (int64_t z = first[2]; z <= last[2]; z++) {
    for (int64_t y = first[1]; y <= last[1]; y++) {
      const int64_t row = (z * box->n[1] + y) * box->n[0];
      visit_row(query, cells, row + first[0], row + last[0]);
    }
  }
}

/* --- order ------------------------------------------------------------------------------------ */

static void sort_run(uint32_t *slots, int64_t n) {
  for (int64_t at = 1; at < n; at++) {
    const uint32_t slot = slots[at];
    int64_t place = at;
    for (; place > 0 && slots[place - 1] > slot; place--) slots[place] = slots[place - 1];
    slots[place] = slot;
  }
}

static void merge(const uint32_t *src, int64_t middle, int64_t n, uint32_t *dst) {
  int64_t left = 0, right = middle;
  for (int64_t at = 0; at < n; at++) {
    const bool is_left = left < middle && (right == n || src[left] < src[right]);
    dst[at] = is_left ? src[left++] : src[right++];
  }
}

/* Sorts slots in ascending order; the result is in `hits`. */
static void sort_hits(ddr_scratch *scratch, int64_t n) {
  for (int64_t at = 0; at < n; at += SHORT_RUN) {
    sort_run(scratch->hits + at, n - at < SHORT_RUN ? n - at : SHORT_RUN);
  }
  for (int64_t run = SHORT_RUN; run < n; run *= 2) {
    for (int64_t at = 0; at < n; at += 2 * run) {
      const int64_t len = n - at < 2 * run ? n - at : 2 * run;
      merge(scratch->hits + at, run < len ? run : len, len, scratch->merged + at);
    }
    uint32_t *sorted = scratch->merged;
    scratch->merged = scratch->hits;
    scratch->hits = sorted;
  }
}

/* --- the query -------------------------------------------------------------------------------- */

/* Rounding is monotonic.  So if the rounded sum of squares is less than the rounded squared radius,
 * each difference is less than the radius, and the box contains the point. */
static bool find_box(Query *query) {
  const ddr_index *index = query->index;
  Question *asked = &query->asked;
  const double radius = coordinate(index, query->ball.radius, 0);
  if (!(radius > 0)) return false;
  asked->slot = query->ball.self;
  asked->centre = query->ball.centre;
  asked->radius = radius;
  for (int k = 0; k < index->dim; k++) {
    const double centre = coordinate(index, query->ball.centre, k);
    if (!isfinite(centre)) return false;
    asked->box.lo[k] = centre - radius;
    asked->box.hi[k] = centre + radius;
  }
  return true;
}

/* Finds an index that covers the ball, with several ranks; false: memory is short. */
static bool find_index(Query *query) {
  query->index = ddr_part_for(query->worker, &query->asked);
  query->is_short |= query->index == NULL;
  return query->index != NULL;
}

/* Prefetches states, which are scattered over the store and are read next, then sorts the hits. */
static void order_hits(Query *query, int64_t *slots) {
  const size_t size = ddr_before_size(query->world->program);
  const char *states = query->world->store->strands.before;
  for (int64_t k = 0; k < query->n_hits; k++) ddr_prefetch(states + query->scratch->hits[k] * size);
  if (query->n_hits <= DDR_NEAR_FEW) {
    query->loops->order(query->scratch->hits, query->n_hits, slots);
    return;
  }
  sort_hits(query->scratch, query->n_hits);
  for (int64_t k = 0; k < query->n_hits; k++) slots[k] = query->scratch->hits[k];
}

/* A sequence without an owner: it can be read, and is copied if it is extended. */
static ddr_seq result_of(Query *query) {
  const size_t n_bytes = (size_t)query->n_hits * sizeof(int64_t);
  ddr_seq_buffer *buffer = NULL;
  if (query->n_hits == 0 && !query->is_short) return ddr_seq_empty();
  if (!query->is_short)
    buffer = ddr_arena_allocate(&query->scratch->arena, sizeof *buffer + n_bytes);
  if (!buffer) {
    ddr_error(query->world, "out of memory for the result of a query");
    return ddr_seq_empty();
  }
  *buffer = (ddr_seq_buffer){.capacity = n_bytes, .used = n_bytes};
  order_hits(query, (int64_t *)(void *)(buffer + 1));
  return (ddr_seq){buffer, query->n_hits};
}

void ddr_ask_together(ddr_block *block) {
  ddr_scratch *scratch = &block->visit->worker->scratch;
  ddr_scratch_reset(scratch);
  scratch->asker = DDR_SEVERAL_ASK;
}

/* Reuses the memory of another strand's results. */
static void begin_asking(ddr_scratch *scratch, int64_t asker) {
  if (scratch->asker == DDR_SEVERAL_ASK || scratch->asker == asker) return;
  ddr_scratch_reset(scratch);
  scratch->asker = asker;
}

/* A query without ranges so far. */
static Query open_query(const ddr_block *block, const ddr_near_loops *loops, ddr_near_run *runs) {
  ddr_worker *worker = block->visit->worker;
  return (Query){.world = block->world,
                 .first = ddr_index_of(worker),
                 .worker = worker,
                 .scratch = &worker->scratch,
                 .loops = loops,
                 .runs = runs};
}

/* Whether the same strand had the same query in an earlier superstep, and no strand has moved
 * since. */
static bool take_known_hits(Query *query) {
  const ddr_neighbours *lists = query->world->index->neighbours;
  const ddr_neighbour_list *list = ddr_neighbours_find(lists, &query->ball);
  if (!list) return false;
  if (!reserve_hits(query, list->n + DDR_NEAR_SPARE)) return true;
  const uint32_t *slots = ddr_slots_of(lists, list);
  for (uint32_t k = 0; k < list->n; k++) query->scratch->hits[query->n_hits + k] = slots[k];
  query->n_hits += list->n;
  return true;
}

static void search_hits(Query *query) {
  const int64_t first = query->n_hits;
  visit_grid(query, 0);
  test_runs(query);
  if (query->is_short) return;
  const uint32_t *hits = query->scratch->hits; /* NULL before the first hit of all */
  ddr_neighbours_keep(query->world->index->neighbours, query->worker, &query->ball,
                      hits ? hits + first : NULL, query->n_hits - first);
}

/* Appends the hits of a ball.  With several ranks the reach is recorded even if the hits are known,
 * since it predicts which rows the rank will need. */
static void find_hits(Query *query, const ddr_near_ball *ball) {
  query->ball = *ball;
  query->index = query->first;
  if (!query->index) return;
  const bool is_watched = query->index->is_watched;
  if (!is_watched && take_known_hits(query)) return;
  if (!find_box(query)) return;
  if (is_watched && (!find_index(query) || take_known_hits(query))) return;
  if (query->index->n_grids > 0) search_hits(query);
}

ddr_seq ddr_query_sphere(ddr_block *block, const ddr_near_ball *ball, const ddr_near_loops *loops) {
  ddr_near_run runs[MOST_RUNS];
  Query query = open_query(block, loops, runs);
  begin_asking(query.scratch, ball->self);
  find_hits(&query, ball);
  return result_of(&query);
}

/* --- of a gang -------------------------------------------------------------------------------- */

/* Allocates rows for the results of a gang; false: memory is short. */
static bool reserve_rows(Query *query, ddr_neighbour_list *list, const ddr_near_gang *gang,
                         ddr_near_found *found) {
  ddr_neighbours *lists = query->world->index->neighbours;
  if (ddr_gang_keep(lists, list, query->worker, gang, found)) return true;
  const size_t size = ddr_size_of_rows(found->n_rows, gang->n_lanes) + DDR_NEAR_ALIGNED;
  char *memory = ddr_arena_allocate(&query->scratch->arena, size);
  if (memory) found->rows = ddr_aligned_rows(memory);
  return memory != NULL;
}

/* Removes the first lane from a set that has some. */
static inline int next_lane(uint32_t *lanes) {
  const int lane = __builtin_ctz(*lanes);
  *lanes &= *lanes - 1;
  return lane;
}

/* The centres of all lanes, one after the other, as single queries have them. */
#define CENTRES(type)                                                                              \
  static void centres_of_##type(const ddr_near_gang *gang, int dim, type *centres) {               \
    const type *reals = gang->reals;                                                               \
    const int n = gang->n_lanes;                                                                   \
    for (int k = 0; k < dim; k++)                                                                  \
      for (int lane = 0; lane < n; lane++) centres[lane * dim + k] = reals[(k + 1) * n + lane];    \
  }
CENTRES(float)
CENTRES(double)
#undef CENTRES

typedef union Centres {
  float floats[DDR_NEAR_LANES * MOST_DIM];
  double doubles[DDR_NEAR_LANES * MOST_DIM];
} Centres;

/* Finds the hits of a lane. Those of a list are read where they are; others, whose address is still
 * NULL, are behind those of the lanes before, in memory that may yet move. */
static inline void find_hits_of_lane(Query *query, const ddr_neighbours *lists,
                                     const ddr_near_ball *ball, int lane, ddr_near_found *found) {
  const ddr_neighbour_list *list = lists ? ddr_neighbours_find(lists, ball) : NULL;
  const int64_t first = query->n_hits;
  if (!list) find_hits(query, ball);
  found->hits[lane] = list ? ddr_slots_of(lists, list) : NULL;
  found->n[lane] = list ? list->n : (uint32_t)(query->n_hits - first);
  if (found->n[lane] > found->n_rows) found->n_rows = found->n[lane];
}

static void read_centres(const Query *query, const ddr_near_gang *gang, Centres *centres) {
  const int dim = query->first->dim;
  if (query->first->is_double) centres_of_double(gang, dim, centres->doubles);
  else centres_of_float(gang, dim, centres->floats);
}

static ddr_near_ball ball_of(const Query *query, const ddr_near_gang *gang, const Centres *centres,
                             int lane) {
  const size_t size = query->world->program->real_size, dim = (size_t)query->first->dim;
  const ddr_near_ball ball = {(const char *)centres + (size_t)lane * dim * size,
                              (const char *)gang->reals + (size_t)lane * size, gang->self[lane]};
  return ball;
}

/* Finds the hits of all lanes that ask; lists may be NULL. */
static void find_hits_of_lanes(Query *query, const ddr_neighbours *lists, const ddr_near_gang *gang,
                               ddr_near_found *found) {
  Centres centres;
  read_centres(query, gang, &centres);
  for (uint32_t lanes = gang->asking; lanes != 0 && !query->is_short;) {
    const int lane = next_lane(&lanes);
    const ddr_near_ball ball = ball_of(query, gang, &centres, lane);
    find_hits_of_lane(query, lists, &ball, lane, found);
  }
}

/* With several ranks: whether the index has all that the lanes may find.  Records how far they
 * ask. */
static bool covers_gang(Query *query, const ddr_near_gang *gang) {
  Centres centres;
  bool is_covered = true;
  read_centres(query, gang, &centres);
  query->index = query->first;
  for (uint32_t lanes = gang->asking; lanes != 0;) {
    query->ball = ball_of(query, gang, &centres, next_lane(&lanes));
    if (find_box(query)) is_covered &= ddr_part_covers(query->worker, &query->asked);
  }
  query->ball = (ddr_near_ball){0};
  query->asked.centre = NULL;
  return is_covered;
}

/* The program itself searches the cells of grid 0, if few points are in those that are divided and
 * hits are not kept for each strand. False: it does not. */
static bool search_cells(Query *query, const ddr_near_gang *gang, ddr_near_found *found) {
  const ddr_index *index = query->first;
  const ddr_scratch *scratch = query->scratch;
  const ddr_neighbours *lists = query->world->index->neighbours;
  const bool are_kept = lists && lists->is_open;
  if (!query->loops->search || are_kept || index->crowd > SMALL_CROWD) return false;
  if (index->is_watched && !covers_gang(query, gang)) return false;
  if (index->n_grids == 0) return true;
  const ddr_near_grid grid = {&index->columns, &index->grids->box,
                              index->starts + index->grids->first_start};
  int64_t n_wanted = 0;
  do n_wanted = query->loops->search(&grid, gang, scratch->hits, scratch->capacity, found);
  while (n_wanted > scratch->capacity && reserve_hits(query, n_wanted));
  for (int lane = 0; lane < gang->n_lanes; lane++)
    if (found->n[lane] > found->n_rows) found->n_rows = found->n[lane];
  return true;
}

static void find_hits_of_gang(Query *query, const ddr_neighbours *lists, const ddr_near_gang *gang,
                              ddr_near_found *found) {
  if (!search_cells(query, gang, found)) find_hits_of_lanes(query, lists, gang, found);
  if (query->is_short) return;
  const uint32_t *hits = query->scratch->hits;
  for (uint32_t lanes = gang->asking; lanes != 0;) {
    const int lane = next_lane(&lanes);
    if (found->hits[lane] || found->n[lane] == 0) continue;
    found->hits[lane] = hits;
    hits += found->n[lane];
  }
}

/* With several ranks the lanes ask in any case, see find_hits. */
void ddr_query_gang(ddr_block *block, const ddr_near_gang *gang, const ddr_near_loops *loops,
                    ddr_near_found *found) {
  ddr_near_run runs[MOST_RUNS];
  Query query = open_query(block, loops, runs);
  *found = (ddr_near_found){.states = block->world->store->strands.before,
                            .size = ddr_before_size(block->world->program)};
  if (!query.first || gang->asking == 0) return;
  query.asked.is_stored_later = true; /* all lanes store their states together at the end */
  const ddr_neighbours *lists = query.first->is_watched ? NULL : query.world->index->neighbours;
  ddr_neighbour_list *list = ddr_neighbours_of_gang(lists, gang);
  const ddr_near_found *known = ddr_gang_find(lists, list, gang);
  if (known) *found = *known;
  else find_hits_of_gang(&query, lists, gang, found);
  if (known || (found->n_rows == 0 && !query.is_short)) return;
  if (!query.is_short && reserve_rows(&query, list, gang, found)) return;
  ddr_error(query.world, "out of memory for the results of a query");
}
