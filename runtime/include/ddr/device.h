/* device.h: the part of a program that runs on a GPU, and the words its kernels are written in.
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

#include "ddr/program.h"
#include "ddr/scalar.h"

#if defined(__CUDACC__)
#define DDR_KERNEL static __global__
#define DDR_THREAD ((int64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define DDR_RESTRICT __restrict__
#define DDR_LAUNCH(kernel, launch, n, ...)                                                         \
  kernel<<<ddr_launch_blocks(launch, n), (launch)->block_size, 0,                                  \
           (cudaStream_t)(launch)->stream>>>(__VA_ARGS__)
#define DDR_DEVICE_MAX(place, value) atomicMax((place), (value))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One scalar of a struct, such as a strand's state: where it is. */
typedef struct ddr_column {
  uint32_t offset, size; /* bytes */
} ddr_column;

/* The store of strands on the device, an argument of kernels. */
typedef struct ddr_device_strands {
  char *state;
  uint8_t *status;        /* ddr_strand_status of each slot */
  const int64_t *running; /* the slots of strands that run */
  int64_t n_running, n_slots;
  int64_t capacity; /* slots there is room for: a multiple of 256, which aligns columns */
  int64_t lo[DDR_MAX_ITERATORS], len[DDR_MAX_ITERATORS]; /* as in ddr_strands */
} ddr_device_strands;

#define DDR_COLUMN(type, strands, offset)                                                          \
  ((type *)(void *)((strands)->state + (int64_t)(offset) * (strands)->capacity))

/* How kernels are launched. */
typedef struct ddr_launch {
  void *stream;
  int32_t block_size;
} ddr_launch;

static inline uint32_t ddr_launch_blocks(const ddr_launch *launch, int64_t n) {
  return (uint32_t)((n + launch->block_size - 1) / launch->block_size);
}

typedef struct ddr_device ddr_device; /* runtime/cuda/device.cu */

/* What the world asks of a device.  Functions return NULL, or one line saying what failed; after
 * that only `close` is allowed. */
typedef struct ddr_device_engine {
  /* Device number `id`; blocks of so many threads, 0: chosen.  On failure *device is NULL. */
  const char *(*open)(const ddr_program *program, int id, uint32_t block_size, ddr_device **device);
  const char *(*name)(const ddr_device *device); /* for people */
  /* The globals and all images in them; again whenever they changed. */
  const char *(*upload)(ddr_device *device, const void *globals);
  /* Memory for all strands of the grid, and their creation. */
  const char *(*create)(ddr_device *device, const ddr_strands *strands);
  /* As ddr_program.update, of all strands. */
  const char *(*run)(ddr_device *device, uint32_t max_steps, uint32_t *n_steps);
  /* The states as structs and the statuses of all slots, to a store of the host. */
  const char *(*fetch)(ddr_device *device, ddr_strands *strands);
  void (*close)(ddr_device *device); /* NULL is fine */
} ddr_device_engine;

/* The program's own part. */
struct ddr_device_program {
  const ddr_device_engine *engine;
  uint32_t n_columns, n_images;
  const ddr_column *columns;
  const ddr_column *images; /* those of the globals that are images */
  void (*create)(const ddr_launch *launch, const void *globals, ddr_device_strands strands);
  /* At most `max_steps` > 0 updates of each strand that runs; the most of any one in *most. */
  void (*update)(const ddr_launch *launch, const void *globals, ddr_device_strands strands,
                 uint32_t max_steps, uint32_t *most);
};

/* The symbol that the device's file defines for the host's. */
extern const ddr_device_program ddr_device_main;

/* The engine of this runtime. */
extern const ddr_device_engine ddr_cuda;

#ifdef __cplusplus
}
#endif
