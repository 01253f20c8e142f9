/* The pipeline: the passes that run at each level, in order, and the pass that leads to the next
 * level. */
#include "ir/pass/local.h"

static const PassId high[] = {
    PASS_merge_exits,     PASS_inline_calls,
    PASS_uniform_state,   PASS_constant_globals,
    PASS_simplify,        PASS_unroll_sequences,
    PASS_simplify,        PASS_value_number,
    PASS_fold_branches,   PASS_dce,
    PASS_fuse_reductions, PASS_differentiate,
    PASS_value_number,    PASS_dce,
};

static const PassId mid[] = {
    PASS_value_number,     PASS_share_probes, PASS_hoist_loops, PASS_hoist_globals,
    PASS_constant_globals, PASS_sample_grids, PASS_dce,
};

/* Passes are repeated: folding makes globals constant, which allows more folding; and only after
 * dce it shows that a branch or loop has no effect. */
static const PassId low[] = {
    PASS_simplify, PASS_constant_globals, PASS_simplify,     PASS_value_number,
    PASS_dce,      PASS_fold_branches,    PASS_drop_globals, PASS_dce,
};

#define LIST(passes) passes, sizeof passes / sizeof *passes

static const Stage stages[] = {
    {LEVEL_HIGH, LIST(high), PASS_high_to_mid},
    {LEVEL_MID, LIST(mid), PASS_mid_to_low},
    {LEVEL_LOW, LIST(low), PASS_COUNT},
};

const Stage *pipeline_stage(Level level) {
  uint32_t i = 0;
  while (stages[i].level != level) i++;
  return &stages[i];
}
