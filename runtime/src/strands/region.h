/* region.h: boxes in the space that strands are in, with their borders.
 *
 * On axes beyond those of the program nothing counts.
 * Read next: halo.h, space/part.c.
 */
#pragma once

#include <math.h>

#include "ddr/cells.h"

/* A box; `lo` above `hi`: nothing. */
typedef struct ddr_region {
  double lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
} ddr_region;

static inline ddr_region ddr_region_none(void) {
  return (ddr_region){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bool ddr_region_is_none(const ddr_region *region) {
  return !(region->lo[0] <= region->hi[0]);
}

/* False for a position that is not finite, too. */
static inline bool ddr_region_has(const ddr_region *region, const double pos[], int dim) {
  bool is_in = true;
  for (int k = 0; k < dim; k++)
    is_in &= pos[k] >= region->lo[k] && pos[k] <= region->hi[k] && isfinite(pos[k]);
  return is_in;
}

static inline bool ddr_region_covers(const ddr_region *outer, const ddr_region *inner, int dim) {
  bool is_in = true;
  for (int k = 0; k < dim; k++)
    is_in &= inner->lo[k] >= outer->lo[k] && inner->hi[k] <= outer->hi[k];
  return is_in;
}

static inline bool ddr_region_meets(const ddr_region *a, const ddr_region *b, int dim) {
  bool is_so = true;
  for (int k = 0; k < dim; k++) is_so &= a->lo[k] <= b->hi[k] && a->hi[k] >= b->lo[k];
  return is_so;
}

/* The least box around both. */
static inline ddr_region ddr_region_join(ddr_region a, ddr_region b) {
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    a.lo[k] = fmin(a.lo[k], b.lo[k]);
    a.hi[k] = fmax(a.hi[k], b.hi[k]);
  }
  return a;
}

/* Larger by so much on all sides; nothing stays nothing. */
static inline ddr_region ddr_region_grown(ddr_region region, double reach) {
  if (ddr_region_is_none(&region)) return region;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    region.lo[k] -= reach;
    region.hi[k] += reach;
  }
  return region;
}
