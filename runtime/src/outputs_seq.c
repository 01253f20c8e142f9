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
  ddr_selection selection;
  const ddr_files *files;
  ddr_seq *seqs; /* one per strand shown */
  size_t n_seqs;
  int64_t n_elements;
} SeqOutput;

static ddr_status refuse(const SeqOutput *out, const char *reason)
{
  return ddr_error(out->world, "Error saving \"%s\": %s", out->files->prefix, reason);
}

/* PREFIX-WORD.nrrd, or PREFIX-WORD-NNNN.nrrd.  Free it. */
static char *file_name(const SeqOutput *out, const char *word)
{
  return ddr_format("%s-%s%s.nrrd", out->files->prefix, word, out->files->suffix);
}

static ddr_status save(const SeqOutput *out, const ddr_array *array, const char *word)
{
  char *file = file_name(out, word);
  const ddr_status status =
    file ? ddr_nrrd_save(out->world, array, file) : refuse(out, "out of memory");
  free(file);
  return status;
}

/* --- lengths ---------------------------------------------------------------------------------- */

static ddr_status count_elements(SeqOutput *out)
{
  for (size_t k = 0; k < out->n_seqs; k++) {
    if (out->seqs[k].length > INT32_MAX - out->n_elements) {
      return refuse(out, "more elements than an int can count");
    }
    out->n_elements += out->seqs[k].length;
  }
  return DDR_OK;
}

static ddr_status save_lengths(const SeqOutput *out)
{
  int32_t *pairs = calloc(out->n_seqs, 2 * sizeof *pairs);
  if (!pairs) return refuse(out, "out of memory");
  int32_t offset = 0;
  for (size_t k = 0; k < out->n_seqs; k++) {
    pairs[2 * k] = offset;
    pairs[2 * k + 1] = (int32_t)out->seqs[k].length;
    offset += pairs[2 * k + 1];
  }
  ddr_array array = {
    .kind = DDR_INT,
    .element_size = sizeof *pairs,
    .axis = DDR_AXIS_2_VECTOR,
    .n_components = 2,
    .data = pairs,
  };
  ddr_output_place(out->world, out->selection, &array);
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
  for (size_t k = 0; k < out->n_seqs; k++) {
    const size_t n_bytes = (size_t)out->seqs[k].length * size;
    if (n_bytes > 0) memcpy(dst, out->seqs[k].buffer + 1, n_bytes);
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

static void note_absence(const SeqOutput *out)
{
  char *file = file_name(out, "data");
  ddr_note(out->world, "Warning: all sequences in %s are empty, so no '%s' file produced",
           out->files->what, file ? file : out->files->prefix);
  free(file);
}

ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     ddr_selection selection, const ddr_files *files)
{
  SeqOutput out = {.world = world, .output = output, .selection = selection, .files = files};
  out.n_seqs = (size_t)ddr_output_count(world, selection);
  out.seqs = ddr_output_gather(world, output, selection, sizeof *out.seqs);
  if (!out.seqs) return refuse(&out, "out of memory");
  ddr_status status = count_elements(&out);
  if (status == DDR_OK) status = save_lengths(&out);
  if (status == DDR_OK && out.n_elements > 0) status = save_elements(&out);
  else if (status == DDR_OK) note_absence(&out);
  free(out.seqs);
  return status;
}
