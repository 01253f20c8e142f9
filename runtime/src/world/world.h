/* world.h: one run of one program: what all folders may know of it, and where their own parts are.
 *
 * One struct per world, no other state.  A part is declared in the header of its folder, and used
 * only by that folder and those above it; run/life.c allocates all parts together.  The world frees
 * everything it points to, except the program.
 * Read next: README.md; run/life.c (the life of a world).
 */
#pragma once

#include <stdatomic.h>

#include "ddr/program.h"
#include "errors.h"
#include "memory.h"
#include "prints.h"
#include "sequences.h"

/* The world of a library is BARE until its init; all others start as NEW. */
typedef enum { STAGE_BARE, STAGE_NEW, STAGE_CREATED, STAGE_RUNNING, STAGE_DONE } ddr_stage;

/* Called now and then by the thread that runs the world. */
typedef struct ddr_follower {
  void (*call)(void *data); /* NULL: none */
  void *data;
} ddr_follower;

typedef struct ddr_ranks ddr_ranks;             /* ranks/ranks.h */
typedef struct ddr_workers ddr_workers;         /* workers/thread_pool.h */
typedef struct ddr_store ddr_store;             /* strands/store.h */
typedef struct ddr_gpu ddr_gpu;                 /* strands/device.h */
typedef struct ddr_index ddr_index;             /* space/local.h */
typedef struct ddr_samplings ddr_samplings;     /* sampling/sampling.h */
typedef struct ddr_images ddr_images;           /* images/images.h */
typedef struct ddr_checkpoints ddr_checkpoints; /* checkpoint/checkpoint.h */
typedef struct ddr_input_value ddr_input_value; /* inputs/inputs.h */
typedef struct ddr_run_time ddr_run_time;       /* run/run.h */
typedef struct ddr_library ddr_library;         /* library/local.h */
typedef struct ddr_trace ddr_trace;             /* trace/trace.h */

struct ddr_world {
  const ddr_program *program;
  void *globals;
  ddr_stage stage;
  bool is_verbose;
  bool is_stopped; /* atomic, as ddr_is_stopped: the run ends after this superstep, or a step of
                      each strand */
  bool is_unfit;   /* no function of the program may be called on this processor */
  ddr_messages messages;
  ddr_memory memory;
  ddr_prints prints;
  ddr_text text; /* prints of global code */
  ddr_pool pool; /* dynamic sequences of global code */
  ddr_follower follower;

  ddr_ranks *ranks;
  ddr_workers *workers;
  ddr_store *store;
  ddr_gpu *gpu;
  ddr_index *index; /* the index of positions for queries; NULL until it is built */
  ddr_samplings *samplings;
  ddr_images *images;
  ddr_input_value *inputs; /* one per row of the program's table */
  ddr_checkpoints *checkpoints;
  ddr_run_time *run_time;
  ddr_trace *trace;     /* the traced strand; NULL: none */
  ddr_library *library; /* only for worlds of generated libraries; NULL in executables */
};
