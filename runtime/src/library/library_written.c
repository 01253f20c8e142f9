/* library_written.c: writes outputs of a library's world into memory of the client, in its layout
 * and type: views with any strides, frames of video.
 *
 * Nothing is written before all checks have passed.  Read next: library_outputs.c,
 * images/nrrd_frame.c (frames).
 */
#include <stdlib.h>

#include "local.h"
#include "runtime/element/source.h"
#include "runtime/src/files/files.h"
#include "runtime/src/files/nrrd_layout.h"
#include "runtime/src/images/images.h"

/* --- views of the client ---------------------------------------------------------------------- */

static ddr_status check_shape(const diderot_view_t *values, const diderot_view_t *view,
                              ddr_reason *reason) {
  if (view->rank != values->rank) {
    return ddr_refuse(reason, "the view has rank %u, expected %u", (unsigned)view->rank,
                      (unsigned)values->rank);
  }
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] == values->shape[k]) continue;
    return ddr_refuse(reason, "axis %u of the view has size %zu, expected %zu", (unsigned)k,
                      view->shape[k], values->shape[k]);
  }
  return DDR_OK;
}

/* Strides in elements; `data` is aligned for elements. */
static ddr_status check_strides(const diderot_view_t *view, size_t size, ddr_layout *layout,
                                ddr_reason *reason) {
  *layout = (ddr_layout){.rank = (int)view->rank};
  for (uint32_t k = 0; k < view->rank; k++) {
    layout->len[k] = (int64_t)view->shape[k];
    layout->stride[k] = view->strides[k] / (ptrdiff_t)size;
    if (view->shape[k] < 2 || view->strides[k] % (ptrdiff_t)size == 0) continue;
    return ddr_refuse(reason,
                      "the stride of axis %u of the view is %td bytes, expected a multiple of the "
                      "sample's %zu",
                      (unsigned)k, view->strides[k], size);
  }
  if ((uintptr_t)view->data % size == 0) return DDR_OK;
  return ddr_refuse(
      reason, "the view begins at an address that is not a multiple of the sample's %zu", size);
}

static ddr_status check_distinct(const ddr_ndview *array, ddr_reason *reason) {
  bool is_injective = false;
  const ddr_array_status status = ddr_layout_is_injective(&array->layout, &is_injective);
  if (status != DDR_ARRAY_OK) return ddr_refuse(reason, "%s", ddr_array_status_text(status));
  return is_injective ? DDR_OK : ddr_refuse(reason, "two elements of the view share memory");
}

static ddr_status array_of(const diderot_view_t *view, ddr_ndview *array, ddr_reason *reason) {
  ddr_layout layout;
  ddr_element element;
  if (!ddr_element_of_nrrd_type(view->type, &element)) {
    return ddr_refuse(reason, "the view has samples of type %d, which are not numbers", view->type);
  }
  if (check_strides(view, ddr_element_size(element), &layout, reason) != DDR_OK) return DDR_ERROR;
  const ddr_array_status status =
      ddr_ndview_wrap(element, view->data, &layout, DDR_HOST, NULL, array);
  if (status == DDR_ARRAY_ENULL) return ddr_refuse(reason, "the view has no data");
  if (status == DDR_ARRAY_OK) return DDR_OK;
  return ddr_refuse(reason, "the view is invalid: %s", ddr_array_status_text(status));
}

/* --- writing ---------------------------------------------------------------------------------- */

static void copy(const ddr_ndview *from, const ddr_ndview *to) {
  const ddr_range range = ddr_ndview_range(to);
  const ddr_source source = ddr_source_of(from, to->type);
  ddr_block_buffer buffer;
  for (int64_t p = 0; p < range.n; p += DDR_SOURCE_BLOCK) {
    const int64_t rest = range.n - p, n = rest < DDR_SOURCE_BLOCK ? rest : DDR_SOURCE_BLOCK;
    const void *block = ddr_source_block(&source, p, n, &buffer);
    ddr_range_scatter(&range, ddr_element_size(to->type), p, n, block);
  }
}

static ddr_status write_values(const diderot_view_t *values, const diderot_view_t *view,
                               ddr_reason *reason) {
  ddr_ndview from = {0}, to = {0};
  if (check_shape(values, view, reason) != DDR_OK || array_of(view, &to, reason) != DDR_OK ||
      check_distinct(&to, reason) != DDR_OK || array_of(values, &from, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  copy(&from, &to);
  return DDR_OK;
}

/* Gives the values of a tensor, whose components are one axis, the axes that the view has for them:
 * as many components in all, row-major.  Tensors have no axes of one component. */
static void split_components(diderot_view_t *values, const diderot_view_t *view) {
  const uint32_t first = values->rank - 1;
  size_t rest = values->shape[first];
  ptrdiff_t stride = values->strides[first];
  for (uint32_t k = first; k < view->rank; k++) {
    if (view->shape[k] < 2 || rest % view->shape[k] != 0) return;
    rest /= view->shape[k];
  }
  if (rest != 1) return;
  for (uint32_t k = view->rank; k-- > first; stride *= (ptrdiff_t)view->shape[k]) {
    values->shape[k] = view->shape[k];
    values->strides[k] = stride;
  }
  values->rank = view->rank;
}

/* Writes an output to a view, or to the view that is part of a frame. */
static ddr_status write_output(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                               ddr_reason *reason) {
  diderot_view_t values, its_view = *view;
  void *gathered;
  if (ddr_library_look(world, idx, DDR_OUTPUT, &values, &gathered) != DDR_OK) return DDR_ERROR;
  if (world->program->outputs[idx].n_components > 1 && its_view.rank > values.rank)
    split_components(&values, &its_view);
  if (its_view.rank == values.rank + 1 && its_view.shape[values.rank] == 1) its_view.rank--;
  const ddr_status status = write_values(&values, &its_view, reason);
  free(gathered);
  return status == DDR_OK ? DDR_OK : ddr_library_refuse(world, idx, reason->text);
}

static ddr_status write_view(ddr_world *world, uint32_t idx, const diderot_view_t *view) {
  ddr_reason reason;
  if (ddr_library_check_turn(world, idx, "output_write_view") != DDR_OK) return DDR_ERROR;
  if (!view) return ddr_library_refuse(world, idx, "the view is NULL");
  const uint32_t most = sizeof view->shape / sizeof *view->shape;
  if (view->rank <= most) return write_output(world, idx, view, &reason);
  ddr_refuse(&reason, "the view has rank %u, expected at most %u", (unsigned)view->rank,
             (unsigned)most);
  return ddr_library_refuse(world, idx, reason.text);
}

bool ddr_library_write_view(ddr_world *world, uint32_t idx, const diderot_view_t *view) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, write_view(world, idx, view));
}

/* --- frames ----------------------------------------------------------------------------------- */

static ddr_status find_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame,
                             diderot_view_t *view, ddr_reason *reason) {
  const ddr_program *program = world->program;
  const ddr_output *output = &program->outputs[idx];
  const ddr_grid nowhere = {.dim = (int)program->rank};
  const ddr_image_request request = {
      .name = output->name, .dim = (int)program->rank, .n_components = (int)output->n_components};
  ddr_framed framed;
  if (program->is_collection || program->rank < 2 || program->rank > 3) {
    return ddr_refuse(reason, "only the output of a grid of 2 or 3 axes can be written to a frame");
  }
  if (ddr_frame_part(frame, &request, &nowhere, &framed, reason) != DDR_OK) return DDR_ERROR;
  if (!frame->data) return ddr_refuse(reason, "the frame has no data");
  *view = framed.view;
  view->data = (char *)frame->data + framed.offset;
  return DDR_OK;
}

static ddr_status write_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame) {
  ddr_reason reason;
  diderot_view_t view;
  if (ddr_library_check_turn(world, idx, "output_write_frame") != DDR_OK) return DDR_ERROR;
  if (!frame) return ddr_library_refuse(world, idx, "the frame is NULL");
  if (find_frame(world, idx, frame, &view, &reason) != DDR_OK) {
    return ddr_library_refuse(world, idx, reason.text);
  }
  return write_output(world, idx, &view, &reason);
}

bool ddr_library_write_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, write_frame(world, idx, frame));
}
