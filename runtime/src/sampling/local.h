/* local.h: fields on the grid of strands, axis by axis.
 *
 * Strands probe an image at positions that form a grid parallel to its axes: along each axis of the
 * image there is a list of positions that depends on one index of the strands, or a single
 * position. Dimensions are the axes of the image, in the order of the indices: first axes with a
 * single position, then the slowest index, and so on; the fastest comes last.
 *
 *   samples -> sums along the last dimension -> ... -> all sums but those along the last but one
 *
 * The sums along that dimension, `left`, are computed for a block of strands when it runs: a row of
 * strands then needs mostly the same few rows as the row before.
 *
 * The derivatives determine which partial sums are needed; each pass computes them from those of
 * the pass before.  Read next: samples.c (the passes), positions.c (is it a grid?), sums.h.
 */
#pragma once

#include "sampling.h"

enum { MAX_SAMPLE_TAPS = DDR_MAX_TAPS };

/* One dimension. */
typedef struct SampleAxis {
  int axis;       /* of the image */
  uint32_t index; /* of the strands; DDR_MAX_ITERATORS: none, one position */
  int64_t n;      /* positions */
  int64_t
      n_worth; /* positions that would be probed: all, or, without a border rule, those inside */
  int64_t lo, len; /* samples in use: lo .. lo + len - 1 */
  int64_t *taps;   /* [n][n_taps]: sample indices, minus lo */
  void *weights;   /* reals [max_order + 1][n][n_taps] */
} SampleAxis;

/* The sums along some dimensions, for each of some derivatives: packed array [partial][component]
 * with `extent` entries along each dimension. */
typedef struct SampleStage {
  uint32_t n_partials;
  /* Order of derivative along each summed dimension; 0 for the others. */
  uint8_t (*partials)[DDR_MAX_DIM];
  int64_t extent[DDR_MAX_DIM];
  bool is_summed[DDR_MAX_DIM];
  void *values;
} SampleStage;

/* One pass. */
typedef struct SamplePass {
  const ddr_sampled *sampled;
  const SampleStage *from; /* NULL: the image */
  const SampleStage *to;
  int dim;        /* along which it sums */
  int64_t n_rows; /* items of the job */
  void *lines;    /* for sums from the image: a line of reals for each worker */
} SamplePass;

/* The arithmetic in one precision; taps are added in ascending order, each product is rounded. */
typedef struct SampleSums {
  ddr_task *first;  /* item: rows of the image along the last dimension; data: SamplePass */
  ddr_task *middle; /* item: indices in the dimensions up to the one along which it sums */
  /* The values at n consecutive strands from `begin` on; only their fastest index differs. */
  void (*fill)(const ddr_sampled *sampled, const int64_t at[], int64_t n, void *values,
               int64_t stride);
} SampleSums;

extern const SampleSums ddr_sums_float, ddr_sums_double;

struct ddr_sampled {
  const ddr_sampling *sampling;
  const ddr_image *image;
  size_t real_size;
  const SampleSums *sums;
  uint8_t (*partials)[DDR_MAX_DIM]; /* of the results, by dimension instead of axis */
  SampleAxis axes[DDR_MAX_DIM];     /* by dimension */
  int dim;
  int left;          /* dim - 2, the dimension that is summed last */
  uint32_t fast;     /* the fastest index that is not constant */
  SampleStage stage; /* summed along all dimensions but `left` */
  bool is_made;
  int64_t block_len; /* most strands in a block */
  size_t room_size;  /* bytes for the results of a block */
  void *rooms;       /* one for each worker */
};

/* positions.c: makes the tables of positions; NULL, or a phrase for a note why there are none. */
const char *ddr_sampled_place(ddr_world *world, ddr_sampled *sampled);
void ddr_sampled_clear(ddr_sampled *sampled);

/* Finds the partial sum of a stage that has these orders of derivative. */
static inline uint32_t ddr_stage_find(const SampleStage *stage, const uint8_t *orders) {
  uint32_t k = 0;
  for (; k < stage->n_partials; k++) {
    bool is_same = true;
    for (int d = 0; d < DDR_MAX_DIM; d++) {
      is_same &= stage->partials[k][d] == (stage->is_summed[d] ? orders[d] : 0);
    }
    if (is_same) break;
  }
  return k;
}
