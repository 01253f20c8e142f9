/* values.c: parses a word of the command line as a value, and shows a value in help.
 *
 * Numbers are parsed by prefix, as C's scanf does: 3.7 is the int 3.  Reals may be nan, pi and inf.
 * Read next: executable/options.c.
 */
#include "values.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ddr/seq.h"

size_t ddr_value_size(const ddr_program *program, ddr_kind kind) {
  switch (kind) {
  case DDR_BOOL: return sizeof(bool);
  case DDR_INT: return program->int_size;
  case DDR_REAL: return program->real_size;
  case DDR_STRING:
  case DDR_IMAGE: return sizeof(void *);
  case DDR_SEQUENCE: return sizeof(ddr_seq);
  }
  return 0;
}

static bool parse_bool(const char *word, bool *dst) {
  static const struct {
    const char *word;
    bool value;
  } words[] = {
      {"true", true}, {"yes", true}, {"on", true},     {"1", true},     {"t", true},
      {"y", true},    {"yea", true}, {"false", false}, {"no", false},   {"off", false},
      {"0", false},   {"f", false},  {"n", false},     {"nope", false},
  };
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (strcasecmp(word, words[k].word) != 0) continue;
    *dst = words[k].value;
    return true;
  }
  return false;
}

static bool parse_int(const char *word, size_t size, void *dst) {
  char *end;
  errno = 0;
  const long long value = strtoll(word, &end, 10);
  if (end == word || errno != 0) return false;
  if (size == sizeof(int64_t)) {
    memcpy(dst, &(int64_t){value}, size);
    return true;
  }
  if (value < INT32_MIN || value > INT32_MAX) return false;
  memcpy(dst, &(int32_t){(int32_t)value}, size);
  return true;
}

bool ddr_value_parse_unsigned(const char *word, uint32_t *dst) {
  char *end;
  errno = 0;
  const long long value = strtoll(word, &end, 10);
  if (end == word || errno != 0 || value < 0 || value > UINT32_MAX) return false;
  *dst = (uint32_t)value;
  return true;
}

bool ddr_value_parse_size(const char *word, size_t *dst) {
  static const char units[] = "kmgt";
  char *end;
  errno = 0;
  const long long value = strtoll(word, &end, 10);
  if (end == word || errno != 0 || value < 0) return false;
  const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
  if (*end && (!unit || end[1])) return false;
  const int n_bits = unit ? 10 * (int)(unit - units + 1) : 0;
  if ((uint64_t)value > SIZE_MAX >> n_bits) return false;
  *dst = (size_t)value << n_bits;
  return true;
}

static bool contains(const char *word, const char *part) {
  const size_t n = strlen(part);
  for (; *word; word++) {
    if (strncasecmp(word, part, n) == 0) return true;
  }
  return false;
}

typedef struct {
  const char *part;
  double value;
} Special;

/* The order matters: the first of these names that the word contains decides. */
static const Special *find_special(const char *word) {
  static const Special names[] = {
      {"nan", (double)NAN},        {"-pi", -3.14159265358979323846}, {"pi", 3.14159265358979323846},
      {"-inf", -(double)INFINITY}, {"inf", (double)INFINITY},
  };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (contains(word, names[k].part)) return &names[k];
  return NULL;
}

static const char blanks[] = " \t\n\v\f\r";

const char *ddr_value_inexact(ddr_kind kind, const char *word) {
  static const char *const exact[] = {"nan", "pi", "inf", "infinity"};
  const Special *special = kind == DDR_REAL ? find_special(word) : NULL;
  const char *name = word + strspn(word, blanks);
  name += *name == '-' || *name == '+';
  const size_t n = strcspn(name, blanks);
  const bool is_alone = name[n + strspn(name + n, blanks)] == '\0';
  for (size_t k = 0; is_alone && k < sizeof exact / sizeof *exact; k++)
    if (n == strlen(exact[k]) && strncasecmp(name, exact[k], n) == 0) return NULL;
  return special ? special->part : NULL;
}

/* A float is rounded once, directly from the decimal text.  Only inf is infinite: 1e999 is too
 * large. */
static bool parse_real(const char *word, size_t size, void *dst) {
  double value;
  char *end;
  const Special *special = find_special(word);
  if (special) {
    value = special->value;
    if (size == sizeof(double)) {
      memcpy(dst, &value, size);
    } else {
      memcpy(dst, &(float){(float)value}, size);
    }
    return true;
  }
  if (size == sizeof(double)) {
    value = strtod(word, &end);
    memcpy(dst, &value, size);
  } else {
    const float narrow = strtof(word, &end);
    memcpy(dst, &narrow, size);
    value = (double)narrow;
  }
  return end != word && isfinite(value);
}

bool ddr_value_parse(const ddr_program *program, ddr_kind kind, const char *word, void *dst) {
  switch (kind) {
  case DDR_BOOL: return parse_bool(word, dst);
  case DDR_INT: return parse_int(word, program->int_size, dst);
  case DDR_REAL: return parse_real(word, program->real_size, dst);
  case DDR_STRING: memcpy(dst, &word, sizeof word); return true;
  case DDR_IMAGE:
  case DDR_SEQUENCE: return false; /* these are files */
  }
  return false;
}

size_t ddr_value_length(ddr_kind kind, const char *word) {
  char *end = NULL;
  if (kind == DDR_INT) (void)strtoll(word, &end, 10);
  if (kind == DDR_REAL && !find_special(word)) (void)strtod(word, &end);
  const bool has_rest = end && end[strspn(end, blanks)] != '\0';
  return has_rest ? (size_t)(end - word) : strlen(word);
}

const char *ddr_value_range(const ddr_program *program, ddr_kind kind, const char *word) {
  const bool is_number = kind == DDR_INT || kind == DDR_REAL;
  const bool is_wide = ddr_value_size(program, kind) == 8;
  if (!is_number || ddr_value_length(kind, word) == 0) return NULL;
  if (kind == DDR_REAL)
    return is_wide ? "from -1.7976931348623157e308 to 1.7976931348623157e308, or -inf or inf"
                   : "from -3.40282347e38 to 3.40282347e38, or -inf or inf";
  return is_wide ? "from -9223372036854775808 to 9223372036854775807"
                 : "from -2147483648 to 2147483647";
}

static void show_number(ddr_text *text, double value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%g", value);
  ddr_put_string(text, digits);
}

void ddr_value_show(const ddr_program *program, ddr_kind kind, const void *src, ddr_text *text) {
  const bool is_wide = ddr_value_size(program, kind) == 8;
  switch (kind) {
  case DDR_BOOL: ddr_put_bool(text, *(const bool *)src); return;
  case DDR_INT: ddr_put_int(text, is_wide ? *(const int64_t *)src : *(const int32_t *)src); return;
  case DDR_REAL:
    show_number(text, is_wide ? *(const double *)src : (double)*(const float *)src);
    return;
  case DDR_STRING:
  case DDR_IMAGE:
  case DDR_SEQUENCE: {
    const char *string;
    memcpy(&string, src, sizeof string);
    if (string) ddr_put_string(text, string);
    return;
  }
  }
}
