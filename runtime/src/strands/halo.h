/* halo.h: where several ranks share strands out: of others each has the rows of `before` that its
 * own strands may ask for.
 *
 * The region of a rank is around its strands that run, as far as these asked in the superstep
 * before, which may be boxes around pieces of its share; what others have in it is sent there when
 * a superstep ends.  Whoever asks for more waits until it has come, amid the phase: so what queries
 * give does not depend on what was foreseen. Read next: halo.c (regions), survey.h
 * (around which strands), rows.c (what is sent), together.c; space/part.c, which asks.
 */
#pragma once

#include "survey.h"

/* Slots whose rows one rank has from another, in the order in which they came. */
typedef struct ddr_rows {
  ddr_strand_run *runs;
  int64_t n_runs, capacity;
  int64_t first; /* run of those that come now; earlier ones came before */
} ddr_rows;

/* What a rank asks for: what is in the region, and in one of the boxes, if these are much less. */
typedef struct ddr_asked {
  ddr_region region;
  bool has_pieces;
  ddr_region pieces[DDR_PIECES];
} ddr_asked;

/* What a rank knows of one, or of itself. */
typedef struct ddr_peer {
  ddr_region box;      /* around all its strands that are somewhere */
  ddr_asked now, last; /* and what it has asked for before */
  bool is_asking;      /* just now */
  ddr_rows sent, got;  /* to it, from it */
  uint32_t n_out[2], n_in[2];
  ddr_text out;
  char *in;
} ddr_peer;

struct ddr_halo {
  ddr_region own; /* around own strands that run */
  ddr_asked here; /* all rows of strands in it are here */
  double reach;   /* so far it is around `own`; 0: nobody has asked yet */
  double asked;   /* how far strands asked in the last superstep in which they did */
  double slack;   /* such a part of it is added, since it has not been enough */
  bool was_short; /* it was not, in this superstep */
  bool is_whole;  /* all rows are everywhere */
  int n_uncut;    /* so often pieces are not tried again */
  ddr_peer *peers;
  uint64_t *is_here; /* bit s % 64 of word s / 64: the row of slot s is */
  int64_t n_words;
};

/* The program's queries read a second column of which every rank has a part. */
bool ddr_has_halo(const ddr_world *world);

/* Common.  Own rows have been published; those that others need go to them. */
void ddr_halo_exchange(ddr_world *world);

/* Common, amid a phase or at its end: the region covers what is wanted, too, by strands that asked
 * so far from their places; NULL: nothing is. */
void ddr_halo_widen(ddr_world *world, const ddr_region *wanted, double reach);

void ddr_halo_free(ddr_store *store);

/* The next slots from this one on whose rows are here, none of them behind the last slot. */
ddr_strand_run ddr_halo_next(const ddr_store *store, int64_t slot);

/* The rows of these are here. */
void ddr_halo_add(ddr_halo *halo, ddr_strand_run run);

/* --- regions ---------------------------------------------------------------------------------- */

/* How far from their places strands have asked since the last look; all workers rest. */
double ddr_take_reach(const ddr_world *world);

/* Whether all rows are here that a query may find in a box. */
bool ddr_asked_covers(const ddr_asked *here, const ddr_region *box, int dim);

/* --- rows.c ----------------------------------------------------------------------------------- */

/* Common.  To whoever asks: rows in its region that were not in the last one. */
void ddr_rows_send(ddr_world *world);

/* Common.  The rows again that were sent before. */
void ddr_rows_repeat(ddr_world *world);

void ddr_rows_forget(ddr_rows *rows);
