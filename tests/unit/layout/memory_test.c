/* Operations when memory is short: they return an error, and leak nothing (ASan). */
#include "runtime/layout/ndview.h"

#include <stdlib.h>

#include "tests/unit/failing.h"
#include "tests/unit/test.h"

static void check_injective(const ddr_layout *layout) {
  bool is_injective = true;
  fail_at(0);
  CHECK_EQ(ddr_layout_is_injective(layout, &is_injective), DDR_ARRAY_ENOMEM);
  CHECK(is_injective);
  fail_no_more();
  CHECK_EQ(ddr_layout_is_injective(layout, &is_injective), DDR_ARRAY_OK);
}

static void injective_or_not(void) {
  const ddr_layout dense = {.rank = 3, .len = {4, 4, 4}, .stride = {9, 7, 5}};
  const ddr_layout sparse = {.rank = 3, .len = {2, 2, 2}, .stride = {10000, 7000, 5001}};
  check_injective(&dense);
  check_injective(&sparse);
}

/* Without memory, the answer is the safe one. */
static void overlapping_or_not(void) {
  const ddr_layout left = {.rank = 2, .len = {4, 4}, .stride = {10, 1}};
  const ddr_layout right = {.rank = 2, .offset = 5, .len = {4, 4}, .stride = {10, 1}};
  CHECK(!ddr_layout_overlap(&left, &right));
  for (int64_t n = 0; n < 2; n++) {
    fail_at(n);
    CHECK(ddr_layout_overlap(&left, &right));
  }
  fail_no_more();
}

static void views_are_not_made(void) {
  const int64_t len[] = {5};
  ddr_ndview view = {.type = DDR_ELEMENT_INT16};
  for (int k = 0; k < 3; k++) { /* the block, its cleanup, neither */
    fail_at(k);
    CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 1, len, DDR_HOST, &view),
             k < 2 ? DDR_ARRAY_ENOMEM : DDR_ARRAY_OK);
    CHECK_EQ(view.type, k < 2 ? DDR_ELEMENT_INT16 : DDR_ELEMENT_DOUBLE);
  }
  fail_at(0);
  CHECK(!ddr_cleanup_new(NULL, NULL));
  fail_no_more();
  ddr_ndview_release(&view);
}

int main(void) {
  RUN(injective_or_not);
  RUN(overlapping_or_not);
  RUN(views_are_not_made);
  return test_result();
}
