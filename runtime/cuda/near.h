/* near.h: positions of strands, for the files that sort strands by place. */
#pragma once

#include "runtime/cuda/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns with positions. */
typedef struct ddr_places {
  ddr_columns columns;
  uint32_t offset, real_size;
  int dim;
  int64_t n;
} ddr_places;

DDR_FN double ddr_coordinate(const ddr_places *places, int64_t slot, int k) {
  const uint32_t offset = places->offset + (uint32_t)k * places->real_size;
  if (places->real_size == sizeof(double))
    return DDR_COLUMN(const double, &places->columns, offset)[slot];
  return (double)DDR_COLUMN(const float, &places->columns, offset)[slot];
}

DDR_FN bool ddr_is_somewhere(const ddr_places *places, int64_t slot) {
  for (int k = 0; k < places->dim; k++) {
    if (!isfinite(ddr_coordinate(places, slot, k))) return false;
  }
  return true;
}

/* The bits of a real as an integer that is ordered like the real; -x gives the complement. */
DDR_FN unsigned long long ddr_order_of(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* The cells, in doubles and in the program's reals. */
typedef struct ddr_grid {
  ddr_cells cells;
  union {
    ddr_cells_float in_floats;
    ddr_cells_double in_doubles;
  } real;
} ddr_grid;

/* The radius of a query, a real of the program; 0 before there is one. */
typedef union ddr_radius {
  float in_floats;
  double in_doubles;
} ddr_radius;

DDR_FN double ddr_radius_of(const ddr_radius *radius, const ddr_places *places) {
  return places->real_size == sizeof(double) ? radius->in_doubles : (double)radius->in_floats;
}

/* near_cells.cu: the grid, on the device, for all finite positions and queries of a radius; 0: that
 * of the query before. */
const char *ddr_near_choose(ddr_device *device, const ddr_places *places, double radius,
                            ddr_grid *grid);

#ifdef __cplusplus
}
#endif
