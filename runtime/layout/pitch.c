/* pitch.c: pitches are computed, checked and turned into strides.
 *
 * Sizes are computed as 64-bit integers up to PTRDIFF_MAX.
 */
#include "runtime/layout/pitch.h"

#include "runtime/layout/checked.h"

/* --- rounding up ------------------------------------------------------------------------------ */

/* *padded = the next multiple of `align` from a * b on; 0 < b, align; false on overflow. */
static bool padded_product(int64_t a, int64_t b, int64_t align, int64_t *padded) {
  int64_t product;
  if (!checked_mul(a, b, &product)) return false;
  const int64_t rest = product % align;
  return checked_add(product, rest > 0 ? align - rest : 0, padded) && *padded <= PTRDIFF_MAX;
}

static int64_t half(int64_t n) { return n / 2 + n % 2; }

/* --- what is asked for ------------------------------------------------------------------------ */

static ddr_array_status check_extents(int n, const int64_t *len, size_t element_size) {
  if (n < 1 || n > DDR_MAX_RANK) return DDR_ARRAY_ELEN;
  DDR_NEED(len);
  if (element_size == 0) return DDR_ARRAY_ETYPE;
  for (int k = 0; k < n; k++)
    if (len[k] < 1) return DDR_ARRAY_EDIM;
  return element_size > PTRDIFF_MAX ? DDR_ARRAY_EOVERFLOW : DDR_ARRAY_OK;
}

static ddr_array_status check_aligns(int n, const int64_t *align) {
  DDR_NEED(align);
  for (int k = 0; k < n; k++)
    if (align[k] < 1) return DDR_ARRAY_EALIGN;
  return DDR_ARRAY_OK;
}

/* --- computing -------------------------------------------------------------------------------- */

ddr_array_status ddr_pitch_compute(int n, const int64_t *len, int n_aligns, const int64_t *align,
                                   size_t element_size, size_t *pitch) {
  if (n_aligns != n) return DDR_ARRAY_ELEN;
  ddr_array_status status = check_extents(n, len, element_size);
  if (status == DDR_ARRAY_OK) status = check_aligns(n, align);
  if (status != DDR_ARRAY_OK) return status;
  DDR_NEED(pitch);
  size_t all[DDR_MAX_RANK] = {0};
  int64_t inner = (int64_t)element_size;
  for (int k = n - 1; k >= 0; k--) {
    if (!padded_product(len[k], inner, align[k], &inner)) return DDR_ARRAY_EOVERFLOW;
    all[k] = (size_t)inner;
  }
  for (int k = 0; k < n; k++) pitch[k] = all[k];
  return DDR_ARRAY_OK;
}

static ddr_array_status check_frame(int n, const int64_t *len, size_t element_size) {
  if (n != 3) return DDR_ARRAY_ELEN;
  const ddr_array_status status = check_extents(n, len, element_size);
  return status == DDR_ARRAY_OK && len[0] != 3 ? DDR_ARRAY_EDIM : status;
}

/* Bytes of a row of pairs; of a frame with such rows and a first plane of `plane` bytes. */
static bool row_of_pairs(int64_t width, size_t element_size, int64_t align, int64_t *row) {
  int64_t pair;
  return checked_mul(2, (int64_t)element_size, &pair) &&
         padded_product(half(width), pair, align, row);
}

static bool both_planes(int64_t height, int64_t plane, int64_t row, int64_t align, int64_t *total) {
  int64_t chroma, both;
  return padded_product(half(height), row, 1, &chroma) && checked_add(plane, chroma, &both) &&
         padded_product(1, both, align, total);
}

ddr_array_status ddr_pitch_compute_420sp(const int64_t *len, const int64_t *align,
                                         size_t element_size, size_t *pitch) {
  int64_t row, plane, total;
  ddr_array_status status = check_frame(3, len, element_size);
  if (status == DDR_ARRAY_OK) status = check_aligns(3, align);
  if (status != DDR_ARRAY_OK) return status;
  DDR_NEED(pitch);
  if (!row_of_pairs(len[2], element_size, align[2], &row) ||
      !padded_product(len[1], row, align[1], &plane) ||
      !both_planes(len[1], plane, row, align[0], &total))
    return DDR_ARRAY_EOVERFLOW;
  pitch[0] = (size_t)total;
  pitch[1] = (size_t)plane;
  pitch[2] = (size_t)row;
  return DDR_ARRAY_OK;
}

/* --- pitches from outside --------------------------------------------------------------------- */

static ddr_array_status at_least(size_t pitch, bool is_small_enough, int64_t least) {
  if (pitch > PTRDIFF_MAX || !is_small_enough) return DDR_ARRAY_EOVERFLOW;
  return (int64_t)pitch >= least ? DDR_ARRAY_OK : DDR_ARRAY_EPITCH;
}

static ddr_array_status validate_frame(int n, const int64_t *len, size_t element_size,
                                       const size_t *pitch) {
  int64_t least = 0;
  ddr_array_status status = check_frame(n, len, element_size);
  if (status != DDR_ARRAY_OK) return status;
  bool fits = row_of_pairs(len[2], element_size, 1, &least);
  status = at_least(pitch[2], fits, least);
  if (status != DDR_ARRAY_OK) return status;
  fits = padded_product(len[1], (int64_t)pitch[2], 1, &least);
  status = at_least(pitch[1], fits, least);
  if (status != DDR_ARRAY_OK) return status;
  fits = both_planes(len[1], (int64_t)pitch[1], (int64_t)pitch[2], 1, &least);
  return at_least(pitch[0], fits, least);
}

static ddr_array_status validate_plain(int n, const int64_t *len, size_t element_size,
                                       const size_t *pitch) {
  ddr_array_status status = check_extents(n, len, element_size);
  int64_t inner = (int64_t)element_size;
  for (int k = n - 1; k >= 0 && status == DDR_ARRAY_OK; k--) {
    int64_t least = 0;
    const bool fits = padded_product(len[k], inner, 1, &least);
    status = at_least(pitch[k], fits, least);
    inner = (int64_t)pitch[k];
  }
  return status;
}

ddr_array_status ddr_pitch_validate(ddr_named_layout named, int n, const int64_t *len,
                                    size_t element_size, int n_pitches, const size_t *pitch) {
  if ((unsigned)named > DDR_NAMED_420SP) return DDR_ARRAY_EOPERATION;
  if (n_pitches == 0) return DDR_ARRAY_OK;
  if (n_pitches < 0 || n_pitches > DDR_MAX_RANK) return DDR_ARRAY_ELEN;
  if (n == 0) return DDR_ARRAY_OK;
  if (n != n_pitches) return DDR_ARRAY_ELEN;
  DDR_NEED(pitch);
  if (named == DDR_NAMED_420SP) return validate_frame(n, len, element_size, pitch);
  return validate_plain(n, len, element_size, pitch);
}

/* --- strides ---------------------------------------------------------------------------------- */

/* The first pitch is no step between elements. */
static bool are_whole(int n, const size_t *pitch, size_t element_size) {
  for (int k = 1; k < n; k++)
    if (pitch[k] % element_size != 0) return false;
  return true;
}

ddr_array_status ddr_pitch_to_layout(int n, const int64_t *len, size_t element_size,
                                     const size_t *pitch, ddr_layout *layout) {
  if (n == 0) return DDR_ARRAY_ELEN;
  DDR_NEED(layout);
  const ddr_array_status status =
      ddr_pitch_validate(DDR_NAMED_NONE, n, len, element_size, n, pitch);
  if (status != DDR_ARRAY_OK) return status;
  if (!are_whole(n, pitch, element_size)) return DDR_ARRAY_EPITCH;
  ddr_layout pitched = {.rank = n};
  for (int k = 0; k < n; k++) {
    pitched.len[k] = len[k];
    pitched.stride[k] = k + 1 < n ? (int64_t)(pitch[k + 1] / element_size) : 1;
  }
  *layout = pitched;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_pitch_to_layouts_420sp(const int64_t *len, size_t element_size,
                                            const size_t *pitch, ddr_layout *luma,
                                            ddr_layout *chroma) {
  DDR_NEED(luma && chroma);
  const ddr_array_status status =
      ddr_pitch_validate(DDR_NAMED_420SP, 3, len, element_size, 3, pitch);
  if (status != DDR_ARRAY_OK) return status;
  if (!are_whole(3, pitch, element_size)) return DDR_ARRAY_EPITCH;
  const int64_t row = (int64_t)(pitch[2] / element_size);
  *luma = (ddr_layout){.rank = 2, .len = {len[1], len[2]}, .stride = {row, 1}};
  *chroma = (ddr_layout){.rank = 3,
                         .offset = (int64_t)(pitch[1] / element_size),
                         .len = {2, half(len[1]), half(len[2])},
                         .stride = {1, row, 2}};
  return DDR_ARRAY_OK;
}

size_t ddr_pitch_row_align(size_t row_bytes, size_t align, size_t element_size) {
  while (align / 2 >= element_size && align > 1) {
    const size_t rest = row_bytes % align, padding = rest > 0 ? align - rest : 0;
    if (padding <= row_bytes / 4) break;
    align /= 2;
  }
  return align;
}
