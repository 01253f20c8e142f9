/* The pipeline: which passes run at each level, in order, and how a level is left. Nothing else. */
#include "ir/pass/local.h"

static const PassId high[] = {
    PASS_merge_exits,
    PASS_inline_calls,
    PASS_constant_globals,
    PASS_simplify,
    PASS_value_number,
    PASS_fold_branches,
    PASS_dce,
    PASS_fuse_reductions,
    PASS_differentiate,
    PASS_value_number,
    PASS_dce,
};

static const PassId mid[] = {
    PASS_value_number,     PASS_share_probes, PASS_hoist_loops, PASS_hoist_globals,
    PASS_constant_globals, PASS_sample_grids, PASS_dce,
};

/* Folding makes constants of globals, which folding needs elsewhere. What nobody uses hides that a
 * branch or loop does nothing. */
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
