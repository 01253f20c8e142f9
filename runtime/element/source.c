/* source.c: runs of elements between packed memory and memory with strides. */
#include "runtime/element/source.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/element/cast.h"
#include "runtime/element/truth.h"

/* --- one run: n elements, `stride` bytes apart on the one side, packed on the other ----------- */

typedef void Run(char *strided, int64_t stride, char *packed, int64_t n);

enum { LINE = 64, LEAST_LINES = 4, MOST_LINES = 64 };

/* Many elements are copied as a whole; backwards the stride is a number, by which a loop becomes
 * vectors. */
#define EACH(n, copy)                                                                              \
  for (int64_t k = 0; k < n; k++) copy;
#define RUN_FNS(size)                                                                              \
  static void gather_##size(char *strided, int64_t stride, char *packed, int64_t n) {              \
    if (stride == size && n * size >= LINE) memcpy(packed, strided, (size_t)n *size);              \
    else if (stride == -size) EACH(n, memcpy(packed + size * k, strided - size * k, size))         \
    else EACH(n, memcpy(packed + size * k, strided + stride * k, size))                            \
  }                                                                                                \
  static void scatter_##size(char *strided, int64_t stride, char *packed, int64_t n) {             \
    if (stride == size && n * size >= LINE) memcpy(strided, packed, (size_t)n *size);              \
    else if (stride == -size) EACH(n, memcpy(strided - size * k, packed + size * k, size))         \
    else EACH(n, memcpy(strided + stride * k, packed + size * k, size))                            \
  }
RUN_FNS(1)
RUN_FNS(2)
RUN_FNS(4)
RUN_FNS(8)
RUN_FNS(16)

typedef enum { GATHER, SCATTER } Direction;

static Run *run_of(Direction direction, size_t element_size) {
  const bool gathers = direction == GATHER;
  switch (element_size) {
  case 1: return gathers ? gather_1 : scatter_1;
  case 2: return gathers ? gather_2 : scatter_2;
  case 4: return gathers ? gather_4 : scatter_4;
  case 8: return gathers ? gather_8 : scatter_8;
  default: break; /* nothing is larger than a complex double */
  }
  return gathers ? gather_16 : scatter_16;
}

/* --- parts of ranges -------------------------------------------------------------------------- */

/* Whether to ask for a run before the one at hand is moved: hardware prefetchers do not know where
 * it is, if it is long enough, and dense. */
static bool is_worth_asking(int64_t stride, int64_t n) {
  const int64_t n_bytes = n * llabs(stride);
  const int64_t least = (int64_t)LINE * LEAST_LINES, most = (int64_t)LINE * MOST_LINES;
  return n_bytes >= least && n_bytes <= most && n_bytes <= n * LINE / 2;
}

static void ask_for(const char *first, int64_t stride, int64_t n) {
  const int64_t n_bytes = n * llabs(stride);
  const uintptr_t lowest = (uintptr_t)first - (uintptr_t)(stride < 0 ? n_bytes : 0);
  for (int64_t k = 0; k < n_bytes; k += LINE)
    __builtin_prefetch((const void *)(lowest + (uintptr_t)k));
}

/* Moves runs along the last axis; after each run the other indices count up like an odometer. */
static void move(const ddr_range *range, size_t size, int64_t p, int64_t n, char *packed,
                 Direction direction) {
  const ddr_layout *layout = &range->layout;
  const int last = layout->rank - 1;
  const int64_t stride = layout->stride[last] * (int64_t)size;
  const int64_t len = layout->len[last];
  const bool asks = direction == GATHER && last > 0 && is_worth_asking(stride, len);
  Run *const run = run_of(direction, size);
  int64_t idx[DDR_MAX_RANK], offset = layout->offset;
  for (int k = last; k >= 0; k--) {
    idx[k] = p % layout->len[k];
    p /= layout->len[k];
    offset += idx[k] * layout->stride[k];
  }
  while (n > 0) {
    const int64_t rest = len - idx[last], n_here = n < rest ? n : rest;
    char *const its = (char *)range->data + offset * (int64_t)size;
    offset -= idx[last] * layout->stride[last];
    idx[last] = 0;
    for (int k = last - 1; k >= 0; k--) {
      offset += layout->stride[k];
      if (++idx[k] < layout->len[k]) break;
      offset -= idx[k] * layout->stride[k];
      idx[k] = 0;
    }
    if (asks) ask_for((const char *)range->data + offset * (int64_t)size, stride, len);
    run(its, stride, packed, n_here);
    packed += (size_t)n_here * size;
    n -= n_here;
  }
}

void ddr_range_gather(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                      void *packed) {
  if (range->is_flat)
    memcpy(packed, (const char *)range->data + (size_t)p * element_size, (size_t)n * element_size);
  else move(range, element_size, p, n, packed, GATHER);
}

void ddr_range_scatter(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                       const void *packed) {
  if (range->is_flat)
    memcpy((char *)range->data + (size_t)p * element_size, packed, (size_t)n * element_size);
  else move(range, element_size, p, n, (char *)(uintptr_t)packed, SCATTER);
}

/* --- sources ---------------------------------------------------------------------------------- */

void ddr_source_set(ddr_source *source, const ddr_ndview *view, bool any_order,
                    ddr_element wanted) {
  ddr_ndview_set_range(view, any_order, &source->range);
  source->type = view->type;
  source->wanted = wanted;
}

ddr_source ddr_source_of(const ddr_ndview *view, ddr_element wanted) {
  ddr_source source;
  ddr_source_set(&source, view, false, wanted);
  return source;
}

ddr_source ddr_source_of_one(const void *element, ddr_element type, int64_t n) {
  ddr_source source;
  source.range.data = (void *)(uintptr_t)element;
  source.range.n = n;
  source.range.is_flat = false;
  source.range.layout.rank = 1;
  source.range.layout.offset = source.range.layout.stride[0] = 0;
  source.range.layout.len[0] = n;
  source.type = source.wanted = type;
  return source;
}

const void *ddr_source_block(const ddr_source *source, int64_t p, int64_t n,
                             ddr_block_buffer *buffer) {
  const size_t size = ddr_element_size(source->type);
  const char *flat = (const char *)source->range.data + (size_t)p * size;
  if (source->type == source->wanted) {
    if (source->range.is_flat) return flat;
    ddr_range_gather(&source->range, size, p, n, buffer);
    return buffer;
  }
  ddr_block_buffer as_they_are;
  if (!source->range.is_flat) {
    ddr_range_gather(&source->range, size, p, n, &as_they_are);
    flat = (const char *)&as_they_are;
  }
  ddr_cast_elements(source->type, flat, source->wanted, buffer, n);
  return buffer;
}

/* --- masks ------------------------------------------------------------------------------------ */

#define SELECT(size)                                                                               \
  for (int64_t k = 0; k < n; k++) {                                                                \
    if (DDR_VALUE(mask[k])) memcpy(to + size * n_selected++, from + size * k, size);               \
  }                                                                                                \
  return n_selected;

int64_t ddr_select(size_t element_size, const void *packed, const bool *mask, int64_t n,
                   void *selected) {
  const char *from = packed;
  char *to = selected;
  int64_t n_selected = 0;
  switch (element_size) {
  case 1: SELECT(1)
  case 2: SELECT(2)
  case 4: SELECT(4)
  case 8: SELECT(8)
  default: break; /* nothing is larger than a complex double */
  }
  SELECT(16)
}

#define MERGE(size)                                                                                \
  for (int64_t k = 0; k < n; k++) {                                                                \
    if (DDR_VALUE(mask[k])) memcpy(to + size * k, (const char *)from + size * k, size);            \
  }                                                                                                \
  return;

void ddr_merge(size_t element_size, const void *from, const bool *mask, int64_t n, void *packed) {
  char *to = packed;
  switch (element_size) {
  case 1: MERGE(1)
  case 2: MERGE(2)
  case 4: MERGE(4)
  case 8: MERGE(8)
  default: break; /* nothing is larger than a complex double */
  }
  MERGE(16)
}
