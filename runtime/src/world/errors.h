/* errors.h: the messages of a world (ddr_error and its like are in ddr/ddr.h).
 *
 * Read next: errors.c.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "text.h"

typedef struct ddr_message {
  struct ddr_message *older;
  uint64_t thread; /* the only thread that gets it (ddr_thread_number); 0: the first that asks */
  char text[];
} ddr_message;

typedef struct ddr_messages {
  pthread_mutex_t lock; /* any thread may record an error, or a fault of strands */
  ddr_message *newest;
  _Atomic bool any;     /* newest or is_lost: read for each block, without the lock */
  ddr_message *settled; /* older errors, which stop nothing any more, and refusals */
  bool is_lost;         /* an error: there was no memory to record it */
  bool is_settled_lost; /* likewise, for a settled error */
  ddr_text notes;       /* one line each, for the caller to show */
} ddr_messages;

/* Errors recorded so far wait for ddr_take_errors and no longer stop phases. */
void ddr_settle_errors(ddr_world *world);

/* The number of the calling thread, from 1; numbers are not reused. */
uint64_t ddr_thread_number(void);

/* Records that a call was refused because another one runs, which is not stopped.  The thread that
 * made the call gets the error; if it was the printer of the run, any thread that asks gets it. */
void ddr_turn_away(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

/* For use while a call may be in progress: settled errors, or the refusals of this thread, which
 * come first and alone.  Errors of the call in progress stay with it. */
bool ddr_any_settled(ddr_world *world);
char *ddr_take_settled(ddr_world *world); /* like ddr_take_errors */

/* A line for the user that is not an error. */
void ddr_note(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);
