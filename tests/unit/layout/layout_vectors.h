/* Layouts and statuses in the syntax of this folder's tables. */
#pragma once

#include "runtime/layout/layout.h"
#include "tests/unit/vectors.h"

/* "offset; [extents]; [strides]"; the offset may be left out: 0. */
static inline ddr_layout layout_from_text(const char *text) {
  ddr_layout layout = {.rank = 0};
  if (text[0] != '[') {
    vector_ints(text, 1, &layout.offset, &text);
    text += strspn(text, "; ");
  }
  layout.rank = vector_ints(text, DDR_MAX_RANK, layout.len, &text);
  text += strspn(text, "; ");
  const int n_strides = vector_ints(text, DDR_MAX_RANK, layout.stride, NULL);
  CHECK_EQ(n_strides, layout.rank);
  return layout;
}

static inline bool check_layout(const ddr_layout *found, const ddr_layout *want) {
  bool is_good = CHECK_EQ(found->rank, want->rank) && CHECK_EQ(found->offset, want->offset);
  for (int k = 0; k < want->rank && is_good; k++)
    is_good = CHECK_EQ(found->len[k], want->len[k]) && CHECK_EQ(found->stride[k], want->stride[k]);
  return is_good;
}

/* The status by its name, such as EDIM; -1: the text is not a status. */
static inline int status_from_text(const char *text) {
  static const char *const names[] = {
#define STATUS(id, words) #id,
#include "runtime/array/statuses.def"
  };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(text, names[k]) == 0) return (int)k;
  return -1;
}
