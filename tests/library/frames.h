/* frames.h: buffers of frames for the clients of frames.diderot, laid out by hand.
 *
 * A buffer ends where memory that may be touched ends: behind it is a page that may not.
 */
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frames_lib.h"
#include "tests/unit/test.h"

enum { WIDTH = 13, HEIGHT = 10, DEPTH = 7 };

/* An image input and what it takes. */
typedef struct Kind {
  const char *name;
  bool (*set_frame)(frames_world_t *, const diderot_frame_t *, const double *, const double *);
  bool (*set_view)(frames_world_t *, const diderot_view_t *, const double *, const double *);
  bool (*get)(frames_world_t *, Nrrd *);
  int dim, n_components, type; /* the type is that of its samples in memory */
} Kind;

#define KIND(name, dim, n, type)                                                                   \
  {                                                                                                \
#name, frames_input_set_frame_##name, frames_input_set_view_##name,                            \
        frames_output_get_out_##name, dim, n, type                                                 \
  }
static const Kind kinds[] = {
    KIND(grey, 2, 1, nrrdTypeUChar),   KIND(deep, 2, 1, nrrdTypeUShort),
    KIND(fine, 2, 1, nrrdTypeFloat),   KIND(pair, 2, 2, nrrdTypeUChar),
    KIND(colour, 2, 3, nrrdTypeUChar), KIND(volume, 3, 1, nrrdTypeUChar),
    KIND(flow, 3, 3, nrrdTypeShort),
};
enum { GREY, DEEP, FINE, PAIR, COLOUR, VOLUME, FLOW, N_KINDS };

/* --- samples ---------------------------------------------------------------------------------- */

/* Small whole numbers, which every type holds; another picture for each `seed`. */
static inline int sample_at(int seed, int c, int z, int y, int x) {
  return (37 * x + 101 * y + 59 * z + 83 * c + (x * y + seed) % 13 * 7 + 31 * seed) % 120;
}

static inline void store(char *at, int type, int value) {
  switch (type) {
#define ROW(id, c_type)                                                                            \
  case id: {                                                                                       \
    const c_type stored = (c_type)value;                                                           \
    memcpy(at, &stored, sizeof stored);                                                            \
    break;                                                                                         \
  }
    ROW(nrrdTypeChar, int8_t)
    ROW(nrrdTypeUChar, uint8_t)
    ROW(nrrdTypeShort, int16_t)
    ROW(nrrdTypeUShort, uint16_t)
    ROW(nrrdTypeInt, int32_t)
    ROW(nrrdTypeUInt, uint32_t)
    ROW(nrrdTypeLLong, int64_t)
    ROW(nrrdTypeULLong, uint64_t)
    ROW(nrrdTypeFloat, float)
    ROW(nrrdTypeDouble, double)
#undef ROW
  default: abort();
  }
}

/* --- memory ----------------------------------------------------------------------------------- */

typedef struct Guarded {
  char *data, *pages;
  size_t n_pages_bytes;
} Guarded;

/* n bytes, each 0xA5, before a page that must not be read. */
static inline Guarded guarded(size_t n) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (n + page - 1) / page * page;
  Guarded memory = {.n_pages_bytes = body + page};
  memory.pages =
      mmap(NULL, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory.pages == MAP_FAILED || mprotect(memory.pages + body, page, PROT_NONE) != 0) abort();
  memory.data = memory.pages + body - n;
  memset(memory.data, 0xA5, n);
  return memory;
}

static inline void release(Guarded *memory) { munmap(memory->pages, memory->n_pages_bytes); }

/* --- frames ----------------------------------------------------------------------------------- */

static inline size_t up(size_t n, size_t align) { return (n + align - 1) / align * align; }

/* Alignments of samples' groups, rows and planes, in bytes; 0: no pitches are given. */
typedef struct Padding {
  size_t pixel, row, plane;
} Padding;

/* A frame for a kind of image, with two frames in the buffer where the layout has room for some,
 * and `extra` components that the image does not take before the ones it does; no memory yet. */
static inline diderot_frame_t new_frame(const Kind *kind, int layout, int type, Padding pad,
                                        int extra) {
  const bool is_packed = pad.row == 0;
  const size_t size = nrrdTypeSize[type], n = (size_t)(kind->n_components + extra);
  const size_t pixel = is_packed ? 1 : pad.pixel, row = is_packed ? 1 : pad.row;
  const size_t plane = is_packed ? 1 : pad.plane, depth = kind->dim == 3 ? DEPTH : 1;
  diderot_frame_t frame = {.layout = layout, .type = type};
  size_t *dims = frame.dims, *pitches = frame.pitches;
  uint32_t k = 0;
  frame.component = (size_t)extra, frame.n_components = extra > 0 ? (size_t)kind->n_components : 0;
  if (layout == DIDEROT_420SP) {
    frame.rank = 3, frame.component = kind->n_components == 2;
    dims[0] = 3, dims[1] = HEIGHT, dims[2] = WIDTH;
    if (kind->n_components == 2) dims[1] *= 2, dims[2] *= 2; /* chroma is of the images' size */
    pitches[2] = up((dims[2] + 1) / 2 * 2 * size, row);
    pitches[1] = up(dims[1] * pitches[2], plane);
    pitches[0] = pitches[1] + (dims[1] + 1) / 2 * pitches[2];
  } else if (layout == DIDEROT_NCHW) {
    dims[k++] = 2, dims[k++] = n;
    if (kind->dim == 3) dims[k++] = DEPTH;
    dims[k++] = HEIGHT, dims[k++] = WIDTH;
    frame.rank = k, frame.number = 1;
    pitches[--k] = up(WIDTH * size, row);
    pitches[k - 1] = up(HEIGHT * pitches[k], plane), k--;
    if (kind->dim == 3) pitches[k - 1] = depth * pitches[k], k--;
    pitches[0] = 2 * (pitches[1] = n * pitches[2], pitches[1]);
  } else {
    dims[k++] = 2;
    if (kind->dim == 3) dims[k++] = DEPTH;
    dims[k++] = HEIGHT, dims[k++] = WIDTH, dims[k++] = n;
    frame.rank = k, frame.number = 1;
    pitches[--k] = up(n * size, pixel);
    pitches[k - 1] = up(WIDTH * pitches[k], row), k--;
    pitches[k - 1] = up(HEIGHT * pitches[k], plane), k--;
    if (kind->dim == 3) pitches[k - 1] = depth * pitches[k], k--;
    pitches[0] = 2 * pitches[1];
  }
  frame.n_pitches = is_packed ? 0 : frame.rank;
  return frame;
}

/* The byte where component c of voxel (z, y, x) is, as the layouts are defined. */
static inline size_t byte_at(const Kind *kind, const diderot_frame_t *frame, int c, int z, int y,
                             int x) {
  const size_t size = nrrdTypeSize[frame->type], comp = (size_t)c + frame->component;
  const size_t *pitch = frame->pitches;
  const size_t zs = (size_t)z, ys = (size_t)y, xs = (size_t)x;
  if (frame->layout == DIDEROT_420SP) {
    if (kind->n_components == 1) return ys * pitch[2] + xs * size;
    return pitch[1] + ys * pitch[2] + (2 * xs + (size_t)c) * size;
  }
  const size_t first = frame->number * pitch[1];
  if (frame->layout == DIDEROT_NCHW) {
    const size_t plane = first + comp * pitch[2];
    if (kind->dim == 3) return plane + zs * pitch[3] + ys * pitch[4] + xs * size;
    return plane + ys * pitch[3] + xs * size;
  }
  if (kind->dim == 3) return first + zs * pitch[2] + ys * pitch[3] + xs * pitch[4] + comp * size;
  return first + ys * pitch[2] + xs * pitch[3] + comp * size;
}

static inline void paint(const Kind *kind, const diderot_frame_t *frame, int seed) {
  for (int c = 0; c < kind->n_components; c++)
    for (int z = 0; z < (kind->dim == 3 ? DEPTH : 1); z++)
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          store((char *)frame->data + byte_at(kind, frame, c, z, y, x), frame->type,
                sample_at(seed, c, z, y, x));
}

/* Binds it so that the image's samples are at whole numbers: chroma is half as dense as its frame.
 */
static inline bool bind(frames_world_t *world, const Kind *kind, const diderot_frame_t *frame) {
  static const double quarter[2] = {-0.25, -0.25}, halves[4] = {0, 0.5, 0.5, 0};
  const bool is_chroma = frame->layout == DIDEROT_420SP && frame->component > 0;
  return kind->set_frame(world, frame, is_chroma ? quarter : NULL, is_chroma ? halves : NULL);
}

/* Bytes up to the last sample that the image takes. */
static inline size_t least_bytes(const Kind *kind, const diderot_frame_t *frame) {
  const int z = kind->dim == 3 ? DEPTH - 1 : 0;
  return byte_at(kind, frame, kind->n_components - 1, z, HEIGHT - 1, WIDTH - 1) +
         nrrdTypeSize[frame->type];
}

/* --- worlds ----------------------------------------------------------------------------------- */

static inline frames_world_t *new_world(void) {
  frames_world_t *world = frames_new_world();
  CHECK(world && !frames_init_world(world));
  return world;
}

static inline bool check_no_errors(frames_world_t *world) {
  char *errors = frames_get_errors(world);
  const bool is_good = CHECK_STR(errors, "");
  free(errors);
  return is_good;
}

/* Runs and frees the world; returns the result for the image, packed, which nrrdNuke frees. */
static inline Nrrd *result_of(frames_world_t *world, const Kind *kind) {
  Nrrd *result = nrrdNew();
  CHECK(!frames_create_strands(world) && frames_run(world, 0) == 1);
  CHECK(!kind->get(world, result) && result->type == nrrdTypeFloat);
  check_no_errors(world);
  frames_shutdown(world);
  return result;
}

static inline bool same_bits(const Nrrd *a, const Nrrd *b) {
  const size_t n = nrrdElementNumber(a);
  return n > 0 && nrrdElementNumber(b) == n && memcmp(a->data, b->data, n * sizeof(float)) == 0;
}
