/* tiles.h: which strands of a grid a warp takes: those of a tile, whose rays often stay close to
 * each other, read the same samples and end together.  Eight tiles, the strands of a block of 256,
 * are neighbours along two axes, for the same reasons, and so are four, those of a block of 128.
 *
 *                tile                                   four of them     eight
 *   two axes     8 by 4, the fastest axis first         16 by 8          16 by 16
 *   three axes   4 by 4 by 2; of more axes the last     8 by 4 by 4      8 by 4 by 8
 *                three, one volume after the other
 *
 * Whole eights come first, then the other tiles, each in rank order, so that tiles begin at
 * multiples of 32 and eights at multiples of 256; the strands that are left at the far ends of axes
 * follow in rank order.  Grids of 2^32 strands or more have no tiles: the numbers are words, whose
 * division takes few instructions and registers.
 */
#pragma once

#include <stdint.h>

#include "ddr/scalar.h"

typedef struct ddr_box {
  uint32_t depth, height, width;
} ddr_box;

/* A box that is divided into equal ones. */
typedef struct ddr_tiling {
  ddr_box volume, tile, whole; /* the part of the volume that whole tiles fill */
} ddr_tiling;

/* A grid as volumes one after the other, its tiles, and those by eights. */
typedef struct ddr_device_tiles {
  ddr_tiling strands, tiles;
} ddr_device_tiles;

DDR_FN uint32_t ddr_box_len(ddr_box box) { return box.depth * box.height * box.width; }

/* How many boxes fit along each axis. */
DDR_FN ddr_box ddr_box_counts(ddr_box volume, ddr_box tile) {
  const ddr_box counts = {volume.depth / tile.depth, volume.height / tile.height,
                          volume.width / tile.width};
  return counts;
}

static inline ddr_tiling ddr_tiling_of(ddr_box volume, ddr_box tile) {
  const ddr_box n = ddr_box_counts(volume, tile);
  const ddr_box whole = {n.depth * tile.depth, n.height * tile.height, n.width * tile.width};
  const ddr_tiling tiling = {volume, tile, whole};
  return tiling;
}

/* The last three axes of a grid; a single place: it has no tiles. */
static inline ddr_box ddr_volume_of(uint32_t rank, const int64_t *len) {
  const ddr_box none = {1, 1, 1};
  ddr_box volume = none;
  int64_t n = 1;
  for (uint32_t axis = 0; axis < rank; axis++) {
    if (len[axis] > 0 && n > UINT32_MAX / len[axis]) return none;
    n *= len[axis];
  }
  if (rank > 0) volume.width = (uint32_t)len[rank - 1];
  if (rank > 1) volume.height = (uint32_t)len[rank - 2];
  if (rank > 2) volume.depth = (uint32_t)len[rank - 3];
  return volume;
}

static inline ddr_device_tiles ddr_tiles_of(uint32_t rank, const int64_t *len) {
  const ddr_box flat = {1, 4, 8}, deep = {2, 4, 4};
  const ddr_box eights_of_flat = {1, 4, 2}, eights_of_deep = {4, 1, 2};
  const ddr_box volume = ddr_volume_of(rank, len);
  const bool is_deep = volume.depth > 1;
  const ddr_box tile = is_deep ? deep : flat;
  const ddr_device_tiles tiles = {
      ddr_tiling_of(volume, tile),
      ddr_tiling_of(ddr_box_counts(volume, tile), is_deep ? eights_of_deep : eights_of_flat)};
  return tiles;
}

/* Number k of the places of a box, in rank order. */
DDR_FN ddr_box ddr_box_place(ddr_box box, uint32_t k) {
  const ddr_box place = {k / (box.height * box.width), k / box.width % box.height, k % box.width};
  return place;
}

/* Number k of the places that are in no whole tile: beside, below and behind the whole tiles. */
DDR_FN ddr_box ddr_place_left(const ddr_tiling *tiling, uint32_t k) {
  const ddr_box volume = tiling->volume, whole = tiling->whole;
  const ddr_box beside = {whole.depth, whole.height, volume.width - whole.width};
  const ddr_box below = {whole.depth, volume.height - whole.height, volume.width};
  ddr_box place;
  if (k < ddr_box_len(beside)) {
    place = ddr_box_place(beside, k);
    place.width += whole.width;
    return place;
  }
  k -= ddr_box_len(beside);
  if (k < ddr_box_len(below)) {
    place = ddr_box_place(below, k);
    place.height += whole.height;
    return place;
  }
  place = ddr_box_place(volume, k - ddr_box_len(below));
  place.depth += whole.depth;
  return place;
}

/* Number k of the places in tile `which`. */
DDR_FN ddr_box ddr_place_in_tile(ddr_box tile, ddr_box which, uint32_t k) {
  const ddr_box within = ddr_box_place(tile, k);
  const ddr_box place = {which.depth * tile.depth + within.depth,
                         which.height * tile.height + within.height,
                         which.width * tile.width + within.width};
  return place;
}

/* Tile number k of the grid: of whole eights, or else one that is left. */
DDR_FN ddr_box ddr_tile_place(const ddr_tiling *tiles, uint32_t k) {
  const uint32_t n_whole = ddr_box_len(tiles->whole), n_together = ddr_box_len(tiles->tile);
  if (k >= n_whole) return ddr_place_left(tiles, k - n_whole);
  const ddr_box eights = ddr_box_counts(tiles->whole, tiles->tile);
  return ddr_place_in_tile(tiles->tile, ddr_box_place(eights, k / n_together), k % n_together);
}

/* The slot that thread number `thread` takes: in rank order if there are no tiles. */
DDR_FN int64_t ddr_tile_slot(const ddr_device_tiles *tiles, int64_t thread) {
  const ddr_tiling *const strands = &tiles->strands;
  const uint32_t n = ddr_box_len(strands->volume), n_whole = ddr_box_len(strands->whole);
  if (n == 1) return thread;
  const uint32_t k = (uint32_t)thread % n, n_in_tile = ddr_box_len(strands->tile);
  const ddr_box place =
      k < n_whole ? ddr_place_in_tile(strands->tile, ddr_tile_place(&tiles->tiles, k / n_in_tile),
                                      k % n_in_tile)
                  : ddr_place_left(strands, k - n_whole);
  const uint32_t row = place.depth * strands->volume.height + place.height;
  const uint32_t in_box = row * strands->volume.width + place.width;
  return thread - k + in_box;
}
