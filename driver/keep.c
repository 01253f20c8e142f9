/* Keep: results in the cache. The key consists of the generated texts, on which source, options and
 * proxy images have their effect, and of the target's identification of its compiler. Next:
 * cache.c.
 */
#include <fcntl.h>
#include <inttypes.h>

#include "driver/cache.h"
#include "driver/local.h"
#include "driver/paths.h"
#include "frontend/base/diag.h"
#include "frontend/base/file.h"
#include "frontend/base/process.h"
#include "frontend/base/text.h"

/* The key; NULL with *error if the compiler cannot be identified. */
static const char *key_of(const Compilation *job, const BuildJob *build, const char **error) {
  Arena *a = job->cx->arena;
  RuntimePaths runtime;
  *error = runtime_paths(a, options_runtime(job->options), &runtime);
  const char *identity = *error ? NULL : job->target->identify(job->cx, build, error);
  if (!identity) return NULL;
  const LibraryTexts *library = build->library;
  return text_format(a, "diderotc %s\n%016" PRIx64 "\n%s%s%s%s%s", DDR_VERSION,
                     runtime_hash(a, &runtime), identity, build->text,
                     build->device_text ? build->device_text : "",
                     library ? library->functions : "", library ? library->header : "");
}

static const char *name_of(const Compilation *job, const BuildJob *build) {
  return text_format(job->cx->arena, "%s%s", path_stem(job->cx->arena, job->options->file),
                     build->library ? ".so" : "");
}

static void put_in(Arena *a, BuildJob *build, const char *folder, const char *name) {
  const char *path = text_format(a, "%s/%s", folder, name);
  if (!build->library) {
    build->executable = path;
    return;
  }
  build->shared = path;
  build->header = text_format(a, "%s.h", path_without_suffix(a, path));
}

/* Builds in a private folder, and adds the result to the cache. If that fails, an executable can
 * still be run, because an open file outlives its folder. */
static const char *build_entry(const Compilation *job, BuildJob *build, const CacheEntry *entry,
                               const char *why) {
  Arena *a = job->cx->arena;
  const char *error, *folder = NULL;
  if (entry->root) folder = folder_private(a, entry->root, &why);
  const bool is_kept = folder != NULL;
  if (!is_kept && build->library) return why;
  if (!is_kept) folder = folder_private(a, NULL, &error);
  if (!folder) return error;
  put_in(a, build, folder, entry->name);
  error = job->target->build(job->cx, build);
  const char *made = build->library ? build->shared : build->executable;
  if (!error) job->launch->file = open(made, O_RDONLY | O_CLOEXEC);
  if (!error && is_kept) why = cache_add(a, entry, folder);
  else folder_remove(a, folder);
  if (!error && why && build->library) return why;
  if (!error && why) diag(job->cx, SPAN_NONE, W_NOT_KEPT, d_text(why));
  if (!error && !why) job->launch->path = entry->path;
  return error;
}

const char *keep(const Compilation *job, BuildJob *build) {
  Arena *a = job->cx->arena;
  const char *why = NULL, *error, *key = key_of(job, build, &error);
  if (error) return error;
  const CacheEntry entry = cache_entry(a, key, name_of(job, build), &why);
  job->launch->file = cache_open(a, &entry);
  if (job->launch->file >= 0) {
    job->launch->path = entry.path;
    return NULL;
  }
  const SignalHold *hold = signals_hold(a);
  error = build_entry(job, build, &entry, why);
  signals_release(hold);
  return error;
}
