/* image.c: the placement of an image in world space, and the memory of its samples.
 *
 * The placement is computed once in double from the space directions and rounded once to float.
 * Read next: nrrd_image.c, which fills the samples; ddr/image.h, which reads them.
 */
#include "ddr/image.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"
#include "runtime/layout/pitch.h"

/* In bytes: alignment of the first sample, and the least memory after the last one, for vector
 * loads. */
enum { SAMPLE_ALIGNMENT = 64, TAIL = 64 };

/* Images up to this size, in bytes, are allocated without a check of the memory that is left. */
enum { LEAST_DOUBTED = 64 << 20 };

/* A determinant below this, relative to the lengths of the directions, is rounding noise. */
static const double noise_factor = 16 * DBL_EPSILON;

static double minor(double a[DDR_MAX_DIM][DDR_MAX_DIM], int row, int col) {
  const int row1 = (row + 1) % 3, row2 = (row + 2) % 3;
  const int col1 = (col + 1) % 3, col2 = (col + 2) % 3;
  return a[row1][col1] * a[row2][col2] - a[row1][col2] * a[row2][col1];
}

static double length(const double v[DDR_MAX_DIM]) {
  return hypot(hypot(v[DDR_X], v[DDR_Y]), v[DDR_Z]);
}

/* The inverse is the adjugate over the determinant.  `direction` holds the transpose of the matrix,
 * so the result is indexed [index axis][world axis] without another transposition. */
static bool invert(double direction[DDR_MAX_DIM][DDR_MAX_DIM],
                   double inverse[DDR_MAX_DIM][DDR_MAX_DIM]) {
  double det = 0, scale = 1;
  for (int world = 0; world < DDR_MAX_DIM; world++) {
    det += direction[DDR_X][world] * minor(direction, DDR_X, world);
  }
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) scale *= length(direction[axis]);
  if (!isfinite(det) || !(fabs(det) > noise_factor * scale)) return false;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    for (int world = 0; world < DDR_MAX_DIM; world++) {
      inverse[axis][world] = minor(direction, axis, world) / det;
      if (!isfinite(inverse[axis][world])) return false;
    }
  }
  return true;
}

static void round_placement(const ddr_placement64 *src, ddr_placement32 *dst) {
  for (int row = 0; row < DDR_MAX_DIM; row++) {
    dst->translate[row] = (float)src->translate[row];
    dst->origin[row] = (float)src->origin[row];
    for (int col = 0; col < DDR_MAX_DIM; col++) {
      dst->matrix[row][col] = (float)src->matrix[row][col];
      dst->gradient[row][col] = (float)src->gradient[row][col];
    }
  }
}

bool ddr_image_place(ddr_image *image, const ddr_grid *grid) {
  ddr_placement64 *place = &image->place64;
  double direction[DDR_MAX_DIM][DDR_MAX_DIM] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memset(place, 0, sizeof *place);
  for (int axis = 0; axis < grid->dim; axis++) {
    memcpy(direction[axis], grid->direction[axis], sizeof direction[axis]);
    place->origin[axis] = grid->origin[axis];
    if (!isfinite(grid->origin[axis])) return false;
  }
  if (!invert(direction, place->matrix)) return false;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    double sum = 0;
    for (int world = 0; world < DDR_MAX_DIM; world++) {
      sum += place->matrix[axis][world] * place->origin[world];
      place->gradient[world][axis] = place->matrix[axis][world];
    }
    place->translate[axis] = -sum;
  }
  round_placement(place, &image->place32);
  return true;
}

void ddr_image_widen(ddr_image *image, int axis, double factor) {
  ddr_placement64 *place = &image->place64;
  place->translate[axis] /= factor;
  for (int world = 0; world < DDR_MAX_DIM; world++) {
    place->matrix[axis][world] /= factor;
    place->gradient[world][axis] = place->matrix[axis][world];
  }
  round_placement(place, &image->place32);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Strides of an image: rows begin at multiples of a cache line, or of a part of one where padding
 * would take more than a quarter of the memory.  False: the size overflows. */
static bool lay_out(ddr_image *image, size_t sample_size, size_t align, size_t pitch[DDR_MAX_DIM]) {
  const int64_t len[DDR_MAX_DIM] = {image->size[DDR_Z], image->size[DDR_Y],
                                    image->size[DDR_X] * image->n_components};
  const size_t row_bytes = (size_t)len[2] * sample_size;
  const size_t row_align = image->dim > 1 ? ddr_pitch_row_align(row_bytes, align, sample_size) : 1;
  const int64_t aligns[DDR_MAX_DIM] = {1, 1, (int64_t)row_align};
  if (ddr_pitch_compute(DDR_MAX_DIM, len, DDR_MAX_DIM, aligns, sample_size, pitch) != DDR_ARRAY_OK)
    return false;
  image->stride[DDR_X] = image->n_components;
  image->stride[DDR_Y] = (int64_t)(pitch[2] / sample_size);
  image->stride[DDR_Z] = (int64_t)(pitch[1] / sample_size);
  return true;
}

/* Samples to allocate after the last row, or SIZE_MAX if there are too many. A kernel reaches
 * beyond an axis that is shorter than its support or too long to be exact; this memory lies within
 * the allocation, so no probe leaves it. */
static size_t samples_beyond(const ddr_image *image, size_t most) {
  size_t beyond = DDR_ROW_SLACK;
  if (most < beyond) return SIZE_MAX;
  for (int axis = 0; axis < image->dim; axis++) {
    const size_t size = (size_t)image->size[axis], stride = (size_t)image->stride[axis];
    const size_t missing = size < DDR_MAX_TAPS ? DDR_MAX_TAPS - size : size > DDR_LONGEST_EXACT;
    if (missing > (most - beyond) / stride) return SIZE_MAX;
    beyond += missing * stride;
  }
  return beyond;
}

static void clear_padding(const ddr_image *image, size_t sample_size, char *samples) {
  const size_t row_bytes = (size_t)(image->size[DDR_X] * image->n_components) * sample_size;
  const size_t padding = (size_t)image->stride[DDR_Y] * sample_size - row_bytes;
  const int64_t n_rows = image->size[DDR_Y] * image->size[DDR_Z];
  for (int64_t row = 0; padding > 0 && row < n_rows; row++) {
    memset(samples + (size_t)row * (row_bytes + padding) + row_bytes, 0, padding);
  }
}

/* Sets the strides and returns the bytes of the whole allocation; 0: too many. */
static size_t bytes_of(ddr_image *image, size_t sample_size, size_t pitch[DDR_MAX_DIM]) {
  if (!lay_out(image, sample_size, SAMPLE_ALIGNMENT, pitch)) return 0;
  if (pitch[0] > PTRDIFF_MAX - SAMPLE_ALIGNMENT - TAIL) return 0;
  const size_t most = (PTRDIFF_MAX - SAMPLE_ALIGNMENT - pitch[0]) / sample_size;
  const size_t beyond = samples_beyond(image, most);
  if (beyond == SIZE_MAX) return 0;
  const size_t least = beyond * sample_size, tail = least < TAIL ? TAIL : least;
  return (pitch[0] + tail) / SAMPLE_ALIGNMENT * SAMPLE_ALIGNMENT + SAMPLE_ALIGNMENT;
}

size_t ddr_image_bytes(const ddr_image *image, size_t real_size) {
  static const size_t sizes[] = {
#define ROW(id, upper, c_type) [DDR_SAMPLE_##upper] = sizeof(c_type),
      DDR_SAMPLE_TYPES(ROW)
#undef ROW
  };
  size_t pitch[DDR_MAX_DIM];
  ddr_image same = *image;
  return bytes_of(&same, image->sample == DDR_SAMPLE_REAL ? real_size : sizes[image->sample],
                  pitch);
}

void *ddr_image_allocate(ddr_image *image, size_t sample_size) {
  size_t pitch[DDR_MAX_DIM];
  const size_t bytes = bytes_of(image, sample_size, pitch);
  if (bytes == 0) return NULL;
  /* Malloc might succeed all the same. */
  if (bytes > LEAST_DOUBTED && bytes > ddr_most_memory()) return NULL;
  char *samples = ddr_memory_new(SAMPLE_ALIGNMENT, bytes);
  if (!samples) return NULL;
  memset(samples + pitch[0], 0, bytes - pitch[0]);
  clear_padding(image, sample_size, samples);
  return samples;
}

void ddr_image_clear(ddr_image *image) {
  /* The samples were allocated here; they are const only for readers. */
  union {
    const void *constant;
    void *owned;
  } samples = {.constant = image->samples};
  free(samples.owned);
  memset(image, 0, sizeof *image);
}

/* The first owner of samples that several nodes share. */
struct ddr_image_held {
  atomic_uint n_nodes;
  ddr_image_list image;
};

static void free_samples(ddr_image_list *image) {
  if (image->is_borrowed) image->image.samples = NULL;
  ddr_unmap(&image->mapping);
  ddr_image_clear(&image->image);
}

void ddr_image_release(ddr_image_list *image) {
  ddr_image_held *held = image->held;
  image->held = NULL;
  ddr_image_on_device_free(image);
  free_samples(image);
  if (!held || atomic_fetch_sub(&held->n_nodes, 1) > 1) return;
  free_samples(&held->image);
  free(held);
}

bool ddr_image_hold(ddr_image_list *image, ddr_image_list *other) {
  if (!image->held) {
    ddr_image_held *held = malloc(sizeof *held);
    if (!held) return false;
    atomic_init(&held->n_nodes, 1);
    held->image = *image;
    *image = (ddr_image_list){
        .next = image->next, .held = held, .is_borrowed = true, .image = image->image};
  }
  atomic_fetch_add(&image->held->n_nodes, 1);
  *other = (ddr_image_list){.held = image->held, .is_borrowed = true, .image = image->image};
  return true;
}

/* --- the images of a world -------------------------------------------------------------------- */

static uint64_t next_number(void) {
  static _Atomic uint64_t last;
  return atomic_fetch_add(&last, 1) + 1;
}

ddr_image_list *ddr_images_own(ddr_images *images, const ddr_image_list *image) {
  ddr_image_list *node = malloc(sizeof *node);
  if (!node) {
    ddr_image_list unwanted = *image;
    ddr_image_release(&unwanted);
    return NULL;
  }
  *node = *image;
  if (node->image.number == 0) node->image.number = next_number();
  node->next = images->all;
  images->all = node;
  return node;
}

void ddr_images_drop(ddr_images *images, ddr_image_list *image) {
  ddr_image_list **link = &images->all;
  while (*link && *link != image) link = &(*link)->next;
  if (!*link) return;
  *link = image->next;
  ddr_image_release(image);
  free(image);
}

void ddr_images_name(ddr_images *images, const char *file, const char *global) {
  ddr_named_file *named = malloc(sizeof *named);
  if (!named) return;
  *named = (ddr_named_file){
      .next = images->named, .file = ddr_format("%s", file), .global = ddr_format("%s", global)};
  images->named = named;
}

static void free_named(ddr_named_file *named) {
  while (named) {
    ddr_named_file *next = named->next;
    free(named->file);
    free(named->global);
    free(named);
    named = next;
  }
}

void ddr_images_free(ddr_images *images) {
  free_named(images->named);
  for (ddr_image_list *image = images->all, *next; image; image = next) {
    next = image->next;
    ddr_image_release(image);
    free(image);
  }
}
