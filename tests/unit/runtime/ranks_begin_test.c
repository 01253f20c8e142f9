/* One rank fails while a world begins: all ranks end, and the first one says why. */
#include <string.h>

#include "by_hand.h"
#include "files.h"
#include "grid_program.h"
#include "ranks_engine.h"
#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/store.h"

enum { N_RANKS = 3, UNLUCKY = 1 };

typedef struct Trial {
  const ddr_program *program;
  const char *from;      /* the checkpoint to go on from; NULL: outputs are offered */
  char *errors[N_RANKS]; /* of each rank */
} Trial;

static void live(const ddr_rank_engine *engine, void *data) {
  Trial *trial = data;
  const char *files[] = {"sum.nrrd", "at.nrrd", "right.nrrd"};
  ddr_streamed streamed = {0};
  ddr_world *world = ddr_world_new(trial->program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  if (trial->from && engine->rank == UNLUCKY) world->memory.most = 10;
  world->checkpoints->from = trial->from;
  ddr_ranks_decide(world, false);
  if (!trial->from) ddr_outputs_offer(world, files, &streamed);
  ddr_world_create(world);
  CHECK(ddr_ranks_agree(world));
  if (!trial->from) ddr_outputs_finish(world, &streamed, DDR_ERROR);
  trial->errors[engine->rank] = ddr_take_errors(world);
  ddr_world_free(world);
}

static void check_end(Trial *trial, const char *why) {
  ranks_live(N_RANKS, live, trial);
  CHECK(strncmp(trial->errors[0], why, strlen(why)) == 0);
  CHECK_STR(trial->errors[2], "[DIDEROT] rank 1 has failed\n");
  for (int r = 0; r < N_RANKS; r++) free(trial->errors[r]);
}

static void fail_on_one(ddr_world *world, const void *globals, int64_t lo[], int64_t hi[]) {
  if (ddr_own_rank(world) == UNLUCKY) ddr_error(world, "cannot extend a sequence");
  grid_program.bounds(world, globals, lo, hi);
}

/* Ranks with an outlet choose together whether strands are fleeting. */
static void bounds_fail_on_one(void) {
  ddr_program program = grid_program;
  program.bounds = fail_on_one;
  check_end(&(Trial){.program = &program}, "[DIDEROT] rank 1: cannot extend a sequence\n");
}

/* Ranks that do all the work each read a checkpoint together. */
static void memory_is_short_on_one_that_goes_on(void) {
  ddr_program program = grid_program;
  program.identity = "a grid";
  program.is_lockstep = program.has_strings = true;
  ddr_world *world = ddr_world_new(&program);
  CHECK(ddr_world_create(world) == DDR_OK && ddr_checkpoint_save(world, "saved") == DDR_OK);
  ddr_world_free(world);
  check_end(&(Trial){.program = &program, .from = "saved"},
            "[DIDEROT] rank 1: cannot allocate memory for 6 strands");
}

int main(void) {
  files_enter();
  RUN(bounds_fail_on_one);
  RUN(memory_is_short_on_one_that_goes_on);
  files_leave();
  return test_result();
}
