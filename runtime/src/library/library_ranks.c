/* library_ranks.c: worlds of clients that consist of several ranks (--target=mpi).
 *
 * All ranks make the same calls in the same order.  When strands have been created, and when a run
 * ends, every rank gets the states of all strands, so one rank alone can get outputs. Read next:
 * ranks/ranks.h; runtime/mpi/library.c, which provides the ranks.
 */
#include <string.h>

#include "ddr/ranks.h"
#include "local.h"
#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/shares.h"
#include "runtime/src/world/hash.h"

static ddr_status join(ddr_world *world, const ddr_rank_engine *engine) {
  ddr_ranks_join(world, engine);
  if (world->is_unfit) ddr_world_refuse(world);
  if (ddr_ranks_agree(world)) return DDR_ERROR;
  world->stage = STAGE_NEW;
  ddr_ranks_decide(world, true);
  return ddr_set_num_workers(world, ddr_ranks_cores(world, ddr_num_cores()));
}

bool ddr_library_init_ranks(ddr_world *world, const ddr_rank_engine *engine,
                            ddr_library_left *leave, void *ranks, const char *why) {
  const bool may = ddr_library_enter(world);
  if (!may || !engine || world->stage != STAGE_BARE) {
    if (may && !engine) ddr_error(world, "%s", why);
    else if (may) ddr_error(world, "multiple calls to %s_init_world", world->library->prefix);
    if (engine) leave(ranks);
    return may ? ddr_library_leave(world, DDR_ERROR) : true;
  }
  world->library->leave_ranks = leave;
  world->library->ranks = ranks;
  return ddr_library_leave(world, join(world, engine));
}

/* --- what all have ---------------------------------------------------------------------------- */

/* A hash of the program and the processor, which differs where states differ in layout. */
static uint64_t hash_of_program(const ddr_program *program) {
  const char *words[] = {program->name, program->variant.arch ? program->variant.arch : ""};
  const uint64_t sizes[] = {program->n_inputs, program->n_outputs, program->globals_size,
                            program->state_size, program->real_size};
  uint64_t hash = ddr_hash_add(DDR_HASH_START, sizes, sizeof sizes);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    hash = ddr_hash_add(hash, words[k], strlen(words[k]) + 1);
  return hash;
}

ddr_status ddr_library_compare_ranks(ddr_world *world) {
  const ddr_program *program = world->program;
  if (ddr_n_ranks(world) == 1) return DDR_OK;
  int rank = ddr_ranks_differ(world, hash_of_program(program));
  if (rank > 0)
    return ddr_error(world, "rank %d has another library than rank 0, or another processor", rank);
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    rank = ddr_ranks_differ(world, ddr_hash_of_input(world, k));
    if (rank > 0)
      return ddr_error(world, "%s: rank %d was given another value than rank 0",
                       program->inputs[k].name, rank);
  }
  return DDR_OK;
}

ddr_status ddr_library_fetch_states(ddr_world *world) {
  if (ddr_ranks_agree(world)) return DDR_ERROR;
  return ddr_states_fetch(world, STATES_EVERYWHERE);
}
