/* client.c: a client of the library of field.diderot that repeats each call that fails; if that
 * does not help, it begins again with a second world. So a single fault must not change results. It
 * prints errors to standard error, and results to standard output.
 */
#include "tests/library/field.h"

enum { LIE = 3 }; /* the status when an error is no error of one line */

static field_world_t *world;

/* The world says in one line why a call failed, and may be used again. */
static bool complain(bool is_last) {
  char *errors = field_any_errors(world) ? field_get_errors(world) : NULL;
  const char *end = errors ? strchr(errors, '\n') : NULL;
  if (errors && !end && !is_last) errors[0] = '\0'; /* no memory to say it */
  else if (errors && (!end || end[1] || strncmp(errors, "[DIDEROT] ", 10) != 0)) exit(LIE);
  if (is_last) fprintf(stderr, "%s", errors && *errors ? errors : "out of memory\n");
  free(errors);
  return !field_any_errors(world);
}

/* True when a call that returns true on failure has gone well at last. */
#define AGAIN(call) (!(call) || (complain(false) && !(call)))

static float samples[N_Y][2 * N_X]; /* every second one counts, so they are packed first */
static float weights[] = {1, 2, 3};
static Nrrd *points;

static char printed[1024]; /* by the world that lives */

static bool print(void *data, char *text) {
  const size_t n = strlen(printed);
  (void)data;
  return (size_t)snprintf(printed + n, sizeof printed - n, "%s", text) >= sizeof printed - n;
}

static bool set_images(void) {
  diderot_view_t view = field_view(samples);
  view.strides[0] = sizeof samples[0], view.strides[1] = 2 * sizeof samples[0][0];
  return AGAIN(field_decimate(world, "levels", 2)) &&
         AGAIN(field_input_set_by_name_img(world, ".image.nrrd")) &&
         AGAIN(field_input_set_view_img(world, &view, NULL, NULL)) &&
         AGAIN(field_input_set_by_name_flow(world, ".pair.nhdr")) &&
         AGAIN(field_input_set_by_name_levels(world, ".image.nrrd"));
}

static bool set_inputs(void) {
  diderot_view_t view = {.data = weights, .type = nrrdTypeFloat, .rank = 1, .shape = {3}};
  view.strides[0] = sizeof *weights;
  return AGAIN(field_set_printer_cb(world, print, NULL)) &&
         AGAIN(field_input_set_word(world, "some words")) && set_images() &&
         AGAIN(field_input_set_by_name_weights(world, ".list.txt")) &&
         AGAIN(field_input_set_view_weights(world, &view)) &&
         AGAIN(field_input_set_points(world, points));
}

static void show(const char *what, const Nrrd *nrrd) {
  printf("%s:", what);
  for (size_t k = 0; nrrd->data && k < nrrdElementNumber(nrrd); k++)
    printf(" %g", nrrdDLookup[nrrd->type](nrrd->data, k));
  putchar('\n');
}

static bool get_outputs(Nrrd *const outputs[3]) {
  diderot_view_t pairs, elements;
  return AGAIN(field_snapshot_view_trail(world, &pairs, &elements)) && pairs.rank == 3 &&
         AGAIN(field_output_get_trail(world, outputs[0], outputs[1])) &&
         AGAIN(field_output_get_slope(world, outputs[2]));
}

static bool live(bool is_last, Nrrd *const outputs[3]) {
  bool is_done = false;
  printed[0] = '\0';
  world = field_new_world();
  if (world) {
    is_done = AGAIN(field_init_world(world)) && set_inputs() && !field_create_strands(world) &&
              field_run(world, 0) > 0 && !field_any_errors(world) && get_outputs(outputs);
    if (!is_done) complain(is_last);
  } else if (is_last) {
    fputs("out of memory\n", stderr);
  }
  field_shutdown(world);
  return is_done;
}

static Nrrd *new_nrrd(void) {
  Nrrd *nrrd = nrrdNew();
  return nrrd ? nrrd : nrrdNew();
}

int main(void) {
  static const size_t shape[] = {2, 3};
  Nrrd *outputs[3];
  bool is_ready = (points = new_nrrd()) && !nrrdMaybeAlloc_nva(points, nrrdTypeFloat, 2, shape);
  for (int k = 0; k < 3; k++) is_ready = (outputs[k] = new_nrrd()) && is_ready;
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) samples[y][2 * x] = field_at(x, y);
  if (!is_ready) fputs("out of memory\n", stderr);
  const bool is_done = is_ready && (live(false, outputs) || live(true, outputs));
  if (is_done) fputs(printed, stdout);
  for (int k = 0; is_done && k < 3; k++) show("output", outputs[k]);
  for (int k = 0; k < 3; k++) nrrdNuke(outputs[k]);
  nrrdNuke(points);
  return is_done && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
