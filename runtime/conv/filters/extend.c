/* extend.c: copies of arrays, extended by the border rules. */
#include "runtime/conv/filters/extend.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/element/parallel_for.h"

#if defined(DDR_SMALL_SIZES)
enum { FEW_BYTES = 64, PARTS_PER_THREAD = 2 };
#else
enum { FEW_BYTES = 1 << 18, PARTS_PER_THREAD = 4 };
#endif

int64_t ddr_border_index(ddr_extension extension, int64_t idx, int64_t n) {
  if (idx >= 0 && idx < n) return idx;
  switch (extension) {
  case DDR_EXTEND_CLAMP: return idx < 0 ? 0 : n - 1;
  case DDR_EXTEND_WRAP: return idx % n < 0 ? idx % n + n : idx % n;
  case DDR_EXTEND_MIRROR: {
    const int64_t rest = idx % (2 * n) < 0 ? idx % (2 * n) + 2 * n : idx % (2 * n);
    return rest < n ? rest : 2 * n - 1 - rest;
  }
  case DDR_EXTEND_NONE:
  case DDR_EXTEND_CONSTANT: break;
  }
  return -1;
}

/* The value truncated to an integer within the range of an element's type; 0 for NaN. */
static int64_t whole(double value, double least, double most) {
  if (!(value == value)) return 0;
  if (value <= least) return (int64_t)least;
  if (value >= most) return most >= 0x1p63 ? INT64_MAX : (int64_t)most;
  return (int64_t)value;
}

/* Stores the constant for the outside as an element of the type. */
static void store_constant(ddr_element type, double value, void *element) {
  switch (type) {
#define WHOLE(id, c_type, least, most)                                                             \
  case DDR_ELEMENT_##id: *(c_type *)element = (c_type)whole(value, least, most); break;
    WHOLE(INT8, int8_t, INT8_MIN, INT8_MAX)
    WHOLE(UINT8, uint8_t, 0, UINT8_MAX)
    WHOLE(INT16, int16_t, INT16_MIN, INT16_MAX)
    WHOLE(UINT16, uint16_t, 0, UINT16_MAX)
    WHOLE(INT32, int32_t, INT32_MIN, INT32_MAX)
    WHOLE(UINT32, uint32_t, 0, UINT32_MAX)
    WHOLE(INT64, int64_t, -0x1p63, 0x1p63)
#undef WHOLE
  case DDR_ELEMENT_UINT64:
    *(uint64_t *)element = !(value > 0) ? 0 : value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
    break;
  case DDR_ELEMENT_FLOAT: *(float *)element = (float)value; break;
  case DDR_ELEMENT_DOUBLE: *(double *)element = value; break;
  case DDR_ELEMENT_CFLOAT:
    *(ddr_complex_float *)element = (ddr_complex_float){(float)value, 0};
    break;
  case DDR_ELEMENT_CDOUBLE: *(ddr_complex_double *)element = (ddr_complex_double){value, 0}; break;
  case DDR_ELEMENT_BOOL:
  case DDR_ELEMENT_COUNT: break; /* refused */
  }
}

typedef struct Copy {
  const ddr_ndview *view;
  const int64_t *begin, *end;
  ddr_outside border;
  size_t size;
  ddr_complex_double constant; /* its first `size` bytes are the element */
} Copy;

/* Copies the row at an offset of the view, extended along the last axis; if not is_inside, the
 * constant. */
static char *copy_row(const Copy *copy, int64_t offset, bool is_inside, char *to) {
  const ddr_layout *layout = &copy->view->layout;
  const int last = layout->rank - 1;
  const int64_t n = layout->len[last], stride = layout->stride[last];
  const char *row = (const char *)copy->view->data + offset * (int64_t)copy->size;
  int64_t k = copy->begin[last];
  while (k < copy->end[last]) {
    const int64_t from = is_inside ? ddr_border_index(copy->border.extension, k, n) : -1;
    int64_t n_now = 1;
    if (is_inside && stride == 1 && k >= 0 && k < n) { /* copies all elements inside at once */
      n_now = (n < copy->end[last] ? n : copy->end[last]) - k;
    }
    const int64_t bytes = from * stride * (int64_t)copy->size;
    memcpy(to, from < 0 ? (const char *)&copy->constant : row + bytes, (size_t)n_now * copy->size);
    to += (size_t)n_now * copy->size;
    k += n_now;
  }
  return to;
}

static char *copy_axis(const Copy *copy, int axis, int64_t offset, bool is_inside, char *to) {
  const ddr_layout *layout = &copy->view->layout;
  if (axis == layout->rank - 1) return copy_row(copy, offset, is_inside, to);
  for (int64_t k = copy->begin[axis]; k < copy->end[axis]; k++) {
    const int64_t from = ddr_border_index(copy->border.extension, k, layout->len[axis]);
    to = copy_axis(copy, axis + 1, offset + (from < 0 ? 0 : from) * layout->stride[axis],
                   is_inside && from >= 0, to);
  }
  return to;
}

/* A copy, divided along the first axis. */
typedef struct Parts {
  const Copy *whole;
  const ddr_layout *to;
  char *data;
  int64_t n;
} Parts;

static void copy_part(void *data, int64_t number) {
  const Parts *parts = data;
  const Copy *whole = parts->whole;
  const int rank = parts->to->rank;
  const int64_t len = parts->to->len[0];
  const int64_t first = ddr_share_begin(len, number, parts->n);
  int64_t begin[DDR_MAX_RANK], end[DDR_MAX_RANK];
  memcpy(begin, whole->begin, (size_t)rank * sizeof *begin);
  memcpy(end, whole->end, (size_t)rank * sizeof *end);
  begin[0] = whole->begin[0] + first;
  end[0] = whole->begin[0] + ddr_share_begin(len, number + 1, parts->n);
  Copy part = *whole;
  part.begin = begin;
  part.end = end;
  char *to = parts->data + first * parts->to->stride[0] * (int64_t)whole->size;
  copy_axis(&part, 0, whole->view->layout.offset, true, to);
}

/* Fresh memory is also provided by the system when it is first written, so threads pay for arrays
 * that caches could hold. */
static void copy_all(const Copy *copy, int n_threads, const ddr_ndview *to) {
  const ddr_layout *layout = &to->layout;
  const int64_t n_bytes = layout->stride[0] * layout->len[0] * (int64_t)copy->size;
  Parts parts = {.whole = copy, .to = layout, .data = to->data, .n = 1};
  if (n_threads > 1 && n_bytes > FEW_BYTES) parts.n = PARTS_PER_THREAD * (int64_t)n_threads;
  if (parts.n > layout->len[0]) parts.n = layout->len[0];
  ddr_parallel_for(n_threads, parts.n, copy_part, &parts);
}

ddr_array_status ddr_ndview_extend(const ddr_ndview *view, const int64_t *begin, const int64_t *end,
                                   ddr_outside border, ddr_ndview *extended) {
  return ddr_extend_by(1, view, begin, end, border, extended);
}

ddr_array_status ddr_extend_by(int n_threads, const ddr_ndview *view, const int64_t *begin,
                               const int64_t *end, ddr_outside border, ddr_ndview *extended) {
  DDR_NEED(begin && end && extended);
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_extension_is_there(border.extension)) return DDR_ARRAY_EOPERATION;
  const ddr_layout *layout = &view->layout;
  int64_t len[DDR_MAX_RANK];
  if (ddr_ndview_is_empty(view) || layout->rank == 0) return DDR_ARRAY_EDIM;
  for (int k = 0; k < layout->rank; k++) {
    if (begin[k] >= end[k]) return DDR_ARRAY_ERANGE;
    if (begin[k] < 0 && end[k] > INT64_MAX + begin[k]) return DDR_ARRAY_EOVERFLOW;
    len[k] = end[k] - begin[k];
  }
  if (view->type == DDR_ELEMENT_BOOL) return DDR_ARRAY_ETYPE;
  if (view->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  ddr_ndview copy;
  const ddr_array_status status = ddr_ndview_new(view->type, layout->rank, len, DDR_HOST, &copy);
  if (status != DDR_ARRAY_OK) return status;
  Copy job = {view, begin, end, border, ddr_element_size(view->type), {0, 0}};
  if (border.extension == DDR_EXTEND_CONSTANT) {
    store_constant(view->type, border.value, &job.constant);
  }
  copy_all(&job, n_threads, &copy);
  *extended = copy;
  return DDR_ARRAY_OK;
}
