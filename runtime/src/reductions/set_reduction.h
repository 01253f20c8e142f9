/* set_reduction.h: the data of a reduction over a set of strands while it is computed.
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
  /* The first result, perhaps this one, that combines the same values in the same way.  Only that
   * one has the following fields. */
  uint32_t source;
  ddr_partial *partials; /* of each block */
  double *kept;          /* variance: the value of every member */
} Result;

/* The blocks of members that this rank reduces: those whose first member it has.  Other ranks may
 * have members of its last block, and send their values. */
typedef struct OwnBlocks {
  int64_t begin, end;
  int64_t n_last;      /* members of the last block on this rank */
  ddr_parcel *rest;    /* values of its other members, in the order of ranks */
  int64_t n_rest;      /* parcels in `rest` */
  int64_t *n_of_ranks; /* number of blocks on each rank */
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
  char *columns; /* values of a block of members, for each worker */
  OwnBlocks own;
} Reduction;

/* Bytes of an element of a column. */
size_t ddr_reduction_size(const Reduction *job, uint32_t column);

/* The partial result of n values of a column, all of one block. */
ddr_partial ddr_reduction_of_values(const ddr_program *program, const ddr_set_result *what,
                                    const void *column, int64_t n);

/* --- columns_base.c, columns_avx2.c, columns_avx512.c ----------------------------------------- */

/* The same by one set of instructions. */
typedef ddr_partial ddr_column_function(const ddr_program *program, const ddr_set_result *what,
                                        const void *column, int64_t n);
ddr_column_function ddr_reduce_column_base, ddr_reduce_column_avx2, ddr_reduce_column_avx512;

/* --- set_reduction_apart.c -------------------------------------------------------------------- */

/* Whether each rank can reduce its own members: the order is free, and values are not needed
 * later. */
bool ddr_reduction_goes_apart(const Reduction *job);

/* Collective.  Finds the blocks of this rank, and exchanges the values of blocks whose members are
 * on several ranks. */
void ddr_reduction_share(Reduction *job);

/* Appends values from other ranks to this rank's values of the last block.  Returns the total
 * number. */
int64_t ddr_reduction_append_rest(const Reduction *job, char *columns);

/* Collective.  Gives all ranks the partial results of all blocks. */
void ddr_reduction_complete(Reduction *job);
void ddr_reduction_end(Reduction *job);
