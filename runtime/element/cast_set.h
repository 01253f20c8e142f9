/* cast_set.h: every type to every other, by way of the widest type of its kind, which holds it
 * exactly; so there is one function for each type to read it and four to write it.  Casts that are
 * frequent, and vectors, go straight.  For one set of instructions (sets.h).
 */
#include <string.h>

#include "runtime/element/cast.h"
#include "runtime/element/cast_rules.h"
#include "runtime/element/sets.h"
#include "runtime/element/truth.h"

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

/* --- reading ---------------------------------------------------------------------------------- */

typedef void Read(const void *elements, Carried *carried, int64_t n);

#define READ(id, type, value)                                                                      \
  static void read_##id(const void *elements, Carried *carried, int64_t n) {                       \
    const type *x = elements;                                                                      \
    for (int64_t k = 0; k < n; k++) carried->value;                                                \
  }
#define READ_BOOL(id, type) READ(id, type, ints[k] = DDR_VALUE(x[k]))
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
#if defined(DDR_SET)

/* --- straight --------------------------------------------------------------------------------- */

typedef void Cast(const void *elements, void *cast, int64_t n);

#define CAST(from, from_type, to, to_type, value)                                                  \
  static void from##_to_##to(const void *elements, void *cast, int64_t n) {                        \
    const from_type *its = elements;                                                               \
    to_type *z = cast;                                                                             \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const from_type x = its[k];                                                                  \
      z[k] = value;                                                                                \
    }                                                                                              \
  }
#include "runtime/element/cast_clamped.h"

/* Ints of 16 bits and their bounds are floats, those of 32 bits doubles. */
#define FROM_FLOAT(id, type, least, most)                                                          \
  SHORT(FLOAT, float, id, type, Floats, clamped_floats, least, most,                               \
        (type)ddr_small_of_float(x, least, most))
#define FROM_DOUBLE(FROM, id, type, least, most)                                                   \
  FROM(DOUBLE, double, id, type, Doubles, clamped_doubles, least, most,                            \
       (type)ddr_small_of_real(x, least, most))
#define CLAMPED_CASTS                                                                              \
  FROM_FLOAT(INT8, int8_t, -128, 127)                                                              \
  FROM_FLOAT(UINT8, uint8_t, 0, 255)                                                               \
  FROM_FLOAT(INT16, int16_t, -32768, 32767)                                                        \
  FROM_FLOAT(UINT16, uint16_t, 0, 65535)                                                           \
  WHOLE(FLOAT, float, INT32, int32_t, Floats, nearest_to_floats, 0, 0,                             \
        DDR_INT_OF_REAL(int32_t, (double)x))                                                       \
  FROM_DOUBLE(SHORT, INT8, int8_t, -128, 127)                                                      \
  FROM_DOUBLE(SHORT, UINT8, uint8_t, 0, 255)                                                       \
  FROM_DOUBLE(SHORT, INT16, int16_t, -32768, 32767)                                                \
  FROM_DOUBLE(SHORT, UINT16, uint16_t, 0, 65535)                                                   \
  FROM_DOUBLE(WHOLE, INT32, int32_t, -2147483648.0, 2147483647.0)

/* Whole numbers as C has them; truths become 0 and 1. */
#define FROM_WHOLE(to, to_type)                                                                    \
  STRAIGHT(BOOL, uint8_t, to, to_type, (to_type)(x != 0))                                          \
  STRAIGHT(INT8, int8_t, to, to_type, (to_type)x)                                                  \
  STRAIGHT(UINT8, uint8_t, to, to_type, (to_type)x)                                                \
  STRAIGHT(INT16, int16_t, to, to_type, (to_type)x)                                                \
  STRAIGHT(UINT16, uint16_t, to, to_type, (to_type)x)                                              \
  STRAIGHT(INT32, int32_t, to, to_type, (to_type)x)                                                \
  STRAIGHT(UINT32, uint32_t, to, to_type, (to_type)x)                                              \
  STRAIGHT(INT64, int64_t, to, to_type, (to_type)x)                                                \
  STRAIGHT(UINT64, uint64_t, to, to_type, (to_type)x)
#define STRAIGHT_CASTS                                                                             \
  FROM_WHOLE(INT8, int8_t)                                                                         \
  FROM_WHOLE(UINT8, uint8_t)                                                                       \
  FROM_WHOLE(INT16, int16_t)                                                                       \
  FROM_WHOLE(UINT16, uint16_t)                                                                     \
  FROM_WHOLE(INT32, int32_t)                                                                       \
  FROM_WHOLE(UINT32, uint32_t)                                                                     \
  FROM_WHOLE(INT64, int64_t)                                                                       \
  FROM_WHOLE(UINT64, uint64_t)                                                                     \
  FROM_WHOLE(FLOAT, float)                                                                         \
  FROM_WHOLE(DOUBLE, double)                                                                       \
  FROM_WHOLE(BOOL, bool)                                                                           \
  STRAIGHT(FLOAT, float, BOOL, bool, x != 0)                                                       \
  STRAIGHT(DOUBLE, double, BOOL, bool, x != 0)                                                     \
  STRAIGHT(FLOAT, float, DOUBLE, double, (double)x)                                                \
  STRAIGHT(DOUBLE, double, FLOAT, float, (float)x)
#define STRAIGHT CAST
STRAIGHT_CASTS
#undef STRAIGHT
#define SHORT TO_SHORT
#define WHOLE TO_INT32
CLAMPED_CASTS
#undef SHORT
#undef WHOLE

static Cast *const straight[DDR_ELEMENT_COUNT][DDR_ELEMENT_COUNT] = {
#define STRAIGHT(from, from_type, to, to_type, value)                                              \
  [DDR_ELEMENT_##from][DDR_ELEMENT_##to] = from##_to_##to,
    STRAIGHT_CASTS
#undef STRAIGHT
#define SHORT(from, from_type, to, ...) [DDR_ELEMENT_##from][DDR_ELEMENT_##to] = from##_to_##to,
#define WHOLE SHORT
        CLAMPED_CASTS
#undef SHORT
#undef WHOLE
};

void DDR_OF_SET(ddr_cast_elements)(ddr_element from, const void *elements, ddr_element to,
                                   void *cast, int64_t n) {
  Carried carried;
  const size_t from_size = ddr_element_size(from), to_size = ddr_element_size(to);
  if (straight[from][to]) {
    straight[from][to](elements, cast, n);
    return;
  }
  Write *const write = writes[to][carrier_of(from)];
  for (int64_t at = 0; at < n; at += N_AT_ONCE) {
    const int64_t n_here = n - at < N_AT_ONCE ? n - at : N_AT_ONCE;
    reads[from]((const char *)elements + (size_t)at * from_size, &carried, n_here);
    write(&carried, (char *)cast + (size_t)at * to_size, n_here);
  }
}
#endif
