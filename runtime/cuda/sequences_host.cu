/* sequences_host.cu: dynamic sequences that are copied between host and device: those of globals to
 * the device, those of states back.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/device/seq.h"
#include "runtime/cuda/check.h"

/* --- the mirror ------------------------------------------------------------------------------- */

static const char *mirror_arena(ddr_device *device) {
  if (device->is_mirrored) return NULL;
  free(device->arena_mirror);
  device->arena_mirror = (char *)malloc(device->n_in_arena + 1);
  if (!device->arena_mirror) return "out of memory";
  const char *error =
      ddr_device_copy(device, device->arena_mirror, device->arena.memory, device->n_in_arena);
  if (!error) error = ddr_device_finish(device, "copy sequences");
  device->is_mirrored = !error;
  return error;
}

static void point_to_mirror(const ddr_device *device, uint32_t offset, ddr_strands *host) {
  const size_t size = device->program->state_size;
  for (int64_t slot = 0; slot < device->strands.n_slots; slot++) {
    char *field = (char *)host->state + (size_t)slot * size + offset;
    ddr_seq seq;
    memcpy(&seq, field, sizeof seq);
    if (!seq.buffer) continue;
    const ptrdiff_t at = (const char *)seq.buffer - (const char *)device->arena.memory;
    seq.buffer = (ddr_seq_buffer *)(void *)(device->arena_mirror + at);
    memcpy(field, &seq, sizeof seq);
  }
}

const char *ddr_sequences_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_state_sequences && !error; k++) {
    const ddr_seq_place *place = &program->state_sequences[k];
    if (place->offset < offset || place->offset - offset >= size) continue;
    error = mirror_arena(device);
    if (!error) point_to_mirror(device, place->offset, host);
  }
  return error;
}

/* --- the globals' ----------------------------------------------------------------------------- */

static ddr_seq global_at(const char *globals, const ddr_seq_place *place) {
  ddr_seq seq;
  memcpy(&seq, globals + place->offset, sizeof seq);
  return seq;
}

/* Sequences of globals are never extended. */
static size_t bytes_of_global(const char *globals, const ddr_seq_place *place) {
  const ddr_seq seq = global_at(globals, place);
  return seq.length > 0 ? ddr_seq_bytes((size_t)seq.length * place->element_size) : 0;
}

static void pack_global(char *globals, const ddr_seq_place *place, char *packed, char *device) {
  ddr_seq seq = global_at(globals, place);
  if (seq.length > 0)
    memcpy(packed + sizeof(ddr_seq_buffer), ddr_seq_elements(seq.buffer),
           (size_t)seq.length * place->element_size);
  seq.buffer = seq.length > 0 ? (ddr_seq_buffer *)(void *)device : NULL;
  memcpy(globals + place->offset, &seq, sizeof seq);
}

const char *ddr_sequences_upload(ddr_device *device, char *globals) {
  const ddr_device_program *program = device->program->device;
  const ddr_seq_place *places = program->global_sequences;
  size_t n_bytes = 0, at = 0;
  for (uint32_t k = 0; k < program->n_global_sequences; k++)
    n_bytes += bytes_of_global(globals, &places[k]);
  if (program->n_global_sequences == 0) return NULL;
  char *packed = (char *)calloc(n_bytes + 1, 1);
  const char *error =
      packed ? ddr_space_reserve(device, &device->global_sequences, n_bytes) : "out of memory";
  for (uint32_t k = 0; k < program->n_global_sequences && !error; k++) {
    const size_t n_more = bytes_of_global(globals, &places[k]);
    pack_global(globals, &places[k], packed + at, (char *)device->global_sequences.memory + at);
    at += n_more;
  }
  if (!error) error = ddr_device_copy(device, device->global_sequences.memory, packed, n_bytes);
  if (!error) error = ddr_device_finish(device, "copy the globals");
  free(packed);
  return error;
}
