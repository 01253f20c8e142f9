/* Windows by every border rule, for every support, on one to three axes, against the definition:
 * each tap mapped separately. Axes are shorter and longer than supports, taps near and far. */
#include <math.h>
#include <stdlib.h>

#if defined(DDR_SHIM) /* window_device_test.c */
#include "ddr/device/window.h"
typedef ddr_pair RealSample;
typedef ddr_pair_u8 ByteSample;
#else
#include "ddr/host/window.h"
typedef ddr_real RealSample;
typedef uint8_t ByteSample;
#endif

#include "tests/unit/test.h"

enum { N_COMPONENTS = 2, MAX_LEN = 5, N_SAMPLES = MAX_LEN * MAX_LEN * MAX_LEN * N_COMPONENTS };
enum { MAX_WINDOW = DDR_MAX_TAPS * DDR_MAX_TAPS * DDR_MAX_TAPS };

static const ddr_real outside = -3.5f;

typedef struct Fixture {
  ddr_real reals[N_SAMPLES + DDR_ROW_SLACK];
  uint8_t bytes[N_SAMPLES + DDR_ROW_SLACK];
  RealSample real_samples[N_SAMPLES + DDR_ROW_SLACK]; /* padded, as in images */
  ByteSample byte_samples[N_SAMPLES + DDR_ROW_SLACK];
  ddr_image image;
} Fixture;

static void put_samples(Fixture *fixture) {
  for (int k = 0; k < N_SAMPLES; k++) {
#if defined(DDR_SHIM)
    fixture->real_samples[k] = (ddr_pair){{fixture->reals[k], fixture->reals[k + 1]}};
    fixture->byte_samples[k] = (ddr_pair_u8){{fixture->bytes[k], fixture->bytes[k + 1]}};
#else
    fixture->real_samples[k] = fixture->reals[k];
    fixture->byte_samples[k] = fixture->bytes[k];
#endif
  }
}

static void make(Fixture *fixture, int dim, int len, bool is_real) {
  ddr_image *image = &fixture->image;
  *image = (ddr_image){.dim = dim, .n_components = N_COMPONENTS, .size = {1, 1, 1}};
  for (int k = 0; k < N_SAMPLES; k++) {
    fixture->bytes[k] = (uint8_t)((k * 37 + k / 5) % 251);
    fixture->reals[k] = fixture->bytes[k];
  }
  int64_t stride = N_COMPONENTS;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    image->stride[axis] = stride;
    if (axis < dim) image->size[axis] = len - axis % 2 * (len > 1); /* axes of different lengths */
    stride *= image->size[axis];
  }
  image->sample = is_real ? DDR_SAMPLE_REAL : DDR_SAMPLE_U8;
  image->samples = is_real ? (const void *)fixture->real_samples : fixture->byte_samples;
  put_samples(fixture);
}

/* The sample of a tap by definition; -1: outside.  It moves by one period or reflection at a
 * time. */
static int64_t mapped(ddr_border rule, int64_t tap, int64_t n) {
  while (tap < 0 || tap >= n) {
    switch (rule) {
    case DDR_BORDER_CLAMP: tap = tap < 0 ? 0 : n - 1; break;
    case DDR_BORDER_MIRROR: tap = tap < 0 ? -1 - tap : 2 * n - 1 - tap; break;
    case DDR_BORDER_WRAP: tap += tap < 0 ? n : -n; break;
    case DDR_BORDER_CONST: return -1;
    }
  }
  return tap;
}

static ddr_real sample_at(const Fixture *fixture, ddr_border rule, const int64_t tap[3],
                          int component) {
  int64_t at = component;
  for (int axis = 0; axis < fixture->image.dim; axis++) {
    const int64_t idx = mapped(rule, tap[axis], fixture->image.size[axis]);
    if (idx < 0) return outside;
    at += idx * fixture->image.stride[axis];
  }
  return fixture->reals[at];
}

typedef struct Taps {
  ddr_int v[DDR_MAX_DIM];
} Taps;

/* Sample (x, y, z) of a window. */
#if defined(DDR_SHIM)
typedef ddr_window Window;

static ddr_real sample_in(const Window *window, int width, const int place[3]) {
  int64_t offset = window->component;
  (void)width;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    const ddr_window_tap tap = ddr_window_tap_at(window, axis, place[axis]);
    if (tap.is_outside) return window->outside;
    offset += tap.offset;
  }
  return ddr_window_sample(window->image, offset);
}
#else
typedef struct Window {
  ddr_real v[MAX_WINDOW];
} Window;

static ddr_real sample_in(const Window *window, int width, const int place[3]) {
  return window->v[place[0] + width * (place[1] + width * place[2])];
}
#endif

static const ddr_row2 weight2[] = {{0.5f, -2}, {3, 0.25f}, {-1, 4}};
static const ddr_row4 weight4[] = {{0.5f, -2, 1, 3}, {3, 0.25f, -1, 2}, {-1, 4, 0.5f, 0}};
static const ddr_row6 weight6[] = {
    {0.5f, -2, 1, 3, -4, 2}, {3, 0.25f, -1, 2, 1, 5}, {-1, 4, 0.5f, 0, 2, -3}};

static ddr_real weight(int width, int axis, int tap) {
  return width == 2 ? weight2[axis][tap] : width == 4 ? weight4[axis][tap] : weight6[axis][tap];
}

#define SUM(width, window, dim)                                                                    \
  ((dim) == 1 ? DDR_WINDOW##width##_DOT(window, weight##width[0])                                  \
   : (dim) == 2                                                                                    \
       ? DDR_WINDOW##width##_DOT(window, weight##width[0], weight##width[1])                       \
       : DDR_WINDOW##width##_DOT(window, weight##width[0], weight##width[1], weight##width[2]))

static void check_window(const Fixture *fixture, ddr_border rule, const Window *window, Taps first,
                         int component, int width) {
  const int dim = fixture->image.dim;
  const int n_y = dim > 1 ? width : 1, n_z = dim > 2 ? width : 1;
  double sum = 0, size = 0;
  for (int k = 0; k < width * n_y * n_z; k++) {
    const int place[3] = {k % width, k / width % n_y, k / width / n_y};
    int64_t tap[3];
    const ddr_real sample = sample_in(window, width, place);
    double product = sample;
    for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
      tap[axis] = (int64_t)first.v[axis] + place[axis];
      if (axis < dim) product *= (double)weight(width, axis, place[axis]);
    }
    CHECK(sample == sample_at(fixture, rule, tap, component));
    sum += product;
    size += fabs(product);
  }
  const double found = width == 2   ? (double)SUM(2, *window, dim)
                       : width == 4 ? (double)SUM(4, *window, dim)
                                    : (double)SUM(6, *window, dim);
  CHECK_NEAR(found, sum, 1e-6 * size); /* sums of at most 216 products, in another order */
}

#define WINDOW(rule, half_support)                                                                 \
  (rule == DDR_BORDER_CLAMP                                                                        \
       ? DDR_WINDOW_CLAMP(Window, &fixture.image, first, component, half_support)                  \
   : rule == DDR_BORDER_MIRROR                                                                     \
       ? DDR_WINDOW_MIRROR(Window, &fixture.image, first, component, half_support)                 \
   : rule == DDR_BORDER_WRAP                                                                       \
       ? DDR_WINDOW_WRAP(Window, &fixture.image, first, component, half_support)                   \
       : DDR_WINDOW_CONST(Window, &fixture.image, first, component, outside, half_support))

static void check_from(int dim, int len, bool is_real, Taps first) {
  static Fixture fixture;
  make(&fixture, dim, len, is_real);
  for (int axis = dim; axis < DDR_MAX_DIM; axis++) first.v[axis] = 0;
  for (int rule = DDR_BORDER_CLAMP; rule <= DDR_BORDER_CONST; rule++) {
    for (int component = 0; component < N_COMPONENTS; component++) {
      const Window two = WINDOW(rule, 1), four = WINDOW(rule, 2), six = WINDOW(rule, 3);
      check_window(&fixture, (ddr_border)rule, &two, first, component, 2);
      check_window(&fixture, (ddr_border)rule, &four, first, component, 4);
      check_window(&fixture, (ddr_border)rule, &six, first, component, 6);
    }
  }
}

static void windows_are_what_the_rules_say(void) {
  for (int dim = 1; dim <= 3; dim++) {
    for (int len = 1; len <= MAX_LEN; len++) {
      for (int k = -9; k < 9; k++) {
        const Taps first = {{k, -k / 2 - 1, k % 3 - 2}};
        check_from(dim, len, true, first);
        check_from(dim, len, false, first);
      }
    }
  }
}

/* The farthest possible taps: half the range of ints. */
static void far_taps_are_samples_too(void) {
  static Fixture fixture;
  const ddr_int component = 0;
  const int begin[3] = {0, 0, 0};
  make(&fixture, 1, 3, true);
  for (int sign = -1; sign <= 1; sign += 2) {
    const Taps first = {{(ddr_int)((ddr_real)sign * (DDR_INT_LIMIT / 2))}};
    const Window clamped = WINDOW(DDR_BORDER_CLAMP, 1), wrapped = WINDOW(DDR_BORDER_WRAP, 1);
    CHECK(sample_in(&clamped, 2, begin) == fixture.reals[sign < 0 ? 0 : 2 * N_COMPONENTS]);
    const int64_t rest = (int64_t)first.v[0] % 3, place = rest < 0 ? rest + 3 : rest;
    CHECK(sample_in(&wrapped, 2, begin) == fixture.reals[place * N_COMPONENTS]);
  }
}

#if !defined(DDR_SHIM)
#define CHECK_ALONE(width, dim, n_samples)                                                         \
  do {                                                                                             \
    ddr_real *alone = malloc((n_samples) * sizeof *alone);                                         \
    double expected = 1;                                                                           \
    for (int k = 0; k < (n_samples); k++) alone[k] = 1;                                            \
    for (int axis = 0; axis < (dim); axis++) {                                                     \
      double sum = 0;                                                                              \
      for (int k = 0; k < (width); k++) sum += (double)weight(width, axis, k);                     \
      expected *= sum;                                                                             \
    }                                                                                              \
    CHECK((double)ddr_window##width##_dot(alone, weight##width, dim) == expected);                 \
    free(alone);                                                                                   \
  } while (0)

/* A window that ends where its memory does: sanitizers stop a read behind it. Its samples are 1, so
 * its sum is the product of the sums of the weights, which are exact. */
static void nothing_behind_a_window_is_read(void) {
  for (int dim = 1; dim <= 3; dim++) {
    CHECK_ALONE(2, dim, 1 << dim);
    CHECK_ALONE(4, dim, 1 << 2 * dim);
    CHECK_ALONE(6, dim, dim == 1 ? 6 : dim == 2 ? 36 : 216);
  }
}
#endif

int main(void) {
#if !defined(DDR_SHIM)
  RUN(nothing_behind_a_window_is_read);
#endif
  RUN(windows_are_what_the_rules_say);
  RUN(far_taps_are_samples_too);
  return test_result();
}
