/* strands.c: the strand store of a grid.
 *
 * Slot = rank: nested loops over the iterators, the last one fastest.  The store is cut into blocks
 * of consecutive slots, the unit of scheduling; a block without running strands is never visited.
 * Every size is checked before memory is asked for.
 * Read next: sched_seq.c.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "local.h"

enum { STATE_ALIGNMENT = 64 };

/* Big enough to hide the call per block, small enough to share out between threads. */
#if defined(DDR_SMALL_SIZES)
enum { BLOCK_LEN = 4 };
#else
enum { BLOCK_LEN = 1024 };
#endif

/* Number of strands from the iterator ranges; false on overflow. */
static bool count_slots(ddr_strands *strands, uint32_t rank, const int64_t hi[])
{
  strands->n_slots = 1;
  for (uint32_t k = 0; k < rank; k++) {
    const int64_t lo = strands->lo[k];
    uint64_t len = hi[k] < lo ? 0 : (uint64_t)hi[k] - (uint64_t)lo + 1;
    if (hi[k] >= lo && (len == 0 || len > INT64_MAX)) return false;
    strands->len[k] = (int64_t)len;
  }
  for (uint32_t k = 0; k < rank; k++) {
    if (strands->len[k] == 0) strands->n_slots = 0;
  }
  for (uint32_t k = 0; k < rank && strands->n_slots > 0; k++) {
    if (strands->n_slots > INT64_MAX / strands->len[k]) return false;
    strands->n_slots *= strands->len[k];
  }
  return true;
}

/* Bytes of state for all slots, rounded up to the alignment; 0 when no machine has that many. */
static size_t state_bytes(const ddr_program *program, int64_t n_slots)
{
  const uint64_t width = program->state_width;
  const uint64_t n_groups = ((uint64_t)n_slots + width - 1) / width;
  const uint64_t most = SIZE_MAX / 2;
  if (program->state_size > 0 && n_groups > most / program->state_size) return 0;
  const size_t bytes = (size_t)n_groups * program->state_size;
  return (bytes / STATE_ALIGNMENT + 1) * STATE_ALIGNMENT;
}

/* Linux promises memory that it does not have; ask for no more than the machine holds. */
static bool is_plausible(size_t bytes)
{
  const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return bytes > 0 && (n_pages <= 0 || page <= 0 || bytes / (size_t)page <= (size_t)n_pages);
}

static ddr_status allocate(ddr_world *world)
{
  const ddr_program *program = world->program;
  ddr_strands *strands = &world->strands;
  const size_t bytes = state_bytes(program, strands->n_slots);
  if (!is_plausible(bytes)) return DDR_ERROR;

  const int64_t width = program->state_width;
  world->block_len = (BLOCK_LEN + width - 1) / width * width;
  world->n_blocks = (strands->n_slots + world->block_len - 1) / world->block_len;

  strands->state = aligned_alloc(STATE_ALIGNMENT, bytes);
  strands->status = malloc((size_t)strands->n_slots + 1);
  world->n_running = calloc((size_t)world->n_blocks + 1, sizeof *world->n_running);
  if (!strands->state || !strands->status || !world->n_running) return DDR_ERROR;
  memset(strands->state, 0, bytes);
  strands->before = strands->state;
  memset(strands->status, DDR_NEW, (size_t)strands->n_slots);
  return DDR_OK;
}

ddr_status ddr_strands_allocate(ddr_world *world)
{
  const ddr_program *program = world->program;
  int64_t hi[DDR_MAX_RANK] = {0};
  program->bounds(world, world->globals, world->strands.lo, hi);
  ddr_pool_sweep(&world->pool);
  if (ddr_any_errors(world)) return DDR_ERROR;
  if (!count_slots(&world->strands, program->rank, hi)) {
    world->strands.n_slots = 0;
    return ddr_error(world, "cannot create the strands: the grid has too many");
  }
  if (allocate(world) == DDR_OK) return DDR_OK;
  const int64_t n_slots = world->strands.n_slots;
  ddr_strands_free(world);
  return ddr_error(world, "cannot allocate memory for %lld strands", (long long)n_slots);
}

void ddr_strands_free(ddr_world *world)
{
  free(world->strands.state);
  free(world->strands.status);
  free(world->n_running);
  world->strands.state = NULL;
  world->strands.status = NULL;
  world->n_running = NULL;
  world->strands.n_slots = world->n_blocks = 0;
}

void ddr_strands_count_block(ddr_world *world, int64_t block)
{
  const int64_t begin = block * world->block_len;
  const int64_t left = world->strands.n_slots - begin;
  const int64_t end = begin + (left < world->block_len ? left : world->block_len);
  uint32_t n_running = 0;
  for (int64_t slot = begin; slot < end; slot++) {
    n_running += world->strands.status[slot] <= DDR_NEW;
  }
  world->n_running[block] = n_running;
}

void ddr_strands_count(ddr_world *world)
{
  world->n_active = 0;
  for (int64_t block = 0; block < world->n_blocks; block++) {
    world->n_active += world->n_running[block];
  }
  /* No strand of a grid dies, so all others are stable. */
  world->n_stable = (uint64_t)world->strands.n_slots - world->n_active;
}

void ddr_strands_recount(ddr_world *world)
{
  for (int64_t block = 0; block < world->n_blocks; block++) ddr_strands_count_block(world, block);
  ddr_strands_count(world);
}
