/* Launch: diderotc run. The executable replaces this process, so streams, signals and the exit
 * status are its own.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "driver/local.h"

int launch_prepare(const Compilation *job, const Emitted *emitted) {
  BuildJob build = {0};
  const char *error = build_prepare(job, emitted, &build);
  if (!error) error = keep(job, &build);
  return error ? build_not_made(job, error) : 0;
}

int launch_execute(const Launch *launch, const Options *options) {
  if (launch->path) execve(launch->path, options->program_args, environ);
  /* The executable has no path, or another process has just removed it from the cache. */
  if (!launch->path || errno == ENOENT) fexecve(launch->file, options->program_args, environ);
  fprintf(stderr, "[%s] Error: cannot run '%s': %s\n", options->file,
          launch->path ? launch->path : options->program_args[0], strerror(errno));
  return 1;
}
