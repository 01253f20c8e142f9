/* number.c: numbers from memory, to memory, and of other types. */
#include "runtime/element/number.h"

#include "runtime/element/cast.h"

ddr_number ddr_number_int(int64_t value) {
  return (ddr_number){.type = DDR_ELEMENT_INT64, .integer = value};
}

ddr_number ddr_number_real(double value) {
  return (ddr_number){.type = DDR_ELEMENT_DOUBLE, .re = value};
}

ddr_number ddr_number_complex(double re, double im) {
  return (ddr_number){.type = DDR_ELEMENT_CDOUBLE, .re = re, .im = im};
}

ddr_number ddr_number_zero(ddr_element type) { return (ddr_number){.type = type}; }

ddr_number ddr_number_load(ddr_element type, const void *element) {
  ddr_number number = {.type = type};
  ddr_complex_double parts;
  if (!element || !ddr_element_is_there(type)) return number;
  switch (ddr_element_kind_of(type)) {
  case DDR_KIND_BOOL:
  case DDR_KIND_INT:
  case DDR_KIND_UINT:
    ddr_cast_elements(type, element, DDR_ELEMENT_INT64, &number.integer, 1);
    break;
  case DDR_KIND_REAL:
  case DDR_KIND_COMPLEX:
    ddr_cast_elements(type, element, DDR_ELEMENT_CDOUBLE, &parts, 1);
    number.re = parts.re;
    number.im = parts.im;
    break;
  }
  return number;
}

void ddr_number_store(ddr_number number, void *element) {
  const ddr_complex_double parts = {number.re, number.im};
  if (!element || !ddr_element_is_there(number.type)) return;
  switch (ddr_element_kind_of(number.type)) {
  case DDR_KIND_BOOL:
  case DDR_KIND_INT:
  case DDR_KIND_UINT:
    ddr_cast_elements(DDR_ELEMENT_INT64, &number.integer, number.type, element, 1);
    break;
  case DDR_KIND_REAL:
    ddr_cast_elements(DDR_ELEMENT_DOUBLE, &number.re, number.type, element, 1);
    break;
  case DDR_KIND_COMPLEX:
    ddr_cast_elements(DDR_ELEMENT_CDOUBLE, &parts, number.type, element, 1);
    break;
  }
}

ddr_array_status ddr_number_cast(ddr_number number, ddr_element type, ddr_number *result) {
  ddr_complex_double from, to; /* memory for any element */
  DDR_NEED(result);
  if (!ddr_element_is_there(number.type) || !ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
  if (!ddr_cast_is_there(number.type, type)) return DDR_ARRAY_ETYPE;
  ddr_number_store(number, &from);
  ddr_cast_elements(number.type, &from, type, &to, 1);
  *result = ddr_number_load(type, &to);
  return DDR_ARRAY_OK;
}
