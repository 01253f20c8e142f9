/* laws.c: laws that outputs obey, one row of `laws` each. Read next: laws.h. */
#include "tests/run/laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

/* The arguments of a law: the output, and the words after the law's name. */
typedef struct Question {
  Case *test;
  NrrdFile file;
  Words words;
} Question;

static Real number(const Question *question, int k) {
  Real value = NAN;
  if (k < question->words.n) case_value(question->words.word[k], &value);
  return value;
}

static int n_comps(const Question *question) {
  return question->file.n_axes > 1 ? (int)question->file.size[0] : 1;
}

static size_t n_points(const Question *question) {
  return question->file.n_values / (size_t)n_comps(question);
}

static const Real *point(const Question *question, size_t k) {
  return question->file.value + k * (size_t)n_comps(question);
}

/* The distance of x from [lo, hi]; infinite for NaN. */
static Real outside(Real x, Real lo, Real hi) {
  if (isunordered(x, lo)) return INFINITY;
  return fmaxl(fmaxl(lo - x, x - hi), 0);
}

/* ---- points ---------------------------------------------------------------------------------- */

static Real law_length(const Question *question) {
  Real worst = 0;
  for (size_t k = 0; k < n_points(question); k++) {
    Real sum = 0;
    for (int c = 0; c < n_comps(question); c++)
      sum += point(question, k)[c] * point(question, k)[c];
    worst = fmaxl(worst, outside(sqrtl(sum), number(question, 0), number(question, 0)));
  }
  return worst;
}

static int compare_reals(const void *left, const void *right) {
  const Real a = *(const Real *)left, b = *(const Real *)right;
  return (a > b) - (a < b);
}

static Real law_even(const Question *question) {
  const size_t n = n_points(question);
  const Real turn = 2 * acosl(-1);
  Real *angle = malloc((n + 1) * sizeof *angle), worst = 0;
  if (!angle || n_comps(question) != 2) abort();
  for (size_t k = 0; k < n; k++) angle[k] = atan2l(point(question, k)[1], point(question, k)[0]);
  qsort(angle, n, sizeof *angle, compare_reals);
  angle[n] = angle[0] + turn;
  for (size_t k = 0; k < n; k++)
    worst = fmaxl(worst, outside((angle[k + 1] - angle[k]) * (Real)n / turn, 1, 1));
  free(angle);
  return worst;
}

static Real distance(const Question *question, size_t i, size_t k) {
  Real sum = 0;
  for (int c = 0; c < n_comps(question); c++) {
    const Real apart = point(question, i)[c] - point(question, k)[c];
    sum += apart * apart;
  }
  return sqrtl(sum);
}

static Real law_nearest(const Question *question) {
  Real worst = 0;
  for (size_t i = 0; i < n_points(question); i++) {
    Real nearest = INFINITY;
    for (size_t k = 0; k < n_points(question); k++) {
      if (k != i) nearest = fminl(nearest, distance(question, i, k));
    }
    worst = fmaxl(worst, outside(nearest, number(question, 0), number(question, 1)));
  }
  return worst;
}

static Real law_multiple(const Question *question) {
  const Real step = number(question, 0);
  Real worst = 0;
  for (size_t k = 0; k < n_points(question); k++) {
    Real sum = 0;
    for (int c = 0; c < n_comps(question); c++)
      sum += number(question, 1 + c) * point(question, k)[c];
    worst = fmaxl(worst, outside(sum - step * roundl(sum / step), 0, 0));
  }
  return worst;
}

/* ---- values ---------------------------------------------------------------------------------- */

static Real law_count(const Question *question) {
  return outside((Real)question->file.n_values, number(question, 0), number(question, 1));
}

static Real sum_values(const NrrdFile *file) {
  Real sum = 0;
  for (size_t k = 0; k < file->n_values; k++) sum += file->value[k];
  return sum;
}

static Real law_total(const Question *question) {
  Real sum = sum_values(&question->file);
  for (int k = 1; k < question->words.n; k++) {
    NrrdFile other;
    if (!case_read(question->test, question->words.word[k], &other)) return INFINITY;
    sum += sum_values(&other);
    nrrd_file_free(&other);
  }
  return outside(sum, number(question, 0), number(question, 0));
}

static long smallest_factor(long n) {
  for (long p = 2; p * p <= n; p++) {
    if (n % p == 0) return p;
  }
  return n;
}

static Real law_factor(const Question *question) {
  NrrdFile other;
  Real worst = 0;
  if (!case_read(question->test, question->words.word[0], &other)) return INFINITY;
  if (other.n_values != question->file.n_values) worst = INFINITY;
  for (size_t k = 0; k < other.n_values && !isinf(worst); k++) {
    const Real want = (Real)smallest_factor((long)other.value[k]);
    worst = fmaxl(worst, outside(question->file.value[k], want, want));
  }
  nrrd_file_free(&other);
  return worst;
}

/* ---- the game of life ------------------------------------------------------------------------ */

typedef struct Plane {
  int width, height;
  char *cell;
} Plane;

static int is_alive(const Plane *plane, int x, int y) {
  if (x < 0 || y < 0 || x >= plane->width || y >= plane->height) return 0;
  return plane->cell[y * plane->width + x];
}

static void next_generation(const Plane *now, Plane *next) {
  for (int y = 0; y < now->height; y++) {
    for (int x = 0; x < now->width; x++) {
      int n = -is_alive(now, x, y);
      for (int k = 0; k < 9; k++) n += is_alive(now, x + k % 3 - 1, y + k / 3 - 1);
      next->cell[y * now->width + x] = (char)(n == 3 || (n == 2 && is_alive(now, x, y)));
    }
  }
}

static Real law_life(const Question *question) {
  const size_t n = question->file.n_values;
  Plane now = {(int)question->file.size[0], (int)question->file.size[1], calloc(n, 1)};
  Plane next = {now.width, now.height, calloc(n, 1)};
  Real worst = 0;
  if (!now.cell || !next.cell || question->file.n_axes != 2) abort();
  for (int k = 1; k + 1 < question->words.n; k += 2)
    now.cell[(int)number(question, k + 1) * now.width + (int)number(question, k)] = 1;
  for (int generation = 0; generation < (int)number(question, 0); generation++) {
    next_generation(&now, &next);
    memcpy(now.cell, next.cell, n);
  }
  for (size_t k = 0; k < n; k++) {
    const int row = (int)k / now.width, col = (int)k % now.width;
    const Real want = is_alive(&now, col, now.height - 1 - row);
    worst = fmaxl(worst, outside(question->file.value[k], want, want));
  }
  free(now.cell);
  free(next.cell);
  return worst;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  int n_words; /* at least */
  Real (*deviation)(const Question *question);
} laws[] = {
    {"length", 1, law_length}, {"even", 0, law_even},         {"nearest", 2, law_nearest},
    {"count", 2, law_count},   {"multiple", 2, law_multiple}, {"total", 1, law_total},
    {"factor", 1, law_factor}, {"life", 1, law_life},
};

/* Removes "exactly" or "within T [U]" from the end. */
static bool take_tolerance(Words *words, bool is_double, Real *tolerance) {
  int k = 0;
  *tolerance = 0;
  while (k < words->n && strcmp(words->word[k], "within") != 0 &&
         strcmp(words->word[k], "exactly") != 0)
    k++;
  if (k == words->n) return false;
  const int n_tolerances = words->n - k - 1;
  words->n = k;
  if (strcmp(words->word[k], "exactly") == 0) return n_tolerances == 0;
  if (n_tolerances < 1 || n_tolerances > 2) return false;
  return case_value(words->word[k + (is_double ? n_tolerances : 1)], tolerance);
}

void case_holds(Case *test, const Words *words) {
  Question question = {.test = test, .words = words_after(words, 3)};
  Real tolerance;
  const bool is_read = take_tolerance(&question.words, test->is_double, &tolerance);
  if (!case_check(test, is_read, "needs `exactly` or `within T`", NULL)) return;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    if (strcmp(laws[k].name, words->word[2]) != 0 || question.words.n < laws[k].n_words) continue;
    if (!case_read(test, words->word[0], &question.file)) return;
    const Real deviation = laws[k].deviation(&question);
    char found[64];
    snprintf(found, sizeof found, "off by %Lg", deviation);
    case_check(test, deviation <= tolerance, words->word[2], found);
    nrrd_file_free(&question.file);
    return;
  }
  case_check(test, false, "no such law, or too few words for it", words->word[2]);
}
