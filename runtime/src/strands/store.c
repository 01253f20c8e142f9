/* store.c: the memory of the strand store, and its division into blocks.
 *
 * Slots are in rank order: first the initial strands, in nested loops over the iterators, the last
 * one fastest.  Every size is checked before memory is allocated.
 * Read next: population.c, blocks.c.
 */
#define _GNU_SOURCE /* mremap */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"
#include "halo.h"
#include "shares.h"

enum { STATE_ALIGNMENT = 64, TILE_HEIGHT = 4 };

/* Long enough to hide the cost of visiting a block, short enough that each thread gets several. */
#if defined(DDR_SMALL_SIZES)
enum { LEAST_BLOCK_LEN = 6, MOST_BLOCK_LEN = 6, MOST_TILED_LEN = 64, BLOCKS_PER_WORKER = 8 };
enum { MOST_THIRD_BYTES = 1 << 12 };
#else
enum { MOST_THIRD_BYTES = 1 << 22 }; /* little, compared to the memory of a program */
enum { LEAST_BLOCK_LEN = 16, MOST_BLOCK_LEN = 1024, MOST_TILED_LEN = 4096, BLOCKS_PER_WORKER = 16 };
#endif

/* The number of strands, from the ranges of iterators, of which they take every step-th value;
 * false on overflow. */
static bool count_slots(ddr_strands *strands, uint32_t rank, const int64_t hi[]) {
  strands->n_slots = 1;
  for (uint32_t k = 0; k < rank; k++) {
    const int64_t lo = strands->lo[k];
    const uint64_t last = ((uint64_t)hi[k] - (uint64_t)lo) / (uint64_t)strands->step;
    if (hi[k] >= lo && last >= INT64_MAX) return false;
    strands->len[k] = hi[k] < lo ? 0 : (int64_t)last + 1;
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

/* --- memory ----------------------------------------------------------------------------------- */

/* Bytes of a column of n elements, a multiple of the alignment and more than it needs, as generated
 * code may load a word behind the last element; 0 if no machine has so many. */
static size_t bytes_of(uint64_t n, size_t size) {
  if (size > 0 && n > SIZE_MAX / 4 / size) return 0;
  return ((size_t)n * size / STATE_ALIGNMENT + 1) * STATE_ALIGNMENT;
}

size_t ddr_state_bytes(const ddr_program *program, int64_t n_slots) {
  const uint64_t width = program->state_width;
  return bytes_of(((uint64_t)n_slots + width - 1) / width, program->state_size);
}

/* Bytes of the second column, if there is one. */
static size_t before_bytes(const ddr_program *program, int64_t n_slots) {
  return program->is_dual ? bytes_of((uint64_t)n_slots, ddr_before_size(program)) : 0;
}

/* With several ranks, no rank touches states that it does not have: in pages of their own, these
 * take no memory. */
static bool has_share(const ddr_world *world) {
  return ddr_is_shared_out(world) && !world->program->lend_strands; /* which reads all states */
}

/* Of the bytes of all states, those that the ranks of this machine have. */
static uint64_t bytes_here(const ddr_world *world, size_t n_bytes) {
  const ddr_rank_engine *engine = world->ranks->engine;
  if (!has_share(world)) return n_bytes;
  return (uint64_t)((double)n_bytes / engine->n_ranks * engine->n_on_node);
}

/* Addresses for the states of all ranks, which may be more than this machine has memory.  Grows
 * without touching a page; NULL: nothing has changed. */
static void *states_map(ddr_store *store, size_t bytes) {
  const size_t huge = (size_t)1 << 21; /* of a page, of which half is used */
  if (bytes >= huge / 2) bytes = (bytes + huge - 1) / huge * huge;
  void *states = store->mapped_bytes > 0
                     ? mremap(store->strands.state, store->mapped_bytes, bytes, MREMAP_MAYMOVE)
                     : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (states == MAP_FAILED) return NULL;
#if defined(MADV_HUGEPAGE)
  madvise(states, bytes, MADV_HUGEPAGE); /* only a hint */
#endif
  store->mapped_bytes = bytes;
  return states;
}

static void states_free(ddr_store *store) {
  if (store->mapped_bytes > 0) munmap(store->strands.state, store->mapped_bytes);
  else free(store->strands.state);
}

/* A zeroed column with the contents of `old`, which is freed; on failure returns NULL and changes
 * nothing.  The first column is zeroed block by block when strands are created, by the threads that
 * work on it, so it passes through their caches only once.  It is not touched either while a device
 * has all strands. */
static void *column_grow(const ddr_world *world, void *old, size_t bytes) {
  char *column = ddr_memory_new(STATE_ALIGNMENT, bytes);
  if (!column) return NULL;
  size_t n_used = 0;
  const bool is_of_device = world->store->are_unclear && ddr_device_has_all(world);
  if (old && !is_of_device) {
    n_used = ddr_state_bytes(world->program, world->store->strands.n_slots);
    memcpy(column, old, n_used);
  }
  const bool is_first = !old && world->store->are_unclear;
  const bool is_left = is_first || is_of_device;
  if (!is_left || world->program->lend_strands) memset(column + n_used, 0, bytes - n_used);
  free(old);
  return column;
}

/* With sequences, states would own what is in the third column: Note [The second column]. */
static bool has_third_column(const ddr_world *world, size_t bytes) {
  const ddr_program *program = world->program;
  const bool is_fit = !program->keep_strands && !program->shares_fixed;
  return is_fit && bytes <= MOST_THIRD_BYTES && world->workers->n > 1 && !ddr_is_shared_out(world);
}

/* The old contents are not needed: after the store has grown, a commit writes the whole column. */
static ddr_status second_column_grow(ddr_world *world, size_t bytes) {
  ddr_store *store = world->store;
  void *column = ddr_memory_new(STATE_ALIGNMENT, bytes);
  if (!column) return DDR_ERROR;
  if (!ddr_is_shared_out(world)) memset(column, 0, bytes); /* otherwise see ddr_block_publish */
  free(store->before);
  store->before = column;
  store->strands.before = column;
  free(store->next);
  store->next = NULL;
  if (has_third_column(world, bytes)) store->next = ddr_memory_new(STATE_ALIGNMENT, bytes);
  if (store->next) memset(store->next, 0, bytes); /* including padding between variables */
  return DDR_OK;
}

/* Has the old statuses. */
static ddr_status statuses_grow(ddr_strands *strands, int64_t capacity) {
  uint8_t *status = ddr_memory_new(1, (size_t)capacity + 1);
  if (!status) return DDR_ERROR;
  if (strands->status) memcpy(status, strands->status, (size_t)strands->n_slots);
  free(strands->status);
  strands->status = status;
  return DDR_OK;
}

static ddr_status births_grow(ddr_store *store, int64_t capacity) {
  if (!store->counts_births) return DDR_OK;
  int64_t *births = realloc(store->births, ((size_t)capacity + 1) * sizeof *births);
  if (births) store->births = births;
  return births ? DDR_OK : DDR_ERROR;
}

static ddr_status grow(ddr_world *world, int64_t capacity) {
  const ddr_program *program = world->program;
  ddr_strands *strands = &world->store->strands;
  const size_t bytes = ddr_state_bytes(program, capacity);
  const size_t n_before = before_bytes(program, capacity);
  const bool is_copied = strands->state && !has_share(world);
  const size_t n_now = is_copied ? ddr_state_bytes(program, strands->n_slots) : 0;
  const uint64_t n_here = bytes_here(world, bytes) + n_before;
  const size_t n_born = (size_t)atomic_load(&world->memory.n_birth_bytes);
  if (bytes == 0 || (program->is_dual && n_before == 0)) return DDR_ERROR;
  if (!ddr_memory_fits(&world->memory, n_here + n_now + n_born)) return DDR_ERROR;
  if (program->is_dual && second_column_grow(world, n_before) != DDR_OK) return DDR_ERROR;
  if (statuses_grow(strands, capacity) != DDR_OK) return DDR_ERROR;
  if (births_grow(world->store, capacity) != DDR_OK) return DDR_ERROR;
  void *state = has_share(world) ? states_map(world->store, bytes)
                                 : column_grow(world, strands->state, bytes);
  if (!state) return DDR_ERROR;
  strands->state = state;
  if (!program->is_dual) strands->before = state;
  world->store->capacity = capacity;
  world->memory.n_store_bytes = n_here;
  return DDR_OK;
}

ddr_status ddr_strands_reserve(ddr_world *world, int64_t n_slots) {
  const int64_t capacity = world->store->capacity;
  if (n_slots <= capacity && world->store->strands.state) return DDR_OK;
  const int64_t generous = capacity + capacity / 2;
  if (n_slots < generous && grow(world, generous) == DDR_OK) return DDR_OK;
  if (grow(world, n_slots) == DDR_OK) return DDR_OK;
  char reason[DDR_REASON_SIZE];
  return ddr_error(world, "cannot allocate memory for %lld strands: %s", (long long)n_slots,
                   ddr_memory_reason(&world->memory, reason));
}

void ddr_births_follow(ddr_store *store, int64_t begin, int64_t end) {
  for (int64_t slot = begin; slot < end && store->births; slot++)
    store->births[slot] = store->n_born++;
}

/* Collective.  All ranks have the same blocks, however many threads each has. */
static ddr_status begin_shares(ddr_world *world) {
  const size_t n_ranks = (size_t)ddr_n_ranks(world);
  int64_t *n_workers = calloc(n_ranks, sizeof *n_workers);
  world->store->n_born_at = calloc(n_ranks, sizeof *n_workers);
  if (!n_workers || !world->store->n_born_at) {
    if (ddr_is_shared_out(world)) ddr_ranks_give_up(world);
    free(n_workers);
    return ddr_error(world, "out of memory for the strands");
  }
  n_workers[0] = world->workers->n;
  if (ddr_is_shared_out(world)) ddr_ranks_share(world, world->workers->n, n_workers);
  for (size_t r = 0; r < n_ranks; r++) world->store->n_all_workers += n_workers[r];
  free(n_workers);
  return DDR_OK;
}

ddr_status ddr_strands_allocate(ddr_world *world) {
  const ddr_program *program = world->program;
  ddr_strands *strands = &world->store->strands;
  int64_t hi[DDR_MAX_ITERATORS] = {0};
  if (begin_shares(world) != DDR_OK) return DDR_ERROR;
  program->bounds(world, world->globals, strands->lo, hi);
  ddr_pool_sweep(&world->pool);
  if (ddr_has_failed(world)) return DDR_ERROR;
  const bool is_countable = count_slots(strands, program->rank, hi);
  const int64_t n_slots = is_countable ? strands->n_slots : 0;
  strands->n_slots = 0;
  if (!is_countable) return ddr_error(world, "cannot create the strands: the grid has too many");
  const bool is_fleeting = ddr_strands_are_fleeting(world, n_slots);
  world->store->are_unclear = !is_fleeting && !program->lend_strands;
  if ((is_fleeting ? ddr_fleeting_reserve : ddr_strands_reserve)(world, n_slots) != DDR_OK)
    return DDR_ERROR;
  strands->n_slots = n_slots;
  if (!is_fleeting) memset(strands->status, DDR_NEW, (size_t)n_slots);
  ddr_births_follow(world->store, 0, n_slots);
  world->store->version_of_places = 1;
  if (ddr_strands_partition(world) != DDR_OK) return DDR_ERROR;
  if (ddr_is_shared_out(world)) ddr_shares_cut(world);
  return DDR_OK;
}

static void free_records(ddr_store *store) {
  for (int64_t k = 0; k < store->n_records; k++) {
    free(store->records[k].births.states);
    ddr_text_clear(&store->records[k].held);
    ddr_parts_clear(&store->records[k].born);
    ddr_parts_clear(&store->records[k].said);
  }
  free(store->records);
}

void ddr_strands_free(ddr_store *store) {
  ddr_fleeting_free(store);
  ddr_halo_free(store);
  ddr_shares_free(&store->shares);
  free(store->n_born_at);
  free(store->told);
  free(store->births);
  states_free(store);
  free(store->before);
  free(store->next);
  free(store->strands.status);
  free_records(store);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* So that each worker has several blocks. */
static int64_t block_len_up_to(const ddr_world *world, int64_t most) {
  const int64_t n_workers = world->store->n_all_workers;
  if (n_workers == 1) return most;
  const int64_t len = world->store->strands.n_slots / (n_workers * BLOCKS_PER_WORKER);
  if (len >= most) return most;
  if (len < LEAST_BLOCK_LEN) return LEAST_BLOCK_LEN;
  return (len + LEAST_BLOCK_LEN - 1) / LEAST_BLOCK_LEN * LEAST_BLOCK_LEN;
}

/* The shape of tiles, if a block of that many rows is not too long, also with several ranks;
 * fleeting strands have a fixed block length. */
static ddr_tiles choose_tiles(const ddr_world *world) {
  const ddr_program *program = world->program;
  ddr_tiles tiles = {.height = TILE_HEIGHT};
  const bool is_fit =
      program->is_tiled && program->state_width == 1 && world->store->fleeting_bytes == 0;
  if (!is_fit || program->is_collection || program->rank < 2) return (ddr_tiles){0};
  tiles.row = world->store->strands.len[program->rank - 1];
  /* Twice as long as other blocks, rather than tiles that are less square: strands that differ
   * share registers there. */
  const int64_t len = 2 * block_len_up_to(world, MOST_TILED_LEN);
  const int64_t most = len < MOST_TILED_LEN ? len : MOST_TILED_LEN;
  while (tiles.height > 1 && tiles.height * tiles.row > most) tiles.height /= 2;
  return tiles.height > 1 && tiles.row > 0 ? tiles : (ddr_tiles){0};
}

static int64_t choose_block_len(const ddr_world *world, ddr_tiles tiles) {
  const int64_t width = world->program->state_width;
  const int64_t unit = tiles.height > 0 ? tiles.height * tiles.row : width;
  const bool is_fleeting = world->store->fleeting_bytes > 0;
  const int64_t len = is_fleeting ? DDR_FLEETING_BLOCK : block_len_up_to(world, MOST_BLOCK_LEN);
  return len < unit ? unit : len / unit * unit;
}

static ddr_status reserve_records(ddr_world *world) {
  ddr_store *store = world->store;
  if (store->n_blocks <= store->n_records) return DDR_OK;
  const size_t n_records = (size_t)(store->n_blocks + store->n_blocks / 2);
  ddr_record *records = realloc(store->records, n_records * sizeof *records);
  if (!records) {
    store->n_blocks = 0;
    return ddr_error(world, "out of memory for %lld strands", (long long)store->strands.n_slots);
  }
  const size_t n_old = (size_t)store->n_records;
  memset(records + n_old, 0, (n_records - n_old) * sizeof *records);
  store->records = records;
  store->n_records = (int64_t)n_records;
  return DDR_OK;
}

ddr_status ddr_strands_partition(ddr_world *world) {
  ddr_store *store = world->store;
  const int64_t n_strands = store->strands.n_slots;
  store->tiles = choose_tiles(world);
  store->block_len = choose_block_len(world, store->tiles);
  store->n_blocks = (n_strands + store->block_len - 1) / store->block_len;
  if (reserve_records(world) != DDR_OK) return DDR_ERROR;
  for (int64_t number = 0; number < store->n_blocks; number++) {
    const int64_t n = ddr_block_end(store, number) - ddr_block_begin(store, number);
    if (store->fleeting_bytes > 0) store->records[number].n_running = (uint32_t)n;
    else ddr_block_count(store, number);
    store->records[number].is_stale = true;
  }
  store->is_next_whole = false;
  store->news = (ddr_news){true, true};
  return DDR_OK;
}

int64_t ddr_block_begin(const ddr_store *store, int64_t number) {
  return number * store->block_len;
}

int64_t ddr_block_end(const ddr_store *store, int64_t number) {
  const int64_t begin = ddr_block_begin(store, number), left = store->strands.n_slots - begin;
  return begin + (left < store->block_len ? left : store->block_len);
}

/* Counts few enough statuses for a counter of one byte, and enough for vector comparisons. */
static uint8_t count_some(const uint8_t *status, int n, uint8_t least, uint8_t most) {
  const uint8_t range = (uint8_t)(most - least);
  uint8_t n_such = 0;
  for (int k = 0; k < n; k++) n_such = (uint8_t)(n_such + ((uint8_t)(status[k] - least) <= range));
  return n_such;
}

int64_t ddr_count_status(const uint8_t status[], int64_t n, uint8_t least, uint8_t most) {
  enum { PIECE = 128 };
  int64_t n_such = 0, begin = 0;
  for (; begin + PIECE <= n; begin += PIECE) {
    n_such += count_some(status + begin, PIECE, least, most);
  }
  return n_such + count_some(status + begin, (int)(n - begin), least, most);
}

void ddr_block_count(ddr_store *store, int64_t number) {
  const int64_t begin = ddr_block_begin(store, number), n = ddr_block_end(store, number) - begin;
  const uint8_t *status = store->strands.status + begin;
  store->records[number].n_running = (uint32_t)ddr_count_status(status, n, 0, DDR_NEW);
  store->records[number].n_dead = (uint32_t)ddr_count_status(status, n, DDR_DEAD, DDR_DEAD);
}

/* --- counts ----------------------------------------------------------------------------------- */

uint64_t ddr_num_strands(const ddr_world *world) {
  return world->store->n_active + world->store->n_stable;
}
uint64_t ddr_num_active(const ddr_world *world) { return world->store->n_active; }
uint64_t ddr_num_stable(const ddr_world *world) { return world->store->n_stable; }
