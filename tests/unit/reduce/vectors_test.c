/* Reductions against tables of known results, in memory laid out in several ways, on several
 * threads. */
#include "runtime/reduce/reduce.h"
#include "tests/unit/array_text.h"

static const int64_t strides[] = {1, -1, 3, -2};

static ddr_number want_from_text(ddr_element type, const char *text) {
  char *end;
  const ddr_number want = number_from_text(type, text + (text[0] == '~'), &end);
  CHECK(*end == '\0');
  return want;
}

/* Where the table has NaN, it is the one without sign and payload. */
static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool is_wanted(ddr_number found, ddr_number want, bool is_near) {
  if (found.type != want.type || found.integer != want.integer) return false;
  const bool is_float = want.type == DDR_ELEMENT_FLOAT || want.type == DDR_ELEMENT_CFLOAT;
  const double unit = is_near ? (is_float ? 0x1p-23 : 0x1p-52) : 0;
  if (is_near)
    return fabs(found.re - want.re) <= unit * fabs(want.re) &&
           fabs(found.im - want.im) <= unit * fabs(want.im);
  return same_bits(found.re, want.re) && same_bits(found.im, want.im);
}

static void check_row(const Vector *v) {
  ddr_reduce_op op = DDR_REDUCE_SUM;
  if (!CHECK_EQ(v->n_fields, 8) || !CHECK(ddr_reduce_find(v->field[1], &op))) return;
  const ddr_element type = element_from_text(v->field[2]);
  const bool has_mask = v->field[5][0] != '\0';
  const ddr_number want = want_from_text(element_from_text(v->field[6]), v->field[7]);
  for (int s = 0; s < 4; s++) {
    ddr_ndview x = line_from_text(type, v->field[3], strides[s]);
    ddr_ndview y = line_from_text(type, v->field[4], strides[3 - s]);
    ddr_ndview mask = line_from_text(DDR_ELEMENT_BOOL, v->field[5], strides[(s + 1) % 4]);
    for (int n_threads = 0; n_threads <= 5; n_threads += 2) {
      const ddr_ndview *const arrays[2] = {&x, &y};
      const ddr_reduce_options options = {.n_threads = n_threads, .mask = has_mask ? &mask : NULL};
      ddr_number found = {.type = DDR_ELEMENT_COUNT};
      CHECK_EQ(ddr_reduce(op, arrays, &options, &found), DDR_ARRAY_OK);
      if (!CHECK(is_wanted(found, want, v->field[7][0] == '~'))) print_number(found);
    }
    ddr_ndview_release(&x);
    ddr_ndview_release(&y);
    ddr_ndview_release(&mask);
  }
}

static void small_arrays(void) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/reduce/reductions.txt");
  for (; vectors_next(file, &v); n_rows++) check_row(&v);
  vectors_close(file);
  CHECK(n_rows > 100);
}

/* Numbers, of which the last repeats, or a formula. */
static ddr_ndview elements_of(const char *text, int64_t n, int64_t stride) {
  char words[200];
  if (n == 0) return line_from_text(DDR_ELEMENT_DOUBLE, "none", stride);
  snprintf(words, sizeof words, "%s", text);
  for (char *at = words; *at; at++)
    if (*at == ',') *at = ' ';
  int64_t n_words = 1;
  for (const char *at = words; *at; at++) n_words += *at == ' ';
  snprintf(words + strlen(words), sizeof words - strlen(words), "*%lld",
           (long long)(n - n_words + 1));
  return line_from_text(DDR_ELEMENT_DOUBLE, words, stride);
}

static void sums(void) {
  FILE *file = vectors_open("tests/unit/reduce/sums.txt");
  char row[200], name[20], what[200];
  int n_rows = 0;
  while (fgets(row, sizeof row, file)) {
    long long n;
    double wanted[2];
    if (row[0] == '#') continue;
    n_rows++;
    CHECK_EQ(sscanf(row, "%19s %199s %lld %lf %lf", name, what, &n, &wanted[0], &wanted[1]), 5);
    test_state.running = name;
    for (int s = 0; s<4; s += n> 100000 ? 2 : 1) {
      ddr_ndview x = elements_of(what, n, strides[s]);
      for (int n_threads = 1; n_threads <= 5; n_threads += 2) {
        for (int is_compensated = 0; is_compensated <= 1; is_compensated++) {
          const ddr_reduce_options options = {.n_threads = n_threads,
                                              .is_compensated = is_compensated};
          ddr_number found;
          CHECK_EQ(ddr_reduce_sum(&x, &options, &found), DDR_ARRAY_OK);
          if (!CHECK(same_bits(found.re, wanted[is_compensated]))) print_number(found);
        }
      }
      ddr_ndview_release(&x);
    }
  }
  vectors_close(file);
  CHECK_EQ(n_rows, 12);
}

int main(void) {
  RUN(small_arrays);
  RUN(sums);
  return test_result();
}
