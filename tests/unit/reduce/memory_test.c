/* Reductions and transforms when memory is short: each allocation fails in turn; the operation
 * returns an error, writes nothing and leaks nothing (ASan). */
#include <stdlib.h>

#include "runtime/reduce/reduce.h"
#include "runtime/transform/transform.h"
#include "tests/unit/array_text.h"
#include "tests/unit/failing.h"

typedef struct {
  ddr_ndview x, mask;
  ddr_number number;
  ddr_ndview made;
} Work;

typedef ddr_array_status Operation(Work *work);

static ddr_array_status sum(Work *work) {
  const ddr_reduce_options options = {.n_threads = 2};
  return ddr_reduce_sum(&work->x, &options, &work->number);
}

static ddr_array_status masked_dot(Work *work) {
  const ddr_reduce_options options = {.n_threads = 2, .mask = &work->mask};
  return ddr_reduce_dot(&work->x, &work->x, &options, &work->number);
}

static ddr_array_status variance(Work *work) {
  const ddr_reduce_options options = {.n_threads = 2};
  return ddr_reduce_variance(&work->x, &options, &work->number);
}

static ddr_array_status lines(Work *work) {
  const ddr_ndview *const arrays[1] = {&work->x};
  const ddr_reduce_options options = {.mask = &work->mask};
  return ddr_reduce_axis(DDR_REDUCE_SUM, arrays, 0, &options, &work->made);
}

/* Lines that are not contiguous are copied, except for sums and extremes. */
static ddr_array_status lines_across(Work *work) {
  ddr_ndview x = work->x;
  const ddr_ndview *const arrays[1] = {&x};
  x.layout = (ddr_layout){.rank = 2, .len = {2000, 100}, .stride = {100, 1}};
  return ddr_reduce_axis(DDR_REDUCE_VARIANCE, arrays, 0, NULL, &work->made);
}

/* The result is turned, too, and put back in order. */
static ddr_array_status lines_turned(Work *work) {
  ddr_ndview x = work->x;
  const ddr_ndview *const arrays[1] = {&x};
  x.layout = (ddr_layout){.rank = 3, .len = {100, 20, 100}, .stride = {1, 10000, 100}};
  return ddr_reduce_axis(DDR_REDUCE_MAX_ELEMENT, arrays, 1, NULL, &work->made);
}

static ddr_array_status negated(Work *work) {
  const ddr_operand operand = ddr_operand_view(&work->x);
  return ddr_transform_make(DDR_TRANSFORM_NEG, 1, &operand, 1, &work->made);
}

/* y overlaps x: it is copied first. */
static ddr_array_status assigned_to_itself(Work *work) {
  ddr_ndview flipped = work->x;
  flipped.layout.offset = flipped.layout.len[0] - 1;
  flipped.layout.stride[0] = -1;
  return ddr_masked_assign(&work->x, &work->mask, &flipped);
}

static const struct {
  Operation *run;
  int n_allocations; /* at least */
} operations[] = {{sum, 1},          {masked_dot, 4},   {variance, 2}, {lines, 3},
                  {lines_across, 3}, {lines_turned, 2}, {negated, 2},  {assigned_to_itself, 2}};

static void check_operation(Operation *run, int n_allocations) {
  const char *const text = "g1*200000";
  Work work = {.x = line_from_text(DDR_ELEMENT_DOUBLE, text, 1), .number = ddr_number_int(7)};
  ddr_ndview same = line_from_text(DDR_ELEMENT_DOUBLE, text, 1);
  work.mask = line_from_text(DDR_ELEMENT_BOOL, "even*200000", 1);
  int n = 0;
  for (;; n++) {
    fail_at(n);
    const ddr_array_status status = run(&work);
    fail_no_more();
    if (status == DDR_ARRAY_OK) break;
    CHECK_EQ(status, DDR_ARRAY_ENOMEM);
    CHECK(work.number.type == DDR_ELEMENT_INT64 && work.number.integer == 7);
    CHECK(work.made.data == NULL);
    CHECK(memcmp(work.x.data, same.data, 200000 * sizeof(double)) == 0);
  }
  CHECK(n >= n_allocations);
  ddr_ndview_release(&work.made);
  ddr_ndview_release(&work.x);
  ddr_ndview_release(&work.mask);
  ddr_ndview_release(&same);
}

static void every_allocation_may_fail(void) {
  for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
    check_operation(operations[k].run, operations[k].n_allocations);
  }
}

/* An array with turned axes is copied part by part; without memory for that its elements are taken
 * one by one, in the same order. */
static void turned_arrays_do_without_copies(void) {
  static const char *const texts[] = {"g1*200000", "1/(k+1)*200000"};
  const ddr_layout turned = {.rank = 2, .len = {500, 400}, .stride = {1, 500}};
  for (int k = 0; k < 2; k++) {
    ddr_ndview x = line_from_text(DDR_ELEMENT_DOUBLE, texts[k], 1);
    ddr_number copied = {.re = -1}, found = {.re = -2}, exact;
    CHECK_EQ(ddr_reduce_sum(&x, NULL, &exact), DDR_ARRAY_OK);
    x.layout = turned;
    CHECK_EQ(ddr_reduce_sum(&x, NULL, &copied), DDR_ARRAY_OK);
    fail_from(0, INT64_MAX);
    const ddr_array_status status = ddr_reduce_sum(&x, NULL, &found);
    CHECK(fail_no_more());
    CHECK_EQ(status, DDR_ARRAY_OK);
    CHECK(found.re == copied.re);
    CHECK(k == 1 || found.re == exact.re); /* eighths, whose sum is exact in any order */
    ddr_ndview_release(&x);
  }
}

int main(void) {
  RUN(every_allocation_may_fail);
  RUN(turned_arrays_do_without_copies);
  return test_result();
}
