/* pitch.h: pitches: how many bytes a padded sub-array takes.
 *
 *   pitch[q-1] = up(len[q-1] * element_size, align[q-1])
 *   pitch[k]   = up(len[k] * pitch[k+1],     align[k])        up(x, a): the next multiple of a
 *
 * pitch[0] is the whole array; a step along axis k-1 is pitch[k] bytes.  Axes run from the slowest
 * to the fastest; alignments are any integers >= 1.
 */
#pragma once

#include <stddef.h>

#include "runtime/layout/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Named orders of axes.  N images, C components, D slices, H rows, W columns. */
typedef enum ddr_named_layout {
  DDR_NAMED_NONE, /* a plain array */
  DDR_NAMED_NCHW, /* planar: N C (D) H W */
  DDR_NAMED_NHWC, /* interleaved: N (D) H W C */
  DDR_NAMED_420SP /* a plane of full resolution, then one of pairs at half of it */
} ddr_named_layout;

/* Pitches of `n` axes.  Errors, the first of: ELEN (n outside 1 to 16, or another number of
 * alignments), ETYPE (element size 0), EDIM, EALIGN, EOVERFLOW. */
ddr_array_status ddr_pitch_compute(int n, const int64_t *len, int n_aligns, const int64_t *align,
                                   size_t element_size, size_t *pitch);

/* Of a 4:2:0 semi-planar frame, axes [3, height, width], alignments of total, plane and row:
 * row = up(2 ceil(w/2) e, ..), plane = up(h row, ..), total = up(plane + ceil(h/2) row, ..).
 * Errors: as above, EDIM also where the first axis is not 3. */
ddr_array_status ddr_pitch_compute_420sp(const int64_t len[3], const int64_t align[3],
                                         size_t element_size, size_t pitch[3]);

/* Pitches from outside: n_pitches 0 means not given, n 0 that the extents are not known yet.  Each
 * must hold what is inside it.  Errors: ELEN, EPITCH, and those of ddr_pitch_compute. */
ddr_array_status ddr_pitch_validate(ddr_named_layout named, int n, const int64_t *len,
                                    size_t element_size, int n_pitches, const size_t *pitch);

/* Element strides of a pitched array.  Errors: those of ddr_pitch_validate; EPITCH also where a
 * pitch is no whole number of elements. */
ddr_array_status ddr_pitch_to_layout(int n, const int64_t *len, size_t element_size,
                                     const size_t *pitch, ddr_layout *layout);

/* The two images in a 4:2:0 frame: luma [h, w], and chroma [2, ceil(h/2), ceil(w/2)].  Errors: the
 * same. */
ddr_array_status ddr_pitch_to_layouts_420sp(const int64_t len[3], size_t element_size,
                                            const size_t pitch[3], ddr_layout *luma,
                                            ddr_layout *chroma);

/* An alignment for rows of so many bytes: from `align` down by halves while the padded row exceeds
 * row + row/4, never below the element. */
size_t ddr_pitch_row_align(size_t row_bytes, size_t align, size_t element_size);

#ifdef __cplusplus
}
#endif
