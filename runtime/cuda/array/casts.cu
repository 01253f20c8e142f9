/* casts.cu: casts elements from any type to any other, and copies them unchanged.
 *
 * As on the host (runtime/element/cast.c), a cast goes through the widest type of the kind. All
 * threads have the same types, so testing the types at each element costs little compared with
 * memory access.
 */
#include "runtime/cuda/array/elements.h"
#include "runtime/cuda/base/warp.h"
#include "runtime/element/cast_rules.h"
#include "runtime/element/truth.h"

/* --- one element ------------------------------------------------------------------------------ */

typedef struct {
  ddr_element_kind kind; /* BOOL: an INT */
  int64_t integer;
  uint64_t natural;
  ddr_complex_double number; /* REAL: only re */
} Carried;

#define READ_BOOL(x) carried.integer = DDR_VALUE(x)
#define READ_INT(x) carried.integer = (int64_t)(x)
#define READ_UINT(x) carried.natural = x
#define READ_REAL(x) carried.number.re = (double)(x)
#define READ_COMPLEX(x)                                                                            \
  carried.number.re = (double)(x).re;                                                              \
  carried.number.im = (double)(x).im

DDR_FN Carried read_element(ddr_element type, const char *data, int64_t offset) {
  Carried carried = {DDR_KIND_BOOL, 0, 0, {0, 0}};
  switch (type) {
#define ELEMENT(id, c_type, kind_of, name)                                                         \
  case DDR_ELEMENT_##id:                                                                           \
    carried.kind = DDR_KIND_##kind_of;                                                             \
    READ_##kind_of(((const c_type *)(const void *)data)[offset]);                                  \
    break;
#include "runtime/array/elements.def"
  case DDR_ELEMENT_COUNT: break;
  }
  return carried;
}

#define WRITE_BOOL(c_type)                                                                         \
  if (is_natural) *to = carried.natural != 0;                                                      \
  else if (is_whole) *to = carried.integer != 0;                                                   \
  else *to = carried.number.re != 0 || carried.number.im != 0
#define WRITE_INT(c_type)                                                                          \
  if (is_natural) *to = (c_type)carried.natural;                                                   \
  else if (is_whole) *to = (c_type)carried.integer;                                                \
  else *to = DDR_INT_OF_REAL(c_type, carried.number.re)
#define WRITE_UINT(c_type)                                                                         \
  if (is_natural) *to = (c_type)carried.natural;                                                   \
  else if (is_whole) *to = (c_type)carried.integer;                                                \
  else *to = DDR_NATURAL_OF_REAL(c_type, carried.number.re)
#define WRITE_REAL(c_type) *to = (c_type)REAL_PART(c_type)
#define REAL_PART(c_type)                                                                          \
  (is_natural ? (c_type)carried.natural                                                            \
   : is_whole ? (c_type)carried.integer                                                            \
              : (c_type)carried.number.re)
#define WRITE_COMPLEX(c_type) WRITE_##c_type
#define WRITE_ddr_complex_float                                                                    \
  to->re = REAL_PART(float);                                                                       \
  to->im = (float)carried.number.im
#define WRITE_ddr_complex_double                                                                   \
  to->re = REAL_PART(double);                                                                      \
  to->im = carried.number.im

DDR_FN void write_element(ddr_element type, char *data, int64_t offset, Carried carried) {
  const bool is_natural = carried.kind == DDR_KIND_UINT;
  const bool is_whole = carried.kind < DDR_KIND_REAL;
  switch (type) {
#define ELEMENT(id, c_type, kind_of, name)                                                         \
  case DDR_ELEMENT_##id: {                                                                         \
    c_type *const to = (c_type *)(void *)data + offset;                                            \
    WRITE_##kind_of(c_type);                                                                       \
    break;                                                                                         \
  }
#include "runtime/array/elements.def"
  case DDR_ELEMENT_COUNT: break;
  }
}

DDR_KERNEL void cast_kernel(ddr_elements elements, ddr_element to, ddr_element from) {
  DDR_FOR_ITEMS(item, elements.n) {
    const ddr_offsets at = ddr_offsets_at(&elements, item);
    const Carried carried = read_element(from, elements.arrays[1].data, at.of[1]);
    write_element(to, elements.arrays[0].data, at.of[0], carried);
  }
}

cudaError_t ddr_elements_cast(const ddr_launch *launch, const ddr_elements *elements,
                              ddr_element to, ddr_element from) {
  DDR_LAUNCH(cast_kernel, launch, ddr_threads_for(elements->n), *elements, to, from);
  return cudaGetLastError();
}

/* --- as they are ------------------------------------------------------------------------------ */

#define COPY(name, type)                                                                           \
  DDR_KERNEL void name(ddr_elements elements) {                                                    \
    const char *const from = elements.arrays[1].data;                                              \
    const char *const mask = elements.n_arrays > 2 ? elements.arrays[2].data : NULL;               \
    type number;                                                                                   \
    memcpy(&number, &elements.arrays[1].number, sizeof number);                                    \
    DDR_FOR_ITEMS(item, elements.n) {                                                              \
      const ddr_offsets at = ddr_offsets_at(&elements, item);                                      \
      if (mask && !DDR_VALUE(((const bool *)mask)[at.of[2]])) continue;                            \
      ((type *)(void *)elements.arrays[0].data)[at.of[0]] =                                        \
          from ? ((const type *)(const void *)from)[at.of[1]] : number;                            \
    }                                                                                              \
  }
COPY(copy_1, uint8_t)
COPY(copy_2, uint16_t)
COPY(copy_4, uint32_t)
COPY(copy_8, uint64_t)
COPY(copy_16, ddr_complex_double)

static ddr_elements_kernel *copy_of(size_t element_size) {
  switch (element_size) {
  case 1: return copy_1;
  case 2: return copy_2;
  case 4: return copy_4;
  case 8: return copy_8;
  default: break; /* nothing is larger than a complex double */
  }
  return copy_16;
}

cudaError_t ddr_elements_copy(const ddr_launch *launch, const ddr_elements *elements,
                              size_t element_size) {
  DDR_LAUNCH(copy_of(element_size), launch, ddr_threads_for(elements->n), *elements);
  return cudaGetLastError();
}
