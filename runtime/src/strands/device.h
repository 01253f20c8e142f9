/* device.h: strands whose states are in the memory of a device (GPU), for phases.
 *
 * Read next: device.c; ddr/device/device.h (the engine).
 */
#pragma once

#include "ddr/device/device.h"
#include "store.h"

/* The device of a world. */
struct ddr_gpu {
  ddr_device *device;  /* has all strands or the share of this rank; NULL: the host has them */
  bool is_lost;        /* the device has failed, and the states on it are lost */
  int number;          /* of the device; -1: use none */
  bool is_any;         /* any device; ranks on a machine choose different ones, in turn */
  bool is_needed;      /* it is an error if there is no device */
  bool is_missing;     /* it is that error */
  uint32_t block_size; /* threads per block; 0: chosen by the engine */

  /* With several ranks (device_share.c): where the host and the device differ. */
  bool is_ahead;       /* the device has newer states of own strands */
  bool has_old_states; /* the host has newer states, which came from other ranks */
  bool has_old_rows;   /* the host has newer rows of what strands read of each other */
};

/* After the store was allocated: opens a device, if the program has code for one and there is one,
 * and creates the strands on it, unless several ranks share them.  If it returns DDR_OK and no
 * device was opened, the host creates the strands. */
ddr_status ddr_device_create(ddr_world *world);

/* Whether all strands are on a device; the host's states may be older. */
bool ddr_device_has_all(const ddr_world *world);

/* Run updates, or end all strands, on the device; replaces a phase and its commit. */
uint32_t ddr_device_run(ddr_world *world, uint32_t max_steps);
void ddr_device_end_all(ddr_world *world, ddr_strand_status status);

/* Copies the globals, which may have changed, to the device. */
ddr_status ddr_device_upload(ddr_world *world);

/* Reduces a set of n > 0 strands by device code. */
ddr_status ddr_device_reduce_set(ddr_world *world, const ddr_set_reduction *what, int64_t n,
                                 const void *context, ddr_reduced *results);

/* DDR_ERROR if the states were on a device that has failed. */
ddr_status ddr_device_check_presence(ddr_world *world);

/* Copies the statuses, and bytes [offset, offset + size) of the states, to the store. */
ddr_status ddr_device_mirror(ddr_world *world, size_t offset, size_t size);

/* The memory on the device of an output of fixed size; of_stable: of stable strands only. */
ddr_status ddr_device_show(ddr_world *world, uint32_t idx, bool of_stable,
                           ddr_device_values *values);

/* Copies the values of such an output, packed, to `values`, if a device has all strands.  Returns
 * NULL, or why that failed. */
const char *ddr_device_take(ddr_world *world, uint32_t idx, bool of_stable, void *values);
void ddr_device_free(ddr_world *world);

/* Records the error that the device has failed and the states on it are lost. */
ddr_status ddr_device_fail(ddr_world *world, const char *reason);

static inline const ddr_device_engine *ddr_device_engine_of(const ddr_world *world) {
  return world->program->device->engine;
}

/* --- device_share.c: the strands of one of several ranks -------------------------------------- */

bool ddr_device_has_share(const ddr_world *world);

/* Why several ranks cannot run shares of this program on devices; NULL: they can. */
const char *ddr_device_share_obstacle(const ddr_world *world);

/* Collective.  After ranks have opened their devices: whether any has one. */
void ddr_device_meet(ddr_world *world);

/* Updates a run of own strands in a phase; returns the largest number of updates. */
uint32_t ddr_device_run_share(ddr_world *world, ddr_strand_run run, ddr_part_work work,
                              uint32_t max_steps);

/* Like ddr_device_mirror, for the share of this rank. */
ddr_status ddr_device_mirror_share(ddr_world *world, size_t offset, size_t size);

/* Collective.  Copies whole states to the store.  An error on one rank is returned by all, so that
 * none continues alone. */
ddr_status ddr_device_mirror_together(ddr_world *world);

/* Between phases: records that other ranks have sent states, or rows of `before`. */
void ddr_device_states_came(ddr_world *world);
void ddr_device_rows_came(ddr_world *world);
