/* Reductions of random arrays against their definitions: every type, every reduction, bit by bit,
 * on one to five threads, with masks, along axes; sums against sums in long double. */
#include "tests/unit/reduce/naive.h"

enum {
  MOST = 300000,
#if defined(DDR_SMALL_SIZES)
  MANY = 9000
#else
  MANY = 70000
#endif
  /* enough elements for several threads */
};

static ddr_number x_numbers[MOST], y_numbers[MOST];

static bool same_bits(ddr_number a, ddr_number b) {
  const bool is_same = a.type == b.type && a.integer == b.integer &&
                       (memcmp(&a.re, &b.re, sizeof a.re) == 0 || (a.re != a.re && b.re != b.re)) &&
                       (memcmp(&a.im, &b.im, sizeof a.im) == 0 || (a.im != a.im && b.im != b.im));
  const double nan = (double)NAN; /* without sign and payload */
  return is_same && (a.re == a.re || memcmp(&a.re, &nan, sizeof nan) == 0);
}

static ddr_element random_type(void) { return (ddr_element)chance_below(DDR_ELEMENT_COUNT); }

/* The selected elements, in order; without a mask, all. */
static int64_t list(const ddr_ndview *view, const ddr_ndview *mask, ddr_element type,
                    ddr_number *numbers) {
  const int64_t n = size_of_shape(view->layout.rank, view->layout.len);
  int64_t n_listed = 0;
  for (int64_t k = 0; k < n; k++) {
    if (mask && !*(const bool *)element_at(mask, k)) continue;
    CHECK_EQ(ddr_number_cast(number_at(view, k), type, &numbers[n_listed++]), DDR_ARRAY_OK);
  }
  return n_listed;
}

static ddr_number none_of(ddr_reduce_op op, ddr_element type) {
  ddr_number none = {.type = type, .integer = op == DDR_REDUCE_ALL};
  if (op == DDR_REDUCE_MEAN || op == DDR_REDUCE_VARIANCE) none.re = (double)NAN;
  return none;
}

static ddr_number by_definition(ddr_reduce_op op, const ddr_ndview *x, const ddr_ndview *y,
                                const ddr_reduce_options *options, ddr_element type) {
  const bool has_two = ddr_reduce_about(op).n_arrays == 2;
  NaiveInput in = {.x = x_numbers, .y = has_two ? y_numbers : x_numbers};
  in.type = has_two ? ddr_element_promote(x->type, y->type) : x->type;
  in.tolerance = op == DDR_REDUCE_L0 ? options->tolerance : 0;
  in.n = list(x, options->mask, in.type, x_numbers);
  if (has_two) list(y, options->mask, in.type, y_numbers);
  return in.n == 0 ? none_of(op, type) : naive_reduction(op, &in, type);
}

static void explain(ddr_reduce_op op, ddr_number found, ddr_number want, const ddr_ndview *x) {
  fprintf(stderr, "  %s of %s: %lld %a %a, not %lld %a %a\n", ddr_reduce_about(op).name,
          ddr_element_name(x->type), (long long)found.integer, found.re, found.im,
          (long long)want.integer, want.re, want.im);
}

static void check_arrays(const ddr_ndview *x, const ddr_ndview *y, ddr_reduce_options *options) {
  const ddr_ndview *const arrays[2] = {x, y};
  for (int op = 0; op < DDR_N_REDUCTIONS; op++) {
    const bool has_two = ddr_reduce_about((ddr_reduce_op)op).n_arrays == 2;
    const ddr_element met = has_two ? ddr_element_promote(x->type, y->type) : x->type;
    ddr_element type;
    ddr_number found = {.type = DDR_ELEMENT_COUNT};
    options->n_threads = (int)chance_below(6);
    if (ddr_reduce_type((ddr_reduce_op)op, met, &type) != DDR_ARRAY_OK) {
      CHECK_EQ(ddr_reduce((ddr_reduce_op)op, arrays, options, &found), DDR_ARRAY_ETYPE);
      continue;
    }
    const ddr_number want = by_definition((ddr_reduce_op)op, x, y, options, type);
    CHECK_EQ(ddr_reduce((ddr_reduce_op)op, arrays, options, &found), DDR_ARRAY_OK);
    if (!CHECK(same_bits(found, want))) explain((ddr_reduce_op)op, found, want, x);
  }
}

/* With a mask and without; releases the views. */
static void check_masked(ddr_ndview x, ddr_ndview y, double tolerance) {
  ddr_ndview mask = random_view(DDR_ELEMENT_BOOL, x.layout.rank, x.layout.len);
  ddr_reduce_options options = {.tolerance = tolerance};
  check_arrays(&x, &y, &options);
  options.mask = &mask;
  check_arrays(&x, &y, &options);
  ddr_ndview_release(&x);
  ddr_ndview_release(&y);
  ddr_ndview_release(&mask);
}

static void small_arrays(void) {
  for (int round = 0; round < (int)test_rounds(250); round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const ddr_ndview x = random_view(random_type(), rank, len);
    check_masked(x, random_view(random_type(), rank, len), round % 3 == 0 ? 1 : 0);
  }
}

static void large_arrays(void) {
  for (int type = 0; type < DDR_ELEMENT_COUNT; type++) {
    const int64_t len[] = {2, MANY / 2};
    const ddr_ndview x = random_view((ddr_element)type, 2, len);
    check_masked(x, random_view((ddr_element)type, 2, len), 0);
  }
}

/* Including compensated ones. */
static void threads_change_no_bit(void) {
  const int64_t len[] = {2, MANY};
  for (int type = DDR_ELEMENT_FLOAT; type < DDR_ELEMENT_COUNT; type++) {
    ddr_ndview x = random_view((ddr_element)type, 2, len),
               y = random_view((ddr_element)type, 2, len);
    const ddr_ndview *const arrays[2] = {&x, &y};
    for (int op = 0; op < DDR_N_REDUCTIONS; op++) {
      ddr_element result_type;
      if (ddr_reduce_type((ddr_reduce_op)op, x.type, &result_type) != DDR_ARRAY_OK) continue;
      ddr_number found[6];
      for (int n_threads = 1; n_threads <= 5; n_threads++) {
        const ddr_reduce_options options = {.n_threads = n_threads, .is_compensated = true};
        CHECK_EQ(ddr_reduce((ddr_reduce_op)op, arrays, &options, &found[n_threads]), DDR_ARRAY_OK);
        CHECK(same_bits(found[n_threads], found[1]));
      }
    }
    ddr_ndview_release(&x);
    ddr_ndview_release(&y);
  }
}

/* --- accuracy --------------------------------------------------------------------------------- */

/* |s - exact| <= d u sum |x|, where d is the height of the tree; compensated: about one
 * rounding. */
static void check_accuracy(int64_t n, bool cancels) {
  ddr_ndview x = random_view(DDR_ELEMENT_DOUBLE, 1, &n), y = random_view(DDR_ELEMENT_DOUBLE, 1, &n);
  long double sum = 0, size = 0, dot = 0, dot_size = 0;
  for (int64_t k = 0; k < n; k++) {
    double *a = (double *)(void *)element_at(&x, k), *b = (double *)(void *)element_at(&y, k);
    *a = chance_real() * (cancels ? 1e6 : 1);
    *b = chance_real();
    if (cancels && k > n / 2)
      *a = -*(double *)(void *)element_at(&x, n - 1 - k) + chance_real() * 1e-9;
    sum += (long double)*a;
    size += fabsl((long double)*a);
    dot += (long double)*a * (long double)*b;
    dot_size += fabsl((long double)*a * (long double)*b);
  }
  const double rows = ceil((double)n / 32), blocks = ceil((double)n / 1024);
  const double height = fmin(32, rows) - 1 + 5 + ceil(log2(blocks)), u = 0x1p-53;
  const long double slack = (long double)n * 0x1p-64L * size; /* error of the sum in long double */
  ddr_number found;
  ddr_reduce_options options = {.n_threads = 3};
  CHECK_EQ(ddr_reduce_sum(&x, &options, &found), DDR_ARRAY_OK);
  CHECK(fabsl((long double)found.re - sum) <= (long double)(height * u) * size + slack);
  CHECK_EQ(ddr_reduce_dot(&x, &y, &options, &found), DDR_ARRAY_OK);
  CHECK(fabsl((long double)found.re - dot) <= (long double)((height + 1) * u) * dot_size + slack);
  options.is_compensated = true;
  CHECK_EQ(ddr_reduce_sum(&x, &options, &found), DDR_ARRAY_OK);
  CHECK(fabsl((long double)found.re - sum) <=
        (long double)u * fabsl(sum) + (long double)(height * height * u * u) * size + slack);
  CHECK_EQ(ddr_reduce_dot(&x, &y, &options, &found), DDR_ARRAY_OK);
  CHECK(fabsl((long double)found.re - dot) <=
        (long double)u * fabsl(dot) + (long double)(height * height * u * u) * dot_size + slack);
  ddr_ndview_release(&x);
  ddr_ndview_release(&y);
}

static void sums_are_accurate(void) {
  for (int64_t n = 1; n < 200000; n = n * 3 + 1) {
    check_accuracy(n, false);
    check_accuracy(n, true);
  }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Each result is that of its line alone. */
static void check_axis(ddr_reduce_op op, const ddr_ndview *x, const ddr_ndview *y, int axis,
                       const ddr_reduce_options *options) {
  const ddr_ndview *const arrays[2] = {x, y};
  ddr_ndview found, lines[3];
  CHECK_EQ(ddr_reduce_axis(op, arrays, axis, options, &found), DDR_ARRAY_OK);
  CHECK_EQ(found.layout.rank, x->layout.rank - 1);
  const int64_t n = size_of_shape(found.layout.rank, found.layout.len);
  for (int64_t p = 0; p < n; p++) {
    ddr_layout rest = {.rank = found.layout.rank};
    for (int k = 0; k < rest.rank; k++) rest.len[k] = found.layout.len[k];
    const ddr_ndview *from[3] = {x, y, options->mask};
    for (int v = 0; v < 3; v++) {
      if (!from[v]) continue;
      lines[v] = *from[v];
      int64_t position = p;
      ddr_layout *line = &lines[v].layout;
      for (int k = line->rank - 1; k >= 0; k--) {
        if (k == axis) continue;
        line->offset += position % line->len[k] * line->stride[k];
        position /= line->len[k];
      }
      line->len[0] = line->len[axis];
      line->stride[0] = line->stride[axis];
      line->rank = 1;
    }
    ddr_reduce_options inner = *options;
    if (options->mask) inner.mask = &lines[2];
    const ddr_number want = by_definition(op, &lines[0], &lines[1], &inner, found.type);
    if (!CHECK(same_bits(number_at(&found, p), want))) explain(op, number_at(&found, p), want, x);
  }
  ddr_ndview_release(&found);
}

static void along_axes(void) {
  for (int round = 0; round < (int)test_rounds(250); round++) {
    int64_t len[4];
    const bool has_long_rows = round % 40 == 20;
    const int rank = has_long_rows ? 2 : 1 + (int)chance_below(4);
    for (int k = 0; k < rank; k++) len[k] = chance_below(12);
    if (round % 40 == 0) len[0] = 1100;
    if (has_long_rows) len[1] = 9100;
    ddr_ndview x = random_view(random_type(), rank, len), y = random_view(random_type(), rank, len);
    ddr_ndview mask = random_view(DDR_ELEMENT_BOOL, rank, len);
    const ddr_reduce_options options = {.n_threads = (int)chance_below(6),
                                        .mask = round % 2 == 0 ? &mask : NULL};
    const ddr_reduce_op op = (ddr_reduce_op)chance_below(DDR_N_REDUCTIONS);
    const bool has_two = ddr_reduce_about(op).n_arrays == 2;
    ddr_element type;
    if (ddr_reduce_type(op, has_two ? ddr_element_promote(x.type, y.type) : x.type, &type) ==
        DDR_ARRAY_OK)
      check_axis(op, &x, &y, (int)chance_below(rank), &options);
    ddr_ndview_release(&x);
    ddr_ndview_release(&y);
    ddr_ndview_release(&mask);
  }
}

/* --- errors ----------------------------------------------------------------------------------- */

static void errors(void) {
  const int64_t six[] = {2, 3}, also_six[] = {6}, seven[] = {7};
  ddr_ndview x = random_view(DDR_ELEMENT_DOUBLE, 2, six),
             y = random_view(DDR_ELEMENT_DOUBLE, 1, seven);
  ddr_ndview z = random_view(DDR_ELEMENT_CFLOAT, 1, also_six),
             mask = random_view(DDR_ELEMENT_BOOL, 1, also_six);
  ddr_number result = ddr_number_int(77);
  ddr_ndview made = {.data = NULL};
  ddr_reduce_options options = {.mask = &mask};
  CHECK_EQ(ddr_reduce_dot(&x, &y, NULL, &result), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_reduce_sum(&x, &options, &result), DDR_ARRAY_ESHAPE); /* a mask of another shape */
  options.mask = &x;
  CHECK_EQ(ddr_reduce_sum(&x, &options, &result), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_reduce_all(&x, NULL, &result), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_reduce_variance(&z, NULL, &result), DDR_ARRAY_ETYPE);
  options = (ddr_reduce_options){.tolerance = -1};
  CHECK_EQ(ddr_reduce_l0(&x, &options, &result), DDR_ARRAY_ERANGE);
  options.tolerance = (double)NAN;
  CHECK_EQ(ddr_reduce_l0(&x, &options, &result), DDR_ARRAY_ERANGE);
  x.residency = DDR_CUDA;
  CHECK_EQ(ddr_reduce_sum(&x, NULL, &result), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_reduce_dot(&z, &x, NULL, &result), DDR_ARRAY_ERESIDENCY);
  x.residency = DDR_UNIFIED;
  CHECK_EQ(result.integer, 77);
  CHECK_EQ(ddr_reduce_dot(&x, &z, NULL, &result), DDR_ARRAY_OK); /* both have six elements */
  const ddr_ndview *const both[2] = {&x, &z};
  CHECK_EQ(ddr_reduce_axis(DDR_REDUCE_DOT, both, 0, NULL, &made), DDR_ARRAY_ESHAPE);
  CHECK_EQ(ddr_reduce_axis(DDR_REDUCE_SUM, both, 2, NULL, &made), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_reduce_axis(DDR_REDUCE_SUM, both, -1, NULL, &made), DDR_ARRAY_EDIM);
  x.residency = DDR_HOST;
  const int all_axes[] = {0, 1}; /* merged, the mask has the shape of x */
  options = (ddr_reduce_options){.mask = &mask};
  CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_SUM, both, 2, all_axes, &options, &made), DDR_ARRAY_ESHAPE);
  mask.layout = (ddr_layout){.rank = 2, .len = {3, 2}, .stride = {2, 1}};
  CHECK_EQ(ddr_reduce_axes(DDR_REDUCE_SUM, both, 2, all_axes, &options, &made), DDR_ARRAY_ESHAPE);
  CHECK(made.data == NULL);
  ddr_ndview_release(&x);
  ddr_ndview_release(&y);
  ddr_ndview_release(&z);
  ddr_ndview_release(&mask);
}

int main(void) {
  RUN(small_arrays);
  RUN(large_arrays);
  RUN(threads_change_no_bit);
  RUN(sums_are_accurate);
  RUN(along_axes);
  RUN(errors);
  return test_result();
}
