/* check.h: what the files of the device's runtime share.
 *
 * All of them are in the common subset of C17 and CUDA C++, as generated device code is
 * (ddr/device/device.h).  Functions return NULL, or one line saying what failed.
 */
#pragma once

#include "ddr/image.h"
#include "runtime/cuda/base/toolkit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_DEVICE_LINE = 256 }; /* bytes of a message or name */

/* What is known of a device. */
typedef struct ddr_device_facts {
  char name[DDR_DEVICE_LINE];
  int64_t n_threads; /* that it holds at a time */
  int32_t n_multiprocessors, warp_size;
  size_t n_bytes; /* of its memory */
} ddr_device_facts;

/* Memory on the device: of a world, or left by one (stock.cu). */
typedef struct ddr_stock_block {
  struct ddr_stock_block *next;
  void *memory;
  size_t n_bytes;
  uint64_t when; /* it was left: how many worlds had begun */
} ddr_stock_block;

/* Memory on the device that grows and never shrinks. */
typedef struct ddr_space {
  void *memory;
  size_t n_bytes;
} ddr_space;

/* An image on a device, of all worlds that show it (images.cu). */
typedef struct ddr_image_copy {
  struct ddr_image_copy *next;
  uint64_t number; /* the image's */
  int id;          /* the device's */
  uint32_t n_worlds;
  ddr_image head;   /* what kernels know of it, */
  ddr_image *image; /* and on the device, unless it is an argument of theirs */
  void *pairs;      /* of samples */
  ddr_stock_block *blocks;
} ddr_image_copy;

/* An image of the host and its copy. */
typedef struct ddr_image_use {
  const ddr_image *host;
  ddr_image_copy *copy;
} ddr_image_use;

/* What sorting strands by place takes (near.cu). */
typedef struct ddr_near_spaces {
  ddr_space bounds, grid, cells, counts, starts, points, places, moved, slots, order;
  bool is_current;             /* but for moves */
  uint32_t has_moved;          /* somebody, since */
  uint32_t n_granted, n_moves; /* supersteps without a look: to come, and after the last look */
} ddr_near_spaces;

/* Characters of the host and their copy. */
typedef struct ddr_string_copy {
  const char *host;
  char *device;
} ddr_string_copy;

/* What strands printed and the world's text has not yet: prints.cu. */
typedef struct ddr_prints {
  ddr_world *world;
  struct ddr_printed *launches;
  uint32_t n_launches, capacity;
  uint32_t n_launched; /* so far: their order */
  uint64_t n_held;     /* bytes */
} ddr_prints;

/* Places in the list of strands that run, or in another list of the same strands. */
typedef struct ddr_batch {
  int64_t first, n;
  const int64_t *in_order; /* NULL: those that run */
} ddr_batch;

/* What kernels tell the host, in one piece of memory. */
typedef struct ddr_outcome {
  unsigned long long taken[DDR_N_HEAPS]; /* by the last launch, in bytes */
  ddr_ended ended;
  uint32_t most_steps; /* of any one strand, since this was cleared */
} ddr_outcome;

struct ddr_device {
  const ddr_program *program;
  int id, id_before; /* that of the caller, during a call */
  const ddr_device_facts *facts;
  struct ddr_place *place; /* in the stock */
  uint64_t number;         /* of this one there */
  ddr_stock_block *blocks; /* all of its memory */
  bool has_failed;         /* some call did */
  ddr_launch launch;
  void *globals;        /* where launches find them: on the device, or for an argument */
  void *globals_before; /* what the host's were when they came there */
  ddr_image_use *images;
  uint32_t n_images;
  ddr_string_copy *strings;
  uint32_t n_string_copies, string_capacity;
  ddr_device_strands strands;
  ddr_batch batch; /* those that the next updates are for */
  ddr_prints prints;
  ddr_space state, status, before, running, steps;    /* behind the pointers of `strands` */
  ddr_space spare_state, spare_status, spare_running; /* where the next ones come to be */
  ddr_space columns;                                  /* the program's table */
  ddr_space scratch;                                  /* of CUB */
  ddr_space values, terms;     /* of a reduction: what strands gave, and the tree */
  ddr_space heap[DDR_N_HEAPS]; /* behind strands.heap */
  ddr_space told;              /* a ddr_outcome; as it was after the last attempt, and before: */
  ddr_outcome outcome, outcome_before;
  int64_t n_ended;                                  /* of those in the list of who runs */
  int64_t n_dead;                                   /* of those in slots */
  ddr_space saved_state, saved_status, saved_steps; /* from before an attempt */
  ddr_space made_before;                            /* by creators of lower rank; births.cu */
  ddr_near_spaces near;
  ddr_space arena;                           /* of sequences that states hold */
  size_t n_in_arena;                         /* bytes of it in use */
  ddr_space sequence_sizes, sequence_places; /* of all of them; the program's table */
  ddr_space global_sequences;                /* those in the globals */
  char *arena_mirror;                        /* of the host */
  bool is_mirrored;                          /* it is what the arena is now */
  int64_t *n_found;                          /* on the device: what a selection found */
  ddr_space *shown;                          /* gathered outputs; NULL: none was asked for */
  bool is_shown;                             /* some output, where it is */
  char message[DDR_DEVICE_LINE];
};

/* --- device.cu: calls of CUDA ----------------------------------------------------------------- */

static inline cudaStream_t ddr_stream(const ddr_device *device) {
  return (cudaStream_t)device->launch.stream;
}

/* "device 0: cannot WHAT: ..." of an error, which is over then: the next launch is not asked about
 * it, unless the device is lost. */
const char *ddr_device_check(ddr_device *device, const char *what, cudaError_t error);
const char *ddr_device_launched(ddr_device *device, const char *what);
const char *ddr_device_allocate(ddr_device *device, void **memory, size_t n_bytes);
const char *ddr_device_copy(ddr_device *device, void *dst, const void *src, size_t n_bytes);
const char *ddr_device_finish(ddr_device *device, const char *what); /* waits for the device */

/* At least so much memory; when it grows, what was there is lost.  `what` is as for a check. */
const char *ddr_space_reserve(ddr_device *device, ddr_space *space, size_t n_bytes);
const char *ddr_space_reserve_for(ddr_device *device, const char *what, ddr_space *space,
                                  size_t n_bytes);
/* Likewise, of zeros where it is new. */
const char *ddr_space_reserve_zeros(ddr_device *device, const char *what, ddr_space *space,
                                    size_t n_bytes);
void ddr_space_release(ddr_device *device, ddr_space *space);
void ddr_space_swap(ddr_space *a, ddr_space *b);

/* --- stock.cu ----------------------------------------------------------------------------------
 */

/* A stream, and the facts; then memory, which is the device's until it is closed.  Between them
 * memory may go back: free waits for the device; leave does not, and the stream has been waited for
 * since it was used. */
cudaError_t ddr_stock_open(ddr_device *device);
cudaError_t ddr_stock_allocate(ddr_device *device, void **memory, size_t n_bytes);
void ddr_stock_free(ddr_device *device, void *memory);
void ddr_stock_leave(ddr_device *device, void *memory);
/* What outlives the device goes to a list; and back, to whatever device is the last one. */
void ddr_stock_detach(ddr_device *device, void *memory, ddr_stock_block **to);
void ddr_stock_attach(ddr_device *device, ddr_stock_block *blocks);
void ddr_stock_close(ddr_device *device); /* all that it has is left, unless it failed */

/* Whether this lies in memory that no world has any more. */
bool ddr_stock_has_left(const void *data);

/* --- cub.cu ----------------------------------------------------------------------------------- */

typedef enum { DDR_THAT_RUN, DDR_THAT_LIVE, DDR_THAT_ARE_STABLE } ddr_choice;

/* Keeps, in their order, those of n slots whose strand is of the choice; `slots` NULL: of 0 to
 * n - 1.  Their number is where device->n_found points. */
const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept);

/* Each of n values becomes the sum of those before it. */
const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n);

/* Likewise of n counts, to other memory. */
const char *ddr_device_scan_counts(ddr_device *device, const uint32_t *counts, int64_t n,
                                   uint32_t *sums);

/* --- sequences.cu, sequences_host.cu ---------------------------------------------------------- */

const char *ddr_sequences_begin(ddr_device *device);

/* After a phase: what states hold of what it made survives the next one. */
const char *ddr_sequences_keep(ddr_device *device);
void ddr_sequences_free(ddr_device *device);

/* Copies those of the globals, and has `globals` refer to the copies. */
const char *ddr_sequences_upload(ddr_device *device, char *globals);

/* The states in bytes [offset, offset + size) are the host's: their sequences, too. */
const char *ddr_sequences_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host);

/* --- near.cu: who is near, for programs that ask ---------------------------------------------- */

/* Before a phase whose methods may ask. */
const char *ddr_near_prepare(ddr_device *device);

/* Then: the slots of strands that run, in the order of places; NULL where that is not known. */
const char *ddr_near_order(ddr_device *device, const int64_t **running);

/* After a phase, before the second columns change; `is_same_store`: nobody died or was born. */
const char *ddr_near_follow(ddr_device *device, bool is_same_store);

/* --- globals.cu ------------------------------------------------------------------------------- */

const char *ddr_globals_upload(ddr_device *device, const void *globals);
void ddr_globals_free(ddr_device *device);

/* --- images.cu -------------------------------------------------------------------------------- */

/* The copy of an image; several globals may be the same one. */
const char *ddr_image_copies_find(ddr_device *device, const ddr_image *host,
                                  const ddr_image_copy **found);
void ddr_image_copies_free(ddr_device *device);

/* --- client_memory.cu, show.cu: as the engine's functions --------------------------------------
 */

const char *ddr_client_find(const void *data, ddr_client_memory *found);
const char *ddr_client_wait(int id, void *stream);
const char *ddr_client_bring(int id, const void *data, size_t n_bytes, void *copy);
const char *ddr_show_output(ddr_device *device, uint32_t idx, bool of_stable,
                            ddr_device_values *values);
const char *ddr_show_take(ddr_device *device, uint32_t idx, bool of_stable, void *values);
void ddr_show_free(ddr_device *device);

/* --- strings.cu: the characters of string globals --------------------------------------------- */

/* In the host's image of the globals, strings become those of the device. */
const char *ddr_strings_replace(ddr_device *device, char *globals);
void ddr_strings_free(ddr_device *device);

/* --- strands.cu: the store -------------------------------------------------------------------- */

const char *ddr_store_create(ddr_device *device, const ddr_strands *host);
const char *ddr_store_allocate(ddr_device *device, const ddr_strands *host); /* its beginning */
void ddr_store_launch_create(ddr_device *device, ddr_grant grant);
const char *ddr_store_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host);
void ddr_store_free(ddr_device *device);

/* Spare columns for so many strands, or for all there is room for now if that is more; what the
 * lists of slots and `before` held is lost.  Then they become the strands'. */
const char *ddr_store_reserve_spare(ddr_device *device, int64_t n_slots, int64_t *capacity);
const char *ddr_store_take_spare(ddr_device *device, int64_t capacity);

/* --- commit.cu: between phases ---------------------------------------------------------------- */

/* Who runs, of those in the list, as their statuses say; the counts follow. */
const char *ddr_store_find_running(ddr_device *device);

/* Likewise after attempts, which counted who ended. */
const char *ddr_store_drop_ended(ddr_device *device);

/* After a phase whose outcome others see: the dead leave, the born join, `before` becomes what
 * `state` is. */
const char *ddr_store_commit(ddr_device *device);

/* --- set_reduction.cu ------------------------------------------------------------------------- */

const char *ddr_set_reduce(ddr_device *device, const ddr_set_reduction *what, int64_t n,
                           const void *context, ddr_reduced *results);

/* --- births.cu -------------------------------------------------------------------------------- */

/* After an attempt, while slots are still the same: who is born, and where. */
const char *ddr_births_count(ddr_device *device, int64_t *n_born);

/* They join the store, which has room for them. */
const char *ddr_births_join(ddr_device *device, int64_t n_born);

/* --- launch_retry.cu -------------------------------------------------------------------------- */

/* Bytes that one launch may print if it can be made smaller. */
#if defined(DDR_SHIM)
enum { DDR_MOST_PRINTED = 1 << 10 };
#else
enum { DDR_MOST_PRINTED = 1 << 26 };
#endif

/* Launches a phase until the heaps of the program were big enough for it, and waits; then
 * device->outcome says what is in them, and how many strands ended is counted.  Of several steps it
 * may be granted fewer, as many as there is memory for. */
typedef void ddr_attempted(ddr_device *device, ddr_grant grant);
const char *ddr_attempt(ddr_device *device, ddr_attempted *phase, ddr_grant grant);

/* --- prints.cu -------------------------------------------------------------------------------- */

bool ddr_prints_wanted(const ddr_device *device); /* does the program print? */

/* After an attempt: what its strands printed is the host's now. */
const char *ddr_prints_take(ddr_device *device);

/* Nothing more will come from slots before `end`: theirs goes to the world's text, in rank order.
 * What the printer says to it is the world's error, and then there is nothing held any more. */
const char *ddr_prints_release(ddr_device *device, int64_t end);
void ddr_prints_free(ddr_device *device);

/* --- run.cu, free_run.cu: phases -------------------------------------------------------------- */

/* A launch of updates of those in device->batch; the list of those that run is new then.  *most:
 * the most updates that any one has done so far, of those that were launched since the clearing. */
const char *ddr_phase_clear_most(ddr_device *device);
const char *ddr_phase_advance(ddr_device *device, ddr_grant grant, uint32_t *most);

/* How many updates the launch after one of n may grant, at most `most`. */
uint32_t ddr_phase_next_steps(const ddr_device *device, uint32_t n, uint32_t most);

/* What comes before a commit: of a superstep, of a run of strands that do not see what others do,
 * and of their end. */
const char *ddr_phase_step(ddr_device *device);
const char *ddr_phase_run_alone(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
void ddr_phase_launch_stabilize(ddr_device *device, ddr_grant grant);

const char *ddr_phase_run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
const char *ddr_phase_run_in_order(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
const char *ddr_phase_end_all(ddr_device *device, ddr_strand_status status);

/* --- part.cu: as the engine's functions ------------------------------------------------------- */

const char *ddr_part_run(ddr_device *device, const ddr_device_part *part, ddr_strands *host,
                         uint32_t *n_steps);
const char *ddr_part_fetch(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                           size_t offset, size_t size, ddr_strands *host);
const char *ddr_part_tell(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                          const ddr_strands *host);

#ifdef __cplusplus
}
#endif
