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
  uint64_t thread; /* the only thread that gets it, ddr_thread_number; 0: the first that asks */
  char text[];
} ddr_message;

typedef struct ddr_messages {
  pthread_mutex_t lock; /* any thread may record an error; a fault of strands, too */
  ddr_message *newest;
  _Atomic bool any;     /* newest or is_lost: asked for each block, without the lock */
  ddr_message *settled; /* older ones, which stop nothing any more, and refusals */
  bool is_lost;         /* one: no memory to record it */
  bool is_settled_lost; /* likewise, of those that stop nothing */
  ddr_text notes;       /* one line each, for the caller to show */
} ddr_messages;

/* What was recorded so far waits for ddr_take_errors and no longer stops any phase. */
void ddr_settle_errors(ddr_world *world);

/* Of the thread that calls, from 1; no two have the same, also when one has ended. */
uint64_t ddr_thread_number(void);

/* A call was refused while another one runs, which does not stop for that.  The thread that made
 * the call gets the error; if that was the printer of the run, any thread that asks gets it. */
void ddr_turn_away(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

/* While a call may be under way: what was settled before, or what this thread was refused, which
 * goes first and alone.  What the call under way records stays with it. */
bool ddr_any_settled(ddr_world *world);
char *ddr_take_settled(ddr_world *world); /* as ddr_take_errors */

/* A line for the user that is no error. */
void ddr_note(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);
