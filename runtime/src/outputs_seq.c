/* outputs_seq.c: an output that is a dynamic sequence becomes two files.
 *
 * PREFIX-len: for each strand the offset and the length of its sequence, in elements.
 * PREFIX-data: all elements, one strand after the other in rank order; absent when there are none.
 * Read next: nrrd_write.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"

typedef struct {
  ddr_world *world;
  const ddr_output *output;
  const char *prefix;
  ddr_seq *seqs; /* one per strand */
  int64_t n_elements;
} SeqOutput;

static ddr_status refuse(const SeqOutput *out, const char *reason)
{
  return ddr_error(out->world, "Error saving \"%s\": %s", out->prefix, reason);
}

/* PREFIX-WORD.nrrd */
static ddr_status save(const SeqOutput *out, const ddr_array *array, const char *word)
{
  char *file = ddr_format("%s-%s.nrrd", out->prefix, word);
  const ddr_status status =
    file ? ddr_nrrd_save(out->world, array, file) : refuse(out, "out of memory");
  free(file);
  return status;
}

/* --- lengths ---------------------------------------------------------------------------------- */

static ddr_status count_elements(SeqOutput *out)
{
  for (int64_t slot = 0; slot < out->world->strands.n_slots; slot++) {
    if (out->seqs[slot].length > INT32_MAX - out->n_elements) {
      return refuse(out, "more elements than an int can count");
    }
    out->n_elements += out->seqs[slot].length;
  }
  return DDR_OK;
}

static ddr_status save_lengths(const SeqOutput *out)
{
  const ddr_strands *strands = &out->world->strands;
  const size_t n_slots = (size_t)strands->n_slots;
  int32_t *pairs = calloc(n_slots, 2 * sizeof *pairs);
  if (!pairs) return refuse(out, "out of memory");
  int32_t offset = 0;
  for (size_t slot = 0; slot < n_slots; slot++) {
    pairs[2 * slot] = offset;
    pairs[2 * slot + 1] = (int32_t)out->seqs[slot].length;
    offset += pairs[2 * slot + 1];
  }
  ddr_array array = {
    .kind = DDR_INT,
    .element_size = sizeof *pairs,
    .axis = DDR_AXIS_2_VECTOR,
    .n_components = 2,
    .rank = out->world->program->rank,
    .data = pairs,
  };
  memcpy(array.len, strands->len, sizeof array.len);
  const ddr_status status = save(out, &array, "len");
  free(pairs);
  return status;
}

/* --- elements --------------------------------------------------------------------------------- */

static ddr_status save_elements(const SeqOutput *out)
{
  const ddr_output *output = out->output;
  const size_t scalar_size = ddr_value_size(out->world->program, output->element);
  const size_t size = output->n_components * scalar_size;
  char *data = (uint64_t)out->n_elements <= PTRDIFF_MAX / size
                 ? malloc((size_t)out->n_elements * size)
                 : NULL;
  if (!data) return refuse(out, "out of memory");
  char *dst = data;
  for (int64_t slot = 0; slot < out->world->strands.n_slots; slot++) {
    const size_t n_bytes = (size_t)out->seqs[slot].length * size;
    if (n_bytes > 0) memcpy(dst, out->seqs[slot].buffer + 1, n_bytes);
    dst += n_bytes;
  }
  const ddr_array array = {
    .kind = output->element,
    .element_size = scalar_size,
    .axis = output->axis,
    .n_components = output->n_components,
    .rank = 1,
    .len = {out->n_elements},
    .is_list = true,
    .data = data,
  };
  const ddr_status status = save(out, &array, "data");
  free(data);
  return status;
}

ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     const char *prefix)
{
  SeqOutput out = {.world = world, .output = output, .prefix = prefix};
  out.seqs = ddr_output_gather(world, output, sizeof *out.seqs);
  if (!out.seqs) return refuse(&out, "out of memory");
  ddr_status status = count_elements(&out);
  if (status == DDR_OK) status = save_lengths(&out);
  if (status == DDR_OK && out.n_elements > 0) {
    status = save_elements(&out);
  } else if (status == DDR_OK) {
    ddr_note(world, "Warning: all sequences in output are empty, so no '%s-data.nrrd' file "
             "produced", prefix);
  }
  free(out.seqs);
  return status;
}
