/* fleeting.c: strands that have memory only while their block is visited, so that a grid may be
 * larger than memory.
 *
 * All strands have addresses, and the system provides memory for those that are touched, so
 * generated code finds them as usual.  A visit creates its strands, runs them to their end and
 * passes them to the outlet; then their pages are given back.
 * Read next: run/superstep.c (the visit), outputs/streamed.c (the outlet).
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, madvise */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/src/ranks/ranks.h"
#include "store.h"

/* Whether strands do not read each other and do not change in number. */
static bool is_alone(const ddr_program *program) {
  return !program->is_collection && !program->is_lockstep && !program->is_dual &&
         !program->lend_strands && !program->global_start && !program->device &&
         program->pos_dim == 0;
}

/* Bytes for records of blocks, which are not fleeting. */
static uint64_t bytes_of_records(int64_t n_slots) {
  return (uint64_t)(n_slots / DDR_FLEETING_BLOCK + 1) * 3 / 2 * sizeof(ddr_record);
}

/* Whether so many bytes fit in this machine. */
static bool fits(ddr_world *world, double n_bytes) {
  const bool was_over = atomic_load(&world->memory.is_over_limit);
  const bool is_so =
      n_bytes < (double)(UINT64_MAX / 2) && ddr_memory_fits(&world->memory, (uint64_t)n_bytes);
  atomic_store(&world->memory.is_over_limit, was_over);
  return is_so;
}

/* Whether this machine has memory for the states that its ranks have if none are given up, and for
 * all statuses.  A process alone gathers its results, too; several ranks do not. */
static bool can_stay(ddr_world *world, int64_t n_slots) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const double n_states = (double)ddr_state_bytes(world->program, n_slots);
  const double n_results = (double)n_slots * (double)world->store->outlet.strand_bytes;
  if (!ddr_is_shared_out(world)) return fits(world, n_states + n_results + (double)n_slots);
  return fits(world, (n_states / engine->n_ranks + (double)n_slots) * engine->n_on_node);
}

static bool can_come_and_go(ddr_world *world, int64_t n_slots) {
  const int n_here = ddr_is_shared_out(world) ? world->ranks->engine->n_on_node : 1;
  return fits(world, (double)bytes_of_records(n_slots) * n_here);
}

/* All ranks come here with the same program and grid, and so ask the others together. */
bool ddr_strands_are_fleeting(ddr_world *world, int64_t n_slots) {
  if (!world->store->outlet.take || !is_alone(world->program) || n_slots == 0) return false;
  if (ddr_is_shared_out(world) && !ddr_runs_in_pieces(world)) return false;
  const size_t each = world->store->outlet.strand_bytes + 1;
  if (ddr_state_bytes(world->program, n_slots) == 0 || (uint64_t)n_slots > SIZE_MAX / 8 / each)
    return false;
  return !ddr_ranks_all(world, can_stay(world, n_slots)) &&
         ddr_ranks_all(world, can_come_and_go(world, n_slots));
}

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t in_pages(size_t n_bytes) {
  const size_t page = page_size();
  return (n_bytes + page - 1) / page * page;
}

ddr_status ddr_fleeting_reserve(ddr_world *world, int64_t n_slots) {
  ddr_store *store = world->store;
  const size_t n_states = in_pages(ddr_state_bytes(world->program, n_slots));
  const size_t n_bytes = n_states + in_pages((size_t)n_slots);
  char *addresses = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (addresses == MAP_FAILED)
    return ddr_error(world, "cannot allocate memory for %lld strands: out of addresses",
                     (long long)n_slots);
  store->fleeting_bytes = n_bytes;
  store->strands.state = addresses;
  store->strands.before = addresses;
  store->strands.status = (uint8_t *)addresses + n_states;
  store->capacity = n_slots;
  return DDR_OK;
}

void ddr_fleeting_begin(ddr_store *store, int64_t number) {
  const int64_t begin = ddr_block_begin(store, number);
  memset(store->strands.status + begin, DDR_NEW, (size_t)(ddr_block_end(store, number) - begin));
}

/* Gives back the pages that lie entirely between `begin` and `end`. */
static void give_back(char *begin, char *end) {
  const size_t page = page_size();
  char *first = begin + (page - (uintptr_t)begin % page) % page;
  char *last = end - (uintptr_t)end % page;
  if (first < last) madvise(first, (size_t)(last - first), MADV_DONTNEED);
}

void ddr_fleeting_forget(ddr_world *world, int64_t number) {
  const ddr_store *store = world->store;
  const ddr_program *program = world->program;
  const int64_t begin = ddr_block_begin(store, number), end = ddr_block_end(store, number);
  const int64_t width = (int64_t)program->state_width;
  char *states = store->strands.state, *statuses = (char *)store->strands.status;
  give_back(states + (size_t)(begin / width) * program->state_size,
            states + (size_t)((end + width - 1) / width) * program->state_size);
  give_back(statuses + begin, statuses + end);
}

void ddr_fleeting_free(ddr_store *store) {
  if (store->fleeting_bytes == 0) return;
  munmap(store->strands.state, store->fleeting_bytes);
  store->strands.state = NULL;
  store->strands.status = NULL;
}
