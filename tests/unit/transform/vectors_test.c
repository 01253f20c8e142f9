/* Transforms against a table of known results: operands and outputs laid out in several ways, into
 * memory that is there, into fresh arrays, in place, on one to three threads. */
#include "runtime/transform/transform.h"
#include "tests/unit/array_text.h"

static const int64_t strides[] = {1, -1, 3, -2};

typedef struct {
  const ddr_transform_form *form;
  ddr_ndview views[2];
  ddr_number numbers[2];
  ddr_ndview want;
  double n_ulp; /* 0: the same value */
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
                         is_near(got.re, want.re, row->n_ulp, is_float) &&
                         is_near(got.im, want.im, row->n_ulp, is_float);
    if (!CHECK(is_good)) print_number(got);
  }
  return true;
}

/* "type value type value"; blanks of the type's name as _. */
static void numbers_from_text(const char *text, ddr_number *numbers) {
  char type[40];
  int n_read;
  for (int k = 0; k < 2 && sscanf(text, "%39s %n", type, &n_read) == 1; k++) {
    char *end, *blank = strchr(type, '_');
    if (blank) *blank = ' ';
    numbers[k] = number_from_text(element_from_text(type), text + n_read, &end);
    text = end;
  }
}

static Row row_from(const Vector *v, int s) {
  Row row = {.form = ddr_transform_find(v->field[1]), .n_ulp = 0};
  const char *want = v->field[8];
  if (want[0] == '~') {
    row.n_ulp = want[1] - '0';
    want += 2;
  }
  for (int k = 0; k < 2; k++) {
    if (v->field[2 + 2 * k][0] == '\0') continue;
    const ddr_element type = element_from_text(v->field[2 + 2 * k]);
    row.views[k] = line_from_text(type, v->field[3 + 2 * k], strides[(s + k) % 4]);
  }
  numbers_from_text(v->field[6], row.numbers);
  row.want = line_from_text(element_from_text(v->field[7]), want, 1);
  return row;
}

static void release(Row *row) {
  for (int k = 0; k < 2; k++) ddr_ndview_release(&row->views[k]);
  ddr_ndview_release(&row->want);
}

static ddr_array_status call(const Row *row, const ddr_ndview *out, int n_threads,
                             ddr_ndview *made) {
  return ddr_transform_call(row->form, row->views, row->numbers, out, n_threads, made);
}

/* Elements between those of the output keep what they had. */
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

/* Of a negative stride the result may be laid out so, too. */
static void into_fresh(const Row *row) {
  ddr_ndview made;
  if (row->form->transform == DDR_TRANSFORM_FILL) return;
  if (row->form->transform == DDR_TRANSFORM_CAST)
    CHECK_EQ(ddr_transform_make_cast(&row->views[0], row->want.type, 1, &made), DDR_ARRAY_OK);
  else CHECK_EQ(call(row, NULL, 1, &made), DDR_ARRAY_OK);
  is_wanted(row, &made);
  ddr_ndview_release(&made);
}

/* Over an operand of the type of the result. */
static void over_operand(const Row *row, int k) {
  if (!row->views[k].data || row->views[k].type != row->want.type) return;
  CHECK_EQ(call(row, &row->views[k], 1, NULL), DDR_ARRAY_OK);
  is_wanted(row, &row->views[k]);
}

static void check_row(const Vector *v) {
  if (!CHECK_EQ(v->n_fields, 9) || !CHECK(ddr_transform_find(v->field[1]))) return;
  for (int s = 0; s < 4; s++) {
    Row row = row_from(v, s);
    if (ddr_operands_are_in_place(row.form->operands)) {
      over_operand(&row, 0);
      release(&row);
      continue;
    }
    for (int n_threads = 1; n_threads <= 3; n_threads++)
      into_memory(&row, strides[(s + n_threads) % 4], n_threads);
    into_fresh(&row);
    over_operand(&row, 1);
    release(&row);
    row = row_from(v, s);
    over_operand(&row, 0);
    release(&row);
  }
}

static void known_results(void) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/transform/transforms.txt");
  for (; vectors_next(file, &v); n_rows++) check_row(&v);
  vectors_close(file);
  CHECK(n_rows > 130);
}

/* Every form has a row there. */
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
