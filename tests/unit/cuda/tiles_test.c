/* Tiles of strands: every slot occurs once, and a warp covers a box where the grid is wide
 * enough. */
#include "ddr/device/tiles.h"
#include "tests/unit/test.h"

#include <stdbool.h>
#include <stdlib.h>

/* The number of warps with a box of 32 strands, `width` by `height` by `depth`. */
static int64_t count_boxes(uint32_t rank, const int64_t *len, ddr_box box) {
  const ddr_device_tiles tiles = ddr_tiles_of(rank, len);
  int64_t n = 1, n_boxes = 0;
  for (uint32_t axis = 0; axis < rank; axis++) n *= len[axis];
  const int64_t width = len[rank - 1], height = rank > 1 ? len[rank - 2] : 1;
  bool *is_taken = calloc((size_t)n + 1, sizeof *is_taken);
  for (int64_t first = 0; first < n; first += 32) {
    const int64_t corner = ddr_tile_slot(&tiles, first);
    bool is_box = first + 32 <= n;
    for (int64_t k = 0; k < 32 && first + k < n; k++) {
      const int64_t slot = ddr_tile_slot(&tiles, first + k), way = slot - corner;
      CHECK(slot >= 0 && slot < n && !is_taken[slot]);
      if (slot >= 0 && slot < n) is_taken[slot] = true;
      is_box = is_box && way == k / (box.width * box.height) * width * height +
                                    k / box.width % box.height * width + k % box.width;
    }
    n_boxes += is_box;
  }
  free(is_taken);
  return n_boxes;
}

/* The number of blocks that have the strands of a box, and no others. */
static int64_t count_blocks(uint32_t rank, const int64_t *len, ddr_box box) {
  const ddr_device_tiles tiles = ddr_tiles_of(rank, len);
  const ddr_box volume = tiles.strands.volume;
  const int64_t size = ddr_box_len(box);
  int64_t n_boxes = 0;
  for (int64_t first = 0; first + size <= ddr_box_len(volume); first += size) {
    ddr_box low = volume, high = {0, 0, 0};
    for (int64_t k = 0; k < size; k++) {
      const ddr_box at = ddr_box_place(volume, (uint32_t)ddr_tile_slot(&tiles, first + k));
      low.depth = at.depth < low.depth ? at.depth : low.depth;
      low.height = at.height < low.height ? at.height : low.height;
      low.width = at.width < low.width ? at.width : low.width;
      high.depth = at.depth > high.depth ? at.depth : high.depth;
      high.height = at.height > high.height ? at.height : high.height;
      high.width = at.width > high.width ? at.width : high.width;
    }
    n_boxes += high.depth - low.depth < box.depth && high.height - low.height < box.height &&
               high.width - low.width < box.width;
  }
  return n_boxes;
}

static void fours(void) {
  const ddr_box flat = {1, 8, 16}, deep = {4, 4, 8};
  CHECK_EQ(count_blocks(2, (const int64_t[]){16, 32}, flat), 4);
  /* 2 by 2; strands outside of tiles are left. */
  CHECK_EQ(count_blocks(2, (const int64_t[]){23, 47}, flat), 4);
  CHECK_EQ(count_blocks(2, (const int64_t[]){4, 64}, flat), 0);
  CHECK_EQ(count_blocks(3, (const int64_t[]){8, 4, 16}, deep), 4);
  CHECK_EQ(count_blocks(3, (const int64_t[]){7, 5, 9}, deep), 1);
}

static void eights(void) {
  const ddr_box flat = {1, 16, 16}, deep = {8, 4, 8};
  CHECK_EQ(count_blocks(2, (const int64_t[]){32, 48}, flat), 6);
  CHECK_EQ(count_blocks(2, (const int64_t[]){23, 47}, flat), 2); /* side by side */
  CHECK_EQ(count_blocks(2, (const int64_t[]){8, 64}, flat), 0);
  CHECK_EQ(count_blocks(3, (const int64_t[]){8, 8, 16}, deep), 4);
  CHECK_EQ(count_blocks(3, (const int64_t[]){9, 5, 9}, deep), 1);
}

static void planes(void) {
  const ddr_box flat = {1, 4, 8};
  CHECK_EQ(count_boxes(2, (const int64_t[]){8, 16}, flat), 4);
  /* 2 bands of 2; 43 strands are left. */
  CHECK_EQ(count_boxes(2, (const int64_t[]){9, 19}, flat), 4);
  CHECK_EQ(count_boxes(2, (const int64_t[]){3, 100}, flat), 0);
  CHECK_EQ(count_boxes(2, (const int64_t[]){100, 7}, flat), 0);
  CHECK_EQ(count_boxes(3, (const int64_t[]){1, 8, 16}, flat), 4);
}

static void volumes(void) {
  const ddr_box deep = {2, 4, 4};
  CHECK_EQ(count_boxes(3, (const int64_t[]){12, 12, 12}, deep), 54);
  CHECK_EQ(count_boxes(3, (const int64_t[]){5, 6, 7}, deep), 2);
  CHECK_EQ(count_boxes(4, (const int64_t[]){3, 4, 8, 4}, deep), 12);
}

static void rows(void) {
  const int64_t nothing[] = {0, 5};
  CHECK_EQ(count_boxes(1, (const int64_t[]){77}, (ddr_box){1, 1, 32}), 2);
  CHECK_EQ(count_boxes(2, nothing, (ddr_box){1, 1, 32}), 0);
  const ddr_device_tiles none = ddr_tiles_of(0, NULL);
  for (int64_t thread = 0; thread < 100; thread++) CHECK(ddr_tile_slot(&none, thread) == thread);
}

/* More strands than words count. */
static void many(void) {
  const int64_t most[] = {1 << 16, (1 << 16) - 1}, more[] = {1 << 16, 1 << 16};
  const int64_t huge[] = {INT64_C(1) << 40, 1 << 20, 1 << 20, 1 << 20};
  const int64_t row = most[1], last = row * most[0] - 1, far = row * 65532 + 8;
  const ddr_device_tiles tiles = ddr_tiles_of(2, most), none = ddr_tiles_of(2, more);
  CHECK_EQ(ddr_tile_slot(&tiles, 8), row); /* a tile has rows of 8 */
  CHECK_EQ(ddr_tile_slot(&tiles, last), last);
  CHECK_EQ(ddr_tile_slot(&none, 8), 8);
  CHECK_EQ(ddr_tile_slot(&none, far), far);
  const ddr_device_tiles of_huge = ddr_tiles_of(4, huge);
  CHECK_EQ(ddr_tile_slot(&of_huge, INT64_C(1) << 62), INT64_C(1) << 62);
}

int main(void) {
  RUN(fours);
  RUN(eights);
  RUN(planes);
  RUN(volumes);
  RUN(rows);
  RUN(many);
  return test_result();
}
