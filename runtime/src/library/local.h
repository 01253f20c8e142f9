/* local.h: what the files of this folder share.
 *
 * Read next: library.c.
 */
#pragma once

#include <stdatomic.h>

#include "ddr/library.h"
#include "runtime/src/world/world.h"

/* Values of one output that were gathered for a view. */
typedef struct ddr_gathered {
  void *lengths, *data;
} ddr_gathered;

typedef struct ddr_started ddr_started; /* library_started.c */

/* What only the world of a library has. */
struct ddr_library {
  const char *prefix; /* of the library's functions */
  /* A call is in progress: print callbacks and other threads must not make one. */
  _Atomic bool is_busy;
  bool has_strands; /* create has succeeded */
  bool is_interruptible;
  ddr_library_left *leave_ranks; /* called when the library is freed; NULL: there are no ranks */
  void *ranks;
  const void **nrrds; /* one per input: the Nrrd last set */
  void **adopted;     /* data of Nrrds, without repetitions; freed with the world */
  size_t n_adopted;
  ddr_gathered *gathered;       /* one per output */
  ddr_started *_Atomic started; /* runs in another thread; NULL: there was none */
  ddr_library_printer *printer;
  void *printer_data;
};

/* library_inputs.c: whether inputs may be set now, and `given` is not NULL. */
ddr_status ddr_library_check_input(ddr_world *world, uint32_t idx, const void *given,
                                   const char *what);

/* library_device.c: before strands are created, checks images on devices, and copies them to the
 * host if it will read them. */
ddr_status ddr_library_settle_images(ddr_world *world);

/* library_outputs.c: whether a function of that name may be called now; then, the error that the
 * output cannot be got, or written, for a reason. */
ddr_status ddr_library_check_turn(ddr_world *world, uint32_t idx, const char *verb);
ddr_status ddr_library_refuse(ddr_world *world, uint32_t idx, const char *reason);

/* library_outputs.c: the values of an output, in place or gathered in *gathered, which the caller
 * frees. */
ddr_status ddr_library_look(ddr_world *world, uint32_t idx, ddr_moment moment,
                            diderot_view_t *values, void **gathered);

/* library_interrupt.c: between begin and end, SIGINT stops the run of an interruptible world. */
void ddr_library_begin_run(ddr_world *world);
void ddr_library_end_run(ddr_world *world);

/* library.c: called between these two; reports the run in verbose mode. */
uint32_t ddr_library_make_run(ddr_world *world, uint32_t max_steps);

/* library_started.c: waits for the end of a started run, unless this is its own thread. */
void ddr_library_await(const ddr_world *world);
void ddr_library_free_started(ddr_started *started);

/* library.c: the world, after waiting for a started run; NULL for NULL. */
const ddr_world *ddr_library_at_rest(const ddr_world *world);

/* library_ranks.c.  Collective.  An error if inputs differ between ranks; copies the states of all
 * strands to every rank. */
ddr_status ddr_library_compare_ranks(ddr_world *world);
ddr_status ddr_library_fetch_states(ddr_world *world);

/* Every call that may change the world is between these two.  enter returns false if no call may be
 * made now, and records why.  leave returns whether the call failed. */
bool ddr_library_enter(ddr_world *world);
bool ddr_library_leave(ddr_world *world, ddr_status status);
