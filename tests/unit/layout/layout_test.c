/* Layouts: the table views.txt, errors, and the limits of 64 bits. */
#include "runtime/layout/layout.h"

#include "tests/unit/layout/layout_vectors.h"

/* --- the table -------------------------------------------------------------------------------- */

static bool is_yes(const char *text) { return strcmp(text, "yes") == 0; }

static ddr_layout reversed(const ddr_layout *layout) {
  int order[DDR_MAX_RANK];
  ddr_layout other = {.rank = 0};
  for (int k = 0; k < layout->rank; k++) order[k] = layout->rank - 1 - k;
  CHECK_EQ(ddr_layout_permute(layout, order, &other), DDR_ARRAY_OK);
  return other;
}

static void are_like_the_table_says(void) {
  Vector v;
  FILE *file = vectors_open("tests/unit/layout/views.txt");
  while (vectors_next(file, &v)) {
    const ddr_layout layout = layout_from_text(v.field[1]), other = reversed(&layout);
    CHECK_EQ(ddr_layout_check(&layout), DDR_ARRAY_OK);
    CHECK_EQ(ddr_layout_size(&layout), atoi(v.field[2]));
    CHECK_EQ(ddr_layout_is_contiguous(&layout), is_yes(v.field[3]));
    CHECK_EQ(ddr_layout_is_canonical(&layout), is_yes(v.field[4]));
    CHECK_EQ(ddr_layout_is_canonical(&other), is_yes(v.field[5]));
    int64_t least = -1, greatest = -1;
    const bool has_span = ddr_layout_span(&layout, &least, &greatest);
    CHECK_EQ(has_span, v.field[6][0] != '-');
    if (has_span) CHECK_EQ(least, atoi(v.field[6]));
    const ddr_layout few = ddr_layout_collapse(&layout);
    ddr_layout want = layout_from_text(v.field[7]);
    want.offset = layout.offset;
    check_layout(&few, &want);
    int64_t first[8];
    const int n = vector_ints(v.field[8], 8, first, NULL);
    CHECK_EQ(n, ddr_layout_size(&layout) < 8 ? ddr_layout_size(&layout) : 8);
    for (int p = 0; p < n; p++) CHECK_EQ(ddr_layout_at_position(&layout, p), first[p]);
  }
  vectors_close(file);
}

/* --- making and checking ---------------------------------------------------------------------- */

static void are_packed(void) {
  const int64_t len[17] = {2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const int64_t hole[] = {2, 0, 4}, negative[] = {2, -1};
  ddr_layout layout;
  const ddr_layout want = layout_from_text("0; [2,3,4]; [12,4,1]");
  const ddr_layout want_hole = layout_from_text("0; [2,0,4]; [0,4,1]");
  CHECK_EQ(ddr_layout_packed(3, len, &layout), DDR_ARRAY_OK);
  check_layout(&layout, &want);
  CHECK_EQ(ddr_layout_packed(3, hole, &layout), DDR_ARRAY_OK);
  check_layout(&layout, &want_hole);
  CHECK_EQ(ddr_layout_packed(0, NULL, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_size(&layout), 1);
  CHECK_EQ(ddr_layout_packed(16, len, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_packed(17, len, &layout), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_packed(-1, len, &layout), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_packed(2, negative, &layout), DDR_ARRAY_EDIM);
}

static void packed_ones_are_limited_by_memory(void) {
  const int64_t most[] = {PTRDIFF_MAX}, halves[] = {(int64_t)1 << 31, ((int64_t)1 << 32) - 1};
  const int64_t more[] = {(int64_t)1 << 31, (int64_t)1 << 32}, none[] = {0, INT64_MAX, 2};
  ddr_layout layout;
  CHECK_EQ(ddr_layout_packed(1, most, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_check(&layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_packed(2, halves, &layout), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_packed(2, more, &layout), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_layout_packed(3, none, &layout), DDR_ARRAY_EOVERFLOW);
}

static ddr_array_status check_one(int64_t offset, int64_t len, int64_t stride) {
  const ddr_layout layout = {.rank = 1, .offset = offset, .len = {len}, .stride = {stride}};
  return ddr_layout_check(&layout);
}

static ddr_array_status check_two(int64_t offset, int64_t m, int64_t s, int64_t n, int64_t t) {
  const ddr_layout layout = {.rank = 2, .offset = offset, .len = {m, n}, .stride = {s, t}};
  return ddr_layout_check(&layout);
}

static void are_checked(void) {
  const ddr_layout large = {.rank = 17}, negative = {.rank = -1};
  CHECK_EQ(ddr_layout_check(&large), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_check(&negative), DDR_ARRAY_ERANK);
  CHECK_EQ(check_one(0, -1, 1), DDR_ARRAY_EDIM);
  CHECK_EQ(check_one(INT64_MAX, 1, INT64_MIN), DDR_ARRAY_OK); /* the stride is not used */
  CHECK_EQ(check_one(INT64_MAX, 0, INT64_MIN), DDR_ARRAY_OK);
  CHECK_EQ(check_one(INT64_MAX, 2, 1), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_one(INT64_MAX - 1, 2, 1), DDR_ARRAY_OK);
  CHECK_EQ(check_one(INT64_MIN, 2, -1), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_one(INT64_MIN, 2, INT64_MAX - 1), DDR_ARRAY_OK);
  CHECK_EQ(check_one(INT64_MIN, 2, INT64_MAX), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_one(0, 2, INT64_MIN), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_one(0, 3, INT64_MAX / 2 + 1), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_one(0, INT64_MAX, 0), DDR_ARRAY_OK);
  CHECK_EQ(check_two(0, INT64_MAX, 0, 2, 0), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_two(0, 2, INT64_MAX / 2, 2, -(INT64_MAX / 2)), DDR_ARRAY_OK);
  CHECK_EQ(check_two(0, 2, INT64_MAX / 2, 2, -(INT64_MAX / 2) - 2), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(check_two(0, 2, INT64_MAX, 0, INT64_MAX), DDR_ARRAY_OK);
}

/* --- errors of parts -------------------------------------------------------------------------- */

static void parts_are_refused(void) {
  const int same[] = {0, 0, 1}, outside[] = {0, 1, 3}, below[] = {0, 1, -1};
  const int64_t other[] = {60, 2}, negative[] = {-60}, columns[] = {4, 3, 5};
  const ddr_layout layout = layout_from_text("0; [3,4,5]; [20,5,1]");
  const ddr_layout turned = layout_from_text("0; [3,4,5]; [1,3,12]");
  ddr_layout part = {.rank = 99};
  CHECK_EQ(ddr_layout_fix(&layout, 3, 0, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_fix(&layout, -1, 0, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_fix(&layout, 1, 4, &part), DDR_ARRAY_EINDEX);
  CHECK_EQ(ddr_layout_fix(&layout, 1, -1, &part), DDR_ARRAY_EINDEX);
  CHECK_EQ(ddr_layout_slice(&layout, 3, 0, 1, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_slice(&layout, 0, 2, 1, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_layout_slice(&layout, 0, 0, 4, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_layout_slice(&layout, 0, -1, 2, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_layout_permute(&layout, same, &part), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_permute(&layout, outside, &part), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_permute(&layout, below, &part), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_flip(&layout, 3, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_step(&layout, 3, 1, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_step(&layout, 0, 0, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_layout_repeat(&layout, 4, 1, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_repeat(&layout, 0, -1, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_layout_repeat(&layout, 0, INT64_MAX / 59, &part), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_layout_reshape(&layout, 2, other, &part), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_layout_reshape(&layout, 1, negative, &part), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_layout_reshape(&layout, 17, other, &part), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_reshape(&turned, 3, columns, &part), DDR_ARRAY_ESHAPE);
  CHECK_EQ(part.rank, 99); /* nothing was written */
  CHECK_EQ(ddr_layout_repeat(&layout, 0, INT64_MAX / 60, &part), DDR_ARRAY_OK);
  part.rank = 16;
  for (int k = 0; k < 16; k++) part.len[k] = 1;
  CHECK_EQ(ddr_layout_repeat(&part, 0, 1, &part), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_layout_reshape(&part, 0, NULL, &part), DDR_ARRAY_OK);
  CHECK_EQ(part.rank, 0);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Two elements as far apart as possible. */
static void go_to_the_ends(void) {
  const ddr_layout wide = {.rank = 1, .offset = INT64_MIN, .len = {2}, .stride = {INT64_MAX - 1}};
  ddr_layout part, back;
  int64_t least, greatest;
  bool is_injective = false;
  CHECK_EQ(ddr_layout_flip(&wide, 0, &part), DDR_ARRAY_OK);
  CHECK_EQ(part.offset, -2);
  CHECK(ddr_layout_span(&part, &least, &greatest) && least == INT64_MIN && greatest == -2);
  CHECK_EQ(ddr_layout_flip(&part, 0, &back), DDR_ARRAY_OK);
  check_layout(&back, &wide);
  CHECK_EQ(ddr_layout_step(&wide, 0, INT64_MIN, &part), DDR_ARRAY_OK);
  CHECK(part.len[0] == 1 && part.offset == -2);
  CHECK_EQ(ddr_layout_step(&wide, 0, INT64_MAX, &part), DDR_ARRAY_OK);
  CHECK(part.len[0] == 1 && part.offset == INT64_MIN);
  CHECK_EQ(ddr_layout_slice(&wide, 0, 2, 2, &part), DDR_ARRAY_OK);
  CHECK_EQ(ddr_layout_size(&part), 0);
  CHECK_EQ(ddr_layout_is_injective(&wide, &is_injective), DDR_ARRAY_OK);
  CHECK(is_injective && !ddr_layout_is_contiguous(&wide));
  CHECK_EQ(ddr_layout_collapse(&wide).len[0], 2);
}

static bool are_distinct(const char *text) {
  const ddr_layout layout = layout_from_text(text);
  bool is_injective = false;
  CHECK_EQ(ddr_layout_is_injective(&layout, &is_injective), DDR_ARRAY_OK);
  return is_injective;
}

/* The second case is fast: it is too large to be enumerated. */
static void have_distinct_elements_or_not(void) {
  CHECK(are_distinct("0; [2,3]; [3,2]"));
  CHECK(!are_distinct("0; [2,2]; [1,1]"));
  CHECK(!are_distinct("0; [3,4]; [3,2]"));
  CHECK(!are_distinct("0; [1000000,1000000,1000000]; [7,5,3]"));
  CHECK(are_distinct("0; [1000000,1000000,1000000]; [1000000,1,-1000000000000]"));
  CHECK(are_distinct("0; [3,1000000]; [1000000,3000001]"));
  CHECK(are_distinct("0; [2,2,2]; [1000000000000000,700000000000001,600000000000000]"));
  CHECK(!are_distinct("0; [2,2,2]; [1300000000000001,700000000000001,600000000000000]"));
  CHECK(!are_distinct("0; [3,2]; [0,1]"));
  CHECK(are_distinct("0; [3,0]; [0,1]"));
}

static bool do_overlap(const char *a, const char *b) {
  const ddr_layout left = layout_from_text(a), right = layout_from_text(b);
  const bool is_so = ddr_layout_overlap(&left, &right);
  CHECK_EQ(ddr_layout_overlap(&right, &left), is_so);
  return is_so;
}

static void overlap_or_not(void) {
  CHECK(!do_overlap("0; [4]; [2]", "1; [4]; [2]")); /* real and imaginary parts */
  CHECK(!do_overlap("0; [1000000]; [2]", "1; [1000000]; [-2]"));
  CHECK(!do_overlap("0; [4]; [1]", "4; [4]; [1]"));
  CHECK(do_overlap("0; [4]; [1]", "3; [4]; [1]"));
  CHECK(do_overlap("0; [1000000,3]; [3,1]", "2999999; [7]; [1]"));
  CHECK(!do_overlap("0; [256,100]; [200,1]", "100; [256,100]; [200,1]")); /* enumerated */
  CHECK(do_overlap("0; [256,101]; [200,1]", "100; [256,100]; [200,1]"));
  CHECK(do_overlap("0; [1000,100]; [200,1]", "100; [1000,100]; [200,1]")); /* not enumerated */
  CHECK(!do_overlap("0; [1000,100,0]; [200,1,1]", "0; [1000,100]; [200,1]"));
  CHECK(!do_overlap("0; [1000000,64,2]; [0,4,1]", "2; [1000000,64,2]; [0,4,1]"));
  CHECK(do_overlap("-9223372036854775808; [2]; [9223372036854775806]", "-2; []; []"));
  CHECK(!do_overlap("-9223372036854775808; []; []", "9223372036854775807; []; []"));
}

int main(void) {
  RUN(are_like_the_table_says);
  RUN(are_packed);
  RUN(packed_ones_are_limited_by_memory);
  RUN(are_checked);
  RUN(parts_are_refused);
  RUN(go_to_the_ends);
  RUN(have_distinct_elements_or_not);
  RUN(overlap_or_not);
  return test_result();
}
