/* Launch: diderotc run. The executable is looked for by the emitted text, which says all that the
 * source, the options and the proxy images decide, and by what the target says of its compiler.
 * It takes the place of this process, and with it the streams, the signals and the exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "frontend/base/diag.h"
#include "frontend/base/file.h"
#include "frontend/base/process.h"
#include "frontend/base/text.h"
#include "frontend/driver/cache.h"
#include "frontend/driver/local.h"
#include "frontend/driver/paths.h"

/* Builds in a private folder; what is open outlives the folder. */
static const char *build_entry(const Compilation *job, BuildJob *build, const CacheEntry *entry,
                               const char *why) {
  Arena *a = job->cx->arena;
  const char *error, *folder = NULL;
  if (entry->root) folder = folder_private(a, entry->root, &why);
  const bool is_kept = folder != NULL;
  if (!is_kept) folder = folder_private(a, NULL, &error);
  if (!folder) return error;
  build->executable = text_format(a, "%s/%s", folder, entry->name);
  error = job->target->build(job->cx, build);
  if (!error) job->launch->file = open(build->executable, O_RDONLY | O_CLOEXEC);
  if (!error && is_kept) why = cache_add(a, entry, folder);
  else folder_remove(a, folder);
  if (!error && why) diag(job->cx, SPAN_NONE, W_NOT_KEPT, d_text(why));
  if (!error && !why) job->launch->path = entry->path;
  return error;
}

/* All that the executable is made of; NULL with *error when it cannot be told. */
static const char *key_of(const Compilation *job, const BuildJob *build, const char **error) {
  Arena *a = job->cx->arena;
  RuntimePaths runtime;
  *error = runtime_paths(a, options_runtime(job->options), &runtime);
  const char *identity = *error ? NULL : job->target->identify(job->cx, build, error);
  if (!identity) return NULL;
  return text_format(a, "diderotc %s\n%016" PRIx64 "\n%s%s", DDR_VERSION, runtime_hash(a, &runtime),
                     identity, build->text);
}

int launch_prepare(const Compilation *job, const Emitted *emitted) {
  Arena *a = job->cx->arena;
  BuildJob build;
  const char *why = NULL, *error = build_prepare(job, emitted, &build);
  const char *key = error ? NULL : key_of(job, &build, &error);
  if (error) return build_not_made(job, error);
  const CacheEntry entry = cache_entry(a, key, path_stem(a, job->options->file), &why);
  job->launch->file = cache_open(a, &entry);
  if (job->launch->file >= 0) {
    job->launch->path = entry.path;
    return 0;
  }
  const SignalHold *hold = signals_hold(a);
  error = build_entry(job, &build, &entry, why);
  signals_release(hold);
  return error ? build_not_made(job, error) : 0;
}

int launch_execute(const Launch *launch, const Options *options) {
  if (launch->path) execve(launch->path, options->program_args, environ);
  /* It has no name, or another process has just removed it from the cache. */
  if (!launch->path || errno == ENOENT) fexecve(launch->file, options->program_args, environ);
  fprintf(stderr, "[%s] Error: cannot run '%s': %s\n", options->file,
          launch->path ? launch->path : options->program_args[0], strerror(errno));
  return 1;
}
