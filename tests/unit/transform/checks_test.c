/* Masked assignment, overlapping operands, and all errors, after which nothing is written. */
#include "runtime/transform/transform.h"
#include "tests/unit/array_text.h"

static void check_elements(const ddr_ndview *view, const char *text) {
  ddr_ndview want = line_from_text(view->type, text, 1);
  if (CHECK_EQ(view->layout.len[0], want.layout.len[0])) {
    for (int64_t k = 0; k < want.layout.len[0]; k++)
      CHECK(same_number(ddr_number_load(view->type, line_at(view, k)),
                        ddr_number_load(view->type, line_at(&want, k))));
  }
  ddr_ndview_release(&want);
}

/* --- masks ------------------------------------------------------------------------------------ */

static void masked_assignment(void) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/transform/masked.txt");
  for (; vectors_next(file, &v); n_rows++) {
    const ddr_element type = element_from_text(v.field[1]);
    const int64_t n_given = elements_from_text(type, v.field[4], NULL);
    for (int s = 0; s < 4; s++) {
      ddr_ndview x = line_from_text(type, v.field[2], line_strides[s]);
      ddr_ndview mask = line_from_text(DDR_ELEMENT_BOOL, v.field[3], line_strides[(s + 1) % 4]);
      ddr_ndview y = line_from_text(type, v.field[4], line_strides[3 - s]);
      if (n_given == x.layout.len[0]) CHECK_EQ(ddr_masked_assign(&x, &mask, &y), DDR_ARRAY_OK);
      else {
        const ddr_number number = ddr_number_load(type, line_at(&y, 0));
        CHECK_EQ(ddr_masked_assign_number(&x, &mask, number), DDR_ARRAY_OK);
      }
      check_elements(&x, v.field[5]);
      ddr_ndview_release(&x);
      ddr_ndview_release(&mask);
      ddr_ndview_release(&y);
    }
  }
  vectors_close(file);
  CHECK_EQ(n_rows, 8);
}

/* x[mask] = reverse(x), x[x] = not x: everything is read before anything is written. */
static void masked_assignment_of_itself(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT32, "1 2 3 4 5", 1), reversed, mask, shifted;
  mask = line_from_text(DDR_ELEMENT_BOOL, "1 0 1 0 1", 1);
  CHECK_EQ(ddr_ndview_flip(&x, 0, &reversed), DDR_ARRAY_OK);
  CHECK_EQ(ddr_masked_assign(&x, &mask, &reversed), DDR_ARRAY_OK);
  check_elements(&x, "5 2 3 4 1");
  ddr_ndview_release(&reversed);
  ddr_ndview_release(&x);
  x = line_from_text(DDR_ELEMENT_BOOL, "1 1 0 1 1 0", 1);
  CHECK_EQ(ddr_ndview_slice(&x, 0, 0, 5, &shifted), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_slice(&x, 0, 1, 6, &reversed), DDR_ARRAY_OK);
  CHECK_EQ(ddr_masked_assign_number(&reversed, &shifted, ddr_number_int(0)), DDR_ARRAY_OK);
  check_elements(&x, "1 0 0 1 0 0");
  ddr_ndview_release(&shifted);
  ddr_ndview_release(&reversed);
  ddr_ndview_release(&x);
  ddr_ndview_release(&mask);
}

/* Also for large arrays: x[mask] = reverse(x), and a mask in the memory of x. */
static void masked_assignment_of_much_of_itself(void) {
  const int64_t n = 5000;
  ddr_ndview x = line_new(DDR_ELEMENT_INT8, n, 1), mask = line_new(DDR_ELEMENT_BOOL, n, 1), part;
  for (int64_t k = 0; k < n; k++) {
    *(int8_t *)line_at(&x, k) = (int8_t)(k % 100);
    *(bool *)line_at(&mask, k) = k % 3 != 0;
  }
  CHECK_EQ(ddr_ndview_flip(&x, 0, &part), DDR_ARRAY_OK);
  CHECK_EQ(ddr_masked_assign(&x, &mask, &part), DDR_ARRAY_OK);
  for (int64_t k = 0; k < n; k++)
    CHECK_EQ(*(int8_t *)line_at(&x, k), (k % 3 != 0 ? n - 1 - k : k) % 100);
  ddr_ndview_release(&part);
  ddr_ndview its_mask = mask, target = mask;
  its_mask.layout.len[0] = target.layout.len[0] = n - 1;
  target.layout.offset = 1; /* mask[k + 1] := 1 wherever mask[k] */
  CHECK_EQ(ddr_masked_assign_number(&target, &its_mask, ddr_number_int(1)), DDR_ARRAY_OK);
  for (int64_t k = 0; k < n; k++) /* initially 0 1 1 0 1 1 ... */
    CHECK_EQ(*(bool *)line_at(&mask, k), k != 0);
  ddr_ndview_release(&x);
  ddr_ndview_release(&mask);
}

static void errors_of_masks(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_DOUBLE, "1 2 3", 1);
  ddr_ndview mask = line_from_text(DDR_ELEMENT_BOOL, "1 1 1", 1);
  ddr_ndview short_mask = line_from_text(DDR_ELEMENT_BOOL, "1 1", 1);
  ddr_ndview ints = line_from_text(DDR_ELEMENT_INT32, "7 8 9", 1), repeated = x;
  const ddr_number number = ddr_number_real(5);
  CHECK_EQ(ddr_masked_assign_number(&x, &short_mask, number), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_masked_assign_number(&x, &ints, number), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_masked_assign_number(&x, &mask, ddr_number_complex(1, 1)), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_masked_assign(&x, &mask, &ints), DDR_ARRAY_ETYPE);
  repeated.layout.stride[0] = 0;
  CHECK_EQ(ddr_masked_assign_number(&repeated, &mask, number), DDR_ARRAY_EALIAS);
  mask.residency = DDR_CUDA;
  CHECK_EQ(ddr_masked_assign_number(&x, &mask, number), DDR_ARRAY_ERESIDENCY);
  check_elements(&x, "1 2 3");
  ddr_ndview_release(&x);
  ddr_ndview_release(&mask);
  ddr_ndview_release(&short_mask);
  ddr_ndview_release(&ints);
}

/* --- what overlaps ---------------------------------------------------------------------------- */

/* Adds parts of one block of doubles: offset and stride of the operand and of the output. */
static ddr_array_status add_parts(ddr_ndview *block, int64_t offset, int64_t stride,
                                  int64_t out_offset, int64_t out_stride, int64_t n) {
  ddr_ndview x = *block, out = *block;
  x.layout = (ddr_layout){.rank = 1, .offset = offset, .len = {n}, .stride = {stride}};
  out.layout = (ddr_layout){.rank = 1, .offset = out_offset, .len = {n}, .stride = {out_stride}};
  return ddr_transform_add_scalar(&x, ddr_number_real(1), &out, 1);
}

static void overlaps(void) {
  ddr_ndview block = line_from_text(DDR_ELEMENT_DOUBLE, "0 1 2 3 4 5 6 7", 1);
  CHECK_EQ(add_parts(&block, 0, 1, 1, 1, 4), DDR_ARRAY_EALIAS);
  CHECK_EQ(add_parts(&block, 3, -1, 0, 1, 4), DDR_ARRAY_EALIAS); /* the same elements in reverse */
  CHECK_EQ(add_parts(&block, 0, 2, 0, 1, 4), DDR_ARRAY_EALIAS);
  CHECK_EQ(add_parts(&block, 0, 1, 4, 0, 4), DDR_ARRAY_EALIAS); /* the output overlaps itself */
  check_elements(&block, "0 1 2 3 4 5 6 7");
  CHECK_EQ(add_parts(&block, 0, 1, 0, 1, 4), DDR_ARRAY_OK); /* exactly the same elements */
  CHECK_EQ(add_parts(&block, 0, 2, 1, 2, 4), DDR_ARRAY_OK); /* interleaved */
  check_elements(&block, "1 2 3 4 4 5 6 7");
  CHECK_EQ(add_parts(&block, 4, 0, 0, 1, 4), DDR_ARRAY_OK); /* an operand may repeat */
  check_elements(&block, "5 5 5 5 4 5 6 7");
  ddr_ndview_release(&block);
}

/* The imaginary parts as an array of floats: distinct from the real parts, but not from the
 * whole. */
static void parts_of_complex_numbers(void) {
  ddr_ndview z = line_from_text(DDR_ELEMENT_CFLOAT, "1,2 3,4", 1), parts = z, ints = z;
  parts.type = DDR_ELEMENT_FLOAT;
  parts.layout = (ddr_layout){.rank = 1, .offset = 1, .len = {2}, .stride = {2}};
  ddr_ndview others = parts;
  others.layout.offset = 0;
  CHECK_EQ(ddr_transform_real(&z, &parts, 1), DDR_ARRAY_EALIAS);
  CHECK_EQ(ddr_transform_neg(&others, &parts, 1), DDR_ARRAY_OK);
  check_elements(&z, "1,-1 3,-3");
  ints.type = DDR_ELEMENT_INT32; /* as wide as the floats */
  ints.layout = parts.layout;
  CHECK_EQ(ddr_transform_cast(&parts, &ints, 1), DDR_ARRAY_OK);
  check_elements(&ints, "-1 -3");
  ddr_ndview_release(&z);
}

/* Complex numbers 0, 2, 4, 6 of a block, and floats between them or inside them. */
static void floats_among_complex_numbers(void) {
  ddr_ndview z = line_from_text(DDR_ELEMENT_CFLOAT, "1,2 3,4 5,6 7,8", 2), between = z;
  between.type = DDR_ELEMENT_FLOAT;
  between.layout = (ddr_layout){.rank = 1, .offset = 2, .len = {4}, .stride = {4}};
  CHECK_EQ(ddr_transform_imag(&z, &between, 1), DDR_ARRAY_OK);
  check_elements(&between, "2 4 6 8");
  check_elements(&z, "1,2 3,4 5,6 7,8");
  between.layout.offset = 1;
  CHECK_EQ(ddr_transform_real(&z, &between, 1), DDR_ARRAY_EALIAS);
  between.layout = (ddr_layout){.rank = 1, .offset = 2, .len = {4}, .stride = {1}};
  CHECK_EQ(ddr_transform_real(&z, &between, 1), DDR_ARRAY_EALIAS); /* the third float is z[1].re */
  check_elements(&z, "1,2 3,4 5,6 7,8");
  ddr_ndview_release(&z);
}

/* A reversed part of an array: the new array has the same layout, but its own offset. */
static void fresh_arrays_begin_at_their_own(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_DOUBLE, "0 1 2 3 4 5 6 7", 1), made;
  x.layout = (ddr_layout){.rank = 2, .offset = 6, .len = {2, 2}, .stride = {-1, -2}};
  const ddr_operand operand = ddr_operand_view(&x);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_NEG, 1, &operand, 1, &made), DDR_ARRAY_OK);
  const double want[2][2] = {{-6, -4}, {-5, -3}};
  for (int64_t i = 0; i < 2; i++) {
    for (int64_t j = 0; j < 2; j++) {
      void *element = NULL;
      CHECK_EQ(ddr_ndview_at(&made, 2, (const int64_t[]){i, j}, &element), DDR_ARRAY_OK);
      CHECK(*(double *)element == want[i][j]);
    }
  }
  int64_t least = -1, greatest = -1;
  CHECK(ddr_layout_span(&made.layout, &least, &greatest));
  CHECK_EQ(least, 0);
  CHECK_EQ(greatest, 3);
  ddr_ndview_release(&made);
  ddr_ndview_release(&x);
}

/* Any operand may be a number. */
static void numbers_on_either_side(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_UINT8, "1 2 3", -1), made;
  const ddr_operand left[2] = {ddr_operand_number(ddr_number_int(2)), ddr_operand_view(&x)};
  const ddr_operand right[2] = {left[1], left[0]};
  const ddr_operand both[2] = {left[0], left[0]};
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_LT, 2, left, 1, &made), DDR_ARRAY_OK);
  check_elements(&made, "0 0 1");
  ddr_ndview_release(&made);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_LT, 2, right, 1, &made), DDR_ARRAY_OK);
  check_elements(&made, "1 0 0");
  ddr_ndview_release(&made);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_LT, 2, both, 1, &made), DDR_ARRAY_ESHAPE);
  ddr_ndview_release(&x);
}

/* --- errors ----------------------------------------------------------------------------------- */

static void errors(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT32, "1 2 3", 1),
             y = line_from_text(DDR_ELEMENT_INT32, "1 0 3", 1);
  ddr_ndview out = line_from_text(DDR_ELEMENT_INT32, "7 7 7", 2),
             two = line_from_text(DDR_ELEMENT_INT32, "1 1", 1);
  ddr_ndview real = line_from_text(DDR_ELEMENT_DOUBLE, "7 7 7", 1),
             z = line_from_text(DDR_ELEMENT_CDOUBLE, "1 2 3", 1);
  ddr_ndview truth = line_from_text(DDR_ELEMENT_BOOL, "1 0 1", 1), made = {.data = NULL};
  const ddr_number zero = ddr_number_zero(DDR_ELEMENT_INT32), one = ddr_number_int(1);
  CHECK_EQ(ddr_transform_div(&x, &y, &out, 1), DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_div_scalar(&x, zero, &out, 1), DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_scalar_div(ddr_number_zero(DDR_ELEMENT_INT8), &y, &out, 1),
           DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_inplace_div(&x, &y, 1), DDR_ARRAY_EDIV0);
  const ddr_number beyond = {.type = DDR_ELEMENT_UINT8, .integer = 256}; /* 0 as a uint8 */
  CHECK_EQ(ddr_transform_div_scalar(&x, beyond, &out, 1), DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_add(&x, &two, &out, 1), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_transform_add(&x, &y, &two, 1), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_transform_add(&x, &y, &real, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_add(&x, &real, &out, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_inplace_add_scalar(&x, one, 1), DDR_ARRAY_ETYPE); /* int64 */
  CHECK_EQ(ddr_transform_sqrt(&x, &out, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_bessel_1_0(&z, &z, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_clip(&z, one, one, &z, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_lt(&z, &z, &truth, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_and(&x, &y, &truth, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_add(&truth, &truth, &truth, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_cast(&z, &real, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_assign(&x, &real, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_fill(ddr_number_complex(1, 0), &real, 1), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_transform_clip(&x, ddr_number_int(2), one, &out, 1), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_transform_clip(&real, ddr_number_real((double)NAN), one, &real, 1),
           DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_transform_clip_above(&x, ddr_number_int(-1), &out, 1), DDR_ARRAY_ERANGE);
  const ddr_operand both[2] = {ddr_operand_view(&x), ddr_operand_view(&two)};
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_ADD, 2, both, 1, &made), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_ADD, 1, both, 1, &made), DDR_ARRAY_ELEN);
  CHECK_EQ(ddr_transform_make_cast(&z, DDR_ELEMENT_FLOAT, 1, &made), DDR_ARRAY_ETYPE);
  x.residency = DDR_CUDA;
  CHECK_EQ(ddr_transform_add(&x, &y, &out, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_assign(&y, &x, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_NEG, 1, both, 1, &made), DDR_ARRAY_ERESIDENCY);
  x.residency = DDR_UNIFIED;
  CHECK(made.data == NULL);
  check_elements(&x, "1 2 3");
  check_elements(&out, "7 7 7");
  check_elements(&real, "7 7 7");
  check_elements(&truth, "1 0 1");
  CHECK_EQ(ddr_transform_add(&x, &y, &out, 1), DDR_ARRAY_OK);
  check_elements(&out, "2 2 6");
  x.residency = DDR_HOST;
  ddr_ndview *all[] = {&x, &y, &out, &two, &real, &z, &truth};
  for (int k = 0; k < 7; k++) ddr_ndview_release(all[k]);
}

int main(void) {
  RUN(masked_assignment);
  RUN(masked_assignment_of_itself);
  RUN(masked_assignment_of_much_of_itself);
  RUN(errors_of_masks);
  RUN(overlaps);
  RUN(parts_of_complex_numbers);
  RUN(floats_among_complex_numbers);
  RUN(numbers_on_either_side);
  RUN(fresh_arrays_begin_at_their_own);
  RUN(errors);
  return test_result();
}
