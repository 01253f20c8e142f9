/* tiles.h: which strands of a grid a warp takes: those of a tile, whose rays stay close to each
 * other, read the same samples and end together.
 *
 *   two axes     8 by 4, the fastest axis first
 *   three axes   4 by 4 by 2; of more axes the last three, one volume after the other
 *
 * Whole tiles come first, in rank order, and begin at multiples of 32; what is left at the far ends
 * of axes follows in rank order.
 */
#pragma once

#include <stdint.h>

#include "ddr/scalar.h"

typedef struct ddr_box {
  int64_t depth, height, width;
} ddr_box;

/* A grid as volumes one after the other, and its tiles; volumes of nothing where none fits. */
typedef struct ddr_device_tiles {
  ddr_box volume, tile, whole; /* the part of a volume that whole tiles fill */
} ddr_device_tiles;

DDR_FN int64_t ddr_box_len(ddr_box box) { return box.depth * box.height * box.width; }

static inline ddr_device_tiles ddr_tiles_of(uint32_t rank, const int64_t *len) {
  const ddr_box flat = {1, 4, 8}, deep = {2, 4, 4};
  ddr_device_tiles tiles = {{1, 1, 1}, flat, {0, 0, 0}};
  if (rank > 0) tiles.volume.width = len[rank - 1];
  if (rank > 1) tiles.volume.height = len[rank - 2];
  if (rank > 2) tiles.volume.depth = len[rank - 3];
  if (rank > 2 && tiles.volume.depth > 1) tiles.tile = deep;
  tiles.whole.depth = tiles.volume.depth / tiles.tile.depth * tiles.tile.depth;
  tiles.whole.height = tiles.volume.height / tiles.tile.height * tiles.tile.height;
  tiles.whole.width = tiles.volume.width / tiles.tile.width * tiles.tile.width;
  return tiles;
}

/* Number k of the places of a box, in rank order. */
DDR_FN ddr_box ddr_box_place(ddr_box box, int64_t k) {
  const ddr_box place = {k / (box.height * box.width), k / box.width % box.height, k % box.width};
  return place;
}

/* Number k of those that are in no whole tile: beside them, below them, behind them. */
DDR_FN ddr_box ddr_place_left(const ddr_device_tiles *tiles, int64_t k) {
  const ddr_box volume = tiles->volume, whole = tiles->whole;
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

DDR_FN ddr_box ddr_place_in_tile(const ddr_device_tiles *tiles, int64_t k) {
  const ddr_box tile = tiles->tile, whole = tiles->whole;
  const ddr_box counts = {whole.depth / tile.depth, whole.height / tile.height,
                          whole.width / tile.width};
  const ddr_box which = ddr_box_place(counts, k / ddr_box_len(tile));
  const ddr_box within = ddr_box_place(tile, k % ddr_box_len(tile));
  const ddr_box place = {which.depth * tile.depth + within.depth,
                         which.height * tile.height + within.height,
                         which.width * tile.width + within.width};
  return place;
}

/* The slot that thread number `thread` takes. */
DDR_FN int64_t ddr_tile_slot(const ddr_device_tiles *tiles, int64_t thread) {
  const int64_t n = ddr_box_len(tiles->volume), k = thread % n, n_whole = ddr_box_len(tiles->whole);
  const ddr_box place =
      k < n_whole ? ddr_place_in_tile(tiles, k) : ddr_place_left(tiles, k - n_whole);
  return thread - k + (place.depth * tiles->volume.height + place.height) * tiles->volume.width +
         place.width;
}
