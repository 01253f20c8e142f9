/* print_file.c: see print_file.h. */
#include "print_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/src/ranks/ranks.h"

static bool print_to_file(void *data, const char *text) {
  FILE *file = data;
  return fputs(text, file) == EOF || fflush(file) == EOF;
}

ddr_status ddr_print_file_open(ddr_world *world, const ddr_settings *settings, FILE **file) {
  const char *name = settings->print_file;
  if (strcmp(name, "-") == 0 || !ddr_is_first_rank(world)) return DDR_OK;
  if (settings->resume) *file = fopen(name, "r+");
  if (!*file && (!settings->resume || errno == ENOENT)) *file = fopen(name, "w");
  if (!*file) return ddr_error(world, "cannot write \"%s\": %s", name, strerror(errno));
  ddr_set_printer(world, print_to_file, *file);
  return DDR_OK;
}

ddr_status ddr_print_file_go_on(ddr_world *world, const ddr_settings *settings, FILE *file) {
  const uint64_t n = world->prints.n_bytes;
  struct stat info;
  if (!file || fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) return DDR_OK;
  if ((uint64_t)info.st_size < n) {
    return ddr_error(world, "\"%s\" has %llu bytes; when \"%s\" was written, %llu were printed",
                     settings->print_file, (unsigned long long)info.st_size, settings->resume,
                     (unsigned long long)n);
  }
  if (ftruncate(fileno(file), (off_t)n) == 0 && fseeko(file, 0, SEEK_END) == 0) return DDR_OK;
  return ddr_error(world, "cannot write \"%s\": %s", settings->print_file, strerror(errno));
}
