/* supply.c: consecutive samples of a file, decompressed or as they are; planes interleaved. */
#include "runtime/formats/supply.h"

#include <stdlib.h>
#include <string.h>

void ddr_supply_close(ddr_supply *supply) {
  if (supply) supply->close(supply);
}

/* --- stored ----------------------------------------------------------------------------------- */

typedef struct {
  ddr_supply supply;
  ddr_stored stored;
  ddr_stream *stream;
  double n_read; /* bytes */
} Stored;

enum { CHUNK = 512 }; /* samples to scale at a time */

static void swap(unsigned char *bytes, size_t n_bytes, size_t size) {
  for (size_t begin = 0; begin < n_bytes; begin += size) {
    for (size_t k = 0; k < size / 2; k++) {
      const unsigned char byte = bytes[begin + k];
      bytes[begin + k] = bytes[begin + size - 1 - k];
      bytes[begin + size - 1 - k] = byte;
    }
  }
}

static bool read_plain(Stored *reader, void *samples, size_t n_bytes, ddr_problem *problem) {
  if (!ddr_stream_read(reader->stream, samples, n_bytes, problem)) return false;
  reader->n_read += (double)n_bytes;
  if (reader->n_read == reader->stored.n_bytes && !ddr_stream_check(reader->stream, problem))
    return false;
  if (reader->stored.is_swapped) swap(samples, n_bytes, nrrdTypeSize[reader->stored.type]);
  return true;
}

static bool read_scaled(Stored *reader, double *samples, size_t n, ddr_problem *problem) {
  const ddr_stored *stored = &reader->stored;
  long long chunk[CHUNK]; /* of any type */
  while (n > 0) {
    size_t n_now = CHUNK;
    if (n < n_now) n_now = n;
    if (!read_plain(reader, chunk, n_now * nrrdTypeSize[stored->type], problem)) return false;
    for (size_t k = 0; k < n_now; k++) {
      const double sample = nrrdDLookup[stored->type](chunk, k);
      samples[k] = stored->slope * sample + stored->intercept;
    }
    samples += n_now;
    n -= n_now;
  }
  return true;
}

static bool read_stored(ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem) {
  Stored *reader = (Stored *)supply;
  if (!reader->stored.is_scaled) return read_plain(reader, samples, n_bytes, problem);
  return read_scaled(reader, samples, n_bytes / sizeof(double), problem);
}

static void close_stored(ddr_supply *supply) {
  ddr_stream_close(((Stored *)supply)->stream);
  free(supply);
}

ddr_supply *ddr_supply_stored(const ddr_stored *stored, ddr_problem *problem) {
  Stored *reader = malloc(sizeof *reader);
  if (!reader) {
    ddr_problem_say(problem, "out of memory");
    return NULL;
  }
  *reader = (Stored){.supply = {read_stored, close_stored}, .stored = *stored};
  reader->stream = ddr_stream_open(stored->file, stored->offset, stored->compression, problem);
  if (reader->stream && ddr_stream_skip(reader->stream, stored->skip, problem))
    return &reader->supply;
  close_stored(&reader->supply);
  return NULL;
}

/* --- woven ------------------------------------------------------------------------------------ */

typedef struct {
  ddr_supply supply;
  ddr_supply *planes;
  char *all; /* NULL until the first read */
  size_t sample_size, n_voxels, n_given;
  int n_components;
  const int *order;
} Woven;

static bool load_planes(Woven *woven, ddr_problem *problem) {
  const size_t n_bytes = woven->n_voxels * woven->sample_size * (size_t)woven->n_components;
  woven->all = malloc(n_bytes);
  if (!woven->all) return ddr_problem_say(problem, "out of memory");
  return woven->planes->read(woven->planes, woven->all, n_bytes, problem);
}

static bool read_woven(ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem) {
  Woven *woven = (Woven *)supply;
  char *to = samples;
  if (!woven->all && !load_planes(woven, problem)) return false;
  for (size_t n = n_bytes / woven->sample_size; n > 0; n--, woven->n_given++) {
    const size_t n_components = (size_t)woven->n_components;
    const size_t voxel = woven->n_given / n_components;
    const size_t component = woven->n_given % n_components;
    const size_t plane = woven->order ? (size_t)woven->order[component] : component;
    memcpy(to, woven->all + (plane * woven->n_voxels + voxel) * woven->sample_size,
           woven->sample_size);
    to += woven->sample_size;
  }
  return true;
}

static void close_woven(ddr_supply *supply) {
  Woven *woven = (Woven *)supply;
  ddr_supply_close(woven->planes);
  free(woven->all);
  free(woven);
}

ddr_supply *ddr_supply_woven(ddr_supply *planes, size_t sample_size, size_t n_voxels,
                             int n_components, const int *order, ddr_problem *problem) {
  Woven *woven = malloc(sizeof *woven);
  if (!woven) {
    ddr_problem_say(problem, "out of memory");
    ddr_supply_close(planes);
    return NULL;
  }
  *woven = (Woven){.supply = {read_woven, close_woven},
                   .planes = planes,
                   .sample_size = sample_size,
                   .n_voxels = n_voxels,
                   .n_components = n_components,
                   .order = order};
  return &woven->supply;
}
