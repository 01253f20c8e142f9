/* number.h: one element outside of an array: operands, bounds and results.
 *
 * It has one of the element types and holds a value of that type.  Bools and integers are carried
 * as integers (those of uint64 by their bits), reals and complex numbers as doubles: each exactly.
 */
#pragma once

#include "runtime/layout/array_status.h"
#include "runtime/layout/element.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_number {
  ddr_element type;
  int64_t integer; /* bools, ints */
  double re, im;   /* reals have re; complex numbers both */
} ddr_number;

ddr_number ddr_number_int(int64_t value);            /* of type int64 */
ddr_number ddr_number_real(double value);            /* of type double */
ddr_number ddr_number_complex(double re, double im); /* of type complex double */
ddr_number ddr_number_zero(ddr_element type);        /* 0, false */

/* From and to memory of its type. */
ddr_number ddr_number_load(ddr_element type, const void *element);
void ddr_number_store(ddr_number number, void *element);

/* As a number of another type, by the rules of the transform cast.  Errors: ETYPE from complex
 * numbers to ints and reals. */
ddr_array_status ddr_number_cast(ddr_number number, ddr_element type, ddr_number *result);

#ifdef __cplusplus
}
#endif
