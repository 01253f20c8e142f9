/* kinds.c: the table of kinds. */
#include "runtime/header/kinds.h"

#include <limits.h>

#include <teem/nrrd.h>

/* How a symmetric matrix is stored: its upper triangle, row by row. */
static const int expand_2d[4] = {0, 1, 1, 2};
static const int expand_3d[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};

/* clang-format off */
static const ddr_value_kind kinds[] = {
  {nrrdKind2Vector,     2, 2, NULL},
  {nrrdKind3Vector,     3, 3, NULL},
  {nrrdKind3Color,      3, 3, NULL},
  {nrrdKindRGBColor,    3, 3, NULL},
  {nrrdKind4Vector,     4, 4, NULL},
  {nrrdKind4Color,      4, 4, NULL},
  {nrrdKindRGBAColor,   4, 4, NULL},
  {nrrdKind2DMatrix,    4, 4, NULL},
  {nrrdKind3DMatrix,    9, 9, NULL},
  {nrrdKind2DSymMatrix, 3, 4, expand_2d},
  {nrrdKind3DSymMatrix, 6, 9, expand_3d},
  {nrrdKindList,        0, 0, NULL}, /* of any size for which there is no other kind, row-major */
};
/* clang-format on */

enum { N_KINDS = sizeof kinds / sizeof *kinds };

bool ddr_kind_is_spatial(int kind) { return kind == nrrdKindUnknown || nrrdKindIsDomain(kind); }

/* Whether tensors of so many components have a kind of their own. */
static bool have_a_kind(size_t size) {
  for (int row = 0; row < N_KINDS; row++)
    if ((size_t)kinds[row].n_stored == size && kinds[row].n_components == kinds[row].n_stored)
      return true;
  return false;
}

static ddr_value_kind with_size(const ddr_value_kind *row, size_t size) {
  ddr_value_kind values = *row;
  if (values.n_stored == 0 && size <= INT_MAX && !have_a_kind(size))
    values.n_stored = values.n_components = (int)size;
  return values;
}

bool ddr_value_kind_of(int kind, size_t size, ddr_value_kind *values) {
  for (int row = 0; row < N_KINDS; row++) {
    if (kinds[row].kind != kind) continue;
    *values = with_size(&kinds[row], size);
    return (size_t)values->n_stored == size;
  }
  return false;
}

bool ddr_value_kind_for(size_t size, int n_components, ddr_value_kind *values) {
  if (n_components == 1) return false;
  for (int row = 0; row < N_KINDS; row++) {
    *values = with_size(&kinds[row], size);
    if ((size_t)values->n_stored == size && values->n_components == n_components) return true;
  }
  return false;
}
