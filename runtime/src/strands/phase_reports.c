/* phase_reports.c: what ranks tell each other when a phase has ended, so that all have the same
 * knowledge.
 *
 * The first rank receives what strands printed, and prints it in the order of their ranks.  All
 * receive the statuses, the numbers of births, the largest number of steps and the first fault.
 * States are not moved. Read next: shares.h; population.c, which continues from there. */
#include <stdlib.h>
#include <string.h>

#include "halo.h"
#include "phases.h"
#include "shares.h"

/* --- what strands said ------------------------------------------------------------------------ */

/* Precedes the text of a block in a parcel. */
typedef struct Said {
  int64_t number;
  uint64_t n_created; /* bytes printed while its strands were created in this phase */
  uint64_t n_held;
} Said;

static ddr_text texts_of(const ddr_store *store) {
  ddr_text all = {0};
  for (int64_t k = 0; k < store->n_blocks; k++) {
    const ddr_record *record = &store->records[k];
    const Said said = {k, record->n_created, record->held.n_held};
    if (said.n_held == 0) continue;
    ddr_text_append(&all, (const char *)&said, sizeof said);
    ddr_text_append(&all, record->held.chars, said.n_held);
  }
  return all;
}

/* Makes each text that of its block on this rank. */
static void take_texts(ddr_world *world, const ddr_parcel *parcel) {
  const char *at = parcel->bytes, *end = at + parcel->n_bytes;
  for (Said said; at < end; at += sizeof said + said.n_held) {
    memcpy(&said, at, sizeof said);
    ddr_record *record = &world->store->records[said.number];
    ddr_text_clear(&record->held);
    record->held.world = world;
    ddr_text_append(&record->held, at + sizeof said, said.n_held);
    record->held.n_held = said.n_held;
    record->n_created = said.n_created;
  }
}

void ddr_texts_print(const ddr_store *store) {
  bool is_good = true;
  for (int64_t k = 0; k < store->n_blocks && is_good; k++) {
    const ddr_record *record = &store->records[k];
    is_good = record->n_created == 0 || ddr_text_print(&record->held, 0, record->n_created);
  }
  for (int64_t k = 0; k < store->n_blocks && is_good; k++) {
    const ddr_record *record = &store->records[k];
    const size_t n_held = record->held.n_held;
    is_good = n_held == 0 || ddr_text_print(&record->held, record->n_created, n_held);
  }
}

void ddr_texts_forget(const ddr_store *store) {
  for (int64_t k = 0; k < store->n_blocks; k++) {
    ddr_text_clear(&store->records[k].held);
    store->records[k].n_created = 0;
  }
}

static void tell_texts(ddr_world *world) {
  const ddr_store *store = world->store;
  ddr_text own = {0};
  ddr_parcel *in = ddr_ranks_memory(world, calloc((size_t)ddr_n_ranks(world), sizeof *in));
  if (!ddr_is_first_rank(world)) own = texts_of(store);
  if (own.is_short) ddr_ranks_give_up(world);
  ddr_ranks_collect(world, (ddr_parcel){0, own.len, own.chars}, in);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    if (in[r].n_bytes > 0) take_texts(world, &in[r]);
    free(in[r].bytes);
  }
  if (ddr_is_first_rank(world)) ddr_texts_print(store);
  ddr_texts_forget(store);
  ddr_text_clear(&own);
  free(in);
}

static bool has_texts(const ddr_store *store) {
  bool has = false;
  for (int64_t k = 0; k < store->n_blocks; k++) has |= store->records[k].held.n_held > 0;
  return has;
}

/* --- what has changed ------------------------------------------------------------------------- */

/* From one rank to all others, after every phase; details follow only if there are some. */
typedef struct Report {
  int64_t n_born;
  int64_t n_bytes; /* bytes of details: the fault, if any, and changed statuses */
  uint32_t n_steps;
  ddr_news news;
  bool has_fault, has_texts, has_failed, is_stopped;
  bool is_short; /* the rank needs more rows during the phase; the other fields are not set */
} Report;

static Report report_of(ddr_world *world) {
  const ddr_store *store = world->store;
  Report report;
  memset(&report, 0, sizeof report);
  report.n_born = ddr_births_waiting(store);
  report.has_fault = store->fault.kind != FAULT_NONE;
  report.n_steps = ddr_most_steps(store);
  report.has_texts = has_texts(store);
  report.has_failed = ddr_any_errors(world);
  report.news = ddr_exchange_foresee(world);
  report.is_stopped = ddr_is_stopped(&world->is_stopped);
  return report;
}

static void take_reports(ddr_world *world, const Report *all) {
  ddr_store *store = world->store;
  uint32_t most = 0;
  world->ranks->is_stopped = false;
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    world->ranks->is_stopped |= all[r].is_stopped;
    store->news.is_stale |= all[r].news.is_stale;
    store->news.has_moved |= all[r].news.has_moved;
    store->n_born_at[r] = all[r].n_born;
    if (all[r].n_steps > most) most = all[r].n_steps;
  }
  for (int64_t k = 0; k < store->n_blocks; k++) store->records[k].n_steps = k == 0 ? most : 0;
}

/* What is known of fleeting strands when they are gone. */
typedef struct Count {
  uint32_t n_running, n_dead;
} Count;

static void tell_counts(ddr_world *world) {
  const ddr_store *store = world->store;
  const size_t n = (size_t)store->n_blocks;
  Count *counts = ddr_ranks_memory(world, calloc(n + 1, sizeof *counts));
  for (size_t k = 0; k < n; k++)
    counts[k] = (Count){store->records[k].n_running, store->records[k].n_dead};
  ddr_shares_complete_blocks(world, counts, sizeof *counts);
  for (size_t k = 0; k < n; k++) {
    store->records[k].n_running = counts[k].n_running;
    store->records[k].n_dead = counts[k].n_dead;
  }
  free(counts);
}

/* What others have told of strands that do not have one owner each, in the order of ranks. */
static void complete_statuses(ddr_world *world) {
  if (world->store->fleeting_bytes > 0) tell_counts(world);
  else ddr_shares_complete(world, world->store->strands.status, 1);
}

static void count_all(ddr_store *store) {
  int64_t n_running = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    if (store->fleeting_bytes == 0) ddr_block_count(store, k);
    n_running += store->records[k].n_running;
  }
  atomic_store(&store->n_running, n_running);
}

/* --- details ---------------------------------------------------------------------------------- */

/* A changed status in a run of strands. */
typedef struct Change {
  uint32_t at;
  uint8_t status;
} Change;
enum { CHANGE_SIZE = sizeof(uint32_t) + 1 };

static void put_changes(const ddr_store *store, ddr_strand_run run, ddr_text *details) {
  const uint8_t *now = store->strands.status + run.first;
  for (int64_t k = 0; k < run.count; k++) {
    const Change change = {(uint32_t)k, now[k]};
    if (now[k] == store->told[k]) continue;
    ddr_text_append(details, (const char *)&change.at, sizeof change.at);
    ddr_text_append(details, (const char *)&change.status, 1);
  }
}

/* If many statuses have changed, all are sent; usually none has. */
static void put_statuses(const ddr_store *store, ddr_strand_run run, ddr_text *details) {
  const uint8_t *now = store->strands.status + run.first;
  int64_t n = 0;
  if (memcmp(now, store->told, (size_t)run.count) == 0) return;
  for (int64_t k = 0; k < run.count; k++) n += now[k] != store->told[k];
  if (n * CHANGE_SIZE < run.count) put_changes(store, run, details);
  else ddr_text_append(details, (const char *)now, (size_t)run.count);
}

static void take_statuses(ddr_store *store, ddr_strand_run run, const char *bytes, size_t n_bytes) {
  uint8_t *status = store->strands.status + run.first;
  if ((int64_t)n_bytes == run.count) {
    memcpy(status, bytes, n_bytes);
    return;
  }
  for (const char *end = bytes + n_bytes; bytes < end; bytes += CHANGE_SIZE) {
    Change change;
    memcpy(&change.at, bytes, sizeof change.at);
    memcpy(&change.status, bytes + sizeof change.at, 1);
    status[change.at] = change.status;
  }
}

static ddr_text details_of(const ddr_world *world, bool has_statuses) {
  const ddr_store *store = world->store;
  ddr_text details = {0};
  if (store->fault.kind != FAULT_NONE)
    ddr_text_append(&details, (const char *)&store->fault, sizeof store->fault);
  if (has_statuses) put_statuses(store, ddr_share_of(store, ddr_own_rank(world)), &details);
  if (details.is_short) ddr_ranks_give_up(world);
  return details;
}

static void take_details(ddr_world *world, const Report *report, int rank, const char *bytes) {
  ddr_store *store = world->store;
  size_t n_bytes = (size_t)report->n_bytes;
  if (report->has_fault) {
    ddr_fault fault;
    memcpy(&fault, bytes, sizeof fault);
    bytes += sizeof fault;
    n_bytes -= sizeof fault;
    if (store->fault.kind == FAULT_NONE || fault.slot < store->fault.slot) store->fault = fault;
  }
  if (n_bytes > 0) take_statuses(store, ddr_share_of(store, rank), bytes, n_bytes);
}

/* Usually no rank has details. */
static void tell_details(ddr_world *world, const ddr_text *own, const Report *all) {
  const ddr_rank_engine *engine = world->ranks->engine;
  int64_t *n = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *n)), n_all = 0;
  for (int r = 0; r < engine->n_ranks; n_all += n[r++]) n[r] = all[r].n_bytes;
  if (n_all > 0) {
    char *bytes = ddr_ranks_memory(world, malloc((size_t)n_all)), *next = bytes;
    for (int r = 0; r < engine->rank; r++) next += n[r];
    if (own->len > 0) memcpy(next, own->chars, own->len);
    engine->complete(engine->link, bytes, n, 1);
    next = bytes;
    for (int r = 0; r < engine->n_ranks; next += n[r++])
      if (r != engine->rank) take_details(world, &all[r], r, next);
    free(bytes);
  }
  free(n);
}

/* --- a phase ---------------------------------------------------------------------------------- */

/* Collective.  Whether some rank needs more rows from others before it can continue. */
static bool share_reports(const ddr_world *world, const Report *own, Report *all) {
  const ddr_rank_engine *engine = world->ranks->engine;
  bool any_short = false;
  engine->share(engine->link, own, sizeof *own, all);
  for (int r = 0; r < engine->n_ranks; r++) any_short |= all[r].is_short;
  return any_short;
}

void ddr_phase_widen(ddr_world *world, const ddr_region *wanted, double reach) {
  Report own, *all = ddr_ranks_memory(world, calloc((size_t)ddr_n_ranks(world), sizeof *all));
  memset(&own, 0, sizeof own);
  own.is_short = true;
  share_reports(world, &own, all);
  ddr_halo_widen(world, wanted, reach);
  free(all);
}

void ddr_phase_begin_together(ddr_world *world) {
  ddr_store *store = world->store;
  store->states_place = STATES_OWN;
  if (!ddr_is_shared_out(world) || store->is_late) return; /* blocks that are claimed are new */
  const ddr_strand_run run = ddr_share_of(store, ddr_own_rank(world));
  uint8_t *told = realloc(store->told, (size_t)run.count + 1);
  store->told = ddr_ranks_memory(world, told);
  memcpy(told, store->strands.status + run.first, (size_t)run.count);
}

void ddr_phase_end_together(ddr_world *world, bool was_first_come) {
  const ddr_rank_engine *engine = world->ranks->engine;
  ddr_store *store = world->store;
  if (!ddr_is_shared_out(world)) return;
  const bool is_in_order = !was_first_come && ddr_shares_are_in_order(store);
  ddr_text details = details_of(world, is_in_order);
  Report own = report_of(world);
  own.n_bytes = (int64_t)details.len;
  Report *all = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *all));
  while (share_reports(world, &own, all)) ddr_halo_widen(world, NULL, 0);
  if (was_first_come) ddr_claims_share(world);
  tell_details(world, &details, all);
  if (!is_in_order) complete_statuses(world);
  ddr_text_clear(&details);
  bool any_texts = false, any_failed = false;
  for (int r = 0; r < engine->n_ranks; r++) {
    any_texts |= all[r].has_texts;
    any_failed |= all[r].has_failed;
  }
  if (any_texts) tell_texts(world);
  take_reports(world, all);
  count_all(store);
  if (any_texts || any_failed) ddr_ranks_agree(world); /* printing may fail, too */
  free(all);
}
