/* check.h: what the files of the runtime for devices share.
 *
 * They are written in the common subset of C17 and CUDA C++, like generated device code
 * (ddr/device/device.h).  Functions return NULL, or one line that says what failed.
 */
#pragma once

#include "ddr/image.h"
#include "runtime/cuda/base/toolkit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_DEVICE_LINE = 256 }; /* bytes of a message or name */

/* Facts about a device, found when it is opened. */
typedef struct ddr_device_facts {
  char name[DDR_DEVICE_LINE];
  int64_t n_threads; /* that it can run at a time */
  int32_t n_multiprocessors, warp_size;
  size_t n_bytes; /* of its memory */
} ddr_device_facts;

/* Memory on the device: that of a world, or what a world has left (stock.cu). */
typedef struct ddr_stock_block {
  struct ddr_stock_block *next;
  void *memory;
  size_t n_bytes;
  uint64_t when; /* number of worlds that had begun when it was left */
} ddr_stock_block;

/* Memory on the device that grows and never shrinks. */
typedef struct ddr_space {
  void *memory;
  size_t n_bytes;
} ddr_space;

/* An image on a device, shared by all worlds that show it (images.cu). */
typedef struct ddr_image_copy {
  struct ddr_image_copy *next;
  uint64_t number; /* the image's */
  int id;          /* the device's */
  uint32_t n_worlds;
  ddr_image head;   /* what kernels know of it */
  ddr_image *image; /* the same on the device; NULL: it is an argument of kernels */
  void *pairs;      /* of samples */
  ddr_stock_block *blocks;
} ddr_image_copy;

/* An image of the host and its copy. */
typedef struct ddr_image_use {
  const ddr_image *host;
  ddr_image_copy *copy;
} ddr_image_use;

/* For sorting strands by place (near.cu). */
typedef struct ddr_near_spaces {
  ddr_space bounds, grid, cells, counts, starts, points, places, moved, slots, order;
  bool is_current;             /* except for moves */
  uint32_t has_moved;          /* a strand has moved since the last sort */
  uint32_t n_granted, n_moves; /* supersteps without a check: still to come; after the last check */
} ddr_near_spaces;

/* Characters of the host and their copy. */
typedef struct ddr_string_copy {
  const char *host;
  char *device;
} ddr_string_copy;

/* What strands have printed and the world's text does not have yet (prints.cu). */
typedef struct ddr_prints {
  ddr_world *world;
  struct ddr_printed *launches;
  uint32_t n_launches, capacity;
  uint32_t n_launched; /* launches so far, which number the records */
  uint64_t n_held;     /* bytes */
} ddr_prints;

/* A part of the list of strands that run, or of another list of the same strands. */
typedef struct ddr_batch {
  int64_t first, n;
  const int64_t *in_order; /* the other list; NULL: that of the strands that run */
} ddr_batch;

/* What kernels report to the host, in one piece of memory. */
typedef struct ddr_outcome {
  unsigned long long taken[DDR_N_HEAPS]; /* bytes, by the last launch */
  ddr_ended ended;
  uint32_t most_steps; /* of any one strand, since this was cleared */
} ddr_outcome;

struct ddr_device {
  const ddr_program *program;
  int id, id_before; /* of this device; of the caller's, during a call */
  const ddr_device_facts *facts;
  struct ddr_place *place; /* in the stock */
  uint64_t number;         /* of this world there */
  ddr_stock_block *blocks; /* all of its memory */
  bool has_failed;         /* some call of CUDA has */
  ddr_launch launch;
  void *globals;        /* for launches: on the device, or on the host as an argument */
  void *globals_before; /* the host's globals when they were copied there */
  ddr_image_use *images;
  uint32_t n_images;
  ddr_string_copy *strings;
  uint32_t n_string_copies, string_capacity;
  ddr_device_strands strands;
  ddr_device_begin begin; /* for the creation of all strands */
  ddr_batch batch;        /* the strands that the next launch updates */
  ddr_prints prints;
  ddr_space state, status, before, running, steps;    /* behind the pointers of `strands` */
  ddr_space spare_state, spare_status, spare_running; /* for the next ones, while they are made */
  ddr_space columns;                                  /* the program's table */
  ddr_space scratch;                                  /* of CUB */
  ddr_space values, terms;     /* of a reduction: the strands' values, and the tree */
  ddr_space heap[DDR_N_HEAPS]; /* behind strands.heap */
  ddr_space told;              /* a ddr_outcome; as it was after the last attempt, and before it: */
  ddr_outcome outcome, outcome_before;
  int64_t n_ended; /* strands of the running list that have ended */
  int64_t n_dead;  /* dead strands that still have slots */
  ddr_space saved_state, saved_status, saved_steps; /* from before an attempt */
  ddr_space made_before;                            /* by creators of lower rank; births.cu */
  ddr_near_spaces near;
  ddr_space arena;                           /* of sequences that states hold */
  size_t n_in_arena;                         /* bytes of it in use */
  ddr_space sequence_sizes, sequence_places; /* of all sequences; the program's table */
  ddr_space global_sequences;                /* those in the globals */
  char *arena_mirror;                        /* of the host */
  bool is_mirrored;                          /* it is equal to the arena */
  int64_t *n_found; /* on the device: the number that a selection has found */
  ddr_space *shown; /* gathered outputs; NULL: none was requested */
  bool is_shown;    /* an output is shown where it is in memory */
  char message[DDR_DEVICE_LINE];
};

/* --- device.cu: calls of CUDA ----------------------------------------------------------------- */

static inline cudaStream_t ddr_stream(const ddr_device *device) {
  return (cudaStream_t)device->launch.stream;
}

/* The line "device 0: cannot WHAT: ..." of an error.  Clears the error, so that the next launch
 * does not report it again, unless the device is lost. */
const char *ddr_device_check(ddr_device *device, const char *what, cudaError_t error);
const char *ddr_device_launched(ddr_device *device, const char *what);
const char *ddr_device_allocate(ddr_device *device, void **memory, size_t n_bytes);
const char *ddr_device_copy(ddr_device *device, void *dst, const void *src, size_t n_bytes);
const char *ddr_device_finish(ddr_device *device, const char *what); /* waits for the device */

/* Makes a space at least so large; if it grows, its contents are lost.  `what` is as for a check.
 */
const char *ddr_space_reserve(ddr_device *device, ddr_space *space, size_t n_bytes);
const char *ddr_space_reserve_for(ddr_device *device, const char *what, ddr_space *space,
                                  size_t n_bytes);
/* Likewise; new memory is zeroed. */
const char *ddr_space_reserve_zeros(ddr_device *device, const char *what, ddr_space *space,
                                    size_t n_bytes);
void ddr_space_release(ddr_device *device, ddr_space *space);
void ddr_space_swap(ddr_space *a, ddr_space *b);

/* --- stock.cu --------------------------------------------------------------------------------- */

/* open: a stream, and facts about the device.  Then take gives memory, which belongs to the device
 * until it is closed or gives it back: free waits for the device; leave does not, so the caller
 * must have waited for the stream since the last use of the memory. */
cudaError_t ddr_stock_open(ddr_device *device);
cudaError_t ddr_stock_allocate(ddr_device *device, void **memory, size_t n_bytes);
void ddr_stock_free(ddr_device *device, void *memory);
void ddr_stock_leave(ddr_device *device, void *memory);
/* Memory that outlives this device goes to a list, and from there to the device that uses it last.
 */
void ddr_stock_detach(ddr_device *device, void *memory, ddr_stock_block **to);
void ddr_stock_attach(ddr_device *device, ddr_stock_block *blocks);
void ddr_stock_close(ddr_device *device); /* leaves all of its memory, unless the device failed */

/* Whether an address lies in memory that no world has any more. */
bool ddr_stock_has_left(const void *data);

/* --- cub.cu ----------------------------------------------------------------------------------- */

typedef enum { DDR_THAT_RUN, DDR_THAT_LIVE, DDR_THAT_ARE_STABLE } ddr_choice;

/* Selects from n slots, in their order, those whose strands fit the choice; `slots` NULL: from 0 to
 * n - 1.  Writes their number to *device->n_found, on the device. */
const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept);

/* Exclusive prefix sum: each of n values becomes the sum of those before it. */
const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n);

/* Likewise for n counts, into other memory. */
const char *ddr_device_scan_counts(ddr_device *device, const uint32_t *counts, int64_t n,
                                   uint32_t *sums);

/* --- sequences.cu, sequences_host.cu ---------------------------------------------------------- */

const char *ddr_sequences_begin(ddr_device *device);

/* After a phase: keeps the sequences that states hold, so that they survive the next phase. */
const char *ddr_sequences_keep(ddr_device *device);
void ddr_sequences_free(ddr_device *device);

/* Copies the sequences of the globals, and makes `globals` refer to the copies. */
const char *ddr_sequences_upload(ddr_device *device, char *globals);

/* The host has the states in bytes [offset, offset + size); this brings it their sequences. */
const char *ddr_sequences_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host);

/* --- near.cu: who is near, for programs that ask ---------------------------------------------- */

/* Before a phase whose methods may have queries. */
const char *ddr_near_prepare(ddr_device *device);

/* Afterwards: the slots of strands that run, in the order of places; NULL: unknown. */
const char *ddr_near_order(ddr_device *device, const int64_t **running);

/* After a phase, before the second columns change; `is_same_store`: no strand died or was born. */
const char *ddr_near_follow(ddr_device *device, bool is_same_store);

/* --- globals.cu ------------------------------------------------------------------------------- */

const char *ddr_globals_upload(ddr_device *device, const void *globals);
void ddr_globals_free(ddr_device *device);

/* --- images.cu -------------------------------------------------------------------------------- */

/* The copy of an image; several globals may be the same one. */
const char *ddr_image_copies_find(ddr_device *device, const ddr_image *host,
                                  const ddr_image_copy **found);
void ddr_image_copies_free(ddr_device *device);

/* --- client_memory.cu, show.cu: as the engine's functions ------------------------------------- */

const char *ddr_client_find(const void *data, ddr_client_memory *found);
const char *ddr_client_wait(int id, void *stream);
const char *ddr_client_bring(int id, const void *data, size_t n_bytes, void *copy);
const char *ddr_show_output(ddr_device *device, uint32_t idx, bool of_stable,
                            ddr_device_values *values);
const char *ddr_show_take(ddr_device *device, uint32_t idx, bool of_stable, void *values);
void ddr_show_free(ddr_device *device);

/* --- strings.cu: the characters of string globals --------------------------------------------- */

/* In the host's copy of the globals, replaces strings by those on the device. */
const char *ddr_strings_replace(ddr_device *device, char *globals);
void ddr_strings_free(ddr_device *device);

/* --- strands.cu: the store -------------------------------------------------------------------- */

const char *ddr_store_create(ddr_device *device, const ddr_strands *host);
const char *ddr_store_allocate(ddr_device *device, const ddr_strands *host); /* at the beginning */
void ddr_store_launch_create(ddr_device *device, ddr_grant grant);
const char *ddr_store_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host);
void ddr_store_free(ddr_device *device);

/* Spare columns for so many strands, or for as many as there is room for now if that is more; the
 * contents of the lists of slots and of `before` are lost.  Then they become the strands' columns.
 */
const char *ddr_store_reserve_spare(ddr_device *device, int64_t n_slots, int64_t *capacity);
const char *ddr_store_take_spare(ddr_device *device, int64_t capacity);

/* --- commit.cu: between phases ---------------------------------------------------------------- */

/* Keeps in the list the strands that run, by their statuses, and updates the counts. */
const char *ddr_store_find_running(ddr_device *device);

/* Likewise after attempts, which have counted the strands that ended. */
const char *ddr_store_drop_ended(ddr_device *device);

/* After a phase whose results other strands see: removes the dead, adds the born, and copies
 * `state` to `before`. */
const char *ddr_store_commit(ddr_device *device);

/* --- set_reduction.cu ------------------------------------------------------------------------- */

const char *ddr_set_reduce(ddr_device *device, const ddr_set_reduction *what, int64_t n,
                           const void *context, ddr_reduced *results);

/* --- births.cu -------------------------------------------------------------------------------- */

/* After an attempt, while slots are still the same: which strands are born, and where. */
const char *ddr_births_count(ddr_device *device, int64_t *n_born);

/* Adds them to the store, which has room for them. */
const char *ddr_births_join(ddr_device *device, int64_t n_born);

/* --- launch_retry.cu -------------------------------------------------------------------------- */

/* Bytes that one launch may print if it can be made smaller. */
#if defined(DDR_SHIM)
enum { DDR_MOST_PRINTED = 1 << 10 };
#else
enum { DDR_MOST_PRINTED = 1 << 26 };
#endif

/* Launches a phase, again if the heaps of the program were too small, and waits.  Then
 * device->outcome says what is in the heaps, and the strands that ended are counted.  If several
 * steps are wanted, fewer may be granted: as many as there is memory for. */
typedef void ddr_attempted(ddr_device *device, ddr_grant grant);
const char *ddr_attempt(ddr_device *device, ddr_attempted *phase, ddr_grant grant);

/* --- prints.cu -------------------------------------------------------------------------------- */

bool ddr_prints_wanted(const ddr_device *device); /* whether the program prints */

/* After an attempt: copies to the host what its strands printed. */
const char *ddr_prints_take(ddr_device *device);

/* Slots before `end` print nothing more: their text goes to the world's, in rank order.  If the
 * printer ends the run, that is an error of the world, and nothing is held any more. */
const char *ddr_prints_release(ddr_device *device, int64_t end);
void ddr_prints_free(ddr_device *device);

/* --- run.cu, free_run.cu: phases -------------------------------------------------------------- */

/* Launches updates of the strands in device->batch, and makes the list of those that run anew.
 * *most: the greatest number of updates of a strand in launches since the count was cleared. */
const char *ddr_phase_clear_most(ddr_device *device);
const char *ddr_phase_advance(ddr_device *device, ddr_grant grant, uint32_t *most);

/* How many updates a launch may grant after one of n updates of n_ran strands, of which n_ended
 * have ended; at most `most`. */
uint32_t ddr_phase_next_steps(const ddr_device *device, uint32_t n, int64_t n_ran, int64_t n_ended,
                              uint32_t most);

/* The phases before a commit: a superstep, a run of strands that do not see each other, and the end
 * of strands. */
const char *ddr_phase_step(ddr_device *device);
const char *ddr_phase_run_alone(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
void ddr_phase_launch_stabilize(ddr_device *device, ddr_grant grant);

const char *ddr_phase_run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
const char *ddr_phase_run_in_order(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
const char *ddr_phase_end_all(ddr_device *device, ddr_strand_status status);

/* --- rank_share.cu: as the engine's functions ------------------------------------------------- */

const char *ddr_part_run(ddr_device *device, const ddr_device_part *part, ddr_strands *host,
                         uint32_t *n_steps);
const char *ddr_part_fetch(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                           size_t offset, size_t size, ddr_strands *host);
const char *ddr_part_tell(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                          const ddr_strands *host);

#ifdef __cplusplus
}
#endif
