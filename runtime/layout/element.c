/* element.c: sizes, kinds and names of element types, and where two of them meet. */
#include "runtime/layout/element.h"

size_t ddr_element_size(ddr_element type) {
  static const size_t sizes[] = {
#define ELEMENT(id, c_type, kind, name) sizeof(c_type),
#include "runtime/array/elements.def"
  };
  return ddr_element_is_there(type) ? sizes[type] : 0;
}

ddr_element_kind ddr_element_kind_of(ddr_element type) {
  static const ddr_element_kind kinds[] = {
#define ELEMENT(id, c_type, kind, name) DDR_KIND_##kind,
#include "runtime/array/elements.def"
  };
  return ddr_element_is_there(type) ? kinds[type] : DDR_KIND_BOOL;
}

const char *ddr_element_name(ddr_element type) {
  static const char *const names[] = {
#define ELEMENT(id, c_type, kind, name) name,
#include "runtime/array/elements.def"
  };
  return ddr_element_is_there(type) ? names[type] : NULL;
}

/* A complex type's part; other types are their own. */
static ddr_element part_of(ddr_element type) {
  if (type == DDR_ELEMENT_CFLOAT) return DDR_ELEMENT_FLOAT;
  return type == DDR_ELEMENT_CDOUBLE ? DDR_ELEMENT_DOUBLE : type;
}

/* The table runs from narrow to wide, unsigned after signed: the later of two holds both. */
ddr_element ddr_element_promote(ddr_element a, ddr_element b) {
  if (!ddr_element_is_there(a) || !ddr_element_is_there(b)) return DDR_ELEMENT_COUNT;
  const bool is_complex =
      ddr_element_kind_of(a) == DDR_KIND_COMPLEX || ddr_element_kind_of(b) == DDR_KIND_COMPLEX;
  const ddr_element part = part_of(a) > part_of(b) ? part_of(a) : part_of(b);
  if (!is_complex) return part;
  return part == DDR_ELEMENT_DOUBLE ? DDR_ELEMENT_CDOUBLE : DDR_ELEMENT_CFLOAT;
}
