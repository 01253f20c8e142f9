/* Element types: their sizes and names, and the common type of two. */
#include "runtime/layout/element.h"

#include "runtime/layout/array_status.h"
#include "tests/unit/test.h"

#define E(id) DDR_ELEMENT_##id

static void have_sizes_and_names(void) {
  CHECK_EQ(ddr_element_size(E(BOOL)), 1);
  CHECK_EQ(ddr_element_size(E(UINT16)), 2);
  CHECK_EQ(ddr_element_size(E(INT64)), 8);
  CHECK_EQ(ddr_element_size(E(FLOAT)), 4);
  CHECK_EQ(ddr_element_size(E(CFLOAT)), 8);
  CHECK_EQ(ddr_element_size(E(CDOUBLE)), 16);
  CHECK_EQ(ddr_element_kind_of(E(UINT8)), DDR_KIND_UINT);
  CHECK_EQ(ddr_element_kind_of(E(CDOUBLE)), DDR_KIND_COMPLEX);
  CHECK_STR(ddr_element_name(E(INT32)), "int32");
  CHECK_EQ(DDR_ELEMENT_COUNT, 13);
}

static void check_meeting(ddr_element a, ddr_element b, ddr_element want) {
  CHECK_EQ(ddr_element_promote(a, b), want);
  CHECK_EQ(ddr_element_promote(b, a), want);
}

static void meet(void) {
  check_meeting(E(BOOL), E(BOOL), E(BOOL));
  check_meeting(E(BOOL), E(INT8), E(INT8));
  check_meeting(E(INT8), E(UINT8), E(UINT8));
  check_meeting(E(UINT8), E(INT16), E(INT16));
  check_meeting(E(INT32), E(UINT32), E(UINT32));
  check_meeting(E(UINT32), E(INT64), E(INT64));
  check_meeting(E(UINT64), E(INT64), E(UINT64));
  check_meeting(E(INT64), E(FLOAT), E(FLOAT));
  check_meeting(E(FLOAT), E(DOUBLE), E(DOUBLE));
  check_meeting(E(BOOL), E(CFLOAT), E(CFLOAT));
  check_meeting(E(INT64), E(CFLOAT), E(CFLOAT));
  check_meeting(E(FLOAT), E(CFLOAT), E(CFLOAT));
  check_meeting(E(DOUBLE), E(CFLOAT), E(CDOUBLE));
  check_meeting(E(FLOAT), E(CDOUBLE), E(CDOUBLE));
  check_meeting(E(CFLOAT), E(CDOUBLE), E(CDOUBLE));
}

/* The common type of three does not depend on the order. */
static void meet_in_any_order(void) {
  for (int a = 0; a < DDR_ELEMENT_COUNT; a++)
    for (int b = 0; b < DDR_ELEMENT_COUNT; b++)
      for (int c = 0; c < DDR_ELEMENT_COUNT; c++) {
        const ddr_element x = (ddr_element)a, y = (ddr_element)b, z = (ddr_element)c;
        CHECK_EQ(ddr_element_promote(ddr_element_promote(x, y), z),
                 ddr_element_promote(x, ddr_element_promote(y, z)));
      }
}

static void statuses_have_texts(void) {
  CHECK_STR(ddr_array_status_text(DDR_ARRAY_OK), "no error");
  CHECK_STR(ddr_array_status_text(DDR_ARRAY_ENOMEM), "out of memory");
}

int main(void) {
  RUN(have_sizes_and_names);
  RUN(meet);
  RUN(meet_in_any_order);
  RUN(statuses_have_texts);
  return test_result();
}
