/* Sine, cosine and tangent of floats on devices, against those of doubles: in units in the last
 * place, for arguments of every size and next to every kind of zero.
 */
#define DDR_SHIM
#include "ddr/scalar.h"
#include "tests/unit/test.h"

/* Of the float nearest to x. */
static double unit_of(double x) {
  const float size = fabsf((float)x);
  return (double)(nextafterf(size, INFINITY) - size);
}

static void check_near(float found, double want, double n_units) {
  CHECK(fabs((double)found - want) <= n_units * unit_of(want));
}

static void check_at(float x) {
  const double angle = (double)x;
  check_near(ddr_sin(x), sin(angle), 2.5);
  check_near(ddr_cos(x), cos(angle), 2.5);
  check_near(ddr_tan(x), tan(angle), 4.5);
}

static uint32_t random_state = 5;

static double uniform(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) * 0x1p-23 - 1;
}

static void of_every_size(void) {
  for (int e = -140; e < 128; e++) {
    for (int n = 0; n < 400; n++) check_at((float)ldexp(uniform(), e));
  }
}

static void of_few_turns(void) {
  for (int n = 0; n < 100000; n++) check_at((float)(10 * uniform()));
  for (int n = 0; n < 100000; n++) check_at((float)(70000 * uniform()));
}

/* The floats around k quarter circles, where results are small or large. */
static void next_to_zeros(void) {
  double k = 1;
  while (k < 1e38) {
    float x = (float)(k * 1.5707963267948966);
    for (int n = 0; n < 3; n++) {
      check_at(x);
      x = nextafterf(x, INFINITY);
    }
    k = k < 3000 ? k + 1 : floor(k * 1.001);
  }
  check_at(16367173.0f * 0x1p72f); /* of all floats the nearest to a multiple */
}

static void of_what_is_no_angle(void) {
  const float rows[] = {INFINITY, -INFINITY, NAN};
  for (size_t n = 0; n < 3; n++)
    CHECK(isnan(ddr_sin(rows[n])) && isnan(ddr_cos(rows[n])) && isnan(ddr_tan(rows[n])));
}

static void of_zeros(void) {
  CHECK(ddr_sin(0) == 0 && !signbit(ddr_sin(0)) && !signbit(ddr_tan(0)) && ddr_cos(0) == 1);
  CHECK(ddr_sin(-0.0f) == 0 && signbit(ddr_sin(-0.0f)) && signbit(ddr_tan(-0.0f)));
}

int main(void) {
  RUN(of_every_size);
  RUN(of_few_turns);
  RUN(next_to_zeros);
  RUN(of_what_is_no_angle);
  RUN(of_zeros);
  return test_result();
}
