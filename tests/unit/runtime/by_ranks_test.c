/* Outputs that ranks write together: the bytes are those of one rank, the number of messages does
 * not grow with the output, and there is no file if one of the ranks cannot write. */
#include <fcntl.h>
#include <string.h>

#include "by_hand.h"
#include "files.h"
#include "grid_program.h"
#include "ranks_engine.h"
#include "runtime/src/outputs/local.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/store.h"

enum { N_ROWS = 1111, N_OUTPUTS = 3, MOST_ERRORS = 4 };

static const char *const files[N_OUTPUTS] = {"sum.nrrd", "at.nhdr", "right.nrrd"};

typedef struct Trial {
  const ddr_program *program; /* NULL: the hand-written one */
  bool has_snapshots;         /* then each rank owns a run of strands, and does not claim blocks */
  const char *const *files;
  int64_t n_received;        /* bytes received by the first rank while outputs are saved */
  _Atomic int n_failed;      /* ranks that have errors */
  _Atomic int n_noted;       /* ranks that have notes */
  _Atomic int n_untiled;     /* ranks whose blocks are not whole tiles */
  _Atomic int n_fleeting;    /* ranks whose strands have no memory of their own */
  _Atomic int n_stable;      /* ranks that know that all strands have ended */
  _Atomic int n_exact;       /* files in which ranks write no byte but their own */
  uint64_t most_memory;      /* 0: little */
  ddr_text said;             /* by the first rank */
  char *errors[MOST_ERRORS]; /* of each rank */
} Trial;

static void save_all(ddr_world *world, Trial *trial) {
  for (uint32_t k = 0; k < N_OUTPUTS && !ddr_any_errors(world); k++) {
    if (trial->has_snapshots) ddr_snapshot_save(world, k, trial->files[k]);
    else ddr_output_save(world, k, trial->files[k]);
    ddr_ranks_agree(world);
  }
}

static void live(const ddr_rank_engine *engine, void *data) {
  Trial *trial = data;
  const bool is_tiled = trial->program && trial->program->is_tiled;
  ddr_world *world = ddr_world_new(trial->program ? trial->program : &grid_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  ((GridGlobals *)world->globals)->ny = N_ROWS;
  ddr_ranks_decide(world, trial->has_snapshots);
  ddr_world_create(world);
  trial->n_untiled += (world->store->tiles.height == 4) != is_tiled || world->store->block_len % 12;
  ddr_world_run(world, 0);
  if (ddr_any_errors(world)) abort();
  const int64_t before = ranks_received(engine).n_bytes;
  save_all(world, trial);
  if (engine->rank == 0) trial->n_received = ranks_received(engine).n_bytes - before;
  trial->n_failed += ddr_any_errors(world);
  char *notes = ddr_take_notes(world);
  trial->n_noted += notes != NULL;
  free(notes);
  if (engine->rank < MOST_ERRORS) trial->errors[engine->rank] = ddr_take_errors(world);
  ddr_world_free(world);
}

static void trial_free(Trial *trial) {
  for (int r = 0; r < MOST_ERRORS; r++) free(trial->errors[r]);
}

/* --- what is in the files --------------------------------------------------------------------- */

static bool is_sum(const char *bytes, int32_t y, int32_t x) {
  const int32_t want = 10 * y + x;
  return memcmp(bytes, &want, sizeof want) == 0;
}

static bool is_at(const char *bytes, int32_t y, int32_t x) {
  const float want[] = {(float)x, (float)y, 1.0f / 3.0f + 1000};
  return memcmp(bytes, want, sizeof want) == 0;
}

static bool is_right(const char *bytes, int32_t y, int32_t x) {
  (void)y;
  return *bytes == (x > 0);
}

/* The samples are the last bytes of the file. */
static void check_file(const char *name, size_t each,
                       bool (*is_good)(const char *bytes, int32_t y, int32_t x)) {
  size_t n = 0, n_wrong = 0;
  char *bytes = files_read(name, &n);
  CHECK(bytes != NULL && n >= 3 * N_ROWS * each);
  if (bytes && n >= 3 * N_ROWS * each) {
    const char *at = bytes + n - 3 * N_ROWS * each;
    for (int32_t y = 0; y < N_ROWS; y++)
      for (int32_t x = -1; x <= 1; x++, at += each) n_wrong += !is_good(at, y, x);
  }
  CHECK_EQ(n_wrong, 0);
  free(bytes);
  remove(name);
}

static void check_same(const char *name, const char *other) {
  char command[100];
  snprintf(command, sizeof command, "cmp %s %s", name, other);
  CHECK_EQ(files_run(command), 0);
}

static void all_write_one_file(void) {
  static const char *const alone[] = {"sum-alone.nrrd", "at.nhdr", "right-alone.nrrd"};
  Trial trial = {.files = alone};
  ranks_live(1, live, &trial);
  CHECK_EQ(files_run("mv at.nhdr at-alone.nhdr"), 0);
  trial.files = files;
  for (int n = 2; n <= 9; n++) {
    trial_free(&trial);
    ranks_live(n, live, &trial);
    CHECK_EQ(trial.n_failed, 0);
    CHECK(trial.n_received < 1000L * n); /* the values are 20 bytes for each of 3333 strands */
    check_same("sum.nrrd", "sum-alone.nrrd");
    check_same("at.nhdr", "at-alone.nhdr");
    check_same("right.nrrd", "right-alone.nrrd");
    check_file("sum.nrrd", 4, is_sum);
    check_file("at.raw", 12, is_at);
    check_file("right.nrrd", 1, is_right);
  }
  trial_free(&trial);
  CHECK_EQ(files_run("rm *-alone.* at.nhdr && test -z \"$(ls)\""), 0);
}

/* By one rank and by all of them. */
static void the_first_rank_notes_a_suffix(void) {
  static const char *const noted[] = {"sum.jpg", "at.nhdr", "right.nrrd"};
  for (int n = 1; n <= 3; n += 2) {
    Trial trial = {.files = files};
    ranks_live(n, live, &trial);
    CHECK_EQ(trial.n_noted, 0);
    trial_free(&trial);
    trial.files = noted;
    ranks_live(n, live, &trial);
    CHECK_EQ(trial.n_noted, 1);
    trial_free(&trial);
  }
  CHECK_EQ(files_run("rm sum.* at.* right.* && test -z \"$(ls)\""), 0);
}

/* Blocks of rows, in bands of four, whether blocks are claimed or owned. */
static void tiles_are_shared_out(void) {
  ddr_program tiled = grid_program;
  tiled.is_tiled = true;
  for (int n = 2; n <= 5; n++) {
    Trial trial = {.program = &tiled, .files = files, .has_snapshots = n % 2 == 1};
    ranks_live(n, live, &trial);
    CHECK_EQ(trial.n_failed, 0);
    CHECK_EQ(trial.n_untiled, 0);
    if (!trial.has_snapshots) check_file("sum.nrrd", 4, is_sum);
    else check_file("sum.nrrd-1111.nrrd", 4, is_sum);
    trial_free(&trial);
  }
  CHECK_EQ(files_run("rm at* right*"), 0);
}

static void snapshots_are_written_by_all(void) {
  static const char *const prefixes[] = {"sum", "at", "right"};
  Trial trial = {.files = prefixes, .has_snapshots = true};
  ranks_live(3, live, &trial);
  CHECK_EQ(trial.n_failed, 0);
  CHECK(trial.n_received < 3000);
  check_file("sum-1111.nrrd", 4, is_sum);
  check_file("at-1111.nrrd", 12, is_at);
  check_file("right-1111.nrrd", 1, is_right);
  trial_free(&trial);
}

/* --- while strands run ------------------------------------------------------------------------ */

static bool hear(void *data, const char *text) {
  ddr_text_append(data, text, strlen(text));
  return false;
}

static int count_exact(const ddr_streamed *streamed) {
  int n = 0;
  for (uint32_t k = 0; k < streamed->n_open; k++) {
    FILE *file = streamed->pieces[k].data.file;
    n += file && (fcntl(fileno(file), F_GETFL) & O_DSYNC) == O_DSYNC;
  }
  return n;
}

/* As an executable whose states and results may not fit in memory. */
static void live_in_little(const ddr_rank_engine *engine, void *data) {
  Trial *trial = data;
  const char *names[N_OUTPUTS];
  ddr_streamed streamed;
  ddr_world *world = ddr_world_new(trial->program ? trial->program : &grid_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  if (engine->rank == 0) ddr_set_printer(world, hear, &trial->said);
  for (int k = 0; k < N_OUTPUTS; k++) names[k] = trial->files[k];
  ((GridGlobals *)world->globals)->ny = N_ROWS;
  world->memory.most = trial->most_memory ? trial->most_memory : 8000;
  ddr_ranks_decide(world, false);
  ddr_outputs_offer(world, names, &streamed);
  ddr_world_create(world);
  const bool has_failed = ddr_ranks_agree(world);
  trial->n_fleeting += world->store->fleeting_bytes > 0;
  trial->n_exact += count_exact(&streamed);
  if (!has_failed) ddr_world_run(world, 0);
  trial->n_stable += !has_failed && ddr_num_stable(world) == 3 * N_ROWS;
  ddr_outputs_finish(world, &streamed, ddr_ranks_agree(world) ? DDR_ERROR : DDR_OK);
  trial->n_failed += ddr_any_errors(world);
  if (engine->rank < MOST_ERRORS) trial->errors[engine->rank] = ddr_take_errors(world);
  ddr_world_free(world);
}

/* Blocks are claimed by any rank, and then nothing is left of their strands but numbers. */
static void strands_without_memory_write_the_same(void) {
  for (int n = 1; n <= 9; n += n < 4 ? 1 : 5) {
    Trial trial = {.files = files};
    ranks_live(n, live_in_little, &trial);
    CHECK_EQ(trial.n_failed, 0);
    CHECK_EQ(trial.n_fleeting, n);
    CHECK_EQ(trial.n_stable, n);
    check_file("sum.nrrd", 4, is_sum);
    check_file("at.raw", 12, is_at);
    check_file("right.nrrd", 1, is_right);
    CHECK_EQ(files_run("rm at.nhdr && test -z \"$(ls)\""), 0);
    trial_free(&trial);
  }
}

/* The second file cannot be made, so the first one is removed. */
static void no_file_is_left_without_the_others(void) {
  static const char *const nowhere[] = {"sum.nrrd", "no/at.nhdr", "right.nrrd"};
  Trial trial = {.files = nowhere};
  ranks_live(3, live_in_little, &trial);
  CHECK_EQ(trial.n_failed, 3);
  CHECK_STR(trial.errors[0], "[DIDEROT] Error saving \"no/at.nhdr\": No such file or directory\n");
  CHECK_STR(trial.errors[2], "[DIDEROT] rank 0 has failed\n");
  CHECK_EQ(files_run("test -z \"$(ls)\""), 0);
  trial_free(&trial);
}

/* A network file system could write back whole pages, with what others have written there. */
static void several_machines_write_only_their_bytes(void) {
  for (int n_on_node = 1; n_on_node <= 4; n_on_node *= 2) {
    Trial trial = {.files = files, .most_memory = 8000 * (uint64_t)n_on_node};
    ranks_live_on(4, n_on_node, true, live_in_little, &trial);
    CHECK_EQ(trial.n_failed, 0);
    CHECK_EQ(trial.n_exact, n_on_node < 4 ? 4 * N_OUTPUTS : 0);
    check_file("sum.nrrd", 4, is_sum);
    trial_free(&trial);
  }
  CHECK_EQ(files_run("rm at* right*"), 0);
}

static void say(const ddr_block *block, const char *what, int64_t slot) {
  if (slot % 250 != 7) return;
  ddr_put_string(block->text, what);
  ddr_put_int(block->text, slot);
  ddr_print_end(block->text);
}

static void say_born(const void *globals, ddr_block *block, int64_t slot) {
  (void)globals;
  say(block, " born ", slot);
}

static ddr_status create_aloud(const void *globals, ddr_block *block) {
  each_strand(globals, block, say_born);
  return grid_program.create(globals, block);
}

static uint32_t update_aloud(const void *globals, ddr_block *block, uint32_t max_steps) {
  for (int64_t slot = block->begin; slot < block->end; slot++) say(block, " runs ", slot);
  return grid_program.update(globals, block, max_steps);
}

/* First what all strands print when they are created, in the order of their ranks. */
static ddr_text text_of_aloud(void) {
  ddr_text text = {0};
  char words[40];
  for (int k = 0; k < 2; k++)
    for (int slot = 7; slot < 3 * N_ROWS; slot += 250) {
      const int n = snprintf(words, sizeof words, k == 0 ? " born %d" : " runs %d", slot);
      ddr_text_append(&text, words, (size_t)n);
    }
  ddr_text_append(&text, "", 1);
  return text;
}

static void strands_without_memory_print_the_same(void) {
  ddr_program aloud = grid_program;
  aloud.create = create_aloud;
  aloud.update = update_aloud;
  ddr_text want = text_of_aloud();
  for (int k = 0; k < 8; k++) {
    Trial trial = {.program = &aloud, .files = files, .most_memory = k < 4 ? 8000 : 1 << 24};
    ranks_live(k % 4 + 1, live_in_little, &trial);
    CHECK_EQ(trial.n_failed, 0);
    CHECK_EQ(trial.n_fleeting, k < 4 ? k + 1 : 0);
    ddr_text_append(&trial.said, "", 1);
    CHECK_STR(trial.said.chars, want.chars);
    ddr_text_clear(&trial.said);
    trial_free(&trial);
  }
  ddr_text_clear(&want);
  CHECK_EQ(files_run("rm -f sum* at* right*"), 0);
}

/* --- trouble ---------------------------------------------------------------------------------- */

static void a_rank_that_cannot_see_the_file_sends(void) {
  Trial trial = {.files = files};
  ranks_live_in((RanksTrouble){.blind_rank = 3}, 3, live, &trial);
  CHECK_EQ(trial.n_failed, 0);
  check_file("sum.nrrd", 4, is_sum);
  check_file("at.raw", 12, is_at);
  check_file("right.nrrd", 1, is_right);
  CHECK_EQ(files_run("rm at.nhdr && test -z \"$(ls)\""), 0);
  trial_free(&trial);
}

/* For any rank, and however much has been written by then. */
static void check_failure(RanksTrouble trouble, int who, const char *why) {
  Trial trial = {.files = files, .has_snapshots = true};
  char want[100], others[40];
  ranks_live_in(trouble, 4, live, &trial);
  CHECK_EQ(trial.n_failed, 4);
  const char *file = "sum.nrrd-1111.nrrd";
  snprintf(want, sizeof want, "[DIDEROT] rank %d: Error saving \"%s\": %s\n", who, file, why);
  if (who == 0) snprintf(want, sizeof want, "[DIDEROT] Error saving \"%s\": %s\n", file, why);
  snprintf(others, sizeof others, "[DIDEROT] rank %d has failed\n", who);
  CHECK_STR(trial.errors[0], want);
  for (int r = 1; r < 4; r++)
    if (r != who) CHECK_STR(trial.errors[r], others);
  CHECK_EQ(files_run("test -z \"$(ls)\""), 0);
  trial_free(&trial);
}

static void a_full_disk_leaves_nothing(void) {
  for (int rank = 0; rank < 4; rank++) {
    check_failure((RanksTrouble){.full_rank = rank + 1}, rank, "No space left on device");
    check_failure((RanksTrouble){.late_rank = rank + 1}, rank, "Input/output error");
  }
}

int main(void) {
  files_enter();
  RUN(all_write_one_file);
  RUN(the_first_rank_notes_a_suffix);
  RUN(tiles_are_shared_out);
  RUN(snapshots_are_written_by_all);
  RUN(strands_without_memory_write_the_same);
  RUN(no_file_is_left_without_the_others);
  RUN(several_machines_write_only_their_bytes);
  RUN(strands_without_memory_print_the_same);
  RUN(a_rank_that_cannot_see_the_file_sends);
  RUN(a_full_disk_leaves_nothing);
  files_leave();
  return test_result();
}
