/* nrrd_given.c: arrays in the memory of a client as images of a world.
 *
 * A Nrrd is checked like a file with its header.  A view has no header: its shape, slowest axis
 * first, is that of the input, with the axes of a tensor last.  A frame becomes such a view
 * (nrrd_frame.c).  Samples that generated code can read in place are borrowed; all others are
 * copied, and converted unless the program reads their type.  Whether there is spare memory does
 * not change any result. Read next: nrrd_image.c, nrrd_given_sequence.c.
 */
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "local.h"

static ddr_status take_rows(ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                            ddr_sample wanted, ddr_image_list *image, ddr_reason *reason) {
  ddr_stay stay;
  if (ddr_rows_can_stay(world, rows, header, wanted, &stay)) {
    return ddr_rows_borrow(header, rows, stay.in_place, image, reason);
  }
  return ddr_nrrd_fill(world, rows, header, stay.in_copy, &image->image, reason);
}

ddr_status ddr_refuse_given(ddr_world *world, const char *input, const ddr_reason *reason) {
  return ddr_error(world, "%s: cannot use the given array: %s", input, reason->text);
}

/* --- Nrrds ------------------------------------------------------------------------------------ */

void *ddr_nrrd_data(const void *client) { return ((const Nrrd *)client)->data; }

ddr_status ddr_nrrd_check_given(const Nrrd *nrrd, ddr_reason *reason) {
  if (!nrrd) return ddr_refuse(reason, "the nrrd is NULL");
  if (!nrrd->data || nrrd->dim < 1 || nrrd->dim > NRRD_DIM_MAX) {
    return ddr_refuse(reason, "the nrrd holds no data");
  }
  if (nrrd->type <= nrrdTypeUnknown || nrrd->type >= nrrdTypeBlock) {
    return ddr_refuse(reason, "its samples are not numbers");
  }
  for (unsigned k = 0; k < nrrd->dim; k++) {
    if (nrrd->axis[k].size == 0) {
      return ddr_refuse(reason, "nrrd axis[%u] has size 0 (expected at least 1)", k);
    }
  }
  return DDR_OK;
}

/* The bytes that malloc allocated beyond the request. */
static size_t spare_of(const Nrrd *nrrd) {
#if defined(__GLIBC__)
  return malloc_usable_size(nrrd->data) - nrrdElementNumber(nrrd) * nrrdElementSize(nrrd);
#else
  (void)nrrd;
  return 0;
#endif
}

ddr_status ddr_nrrd_given_image(ddr_world *world, const ddr_image_request *request,
                                const void *client, ddr_image_list *image) {
  const Nrrd *nrrd = client;
  ddr_nrrd_image header;
  ddr_rows rows;
  ddr_reason reason;
  ddr_status status = ddr_nrrd_check_given(nrrd, &reason);
  if (status == DDR_OK) status = ddr_nrrd_find_rows(nrrd, request, &header, &rows, &reason);
  if (status == DDR_OK) {
    rows.spare += spare_of(nrrd);
    status = take_rows(world, &rows, &header, request->sample, image, &reason);
  }
  return status == DDR_OK ? DDR_OK : ddr_refuse_given(world, request->name, &reason);
}

/* --- views ------------------------------------------------------------------------------------ */

ddr_status ddr_view_check_image(const diderot_view_t *view, const ddr_image_request *request,
                                ddr_nrrd_image *header, ddr_reason *reason) {
  const uint32_t dim = (uint32_t)request->dim;
  if (ddr_view_check(view, reason) != DDR_OK ||
      ddr_view_check_components(view, dim, (size_t)request->n_components, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  for (uint32_t k = 0; k < dim; k++) {
    if (view->shape[k] == 0) {
      return ddr_refuse(reason, "axis %u of the view has size 0 (expected at least 1)",
                        (unsigned)k);
    }
    header->grid.size[dim - 1 - k] = (int64_t)view->shape[k];
  }
  return DDR_OK;
}

/* The offsets in bytes of the samples of a voxel from the first one: row-major over the axes from
 * `first` on. */
static void find_components(const diderot_view_t *view, uint32_t first, size_t n,
                            ptrdiff_t *offset) {
  for (size_t k = 0; k < n; k++) {
    size_t rest = k;
    offset[k] = 0;
    for (uint32_t axis = view->rank; axis-- > first;) {
      offset[k] += (ptrdiff_t)(rest % view->shape[axis]) * view->strides[axis];
      rest /= view->shape[axis];
    }
  }
}

static ddr_status take_view(ddr_world *world, const ddr_image_request *request,
                            const diderot_view_t *view, const ddr_nrrd_image *header,
                            ddr_image_list *image, ddr_reason *reason) {
  const uint32_t dim = (uint32_t)request->dim;
  const bool needs_spare = view->spare == SIZE_MAX && !world->program->has_exact_rows;
  ddr_rows rows = {.data = view->data, .type = view->type, .spare = needs_spare ? 0 : view->spare};
  for (uint32_t axis = 0; axis < dim; axis++) rows.step[axis] = view->strides[dim - 1 - axis];
  if (ddr_view_is_packed(view, dim)) {
    return take_rows(world, &rows, header, request->sample, image, reason);
  }
  const size_t n = (size_t)request->n_components;
  ptrdiff_t *components = malloc(n * sizeof *components);
  if (!components) return ddr_refuse(reason, "out of memory");
  find_components(view, dim, n, components);
  rows.component = components;
  const ddr_status status = take_rows(world, &rows, header, request->sample, image, reason);
  free(components);
  return status;
}

ddr_status ddr_view_image(ddr_world *world, const ddr_image_request *request,
                          const diderot_view_t *view, const ddr_grid *place,
                          ddr_image_list *image) {
  ddr_nrrd_image header = {
      .grid = *place, .n_components = request->n_components, .n_stored = request->n_components};
  ddr_reason reason;
  ddr_status status = ddr_view_check_image(view, request, &header, &reason);
  if (status == DDR_OK) status = take_view(world, request, view, &header, image, &reason);
  return status == DDR_OK ? DDR_OK : ddr_refuse_given(world, request->name, &reason);
}
