/* supply.c: consecutive samples of a file, uncompressed or from gzip; planes interleaved. */
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

static bool read_plain(Stored *it, void *samples, size_t n_bytes, ddr_problem *problem) {
  if (!ddr_stream_read(it->stream, samples, n_bytes, problem)) return false;
  it->n_read += (double)n_bytes;
  if (it->n_read == it->stored.n_bytes && !ddr_stream_check(it->stream, problem)) return false;
  if (it->stored.is_swapped) swap(samples, n_bytes, nrrdTypeSize[it->stored.type]);
  return true;
}

static bool read_scaled(Stored *it, double *samples, size_t n, ddr_problem *problem) {
  const ddr_stored *stored = &it->stored;
  long long chunk[CHUNK]; /* of any type */
  while (n > 0) {
    size_t n_now = CHUNK;
    if (n < n_now) n_now = n;
    if (!read_plain(it, chunk, n_now * nrrdTypeSize[stored->type], problem)) return false;
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
  Stored *it = (Stored *)supply;
  if (!it->stored.is_scaled) return read_plain(it, samples, n_bytes, problem);
  return read_scaled(it, samples, n_bytes / sizeof(double), problem);
}

static void close_stored(ddr_supply *supply) {
  ddr_stream_close(((Stored *)supply)->stream);
  free(supply);
}

ddr_supply *ddr_supply_stored(const ddr_stored *stored, ddr_problem *problem) {
  Stored *it = malloc(sizeof *it);
  if (!it) {
    ddr_problem_say(problem, "out of memory");
    return NULL;
  }
  *it = (Stored){.supply = {read_stored, close_stored}, .stored = *stored};
  it->stream = ddr_stream_open(stored->file, stored->offset, stored->is_gzip, problem);
  if (it->stream && ddr_stream_skip(it->stream, stored->skip, problem)) return &it->supply;
  close_stored(&it->supply);
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

static bool load_planes(Woven *it, ddr_problem *problem) {
  const size_t n_bytes = it->n_voxels * it->sample_size * (size_t)it->n_components;
  it->all = malloc(n_bytes);
  if (!it->all) return ddr_problem_say(problem, "out of memory");
  return it->planes->read(it->planes, it->all, n_bytes, problem);
}

static bool read_woven(ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem) {
  Woven *it = (Woven *)supply;
  char *to = samples;
  if (!it->all && !load_planes(it, problem)) return false;
  for (size_t n = n_bytes / it->sample_size; n > 0; n--, it->n_given++) {
    const size_t n_components = (size_t)it->n_components;
    const size_t voxel = it->n_given / n_components;
    const size_t component = it->n_given % n_components;
    const size_t plane = it->order ? (size_t)it->order[component] : component;
    memcpy(to, it->all + (plane * it->n_voxels + voxel) * it->sample_size, it->sample_size);
    to += it->sample_size;
  }
  return true;
}

static void close_woven(ddr_supply *supply) {
  Woven *it = (Woven *)supply;
  ddr_supply_close(it->planes);
  free(it->all);
  free(it);
}

ddr_supply *ddr_supply_woven(ddr_supply *planes, size_t sample_size, size_t n_voxels,
                             int n_components, const int *order, ddr_problem *problem) {
  Woven *it = malloc(sizeof *it);
  if (!it) {
    ddr_problem_say(problem, "out of memory");
    ddr_supply_close(planes);
    return NULL;
  }
  *it = (Woven){.supply = {read_woven, close_woven},
                .planes = planes,
                .sample_size = sample_size,
                .n_voxels = n_voxels,
                .n_components = n_components,
                .order = order};
  return &it->supply;
}
