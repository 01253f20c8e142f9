/* nrrd_array.c: a packed array as a Nrrd: fastest axis first, with the kinds of its axes.
 *
 * Read next: nrrd_save.c (to a file), library/library_outputs.c (to the client of a library).
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"

int ddr_nrrd_sample_type(const ddr_array *array) {
  if (array->kind == DDR_BOOL) return nrrdTypeUChar;
  if (array->kind == DDR_INT) return array->element_size == 4 ? nrrdTypeInt : nrrdTypeLLong;
  return array->element_size == 4 ? nrrdTypeFloat : nrrdTypeDouble;
}

static const int axis_kinds[] = {
    [DDR_AXIS_NONE] = nrrdKindUnknown,       [DDR_AXIS_2_VECTOR] = nrrdKind2Vector,
    [DDR_AXIS_3_VECTOR] = nrrdKind3Vector,   [DDR_AXIS_4_VECTOR] = nrrdKind4Vector,
    [DDR_AXIS_2D_MATRIX] = nrrdKind2DMatrix, [DDR_AXIS_3D_MATRIX] = nrrdKind3DMatrix,
    [DDR_AXIS_LIST] = nrrdKindList,
};

/* Makes `nrrd` refer to the data; if Teem refuses, returns false and leaves the data alone. */
static bool wrap(Nrrd *nrrd, const ddr_array *array, void *data, int type) {
  size_t sizes[NRRD_DIM_MAX] = {0};
  int kinds[NRRD_DIM_MAX] = {0};
  unsigned dim = 0;
  if (array->axis != DDR_AXIS_NONE) {
    sizes[dim] = array->n_components;
    kinds[dim++] = axis_kinds[array->axis];
  }
  for (uint32_t k = array->rank; k-- > 0;) {
    sizes[dim] = (size_t)array->len[k];
    kinds[dim++] = array->is_list ? nrrdKindList : nrrdKindSpace;
  }
  ddr_teem_lock();
  const bool is_refused = nrrdWrap_nva(nrrd, data, type, dim, sizes);
  if (is_refused) {
    ddr_reason unused;
    ddr_refuse_biff(&unused, "");
    nrrd->data = NULL;
  }
  ddr_teem_unlock();
  if (!is_refused) nrrdAxisInfoSet_nva(nrrd, nrrdAxisInfoKind, kinds);
  return !is_refused;
}

Nrrd *ddr_nrrd_wrap(const ddr_array *array, void *data, int type) {
  Nrrd *nrrd = nrrdNew();
  if (!nrrd || wrap(nrrd, array, data, type)) return nrrd;
  nrrdNix(nrrd);
  return NULL;
}

bool ddr_nrrd_give(const ddr_array *array, void *client) {
  Nrrd *nrrd = client;
  nrrdEmpty(nrrd);
  return !array->data || wrap(nrrd, array, array->data, ddr_nrrd_sample_type(array));
}
