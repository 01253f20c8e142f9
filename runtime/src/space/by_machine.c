/* by_machine.c: the ranks of a machine make one index together, in memory that they share, where
 * each would make the same: if all of them have the positions of all strands.
 *
 * Jobs are divided among them as among threads, and each ends with a barrier.  Points that are
 * nowhere, and crowded cells, need work that is not divided: then each rank makes its own index.
 * What decides is the same on all of them.
 * Read next: index.c; workers/thread_pool.h.
 */
#include "local.h"

#if defined(DDR_SMALL_SIZES)
enum { LEAST_POINTS = 8, ALONE = 2 };
#else
enum { LEAST_POINTS = 1 << 14, ALONE = 15 };
#endif

/* --- jobs ------------------------------------------------------------------------------------- */

/* The items of a job that are this rank's. */
typedef struct Own {
  const ddr_job *job;
  int64_t first;
} Own;

static void do_own(ddr_worker *worker, void *data, int64_t item) {
  const Own *own = data;
  own->job->task(worker, own->job->data, own->first + item);
}

void ddr_sched_machine(ddr_thread_pool *threads, const ddr_job *job) {
  const ddr_rank_engine *engine = threads->world->ranks->engine;
  const int number = engine->number_on_node, n = engine->n_on_node;
  Own own = {job, ddr_index_cut(job->n_items, number, n)};
  const ddr_job part = {.task = do_own,
                        .data = &own,
                        .n_items = ddr_index_cut(job->n_items, number + 1, n) - own.first,
                        .is_at_home = job->is_at_home};
  ddr_sched_run(threads, &part);
  engine->meet(engine->link);
}

int64_t ddr_workers_of_machine(const ddr_world *world) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const int64_t n_of_rank = world->store->n_all_workers / engine->n_ranks;
  return engine->n_on_node * (n_of_rank > 1 ? n_of_rank : 1);
}

/* --- the index -------------------------------------------------------------------------------- */

void *ddr_common_reserve(ddr_index *index, Space *space, size_t n_bytes) {
  const ddr_rank_engine *engine = index->machine;
  space->data = engine->common(engine->link, space->data, n_bytes);
  space->size = space->data ? n_bytes : 0;
  return space->data;
}

static bool is_common(const ddr_world *world) {
  const ddr_rank_engine *engine = world->ranks->engine;
  return ddr_has_halo(world) && world->store->halo->is_whole && engine->meet &&
         engine->n_on_node > 1 && world->store->strands.n_slots >= LEAST_POINTS;
}

bool ddr_index_build_together(ddr_world *world, ddr_index *index) {
  index->machine = NULL;
  if (!is_common(world)) return false;
  if (index->n_alone > 0) {
    index->n_alone--;
    return false;
  }
  /* Memory of its own, which must not be short on one rank only. */
  index->grids = ddr_index_reserve(index, SPACE_GRIDS, 1, sizeof *index->grids);
  ddr_ranks_memory(world, index->grids);
  index->machine = world->ranks->engine;
  if (ddr_index_build(world, index, ddr_sched_machine)) return true;
  index->machine = NULL;
  index->n_alone = ALONE;
  return false;
}
