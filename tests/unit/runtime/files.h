/* Files for tests of the runtime: a scratch folder, nrrd headers as text, reading of whole
 * files. */
#pragma once

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* Every test program works in a folder of its own, which is removed at the end. */
static inline void files_enter(void) {
  char name[] = "/tmp/ddr-runtime-XXXXXX";
  CHECK(mkdtemp(name) != NULL && chdir(name) == 0);
}

static inline void files_leave(void) {
  char name[256];
  CHECK(getcwd(name, sizeof name) != NULL);
  if (strncmp(name, "/tmp/ddr-runtime-", 17) != 0 || system("rm -f -- * .[!.]*") != 0) return;
  if (chdir("/") == 0) rmdir(name);
}

static inline void files_write(const char *name, const void *bytes, size_t n) {
  FILE *file = fopen(name, "wb");
  CHECK(file && fwrite(bytes, 1, n, file) == n);
  if (file) fclose(file);
}

/* Writes header text followed by binary data. */
static inline void files_write_nrrd(const char *name, const char *header, const void *data,
                                    size_t n) {
  FILE *file = fopen(name, "wb");
  CHECK(file && fputs(header, file) >= 0 && fwrite(data, 1, n, file) == n);
  if (file) fclose(file);
}

/* The contents with a NUL at the end, to be freed; NULL if there is no such file. */
static inline char *files_read(const char *name, size_t *n) {
  struct stat info;
  FILE *file = fopen(name, "rb");
  if (!file || fstat(fileno(file), &info) != 0) return NULL;
  char *bytes = calloc((size_t)info.st_size + 1, 1);
  *n = bytes ? fread(bytes, 1, (size_t)info.st_size, file) : 0;
  fclose(file);
  return bytes;
}

static inline bool files_exist(const char *name) { return access(name, F_OK) == 0; }

static inline void files_check(const char *name, const char *want) {
  size_t n = 0;
  char *text = files_read(name, &n);
  CHECK_STR(text, want);
  free(text);
}

/* Runs a shell command; returns its status, or -1 if it was killed. */
static inline int files_run(const char *command) {
  const int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
