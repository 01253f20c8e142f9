/* device.h: strands that live on a device, as the phases see it.
 *
 * Read next: device.c; ddr/device/device.h (the engine).
 */
#pragma once

#include "ddr/device/device.h"
#include "store.h"

/* The world's part. */
struct ddr_gpu {
  ddr_device *device;  /* where the strands live, all or a share; NULL: here */
  bool is_lost;        /* it failed, and they with it */
  int number;          /* -1: none is to be used */
  bool is_any;         /* each rank of a machine takes the next one instead */
  bool is_needed;      /* without one, nothing runs */
  uint32_t block_size; /* threads per block; 0: chosen */

  /* Of a share (device_share.c). */
  bool is_ahead;       /* own states are there, and older ones here */
  bool has_old_states; /* some came here from other ranks */
  bool has_old_rows;   /* what strands read of others is newer here */
};

/* After the store was allocated: opens a device, if the program can and there is one, and creates
 * the strands there, unless ranks share them out.  Without one and without an error the host is to
 * do it. */
ddr_status ddr_device_create(ddr_world *world);

/* All strands live on a device, and what they are is known there alone. */
bool ddr_device_has_all(const ddr_world *world);

/* Instead of a phase of the host, and its commit. */
uint32_t ddr_device_run(ddr_world *world, uint32_t max_steps);
void ddr_device_end_all(ddr_world *world, ddr_strand_status status);

/* The globals may have changed. */
ddr_status ddr_device_upload(ddr_world *world);

/* A numbered reduction over a set of n > 0 strands. */
ddr_status ddr_device_reduce_set(ddr_world *world, const ddr_set_reduction *what, int64_t n,
                                 const void *context, ddr_reduced *results);

/* What lives on a device is not lost. */
ddr_status ddr_device_check_presence(ddr_world *world);

/* The statuses, and bytes [offset, offset + size) of the states, are in the store as well. */
ddr_status ddr_device_mirror(ddr_world *world, size_t offset, size_t size);

/* Where an output of fixed size is on the device; of_stable: of the stable strands. */
ddr_status ddr_device_show(ddr_world *world, uint32_t idx, bool of_stable,
                           ddr_device_values *values);

/* The packed values of such an output, if a device has all; NULL, or why that failed. */
const char *ddr_device_take(ddr_world *world, uint32_t idx, bool of_stable, void *values);
void ddr_device_free(ddr_world *world);

/* From then on nobody knows what the strands are. */
ddr_status ddr_device_fail(ddr_world *world, const char *reason);

static inline const ddr_device_engine *ddr_device_engine_of(const ddr_world *world) {
  return world->program->device->engine;
}

/* --- device_share.c: the strands of one of several ranks -------------------------------------- */

bool ddr_device_has_share(const ddr_world *world);

/* Why the program's strands cannot be shared out and run on devices; NULL: they can. */
const char *ddr_device_share_obstacle(const ddr_world *world);

/* Common.  Everybody has opened a device, or has none. */
void ddr_device_meet(ddr_world *world);

/* Own strands of the run, in a phase; the largest number of updates. */
uint32_t ddr_device_run_share(ddr_world *world, ddr_strand_run run, ddr_part_work work,
                              uint32_t max_steps);

/* As ddr_device_mirror. */
ddr_status ddr_device_mirror_share(ddr_world *world, size_t offset, size_t size);

/* Common.  All of the states; an error of one rank is one of all, so none goes on alone. */
ddr_status ddr_device_mirror_together(ddr_world *world);

/* Between phases: states, or what others see of them, came from other ranks. */
void ddr_device_states_came(ddr_world *world);
void ddr_device_rows_came(ddr_world *world);
