/* halo.h: the halo of a rank: the rows of `before` of other ranks' strands that its own strands may
 * ask for.
 *
 * A rank predicts what its queries will need: a region around its running strands, as large as the
 * queries of the last superstep, or boxes around pieces of its share.  Rows of others in that
 * region are sent to it when a superstep ends.  A query that needs more waits during the phase
 * until the missing rows have come.  So results of queries do not depend on the prediction.
 * Read next: halo.c (regions), survey.h (where strands are), rows.c (what is sent),
 * phase_reports.c; space/partial_index.c, which asks for more.
 */
#pragma once

#include "survey.h"

/* The slots whose rows one rank has sent to another, in the order of sending. */
typedef struct ddr_rows {
  ddr_strand_run *runs;
  int64_t n_runs, capacity;
  int64_t first; /* runs[first] and the following are sent now, earlier ones were sent before */
} ddr_rows;

/* What a rank asks for: rows in the region; if has_pieces, only those in one of the boxes too,
 * which are much smaller. */
typedef struct ddr_asked {
  ddr_region region;
  bool has_pieces;
  ddr_region pieces[DDR_PIECES];
} ddr_asked;

/* What a rank knows of another rank, or of itself. */
typedef struct ddr_peer {
  ddr_region box;      /* around all its strands with finite positions */
  ddr_asked now, last; /* what it asks for, and what it asked for before */
  bool is_asking;      /* in the present exchange */
  ddr_rows sent, got;  /* to it, from it */
  uint32_t n_out[2], n_in[2];
  ddr_text out;
  char *in;
} ddr_peer;

struct ddr_halo {
  ddr_region own; /* around own strands that run */
  ddr_asked here; /* where this rank has the rows of all strands */
  double reach;   /* how far `here` extends beyond `own`; first a guess */
  double asked;   /* the longest in the last superstep that had queries; 0: none yet */
  double slack;   /* fraction that is added to it; grows when predictions were too small */
  bool was_short; /* the prediction was too small in this superstep */
  bool is_whole;  /* all ranks have all rows */
  int n_uncut;    /* supersteps for which that stays so */
  ddr_peer *peers;
  uint64_t *is_here; /* bit s % 64 of word s / 64: this rank has the row of slot s */
  int64_t n_words;
};

/* Whether queries read `before`, and every rank has only a part of it. */
bool ddr_has_halo(const ddr_world *world);

/* Collective.  Sends own rows, which are up to date in `before`, to the ranks that need them. */
void ddr_halo_exchange(ddr_world *world);

/* Collective, during a phase or at its end.  Extends the region of this rank by `wanted`, for
 * strands that asked up to `reach` from their positions; NULL: this rank needs nothing. */
void ddr_halo_widen(ddr_world *world, const ddr_region *wanted, double reach);

void ddr_halo_free(ddr_store *store);

/* The next run of slots, from `slot` on, whose rows this rank has; an empty one behind the last
 * slot. */
ddr_strand_run ddr_halo_next(const ddr_store *store, int64_t slot);

/* Notes that this rank has the rows of a run. */
void ddr_halo_add(ddr_halo *halo, ddr_strand_run run);

/* --- regions ---------------------------------------------------------------------------------- */

/* How far from their positions strands have asked since the last call.  Not during a phase. */
double ddr_take_reach(const ddr_world *world);

/* Whether `here` covers a box, so that a query in it finds everything. */
bool ddr_asked_covers(const ddr_asked *here, const ddr_region *box, int dim);

/* --- rows.c ----------------------------------------------------------------------------------- */

/* Collective.  Sends the rows in the region of each rank that asks, except those in its last one.
 */
void ddr_rows_send(ddr_world *world);

/* Collective.  Sends again the rows that were sent before, with their new contents. */
void ddr_rows_repeat(ddr_world *world);

void ddr_rows_forget(ddr_rows *rows);
