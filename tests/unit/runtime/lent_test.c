/* Images of inputs are loaded once per machine if its ranks have shared memory, and by each rank if
 * there is no room for that; the samples are those of the file. */
#include <pthread.h>

#include "files.h"
#include "ranks_engine.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/ranks/ranks.h"
#include "tests/unit/test.h"

enum { MOST_RANKS = 6, MOST_SAMPLES = 512 * 600 };

/* Larger than every limit from which images are lent, or as small as possible. */
static const int large[] = {512, 600}, small[] = {4, 3};

/* What a rank has seen. */
typedef struct Seen {
  const int *size;
  const void *samples[MOST_RANKS];
  bool is_loaded_before[MOST_RANKS], is_good[MOST_RANKS];
} Seen;

/* Ints of 64 bits, so that the file cannot be used in place. */
static void write_image(const int size[]) {
  static int64_t samples[MOST_SAMPLES];
  char header[200];
  for (int k = 0; k < size[0] * size[1]; k++) samples[k] = k;
  snprintf(header, sizeof header,
           "NRRD0001\ntype: int64\ndimension: 2\nsizes: %d %d\nspace dimension: 2\n"
           "space directions: (1,0) (0,1)\nspace origin: (0,0)\nencoding: raw\nendian: little\n\n",
           size[0], size[1]);
  files_write_nrrd("lent.nrrd", header, samples, (size_t)(size[0] * size[1]) * sizeof *samples);
}

static bool has_samples(const ddr_image *found, const int size[]) {
  bool is_good = found->size[DDR_X] == size[0] && found->size[DDR_Y] == size[1];
  for (int k = 0; is_good && k < size[0] * size[1]; k++) {
    const int64_t at = ddr_image_offset(found, k % size[0], k / size[0], 0);
    is_good = ((const float *)found->samples)[at] == (float)k;
  }
  return is_good;
}

static void live(const ddr_rank_engine *engine, void *data) {
  Seen *seen = data;
  ddr_world *world = ddr_world_new(&ddr_program_main);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  const bool is_set =
      ddr_input_set(world, "img", "lent.nrrd") == DDR_OK && ddr_world_load_inputs(world) == DDR_OK;
  seen->is_loaded_before[engine->rank] = world->inputs[0].image != NULL;
  ddr_inputs_share(world);
  const ddr_image_list *found = world->inputs[0].image;
  const ddr_image *shown = *(const ddr_image *const *)world->globals;
  seen->samples[engine->rank] = found->image.samples;
  seen->is_good[engine->rank] =
      is_set && !ddr_any_errors(world) && shown == &found->image && has_samples(shown, seen->size);
  ddr_ranks_agree(world); /* all ranks have their images at the same time */
  ddr_world_free(world);
}

static Seen look(const int size[], int n_ranks, int n_on_node, bool has_room) {
  Seen seen = {.size = size};
  write_image(size);
  ranks_live_on(n_ranks, n_on_node, has_room, live, &seen);
  for (int r = 0; r < n_ranks; r++) {
    CHECK(seen.is_good[r]);
    CHECK_EQ(seen.is_loaded_before[r], r % n_on_node == 0);
  }
  return seen;
}

static void ranks_of_a_machine_have_one_copy(void) {
  for (int n_on_node = 2; n_on_node <= 3; n_on_node++) {
    const Seen seen = look(large, 6, n_on_node, true);
    for (int r = 0; r < 6; r++) CHECK(seen.samples[r] == seen.samples[r / n_on_node * n_on_node]);
    CHECK(seen.samples[0] != seen.samples[3]);
  }
}

static void without_shared_memory_every_rank_reads_images(void) { look(large, 4, 2, false); }

static void alone_on_a_machine_nothing_is_lent(void) { look(large, 3, 1, true); }

/* Except in builds with small sizes, which lend every image. */
static void every_rank_reads_small_images(void) {
  const Seen seen = look(small, 2, 2, true);
#if defined(DDR_SMALL_SIZES)
  CHECK(seen.samples[0] == seen.samples[1]);
#else
  CHECK(seen.samples[0] != seen.samples[1]);
#endif
}

int main(void) {
  files_enter();
  RUN(ranks_of_a_machine_have_one_copy);
  RUN(without_shared_memory_every_rank_reads_images);
  RUN(alone_on_a_machine_nothing_is_lent);
  RUN(every_rank_reads_small_images);
  files_leave();
  return test_result();
}
