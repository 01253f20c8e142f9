/* counts.c: the counts of each thread, and the timer that samples which line threads execute.
 *
 * The timer runs while the process uses processor time, and its signal goes to the thread that used
 * it.
 * Read next: report.c.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "local.h"

/* A thread may end; its counts stay. */
typedef struct Thread {
  struct Thread *next;
  ddr_profile_count counts[];
} Thread;

static struct {
  pthread_mutex_t lock;
  Thread *threads;
  size_t n_marks;
  volatile sig_atomic_t n_elsewhere; /* samples of threads without marks */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

_Thread_local ddr_profile_count *ddr_profile_counts;
_Thread_local volatile uint32_t ddr_profile_here;

/* Without memory for counts, the program cannot go on. */
static Thread *thread_new(void) {
  Thread *thread = calloc(1, sizeof *thread + state.n_marks * sizeof *thread->counts);
  if (thread) return thread;
  fputs("--profile: out of memory\n", stderr);
  _Exit(EXIT_FAILURE);
}

void ddr_profile_begin(void) {
  Thread *thread = thread_new();
  pthread_mutex_lock(&state.lock);
  thread->next = state.threads;
  state.threads = thread;
  pthread_mutex_unlock(&state.lock);
  ddr_profile_counts = thread->counts;
}

/* --- sampling --------------------------------------------------------------------------------- */

static void take_sample(int signal_number) {
  (void)signal_number;
  if (ddr_profile_counts) ddr_profile_counts[ddr_profile_here].n_samples++;
  else state.n_elsewhere++;
}

static bool set_timer(int64_t microseconds) {
  const struct timeval period = {.tv_usec = microseconds};
  const struct itimerval timer = {.it_interval = period, .it_value = period};
  return setitimer(ITIMER_PROF, &timer, NULL) == 0;
}

bool ddr_profile_start(const ddr_profile *profile) {
  struct sigaction action = {.sa_handler = take_sample, .sa_flags = SA_RESTART};
  state.n_marks = profile->n_marks;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGPROF, &action, NULL) == 0 && set_timer(1000);
}

void ddr_profile_stop(void) { set_timer(0); }

/* --- sums ------------------------------------------------------------------------------------- */

/* The sum of one mark's counts over all threads. */
static ddr_profile_count count_of(uint32_t mark) {
  ddr_profile_count sum = {0};
  for (const Thread *thread = state.threads; thread; thread = thread->next) {
    const ddr_profile_count *count = &thread->counts[mark];
    sum.n_runs += count->n_runs;
    sum.n_strands += count->n_strands;
    sum.n_probes += count->n_probes;
    sum.n_inside += count->n_inside;
    sum.n_samples += count->n_samples;
  }
  return sum;
}

/* A line's time and probes are the sums of its marks; its runs are those of the mark that most
 * strands reached. */
static void add_mark(ddr_profile_line *line, const ddr_profile_count *count) {
  line->n_samples += count->n_samples;
  line->n_probes += count->n_probes;
  line->n_inside += count->n_inside;
  if (count->n_strands < line->n_strands || count->n_runs == 0) return;
  line->n_strands = count->n_strands;
  line->n_runs = count->n_runs;
}

bool ddr_profile_collect(const ddr_profile *profile, ddr_profile_sums *sums) {
  sums->lines = calloc(profile->n_lines + 1, sizeof *sums->lines);
  if (!sums->lines) return false;
  for (uint32_t mark = 0; mark < profile->n_marks; mark++) {
    const ddr_profile_count count = count_of(mark);
    add_mark(&sums->lines[profile->lines[mark]], &count);
  }
  sums->lines[0].n_samples += (uint64_t)state.n_elsewhere;
  for (uint32_t line = 0; line <= profile->n_lines; line++)
    sums->n_samples += sums->lines[line].n_samples;
  return true;
}
