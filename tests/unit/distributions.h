/* Distributions of points that are difficult for an index, for the tests of queries on host and
 * device. */
#pragma once

#include <math.h>
#include <stdint.h>

static uint64_t random_state = 1;

static inline double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 9007199254740992.0;
}

typedef double Distribution(int64_t slot, int k); /* coordinate k of a strand */

static double even(int64_t slot, int k) { return (void)slot, (void)k, uniform() * 10 - 3; }
static double lattice(int64_t slot, int k) { return (void)k, (void)slot, floor(uniform() * 8); }
static double same(int64_t slot, int k) { return (void)slot, (double)k + 0.25; }
static double flat(int64_t slot, int k) { return (void)slot, k == 1 ? 2.5 : uniform(); }
static double far_cluster(int64_t slot, int k) {
  return slot % 100 == 7 ? uniform() * 1e6 : 1e3 * (k + 1) + uniform() * 1e-2;
}
static double scales(int64_t slot, int k) {
  return (void)k, ldexp(uniform() - 0.5, (int)(slot % 60) - 30);
}
static double extremes(int64_t slot, int k) {
  static const double values[] = {3e38, -3e38, 1e-45, 0, 1e-38, -1e-30, 1, 1e20};
  return values[(slot + INT64_C(3) * k) % 8] * (slot % 3 == 0 ? 1 : uniform());
}
static double holes(int64_t slot, int k) {
  static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  return slot % 5 == k ? values[slot % 3] : uniform();
}
static double nowhere(int64_t slot, int k) { return (void)slot, (void)k, (double)NAN; }

static const struct {
  Distribution *place;
  double radius; /* typical */
} distributions[] = {{even, 1},        {lattice, 2},        {same, 1},
                     {flat, 0.1},      {far_cluster, 3e-3}, {scales, 1e-2},
                     {extremes, 1e10}, {holes, 0.2},        {nowhere, 1}};
