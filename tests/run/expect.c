/* expect.c: the keys of a case about output files. Read next: case.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/image_file.h"
#include "tests/run/case.h"

typedef long double Real;

/* ---- what is expected ------------------------------------------------------------------------ */

/* A number, a fraction, nan, inf, pi. */
bool case_value(const char *word, Real *value) {
  const char *digits = word + (*word == '-');
  char *end = NULL;
  if (strcmp(digits, "pi") == 0) {
    *value = acosl(-1);
  } else {
    *value = strtold(digits, &end);
    if (end == digits) return false;
    if (*end == '/') *value /= strtold(end + 1, &end);
    if (*end) return false;
  }
  if (*word == '-') *value = -*value;
  return true;
}

typedef struct Values {
  Real value[2048];
  int n;
  Real tolerance;
} Values;

static bool add_word(Values *values, const char *word) {
  const char *star = strchr(word, '*');
  Real value;
  if (!case_value(star ? star + 1 : word, &value)) return false;
  for (int k = star ? atoi(word) : 1; k > 0 && values->n < 2048; k--)
    values->value[values->n++] = value;
  return true;
}

/* "V V ... exactly" or "V V ... within FLOAT [DOUBLE]". */
static bool read_values(const Words *words, bool is_double, Values *values) {
  int k = 0;
  values->n = 0;
  values->tolerance = 0;
  while (k < words->n && add_word(values, words->word[k])) k++;
  if (k == words->n || values->n == 0) return false;
  if (strcmp(words->word[k], "exactly") == 0) return k + 1 == words->n;
  const int n_tolerances = words->n - k - 1;
  if (strcmp(words->word[k], "within") != 0 || n_tolerances < 1 || n_tolerances > 2) return false;
  return case_value(words->word[is_double ? words->n - 1 : k + 1], &values->tolerance);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_near(Real found, Real want, Real tolerance) {
  if (isnan(want)) return isnan(found);
  if (isinf(want)) return found == want;
  return fabsl(found - want) <= tolerance;
}

bool case_read(Case *test, const char *name, NrrdFile *file) {
  char path[256];
  snprintf(path, sizeof path, "%.240s.nrrd", name);
  if (nrrd_file_read(file, path)) return true;
  case_check(test, false, path, file->reason);
  nrrd_file_free(file);
  return false;
}

static void compare(Case *test, const NrrdFile *file, size_t first, const Values *want) {
  char found[128];
  for (int k = 0; k < want->n; k++) {
    const size_t idx = first + (size_t)k;
    snprintf(found, sizeof found, "value %zu is %.17Lg, expected %.17Lg", idx,
             idx < file->n_values ? file->value[idx] : 0, want->value[k]);
    const bool is_good =
        idx < file->n_values && is_near(file->value[idx], want->value[k], want->tolerance);
    if (!case_check(test, is_good, found, NULL)) return; /* one failure is enough */
  }
}

void case_expect(Case *test, const Words *words) {
  const Words rest = words_after(words, 2);
  char *bracket = strchr(words->word[0], '['); /* NAME[k]: part of the values */
  const size_t first = bracket ? strtoul(bracket + 1, NULL, 10) : 0;
  Values want;
  if (!case_check(test, read_values(&rest, test->is_double, &want), "cannot read the values", NULL))
    return;
  if (bracket) *bracket = '\0';
  NrrdFile file;
  if (!case_read(test, words->word[0], &file)) return;
  if (!bracket && file.n_values != (size_t)want.n) {
    char found[64];
    snprintf(found, sizeof found, "%zu, expected %d", file.n_values, want.n);
    case_check(test, false, "number of values", found);
  }
  compare(test, &file, first, &want);
  nrrd_file_free(&file);
}

void case_axes(Case *test, const Words *words) {
  char found[512] = "", want[512] = "";
  NrrdFile file;
  if (!case_read(test, words->word[0], &file)) return;
  for (int axis = 0; axis < file.n_axes; axis++) {
    const size_t n = strlen(found);
    snprintf(found + n, sizeof found - n, " %s:%ld", file.kind[axis], file.size[axis]);
  }
  for (int k = 2; k < words->n; k++) {
    const size_t n = strlen(want);
    snprintf(want + n, sizeof want - n, " %s", words->word[k]);
  }
  nrrd_file_free(&file);
  case_check(test, strcmp(found, want) == 0, "axes are", found);
}

void case_type(Case *test, const Words *words) {
  NrrdFile file;
  if (!case_read(test, words->word[0], &file)) return;
  char want[128] = "";
  for (int k = 2; k < words->n; k++) {
    const size_t n = strlen(want);
    snprintf(want + n, sizeof want - n, "%s%s", k > 2 ? " " : "", words->word[k]);
  }
  const char *type = strcmp(want, "real") == 0 ? (test->is_double ? "double" : "float") : want;
  case_check(test, strcmp(file.type, type) == 0, "type is", file.type);
  nrrd_file_free(&file);
}
