/* stream.c: the bytes of a file in order, as they are or decompressed. Next: gzip.c, bzip2.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/formats/format_local.h"

struct ddr_stream {
  FILE *file;
  long before; /* position of the file when the stream was opened */
  const FormatCompression *compression;
  void *packed; /* what is open of it; NULL: nothing, or not compressed */
};

static const FormatCompression *const compressions[] = {
    [DDR_UNCOMPRESSED] = NULL, [DDR_GZIP] = &format_gzip, [DDR_BZIP2] = &format_bzip2};

ddr_stream *ddr_stream_open(FILE *file, int64_t offset, ddr_compression compression,
                            ddr_problem *problem) {
  ddr_stream *stream = malloc(sizeof *stream);
  if (!stream) {
    ddr_problem_say(problem, "out of memory");
    return NULL;
  }
  *stream =
      (ddr_stream){.file = file, .before = ftell(file), .compression = compressions[compression]};
  errno = 0;
  if (fseek(file, (long)offset, SEEK_SET) != 0 || fflush(file) != 0) {
    ddr_problem_say(problem, "%s", strerror(errno ? errno : EIO));
  } else {
    if (stream->compression) stream->packed = stream->compression->open(file, offset, problem);
    if (!stream->compression || stream->packed) return stream;
  }
  ddr_stream_close(stream);
  return NULL;
}

static bool say_short(FILE *file, ddr_problem *problem) {
  if (ferror(file)) return ddr_problem_say(problem, "%s", strerror(errno ? errno : EIO));
  return ddr_problem_say(problem, "the data is truncated");
}

bool ddr_stream_read(ddr_stream *stream, void *bytes, size_t n_bytes, ddr_problem *problem) {
  if (stream->compression)
    return stream->compression->read(stream->packed, bytes, n_bytes, problem);
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

bool ddr_stream_check(ddr_stream *stream, ddr_problem *problem) {
  return !stream->compression || stream->compression->check(stream->packed, problem);
}

void ddr_stream_close(ddr_stream *stream) {
  if (!stream) return;
  if (stream->packed) stream->compression->close(stream->packed);
  fseek(stream->file, stream->before, SEEK_SET);
  free(stream);
}
