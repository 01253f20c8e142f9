/* Reductions against tables of known results, in several memory layouts, on several threads. */
#include "tests/unit/reduce/tables.h"

static ddr_number want_from_text(ddr_element type, const char *text) {
  char *end;
  const ddr_number want = number_from_text(type, text + (text[0] == '~'), &end);
  CHECK(*end == '\0');
  return want;
}

/* NaN in the table is the one without sign and payload. */
static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool is_wanted(ddr_number found, ddr_number want, bool is_near) {
  if (found.type != want.type || found.integer != want.integer) return false;
  const bool is_float = want.type == DDR_ELEMENT_FLOAT || want.type == DDR_ELEMENT_CFLOAT;
  const double unit = is_near ? (is_float ? 0x1p-23 : 0x1p-52) : 0;
  if (is_near)
    return fabs(found.re - want.re) <= unit * fabs(want.re) &&
           fabs(found.im - want.im) <= unit * fabs(want.im);
  return same_bits(found.re, want.re) && same_bits(found.im, want.im);
}

static void check_row(const Vector *v, ReductionRow *row) {
  const ddr_number want = want_from_text(element_from_text(v->field[6]), v->field[7]);
  for (int n_threads = 0; n_threads <= 5; n_threads += 2) {
    const ddr_ndview *const arrays[2] = {&row->arrays[0], &row->arrays[1]};
    const ddr_reduce_options options = {.n_threads = n_threads,
                                        .mask = row->has_mask ? &row->mask : NULL};
    ddr_number found = {.type = DDR_ELEMENT_COUNT};
    CHECK_EQ(ddr_reduce(row->op, arrays, &options, &found), DDR_ARRAY_OK);
    if (!CHECK(is_wanted(found, want, v->field[7][0] == '~'))) print_number(found);
  }
}

static void small_arrays(void) { each_reduction(check_row); }

static void check_sum(const SumRow *row) {
  for (int s = 0; s<N_LAYOUTS; s += row->n> 100000 ? 2 : 1) {
    ddr_ndview x = sum_elements(row, line_strides[s]);
    for (int n_threads = 1; n_threads <= 5; n_threads += 2) {
      for (int is_compensated = 0; is_compensated <= 1; is_compensated++) {
        const ddr_reduce_options options = {.n_threads = n_threads,
                                            .is_compensated = is_compensated};
        ddr_number found;
        CHECK_EQ(ddr_reduce_sum(&x, &options, &found), DDR_ARRAY_OK);
        if (!CHECK(same_bits(found.re, row->wanted[is_compensated]))) print_number(found);
      }
    }
    ddr_ndview_release(&x);
  }
}

static void sums(void) { each_sum(check_sum); }

int main(void) {
  RUN(small_arrays);
  RUN(sums);
  return test_result();
}
