/* worker_count.c: how many workers a world has.  Read next: threads.c. */
#include "thread_pool.h"

ddr_status ddr_set_num_workers(ddr_world *world, uint32_t n_workers) {
  const uint32_t n_cores = ddr_num_cores();
  if (world->workers->threads)
    return ddr_error(world, "workers must be set before creating strands");
  world->workers->n = n_workers == 0 || n_workers > n_cores ? n_cores : n_workers;
  if (n_workers <= n_cores) return DDR_OK;
  return ddr_error(world, "%u workers asked for on %u cores", (unsigned)n_workers,
                   (unsigned)n_cores);
}

uint32_t ddr_num_workers(const ddr_world *world) {
  if (!world->program->is_parallel) return 1;
  return world->workers->n > 0 ? world->workers->n : ddr_num_cores();
}

ddr_status ddr_world_start_workers(ddr_world *world) {
  if (world->workers->threads) return DDR_OK;
  world->workers->n = ddr_num_workers(world);
  world->workers->threads = ddr_thread_pool_new(world, world->workers->n);
  return world->workers->threads ? DDR_OK : DDR_ERROR;
}
