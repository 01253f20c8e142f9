/* stream.c: the bytes of a file in order, as they are or decompressed from gzip.
 *
 * zlib is installed with Teem, but its header may not be. So its functions are declared here; their
 * interface has not changed for decades.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/formats/format_local.h"

struct ddr_stream {
  FILE *file;
  long before;    /* position of the file when the stream was opened */
  off_t position; /* of the descriptor, as the FILE expects it */
  void *gzip;     /* zlib's handle; NULL: not compressed */
};

/* --- zlib ------------------------------------------------------------------------------------- */

typedef struct {
  void *(*open)(int descriptor, const char *mode);
  int (*read)(void *gzip, void *bytes, unsigned n);
  int (*direct)(void *gzip);
  const char *(*error)(void *gzip, int *number); /* -1: errno says more */
  void (*forget_end)(void *gzip);
  int (*close)(void *gzip);
} Zlib;

/* The functions of zlib; NULL: they could not be found. */
static const Zlib *zlib(ddr_problem *problem) {
  static const char *const names[] = {"libz.so.1", "libz.so", NULL};
  static const char *const functions[] = {"gzdopen",    "gzread",  "gzdirect", "gzerror",
                                          "gzclearerr", "gzclose", NULL};
  static Zlib found;
  static bool is_found;
  return format_borrow(names, functions, &found, &is_found, problem) ? &found : NULL;
}

static const Zlib *loaded(void) {
  ddr_problem unused = {""};
  return zlib(&unused);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* zlib reads and closes a duplicate of the descriptor, which shares the position of the file. */
static bool open_gzip(ddr_stream *stream, int64_t offset, ddr_problem *problem) {
  const Zlib *z = zlib(problem);
  if (!z) return false;
  const int descriptor = dup(fileno(stream->file));
  stream->position = lseek(fileno(stream->file), 0, SEEK_CUR);
  const bool is_there = descriptor >= 0 && lseek(descriptor, (off_t)offset, SEEK_SET) >= 0;
  stream->gzip = is_there ? z->open(descriptor, "rb") : NULL;
  if (stream->gzip) return true;
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  return ddr_problem_say(problem, "%s", is_there ? "out of memory" : strerror(error));
}

ddr_stream *ddr_stream_open(FILE *file, int64_t offset, bool is_gzip, ddr_problem *problem) {
  ddr_stream *stream = malloc(sizeof *stream);
  if (!stream) {
    ddr_problem_say(problem, "out of memory");
    return NULL;
  }
  *stream = (ddr_stream){.file = file, .before = ftell(file)};
  errno = 0;
  if (fseek(file, (long)offset, SEEK_SET) != 0 || fflush(file) != 0) {
    ddr_problem_say(problem, "%s", strerror(errno ? errno : EIO));
  } else if (!is_gzip || open_gzip(stream, offset, problem)) {
    return stream;
  }
  ddr_stream_close(stream);
  return NULL;
}

static bool say_short(FILE *file, ddr_problem *problem) {
  if (ferror(file)) return ddr_problem_say(problem, "%s", strerror(errno ? errno : EIO));
  return ddr_problem_say(problem, "the data is truncated");
}

static bool say_damage(const Zlib *z, void *gzip, ddr_problem *problem) {
  const int error = errno;
  int number = 0;
  z->error(gzip, &number);
  return ddr_problem_say(problem, "%s",
                         number == -1 ? strerror(error) : "its gzip data is damaged");
}

static bool read_gzip(ddr_stream *stream, char *bytes, size_t n_bytes, ddr_problem *problem) {
  const Zlib *z = loaded();
  const size_t most = 1 << 30;
  while (n_bytes > 0) {
    const unsigned n = (unsigned)(n_bytes < most ? n_bytes : most);
    const int n_read = z->read(stream->gzip, bytes, n);
    if (n_read < 0) return say_damage(z, stream->gzip, problem);
    if (n_read == 0) return ddr_problem_say(problem, "the data is truncated");
    if (z->direct(stream->gzip)) return ddr_problem_say(problem, "its data is not gzip");
    bytes += n_read;
    n_bytes -= (size_t)n_read;
  }
  return true;
}

bool ddr_stream_read(ddr_stream *stream, void *bytes, size_t n_bytes, ddr_problem *problem) {
  if (stream->gzip) return read_gzip(stream, bytes, n_bytes, problem);
  errno = 0;
  return fread(bytes, 1, n_bytes, stream->file) == n_bytes || say_short(stream->file, problem);
}

bool ddr_stream_skip(ddr_stream *stream, int64_t n_bytes, ddr_problem *problem) {
  char unused[4096];
  while (n_bytes > 0) {
    const size_t n = n_bytes < (int64_t)sizeof unused ? (size_t)n_bytes : sizeof unused;
    if (!ddr_stream_read(stream, unused, n, problem)) return false;
    n_bytes -= (int64_t)n;
  }
  return true;
}

/* Where zlib has seen the end of the file before it needs the checksum, it does not miss it, unless
 * it is told to look again. */
bool ddr_stream_check(ddr_stream *stream, ddr_problem *problem) {
  char unused;
  int number = 0;
  if (!stream->gzip) return true;
  loaded()->forget_end(stream->gzip);
  if (loaded()->read(stream->gzip, &unused, 1) < 0)
    return say_damage(loaded(), stream->gzip, problem);
  loaded()->error(stream->gzip, &number); /* the file ends before the checksum does */
  return number == 0 || ddr_problem_say(problem, "the data is truncated");
}

/* zlib has moved the position of the file; this restores it. */
void ddr_stream_close(ddr_stream *stream) {
  if (!stream) return;
  if (stream->gzip) {
    loaded()->close(stream->gzip);
    lseek(fileno(stream->file), stream->position, SEEK_SET);
  }
  fseek(stream->file, stream->before, SEEK_SET);
  free(stream);
}
