/* gzip.c: what gzip has compressed, by zlib.
 *
 * zlib is installed with Teem, but its header may not be. So its functions are declared here; their
 * interface has not changed for decades.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/formats/format_local.h"

typedef struct {
  void *(*open)(int descriptor, const char *mode);
  int (*read)(void *gzip, void *bytes, unsigned n);
  int (*direct)(void *gzip);
  const char *(*error)(void *gzip, int *number); /* -1: errno says more */
  void (*forget_end)(void *gzip);
  int (*close)(void *gzip);
} Zlib;

typedef struct {
  const Zlib *z;
  void *gzip; /* zlib's handle */
  int descriptor;
  off_t position; /* of the descriptor, as the FILE expects it */
} Gzip;

/* The functions of zlib; NULL: they could not be found. */
static const Zlib *zlib(ddr_problem *problem) {
  static const char *const names[] = {"libz.so.1", "libz.so", NULL};
  static const char *const functions[] = {"gzdopen",    "gzread",  "gzdirect", "gzerror",
                                          "gzclearerr", "gzclose", NULL};
  static Zlib found;
  static bool is_found;
  return format_borrow(names, functions, &found, &is_found, problem) ? &found : NULL;
}

/* zlib reads and closes a duplicate of the descriptor, which shares the position of the file. */
static bool open_copy(Gzip *packed, int64_t offset, ddr_problem *problem) {
  const int descriptor = dup(packed->descriptor);
  packed->position = lseek(packed->descriptor, 0, SEEK_CUR);
  const bool is_there = descriptor >= 0 && lseek(descriptor, (off_t)offset, SEEK_SET) >= 0;
  packed->gzip = is_there ? packed->z->open(descriptor, "rb") : NULL;
  if (packed->gzip) return true;
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  return ddr_problem_say(problem, "%s", is_there ? "out of memory" : strerror(error));
}

static void *open_gzip(FILE *file, int64_t offset, ddr_problem *problem) {
  const Zlib *z = zlib(problem);
  Gzip *packed = z ? malloc(sizeof *packed) : NULL;
  if (z && !packed) ddr_problem_say(problem, "out of memory");
  if (!packed) return NULL;
  *packed = (Gzip){.z = z, .descriptor = fileno(file)};
  if (open_copy(packed, offset, problem)) return packed;
  free(packed);
  return NULL;
}

static bool say_damage(const Gzip *packed, ddr_problem *problem) {
  const int error = errno;
  int number = 0;
  packed->z->error(packed->gzip, &number);
  return ddr_problem_say(problem, "%s",
                         number == -1 ? strerror(error) : "its gzip data is damaged");
}

static bool read_gzip(void *state, char *bytes, size_t n_bytes, ddr_problem *problem) {
  const Gzip *packed = state;
  const size_t most = 1 << 30;
  while (n_bytes > 0) {
    const unsigned n = (unsigned)(n_bytes < most ? n_bytes : most);
    const int n_read = packed->z->read(packed->gzip, bytes, n);
    if (n_read < 0) return say_damage(packed, problem);
    if (n_read == 0) return ddr_problem_say(problem, "the data is truncated");
    if (packed->z->direct(packed->gzip)) return ddr_problem_say(problem, "its data is not gzip");
    bytes += n_read;
    n_bytes -= (size_t)n_read;
  }
  return true;
}

/* Where zlib has seen the end of the file before it needs the checksum, it does not miss it, unless
 * it is told to look again. */
static bool check_gzip(void *state, ddr_problem *problem) {
  const Gzip *packed = state;
  char unused;
  int number = 0;
  packed->z->forget_end(packed->gzip);
  if (packed->z->read(packed->gzip, &unused, 1) < 0) return say_damage(packed, problem);
  packed->z->error(packed->gzip, &number); /* the file ends before the checksum does */
  return number == 0 || ddr_problem_say(problem, "the data is truncated");
}

/* zlib has moved the position of the file; this restores it. */
static void close_gzip(void *state) {
  Gzip *packed = state;
  packed->z->close(packed->gzip);
  lseek(packed->descriptor, packed->position, SEEK_SET);
  free(packed);
}

const FormatCompression format_gzip = {open_gzip, read_gzip, check_gzip, close_gzip};
