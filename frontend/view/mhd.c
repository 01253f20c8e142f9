/* Mhd: see mhd.h. That of the build, or a neighbour, in which these functions are the same. */
#include "frontend/view/mhd.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

const Mhd *mhd_load(const char **why) {
  static const char *const functions[] = {
#define CALL(name) #name,
#include "frontend/view/mhd_calls.def"
  };
  static Mhd mhd;
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  *why = "diderotc view needs the library libmicrohttpd.so.12, which cannot be loaded (on Debian "
         "and Ubuntu: apt-get install libmicrohttpd12)";
  for (size_t k = 0; library && k < sizeof functions / sizeof *functions; k++) {
    void *address = dlsym(library, functions[k]);
    if (!address) return NULL;
    memcpy((char *)&mhd + k * sizeof address, &address, sizeof address);
  }
  return library ? &mhd : NULL;
}
