/* kinds.h: what the kinds of a nrrd's axes mean to images.
 *
 * An axis is spatial, or it holds the components of each sample: then it is the fastest, and its
 * kind says how many there are and how they are stored (doc/language.md, "Images and fields").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ddr_value_kind {
  int kind;          /* Teem's */
  int n_stored;      /* size of such an axis in the file */
  int n_components;  /* of a sample */
  const int *source; /* for each component its place on the axis; NULL: in order */
} ddr_value_kind;

/* Axes without a kind are spatial, too. */
bool ddr_kind_is_spatial(int kind);

/* What an axis of that kind and size holds; false if images cannot have such axes. */
bool ddr_value_kind_of(int kind, size_t size, ddr_value_kind *values);

/* The first kind for axes of that size whose samples have so many components; false: none. */
bool ddr_value_kind_for(size_t size, int n_components, ddr_value_kind *values);
