/* Libraries for ranks of MPI: what each rank gets of a run that all share are the bytes of a run
 * alone, of the same library, in that process.  To be started by mpirun; every rank checks
 * everything.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slopes.h"
#include "tests/unit/test.h"
#include "walkers.h"

static int rank, n_ranks;

/* What a world printed. */
typedef struct Said {
  char text[1 << 16];
  size_t len;
} Said;

static bool listen(void *data, char *text) {
  Said *said = data;
  const size_t len = strlen(text);
  if (said->len + len >= sizeof said->text) return true;
  memcpy(said->text + said->len, text, len + 1);
  said->len += len;
  return false;
}

static walkers_world_t *walkers(MPI_Comm comm, int n) {
  walkers_world_t *world = walkers_new_world();
  const bool is_bad = comm == MPI_COMM_NULL ? walkers_init_world(world)
                                            : walkers_init_world_mpi(world, MPI_Comm_c2f(comm));
  CHECK(!is_bad && !walkers_input_set_n(world, n));
  return world;
}

static void check_no_errors(walkers_world_t *world) {
  char *errors = walkers_get_errors(world);
  CHECK_STR(errors ? errors : "", "");
  free(errors);
}

static size_t bytes_of(const Nrrd *nrrd) {
  size_t n = 1;
  for (unsigned k = 0; k < nrrd->dim; k++) n *= nrrd->axis[k].size;
  return nrrd->data ? n * nrrdTypeSize[nrrd->type] : 0;
}

/* Both may be the ones of an error, which have no bytes; neither is expected. */
static void check_same(Nrrd *found, Nrrd *want) {
  CHECK(bytes_of(want) > 0);
  CHECK_EQ(bytes_of(found), bytes_of(want));
  CHECK(bytes_of(found) == bytes_of(want) && memcmp(found->data, want->data, bytes_of(want)) == 0);
  nrrdNuke(found);
  nrrdNuke(want);
}

static void check_outputs(walkers_world_t *world, walkers_world_t *alone) {
  typedef bool Get(walkers_world_t *, Nrrd *);
  Get *const get[] = {walkers_output_get_x, walkers_output_get_id, walkers_output_get_near,
                      walkers_snapshot_x, walkers_snapshot_near};
  for (size_t k = 0; k < sizeof get / sizeof *get; k++) {
    Nrrd *found = nrrdNew(), *want = nrrdNew();
    if (walkers_num_stable_strands(alone) == 0 && k < 3) { /* no output yet */
      nrrdNuke(found), nrrdNuke(want);
      continue;
    }
    CHECK(!get[k](world, found) && !get[k](alone, want));
    check_same(found, want);
  }
  CHECK_EQ(walkers_num_strands(world), walkers_num_strands(alone));
  CHECK_EQ(walkers_num_active_strands(world), walkers_num_active_strands(alone));
}

static void a_run_is_that_of_one(void) {
  static Said said, said_alone;
  walkers_world_t *world = walkers(MPI_COMM_WORLD, 3000), *alone = walkers(MPI_COMM_NULL, 3000);
  CHECK(!walkers_set_printer_cb(world, listen, &said));
  CHECK(!walkers_set_printer_cb(alone, listen, &said_alone));
  CHECK(!walkers_create_strands(world) && !walkers_create_strands(alone));
  check_outputs(world, alone);
  for (int k = 0; k < 4; k++) {
    CHECK_EQ(walkers_run(world, 2), walkers_run(alone, 2));
    check_outputs(world, alone);
  }
  CHECK_EQ(walkers_run(world, 0), walkers_run(alone, 0));
  CHECK_EQ(walkers_num_active_strands(world), 0);
  check_outputs(world, alone);
  CHECK(said_alone.len > 1000);
  CHECK_STR(said.text, rank == 0 ? said_alone.text : "");
  check_no_errors(world);
  walkers_shutdown(alone);
  walkers_shutdown(world);
}

/* One rank alone asks, and drops its world before others do: nothing waits for anybody. */
static void outputs_need_nobody(void) {
  walkers_world_t *world = walkers(MPI_COMM_WORLD, 500), *alone = walkers(MPI_COMM_NULL, 500);
  CHECK(!walkers_create_strands(world) && !walkers_create_strands(alone));
  walkers_run(world, 0), walkers_run(alone, 0);
  if (rank == n_ranks - 1) check_outputs(world, alone);
  if (rank == 0) walkers_shutdown(world);
  walkers_world_t *other = walkers(MPI_COMM_WORLD, 400);
  CHECK(!walkers_create_strands(other));
  if (rank > 0) walkers_shutdown(world);
  CHECK_EQ(walkers_run(other, 0), 6 + 2);
  walkers_shutdown(other);
  walkers_shutdown(alone);
}

/* Two groups run their own worlds at the same time, one of them a world of one. */
static void a_part_of_the_ranks_is_enough(void) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &part);
  const int n = rank == 0 ? 700 : 2500;
  walkers_world_t *world = walkers(part, n), *alone = walkers(MPI_COMM_NULL, n);
  CHECK(!walkers_create_strands(world) && !walkers_create_strands(alone));
  CHECK_EQ(walkers_run(world, 0), walkers_run(alone, 0));
  check_outputs(world, alone);
  walkers_shutdown(world);
  walkers_shutdown(alone);
  MPI_Comm_free(&part);
}

/* Communicators are few: MPICH has 2048. */
static void worlds_come_and_go(void) {
  for (int k = 0; k < 2100; k++) {
    walkers_world_t *world = walkers(MPI_COMM_WORLD, 1);
    walkers_shutdown(world);
  }
}

static void checkpoints_go_on(void) {
  walkers_world_t *world = walkers(MPI_COMM_WORLD, 900), *alone = walkers(MPI_COMM_NULL, 900);
  CHECK(!walkers_create_strands(world) && !walkers_create_strands(alone));
  CHECK_EQ(walkers_run(world, 3), 3);
  CHECK(!walkers_checkpoint(world, "walkers.checkpoint"));
  walkers_shutdown(world);
  MPI_Barrier(MPI_COMM_WORLD);
  world = walkers(MPI_COMM_WORLD, 900);
  CHECK(!walkers_resume(world, "walkers.checkpoint"));
  walkers_run(world, 0), walkers_run(alone, 0);
  check_outputs(world, alone);
  walkers_shutdown(world);
  walkers_shutdown(alone);
}

/* A signal for one rank stops all after the same superstep. */
static void ignore(int number) { (void)number; }
static bool interrupt(void *data, char *text) {
  int *n = data;
  if (strncmp(text, "centre", 6) == 0 && ++*n == 2) raise(SIGINT);
  return false;
}

static void all_stop_together(void) {
  int n = 0, n_all[64];
  walkers_world_t *world = walkers(MPI_COMM_WORLD, 2000), *alone = walkers(MPI_COMM_NULL, 2000);
  signal(SIGINT, ignore);
  walkers_make_interruptible(world);
  CHECK(!walkers_set_printer_cb(world, interrupt, &n)); /* only the first rank prints */
  CHECK(!walkers_create_strands(world) && !walkers_create_strands(alone));
  int n_steps = (int)walkers_run(world, 0);
  MPI_Allgather(&n_steps, 1, MPI_INT, n_all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < n_ranks; r++) CHECK_EQ(n_all[r], n_all[0]);
  CHECK(n_steps == 2 || n_steps == 3);
  walkers_run(world, 0), walkers_run(alone, 0);
  check_outputs(world, alone);
  walkers_shutdown(world);
  walkers_shutdown(alone);
}

/* --- grids, and sequences --------------------------------------------------------------------- */

static slopes_world_t *slopes(MPI_Comm comm, const diderot_view_t *img) {
  slopes_world_t *world = slopes_new_world();
  CHECK(!(comm == MPI_COMM_NULL ? slopes_init_world(world)
                                : slopes_init_world_mpi(world, MPI_Comm_c2f(comm))));
  CHECK(!slopes_input_set_view_img(world, img, NULL, NULL));
  return world;
}

static float samples[40][30];

static diderot_view_t image(void) {
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 30; x++) samples[y][x] = (float)(x * y % 17);
  return (diderot_view_t){.data = samples,
                          .type = nrrdTypeFloat,
                          .rank = 2,
                          .shape = {40, 30},
                          .strides = {sizeof samples[0], sizeof samples[0][0]}};
}

static void grids_are_those_of_one(void) {
  const diderot_view_t img = image();
  slopes_world_t *world = slopes(MPI_COMM_WORLD, &img), *alone = slopes(MPI_COMM_NULL, &img);
  CHECK(!slopes_create_strands(world) && !slopes_create_strands(alone));
  slopes_run(world, 0), slopes_run(alone, 0);
  Nrrd *found[3] = {nrrdNew(), nrrdNew(), nrrdNew()}, *want[3] = {nrrdNew(), nrrdNew(), nrrdNew()};
  CHECK(!slopes_output_get_slope(world, found[0]) && !slopes_output_get_slope(alone, want[0]));
  CHECK(!slopes_output_get_way(world, found[1], found[2]));
  CHECK(!slopes_output_get_way(alone, want[1], want[2]));
  for (int k = 0; k < 3; k++) check_same(found[k], want[k]);
  slopes_shutdown(world);
  slopes_shutdown(alone);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void check_error(walkers_world_t *world, const char *want) {
  char *errors = walkers_get_errors(world);
  CHECK_STR(errors ? errors : "", want);
  free(errors);
}

static void inputs_must_be_the_same(void) {
  walkers_world_t *world = walkers(MPI_COMM_WORLD, rank == 1 ? 101 : 100);
  CHECK_EQ(walkers_create_strands(world), n_ranks > 1);
  check_error(world,
              n_ranks > 1 ? "[DIDEROT] n: rank 1 was given another value than rank 0\n" : "");
  walkers_shutdown(world);
  const diderot_view_t img = image();
  if (rank == n_ranks - 1) samples[20][20] += 1;
  slopes_world_t *other = slopes(MPI_COMM_WORLD, &img);
  CHECK_EQ(slopes_create_strands(other), n_ranks > 1);
  slopes_shutdown(other);
}

static void errors_of_one_are_known_to_all(void) {
  const diderot_view_t img = image();
  slopes_world_t *world = slopes_new_world();
  CHECK(!slopes_init_world_mpi(world, MPI_Comm_c2f(MPI_COMM_WORLD)));
  if (rank > 0) CHECK(!slopes_input_set_view_img(world, &img, NULL, NULL));
  CHECK(slopes_create_strands(world)); /* the first has no image */
  char *errors = slopes_get_errors(world);
  CHECK_STR(errors ? errors : "",
            rank == 0 ? "[DIDEROT] undefined input \"img\"\n" : "[DIDEROT] rank 0 has failed\n");
  free(errors);
  slopes_shutdown(world);
}

static void a_world_begins_once(void) {
  walkers_world_t *world = walkers(MPI_COMM_WORLD, 10);
  CHECK(walkers_init_world_mpi(world, MPI_Comm_c2f(MPI_COMM_WORLD)));
  check_error(world, "[DIDEROT] multiple calls to walkers_init_world\n");
  CHECK(walkers_init_world(world));
  check_error(world, "[DIDEROT] multiple calls to walkers_init_world\n");
  CHECK(!walkers_create_strands(world));
  CHECK(walkers_run(world, 0) > 0);
  walkers_shutdown(world);
  world = walkers_new_world();
  CHECK(walkers_init_world_mpi(world, MPI_Comm_c2f(MPI_COMM_NULL)));
  check_error(world, "[DIDEROT] it is not a communicator\n");
  walkers_shutdown(world);
}

static void mpi_must_have_begun(void) {
  walkers_world_t *world = walkers_new_world();
  CHECK(walkers_init_world_mpi(world, 0));
  char *errors = walkers_get_errors(world);
  CHECK(errors &&
        strncmp(errors, "[DIDEROT] MPI is not initialised: that of this library is ", 58) == 0);
  CHECK(errors && strchr(errors, '\n') == errors + strlen(errors) - 1);
  free(errors);
  walkers_shutdown(world);
}

int main(int argc, char **argv) {
  int provided;
  RUN(mpi_must_have_begun);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  RUN(a_run_is_that_of_one);
  RUN(outputs_need_nobody);
  RUN(a_part_of_the_ranks_is_enough);
  RUN(worlds_come_and_go);
  RUN(checkpoints_go_on);
  RUN(all_stop_together);
  RUN(grids_are_those_of_one);
  RUN(inputs_must_be_the_same);
  RUN(errors_of_one_are_known_to_all);
  RUN(a_world_begins_once);
  MPI_Finalize();
  mpi_must_have_begun();
  return test_result();
}
