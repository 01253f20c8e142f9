/* nrrd_layout.c: see nrrd_layout.h. */
#include "nrrd_layout.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "runtime/header/kinds.h"

/* --- types ------------------------------------------------------------------------------------ */

/* The element type for each sample type of Teem. */
static const struct {
  int type;
  ddr_element element;
} types[] = {
    {nrrdTypeChar, DDR_ELEMENT_INT8},      {nrrdTypeUChar, DDR_ELEMENT_UINT8},
    {nrrdTypeShort, DDR_ELEMENT_INT16},    {nrrdTypeUShort, DDR_ELEMENT_UINT16},
    {nrrdTypeInt, DDR_ELEMENT_INT32},      {nrrdTypeUInt, DDR_ELEMENT_UINT32},
    {nrrdTypeLLong, DDR_ELEMENT_INT64},    {nrrdTypeULLong, DDR_ELEMENT_UINT64},
    {nrrdTypeFloat, DDR_ELEMENT_FLOAT},    {nrrdTypeDouble, DDR_ELEMENT_DOUBLE},
    {nrrdTypeUChar, DDR_ELEMENT_BOOL},     {nrrdTypeFloat, DDR_ELEMENT_CFLOAT},
    {nrrdTypeDouble, DDR_ELEMENT_CDOUBLE},
};

enum { N_TYPES = sizeof types / sizeof *types };

static bool has_complex_axis(const Nrrd *nrrd) {
  const bool is_real = nrrd->type == nrrdTypeFloat || nrrd->type == nrrdTypeDouble;
  return is_real && nrrd->dim > 0 && nrrd->axis[0].kind == nrrdKindComplex &&
         nrrd->axis[0].size == 2;
}

bool ddr_element_of_nrrd_type(int type, ddr_element *element) {
  for (int k = 0; k < N_TYPES; k++) {
    if (types[k].type != type) continue;
    *element = types[k].element;
    return true;
  }
  return false;
}

/* False for blocks. */
static bool find_element(const Nrrd *nrrd, ddr_element *element) {
  if (has_complex_axis(nrrd)) {
    *element = nrrd->type == nrrdTypeFloat ? DDR_ELEMENT_CFLOAT : DDR_ELEMENT_CDOUBLE;
    return true;
  }
  return ddr_element_of_nrrd_type(nrrd->type, element);
}

static int type_of(ddr_element element) {
  int k = 0;
  while (types[k].element != element) k++;
  return types[k].type;
}

/* --- orders ----------------------------------------------------------------------------------- */

int ddr_nrrd_component_axes(const Nrrd *nrrd) {
  unsigned n = has_complex_axis(nrrd);
  const int first = (int)n;
  for (; n < nrrd->dim; n++) {
    const NrrdAxisInfo *axis = &nrrd->axis[n];
    if (ddr_kind_is_spatial(axis->kind) || AIR_EXISTS(axis->spaceDirection[0])) break;
  }
  return (int)n - first;
}

/* An order of axes: (z, y, x, components...), the reverse of the file's, to (components..., z, y,
 * x). */
static void components_first(int rank, int n_components, int *order) {
  for (int k = 0; k < rank; k++) order[k] = (k + rank - n_components) % rank;
}

static void components_last(int rank, int n_components, int *order) {
  for (int k = 0; k < rank; k++) order[k] = (k + n_components) % rank;
}

/* --- from Teem -------------------------------------------------------------------------------- */

ddr_array_status ddr_ndview_from_nrrd(const Nrrd *nrrd, int n_components, ddr_cleanup *cleanup,
                                      ddr_ndview *view) {
  ddr_element element;
  if (!find_element(nrrd, &element)) return DDR_ARRAY_ETYPE;
  const unsigned n_inside = has_complex_axis(nrrd);
  const int rank = (int)(nrrd->dim - n_inside);
  int64_t len[DDR_MAX_RANK] = {0};
  int order[DDR_MAX_RANK];
  ddr_layout layout;
  if (n_components < 0 || n_components > rank) return DDR_ARRAY_EDIM;
  for (int k = 0; k < rank; k++) len[k] = (int64_t)nrrd->axis[nrrd->dim - 1 - (unsigned)k].size;
  ddr_array_status status = ddr_layout_packed(rank, len, &layout);
  components_first(rank, n_components, order);
  if (status == DDR_ARRAY_OK) status = ddr_layout_permute(&layout, order, &layout);
  if (status != DDR_ARRAY_OK) return status;
  return ddr_ndview_wrap(element, nrrd->data, &layout, DDR_HOST, cleanup, view);
}

ddr_array_status ddr_ndview_take_nrrd(Nrrd *nrrd, int n_components, ddr_ndview *view) {
  ddr_cleanup *cleanup = ddr_cleanup_new(free, nrrd->data);
  if (!cleanup) return DDR_ARRAY_ENOMEM;
  const ddr_array_status status = ddr_ndview_from_nrrd(nrrd, n_components, cleanup, view);
  if (status == DDR_ARRAY_OK) {
    nrrd->data = NULL;
  } else {
    ddr_cleanup_give(cleanup, free, nrrd->data);
  }
  return status;
}

/* --- to Teem ---------------------------------------------------------------------------------- */

typedef struct {
  char *next;
  size_t element_size;
} Copy;

static void copy_row(void *context, void *data, int64_t stride, int64_t n) {
  Copy *copy = context;
  const int64_t step = stride * (int64_t)copy->element_size;
  if (stride == 1) {
    memcpy(copy->next, data, (size_t)n * copy->element_size);
  } else {
    for (int64_t k = 0; k < n; k++) {
      memcpy(copy->next + (size_t)k * copy->element_size, (char *)data + k * step,
             copy->element_size);
    }
  }
  copy->next += (size_t)n * copy->element_size;
}

/* A copy of the elements in canonical order; NULL: out of memory. */
static void *copy_of(const ddr_ndview *view) {
  const size_t size = ddr_element_size(view->type);
  void *data = malloc((size_t)ddr_ndview_size(view) * size);
  Copy copy = {data, size};
  const ddr_range range = ddr_ndview_range(view);
  if (data) ddr_range_rows(&range, size, copy_row, &copy);
  return data;
}

/* The view's own memory, or a copy, for Teem to free; NULL: out of memory. */
static void *samples_of(ddr_ndview *view) {
  const bool is_whole = ddr_layout_is_canonical(&view->layout) && view->layout.offset == 0;
  if (is_whole && ddr_cleanup_give(view->cleanup, free, view->data)) {
    void *data = view->data;
    view->cleanup = NULL;
    return data;
  }
  return copy_of(view);
}

/* The sizes in the order of files; returns their number. */
static unsigned sizes_of(const ddr_ndview *view, size_t *sizes) {
  unsigned dim = 0;
  if (ddr_element_kind_of(view->type) == DDR_KIND_COMPLEX) sizes[dim++] = 2;
  for (int k = view->layout.rank; k-- > 0;) sizes[dim++] = (size_t)view->layout.len[k];
  if (dim == 0) sizes[dim++] = 1;
  return dim;
}

/* `files` is the view in the order of files. */
static ddr_array_status move_samples(ddr_ndview *files, Nrrd *nrrd) {
  size_t sizes[NRRD_DIM_MAX + 1] = {0};
  const unsigned dim = sizes_of(files, sizes);
  const bool is_complex = ddr_element_kind_of(files->type) == DDR_KIND_COMPLEX;
  if (dim > NRRD_DIM_MAX) return DDR_ARRAY_ERANK;
  if (ddr_ndview_is_empty(files)) return DDR_ARRAY_EDIM;
  if (files->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  const size_t most = PTRDIFF_MAX / ddr_element_size(files->type);
  if ((size_t)ddr_ndview_size(files) > most) return DDR_ARRAY_EOVERFLOW;
  void *data = samples_of(files);
  if (!data) return DDR_ARRAY_ENOMEM;
  nrrdEmpty(nrrd);
  nrrd->data = data;
  nrrd->type = type_of(files->type);
  nrrd->dim = dim;
  for (unsigned k = 0; k < dim; k++) nrrd->axis[k].size = sizes[k];
  if (is_complex) nrrd->axis[0].kind = nrrdKindComplex;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_nrrd_from_ndview(ddr_ndview *view, int n_components, Nrrd *nrrd) {
  const int rank = view->layout.rank;
  int order[DDR_MAX_RANK];
  if (n_components < 0 || n_components > rank) return DDR_ARRAY_EDIM;
  ddr_ndview files = *view; /* shares the view's reference */
  components_last(rank, n_components, order);
  ddr_array_status status = ddr_layout_permute(&view->layout, order, &files.layout);
  if (status == DDR_ARRAY_OK) status = move_samples(&files, nrrd);
  if (status != DDR_ARRAY_OK) return status;
  ddr_ndview_release(&files);
  *view = files;
  return DDR_ARRAY_OK;
}
