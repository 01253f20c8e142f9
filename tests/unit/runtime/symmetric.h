/* Symmetric matrices that are hard on eigensystems, of doubles; tests round them as they need. Six
 * entries are the upper half, row by row.
 */
#pragma once

#include "ddr/eigen.h"

static const int symmetric_at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static uint32_t random_state;

static inline double uniform(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) * 0x1p-23 - 1;
}

/* Two or three eigenvalues that far from each other, in any frame. */
static inline void nearly_equal(int number, double gap, double m[6]) {
  const double values[4][3] = {
      {2, -1, -1 + gap}, {2, 2 - gap, -1}, {1, 1 + gap, 1 - gap}, {gap, 0, 0}};
  double axis[3] = {uniform(), uniform(), uniform()}, u[3], v[3];
  ddr_eigen_normalize(axis);
  ddr_eigen3_plane(axis, axis, u, v);
  const double *frame[3] = {axis, u, v};
  for (int i = 0, at = 0; i < 3; i++) {
    for (int k = i; k < 3; k++, at++) {
      m[at] = 0;
      for (int f = 0; f < 3; f++) m[at] += values[number % 4][f] * frame[f][i] * frame[f][k];
    }
  }
}
