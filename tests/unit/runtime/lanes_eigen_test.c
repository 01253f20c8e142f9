/* Eigensystems in lanes have the same bits as those of one matrix each, whatever is in the other
 * lanes. Built for several instruction sets and precisions; skipped if this machine lacks one. */
#include <string.h>

#include "ddr/lanes/eigen.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/runtime/symmetric.h"
#include "tests/unit/test.h"

enum { IS_FLOAT = sizeof(ddr_real) == sizeof(float) };

static void random_one(int n, double m[6]) {
  const double scale = pow(10, (n % 9 - 4) * (IS_FLOAT ? 9 : 76));
  for (int k = 0; k < 6; k++) m[k] = scale * uniform();
}

static void nearly_equal_one(int n, double m[6]) {
  nearly_equal(n / 7, n % 36 < 2 ? 0 : pow(10, -(n % 36) / (IS_FLOAT ? 4.0 : 2.0)), m);
}

static void small_integers(int n, double m[6]) {
  for (int k = 0, rest = n * 5 % 729; k < 6; k++, rest /= 3) m[k] = rest % 3 - 1;
}

/* Three eigenvalues that are equal, or nearly so; zero. */
static void multiple_of_the_identity(int n, double m[6]) {
  const double value = n % 11 - 5;
  for (int k = 0; k < 6; k++) m[k] = n % 3 == 1 ? 1e-7 * uniform() : 0;
  for (int i = 0; i < 3; i++) m[symmetric_at[i][i]] += value * value * value;
}

/* The largest and the smallest numbers, infinities and NaN, one or several. */
static void with_ends(int n, double m[6]) {
  static const double ends[2][5] = {{1.7e308, 5e-324, 0, (double)INFINITY, (double)NAN},
                                    {3.4e38, 1.5e-45, 0, (double)INFINITY, (double)NAN}};
  for (int k = 0; k < 6; k++) m[k] = n % 2 ? uniform() : 0;
  for (int k = n % 4; k >= 0; k--)
    m[(n / 5 + 7 * k) % 6] = (n / 3 % 2 ? -1 : 1) * ends[IS_FLOAT][(n + k / 2) % 5];
}

static void (*const kinds[])(int n, double m[6]) = {random_one, nearly_equal_one, small_integers,
                                                    multiple_of_the_identity, with_ends};
enum { N_KINDS = sizeof kinds / sizeof *kinds, N_ROUNDS = 4000 };

/* All NaNs count as the same. */
static bool has_same_bits(ddr_real a, ddr_real b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check_same(const ddr_vreal *lanes, int lane, const ddr_real *one, int n) {
  for (int k = 0; k < n; k++) CHECK(has_same_bits(lanes[k][lane], one[k]));
}

static void check_lanes(const ddr_vreal m[6]) {
  ddr_vreal values[3], vectors[9], values2[2], vectors2[4];
  ddr_real one[9];
  ddr_vevals2(values2, m[0], m[1], m[2]);
  ddr_vevecs2(vectors2, m[0], m[1], m[2]);
  ddr_vevals3(values, m[0], m[1], m[2], m[3], m[4], m[5]);
  ddr_vevecs3(vectors, m[0], m[1], m[2], m[3], m[4], m[5]);
  for (int i = 0; i < DDR_LANES; i++) {
    ddr_evals2(one, m[0][i], m[1][i], m[2][i]);
    check_same(values2, i, one, 2);
    ddr_evecs2(one, m[0][i], m[1][i], m[2][i]);
    check_same(vectors2, i, one, 4);
    ddr_evals3(one, m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i]);
    check_same(values, i, one, 3);
    ddr_evecs3(one, m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i]);
    check_same(vectors, i, one, 9);
  }
}

/* Matrices of one kind in all lanes, or, for N_KINDS, of different kinds. */
static void check_kind(int kind) {
  random_state = 11;
  for (int n = 0; n < N_ROUNDS;) {
    ddr_vreal m[6] = {0};
    for (int lane = 0; lane < DDR_LANES; lane++, n++) {
      double entry[6];
      kinds[kind == N_KINDS ? n * 7 / 3 % N_KINDS : kind](n, entry);
      for (int k = 0; k < 6; k++) m[k][lane] = (ddr_real)entry[k];
    }
    check_lanes(m);
  }
}

static void every_kind_alone(void) {
  for (int kind = 0; kind < N_KINDS; kind++) check_kind(kind);
}

static void all_kinds_side_by_side(void) { check_kind(N_KINDS); }

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(every_kind_alone);
  RUN(all_kinds_side_by_side);
  return test_result();
}
