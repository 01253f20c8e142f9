/* library_interrupt.c: lets SIGINT end a run, so that a client's handler (Python) gets its turn.
 *
 * Signals belong to the process: the current interruptible run is the only state outside of worlds,
 * and the handler only sets its flag and calls the handler that was installed before.
 */
#include <signal.h>

#include "local.h"

static _Atomic(ddr_world *) listener;
static struct sigaction before;

static void on_interrupt(int number, siginfo_t *info, void *context) {
  ddr_world *world = atomic_load(&listener);
  if (world) __atomic_store_n(&world->is_stopped, true, __ATOMIC_RELAXED);
  if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
  else before.sa_handler(number);
}

static bool has_handler(const struct sigaction *action) {
  if (action->sa_flags & SA_SIGINFO) return true;
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

void ddr_library_make_interruptible(ddr_world *world) {
  if (ddr_library_at_rest(world)) world->library->is_interruptible = true;
}

void ddr_library_begin_run(ddr_world *world) {
  ddr_world *nobody = NULL;
  __atomic_store_n(&world->is_stopped, false, __ATOMIC_RELAXED);
  if (!world->library->is_interruptible) return;
  if (!atomic_compare_exchange_strong(&listener, &nobody, world)) return;
  if (sigaction(SIGINT, NULL, &before) == 0 && has_handler(&before)) {
    struct sigaction own = before;
    own.sa_flags |= SA_SIGINFO;
    own.sa_sigaction = on_interrupt;
    if (sigaction(SIGINT, &own, NULL) == 0) return;
  }
  atomic_store(&listener, NULL);
}

/* A client may have installed its own handler while a run in another thread was in progress. */
static bool is_installed(void) {
  struct sigaction now;
  return sigaction(SIGINT, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
         now.sa_sigaction == on_interrupt;
}

void ddr_library_end_run(ddr_world *world) {
  if (!world->library->is_interruptible || atomic_load(&listener) != world) return;
  if (is_installed()) sigaction(SIGINT, &before, NULL);
  atomic_store(&listener, NULL);
}
