/* trace.h: traces one strand: records what it computes, and shows the records.
 *
 * A world that is traced runs with one worker. Read next: strand.c, record.c; run/traced.c.
 */
#pragma once

#include "ddr/trace.h"
#include "runtime/src/world/world.h"

enum { DDR_TRACE_LIMIT = 100000 }; /* default number of records */

typedef enum ddr_trace_end { TRACE_RUNS, TRACE_STABLE, TRACE_DIED } ddr_trace_end;

/* The state of the traced strand. */
typedef struct ddr_trace_state {
  int64_t birth; /* its number among all strands ever born, from 0 */
  int64_t slot;  /* its present slot; -1: none */
  bool is_born;
  ddr_trace_end end;
  uint64_t n_kept, n_left_out; /* numbers of records */
} ddr_trace_state;

/* From now on the world is traced, until it is freed. `strand` is "120,80", indices in a grid,
 * fastest axis first, or "#17", the number of its birth, both from 0. Errors: a program that was
 * compiled without --trace; `strand` is something else. */
ddr_status ddr_trace_open(ddr_world *world, const char *strand, uint64_t limit);
void ddr_trace_free(ddr_trace *trace); /* NULL is allowed */
ddr_trace_state ddr_trace_look(const ddr_trace *trace);

/* Called once the initial strands are known. Errors: indices outside the grid, or the wrong number
 * of indices; indices without a grid. */
ddr_status ddr_trace_find(ddr_world *world, const ddr_strands *strands);

/* --- for rooms that run code; all of them do nothing where nobody traces ---------------------- */

/* A superstep begins; from 1 on. */
void ddr_trace_superstep(ddr_world *world, uint32_t number);
void ddr_trace_global(ddr_world *world, ddr_trace_method method); /* global code begins */
void ddr_trace_leave(void);                                       /* no traced code runs */

/* Called before the dead leave the store; and before n strands join it, from slot `first` on. */
void ddr_trace_deaths(ddr_world *world, const ddr_strands *strands);
void ddr_trace_births(ddr_world *world, int64_t first, int64_t n);

/* Updates the status of the strand. */
void ddr_trace_settle(ddr_world *world, const ddr_strands *strands);

/* --- what is told ----------------------------------------------------------------------------- */

/* On return the text is complete, or is_short is set and it may be empty. */
void ddr_trace_list(ddr_world *world, ddr_text *text);
void ddr_trace_json(ddr_world *world, ddr_text *text);
