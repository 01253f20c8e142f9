/* prints.h: which print statements go to the printer now.
 *
 * Read next: prints.c.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "text.h"

typedef struct ddr_prints {
  pthread_mutex_t lock;
  /* Ticket of the first block that has not ended; 0: no block has its turn. */
  _Atomic int64_t turn;
  _Atomic bool are_kept; /* some record has text that must wait */
  ddr_printer *printer;
  void *data;
  /* The thread in which the printer is being called (ddr_thread_number); 0: none. */
  _Atomic uint64_t thread;
  uint64_t n_bytes; /* bytes printed */
  bool is_lost;     /* the printer has failed; the error is recorded */
  bool is_mute;     /* discard text that an earlier run has printed */
} ddr_prints;

/* Whether statements of the text may go to the printer now. */
bool ddr_text_has_turn(const ddr_text *text);
void ddr_text_release(ddr_text *text); /* hands all finished statements to the printer */

/* Prints the statements from byte `begin` to `end`; false: one failed, and the error is
 * recorded. */
bool ddr_text_print(const ddr_text *text, size_t begin, size_t end);
