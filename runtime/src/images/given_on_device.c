/* given_on_device.c: arrays that a client has in memory of a device.
 *
 * An image stays there: the device reads its samples when strands are created, and the host gets a
 * copy only if it has to read samples, too.  Sequences are always copied.  All that can be known of
 * the memory is checked when it is given, and again before it is read.
 * Read next: nrrd_given.c (the same in memory of the host); runtime/cuda/images.cu.
 */
#include <stdlib.h>

#include "ddr/device/device.h"
#include "local.h"

struct ddr_image_on_device {
  ddr_given_samples samples;
  ddr_image_request request;
  diderot_view_t view;
  ddr_grid place;
};

static const ddr_device_engine *engine_of(const ddr_world *world) {
  return world->program->device ? world->program->device->engine : NULL;
}

/* --- what may be read ------------------------------------------------------------------------- */

/* The bytes of a checked view with elements, and how many lie before the first one. */
typedef struct Span {
  size_t n_bytes, n_before;
} Span;

static ddr_status find_span(const diderot_view_t *view, Span *span, ddr_reason *reason) {
  const size_t size = nrrdTypeSize[view->type];
  *span = (Span){size, 0};
  for (uint32_t k = 0; k < view->rank; k++) {
    const ptrdiff_t stride = view->strides[k];
    const size_t step = stride < 0 ? -(size_t)stride : (size_t)stride, n = view->shape[k] - 1;
    if (n > 0 && step > (PTRDIFF_MAX - span->n_bytes) / n)
      return ddr_refuse(reason, "the view has more samples than memory");
    if (n > 0 && step % size != 0)
      return ddr_refuse(reason,
                        "the stride of axis %u of the view is %td bytes, expected a multiple of "
                        "the sample's %zu",
                        (unsigned)k, stride, size);
    span->n_bytes += n * step;
    if (stride < 0) span->n_before += n * step;
  }
  if ((uintptr_t)view->data % size == 0) return DDR_OK;
  return ddr_refuse(
      reason, "the view begins at an address that is not a multiple of the sample's %zu", size);
}

static ddr_status check_memory(const diderot_view_t *view, const Span *span,
                               const ddr_client_memory *memory, ddr_reason *reason) {
  const uintptr_t first = (uintptr_t)view->data - span->n_before, begin = (uintptr_t)memory->begin;
  if (memory->n_bytes == SIZE_MAX) return DDR_OK;
  if (first >= begin && span->n_bytes <= memory->n_bytes &&
      first - begin <= memory->n_bytes - span->n_bytes)
    return DDR_OK;
  return ddr_refuse(reason,
                    "the view has %zu bytes from byte %td on of memory of a device that has %zu",
                    span->n_bytes, (ptrdiff_t)(first - begin), memory->n_bytes);
}

/* Finds the memory of one device that contains the view now; *id is the number of the device. */
static ddr_status find_memory(const ddr_world *world, const diderot_view_t *view, Span *span,
                              int *id, ddr_reason *reason) {
  ddr_client_memory memory;
  const ddr_device_engine *engine = engine_of(world);
  if (!engine) return ddr_refuse(reason, "the program has no part for devices");
  if (find_span(view, span, reason) != DDR_OK) return DDR_ERROR;
  const char *error = engine->find(view->data, &memory);
  if (error) return ddr_refuse(reason, "%s", error);
  *id = memory.id;
  return check_memory(view, span, &memory, reason);
}

/* Likewise, and lets the device wait for the work that its stream has been given. */
static ddr_status await_memory(const ddr_world *world, const diderot_view_t *view, void *stream,
                               Span *span, ddr_reason *reason) {
  int id = -1;
  if (find_memory(world, view, span, &id, reason) != DDR_OK) return DDR_ERROR;
  const char *error = engine_of(world)->wait(id, stream);
  return error ? ddr_refuse(reason, "its stream cannot be waited for: %s", error) : DDR_OK;
}

/* --- copies on the host ----------------------------------------------------------------------- */

/* Copies a view to memory of the host, which the caller frees. */
static ddr_status bring(const ddr_world *world, const diderot_view_t *view, diderot_view_t *copy,
                        void **memory, ddr_reason *reason) {
  Span span = {0};
  int id = -1;
  *copy = *view;
  *memory = NULL;
  if (find_memory(world, view, &span, &id, reason) != DDR_OK) return DDR_ERROR;
  char *bytes = malloc(span.n_bytes + 1);
  if (!bytes) return ddr_refuse(reason, "out of memory");
  const char *error =
      engine_of(world)->bring(id, (const char *)view->data - span.n_before, span.n_bytes, bytes);
  copy->data = bytes + span.n_before;
  copy->spare = 0; /* nothing of the copy may be borrowed */
  *memory = bytes;
  if (!error) return DDR_OK;
  free(bytes);
  *memory = NULL;
  return ddr_refuse(reason, "it cannot be copied to the host: %s", error);
}

static ddr_status bring_image(ddr_world *world, ddr_image_list *image) {
  const ddr_image_on_device *given = image->given;
  diderot_view_t view;
  ddr_image_list made = {0};
  ddr_reason reason;
  void *copy;
  if (bring(world, &given->view, &view, &copy, &reason) != DDR_OK)
    return ddr_refuse_given(world, given->request.name, &reason);
  const ddr_status status = ddr_view_image(world, &given->request, &view, &given->place, &made);
  free(copy);
  if (status != DDR_OK) return DDR_ERROR;
  if (world->is_verbose)
    ddr_note(world, "%s: copied from memory of a device to the host's", given->request.name);
  made.image.number = image->image.number;
  image->image = made.image;
  ddr_image_on_device_free(image);
  return DDR_OK;
}

ddr_status ddr_images_bring(ddr_world *world) {
  for (ddr_image_list *at = world->images->all; at; at = at->next) {
    if (at->given && bring_image(world, at) != DDR_OK) return DDR_ERROR;
  }
  return DDR_OK;
}

ddr_status ddr_image_bring(ddr_world *world, ddr_image_list *image) {
  const ddr_status status = bring_image(world, image);
  if (status != DDR_OK) ddr_image_release(image);
  return status;
}

void ddr_image_on_device_free(ddr_image_list *image) {
  free(image->given);
  image->given = NULL;
  image->image.given = NULL;
}

/* --- images that stay ------------------------------------------------------------------------- */

/* The distance of the components of a vector or tensor, which must be equal for all. */
static ddr_status find_component_step(const diderot_view_t *view, uint32_t first, int64_t *step,
                                      ddr_reason *reason) {
  ptrdiff_t wanted = 0;
  size_t n = 0; /* components so far; 0: no axis with two components yet */
  *step = 0;
  for (uint32_t k = view->rank; k-- > first;) {
    if (view->shape[k] < 2) continue;
    if (n == 0) *step = wanted = view->strides[k], n = 1;
    if (view->strides[k] != wanted)
      return ddr_refuse(reason,
                        "the stride of axis %u of the view is %td bytes, expected %td: components "
                        "on a device have one distance",
                        (unsigned)k, view->strides[k], wanted);
    n *= view->shape[k];
    wanted = *step * (ptrdiff_t)n;
  }
  return DDR_OK;
}

/* Describes the samples as the device will store them: packed. */
static void describe_samples(const ddr_world *world, ddr_image_on_device *given, ddr_image *image) {
  const diderot_view_t *view = &given->view;
  const int real = world->program->real_size == sizeof(float) ? nrrdTypeFloat : nrrdTypeDouble;
  const bool is_kept = view->type != real && ddr_nrrd_sample(view->type) == given->request.sample;
  int64_t stride = image->n_components;
  image->sample = is_kept ? given->request.sample : DDR_SAMPLE_REAL;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    image->stride[axis] = stride;
    stride *= image->size[axis];
    if (axis < image->dim) given->samples.step[axis] = view->strides[image->dim - 1 - axis];
  }
  given->samples.data = view->data;
  given->samples.type = view->type;
}

static ddr_status take_view(const ddr_world *world, ddr_image_on_device *given, void *stream,
                            ddr_image *image, ddr_reason *reason) {
  const uint32_t dim = (uint32_t)given->request.dim;
  const int n_components = given->request.n_components;
  ddr_nrrd_image header = {.grid = given->place, .n_components = n_components};
  Span span;
  if (ddr_view_check_image(&given->view, &given->request, &header, reason) != DDR_OK ||
      find_component_step(&given->view, dim, &given->samples.component_step, reason) != DDR_OK ||
      ddr_nrrd_describe(&header, image, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  describe_samples(world, given, image);
  return await_memory(world, &given->view, stream, &span, reason);
}

ddr_status ddr_view_image_on_device(ddr_world *world, const ddr_image_request *request,
                                    const diderot_view_t *view, const ddr_grid *place, void *stream,
                                    ddr_image_list *image) {
  ddr_reason reason = {"out of memory"};
  ddr_image_on_device *given = malloc(sizeof *given);
  if (given) {
    *given = (ddr_image_on_device){.request = *request, .view = *view, .place = *place};
    *image = (ddr_image_list){.given = given};
    if (take_view(world, given, stream, &image->image, &reason) == DDR_OK) {
      image->image.given = &given->samples;
      return DDR_OK;
    }
  }
  ddr_image_release(image);
  return ddr_refuse_given(world, request->name, &reason);
}

/* By the time that strands are created, the memory may have been freed, or another device
 * chosen. */
static ddr_status check_image(ddr_world *world, const ddr_image_list *image, int id) {
  Span span;
  ddr_reason reason;
  int its_id = -1;
  if (find_memory(world, &image->given->view, &span, &its_id, &reason) != DDR_OK)
    return ddr_refuse_given(world, image->given->request.name, &reason);
  if (its_id < 0 || its_id == id) return DDR_OK;
  ddr_refuse(&reason, "it is memory of device %d, but the strands run on device %d", its_id, id);
  return ddr_refuse_given(world, image->given->request.name, &reason);
}

ddr_status ddr_images_settle(ddr_world *world, int id) {
  if (id < 0 || !world->program->device || world->program->device->host_reads_samples)
    return ddr_images_bring(world);
  for (const ddr_image_list *at = world->images->all; at; at = at->next) {
    if (at->given && check_image(world, at, id) != DDR_OK) return DDR_ERROR;
  }
  return DDR_OK;
}

/* --- sequences -------------------------------------------------------------------------------- */

ddr_status ddr_view_sequence_on_device(ddr_world *world, const ddr_seq_request *request,
                                       const diderot_view_t *view, void *stream, ddr_seq *seq) {
  ddr_reason reason;
  Span span;
  diderot_view_t there;
  void *copy;
  if (ddr_view_check(view, &reason) != DDR_OK)
    return ddr_refuse_given(world, request->name, &reason);
  if (ddr_view_count(view) == 0) return ddr_view_sequence(world, request, DDR_COPIED, view, seq);
  if (await_memory(world, view, stream, &span, &reason) != DDR_OK ||
      bring(world, view, &there, &copy, &reason) != DDR_OK)
    return ddr_refuse_given(world, request->name, &reason);
  const ddr_status status = ddr_view_sequence(world, request, DDR_COPIED, &there, seq);
  free(copy);
  return status;
}
