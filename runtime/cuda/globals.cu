/* globals.cu: the globals for kernels, and what they point to.
 *
 * Images are copied once, for all worlds that share them; the globals and their sequences are
 * copied whenever their bytes have changed.  If kernels get the globals and the heads of images as
 * arguments, these stay on the host, and launches copy them.  Read next: images.cu, strings.cu.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/image.h"
#include "runtime/cuda/check.h"

/* In the host's copy of the globals, replaces images by those on the device; their heads go to
 * `images`, unless that is NULL. */
static const char *replace_images(ddr_device *device, char *globals, ddr_image *images) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_images && !error; k++) {
    char *field = globals + program->images[k].offset;
    const ddr_image *image = NULL;
    const ddr_image_copy *copy = NULL;
    memcpy(&image, field, sizeof image);
    if (image) error = ddr_image_copies_find(device, image, &copy);
    image = copy ? copy->image : NULL;
    memcpy(field, &image, sizeof image);
    if (copy && images) images[k] = copy->head;
  }
  return error;
}

static const char *replace_all(ddr_device *device, char *globals, ddr_image *images) {
  const char *error = replace_images(device, globals, images);
  if (!error) error = ddr_sequences_upload(device, globals);
  return error ? error : ddr_strings_replace(device, globals);
}

static const char *upload_changed(ddr_device *device, const void *globals) {
  const ddr_device_program *program = device->program->device;
  const size_t n_bytes = device->program->globals_size;
  const bool has_arguments = program->arguments_size > 0;
  char *patched = has_arguments ? (char *)device->globals : (char *)malloc(n_bytes + 1);
  if (!patched) return "out of memory";
  memcpy(patched, globals, n_bytes);
  char *images = has_arguments && program->n_images > 0 ? patched + program->images_at : NULL;
  const char *error = replace_all(device, patched, (ddr_image *)(void *)images);
  if (!error && !has_arguments) error = ddr_device_copy(device, device->globals, patched, n_bytes);
  if (!error && (!has_arguments || program->n_strings > 0))
    error = ddr_device_finish(device, "copy the globals");
  if (!error) memcpy(device->globals_before, globals, n_bytes);
  if (!has_arguments) free(patched);
  return error;
}

static const char *upload_first(ddr_device *device, const void *globals) {
  const size_t n_bytes = device->program->globals_size;
  const uint32_t n_images = device->program->device->n_images;
  device->images = (ddr_image_use *)calloc(n_images + 1u, sizeof *device->images);
  device->globals_before = malloc(n_bytes + 1);
  if (!device->images || !device->globals_before) return "out of memory";
  const size_t n_arguments = device->program->device->arguments_size;
  if (n_arguments > 0) device->globals = calloc(1, n_arguments);
  if (n_arguments > 0 && !device->globals) return "out of memory";
  const char *error =
      n_arguments > 0 ? NULL : ddr_device_allocate(device, &device->globals, n_bytes);
  return error ? error : upload_changed(device, globals);
}

/* Sequences are equal if their buffers and lengths are: elements never change, and no buffer that
 * existed when a global block began is freed before the block ends. */
const char *ddr_globals_upload(ddr_device *device, const void *globals) {
  if (!device->globals) return upload_first(device, globals);
  const bool is_same = memcmp(device->globals_before, globals, device->program->globals_size) == 0;
  return is_same ? NULL : upload_changed(device, globals);
}

void ddr_globals_free(ddr_device *device) {
  ddr_image_copies_free(device);
  ddr_strings_free(device);
  free(device->globals_before);
  if (device->program->device->arguments_size > 0) free(device->globals);
}
