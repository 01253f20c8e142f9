/* Transforms on a device against the host, bit for bit: the table of known results, every form on
 * random arrays, masks; and the memory of results. */
#include "tests/unit/cuda/device_view.h"
#include "tests/unit/transform/tables.h"

typedef struct {
  const ddr_transform_form *form;
  ddr_ndview views[2];
  ddr_number numbers[2];
} Work;

static void release(Work *work) {
  for (int k = 0; k < 2; k++) ddr_ndview_release(&work->views[k]);
}

static Work copy_of(const Work *work, ddr_residency residency) {
  Work copy = *work;
  for (int k = 0; k < 2; k++) {
    if (work->views[k].data) copy.views[k] = copy_in(&work->views[k], residency);
  }
  return copy;
}

static ddr_array_status call(const Work *work, const ddr_ndview *out, ddr_ndview *made) {
  return ddr_transform_call(work->form, work->views, work->numbers, out, 1, made);
}

static void check(const Work *work, const ddr_ndview *found, const ddr_ndview *want) {
  if (!CHECK(same_elements(found, want)))
    fprintf(stderr, "  %s of %s\n", work->form->name, ddr_element_name(work->views[0].type));
}

/* --- one transform in all ways ---------------------------------------------------------------- */

/* Into existing memory: on host and device, over the same old elements. */
static void into_memory(const Work *here, const Work *there, const ddr_ndview *out) {
  ddr_ndview out_there = copy_in(out, DDR_CUDA);
  const ddr_array_status want = call(here, out, NULL);
  CHECK_EQ(call(there, &out_there, NULL), want);
  check(there, &out_there, out);
  if (want != DDR_ARRAY_OK) CHECK(same_bytes(&out_there, out));
  ddr_ndview_release(&out_there);
}

static void into_fresh(const Work *here, const Work *there, ddr_residency residency) {
  ddr_ndview want = {.data = NULL}, made = {.data = NULL};
  if (here->form->transform == DDR_TRANSFORM_FILL) return;
  const ddr_array_status status = call(here, NULL, &want);
  CHECK_EQ(call(there, NULL, &made), status);
  if (status == DDR_ARRAY_OK) {
    CHECK_EQ(made.residency, residency);
    check(there, &made, &want);
  }
  ddr_ndview_release(&want);
  ddr_ndview_release(&made);
}

static void in_place(const Work *here, const Work *there, int k) {
  const bool has_array = ddr_operands_n_views(here->form->operands) > k;
  if (!has_array) return;
  const ddr_array_status want = call(here, &here->views[k], NULL);
  CHECK_EQ(call(there, &there->views[k], NULL), want);
  check(there, &there->views[k], &here->views[k]);
}

static void check_work(Work *here, const ddr_ndview *out) {
  Work there = copy_of(here, DDR_CUDA);
  if (ddr_operands_are_in_place(here->form->operands)) {
    in_place(here, &there, 0);
  } else {
    if (out) into_memory(here, &there, out);
    into_fresh(here, &there, DDR_CUDA);
    in_place(here, &there, 1);
    in_place(here, &there, 0);
  }
  release(&there);
}

/* --- the table -------------------------------------------------------------------------------- */

static void check_row(const Vector *v, int layout) {
  const TransformRow row = transform_row(v, layout);
  Work work = {row.form, {row.views[0], row.views[1]}, {row.numbers[0], row.numbers[1]}};
  const int64_t n = elements_from_text(row.type, row.want, NULL);
  ddr_ndview out = line_new(row.type, n, line_strides[(layout + 2) % 4]);
  check_work(&work, &out);
  ddr_ndview_release(&out);
  release(&work);
}

static void known_results(void) { each_transform(check_row); }

/* --- random arrays ---------------------------------------------------------------------------- */

static Work random_work(const ddr_transform_form *form, int rank, const int64_t *len) {
  Work work = {.form = form};
  for (int k = 0; k < ddr_operands_n_views(form->operands); k++) {
    const ddr_element any = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    const bool is_same = k > 0 && chance_below(2) == 0;
    work.views[k] = random_view(is_same ? work.views[0].type : any, rank, len);
  }
  for (int k = 0; k < ddr_operands_n_numbers(form->operands); k++)
    work.numbers[k] = chance_number((ddr_element)chance_below(DDR_ELEMENT_COUNT));
  return work;
}

static void forms_of_random_arrays(void) {
  int n_forms;
  const ddr_transform_form *forms = ddr_transform_forms(&n_forms);
  for (int round = 0; round < 12; round++) {
    for (int k = 0; k < n_forms; k++) {
      int64_t len[DDR_MAX_RANK];
      const int rank = random_shape(len);
      Work work = random_work(&forms[k], rank, len);
      ddr_ndview out = random_view((ddr_element)chance_below(DDR_ELEMENT_COUNT), rank, len);
      check_work(&work, &out);
      ddr_ndview_release(&out);
      release(&work);
    }
  }
}

/* Around warps and blocks, and more elements than threads. */
static void sizes(void) {
  static const int64_t lens[] = {0, 1, 31, 32, 33, 1023, 1024, 1025, 70000};
  for (size_t k = 0; k < sizeof lens / sizeof *lens; k++) {
    const int64_t transposed[] = {1, lens[k]};
    Work work = {.form = ddr_transform_find("lincomb"),
                 .numbers = {ddr_number_real(0.1), ddr_number_real(-1)}};
    for (int v = 0; v < 2; v++) work.views[v] = random_view(DDR_ELEMENT_FLOAT, 2, transposed);
    check_work(&work, NULL);
    release(&work);
  }
}

/* --- masks ------------------------------------------------------------------------------------ */

static void masks(void) {
  for (int round = 0; round < 60; round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const ddr_element type = (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    ddr_ndview x = random_view(type, rank, len), y = random_view(type, rank, len);
    ddr_ndview mask = random_view(DDR_ELEMENT_BOOL, rank, len);
    ddr_ndview x_there = copy_in(&x, DDR_CUDA), y_there = copy_in(&y, DDR_UNIFIED);
    ddr_ndview mask_there = copy_in(&mask, DDR_UNIFIED);
    if (round % 2 == 0) {
      CHECK_EQ(ddr_masked_assign(&x, &mask, &y), DDR_ARRAY_OK);
      CHECK_EQ(ddr_masked_assign(&x_there, &mask_there, &y_there), DDR_ARRAY_OK);
    } else {
      const ddr_number number = chance_number(type);
      CHECK_EQ(ddr_masked_assign_number(&x, &mask, number), DDR_ARRAY_OK);
      CHECK_EQ(ddr_masked_assign_number(&x_there, &mask_there, number), DDR_ARRAY_OK);
    }
    CHECK(same_bytes(&x, &x_there));
    ddr_ndview *const all[] = {&x, &y, &mask, &x_there, &y_there, &mask_there};
    for (int k = 0; k < 6; k++) ddr_ndview_release(all[k]);
  }
}

static void masks_of_themselves(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT32, "1 2 3 4 5", 1), reversed;
  ddr_ndview mask = line_from_text(DDR_ELEMENT_BOOL, "1 0 1 0 1", 1);
  ddr_ndview want = line_from_text(DDR_ELEMENT_INT32, "5 2 3 4 1", 1);
  ddr_ndview there = copy_in(&x, DDR_CUDA), mask_there = copy_in(&mask, DDR_CUDA);
  CHECK_EQ(ddr_ndview_flip(&there, 0, &reversed), DDR_ARRAY_OK);
  CHECK_EQ(ddr_masked_assign(&there, &mask_there, &reversed), DDR_ARRAY_OK);
  CHECK(same_elements(&there, &want));
  ddr_ndview *const all[] = {&x, &mask, &want, &there, &mask_there, &reversed};
  for (int k = 0; k < 6; k++) ddr_ndview_release(all[k]);
}

/* --- where ------------------------------------------------------------------------------------ */

static void memory_is_not_mixed(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT32, "1 2 3", 1), made = {.data = NULL};
  ddr_ndview mask = line_from_text(DDR_ELEMENT_BOOL, "1 1 0", 1);
  ddr_ndview there = copy_in(&x, DDR_CUDA), both = copy_in(&x, DDR_UNIFIED);
  ddr_ndview mask_there = copy_in(&mask, DDR_CUDA), before = copy_in(&x, DDR_HOST);
  const ddr_operand mixed[2] = {ddr_operand_view(&x), ddr_operand_view(&there)};
  CHECK_EQ(ddr_transform_inplace_add(&x, &there, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_inplace_add(&there, &x, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_neg(&there, &x, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_add(&there, &both, &x, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_ADD, 2, mixed, 1, &made), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_masked_assign_number(&there, &mask, ddr_number_int(9)), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_masked_assign_number(&x, &mask_there, ddr_number_int(9)), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_masked_assign(&there, &mask_there, &x), DDR_ARRAY_ERESIDENCY);
  CHECK(made.data == NULL && same_elements(&x, &before) && same_elements(&there, &before));
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_array_device_use(NULL);
  CHECK_EQ(ddr_transform_inplace_add(&there, &there, 1), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_transform_assign(&there, &x, 1), DDR_ARRAY_ERESIDENCY);
  ddr_array_device_use(device);
  ddr_ndview *const all[] = {&x, &mask, &there, &both, &mask_there, &before};
  for (int k = 0; k < 6; k++) ddr_ndview_release(all[k]);
}

/* Unified memory is used by host and device; results are where they were computed. */
static void memory_of_both_kinds(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT32, "1 2 3", 1), made;
  ddr_ndview both = copy_in(&x, DDR_UNIFIED), there = copy_in(&x, DDR_CUDA);
  const ddr_operand with_host[2] = {ddr_operand_view(&both), ddr_operand_view(&x)};
  const ddr_operand with_device[2] = {ddr_operand_view(&both), ddr_operand_view(&there)};
  const ddr_operand alone[2] = {ddr_operand_view(&both), ddr_operand_view(&both)};
  const struct {
    const ddr_operand *operands;
    ddr_residency residency;
  } rows[] = {{with_host, DDR_HOST}, {with_device, DDR_CUDA}, {alone, DDR_UNIFIED}};
  ddr_ndview want = line_from_text(DDR_ELEMENT_INT32, "2 4 6", 1);
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_ADD, 2, rows[k].operands, 1, &made), DDR_ARRAY_OK);
    CHECK_EQ(made.residency, rows[k].residency);
    CHECK(same_elements(&made, &want));
    /* On the device only if all operands are. */
    CHECK_EQ(ddr_cleanup_is_on_device(both.cleanup), k > 0);
    ddr_ndview_release(&made);
  }
  ddr_ndview *const all[] = {&x, &both, &there, &want};
  for (int k = 0; k < 4; k++) ddr_ndview_release(all[k]);
}

static void divisors_and_bounds(void) {
  ddr_ndview x = line_from_text(DDR_ELEMENT_INT16, "6 7 8", 1);
  ddr_ndview zeros = line_from_text(DDR_ELEMENT_INT16, "1 0 2", -1);
  ddr_ndview x_there = copy_in(&x, DDR_CUDA), zeros_there = copy_in(&zeros, DDR_CUDA);
  const ddr_number zero = ddr_number_zero(DDR_ELEMENT_INT16);
  CHECK_EQ(ddr_transform_inplace_div_scalar(&x_there, zero, 1), DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_inplace_div(&x_there, &zeros_there, 1), DDR_ARRAY_EDIV0);
  CHECK_EQ(ddr_transform_clip(&x_there, ddr_number_int(3), ddr_number_int(2), &x_there, 1),
           DDR_ARRAY_ERANGE);
  CHECK(same_elements(&x_there, &x));
  ddr_ndview shifted[2];
  CHECK_EQ(ddr_ndview_slice(&x_there, 0, 0, 2, &shifted[0]), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_slice(&x_there, 0, 1, 3, &shifted[1]), DDR_ARRAY_OK);
  CHECK_EQ(ddr_transform_assign(&shifted[0], &shifted[1], 1), DDR_ARRAY_EALIAS);
  ddr_ndview *const all[] = {&x, &zeros, &x_there, &zeros_there, &shifted[0], &shifted[1]};
  for (int k = 0; k < 6; k++) ddr_ndview_release(all[k]);
}

int main(void) {
  ddr_array_device *device = device_open();
  RUN(known_results);
  RUN(forms_of_random_arrays);
  RUN(sizes);
  RUN(masks);
  RUN(masks_of_themselves);
  RUN(memory_is_not_mixed);
  RUN(memory_of_both_kinds);
  RUN(divisors_and_bounds);
  device_close(device);
  return test_result();
}
