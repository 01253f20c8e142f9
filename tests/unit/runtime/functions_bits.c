/* Prints a number that depends on every bit of the results of the math.h functions that are
 * implemented in ddr/functions/, and of eigensystems, for many arguments, one at a time and in
 * lanes, which must agree. Every compiler, instruction set and optimisation must print the same:
 * functions_bits.cmake. */
#include <stdio.h>

#include "ddr/lanes/eigen.h"
#include "ddr/lanes/math.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* Arbitrary bits, and numbers of moderate size. */
static ddr_real argument(void) {
  const uint64_t bits = random_bits();
  if (bits % 4 == 0) return ddr_real_of_bits((ddr_bits)(bits >> 8));
  const ddr_real moderate = (ddr_real)((double)(bits >> 20) * 0x1p-43 - 1);
  if (bits % 4 == 1) return (ddr_real)(bits >> 8 & 127) - 64; /* an integer */
  return bits % 4 == 2 ? moderate * 100 : moderate;
}

static uint64_t digest = 0;
static long n_apart = 0;

/* All NaNs count as the same. */
static ddr_bits bits_of(ddr_real x) { return x == x ? ddr_bits_of(x) : 0; }

static void add(ddr_real one, ddr_real lane) {
  digest = (digest ^ bits_of(one)) * UINT64_C(0x100000001b3);
  n_apart += bits_of(one) != bits_of(lane);
}

#define ADD1(name)                                                                                 \
  {                                                                                                \
    const ddr_vreal lanes = ddr_v##name(x);                                                        \
    for (int i = 0; i < DDR_LANES; i++) add(ddr_##name(x[i]), lanes[i]);                           \
  }
#define ADD2(name)                                                                                 \
  {                                                                                                \
    const ddr_vreal lanes = ddr_v##name(x, y);                                                     \
    for (int i = 0; i < DDR_LANES; i++) add(ddr_##name(x[i], y[i]), lanes[i]);                     \
  }
#define ADD_POWER_BY(by)                                                                           \
  {                                                                                                \
    const ddr_vreal lanes = ddr_vpow_by(x, (by));                                                  \
    for (int i = 0; i < DDR_LANES; i++) add(ddr_pow(x[i], (by)), lanes[i]);                        \
  }

/* One function after another, so that the order does not depend on the width of vectors. */
#define FOR_ALL(adds)                                                                              \
  random_state = 88172645463325252u;                                                               \
  for (int n = 0; n < 40000; n += DDR_LANES) {                                                     \
    ddr_vreal x = {0}, y = {0};                                                                    \
    for (int i = 0; i < DDR_LANES; i++) x[i] = argument(), y[i] = argument();                      \
    (void)y;                                                                                       \
    adds                                                                                           \
  }

/* From 1 to 2, with random digits. */
static ddr_real digits(void) {
  return ddr_real_of_bits(((ddr_bits)random_bits() & DDR_MANTISSA_MASK) | DDR_ONE_BITS);
}

/* Remainders of divisions, which most results of the functions do not show. */
static void left_overs(void) {
  random_state = 88172645463325252u;
  for (int n = 0; n < 40000; n += DDR_LANES) {
    ddr_vreal a = {0}, b = {0};
    for (int i = 0; i < DDR_LANES; i++) a[i] = digits(), b[i] = digits();
    const ddr_vreal q = a * (1 / b), lanes = ddr_vleft_over(a, q, b);
    for (int i = 0; i < DDR_LANES; i++) add(ddr_left_over(a[i], q[i], b[i]), lanes[i]);
  }
}

/* The same exponent for all lanes. */
static void uniform_powers(void) {
  static const ddr_real exponents[] = {0, 1, 2, 60, -3, DDR_R(0.5), DDR_R(2.5), 65};
  for (int k = 0; k < 8; k++) {
    FOR_ALL(y = ddr_vall(exponents[k]); ADD2(pow))
    FOR_ALL(ADD_POWER_BY(exponents[k]))
  }
  FOR_ALL(ADD_POWER_BY(DDR_R(0.5)))
  FOR_ALL(ADD_POWER_BY(DDR_R(2.5)))
  FOR_ALL(ADD_POWER_BY(60))
  FOR_ALL(ADD_POWER_BY(-3))
}

/* Small integers, nearly equal eigenvalues, and arbitrary bits. */
static ddr_real entry(int n, int k) {
  const bool is_diagonal = k == 0 || k == 3 || k == 5;
  if (n % 3 == 0) return argument();
  if (n % 3 == 1) return (ddr_real)(random_bits() >> 60) - 8;
  return (is_diagonal ? (ddr_real)(n % 5) : 0) + argument() * DDR_R(1e-6) * (ddr_real)(n % 2);
}

/* Both kinds of eigensystem of one matrix with 2 or 3 rows. */
static void add_systems(int n_rows) {
  random_state = 88172645463325252u;
  for (int n = 0; n < 40000;) {
    ddr_vreal m[6] = {0}, values[3] = {0}, vectors[9];
    ddr_real one[9];
    for (int i = 0; i < DDR_LANES; i++, n++)
      for (int k = 0; k < 6; k++) m[k][i] = entry(n, k);
    if (n_rows == 2) {
      ddr_vevals2(values, m[0], m[1], m[3]);
      ddr_vevecs2(vectors, m[0], m[1], m[3]);
    } else {
      ddr_vevals3(values, m[0], m[1], m[2], m[3], m[4], m[5]);
      ddr_vevecs3(vectors, m[0], m[1], m[2], m[3], m[4], m[5]);
    }
    for (int i = 0; i < DDR_LANES; i++) {
      if (n_rows == 2) ddr_evals2(one, m[0][i], m[1][i], m[3][i]);
      else ddr_evals3(one, m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i]);
      for (int k = 0; k < n_rows; k++) add(one[k], values[k][i]);
      if (n_rows == 2) ddr_evecs2(one, m[0][i], m[1][i], m[3][i]);
      else ddr_evecs3(one, m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i]);
      for (int k = 0; k < n_rows * n_rows; k++) add(one[k], vectors[k][i]);
    }
  }
}

int main(void) {
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512dq")) return 77;
#elif defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 77;
#endif
  FOR_ALL(ADD1(exp))
  FOR_ALL(ADD1(log))
  FOR_ALL(ADD1(log2))
  FOR_ALL(ADD1(log10))
  FOR_ALL(ADD1(sin))
  FOR_ALL(ADD1(cos))
  FOR_ALL(ADD1(tan))
  FOR_ALL(ADD1(asin))
  FOR_ALL(ADD1(acos))
  FOR_ALL(ADD1(atan))
  FOR_ALL(ADD2(pow))
  FOR_ALL(ADD2(atan2))
  left_overs();
  uniform_powers();
  add_systems(2);
  add_systems(3);
  printf("%016llx, %ld apart\n", (unsigned long long)digest, n_apart);
  return n_apart != 0;
}
