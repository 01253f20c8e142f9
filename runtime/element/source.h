/* source.h: the elements of an array or a number block by block, packed and in the type that is
 * wanted: so that what is done to elements is said once, for packed ones.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"

enum {
  DDR_SOURCE_BLOCK = 1024, /* most elements at once */
/* elements that a thread takes at once: as many blocks as a power of two */
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

/* The elements of an array, in their order or in any; the cast to the type wanted must be there. */
void ddr_source_set(ddr_source *source, const ddr_ndview *view, bool any_order, ddr_element wanted);
ddr_source ddr_source_of(const ddr_ndview *view, ddr_element wanted); /* in their order */

/* `element` has the type and must live as long. */
ddr_source ddr_source_of_one(const void *element, ddr_element type, int64_t n);

/* n elements from position p on.  They are in the buffer, or where they have always been. */
const void *ddr_source_block(const ddr_source *source, int64_t p, int64_t n,
                             ddr_block_buffer *buffer);

/* Packed elements from and to positions p to p+n-1 of a range. */
void ddr_range_gather(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                      void *packed);
void ddr_range_scatter(const ddr_range *range, size_t element_size, int64_t p, int64_t n,
                       const void *packed);

/* Those of n packed elements where the mask is true, one behind the other; how many these are. */
int64_t ddr_select(size_t element_size, const void *packed, const bool *mask, int64_t n,
                   void *selected);

/* The other way: n packed elements, of which those where the mask is true are taken from `from`. */
void ddr_merge(size_t element_size, const void *from, const bool *mask, int64_t n, void *packed);
