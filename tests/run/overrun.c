/* overrun: for sanitize.cmake. Tells a library that there are 16 samples, but allocates only as
 * many as argv[1] says, on the heap. The library cannot know, and reads 16.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ramp.h"

int main(int argc, char **argv) {
  const size_t n_samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 16;
  short *samples = calloc(n_samples, sizeof *samples);
  ramp_world_t *world = ramp_new_world();
  diderot_view_t view = {.data = samples, .type = nrrdTypeShort, .rank = 1};
  view.shape[0] = 16, view.strides[0] = sizeof *samples;
  bool has_failed = !samples || !world || ramp_init_world(world) ||
                    ramp_input_set_view_img(world, &view, NULL, NULL) || ramp_create_strands(world);
  if (!has_failed) printf("%u supersteps\n", ramp_run(world, 0));
  if (world) ramp_shutdown(world);
  free(samples);
  return has_failed;
}
