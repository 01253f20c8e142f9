/* fftw.c: see fftw.h. */
#define _GNU_SOURCE /* secure_getenv */
#include "runtime/conv/fft/fftw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *open_library(const char *name) {
  const char *folder = secure_getenv("DIDEROT_FFTW");
  char path[4096];
  if (!folder || !*folder) return dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  return n < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

bool ddr_fftw_load(const char *name, const char *const *functions, void *pointers) {
  char *to = pointers;
  void *library = open_library(name);
  for (int k = 0; library && functions[k]; k++, to += sizeof(void *)) {
    void *const address = dlsym(library, functions[k]);
    memcpy(to, &address, sizeof address);
    if (address) continue;
    dlclose(library);
    return false;
  }
  return library != NULL;
}
