/* Transforms against a table of known results: operands and outputs in several memory layouts, into
 * existing memory, into new arrays, in place, on one to three threads. */
#include "tests/unit/transform/tables.h"

typedef struct {
  TransformRow given;
  ddr_ndview want;
} Row;

static double ulp_of(double x, bool is_float) {
  if (is_float) return (double)(nextafterf(fabsf((float)x), INFINITY) - fabsf((float)x));
  return nextafter(fabs(x), (double)INFINITY) - fabs(x);
}

static bool is_near(double found, double want, double n_ulp, bool is_float) {
  if (same_real(found, want)) return true;
  const double unit = ulp_of(fmax(fabs(want), n_ulp > 0 ? 1e-16 : 0), is_float);
  return fabs(found - want) <= n_ulp * unit;
}

static bool is_wanted(const Row *row, const ddr_ndview *found) {
  const ddr_element type = row->want.type;
  const bool is_float = type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT;
  if (!CHECK_EQ(found->type, type)) return false;
  if (!CHECK(ddr_layout_same_shape(&found->layout, &row->want.layout))) return false;
  for (int64_t k = 0; k < row->want.layout.len[0]; k++) {
    const ddr_number got = ddr_number_load(type, line_at(found, k));
    const ddr_number want = ddr_number_load(type, line_at(&row->want, k));
    const bool is_good = got.integer == want.integer &&
                         is_near(got.re, want.re, row->given.n_ulp, is_float) &&
                         is_near(got.im, want.im, row->given.n_ulp, is_float);
    if (!CHECK(is_good)) print_number(got);
  }
  return true;
}

static Row row_from(const Vector *v, int layout) {
  Row row = {.given = transform_row(v, layout)};
  row.want = line_from_text(row.given.type, row.given.want, 1);
  return row;
}

static void release(Row *row) {
  for (int k = 0; k < 2; k++) ddr_ndview_release(&row->given.views[k]);
  ddr_ndview_release(&row->want);
}

static ddr_array_status call(const Row *row, const ddr_ndview *out, int n_threads,
                             ddr_ndview *made) {
  const TransformRow *given = &row->given;
  return ddr_transform_call(given->form, given->views, given->numbers, out, n_threads, made);
}

/* Memory between elements of the output is unchanged. */
static bool gaps_are_untouched(const ddr_ndview *out) {
  const int64_t size = (int64_t)ddr_element_size(out->type), stride = out->layout.stride[0];
  const int64_t step = stride < 0 ? -stride : stride;
  for (int64_t k = 0; k < out->layout.len[0] * step * size; k++) {
    if (k / size % step != 0 && ((const unsigned char *)out->data)[k] != 0x5a) return false;
  }
  return true;
}

static void into_memory(const Row *row, int64_t stride, int n_threads) {
  ddr_ndview out = line_new(row->want.type, row->want.layout.len[0], stride);
  CHECK_EQ(call(row, &out, n_threads, NULL), DDR_ARRAY_OK);
  is_wanted(row, &out);
  CHECK(gaps_are_untouched(&out));
  ddr_ndview_release(&out);
}

/* With negative strides the result may have negative strides, too. */
static void into_fresh(const Row *row) {
  ddr_ndview made;
  if (row->given.form->transform == DDR_TRANSFORM_FILL) return;
  if (row->given.form->transform == DDR_TRANSFORM_CAST)
    CHECK_EQ(ddr_transform_make_cast(&row->given.views[0], row->want.type, 1, &made), DDR_ARRAY_OK);
  else CHECK_EQ(call(row, NULL, 1, &made), DDR_ARRAY_OK);
  is_wanted(row, &made);
  ddr_ndview_release(&made);
}

/* In place, over an operand of the type of the result. */
static void over_operand(const Row *row, int k) {
  if (!row->given.views[k].data || row->given.views[k].type != row->want.type) return;
  CHECK_EQ(call(row, &row->given.views[k], 1, NULL), DDR_ARRAY_OK);
  is_wanted(row, &row->given.views[k]);
}

static void check_row(const Vector *v, int layout) {
  Row row = row_from(v, layout);
  if (ddr_operands_are_in_place(row.given.form->operands)) {
    over_operand(&row, 0);
    release(&row);
    return;
  }
  for (int n_threads = 1; n_threads <= 3; n_threads++)
    into_memory(&row, line_strides[(layout + n_threads) % 4], n_threads);
  into_fresh(&row);
  over_operand(&row, 1);
  release(&row);
  row = row_from(v, layout);
  over_operand(&row, 0);
  release(&row);
}

static void known_results(void) { each_transform(check_row); }

/* Every form has a row in the table. */
static void all_forms(void) {
  int n_forms;
  const ddr_transform_form *forms = ddr_transform_forms(&n_forms);
  CHECK(n_forms > 50);
  for (int k = 0; k < n_forms; k++) CHECK(ddr_transform_find(forms[k].name) == &forms[k]);
  CHECK(ddr_transform_find("subtract") == NULL);
}

int main(void) {
  RUN(known_results);
  RUN(all_forms);
  return test_result();
}
