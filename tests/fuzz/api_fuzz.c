/* Fuzz target: bytes as calls of the functions that generated libraries consist of, in any order,
 * with any arguments that a library can judge (api_draw.h); one world, or two in two threads.
 *
 * The programs are those of tests/library: a lattice that probes images, a collection that makes
 * strands in parallel, images in frames. What counts as a find, besides crashes and leaks: a call
 * that fails without a reason, or leaves one though it did not fail.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/api_draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Teem leaks some of its memory when a file is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:nrrdRead\nleak:libteem"; }

extern const ddr_program field_program, swarm_program, frames_program;
static const ddr_program *const programs[] = {&field_program, &swarm_program, &frames_program};

typedef struct Session {
  Draw draw;
  ddr_world *world;
  const ddr_program *program;
  bool is_stopping; /* the printer says so */
} Session;

/* --- what must hold --------------------------------------------------------------------------- */

/* Lines that begin as promised. */
static void check_errors(Session *session) {
  static const char mark[] = "[DIDEROT] ";
  const bool has_some = ddr_library_any_errors(session->world);
  char *errors = ddr_library_take_errors(session->world);
  if (!errors || (*errors != '\0') != has_some) abort();
  for (const char *line = errors; *line;) {
    const char *end = strchr(line, '\n');
    if (!end || strncmp(line, mark, strlen(mark)) != 0) abort();
    line = end + 1;
  }
  free(errors);
}

/* A call that failed has recorded errors, any other none; reading them removes them. */
static void check_call(Session *session, bool has_failed) {
  if (ddr_library_any_errors(session->world) != has_failed) abort();
  check_errors(session);
}

static void read_bytes(const void *data, size_t n) {
  volatile uint8_t sum = 0;
  for (size_t k = 0; k < n; k++) sum = (uint8_t)(sum + ((const uint8_t *)data)[k]);
}

/* Reads all of it, so that a sanitizer checks it. */
static void read_view(const diderot_view_t *view) {
  if (view->rank > 16 || view->type <= nrrdTypeUnknown || view->type >= nrrdTypeBlock) abort();
  size_t end = nrrdTypeSize[view->type];
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] == 0) return;
    end += (view->shape[k] - 1) * (size_t)view->strides[k];
  }
  read_bytes(view->data, end);
}

static void read_nrrd(const Nrrd *nrrd) {
  if (nrrd->data) read_bytes(nrrd->data, nrrdElementNumber(nrrd) * nrrdElementSize(nrrd));
}

/* --- inputs ----------------------------------------------------------------------------------- */

static bool set_value(Session *session, uint32_t idx) {
  Draw *draw = &session->draw;
  const ddr_input *input = &session->program->inputs[idx];
  const size_t real = session->program->real_size, n = input->n_components;
  union {
    bool truths[16];
    int32_t ints[16];
    int64_t longs[16];
    float floats[16];
    double doubles[16];
  } value;
  for (size_t k = 0; k < n && k < 16; k++) {
    const int64_t count = draw_count(draw);
    if (input->kind == DDR_BOOL) value.truths[k] = count % 2 != 0;
    else if (input->kind == DDR_REAL && real == 8) value.doubles[k] = draw_real(draw);
    else if (input->kind == DDR_REAL) value.floats[k] = (float)draw_real(draw);
    else if (session->program->int_size == 8) value.longs[k] = count;
    else value.ints[k] = (int32_t)count;
  }
  return ddr_library_set(session->world, idx, draw_byte(draw) == 255 ? NULL : &value);
}

static bool set_nrrd(Session *session, uint32_t idx) {
  Nrrd *nrrd = draw_nrrd(&session->draw);
  const bool has_failed = ddr_library_set_nrrd(session->world, idx, nrrd);
  const bool is_image = session->program->inputs[idx].kind == DDR_IMAGE;
  if (!has_failed && is_image) draw_adopt(&session->draw, nrrd);
  return has_failed;
}

static bool set_image(Session *session, uint32_t idx) {
  Draw *draw = &session->draw;
  double place[12];
  const double *origin = draw_place(draw, place, 3), *steps = draw_place(draw, place + 3, 9);
  if (draw_below(draw, 2)) {
    diderot_frame_t frame;
    return ddr_library_set_frame(session->world, idx, draw_frame(draw, &frame), origin, steps);
  }
  diderot_view_t view;
  return ddr_library_set_image(session->world, idx, draw_view(draw, &view), origin, steps);
}

static bool set_array(Session *session, uint32_t idx) {
  Draw *draw = &session->draw;
  switch (draw_below(draw, 4)) {
  case 0: return ddr_library_load(session->world, idx, draw_file(draw));
  case 1: return set_nrrd(session, idx);
  default: break;
  }
  if (session->program->inputs[idx].kind == DDR_IMAGE) return set_image(session, idx);
  diderot_view_t view;
  return ddr_library_set_sequence(session->world, idx, draw_view(draw, &view));
}

static bool set_input(Session *session) {
  const uint32_t idx = draw_below(&session->draw, session->program->n_inputs);
  switch (session->program->inputs[idx].kind) {
  case DDR_IMAGE:
  case DDR_SEQUENCE: return set_array(session, idx);
  case DDR_STRING: return ddr_library_set_string(session->world, idx, draw_text(&session->draw));
  default: return set_value(session, idx);
  }
}

static bool get_input(Session *session) {
  const uint32_t idx = draw_below(&session->draw, session->program->n_inputs);
  double value[16];
  ddr_library_get(session->world, idx, value);
  return session->world && ddr_library_get_size(session->world, idx) > SIZE_MAX / 2;
}

/* --- outputs ---------------------------------------------------------------------------------- */

static bool get_output(Session *session) {
  const uint32_t idx = draw_below(&session->draw, session->program->n_outputs);
  const ddr_moment moment = draw_below(&session->draw, 2) ? DDR_OUTPUT : DDR_SNAPSHOT;
  const bool is_sequence = session->program->outputs[idx].kind == DDR_SEQUENCE;
  Nrrd *data = draw_below(&session->draw, 16) ? nrrdNew() : NULL, *lengths = nrrdNew();
  const bool has_failed = is_sequence
                              ? ddr_library_get_nrrds(session->world, idx, moment, lengths, data)
                              : ddr_library_get_nrrd(session->world, idx, moment, data);
  if (!has_failed && !data) abort();
  if (!has_failed) read_nrrd(data);
  if (!has_failed && is_sequence) read_nrrd(lengths);
  nrrdNuke(data);
  nrrdNuke(lengths);
  return has_failed;
}

static bool view_output(Session *session) {
  const uint32_t idx = draw_below(&session->draw, session->program->n_outputs);
  const ddr_moment moment = draw_below(&session->draw, 2) ? DDR_OUTPUT : DDR_SNAPSHOT;
  const bool is_sequence = session->program->outputs[idx].kind == DDR_SEQUENCE;
  diderot_view_t views[2], *data = draw_below(&session->draw, 16) ? &views[0] : NULL;
  const bool has_failed = is_sequence
                              ? ddr_library_views(session->world, idx, moment, &views[1], data)
                              : ddr_library_view(session->world, idx, moment, data);
  if (!has_failed && !data) abort();
  if (!has_failed) read_view(data);
  if (!has_failed && is_sequence) read_view(&views[1]);
  return has_failed;
}

/* --- life ------------------------------------------------------------------------------------- */

static bool print(void *data, char *text) {
  const Session *session = data;
  if (!text || !ddr_library_init(session->world)) abort(); /* not from here */
  return session->is_stopping;
}

static bool run(Session *session) {
  ddr_library_run(session->world, draw_below(&session->draw, 4));
  const uint32_t n = ddr_library_num_strands(session->world);
  if (ddr_library_num_active(session->world) > n || ddr_library_num_stable(session->world) > n)
    abort();
  return ddr_library_any_errors(session->world);
}

static bool set_printer(Session *session) {
  session->is_stopping = draw_below(&session->draw, 4) == 0;
  return ddr_library_set_printer(session->world, draw_below(&session->draw, 4) ? print : NULL,
                                 session);
}

static bool set_up(Session *session) {
  Draw *draw = &session->draw;
  switch (draw_below(draw, 4)) {
  case 0: return ddr_library_decimate(session->world, draw_text(draw), (uint32_t)draw_count(draw));
  case 1: return ddr_library_prefilter(session->world, draw_text(draw));
  case 2: return ddr_library_set_num_workers(session->world, (uint32_t)draw_count(draw));
  default: return ddr_library_set_gpu(session->world, "none", (uint32_t)draw_count(draw));
  }
}

static bool call(Session *session) {
  switch (draw_below(&session->draw, 16)) {
  case 0: return ddr_library_init(session->world);
  case 1:
  case 2: return ddr_library_create(session->world);
  case 3:
  case 4: return run(session);
  case 5:
  case 6: return get_output(session);
  case 7: return view_output(session);
  case 8: return set_printer(session);
  case 9: return get_input(session);
  case 10: return set_up(session);
  default: return set_input(session);
  }
}

static void *live(void *data) {
  Session *session = data;
  session->program = programs[draw_below(&session->draw, 3)];
  session->world = ddr_library_new(session->program, "fuzz");
  if (!session->world) abort();
  ddr_library_set_printer(session->world, print, session);
  if (draw_below(&session->draw, 8)) ddr_library_init(session->world);
  while (!draw_is_over(&session->draw)) check_call(session, call(session));
  ddr_library_shutdown(session->world);
  draw_clear(&session->draw);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > 4096) return 0;
  const bool has_two = data[0] & 1;
  const size_t n = has_two ? size / 2 : size;
  Session one = {.draw = {.bytes = data, .n = n}};
  Session other = {.draw = {.bytes = data + n, .n = size - n}};
  pthread_t thread;
  if (has_two && pthread_create(&thread, NULL, live, &other) != 0) abort();
  live(&one);
  if (has_two) pthread_join(thread, NULL);
  return 0;
}
