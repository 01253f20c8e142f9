/* json.c: a trace as JSON, in the format of doc/trace.md.
 *
 * Read next: show.c.
 */
#include "local.h"

static const char *const kind_names[] = {
#define TRACE(id, text) text,
#include "ddr/trace.def"
};

static const char *const end_names[] = {
    [TRACE_RUNS] = "active", [TRACE_STABLE] = "stable", [TRACE_DIED] = "died"};

/* Puts ,"name":  Names need no escaping. */
static void member(ddr_text *text, const char *name) {
  ddr_put_string(text, ",\"");
  ddr_put_string(text, name);
  ddr_put_string(text, "\":");
}

static void int_member(ddr_text *text, const char *name, uint64_t value) {
  member(text, name);
  ddr_put_int(text, (int64_t)value);
}

static void string_member(ddr_text *text, const char *name, const char *value) {
  member(text, name);
  ddr_text_json(text, value);
}

/* --- head ------------------------------------------------------------------------------------- */

static void put_head(const ddr_trace *trace, ddr_text *text) {
  ddr_put_string(text, "{\"format\":\"diderot-trace\",\"version\":1");
  string_member(text, "program", trace->program->name);
  ddr_put_string(text, ",\n\"strand\":{\"name\":");
  ddr_text_json(text, trace->table->strand);
  member(text, "index");
  ddr_put_string(text, trace->n_axes > 0 ? "[" : "null");
  for (uint32_t k = 0; k < trace->n_axes; k++) {
    if (k > 0) ddr_put_string(text, ",");
    ddr_put_int(text, trace->index[k]);
  }
  if (trace->n_axes > 0) ddr_put_string(text, "]");
  int_member(text, "birth", (uint64_t)trace->state.birth);
  ddr_put_string(text, "},\n\"end\":{\"how\":");
  ddr_text_json(text, end_names[trace->state.end]);
  int_member(text, "superstep", trace->now > trace->superstep ? trace->now : trace->superstep);
  ddr_put_string(text, "},\n\"records\":{\"kept\":");
  ddr_put_int(text, (int64_t)trace->n_records);
  int_member(text, "left_out", trace->state.n_left_out);
  ddr_put_string(text, "}");
}

static void put_sites(const ddr_trace *trace, ddr_text *text) {
  ddr_put_string(text, ",\n\"sites\":[");
  for (uint32_t k = 0; k < trace->table->n_sites; k++) {
    const ddr_trace_site *site = &trace->table->sites[k];
    ddr_put_string(text, k > 0 ? ",\n{\"kind\":" : "\n{\"kind\":");
    ddr_text_json(text, kind_names[site->kind]);
    if (*site->name) string_member(text, "name", site->name);
    if (site->type) string_member(text, "type", site->type);
    int_member(text, "line", site->line);
    int_member(text, "column", site->column);
    int_member(text, "end_line", site->end_line);
    int_member(text, "end_column", site->end_column);
    ddr_put_string(text, "}");
  }
  ddr_put_string(text, "]");
}

/* --- records ---------------------------------------------------------------------------------- */

/* The JSON names of a record's values in order, then NULL; NULL: values are listed without
 * names. */
static const char *const *members_of(ddr_trace_kind kind) {
  static const char *const value[] = {"value", NULL}, *const probe[] = {"at", "value", NULL};
  switch (kind) {
  case DDR_TRACE_PROBE:
  case DDR_TRACE_INSIDE: return probe;
  case DDR_TRACE_PRINT:
  case DDR_TRACE_NEW: return NULL;
  default: return value; /* or no value */
  }
}

static void put_record(const ddr_trace *trace, const ddr_trace_record *record, ddr_text *text) {
  const ddr_trace_kind kind = trace->table->sites[record->site].kind;
  const char *const *name = members_of(kind);
  const bool is_list = !name;
  ddr_trace_cursor values = ddr_trace_values(trace, record, STYLE_JSON);
  ddr_put_string(text, "{\"site\":");
  ddr_put_int(text, record->site);
  if (record->depth > 0) int_member(text, "depth", record->depth);
  if (is_list) ddr_put_string(text, ",\"values\":[");
  for (bool is_first = true; ddr_trace_has_value(&values) && (is_list || *name); is_first = false) {
    if (!is_list) member(text, *name++);
    else if (!is_first) ddr_put_string(text, ",");
    ddr_trace_show(&values, text);
  }
  if (is_list) ddr_put_string(text, "]");
  if (record->is_cut) ddr_put_string(text, ",\"cut\":true");
  ddr_put_string(text, "}");
}

static void put_part(const ddr_trace *trace, size_t k, ddr_text *text) {
  const ddr_trace_part *part = &trace->parts[k];
  const size_t end = ddr_trace_part_end(trace, k);
  ddr_put_string(text, k > 0 ? ",\n{\"method\":" : "\n{\"method\":");
  ddr_text_json(text, ddr_trace_method_name(part->method));
  int_member(text, "superstep", part->superstep);
  ddr_put_string(text, ",\"records\":[");
  for (size_t r = part->first; r < end; r++) {
    ddr_put_string(text, r > part->first ? ",\n  " : "\n  ");
    put_record(trace, &trace->records[r], text);
  }
  ddr_put_string(text, "]}");
}

void ddr_trace_json(ddr_world *world, ddr_text *text) {
  const ddr_trace *trace = world->trace;
  text->is_short = trace->is_short; /* values are missing */
  if (text->is_short) return;
  put_head(trace, text);
  put_sites(trace, text);
  ddr_put_string(text, ",\n\"parts\":[");
  for (size_t k = 0; k < trace->n_parts; k++) put_part(trace, k, text);
  ddr_put_string(text, "]}\n");
}
