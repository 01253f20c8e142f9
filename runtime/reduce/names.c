/* names.c: the rows of reductions.def: names, result types, and one function for each. */
#include <string.h>

#include "runtime/reduce/reduce.h"

typedef enum { SUM, PART, SIZE, REAL, ELEMENT, COUNT, TRUTH } Result;

enum {
  TRUTHS = 1 << DDR_KIND_BOOL,
  ORDERED = TRUTHS | 1 << DDR_KIND_INT | 1 << DDR_KIND_UINT | 1 << DDR_KIND_REAL,
  ALL = ORDERED | 1 << DDR_KIND_COMPLEX
};

typedef struct {
  ddr_reduce_info info;
  unsigned kinds;
  Result result;
} Row;

static const Row rows[] = {
#define REDUCTION(id, name, n_arrays, kinds, result, meaning)                                      \
  {{#name, n_arrays, meaning}, kinds, result},
#include "runtime/array/reductions.def"
};

ddr_reduce_info ddr_reduce_about(ddr_reduce_op op) {
  return (unsigned)op < DDR_N_REDUCTIONS ? rows[op].info : (ddr_reduce_info){.name = NULL};
}

bool ddr_reduce_find(const char *name, ddr_reduce_op *op) {
  for (int k = 0; name && op && k < DDR_N_REDUCTIONS; k++) {
    if (strcmp(rows[k].info.name, name) != 0) continue;
    *op = (ddr_reduce_op)k;
    return true;
  }
  return false;
}

static ddr_element part_of(ddr_element type) {
  if (type == DDR_ELEMENT_CFLOAT) return DDR_ELEMENT_FLOAT;
  return type == DDR_ELEMENT_CDOUBLE ? DDR_ELEMENT_DOUBLE : type;
}

ddr_array_status ddr_reduce_type(ddr_reduce_op op, ddr_element type, ddr_element *result) {
  DDR_NEED(result);
  if ((unsigned)op >= DDR_N_REDUCTIONS) return DDR_ARRAY_EOPERATION;
  if (!ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
  const ddr_element_kind kind = ddr_element_kind_of(type);
  const bool is_whole = kind != DDR_KIND_REAL && kind != DDR_KIND_COMPLEX;
  if (!(rows[op].kinds >> kind & 1u)) return DDR_ARRAY_ETYPE;
  switch (rows[op].result) {
  case SUM: *result = is_whole ? DDR_ELEMENT_INT64 : type; break;
  case PART: *result = is_whole ? DDR_ELEMENT_INT64 : part_of(type); break;
  case SIZE: *result = is_whole ? DDR_ELEMENT_UINT64 : part_of(type); break;
  case REAL: *result = is_whole ? DDR_ELEMENT_DOUBLE : part_of(type); break;
  case ELEMENT: *result = type; break;
  case COUNT: *result = DDR_ELEMENT_INT64; break;
  case TRUTH: *result = DDR_ELEMENT_BOOL; break;
  }
  return DDR_ARRAY_OK;
}

#define ARRAYS_1                                                                                   \
  { x, x }
#define ARRAYS_2                                                                                   \
  { x, y }
#define REDUCTION(id, name, n_arrays, kinds, result_type, meaning)                                 \
  ddr_array_status ddr_reduce_##name(DDR_REDUCE_ARRAYS_##n_arrays,                                 \
                                     const ddr_reduce_options *options, ddr_number *result) {      \
    const ddr_ndview *const arrays[2] = ARRAYS_##n_arrays;                                         \
    return ddr_reduce(DDR_REDUCE_##id, arrays, options, result);                                   \
  }
#include "runtime/array/reductions.def"
