/* The definition of convolution and correlation, term by term, and random problems for it. */
#pragma once

#include <stdlib.h>

#include "runtime/conv/conv.h"
#include "tests/unit/test.h"

enum { MODEL_MOST_RANK = 7 };

static inline uint64_t next_random(uint64_t *state) { /* xorshift64* [Vigna 2016] */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 2685821657736338717u;
}

static inline int64_t random_between(uint64_t *state, int64_t least, int64_t most) {
  return least + (int64_t)(next_random(state) % (uint64_t)(most - least + 1));
}

static inline double random_real(uint64_t *state) { /* in [-1, 1) */
  return (double)(int64_t)next_random(state) / 9223372036854775808.0;
}

typedef struct Array {
  ddr_element type;
  int64_t len[MODEL_MOST_RANK], stride[MODEL_MOST_RANK], length;
  unsigned char *data; /* `length` elements and some more */
} Array;

typedef struct Problem {
  ddr_conv_op op;
  int rank;
  Array x, y, z;
  int64_t p[MODEL_MOST_RANK], q[MODEL_MOST_RANK]; /* origins */
  int64_t start[MODEL_MOST_RANK], decimation[MODEL_MOST_RANK];
  bool has_start, is_conjugate;
} Problem;

/* The offset of element i of an array, for i from 0. */
static inline int64_t distance(const Array *array, int rank, const int64_t *i) {
  int64_t at = 0;
  for (int k = 0; k < rank; k++) {
    if (array->len[k] == 1) continue;
    at += array->stride[k] * (array->stride[k] > 0 ? i[k] : i[k] - (array->len[k] - 1));
  }
  return at;
}

/* An element in the type of sums. */
static inline ddr_complex_double read_exact(const Array *array, int64_t at, bool is_float) {
  const void *data = array->data;
#define WHOLE(c_type)                                                                              \
  {                                                                                                \
    const c_type number = ((const c_type *)data)[at];                                              \
    return (ddr_complex_double){is_float ? (double)(float)number : (double)number, 0};             \
  }
  switch (array->type) {
  case DDR_ELEMENT_INT8: WHOLE(int8_t)
  case DDR_ELEMENT_UINT8: WHOLE(uint8_t)
  case DDR_ELEMENT_INT16: WHOLE(int16_t)
  case DDR_ELEMENT_UINT16: WHOLE(uint16_t)
  case DDR_ELEMENT_INT32: WHOLE(int32_t)
  case DDR_ELEMENT_UINT32: WHOLE(uint32_t)
  case DDR_ELEMENT_INT64: WHOLE(int64_t)
  case DDR_ELEMENT_UINT64: WHOLE(uint64_t)
  case DDR_ELEMENT_FLOAT: return (ddr_complex_double){(double)((const float *)data)[at], 0};
  case DDR_ELEMENT_DOUBLE: return (ddr_complex_double){((const double *)data)[at], 0};
  case DDR_ELEMENT_CFLOAT: {
    const ddr_complex_float number = ((const ddr_complex_float *)data)[at];
    return (ddr_complex_double){(double)number.re, (double)number.im};
  }
  case DDR_ELEMENT_CDOUBLE: return ((const ddr_complex_double *)data)[at];
  default: return (ddr_complex_double){NAN, NAN};
  }
#undef WHOLE
}

static inline bool is_of_floats(ddr_element type) {
  return type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT;
}

/* w(r) by definition, t ascending with the slowest axis outermost; norms: of the factors of all
 * products. */
static inline ddr_complex_double sum_at(const Problem *problem, const int64_t *r) {
  const bool is_float = is_of_floats(problem->z.type);
  const bool is_complex = ddr_element_kind_of(problem->z.type) == DDR_KIND_COMPLEX;
  int64_t from[MODEL_MOST_RANK] = {0}, to[MODEL_MOST_RANK] = {0}, t[MODEL_MOST_RANK] = {0};
  for (int k = 0; k < problem->rank; k++) {
    const int64_t p_max = problem->p[k] + problem->x.len[k] - 1;
    const int64_t q_max = problem->q[k] + problem->y.len[k] - 1;
    const bool is_conv = problem->op == DDR_CONVOLUTION;
    const int64_t least = is_conv ? r[k] - q_max : problem->q[k] - r[k];
    const int64_t most = is_conv ? r[k] - problem->q[k] : q_max - r[k];
    from[k] = t[k] = least > problem->p[k] ? least : problem->p[k];
    to[k] = most < p_max ? most : p_max;
    if (from[k] > to[k]) return (ddr_complex_double){NAN, NAN}; /* there is no such result */
  }
  const int last = problem->rank - 1;
  const int64_t step_x = problem->x.stride[last];
  const int64_t step_y =
      problem->op == DDR_CONVOLUTION ? -problem->y.stride[last] : problem->y.stride[last];
  ddr_complex_double sum = {0, 0};
  for (;;) { /* a line along the last axis */
    int64_t i[MODEL_MOST_RANK], j[MODEL_MOST_RANK];
    for (int k = 0; k < problem->rank; k++) {
      i[k] = t[k] - problem->p[k];
      j[k] = (problem->op == DDR_CONVOLUTION ? r[k] - t[k] : r[k] + t[k]) - problem->q[k];
    }
    int64_t at_x = distance(&problem->x, problem->rank, i);
    int64_t at_y = distance(&problem->y, problem->rank, j);
    for (int64_t at = from[last]; at <= to[last]; at++, at_x += step_x, at_y += step_y) {
      ddr_complex_double u = read_exact(&problem->x, at_x, is_float);
      const ddr_complex_double v = read_exact(&problem->y, at_y, is_float);
      if (problem->is_conjugate) u.im = -u.im;
      sum.re += is_complex ? u.re * v.re - u.im * v.im : u.re * v.re;
      if (is_complex) sum.im += u.re * v.im + u.im * v.re;
    }
    int k = last - 1;
    while (k >= 0 && t[k] == to[k]) {
      t[k] = from[k];
      k--;
    }
    if (k < 0) return sum;
    t[k]++;
  }
}

static inline double norm_of(const Problem *problem, const Array *array) {
  int64_t i[MODEL_MOST_RANK] = {0};
  double sum = 0;
  for (;;) {
    const ddr_complex_double e =
        read_exact(array, distance(array, problem->rank, i), is_of_floats(problem->z.type));
    sum += e.re * e.re + e.im * e.im;
    int k = problem->rank - 1;
    while (k >= 0 && i[k] == array->len[k] - 1) i[k--] = 0;
    if (k < 0) return sqrt(sum);
    i[k]++;
  }
}

/* --- random problems -------------------------------------------------------------------------- */

/* Strides in any order of the axes, of any sign, with gaps. */
static inline void random_strides(uint64_t *state, int rank, Array *array) {
  int order[MODEL_MOST_RANK];
  int64_t stride = random_between(state, 0, 3) == 0 ? random_between(state, 2, 3) : 1;
  for (int k = 0; k < rank; k++) order[k] = rank - 1 - k;
  for (int k = rank - 1; k > 0 && random_between(state, 0, 1); k--) {
    const int other = (int)random_between(state, 0, k), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  array->length = 1;
  for (int k = 0; k < rank; k++) {
    const int axis = order[k];
    array->stride[axis] = random_between(state, 0, 3) == 0 ? -stride : stride;
    if (array->len[axis] == 1) array->stride[axis] = random_between(state, -3, 3);
    else array->length += stride * (array->len[axis] - 1);
    stride = stride * array->len[axis] + (random_between(state, 0, 2) == 0);
  }
}

static inline void random_element(uint64_t *state, const Array *array, int64_t at) {
  unsigned char *element = array->data + (size_t)at * ddr_element_size(array->type);
  const int special = (int)random_between(state, 0, 19);
  const double parts[2] = {special == 0   ? -0.0
                           : special == 1 ? 0.0
                                          : random_real(state),
                           random_real(state)};
  const float floats[2] = {(float)parts[0], (float)parts[1]};
  const uint64_t bits = next_random(state);
  switch (ddr_element_kind_of(array->type)) {
  case DDR_KIND_REAL:
  case DDR_KIND_COMPLEX:
    if (is_of_floats(array->type)) memcpy(element, floats, ddr_element_size(array->type));
    else memcpy(element, parts, ddr_element_size(array->type));
    break;
  default: memcpy(element, &bits, ddr_element_size(array->type));
  }
}

enum { SLACK = 3 };

static inline void random_array(uint64_t *state, int rank, ddr_element type, Array *array) {
  array->type = type;
  random_strides(state, rank, array);
  array->data = malloc((size_t)(array->length + SLACK) * ddr_element_size(type));
  for (int64_t k = 0; k < array->length + SLACK; k++) random_element(state, array, k);
}

static inline ddr_element random_operand_type(uint64_t *state, ddr_element result) {
  for (;;) {
    const ddr_element type = (ddr_element)random_between(state, 1, DDR_ELEMENT_COUNT - 1);
    if (random_between(state, 0, 2) > 0) return result;
    if (ddr_element_kind_of(type) != DDR_KIND_COMPLEX ||
        ddr_element_kind_of(result) == DDR_KIND_COMPLEX)
      return type;
  }
}

static inline int64_t random_extent(uint64_t *state, int rank) {
  const int64_t most[] = {0, 60, 9, 6, 4, 3, 2, 2};
  return random_between(state, 1, most[rank]);
}

typedef enum ProblemSize {
  SIZE_SMALL, /* of any rank */
  SIZE_LONG,  /* along one axis */
  SIZE_BROAD, /* two or three large axes, with few weights along each */
  SIZE_HUGE   /* likewise, and larger than a cache of each processor */
} ProblemSize;

static inline int random_rank(uint64_t *state, ProblemSize size) {
  if (size == SIZE_LONG) return 1 + (int)random_between(state, 0, 1);
  if (size == SIZE_BROAD || size == SIZE_HUGE) return 2 + (int)random_between(state, 0, 1);
  return random_between(state, 0, 15) == 0 ? (int)random_between(state, 5, 7)
                                           : (int)random_between(state, 1, 4);
}

static inline Problem random_problem(uint64_t *state, ProblemSize size) {
  Problem problem = {.op = (ddr_conv_op)random_between(state, 0, 1)};
  const int rank = random_rank(state, size);
  problem.rank = rank;
  problem.is_conjugate = random_between(state, 0, 1);
  problem.has_start = random_between(state, 0, 1);
  for (int k = 0; k < rank; k++) {
    problem.x.len[k] = random_extent(state, rank);
    problem.y.len[k] = random_extent(state, rank);
    if (size == SIZE_BROAD) {
      problem.x.len[k] = random_between(state, 1, rank == 2 ? 4 : 3);
      problem.y.len[k] = random_between(state, 5, rank == 2 ? 80 : 24);
    }
    if (size == SIZE_HUGE) {
      problem.x.len[k] = random_between(state, 1, 3);
      problem.y.len[k] =
          rank == 2 ? random_between(state, 300, 600) : random_between(state, 40, 70);
    }
    if (size == SIZE_LONG && k == 0) {
      int64_t *len = random_between(state, 0, 2) == 0 ? &problem.x.len[k] : &problem.y.len[k];
      *len = random_between(state, 1000, 3000);
    }
    problem.p[k] = random_between(state, -9, 9);
    problem.q[k] = random_between(state, -9, 9);
    const int64_t range = problem.x.len[k] + problem.y.len[k] - 1; /* results */
    const int64_t least = problem.op == DDR_CONVOLUTION
                              ? problem.p[k] + problem.q[k]
                              : problem.q[k] - problem.p[k] - problem.x.len[k] + 1;
    const int64_t skipped = problem.has_start ? random_between(state, 0, range / 2) : 0;
    const int64_t step = random_between(state, 0, 2) ? 1 : random_between(state, 2, 4);
    const int64_t most = (range - 1 - skipped) / step + 1;
    problem.start[k] = least + skipped;
    problem.decimation[k] = step;
    problem.z.len[k] = random_between(state, 0, 3) ? most : random_between(state, 1, most);
  }
  const ddr_element results[] = {DDR_ELEMENT_FLOAT, DDR_ELEMENT_DOUBLE, DDR_ELEMENT_FLOAT,
                                 DDR_ELEMENT_CFLOAT, DDR_ELEMENT_CDOUBLE};
  const ddr_element type = results[random_between(state, 0, 4)];
  random_array(state, rank, random_operand_type(state, type), &problem.x);
  random_array(state, rank, random_operand_type(state, type), &problem.y);
  random_array(state, rank, type, &problem.z);
  return problem;
}

static inline void free_problem(Problem *problem) {
  free(problem->x.data);
  free(problem->y.data);
  free(problem->z.data);
}
