/* record.c: keeps the values that generated code reports, up to a limit.
 *
 * Read next: strand.c, which decides whose code is traced; show.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/sequences.h"

_Thread_local ddr_trace *ddr_trace_here;

enum { MOST_ELEMENTS = 1000 }; /* of a sequence */

#if defined(DDR_SMALL_SIZES)
enum { FIRST_ROOM = 1 };
#else
enum { FIRST_ROOM = 256 };
#endif

/* Makes room for one more item; false: memory is short. */
static bool make_room(ddr_trace *trace, void **items, size_t size, size_t n, size_t *room) {
  if (n < *room) return true;
  const size_t wanted = *room > 0 ? 2 * *room : FIRST_ROOM;
  void *more = wanted > SIZE_MAX / size ? NULL : realloc(*items, wanted * size);
  if (!more) {
    trace->is_short = true;
    return false;
  }
  *items = more;
  *room = wanted;
  return true;
}

/* --- records ---------------------------------------------------------------------------------- */

static void count_calls(ddr_trace *trace, ddr_trace_kind kind) {
  if (kind == DDR_TRACE_CALL) trace->depth++;
  if (kind == DDR_TRACE_RETURN && trace->depth > 0) trace->depth--;
}

bool ddr_trace_begin(uint32_t site) {
  ddr_trace *trace = ddr_trace_here;
  void *records = trace->records;
  const uint32_t depth = trace->depth;
  count_calls(trace, trace->table->sites[site].kind);
  const bool is_kept =
      trace->n_records < trace->limit && !trace->is_short &&
      make_room(trace, &records, sizeof *trace->records, trace->n_records, &trace->records_room);
  trace->records = records;
  if (!is_kept) {
    trace->state.n_left_out++;
    return false;
  }
  trace->records[trace->n_records++] =
      (ddr_trace_record){.site = site, .depth = depth, .first = trace->n_values};
  trace->state.n_kept = trace->n_records;
  return true;
}

static void push(ddr_trace_value value) {
  ddr_trace *trace = ddr_trace_here;
  void *values = trace->values;
  const bool has_room =
      make_room(trace, &values, sizeof *trace->values, trace->n_values, &trace->values_room);
  trace->values = values;
  if (!has_room) return;
  trace->values[trace->n_values++] = value;
  trace->records[trace->n_records - 1].n++;
}

void ddr_trace_double(double value) { push((ddr_trace_value){VALUE_REAL, {.real = value}}); }
void ddr_trace_float(float value) { ddr_trace_double((double)value); }
void ddr_trace_int(int64_t value) { push((ddr_trace_value){VALUE_INT, {.i = value}}); }
void ddr_trace_bool(bool value) { push((ddr_trace_value){VALUE_BOOL, {.i = value}}); }
void ddr_trace_string(const char *value) {
  push((ddr_trace_value){VALUE_STRING, {.string = value}});
}

static void take(ddr_scalar scalar) {
  switch (scalar.kind) {
  case SCALAR_BOOL: ddr_trace_bool(scalar.of.i != 0); break;
  case SCALAR_INT: ddr_trace_int(scalar.of.i); break;
  case SCALAR_FLOAT: ddr_trace_float(scalar.of.f); break;
  case SCALAR_DOUBLE: ddr_trace_double(scalar.of.d); break;
  case SCALAR_STRING: ddr_trace_string(scalar.of.s); break;
  case SCALAR_NONE: break; /* brackets */
  }
}

void ddr_trace_seq(ddr_seq seq, const char *pattern) {
  const char *src = seq.buffer ? (const char *)(seq.buffer + 1) + seq.buffer->away : NULL;
  const bool is_cut = seq.length > MOST_ELEMENTS;
  const int64_t n = is_cut ? MOST_ELEMENTS : seq.length;
  ddr_trace *trace = ddr_trace_here;
  if (is_cut) trace->records[trace->n_records - 1].is_cut = true;
  ddr_trace_int(n);
  for (int64_t k = 0; k < n; k++)
    for (const char *letter = pattern; *letter; letter++) take(ddr_scalar_read(*letter, &src));
}

/* --- methods ---------------------------------------------------------------------------------- */

/* A strand starts and updates in the superstep after the one in which it was born. */
static uint32_t superstep_of(ddr_trace *trace, ddr_trace_method method) {
  switch (method) {
  case DDR_TRACE_GLOBALS:
  case DDR_TRACE_GLOBAL_START: return 0;
  case DDR_TRACE_GLOBAL_UPDATE: return trace->superstep;
  case DDR_TRACE_CREATE: return trace->birth_step;
  case DDR_TRACE_START: return trace->now = trace->birth_step + 1;
  case DDR_TRACE_UPDATE: return trace->now = trace->birth_step + ++trace->n_updates;
  case DDR_TRACE_STABILIZE: return trace->now > trace->superstep ? trace->now : trace->superstep;
  }
  return 0;
}

void ddr_trace_begin_method(ddr_trace_method method) {
  ddr_trace *trace = ddr_trace_here;
  void *parts = trace->parts;
  const ddr_trace_part part = {
      .method = method, .superstep = superstep_of(trace, method), .first = trace->n_records};
  const bool has_room = make_room(trace, &parts, sizeof part, trace->n_parts, &trace->parts_room);
  trace->parts = parts;
  trace->depth = 0;
  if (!has_room) return;
  if (trace->n_parts > 0 && trace->parts[trace->n_parts - 1].first == part.first)
    trace->n_parts--; /* the last part has no records */
  trace->parts[trace->n_parts++] = part;
}

size_t ddr_trace_part_end(const ddr_trace *trace, size_t part) {
  return part + 1 < trace->n_parts ? trace->parts[part + 1].first : trace->n_records;
}

const char *ddr_trace_method_name(ddr_trace_method method) {
  static const char *const names[] = {
      [DDR_TRACE_GLOBALS] = "globals",
      [DDR_TRACE_GLOBAL_START] = "global start",
      [DDR_TRACE_CREATE] = "create",
      [DDR_TRACE_START] = "start",
      [DDR_TRACE_UPDATE] = "update",
      [DDR_TRACE_STABILIZE] = "stabilize",
      [DDR_TRACE_GLOBAL_UPDATE] = "global update",
  };
  return names[method];
}
