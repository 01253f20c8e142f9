/* run.c: one run, in a process of its own. */
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "local.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/store.h"

enum { MOST_RECORDS = 50000 }; /* of a trace: more than a reader needs */
static const double seconds_between_frames = 0.1;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool print(void *data, const char *text) {
  return !frame_text(*(const int *)data, "print", "", text);
}

/* How many of n supersteps are to be run: at most what the command line's limit leaves; 0 if no
 * strand is active. */
static uint32_t steps_left(const Viewed *viewed, uint32_t n) {
  const uint32_t limit = viewed->settings.limit, done = viewed->world->store->n_steps;
  if (viewed->world->store->n_active == 0 || (limit > 0 && done >= limit)) return 0;
  return limit > 0 && limit - done < n ? limit - done : n;
}

/* Shows how far it is now and then; true: done without errors. */
static bool run_shown(const Viewed *viewed, const Order *order) {
  double shown = now();
  while (steps_left(viewed, 1) > 0) {
    ddr_world_run(viewed->world, 1);
    if (ddr_any_errors(viewed->world)) return false;
    if (now() - shown < seconds_between_frames || steps_left(viewed, 1) == 0) continue;
    if (!frame_outputs(order->wire, viewed->world, FRAME_STEP)) return false;
    shown = now();
  }
  return true;
}

/* All supersteps in one call, unless the program is in lockstep: then the view shows them. */
static bool run_to_end(const Viewed *viewed, const Order *order) {
  if (viewed->world->program->is_lockstep) return run_shown(viewed, order);
  const uint32_t limit = viewed->settings.limit, done = viewed->world->store->n_steps;
  if (limit == 0 || done < limit) ddr_world_run(viewed->world, limit > 0 ? limit - done : 0);
  return !ddr_any_errors(viewed->world);
}

/* Reads the next command of the view: s, a superstep; e, run to the end. False: the view has closed
 * the wire. */
static bool read_letter(int wire, char *letter) {
  ssize_t n;
  while ((n = recv(wire, letter, 1, 0)) < 0 && errno == EINTR) continue;
  return n == 1;
}

static bool run_by_steps(const Viewed *viewed, const Order *order) {
  char letter = 's';
  while (steps_left(viewed, 1) > 0) {
    if (!frame_outputs(order->wire, viewed->world, FRAME_STEP)) return false;
    if (!read_letter(order->wire, &letter)) return false;
    if (letter == 'e') return run_to_end(viewed, order);
    ddr_world_run(viewed->world, 1);
    if (ddr_any_errors(viewed->world)) return false;
  }
  return true;
}

static ddr_status prepare(const Viewed *viewed, const Order *order) {
  ddr_world *world = viewed->world;
  const bool is_traced = order->mode == ORDER_TRACE;
  const uint32_t n_cores = ddr_num_cores(), n = is_traced ? 1 : viewed->settings.n_workers;
  if (viewed_set_inputs(world, order) != DDR_OK) return DDR_ERROR;
  world->memory.most = viewed->settings.most_memory;
  world->store->counts_births = world->program->is_collection;
  if (ddr_set_num_workers(world, n == 0 || n > n_cores ? n_cores : n) != DDR_OK) return DDR_ERROR;
  if (ddr_set_thinning(world, order->thinning) != DDR_OK) return DDR_ERROR;
  if (ddr_set_gpu(world, "none", 0) != DDR_OK) return DDR_ERROR;
  return ddr_world_load_inputs(world);
}

/* Makes strands, and runs them. */
static bool run_whole(const Viewed *viewed, const Order *order) {
  if (ddr_world_create(viewed->world) != DDR_OK) return false;
  const bool is_good =
      order->mode == ORDER_PLAY ? run_by_steps(viewed, order) : run_to_end(viewed, order);
  return is_good && frame_outputs(order->wire, viewed->world, FRAME_LAST);
}

/* One strand, up to its end or the limit. */
static bool run_traced(const Viewed *viewed, const Order *order) {
  return ddr_world_trace(viewed->world, order->strand, viewed->settings.limit, MOST_RECORDS) ==
             DDR_OK &&
         frame_trace(order->wire, viewed->world);
}

void viewed_run(Viewed *viewed, const Order *order) {
  int wire = order->wire;
  ddr_set_printer(viewed->world, print, &wire);
  bool is_good = prepare(viewed, order) == DDR_OK;
  if (is_good)
    is_good = order->mode == ORDER_TRACE ? run_traced(viewed, order) : run_whole(viewed, order);
  if (!is_good && ddr_any_errors(viewed->world)) frame_errors(wire, viewed->world);
}
