/* arguments.c: see arguments.h. */
#include "tools/ddr-array/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Reads an integer and the separator behind it; false: there is none, or it does not fit. */
static bool read_int(const char **text, char separator, int64_t *value) {
  char *end;
  if (isspace((unsigned char)**text)) return false;
  errno = 0;
  const long long number = strtoll(*text, &end, 10);
  if (end == *text || errno != 0 || (*end != separator && *end != '\0')) return false;
  *value = number;
  *text = end;
  return true;
}

ddr_status read_ints(OptionId option, const char *text, char separator, int n_wanted, int64_t *list,
                     int *n, ddr_reason *reason) {
  const char *rest = text;
  const int most = n_wanted > 0 ? n_wanted : DDR_MAX_RANK;
  bool is_good = true, is_end = false;
  for (*n = 0; is_good && !is_end && *n < most; (*n)++) {
    is_good = read_int(&rest, separator, &list[*n]);
    is_end = *rest == '\0';
    if (!is_end) rest++;
  }
  if (is_good && is_end && (n_wanted == 0 || *n == n_wanted)) return DDR_OK;
  return ddr_refuse(reason, "--%s expects %s, found \"%.200s\"", option_name(option),
                    option_argument(option), text);
}

ddr_status read_reals(OptionId option, const char *text, double *list, int *n, ddr_reason *reason) {
  const char *rest = text;
  for (*n = 0; *n < MOST_WEIGHTS;) {
    char *end;
    list[(*n)++] = strtod(rest, &end);
    if (end == rest || (*end != ',' && *end != '\0')) break;
    if (*end == '\0') return DDR_OK;
    rest = end + 1;
  }
  return ddr_refuse(reason, "--%s expects %s, found \"%.200s\"", option_name(option),
                    option_argument(option), text);
}

ddr_status read_count(OptionId option, const char *text, int *count, ddr_reason *reason) {
  int64_t value = 0;
  int n;
  const ddr_status status = read_ints(option, text, ':', 1, &value, &n, reason);
  if (status != DDR_OK) return status;
  if (value < 1 || value > INT_MAX)
    return ddr_refuse(reason, "--%s expects a number of at least 1, found %s", option_name(option),
                      text);
  *count = (int)value;
  return DDR_OK;
}
