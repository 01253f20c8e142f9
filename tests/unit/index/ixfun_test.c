/* Index functions: all columns of ixfun_vectors.txt, refused constructions, stored dims of
 * reshapes, text both ways, layouts. */
#include <stdlib.h>

#include "tests/unit/index/ixfun_construct.h"
#include "tests/unit/test.h"
#include "tests/unit/vectors.h"

static Cx *cx;

static const Ixfun *made(const char *text) {
  Construct c = {.cx = cx};
  const Ixfun *f = construct(&c, text);
  CHECK_STR(c.poly.error, NULL);
  return f;
}

/* ---- the columns ----------------------------------------------------------------------------- */

static const char *shape_text(const Ixfun *f) {
  Text t = text_new(cx->arena);
  Extents shape = ixfun_shape(cx->arena, f);
  text_add(&t, "[");
  for (uint32_t k = 0; k < shape.rank; k++)
    text_addf(&t, "%s%s", k > 0 ? "," : "", poly_text(cx->arena, shape.len[k]));
  text_add(&t, "]");
  return text_str(&t);
}

static const char *mono_text(Monotonicity mono) {
  return mono == MONO_INC ? "Inc" : mono == MONO_DEC ? "Dec" : "Unk";
}

static const char *linear_text(const Ixfun *f) {
  Arena *a = cx->arena;
  Text t = text_new(a);
  Poly offset, same;
  const IxPlace *place;
  bool is_linear = ixfun_linear_with_offset(a, f, 1, &offset);
  bool is_rearranged = ixfun_rearrange_with_offset(a, f, 1, &same, &place);
  if (!is_rearranged) return is_linear ? "linear, but not rearranged" : "-";
  text_addf(&t, "%s%s", is_linear ? "L" : "R", poly_text(a, same));
  if (is_linear && !poly_eq(same, offset)) text_add(&t, " two offsets");
  for (uint32_t k = 0; k < ixfun_rank(f) && !is_linear; k++)
    text_addf(&t, "%s(%u,%s)", k == 0 ? " " : "", place[k].dim, poly_text(a, place[k].len));
  if (ixfun_is_direct(a, f)) text_add(&t, " direct");
  CHECK_EQ(ixfun_is_linear(a, f), is_linear && poly_is(same, 0));
  return text_str(&t);
}

static const char *offsets_text(const Ixfun *f) {
  Arena *a = cx->arena;
  Text t = text_new(a);
  Extents shape = ixfun_shape(a, f);
  int64_t size = extents_size(a, shape).constant;
  for (int64_t i = 0; i < size; i++) {
    Poly offset, bytes;
    const Poly *idx = extents_unflat(a, shape, poly_const(i));
    CHECK(ixfun_index(a, f, idx, shape.rank, 1, &offset));
    CHECK(ixfun_index(a, f, idx, shape.rank, 8, &bytes) && bytes.constant == 8 * offset.constant);
    text_addf(&t, "%s%s", i > 0 ? " " : "", poly_text(a, offset));
  }
  return text_str(&t);
}

static void check_row(const Vector *row) {
  char *const *column = row->field;
  const Ixfun *f = made(column[1]);
  bool all = CHECK(f != NULL);
  if (all) {
    all &= CHECK_STR(ixfun_check(cx->arena, f), NULL);
    all &= CHECK_STR(shape_text(f), column[2]);
    all &= CHECK(f->n_lmads <= strtoul(column[3], NULL, 10));
    all &= CHECK(f->n_lmads >= strtoul(column[4], NULL, 10));
    all &= CHECK_STR(ixfun_is_contiguous(f) ? "yes" : "no", column[5]);
    all &= CHECK_STR(mono_text(ixfun_monotonicity(f)), column[6]);
    bool is_shorter = row->n_fields == 10 && f->n_lmads < strtoul(column[3], NULL, 10);
    all &= CHECK_STR(linear_text(f), column[is_shorter ? 9 : 7]);
    all &= CHECK_STR(offsets_text(f), column[8]);
    const Ixfun *simple = ixfun_simplify(cx->arena, f);
    all &= CHECK(simple->n_lmads <= f->n_lmads && ixfun_eq(cx->arena, f, simple));
    all &= CHECK_STR(offsets_text(simple), column[8]);
  }
  if (!all) fprintf(stderr, "  in %s: %s\n", column[0], column[1]);
}

static void gives_the_vectors(void) {
  Vector row;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/index/ixfun_vectors.txt");
  for (; vectors_next(file, &row); n_rows++)
    if (CHECK(row.n_fields >= 9)) check_row(&row);
  CHECK_EQ(n_rows, 56);
  vectors_close(file);
}

static void refuses_what_has_no_meaning(void) {
  Vector row;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/index/ixfun_rejected.txt");
  for (; vectors_next(file, &row); n_rows++)
    if (CHECK_EQ(row.n_fields, 2)) CHECK(made(row.field[1]) == NULL);
  CHECK(n_rows > 0);
  vectors_close(file);

  Poly offset, idx[2] = {poly_const(0), poly_const(3)};
  const Ixfun *f = made("iota[2,3]");
  CHECK(!ixfun_index(cx->arena, f, idx, 1, 1, &offset));
  CHECK(!ixfun_index(cx->arena, f, idx, 2, 1, &offset));
}

static void counted_strides_are_the_callers(void) {
  const Ixfun *f = made("iota[4,2]"), *g;
  /* Extends beyond the array. */
  g = ixfun_stride_index_n(cx->arena, f, poly_const(2), poly_const(4));
  CHECK_STR(offsets_text(g), "0 1 4 5 8 9 12 13");
  g = ixfun_stride_index_n(cx->arena, f, poly_const(-2), poly_const(2));
  CHECK_STR(offsets_text(g), "6 7 2 3");
  CHECK(ixfun_stride_index_n(cx->arena, f, poly_const(2), poly_const(-1)) == NULL);
  Poly unsigned_step = poly_unknown(cx->arena, name_from(cx->names, "k"));
  CHECK(ixfun_stride_index(cx->arena, f, unsigned_step) == NULL);
  CHECK(ixfun_offset_index(cx->arena, f, poly_const(0)) == f);
}

/* ---- representation -------------------------------------------------------------------------- */

static void check_stored(const char *construction, const char *want) {
  CHECK_STR(ixfun_print(cx->arena, made(construction)), want);
}

static void stored_dims_keep_their_order(void) {
  check_stored("iota[2,2,2,3] . permute[3,1,2,0] . reshape[=3, 4, =2]",
               "<0 [2 : 12, 4 : 3, 3 : 1] perm 2 1 0 of [2, 2, 2, 3]>");
  check_stored("iota[2,2,3] . rotate[1,0,0] . reshape[=2, 6]",
               "<0 [2 : 6 @ 1, 6 : 1] of [2, 2, 3]>");
  check_stored("iota[5] . rotate[2] . slice[4:5:-1]", "<4 [5 : -1 @ 3] of [5]>");
  check_stored("iota[2,3,2] . permute[1,2,0]", "<0 [2 : 6, 3 : 2, 2 : 1] perm 1 2 0 of [2, 3, 2]>");
  check_stored("iota[2,3,4] . permute[2,0,1] . slice[0:4:1, 1, 0:3:1]",
               "<12 [3 : 4, 4 : 1] perm 1 0 of [2, 3, 4]>");
  /* an axis of length 1 is never rotated, and rotating a repeated axis changes nothing */
  check_stored("iota[1,3] . rotate[5,3]", "<0 [1 : 3, 3 : 1] of [1, 3]>");
  check_stored("iota[3] . repeat[[2]; []] . rotate[1,0]", "<0 [2 : 0, 3 : 1] of [3]>");
  check_stored("iota[6] . rotate[4] . slice[0:4:1]", "<0 [4 : 1] then 0 [6 : 1 @ 4] of [6]>");
  check_stored("iota[6] . rotate[4] . slice[3:1:1]", "<1 [1 : 1] of [6]>");
  /* split and merged without a second descriptor */
  check_stored("iota[2,2,3] . permute[1,2,0] . reshape[6, =2]",
               "<0 [2 : 6, 6 : 1] perm 1 0 of [2, 2, 3]>");
  check_stored("iota[12] . slice[0:6:2] . reshape[2, 3]", "<0 [2 : 6, 3 : 2] of [12]>");
}

static void lists_become_one_where_they_can(void) {
  const Ixfun *f = made("iota[4,3] . permute[1,0] . reshape[12] . rebase onto "
                        "{iota[30] . slice[2:12:2] . reshape[4,3]}");
  CHECK_EQ(f->n_lmads, 2);
  /* A flattened transposition is not a single descriptor. */
  CHECK_EQ(ixfun_simplify(cx->arena, f)->n_lmads, 2);
  f = made("iota[6] . slice[1:3:2] . rebase onto {iota[30] . slice[25:6:-3]}");
  CHECK_EQ(f->n_lmads, 2);
  CHECK_STR(ixfun_print(cx->arena, ixfun_simplify(cx->arena, f)), "<22 [3 : -6] of [30]>");
  /* row-major first: read from text, since reshape would have regrouped it */
  const char *text = "<0 [2 : 3, 3 : 1] then 4 [6 : 5] of [40]>", *error;
  f = ixfun_parse(cx, &text, &error);
  CHECK_STR(ixfun_print(cx->arena, ixfun_simplify(cx->arena, f)), "<4 [2 : 15, 3 : 5] of [40]>");
  text = "<0 [3 : 2, 2 : 1] then 0 [2 : 9, 6 : 1] perm 1 0 then 0 [2 : 9, 9 : 1] of [18]>";
  f = ixfun_parse(cx, &text, &error);
  CHECK_EQ(ixfun_simplify(cx->arena, f)->n_lmads, 2);
}

static void rebase_composes_only_what_follows_its_base(void) {
  const char *text = "<0 [3 : 1, 3 : 3] of [3, 3]>", *error; /* a transposition in stored order */
  const Ixfun *f = ixfun_parse(cx, &text, &error);
  f = ixfun_rebase(cx->arena, made("iota[3,6] . slice[0:3:1, 5:3:-2]"), f);
  CHECK_EQ(f->n_lmads, 2);
  CHECK_STR(offsets_text(f), "5 11 17 3 9 15 1 7 13");
  f = made("iota[3,3] . permute[1,0] . rebase onto {iota[3,6] . slice[0:3:1, 5:3:-2]}");
  CHECK_EQ(f->n_lmads, 1);
  CHECK_STR(offsets_text(f), "5 11 17 3 9 15 1 7 13");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void refuses_text(const char *text, const char *why) {
  const char *pos = text, *error = NULL;
  CHECK(ixfun_parse(cx, &pos, &error) == NULL);
  CHECK_STR(error, why);
  CHECK(pos == text);
}

/* Characters exchanged, dropped and doubled: the text is refused, or prints as it was read. */
static void damaged_text_is_read_or_refused(void) {
  static const char good[] =
      "<1 <= N1, 0 <= i0 < N1 | 2*i0 + floordiv(N1, 4) [4 : 2*N1^2 @ mod(i0, 4), 3 : -1] perm 1 0 "
      "then 0 [2 : 6, 6 : 1] of [N1, 2*N1]>";
  uint32_t state = 5, n_read = 0;
  for (int i = 0; i < 5000; i++) {
    Cx *own = cx_new();
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    for (int k = 0; k < 1 + i % 3; k++) {
      state = state * 1664525u + 1013904223u;
      size_t at = (state >> 8) % (sizeof good - 2), from = (state >> 16) % (sizeof good - 2);
      if (state >> 31) text[at] = good[from];
      else memmove(text + at, text + at + 1, strlen(text + at));
    }
    const char *pos = text, *error = NULL;
    const Ixfun *f = ixfun_parse(own, &pos, &error);
    CHECK((f != NULL) == (error == NULL));
    n_read += f != NULL;
    if (f) {
      const char *again = ixfun_print(own->arena, f), *end = again;
      f = ixfun_parse(own, &end, &error);
      if (CHECK(f != NULL)) CHECK_STR(ixfun_print(own->arena, f), again);
    }
    cx_free(own);
  }
  CHECK(n_read > 100);
}

static void text_is_read_and_refused(void) {
  static const char *const texts[] = {
      "<0 [] of []>",
      "<-4 [2 : 3, 3 : -1 @ 2] perm 1 0 of [2, 3]>",
      "<1 <= N1, 0 <= i0 < N1 | 2*i0 + floordiv(N1, 4) [4 : 2*N1^2 @ mod(i0, 4)] of [N1, 2*N1]>",
      "<x*y - 9223372036854775808 [2 : 9223372036854775807] of [x]>",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *pos = texts[i], *error;
    const Ixfun *f = ixfun_parse(cx, &pos, &error);
    if (CHECK(f != NULL)) CHECK_STR(ixfun_print(cx->arena, f), texts[i]);
    CHECK(*pos == '\0');
  }
  refuses_text("<0 [2 : 1 of [2]>", "expected ',' or ']'");
  refuses_text("<0 [2 : 1, 3 : 1] perm 0 0 of [2]>", "the order of the axes is no permutation");
  refuses_text("<0 [2 : 1, 3 : 1] perm 0 of [2]>", "expected the number of a dim");
  refuses_text("<0 [-2 : 1] of [2]>", "a length is negative");
  refuses_text("<9223372036854775808 [] of []>", "a number is too large");
  refuses_text("<N <= 3 | 0 [] of []>", "expected a range: number <= name < bound");
  refuses_text("<sin(3) [] of []>", "no such function");
  refuses_text("<0 [2 : 1]>", "expected 'of'");
}

/* ---- layouts of the runtime ------------------------------------------------------------------ */

static void layouts_are_functions_of_one_descriptor(void) {
  ddr_layout layout = {.rank = -1};
  CHECK_EQ(ixfun_to_layout(made("iota[3,4] . permute[1,0] . slice[1:3:1, 2:3:-1]"), &layout), 0);
  CHECK(layout.rank == 2 && layout.offset == 9 && layout.len[0] == 3 && layout.len[1] == 3);
  CHECK(layout.stride[0] == 1 && layout.stride[1] == -4);
  CHECK_EQ(ixfun_to_layout(made("iota[5] . rotate[2]"), &layout), DDR_ARRAY_ETYPE);
  CHECK_EQ(ixfun_to_layout(made("iota[2,3] . permute[1,0] . reshape[6]"), &layout),
           DDR_ARRAY_ETYPE);
  CHECK_EQ(layout.stride[1], -4);
}

int main(void) {
  cx = cx_new();
  RUN(gives_the_vectors);
  RUN(refuses_what_has_no_meaning);
  RUN(counted_strides_are_the_callers);
  RUN(stored_dims_keep_their_order);
  RUN(lists_become_one_where_they_can);
  RUN(rebase_composes_only_what_follows_its_base);
  RUN(text_is_read_and_refused);
  RUN(damaged_text_is_read_or_refused);
  RUN(layouts_are_functions_of_one_descriptor);
  cx_free(cx);
  return test_result();
}
