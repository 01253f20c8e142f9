/* cast.c: every type to every other, by way of the widest type of its kind, which holds it exactly;
 * so there is one function for each type to read it and four to write it.
 */
#include "runtime/element/cast.h"

#include <string.h>

#include "runtime/element/cast_rules.h"

enum { N_AT_ONCE = 256 };

typedef enum { SIGNED, UNSIGNED, REAL, COMPLEX, N_CARRIERS } Carrier;

typedef union {
  int64_t ints[N_AT_ONCE];
  uint64_t naturals[N_AT_ONCE];
  double reals[N_AT_ONCE];
  ddr_complex_double complexes[N_AT_ONCE];
} Carried;

static Carrier carrier_of(ddr_element type) {
  switch (ddr_element_kind_of(type)) {
  case DDR_KIND_BOOL:
  case DDR_KIND_INT: return SIGNED;
  case DDR_KIND_UINT: return UNSIGNED;
  case DDR_KIND_REAL: return REAL;
  case DDR_KIND_COMPLEX: break;
  }
  return COMPLEX;
}

bool ddr_cast_is_there(ddr_element from, ddr_element to) {
  return ddr_element_kind_of(from) != DDR_KIND_COMPLEX ||
         ddr_element_kind_of(to) == DDR_KIND_COMPLEX || to == DDR_ELEMENT_BOOL;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef void Read(const void *elements, Carried *carried, int64_t n);

#define READ(id, type, value)                                                                      \
  static void read_##id(const void *elements, Carried *carried, int64_t n) {                       \
    const type *x = elements;                                                                      \
    for (int64_t k = 0; k < n; k++) carried->value;                                                \
  }
#define READ_BOOL(id, type) READ(id, type, ints[k] = x[k])
#define READ_INT(id, type) READ(id, type, ints[k] = (int64_t)x[k])
#define READ_UINT(id, type) READ(id, type, naturals[k] = x[k])
#define READ_REAL(id, type) READ(id, type, reals[k] = (double)x[k])
#define READ_COMPLEX(id, type)                                                                     \
  READ(id, type, complexes[k] = ((ddr_complex_double){(double)x[k].re, (double)x[k].im}))

#define ELEMENT(id, c_type, kind, name) READ_##kind(id, c_type)
#include "runtime/array/elements.def"

static Read *const reads[] = {
#define ELEMENT(id, c_type, kind, name) read_##id,
#include "runtime/array/elements.def"
};

/* Of ints that doubles hold, on their way to reals: these conversions are vectors. */
#define AS_REAL(id, type)                                                                          \
  static void read_##id##_as_real(const void *elements, Carried *carried, int64_t n) {             \
    const type *x = elements;                                                                      \
    for (int64_t k = 0; k < n; k++) carried->reals[k] = (double)x[k];                              \
  }
AS_REAL(INT8, int8_t)
AS_REAL(UINT8, uint8_t)
AS_REAL(INT16, int16_t)
AS_REAL(UINT16, uint16_t)
AS_REAL(INT32, int32_t)
AS_REAL(UINT32, uint32_t)

static Read *const reads_as_real[DDR_ELEMENT_COUNT] = {
    [DDR_ELEMENT_INT8] = read_INT8_as_real,   [DDR_ELEMENT_UINT8] = read_UINT8_as_real,
    [DDR_ELEMENT_INT16] = read_INT16_as_real, [DDR_ELEMENT_UINT16] = read_UINT16_as_real,
    [DDR_ELEMENT_INT32] = read_INT32_as_real, [DDR_ELEMENT_UINT32] = read_UINT32_as_real,
};

/* --- writing ---------------------------------------------------------------------------------- */

typedef void Write(const Carried *carried, void *cast, int64_t n);

#define WRITE(id, type, carrier, value)                                                            \
  static void write_##id##_##carrier(const Carried *carried, void *cast, int64_t n) {              \
    type *z = cast;                                                                                \
    for (int64_t k = 0; k < n; k++) z[k] = value;                                                  \
  }
#define WRITE_ALL(id, type, of_int, of_natural, of_real)                                           \
  WRITE(id, type, SIGNED, of_int)                                                                  \
  WRITE(id, type, UNSIGNED, of_natural)                                                            \
  WRITE(id, type, REAL, of_real)

#define I carried->ints[k]
#define N carried->naturals[k]
#define R carried->reals[k]
#define C carried->complexes[k]

#define WRITE_BOOL(id, type)                                                                       \
  WRITE_ALL(id, type, I != 0, N != 0, R != 0)                                                      \
  WRITE(id, type, COMPLEX, C.re != 0 || C.im != 0)
#define WRITE_INT(id, type) WRITE_ALL(id, type, (type)I, (type)N, DDR_INT_OF_REAL(type, R))
#define WRITE_UINT(id, type) WRITE_ALL(id, type, (type)I, (type)N, DDR_NATURAL_OF_REAL(type, R))
#define WRITE_REAL(id, type) WRITE_ALL(id, type, (type)I, (type)N, (type)R)
typedef float PART_OF_CFLOAT;
typedef double PART_OF_CDOUBLE;
#define PAIR(id, type, re, im) ((type){(PART_OF_##id)(re), (PART_OF_##id)(im)})
#define WRITE_COMPLEX(id, type)                                                                    \
  WRITE_ALL(id, type, PAIR(id, type, I, 0), PAIR(id, type, N, 0), PAIR(id, type, R, 0))            \
  WRITE(id, type, COMPLEX, PAIR(id, type, C.re, C.im))

#define ELEMENT(id, c_type, kind, name) WRITE_##kind(id, c_type)
#include "runtime/array/elements.def"

/* See ddr_cast_is_there. */
#define FROM_COMPLEX_BOOL(id) write_##id##_COMPLEX
#define FROM_COMPLEX_INT(id) NULL
#define FROM_COMPLEX_UINT(id) NULL
#define FROM_COMPLEX_REAL(id) NULL
#define FROM_COMPLEX_COMPLEX(id) write_##id##_COMPLEX

static Write *const writes[][N_CARRIERS] = {
#define ELEMENT(id, c_type, kind, name)                                                            \
  {write_##id##_SIGNED, write_##id##_UNSIGNED, write_##id##_REAL, FROM_COMPLEX_##kind(id)},
#include "runtime/array/elements.def"
};

void ddr_cast_elements(ddr_element from, const void *elements, ddr_element to, void *cast,
                       int64_t n) {
  Carried carried;
  const size_t from_size = ddr_element_size(from), to_size = ddr_element_size(to);
  if (from == to) {
    memcpy(cast, elements, (size_t)n * to_size);
    return;
  }
  const bool is_real = ddr_element_kind_of(to) == DDR_KIND_REAL && reads_as_real[from];
  Read *const read = is_real ? reads_as_real[from] : reads[from];
  Write *const write = writes[to][is_real ? REAL : carrier_of(from)];
  for (int64_t at = 0; at < n; at += N_AT_ONCE) {
    const int64_t n_here = n - at < N_AT_ONCE ? n - at : N_AT_ONCE;
    read((const char *)elements + (size_t)at * from_size, &carried, n_here);
    write(&carried, (char *)cast + (size_t)at * to_size, n_here);
  }
}
