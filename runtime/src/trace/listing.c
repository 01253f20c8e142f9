/* listing.c: a trace for people: each line of the source, with its values beside it.
 *
 *     9  real t = twice(pos[0]) + pos[1];          calls twice
 *     3    function real twice(real x) { if (x >   x = 3
 *                                                  x > 2.0: true
 *
 * Read next: show.c.
 */
#include <stdio.h>
#include <string.h>

#include "local.h"

enum { SOURCE_WIDTH = 44, MOST_INDENT = 8 };

/* --- lines ------------------------------------------------------------------------------------ */

static bool begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

/* Puts as much of a line as fits, padded with blanks. */
static void put_source(ddr_text *text, const char *line, uint32_t indent) {
  uint32_t width = 0;
  for (; width < indent; width++) ddr_put_string(text, " ");
  for (; *line && (width < SOURCE_WIDTH || !begins_character(*line)); line++) {
    width += begins_character(*line);
    ddr_text_append(text, *line == '\t' ? " " : line, 1);
  }
  for (; width < SOURCE_WIDTH; width++) ddr_put_string(text, " ");
}

static void put_place(const ddr_trace *trace, const ddr_trace_record *record, uint32_t last_line,
                      ddr_text *text) {
  const ddr_trace_site *site = &trace->table->sites[record->site];
  const char *line = trace->table->text[site->line - 1];
  const uint32_t indent = 2 * record->depth < MOST_INDENT ? 2 * record->depth : MOST_INDENT;
  char number[16] = "     ";
  const bool is_new = site->line != last_line;
  if (is_new) snprintf(number, sizeof number, "%5u", (unsigned)site->line);
  ddr_put_string(text, number);
  ddr_put_string(text, "  ");
  put_source(text, is_new ? line + strspn(line, " \t") : "", indent);
  ddr_put_string(text, "  ");
}

/* --- what a line gave ------------------------------------------------------------------------- */

/* Puts the name of an expression, which may have several lines. */
static void put_name(ddr_text *text, const char *name) {
  for (; *name; name++) {
    const bool is_blank = strchr(" \t\r\n", *name) != NULL;
    if (is_blank && strchr(" \t\r\n", name[1])) continue;
    ddr_text_append(text, is_blank ? " " : name, 1);
  }
}

static void put_named(ddr_text *text, const char *name, const char *link,
                      ddr_trace_cursor *values) {
  put_name(text, name);
  ddr_put_string(text, link);
  ddr_trace_show(values, text);
}

static void put_all(ddr_text *text, const char *verb, ddr_trace_cursor *values) {
  ddr_put_string(text, verb);
  for (const char *link = " "; ddr_trace_has_value(values); link = ", ") {
    ddr_put_string(text, link);
    ddr_trace_show(values, text);
  }
}

static void put_happening(const ddr_trace *trace, const ddr_trace_record *record, ddr_text *text) {
  const ddr_trace_site *site = &trace->table->sites[record->site];
  ddr_trace_cursor values = ddr_trace_values(trace, record, STYLE_TEXT);
  switch (site->kind) {
  case DDR_TRACE_ASSIGN: put_named(text, site->name, " = ", &values); break;
  case DDR_TRACE_PROBE:
    put_named(text, site->name, " at ", &values);
    put_named(text, "", " = ", &values);
    break;
  case DDR_TRACE_INSIDE:
    ddr_put_string(text, "inside ");
    put_named(text, site->name, " at ", &values);
    put_named(text, "", ": ", &values);
    break;
  case DDR_TRACE_BRANCH: put_named(text, site->name, ": ", &values); break;
  case DDR_TRACE_CALL:
    ddr_put_string(text, "calls ");
    ddr_put_string(text, site->name);
    break;
  case DDR_TRACE_RETURN: put_all(text, "returns", &values); break;
  case DDR_TRACE_PRINT: put_all(text, "prints", &values); break;
  case DDR_TRACE_NEW: put_all(text, "new strand", &values); break;
  case DDR_TRACE_EXIT: ddr_put_string(text, site->name); break;
  }
  if (record->is_cut) ddr_put_string(text, " (cut)");
  ddr_put_string(text, "\n");
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Puts "walk #7 (3, 1): stable in superstep 5". */
static void put_head(const ddr_trace *trace, ddr_text *text) {
  static const char *const ends[] = {
      [TRACE_RUNS] = ": still active after superstep ",
      [TRACE_STABLE] = ": stable in superstep ",
      [TRACE_DIED] = ": died in superstep ",
  };
  const uint32_t now = trace->now > trace->superstep ? trace->now : trace->superstep;
  ddr_put_string(text, trace->table->strand);
  ddr_put_string(text, " #");
  ddr_put_int(text, trace->state.birth);
  for (uint32_t k = 0; k < trace->n_axes; k++) {
    ddr_put_string(text, k == 0 ? " (" : ", ");
    ddr_put_int(text, trace->index[k]);
  }
  if (trace->n_axes > 0) ddr_put_string(text, ")");
  ddr_put_string(text, ends[trace->state.end]);
  ddr_put_int(text, now);
  ddr_put_string(text, "\n");
}

static void put_title(const ddr_trace_part *part, ddr_text *text) {
  ddr_put_string(text, "\n");
  ddr_put_string(text, ddr_trace_method_name(part->method));
  if (part->superstep > 0) {
    ddr_put_string(text, ", superstep ");
    ddr_put_int(text, part->superstep);
  }
  ddr_put_string(text, "\n");
}

void ddr_trace_list(ddr_world *world, ddr_text *text) {
  const ddr_trace *trace = world->trace;
  text->is_short = trace->is_short; /* values are missing */
  if (text->is_short) return;
  put_head(trace, text);
  for (size_t k = 0; k < trace->n_parts; k++) {
    uint32_t last_line = 0;
    const size_t end = ddr_trace_part_end(trace, k);
    if (trace->parts[k].first == end) continue;
    put_title(&trace->parts[k], text);
    for (size_t r = trace->parts[k].first; r < end; r++) {
      put_place(trace, &trace->records[r], last_line, text);
      put_happening(trace, &trace->records[r], text);
      last_line = trace->table->sites[trace->records[r].site].line;
    }
  }
  if (trace->state.n_left_out > 0) {
    ddr_put_string(text, "\n");
    ddr_put_int(text, (int64_t)trace->state.n_left_out);
    ddr_put_string(text, " more are left out; --trace-limit says how many are kept\n");
  }
}
