/* Shared by hand-written programs: methods that do nothing, loops over blocks, fields of their
 * descriptors. */
#pragma once

#include "ddr/program.h"

/* No input has a default. */
static inline void no_defaults(void *globals) { (void)globals; }

/* No global is computed. */
static inline ddr_status no_init_globals(ddr_world *world, void *globals) {
  (void)world;
  (void)globals;
  return DDR_OK;
}

/* An action for the strand in a slot. */
typedef void StrandDo(const void *globals, ddr_block *block, int64_t slot);

static inline ddr_status each_strand(const void *globals, ddr_block *block, StrandDo *make) {
  for (int64_t slot = block->begin; slot < block->end; slot++) make(globals, block, slot);
  return DDR_OK;
}

/* One update of a strand; returns its new status. */
typedef ddr_strand_status StrandStep(const void *globals, ddr_block *block, int64_t slot);

/* Like ddr_program.update. */
static inline uint32_t each_running(const void *globals, ddr_block *block, uint32_t max_steps,
                                    StrandStep *step) {
  uint8_t *status = block->strands->status;
  uint32_t most = 0;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    uint32_t n_steps = 0;
    while (status[slot] <= DDR_NEW && (max_steps == 0 || n_steps < max_steps)) {
      status[slot] = (uint8_t)step(globals, block, slot);
      n_steps++;
    }
    if (n_steps > most) most = n_steps;
  }
  return most;
}

/* The fields that all descriptors have, with functions of these names. */
#define PROGRAM_BY_HAND(State)                                                                     \
  .abi = DDR_PROGRAM_ABI, .version = "0", .state_size = sizeof(State),                             \
  .state_align = _Alignof(State), .state_width = 1, .bounds = bounds, .create = create,            \
  .update = update

/* An input with a default, of n components. */
#define INPUT_BY_HAND(Globals, field, word, what, type, n)                                         \
  {                                                                                                \
    .name = word, .description = what, .kind = type, .n_components = n,                            \
    .offset = offsetof(Globals, field), .has_default = true                                        \
  }
