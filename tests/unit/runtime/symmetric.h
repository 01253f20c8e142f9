/* Symmetric matrices that are difficult for eigensystems, as doubles; tests round them as needed.
 * The six entries are the upper half, row by row. */
#pragma once

#include "ddr/eigen.h"

static const int symmetric_at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static uint32_t random_state;

static inline double uniform(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) * 0x1p-23 - 1;
}

static inline void put(ddr_vec3d v, double dst[3]) { dst[0] = v.x, dst[1] = v.y, dst[2] = v.z; }

/* The eigensystem in doubles. */
static inline void system_of_3(const double m[6], double lambda[3], double vectors[3][3]) {
  const ddr_eigen3d s = ddr_eigen3((ddr_sym3d){m[0], m[1], m[2], m[3], m[4], m[5]});
  put(s.values, lambda);
  put(s.vectors.first, vectors[0]);
  put(s.vectors.second, vectors[1]);
  put(s.vectors.third, vectors[2]);
}

static inline void system_of_2(const double m[3], double lambda[2], double vectors[4]) {
  const ddr_eigen2d s = ddr_eigen2((ddr_sym2d){m[0], m[1], m[2]});
  lambda[0] = s.first, lambda[1] = s.second;
  vectors[0] = vectors[3] = s.y;
  vectors[1] = 0 - s.x, vectors[2] = s.x;
}

/* Two or three eigenvalues at that distance from each other, in any frame. */
static inline void nearly_equal(int number, double gap, double m[6]) {
  const double values[4][3] = {
      {2, -1, -1 + gap}, {2, 2 - gap, -1}, {1, 1 + gap, 1 - gap}, {gap, 0, 0}};
  const double x = uniform(), y = uniform(), z = uniform();
  const ddr_vec3d axis = ddr_unit3d((ddr_vec3d){x, y, z}), u = ddr_eigen_across(axis, axis);
  const ddr_vec3d v = ddr_cross3d(axis, u);
  const double frame[3][3] = {{axis.x, axis.y, axis.z}, {u.x, u.y, u.z}, {v.x, v.y, v.z}};
  for (int i = 0, at = 0; i < 3; i++) {
    for (int k = i; k < 3; k++, at++) {
      m[at] = 0;
      for (int f = 0; f < 3; f++) m[at] += values[number % 4][f] * frame[f][i] * frame[f][k];
    }
  }
}
