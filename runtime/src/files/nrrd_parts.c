/* nrrd_parts.c: reads the data files of a header, one after the other.
 *
 * One file is open at a time.  The names of the files were checked with the header
 * (runtime/header).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/header/header.h"

typedef struct {
  ddr_supply supply;
  const NrrdIoState *nio; /* of the reader, which outlives this */
  int type;
  size_t n_opened;           /* number of files opened so far; the last one is open */
  size_t file_bytes, n_left; /* sample bytes per file; bytes left in the open one */
  FILE *file;
  ddr_supply *part;
} Parts;

static size_t count_files(const NrrdIoState *nio) {
  if (!nio->dataFNFormat) return nio->dataFNArr->len;
  return (size_t)((nio->dataFNMax - nio->dataFNMin) / nio->dataFNStep) + 1;
}

static char *path_of(const NrrdIoState *nio, size_t number) {
  char name[1024];
  if (!nio->dataFNFormat) return ddr_header_data_path(nio->path, nio->dataFN[number]);
  const int k = nio->dataFNMin + (int)number * nio->dataFNStep;
  ddr_header_number_name(nio->dataFNFormat, k, name, sizeof name);
  return ddr_header_data_path(nio->path, name);
}

static void close_file(Parts *parts) {
  ddr_supply_close(parts->part);
  if (parts->file) fclose(parts->file);
  parts->part = NULL;
  parts->file = NULL;
}

/* Where the lines to skip end, as Teem finds their ends. */
static bool behind_lines(FILE *file, unsigned n_lines, int64_t *end, ddr_problem *problem) {
  errno = 0;
  for (; n_lines > 0; n_lines--) {
    int byte = getc(file);
    while (byte != '\n' && byte != '\r' && byte != EOF) byte = getc(file);
    if (byte == EOF)
      return ddr_problem_say(problem, "%s",
                             ferror(file) ? strerror(errno) : "the data is truncated");
    const int next = byte == '\r' ? getc(file) : '\n';
    if (next != '\n') ungetc(next, file);
  }
  *end = ftell(file);
  return *end >= 0 || ddr_problem_say(problem, "%s", strerror(errno));
}

static bool open_part(Parts *parts, size_t number, ddr_problem *problem) {
  const NrrdIoState *nio = parts->nio;
  const bool is_raw = nio->encoding == nrrdEncodingRaw;
  const int64_t skip = nio->dataFSkip ? nio->dataFSkip[number] : (int64_t)nio->byteSkip;
  int64_t begin = 0;
  if (!behind_lines(parts->file, nio->lineSkip, &begin, problem)) return false;
  if (!is_raw && skip < 0)
    return ddr_problem_say(
        problem, "its byte skip is %lld (expected at least 0 in compressed data)", (long long)skip);
  const ddr_nrrd_part part = {.file = parts->file,
                              .begin = is_raw && skip > 0 ? begin + skip : begin,
                              .skip = skip,
                              .n_bytes = parts->file_bytes};
  parts->part = ddr_nrrd_supply(nio, parts->type, &part, problem);
  return parts->part != NULL;
}

static bool next_file(Parts *parts, ddr_problem *problem) {
  close_file(parts);
  const size_t number = parts->n_opened++;
  char *path = path_of(parts->nio, number);
  if (!path) return ddr_problem_say(problem, "out of memory");
  parts->file = fopen(path, "rb");
  const int error = errno;
  free(path);
  if (!parts->file) return ddr_problem_say(problem, "%s", strerror(error));
  parts->n_left = parts->file_bytes;
  return open_part(parts, number, problem);
}

static bool read_parts(ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem) {
  Parts *parts = (Parts *)supply;
  char *to = samples;
  while (n_bytes > 0) {
    if (parts->n_left == 0 && !next_file(parts, problem)) return false;
    const size_t n = n_bytes < parts->n_left ? n_bytes : parts->n_left;
    ddr_supply *part = parts->part; /* not NULL, since n_left > 0 */
    if (!part || !part->read(part, to, n, problem)) return false;
    parts->n_left -= n;
    n_bytes -= n;
    to += n;
  }
  return true;
}

static void close_parts(ddr_supply *supply) {
  close_file((Parts *)supply);
  free(supply);
}

ddr_supply *ddr_nrrd_parts(const NrrdIoState *nio, int type, size_t n_bytes, ddr_problem *problem) {
  const size_t n_files = count_files(nio), n_samples = n_bytes / nrrdTypeSize[type];
  const bool is_even = n_files > 0 && n_samples % n_files == 0;
  Parts *parts = is_even ? malloc(sizeof *parts) : NULL;
  if (!parts) {
    ddr_problem_say(problem, is_even ? "out of memory" : "its data files cannot be of equal size");
    return NULL;
  }
  *parts = (Parts){.supply = {read_parts, close_parts},
                   .nio = nio,
                   .type = type,
                   .file_bytes = n_bytes / n_files};
  return &parts->supply;
}
