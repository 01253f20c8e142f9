/* local.h: what the files of this room share.
 *
 * Read next: library.c.
 */
#pragma once

#include <stdatomic.h>

#include "ddr/library.h"
#include "runtime/src/world/world.h"

/* What views of one output may look at when the values had to be gathered. */
typedef struct ddr_gathered {
  void *lengths, *data;
} ddr_gathered;

typedef struct ddr_started ddr_started; /* library_started.c */

/* What only the world of a library has. */
struct ddr_library {
  const char *prefix;   /* of the library's functions */
  _Atomic bool is_busy; /* a call is under way: no print callback or thread may begin another */
  bool has_strands;     /* create went well */
  bool is_interruptible;
  ddr_library_left *leave_ranks; /* when it goes; NULL: there are no ranks */
  void *ranks;
  const void **nrrds; /* one per input: the Nrrd last set */
  void **adopted;     /* data of Nrrds, each once; freed with the world */
  size_t n_adopted;
  ddr_gathered *gathered;       /* one per output */
  ddr_started *_Atomic started; /* what is known of runs by another thread; NULL: there was none */
  ddr_library_printer *printer;
  void *printer_data;
};

/* library_inputs.c: may inputs be set, and is what is given not NULL? */
ddr_status ddr_library_check_input(ddr_world *world, uint32_t idx, const void *given,
                                   const char *what);

/* library_device.c: before strands are created, images that clients have on devices are where they
 * will be read. */
ddr_status ddr_library_settle_images(ddr_world *world);

/* library_outputs.c: is it time for a function of that name?  The output cannot be got, or written,
 * for that reason. */
ddr_status ddr_library_check_turn(ddr_world *world, uint32_t idx, const char *verb);
ddr_status ddr_library_refuse(ddr_world *world, uint32_t idx, const char *reason);

/* library_outputs.c: the values, where they lie or gathered in *gathered, which the caller frees.
 */
ddr_status ddr_library_look(ddr_world *world, uint32_t idx, ddr_moment moment,
                            diderot_view_t *values, void **gathered);

/* library_interrupt.c: from begin to end, SIGINT stops the run of a world that is interruptible. */
void ddr_library_begin_run(ddr_world *world);
void ddr_library_end_run(ddr_world *world);

/* library.c: between those; with a report to who listens. */
uint32_t ddr_library_make_run(ddr_world *world, uint32_t max_steps);

/* library_started.c: the end of a run that was started, unless its own thread asks. */
void ddr_library_await(const ddr_world *world);
void ddr_library_free_started(ddr_started *started);

/* library.c: the world, which a run that was started changes no more; NULL: NULL. */
const ddr_world *ddr_library_at_rest(const ddr_world *world);

/* library_ranks.c.  Collective.  An error if inputs differ between ranks; copies the states of all
 * strands to every rank. */
ddr_status ddr_library_compare_ranks(ddr_world *world);
ddr_status ddr_library_fetch_states(ddr_world *world);

/* Every call that may change the world is between these; enter is false, and the reason recorded,
 * when there may be none now.  leave returns whether the call failed. */
bool ddr_library_enter(ddr_world *world);
bool ddr_library_leave(ddr_world *world, ddr_status status);
