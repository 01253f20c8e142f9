/* resume.c: a world resumes from a checkpoint.
 *
 * First all bytes are read to verify the hash, then the parts that are needed.  By then the program
 * has initialised its globals as usual, images included; globals and strands in the file replace
 * these values.
 * Read next: local.h (the form), run/life.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "local.h"
#include "runtime/src/strands/shares.h"
#include "runtime/src/world/hash.h"

static ddr_unpacking *unpacking_of(const ddr_world *world) { return world->checkpoints->unpacking; }

/* Reports a problem with the contents of the file, or the system's error if it could not be
 * read. */
static ddr_status refuse(ddr_world *world, const char *what) {
  const int error = unpacking_of(world)->error;
  if (error) {
    return ddr_error(world, "cannot read the checkpoint \"%s\": %s", world->checkpoints->from,
                     strerror(error));
  }
  return ddr_error(world, "\"%s\" %s", world->checkpoints->from, what);
}

/* The status so far, with a message for what went wrong while unpacking. */
static ddr_status judge(ddr_world *world) {
  const ddr_unpacking *unpacking = unpacking_of(world);
  /* Running out of memory for sequences is already recorded. */
  if (ddr_any_errors(world)) return DDR_ERROR;
  if (unpacking->is_short) return ddr_error(world, "out of memory for a checkpoint");
  return unpacking->is_bad ? refuse(world, "is damaged") : DDR_OK;
}

/* --- is it whole? ----------------------------------------------------------------------------- */

/* Whether the hash at the end is that of all bytes before it. */
static bool has_right_hash(ddr_unpacking *unpacking) {
  char *bytes = malloc(DDR_PACKING_HELD);
  uint64_t hash = DDR_HASH_START, stored = 0;
  unpacking->is_short = !bytes;
  ddr_unpack_skip_to(unpacking, 0);
  while (bytes && unpacking->at < unpacking->end) {
    const uint64_t left = unpacking->end - unpacking->at;
    const size_t n = left < DDR_PACKING_HELD ? (size_t)left : DDR_PACKING_HELD;
    if (!ddr_unpack(unpacking, bytes, n)) break;
    hash = ddr_hash_add(hash, bytes, n);
  }
  free(bytes);
  unpacking->end += sizeof stored;
  ddr_unpack(unpacking, &stored, sizeof stored);
  unpacking->end -= sizeof stored;
  unpacking->hash = hash;
  return stored == hash && !unpacking->is_bad;
}

static ddr_status check_length(ddr_world *world, uint64_t size) {
  const ddr_checkpoint_head *head = &unpacking_of(world)->head;
  if (size < head->n_bytes) {
    return ddr_error(world, "\"%s\" is cut off: it has %llu of %llu bytes",
                     world->checkpoints->from, (unsigned long long)size,
                     (unsigned long long)head->n_bytes);
  }
  if (size > head->n_bytes || head->n_bytes < sizeof *head + sizeof(uint64_t))
    return refuse(world, "is damaged");
  unpacking_of(world)->end = head->n_bytes - sizeof(uint64_t);
  if (has_right_hash(unpacking_of(world))) return DDR_OK;
  return unpacking_of(world)->is_short ? judge(world) : refuse(world, "is damaged");
}

static ddr_status check_head(ddr_world *world, uint64_t size) {
  ddr_unpacking *unpacking = unpacking_of(world);
  ddr_checkpoint_head *head = &unpacking->head;
  const size_t n_mark = sizeof head->mark;
  unpacking->end = size;
  if (size < n_mark || !ddr_unpack(unpacking, head->mark, n_mark) ||
      memcmp(head->mark, DDR_CHECKPOINT_MARK, n_mark) != 0)
    return refuse(world, "is not a checkpoint");
  if (!ddr_unpack(unpacking, (char *)head + n_mark, sizeof *head - n_mark))
    return refuse(world, "is cut off");
  if (head->byte_order != DDR_CHECKPOINT_ORDER || head->form != DDR_CHECKPOINT_FORM)
    return refuse(world, "is a checkpoint of another version of the runtime, or another machine");
  return check_length(world, size);
}

/* --- is it of this program? ------------------------------------------------------------------- */

static ddr_status check_program(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_program *program = world->program;
  const ddr_checkpoint_head *head = &unpacking->head;
  ddr_unpack_skip_to(unpacking, sizeof *head);
  char *identity = ddr_unpack_text(unpacking), *version = ddr_unpack_text(unpacking);
  unpacking->is_bad |= head->stage < STAGE_CREATED || head->stage > STAGE_DONE;
  ddr_status status = judge(world);
  if (status == DDR_OK && strcmp(identity, program->identity) != 0) {
    status = refuse(world, "is a checkpoint of another program");
  } else if (status == DDR_OK && strcmp(version, program->version) != 0) {
    status = ddr_error(world, "\"%s\" is of this program compiled by diderotc %s, not %s",
                       world->checkpoints->from, version, program->version);
  } else if (status == DDR_OK &&
             (head->real_size != program->real_size || head->int_size != program->int_size)) {
    status =
        ddr_error(world,
                  "\"%s\" is of this program with reals of %u bytes and ints of %u, not %u "
                  "and %u",
                  world->checkpoints->from, (unsigned)head->real_size, (unsigned)head->int_size,
                  (unsigned)program->real_size, (unsigned)program->int_size);
  }
  free(identity);
  free(version);
  return status;
}

static ddr_status differ(ddr_world *world, const ddr_digest *here, const char *there) {
  const char *file = world->checkpoints->from;
  if (!here->text || *there == '\0')
    return ddr_error(world, "%s: \"%s\" was written with a different value", here->name, file);
  return ddr_error(world, "%s: \"%s\" was written with %s, not %s", here->name, file, there,
                   here->text);
}

static ddr_status check_digests(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_checkpoints *checkpoints = world->checkpoints;
  ddr_status status = ddr_checkpoint_digest_images(world);
  for (uint32_t k = 0; k < checkpoints->n_digests && status == DDR_OK; k++) {
    const uint64_t hash = ddr_unpack_number(unpacking);
    char *text = ddr_unpack_text(unpacking);
    status = judge(world);
    if (status == DDR_OK && hash != checkpoints->digests[k].hash)
      status = differ(world, &checkpoints->digests[k], text);
    free(text);
  }
  return status;
}

/* --- the parts of resuming -------------------------------------------------------------------- */

ddr_status ddr_checkpoint_open(ddr_world *world) {
  const char *name = world->checkpoints->from;
  struct stat info;
  if (!ddr_has_checkpoints(world->program))
    return ddr_error(world, "a program without supersteps has no checkpoints");
  ddr_unpacking *unpacking = calloc(1, sizeof *unpacking);
  if (!unpacking) return ddr_error(world, "out of memory for a checkpoint");
  world->checkpoints->unpacking = unpacking;
  unpacking->file = fopen(name, "rb");
  if (!unpacking->file || fstat(fileno(unpacking->file), &info) != 0)
    return ddr_error(world, "cannot read the checkpoint \"%s\": %s", name, strerror(errno));
  if (!S_ISREG(info.st_mode)) return refuse(world, "is not a regular file");
  if (check_head(world, (uint64_t)info.st_size) != DDR_OK) return DDR_ERROR;
  return check_program(world);
}

ddr_status ddr_checkpoint_compare(ddr_world *world) {
  const int rank = ddr_ranks_differ(world, unpacking_of(world)->hash);
  if (rank == 0) return DDR_OK;
  return ddr_error(world, "\"%s\" of rank %d is another checkpoint than that of rank 0",
                   world->checkpoints->from, rank);
}

void ddr_checkpoint_close(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  world->checkpoints->unpacking = NULL;
  if (!unpacking) return;
  if (unpacking->file) fclose(unpacking->file);
  free(unpacking->strings);
  free(unpacking);
}

ddr_stage ddr_checkpoint_stage(const ddr_world *world) {
  return (ddr_stage)unpacking_of(world)->head.stage;
}

/* Reads the strings into one block that stays with the world.  The rest of the file bounds its
 * size. */
static void take_strings(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const uint64_t here = unpacking->at, most = unpacking->end - unpacking->head.strings_at;
  if (unpacking->head.strings_at > unpacking->end ||
      !ddr_unpack_skip_to(unpacking, unpacking->head.strings_at)) {
    unpacking->is_bad = true;
    return;
  }
  const uint64_t n = ddr_unpack_number(unpacking);
  if (n > most / sizeof n) unpacking->is_bad = true;
  if (unpacking->is_bad) return;
  char *next = world->checkpoints->texts = malloc((size_t)most + 1);
  const char **strings = unpacking->strings = calloc((size_t)n + 1, sizeof *strings);
  unpacking->is_short = !next || !strings;
  for (uint64_t k = 1; k <= n && !unpacking->is_short && !unpacking->is_bad; k++) {
    const uint64_t length = ddr_unpack_number(unpacking);
    if (!ddr_unpack(unpacking, next, (size_t)length)) break;
    strings[k] = next;
    next[length] = '\0';
    next += length + 1;
  }
  unpacking->n_strings = n;
  ddr_unpack_skip_to(unpacking, here);
}

ddr_status ddr_checkpoint_take_globals(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_variables variables = ddr_variables_of_globals(world->program);
  if (check_digests(world) != DDR_OK) return DDR_ERROR;
  take_strings(world);
  if (judge(world) != DDR_OK) return DDR_ERROR;
  ddr_unpack_row(unpacking, world->program, variables, world->globals);
  ddr_unpack_elements(unpacking, &world->pool, variables, world->globals);
  return judge(world);
}

/* Rows of states that lie in groups. */
static void take_grouped(ddr_world *world, ddr_strand_run run) {
  const ddr_program *program = world->program;
  ddr_unpacking *unpacking = unpacking_of(world);
  ddr_strand_alone strand;
  for (int64_t k = run.first; k < run.first + run.count && !unpacking->is_bad; k++) {
    ddr_unpack_row(unpacking, program, ddr_variables_of_states(program), &strand);
    program->put_strand(&world->store->strands, k, &strand);
  }
}

static void take_rows(ddr_world *world, ddr_strand_run run, uint64_t at) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_variables variables = ddr_variables_of_states(world->program);
  const uint64_t row = ddr_row_size(world->program, variables);
  char *states = world->store->strands.state;
  ddr_unpack_skip_to(unpacking, at + (uint64_t)run.first * row);
  if (world->program->state_width > 1) {
    take_grouped(world, run);
    return;
  }
  for (int64_t slot = run.first; slot < run.first + run.count && !unpacking->is_bad; slot++) {
    char *state = states + (size_t)slot * world->program->state_size;
    memset(state, 0, world->program->state_size);
    ddr_unpack_row(unpacking, world->program, variables, state);
  }
}

static void take_elements(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_strands *strands = &world->store->strands;
  const size_t n = (size_t)strands->n_slots, size = world->program->state_size;
  for (size_t k = 0; k < n; k++)
    ddr_unpack_elements(unpacking, &world->pool, ddr_variables_of_states(world->program),
                        (char *)strands->state + k * size);
  ddr_pool_close(&world->pool); /* sequences now belong to the strands */
}

static bool are_statuses(const uint8_t *status, int64_t n) {
  return ddr_count_status(status, n, DDR_ACTIVE, DDR_STABLE) == n;
}

/* Restores the store; each rank gets its share. */
static ddr_status take_statuses(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  ddr_store *store = world->store;
  const int64_t n = unpacking->head.n_strands;
  const uint64_t left = unpacking->end - unpacking->at;
  const uint64_t row = ddr_row_size(world->program, ddr_variables_of_states(world->program)) + 1;
  const bool is_grid = !world->program->is_collection;
  if (n < 0 || (uint64_t)n > left / row || (is_grid && n != store->strands.n_slots))
    return refuse(world, "is damaged");
  if (ddr_strands_reserve(world, n) != DDR_OK) return DDR_ERROR;
  store->strands.n_slots = n;
  if (!ddr_unpack(unpacking, store->strands.status, (size_t)n) ||
      !are_statuses(store->strands.status, n)) {
    store->strands.n_slots = 0;
    return refuse(world, "is damaged");
  }
  return ddr_strands_partition(world);
}

ddr_status ddr_checkpoint_take_strands(ddr_world *world) {
  ddr_unpacking *unpacking = unpacking_of(world);
  const ddr_checkpoint_head *head = &unpacking->head;
  if (take_statuses(world) != DDR_OK) return DDR_ERROR;
  const ddr_strand_run all = {0, world->store->strands.n_slots};
  const bool is_shared_out = ddr_is_shared_out(world);
  if (is_shared_out) ddr_shares_cut(world);
  const ddr_strand_run own = is_shared_out ? ddr_share_of(world->store, ddr_own_rank(world)) : all;
  take_rows(world, own, unpacking->at);
  if (world->program->lend_strands) take_elements(world);
  world->store->n_steps = head->n_steps;
  world->prints.n_bytes = head->printed;
  return judge(world);
}
