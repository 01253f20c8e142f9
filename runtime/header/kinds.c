/* kinds.c: the table of kinds. */
#include "runtime/header/kinds.h"

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
};
/* clang-format on */

enum { N_KINDS = sizeof kinds / sizeof *kinds };

bool ddr_kind_is_spatial(int kind) { return kind == nrrdKindUnknown || nrrdKindIsDomain(kind); }

const ddr_value_kind *ddr_value_kind_of(int kind) {
  for (int row = 0; row < N_KINDS; row++) {
    if (kinds[row].kind == kind) return &kinds[row];
  }
  return NULL;
}

const ddr_value_kind *ddr_value_kind_for(size_t n_stored, int n_components) {
  for (int row = 0; row < N_KINDS; row++) {
    const ddr_value_kind *found = &kinds[row];
    if ((size_t)found->n_stored == n_stored && found->n_components == n_components) return found;
  }
  return NULL;
}
