/* idle.c: ranks of MPICH that sleep while nothing comes.
 *
 * MPICH asks UCX for messages again and again while it waits, and never gives its processor away:
 * two ranks on a processor take turns of milliseconds. Loaded before it (LD_PRELOAD), this counts
 * the answers that nothing has come, and after many of them lets a moment pass. Messages, and their
 * order, stay as they are.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

enum { PATIENCE = 200 }; /* answers: what follows at once is not waited for */

typedef unsigned Progress(void *worker);
Progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker) {
  static _Thread_local unsigned in_vain;
  static Progress *real;
  if (real == NULL) {
    *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
  }
  unsigned came = real(worker);
  in_vain = came != 0 ? 0 : in_vain + 1;
  if (in_vain > PATIENCE) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  return came;
}
