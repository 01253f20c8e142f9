/* prints.h: whose print statements go to the printer now.
 *
 * Read next: prints.c.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "text.h"

typedef struct ddr_prints {
  pthread_mutex_t lock;
  _Atomic int64_t turn;  /* ticket of the first block that has not ended yet; 0: nobody's */
  _Atomic bool are_kept; /* some record has text, though it is nobody's turn */
  ddr_printer *printer;
  void *data;
  _Atomic uint64_t thread; /* in whose calls the printer is now, ddr_thread_number; 0: in none */
  uint64_t n_bytes;        /* that were printed */
  bool is_lost;            /* the printer failed, which is recorded */
  bool is_mute;            /* what is said has been said before */
} ddr_prints;

/* Whether its statements may go to the printer now. */
bool ddr_text_has_turn(const ddr_text *text);
void ddr_text_release(ddr_text *text); /* hand all finished statements to the printer */

/* Those from byte `begin` to `end`; false: one failed, which is recorded. */
bool ddr_text_print(const ddr_text *text, size_t begin, size_t end);
