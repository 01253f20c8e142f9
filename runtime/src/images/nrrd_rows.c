/* nrrd_rows.c: copies rows of samples from memory or a supply to an image.
 *
 * A row whose samples are side by side is converted from where it is; any other one is gathered
 * first, component by component, so that planes become voxels.  Rows from a supply are read in
 * order, through a buffer.
 * Read next: nrrd_samples.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"

ddr_rows ddr_rows_of_nrrd(const Nrrd *nrrd, const ddr_nrrd_image *header) {
  ddr_rows rows = {.data = nrrd->data, .type = nrrd->type};
  ptrdiff_t step = header->n_stored * (ptrdiff_t)nrrdTypeSize[nrrd->type];
  for (int axis = 0; axis < header->grid.dim; axis++) {
    rows.step[axis] = step;
    step *= (ptrdiff_t)header->grid.size[axis];
  }
  return rows;
}

/* --- in place --------------------------------------------------------------------------------- */

static bool is_plain(const ddr_rows *rows, const ddr_nrrd_image *header) {
  const ptrdiff_t size = (ptrdiff_t)nrrdTypeSize[rows->type];
  if (rows->component) return false;
  for (int axis = DDR_Y; axis < header->grid.dim; axis++) {
    if (rows->step[axis] % size != 0) return false;
  }
  return rows->step[DDR_X] == header->n_stored * size;
}

/* Generated code reads rows along x without gaps, from any byte on, and sometimes a few samples
 * beyond them (image.h). */
bool ddr_rows_are_loadable(const ddr_rows *rows, const ddr_nrrd_image *header) {
  if (header->source || !is_plain(rows, header)) return false;
  for (int axis = 0; axis < header->grid.dim; axis++) {
    const size_t n = (size_t)header->grid.size[axis];
    if (n < DDR_MAX_TAPS || n > DDR_LONGEST_EXACT) return false;
  }
  return rows->spare >= DDR_ROW_SLACK * nrrdTypeSize[rows->type];
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Copies n samples, `step` bytes apart and of any alignment, to positions `stride` samples
 * apart. */
typedef void Gather(const char *src, ptrdiff_t step, size_t n, void *dst, size_t stride);

#define GATHER(bits)                                                                               \
  static void gather_##bits(const char *src, ptrdiff_t step, size_t n, void *dst, size_t stride) { \
    uint##bits##_t *sample = dst;                                                                  \
    for (size_t k = 0; k < n; k++) {                                                               \
      memcpy(&sample[k * stride], src + (ptrdiff_t)k * step, sizeof *sample);                      \
    }                                                                                              \
  }
GATHER(8)
GATHER(16)
GATHER(32)
GATHER(64)
#undef GATHER

static Gather *find_gather(int type) {
  switch (nrrdTypeSize[type]) {
  case 1: return gather_8;
  case 2: return gather_16;
  case 4: return gather_32;
  default: return gather_64;
  }
}

/* Gathers n voxels from src on. */
static void gather_row(const ddr_rows *rows, const ddr_nrrd_image *header, const char *src,
                       size_t n, char *row) {
  const size_t size = nrrdTypeSize[rows->type], n_stored = (size_t)header->n_stored;
  Gather *gather = find_gather(rows->type);
  for (size_t k = 0; k < n_stored; k++) {
    const ptrdiff_t component = rows->component ? rows->component[k] : (ptrdiff_t)(k * size);
    gather(src + component, rows->step[DDR_X], n, row + k * size, n_stored);
  }
}

static size_t row_bytes(const ddr_rows *rows, const ddr_nrrd_image *header) {
  return (size_t)header->grid.size[DDR_X] * (size_t)header->n_stored * nrrdTypeSize[rows->type];
}

/* Rows of a supply are read as many at a time as fit the buffer, which has this many bytes. */
enum { BUFFER = 1 << 16 };

typedef struct {
  char *bytes;
  size_t row_bytes;
  int64_t n_rows, n_taken; /* in the buffer; of them already returned */
  int64_t n_missing;       /* not yet read from the supply */
} Buffer;

static bool buffer_begin(Buffer *buffer, const ddr_image *image, size_t n_bytes) {
  const int64_t n_all = image->size[DDR_Y] * image->size[DDR_Z];
  const int64_t n_rows = n_bytes < BUFFER ? (int64_t)(BUFFER / n_bytes) : 1;
  *buffer = (Buffer){.row_bytes = n_bytes, .n_missing = n_all};
  buffer->n_rows = buffer->n_taken = n_rows < n_all ? n_rows : n_all;
  buffer->bytes = malloc((size_t)buffer->n_rows * n_bytes);
  return buffer->bytes != NULL;
}

/* The next row; NULL: *problem says why. */
static const char *buffer_next(Buffer *buffer, ddr_supply *supply, ddr_problem *problem) {
  if (buffer->n_taken == buffer->n_rows) {
    if (buffer->n_rows > buffer->n_missing) buffer->n_rows = buffer->n_missing;
    const size_t n_bytes = (size_t)buffer->n_rows * buffer->row_bytes;
    if (!supply->read(supply, buffer->bytes, n_bytes, problem)) return NULL;
    buffer->n_missing -= buffer->n_rows;
    buffer->n_taken = 0;
  }
  return buffer->bytes + (size_t)buffer->n_taken++ * buffer->row_bytes;
}

static ddr_status convert_supply(const ddr_rows *rows, const ddr_nrrd_image *header,
                                 ddr_convert *convert, const ddr_image *image, size_t sample_size,
                                 char *samples, ddr_reason *reason) {
  Buffer buffer;
  ddr_problem problem = {""};
  const char *src = NULL;
  if (!buffer_begin(&buffer, image, row_bytes(rows, header)))
    return ddr_refuse(reason, "out of memory");
  for (int64_t row = 0; row < image->size[DDR_Y] * image->size[DDR_Z]; row++) {
    const int64_t y = row % image->size[DDR_Y], z = row / image->size[DDR_Y];
    src = buffer_next(&buffer, rows->supply, &problem);
    if (!src) break;
    convert(header, (size_t)image->size[DDR_X], src,
            samples + ddr_image_offset(image, 0, y, z) * (int64_t)sample_size);
  }
  free(buffer.bytes);
  return src ? DDR_OK : ddr_refuse(reason, "%s", problem.text);
}

/* --- from memory ------------------------------------------------------------------------------ */

/* Where the image is transposed, its rows are columns in memory, and a cache line holds samples of
 * several rows.  Then this many rows are converted together, some voxels at a time, while the lines
 * are in the cache. */
enum { TILE = 64 };

typedef struct {
  const ddr_rows *rows;
  const ddr_nrrd_image *header;
  ddr_convert *convert;
  const ddr_image *image;
  size_t sample_size;
  char *samples;
  char *gathered; /* for rows whose samples are not side by side; NULL: all are */
  int across;     /* the axis across the rows of a tile */
  int64_t n_rows, n_voxels;
} Work;

static ptrdiff_t distance(ptrdiff_t step) { return step < 0 ? -step : step; }

static void choose_tile(Work *work) {
  const ptrdiff_t *step = work->rows->step;
  const int dim = work->header->grid.dim;
  work->across = dim > DDR_Z && distance(step[DDR_Z]) < distance(step[DDR_Y]) ? DDR_Z : DDR_Y;
  if (dim > DDR_Y && distance(step[work->across]) < distance(step[DDR_X])) {
    work->n_rows = work->n_voxels = TILE;
    return;
  }
  work->across = DDR_Y;
  work->n_rows = 1;
  work->n_voxels = work->image->size[DDR_X];
}

/* Converts voxels of a row from `place` on, at most as many as a tile has. */
static void convert_piece(const Work *work, const int64_t place[DDR_MAX_DIM]) {
  const ddr_rows *rows = work->rows;
  const int64_t n_left = work->image->size[DDR_X] - place[DDR_X];
  const size_t n = (size_t)(n_left < work->n_voxels ? n_left : work->n_voxels);
  const char *src = rows->data;
  for (int axis = 0; axis < DDR_MAX_DIM && axis < work->header->grid.dim; axis++)
    src += place[axis] * rows->step[axis];
  const int64_t offset = ddr_image_offset(work->image, place[DDR_X], place[DDR_Y], place[DDR_Z]);
  if (work->gathered) gather_row(rows, work->header, src, n, work->gathered);
  work->convert(work->header, n, work->gathered ? work->gathered : src,
                work->samples + offset * (int64_t)work->sample_size);
  if (rows->mapping) ddr_mapping_pass(rows->mapping, src);
}

static void convert_tile(const Work *work, const int64_t first[DDR_MAX_DIM]) {
  int64_t place[DDR_MAX_DIM] = {first[DDR_X], first[DDR_Y], first[DDR_Z]};
  const int64_t end = first[work->across] + work->n_rows, size = work->image->size[work->across];
  for (; place[work->across] < end && place[work->across] < size; place[work->across]++) {
    convert_piece(work, place);
  }
}

static void convert_tiles(const Work *work) {
  const int64_t *size = work->image->size;
  const int across = work->across, other = DDR_Y + DDR_Z - across;
  int64_t first[DDR_MAX_DIM];
  for (first[other] = 0; first[other] < size[other]; first[other]++) {
    for (first[across] = 0; first[across] < size[across]; first[across] += work->n_rows) {
      for (first[DDR_X] = 0; first[DDR_X] < size[DDR_X]; first[DDR_X] += work->n_voxels) {
        convert_tile(work, first);
      }
    }
  }
}

static ddr_status convert_memory(Work *work, ddr_reason *reason) {
  const bool is_aligned = (uintptr_t)work->rows->data % nrrdTypeSize[work->rows->type] == 0;
  choose_tile(work);
  if (!is_aligned || !is_plain(work->rows, work->header)) {
    work->gathered = malloc(row_bytes(work->rows, work->header));
    if (!work->gathered) return ddr_refuse(reason, "out of memory");
  }
  convert_tiles(work);
  free(work->gathered);
  return DDR_OK;
}

ddr_status ddr_rows_convert(const ddr_rows *rows, const ddr_nrrd_image *header,
                            ddr_convert *convert, const ddr_image *image, size_t sample_size,
                            void *samples, ddr_reason *reason) {
  if (rows->supply)
    return convert_supply(rows, header, convert, image, sample_size, samples, reason);
  Work work = {rows, header, convert, image, sample_size, .samples = samples};
  return convert_memory(&work, reason);
}
