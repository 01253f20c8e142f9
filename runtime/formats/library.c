/* library.c: libraries that are loaded when a file needs them.
 *
 * Programs are not linked with them, so they do not start more slowly. On a machine without such a
 * library only files of its format cannot be read.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "runtime/formats/format_local.h"

/* The library stays loaded until the process ends. */
static bool load(const char *const *names, const char *const *functions, char *pointers,
                 ddr_problem *problem) {
  void *library = NULL;
  for (int k = 0; names[k] && !library; k++) library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return ddr_problem_say(problem, "its format needs the library %s, which cannot be loaded",
                           names[0]);
  }
  for (size_t k = 0; functions[k]; k++) {
    void *address = dlsym(library, functions[k]);
    memcpy(pointers + k * sizeof address, &address, sizeof address);
    if (address) continue;
    dlclose(library);
    return ddr_problem_say(problem, "the library %s has no %s", names[0], functions[k]);
  }
  return true;
}

bool format_borrow(const char *const *names, const char *const *functions, void *pointers,
                   bool *is_there, ddr_problem *problem) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!*is_there) *is_there = load(names, functions, pointers, problem);
  const bool is_done = *is_there;
  pthread_mutex_unlock(&lock);
  return is_done;
}
