/* local.h: fields on the grid of strands, axis by axis.
 *
 * Strands probe an image at positions that are a grid parallel to its axes: along each axis of the
 * image a list of positions that goes with one index of the strands, or one position.  Dimensions
 * are those of the image, in the order of the indices: first axes with one position, then the
 * slowest index; the fastest comes last.
 *
 *   samples -> sums along the last dimension -> ... -> all sums but those along the last but one
 *
 * and the sums along that one, `left`, are made for a block of strands when it runs: the few rows
 * that a row of strands needs then are those that the row before had, mostly.
 *
 * Which partial sums are needed follows from the derivatives; each pass makes them from those of
 * the pass before.  Read next: samples.c (what is done), positions.c (is it a grid?), sums.h.
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
      n_worth; /* those that a strand would probe: all, or those inside when there is no border */
  int64_t lo, len; /* samples that are used: lo .. lo + len - 1 */
  int64_t *taps;   /* [n][n_taps]: samples, less lo */
  void *weights;   /* reals [max_order + 1][n][n_taps] */
} SampleAxis;

/* The sums along some dimensions, for each of some derivatives: array [partial][component] with
 * `extent` in each dimension, packed. */
typedef struct SampleStage {
  uint32_t n_partials;
  uint8_t (*partials)[DDR_MAX_DIM]; /* orders along the dimensions that are summed, 0 else */
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
  int64_t n_rows; /* items of a job */
  void *lines;    /* from the image: a line of reals for each worker */
} SamplePass;

/* The arithmetic in one precision; taps ascending, each product rounded. */
typedef struct SampleSums {
  ddr_task *first;  /* item: rows of the image along the last dimension; data: SamplePass */
  ddr_task *middle; /* item: a place in the dimensions up to the one that it sums along */
  /* All values at slots begin .. begin + n - 1, whose fastest index alone differs. */
  void (*fill)(const ddr_sampled *sampled, const int64_t at[], int64_t n, void *values,
               int64_t stride);
} SampleSums;

extern const SampleSums ddr_sums_float, ddr_sums_double;

struct ddr_sampled {
  const ddr_sampling *sampling;
  const ddr_image *image;
  size_t real_size;
  const SampleSums *sums;
  uint8_t (*partials)[DDR_MAX_DIM]; /* of the results, along dimensions instead of axes */
  SampleAxis axes[DDR_MAX_DIM];     /* by dimension */
  int dim;
  int left;          /* dim - 2, which is summed along last */
  uint32_t fast;     /* the fastest index that is not constant */
  SampleStage stage; /* all summed but `left` */
  bool is_made;
  int64_t block_len; /* strands of a block, at most */
  size_t room_size;  /* bytes for the results of one */
  void *rooms;       /* one for each worker */
};

/* positions.c: tables of positions, or why there are none: a phrase for a note. */
const char *ddr_sampled_place(ddr_world *world, ddr_sampled *sampled);
void ddr_sampled_clear(ddr_sampled *sampled);

/* A partial of a stage from a list of derivatives: which one has these orders. */
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
