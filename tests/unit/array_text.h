/* Arrays as text in tables of tests: a type by its name, elements separated by blanks.
 *
 *   1 -2.5 0x1p-3 nan inf     1,-2 (complex)     g1*2500 (a formula, 2500 times)     none
 *   5*4 (four times)
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"
#include "tests/unit/as_float.h"
#include "tests/unit/vectors.h"

static inline ddr_element element_from_text(const char *name) {
  for (int k = 0; k < DDR_ELEMENT_COUNT; k++)
    if (strcmp(name, ddr_element_name((ddr_element)k)) == 0) return (ddr_element)k;
  fprintf(stderr, "no type of elements: %s\n", name);
  exit(1);
}

/* The strides of lines in tables. */
static const int64_t line_strides[] = {1, -1, 3, -2};

typedef double Formula(int64_t k);

static inline double formula_k(int64_t k) { return (double)k; }
static inline double formula_even(int64_t k) { return k % 2 == 0; }
static inline double formula_g1(int64_t k) { return (double)(37 * k % 101 - 50) / 8; }
static inline double formula_g2(int64_t k) { return (double)(53 * k % 97 - 48) / 16; }
static inline double formula_harmonic(int64_t k) { return 1 / (double)(k + 1); }
static inline double formula_leibniz(int64_t k) {
  return (k % 2 == 0 ? 1 : -1) / (double)(2 * k + 1);
}

/* The formula of that name; NULL: there is none. */
static inline Formula *formula_from_text(const char *name) {
  static const struct {
    const char *name;
    Formula *formula;
  } formulas[] = {{"k", formula_k},
                  {"even", formula_even},
                  {"g1", formula_g1},
                  {"g1(k)", formula_g1},
                  {"g2", formula_g2},
                  {"1/(k+1)", formula_harmonic},
                  {"(-1)^k/(2k+1)", formula_leibniz}};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (strcmp(name, formulas[i].name) == 0) return formulas[i].formula;
  return NULL;
}

/* Parses a number of the type; *end is after it. */
static inline ddr_number number_from_text(ddr_element type, const char *text, char **end) {
  ddr_number number = {.type = type};
  switch (ddr_element_kind_of(type)) {
  case DDR_KIND_BOOL:
  case DDR_KIND_INT: number.integer = strtoll(text, end, 10); break;
  case DDR_KIND_UINT: number.integer = (int64_t)strtoull(text, end, 10); break;
  case DDR_KIND_REAL:
  case DDR_KIND_COMPLEX:
    number.re = strtod(text, end);
    if (**end == ',') number.im = strtod(*end + 1, end);
    break;
  }
  if (type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT) {
    number.re = as_float(number.re);
    number.im = as_float(number.im);
  }
  return number;
}

/* Parses elements into `packed`, unless that is NULL; returns their number. */
static inline int64_t elements_from_text(ddr_element type, const char *text, void *packed) {
  const size_t size = ddr_element_size(type);
  int64_t n = 0;
  if (!text || strcmp(text, "none") == 0) return 0;
  while (*(text += strspn(text, " "))) {
    char word[64], *end;
    const size_t n_word = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)n_word, text);
    text += n_word;
    char *times = strrchr(word, '*');
    if (times) *times = '\0';
    const int64_t n_times = times ? strtoll(times + 1, NULL, 10) : 1;
    Formula *const formula = formula_from_text(word);
    ddr_number number = {.type = type};
    if (!formula) {
      number = number_from_text(type, word, &end);
      CHECK(*end == '\0');
    }
    for (int64_t k = 0; k < n_times && packed; k++) {
      const double value = formula ? formula(k) : 0;
      if (formula) number = (ddr_number){type, (int64_t)value, value, 0};
      ddr_number_store(number, (char *)packed + (size_t)(n + k) * size);
    }
    n += n_times;
  }
  return n;
}

/* A line of elements, each `stride` (not 0) after the one before. */
static inline ddr_ndview line_new(ddr_element type, int64_t n, int64_t stride) {
  const int64_t step = stride < 0 ? -stride : stride, n_memory = n * step;
  ddr_ndview view = {.data = NULL};
  CHECK_EQ(ddr_ndview_new(type, 1, &n_memory, DDR_HOST, &view), DDR_ARRAY_OK);
  if (n > 0) memset(view.data, 0x5a, (size_t)n_memory * ddr_element_size(type));
  view.layout.len[0] = n;
  view.layout.stride[0] = stride;
  view.layout.offset = stride < 0 && n > 0 ? step * (n - 1) : 0;
  return view;
}

static inline char *line_at(const ddr_ndview *view, int64_t k) {
  const int64_t offset = view->layout.offset + k * view->layout.stride[0];
  return (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
}

static inline ddr_ndview line_from_text(ddr_element type, const char *text, int64_t stride) {
  const size_t size = ddr_element_size(type);
  const int64_t n = elements_from_text(type, text, NULL);
  ddr_ndview view = line_new(type, n, stride);
  char *packed = malloc((size_t)n * size + 1);
  if (!packed) exit(1);
  elements_from_text(type, text, packed);
  for (int64_t k = 0; k < n; k++) memcpy(line_at(&view, k), packed + (size_t)k * size, size);
  free(packed);
  return view;
}

/* Whether two values are the same: the same bits, or both NaN. */
static inline bool same_real(double a, double b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static inline bool same_number(ddr_number a, ddr_number b) {
  return a.type == b.type && a.integer == b.integer && same_real(a.re, b.re) &&
         same_real(a.im, b.im);
}

static inline void print_number(ddr_number number) {
  fprintf(stderr, "  %s %lld %a,%a\n", ddr_element_name(number.type), (long long)number.integer,
          number.re, number.im);
}
