/* near_cells.cu: the bounding box of all finite positions, and its cells. */
#include "runtime/cuda/base/warp.h"
#include "runtime/cuda/near.h"

/* The least and greatest coordinate of finite positions on each axis, as integers that atomics can
 * compare; 0 while there is none. */
typedef struct Bounds {
  unsigned long long down[DDR_MOST_DIM], up[DDR_MOST_DIM];
} Bounds;

/* Of all tiles that are done; all 0 between launches, except for the radius. */
typedef struct Shared {
  ddr_radius radius; /* comes first: ddr_near gives its address to kernels */
  Bounds bounds;
  unsigned long long n_done;
} Shared;

DDR_FN double number_of(unsigned long long order) {
  const unsigned long long bits = order >> 63 ? order & ~(1ull << 63) : ~order;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

DDR_FN Bounds wider_of(Bounds a, Bounds b) {
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    a.down[k] = b.down[k] > a.down[k] ? b.down[k] : a.down[k];
    a.up[k] = b.up[k] > a.up[k] ? b.up[k] : a.up[k];
  }
  return a;
}

enum { POINTS_PER_LANE = 8, POINTS_PER_TILE = POINTS_PER_LANE * DDR_WARP };

/* Axes are unrolled: with an index at run time, bounds would be in local memory. */
DDR_FN Bounds bounds_of_lane(const ddr_places *places, int64_t tile, int lane) {
  Bounds bounds = {{0, 0, 0}, {0, 0, 0}};
  for (int step = 0; step < POINTS_PER_LANE; step++) {
    const int64_t slot = tile * POINTS_PER_TILE + (int64_t)step * DDR_WARP + lane;
    if (slot >= places->n || !ddr_is_somewhere(places, slot)) continue;
    Bounds own = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < DDR_MOST_DIM; k++) {
      if (k >= places->dim) break;
      own.up[k] = ddr_order_of(ddr_coordinate(places, slot, k));
      own.down[k] = ~own.up[k];
    }
    bounds = wider_of(bounds, own);
  }
  return bounds;
}

/* Chooses the grid for the bounds of all and a radius of queries, and clears the bounds.  They are
 * read by atomics, as they were written. */
DDR_DEVICE_FN void choose(Bounds *bounds, double radius, const ddr_places *places, ddr_grid *grid) {
  ddr_cells *cells = &grid->cells;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    const unsigned long long down = DDR_DEVICE_ADD(&bounds->down[k], 0ull);
    const unsigned long long up = DDR_DEVICE_ADD(&bounds->up[k], 0ull);
    cells->lo[k] = up > 0 ? number_of(~down) : 0;
    cells->hi[k] = up > 0 ? number_of(up) : 0;
    bounds->down[k] = bounds->up[k] = 0;
  }
  ddr_cells_choose(cells, places->n);
  ddr_cells_fit(cells, places->n, radius);
  if (places->real_size == sizeof(double)) ddr_cells_to_double(cells, &grid->real.in_doubles);
  else ddr_cells_to_float(cells, &grid->real.in_floats);
}

/* The last thread block chooses the grid. */
DDR_KERNEL void bounds_kernel(ddr_places places, int64_t n_tiles, double radius, Shared *shared,
                              ddr_grid *grid) {
  Bounds *bounds = &shared->bounds;
  DDR_FOR_WARPS(tile, n_tiles) {
    DDR_WARP_FOLD(Bounds, root, wider_of, bounds_of_lane(&places, tile, lane))
    if (DDR_LANE != 0) continue;
    for (int k = 0; k < DDR_MOST_DIM; k++) {
      if (k >= places.dim) break;
      DDR_DEVICE_MAX(&bounds->down[k], root.down[k]);
      DDR_DEVICE_MAX(&bounds->up[k], root.up[k]);
    }
    DDR_DEVICE_FENCE();
    if (DDR_DEVICE_ADD(&shared->n_done, 1ull) + 1 < (unsigned long long)n_tiles) continue;
    if (!(radius > 0)) radius = ddr_radius_of(&shared->radius, &places);
    choose(bounds, radius, &places, grid);
    shared->n_done = 0;
  }
}

const char *ddr_near_choose(ddr_device *device, const ddr_places *places, double radius,
                            ddr_grid *grid) {
  const int64_t n_tiles = (places->n + POINTS_PER_TILE - 1) / POINTS_PER_TILE;
  const char *error =
      ddr_space_reserve_zeros(device, "allocate memory", &device->near.bounds, sizeof(Shared));
  if (error) return error;
  DDR_LAUNCH(bounds_kernel, &device->launch, n_tiles * DDR_WARP, *places, n_tiles, radius,
             (Shared *)device->near.bounds.memory, grid);
  return ddr_device_launched(device, "find where the strands are");
}
