/* streamed.c: outputs of grids that are written while strands run, each value at its offset.
 *
 * For grids that are larger than memory (strands/fleeting.c). The files are the same as those
 * written at the end of a run.  Of several ranks each writes the values of the blocks that it has
 * claimed into the file of the first one: without MPI, which only one thread may call.
 */
#include <stdlib.h>

#include "local.h"
#include "runtime/src/ranks/ranks.h"
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
                           ddr_selection selection, const char *file, ddr_writers writers,
                           ddr_nrrd_pieces *pieces, ddr_reason *reason) {
  char nothing = 0; /* Teem needs data to describe, though it is not written */
  const ddr_array array = ddr_output_array(world, output, selection);
  Nrrd *nrrd = ddr_nrrd_wrap(&array, &nothing, ddr_nrrd_sample_type(&array));
  if (!nrrd) return ddr_refuse(reason, "out of memory");
  const ddr_status status = ddr_nrrd_open(nrrd, file, writers, pieces, reason);
  nrrdNix(nrrd);
  return status;
}

static ddr_writers writers_of(const ddr_world *world) {
  const ddr_rank_engine *engine = world->ranks->engine;
  if (ddr_n_ranks(world) == 1) return DDR_WRITE_ALONE;
  return engine->n_on_node == engine->n_ranks ? DDR_WRITE_TOGETHER : DDR_WRITE_FAR_APART;
}

/* Collective.  Opens the file that the first rank has made. */
static ddr_status join(ddr_world *world, const char *file, ddr_nrrd_pieces *pieces) {
  ddr_found_file found;
  ddr_reason reason = {"it does not fit in memory, and not all ranks see its folder"};
  ddr_status status = ddr_output_find(world, pieces, &found) ? DDR_OK : DDR_ERROR;
  if (status == DDR_OK && !ddr_is_first_rank(world))
    status = ddr_nrrd_join(found.temporary, found.begin, writers_of(world), pieces, &reason);
  free(found.temporary);
  return status == DDR_OK ? DDR_OK : refuse(world, file, &reason);
}

/* Collective. */
static ddr_status open_one(ddr_world *world, ddr_streamed *streamed, uint32_t k) {
  const ddr_output *output = &world->program->outputs[k];
  const char *file = streamed->files[k];
  const ddr_writers writers = writers_of(world);
  ddr_nrrd_pieces *pieces = &streamed->pieces[k];
  ddr_reason reason;
  if (ddr_is_first_rank(world) &&
      ddr_output_open(world, output, SELECT_ALIVE, file, writers, pieces, &reason) != DDR_OK)
    refuse(world, file, &reason);
  if (ddr_ranks_agree(world)) return DDR_ERROR;
  if (writers != DDR_WRITE_ALONE) join(world, file, pieces);
  if (ddr_is_first_rank(world)) ddr_output_note_suffix(world, file);
  return ddr_ranks_agree(world) ? DDR_ERROR : DDR_OK;
}

static ddr_status open_all(ddr_world *world, void *data) {
  ddr_streamed *streamed = data;
  const ddr_program *program = world->program;
  streamed->pieces = calloc(program->n_outputs, sizeof *streamed->pieces);
  if (!streamed->pieces) ddr_error(world, "out of memory");
  if (ddr_ranks_agree(world)) return DDR_ERROR;
  if (world->is_verbose) ddr_note(world, "outputs go to their files while strands run");
  for (uint32_t k = 0; k < program->n_outputs; k++) {
    if (ddr_output_check_saved(world, &program->outputs[k]) != DDR_OK) return DDR_ERROR;
    streamed->n_open++;
    if (open_one(world, streamed, k) != DDR_OK) return DDR_ERROR;
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
    if (output->kind == DDR_SEQUENCE) return;
    if (!ddr_ranks_first(world, ddr_nrrd_takes_pieces(files[k]))) return;
    if (ddr_output_bytes(world, output) > most) most = ddr_output_bytes(world, output);
  }
  world->store->outlet =
      (ddr_outlet){.open = open_all, .take = take, .data = streamed, .strand_bytes = most};
}

static ddr_status close_all(ddr_world *world, ddr_streamed *streamed, ddr_status status) {
  ddr_reason reason;
  for (uint32_t k = 0; k < streamed->n_open; k++) {
    const bool was_good = status == DDR_OK;
    status = ddr_nrrd_finish(&streamed->pieces[k], status, &reason);
    if (was_good && status != DDR_OK) refuse(world, streamed->files[k], &reason);
  }
  return status;
}

/* The first rank gives the files their names when all others have closed them. */
ddr_status ddr_outputs_finish(ddr_world *world, ddr_streamed *streamed, ddr_status status) {
  const bool is_good = status == DDR_OK;
  if (!ddr_is_first_rank(world)) close_all(world, streamed, status);
  if (is_good && ddr_ranks_agree(world)) status = DDR_ERROR;
  if (ddr_is_first_rank(world)) status = close_all(world, streamed, status);
  if (is_good && ddr_ranks_agree(world)) status = DDR_ERROR;
  free(streamed->pieces);
  *streamed = (ddr_streamed){0};
  return status;
}
