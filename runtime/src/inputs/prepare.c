/* prepare.c: prepares the image of an input before the program sees it, on request: decimation,
 * then a prefilter that makes B-splines interpolate the samples.
 *
 * Read next: inputs.c (when), runtime/conv/filters/decimate.h and bspline.h (what).
 */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "runtime/conv/filters/bspline.h"
#include "runtime/conv/filters/decimate.h"
#include "runtime/src/workers/thread_pool.h"

/* --- orders ----------------------------------------------------------------------------------- */

static bool refuse(char **message, char *text) {
  *message = text;
  return false;
}

bool ddr_prepare_find(const ddr_world *world, const char *name, size_t n, uint32_t *idx,
                      char **message) {
  const ddr_program *program = world->program;
  for (*idx = 0; *idx < program->n_inputs; ++*idx) {
    const ddr_input *input = &program->inputs[*idx];
    if (strncmp(input->name, name, n) != 0 || input->name[n] != '\0') continue;
    if (input->kind == DDR_IMAGE) return true;
    return refuse(message, ddr_format("the input \"%s\" is not an image", input->name));
  }
  return refuse(message,
                ddr_format("the program has no input \"%.*s\"", (int)(n < 100 ? n : 100), name));
}

static bool check_turn(const ddr_world *world, uint32_t idx, char **message) {
  const char *name = world->program->inputs[idx].name;
  if (world->stage == STAGE_NEW && !world->inputs[idx].is_loaded) return true;
  return refuse(message,
                ddr_format("%s: what is done to an image must be said before it is set", name));
}

/* The border rule of all probes of an image; NONE if there is none; *is_one is false if there are
 * several. */
static ddr_border_rule border_rule(const ddr_input *input, bool *is_one) {
  ddr_border_rule rule = DDR_RULE_NONE;
  *is_one = true;
  for (int other = DDR_RULE_CLAMP; other <= DDR_RULE_CONSTANT; other++) {
    if (!(input->borders >> other & 1)) continue;
    if (rule != DDR_RULE_NONE) *is_one = false;
    rule = (ddr_border_rule)other;
  }
  if (rule == DDR_RULE_CONSTANT && !input->outside) *is_one = false;
  return rule;
}

bool ddr_prepare_prefilter(ddr_world *world, uint32_t idx, char **message) {
  const ddr_input *input = &world->program->inputs[idx];
  bool is_one;
  if (!check_turn(world, idx, message)) return false;
  if (!input->kernels) {
    return refuse(message, ddr_format("%s: there is no prefilter, since the program convolves the "
                                      "image with no kernel",
                                      input->name));
  }
  if (input->spline_degree < 0) {
    return refuse(message, ddr_format("%s: there is no prefilter, since the program convolves the "
                                      "image with %s (expected B-splines of one degree)",
                                      input->name, input->kernels));
  }
  border_rule(input, &is_one);
  if (!is_one) {
    return refuse(message, ddr_format("%s: there is no prefilter, since the image has several "
                                      "border rules in the program, or a value outside that is "
                                      "found while it runs (expected one rule)",
                                      input->name));
  }
  world->inputs[idx].is_prefiltered = true;
  return true;
}

bool ddr_prepare_decimate(ddr_world *world, uint32_t idx, uint32_t factor, char **message) {
  if (!check_turn(world, idx, message)) return false;
  if (factor < 1) {
    return refuse(message, ddr_format("%s: cannot decimate by %u (expected at least 1)",
                                      world->program->inputs[idx].name, (unsigned)factor));
  }
  world->inputs[idx].decimation = factor;
  return true;
}

/* --- samples ---------------------------------------------------------------------------------- */

static const ddr_element element_of[] = {
    [DDR_SAMPLE_I8] = DDR_ELEMENT_INT8,   [DDR_SAMPLE_U8] = DDR_ELEMENT_UINT8,
    [DDR_SAMPLE_I16] = DDR_ELEMENT_INT16, [DDR_SAMPLE_U16] = DDR_ELEMENT_UINT16,
    [DDR_SAMPLE_I32] = DDR_ELEMENT_INT32, [DDR_SAMPLE_U32] = DDR_ELEMENT_UINT32,
    [DDR_SAMPLE_F32] = DDR_ELEMENT_FLOAT,
};

/* One component of an image, the slowest axis first. */
static ddr_ndview view_of(const ddr_world *world, const ddr_image *image, int component) {
  const ddr_element real =
      world->program->real_size == sizeof(float) ? DDR_ELEMENT_FLOAT : DDR_ELEMENT_DOUBLE;
  /* The samples are const only for code that probes them. */
  union {
    const void *constant;
    void *plain;
  } samples = {.constant = image->samples};
  ddr_ndview view = {.type = image->sample == DDR_SAMPLE_REAL ? real : element_of[image->sample],
                     .data = samples.plain,
                     .residency = DDR_HOST};
  view.layout.rank = image->dim;
  view.layout.offset = component;
  for (int axis = 0; axis < image->dim; axis++) {
    view.layout.len[image->dim - 1 - axis] = image->size[axis];
    view.layout.stride[image->dim - 1 - axis] = image->stride[axis];
  }
  return view;
}

/* Without a rule nothing outside is probed, and mirrored samples disturb the filter least. */
static ddr_outside border_of(const ddr_world *world, const ddr_input *input, int component) {
  static const ddr_extension extensions[] = {
      [DDR_RULE_NONE] = DDR_EXTEND_MIRROR,       [DDR_RULE_CLAMP] = DDR_EXTEND_CLAMP,
      [DDR_RULE_MIRROR] = DDR_EXTEND_MIRROR,     [DDR_RULE_WRAP] = DDR_EXTEND_WRAP,
      [DDR_RULE_CONSTANT] = DDR_EXTEND_CONSTANT,
  };
  bool is_one;
  const ddr_border_rule rule = border_rule(input, &is_one);
  ddr_outside border = {is_one ? extensions[rule] : DDR_EXTEND_MIRROR, 0};
  if (border.extension == DDR_EXTEND_CONSTANT) {
    border.value = world->program->real_size == sizeof(float)
                       ? (double)((const float *)input->outside)[component]
                       : ((const double *)input->outside)[component];
  }
  return border;
}

static int thread_count(const ddr_world *world) {
  return world->workers->n > 1 ? (int)world->workers->n : 1;
}

/* --- one image into another ------------------------------------------------------------------- */

typedef ddr_array_status Fill(const ddr_world *world, uint32_t idx, const ddr_ndview *from,
                              int component, const ddr_ndview *to);

static ddr_array_status fill_decimated(const ddr_world *world, uint32_t idx, const ddr_ndview *from,
                                       int component, const ddr_ndview *to) {
  ddr_decimation decimation = {
      .n_axes = from->layout.rank,
      .border = border_of(world, &world->program->inputs[idx], component),
      .n_threads = thread_count(world),
  };
  for (int k = 0; k < decimation.n_axes; k++) {
    decimation.axes[k].factor = world->inputs[idx].decimation;
  }
  return ddr_image_decimate(from, &decimation, to);
}

/* Probes beyond the ends read coefficients, so the rule extends these, not the samples. */
static ddr_array_status fill_prefiltered(const ddr_world *world, uint32_t idx,
                                         const ddr_ndview *from, int component,
                                         const ddr_ndview *to) {
  const ddr_input *input = &world->program->inputs[idx];
  const ddr_prefilter prefilter = {
      .n_axes = from->layout.rank,
      .degree = input->spline_degree,
      .border = border_of(world, input, component),
      .method = DDR_PREFILTER_TAPS,
      .ends = DDR_ENDS_OF_COEFFICIENTS,
      .n_threads = thread_count(world),
  };
  return ddr_bspline_prefilter(from, &prefilter, to);
}

/* Fills `made`, whose size and placement are set, from the image and replaces the image by it; on
 * failure both are released. */
static ddr_array_status replace(const ddr_world *world, uint32_t idx, Fill *fill, ddr_image *made,
                                ddr_image_list *image) {
  made->sample = DDR_SAMPLE_REAL;
  made->samples = ddr_image_allocate(made, world->program->real_size);
  ddr_array_status status = made->samples ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
  for (int k = 0; k < made->n_components && status == DDR_ARRAY_OK; k++) {
    const ddr_ndview from = view_of(world, &image->image, k), to = view_of(world, made, k);
    status = fill(world, idx, &from, k, &to);
  }
  ddr_image_release(image);
  if (status != DDR_ARRAY_OK) {
    if (made->samples) ddr_image_clear(made);
    return status;
  }
  image->image = *made;
  image->is_borrowed = false;
  return DDR_ARRAY_OK;
}

/* Views have elements that are aligned for their type: mapped samples that are not are copied. */
static ddr_array_status align(const ddr_world *world, ddr_image_list *image) {
  const ddr_image *from = &image->image;
  ddr_image made = *from;
  const size_t size = ddr_element_size(view_of(world, from, 0).type);
  if ((uintptr_t)from->samples % size == 0) return DDR_ARRAY_OK;
  char *samples = ddr_image_allocate(&made, size);
  for (int64_t row = 0; samples && row < made.size[DDR_Y] * made.size[DDR_Z]; row++) {
    const int64_t y = row % made.size[DDR_Y], z = row / made.size[DDR_Y];
    memcpy(samples + ddr_image_offset(&made, 0, y, z) * (int64_t)size,
           (const char *)from->samples + ddr_image_offset(from, 0, y, z) * (int64_t)size,
           (size_t)(made.size[DDR_X] * made.n_components) * size);
  }
  ddr_image_release(image);
  if (!samples) return DDR_ARRAY_ENOMEM;
  made.samples = samples;
  image->image = made;
  image->is_borrowed = false;
  return DDR_ARRAY_OK;
}

static ddr_array_status decimate(const ddr_world *world, uint32_t idx, ddr_image_list *image) {
  ddr_image made = image->image;
  const ddr_decimation_axis kept = {.factor = world->inputs[idx].decimation};
  for (int axis = 0; axis < made.dim; axis++) {
    made.size[axis] = ddr_decimated_size(made.size[axis], &kept);
    ddr_image_widen(&made, axis, (double)kept.factor);
  }
  return replace(world, idx, fill_decimated, &made, image);
}

static ddr_array_status prefilter(const ddr_world *world, uint32_t idx, ddr_image_list *image) {
  ddr_image made = image->image;
  return replace(world, idx, fill_prefiltered, &made, image);
}

/* A factor above the size of all axes would leave one sample, by a filter wider than the image. */
static bool is_too_much(const ddr_input_value *value, const ddr_image *image) {
  int64_t most = 1;
  for (int axis = 0; axis < image->dim; axis++) {
    if (image->size[axis] > most) most = image->size[axis];
  }
  return value->decimation > most;
}

ddr_status ddr_prepare_image(ddr_world *world, uint32_t idx, ddr_image_list *image) {
  const ddr_input_value *value = &world->inputs[idx];
  const char *name = world->program->inputs[idx].name;
  ddr_array_status status = DDR_ARRAY_OK;
  if (value->decimation > 1 && is_too_much(value, &image->image)) {
    ddr_image_release(image);
    return ddr_error(world,
                     "%s: cannot decimate by %u (expected at most the samples of the longest "
                     "axis)",
                     name, (unsigned)value->decimation);
  }
  const bool is_changed = value->decimation > 1 || value->is_prefiltered;
  if (is_changed && image->given && ddr_image_bring(world, image) != DDR_OK) return DDR_ERROR;
  const char *what = value->decimation > 1 ? "decimate" : "prefilter";
  if (is_changed) status = align(world, image);
  if (status == DDR_ARRAY_OK && value->decimation > 1) status = decimate(world, idx, image);
  if (status == DDR_ARRAY_OK && value->is_prefiltered) {
    what = "prefilter";
    status = prefilter(world, idx, image);
  }
  if (status == DDR_ARRAY_OK) return DDR_OK;
  return ddr_error(world, "%s: cannot %s the image: %s", name, what, ddr_array_status_text(status));
}
