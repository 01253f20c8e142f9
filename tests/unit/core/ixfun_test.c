/* Index functions: the vectors of ixfun_vectors.txt in all columns, refused constructions, stored
 * dims of reshapes, text both ways, layouts.
 */
#include <stdlib.h>

#include "tests/unit/core/ixfun_construct.h"
#include "tests/unit/test.h"

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

static void check_row(char **column, uint32_t n_columns) {
  const Ixfun *f = made(column[1]);
  bool all = CHECK(f != NULL);
  if (all) {
    all &= CHECK_STR(ixfun_check(cx->arena, f), NULL);
    all &= CHECK_STR(shape_text(f), column[2]);
    all &= CHECK(f->n_lmads <= strtoul(column[3], NULL, 10));
    all &= CHECK(f->n_lmads >= strtoul(column[4], NULL, 10));
    all &= CHECK_STR(ixfun_is_contiguous(f) ? "yes" : "no", column[5]);
    all &= CHECK_STR(mono_text(ixfun_monotonicity(f)), column[6]);
    bool is_shorter = n_columns == 10 && f->n_lmads < strtoul(column[3], NULL, 10);
    all &= CHECK_STR(linear_text(f), column[is_shorter ? 9 : 7]);
    all &= CHECK_STR(offsets_text(f), column[8]);
    const Ixfun *simple = ixfun_simplify(cx->arena, f);
    all &= CHECK(simple->n_lmads <= f->n_lmads && ixfun_eq(cx->arena, f, simple));
    all &= CHECK_STR(offsets_text(simple), column[8]);
  }
  if (!all) fprintf(stderr, "  in %s: %s\n", column[0], column[1]);
}

static void gives_the_vectors(void) {
  char line[MAX_LINE], *column[MAX_COLUMNS];
  uint32_t n_rows = 0, n_columns;
  FILE *file = fopen("tests/unit/core/ixfun_vectors.txt", "r");
  if (!CHECK(file != NULL)) return;
  for (; (n_columns = next_row(file, line, column)) > 0; n_rows++)
    if (CHECK(n_columns >= 9)) check_row(column, n_columns);
  CHECK_EQ(n_rows, 56);
  fclose(file);
}

static void refuses_what_has_no_meaning(void) {
  char line[MAX_LINE], *column[MAX_COLUMNS];
  uint32_t n_rows = 0;
  FILE *file = fopen("tests/unit/core/ixfun_rejected.txt", "r");
  if (!CHECK(file != NULL)) return;
  for (; next_row(file, line, column) == 2; n_rows++)
    if (!CHECK(made(column[1]) == NULL)) fprintf(stderr, "  in %s\n", column[0]);
  CHECK(n_rows > 0 && feof(file));
  fclose(file);

  Poly offset, idx[2] = {poly_const(0), poly_const(3)};
  const Ixfun *f = made("iota[2,3]");
  CHECK(!ixfun_index(cx->arena, f, idx, 1, 1, &offset));
  CHECK(!ixfun_index(cx->arena, f, idx, 2, 1, &offset));
}

int main(void) {
  cx = cx_new();
  RUN(gives_the_vectors);
  RUN(refuses_what_has_no_meaning);
  cx_free(cx);
  return test_result();
}
