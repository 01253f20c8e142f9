/* progress.h: the line of --progress: how far a run is, on a terminal and nowhere else.
 *
 * One line on standard error, renewed a few times a second and removed at the end.
 * Read next: executable.c.
 */
#pragma once

#include <pthread.h>

#include "ddr/ddr.h"

typedef struct ddr_progress {
  ddr_world *world;
  pthread_mutex_t lock; /* prints come from any thread */
  uint32_t limit;       /* supersteps, 0: no limit */
  double begin, last;   /* seconds on the clock; `last` of what is shown */
  bool is_shown;
  ddr_printer *printer; /* what the world's prints go to, between two renewals */
  void *printer_data;
} ddr_progress;

/* Follow the runs of the world, if standard error is a terminal; else nothing happens. */
void ddr_progress_begin(ddr_progress *progress, ddr_world *world, uint32_t limit);
void ddr_progress_end(ddr_progress *progress);
