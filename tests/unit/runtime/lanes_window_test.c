/* Windows of images of one dimension for all lanes at once: each sample is the one that the border
 * rule gives, computed here one step at a time. Built like lanes_test.c. */
#include <math.h>

#include "ddr/lanes/slices.h"
#include "ddr/lanes/window.h"
#include "tests/unit/runtime/border_place.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { N_COMPONENTS = 3, MAX_LEN = 9 };

static const ddr_real outside = -3.5f;

/* Sample k of component c is 10*k + c. */
typedef struct Fixture {
  ddr_real reals[MAX_LEN * N_COMPONENTS];
  uint8_t bytes[MAX_LEN * N_COMPONENTS];
} Fixture;

static ddr_image image_of(Fixture *fixture, int64_t len, bool is_real) {
  for (int k = 0; k < MAX_LEN * N_COMPONENTS; k++) {
    fixture->bytes[k] = (uint8_t)(10 * (k / N_COMPONENTS) + k % N_COMPONENTS);
    fixture->reals[k] = fixture->bytes[k];
  }
  return (ddr_image){.dim = 1,
                     .n_components = N_COMPONENTS,
                     .size = {len, 1, 1},
                     .stride = {N_COMPONENTS, N_COMPONENTS * len, N_COMPONENTS * len},
                     .sample = is_real ? DDR_SAMPLE_REAL : DDR_SAMPLE_U8,
                     .samples = is_real ? (const void *)fixture->reals : fixture->bytes};
}

static void check_window(const ddr_image *image, ddr_border rule, ddr_vint first, int component,
                         int n_taps) {
  ddr_vreal window[6];
  if (n_taps == 2) ddr_vwindow(image, rule, first, component, outside, 2, window);
  else if (n_taps == 4) ddr_vwindow(image, rule, first, component, outside, 4, window);
  else ddr_vwindow(image, rule, first, component, outside, 6, window);
  for (int lane = 0; lane < DDR_LANES; lane++)
    for (int k = 0; k < n_taps; k++) {
      const int64_t place = place_of(rule, (int64_t)first[lane] + k, image->size[DDR_X]);
      const ddr_real sample = place < 0 ? outside : (ddr_real)(10 * place + component);
      CHECK(window[k][lane] == sample);
    }
}

static void samples_are_those_of_the_rules(void) {
  Fixture fixture;
  for (int len = 1; len <= MAX_LEN; len++)
    for (int is_real = 0; is_real < 2; is_real++) {
      const ddr_image image = image_of(&fixture, len, is_real != 0);
      for (int from = -40; from < 40; from += DDR_LANES / 2)
        for (int rule = DDR_BORDER_CLAMP; rule <= DDR_BORDER_CONST; rule++) {
          ddr_vint first = {0};
          for (int lane = 0; lane < DDR_LANES; lane++) first[lane] = from + lane;
          for (int component = 0; component < N_COMPONENTS; component++)
            for (int n_taps = 2; n_taps <= 6; n_taps += 2)
              check_window(&image, (ddr_border)rule, first, component, n_taps);
        }
    }
}

/* Too far for one step at a time. */
static void far_taps_are_samples_too(void) {
  Fixture fixture;
  const ddr_image image = image_of(&fixture, 4, true);
  const ddr_int far = (ddr_int)(DDR_INT_LIMIT / 2); /* divisible by 8 as well as by 4 */
  ddr_vreal clamped[2], wrapped[2], mirrored[2], constant[2];
  ddr_vint first = ddr_vint_all(far);
  for (int lane = 0; lane < DDR_LANES; lane += 2) first[lane] = -far;
  ddr_vwindow(&image, DDR_BORDER_CLAMP, first, 0, outside, 2, clamped);
  ddr_vwindow(&image, DDR_BORDER_WRAP, first, 0, outside, 2, wrapped);
  ddr_vwindow(&image, DDR_BORDER_MIRROR, first, 0, outside, 2, mirrored);
  ddr_vwindow(&image, DDR_BORDER_CONST, first, 0, outside, 2, constant);
  for (int lane = 0; lane < DDR_LANES; lane++)
    for (int k = 0; k < 2; k++) {
      CHECK(clamped[k][lane] == (lane % 2 == 0 ? 0 : 30));
      CHECK(wrapped[k][lane] == 10 * (ddr_real)k);
      CHECK(mirrored[k][lane] == 10 * (ddr_real)k);
      CHECK(constant[k][lane] == outside);
    }
}

static void first_taps_are_those_of_one_strand(void) {
  static const ddr_real places[] = {
      0,      -0.0f,    3,         -7,  1e9f,     -1e9f,        3e30f,
      -3e30f, INFINITY, -INFINITY, NAN, 16777216, -16777218.0f, 2147483648.0f};
  enum { N_PLACES = sizeof places / sizeof *places };
  for (int from = 0; from < N_PLACES; from++) {
    ddr_vreal cells = {0};
    for (int lane = 0; lane < DDR_LANES; lane++) cells[lane] = places[(from + lane) % N_PLACES];
    const ddr_vint one = ddr_vtap(cells, 1), three = ddr_vtap(cells, 3);
    for (int lane = 0; lane < DDR_LANES; lane++) {
      CHECK(one[lane] == ddr_tap(cells[lane], 1));
      CHECK(three[lane] == ddr_tap(cells[lane], 3));
    }
  }
  CHECK(ddr_vtap(ddr_vreal_all(5), 2)[0] == 4);
  CHECK(ddr_vtap(ddr_vreal_all(NAN), 2)[0] == 0);
}

/* Lane 1 is off. */
static void all_lanes_pass_or_none(void) {
  ddr_vmask on = ddr_vbool_all(true), test = on;
  on[1] = test[1] = 0;
  const ddr_vmask all = ddr_vtogether(on, test);
  CHECK(ddr_vcount(on & all) == DDR_LANES - 1);
  test[0] = 0;
  CHECK(!ddr_vany(ddr_vtogether(on, test)));
}

/* Offsets have 64 bits, though corners have 32; places are those of samples of any size. */
static void samples_are_found(void) {
  static const char bytes[64];
  static const ddr_real reals[64];
  ddr_vint a = {0}, b = {0};
  int64_t one[DDR_LANES], two[DDR_LANES], three[DDR_LANES];
  const char *byte_of[DDR_LANES];
  const ddr_real *real_of[DDR_LANES];
  for (int lane = 0; lane < DDR_LANES; lane++) {
    a[lane] = 7 * lane - 11;
    b[lane] = 2000000000 - lane;
  }
  const ddr_vint c = b - a, within = (a & 15) * 4 + 3;
  ddr_voffset1(b, 9, one);
  ddr_voffset2(a, INT64_C(5000000000), b, -1, two);
  ddr_voffset3(a, 3, b, INT64_C(3000000000), c, 7, three);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const int64_t n = 7 * lane - 11, m = 2000000000 - lane;
    CHECK_EQ(one[lane], 9 * m);
    CHECK_EQ(two[lane], 5000000000 * n - m);
    CHECK_EQ(three[lane], 3 * n + 3000000000 * m + 7 * (m - n));
  }
  ddr_voffset1(within, 1, one);
  DDR_PLACES(bytes, one, byte_of);
  DDR_PLACES(reals, one, real_of);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const int place = ((7 * lane - 11) & 15) * 4 + 3;
    CHECK(byte_of[lane] == bytes + place);
    CHECK(real_of[lane] == reals + place);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(samples_are_those_of_the_rules);
  RUN(far_taps_are_samples_too);
  RUN(all_lanes_pass_or_none);
  RUN(first_taps_are_those_of_one_strand);
  RUN(samples_are_found);
  return test_result();
}
