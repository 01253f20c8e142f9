/* globals.cu: the globals on the device, and the images in them.
 *
 * Images are copied once, with the samples that a support may reach beyond them; the globals and
 * their sequences whenever their bytes changed.  Read next: strings.cu.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/image.h"
#include "runtime/cuda/check.h"

static size_t sample_size(const ddr_device *device, const ddr_image *image) {
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper: return sizeof(c_type);
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  return device->program->real_size;
}

/* Samples from the first in memory to the last, and how many lie before that of voxel (0,0,0): axes
 * may run backwards. */
static size_t samples_used(const ddr_image *image, size_t *n_before) {
  size_t n = (size_t)image->n_components;
  *n_before = 0;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t way = (image->size[axis] - 1) * image->stride[axis];
    n += (size_t)(way < 0 ? -way : way);
    if (way < 0) *n_before += (size_t)-way;
  }
  return n;
}

/* What a support reaches beyond a short or very long axis, and a row beyond its last (image.h). */
static size_t samples_beyond(const ddr_image *image) {
  size_t n = DDR_ROW_SLACK;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t size = image->size[axis], missing = size < DDR_MAX_TAPS ? DDR_MAX_TAPS - size : 1;
    const int64_t stride = image->stride[axis];
    n += (size_t)missing * (size_t)(stride < 0 ? -stride : stride);
  }
  return n;
}

static const char *copy_image(ddr_device *device, const ddr_image *host, ddr_image_copy *made) {
  size_t n_before;
  const size_t size = sample_size(device, host), n_used = samples_used(host, &n_before) * size;
  const size_t n_around =
      samples_beyond(host) * size; /* on both sides: some axis may be reversed */
  const size_t n_bytes = n_used + 2 * n_around;
  ddr_image image = *host;
  made->host = host;
  const char *error = ddr_device_allocate(device, &made->samples, n_bytes);
  if (!error) error = ddr_device_allocate(device, (void **)&made->device, sizeof image);
  if (!error)
    error = ddr_device_check(device, "clear memory",
                             cudaMemsetAsync(made->samples, 0, n_bytes, ddr_stream(device)));
  if (error) return error;
  char *first = (char *)made->samples + n_around;
  error = ddr_device_copy(device, first, (const char *)host->samples - n_before * size, n_used);
  image.samples = first + n_before * size;
  if (!error) error = ddr_device_copy(device, made->device, &image, sizeof image);
  return error ? error : ddr_device_finish(device, "copy an image");
}

/* The copy of an image; several globals may be the same one. */
static const char *find_copy(ddr_device *device, const ddr_image *host, const ddr_image **found) {
  for (uint32_t k = 0; k < device->n_copies; k++) {
    *found = device->copies[k].device;
    if (device->copies[k].host == host) return NULL;
  }
  ddr_image_copy *made = &device->copies[device->n_copies++];
  const char *error = copy_image(device, host, made);
  *found = made->device;
  return error;
}

/* In the host's image of the globals, images become those of the device. */
static const char *replace_images(ddr_device *device, char *globals) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_images && !error; k++) {
    char *field = globals + program->images[k].offset;
    const ddr_image *image = NULL;
    memcpy(&image, field, sizeof image);
    if (image) error = find_copy(device, image, &image);
    memcpy(field, &image, sizeof image);
  }
  return error;
}

static const char *upload_changed(ddr_device *device, const void *globals) {
  const size_t n_bytes = device->program->globals_size;
  char *patched = (char *)malloc(n_bytes + 1);
  if (!patched) return "out of memory";
  memcpy(patched, globals, n_bytes);
  const char *error = replace_images(device, patched);
  if (!error) error = ddr_sequences_upload(device, patched);
  if (!error) error = ddr_strings_replace(device, patched);
  if (!error) error = ddr_device_copy(device, device->globals, patched, n_bytes);
  if (!error) error = ddr_device_finish(device, "copy the globals");
  if (!error) memcpy(device->globals_before, globals, n_bytes);
  free(patched);
  return error;
}

static const char *upload_first(ddr_device *device, const void *globals) {
  const size_t n_bytes = device->program->globals_size;
  const uint32_t n_images = device->program->device->n_images;
  device->copies = (ddr_image_copy *)calloc(n_images + 1u, sizeof *device->copies);
  device->globals_before = malloc(n_bytes + 1);
  if (!device->copies || !device->globals_before) return "out of memory";
  const char *error = ddr_device_allocate(device, &device->globals, n_bytes);
  return error ? error : upload_changed(device, globals);
}

/* Sequences are the same if their buffers and lengths are: elements never change, and no buffer
 * that was there when a global block began is freed before its end. */
const char *ddr_globals_upload(ddr_device *device, const void *globals) {
  if (!device->globals) return upload_first(device, globals);
  const bool is_same = memcmp(device->globals_before, globals, device->program->globals_size) == 0;
  return is_same ? NULL : upload_changed(device, globals);
}

void ddr_globals_free(ddr_device *device) {
  for (uint32_t k = 0; k < device->n_copies; k++) {
    cudaFree(device->copies[k].samples);
    cudaFree(device->copies[k].device);
  }
  free(device->copies);
  ddr_strings_free(device);
  free(device->globals_before);
  cudaFree(device->globals);
}
