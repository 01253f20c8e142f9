/* Random arrays: of any type, in memory with any strides. */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"
#include "tests/unit/as_float.h"
#include "tests/unit/test.h"

static uint64_t chance_state = 1;

static inline uint64_t chance_bits(void) {
  chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
  uint64_t bits = chance_state;
  bits = (bits ^ (bits >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  return bits ^ (bits >> 33);
}

/* A random number from 0 to n-1. */
static inline int64_t chance_below(int64_t n) { return (int64_t)(chance_bits() % (uint64_t)n); }

static inline double chance_real(void) { return (double)(chance_bits() >> 11) * 0x1p-52 - 1; }

/* Small numbers, integers, zeros of both signs; one in a thousand is NaN or infinite. */
static inline double chance_value(void) {
  static const double odd[] = {0.0, -0.0, 1, -1, 0.5, 3, 1e5, -7};
  const int64_t kind = chance_below(1000);
  if (kind == 0) return chance_below(2) ? (double)NAN : (double)INFINITY;
  return kind < 300 ? odd[chance_below(8)] : chance_real() * 100;
}

static inline ddr_number chance_number(ddr_element type) {
  ddr_number number = {.type = type};
  const int64_t size = (int64_t)ddr_element_size(type);
  const ddr_element_kind kind = ddr_element_kind_of(type);
  if (kind == DDR_KIND_BOOL) number.integer = chance_below(2);
  if (kind == DDR_KIND_INT || kind == DDR_KIND_UINT) {
    number.integer = chance_below(4) == 0 ? chance_below(5) : (int64_t)chance_bits();
    if (kind == DDR_KIND_INT && size < 8) /* sign-extends to the size of the type */
      number.integer = (int64_t)((uint64_t)number.integer << (64 - 8 * size)) >> (64 - 8 * size);
    if (kind == DDR_KIND_UINT && size < 8)
      number.integer = (int64_t)((uint64_t)number.integer << (64 - 8 * size) >> (64 - 8 * size));
  }
  if (kind == DDR_KIND_REAL || kind == DDR_KIND_COMPLEX) number.re = chance_value();
  if (kind == DDR_KIND_COMPLEX) number.im = chance_value();
  if (type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT) {
    number.re = as_float(number.re);
    number.im = as_float(number.im);
  }
  return number;
}

/* An array of that shape whose axes lie in memory in any order and direction, with gaps. */
static inline ddr_ndview random_view(ddr_element type, int rank, const int64_t *len) {
  int order[DDR_MAX_RANK] = {0};
  int64_t n = 1;
  ddr_layout layout = {.rank = rank};
  for (int k = 0; k < rank; k++) {
    const int at = (int)chance_below(k + 1);
    order[k] = order[at];
    order[at] = k;
  }
  for (int k = 0; k < rank; k++) {
    const int axis = order[k];
    layout.len[axis] = len[axis];
    layout.stride[axis] = n;
    n *= len[axis] > 0 ? len[axis] : 1;
    if (chance_below(3) == 0) n += n * chance_below(3); /* a gap */
  }
  for (int k = 0; k < rank; k++) {
    if (len[k] == 0 || chance_below(3) > 0) continue;
    layout.offset += layout.stride[k] * (len[k] - 1);
    layout.stride[k] = -layout.stride[k];
  }
  ddr_ndview view = {.data = NULL};
  CHECK_EQ(ddr_ndview_new(type, 1, &n, DDR_HOST, &view), DDR_ARRAY_OK);
  const size_t size = ddr_element_size(type);
  for (int64_t k = 0; k < n; k++)
    ddr_number_store(chance_number(type), (char *)view.data + (size_t)k * size);
  view.layout = layout;
  return view;
}

/* The element at a position in canonical order. */
static inline char *element_at(const ddr_ndview *view, int64_t position) {
  int64_t offset = view->layout.offset;
  for (int k = view->layout.rank - 1; k >= 0; k--) {
    offset += position % view->layout.len[k] * view->layout.stride[k];
    position /= view->layout.len[k];
  }
  return (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
}

static inline ddr_number number_at(const ddr_ndview *view, int64_t position) {
  return ddr_number_load(view->type, element_at(view, position));
}

/* Rank 0 to 4, mostly small, some with more than one block. */
static inline int random_shape(int64_t *len) {
  const int rank = (int)chance_below(5);
  for (int k = 0; k < rank; k++)
    len[k] = chance_below(30) == 0 ? 0 : 1 + chance_below(rank < 3 ? 60 : 9);
  return rank;
}

static inline int64_t size_of_shape(int rank, const int64_t *len) {
  int64_t n = 1;
  for (int k = 0; k < rank; k++) n *= len[k];
  return n;
}
