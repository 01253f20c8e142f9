/* Samples under a kernel as reals: for every type that an image may keep they are those of the
 * image, wherever they begin, for one strand and for all lanes, in copies and in rows that are
 * loaded from where they lie. Reals stay where they are. Built like lanes_test.c. */
#include "ddr/lanes/kept.h"
#include "ddr/lanes/support.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { LEN = 9, MOST_COMPONENTS = 3, ROOM = LEN * LEN * (LEN + 4) * MOST_COMPONENTS + 17 };

/* Sample `at` is at % 97: exact in every type. */
static double sample_of(int64_t at) { return (double)(at % 97); }

typedef struct Fixture {
  double room[ROOM]; /* of any type */
  void *first;       /* in it, at any byte */
  ddr_image image;
} Fixture;

#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper:                                                                         \
    for (int at = 0; at < ROOM - 1; at++)                                                          \
      ((ddr_##id##_at *)fixture->first)[at] = (c_type)sample_of(at);                               \
    return;
static void fill(Fixture *fixture, ddr_sample sample) {
  switch (sample) {
    DDR_SAMPLE_TYPES(ROW)
  case DDR_SAMPLE_REAL:
    for (int at = 0; at < ROOM - 1; at++)
      ((ddr_real_at *)fixture->first)[at] = (ddr_real)sample_of(at);
  }
}
#undef ROW

/* Rows are padded, so strides are not products of sizes. */
static void make(Fixture *fixture, ddr_sample sample, int first, int dim, int n_components) {
  const int64_t row = LEN * n_components + 4;
  fixture->first = (char *)fixture->room + first;
  fill(fixture, sample);
  fixture->image = (ddr_image){.dim = dim,
                               .n_components = n_components,
                               .size = {LEN, LEN, dim > 2 ? LEN : 1},
                               .stride = {n_components, row, row * LEN},
                               .sample = sample,
                               .samples = fixture->first};
}

static void check_rows(const ddr_image *image, int width, int64_t offset, const ddr_real *found) {
  const int n_planes = image->dim > 2 ? width : 1, n = width * image->n_components;
  const int64_t step_y = ddr_image_step(image, DDR_Y, n),
                step_z = ddr_image_step(image, DDR_Z, (int64_t)n * width);
  for (int z = 0; z < n_planes; z++)
    for (int y = 0; y < width; y++)
      for (int x = 0; x < n; x++) {
        const int64_t at = offset + y * image->stride[DDR_Y] + z * image->stride[DDR_Z] + x;
        const ddr_real_at *sample = (const ddr_real_at *)found + y * step_y + z * step_z + x;
        CHECK((double)*sample == sample_of(at));
      }
}

enum { COPY = 6 * 6 * 6 * MOST_COMPONENTS + 2 };

#define CHECK_WIDTH(width)                                                                         \
  static void check_width_##width(const ddr_image *image) {                                        \
    static ddr_real copy[COPY], copies[DDR_LANES * COPY];                                          \
    const ddr_real *given[DDR_LANES], *copied[DDR_LANES];                                          \
    int64_t offset[DDR_LANES];                                                                     \
    for (int lane = 0; lane < DDR_LANES; lane++) {                                                 \
      const int first = lane % (LEN - width + 1);                                                  \
      offset[lane] =                                                                               \
          ddr_image_offset(image, first, LEN - width - first, image->dim > 2 ? first : 0);         \
      given[lane] = ddr_image_samples(image) + offset[lane];                                       \
      check_rows(image, width, offset[lane], ddr_support##width##_at(image, offset[lane], copy));  \
    }                                                                                              \
    const ddr_real *const *at = ddr_vsupport##width##_at(image, given, COPY, copies, copied);      \
    for (int lane = 0; lane < DDR_LANES; lane++) check_rows(image, width, offset[lane], at[lane]); \
    CHECK((image->sample == DDR_SAMPLE_REAL) == (at[0] == given[0]));                              \
  }
CHECK_WIDTH(2)
CHECK_WIDTH(4)
CHECK_WIDTH(6)

/* --- rows in place ---------------------------------------------------------------------------- */

/* Place `at` of a slice belongs to this lane. */
static int lane_of(int at, int width, int slice) { return at / width * width + slice; }

static void check_slices_4(const ddr_image *image, const int64_t offset[],
                           const ddr_real *const at[DDR_LANES], int64_t step) {
  DDR_BY_SAMPLE(image, {
    DDR_EACH_SLICE4(slice) {
      const ddr_slice4 here = DDR_KEPT(ddr_slice4_from)(ddr_starts4_kept(at, 0, slice), step);
      const ddr_slice4 same = DDR_KEPT(ddr_slice4_from)(ddr_starts4_kept(at, step, slice), 0);
      for (int i = 0; i < DDR_LANES; i++) {
    const double sample = sample_of(offset[lane_of(i, 4, slice)] + step + i % 4);
    CHECK((double)here[i] == sample && (double)same[i] == sample);
      }
}
});
}

static void check_slices_6(const ddr_image *image, const int64_t offset[],
                           const ddr_real *const at[DDR_LANES], int64_t step) {
  DDR_BY_SAMPLE(image, {
    DDR_EACH_SLICE6(slice) {
      const ddr_slice6 here = DDR_KEPT(ddr_slice6_at)(at, step, slice);
      for (int i = 0; i < DDR_SLICE6_SIZE; i++)
        if (i % 8 < 6)
          CHECK((double)here[i] == sample_of(offset[lane_of(i, 8, slice)] + step + i % 8));
}
});
}

static void check_taps_2(const ddr_image *image, const int64_t offset[],
                         const ddr_real *const at[DDR_LANES], int64_t step) {
  ddr_vreal tap[2];
  ddr_taps2_kept(image, at, step, tap);
  for (int lane = 0; lane < DDR_LANES; lane++)
    for (int k = 0; k < 2; k++) CHECK((double)tap[k][lane] == sample_of(offset[lane] + step + k));
}

static void check_in_place(const ddr_image *image) {
  const ddr_real *given[DDR_LANES], *places[DDR_LANES];
  int64_t offset[DDR_LANES];
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const int first = lane % 3;
    offset[lane] = ddr_image_offset(image, first, 3 - first, image->dim > 2 ? first : 0);
    given[lane] = ddr_image_samples(image) + offset[lane];
  }
  const ddr_real *const *at = ddr_vplaces(image, given, places);
  CHECK((at == given) == (image->sample == DDR_SAMPLE_REAL));
  for (int y = 0; y < 4; y++) {
    check_taps_2(image, offset, at, y * image->stride[DDR_Y]);
    check_slices_4(image, offset, at, y * image->stride[DDR_Y]);
    check_slices_6(image, offset, at, y * image->stride[DDR_Y]);
  }
}

static void samples_of_every_type_are_reals(void) {
  static Fixture fixture;
  for (int sample = DDR_SAMPLE_REAL; sample <= DDR_SAMPLE_F32; sample++)
    for (int dim = 2; dim <= 3; dim++)
      for (int n_components = 1; n_components <= MOST_COMPONENTS; n_components++) {
        make(&fixture, (ddr_sample)sample, (sample + dim + n_components) % 8, dim, n_components);
        check_width_2(&fixture.image);
        check_width_4(&fixture.image);
        check_width_6(&fixture.image);
        check_in_place(&fixture.image);
      }
}

/* Rows of an array that a client has turned are before its first sample. */
static void samples_may_be_before_the_first(void) {
  enum { FIRST = 40 };
  static Fixture fixture;
  for (int sample = DDR_SAMPLE_REAL; sample <= DDR_SAMPLE_F32; sample++) {
    const ddr_real *given[DDR_LANES], *places[DDR_LANES];
    int64_t at[DDR_LANES];
    make(&fixture, (ddr_sample)sample, sample, 2, 1);
    const size_t size = sizeof(ddr_real) >> ddr_sample_shift((ddr_sample)sample);
    fixture.image.samples = (char *)fixture.first + FIRST * size;
    for (int lane = 0; lane < DDR_LANES; lane++) {
      at[lane] = FIRST - 2 * lane;
      given[lane] = ddr_image_samples(&fixture.image) - 2 * lane;
    }
    check_taps_2(&fixture.image, at, ddr_vplaces(&fixture.image, given, places), 1);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(samples_of_every_type_are_reals);
  RUN(samples_may_be_before_the_first);
  return test_result();
}
