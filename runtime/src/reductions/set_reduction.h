/* set_reduction.h: a reduction over a set of strands under way, for the files that do it.
 *
 * Read next: set_reduction.c; set_reduction_apart.c (members with several ranks).
 */
#pragma once

#include "ddr/ranks.h"
#include "ddr/reduce.h"
#include "runtime/reduce/partial.h"
#include "runtime/src/strands/store.h"

/* One of the results. */
typedef struct Result {
  const ddr_set_result *what;
  uint32_t source;       /* the first that combines the same values so, perhaps itself; it has */
  ddr_partial *partials; /* of each block */
  double *kept;          /* variance: the value of every member */
} Result;

/* The blocks that are reduced here: those whose first member is.  Members of the last one may be
 * with other ranks, which send what they give. */
typedef struct OwnBlocks {
  int64_t begin, end;
  int64_t n_last;      /* own members of the last block */
  ddr_parcel *rest;    /* what others give for it, in their order */
  int64_t n_rest;      /* parcels */
  int64_t *n_of_ranks; /* blocks of each */
} OwnBlocks;

typedef struct Reduction {
  ddr_world *world;
  const ddr_set_reduction *what;
  const void *context;
  int64_t n_members, n_blocks;
  uint32_t n_columns;
  int64_t *first; /* slot of each block's first member */
  Result *results;
  ddr_partial *partials;
  double *kept;
  char *columns; /* of a block of members, for each worker */
  OwnBlocks own;
} Reduction;

/* Bytes of an element of a column. */
size_t ddr_reduction_size(const Reduction *job, uint32_t column);

/* What n values of a column, of one block, come to. */
ddr_partial ddr_reduction_of_values(const ddr_program *program, const ddr_set_result *what,
                                    const void *column, int64_t n);

/* --- set_reduction_apart.c -------------------------------------------------------------------- */

/* Whether each rank may reduce its own: members in any order, values that nobody needs again. */
bool ddr_reduction_goes_apart(const Reduction *job);

/* Collective.  Which blocks are own; what their last one lacks has come, what others lack is sent.
 */
void ddr_reduction_share(Reduction *job);

/* Puts what others gave behind the own values of the last block.  Returns how many these are
 * together. */
int64_t ddr_reduction_append_rest(const Reduction *job, char *columns);

/* Collective.  All ranks have the partial results of all blocks. */
void ddr_reduction_complete(Reduction *job);
void ddr_reduction_end(Reduction *job);
