/* An executable in which every allocation fails in turn, alone or with all that follow: each time
 * it ends in an orderly way, says why in one line, leaks nothing (ASan) and leaves no half-written
 * file. The arguments are those of the program; the linker calls the runtime's main __real_main.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "files.h"

#ifndef LEAST_ALLOCATIONS
#define LEAST_ALLOCATIONS 50
#endif

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

/* Shared with the children that run the program. */
typedef struct {
  _Atomic int64_t n_allocations, first_failure, last_failure;
} Plan;

static Plan *plan;
static int64_t n_asked; /* allocations of the last run */

static bool fails_now(void) {
  if (!plan) return false;
  const int64_t n = atomic_fetch_add(&plan->n_allocations, 1);
  return n >= atomic_load(&plan->first_failure) && n <= atomic_load(&plan->last_failure);
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n) { return fails_now() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails_now() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t n) { return fails_now() ? NULL : __real_realloc(old, n); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) {
  return fails_now() ? NULL : __real_aligned_alloc(alignment, n);
}

static void redirect(const char *name, int to) {
  const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || dup2(fd, to) < 0) _exit(98);
  close(fd);
}

/* Wait status of a run in which allocations from `first` to `last` fail. */
static int run(int argc, char **argv, int64_t first, int64_t last) {
  int status = 0;
  atomic_store(&plan->n_allocations, 0);
  atomic_store(&plan->first_failure, first);
  atomic_store(&plan->last_failure, last);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    redirect(".out", STDOUT_FILENO);
    redirect(".err", STDERR_FILENO);
    exit(__real_main(argc, argv));
  }
  while (waitpid(child, &status, 0) != child) continue;
  n_asked = atomic_load(&plan->n_allocations);
  atomic_store(&plan->first_failure, INT64_MAX);
  return status;
}

static int count_lines(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

/* One reason; a leading phrase and the usage do not count. */
static bool is_clear(const char *err) {
  const char *reason = strstr(err, "memory");
  const char *usage = strstr(err, "\nUsage: ");
  const int n_lines = usage ? 1 : count_lines(err);
  return reason && (!usage || reason < usage) && n_lines <= 3;
}

static bool check_run(int status, int64_t first, bool has_failed, const char *want) {
  size_t n = 0;
  char *err = files_read(".err", &n);
  const bool is_success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  bool is_good = CHECK(err && WIFEXITED(status)) && CHECK(is_success || WEXITSTATUS(status) == 1);
  if (is_good && is_success) {
    is_good = CHECK_STR(err, "") && CHECK(system("cat .out $(ls) | cksum > .sum") == 0);
    char *sum = files_read(".sum", &n);
    is_good = CHECK_STR(sum, want) && is_good;
    free(sum);
  } else if (is_good) {
    is_good = CHECK(has_failed) && CHECK(is_clear(err));
  }
  if (!is_good) fprintf(stderr, "  allocation %d: status %d\n%s", (int)first, status, err);
  free(err);
  return is_good;
}

/* Until none is left that could fail. */
static void fail_each(int argc, char **argv, int64_t n_failures, const char *want) {
  bool has_failed = true, is_good = true;
  int64_t first = 0;
  for (; has_failed && is_good && first < 5000; first++) {
    CHECK(system("rm -f -- * .out .err") == 0);
    const int status = run(argc, argv, first, first + n_failures - 1);
    has_failed = n_asked > first;
    is_good = check_run(status, first, has_failed, want);
    CHECK(system("ls *.tmp > /dev/null 2>&1") != 0);
  }
  CHECK(!has_failed && first >= LEAST_ALLOCATIONS);
}

int __wrap_main(int argc, char **argv) {
  static const char header[] =
      "NRRD0001\ntype: uchar\ndimension: 2\nsizes: 3 2\nencoding: raw\n\n......";
  files_enter();
  files_write(".i.nrrd", header, sizeof header - 1);
  plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (plan == MAP_FAILED) return 1;
  CHECK_EQ(run(argc, argv, INT64_MAX, INT64_MAX), 0);
  CHECK(system("cat .out $(ls) | cksum > .want") == 0);
  size_t n = 0;
  char *want = files_read(".want", &n);
  fail_each(argc, argv, 1, want);
  fail_each(argc, argv, 1000000, want);
  free(want);
  files_leave();
  return test_result();
}
