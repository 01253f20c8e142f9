/* Windows that stand in for an image in all lanes: each sample is the one that the border rule
 * gives on each axis, computed by its definition. Without a lane beyond the border, the image
 * stays. Built like lanes_test.c. */
#include <stdlib.h>
#include <string.h>

#include "ddr/lanes/border.h"
#include "tests/unit/runtime/border_place.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { MOST_LEN = 9, MOST_COMPONENTS = 3, MOST_TAPS = 6 };
enum { ROOM = 12 * 12 * 12 * MOST_COMPONENTS, MOST_SAMPLES = 216 * MOST_COMPONENTS + 4 };

static const ddr_real outside[MOST_COMPONENTS] = {-3.5f, 7.25f, -1};

/* Sample `at` is at % 97. */
static ddr_real sample_of(int64_t at) { return (ddr_real)(at % 97); }

typedef struct Fixture {
  ddr_real room[ROOM];
  ddr_image image;
  int n_taps;
  ddr_border rule;
  ddr_real samples[DDR_LANES * MOST_SAMPLES];
  ddr_image windows;
  const ddr_real *at[DDR_LANES];
} Fixture;

/* Rows are padded. */
static void make(Fixture *fixture, int dim, int n_components, int64_t len) {
  const int64_t row = (len + 1) * n_components;
  for (int at = 0; at < ROOM; at++) fixture->room[at] = sample_of(at);
  fixture->image = (ddr_image){.dim = dim,
                               .n_components = n_components,
                               .size = {len, dim > 1 ? len + 1 : 1, dim > 2 ? len : 1},
                               .stride = {n_components, row, row * (len + 1)},
                               .sample = DDR_SAMPLE_REAL,
                               .samples = fixture->room};
}

static const ddr_image *border_of(Fixture *fixture, ddr_vmask on, ddr_vmask within,
                                  const ddr_vint first[]) {
  const ddr_image *image = &fixture->image;
  const ddr_border rule = fixture->rule;
  ddr_real *samples = fixture->samples;
  const ddr_real **at = fixture->at;
  ddr_image *to = &fixture->windows;
  int64_t len = image->n_components;
  ddr_vreal cell[DDR_MAX_DIM];
  for (int axis = 0; axis < DDR_MAX_DIM; axis++)
    cell[axis] = ddr_vreal_of_ints(first[axis]) + (ddr_real)(fixture->n_taps / 2 - 1);
  for (int axis = 0; axis < image->dim; axis++) len *= fixture->n_taps;
  len += 4;
  switch (fixture->n_taps) {
  case 2:
    return ddr_vborder2(image, rule, outside, on, within, cell[0], cell[1], cell[2], len, samples,
                        to, at);
  case 4:
    return ddr_vborder4(image, rule, outside, on, within, cell[0], cell[1], cell[2], len, samples,
                        to, at);
  default:
    return ddr_vborder6(image, rule, outside, on, within, cell[0], cell[1], cell[2], len, samples,
                        to, at);
  }
}

/* The component of the sample at taps x, y, z, by definition. */
static ddr_real expected(const Fixture *fixture, const int64_t tap[DDR_MAX_DIM], int component) {
  const ddr_image *image = &fixture->image;
  int64_t at = component;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t place = place_of(fixture->rule, tap[axis], image->size[axis]);
    if (place < 0) return outside[component];
    at += place * image->stride[axis];
  }
  return sample_of(at);
}

static void check_lane(const Fixture *fixture, const ddr_vint first[], int lane) {
  const ddr_image *image = &fixture->image, *windows = &fixture->windows;
  const int n = fixture->n_taps, n_y = image->dim > 1 ? n : 1, n_z = image->dim > 2 ? n : 1;
  int64_t tap[DDR_MAX_DIM] = {0};
  for (int i = 0; i < n * n_y * n_z; i++) {
    const int x = i % n, y = i / n % n_y, z = i / n / n_y;
    tap[DDR_X] = first[DDR_X][lane] + x;
    if (image->dim > 1) tap[DDR_Y] = first[DDR_Y][lane] + y;
    if (image->dim > 2) tap[DDR_Z] = first[DDR_Z][lane] + z;
    const ddr_real *voxel = fixture->at[lane] + ddr_image_offset(windows, x, y, z);
    for (int k = 0; k < image->n_components; k++) CHECK(voxel[k] == expected(fixture, tap, k));
  }
}

/* Lane 1 is off, and others are within the grid where they can be. */
static void check(Fixture *fixture, ddr_int from) {
  const ddr_image *image = &fixture->image;
  ddr_vint first[DDR_MAX_DIM] = {0};
  ddr_vmask on = ddr_vbool_all(true), within = on;
  on[1] = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    int64_t offset = 0;
    for (int axis = 0; axis < image->dim; axis++) {
      const ddr_int tap = from + (lane * (axis + 2)) % 7 - axis;
      first[axis][lane] = tap;
      if (tap < 0 || tap + fixture->n_taps > image->size[axis]) within[lane] = 0;
      offset += tap * image->stride[axis];
    }
    fixture->at[lane] = ddr_image_samples(image) + (within[lane] ? offset : 0);
  }
  const ddr_image *lies = border_of(fixture, on, within, first);
  if (!ddr_vany(on & ~within)) {
    CHECK(lies == image);
    return;
  }
  CHECK(lies == &fixture->windows && lies->sample == DDR_SAMPLE_REAL);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (lane != 1) check_lane(fixture, first, lane);
    else CHECK(fixture->at[1] == fixture->at[0]);
  }
}

static void check_rules(Fixture *fixture, int most_taps) {
  for (int rule = DDR_BORDER_CLAMP; rule <= DDR_BORDER_CONST; rule++)
    for (fixture->n_taps = 2; fixture->n_taps <= most_taps; fixture->n_taps += 2)
      for (ddr_int from = -14; from <= 14; from += 2) {
        fixture->rule = (ddr_border)rule;
        check(fixture, from);
      }
}

static void samples_are_those_of_the_rules(void) {
  static Fixture fixture;
  for (int dim = 1; dim <= DDR_MAX_DIM; dim++)
    for (int n_components = 1; n_components <= MOST_COMPONENTS; n_components++)
      for (int64_t len = 1; len <= MOST_LEN; len += 2) {
        make(&fixture, dim, n_components, len);
        check_rules(&fixture, MOST_TAPS);
      }
}

/* Of at most four taps, as programs promise of images they use in place; sanitizers see it. */
static void nothing_behind_the_last_sample_is_read(void) {
  static Fixture fixture;
  for (int dim = 1; dim <= DDR_MAX_DIM; dim++)
    for (int n_components = 1; n_components <= MOST_COMPONENTS; n_components++) {
      make(&fixture, dim, n_components, 5);
      const ddr_image *image = &fixture.image;
      int64_t n = n_components;
      for (int axis = 0; axis < dim; axis++) n += (image->size[axis] - 1) * image->stride[axis];
      ddr_real *exact = malloc((size_t)n * sizeof *exact);
      if (!CHECK(exact != NULL)) return;
      memcpy(exact, fixture.room, (size_t)n * sizeof *exact);
      fixture.image.samples = exact;
      check_rules(&fixture, 4);
      free(exact);
    }
}

/* Samples of other types are converted, one lane at a time. */
static void few_lanes_go_alone(void) {
  static Fixture fixture;
  make(&fixture, 3, 1, 7);
  for (int n = 1; n <= DDR_LANES; n++) {
    const ddr_lane_set lanes = DDR_ALL_LANES >> (DDR_LANES - n);
    const ddr_vmask few = ddr_vfew(&fixture.image, ddr_vmask_of(lanes));
    CHECK_EQ(ddr_vlanes(few), n <= DDR_LANES / 8 ? lanes : 0);
  }
  fixture.image.sample = DDR_SAMPLE_U8;
  CHECK_EQ(ddr_vlanes(ddr_vfew(&fixture.image, ddr_vbool_all(true))), DDR_ALL_LANES);
}

/* Too far for one step at a time: a multiple of twice the length. */
static void far_taps_are_samples_too(void) {
  static Fixture fixture;
  const ddr_int far = (ddr_int)(DDR_INT_LIMIT / 2);
  const ddr_vint first[DDR_MAX_DIM] = {ddr_vint_all(far - 1), ddr_vint_all(-far - 1)};
  const ddr_vint near[DDR_MAX_DIM] = {ddr_vint_all(-1), ddr_vint_all(-1)};
  make(&fixture, 2, 1, 4);
  fixture.image.size[DDR_Y] = 4;
  fixture.n_taps = 4;
  for (int rule = DDR_BORDER_MIRROR; rule <= DDR_BORDER_WRAP; rule++) {
    fixture.rule = (ddr_border)rule;
    border_of(&fixture, ddr_vbool_all(true), ddr_vbool_all(false), first);
    check_lane(&fixture, near, 0);
  }
  fixture.rule = DDR_BORDER_CONST;
  border_of(&fixture, ddr_vbool_all(true), ddr_vbool_all(false), first);
  for (int i = 0; i < 16; i++) CHECK(fixture.at[DDR_LANES - 1][i] == outside[0]);
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(samples_are_those_of_the_rules);
  RUN(nothing_behind_the_last_sample_is_read);
  RUN(few_lanes_go_alone);
  RUN(far_taps_are_samples_too);
  return test_result();
}
