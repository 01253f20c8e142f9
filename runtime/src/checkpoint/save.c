/* save.c: writes a world into a file, complete or not at all.
 *
 * All values are packed twice: once to find the length of the file and its strings, and once to
 * write it.
 * Read next: local.h (the form), files/output_file.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "local.h"
#include "runtime/src/files/output_file.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/shares.h"
#include "runtime/src/world/hash.h"

static void put_digests(const ddr_world *world, ddr_packing *packing) {
  const ddr_checkpoints *checkpoints = world->checkpoints;
  for (uint32_t k = 0; k < checkpoints->n_digests; k++) {
    ddr_pack_number(packing, checkpoints->digests[k].hash);
    ddr_pack_text(packing, checkpoints->digests[k].text);
  }
}

/* Rows of states that lie in groups. */
static void put_grouped(const ddr_world *world, ddr_packing *packing) {
  const ddr_program *program = world->program;
  ddr_strand_alone strand;
  for (int64_t k = 0; k < world->store->strands.n_slots; k++) {
    program->take_strand(&world->store->strands, k, &strand);
    ddr_pack_row(packing, ddr_variables_of_states(program), &strand);
  }
}

static void put_strands(const ddr_world *world, ddr_packing *packing) {
  const ddr_strands *strands = &world->store->strands;
  const ddr_variables variables = ddr_variables_of_states(world->program);
  const size_t n = (size_t)strands->n_slots, size = world->program->state_size;
  const char *states = strands->state;
  ddr_pack(packing, strands->status, n);
  if (world->program->state_width > 1) {
    put_grouped(world, packing);
    return;
  }
  for (size_t k = 0; k < n; k++) ddr_pack_row(packing, variables, states + k * size);
  for (size_t k = 0; k < n && world->program->lend_strands; k++)
    ddr_pack_elements(packing, variables, states + k * size);
}

/* Afterwards *head is complete, with the offsets found on the way: the second pass writes it so. */
static void put_all(const ddr_world *world, ddr_packing *packing, ddr_checkpoint_head *head) {
  const ddr_program *program = world->program;
  ddr_pack(packing, head, sizeof *head);
  ddr_pack_text(packing, program->identity);
  ddr_pack_text(packing, program->version);
  put_digests(world, packing);
  ddr_pack_row(packing, ddr_variables_of_globals(program), world->globals);
  ddr_pack_elements(packing, ddr_variables_of_globals(program), world->globals);
  put_strands(world, packing);
  head->strings_at = packing->n_bytes;
  ddr_pack_number(packing, packing->n_strings);
  for (uint64_t k = 0; k < packing->n_strings; k++) ddr_pack_text(packing, packing->strings[k]);
  ddr_pack_end(packing);
  head->n_bytes = packing->n_bytes;
}

static ddr_checkpoint_head head_of(const ddr_world *world) {
  ddr_checkpoint_head head;
  memset(&head, 0, sizeof head);
  memcpy(head.mark, DDR_CHECKPOINT_MARK, sizeof head.mark);
  head.form = DDR_CHECKPOINT_FORM;
  head.byte_order = DDR_CHECKPOINT_ORDER;
  head.printed = world->prints.n_bytes;
  head.n_strands = world->store->strands.n_slots;
  head.n_steps = world->store->n_steps;
  head.stage = (uint32_t)world->stage;
  head.real_size = world->program->real_size;
  head.int_size = world->program->int_size;
  return head;
}

/* Waits until the data is on the disk; files that cannot be synchronised, such as pipes, are
 * fine. */
static ddr_status reach_disk(FILE *file, ddr_reason *reason) {
  if (fflush(file) == EOF || ferror(file)) return ddr_refuse(reason, "%s", strerror(errno));
  if (fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP) return DDR_OK;
  return ddr_refuse(reason, "%s", strerror(errno));
}

static ddr_status write_file(const ddr_world *world, const char *name, ddr_reason *reason) {
  ddr_packing packing = {.program = world->program, .hash = DDR_HASH_START};
  ddr_checkpoint_head head = head_of(world);
  ddr_output_file output;
  put_all(world, &packing, &head);
  if (packing.is_short) {
    free(packing.strings);
    return ddr_refuse(reason, "out of memory");
  }
  ddr_status status = ddr_output_file_open(&output, name, reason);
  if (status == DDR_OK) {
    packing.file = output.file;
    packing.n_bytes = 0;
    put_all(world, &packing, &head);
    status = reach_disk(output.file, reason);
    if (status == DDR_OK) status = ddr_output_file_finish(&output, reason);
    status = ddr_output_file_close(&output, status, reason);
  }
  free(packing.strings);
  return status;
}

ddr_status ddr_checkpoint_refuse_device(ddr_world *world) {
  return ddr_error(world, "strands on a GPU cannot be saved in a checkpoint; use --gpu=none");
}

ddr_status ddr_checkpoint_save(ddr_world *world, const char *file) {
  ddr_reason reason;
  if (!ddr_has_checkpoints(world->program))
    return ddr_error(world, "a program without supersteps has no checkpoints");
  if (world->stage < STAGE_CREATED)
    return ddr_error(world, "cannot write a checkpoint before strands are created");
  if (ddr_device_has_all(world)) return ddr_checkpoint_refuse_device(world);
  if (strcmp(file, "-") == 0) return ddr_error(world, "a checkpoint needs a file");
  if (ddr_checkpoint_digest_images(world) != DDR_OK) return DDR_ERROR;
  if (ddr_states_fetch(world, STATES_AT_FIRST) != DDR_OK) return DDR_ERROR;
  if (!ddr_is_first_rank(world)) return DDR_OK;
  if (write_file(world, file, &reason) == DDR_OK) return DDR_OK;
  return ddr_error(world, "cannot write the checkpoint \"%s\": %s", file, reason.text);
}
