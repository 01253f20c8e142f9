/* The loops of queries (ddr/host/near.h) at the width that this test is compiled for: the points in
 * a ball against a plain loop, and the order against sorting. */
#include "ddr/host/near.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { N_POINTS = 67 };

static uint64_t state = 1;

/* Uniform from -1 to 1. */
static double uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 4503599627370496.0 - 1;
}

/* Points, some of them on the edge of the ball or not finite; padding after them is read, but not
 * found. */
#define NEAR_CASE(real)                                                                            \
  static real places_##real[DDR_MOST_DIM][N_POINTS + DDR_NEAR_SPARE];                              \
  static bool is_in_##real(int dim, const real *centre, real radius, uint32_t at) {                \
    real sum = 0;                                                                                  \
    for (int k = 0; k < dim; k++) {                                                                \
      const real difference = places_##real[k][at] - centre[k], square = difference * difference;  \
      sum = sum + square;                                                                          \
    }                                                                                              \
    return sum < radius * radius;                                                                  \
  }                                                                                                \
  static void finds_##real(void) {                                                                 \
    static uint32_t slots[N_POINTS + DDR_NEAR_SPARE];                                              \
    uint32_t hits[2 * N_POINTS + DDR_NEAR_SPARE];                                                  \
    const real centre[DDR_MOST_DIM] = {(real)0.1, (real)-0.2, 0}, radius = (real)0.75;             \
    state = 11;                                                                                    \
    for (uint32_t at = 0; at < N_POINTS; at++) {                                                   \
      slots[at] = 1000 - 7 * at;                                                                   \
      for (int k = 0; k < DDR_MOST_DIM; k++) places_##real[k][at] = (real)uniform();               \
    }                                                                                              \
    places_##real[0][5] = centre[0] + radius;                                                      \
    places_##real[1][5] = centre[1];                                                               \
    places_##real[2][5] = centre[2];                                                               \
    places_##real[0][9] = (real)NAN;                                                               \
    for (int dim = 1; dim <= DDR_MOST_DIM; dim++)                                                  \
      for (uint32_t begin = 0; begin < N_POINTS; begin++)                                          \
        for (uint32_t end = begin + 1; end <= N_POINTS; end++) {                                   \
          const ddr_near_points points = {                                                         \
              dim, {places_##real[0], places_##real[1], places_##real[2]}, slots};                 \
          const ddr_near_ball ball = {centre, &radius, slots[(begin + end) / 2 % N_POINTS]};       \
          const ddr_near_run runs[] = {{begin, end}, {begin / 2, begin}};                          \
          const int n_runs = begin > 0 ? 2 : 1;                                                    \
          const uint32_t n = ddr_near_##real(&points, &ball, runs, n_runs, hits);                  \
          uint32_t n_wanted = 0;                                                                   \
          for (uint32_t k = begin; k < end + (begin + 1) / 2; k++) {                               \
            const uint32_t at = k < end ? k : begin / 2 + k - end;                                 \
            if (!is_in_##real(dim, centre, radius, at) || slots[at] == ball.self) continue;        \
            CHECK(n_wanted < n && hits[n_wanted] == slots[at]);                                    \
            n_wanted++;                                                                            \
          }                                                                                        \
          CHECK_EQ(n, n_wanted);                                                                   \
        }                                                                                          \
  }
NEAR_CASE(float)
NEAR_CASE(double)

static int by_size(const void *a, const void *b) {
  const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static void orders_slots(void) {
  uint32_t hits[DDR_NEAR_FEW + DDR_NEAR_SPARE], sorted[DDR_NEAR_FEW];
  int64_t ordered[DDR_NEAR_FEW] = {0};
  for (int n = 0; n <= DDR_NEAR_FEW; n++) {
    memset(hits, 0, sizeof hits);
    for (int k = 0; k < n; k++) hits[k] = (uint32_t)(k * 61 % 97) * 22000000u; /* up to 2^31 */
    memcpy(sorted, hits, sizeof sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    ddr_near_order(hits, n, ordered);
    for (int k = 0; k < n; k++) CHECK_EQ(ordered[k], (int64_t)sorted[k]);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(finds_float);
  RUN(finds_double);
  RUN(orders_slots);
  return test_result();
}
