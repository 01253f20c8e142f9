/* convert.c: converts operands of any element type to packed arrays of reals or complex numbers. */
#include <stdlib.h>

#include "runtime/conv/task.h"
#include "runtime/element/cast.h"
#include "runtime/layout/storage.h"

ddr_element ddr_conv_exact_type(const ddr_conv_task *task) {
  const bool is_complex = ddr_element_kind_of(task->type[DDR_CONV_Z]) == DDR_KIND_COMPLEX;
  return is_complex ? DDR_ELEMENT_CDOUBLE : DDR_ELEMENT_DOUBLE;
}

/* Reads n elements, `stride` apart, as pairs of doubles.  If results are floats, integers are first
 * rounded to float. */
typedef void Read(const void *from, int64_t stride, int64_t n, ddr_complex_double *to);

#define READ(name, c_type, re_of, im_of)                                                           \
  static void name(const void *from, int64_t stride, int64_t n, ddr_complex_double *to) {          \
    const c_type *element = from;                                                                  \
    for (int64_t k = 0; k < n; k++, element += stride) {                                           \
      to[k].re = re_of;                                                                            \
      to[k].im = im_of;                                                                            \
    }                                                                                              \
  }
#define READ_INT(id, c_type)                                                                       \
  READ(read_##id##_as_float, c_type, (double)(float)*element, 0)                                   \
  READ(read_##id, c_type, (double)*element, 0)
READ_INT(i8, int8_t)
READ_INT(u8, uint8_t)
READ_INT(i16, int16_t)
READ_INT(u16, uint16_t)
READ_INT(i32, int32_t)
READ_INT(u32, uint32_t)
READ_INT(i64, int64_t)
READ_INT(u64, uint64_t)
READ(read_float, float, (double)*element, 0)
READ(read_double, double, *element, 0)
READ(read_cfloat, ddr_complex_float, (double)element->re, (double)element->im)
READ(read_cdouble, ddr_complex_double, element->re, element->im)

static Read *find_read(ddr_element type, bool is_float) {
  switch (type) {
  case DDR_ELEMENT_INT8: return is_float ? read_i8_as_float : read_i8;
  case DDR_ELEMENT_UINT8: return is_float ? read_u8_as_float : read_u8;
  case DDR_ELEMENT_INT16: return is_float ? read_i16_as_float : read_i16;
  case DDR_ELEMENT_UINT16: return is_float ? read_u16_as_float : read_u16;
  case DDR_ELEMENT_INT32: return is_float ? read_i32_as_float : read_i32;
  case DDR_ELEMENT_UINT32: return is_float ? read_u32_as_float : read_u32;
  case DDR_ELEMENT_INT64: return is_float ? read_i64_as_float : read_i64;
  case DDR_ELEMENT_UINT64: return is_float ? read_u64_as_float : read_u64;
  case DDR_ELEMENT_FLOAT: return read_float;
  case DDR_ELEMENT_DOUBLE: return read_double;
  case DDR_ELEMENT_CFLOAT: return read_cfloat;
  case DDR_ELEMENT_CDOUBLE: return read_cdouble;
  case DDR_ELEMENT_BOOL:
  case DDR_ELEMENT_COUNT: break; /* refused by the commit */
  }
  return read_u8;
}

/* Numbers that were rounded to float when they were read fit floats exactly. */
static void write(const ddr_complex_double *from, int64_t n, ddr_element type, bool is_conjugate,
                  void *to) {
  if (type == DDR_ELEMENT_FLOAT) {
    for (int64_t k = 0; k < n; k++) ((float *)to)[k] = (float)from[k].re;
  } else if (type == DDR_ELEMENT_DOUBLE) {
    for (int64_t k = 0; k < n; k++) ((double *)to)[k] = from[k].re;
  } else {
    for (int64_t k = 0; k < n; k++) {
      const double im = is_conjugate ? -from[k].im : from[k].im;
      ((ddr_complex_double *)to)[k] = (ddr_complex_double){from[k].re, im};
    }
  }
}

enum { CHUNK = 512 };

typedef struct Conversion {
  ddr_element from, to;
  Read *read;
  bool is_conjugate, is_cast; /* is_cast: the same as a cast */
} Conversion;

static Conversion conversion_of(ddr_element from, ddr_element to, bool is_float,
                                bool is_conjugate) {
  const ddr_element_kind kind = ddr_element_kind_of(from);
  const bool is_int = kind == DDR_KIND_INT || kind == DDR_KIND_UINT;
  const bool is_rounded_twice = is_int && is_float && to != DDR_ELEMENT_FLOAT;
  return (Conversion){from, to, find_read(from, is_float), is_conjugate,
                      !is_conjugate && !is_rounded_twice};
}

static void pack_row(const Conversion *conversion, const char *from, int64_t step, int64_t n,
                     char *to) {
  const int64_t from_size = (int64_t)ddr_element_size(conversion->from);
  const int64_t to_size = (int64_t)ddr_element_size(conversion->to);
  ddr_complex_double chunk[CHUNK];
  if (conversion->is_cast && step == 1) {
    ddr_cast_elements(conversion->from, from, conversion->to, to, n);
    return;
  }
  for (int64_t k = 0; k < n; k += CHUNK) {
    const int64_t n_now = n - k < CHUNK ? n - k : CHUNK;
    conversion->read(from + k * step * from_size, step, n_now, chunk);
    write(chunk, n_now, conversion->to, conversion->is_conjugate, to + k * to_size);
  }
}

/* Makes rows longer if they follow one another; returns the axis along which they run. */
static int join_rows(int rank, ddr_conv_operand *from) {
  int last = rank - 1;
  for (; last > 0; last--) {
    const int64_t n = from->len[last], stride = from->stride[last];
    if (n == 1) continue;
    if (from->len[last - 1] > 1 && from->stride[last - 1] != n * stride) break;
    from->len[last - 1] *= n;
    from->stride[last - 1] = stride;
  }
  return last;
}

/* Packs all elements in canonical order. */
static void pack(ddr_conv_operand from, int rank, const Conversion *conversion, char *to) {
  const int last = join_rows(rank, &from);
  const int64_t n = from.len[last], n_rows = ddr_conv_count(last, from.len);
  const size_t from_size = ddr_element_size(from.type), to_size = ddr_element_size(conversion->to);
  for (int64_t row = 0; row < n_rows; row++, to += n * (int64_t)to_size) {
    int64_t offset = 0, rest = row;
    for (int k = last; k-- > 0; rest /= from.len[k]) offset += rest % from.len[k] * from.stride[k];
    pack_row(conversion, (const char *)from.data + offset * (int64_t)from_size, from.stride[last],
             n, to);
  }
}

ddr_array_status ddr_conv_pack(const ddr_conv_task *task, const ddr_conv_operand *from,
                               ddr_element to, bool is_conjugate, ddr_conv_operand *copy) {
  const ddr_element result = task->type[DDR_CONV_Z];
  const bool is_float = result == DDR_ELEMENT_FLOAT || result == DDR_ELEMENT_CFLOAT;
  const size_t n = (size_t)ddr_conv_count(task->rank, from->len), size = ddr_element_size(to);
  if (n > PTRDIFF_MAX / size) return DDR_ARRAY_ENOMEM;
  void *data = ddr_storage_malloc(n * size);
  if (!data) return DDR_ARRAY_ENOMEM;
  const Conversion conversion = conversion_of(from->type, to, is_float, is_conjugate);
  pack(*from, task->rank, &conversion, data);
  *copy = *from;
  copy->type = to;
  copy->data = data;
  int64_t stride = 1;
  for (int k = task->rank - 1; k >= 0; stride *= from->len[k--]) copy->stride[k] = stride;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_convert(const ddr_ndview *view, ddr_element real, ddr_ndview *reals) {
  const ddr_layout *layout = &view->layout;
  ddr_conv_operand from = {.type = view->type};
  const int64_t offset = layout->offset * (int64_t)ddr_element_size(view->type);
  from.data = (char *)view->data + offset;
  for (int k = 0; k < layout->rank; k++) {
    from.len[k] = layout->len[k];
    from.stride[k] = layout->stride[k];
  }
  const ddr_array_status status = ddr_ndview_new(real, layout->rank, layout->len, DDR_HOST, reals);
  if (status != DDR_ARRAY_OK) return status;
  const Conversion conversion = conversion_of(view->type, real, real == DDR_ELEMENT_FLOAT, false);
  pack(from, layout->rank, &conversion, reals->data);
  return DDR_ARRAY_OK;
}
