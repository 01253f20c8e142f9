/* show.c: shows the values of a record according to the pattern of its site.
 *
 * Read next: listing.c, json.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "local.h"

/* Shows the fewest digits that read back as the same number, in the precision of the program. */
static void show_digits(ddr_text *text, double value, bool is_double) {
  char digits[40];
  const int most = is_double ? 17 : 9;
  for (int n = is_double ? 15 : 6; n <= most; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    const bool is_exact =
        is_double ? !(strtod(digits, NULL) < value || strtod(digits, NULL) > value)
                  : !(strtof(digits, NULL) < (float)value || strtof(digits, NULL) > (float)value);
    if (is_exact) break;
  }
  ddr_put_string(text, digits);
}

/* JSON has no such numbers. */
static void show_special(ddr_text *text, double value, ddr_trace_style style) {
  const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (style == STYLE_JSON) ddr_text_json(text, name);
  else ddr_put_string(text, name);
}

static void show_scalar(ddr_trace_cursor *cursor, ddr_text *text) {
  const ddr_trace_value *value = cursor->value++;
  switch (value->kind) {
  case VALUE_REAL:
    if (isfinite(value->of.real))
      show_digits(text, value->of.real, cursor->trace->program->real_size == sizeof(double));
    else show_special(text, value->of.real, cursor->style);
    return;
  case VALUE_INT: ddr_put_int(text, value->of.i); return;
  case VALUE_BOOL: ddr_put_bool(text, value->of.i != 0); return;
  case VALUE_STRING: ddr_text_json(text, value->of.string); return;
  }
}

ddr_trace_cursor ddr_trace_values(const ddr_trace *trace, const ddr_trace_record *record,
                                  ddr_trace_style style) {
  return (ddr_trace_cursor){.trace = trace,
                            .value = trace->values + record->first,
                            .pattern = trace->table->sites[record->site].values,
                            .style = style};
}

bool ddr_trace_has_value(const ddr_trace_cursor *cursor) { return *cursor->pattern != '\0'; }

/* Skips the pattern of one value, after its first letter. */
static void skip_pattern(ddr_trace_cursor *cursor) {
  while (*cursor->pattern == '*' || *cursor->pattern == ':' ||
         (*cursor->pattern >= '0' && *cursor->pattern <= '9'))
    cursor->pattern++;
  cursor->pattern++;
}

static void show_part(ddr_trace_cursor *cursor, ddr_text *text) {
  const bool is_counted = *cursor->pattern == '*';
  const bool is_group = is_counted || (*cursor->pattern >= '0' && *cursor->pattern <= '9');
  if (!is_group) {
    show_scalar(cursor, text);
    cursor->pattern++;
    return;
  }
  char *behind;
  int64_t n = strtoll(cursor->pattern, &behind, 10);
  if (is_counted) n = cursor->value++->of.i;
  const char *element = (is_counted ? cursor->pattern + 1 : behind) + 1; /* after the colon */
  ddr_put_string(text, "[");
  for (int64_t k = 0; k < n; k++) {
    if (k > 0) ddr_put_string(text, cursor->style == STYLE_JSON ? "," : ", ");
    cursor->pattern = element;
    show_part(cursor, text);
  }
  if (n == 0) skip_pattern(cursor);
  ddr_put_string(text, "]");
}

void ddr_trace_show(ddr_trace_cursor *cursor, ddr_text *text) {
  show_part(cursor, text);
  if (*cursor->pattern == ' ') cursor->pattern++;
}
