/* errors.h: the messages of a world (ddr_error and its like are in ddr/ddr.h).
 *
 * Read next: errors.c.
 */
#pragma once

#include <pthread.h>

#include "text.h"

typedef struct ddr_message {
  struct ddr_message *older;
  char text[];
} ddr_message;

typedef struct ddr_messages {
  pthread_mutex_t lock; /* any thread may record an error; a fault of strands, too */
  ddr_message *newest;
  ddr_message *settled; /* older ones, which stop nothing any more */
  bool is_lost;         /* one: no memory to record it */
  ddr_text notes;       /* one line each, for the caller to show */
} ddr_messages;

/* What was recorded so far waits for ddr_take_errors and no longer stops any phase. */
void ddr_settle_errors(ddr_world *world);

/* Something waits for ddr_take_errors, settled or not. */
bool ddr_has_messages(ddr_world *world);

/* A line for the user that is no error. */
void ddr_note(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);
