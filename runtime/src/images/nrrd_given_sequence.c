/* nrrd_given_sequence.c: arrays in the memory of a client as sequences of a world, copied or lent.
 *
 * Read next: nrrd_sequence.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/values.h"

static ddr_status fill_sequence(ddr_world *world, const Nrrd *nrrd, const ddr_seq_request *request,
                                ddr_seq *seq, ddr_reason *reason) {
  return nrrd ? ddr_nrrd_fill_sequence(world, nrrd, request, seq, reason)
              : ddr_refuse(reason, "out of memory");
}

ddr_status ddr_nrrd_given_sequence(ddr_world *world, const ddr_seq_request *request,
                                   const void *client, ddr_seq *seq) {
  ddr_reason reason;
  if (ddr_nrrd_check_given(client, &reason) != DDR_OK ||
      ddr_nrrd_check_sequence(client, request, &reason) != DDR_OK ||
      fill_sequence(world, client, request, seq, &reason) != DDR_OK) {
    return ddr_refuse_given(world, request->name, &reason);
  }
  return DDR_OK;
}

/* --- views ------------------------------------------------------------------------------------ */

static char *pack_axis(const diderot_view_t *view, uint32_t axis, const char *src, char *dst) {
  const size_t size = nrrdTypeSize[view->type];
  if (axis == view->rank) {
    memcpy(dst, src, size);
    return dst + size;
  }
  for (size_t k = 0; k < view->shape[axis]; k++) {
    dst = pack_axis(view, axis + 1, src + (ptrdiff_t)k * view->strides[axis], dst);
  }
  return dst;
}

/* A packed array of all scalars of a non-empty view.  Free it with nrrdNix, and *copy. */
static Nrrd *row_of_view(const diderot_view_t *view, void **copy) {
  const size_t n = ddr_view_count(view), size = nrrdTypeSize[view->type];
  const bool is_row = ddr_view_is_packed(view, 0) && (uintptr_t)view->data % size == 0;
  Nrrd *nrrd = nrrdNew();
  *copy = NULL;
  if (nrrd && !is_row) {
    *copy = malloc(n * size);
    if (!*copy) return nrrdNix(nrrd);
    pack_axis(view, 0, view->data, *copy);
  }
  if (!nrrd) return NULL;
  nrrd->data = *copy ? *copy : view->data;
  nrrd->type = view->type;
  nrrd->dim = 1;
  nrrd->axis[0].size = n;
  return nrrd;
}

static bool is_as_wanted(const ddr_world *world, const ddr_seq_request *request,
                         const diderot_view_t *view) {
  const size_t size = ddr_value_size(world->program, request->kind);
  const bool is_real =
      request->kind == DDR_REAL && (view->type == nrrdTypeFloat || view->type == nrrdTypeDouble);
  const bool is_int =
      request->kind == DDR_INT && (view->type == nrrdTypeInt || view->type == nrrdTypeLLong);
  return (is_real || is_int) && nrrdTypeSize[view->type] == size && ddr_view_is_packed(view, 0) &&
         (uintptr_t)view->data % size == 0;
}

static ddr_status lend_sequence(ddr_world *world, const ddr_seq_request *request,
                                const diderot_view_t *view, ddr_seq *seq, ddr_reason *reason) {
  char text[DDR_REASON_SIZE];
  const size_t size = request->n_components * ddr_value_size(world->program, request->kind);
  const char *refusal =
      ddr_seq_lent(&world->pool, size, (int64_t)view->shape[0], view->data, seq, text);
  return refusal ? ddr_refuse(reason, "%s", refusal) : DDR_OK;
}

static ddr_status copy_sequence(ddr_world *world, const ddr_seq_request *request,
                                const diderot_view_t *view, ddr_seq *seq, ddr_reason *reason) {
  void *copy;
  Nrrd *row = row_of_view(view, &copy);
  const ddr_status status = fill_sequence(world, row, request, seq, reason);
  nrrdNix(row);
  free(copy);
  return status;
}

ddr_status ddr_view_sequence(ddr_world *world, const ddr_seq_request *request, ddr_taking taking,
                             const diderot_view_t *view, ddr_seq *seq) {
  ddr_reason reason;
  *seq = ddr_seq_empty();
  if (ddr_view_check(view, &reason) != DDR_OK ||
      ddr_view_check_components(view, 1, request->n_components, &reason) != DDR_OK) {
    return ddr_refuse_given(world, request->name, &reason);
  }
  if (view->shape[0] == 0) return DDR_OK;
  const ddr_status status = taking == DDR_LENT && is_as_wanted(world, request, view)
                                ? lend_sequence(world, request, view, seq, &reason)
                                : copy_sequence(world, request, view, seq, &reason);
  return status == DDR_OK ? DDR_OK : ddr_refuse_given(world, request->name, &reason);
}
