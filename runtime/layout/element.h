/* element.h: the types of array elements.
 *
 * Complex numbers are pairs, the same in C, C++ and CUDA and with the layout of each one's own
 * complex type; how they multiply and divide is ours to say (runtime/transform), not the
 * compiler's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_complex_float {
  float re, im;
} ddr_complex_float;
typedef struct ddr_complex_double {
  double re, im;
} ddr_complex_double;

typedef enum ddr_element {
#define ELEMENT(id, c_type, kind, name) DDR_ELEMENT_##id,
#include "runtime/layout/elements.def"
  DDR_ELEMENT_COUNT
} ddr_element;

typedef enum ddr_element_kind {
  DDR_KIND_BOOL,
  DDR_KIND_INT,
  DDR_KIND_UINT,
  DDR_KIND_REAL,
  DDR_KIND_COMPLEX
} ddr_element_kind;

size_t ddr_element_size(ddr_element type); /* bytes */
ddr_element_kind ddr_element_kind_of(ddr_element type);
const char *ddr_element_name(ddr_element type);

/* The type in which two operands meet: the smallest of bool < ints by width < float < double that
 * holds both kinds (an int and a float give that float type; ints of one width and different sign
 * give the unsigned one, as in C), complex if either is. */
ddr_element ddr_element_promote(ddr_element a, ddr_element b);

#ifdef __cplusplus
}
#endif
