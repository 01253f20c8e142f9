/* trace.h: one strand is followed, and what it did is told.
 *
 * A world that is traced runs with one worker. Read next: strand.c, record.c; run/traced.c.
 */
#pragma once

#include "ddr/trace.h"
#include "runtime/src/world/world.h"

enum { DDR_TRACE_LIMIT = 100000 }; /* default number of records */

typedef enum ddr_trace_end { TRACE_RUNS, TRACE_STABLE, TRACE_DIED } ddr_trace_end;

/* What is known of the strand. */
typedef struct ddr_trace_state {
  int64_t birth; /* its number among all that were ever born, from 0 */
  int64_t slot;  /* where it is now; -1: nowhere */
  bool is_born;
  ddr_trace_end end;
  uint64_t n_kept, n_left_out; /* records */
} ddr_trace_state;

/* From now on the world is traced, until it is freed. `strand` is "120,80", the index in a grid,
 * fastest axis first, or "#17", the number of its birth, both from 0. Errors: a program that was
 * made without --trace, another text. */
ddr_status ddr_trace_open(ddr_world *world, const char *strand, uint64_t limit);
void ddr_trace_free(ddr_trace *trace); /* NULL is allowed */
ddr_trace_state ddr_trace_look(const ddr_trace *trace);

/* The initial strands are known. Errors: an index outside the grid, or of another number of axes;
 * an index where there is no grid. */
ddr_status ddr_trace_find(ddr_world *world, const ddr_strands *strands);

/* --- for rooms that run code; all of them do nothing where nobody traces ---------------------- */

void ddr_trace_superstep(ddr_world *world, uint32_t number);      /* begins, from 1 on */
void ddr_trace_global(ddr_world *world, ddr_trace_method method); /* this global code runs */
void ddr_trace_leave(void);                                       /* no code runs */

/* Before the dead leave the store; and n more join it, from slot `first` on. */
void ddr_trace_deaths(ddr_world *world, const ddr_strands *strands);
void ddr_trace_births(ddr_world *world, int64_t first, int64_t n);

/* The status of the strand where it is. */
void ddr_trace_settle(ddr_world *world, const ddr_strands *strands);

/* --- what is told ----------------------------------------------------------------------------- */

/* The text is complete, or short; then it may be empty. */
void ddr_trace_list(ddr_world *world, ddr_text *text);
void ddr_trace_json(ddr_world *world, ddr_text *text);
