/* execution: the update method in lanes, as the tables that statements ask (execution.h).
 * Next: forms.c.
 */
#include "backend-c/lanes/strands.h"

/* clang-format off */
static const ExecutionHeader headers[] = {
    {HEADER_WITH_EIGEN, "ddr/lanes/eigen.h"},
    {HEADER_WITH_EFFORT, "ddr/lanes/effort.h"},
    {HEADER_ALWAYS, "ddr/lanes/gang.h"},
    {HEADER_WITH_GROUPS, "ddr/lanes/groups.h"},
    {HEADER_WITH_QUERIES, "ddr/lanes/hits.h"},
    {HEADER_WITH_LISTS, "ddr/lanes/columns.h"},
    {HEADER_WITH_CREATION, "ddr/lanes/creation.h"},
    {HEADER_WITH_COPIES, "ddr/lanes/kept.h"},
    {HEADER_ALWAYS, "ddr/lanes/math.h"},
    {HEADER_WITH_MEMBERS, "ddr/lanes/members.h"},
    {HEADER_WITH_NARROW, "ddr/lanes/narrow.h"},
    {HEADER_WITH_REDUCTIONS, "ddr/lanes/reals.h"},
    {HEADER_WITH_IMAGES, "ddr/lanes/slices.h"},
    {HEADER_ALWAYS, "ddr/lanes/structs.h"},
    {HEADER_WITH_COPIES, "ddr/lanes/support.h"},
    {HEADER_WITH_WINDOWS, "ddr/lanes/border.h"},
    {HEADER_WITH_WINDOWS, "ddr/lanes/window.h"},
    {0},
};
/* clang-format on */

/* The stabilize method may run when strands are stored, so it is emitted first. */
static void gen_update_method(Lanes *lanes) {
  const TreeFunc *stabilize = gen_find(lanes->gen, FN_STABILIZE);
  if (stabilize) gen_func(lanes->gen, stabilize);
  lanes_exchange(lanes);
  lanes_kind_of_strand(lanes);
  lanes_method(lanes);
  lanes_company_test(lanes);
  if (lanes_have_both(lanes)) gen_func(lanes->gen, lanes->fn);
}

static bool method_for_groups(Gen *gen, const TreeFunc *fn) {
  if (fn->kind == FN_CREATE) return lanes_creation_method(gen, fn);
  if (fn->kind == FN_UPDATE) lanes_method(gen->execution);
  return fn->kind == FN_UPDATE;
}

static bool method(Gen *gen, const TreeFunc *fn) {
  if (fn->kind == FN_CREATE) return lanes_creation_method(gen, fn);
  if (fn->kind == FN_UPDATE) gen_update_method(gen->execution);
  return fn->kind == FN_UPDATE || fn->kind == FN_STABILIZE; /* with the update method */
}

/* Neighbouring rays read the same samples, and end after a similar number of steps. But strands of
 * one step, and those with samplings of the grid, are faster if rows are loaded and stored. */
static bool is_tiled(const Lanes *lanes) {
  const Module *m = lanes->gen->program->module;
  const bool is_short = lanes_is_one_step(lanes) && !lanes_has_loop(lanes->body);
  const bool is_sampled = gen_needs(lanes->gen, lanes->fn) & NEED_SAMPLES;
  return !m->is_collection && m->n_iters > 1 && !is_sampled && !is_short;
}

static const char *states_title(const Lanes *lanes) {
  if (lanes->n_gangs == 1) return "states in lanes";
  return text_format(lanes->gen->cx->arena, "states in lanes, in each of %u gangs", lanes->n_gangs);
}

bool lanes_takes_slots(const Lanes *lanes) {
  return (gen_needs(lanes->gen, lanes->fn) & NEED_QUERIES) ||
         (gen_update_needs(lanes->gen) & NEED_BIRTHS);
}

/* Creators of new strands: for a start method, the strand of its slot; update has the gang's slots.
 */
static void give_slots(Gen *gen) {
  const TreeFunc *start = gen_find(gen, FN_START);
  if (start && gen_needs(gen, start) & NEED_BIRTHS) gen_add_needs(gen, start, NEED_SLOT);
}

void lanes_set_models(Lanes *lanes) {
  lanes->one_lane = one_strand;
  lanes->one_lane.read = lane_read;
  lanes->one_lane.assign = lane_assign;
  lanes->one_lane.probe = lane_probe;
  lanes->vectors = one_strand;
  lanes_fill(&lanes->vectors);
}

static bool creates(Gen *gen) {
  const char *obstacle;
  const bool is_found = lanes_find_creation(gen, &obstacle);
  if (gen->options->creation_note)
    *gen->options->creation_note =
        is_found ? "in lanes" : text_format(gen->cx->arena, "one at a time: %s", obstacle);
  return is_found;
}

/* The update method one strand at a time; strands are created in lanes, and the values of members
 * computed, if that gains. */
static const Execution *choose_without_update(Gen *gen) {
  Execution *how = NEW(gen->cx->arena, Execution);
  *how = one_strand;
  how->headers = headers;
  lanes_find_members(gen, how);
  if (creates(gen)) {
    how->structs = lanes_creation_struct;
    how->method = lanes_creation_method;
    how->create = lanes_create;
  }
  return how->gives_values || how->create ? how : NULL;
}

static void use_groups(Execution *vectors) {
  vectors->structs = lanes_group_structs;
  vectors->method = method_for_groups;
  vectors->update = lanes_update_groups;
}

const Execution *lanes_choose(Gen *gen) {
  Lanes *lanes = lanes_of_update(gen);
  if (!lanes) return choose_without_update(gen);
  gen->execution = lanes;
  lanes_set_models(lanes);
  lanes->vectors.headers = headers;
  lanes->vectors.is_tiled = is_tiled(lanes);
  lanes->vectors.takes_slots = lanes_takes_slots(lanes) && !lanes_bear_in_order(lanes);
  give_slots(gen);
  gen->has_groups = lanes->has_groups;
  lanes->may_part = lanes_may_part(lanes);
  if (lanes_step_aside(lanes, lanes->body)) lanes_read_changes(lanes);
  lanes->vectors.has_both = lanes_have_both(lanes);
  lanes->vectors.shares_pool = gen_owns_seqs(gen, FN_UPDATE);
  lanes->vectors.states_title = states_title(lanes);
  lanes->vectors.states_axis = "n_lanes";
  lanes->vectors.structs = lanes_structs;
  lanes->vectors.method = method;
  lanes->vectors.update = lanes_update;
  if (gen->has_groups) use_groups(&lanes->vectors);
  lanes_find_members(gen, &lanes->vectors);
  if (creates(gen)) lanes->vectors.create = lanes_create;
  return &lanes->vectors;
}
