/* api_draw.h: arguments of calls from the bytes of a fuzzer, and their memory.
 *
 * Only the facts that a library cannot check are always right: arrays have exactly the memory that
 * their descriptors promise, and keep it until the draw is cleared.  Everything else is
 * arbitrary. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <teem/nrrd.h>

#include "ddr/library.h"

enum { DRAW_MOST = 256 };

typedef struct Draw {
  const uint8_t *bytes;
  size_t n;
  void *buffers[DRAW_MOST];
  size_t n_buffers;
  Nrrd *nrrds[DRAW_MOST];
  bool is_adopted[DRAW_MOST]; /* a world frees the samples */
  size_t n_nrrds;
} Draw;

bool draw_is_over(const Draw *draw);
uint8_t draw_byte(Draw *draw);
uint32_t draw_below(Draw *draw, uint32_t n);

/* Small numbers, or the greatest and least there are: counts in between would only take time. */
int64_t draw_count(Draw *draw);
double draw_real(Draw *draw);
const char *draw_file(Draw *draw); /* or NULL */
const char *draw_text(Draw *draw); /* or NULL */

/* NULL now and then. */
diderot_view_t *draw_view(Draw *draw, diderot_view_t *view);
diderot_frame_t *draw_frame(Draw *draw, diderot_frame_t *frame);
const double *draw_place(Draw *draw, double *place, int n);

/* A Nrrd for a world, which adopts its samples if the call says so. */
Nrrd *draw_nrrd(Draw *draw);
void draw_adopt(Draw *draw, const Nrrd *nrrd);

/* When no world is left that holds any of it. */
void draw_clear(Draw *draw);
