/* digests.c: the values that a world was given, as hashes and text, to compare them with those of
 * another world.
 *
 * Inputs are recorded before anything runs, since global code may change them.  Images never
 * change, so they are recorded only when a checkpoint needs them.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/world/hash.h"
#include "runtime/src/world/values.h"

/* Of an image with more samples than this, only every n-th row is hashed. */
enum { MOST_SAMPLES = 1 << 24, MOST_SHOWN = 60 };

/* --- inputs ----------------------------------------------------------------------------------- */

static uint64_t hash_of_strings(const char *const *strings, size_t n) {
  uint64_t hash = DDR_HASH_START;
  for (size_t k = 0; k < n; k++) {
    const uint64_t length = strings[k] ? strlen(strings[k]) : 0;
    hash = ddr_hash_add(hash, &length, sizeof length);
    hash = ddr_hash_add(hash, strings[k], (size_t)length);
  }
  return hash;
}

static uint64_t hash_of_scalars(const ddr_program *program, ddr_kind kind, size_t n,
                                const void *values) {
  if (kind == DDR_STRING) return hash_of_strings(values, n);
  return ddr_hash_add(DDR_HASH_START, values, n * ddr_value_size(program, kind));
}

static char *show_scalars(const ddr_program *program, ddr_kind kind, size_t n, const char *values) {
  ddr_text text = {0};
  ddr_put_string(&text, "");
  for (size_t k = 0; k < n && text.len <= MOST_SHOWN; k++) {
    if (k > 0) ddr_put_string(&text, " ");
    ddr_value_show(program, kind, values + k * ddr_value_size(program, kind), &text);
  }
  if (text.len <= MOST_SHOWN && !text.is_short) return text.chars;
  ddr_text_clear(&text);
  return NULL;
}

static uint64_t hash_of_value(const ddr_world *world, uint32_t idx) {
  const ddr_program *program = world->program;
  const ddr_input *input = &program->inputs[idx];
  const void *values = ddr_input_place(world, idx);
  ddr_seq seq;
  if (input->kind != DDR_SEQUENCE)
    return hash_of_scalars(program, input->kind, input->n_components, values);
  memcpy(&seq, values, sizeof seq);
  const void *elements = seq.length > 0 ? ddr_seq_elements(seq.buffer) : "";
  return hash_of_scalars(program, input->element, (size_t)seq.length * input->n_components,
                         elements);
}

static ddr_digest digest_of_input(const ddr_world *world, uint32_t idx) {
  const ddr_program *program = world->program;
  const ddr_input *input = &program->inputs[idx];
  ddr_digest digest = {.name = input->name, .hash = hash_of_value(world, idx)};
  if (input->kind != DDR_SEQUENCE)
    digest.text =
        show_scalars(program, input->kind, input->n_components, ddr_input_place(world, idx));
  return digest;
}

static uint32_t count_most(const ddr_program *program) {
  return program->n_inputs + program->n_global_variables + 1;
}

ddr_status ddr_checkpoint_digest_inputs(ddr_world *world) {
  const ddr_program *program = world->program;
  ddr_checkpoints *checkpoints = world->checkpoints;
  if (!ddr_has_checkpoints(program)) return DDR_OK;
  checkpoints->digests = calloc(count_most(program), sizeof *checkpoints->digests);
  if (!checkpoints->digests) return ddr_error(world, "out of memory");
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    if (program->inputs[k].kind == DDR_IMAGE) continue;
    checkpoints->digests[checkpoints->n_digests++] = digest_of_input(world, k);
  }
  return DDR_OK;
}

void ddr_checkpoints_free(ddr_checkpoints *checkpoints) {
  for (uint32_t k = 0; k < checkpoints->n_digests; k++) free(checkpoints->digests[k].text);
  free(checkpoints->digests);
  free(checkpoints->texts);
}

/* --- images ----------------------------------------------------------------------------------- */

/* n samples of an image from `offset` on, of any type, as doubles. */
static void values_of(const ddr_program *program, const ddr_image *image, int64_t offset, int n,
                      double *values) {
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper:                                                                         \
    for (int k = 0; k < n; k++)                                                                    \
      values[k] = (double)((const ddr_##id##_at *)image->samples)[offset + k];                     \
    return;
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  for (int k = 0; k < n; k++) {
    values[k] = program->real_size == sizeof(double)
                    ? ((const ddr_f64_at *)image->samples)[offset + k]
                    : (double)((const ddr_f32_at *)image->samples)[offset + k];
  }
}

static uint64_t add_row(uint64_t hash, const ddr_program *program, const ddr_image *image,
                        int64_t offset) {
  enum { PIECE = 256 };
  double values[PIECE];
  for (int64_t left = image->size[DDR_X] * image->n_components; left > 0; left -= PIECE) {
    const int n = left < PIECE ? (int)left : PIECE;
    values_of(program, image, offset, n, values);
    hash = ddr_hash_add(hash, values, (size_t)n * sizeof *values);
    offset += n;
  }
  return hash;
}

static uint64_t hash_of_image(const ddr_program *program, const ddr_image *image) {
  const int64_t row = image->size[DDR_X] * image->n_components, n_y = image->size[DDR_Y];
  const int64_t n_rows = n_y * image->size[DDR_Z], step = row * n_rows / MOST_SAMPLES + 1;
  uint64_t hash = ddr_hash_add(DDR_HASH_START, &image->place64, sizeof image->place64);
  hash = ddr_hash_add(hash, image->size, sizeof image->size);
  hash = ddr_hash_add(hash, &image->n_components, sizeof image->n_components);
  for (int64_t k = 0; k < n_rows; k += step)
    hash = add_row(hash, program, image, ddr_image_offset(image, 0, k % n_y, k / n_y));
  return hash;
}

ddr_status ddr_checkpoint_digest_images(ddr_world *world) {
  const ddr_program *program = world->program;
  ddr_checkpoints *checkpoints = world->checkpoints;
  const ddr_image *image;
  if (checkpoints->has_images) return DDR_OK;
  for (uint32_t k = 0; k < program->n_global_variables; k++) {
    const ddr_variable *variable = &program->global_variables[k];
    if (variable->kind != DDR_IMAGE) continue;
    memcpy(&image, (const char *)world->globals + variable->offset, sizeof image);
    checkpoints->digests[checkpoints->n_digests++] =
        (ddr_digest){.name = variable->name, .hash = image ? hash_of_image(program, image) : 0};
  }
  checkpoints->has_images = true;
  return DDR_OK;
}

uint64_t ddr_hash_of_input(const ddr_world *world, uint32_t idx) {
  if (world->program->inputs[idx].kind != DDR_IMAGE) return hash_of_value(world, idx);
  const ddr_image_list *image = world->inputs[idx].image;
  return image ? hash_of_image(world->program, &image->image) : 0;
}
