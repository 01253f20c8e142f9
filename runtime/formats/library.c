/* library.c: libraries that are loaded when a file needs them.
 *
 * Programs are neither linked with them nor do they start slower for them, and machines without
 * them miss a format, not the program.
 */
#include <dlfcn.h>
#include <string.h>

#include "runtime/formats/format_local.h"

bool format_borrow(const char *const *names, const char *const *functions, void **addresses,
                   ddr_problem *problem) {
  void *library = NULL;
  for (int k = 0; names[k] && !library; k++) library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return ddr_problem_say(problem, "its format needs the library %s, which cannot be loaded",
                           names[0]);
  }
  for (int k = 0; functions[k]; k++) {
    addresses[k] = dlsym(library, functions[k]);
    if (addresses[k]) continue;
    dlclose(library);
    return ddr_problem_say(problem, "the library %s has no %s", names[0], functions[k]);
  }
  return true; /* it stays until the process ends */
}
