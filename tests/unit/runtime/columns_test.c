/* Columns of values of strands: what a reduction makes of one has the same bits with every set of
 * instructions that the machine has. */
#include <math.h>
#include <string.h>

#include "runtime/element/sets.h"
#include "runtime/src/reductions/set_reduction.h"
#include "tests/unit/test.h"

static ddr_column_function *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_column);

static uint32_t random_state = 11;
static int random_number(int limit) {
  random_state = random_state * 1664525u + 1013904223u;
  return (int)(random_state >> 8) % limit;
}

/* Reals near 1, so that products stay finite, zeros of both signs among them, and perhaps a NaN. */
static double random_real(bool may_be_nan) {
  static const double special[] = {1, 0.0, -0.0, -1.25};
  if (may_be_nan && random_number(500) == 0) return (double)NAN;
  const int which = random_number(40);
  return which < 4 ? special[which] : 1 + (random_number(2001) - 1000) / 9000.0;
}

typedef union Column {
  float floats[DDR_TREE_BLOCK];
  double doubles[DDR_TREE_BLOCK];
  int32_t ints[DDR_TREE_BLOCK];
  int64_t longs[DDR_TREE_BLOCK];
  bool bools[DDR_TREE_BLOCK];
} Column;

static void fill(const ddr_program *program, ddr_kind kind, bool may_be_nan, Column *column) {
  for (int k = 0; k < DDR_TREE_BLOCK; k++) {
    const double real = random_real(may_be_nan);
    const int number = random_number(1 << 20) - (1 << 19);
    if (kind == DDR_BOOL) column->bools[k] = random_number(50) > 0;
    else if (kind == DDR_INT && program->int_size == 8)
      column->longs[k] = (int64_t)number * 1000003;
    else if (kind == DDR_INT) column->ints[k] = number * 256;
    else if (program->real_size == 8) column->doubles[k] = real;
    else column->floats[k] = (float)real;
  }
}

static void compare(const ddr_program *program, ddr_set_result what, const Column *column,
                    int64_t n) {
  const ddr_partial base = sets[DDR_SET_BASE](program, &what, column, n);
  for (int set = DDR_SET_AVX2; set < DDR_SET_COUNT; set++) {
    if (!ddr_has_set((ddr_set)set)) continue;
    const ddr_partial other = sets[set](program, &what, column, n);
    CHECK_EQ(other.integer, base.integer);
    CHECK((base.re != base.re && other.re != other.re) ||
          memcmp(&base.re, &other.re, sizeof base.re) == 0);
  }
}

static const ddr_set_result wanted[] = {
    {DDR_SUM, DDR_REAL, 0},    {DDR_PRODUCT, DDR_REAL, 0}, {DDR_MEAN, DDR_REAL, 0},
    {DDR_MIN, DDR_REAL, 0},    {DDR_MAX, DDR_REAL, 0},     {DDR_SUM, DDR_INT, 0},
    {DDR_PRODUCT, DDR_INT, 0}, {DDR_MIN, DDR_INT, 0},      {DDR_MAX, DDR_INT, 0},
    {DDR_ALL, DDR_BOOL, 0},    {DDR_EXISTS, DDR_BOOL, 0},
};

static void sets_agree(void) {
  static const ddr_program programs[] = {{.real_size = 4, .int_size = 4},
                                         {.real_size = 8, .int_size = 8}};
  static const int64_t counts[] = {1, 7, 8, 9, 31, 32, 33, 100, 1023, 1024};
  static Column column;
  for (size_t p = 0; p < 2; p++)
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
      for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int may_be_nan = 0; may_be_nan < 2; may_be_nan++) {
          fill(&programs[p], wanted[w].kind, may_be_nan, &column);
          compare(&programs[p], wanted[w], &column, counts[c]);
        }
}

int main(void) {
  RUN(sets_agree);
  return test_result();
}
