/* gang.h: the lanes of a vector register as a gang that works off a block of strands.
 *
 * Each lane runs one strand. When few are left at it, those that have finished store their strands
 * and take the next ones of the block. Which strands share a gang makes no difference to what they
 * compute. Generated code moves the state (backend-c/lanes/block.c); the rest is here.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/lanes/sampling.h"
#include "ddr/program.h"

enum { DDR_TILE = 16 }; /* strands of a tile, whatever the number of lanes */

typedef struct ddr_gang {
  ddr_vmask mask;          /* lanes whose strand runs */
  ddr_vmask ended;         /* lanes whose strand is to be stored */
  ddr_vmask n_steps;       /* of each lane's strand in this visit */
  int64_t slot[DDR_LANES]; /* of each lane's strand; -1: idle */
  int n_active;            /* lanes of the mask */
  uint32_t n_since;        /* steps since strands were taken */
  uint32_t max_steps;      /* 0: no limit */
  uint32_t most;           /* steps of any strand released */
  uint8_t *status;         /* of all strands */
  int64_t next, end;       /* strands nobody has taken yet, see ddr_gang_place */
  int64_t begin;           /* slot of the block's first strand, */
  const uint32_t *slots;   /* or the slots of all, or NULL */
  ddr_tiles tiles;
} ddr_gang;

/* Of a block with or without `slots`. */
DDR_VFN int64_t ddr_slot_at(const ddr_block *block, int64_t at) {
  return block->slots ? block->slots[at] : at;
}

DDR_VFN void ddr_gang_open(ddr_gang *gang, const ddr_block *block, uint32_t max_steps) {
  *gang = (ddr_gang){.max_steps = max_steps,
                     .status = block->strands->status,
                     .end = block->end - block->begin,
                     .begin = block->begin,
                     .slots = block->slots ? block->slots + block->begin : NULL,
                     .tiles = block->tiles};
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = -1;
}

/* Place k of a tile `width` strands wide, in slots from its corner. */
DDR_VFN uint32_t ddr_place_in_tile(uint32_t k, uint32_t width, uint32_t row) {
  return k / width * row + k % width;
}

/* Place k of a band of rows, in slots from its first: tile by tile from left to right, and what the
 * row has beyond the last one as a tile that is narrower. */
DDR_VFN uint32_t ddr_place_in_band(uint32_t k, uint32_t n_rows, uint32_t row) {
  const uint32_t width = DDR_TILE / n_rows, size = width * n_rows;
  const uint32_t tile = k / size, n_whole = row / width;
  if (tile < n_whole) return tile * width + ddr_place_in_tile(k - tile * size, width, row);
  return n_whole * width + ddr_place_in_tile(k - n_whole * size, row - n_whole * width, row);
}

/* The slot of the block's strand number k in the order in which they are taken. */
DDR_VFN int64_t ddr_gang_place(const ddr_gang *gang, int64_t k) {
  const ddr_tiles tiles = gang->tiles;
  if (gang->slots) return gang->slots[k];
  if (tiles.height == 0) return gang->begin + k;
  const uint32_t row = (uint32_t)tiles.row, band_len = row * (uint32_t)tiles.height;
  const uint32_t first = (uint32_t)k / band_len * band_len;
  const uint32_t left = (uint32_t)gang->end - first;
  const uint32_t n_rows = (left < band_len ? left : band_len) / row;
  return gang->begin + first + ddr_place_in_band((uint32_t)k - first, n_rows, row);
}

/* The slot of a strand that the lane is to run, or -1: it is busy, or none is left. */
DDR_VFN int64_t ddr_gang_take(ddr_gang *gang, int lane) {
  int64_t slot = -1;
  if (gang->slot[lane] >= 0) return -1;
  while (slot < 0 && gang->next < gang->end) {
    slot = ddr_gang_place(gang, gang->next++);
    if (gang->status[slot] > DDR_NEW) slot = -1;
  }
  if (slot < 0) return -1;
  gang->mask[lane] = -1;
  gang->n_steps[lane] = 0;
  gang->n_active++;
  gang->n_since = 0;
  gang->slot[lane] = slot;
  return slot;
}

/* The next strands of the block in a row, one for each lane, where all lanes are idle and as many
 * strands run there: the slot of lane 0's. Else -1, and nothing is taken. */
DDR_VFN int64_t ddr_gang_take_row(ddr_gang *gang) {
  if (gang->n_active > 0 || gang->end - gang->next < DDR_LANES) return -1;
  if (gang->tiles.height > 0 || gang->slots) return -1;
  const int64_t first = gang->begin + gang->next;
  uint8_t worst = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) worst |= gang->status[first + lane] > DDR_NEW;
  if (worst) return -1;
  gang->mask = ddr_vbool_all(true);
  gang->n_steps = (ddr_vmask){0};
  gang->n_active = DDR_LANES;
  gang->n_since = 0;
  gang->next += DDR_LANES;
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = first + lane;
  return first;
}

/* The slot of lane 0 where the lanes have slots in a row, as they mostly do, else -1. */
DDR_VFN int64_t ddr_gang_row(const ddr_gang *gang) {
  bool is_row = gang->slot[0] >= 0;
  DDR_EACH_LANE(lane) is_row &= gang->slot[lane] == gang->slot[0] + lane;
  return is_row ? gang->slot[0] : -1;
}

/* Value j of each lane's strand; `row` is ddr_gang_row. */
DDR_VFN ddr_vreal ddr_gang_sample(const ddr_samples *samples, int64_t j, const ddr_gang *gang,
                                  int64_t row) {
  ddr_vreal values = {0};
  if (row >= 0) {
    const ddr_real *from = (const ddr_real *)samples->values;
    memcpy(&values, from + j * samples->stride + row - samples->begin, sizeof values);
    return values;
  }
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (gang->slot[lane] >= 0) values[lane] = ddr_sampling_value(samples, j, gang->slot[lane]);
  }
  return values;
}

/* Before a step. */
DDR_VFN void ddr_gang_step(ddr_gang *gang) {
  gang->n_steps -= gang->mask;
  gang->n_since++;
}

/* With a limit of steps all lanes reach it together: none takes another strand before. */
DDR_VFN bool ddr_gang_goes_on(const ddr_gang *gang) {
  if (gang->max_steps > 0) return gang->n_active > 0 && gang->n_since < gang->max_steps;
  return gang->n_active > (gang->next < gang->end ? DDR_LANES * 3 / 4 : 0);
}

/* The limit is reached: strands wait for the next visit. */
DDR_VFN bool ddr_gang_pauses(const ddr_gang *gang) {
  return gang->max_steps > 0 && gang->n_active > 0;
}

/* Where all lanes ended, with strands in a row: the slot to store lane 0's at. All lanes are idle
 * then. Else -1, and nothing is released. */
DDR_VFN int64_t ddr_gang_release_row(ddr_gang *gang, ddr_strand_status status) {
  const int64_t first = gang->n_active == DDR_LANES ? ddr_gang_row(gang) : -1;
  if (first < 0 || ddr_vany(~gang->ended)) return -1;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
    gang->most = n_steps > gang->most ? n_steps : gang->most;
    gang->slot[lane] = -1;
  }
  memset(gang->status + first, (int)status, DDR_LANES);
  gang->mask = (ddr_vmask){0};
  gang->n_active = 0;
  return first;
}

/* Of a lane among the `ended`: the slot to store its strand at. The lane is idle then. Else -1. */
DDR_VFN int64_t ddr_gang_release(ddr_gang *gang, int lane, ddr_strand_status status) {
  const int64_t slot = gang->slot[lane];
  if (!gang->ended[lane] || slot < 0) return -1;
  const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
  if (n_steps > gang->most) gang->most = n_steps;
  gang->status[slot] = (uint8_t)status;
  gang->mask[lane] = 0;
  gang->n_active--;
  gang->slot[lane] = -1;
  return slot;
}
