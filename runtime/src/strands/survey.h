/* survey.h: where strands are: bounding boxes, positions of strands in columns, and the division of
 * a rank's share into pieces of strands near each other.
 *
 * Axes that the program does not have are 0, and tests skip them.
 * Read next: survey.c, halo.h; space/partial_index.c.
 */
#pragma once

#include <math.h>

#include "ddr/cells.h"
#include "store.h"

/* --- closed boxes ----------------------------------------------------------------------------- */

/* All points from lo to hi, both included; empty if lo > hi. */
typedef struct ddr_region {
  double lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
} ddr_region;

static inline ddr_region ddr_region_none(void) {
  return (ddr_region){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bool ddr_region_is_none(const ddr_region *region) {
  return !(region->lo[0] <= region->hi[0]);
}

/* Also false for a position that is not finite. */
static inline bool ddr_region_has(const ddr_region *region, const double pos[], int dim) {
  bool is_in = true;
  for (int k = 0; k < DDR_MOST_DIM && k < dim; k++)
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

/* The box extended by `reach` on all sides; an empty one stays empty. */
static inline ddr_region ddr_region_grown(ddr_region region, double reach) {
  if (ddr_region_is_none(&region)) return region;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    region.lo[k] -= reach;
    region.hi[k] += reach;
  }
  return region;
}

/* --- places ----------------------------------------------------------------------------------- */

#if defined(DDR_SMALL_SIZES)
enum { DDR_CHUNK = 4 };
#else
enum { DDR_CHUNK = 256 };
#endif

/* Positions of up to DDR_CHUNK strands, from `before`. */
typedef struct ddr_places {
  int64_t n;
  int64_t slots[DDR_CHUNK];
  double at[DDR_MOST_DIM][DDR_CHUNK];
} ddr_places;

/* Reads the finite positions of slots [begin, end), at most DDR_CHUNK. */
void ddr_places_read(const ddr_world *world, int64_t begin, int64_t end, ddr_places *places);

/* The least and the greatest finite number of a column; lo > hi: there is none. */
void ddr_bounds_float(const float *x, int64_t n, double *lo, double *hi);
void ddr_bounds_double(const double *x, int64_t n, double *lo, double *hi);

/* The bounding box. */
ddr_region ddr_places_box(const ddr_places *places);

/* --- pieces ----------------------------------------------------------------------------------- */

enum { DDR_PIECES = 16 }; /* of a share; more would cost more bytes than they save */

/* A survey of the share of this rank.  Pieces end where a strand is far from the next one, for
 * example at the end of a row or layer. */
typedef struct ddr_survey {
  ddr_strand_run own;
  ddr_region all, running;  /* around all own strands, and around those that run */
  ddr_region *chunks;       /* around the running strands of each chunk; the caller frees them */
  int64_t ends[DDR_PIECES]; /* the slot after each piece; the last pieces may be empty */
} ddr_survey;

/* The share as one piece, or, if has_pieces, as up to DDR_PIECES. */
ddr_survey ddr_survey_own(const ddr_world *world, bool has_pieces);

/* The box around the running strands of a piece. */
ddr_region ddr_survey_piece(const ddr_world *world, const ddr_survey *survey, int piece);
int64_t ddr_survey_begin(const ddr_survey *survey, int piece);
