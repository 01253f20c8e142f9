/* progress.h: the line of --progress, which shows on a terminal how far a run is.
 *
 * One line on standard error, renewed a few times a second and removed at the end.
 * Read next: executable.c.
 */
#pragma once

#include <pthread.h>

#include "ddr/ddr.h"

typedef struct ddr_progress {
  ddr_world *world;
  pthread_mutex_t lock; /* prints may come from any thread */
  uint32_t limit;       /* supersteps, 0: no limit */
  /* Seconds on the clock: the start, and the last time that the line was shown. */
  double begin, last;
  bool is_shown;
  ddr_printer *printer; /* the world's own printer, called between two renewals */
  void *printer_data;
} ddr_progress;

/* Shows the progress of the world's runs if standard error is a terminal; else does nothing. */
void ddr_progress_begin(ddr_progress *progress, ddr_world *world, uint32_t limit);
void ddr_progress_end(ddr_progress *progress);
