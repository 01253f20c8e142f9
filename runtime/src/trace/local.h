/* local.h: what the files of this folder share.
 *
 * Read next: record.c.
 */
#pragma once

#include "trace.h"

typedef struct ddr_trace_value {
  enum { VALUE_REAL, VALUE_INT, VALUE_BOOL, VALUE_STRING } kind;
  union {
    double real;
    int64_t i; /* and bool */
    const char *string;
  } of;
} ddr_trace_value;

typedef struct ddr_trace_record {
  uint32_t site, depth;
  size_t first, n; /* values */
  bool is_cut;
} ddr_trace_record;

/* The records of one call of a method: from `first` to that of the next part. */
typedef struct ddr_trace_part {
  ddr_trace_method method;
  uint32_t superstep;
  size_t first;
} ddr_trace_part;

struct ddr_trace {
  const ddr_program *program;
  const ddr_trace_table *table;
  ddr_trace_state state;
  uint32_t n_axes; /* number of indices that were given; 0: a number of birth was given */
  int64_t index[DDR_MAX_ITERATORS];
  int64_t n_born;      /* in all supersteps before this one */
  int64_t n_born_now;  /* in this superstep so far */
  bool is_creator;     /* the strand is executing `new` */
  uint32_t superstep;  /* the current superstep, if all strands run in step; 0: none yet */
  uint32_t birth_step; /* in which the strand was created */
  uint32_t now;        /* superstep of its last method */
  uint32_t n_updates;
  uint32_t depth; /* nesting of calls */
  uint64_t limit;
  bool is_short; /* memory ran out: nothing more is kept */
  ddr_trace_record *records;
  ddr_trace_value *values;
  ddr_trace_part *parts;
  size_t n_records, n_values, n_parts;
  size_t records_room, values_room, parts_room;
};

/* The end of a part's records: the first record of the next part. */
size_t ddr_trace_part_end(const ddr_trace *trace, size_t part);
const char *ddr_trace_method_name(ddr_trace_method method);

/* show.c: shows the values of a record one after another. */
typedef enum ddr_trace_style { STYLE_TEXT, STYLE_JSON } ddr_trace_style;

typedef struct ddr_trace_cursor {
  const ddr_trace *trace;
  const ddr_trace_value *value;
  const char *pattern;
  ddr_trace_style style;
} ddr_trace_cursor;

ddr_trace_cursor ddr_trace_values(const ddr_trace *trace, const ddr_trace_record *record,
                                  ddr_trace_style style);
bool ddr_trace_has_value(const ddr_trace_cursor *cursor);
void ddr_trace_show(ddr_trace_cursor *cursor, ddr_text *text);
