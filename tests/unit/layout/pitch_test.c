/* Pitches: the tables pitches.txt, pitch_errors.txt and row_align.txt, addresses in frames, pitches
 * given by users, limits. */
#include "runtime/layout/pitch.h"

#include "tests/unit/layout/layout_vectors.h"

typedef struct Case {
  bool is_frame;
  ddr_named_layout named;
  int n;
  size_t element_size;
  int64_t len[DDR_MAX_RANK], align[DDR_MAX_RANK], want[DDR_MAX_RANK];
  size_t pitch[DDR_MAX_RANK];
} Case;

static Case case_from(const Vector *v) {
  Case c = {.is_frame = strncmp(v->field[1], "420SP", 5) == 0};
  c.element_size = (size_t)atoi(strchr(v->field[1], ' '));
  c.named = c.is_frame ? DDR_NAMED_420SP : DDR_NAMED_NONE;
  if (strncmp(v->field[1], "NCHW", 4) == 0) c.named = DDR_NAMED_NCHW;
  if (strncmp(v->field[1], "NHWC", 4) == 0) c.named = DDR_NAMED_NHWC;
  c.n = vector_ints(v->field[2], DDR_MAX_RANK, c.len, NULL);
  CHECK_EQ(vector_ints(v->field[3], DDR_MAX_RANK, c.align, NULL), c.n);
  CHECK_EQ(vector_ints(v->field[4], DDR_MAX_RANK, c.want, NULL), c.n);
  return c;
}

/* These pitches are valid; with one byte less they are not, with more they are. */
static void check_given(const Case *c) {
  CHECK_EQ(ddr_pitch_validate(c->named, c->n, c->len, c->element_size, c->n, c->pitch),
           DDR_ARRAY_OK);
  for (int k = 0; k < c->n; k++) {
    size_t other[DDR_MAX_RANK];
    memcpy(other, c->pitch, sizeof other);
    size_t least = (size_t)c->len[k] * (k + 1 < c->n ? other[k + 1] : c->element_size);
    if (c->is_frame && k == 0) least = other[1] + (size_t)((c->len[1] + 1) / 2) * other[2];
    if (c->is_frame && k == 2) least = (size_t)((c->len[2] + 1) / 2) * 2 * c->element_size;
    other[k] = least - 1;
    CHECK_EQ(ddr_pitch_validate(c->named, c->n, c->len, c->element_size, c->n, other),
             DDR_ARRAY_EPITCH);
    for (int j = k; j >= 0; j--) other[j] = c->pitch[j] * 4;
    CHECK_EQ(ddr_pitch_validate(c->named, c->n, c->len, c->element_size, c->n, other),
             DDR_ARRAY_OK);
  }
}

static void check_strides(const Case *c, const char *want) {
  ddr_layout layout;
  int64_t strides[DDR_MAX_RANK];
  const ddr_array_status status =
      ddr_pitch_to_layout(c->n, c->len, c->element_size, c->pitch, &layout);
  if (want[0] != '[') {
    CHECK_EQ(status, status_from_text(want));
    return;
  }
  CHECK_EQ(vector_ints(want, DDR_MAX_RANK, strides, NULL), c->n);
  if (!CHECK_EQ(status, DDR_ARRAY_OK)) return;
  CHECK_EQ(layout.offset, 0);
  for (int k = 0; k < c->n; k++)
    CHECK(layout.stride[k] == strides[k] && layout.len[k] == c->len[k]);
}

/* Every pixel of both planes has the address of the format's definition, and no two share one. */
static void check_frame(const Case *c) {
  ddr_layout luma, chroma;
  const int64_t h = c->len[1], w = c->len[2], e = (int64_t)c->element_size;
  const int64_t row = (int64_t)c->pitch[2], plane = (int64_t)c->pitch[1];
  if (!CHECK_EQ(ddr_pitch_to_layouts_420sp(c->len, c->element_size, c->pitch, &luma, &chroma),
                DDR_ARRAY_OK))
    return;
  CHECK(luma.rank == 2 && luma.len[0] == h && luma.len[1] == w);
  CHECK(chroma.rank == 3 && chroma.len[0] == 2);
  CHECK(chroma.len[1] == (h + 1) / 2 && chroma.len[2] == (w + 1) / 2);
  bool is_right = true;
  for (int64_t y = 0; y < h; y++)
    for (int64_t x = 0; x < w; x++) {
      const int64_t pixel[] = {y, x}, first[] = {0, y / 2, x / 2}, second[] = {1, y / 2, x / 2};
      const int64_t pair = plane + row * (y / 2) + 2 * e * (x / 2);
      is_right = is_right && e * ddr_layout_at(&luma, pixel) == row * y + e * x &&
                 e * ddr_layout_at(&chroma, first) == pair &&
                 e * ddr_layout_at(&chroma, second) == pair + e && pair + 2 * e <= c->want[0];
    }
  CHECK(is_right);
  CHECK(!ddr_layout_overlap(&luma, &chroma));
}

static void are_those_of_the_table(void) {
  Vector v;
  FILE *file = vectors_open("tests/unit/layout/pitches.txt");
  while (vectors_next(file, &v)) {
    Case c = case_from(&v);
    const ddr_array_status status =
        c.is_frame ? ddr_pitch_compute_420sp(c.len, c.align, c.element_size, c.pitch)
                   : ddr_pitch_compute(c.n, c.len, c.n, c.align, c.element_size, c.pitch);
    if (!CHECK_EQ(status, DDR_ARRAY_OK)) continue;
    for (int k = 0; k < c.n; k++) CHECK_EQ(c.pitch[k], c.want[k]);
    check_given(&c);
    if (c.is_frame) check_frame(&c);
    else check_strides(&c, v.field[5]);
  }
  vectors_close(file);
}

static void are_refused(void) {
  Vector v;
  FILE *file = vectors_open("tests/unit/layout/pitch_errors.txt");
  while (vectors_next(file, &v)) {
    int64_t len[DDR_MAX_RANK], align[DDR_MAX_RANK];
    size_t pitch[DDR_MAX_RANK] = {77};
    const int n = vector_ints(v.field[1], DDR_MAX_RANK, len, NULL);
    const int n_aligns = vector_ints(v.field[3], DDR_MAX_RANK, align, NULL);
    CHECK_EQ(ddr_pitch_compute(n, len, n_aligns, align, (size_t)atoi(v.field[2]), pitch),
             status_from_text(v.field[4]));
    CHECK_EQ(pitch[0], 77);
  }
  vectors_close(file);
}

static void rows_are_aligned(void) {
  Vector v;
  FILE *file = vectors_open("tests/unit/layout/row_align.txt");
  while (vectors_next(file, &v)) {
    const size_t row = (size_t)atoi(v.field[0]), element = (size_t)atoi(v.field[2]);
    const size_t align = ddr_pitch_row_align(row, (size_t)atoi(v.field[1]), element);
    CHECK_EQ(align, atoi(v.field[3]));
    CHECK_EQ((row + align - 1) / align * align, atoi(v.field[4]));
  }
  vectors_close(file);
}

/* Offsets computed by hand from the description of the format. */
static void addresses_are_right(void) {
  const int64_t image[] = {1, 224, 300, 3}, align[] = {1, 1, 32, 4}, at[] = {0, 1, 2, 1};
  size_t pitch[4];
  ddr_layout layout, chroma;
  CHECK_EQ(ddr_pitch_compute(4, image, 4, align, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_to_layout(4, image, 1, pitch, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_at(&layout, at), 1225);
  const int64_t frame[] = {3, 224, 300}, frame_align[] = {1, 32, 32}, pixel[] = {223, 299};
  const int64_t first[] = {0, 111, 149}, second[] = {1, 111, 149};
  CHECK_EQ(ddr_pitch_compute_420sp(frame, frame_align, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_to_layouts_420sp(frame, 1, pitch, &layout, &chroma), DDR_ARRAY_OK);
  if (!CHECK(layout.rank == 2 && chroma.rank == 3)) return;
  CHECK_EQ(ddr_layout_at(&layout, pixel), 71659);
  CHECK_EQ(ddr_layout_at(&chroma, first), 107498);
  CHECK_EQ(ddr_layout_at(&chroma, second), 107499);
}

static void errors_come_in_order(void) {
  const int64_t ones[17] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const int64_t zero[3] = {0, 0, 0}, two[3] = {2, 4, 4};
  size_t pitch[17];
  ddr_layout layout, other;
  CHECK_EQ(ddr_pitch_compute(0, ones, 0, ones, 1, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_compute(17, ones, 17, ones, 1, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_compute(3, zero, 2, zero, 0, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_compute(3, zero, 3, zero, 0, pitch), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_pitch_compute(3, zero, 3, zero, 1, pitch), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_pitch_compute(3, ones, 3, zero, 1, pitch), DDR_ARRAY_EALIGN);
  CHECK_EQ(ddr_pitch_compute(16, ones, 16, ones, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_compute_420sp(two, ones, 1, pitch), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_pitch_compute_420sp(two, zero, 0, pitch), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_pitch_to_layout(0, ones, 1, pitch, &layout), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_to_layouts_420sp(two, 1, pitch, &layout, &other), DDR_ARRAY_EDIM);
}

static void lists_from_outside_may_be_missing(void) {
  const int64_t len[] = {2, 3};
  const size_t pitch[] = {12, 6};
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 2, len, 2, 0, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 0, NULL, 2, 2, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 2, len, 2, 1, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 2, len, 2, 17, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 2, len, 2, -1, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_420SP, 2, len, 2, 2, pitch), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 2, len, 2, 2, pitch), DDR_ARRAY_OK);
}

static void check_last_that_fits(int64_t row, int64_t align) {
  size_t pitch[2];
  const int64_t aligns[] = {align, 1}, n = INT64_MAX / align * align / row;
  const int64_t fits[] = {n, row}, not [] = {n + 1, row};
  CHECK_EQ(ddr_pitch_compute(2, fits, 2, aligns, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(ddr_pitch_compute(2, not, 2, aligns, 1, pitch), DDR_ARRAY_EOVERFLOW);
}

static void are_limited_by_memory(void) {
  const int64_t one[] = {1}, most[] = {PTRDIFF_MAX}, frame[] = {3, 1, INT64_MAX};
  const int64_t tall[] = {3, INT64_MAX, 1}, ones[] = {1, 1, 1};
  size_t pitch[3];
  check_last_that_fits(3, 1);
  check_last_that_fits(7, 1);
  check_last_that_fits(1, 4096);
  check_last_that_fits(1 << 20, 1 << 30);
  CHECK_EQ(ddr_pitch_compute(1, most, 1, one, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(pitch[0], PTRDIFF_MAX);
  CHECK_EQ(ddr_pitch_compute(1, one, 1, most, 1, pitch), DDR_ARRAY_OK);
  CHECK_EQ(pitch[0], PTRDIFF_MAX);
  CHECK_EQ(ddr_pitch_compute(1, one, 1, one, (size_t)PTRDIFF_MAX + 1, pitch), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_pitch_compute_420sp(frame, ones, 1, pitch), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_pitch_compute_420sp(tall, ones, 1, pitch), DDR_ARRAY_EOVERFLOW);
  pitch[0] = SIZE_MAX;
  CHECK_EQ(ddr_pitch_validate(DDR_NAMED_NONE, 1, one, 1, 1, pitch), DDR_ARRAY_EOVERFLOW);
}

int main(void) {
  RUN(are_those_of_the_table);
  RUN(are_refused);
  RUN(rows_are_aligned);
  RUN(addresses_are_right);
  RUN(errors_come_in_order);
  RUN(lists_from_outside_may_be_missing);
  RUN(are_limited_by_memory);
  return test_result();
}
