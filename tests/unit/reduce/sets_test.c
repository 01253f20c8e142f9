/* Partial results of blocks of arrays, and of adjacent lines, have the same bits with every
 * instruction set that the machine has. */
#include <math.h>
#include <string.h>

#include "runtime/element/complex.h"
#include "runtime/element/number.h"
#include "runtime/element/sets.h"
#include "runtime/reduce/kernels.h"
#include "tests/unit/array_text.h"

static const double special[] = {0.0, -0.0, 1, -1, 3.25, -7.5, 1e10, -1e-10, 100, 0.1};
enum { N_SPECIAL = sizeof special / sizeof *special };

static uint32_t random_state = 5;
static uint32_t random_bits(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

static double random_number(int64_t k) {
  const uint32_t bits = random_bits();
  return bits % 3 == 0 ? special[(bits >> 3) % N_SPECIAL] : (double)(bits % 2001) / 8 - (double)k;
}

static void fill(ddr_element type, char *elements, int64_t n, bool has_nan) {
  for (int64_t k = 0; k < n; k++) {
    const bool is_complex = ddr_element_kind_of(type) == DDR_KIND_COMPLEX;
    ddr_number number = {.type = is_complex ? DDR_ELEMENT_CDOUBLE : DDR_ELEMENT_DOUBLE}, cast;
    number.re = has_nan && k == n / 2 ? (double)NAN : random_number(k);
    if (is_complex) number.im = random_number(k);
    CHECK_EQ(ddr_number_cast(number, type, &cast), DDR_ARRAY_OK);
    ddr_number_store(cast, elements + (size_t)k * ddr_element_size(type));
  }
}

static bool same_double(double a, double b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same(ddr_partial a, ddr_partial b) {
  return same_double(a.re, b.re) && same_double(a.im, b.im) &&
         same_double(a.re_error, b.re_error) && same_double(a.im_error, b.im_error) &&
         same_double(a.modulus, b.modulus) && a.integer == b.integer &&
         memcmp(&a.wide, &b.wide, sizeof a.wide) == 0;
}

static void compare(ddr_term term, ddr_element type, int set, int64_t n, bool has_nan) {
  typedef const ddr_reduce_kernels Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_kernels);
  static ddr_complex_double x[DDR_TREE_BLOCK], y[DDR_TREE_BLOCK];
  const ddr_reduce_kernels base = sets[DDR_SET_BASE][term][type], other = sets[set][term][type];
  if (!CHECK_EQ(base.plain.block != NULL, other.plain.block != NULL) || !base.plain.block) return;
  fill(type, (char *)x, n, has_nan);
  fill(type, (char *)y, n, false);
  const double a = term == DDR_TERM_L0 ? 0.5 : term == DDR_TERM_DISTANCES ? 1.75 : 0;
  if (!CHECK(same(other.plain.block(x, y, a, n), base.plain.block(x, y, a, n))))
    fprintf(stderr, "term %d, type %d, %d elements\n", (int)term, (int)type, (int)n);
  if (!base.compensated.block) return;
  CHECK(same(other.compensated.block(x, y, a, n), base.compensated.block(x, y, a, n)));
}

static void blocks(void) {
  static const int64_t n[] = {1, 2, 7, 8, 9, 31, 32, 33, 63, 65, 100, 1023, 1024};
  for (int set = DDR_SET_BASE; set < DDR_SET_COUNT; set++) {
    if (!ddr_has_set((ddr_set)set)) continue;
    for (int row = 0; row < (int)DDR_TERM_COUNT * (int)DDR_ELEMENT_COUNT; row++) {
      const ddr_term term = (ddr_term)(row / (int)DDR_ELEMENT_COUNT);
      const ddr_element type = (ddr_element)(row % (int)DDR_ELEMENT_COUNT);
      for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
        compare(term, type, set, n[k], false);
        compare(term, type, set, n[k], true);
      }
    }
  }
}

/* --- lines beside each other ------------------------------------------------------------------ */

/* PAGES_APART: rows begin at the same offset of a page; otherwise they are close. */
enum { MOST_BESIDE = 144, FAR_APART = 2 * MOST_BESIDE + 5, PAGES_APART = 256, BEFORE = 3 };

static ddr_complex_double x_lines[DDR_TREE_BLOCK * FAR_APART + BEFORE];
static ddr_complex_double y_lines[DDR_TREE_BLOCK * FAR_APART];

static double sums[DDR_SET_COUNT][MOST_BESIDE];

/* Rows added to lanes, of which row 0 has FIRST_LANE. */
enum { FIRST_LANE = 29 };
static double lane_sums[DDR_SET_COUNT][DDR_TREE_LANES * DDR_COLUMNS + DDR_SLACK];

static double folded(int set, int line) {
  double lanes[DDR_TREE_LANES];
  for (int k = 0; k < DDR_TREE_LANES; k++)
    lanes[k] = lane_sums[set][(FIRST_LANE + k) % DDR_TREE_LANES * DDR_COLUMNS + line];
  return ddr_tree_doubles(DDR_TREE_ADD, lanes, DDR_TREE_LANES);
}

static void add_up(ddr_term term, ddr_element type, const ddr_lines *lines) {
  typedef const ddr_reduce_kernels Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_kernels);
  for (int set = DDR_SET_BASE; set < DDR_SET_COUNT; set++) {
    if (!ddr_has_set((ddr_set)set)) continue;
    const ddr_reduce_kernel *kernel = &sets[set][term][type].plain;
    kernel->lines(lines, sums[set]);
    if (lines->n_lines > DDR_COLUMNS) continue;
    memset(lane_sums[set], 0, sizeof lane_sums[set]);
    kernel->lanes(lines, FIRST_LANE, lane_sums[set]);
  }
}

static void compare_line(ddr_term term, ddr_element type, const ddr_lines *lines, int k,
                         double one) {
  for (int set = DDR_SET_BASE; set < DDR_SET_COUNT; set++) {
    if (!ddr_has_set((ddr_set)set)) continue;
    const bool are_lanes = lines->n_lines > DDR_COLUMNS || CHECK(same_double(folded(set, k), one));
    if (CHECK(same_double(sums[set][k], one)) && are_lanes) continue;
    fprintf(stderr, "set %d, term %d, type %d, line %d of %d, %d elements\n", set, (int)term,
            (int)type, k, lines->n_lines, (int)lines->n);
  }
}

/* With every instruction set, each line has the bits of a block of its elements. */
static void compare_lines(ddr_term term, ddr_element type, const ddr_lines *lines) {
  static ddr_complex_double x[DDR_TREE_BLOCK], y[DDR_TREE_BLOCK];
  const size_t size = ddr_element_size(type);
  add_up(term, type, lines);
  for (int k = 0; k < lines->n_lines; k++) {
    for (int64_t row = 0; row < lines->n; row++) {
      const char *const its_x = (const char *)lines->x + (row * lines->x_step + k) * (int64_t)size;
      const char *const its_y = (const char *)lines->y + (row * lines->y_step + k) * (int64_t)size;
      memcpy((char *)x + (size_t)row * size, its_x, size);
      memcpy((char *)y + (size_t)row * size, its_y, size);
    }
    ddr_kernel_function *const block = ddr_reduce_kernels_base[term][type].plain.block;
    compare_line(term, type, lines, k, block(x, y, lines->a[k], lines->n).re);
  }
}

static void compare_all_lines(ddr_term term, ddr_element type) {
  static const int64_t n[] = {1,   2,   3,   5,   16,  17,  20,  31,  32,  33,  64,  65,
                              161, 191, 192, 193, 224, 256, 257, 300, 352, 353, 640, 1024};
  static const int n_lines[] = {1, 15, 16, 19, MOST_BESIDE};
  static const int64_t steps[] = {MOST_BESIDE, PAGES_APART, FAR_APART, -FAR_APART};
  double a[MOST_BESIDE];
  for (int k = 0; k < MOST_BESIDE; k++) a[k] = term == DDR_TERM_SCALED_SQUARES ? k % 3 : 0;
  for (size_t i = 0; i < sizeof n / sizeof *n * (sizeof n_lines / sizeof *n_lines); i++) {
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
      const int64_t n_rows = n[i % (sizeof n / sizeof *n)], step = steps[k];
      const int64_t first = BEFORE + (step < 0 ? (1 - n_rows) * step : 0);
      const int64_t first_byte = first * (int64_t)ddr_element_size(type);
      const ddr_lines lines = {.x = (const char *)x_lines + first_byte,
                               .y = (const char *)y_lines,
                               .x_step = step,
                               .y_step = MOST_BESIDE + 1,
                               .a = a,
                               .n = n_rows,
                               .n_lines = n_lines[i / (sizeof n / sizeof *n)]};
      compare_lines(term, type, &lines);
    }
  }
}

static void lines_beside_each_other(void) {
  for (int type = 0; type < (int)DDR_ELEMENT_COUNT; type++) {
    fill((ddr_element)type, (char *)x_lines, DDR_TREE_BLOCK * FAR_APART + BEFORE, false);
    fill((ddr_element)type, (char *)y_lines, DDR_TREE_BLOCK * FAR_APART, false);
    for (int term = 0; term < (int)DDR_TERM_COUNT; term++) {
      if (!ddr_reduce_kernels_base[term][type].plain.lines) continue;
      compare_all_lines((ddr_term)term, (ddr_element)type);
    }
  }
}

/* --- the greatest modulus, and the sum -------------------------------------------------------- */

/* A block needs scaling (runtime/element/moduli.h), or not; now and then a part is NaN. */
static double part_of_modulus(int round) {
  static const int exponents[] = {-20, -600, 540}; /* their squares are normal, 0 and infinite */
  const double size = 1 + (double)random_bits() / 0x1p24 + (double)random_bits() / 0x1p48;
  if (random_bits() % 9 == 0) return random_bits() % 2 ? 0.0 : -0.0;
  if (round % 7 == 0 && random_bits() % 900 == 0) return random_bits() % 2 ? NAN : INFINITY;
  return ldexp(random_bits() % 2 ? size : -size, (int)(random_bits() % 40) + exponents[round % 3]);
}

static double greatest_of(double so_far, double next) {
  return so_far != so_far || next != next ? (double)NAN : next > so_far ? next : so_far;
}

static void moduli(void) {
  typedef const ddr_reduce_kernels Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_kernels);
  static ddr_complex_double x[DDR_TREE_BLOCK];
  static ddr_complex_float small[DDR_TREE_BLOCK];
  static double sizes[DDR_TREE_BLOCK];
  static float small_sizes[DDR_TREE_BLOCK];
  for (int round = 0; round < 60; round++) {
    const int n = round % 2 == 0 ? DDR_TREE_BLOCK : 1 + (int)(random_bits() % 70);
    double want = 0, small_want = 0;
    for (int k = 0; k < n; k++) {
      x[k] = (ddr_complex_double){part_of_modulus(round), part_of_modulus(round)};
      small[k] = (ddr_complex_float){(float)cbrt(x[k].re), (float)cbrt(x[k].im)};
      sizes[k] = ddr_modulus_double(x[k]);
      small_sizes[k] = ddr_modulus_float(small[k]);
      want = greatest_of(want, sizes[k]);
      small_want = greatest_of(small_want, (double)small_sizes[k]);
    }
    for (int set = 0; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      const ddr_reduce_kernels *row = sets[set][DDR_TERM_LINF];
      CHECK(same_double(row[DDR_ELEMENT_CDOUBLE].plain.block(x, x, 0, n).re, want));
      CHECK(same_double(row[DDR_ELEMENT_CFLOAT].plain.block(small, small, 0, n).re, small_want));
      const ddr_reduce_kernels *sum = sets[set][DDR_TERM_L1];
      CHECK(same_double(sum[DDR_ELEMENT_CDOUBLE].plain.block(x, x, 0, n).re,
                        ddr_tree_doubles(DDR_TREE_ADD, sizes, n)));
      CHECK(same_double(sum[DDR_ELEMENT_CFLOAT].plain.block(small, small, 0, n).re,
                        ddr_tree_floats(DDR_TREE_ADD, small_sizes, n)));
    }
  }
}

int main(void) {
  RUN(blocks);
  RUN(moduli);
  RUN(lines_beside_each_other);
  return test_result();
}
