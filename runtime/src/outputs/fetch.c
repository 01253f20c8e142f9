/* fetch.c: brings the values of an output from other ranks to the first.
 *
 * Each rank sends the values of its strands in order, and the first rank puts them into its store,
 * as if it had run these strands.  A dynamic sequence is sent as its length and its elements.
 * Read next: outputs.c; strands/shares.h.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/shares.h"
#include "runtime/src/world/values.h"

/* A value in each state. */
typedef struct Field {
  size_t offset, size; /* of a value; of an element of a sequence */
  bool is_sequence;
} Field;

static Field field_of(const ddr_world *world, const ddr_output *output) {
  const bool is_sequence = output->kind == DDR_SEQUENCE;
  const ddr_kind kind = is_sequence ? output->element : output->kind;
  return (Field){output->offset, output->n_components * ddr_value_size(world->program, kind),
                 is_sequence};
}

static char *value_at(const ddr_world *world, const Field *field, int64_t slot) {
  char *states = world->store->strands.state;
  return states + (size_t)slot * world->program->state_size + field->offset;
}

/* --- sending ---------------------------------------------------------------------------------- */

static void put_value(const ddr_world *world, const Field *field, int64_t slot, ddr_text *bytes) {
  const char *value = value_at(world, field, slot);
  ddr_seq seq;
  if (!field->is_sequence) {
    ddr_text_append(bytes, value, field->size);
    return;
  }
  memcpy(&seq, value, sizeof seq);
  ddr_text_append(bytes, (const char *)&seq.length, sizeof seq.length);
  if (seq.length > 0)
    ddr_text_append(bytes, ddr_seq_elements(seq.buffer), (size_t)seq.length * field->size);
}

static ddr_text own_values(const ddr_world *world, const Field *field) {
  const ddr_shares *shares = &world->store->shares;
  const int rank = ddr_own_rank(world);
  ddr_text bytes = {0};
  for (int64_t k = shares->begin[rank]; k < shares->begin[rank + 1]; k++) {
    const ddr_strand_run run = shares->runs[k];
    for (int64_t slot = run.first; slot < run.first + run.count; slot++)
      put_value(world, field, slot, &bytes);
  }
  if (bytes.is_short) ddr_ranks_give_up(world);
  return bytes;
}

/* --- receiving -------------------------------------------------------------------------------- */

/* Takes a value from the bytes at `next`; returns what follows it. */
static const char *take_value(ddr_world *world, const Field *field, int64_t slot,
                              const char *bytes) {
  ddr_seq seq;
  int64_t length;
  if (!field->is_sequence) {
    memcpy(value_at(world, field, slot), bytes, field->size);
    return bytes + field->size;
  }
  memcpy(&length, bytes, sizeof length);
  bytes += sizeof length;
  seq = ddr_seq_from(&world->pool, field->size, length, bytes);
  ddr_seq_give(&world->pool, &seq, field->size);
  ddr_pool_sweep(&world->pool);
  memcpy(value_at(world, field, slot), &seq, sizeof seq);
  return bytes + (size_t)length * field->size;
}

static void take_values(ddr_world *world, const Field *field, const ddr_parcel *parcel) {
  const ddr_shares *shares = &world->store->shares;
  const char *bytes = parcel->bytes;
  for (int64_t k = shares->begin[parcel->rank]; k < shares->begin[parcel->rank + 1]; k++) {
    const ddr_strand_run run = shares->runs[k];
    for (int64_t slot = run.first; slot < run.first + run.count; slot++)
      bytes = take_value(world, field, slot, bytes);
  }
}

/* --- all of it -------------------------------------------------------------------------------- */

static void collect(ddr_world *world, const Field *field) {
  const int n_ranks = ddr_n_ranks(world);
  ddr_text own = {0};
  ddr_parcel *in = ddr_ranks_memory(world, calloc((size_t)n_ranks, sizeof *in));
  if (!ddr_is_first_rank(world)) own = own_values(world, field);
  ddr_ranks_collect(world, (ddr_parcel){0, own.len, own.chars}, in);
  for (int r = 1; ddr_is_first_rank(world) && r < n_ranks; r++) take_values(world, field, &in[r]);
  for (int r = 0; r < n_ranks; r++) free(in[r].bytes);
  ddr_text_clear(&own);
  free(in);
}

/* Where all states are on this rank, NaNs of all outputs are unified at once. */
static void unify(ddr_world *world, const ddr_output *output, bool are_all_here) {
  if (!are_all_here) ddr_nans_unify_output(world, output);
  else if (!world->store->are_unified) ddr_nans_unify_outputs(world);
  world->store->are_unified = are_all_here;
}

ddr_status ddr_output_fetch(ddr_world *world, const ddr_output *output) {
  const ddr_program *program = world->program;
  const size_t n_values = output->kind == DDR_SEQUENCE ? 1 : output->n_components;
  const size_t size = ddr_value_size(program, output->kind);
  const bool is_shared_out = ddr_is_shared_out(world);
  if (ddr_output_is_on_device(world, output)) return ddr_device_check_presence(world);
  const ddr_status status = ddr_device_mirror(world, output->offset, n_values * size);
  if (is_shared_out && (output->gather || world->program->state_width > 1)) {
    ddr_states_fetch(world, STATES_AT_FIRST);
  } else if (is_shared_out && world->store->states_place == STATES_OWN) {
    const Field field = field_of(world, output);
    collect(world, &field);
  }
  if (is_shared_out && ddr_any_errors(world)) return DDR_ERROR;
  if (status != DDR_OK) return DDR_ERROR;
  if (ddr_output_is_in_states(program, output))
    unify(world, output, !is_shared_out && !world->gpu->device);
  return DDR_OK;
}
