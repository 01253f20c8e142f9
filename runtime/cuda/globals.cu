/* globals.cu: the globals on the device, and what they point to.
 *
 * Images are copied once, for all worlds that share them; the globals and their sequences whenever
 * their bytes changed.  Read next: images.cu, strings.cu.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/image.h"
#include "runtime/cuda/check.h"

/* In the host's image of the globals, images become those of the device. */
static const char *replace_images(ddr_device *device, char *globals) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_images && !error; k++) {
    char *field = globals + program->images[k].offset;
    const ddr_image *image = NULL;
    memcpy(&image, field, sizeof image);
    if (image) error = ddr_image_copies_find(device, image, &image);
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
  device->images = (ddr_image_use *)calloc(n_images + 1u, sizeof *device->images);
  device->globals_before = malloc(n_bytes + 1);
  if (!device->images || !device->globals_before) return "out of memory";
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
  ddr_image_copies_free(device);
  ddr_strings_free(device);
  free(device->globals_before);
}
