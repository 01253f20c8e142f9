/* sched_seq.c: the sequential scheduler: blocks in rank order on the calling thread.
 *
 * Any scheduler keeps this contract: each chosen block once, nobody else touches a block's slots
 * meanwhile, prints come out in rank order, results do not depend on the number of workers.
 * Read next: world.c, which runs the phases.
 */
#include "local.h"

uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps)
{
  uint32_t most = 0;
  for (int64_t number = 0; number < world->n_blocks; number++) {
    if (choice == BLOCKS_RUNNING && world->n_running[number] == 0) continue;
    const int64_t begin = number * world->block_len;
    const int64_t left = world->strands.n_slots - begin;
    ddr_block block = {
      .world = world,
      .text = &world->text,
      .pool = &world->pool,
      .strands = &world->strands,
      .begin = begin,
      .end = begin + (left < world->block_len ? left : world->block_len),
    };
    const uint32_t n_steps = phase(world, &block, max_steps);
    if (n_steps > most) most = n_steps;
    ddr_strands_count_block(world, number);
    if (ddr_any_errors(world)) break;
  }
  return most;
}
