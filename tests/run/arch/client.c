/* A client of squares.diderot as a library: prints its last sum, or what get_errors says. */
#include <stdio.h>
#include <stdlib.h>

#include "squares.h"

static int fail(squares_world_t *world) {
  char *errors = squares_get_errors(world);
  fputs(errors, stdout);
  free(errors);
  squares_shutdown(world);
  return 1;
}

int main(void) {
  squares_world_t *world = squares_new_world();
  int n = 0;
  if (!world) return 2;
  squares_input_get_n(world, &n); /* harmless in any case */
  const bool is_too_early = squares_create_strands(world);
  free(squares_get_errors(world));
  if (!is_too_early || squares_init_world(world)) return fail(world);
  if (squares_create_strands(world) || squares_run(world, 0) == 0) return fail(world);
  Nrrd *data = nrrdNew();
  if (squares_output_get_x(world, data)) return fail(world);
  printf("%.0f\n", ((const float *)data->data)[n - 1]);
  nrrdNuke(data);
  squares_shutdown(world);
  return 0;
}
