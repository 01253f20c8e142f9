/* watch.c: see watch.h.
 *
 * The mpirun of MPICH kills all processes as soon as one of them has been killed, and names any one
 * of them.  Another rank cannot be sure to say it, because it is killed, too; a parent can, for
 * mpirun knows only the parent, and learns of the loss when that has ended.
 */
#define _GNU_SOURCE /* strsignal */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void end_like(pid_t child, const char *rank) {
  int how = 0;
  while (waitpid(child, &how, 0) < 0)
    if (errno != EINTR) _exit(EXIT_FAILURE);
  if (WIFEXITED(how)) _exit(WEXITSTATUS(how));
  const int number = WTERMSIG(how);
  fprintf(stderr, "[DIDEROT] rank %s was ended by signal %d: %s\n", rank, number,
          strsignal(number));
  prctl(PR_SET_DUMPABLE, 0); /* the rank's memory is of interest, not that of its parent */
  signal(number, SIG_DFL);
  kill(getpid(), number);
  _exit(EXIT_FAILURE);
}

void go_on_watched(const char *rank) {
  signal(SIGCHLD, SIG_DFL); /* ignored, it would lose how the rank ended */
  const pid_t parent = getpid(), child = fork();
  if (child > 0) end_like(child, rank);
  if (child < 0) return;            /* unwatched */
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* mpirun ends only the parent */
  if (getppid() != parent) _exit(EXIT_FAILURE);
}
