/* Types: hash-consing, shapes, text both ways, classes, and conversions row by row. */
#include "frontend/lang/type.h"
#include "frontend/base/text.h"
#include "tests/unit/lang/type_text.h"

static void equal_types_are_one_pointer(void) {
  CHECK(type_real(cx) == type_tensor(cx, (Shape){0}));
  CHECK(type_vec(cx, 3) == type_tensor(cx, shape_of(1, (uint32_t[]){3})));
  CHECK(type_vec(cx, 1) == type_real(cx));
  CHECK(type_vec(cx, 3) != type_vec(cx, 4));
  CHECK(type_row(cx, 4) != type_row(cx, 8));
  CHECK(type_image(cx, 2, (Shape){0}) != type_image(cx, 3, (Shape){0}));
  CHECK(type_image(cx, 3, (Shape){0}) != type_field(cx, 0, 3, (Shape){0}));
  CHECK(type_kernel(cx, 1) != type_kernel(cx, 2));
  const Type *ints = type_seq(cx, type_int(cx), 3);
  CHECK(ints == type_seq(cx, type_int(cx), 3));
  CHECK(ints != type_seq(cx, type_int(cx), SEQ_DYNAMIC));
  const Name *ball = name_from(cx->names, "Ball");
  CHECK(type_strand(cx, ball) == type_strand(cx, ball));
  CHECK(type_strand(cx, ball) != type_strand(cx, name_from(cx->names, "Box")));
  for (uint32_t n = 2; n < 2000; n++) CHECK(type_vec(cx, n) == type_vec(cx, n));
}

static void shapes_have_no_axis_of_length_one(void) {
  Shape shape = shape_of(4, (uint32_t[]){1, 2, 1, 3});
  CHECK_EQ(shape.order, 2);
  CHECK_EQ(shape.dims[0], 2);
  CHECK_EQ(shape.dims[1], 3);
  CHECK_EQ(shape_size(&shape), 6);
  CHECK_EQ(shape_append(shape, 1).order, 2);
  Shape longer = shape_append(shape, 4);
  CHECK_STR(type_text(cx, type_tensor(cx, longer)), "tensor[2,3,4]");
  CHECK_STR(type_text(cx, type_tensor(cx, shape_drop_first(longer))), "tensor[3,4]");
  CHECK_STR(type_text(cx, type_tensor(cx, shape_concat(longer, shape))), "tensor[2,3,4,2,3]");
  CHECK(shape_eq(&shape, &shape) && !shape_eq(&shape, &longer));
  uint32_t wide[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  Shape huge = shape_of(4, wide);
  CHECK(shape_size(&huge) == UINT64_MAX);
}

static void too_many_axes_are_an_error_type(void) {
  Shape shape = {0};
  for (uint32_t i = 0; i < MAX_ORDER; i++) shape = shape_append(shape, 2);
  CHECK(!shape_is_too_large(&shape) && type_is(type_tensor(cx, shape), TY_TENSOR));
  Shape larger = shape_append(shape, 2);
  CHECK(shape_is_too_large(&larger) && type_is(type_tensor(cx, larger), TY_ERROR));
  Shape twice = shape_concat(shape, larger);
  CHECK(shape_is_too_large(&twice));
  CHECK(type_is(type_field(cx, 1, 3, shape_concat(shape, shape)), TY_ERROR));
}

static void text_reads_back_as_the_same_type(void) {
  static const char *const texts[] = {
      "bool",          "int",           "string",
      "real",          "vec2",          "vec3",
      "vec4",          "mat2",          "mat3",
      "mat4",          "vec3[]",        "tensor[5]",
      "tensor[2,3]",   "tensor[3,3,3]", "tensor[5][4]",
      "int[0]",        "int[4][]",      "real[18446744073709551614]",
      "image(1)[]",    "image(3)[3,3]", "kernel#2",
      "field#2(3)[3]", "field(2)[]",    "field#0(1)[]",
      "row(4)",        "offset",        "addr",
      "addr(u8)",      "addr(f32)[]",   "?",
      "?[0]",          "Ball",          "Ball_2[]",
      "strand offset", "strand row[2]", "strand mat2"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    CHECK_STR(type_text(cx, ty(texts[i])), texts[i]);
  CHECK(ty("tensor[]") == type_real(cx));
  CHECK(ty("tensor[2,2]") == ty("mat2"));
  CHECK(ty("  tensor[1,3]") == ty("vec3"));
}

static void every_kind_is_spelled(void) {
  const Name *ball = name_from(cx->names, "Ball");
  CHECK_STR(type_text(cx, type_error(cx)), "?");
  CHECK_STR(type_text(cx, type_bool(cx)), "bool");
  CHECK_STR(type_text(cx, type_strand(cx, ball)), "Ball");
  CHECK_STR(type_text(cx, type_field(cx, CONTINUITY_INF, 3, (Shape){0})), "field(3)[]");
  CHECK_STR(type_text(cx, type_row(cx, 8)), "row(8)");
  CHECK_STR(type_text(cx, type_offset(cx)), "offset");
  CHECK_STR(type_text(cx, type_addr(cx, SAMPLE_REAL)), "addr");
  CHECK_STR(type_text(cx, type_addr(cx, SAMPLE_I16)), "addr(i16)");
  CHECK_STR(d_type(cx, type_vec(cx, 3)).text, "vec3");
}

static void bad_text_is_no_type(void) {
  static const char *const texts[] = {"",
                                      "3",
                                      "tensor",
                                      "tensor[2",
                                      "tensor[2,]",
                                      "tensor[,2]",
                                      "image[3]",
                                      "image(3)",
                                      "kernel",
                                      "kernel#",
                                      "field#k(3)[]",
                                      "field#2[3]",
                                      "row",
                                      "row()",
                                      "addr(u9)",
                                      "addr(",
                                      "int[",
                                      "int[x]",
                                      "strand",
                                      "strand 3",
                                      "int[18446744073709551615]",
                                      "tensor[99999999999]",
                                      "tensor[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const char *at = texts[i];
    CHECK(type_parse(cx, &at) == NULL);
    CHECK(at == texts[i]);
  }
  const char *text = "int, real", *at = text;
  CHECK(type_parse(cx, &at) == type_int(cx));
  CHECK_EQ(at - text, 3);
}

/* Classes of types: which are values, which a field can have. */
static void classes_of_types(void) {
  static const struct {
    const char *text;
    bool value, fixed_size, dynamic;
  } rows[] = {
      {"bool", true, true, false},         {"string", true, true, false},
      {"mat3", true, true, false},         {"int[3][2]", true, true, false},
      {"int[]", true, false, true},        {"int[3][]", true, false, true},
      {"int[][3]", true, false, false},    {"int[][]", false, false, true},
      {"Ball", false, false, false},       {"Ball[]", false, false, true},
      {"image(3)[]", false, false, false}, {"field#1(2)[]", false, false, false},
      {"kernel#1", false, false, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Type *found = ty(rows[i].text);
    CHECK_EQ(type_is_value(found), rows[i].value);
    CHECK_EQ(type_is_fixed_size(found), rows[i].fixed_size);
    CHECK_EQ(type_is_dynamic_seq(found), rows[i].dynamic);
  }
  CHECK(type_is_real(ty("real")) && !type_is_real(ty("vec2")) && !type_is_real(ty("int")));
}

/* The table of doc/language.md, "Conversions and overloads", and then pairs that are never
 * converted. */
static void coercions(void) {
  static const struct {
    const char *from, *to;
    bool coerces;
  } rows[] = {
      {"vec3", "vec3", true},
      {"image(3)[]", "image(3)[]", true}, /* C0 */
      {"int", "real", true},              /* C1 */
      {"int[3]", "real[3]", true},
      {"int[3][2]", "real[3][2]", true}, /* C2 */
      {"int[3]", "real[]", true},
      {"int[3]", "int[]", true}, /* C3 */
      {"int[3][2]", "real[3][]", true},
      {"int[0]", "real[]", true},
      {"field#2(3)[3]", "field#1(3)[3]", true},
      {"field(3)[]", "field#7(3)[]", true}, /* C4 */
      {"field#1(3)[]", "field#2(3)[]", false},
      {"field#2(3)[]", "field(3)[]", false},
      {"field#2(3)[]", "field#1(2)[]", false},
      {"field#2(3)[]", "field#1(3)[3]", false},
      {"real", "int", false},
      {"int", "vec3", false},
      {"real", "vec3", false},
      {"int", "bool", false},
      {"int[]", "real[]", false},
      {"int[]", "int[3]", false},
      {"int[3]", "int[4]", false},
      {"int[3][]", "real[3][]", false},
      {"kernel#2", "kernel#1", false},
      {"image(3)[]", "image(2)[]", false},
      {"Ball", "Box", false},
      {"string", "real", false},
      {"image(3)[]", "field#1(3)[]", false},
      {"?", "image(3)[]", true},
      {"kernel#1", "?", true},
      {"?[0]", "real[]", true},
      {"?[]", "real[]", true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (!CHECK_EQ(type_coerces(ty(rows[i].from), ty(rows[i].to)), rows[i].coerces))
      fprintf(stderr, "  from %s to %s\n", rows[i].from, rows[i].to);
}

static void components_are_axes_or_numbers(void) {
  const Type *mat = type_tensor(cx, shape_of(2, (const uint32_t[]){2, 2}));
  CHECK_STR(type_component_name(cx, type_vec(cx, 3), "pos", 2), "pos_z");
  CHECK_STR(type_component_name(cx, type_vec(cx, 4), "q", 3), "q_w");
  CHECK_STR(type_component_name(cx, mat, "m", 3), "m_3");
  CHECK_STR(type_component_name(cx, type_vec(cx, 7), "long", 6), "long_6");
  CHECK_STR(type_component_name(cx, type_int(cx), "n", 0), "n");
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(components_are_axes_or_numbers);
  RUN(equal_types_are_one_pointer);
  RUN(shapes_have_no_axis_of_length_one);
  RUN(too_many_axes_are_an_error_type);
  RUN(text_reads_back_as_the_same_type);
  RUN(every_kind_is_spelled);
  RUN(bad_text_is_no_type);
  RUN(classes_of_types);
  RUN(coercions);
  cx_free(cx);
  return test_result();
}
