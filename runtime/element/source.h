/* source.h: the elements of an array, or a number that is repeated, block by block: packed, and
 * cast to the type that is wanted.  So an operation is written once, for packed elements of one
 * type.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"

enum {
  DDR_SOURCE_BLOCK = 1024, /* most elements at once */
/* elements that a thread takes at once: a power of two blocks */
#if defined(DDR_SMALL_SIZES)
  DDR_SOURCE_RUN = 2 * DDR_SOURCE_BLOCK
#else
  DDR_SOURCE_RUN = 64 * DDR_SOURCE_BLOCK
#endif
};

/* Memory for a block of any type. */
typedef union ddr_block_buffer {
  ddr_complex_double elements[DDR_SOURCE_BLOCK];
} ddr_block_buffer;

typedef struct ddr_source {
  ddr_range range;
  ddr_element type, wanted;
} ddr_source;

/* The elements of an array in canonical order, or in any order.  ddr_cast_is_there must hold for
 * its type and the one wanted. */
void ddr_source_set(ddr_source *source, const ddr_ndview *view, bool any_order, ddr_element wanted);
ddr_source ddr_source_of(const ddr_ndview *view, ddr_element wanted); /* canonical order */

/* n times the same element, of that type, which must live as long as the source. */
ddr_source ddr_source_of_one(const void *element, ddr_element type, int64_t n);

/* n elements from position p on, at most DDR_SOURCE_BLOCK unless the array is flat and has the type
 * wanted.  They are in the buffer, or where the array has them. */
const void *ddr_source_block(const ddr_source *source, int64_t p, int64_t n,
                             ddr_block_buffer *buffer);

/* Packed elements from and to positions p to p+n-1 of a range. */
void ddr_range_gather(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                      void *packed);
void ddr_range_scatter(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                       const void *packed);

/* Packs those of n packed elements whose mask is true; returns their number. */
int64_t ddr_select(size_t element_size, const void *packed, const bool *mask, int64_t n,
                   void *selected);

/* Replaces those of n packed elements whose mask is true by the elements of `from` in the same
 * places. */
void ddr_merge(size_t element_size, const void *from, const bool *mask, int64_t n, void *packed);
