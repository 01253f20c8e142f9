/* A client of two libraries: runs both and prints their outputs. */
#include <stdio.h>
#include <stdlib.h>

#include "grid-of-squares.h"
#include "line.h"

static int fail(char *errors) {
  fputs(errors, stderr);
  free(errors);
  return EXIT_FAILURE;
}

static bool ignore(void *data, char *text) {
  (void)data;
  (void)text;
  return false;
}

int main(int argc, char **argv) {
  Nrrd *squares = nrrdNew(), *sample = nrrdNew();
  grid_of_squares_world_t *grid = grid_of_squares_new_world();
  if (grid_of_squares_init_world(grid) || grid_of_squares_set_printer_cb(grid, ignore, NULL) ||
      grid_of_squares_create_strands(grid) || grid_of_squares_run(grid, 0) == 0 ||
      grid_of_squares_output_get_x(grid, squares))
    return fail(grid_of_squares_get_errors(grid));
  line_world_t *line = line_new_world();
  if (argc != 2 || line_init_world(line) || line_set_printer_cb(line, ignore, NULL) ||
      line_input_set_by_name_img(line, argv[1]) || line_create_strands(line) ||
      line_run(line, 0) == 0 || line_output_get_x(line, sample))
    return fail(line_get_errors(line));
  const int *x = squares->data;
  printf("%d %d %d %g\n", x[0], x[1], x[2], *(double *)sample->data);
  grid_of_squares_shutdown(grid);
  line_shutdown(line);
  nrrdNuke(squares);
  nrrdNuke(sample);
  return EXIT_SUCCESS;
}
