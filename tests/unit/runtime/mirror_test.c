/* The host's copy of strands on a device: no memory until it is requested, then only what the
 * device has, and zeros. The device is a few functions here. */
#define _DEFAULT_SOURCE /* mincore */
#include <sys/mman.h>
#include <unistd.h>

#include "ddr/ddr.h"
#include "ddr/device/device.h"
#include "files.h"
#include "grid_program.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/store.h"

enum { N_ROWS = 300000, N_SLOTS = 3 * N_ROWS };

/* --- a device --------------------------------------------------------------------------------- */

static int64_t n_there; /* number of strands on the device */
static char a_device;

static const char *open_it(const ddr_program *program, ddr_world *world, int id, bool any,
                           uint32_t block_size, ddr_device **device) {
  (void)program, (void)world, (void)id, (void)any, (void)block_size;
  *device = (ddr_device *)(void *)&a_device;
  return NULL;
}

static bool is_there(void) { return true; }

static const char *no_upload(ddr_device *device, const void *globals) {
  (void)device, (void)globals;
  return NULL;
}

static const char *create(ddr_device *device, const ddr_strands *strands) {
  (void)device;
  n_there = strands->n_slots;
  return NULL;
}

static const char *run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  (void)device, (void)max_steps;
  n_there *= 2; /* a superstep of births */
  *n_steps = 1;
  return NULL;
}

static ddr_counts count(const ddr_device *device) {
  (void)device;
  const ddr_counts counts = {n_there, n_there, 0};
  return counts;
}

/* Fetches the sums only. */
static const char *fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *strands) {
  (void)device, (void)offset, (void)size;
  for (int64_t slot = 0; slot < n_there; slot++)
    ((GridState *)strands->state)[slot].sum = (int32_t)slot;
  return NULL;
}

static void close_it(ddr_device *device) { (void)device; }

static const ddr_device_engine engine = {
    .open = open_it,
    .is_there = is_there,
    .upload = no_upload,
    .create = create,
    .run = run,
    .count = count,
    .fetch = fetch,
    .close = close_it,
};

/* --- what is touched -------------------------------------------------------------------------- */

/* The number of whole pages of the states that have memory. */
static int64_t n_pages_used(const ddr_world *world, int64_t n_slots) {
  static unsigned char found[1 << 16];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *state = world->store->strands.state;
  char *begin = state + (page - (uintptr_t)state % page) % page;
  const size_t n = ((size_t)n_slots * sizeof(GridState) - (size_t)(begin - state)) / page;
  int64_t n_used = 0;
  if (!CHECK(n <= sizeof found && mincore(begin, n * page, found) == 0)) return -1;
  for (size_t k = 0; k < n; k++) n_used += found[k] & 1;
  return n_used;
}

static void states_take_no_memory_until_they_are_fetched(void) {
  const int64_t n_huge = 512; /* pages of 4 KiB in a huge page, which an allocator may touch */
  const ddr_device_program device = {.engine = &engine};
  const int32_t ny = N_ROWS;
  ddr_program program = grid_program;
  program.device = &device;
  ddr_world *world = ddr_world_new(&program);
  ddr_input_set(world, "ny", &ny);
  CHECK(ddr_world_load_inputs(world) == DDR_OK && ddr_world_create(world) == DDR_OK);
  CHECK_EQ(ddr_num_strands(world), N_SLOTS);
  CHECK(n_pages_used(world, N_SLOTS) <= n_huge);
  CHECK_EQ(ddr_device_run(world, 1), 1); /* grows */
  CHECK_EQ(ddr_num_strands(world), 2 * N_SLOTS);
  CHECK(n_pages_used(world, 2 * (int64_t)N_SLOTS) <= n_huge);
  CHECK_EQ(ddr_device_mirror(world, 0, sizeof(GridState)), DDR_OK);
  const GridState *states = world->store->strands.state;
  for (int64_t slot = 0; slot < 2 * (int64_t)N_SLOTS; slot++) {
    const GridState want = {.sum = (int32_t)slot};
    if (memcmp(&states[slot], &want, sizeof want) != 0) {
      CHECK_EQ(slot, -1);
      break;
    }
  }
  CHECK(!ddr_any_errors(world));
  ddr_world_free(world);
}

int main(void) {
  RUN(states_take_no_memory_until_they_are_fetched);
  return test_result();
}
