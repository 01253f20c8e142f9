/* device.h: strands that live on a device, as the phases see it.
 *
 * Read next: device.c; ddr/device/device.h (the engine).
 */
#pragma once

#include "ddr/device/device.h"
#include "store.h"

/* The world's part. */
struct ddr_gpu {
  ddr_device *device;  /* where the strands live; NULL: here */
  bool is_lost;        /* it failed, and they with it */
  int number;          /* -1: none is to be used */
  bool is_needed;      /* without one, nothing runs */
  uint32_t block_size; /* threads per block; 0: chosen */
};

/* After the store was allocated: creates the strands on a device, if the program can and there is
 * one.  *has_device false without an error: the host is to do it. */
ddr_status ddr_device_create(ddr_world *world, bool *has_device);

/* Instead of a phase of the host, and its commit. */
uint32_t ddr_device_run(ddr_world *world, uint32_t max_steps);
void ddr_device_end_all(ddr_world *world, ddr_strand_status status);

/* The globals may have changed. */
ddr_status ddr_device_upload(ddr_world *world);

/* A numbered reduction over a set of n > 0 strands. */
ddr_status ddr_device_reduce_set(ddr_world *world, const ddr_set_reduction *what, int64_t n,
                                 const void *context, ddr_reduced *results);

/* The statuses, and bytes [offset, offset + size) of the states, are in the store as well. */
ddr_status ddr_device_mirror(ddr_world *world, size_t offset, size_t size);

/* Where an output of fixed size is on the device; of_stable: of the stable strands. */
ddr_status ddr_device_show(ddr_world *world, uint32_t idx, bool of_stable,
                           ddr_device_values *values);
void ddr_device_free(ddr_world *world);
