/* Casts and transforms have the same bits with every instruction set of the machine; exp and log
 * are also checked for accuracy. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/element/cast.h"
#include "runtime/element/complex.h"
#include "runtime/element/number.h"
#include "runtime/element/sets.h"
#include "runtime/transform/kernels.h"
#include "tests/unit/array_text.h"

enum { MOST = 300 };

typedef const ddr_transform_kernels Rows[DDR_ELEMENT_COUNT];

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 (double)NAN,
                                 (double)INFINITY,
                                 0.5,
                                 -0.5,
                                 255.9,
                                 256,
                                 -128.5,
                                 65535.5,
                                 32767.9,
                                 -32769,
                                 2147483647.0,
                                 -2147483648.0,
                                 2147483648.5,
                                 1e19,
                                 -1e19,
                                 1e300,
                                 -1e-300,
                                 (double)FLT_MIN,
                                 0x1p-1074,
                                 88.8,
                                 -104,
                                 709.8,
                                 -745.2,
                                 0.7071,
                                 1.4143};
enum { N_SPECIAL = sizeof special / sizeof *special };

static uint32_t random_state = 11;
static uint32_t random_bits(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

/* Special numbers first, then arbitrary bits, except invalid bools. */
static void fill(ddr_element type, char *elements, int n) {
  const size_t size = ddr_element_size(type);
  for (int k = 0; k < n; k++) {
    char *element = elements + (size_t)k * size;
    const ddr_number number = {.type = DDR_ELEMENT_CDOUBLE,
                               .re = special[k % N_SPECIAL],
                               .im = special[random_bits() % N_SPECIAL]};
    const ddr_number real = {.type = DDR_ELEMENT_DOUBLE, .re = number.re};
    ddr_number cast;
    const bool is_complex = ddr_element_kind_of(type) == DDR_KIND_COMPLEX;
    CHECK_EQ(ddr_number_cast(is_complex ? number : real, type, &cast), DDR_ARRAY_OK);
    ddr_number_store(cast, element);
    if (k < N_SPECIAL || type == DDR_ELEMENT_BOOL) continue;
    for (size_t byte = 0; byte < size; byte++) element[byte] = (char)random_bits();
  }
}

/* NaNs are equal, whatever their bits. */
static bool same(ddr_element type, const void *found, const void *want) {
  return memcmp(found, want, ddr_element_size(type)) == 0 ||
         same_number(ddr_number_load(type, found), ddr_number_load(type, want));
}

typedef union {
  ddr_complex_double all[MOST];
} Room;

static void casts(void) {
  static ddr_cast_function *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_cast_elements);
  static Room from_room, base, other;
  for (int pair = 0; pair < (int)DDR_ELEMENT_COUNT * (int)DDR_ELEMENT_COUNT; pair++) {
    const ddr_element from = (ddr_element)(pair / (int)DDR_ELEMENT_COUNT);
    const ddr_element to = (ddr_element)(pair % (int)DDR_ELEMENT_COUNT);
    const size_t size = ddr_element_size(to);
    if (from == to || !ddr_cast_is_there(from, to)) continue;
    fill(from, (char *)&from_room, MOST);
    sets[DDR_SET_BASE](from, &from_room, to, &base, MOST);
    for (int set = DDR_SET_AVX2; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      sets[set](from, &from_room, to, &other, MOST);
      for (size_t k = 0; k < MOST; k++)
        CHECK(same(to, (char *)&other + k * size, (char *)&base + k * size));
    }
  }
}

/* Compares the results of a transform; parts of complex numbers are compared as reals. */
static void compare(ddr_transform transform, ddr_element type, ddr_transform_kernel *const *its,
                    const void *const *operands) {
  static Room base, other;
  const size_t n_bytes = (size_t)MOST * ddr_element_size(type);
  const bool is_double = type == DDR_ELEMENT_DOUBLE || type == DDR_ELEMENT_CDOUBLE;
  const bool is_real = ddr_element_kind_of(type) >= DDR_KIND_REAL;
  memset(&base, 0, sizeof base);
  memset(&other, 0, sizeof other);
  its[0](operands, &base, MOST);
  its[1](operands, &other, MOST);
  if (memcmp(&base, &other, n_bytes) == 0) return;
  const ddr_element part = is_double ? DDR_ELEMENT_DOUBLE : DDR_ELEMENT_FLOAT;
  const size_t size = ddr_element_size(is_real ? part : type);
  if (!CHECK(is_real)) fprintf(stderr, "transform %d, type %d\n", (int)transform, (int)type);
  for (size_t k = 0; is_real && k * size < n_bytes; k++) {
    if (!CHECK(same(part, (char *)&other + k * size, (char *)&base + k * size)))
      fprintf(stderr, "transform %d, type %d, %zu\n", (int)transform, (int)type, k);
  }
}

static bool has_functions_of_libm(ddr_transform transform, ddr_element type) {
  const bool is_exponential = transform == DDR_TRANSFORM_EXP || transform == DDR_TRANSFORM_LOG;
  return is_exponential && ddr_element_kind_of(type) == DDR_KIND_COMPLEX;
}

static void transforms(void) {
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  static Room rooms[4];
  const void *const operands[] = {&rooms[0], &rooms[1], &rooms[2], &rooms[3]};
  for (int row = 0; row < (int)DDR_TRANSFORM_COUNT * (int)DDR_ELEMENT_COUNT; row++) {
    const ddr_transform transform = (ddr_transform)(row / (int)DDR_ELEMENT_COUNT);
    const ddr_element type = (ddr_element)(row % (int)DDR_ELEMENT_COUNT);
    const ddr_transform_kernels base = sets[DDR_SET_BASE][transform][type];
    if (!base.plain || has_functions_of_libm(transform, type)) continue;
    for (int k = 0; k < 4; k++) fill(type, (char *)&rooms[k], MOST);
    const int64_t n_bytes = MOST * (int64_t)ddr_element_size(type);
    if (transform == DDR_TRANSFORM_DIV && ddr_element_kind_of(type) < DDR_KIND_REAL)
      for (int64_t k = 0; k < n_bytes; k++) ((char *)&rooms[1])[k] |= 1; /* no divisor is 0 */
    for (int set = DDR_SET_AVX2; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      const ddr_transform_kernels other = sets[set][transform][type];
      ddr_transform_kernel *const both[] = {base.plain, other.plain};
      ddr_transform_kernel *const of_numbers[] = {base.of_numbers, other.of_numbers};
      compare(transform, type, both, operands);
      if (base.of_numbers) compare(transform, type, of_numbers, operands);
    }
  }
}

/* --- exp and log ------------------------------------------------------------------------------ */

/* The distance in units in the last place between a real and its exact value. */
static double units_off(ddr_element type, double found, long double want) {
  const bool is_float = type == DDR_ELEMENT_FLOAT;
  const double near = is_float ? (double)(float)want : (double)want;
  if (isnan(found) || isnan(want)) return isnan(found) && isnan(want) ? 0 : 99;
  if (isinf(near)) return found == near ? 0 : 99;
  const int digits = is_float ? 23 : 52, least = is_float ? -126 : -1022;
  const int exponent = near == 0 || ilogb(near) < least ? least : ilogb(near);
  return (double)ldexpl(fabsl((long double)found - want), digits - exponent);
}

/* Special numbers; numbers whose log is near 0; numbers whose exp is finite; or only ordinary
 * ones. */
static double of_round(ddr_element type, int round, int k) {
  const double share = (double)random_bits() / 0x1p24, fine = (double)random_bits() / 0x1p48;
  if (round < 2) return special[k % N_SPECIAL];
  const bool is_float = type == DDR_ELEMENT_FLOAT;
  const double finite = is_float ? 106 : 746, ordinary = is_float ? 87 : 703;
  const double range = round % 4 == 1 ? finite : ordinary;
  return round % 2 ? range * (2 * (share + fine) - 1) : (share + fine) * 4;
}

/* The largest error of the results in units in the last place. */
static double most_off(ddr_element type, const Room *x, const Room *exps, const Room *logs) {
  const size_t size = ddr_element_size(type);
  double worst = 0;
  for (size_t at = 0; at < MOST * size; at += size) {
    const long double number = (long double)ddr_number_load(type, (const char *)x + at).re;
    const double exp_found = ddr_number_load(type, (const char *)exps + at).re;
    const double log_found = ddr_number_load(type, (const char *)logs + at).re;
    worst = fmax(worst, units_off(type, exp_found, expl(number)));
    worst = fmax(worst, units_off(type, log_found, logl(number)));
  }
  return worst;
}

/* A result does not depend on the numbers beside it: now and then one of these is not ordinary, and
 * the output may be the input. */
static void same_alone(ddr_transform_kernel *its, ddr_element type, const Room *x,
                       const Room *want) {
  static Room found, alone;
  const size_t size = ddr_element_size(type);
  its((const void *const[]){x, NULL, NULL, NULL}, &found, MOST);
  for (size_t at = 0; at < MOST * size; at += size) {
    CHECK(same(type, (char *)&found + at, (const char *)want + at));
    its((const void *const[]){(const char *)x + at, NULL, NULL, NULL}, &alone, 1);
    CHECK(same(type, &alone, (char *)&found + at));
  }
  alone = *x;
  its((const void *const[]){&alone, NULL, NULL, NULL}, &alone, MOST);
  CHECK(memcmp(&alone, &found, MOST * size) == 0);
}

/* The error is at most 2 units, and results are the same with each instruction set. */
static void exponentials_of(ddr_element type) {
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  static Room x, exps, logs;
  const size_t size = ddr_element_size(type);
  const void *const operands[] = {&x, NULL, NULL, NULL};
  double worst = 0;
  for (int round = 0; round < 200; round++) {
    for (int k = 0; k < MOST; k++)
      ddr_number_store((ddr_number){type, .re = of_round(type, round, k)},
                       (char *)&x + (size_t)k * size);
    sets[DDR_SET_BASE][DDR_TRANSFORM_EXP][type].plain(operands, &exps, MOST);
    sets[DDR_SET_BASE][DDR_TRANSFORM_LOG][type].plain(operands, &logs, MOST);
    worst = fmax(worst, most_off(type, &x, &exps, &logs));
    for (int set = 0; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      same_alone(sets[set][DDR_TRANSFORM_EXP][type].plain, type, &x, &exps);
      same_alone(sets[set][DDR_TRANSFORM_LOG][type].plain, type, &x, &logs);
    }
  }
  CHECK(worst <= (type == DDR_ELEMENT_FLOAT ? 2 : 1));
}

/* Where results are nearly subnormal, the error of exp of doubles is at most 3/4 of a unit. */
static void least_exponentials(void) {
  static Room x, exps;
  ddr_transform_kernel *const exp_of =
      ddr_transform_kernels_of(DDR_TRANSFORM_EXP, DDR_ELEMENT_DOUBLE).plain;
  const void *const operands[] = {&x, NULL, NULL, NULL};
  double worst = 0;
  for (int round = 0; round < 100; round++) {
    double *const numbers = (double *)&x;
    for (int k = 0; k < MOST; k++) numbers[k] = -692 - (double)random_bits() / 0x1p20;
    numbers[0] = -0x1.618ae639d88bep+9;
    numbers[1] = -707.37836;
    exp_of(operands, &exps, MOST);
    for (int k = 0; k < MOST; k++) {
      const double found = ((const double *)&exps)[k];
      worst = fmax(worst, units_off(DDR_ELEMENT_DOUBLE, found, expl((long double)numbers[k])));
    }
  }
  CHECK(worst <= 0.75);
}

static void exponentials(void) {
  exponentials_of(DDR_ELEMENT_FLOAT);
  exponentials_of(DDR_ELEMENT_DOUBLE);
}

/* --- moduli ----------------------------------------------------------------------------------- */

/* 0, or numbers with few or many digits, from 2^-257 to 2^257, so that now and then a block needs
 * scaling. */
static double part_of_modulus(int round) {
  const int range = round % 4 == 0 ? 257 : 254, digits = random_bits() % 2 ? 26 : 52;
  const double fine = (double)random_bits() / 0x1p24 + (double)random_bits() / 0x1p48;
  const double size = ldexp(floor(ldexp(1 + fine, digits)), -digits);
  const int exponent = (int)(random_bits() % (unsigned)(2 * range)) - range;
  if (random_bits() % 8 == 0) return random_bits() % 2 ? 0.0 : -0.0;
  return ldexp(random_bits() % 2 ? size : -size, exponent);
}

/* Blocks without scaling have the same bits as with it. */
static void moduli(void) {
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  static ddr_complex_double x[MOST];
  static double found[MOST];
  const void *const operands[] = {x, NULL, NULL, NULL};
  for (int round = 0; round < 300; round++) {
    for (int k = 0; k < MOST; k++)
      x[k] = (ddr_complex_double){part_of_modulus(round), part_of_modulus(round)};
    for (int set = 0; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      sets[set][DDR_TRANSFORM_CWISE_ABS][DDR_ELEMENT_CDOUBLE].plain(operands, found, MOST);
      for (int k = 0; k < MOST; k++) CHECK(found[k] == ddr_modulus_double(x[k]));
    }
  }
}

/* Floats of all sizes; whole numbers, whose moduli often are; tiny ones; or such that the modulus
 * is nearly in the middle between two floats.  One in each round is not finite. */
static ddr_complex_float of_small_parts(int round, int k) {
  static const ddr_complex_float odd[] = {{NAN, 2}, {2, NAN}, {INFINITY, 1}, {1, -INFINITY}};
  const uint32_t any = random_bits() << 8 | random_bits() >> 16;
  const double re = random_bits() % 4096, im = random_bits() % 4096;
  if (k == round % MOST) return odd[round / 4 % 4];
  if (round % 4 == 0) return (ddr_complex_float){ddr_float_of_bits(any), (float)special[k % 10]};
  if (round % 4 == 1) return (ddr_complex_float){(float)re, (float)im};
  if (round % 4 == 2) return (ddr_complex_float){(float)(re * 0x1p-70), (float)(im / 3 * 0x1p-70)};
  const float large = (float)(1 + re * 0x1p-23), small = (float)sqrt((double)large * 0x1p-23);
  const float beside = nextafterf(small, random_bits() % 2 ? 0 : 1);
  return (ddr_complex_float){large, random_bits() % 2 ? small : beside};
}

/* Sixteen at a time have the bits of the formula in double. */
static void moduli_of_floats(void) {
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  static ddr_complex_float x[MOST];
  static float found[MOST];
  const void *const operands[] = {x, NULL, NULL, NULL};
  for (int round = 0; round < 2000; round++) {
    for (int k = 0; k < MOST; k++) x[k] = of_small_parts(round, k);
    for (int set = 0; set < DDR_SET_COUNT; set++) {
      if (!ddr_has_set((ddr_set)set)) continue;
      sets[set][DDR_TRANSFORM_CWISE_ABS][DDR_ELEMENT_CFLOAT].plain(operands, found, MOST);
      for (int k = 0; k < MOST; k++) {
        const float want = ddr_modulus_float(x[k]);
        if (!CHECK(found[k] == want || (isnan(want) && isnan(found[k]))))
          fprintf(stderr, "  %a %a\n", (double)x[k].re, (double)x[k].im);
      }
    }
  }
}

int main(void) {
  RUN(moduli);
  RUN(moduli_of_floats);
  RUN(casts);
  RUN(transforms);
  RUN(exponentials);
  RUN(least_exponentials);
  return test_result();
}
