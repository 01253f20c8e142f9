/* Reductions on a device against the tables of known results and, for random arrays, against the
 * host: the same bits.  Also with every call of CUDA failing in turn. */
#include "tests/unit/cuda/device_view.h"
#include "tests/unit/reduce/tables.h"

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_result(ddr_number a, ddr_number b) {
  return a.type == b.type && a.integer == b.integer && same_bits(a.re, b.re) &&
         same_bits(a.im, b.im);
}

/* --- here and there --------------------------------------------------------------------------- */

typedef struct {
  ddr_ndview arrays[2], mask;
} Arrays;

static void release(Arrays *arrays) {
  ddr_ndview_release(&arrays->arrays[0]);
  ddr_ndview_release(&arrays->arrays[1]);
  ddr_ndview_release(&arrays->mask);
}

static Arrays copies_of(const Arrays *arrays) {
  Arrays there = {.mask = {.data = NULL}};
  there.arrays[0] = copy_in(&arrays->arrays[0], DDR_CUDA);
  there.arrays[1] = copy_in(&arrays->arrays[1], DDR_UNIFIED);
  there.mask = copy_in(&arrays->mask, DDR_CUDA);
  return there;
}

static ddr_array_status reduced(ddr_reduce_op op, const Arrays *arrays, ddr_reduce_options options,
                                ddr_number *result) {
  const ddr_ndview *const both[2] = {&arrays->arrays[0], &arrays->arrays[1]};
  if (options.mask) options.mask = &arrays->mask;
  return ddr_reduce(op, both, &options, result);
}

static void check_same(ddr_reduce_op op, const Arrays *here, const Arrays *there,
                       ddr_reduce_options options) {
  ddr_number want = {.type = DDR_ELEMENT_COUNT}, found = want;
  const ddr_array_status status = reduced(op, here, options, &want);
  CHECK_EQ(reduced(op, there, options, &found), status);
  if (CHECK(same_result(found, want))) return;
  fprintf(stderr, "  %s of %s\n", ddr_reduce_about(op).name,
          ddr_element_name(here->arrays[0].type));
  print_number(found);
  print_number(want);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void check_row(const Vector *v, ReductionRow *row) {
  (void)v;
  const Arrays here = {{row->arrays[0], row->arrays[1]}, row->mask};
  Arrays there = copies_of(&here);
  check_same(row->op, &here, &there,
             (ddr_reduce_options){.mask = row->has_mask ? &here.mask : NULL});
  release(&there);
}

static void small_arrays(void) { each_reduction(check_row); }

static void check_sum(const SumRow *row) {
  ddr_ndview x = sum_elements(row, 1), there = copy_in(&x, DDR_CUDA);
  for (int is_compensated = 0; is_compensated <= 1; is_compensated++) {
    const ddr_reduce_options options = {.is_compensated = is_compensated};
    ddr_number found;
    CHECK_EQ(ddr_reduce_sum(&there, &options, &found), DDR_ARRAY_OK);
    if (!CHECK(same_bits(found.re, row->wanted[is_compensated]))) print_number(found);
  }
  ddr_ndview_release(&x);
  ddr_ndview_release(&there);
}

static void sums(void) { each_sum(check_sum); }

/* --- random arrays ---------------------------------------------------------------------------- */

static Arrays random_arrays(ddr_element type, ddr_element other, int rank, const int64_t *len) {
  return (Arrays){{random_view(type, rank, len), random_view(other, rank, len)},
                  random_view(DDR_ELEMENT_BOOL, rank, len)};
}

static void check_all(const Arrays *here, const Arrays *there) {
  for (int op = 0; op < DDR_N_REDUCTIONS; op++) {
    for (int k = 0; k < 4; k++) {
      const ddr_reduce_options options = {.mask = k % 2 == 0 ? NULL : &here->mask,
                                          .is_compensated = k >= 2,
                                          .tolerance = k == 3 ? 0.75 : 0};
      check_same((ddr_reduce_op)op, here, there, options);
    }
  }
}

static void all_of_random_arrays(void) {
  for (int round = 0; round < (int)test_rounds(160); round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const ddr_element type = (ddr_element)(round % DDR_ELEMENT_COUNT);
    const bool is_same = chance_below(2) == 0;
    const ddr_element other = is_same ? type : (ddr_element)chance_below(DDR_ELEMENT_COUNT);
    Arrays here = random_arrays(type, other, rank, len), there = copies_of(&here);
    check_all(&here, &there);
    release(&here);
    release(&there);
  }
}

/* Around the sizes of lanes, warps and blocks, in memory with any strides; and levels of the
 * tree. */
static void sizes(void) {
  static const int64_t lens[] = {0, 1, 31, 32, 33, 1023, 40000, 1024, 1025};
  static const ddr_element types[] = {DDR_ELEMENT_FLOAT,  DDR_ELEMENT_DOUBLE, DDR_ELEMENT_INT32,
                                      DDR_ELEMENT_CFLOAT, DDR_ELEMENT_INT64,  DDR_ELEMENT_CDOUBLE};
  for (size_t k = 0; k < sizeof lens / sizeof *lens; k++) {
    for (int t = 0; t < (lens[k] > 2000 || !test_is_slow() ? 2 : 6); t++) {
      const ddr_element type = types[(2 * k + (size_t)t) % 6];
      Arrays here = random_arrays(type, type, 1, &lens[k]), there = copies_of(&here);
      check_all(&here, &there);
      release(&here);
      release(&there);
    }
  }
}

/* Squares too large or too small for doubles. */
static void extreme_norms(void) {
  static const char *const texts[] = {"3e200 4e200", "3e-200 4e-200", "inf 1e300", "0 0",
                                      "nan 1e300"};
  for (int k = 0; k < 5; k++) {
    Arrays here = {{line_from_text(DDR_ELEMENT_DOUBLE, texts[k], 1),
                    line_from_text(DDR_ELEMENT_DOUBLE, texts[k], 1)},
                   line_from_text(DDR_ELEMENT_BOOL, "1 1", 1)};
    Arrays there = copies_of(&here);
    check_all(&here, &there);
    release(&here);
    release(&there);
  }
}

/* --- along an axis ---------------------------------------------------------------------------- */

static void check_axis(ddr_reduce_op op, const Arrays *here, const Arrays *there, int axis,
                       bool has_mask) {
  ddr_ndview want = {.data = NULL}, found = {.data = NULL};
  ddr_reduce_options options = {.mask = has_mask ? &here->mask : NULL};
  const ddr_ndview *const arrays[2] = {&here->arrays[0], &here->arrays[1]};
  const ddr_ndview *const arrays_there[2] = {&there->arrays[0], &there->arrays[1]};
  const ddr_array_status status = ddr_reduce_axis(op, arrays, axis, &options, &want);
  if (has_mask) options.mask = &there->mask;
  CHECK_EQ(ddr_reduce_axis(op, arrays_there, axis, &options, &found), status);
  if (status == DDR_ARRAY_OK) {
    CHECK_EQ(found.residency, DDR_CUDA);
    if (!CHECK(same_bytes(&found, &want)))
      fprintf(stderr, "  %s of %s\n", ddr_reduce_about(op).name,
              ddr_element_name(here->arrays[0].type));
  }
  ddr_ndview_release(&want);
  ddr_ndview_release(&found);
}

static void lines(void) {
  for (int round = 0; round < (int)test_rounds(160); round++) {
    int64_t len[DDR_MAX_RANK];
    const int rank = random_shape(len);
    const ddr_element type = (ddr_element)(round % DDR_ELEMENT_COUNT);
    Arrays here = random_arrays(type, type, rank, len), there = copies_of(&here);
    for (int op = 0; op < DDR_N_REDUCTIONS; op++) {
      const int axis = (int)chance_below(rank + 1);
      check_axis((ddr_reduce_op)op, &here, &there, axis, false);
      if (round % 8 == 0) check_axis((ddr_reduce_op)op, &here, &there, axis, true);
    }
    release(&here);
    release(&there);
  }
}

static void extreme_norms_of_lines(void) {
  const int64_t len[] = {3, 2};
  Arrays here = random_arrays(DDR_ELEMENT_DOUBLE, DDR_ELEMENT_DOUBLE, 2, len);
  static const double values[] = {3e200, 4e200, 3, 4, 3e-200, 4e-200};
  for (int64_t p = 0; p < 6; p++)
    ddr_number_store(ddr_number_real(values[p]), element_at(&here.arrays[0], p));
  Arrays there = copies_of(&here);
  check_axis(DDR_REDUCE_L2, &here, &there, 1, false);
  check_axis(DDR_REDUCE_L2, &here, &there, 0, false);
  release(&here);
  release(&there);
}

/* --- errors ----------------------------------------------------------------------------------- */

static void memory_is_not_mixed(void) {
  const int64_t len[] = {5};
  Arrays here = random_arrays(DDR_ELEMENT_INT32, DDR_ELEMENT_INT32, 1, len);
  Arrays there = copies_of(&here);
  ddr_number result = {.type = DDR_ELEMENT_COUNT};
  ddr_ndview line = {.data = NULL};
  const ddr_reduce_options masked = {.mask = &here.mask}, masked_there = {.mask = &there.mask};
  const ddr_ndview *const mixed[2] = {&here.arrays[0], &there.arrays[0]};
  CHECK_EQ(ddr_reduce_dot(mixed[0], mixed[1], NULL, &result), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_reduce_sum(&there.arrays[0], &masked, &result), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_reduce_sum(&here.arrays[0], &masked_there, &result), DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_reduce_axis(DDR_REDUCE_DOT, mixed, 0, NULL, &line), DDR_ARRAY_ERESIDENCY);
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_array_device_use(NULL);
  CHECK_EQ(ddr_reduce_sum(&there.arrays[0], NULL, &result), DDR_ARRAY_ERESIDENCY);
  ddr_array_device_use(device);
  CHECK(result.type == DDR_ELEMENT_COUNT && line.data == NULL);
  release(&here);
  release(&there);
}

static ddr_array_status work_on_device(const Arrays *there, ddr_number *result, ddr_ndview *line) {
  const ddr_reduce_options masked = {.mask = &there->mask};
  const ddr_ndview *const array[1] = {&there->arrays[0]};
  ddr_array_status status = ddr_reduce_variance(array[0], &masked, result);
  if (status == DDR_ARRAY_OK)
    status = ddr_reduce_dot(&there->arrays[0], &there->arrays[1], NULL, result);
  if (status == DDR_ARRAY_OK) status = ddr_reduce_axis(DDR_REDUCE_VARIANCE, array, 0, NULL, line);
  return status;
}

static void any_call_may_fail(void) {
  const int64_t len[] = {test_is_slow() ? 30 : 3, 50};
  Arrays here = random_arrays(DDR_ELEMENT_INT16, DDR_ELEMENT_FLOAT, 2, len);
  Arrays there = copies_of(&here);
  const int64_t n_blocks = shim_n_blocks();
  int n_failed = 0;
  for (int k = 1; n_failed < 500; k++) {
    ddr_number result = {.type = DDR_ELEMENT_COUNT};
    ddr_ndview line = {.data = NULL};
    char number[20];
    snprintf(number, sizeof number, "%d", k);
    shim_reset();
    setenv("DDR_SHIM_FAIL", number, 1);
    const ddr_array_status status = work_on_device(&there, &result, &line);
    unsetenv("DDR_SHIM_FAIL");
    ddr_ndview_release(&line);
    CHECK_EQ(shim_n_blocks(), n_blocks);
    if (status == DDR_ARRAY_OK) break;
    CHECK(status == DDR_ARRAY_ENOMEM || status == DDR_ARRAY_EDEVICE);
    n_failed++;
  }
  shim_reset();
  CHECK(n_failed > 30 && n_failed < 500);
  release(&here);
  release(&there);
}

int main(void) {
  ddr_array_device *device = device_open();
  RUN(small_arrays);
  RUN(sums);
  RUN(all_of_random_arrays);
  RUN(sizes);
  RUN(extreme_norms);
  RUN(lines);
  RUN(extreme_norms_of_lines);
  RUN(memory_is_not_mixed);
  RUN(any_call_may_fail);
  device_close(device);
  return test_result();
}
