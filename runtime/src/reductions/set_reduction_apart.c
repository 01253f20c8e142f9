/* set_reduction_apart.c: a reduction whose members are on several ranks: each rank reduces the
 * blocks whose first members it has.
 *
 * Blocks consist of members, not of slots, so the last block of a rank may extend to the next rank,
 * which sends the values, not the states; if only minima, maxima and truth values are asked for, it
 * sends just these.  The results of blocks go to all ranks, which all combine them in the same
 * order. Read next: set_reduction.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/src/strands/shares.h"
#include "set_reduction.h"

enum { BLOCK = DDR_TREE_BLOCK };

bool ddr_reduction_goes_apart(const Reduction *job) {
  const ddr_store *store = job->world->store;
  return ddr_is_shared_out(job->world) && ddr_shares_are_in_order(store) &&
         store->states_place != STATES_EVERYWHERE && !job->what->is_in_order && !job->kept;
}

/* --- whose members are whose ------------------------------------------------------------------ */

static int64_t count_members(const Reduction *job, ddr_strand_run run) {
  const ddr_strands *strands = &job->world->store->strands;
  int64_t n = 0;
  if (job->n_members == strands->n_slots) return run.count;
  for (int64_t slot = run.first; slot < run.first + run.count; slot++)
    n += ddr_strand_is(strands, slot, job->what->set);
  return n;
}

/* The number of members before those of each rank; the last entry is the number of all. */
static int64_t *count_before(const Reduction *job) {
  const int n_ranks = ddr_n_ranks(job->world);
  int64_t *before = calloc((size_t)n_ranks + 1, sizeof *before);
  ddr_ranks_memory(job->world, before);
  for (int r = 0; r < n_ranks; r++)
    before[r + 1] = before[r] + count_members(job, ddr_share_of(job->world->store, r));
  return before;
}

static int64_t first_block(int64_t member) { return (member + BLOCK - 1) / BLOCK; }

/* How many of a rank's first members belong to a block that began on an earlier rank. */
static int64_t count_head(const int64_t *before, int rank) {
  const int64_t end = first_block(before[rank]) * BLOCK;
  return (end < before[rank + 1] ? end : before[rank + 1]) - before[rank];
}

static int owner_of(const int64_t *before, int64_t block) {
  int rank = 0;
  while (before[rank + 1] <= block * BLOCK) rank++;
  return rank;
}

/* --- values on their way ---------------------------------------------------------------------- */

static bool is_extreme(ddr_reduction reduction) {
  return reduction == DDR_MIN || reduction == DDR_MAX || reduction == DDR_ALL ||
         reduction == DDR_EXISTS;
}

/* If all results are extremes, any number of values of a column can be replaced by the extremes of
 * that column, repeated at will; returns the largest number of results per column.  0: some result
 * needs all values. */
static int64_t count_extremes(const Reduction *job) {
  int64_t most = 0;
  for (uint32_t c = 0; c < job->n_columns; c++) {
    int64_t n = 0;
    for (uint32_t i = 0; i < job->what->n_results; i++) n += job->what->results[i].column == c;
    if (n > most) most = n;
  }
  for (uint32_t i = 0; i < job->what->n_results; i++)
    if (!is_extreme(job->what->results[i].reduction)) return 0;
  return most;
}

/* The number of values that are sent for n members. */
static int64_t count_sent(const Reduction *job, int64_t n) {
  const int64_t n_extremes = count_extremes(job);
  return n_extremes > 0 && n_extremes < n ? n_extremes : n;
}

static void put_element(const ddr_program *program, ddr_kind kind, ddr_partial value, void *to) {
  const float single = (float)value.re;
  const int32_t integer = (int32_t)value.integer;
  if (kind == DDR_BOOL) *(bool *)to = value.integer != 0;
  else if (kind == DDR_INT && program->int_size == 8) memcpy(to, &value.integer, sizeof(int64_t));
  else if (kind == DDR_INT) memcpy(to, &integer, sizeof integer);
  else if (program->real_size == 8) memcpy(to, &value.re, sizeof value.re);
  else memcpy(to, &single, sizeof single);
}

/* Replaces the first n values of a column by its results; the last result is repeated. */
static void put_extremes(const Reduction *job, uint32_t column, int64_t n, int64_t n_sent) {
  const ddr_program *program = job->world->program;
  const size_t size = ddr_reduction_size(job, column);
  char *values = ddr_given(job->columns, BLOCK, column);
  char *extremes = ddr_ranks_memory(job->world, malloc((size_t)n_sent * size));
  const ddr_set_result *what = job->what->results; /* every column has at least one result */
  for (int64_t at = 0, i = 0; at < n_sent; at++) {
    while (i < job->what->n_results && job->what->results[i].column != column) i++;
    if (i < job->what->n_results) what = &job->what->results[i++];
    put_element(program, what->kind, ddr_reduction_of_values(program, what, values, n),
                extremes + (size_t)at * size);
  }
  memcpy(values, extremes, (size_t)n_sent * size);
  free(extremes);
}

static size_t bytes_of_member(const Reduction *job) {
  size_t n = 0;
  for (uint32_t c = 0; c < job->n_columns; c++) n += ddr_reduction_size(job, c);
  return n;
}

/* Packs the values of this rank's first members, one column after another. */
static char *pack_head(const Reduction *job, int64_t n) {
  const ddr_store *store = job->world->store;
  const int64_t n_sent = count_sent(job, n);
  const ddr_strand_run run = ddr_share_of(store, ddr_own_rank(job->world));
  const int64_t first = ddr_next_member(&store->strands, run.first, job->what->set);
  char *bytes = ddr_ranks_memory(job->world, malloc((size_t)n_sent * bytes_of_member(job) + 1));
  char *next = bytes;
  job->what->values(job->context, &store->strands, first, n, job->columns);
  for (uint32_t c = 0; c < job->n_columns; c++) {
    const size_t n_bytes = (size_t)n_sent * ddr_reduction_size(job, c);
    if (n_sent < n) put_extremes(job, c, n, n_sent);
    memcpy(next, ddr_given(job->columns, BLOCK, c), n_bytes);
    next += n_bytes;
  }
  return bytes;
}

int64_t ddr_reduction_append_rest(const Reduction *job, char *columns) {
  int64_t at = job->own.n_last;
  for (int64_t k = 0; k < job->own.n_rest; k++) {
    const char *next = job->own.rest[k].bytes;
    const int64_t n = (int64_t)(job->own.rest[k].n_bytes / bytes_of_member(job));
    for (uint32_t c = 0; c < job->n_columns; c++) {
      const size_t size = ddr_reduction_size(job, c), n_bytes = (size_t)n * size;
      memcpy((char *)ddr_given(columns, BLOCK, c) + (size_t)at * size, next, n_bytes);
      next += n_bytes;
    }
    at += n;
  }
  return at;
}

/* Makes room for values from later ranks, as far as the last block of this rank extends. */
static void expect_rest(Reduction *job, const int64_t *before) {
  OwnBlocks *own = &job->own;
  const int n_ranks = ddr_n_ranks(job->world);
  own->rest = ddr_ranks_memory(job->world, calloc((size_t)n_ranks, sizeof *own->rest));
  for (int r = ddr_own_rank(job->world) + 1; r < n_ranks && own->begin < own->end; r++) {
    if (before[r] >= own->end * BLOCK || count_head(before, r) == 0) continue;
    const int64_t n = count_sent(job, count_head(before, r));
    const size_t n_bytes = (size_t)n * bytes_of_member(job);
    own->rest[own->n_rest++] =
        (ddr_parcel){r, n_bytes, ddr_ranks_memory(job->world, malloc(n_bytes + 1))};
  }
}

void ddr_reduction_share(Reduction *job) {
  const ddr_rank_engine *engine = job->world->ranks->engine;
  const int n_ranks = engine->n_ranks, rank = engine->rank;
  int64_t *before = count_before(job);
  OwnBlocks *own = &job->own;
  own->n_of_ranks = ddr_ranks_memory(job->world, calloc((size_t)n_ranks, sizeof *own->n_of_ranks));
  for (int r = 0; r < n_ranks; r++)
    own->n_of_ranks[r] = first_block(before[r + 1]) - first_block(before[r]);
  own->begin = first_block(before[rank]);
  own->end = first_block(before[rank + 1]);
  own->n_last = before[rank + 1] - (own->end - 1) * BLOCK;
  expect_rest(job, before);
  const int64_t n_head = count_head(before, rank);
  ddr_parcel out = {0};
  if (n_head > 0) {
    out.rank = owner_of(before, before[rank] / BLOCK);
    out.bytes = pack_head(job, n_head);
    out.n_bytes = (size_t)count_sent(job, n_head) * bytes_of_member(job);
  }
  engine->exchange(engine->link, &out, n_head > 0, own->rest, own->n_rest);
  free(out.bytes);
  free(before);
}

/* --- what blocks come to ---------------------------------------------------------------------- */

/* The parts of a partial result that reductions of the language need. */
typedef struct Sent {
  double re;
  int64_t integer;
} Sent;

void ddr_reduction_complete(Reduction *job) {
  const ddr_rank_engine *engine = job->world->ranks->engine;
  const uint32_t n = job->what->n_results;
  Sent *all = malloc((size_t)job->n_blocks * n * sizeof *all);
  ddr_ranks_memory(job->world, all);
  for (int64_t k = job->own.begin; k < job->own.end; k++) {
    for (uint32_t i = 0; i < n; i++) {
      const Result *result = &job->results[job->results[i].source];
      all[k * n + i] = (Sent){result->partials[k].re, result->partials[k].integer};
    }
  }
  engine->complete(engine->link, all, job->own.n_of_ranks, n * sizeof *all);
  for (int64_t k = 0; k < job->n_blocks; k++) {
    for (uint32_t i = 0; i < n; i++)
      job->results[i].partials[k] =
          (ddr_partial){.re = all[k * n + i].re, .integer = all[k * n + i].integer};
  }
  free(all);
}

void ddr_reduction_end(Reduction *job) {
  for (int64_t k = 0; k < job->own.n_rest; k++) free(job->own.rest[k].bytes);
  free(job->own.rest);
  free(job->own.n_of_ranks);
}
