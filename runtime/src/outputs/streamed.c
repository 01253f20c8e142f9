/* streamed.c: outputs of grids that are written while strands run, each value at its offset.
 *
 * For grids that are larger than memory (strands/fleeting.c). The files are the same as those
 * written at the end of a run.
 */
#include <stdlib.h>

#include "local.h"
#include "runtime/src/strands/store.h"
#include "runtime/src/world/values.h"

size_t ddr_output_bytes(const ddr_world *world, const ddr_output *output) {
  return output->n_components * ddr_value_size(world->program, output->kind);
}

static ddr_status refuse(ddr_world *world, const char *file, const ddr_reason *reason) {
  return ddr_error(world, "Error saving \"%s\": %s", file, reason->text);
}

/* --- the outlet ------------------------------------------------------------------------------- */

ddr_status ddr_output_open(const ddr_world *world, const ddr_output *output,
                           ddr_selection selection, const char *file, ddr_nrrd_writers writers,
                           ddr_nrrd_pieces *pieces, ddr_reason *reason) {
  char nothing = 0; /* Teem needs data to describe, though it is not written */
  const ddr_array array = ddr_output_array(world, output, selection);
  Nrrd *nrrd = ddr_nrrd_wrap(&array, &nothing, ddr_nrrd_sample_type(&array));
  if (!nrrd) return ddr_refuse(reason, "out of memory");
  const ddr_status status = ddr_nrrd_open(nrrd, file, writers, pieces, reason);
  nrrdNix(nrrd);
  return status;
}

static ddr_status open_all(ddr_world *world, void *data) {
  ddr_streamed *streamed = data;
  const ddr_program *program = world->program;
  ddr_reason reason;
  streamed->pieces = calloc(program->n_outputs, sizeof *streamed->pieces);
  if (!streamed->pieces) return ddr_error(world, "out of memory");
  if (world->is_verbose) ddr_note(world, "outputs go to their files while strands run");
  for (uint32_t k = 0; k < program->n_outputs; k++) {
    if (ddr_output_check_saved(world, &program->outputs[k]) != DDR_OK) return DDR_ERROR;
    streamed->n_open++;
    if (ddr_output_open(world, &program->outputs[k], SELECT_ALIVE, streamed->files[k],
                        DDR_WRITE_ALONE, &streamed->pieces[k], &reason) != DDR_OK) {
      return refuse(world, streamed->files[k], &reason);
    }
    ddr_output_note_suffix(world, streamed->files[k]);
  }
  return DDR_OK;
}

static ddr_status take(ddr_world *world, void *data, int64_t begin, int64_t end) {
  ddr_streamed *streamed = data;
  for (uint32_t k = 0; k < world->program->n_outputs; k++) {
    const ddr_output *output = &world->program->outputs[k];
    const size_t each = ddr_output_bytes(world, output), n_bytes = (size_t)(end - begin) * each;
    ddr_reason reason = {"out of memory"};
    char *values = malloc(n_bytes);
    if (values) {
      ddr_output_gather_slots(world, output, each, begin, end, values);
      ddr_nans_unify(output->kind, each / output->n_components, values,
                     (size_t)(end - begin) * output->n_components);
    }
    const bool is_put = values && ddr_nrrd_put(&streamed->pieces[k], begin * (int64_t)each, values,
                                               n_bytes, &reason) == DDR_OK;
    free(values);
    if (is_put) continue;
    /* The other files fail likewise; one message is enough. */
    if (!atomic_exchange(&streamed->has_failed, true)) refuse(world, streamed->files[k], &reason);
    return DDR_ERROR;
  }
  return DDR_OK;
}

/* --- for executables -------------------------------------------------------------------------- */

void ddr_outputs_offer(ddr_world *world, const char **files, ddr_streamed *streamed) {
  const ddr_program *program = world->program;
  size_t most = 0;
  *streamed = (ddr_streamed){.files = files};
  for (uint32_t k = 0; k < program->n_outputs; k++) {
    const ddr_output *output = &program->outputs[k];
    if (output->kind == DDR_SEQUENCE || !ddr_nrrd_takes_pieces(files[k])) return;
    if (ddr_output_bytes(world, output) > most) most = ddr_output_bytes(world, output);
  }
  world->store->outlet =
      (ddr_outlet){.open = open_all, .take = take, .data = streamed, .strand_bytes = most};
}

ddr_status ddr_outputs_finish(ddr_world *world, ddr_streamed *streamed, ddr_status status) {
  ddr_reason reason;
  for (uint32_t k = 0; k < streamed->n_open; k++) {
    const bool was_good = status == DDR_OK;
    status = ddr_nrrd_finish(&streamed->pieces[k], status, &reason);
    if (was_good && status != DDR_OK) refuse(world, streamed->files[k], &reason);
  }
  free(streamed->pieces);
  *streamed = (ddr_streamed){0};
  return status;
}
