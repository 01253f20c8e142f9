/* nrrd_given.c: arrays in the memory of a client as images and sequences of a world.
 *
 * A Nrrd is judged as a file with its header would be.  A view has no header: its shape, slowest
 * axis first, is that of the input, with the axes of a tensor last.  Samples that lie as generated
 * code reads them are borrowed; all others are copied and converted, as from a file.
 * Read next: nrrd_image.c, nrrd_sequence.c.
 */
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "library.h"
#include "nrrd_local.h"

/* --- views ------------------------------------------------------------------------------------ */

static bool is_number(int type) { return type > nrrdTypeUnknown && type < nrrdTypeBlock; }

/* Scalars of a view, or -1 when no memory holds so many. */
static int64_t count_scalars(const diderot_view_t *view)
{
  int64_t n = 1;
  const int64_t most = PTRDIFF_MAX / (int64_t)nrrdTypeSize[view->type];
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] == 0) return 0;
  }
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] > (size_t)(most / n)) return -1;
    n *= (int64_t)view->shape[k];
  }
  return n;
}

static ddr_status check_view(const diderot_view_t *view, ddr_reason *reason)
{
  const uint32_t most = sizeof view->shape / sizeof *view->shape;
  if (view->rank > most) {
    return ddr_refuse(reason, "the view has rank %u, expected at most %u", (unsigned)view->rank,
                      (unsigned)most);
  }
  if (!is_number(view->type)) {
    return ddr_refuse(reason, "the view has samples of type %d, which are no numbers", view->type);
  }
  if (count_scalars(view) < 0) return ddr_refuse(reason, "the view has more samples than memory");
  if (!view->data && count_scalars(view) > 0) return ddr_refuse(reason, "the view has no data");
  return DDR_OK;
}

/* The axes from `first` on are those of one element. */
static ddr_status check_components(const diderot_view_t *view, uint32_t first, size_t n_components,
                                   ddr_reason *reason)
{
  size_t n = 1;
  if (view->rank < first || (view->rank == first && n_components > 1)) {
    return ddr_refuse(reason, "the view has rank %u, expected %u", (unsigned)view->rank,
                      (unsigned)(first + (n_components > 1)));
  }
  for (uint32_t k = first; k < view->rank && n <= n_components; k++) n *= view->shape[k];
  if (n == n_components) return DDR_OK;
  return ddr_refuse(reason, "the view has %zu values per element, expected %zu", n, n_components);
}

/* Whether the axes from `first` on are row-major and without gaps. */
static bool is_packed(const diderot_view_t *view, uint32_t first)
{
  ptrdiff_t stride = (ptrdiff_t)nrrdTypeSize[view->type];
  for (uint32_t k = view->rank; k-- > first;) {
    if (view->shape[k] != 1 && view->strides[k] != stride) return false;
    stride *= (ptrdiff_t)view->shape[k];
  }
  return true;
}

static char *pack_axis(const diderot_view_t *view, uint32_t axis, const char *src, char *dst)
{
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

/* A plain row of all scalars of a view, which has some.  Free with nrrdNix, and *copy. */
static Nrrd *row_of_view(const diderot_view_t *view, void **copy)
{
  const size_t n = (size_t)count_scalars(view);
  Nrrd *nrrd = nrrdNew();
  *copy = NULL;
  if (nrrd && !is_packed(view, 0)) {
    *copy = malloc(n * nrrdTypeSize[view->type]);
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

/* --- borrowed images -------------------------------------------------------------------------- */

/* Samples as they lie in the client's memory. */
typedef struct {
  void *data;                  /* component 0 of voxel (0,0,0) */
  int type;
  ptrdiff_t step[DDR_MAX_DIM]; /* bytes to the next voxel along x, y, z */
  size_t spare;                /* readable bytes behind the last one in memory */
} Place;

/* What generated code takes samples of that type for, if it can read them. */
static bool find_sample(const ddr_world *world, int type, ddr_sample wanted, ddr_sample *sample)
{
  const bool is_real =
    type == (world->program->real_size == sizeof(float) ? nrrdTypeFloat : nrrdTypeDouble);
  *sample = is_real ? DDR_SAMPLE_REAL : ddr_nrrd_sample(type);
  return is_real || (*sample == wanted && wanted != DDR_SAMPLE_REAL);
}

/* Rows along x are read without gaps, and sometimes a few samples too many (image.h). */
static bool is_readable(const ddr_nrrd_image *header, const Place *place)
{
  const ptrdiff_t size = (ptrdiff_t)nrrdTypeSize[place->type];
  if (header->source || (uintptr_t)place->data % (size_t)size != 0) return false;
  for (int axis = 0; axis < header->grid.dim; axis++) {
    const size_t n = (size_t)header->grid.size[axis];
    if (place->step[axis] % size != 0 || n < DDR_MAX_TAPS || n > DDR_LONGEST_EXACT) return false;
  }
  return place->step[DDR_X] == header->n_components * size &&
         place->spare >= DDR_ROW_SLACK * (size_t)size;
}

static ddr_status borrow(const ddr_nrrd_image *header, const Place *place, ddr_sample sample,
                         ddr_image_list *image, ddr_reason *reason)
{
  if (ddr_nrrd_describe(header, &image->image, reason) != DDR_OK) return DDR_ERROR;
  for (int axis = 0; axis < header->grid.dim; axis++) {
    image->image.stride[axis] = place->step[axis] / (ptrdiff_t)nrrdTypeSize[place->type];
  }
  image->image.sample = sample;
  image->image.samples = place->data;
  image->is_borrowed = true;
  return DDR_OK;
}

static ddr_status refuse(ddr_world *world, const char *name, const ddr_reason *reason)
{
  return ddr_error(world, "%s: cannot use the given array: %s", name, reason->text);
}

/* --- images ----------------------------------------------------------------------------------- */

void *ddr_nrrd_data(const void *client) { return ((const Nrrd *)client)->data; }

static ddr_status check_nrrd(const Nrrd *nrrd, ddr_reason *reason)
{
  if (!nrrd) return ddr_refuse(reason, "the nrrd is NULL");
  if (!nrrd->data || nrrd->dim < 1 || nrrd->dim > NRRD_DIM_MAX) {
    return ddr_refuse(reason, "the nrrd holds no data");
  }
  if (!is_number(nrrd->type)) return ddr_refuse(reason, "its samples are no numbers");
  for (unsigned k = 0; k < nrrd->dim; k++) {
    if (nrrd->axis[k].size == 0) {
      return ddr_refuse(reason, "nrrd axis[%u] has size 0 (expected at least 1)", k);
    }
  }
  return DDR_OK;
}

/* What malloc gave beyond what was asked for. */
static size_t spare_of(const Nrrd *nrrd)
{
#if defined(__GLIBC__)
  return malloc_usable_size(nrrd->data) - nrrdElementNumber(nrrd) * nrrdElementSize(nrrd);
#else
  (void)nrrd;
  return 0;
#endif
}

static Place place_of_nrrd(const Nrrd *nrrd, const ddr_nrrd_image *header)
{
  Place place = {.data = nrrd->data, .type = nrrd->type, .spare = spare_of(nrrd)};
  ptrdiff_t step = header->n_stored * (ptrdiff_t)nrrdTypeSize[nrrd->type];
  for (int axis = 0; axis < header->grid.dim; axis++) {
    place.step[axis] = step;
    step *= (ptrdiff_t)header->grid.size[axis];
  }
  return place;
}

ddr_status ddr_nrrd_given_image(ddr_world *world, const ddr_image_request *request,
                                const void *client, ddr_image_list *image)
{
  const Nrrd *nrrd = client;
  ddr_nrrd_image header;
  ddr_reason reason;
  if (check_nrrd(nrrd, &reason) != DDR_OK ||
      ddr_nrrd_normalize(nrrd, request, &header, &reason) != DDR_OK) {
    return refuse(world, request->name, &reason);
  }
  const Place place = place_of_nrrd(nrrd, &header);
  ddr_sample sample;
  ddr_status status;
  if (find_sample(world, nrrd->type, request->sample, &sample) && is_readable(&header, &place)) {
    status = borrow(&header, &place, sample, image, &reason);
  } else {
    status = ddr_nrrd_fill(world, nrrd, &header, request->sample, &image->image, &reason);
  }
  return status == DDR_OK ? DDR_OK : refuse(world, request->name, &reason);
}

/* The axes of a view run from the slowest on. */
static Place place_of_view(const diderot_view_t *view, int dim)
{
  Place place = {.data = view->data, .type = view->type, .spare = view->spare};
  for (int axis = 0; axis < dim; axis++) place.step[axis] = view->strides[dim - 1 - axis];
  return place;
}

static ddr_status copy_view(ddr_world *world, const diderot_view_t *view,
                            const ddr_nrrd_image *header, ddr_sample wanted, ddr_image *image,
                            ddr_reason *reason)
{
  void *copy;
  Nrrd *row = row_of_view(view, &copy);
  if (!row) return ddr_refuse(reason, "out of memory");
  const ddr_status status = ddr_nrrd_fill(world, row, header, wanted, image, reason);
  nrrdNix(row);
  free(copy);
  return status;
}

static ddr_status check_image_view(const diderot_view_t *view, const ddr_image_request *request,
                                   ddr_nrrd_image *header, ddr_reason *reason)
{
  const uint32_t dim = (uint32_t)request->dim;
  if (check_view(view, reason) != DDR_OK ||
      check_components(view, dim, (size_t)request->n_components, reason) != DDR_OK) {
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

ddr_status ddr_view_image(ddr_world *world, const ddr_image_request *request,
                          const diderot_view_t *view, const ddr_grid *place,
                          ddr_image_list *image)
{
  ddr_nrrd_image header = {.grid = *place, .n_components = request->n_components,
                           .n_stored = request->n_components};
  ddr_reason reason;
  ddr_status status = check_image_view(view, request, &header, &reason);
  if (status == DDR_OK) {
    const Place samples = place_of_view(view, request->dim);
    ddr_sample sample;
    const bool is_lent = find_sample(world, view->type, request->sample, &sample) &&
                         is_packed(view, (uint32_t)request->dim) && is_readable(&header, &samples);
    status = is_lent ? borrow(&header, &samples, sample, image, &reason)
                     : copy_view(world, view, &header, request->sample, &image->image, &reason);
  }
  return status == DDR_OK ? DDR_OK : refuse(world, request->name, &reason);
}

/* --- sequences -------------------------------------------------------------------------------- */

static ddr_status fill_sequence(ddr_world *world, const Nrrd *nrrd, const ddr_seq_request *request,
                                ddr_seq *seq, ddr_reason *reason)
{
  if (!nrrd || ddr_nrrd_fill_sequence(world, nrrd, request, seq) != DDR_OK) {
    return ddr_refuse(reason, "out of memory");
  }
  return DDR_OK;
}

ddr_status ddr_nrrd_given_sequence(ddr_world *world, const ddr_seq_request *request,
                                   const void *client, ddr_seq *seq)
{
  ddr_reason reason;
  if (check_nrrd(client, &reason) != DDR_OK ||
      ddr_nrrd_check_sequence(client, request, &reason) != DDR_OK ||
      fill_sequence(world, client, request, seq, &reason) != DDR_OK) {
    return refuse(world, request->name, &reason);
  }
  return DDR_OK;
}

ddr_status ddr_view_sequence(ddr_world *world, const ddr_seq_request *request,
                             const diderot_view_t *view, ddr_seq *seq)
{
  ddr_reason reason;
  *seq = ddr_seq_empty();
  if (check_view(view, &reason) != DDR_OK ||
      check_components(view, 1, request->n_components, &reason) != DDR_OK) {
    return refuse(world, request->name, &reason);
  }
  if (view->shape[0] == 0) return DDR_OK;
  void *copy;
  Nrrd *row = row_of_view(view, &copy);
  const ddr_status status = fill_sequence(world, row, request, seq, &reason);
  nrrdNix(row);
  free(copy);
  return status == DDR_OK ? DDR_OK : refuse(world, request->name, &reason);
}
