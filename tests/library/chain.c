/* chain: a client whose worlds pass memory of the device to each other: the output of one is the
 * image of the next, five times. The result has a closed form and consists of whole numbers, so it
 * is exact. Prints the name of the GPU, or an empty line if the CPU did the work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_lib.h"

enum { N = 8, N_ROUNDS = 5 };

static int fail(chain_world_t *world, chain_world_t *before) {
  char *errors = chain_get_errors(world);
  fputs(errors, stderr);
  free(errors);
  chain_shutdown(world);
  chain_shutdown(before);
  return 1;
}

/* One round, on the host. */
static void step(float values[N][2]) {
  for (size_t k = 0; k < N; k++)
    for (size_t c = 0; c < 2; c++) values[k][c] += values[k + 1 < N ? k + 1 : k][c];
}

static void begin(float values[N][2]) {
  for (size_t k = 0; k < N; k++) values[k][0] = (float)(k * k), values[k][1] = (float)(100 - k);
}

static bool is_right(chain_world_t *world, float want[N][2]) {
  Nrrd *found = nrrdNew();
  const bool is_same =
      !chain_output_get_found(world, found) && memcmp(found->data, want, N * sizeof want[0]) == 0;
  nrrdNuke(found);
  return is_same;
}

int main(void) {
  float first[N][2], want[N][2];
  diderot_view_t view = {.data = first, .type = nrrdTypeFloat, .rank = 2};
  chain_world_t *before = NULL, *world = NULL;
  view.shape[0] = N, view.strides[0] = sizeof first[0];
  view.shape[1] = 2, view.strides[1] = sizeof first[0][0];
  begin(first);
  begin(want);
  for (int round = 0; round < N_ROUNDS; round++, before = world) {
    world = chain_new_world();
    if (!world || chain_init_world(world)) return fail(world, before);
    if (round == 0 ? chain_input_set_view_flow(world, &view, NULL, NULL)
                   : chain_input_set_device_flow(world, &view, NULL, NULL, NULL))
      return fail(world, before);
    if (chain_create_strands(world)) return fail(world, before);
    chain_shutdown(before); /* what was its memory has been read */
    if (chain_run(world, 0) != 1 || chain_output_device_view_found(world, &view))
      return fail(world, NULL);
    step(want);
    if (!is_right(world, want)) return fputs("wrong values\n", stderr), fail(world, NULL);
  }
  printf("%s\n", chain_get_gpu(world));
  chain_shutdown(world);
  return 0;
}
