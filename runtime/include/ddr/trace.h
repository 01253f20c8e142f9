/* trace.h: records of one strand in a program made with --trace: the values that each line of the
 * source computed, in the order of execution.
 *
 * Generated code calls these functions everywhere; records are kept only while the traced strand or
 * global code runs (runtime/src/trace).
 */
#pragma once

#include "ddr/program.h"
#include "ddr/seq.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

typedef enum ddr_trace_kind {
#define TRACE(id, text) DDR_TRACE_##id,
#include "ddr/trace.def"
} ddr_trace_kind;

/* A place of the source. */
typedef struct ddr_trace_site {
  ddr_trace_kind kind;
  const char *name;   /* of a variable or function, or the text of an expression */
  const char *values; /* types of the values: r i b s for real, int, bool, string; "3:r" for three
                       * reals, "*:r" for as many as the int before; separated by spaces */
  const char *type;   /* of the variable, as the language spells it; or NULL */
  uint32_t line, column, end_line, end_column; /* from 1; the end is the place after it */
} ddr_trace_site;

typedef struct ddr_trace_table {
  uint32_t n_sites;
  const ddr_trace_site *sites;
  uint32_t n_lines;
  const char *const *text; /* of each line, without its end */
  const char *strand;      /* the name of the strand's type */
} ddr_trace_table;

/* The method that runs, in the order of a strand's life. */
typedef enum ddr_trace_method {
  DDR_TRACE_GLOBALS,
  DDR_TRACE_GLOBAL_START,
  DDR_TRACE_CREATE,
  DDR_TRACE_START,
  DDR_TRACE_UPDATE,
  DDR_TRACE_STABILIZE,
  DDR_TRACE_GLOBAL_UPDATE
} ddr_trace_method;

typedef struct ddr_trace ddr_trace;

extern _Thread_local ddr_trace *ddr_trace_here; /* NULL: the code that runs is not traced */

/* Begins a record, whose values follow.  False: it is not recorded, and no values follow. */
bool ddr_trace_begin(uint32_t site);
void ddr_trace_float(float value);
void ddr_trace_double(double value);
void ddr_trace_int(int64_t value);
void ddr_trace_bool(bool value);
void ddr_trace_string(const char *value);
void ddr_trace_seq(ddr_seq seq, const char *pattern); /* of C types, as for ddr_put_seq */

static inline bool ddr_trace_at(uint32_t site) { return ddr_trace_here && ddr_trace_begin(site); }

/* Called in block functions: the code that follows is executed for the strand in this slot. */
void ddr_trace_strand(const ddr_block *block, int64_t slot);

/* Begins the records of a method. */
void ddr_trace_begin_method(ddr_trace_method method);

static inline void ddr_trace_enter(ddr_trace_method method) {
  if (ddr_trace_here) ddr_trace_begin_method(method);
}

/* Between these two calls, code is executed for a strand that is being created. */
void ddr_trace_birth(const ddr_block *block);
void ddr_trace_born(const ddr_block *block);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
