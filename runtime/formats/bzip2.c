/* bzip2.c: what bzip2 has compressed, by its own library.
 *
 * Like zlib, it is installed with Teem, but its header may not be. Programs that compress in
 * parallel write several streams, one after the other, which together are the data.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/formats/format_local.h"

enum { MOST_AHEAD = 5000 }; /* BZ_MAX_UNUSED: bytes that were read behind the end of a stream */
enum { STREAM_END = 4, MEMORY_ERROR = -3, READ_ERROR = -6, UNEXPECTED_END = -7 };

typedef struct {
  void *(*open)(int *error, FILE *file, int verbosity, int small, void *ahead, int n_ahead);
  int (*read)(int *error, void *stream, void *bytes, int n);
  void (*ahead)(int *error, void *stream, void **ahead, int *n_ahead);
  void (*close)(int *error, void *stream);
} Library;

typedef struct {
  const Library *library;
  FILE *file;
  void *stream;
  bool is_at_end; /* of the stream: its checksum was right */
} Bzip2;

static const Library *library(ddr_problem *problem) {
  static const char *const names[] = {"libbz2.so.1.0", "libbz2.so.1", NULL};
  static const char *const functions[] = {"BZ2_bzReadOpen", "BZ2_bzRead", "BZ2_bzReadGetUnused",
                                          "BZ2_bzReadClose", NULL};
  static Library found;
  static bool is_found;
  return format_borrow(names, functions, &found, &is_found, problem) ? &found : NULL;
}

static void close_stream(Bzip2 *packed) {
  int unused;
  if (packed->stream) packed->library->close(&unused, packed->stream);
  packed->stream = NULL;
}

static bool say_error(int error, ddr_problem *problem) {
  const int number = errno;
  return ddr_problem_say(problem, "%s",
                         error == UNEXPECTED_END ? "the data is truncated"
                         : error == READ_ERROR   ? strerror(number)
                         : error == MEMORY_ERROR ? "out of memory"
                                                 : "its bzip2 data is damaged");
}

static bool open_stream(Bzip2 *packed, void *ahead, int n_ahead, ddr_problem *problem) {
  int error;
  packed->stream = packed->library->open(&error, packed->file, 0, 0, ahead, n_ahead);
  packed->is_at_end = false;
  return packed->stream ? true : say_error(error, problem);
}

static void *open_bzip2(FILE *file, int64_t offset, ddr_problem *problem) {
  (void)offset; /* where the file is */
  const Library *found = library(problem);
  Bzip2 *packed = found ? malloc(sizeof *packed) : NULL;
  if (found && !packed) ddr_problem_say(problem, "out of memory");
  if (!packed) return NULL;
  *packed = (Bzip2){.library = found, .file = file};
  if (open_stream(packed, NULL, 0, problem)) return packed;
  free(packed);
  return NULL;
}

/* Behind a stream: the next one begins with what has been read ahead. */
static bool next_stream(Bzip2 *packed, ddr_problem *problem) {
  char ahead[MOST_AHEAD];
  void *bytes = NULL;
  int error, n = 0;
  packed->library->ahead(&error, packed->stream, &bytes, &n);
  if (n > 0) memcpy(ahead, bytes, (size_t)n);
  close_stream(packed);
  return open_stream(packed, ahead, n, problem);
}

/* Reads up to n bytes of one stream; -1: the problem says why not. */
static int read_some(Bzip2 *packed, char *bytes, int n, ddr_problem *problem) {
  int error;
  if (packed->is_at_end && !next_stream(packed, problem)) return -1;
  const int n_read = packed->library->read(&error, packed->stream, bytes, n);
  packed->is_at_end = error == STREAM_END;
  if (error == 0 || packed->is_at_end) return n_read;
  say_error(error, problem);
  return -1;
}

static bool read_bzip2(void *state, char *bytes, size_t n_bytes, ddr_problem *problem) {
  while (n_bytes > 0) {
    const int n = read_some(state, bytes, n_bytes < INT_MAX ? (int)n_bytes : INT_MAX, problem);
    if (n < 0) return false;
    bytes += n;
    n_bytes -= (size_t)n;
  }
  return true;
}

static bool check_bzip2(void *state, ddr_problem *problem) {
  Bzip2 *packed = state;
  char unused;
  return packed->is_at_end || read_some(packed, &unused, 1, problem) >= 0;
}

static void close_bzip2(void *state) {
  close_stream(state);
  free(state);
}

const FormatCompression format_bzip2 = {open_bzip2, read_bzip2, check_bzip2, close_bzip2};
