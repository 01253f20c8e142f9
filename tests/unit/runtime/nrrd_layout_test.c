/* Views of Teem's arrays and arrays from views: orders, types, ownership of samples. */
#include "runtime/src/files/nrrd_layout.h"

#include <stdlib.h>

#include "tests/unit/failing.h"
#include "tests/unit/test.h"

/* Sizes are fastest first; samples count up in the order of the file. */
static Nrrd *make(int type, unsigned dim, const size_t *sizes) {
  Nrrd *nrrd = nrrdNew();
  CHECK(nrrd && nrrdAlloc_nva(nrrd, type, dim, sizes) == 0);
  for (size_t k = 0; k < nrrdElementNumber(nrrd); k++) nrrdDInsert[type](nrrd->data, k, (double)k);
  return nrrd;
}

/* The sample at indices in the order of the file. */
static double in_file(const Nrrd *nrrd, const size_t *idx) {
  size_t p = 0;
  for (unsigned k = nrrd->dim; k-- > 0;) p = p * nrrd->axis[k].size + idx[k];
  return nrrdDLookup[nrrd->type](nrrd->data, p);
}

static bool has_shape(const ddr_ndview *view, int rank, const int64_t *len) {
  bool is_good = CHECK_EQ(view->layout.rank, rank);
  for (int k = 0; k < rank && is_good; k++) is_good = CHECK_EQ(view->layout.len[k], len[k]);
  return is_good;
}

/* --- orders ----------------------------------------------------------------------------------- */

/* A voxel of [2,3] elements is stored with the axis of 3 first. */
static void components_come_first(void) {
  const size_t sizes[] = {3, 2, 5, 4, 6};
  const int64_t len[] = {2, 3, 6, 4, 5};
  int kinds[] = {nrrdKindList, nrrdKindList, nrrdKindSpace, nrrdKindSpace, nrrdKindSpace};
  Nrrd *nrrd = make(nrrdTypeInt, 5, sizes);
  nrrdAxisInfoSet_nva(nrrd, nrrdAxisInfoKind, kinds);
  ddr_ndview view;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 2);
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 2, NULL, &view), DDR_ARRAY_OK);
  CHECK(has_shape(&view, 5, len) && view.type == DDR_ELEMENT_INT32);
  const int32_t *data = view.data;
  bool is_right = true;
  for (size_t p = 0; p < 720; p++) {
    const size_t file[] = {p % 3, p / 3 % 2, p / 6 % 5, p / 30 % 4, p / 120};
    const int64_t idx[] = {(int64_t)file[1], (int64_t)file[0], (int64_t)file[4], (int64_t)file[3],
                           (int64_t)file[2]};
    is_right = is_right && data[ddr_layout_at(&view.layout, idx)] == in_file(nrrd, file);
  }
  CHECK(is_right);
  nrrdNuke(nrrd);
}

static void axes_are_reversed(void) {
  const size_t sizes[] = {5, 4, 6};
  const int64_t len[] = {6, 4, 5}, idx[] = {3, 2, 1};
  Nrrd *nrrd = make(nrrdTypeUShort, 3, sizes);
  ddr_ndview view;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 0);
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 0, NULL, &view), DDR_ARRAY_OK);
  CHECK(has_shape(&view, 3, len) && ddr_layout_is_canonical(&view.layout));
  CHECK_EQ(((uint16_t *)view.data)[ddr_layout_at(&view.layout, idx)], 1 + 5 * (2 + 4 * 3));
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 4, NULL, &view), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, -1, NULL, &view), DDR_ARRAY_EDIM);
  nrrdNuke(nrrd);
}

/* An axis without a kind is spatial; with a direction it is spatial whatever its kind. */
static void components_are_recognised(void) {
  const size_t sizes[] = {3, 2, 2};
  Nrrd *nrrd = make(nrrdTypeFloat, 3, sizes);
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 0);
  nrrd->axis[0].kind = nrrdKind3Vector;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 1);
  nrrd->axis[1].kind = nrrd->axis[2].kind = nrrdKindList;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 3);
  const int64_t len[] = {2, 2, 3};
  ddr_ndview view;
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 3, NULL, &view), DDR_ARRAY_OK);
  CHECK(has_shape(&view, 3, len) && ddr_layout_is_canonical(&view.layout));
  nrrd->axis[0].spaceDirection[0] = 1;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 0);
  nrrdNuke(nrrd);
}

/* --- types ------------------------------------------------------------------------------------ */

static void check_type(int type, ddr_element element) {
  const size_t sizes[] = {3, 2};
  const int64_t idx[] = {1, 0};
  Nrrd *nrrd = make(type, 2, sizes);
  ddr_ndview view;
  void *at = NULL;
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 0, NULL, &view), DDR_ARRAY_OK);
  CHECK_EQ(view.type, element);
  CHECK_EQ(ddr_element_size(element), nrrdTypeSize[type]);
  CHECK_EQ(ddr_ndview_at(&view, 2, idx, &at), DDR_ARRAY_OK);
  CHECK(nrrdDLoad[type](at) == 3);
  nrrdNuke(nrrd);
}

static void types_are_those_of_files(void) {
  check_type(nrrdTypeChar, DDR_ELEMENT_INT8);
  check_type(nrrdTypeUChar, DDR_ELEMENT_UINT8);
  check_type(nrrdTypeShort, DDR_ELEMENT_INT16);
  check_type(nrrdTypeUShort, DDR_ELEMENT_UINT16);
  check_type(nrrdTypeInt, DDR_ELEMENT_INT32);
  check_type(nrrdTypeUInt, DDR_ELEMENT_UINT32);
  check_type(nrrdTypeLLong, DDR_ELEMENT_INT64);
  check_type(nrrdTypeULLong, DDR_ELEMENT_UINT64);
  check_type(nrrdTypeFloat, DDR_ELEMENT_FLOAT);
  check_type(nrrdTypeDouble, DDR_ELEMENT_DOUBLE);
}

static void blocks_are_no_elements(void) {
  char data[12] = "";
  size_t sizes[] = {4};
  Nrrd *nrrd = nrrdNew();
  nrrd->blockSize = 3;
  CHECK_EQ(nrrdWrap_nva(nrrd, data, nrrdTypeBlock, 1, sizes), 0);
  ddr_ndview view = {.data = NULL};
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 0, NULL, &view), DDR_ARRAY_ETYPE);
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 0, &view), DDR_ARRAY_ETYPE);
  CHECK(!view.data && nrrd->data == data);
  nrrdNix(nrrd);
}

static void complex_numbers_are_an_axis(void) {
  const size_t sizes[] = {2, 3, 4};
  const int64_t len[] = {4, 3};
  Nrrd *nrrd = make(nrrdTypeDouble, 3, sizes);
  ddr_ndview view;
  nrrd->axis[0].kind = nrrdKindComplex;
  CHECK_EQ(ddr_nrrd_component_axes(nrrd), 0);
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 0, &view), DDR_ARRAY_OK);
  CHECK(has_shape(&view, 2, len) && view.type == DDR_ELEMENT_CDOUBLE);
  const ddr_complex_double *data = view.data;
  CHECK(data[4].re == 8 && data[4].im == 9);
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 0, nrrd), DDR_ARRAY_OK);
  CHECK(nrrd->data == data && nrrd->dim == 3 && nrrd->axis[0].size == 2 &&
        nrrd->axis[0].kind == nrrdKindComplex && nrrd->axis[2].size == 4);
  nrrdNuke(nrrd);
}

/* --- who has the samples ---------------------------------------------------------------------- */

static void samples_change_hands(void) {
  const size_t sizes[] = {3, 5, 4}, second[] = {2, 3, 1};
  int kinds[] = {nrrdKind3Vector, nrrdKindSpace, nrrdKindSpace};
  Nrrd *nrrd = make(nrrdTypeFloat, 3, sizes);
  void *const data = nrrd->data;
  ddr_ndview view;
  nrrdAxisInfoSet_nva(nrrd, nrrdAxisInfoKind, kinds);
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 1, &view), DDR_ARRAY_OK);
  CHECK(!nrrd->data && view.data == data && view.layout.len[0] == 3);
  nrrdNuke(nrrd);
  nrrd = nrrdNew();
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 1, nrrd), DDR_ARRAY_OK);
  CHECK(nrrd->data == data && nrrd->type == nrrdTypeFloat && nrrd->dim == 3);
  CHECK(nrrd->axis[0].size == 3 && nrrd->axis[1].size == 5 && nrrd->axis[2].size == 4);
  CHECK(!view.data && !view.cleanup && in_file(nrrd, second) == 2 + 3 * (3 + 5 * 1));
  nrrdNuke(nrrd);
}

static void samples_that_others_hold_are_copied(void) {
  const size_t sizes[] = {5, 4}, at[] = {2, 1};
  Nrrd *nrrd = make(nrrdTypeShort, 2, sizes), *copy = nrrdNew();
  ddr_ndview view, other;
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 0, &view), DDR_ARRAY_OK);
  other = ddr_ndview_retain(&view);
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 0, copy), DDR_ARRAY_OK);
  CHECK(copy->data != other.data && in_file(copy, at) == 7);
  ddr_ndview_release(&other);
  nrrdNuke(nrrd);
  nrrdNuke(copy);
}

/* Flipped, transposed, every n-th element; and borrowed from the array that receives the result. */
static void strides_are_copied(void) {
  const size_t sizes[] = {5, 4};
  const int order[] = {1, 0};
  Nrrd *nrrd = make(nrrdTypeInt, 2, sizes);
  ddr_ndview view, flipped, turned, thin;
  CHECK_EQ(ddr_ndview_from_nrrd(nrrd, 0, NULL, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_flip(&view, 0, &flipped), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_permute(&flipped, order, &turned), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_step(&turned, 0, 2, &thin), DDR_ARRAY_OK);
  CHECK_EQ(ddr_nrrd_from_ndview(&thin, 0, nrrd), DDR_ARRAY_OK);
  CHECK(nrrd->axis[0].size == 4 && nrrd->axis[1].size == 3);
  for (size_t y = 0; y < 3; y++)
    for (size_t x = 0; x < 4; x++) {
      const size_t idx[] = {x, y};
      CHECK_EQ(in_file(nrrd, idx), 5 * (3 - x) + 2 * y);
    }
  nrrdNuke(nrrd);
}

/* --- what a file cannot hold ------------------------------------------------------------------ */

static void some_views_do_not_fit(void) {
  const int64_t hole[] = {2, 0}, ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  Nrrd *nrrd = nrrdNew();
  ddr_ndview view, many;
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_INT8, 2, hole, DDR_HOST, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 0, nrrd), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 3, nrrd), DDR_ARRAY_EDIM);
  CHECK(view.data && nrrd->dim == 0);
  ddr_ndview_release(&view);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_CFLOAT, 16, ones, DDR_HOST, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 0, nrrd), DDR_ARRAY_ERANK);
  ddr_ndview_release(&view);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_FLOAT, 0, NULL, DDR_HOST, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_repeat(&view, 0, PTRDIFF_MAX, &many), DDR_ARRAY_OK);
  CHECK_EQ(ddr_nrrd_from_ndview(&many, 0, nrrd), DDR_ARRAY_EOVERFLOW);
  ddr_ndview_release(&many);
  *(float *)view.data = 3;
  /* A single number becomes a list of one. */
  CHECK_EQ(ddr_nrrd_from_ndview(&view, 0, nrrd), DDR_ARRAY_OK);
  CHECK(nrrd->dim == 1 && nrrd->axis[0].size == 1 && *(float *)nrrd->data == 3);
  nrrdNuke(nrrd);
}

static void memory_may_be_short(void) {
  const size_t sizes[] = {5, 4};
  Nrrd *nrrd = make(nrrdTypeInt, 2, sizes), *copy = nrrdNew();
  ddr_ndview view = {.data = NULL}, flipped;
  fail_at(0);
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 0, &view), DDR_ARRAY_ENOMEM);
  CHECK(nrrd->data && !view.data);
  fail_no_more();
  CHECK_EQ(ddr_ndview_take_nrrd(nrrd, 0, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_flip(&view, 0, &flipped), DDR_ARRAY_OK);
  fail_at(0);
  CHECK_EQ(ddr_nrrd_from_ndview(&flipped, 0, copy), DDR_ARRAY_ENOMEM);
  fail_no_more();
  CHECK(flipped.data && copy->dim == 0);
  ddr_ndview_release(&view);
  ddr_ndview_release(&flipped);
  nrrdNuke(nrrd);
  nrrdNuke(copy);
}

int main(void) {
  RUN(components_come_first);
  RUN(axes_are_reversed);
  RUN(components_are_recognised);
  RUN(types_are_those_of_files);
  RUN(blocks_are_no_elements);
  RUN(complex_numbers_are_an_axis);
  RUN(samples_change_hands);
  RUN(samples_that_others_hold_are_copied);
  RUN(strides_are_copied);
  RUN(some_views_do_not_fit);
  RUN(memory_may_be_short);
  return test_result();
}
