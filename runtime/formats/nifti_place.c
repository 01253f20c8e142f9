/* nifti_place.c: where the samples of a NIfTI file are, in millimetres to the right, to the front
 * and up.
 *
 * The sform says it, else the qform, else only the distances between samples. In the last case the
 * middle of the grid is at 0 and the first axis goes to the left, as in other readers (SPM,
 * nibabel).
 */
#include <math.h>

#include "runtime/formats/nifti_header.h"

static void place_by_sform(const NiftiHeader *nifti, double place[4][3]) {
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 3; row++)
      place[col][row] = nifti_number(nifti, NIFTI_SROW, row * 4 + col);
  }
}

/* The rotation of the quaternion (a, b, c, d), whose length may be a little off 1. */
static void rotate(double a, const double v[3], double rotation[3][3]) {
  const double scale = 2 / (a * a + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int row = 0; row < 3; row++) {
    const int next = (row + 1) % 3, last = (row + 2) % 3;
    rotation[row][row] = 1 - scale * (v[next] * v[next] + v[last] * v[last]);
    rotation[row][next] = scale * (v[row] * v[next] - a * v[last]);
    rotation[row][last] = scale * (v[row] * v[last] + a * v[next]);
  }
}

static void place_by_qform(const NiftiHeader *nifti, double place[4][3]) {
  double v[3], rotation[3][3], rest = 1;
  for (int k = 0; k < 3; k++) {
    v[k] = nifti_number(nifti, NIFTI_QUATERN, k);
    rest -= v[k] * v[k];
  }
  rotate(rest > 0 ? sqrt(rest) : 0, v, rotation);
  const double z = nifti_number(nifti, NIFTI_PIXDIM, 0) < 0 ? -1 : 1;
  for (int col = 0; col < 3; col++) {
    const double step = fabs(nifti_number(nifti, NIFTI_PIXDIM, 1 + col)) * (col == 2 ? z : 1);
    for (int row = 0; row < 3; row++) place[col][row] = step * rotation[row][col];
  }
  for (int row = 0; row < 3; row++) place[3][row] = nifti_number(nifti, NIFTI_QOFFSET, row);
}

static void place_by_distances(const NiftiHeader *nifti, double place[4][3]) {
  const int n_axes = (int)nifti_number(nifti, NIFTI_DIM, 0);
  for (int axis = 0; axis < 3; axis++) {
    const bool is_there = axis < n_axes;
    const double size = is_there ? nifti_number(nifti, NIFTI_DIM, 1 + axis) : 1;
    const double distance = is_there ? nifti_number(nifti, NIFTI_PIXDIM, 1 + axis) : 1;
    const double step = axis == 0 ? -distance : distance;
    place[axis][axis] = step;
    place[3][axis] = -step * (size - 1) / 2;
  }
}

void nifti_place(const NiftiHeader *nifti, double place[4][3]) {
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 3; row++) place[col][row] = 0;
  }
  if (nifti_number(nifti, NIFTI_SFORM_CODE, 0) > 0) place_by_sform(nifti, place);
  else if (nifti_number(nifti, NIFTI_QFORM_CODE, 0) > 0) place_by_qform(nifti, place);
  else place_by_distances(nifti, place);
}
