/* device.h: the part of a program that runs on a GPU, and the macros its kernels are written in.
 *
 * The file that backend-cuda makes is in the common subset of C17 and CUDA C++.  nvcc compiles it
 * for devices; with tests/shim/cuda_host.h before it, which has these words too, it is plain C.
 *
 * State lives on the device in columns, one per scalar of a strand's state, so that neighbouring
 * threads touch neighbouring words.  What is `offset` bytes into the host's struct has its column
 * at offset * capacity: there is room, since the scalars of a struct do not overlap.
 *
 * Read next: backend-cuda/emit_device.c (who fills it in), runtime/cuda/device.cu (who uses it).
 */
#pragma once

#include "ddr/cells.h"
#include "ddr/device/tiles.h"
#include "ddr/program.h"
#include "ddr/reduce.h"
#include "ddr/scalar.h"

#if defined(DDR_GPU)
#define DDR_KERNEL static __global__
#define DDR_DEVICE_FN static __device__ inline __attribute__((unused))
#define DDR_THREAD ((int64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define DDR_UNROLLED _Pragma("unroll")
#define DDR_RESTRICT __restrict__
#if defined(__CUDACC__) && 100 * __CUDACC_VER_MAJOR__ + __CUDACC_VER_MINOR__ >= 1107 &&            \
    (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define DDR_ARGUMENT const __grid_constant__ /* its address may be taken, without a copy */
#else
#define DDR_ARGUMENT const
#endif
#define DDR_LAUNCH(kernel, launch, n, ...)                                                         \
  kernel<<<ddr_launch_blocks(launch, n), ddr_launch_block(launch, n), 0,                           \
           (cudaStream_t)(launch)->stream>>>(__VA_ARGS__)
/* Likewise, with shared memory for teams (team.h). */
#define DDR_LAUNCH_TEAMS(kernel, launch, n, ...)                                                   \
  kernel<<<ddr_launch_blocks(launch, n), ddr_launch_block(launch, n),                              \
           (size_t)ddr_team_bytes(ddr_launch_block(launch, n)), (cudaStream_t)(launch)->stream>>>( \
      __VA_ARGS__)
/* Likewise, with shared memory for a stripe of slots per thread (sort.h). */
#define DDR_LAUNCH_STRIPES(kernel, launch, n, ...)                                                 \
  kernel<<<ddr_launch_blocks(launch, n), ddr_launch_block(launch, n),                              \
           (size_t)ddr_stripes_bytes(ddr_launch_block(launch, n)),                                 \
           (cudaStream_t)(launch)->stream>>>(__VA_ARGS__)
#define DDR_IN_WARPS (threadIdx.x / DDR_WARP_SIZE)
#define DDR_IN_TEAM blockDim.x
#define DDR_DEVICE_MAX(place, value) atomicMax((place), (value))
#define DDR_DEVICE_ADD(place, value) atomicAdd((place), (value)) /* what was there before */
#define DDR_DEVICE_FENCE() __threadfence() /* what was written before is there first */
#endif

/* The struct of arguments, whose first member the globals are (backend-cuda/arguments.c). */
#define DDR_ARGUMENTS(globals) ((const struct arguments *)(const void *)(globals))

#if defined(DDR_GPU)
/* Atomic maximum: one operation for all active threads of a warp, if there is an instruction. */
DDR_DEVICE_FN void ddr_warp_max(uint32_t *place, uint32_t value) {
  if (ddr_warp_takes_max(&value)) atomicMax(place, value);
}
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* --- what kernels work on --------------------------------------------------------------------- */

/* The place of one scalar in a struct, such as a strand's state. */
typedef struct ddr_column {
  uint32_t offset, size; /* bytes */
  bool is_shared;        /* in a dual program: strands read it of each other */
} ddr_column;

/* The columns of all scalars of a struct. */
typedef struct ddr_columns {
  char *memory;
  int64_t capacity; /* slots there is room for: a multiple of 256, which aligns columns */
} ddr_columns;

#define DDR_COLUMN(type, columns, offset)                                                          \
  ((type *)(void *)((columns)->memory + (int64_t)(offset) * (columns)->capacity))

/* Memory from which threads take pieces while a kernel runs.  n_taken counts beyond the capacity,
 * so that the launch can be repeated with enough memory. */
typedef struct ddr_heap {
  char *memory;
  uint64_t capacity; /* bytes */
  unsigned long long *n_taken;
} ddr_heap;

/* A heap for each purpose: new strands, printed text (as records), dynamic sequences. */
enum { DDR_HEAP_BIRTHS, DDR_HEAP_PRINTS, DDR_HEAP_SEQUENCES, DDR_N_HEAPS };

/* A query reads this many points at once, even if fewer are left. */
enum { DDR_POINTS_AT_ONCE = 3 };

/* The index for queries: the positions of strands at the start of the superstep (near.h). */
typedef struct ddr_near {
  const void *cells;      /* ddr_cells_float or ddr_cells_double */
  const uint32_t *starts; /* of each cell: its first point; then their number */
  const void *points;     /* cell by cell: pos_dim reals and a slot, which is a uint32_t */
  const void *places;     /* of each slot, in three dimensions: four reals, of which three count */
  void *radius;           /* a real that the first thread writes: that of its last query */
} ddr_near;

/* Step budget of a strand in one launch: at most `most` updates.  After `least` of them a strand
 * stops when fewer than half of the strands that its warp began with still run: a new launch
 * regroups them.  Teams (team.h) ignore `least`; a block stops when n_few or fewer strands run. */
typedef struct ddr_grant {
  uint32_t least, most, n_few;
  uint32_t n_together; /* set by the kernel: the strands that the warp began with */
} ddr_grant;

/* A record of DDR_HEAP_BIRTHS; the state of the child follows. */
typedef struct ddr_birth {
  int64_t creator, number; /* its slot; how many it had made before */
} ddr_birth;

/* How many strands have ended so far, stable or dead, and how many died. */
typedef struct ddr_ended {
  unsigned long long n, n_dead;
} ddr_ended;

/* The store of strands on the device, an argument of kernels. */
typedef struct ddr_device_strands {
  ddr_columns state;
  ddr_columns before;     /* what methods see of other strands; only with is_dual not `state` */
  uint8_t *status;        /* ddr_strand_status of each slot */
  const int64_t *running; /* the slots of strands that run */
  int64_t n_running, n_slots;
  int64_t first_created, n_created;                            /* slots that a creation fills */
  int64_t n_active, n_stable;                                  /* at the start of the superstep */
  int64_t lo[DDR_MAX_ITERATORS], step, len[DDR_MAX_ITERATORS]; /* as in ddr_strands */
  ddr_near near;
  ddr_heap heap[DDR_N_HEAPS];
  ddr_ended *ended;     /* kernels add to it */
  uint32_t *n_steps;    /* not in lock-step programs: updates of each slot in this run */
  uint32_t *most_steps; /* likewise: the maximum of n_steps */
  uint64_t birth_size;  /* bytes of a ddr_birth with its child */
} ddr_device_strands;

/* For a creation: where the list of strands that run is written, in the order of tiles; NULL: it is
 * there. */
typedef struct ddr_device_begin {
  int64_t *running;
  ddr_device_tiles tiles;
} ddr_device_begin;

/* The surroundings of one thread's strand; the device's ddr_block. */
typedef struct ddr_device_block {
  const ddr_device_strands *strands;
  int64_t slot;
  char *room;               /* memory for its sequences (seq.h) */
  uint64_t n_room, n_taken; /* bytes of that, and how many are in use */
  int64_t n_born;           /* strands that it has made in this phase */
  struct ddr_said *said;    /* last record of the print statement in progress (prints.h) */
  uint32_t n_said;          /* records in this launch */
} ddr_device_block;

DDR_FN ddr_device_block ddr_device_block_at(const ddr_device_strands *strands, int64_t slot) {
  const ddr_device_block block = {strands, slot, NULL, 0, 0, 0, NULL, 0};
  return block;
}

/* More bytes than any device has: a request for them makes the launch fail for good. */
#define DDR_HEAP_NEVER (1ull << 62)

#if defined(DDR_GPU) || defined(DDR_SHIM)
/* A piece of the heap; NULL if the heap is exhausted. */
DDR_DEVICE_FN void *ddr_heap_take(const ddr_heap *heap, uint64_t n_bytes) {
  const uint64_t begin = (uint64_t)ddr_warp_add(heap->n_taken, (unsigned long long)n_bytes);
  const bool is_there = begin <= heap->capacity && n_bytes <= heap->capacity - begin;
  return is_there ? heap->memory + begin : NULL;
}

/* The thread puts a strand on the list, perhaps not the one that it creates. */
DDR_DEVICE_FN void ddr_strand_begins(const ddr_device_strands *strands,
                                     const ddr_device_begin *begin, int64_t thread) {
  if (!begin->running) return;
  begin->running[thread] = ddr_tile_slot(&begin->tiles, thread);
  strands->status[thread] = DDR_NEW;
}

/* Whether a strand that did n_steps updates in this launch may go on. */
DDR_DEVICE_FN bool ddr_is_granted(ddr_grant grant, uint32_t n_steps) {
  return n_steps < grant.most &&
         (n_steps < grant.least || 2 * ddr_n_together(n_steps) >= grant.n_together);
}

/* Sets the status of a strand that ran, and counts those that have ended. */
DDR_DEVICE_FN void ddr_strand_is_now(const ddr_device_strands *strands, int64_t slot,
                                     ddr_strand_status now) {
  strands->status[slot] = (uint8_t)now;
  if (now == DDR_ACTIVE) return;
  ddr_warp_count(&strands->ended->n);
  if (now == DDR_DEAD) ddr_warp_count(&strands->ended->n_dead);
}

DDR_DEVICE_FN void ddr_count_steps(const ddr_device_strands *strands, int64_t slot,
                                   uint32_t n_steps) {
  const uint32_t n_all = strands->n_steps[slot] + n_steps;
  strands->n_steps[slot] = n_all;
  ddr_warp_max(strands->most_steps, n_all);
}
#endif

/* --- launches --------------------------------------------------------------------------------- */

/* How kernels are launched: block_size threads per block, or fewer, down to least_block, if
 * multiprocessors would be idle otherwise. */
typedef struct ddr_launch {
  void *stream;
  int32_t block_size, least_block, n_multiprocessors;
} ddr_launch;

/* Threads per block in a launch of n. A block runs on one multiprocessor: with few threads in all,
 * large blocks would leave others idle. */
static inline int32_t ddr_launch_block(const ddr_launch *launch, int64_t n) {
  int32_t size = launch->block_size;
  while (size / 2 >= launch->least_block && n <= (int64_t)size / 2 * launch->n_multiprocessors)
    size /= 2;
  return size;
}

static inline uint32_t ddr_launch_blocks(const ddr_launch *launch, int64_t n) {
  const int32_t size = ddr_launch_block(launch, n);
  return (uint32_t)((n + size - 1) / size);
}

/* Bytes of the memory of a team (team.h): a slot for each thread, three words, and one for each
 * warp. */
static inline int32_t ddr_team_bytes(int32_t n_threads) {
  const int32_t most_warps = (n_threads + 31) / 32;
  return n_threads * (int32_t)sizeof(int64_t) + (3 + most_warps) * (int32_t)sizeof(uint32_t);
}

/* Bytes of the stripes of a block (sort.h); 0 if its shared memory is too small for them. */
enum {
  DDR_STRIPE_BYTES = (65 + DDR_POINTS_AT_ONCE) * sizeof(uint32_t),
  DDR_MOST_STRIPE_BYTES = 48 << 10
};
#if defined(DDR_GPU)
__host__ __device__
#endif
    static inline int32_t
    ddr_stripes_bytes(int32_t n_threads) {
  const int32_t n_bytes = n_threads * (int32_t)DDR_STRIPE_BYTES;
  return n_bytes <= DDR_MOST_STRIPE_BYTES ? n_bytes : 0;
}

typedef void ddr_create_launch(const ddr_launch *launch, const void *globals,
                               ddr_device_strands strands, ddr_device_begin begin);

typedef void ddr_update_launch(const ddr_launch *launch, const void *globals,
                               ddr_device_strands strands, ddr_grant grant);

/* Computes the values of n members of a set for a reduction, into columns with room for n.  The
 * members are in `slots`; NULL: all slots.  The context is that of the host's function; only the
 * variables in it are read. */
typedef void ddr_members_launch(const ddr_launch *launch, const void *globals,
                                ddr_device_strands strands, const int64_t *slots, int64_t n,
                                const void *context, void *columns);

/* The stabilize method of each strand that runs; its status stays. */
typedef void ddr_stabilize_launch(const ddr_launch *launch, const void *globals,
                                  ddr_device_strands strands);

/* --- memory of clients ------------------------------------------------------------------------ */

/* ROW(number, C type): the types of samples in views, as Teem numbers them. */
#define DDR_VIEW_TYPES(ROW)                                                                        \
  ROW(1, int8_t)                                                                                   \
  ROW(2, uint8_t)                                                                                  \
  ROW(3, int16_t)                                                                                  \
  ROW(4, uint16_t)                                                                                 \
  ROW(5, int32_t)                                                                                  \
  ROW(6, uint32_t)                                                                                 \
  ROW(7, int64_t)                                                                                  \
  ROW(8, uint64_t)                                                                                 \
  ROW(9, float)                                                                                    \
  ROW(10, double)

/* Samples of an image in a client's memory on a device: their type and layout. */
typedef struct ddr_given_samples {
  const char *data; /* component 0 of voxel (0,0,0) */
  int32_t type;     /* of DDR_VIEW_TYPES */
  int64_t step[3];  /* bytes to the next along x, y, z */
  int64_t component_step;
} ddr_given_samples;

/* What is known of the memory at an address. */
typedef struct ddr_client_memory {
  int id;            /* of the device; -1: any device can read it */
  const char *begin; /* of the allocation; unknown if n_bytes is SIZE_MAX */
  size_t n_bytes;
} ddr_client_memory;

/* Values of an output on the device, strand by strand in rank order. */
typedef struct ddr_device_values {
  void *data;                                     /* NULL: there are none */
  int64_t n_strands, strand_step, component_step; /* bytes */
} ddr_device_values;

/* --- the device as the world sees it ---------------------------------------------------------- */

typedef struct ddr_device ddr_device; /* runtime/cuda/device.cu */

/* Numbers of strands between two phases, when none is dead. */
typedef struct ddr_counts {
  int64_t n_slots, n_active, n_stable;
} ddr_counts;

/* What a rank does with its own strands, if several ranks share them. */
typedef enum {
  DDR_WORK_CREATE,
  DDR_WORK_UPDATE,    /* as `run` */
  DDR_WORK_WHOLE,     /* both */
  DDR_WORK_STABILIZE, /* the stabilize method; statuses stay */
} ddr_part_work;

/* Slots that a rank works on. Slots count the strands of all ranks, and mean the same on all
 * devices. */
typedef struct ddr_device_part {
  int64_t first, n;
  ddr_counts counts; /* of all ranks */
  ddr_part_work work;
  uint32_t max_steps;
} ddr_device_part;

/* Columns of states, or of what others see of them (ddr_column.is_shared). */
typedef enum { DDR_PART_STATE, DDR_PART_SHARED, DDR_PART_BEFORE } ddr_part_columns;

/* The functions that a world calls.  They return NULL, or one line that says what failed; after
 * that only `close` is allowed. */
typedef struct ddr_device_engine {
  /* Opens device number `id`; with `any`, `id` modulo the number of devices.  Blocks have
   * block_size threads; 0: the engine chooses.  What strands print goes to the world's text.  On
   * failure *device is NULL. */
  const char *(*open)(const ddr_program *program, ddr_world *world, int id, bool any,
                      uint32_t block_size, ddr_device **device);
  /* Whether this machine has a device, usable or not, or a driver that cannot tell. */
  bool (*is_there)(void);
  const char *(*name)(const ddr_device *device); /* for people */
  /* Copies the globals and the images in them to the device.  Called again when globals may have
   * changed; images do not change. */
  const char *(*upload)(ddr_device *device, const void *globals);
  /* Allocates memory for all initial strands, and creates them. */
  const char *(*create)(ddr_device *device, const ddr_strands *strands);
  /* Like ddr_program.update, for all strands; a lock-step program does one superstep. */
  const char *(*run)(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
  /* Ends all running strands with a status.  DDR_STABLE: after the stabilize method, if any. */
  const char *(*end_all)(ddr_device *device, ddr_strand_status status);
  /* Computes a numbered reduction over a set of n > 0 strands. */
  const char *(*reduce)(ddr_device *device, const ddr_set_reduction *what, int64_t n,
                        const void *context, ddr_reduced *results);
  ddr_counts (*count)(const ddr_device *device);
  /* Copies statuses, and bytes [offset, offset + size) of the states, to a store of the host with
   * room for all slots. */
  const char *(*fetch)(ddr_device *device, size_t offset, size_t size, ddr_strands *strands);
  /* The values of an output of fixed size on the device: in place, or gathered if only some strands
   * have them.  Valid until the next call for this output, or `run`. */
  const char *(*show)(ddr_device *device, uint32_t idx, bool of_stable, ddr_device_values *values);
  /* Copies the same values to memory of the host, strand after strand, without gaps. */
  const char *(*take)(ddr_device *device, uint32_t idx, bool of_stable, void *values);
  void (*close)(ddr_device *device); /* NULL is allowed */

  /* For several ranks, instead of create, run, end_all, count, fetch and show; only for programs
   * whose strands neither print nor create strands, and keep no sequences.  The dead are removed
   * when the host says so.
   * reserve: allocates memory for all strands.
   * run_part: runs the active strands of a part; reads and writes statuses in the host's store.
   * fetch_part: copies bytes [offset, offset + size) of their states to the host's store.
   * tell_part: copies rows of the host, states or `before`, into columns. */
  const char *(*reserve)(ddr_device *device, const ddr_strands *strands);
  const char *(*run_part)(ddr_device *device, const ddr_device_part *part, ddr_strands *strands,
                          uint32_t *n_steps);
  const char *(*fetch_part)(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                            size_t offset, size_t size, ddr_strands *strands);
  const char *(*tell_part)(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                           const ddr_strands *strands);

  /* For memory of clients, with or without an open device.  find: what is known of an address.
   * wait: waits for all work that a stream of CUDA on the device was given.  bring: copies to the
   * host. */
  const char *(*find)(const void *data, ddr_client_memory *found);
  const char *(*wait)(int id, void *stream);
  const char *(*bring)(int id, const void *data, size_t n_bytes, void *copy);
} ddr_device_engine;

/* A dynamic sequence in a struct. */
typedef struct ddr_seq_place {
  uint32_t offset, element_size; /* bytes */
} ddr_seq_place;

/* The part of a program that the generated file defines. */
struct ddr_device_program {
  const ddr_device_engine *engine;
  uint32_t n_columns, n_images, n_strings;
  uint32_t heaps;          /* that its kernels take memory from: bits 1 << DDR_HEAP_... */
  uint32_t births_at_most; /* of one strand in a superstep; 0: unknown */
  bool host_reads_samples; /* global code probes images */
  uint32_t arguments_size; /* of the struct of globals and images that launches take as argument; */
  uint32_t images_at;      /* 0: they take a pointer to the globals.  Offset of its images */
  const ddr_column *columns;
  const ddr_column *images;  /* those of the globals that are images */
  const ddr_column *strings; /* the globals that are strings, or fixed sequences of strings */
  ddr_create_launch *create;
  ddr_update_launch *update;
  ddr_stabilize_launch *stabilize;       /* for a global stabilize; NULL: there is no such method */
  ddr_members_launch *const *reductions; /* that of number k is at k - 1 */
  double (*radius)(const void *globals); /* of a query; NULL: the globals do not say it */
  uint32_t n_global_sequences;
  const ddr_seq_place *global_sequences;
  uint32_t n_state_sequences;
  const ddr_seq_place *state_sequences;
};

/* The symbol that the device's file defines for the host's. */
extern const ddr_device_program ddr_device_main;

/* The engine of this runtime. */
extern const ddr_device_engine ddr_cuda;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
