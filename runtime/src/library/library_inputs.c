/* library_inputs.c: inputs of a library's world.  Values are checked, and files loaded, when they
 * are set; on failure the old value stays.
 *
 * Read next: inputs/inputs.c, images/nrrd_given.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/world/values.h"

static ddr_status check_turn(ddr_world *world, uint32_t idx) {
  const char *name = world->program->inputs[idx].name;
  if (world->stage == STAGE_NEW) return DDR_OK;
  if (world->stage == STAGE_BARE) {
    return ddr_error(world, "%s: must call %s_init_world before setting inputs", name,
                     world->library->prefix);
  }
  return ddr_error(world, "%s: inputs must be set before creating strands", name);
}

static ddr_status check_pointer(ddr_world *world, uint32_t idx, const void *given,
                                const char *what) {
  if (given) return DDR_OK;
  return ddr_error(world, "%s: the %s is NULL", world->program->inputs[idx].name, what);
}

ddr_status ddr_library_check_input(ddr_world *world, uint32_t idx, const void *given,
                                   const char *what) {
  const ddr_status status = check_turn(world, idx);
  return status == DDR_OK ? check_pointer(world, idx, given, what) : status;
}

/* --- values ----------------------------------------------------------------------------------- */

bool ddr_library_set(ddr_world *world, uint32_t idx, const void *value) {
  if (!ddr_library_enter(world)) return true;
  ddr_status status = ddr_library_check_input(world, idx, value, "value");
  if (status == DDR_OK) status = ddr_input_store(world, idx, value);
  return ddr_library_leave(world, status);
}

bool ddr_library_set_string(ddr_world *world, uint32_t idx, const char *value) {
  return ddr_library_set(world, idx, value);
}

bool ddr_library_load(ddr_world *world, uint32_t idx, const char *file) {
  if (!ddr_library_enter(world)) return true;
  ddr_status status = ddr_library_check_input(world, idx, file, "file name");
  if (status == DDR_OK) status = ddr_input_load(world, idx, file);
  if (status == DDR_OK) world->library->nrrds[idx] = NULL;
  return ddr_library_leave(world, status);
}

/* --- Nrrds ------------------------------------------------------------------------------------ */

static bool make_room(ddr_library *library) {
  void **adopted = realloc(library->adopted, (library->n_adopted + 1) * sizeof *adopted);
  if (adopted) library->adopted = adopted;
  return adopted != NULL;
}

/* Records data to be freed with the world, once, however often it is set; there is room for it. */
static void adopt(ddr_library *library, void *data) {
  for (size_t k = 0; k < library->n_adopted; k++) {
    if (library->adopted[k] == data) return;
  }
  library->adopted[library->n_adopted++] = data;
}

/* The data stays the client's until nothing can fail any more. */
static ddr_status set_nrrd_image(ddr_world *world, uint32_t idx, const void *nrrd) {
  const ddr_image_request request = ddr_input_request(world, idx, NULL);
  ddr_image_list image = {0};
  if (ddr_nrrd_given_image(world, &request, nrrd, &image) != DDR_OK) return DDR_ERROR;
  if (!make_room(world->library)) {
    ddr_image_release(&image);
    return ddr_error(world, "%s: out of memory", request.name);
  }
  if (ddr_input_take_image(world, idx, &image) != DDR_OK) return DDR_ERROR;
  adopt(world->library, ddr_nrrd_data(nrrd));
  return DDR_OK;
}

static ddr_status set_nrrd_sequence(ddr_world *world, uint32_t idx, const void *nrrd) {
  const ddr_seq_request request = ddr_input_sequence_request(world, idx, NULL);
  ddr_seq seq;
  if (ddr_nrrd_given_sequence(world, &request, nrrd, &seq) != DDR_OK) return DDR_ERROR;
  ddr_input_take_sequence(world, idx, seq);
  return DDR_OK;
}

bool ddr_library_set_nrrd(ddr_world *world, uint32_t idx, void *nrrd) {
  if (!ddr_library_enter(world)) return true;
  const bool is_image = world->program->inputs[idx].kind == DDR_IMAGE;
  ddr_status status = check_turn(world, idx);
  if (status == DDR_OK) {
    status = is_image ? set_nrrd_image(world, idx, nrrd) : set_nrrd_sequence(world, idx, nrrd);
  }
  if (status == DDR_OK) world->library->nrrds[idx] = nrrd;
  return ddr_library_leave(world, status);
}

/* --- views ------------------------------------------------------------------------------------ */

typedef enum { A_VIEW, A_LOAN, A_FRAME, A_VIEW_ON_DEVICE } Form;

static ddr_status view_sequence(ddr_world *world, uint32_t idx, Form form,
                                const diderot_view_t *view, void *stream, ddr_seq *seq) {
  const ddr_seq_request request = ddr_input_sequence_request(world, idx, NULL);
  if (form == A_VIEW_ON_DEVICE)
    return ddr_view_sequence_on_device(world, &request, view, stream, seq);
  return ddr_view_sequence(world, &request, form == A_LOAN ? DDR_LENT : DDR_COPIED, view, seq);
}

static bool set_sequence(ddr_world *world, uint32_t idx, Form form, const diderot_view_t *view,
                         void *stream) {
  if (!ddr_library_enter(world)) return true;
  ddr_seq seq;
  ddr_status status = ddr_library_check_input(world, idx, view, "view");
  if (status == DDR_OK) status = view_sequence(world, idx, form, view, stream, &seq);
  if (status == DDR_OK) {
    ddr_input_take_sequence(world, idx, seq);
    world->library->nrrds[idx] = NULL;
  }
  return ddr_library_leave(world, status);
}

bool ddr_library_set_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view) {
  return set_sequence(world, idx, A_VIEW, view, NULL);
}

bool ddr_library_lend_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view) {
  return set_sequence(world, idx, A_LOAN, view, NULL);
}

bool ddr_library_set_device_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                                     void *stream) {
  return set_sequence(world, idx, A_VIEW_ON_DEVICE, view, stream);
}

/* Rows of `steps` are in the order of the view's axes, the slowest first; index axes begin with
 * x. */
static ddr_grid place_image(int dim, const double *origin, const double *steps) {
  ddr_grid grid = {.dim = dim};
  for (int axis = 0; axis < dim; axis++) {
    grid.origin[axis] = origin ? origin[axis] : 0;
    for (int world = 0; world < dim; world++) {
      grid.direction[axis][world] = steps ? steps[(dim - 1 - axis) * dim + world] : axis == world;
    }
  }
  return grid;
}

static ddr_status take_image(ddr_world *world, uint32_t idx, const ddr_image_list *image) {
  if (ddr_input_take_image(world, idx, image) != DDR_OK) return DDR_ERROR;
  world->library->nrrds[idx] = NULL;
  return DDR_OK;
}

static bool set_image(ddr_world *world, uint32_t idx, Form form, const void *given,
                      const double *origin, const double *steps, void *stream) {
  if (!ddr_library_enter(world)) return true;
  const ddr_image_request request = ddr_input_request(world, idx, NULL);
  const ddr_grid place = place_image(request.dim, origin, steps);
  ddr_image_list image = {0};
  ddr_status status =
      ddr_library_check_input(world, idx, given, form == A_FRAME ? "frame" : "view");
  if (status == DDR_OK) {
    if (form == A_VIEW) status = ddr_view_image(world, &request, given, &place, &image);
    else if (form == A_FRAME) status = ddr_frame_image(world, &request, given, &place, &image);
    else status = ddr_view_image_on_device(world, &request, given, &place, stream, &image);
  }
  if (status == DDR_OK) status = take_image(world, idx, &image);
  return ddr_library_leave(world, status);
}

bool ddr_library_set_image(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                           const double *origin, const double *steps) {
  return set_image(world, idx, A_VIEW, view, origin, steps, NULL);
}

bool ddr_library_set_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame,
                           const double *origin, const double *steps) {
  return set_image(world, idx, A_FRAME, frame, origin, steps, NULL);
}

bool ddr_library_set_device_image(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                                  const double *origin, const double *steps, void *stream) {
  return set_image(world, idx, A_VIEW_ON_DEVICE, view, origin, steps, stream);
}

/* --- what is done to images ------------------------------------------------------------------- */

/* Records the message of a failure, and frees it. */
static ddr_status fail(ddr_world *world, char *message) {
  ddr_error(world, "%s", message ? message : "out of memory");
  free(message);
  return DDR_ERROR;
}

static ddr_status find_image(ddr_world *world, const char *input, uint32_t *idx) {
  char *message;
  if (!input) return fail(world, ddr_format("the name of the input is NULL"));
  if (!ddr_prepare_find(world, input, strlen(input), idx, &message)) return fail(world, message);
  return check_turn(world, *idx);
}

bool ddr_library_decimate(ddr_world *world, const char *input, uint32_t factor) {
  if (!ddr_library_enter(world)) return true;
  uint32_t idx;
  char *message;
  ddr_status status = find_image(world, input, &idx);
  if (status == DDR_OK && !ddr_prepare_decimate(world, idx, factor, &message)) {
    status = fail(world, message);
  }
  return ddr_library_leave(world, status);
}

bool ddr_library_prefilter(ddr_world *world, const char *input) {
  if (!ddr_library_enter(world)) return true;
  uint32_t idx;
  char *message;
  ddr_status status = find_image(world, input, &idx);
  if (status == DDR_OK && !ddr_prepare_prefilter(world, idx, &message)) {
    status = fail(world, message);
  }
  return ddr_library_leave(world, status);
}

/* --- images of other worlds ------------------------------------------------------------------- */

/* The other world's samples are used in place, on the host and on a device. */
static ddr_status share_image(ddr_world *world, uint32_t idx, const ddr_world *other) {
  const char *name = world->program->inputs[idx].name;
  if (!other || other == world || other->program != world->program)
    return ddr_error(world, "%s: the other world is %s", name,
                     !other           ? "NULL"
                     : other == world ? "this one"
                                      : "one of another program");
  ddr_image_list *its = other->inputs[idx].image, image;
  if (!its) return ddr_error(world, "%s: the other world has no image", name);
  if (its->given)
    return ddr_error(world, "%s: the other world's image is in memory of a device (set it anew)",
                     name);
  if (!ddr_image_hold(its, &image)) return ddr_error(world, "%s: out of memory", name);
  if (ddr_input_take_prepared(world, idx, &image) != DDR_OK) return DDR_ERROR;
  world->library->nrrds[idx] = NULL;
  return DDR_OK;
}

bool ddr_library_share(ddr_world *world, const char *input, const ddr_world *other) {
  if (!ddr_library_enter(world)) return true;
  uint32_t idx;
  ddr_status status = find_image(world, input, &idx);
  if (status == DDR_OK) status = share_image(world, idx, other);
  return ddr_library_leave(world, status);
}

/* --- getting ---------------------------------------------------------------------------------- */

void ddr_library_get(const ddr_world *world, uint32_t idx, void *value) {
  if (!ddr_library_at_rest(world) || !value) return;
  const ddr_input *input = &world->program->inputs[idx];
  if (input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE) {
    memcpy(value, &world->library->nrrds[idx], sizeof world->library->nrrds[idx]);
    return;
  }
  memcpy(value, ddr_input_place(world, idx),
         input->n_components * ddr_value_size(world->program, input->kind));
}

static size_t string_size(const char *string) { return string ? strlen(string) : 0; }

static size_t image_size(const ddr_image *image) {
  if (!image) return 0;
  return (size_t)(image->size[DDR_X] * image->size[DDR_Y] * image->size[DDR_Z]) *
         (size_t)image->n_components;
}

/* Elements given in the program are not stored before create. */
static size_t sequence_size(const ddr_world *world, uint32_t idx, const ddr_seq *seq) {
  if (world->inputs[idx].is_loaded) return (size_t)seq->length;
  return (size_t)world->program->inputs[idx].n_default_elements;
}

size_t ddr_library_get_size(const ddr_world *world, uint32_t idx) {
  if (!ddr_library_at_rest(world)) return 0;
  const ddr_kind kind = world->program->inputs[idx].kind;
  const void *place = ddr_input_place(world, idx);
  if (kind == DDR_STRING) return string_size(*(const char *const *)place);
  if (kind == DDR_IMAGE) return image_size(*(const ddr_image *const *)place);
  return kind == DDR_SEQUENCE ? sequence_size(world, idx, place) : 0;
}
