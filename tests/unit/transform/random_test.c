/* Transforms of random arrays: each element equals the transform of its operands alone, whatever
 * the strides, the number of threads and the output; real arithmetic against C's. */
#include <stdlib.h>

#include "runtime/transform/transform.h"
#include "tests/unit/random_view.h"

/* --- arithmetic ------------------------------------------------------------------------------- */

typedef struct {
  ddr_transform transform;
  double (*in_double)(double x, double y);
  float (*in_float)(float x, float y);
} Arithmetic;

#define OPERATION(name, op)                                                                        \
  static double name##_double(double x, double y) { return x op y; }                               \
  static float name##_float(float x, float y) { return x op y; }
OPERATION(add, +)
OPERATION(sub, -)
OPERATION(mul, *)
OPERATION(div, /)

static const Arithmetic arithmetic[] = {{DDR_TRANSFORM_ADD, add_double, add_float},
                                        {DDR_TRANSFORM_SUB, sub_double, sub_float},
                                        {DDR_TRANSFORM_MUL, mul_double, mul_float},
                                        {DDR_TRANSFORM_DIV, div_double, div_float}};

static bool same_real(double a, double b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_number(ddr_number a, ddr_number b) {
  return a.type == b.type && a.integer == b.integer && same_real(a.re, b.re) &&
         same_real(a.im, b.im);
}

static void real_arithmetic(void) {
  for (int round = 0; round < (int)test_rounds(100); round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const int64_t n = size_of_shape(rank, len);
    const ddr_element type = round % 2 == 0 ? DDR_ELEMENT_FLOAT : DDR_ELEMENT_DOUBLE;
    ddr_ndview x = random_view(type, rank, len), y = random_view(type, rank, len);
    const ddr_operand operands[2] = {ddr_operand_view(&x), ddr_operand_view(&y)};
    for (int k = 0; k < 4; k++) {
      ddr_ndview made;
      CHECK_EQ(ddr_transform_make(arithmetic[k].transform, 2, operands, 1 + round % 5, &made),
               DDR_ARRAY_OK);
      for (int64_t p = 0; p < n; p++) {
        const double a = number_at(&x, p).re, b = number_at(&y, p).re;
        const double want = type == DDR_ELEMENT_DOUBLE
                                ? arithmetic[k].in_double(a, b)
                                : (double)arithmetic[k].in_float((float)a, (float)b);
        CHECK(same_real(number_at(&made, p).re, want));
      }
      ddr_ndview_release(&made);
    }
    ddr_ndview_release(&x);
    ddr_ndview_release(&y);
  }
}

/* --- any form, element by element ------------------------------------------------------------- */

typedef struct {
  const ddr_transform_form *form;
  int n_views, n_numbers, rank;
  int64_t len[DDR_MAX_RANK], n;
  ddr_ndview views[2];
  ddr_number numbers[2];
} Case;

/* Makes divisors of ints nonzero, and sorts bounds. */
static void make_sensible(Case *work) {
  if (work->form->transform == DDR_TRANSFORM_CLIP) {
    work->numbers[0] = ddr_number_int(work->n_numbers == 1 ? 70 : -3);
    work->numbers[1] = ddr_number_int(70);
    if (ddr_element_kind_of(work->views[0].type) == DDR_KIND_UINT) {
      work->numbers[0] = ddr_number_int(work->n_numbers == 1 ? 70 : 3);
    }
  }
  if (work->form->transform != DDR_TRANSFORM_DIV) return;
  for (int v = 0; v < work->n_views; v++) {
    ddr_ndview *view = &work->views[v];
    if (ddr_element_kind_of(view->type) >= DDR_KIND_REAL) continue;
    for (int64_t p = 0; p < work->n; p++) {
      ddr_number number = number_at(view, p);
      if (number.integer == 0) number.integer = 1;
      ddr_number_store(number, element_at(view, p));
    }
  }
  if (work->numbers[0].integer == 0) work->numbers[0].integer = 1;
}

static Case random_case(const ddr_transform_form *form) {
  Case work = {.form = form, .n_views = ddr_operands_n_views(form->operands)};
  work.n_numbers = ddr_operands_n_numbers(form->operands);
  work.rank = random_shape(work.len);
  work.n = size_of_shape(work.rank, work.len);
  for (int k = 0; k < work.n_views; k++) {
    const ddr_element type = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    work.views[k] = random_view(type, work.rank, work.len);
  }
  for (int k = 0; k < work.n_numbers; k++) {
    work.numbers[k] = chance_number((ddr_element)chance_below(DDR_ELEMENT_COUNT));
  }
  make_sensible(&work);
  return work;
}

static void release(Case *work) {
  for (int k = 0; k < work->n_views; k++) ddr_ndview_release(&work->views[k]);
}

/* The result at one position, from a call for that element alone. */
static ddr_number element_alone(const Case *work, int64_t position) {
  ddr_ndview views[2], made;
  for (int k = 0; k < work->n_views; k++) {
    views[k] = work->views[k];
    views[k].data = element_at(&views[k], position);
    views[k].layout = (ddr_layout){.rank = 0};
  }
  CHECK_EQ(ddr_transform_call(work->form, views, work->numbers, NULL, 0, &made), DDR_ARRAY_OK);
  const ddr_number number = number_at(&made, 0);
  ddr_ndview_release(&made);
  return number;
}

static void check_result(const Case *work, const ddr_number *want, const ddr_ndview *found) {
  for (int64_t p = 0; p < work->n; p++) {
    if (!CHECK(same_number(number_at(found, p), want[p])))
      fprintf(stderr, "  %s of %s\n", work->form->name, ddr_element_name(work->views[0].type));
  }
}

static void check_case(Case *work) {
  ddr_ndview made, out;
  ddr_number *want = malloc((size_t)(work->n + 1) * sizeof *want);
  if (!want) exit(1);
  const ddr_array_status status =
      ddr_transform_call(work->form, work->views, work->numbers, NULL, 3, &made);
  if (status != DDR_ARRAY_OK) { /* not defined for these types */
    CHECK_EQ(status, DDR_ARRAY_ETYPE);
    free(want);
    return;
  }
  for (int64_t p = 0; p < work->n; p++) want[p] = element_alone(work, p);
  check_result(work, want, &made);
  out = random_view(made.type, work->rank, work->len);
  CHECK_EQ(ddr_transform_call(work->form, work->views, work->numbers, &out, 2, NULL), DDR_ARRAY_OK);
  check_result(work, want, &out);
  for (int k = 0; k < work->n_views; k++) { /* in place, over the operand */
    if (work->views[k].type != made.type) continue;
    CHECK_EQ(ddr_transform_call(work->form, work->views, work->numbers, &work->views[k], 5, NULL),
             DDR_ARRAY_OK);
    check_result(work, want, &work->views[k]);
    break;
  }
  ddr_ndview_release(&made);
  ddr_ndview_release(&out);
  free(want);
}

static void strides_make_no_difference(void) {
  int n_forms;
  const ddr_transform_form *forms = ddr_transform_forms(&n_forms);
  for (int round = 0; round < 25; round++) {
    for (int k = 0; k < n_forms; k++) {
      if (ddr_operands_are_in_place(forms[k].operands) ||
          forms[k].transform == DDR_TRANSFORM_FILL) {
        continue;
      }
      Case work = random_case(&forms[k]);
      check_case(&work);
      release(&work);
    }
  }
}

/* --- large arrays ----------------------------------------------------------------------------- */

static void threads_make_no_difference(void) {
  const int64_t len[] = {5, 40001};
  ddr_ndview x = random_view(DDR_ELEMENT_FLOAT, 2, len), made[6];
  const ddr_operand operands[4] = {ddr_operand_number(ddr_number_real(3)), ddr_operand_view(&x),
                                   ddr_operand_number(ddr_number_real(-0.5)), ddr_operand_view(&x)};
  for (int n_threads = 1; n_threads <= 5; n_threads++) {
    CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_LINCOMB, 4, operands, n_threads, &made[n_threads]),
             DDR_ARRAY_OK);
  }
  for (int64_t p = 0; p < 5 * 40001; p++) {
    const double a = number_at(&x, p).re, want = 3 * a + -0.5 * a;
    for (int k = 1; k <= 5; k++) CHECK(same_real(number_at(&made[k], p).re, want));
  }
  for (int k = 1; k <= 5; k++) ddr_ndview_release(&made[k]);
  ddr_ndview_release(&x);
}

/* --- casts ------------------------------------------------------------------------------------ */

/* Against the conversions of the language, for values that C can convert. */
static void casts(void) {
  for (int round = 0; round < (int)test_rounds(20000); round++) {
    const ddr_element from = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    const ddr_element to = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    const ddr_element_kind from_kind = ddr_element_kind_of(from), kind = ddr_element_kind_of(to);
    const ddr_number x = chance_number(from);
    ddr_number found = {.type = DDR_ELEMENT_COUNT}, want = {.type = to};
    const ddr_array_status status = ddr_number_cast(x, to, &found);
    if (from_kind == DDR_KIND_COMPLEX && kind != DDR_KIND_COMPLEX && kind != DDR_KIND_BOOL) {
      CHECK_EQ(status, DDR_ARRAY_ETYPE);
      continue;
    }
    CHECK_EQ(status, DDR_ARRAY_OK);
    const bool is_whole = from_kind < DDR_KIND_REAL;
    const int bits = 8 * (int)ddr_element_size(to);
    double value = from == DDR_ELEMENT_UINT64 ? (double)(uint64_t)x.integer : (double)x.integer;
    if (!is_whole) value = x.re;
    if (kind == DDR_KIND_BOOL) want.integer = x.re != 0 || x.im != 0 || x.integer != 0;
    if (kind == DDR_KIND_INT || kind == DDR_KIND_UINT) {
      const bool is_signed = kind == DDR_KIND_INT;
      const uint64_t low = (uint64_t)x.integer << (64 - bits);
      want.integer = is_signed ? (int64_t)low >> (64 - bits) : (int64_t)(low >> (64 - bits));
      const double most = ldexp(1, is_signed ? bits - 1 : bits), least = is_signed ? -most : 0;
      if (!is_whole && value >= most)
        want.integer = (int64_t)(UINT64_MAX >> (is_signed ? 65 - bits : 64 - bits));
      else if (!is_whole && value <= least)
        want.integer = is_signed ? -(int64_t)(UINT64_MAX >> (65 - bits)) - 1 : 0;
      else if (!is_whole) want.integer = value == value ? (int64_t)value : 0;
    }
    if (kind >= DDR_KIND_REAL) {
      const bool is_single = to == DDR_ELEMENT_FLOAT || to == DDR_ELEMENT_CFLOAT;
      want.re = is_single ? as_float(value) : value;
      if (is_single && is_whole)
        want.re =
            (double)(from == DDR_ELEMENT_UINT64 ? (float)(uint64_t)x.integer : (float)x.integer);
      if (kind == DDR_KIND_COMPLEX) want.im = is_single ? as_float(x.im) : x.im;
    }
    CHECK(same_number(found, want));
  }
}

int main(void) {
  RUN(real_arithmetic);
  RUN(strides_make_no_difference);
  RUN(threads_make_no_difference);
  RUN(casts);
  return test_result();
}
