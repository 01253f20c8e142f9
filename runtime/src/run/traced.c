/* traced.c: runs a world until a traced strand ends (trace/trace.h).  The other strands run only if
 * the traced one could observe them.
 *
 * Read next: superstep.c.
 */
#include "run.h"
#include "runtime/src/strands/phases.h"
#include "runtime/src/trace/trace.h"

enum { MOST_LEFT_OUT = 10 }; /* times as many records as are kept, then the run ends */

/* Ends all other strands before they run. */
static void run_alone(ddr_world *world, int64_t slot) {
  const ddr_strands *strands = &world->store->strands;
  for (int64_t other = 0; other < strands->n_slots; other++)
    if (other != slot) strands->status[other] = DDR_STABLE;
  for (int64_t k = 0; k < world->store->n_blocks; k++) ddr_block_count(world->store, k);
  ddr_strands_commit(world);
}

static bool is_over(const ddr_world *world, uint64_t limit) {
  const ddr_trace_state state = ddr_trace_look(world->trace);
  return state.end != TRACE_RUNS || state.n_left_out >= MOST_LEFT_OUT * limit;
}

static ddr_status run_to_end(ddr_world *world, uint32_t max_steps, uint64_t limit) {
  const ddr_trace_state state = ddr_trace_look(world->trace);
  if (!world->program->is_lockstep && state.is_born) run_alone(world, state.slot);
  for (uint32_t n = 0; !is_over(world, limit) && (max_steps == 0 || n < max_steps); n++) {
    if (ddr_world_run(world, 1) == 0 || ddr_any_errors(world)) break;
    ddr_trace_settle(world, &world->store->strands);
  }
  return ddr_any_errors(world) ? DDR_ERROR : DDR_OK;
}

static bool print_nowhere(void *data, const char *text) {
  (void)data;
  (void)text;
  return false;
}

ddr_status ddr_world_trace(ddr_world *world, const char *strand, uint32_t max_steps,
                           uint64_t limit) {
  if (limit == 0) limit = DDR_TRACE_LIMIT;
  if (ddr_trace_open(world, strand, limit) != DDR_OK) return DDR_ERROR;
  ddr_set_printer(world, print_nowhere, NULL);
  if (ddr_world_create(world) != DDR_OK) return DDR_ERROR;
  const ddr_status status = run_to_end(world, max_steps, limit);
  world->stage = STAGE_DONE; /* though others may still be active */
  if (status != DDR_OK) return DDR_ERROR;
  const ddr_trace_state state = ddr_trace_look(world->trace);
  if (state.is_born) return DDR_OK;
  if (world->store->n_active == 0)
    return ddr_error(world, "strand #%lld is never born", (long long)state.birth);
  return ddr_error(world, "strand #%lld is not yet born in superstep %u", (long long)state.birth,
                   (unsigned)world->store->n_steps);
}
