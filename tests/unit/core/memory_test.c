/* Where values and images lie in memory: against results by hand and
 * tests/unit/index/ixfun_symbolic.txt. */
#include "ir/core/memory.h"
#include "tests/unit/test.h"

enum { RANK = 3 }; /* of the index functions tested */

static Cx *new_cx(void) {
  Cx *cx = cx_new();
  types_init(cx);
  return cx;
}

/* Values of names; names that are not listed are 0. */
typedef struct Given {
  const char *name;
  int64_t value;
} Given;

static bool value_of(void *context, const PolyAtom *unknown, int64_t *value) {
  *value = 0;
  for (const Given *given = context; given->name; given++)
    if (strcmp(given->name, unknown->name->text) == 0) *value = given->value;
  return true;
}

static int64_t at(Cx *cx, const Ixfun *f, const Given *given, const int64_t *idx) {
  Poly poly[RANK], offset;
  int64_t value = -1;
  if (!CHECK_EQ(ixfun_rank(f), RANK)) return value;
  for (uint32_t k = 0; k < RANK; k++) poly[k] = poly_const(idx[k]);
  CHECK(ixfun_index(cx->arena, f, poly, RANK, 1, &offset));
  Given values[8];
  for (uint32_t k = 0; k < 8; k++) values[k] = given[k];
  CHECK(poly_eval(offset, value_of, values, &value));
  return value;
}

/* As in ixfun_symbolic.txt SX1: pixels of two components, rows of 6; then SX2 with padded rows, SX4
 * with reversed rows. */
static void windows_are_slices_of_images(void) {
  static const int64_t first[16] = {0, 2, 4, 6, 12, 14, 16, 18, 24, 26, 28, 30, 36, 38, 40, 42};
  static const Given packed[8] = {{"stride_y", 12}}, padded[8] = {{"stride_y", 16}},
                     backwards[8] = {{"stride_y", -12}, {"corner_y", 1}, {"corner_x", 1}};
  Cx *cx = new_cx();
  const Ixfun *window = memory_of_window(cx, type_image(cx, 2, shape_of(1, (uint32_t[]){2})), 4);
  for (int64_t c = 0; c < 2; c++)
    for (int64_t k = 0; k < 16; k++) {
      const int64_t idx[] = {c, k / 4, k % 4};
      CHECK_EQ(at(cx, window, packed, idx), first[k] + c);
      CHECK_EQ(at(cx, window, padded, idx), first[k] + c + 4 * (k / 4));
      CHECK_EQ(at(cx, window, backwards, idx), -12 * (1 + k / 4) + 2 * (1 + k % 4) + c);
    }
  cx_free(cx);
}

/* Axes x, y, z of a scalar volume are the last, the second to last, the first. */
static void axes_are_named_by_letters(void) {
  static const Given given[8] = {
      {"stride_y", 10}, {"stride_z", 100}, {"corner_x", 1}, {"corner_y", 20}, {"corner_z", 300}};
  Cx *cx = new_cx();
  const Ixfun *window = memory_of_window(cx, type_image(cx, 3, shape_of(0, NULL)), 2);
  CHECK_EQ(at(cx, window, given, (const int64_t[]){0, 0, 0}), 30201);
  CHECK_EQ(at(cx, window, given, (const int64_t[]){0, 0, 1}), 30202);
  CHECK_EQ(at(cx, window, given, (const int64_t[]){0, 1, 0}), 30211);
  CHECK_EQ(at(cx, window, given, (const int64_t[]){1, 0, 0}), 30301);
  cx_free(cx);
}

static void sequences_are_arrays_of_scalars(void) {
  static const Given none[8] = {{NULL, 0}};
  Cx *cx = new_cx();
  const Type *ty = type_seq(cx, type_seq(cx, type_vec(cx, 3), 4), 5);
  const Ixfun *all = memory_of_value(cx->arena, ty);
  CHECK_EQ(seq_n_scalars(ty), 60);
  CHECK(ixfun_is_direct(cx->arena, all));
  CHECK_EQ(at(cx, all, none, (const int64_t[]){2, 1, 2}), 2 * 12 + 1 * 3 + 2);
  CHECK_EQ(ixfun_rank(memory_of_value(cx->arena, type_int(cx))), 0);
  cx_free(cx);
}

int main(void) {
  RUN(windows_are_slices_of_images);
  RUN(axes_are_named_by_letters);
  RUN(sequences_are_arrays_of_scalars);
  return test_result();
}
