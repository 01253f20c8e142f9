/* sequence_outputs.c: an output that is a dynamic sequence is saved as two files.
 *
 * PREFIX-len: for each strand the offset and the length of its sequence, in elements.
 * PREFIX-data: all elements, one strand after the other in rank order; absent when there are none.
 * Read next: nrrd_save.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/values.h"

/* --- collecting ------------------------------------------------------------------------------- */

typedef struct {
  ddr_world *world;
  const ddr_output *output;
  ddr_selection selection;
  ddr_seq *seqs; /* one per strand shown */
  size_t n_seqs;
  int64_t n_elements;
} SeqOutput;

/* Returns NULL, or why the elements cannot be counted. */
static const char *count_elements(SeqOutput *out) {
  for (size_t k = 0; k < out->n_seqs; k++) {
    if (out->seqs[k].length > INT32_MAX - out->n_elements) {
      return "more elements than an int can count";
    }
    out->n_elements += out->seqs[k].length;
  }
  return NULL;
}

static const char *collect_lengths(const SeqOutput *out, ddr_array *lengths) {
  int32_t *pairs = calloc(out->n_seqs + 1, 2 * sizeof *pairs);
  if (!pairs) return "out of memory";
  int32_t offset = 0;
  for (size_t k = 0; k < out->n_seqs; k++) {
    pairs[2 * k] = offset;
    pairs[2 * k + 1] = (int32_t)out->seqs[k].length;
    offset += pairs[2 * k + 1];
  }
  *lengths = (ddr_array){
      .kind = DDR_INT,
      .element_size = sizeof *pairs,
      .axis = DDR_AXIS_2_VECTOR,
      .n_components = 2,
      .data = pairs,
  };
  ddr_output_place(out->world, out->selection, lengths);
  return NULL;
}

static const char *collect_elements(const SeqOutput *out, ddr_array *elements) {
  const ddr_output *output = out->output;
  const size_t scalar_size = ddr_value_size(out->world->program, output->element);
  const size_t size = output->n_components * scalar_size;
  char *data = (uint64_t)out->n_elements < PTRDIFF_MAX / size
                   ? ddr_memory_new(1, (size_t)out->n_elements * size + 1)
                   : NULL;
  if (!data) return "out of memory";
  char *dst = data;
  for (size_t k = 0; k < out->n_seqs; k++) {
    const size_t n_bytes = (size_t)out->seqs[k].length * size;
    if (n_bytes > 0) memcpy(dst, ddr_seq_elements(out->seqs[k].buffer), n_bytes);
    dst += n_bytes;
  }
  ddr_nans_unify(output->element, scalar_size, data,
                 (size_t)out->n_elements * output->n_components);
  *elements = (ddr_array){
      .kind = output->element,
      .element_size = scalar_size,
      .axis = output->axis,
      .n_components = output->n_components,
      .rank = 1,
      .len = {out->n_elements},
      .is_list = true,
      .data = data,
  };
  return NULL;
}

const char *ddr_output_collect_sequences(ddr_world *world, const ddr_output *output,
                                         ddr_selection selection, ddr_array *lengths,
                                         ddr_array *elements) {
  SeqOutput out = {.world = world, .output = output, .selection = selection};
  out.n_seqs = (size_t)ddr_output_count(world, selection);
  out.seqs = ddr_output_gather(world, output, selection, sizeof *out.seqs);
  if (!out.seqs) return "out of memory";
  *lengths = *elements = (ddr_array){0};
  const char *refusal = count_elements(&out);
  if (!refusal) refusal = collect_lengths(&out, lengths);
  if (!refusal) refusal = collect_elements(&out, elements);
  if (refusal) free(lengths->data);
  free(out.seqs);
  return refusal;
}

/* --- saving ----------------------------------------------------------------------------------- */

/* PREFIX-WORD.nrrd, or PREFIX-WORD-NNNN.nrrd.  The caller frees it. */
static char *file_name(const ddr_files *files, const char *word) {
  return ddr_format("%s-%s%s.nrrd", files->prefix, word, files->suffix);
}

static ddr_status refuse(ddr_world *world, const ddr_files *files, const char *reason) {
  return ddr_error(world, "Error saving \"%s\": %s", files->prefix, reason);
}

static ddr_status save(ddr_world *world, const ddr_array *array, const ddr_files *files,
                       const char *word) {
  char *file = file_name(files, word);
  const ddr_status status =
      file ? ddr_nrrd_save(world, array, file) : refuse(world, files, "out of memory");
  free(file);
  return status;
}

static ddr_status note_absence(ddr_world *world, const ddr_files *files) {
  char *file = file_name(files, "data");
  if (!file) return refuse(world, files, "out of memory");
  ddr_note(world, "Warning: all sequences in %s are empty, so no '%s' file produced", files->what,
           file);
  free(file);
  return DDR_OK;
}

ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     ddr_selection selection, const ddr_files *files) {
  ddr_array lengths, elements;
  const char *refusal = ddr_output_collect_sequences(world, output, selection, &lengths, &elements);
  if (refusal) return refuse(world, files, refusal);
  ddr_status status = save(world, &lengths, files, "len");
  if (status == DDR_OK && elements.len[0] > 0) status = save(world, &elements, files, "data");
  else if (status == DDR_OK) status = note_absence(world, files);
  free(lengths.data);
  free(elements.data);
  return status;
}
