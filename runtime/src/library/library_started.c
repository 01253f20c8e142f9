/* library_started.c: runs in a thread of their own, while the client prepares the next frame.
 *
 * Any other call for the world first waits for the end of its run, so no other file needs to know
 * about threads.  Errors of the run are reported by that call.
 *
 * Read next: library.c (run).
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "local.h"
#include "runtime/src/ranks/ranks.h"

struct ddr_started {
  ddr_world *world;
  pthread_t thread;
  pthread_mutex_t joining; /* held by the thread that joins, while others wait */
  bool is_under_way;       /* from start until join */
  uint32_t max_steps, n_steps;
};

/* The world whose run this thread makes; print callbacks of the run come from this thread, too. */
static _Thread_local const ddr_world *made_here;

static void *make_run(void *data) {
  ddr_world *world = data;
  ddr_started *started = world->library->started;
  made_here = world;
  started->n_steps = ddr_library_make_run(world, started->max_steps);
  return NULL;
}

/* Signals are for the client's threads, so the new thread blocks them. The run is not visible
 * before it has started. */
static bool begin_thread(ddr_world *world) {
  ddr_started *started = world->library->started;
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  pthread_mutex_lock(&started->joining);
  const int error = pthread_create(&started->thread, NULL, make_run, world);
  started->is_under_way = error == 0;
  pthread_mutex_unlock(&started->joining);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

static bool make_started(ddr_world *world) {
  ddr_started *started = calloc(1, sizeof *started);
  if (!started) return false;
  if (pthread_mutex_init(&started->joining, NULL) != 0) {
    free(started);
    return false;
  }
  started->world = world;
  world->library->started = started;
  return true;
}

void ddr_library_free_started(ddr_started *started) {
  if (!started) return;
  pthread_mutex_destroy(&started->joining);
  free(started);
}

static ddr_status start(ddr_world *world, uint32_t max_steps, bool *is_under_way) {
  if (ddr_n_ranks(world) > 1)
    return ddr_error(world, "runs of several processes cannot be started");
  if (!world->library->started && !make_started(world)) return ddr_error(world, "out of memory");
  ddr_started *started = world->library->started;
  started->max_steps = max_steps;
  started->n_steps = 0;
  ddr_library_begin_run(world);
  *is_under_way = begin_thread(world);
  if (*is_under_way) return DDR_OK;
  started->n_steps = ddr_library_make_run(world, max_steps); /* no thread: run now */
  ddr_library_end_run(world);
  return DDR_OK;
}

bool ddr_library_start(ddr_world *world, uint32_t max_steps) {
  if (!ddr_library_enter(world)) return true;
  bool is_under_way = false;
  const ddr_status status = start(world, max_steps, &is_under_way);
  return is_under_way ? false /* the world is busy */ : ddr_library_leave(world, status);
}

void ddr_library_await(const ddr_world *world) {
  ddr_library *library = world->library;
  ddr_started *started = library->started;
  if (!started || made_here == world) return;
  pthread_mutex_lock(&started->joining);
  if (started->is_under_way) {
    pthread_join(started->thread, NULL);
    started->is_under_way = false;
    ddr_library_end_run(started->world);
    ddr_library_leave(started->world, DDR_OK);
  }
  pthread_mutex_unlock(&started->joining);
}

uint32_t ddr_library_wait(ddr_world *world) {
  if (!ddr_library_enter(world)) return 0; /* waits for the run */
  ddr_started *started = world->library->started;
  const uint32_t n_steps = started ? started->n_steps : 0;
  ddr_status status = DDR_OK;
  if (!started)
    status = ddr_error(world, "must call %s_start before %s_wait", world->library->prefix,
                       world->library->prefix);
  ddr_library_leave(world, status);
  return n_steps;
}
