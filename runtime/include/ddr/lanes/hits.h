/* hits.h: queries of a gang: what the strands of all lanes find, as rows.
 *
 * Row k has the k-th hit of each lane: slots ascend in each lane, as in the sequence that one
 * strand gets (host/spatial.h). All lanes are sorted at once, by a network that compares rows.
 */
#pragma once

#include "ddr/lanes/gang.h"
#include "ddr/lanes/search.h"

typedef int32_t ddr_vslots __attribute__((vector_size(DDR_LANES * sizeof(int32_t))));

typedef struct ddr_vhits {
  const uint32_t *rows; /* DDR_LANES slots each; every slot exists while strands run */
  int64_t n_rows;       /* at least one */
  ddr_vint length;      /* number of hits of each lane */
} ddr_vhits;

/* --- order ------------------------------------------------------------------------------------ */

#if defined(__clang__) || (DDR_LANES == 4 && !defined(__SSE4_1__))
#define DDR_VSLOTS_MIN(a, b) (((a) & ((a) < (b))) | ((b) & ~((a) < (b))))
#define DDR_VSLOTS_MAX(a, b) (((b) & ((a) < (b))) | ((a) & ~((a) < (b))))
#elif DDR_LANES == 16
#define DDR_VSLOTS_MIN(a, b) __builtin_ia32_pminsd512_mask(a, b, (ddr_vslots){0}, UINT16_MAX)
#define DDR_VSLOTS_MAX(a, b) __builtin_ia32_pmaxsd512_mask(a, b, (ddr_vslots){0}, UINT16_MAX)
#elif DDR_LANES == 8
#define DDR_VSLOTS_MIN(a, b) __builtin_ia32_pminsd256(a, b)
#define DDR_VSLOTS_MAX(a, b) __builtin_ia32_pmaxsd256(a, b)
#else
#define DDR_VSLOTS_MIN(a, b) __builtin_ia32_pminsd128(a, b)
#define DDR_VSLOTS_MAX(a, b) __builtin_ia32_pmaxsd128(a, b)
#endif

/* Orders two slots in each lane. */
DDR_VFN void ddr_vslots_order(ddr_vslots *low, ddr_vslots *high) {
  const ddr_vslots a = *low, b = *high;
  *low = DDR_VSLOTS_MIN(a, b);
  *high = DDR_VSLOTS_MAX(a, b);
}

/* Sorts eight rows in registers, by the smallest network. */
DDR_VFN void ddr_vslots_sort_8(ddr_vslots *rows) {
  static const uint8_t pairs[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                     {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                     {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
  enum { N = sizeof pairs / sizeof *pairs };
  ddr_vslots row[DDR_NEAR_ROWS];
  memcpy(row, rows, sizeof row);
  _Pragma("GCC unroll 19") for (int k = 0; k < N; k++)
      ddr_vslots_order(&row[pairs[k][0]], &row[pairs[k][1]]);
  memcpy(rows, row, sizeof row);
}

/* Sorts eight rows that first rise and then fall, or the reverse. One function for both networks,
 * with the pairs as an argument, makes the benchmark particles 15 % slower with clang. */
DDR_VFN void ddr_vslots_merge_8(ddr_vslots *rows) {
  static const uint8_t pairs[][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {0, 2}, {1, 3},
                                     {4, 6}, {5, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}};
  enum { N = sizeof pairs / sizeof *pairs };
  ddr_vslots row[DDR_NEAR_ROWS];
  memcpy(row, rows, sizeof row);
  _Pragma("GCC unroll 12") for (int k = 0; k < N; k++)
      ddr_vslots_order(&row[pairs[k][0]], &row[pairs[k][1]]);
  memcpy(rows, row, sizeof row);
}

/* Merges two sorted runs of len rows from `begin` on. There are n rows: rows behind them would be
 * greater than all others, and are left out. */
DDR_VFN void ddr_vslots_merge(ddr_vslots *rows, int64_t begin, int64_t len, int64_t n) {
  const int64_t end = begin + 2 * len < n ? begin + 2 * len : n, last = begin + 2 * len - 1;
  for (int64_t k = last - end + 1; k < len; k++)
    ddr_vslots_order(&rows[begin + k], &rows[last - k]);
  for (int64_t half = len / 2; half >= DDR_NEAR_ROWS; half /= 2)
    for (int64_t first = begin; first + half < end; first += 2 * half)
      for (int64_t k = first; k < first + half && k + half < end; k++)
        ddr_vslots_order(&rows[k], &rows[k + half]);
  for (int64_t k = begin; k < end; k += DDR_NEAR_ROWS) ddr_vslots_merge_8(rows + k);
}

/* Sorts n rows, a multiple of DDR_NEAR_ROWS. */
DDR_VFN void ddr_vslots_sort(ddr_vslots *rows, int64_t n) {
  for (int64_t k = 0; k < n; k += DDR_NEAR_ROWS) ddr_vslots_sort_8(rows + k);
  for (int64_t len = DDR_NEAR_ROWS; len < n; len *= 2)
    for (int64_t begin = 0; begin + len < n; begin += 2 * len)
      ddr_vslots_merge(rows, begin, len, n);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Makes rows of the hits. Behind its last hit a lane has that one again, or slot 0 if there is
 * none: what an index beyond the end gives one strand. The states that they name are scattered, and
 * are asked for before the hits are sorted. */
DDR_FN_SELDOM void ddr_vhits_fill(const ddr_near_found *found) {
  enum { NONE = 0x7f7f7f7f }; /* greater than all slots */
  const int64_t n = (found->n_rows + DDR_NEAR_ROWS - 1) / DDR_NEAR_ROWS * DDR_NEAR_ROWS;
  ddr_vslots *rows = (ddr_vslots *)(void *)found->rows, last = {0};
  memset(rows, 0x7f, (size_t)n * sizeof *rows);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t *hits = found->hits[lane];
    uint32_t *row = found->rows + lane;
    for (uint32_t k = 0; k < found->n[lane]; k++, row += DDR_LANES) {
      *row = hits[k];
      __builtin_prefetch(found->states + hits[k] * found->size);
    }
  }
  ddr_vslots_sort(rows, n);
  for (int64_t k = 0; k < found->n_rows; k++) {
    const ddr_vslots is_none = rows[k] == NONE;
    rows[k] = last = (last & is_none) | (rows[k] & ~is_none);
  }
}

/* Like ddr_sphere of host/spatial.h, for the lanes of the mask; the others find nothing. The rows
 * are valid until ddr_ask_together. Reals: the radius, then the coordinates of the centre. */
DDR_VFN ddr_vhits ddr_vsphere(ddr_block *block, const ddr_gang *gang, ddr_vmask mask,
                              const ddr_vreal *reals) {
  static const uint32_t nothing[DDR_LANES] = {0};
  int64_t self[DDR_LANES]; /* a copy: the gang, whose address nobody gets, is in registers */
  const ddr_near_gang asked = {reals, self, DDR_LANES, ddr_vlanes(mask)};
  ddr_near_found found;
  ddr_vhits hits = {.rows = nothing, .n_rows = 1};
  memcpy(self, gang->slot, sizeof self);
  ddr_query_gang(block, &asked, &ddr_near_loops_of_gang, &found);
  if (!found.rows) return hits;
  if (!found.is_filled) ddr_vhits_fill(&found);
  hits.rows = found.rows;
  hits.n_rows = found.n_rows;
  for (int lane = 0; lane < DDR_LANES; lane++) hits.length[lane] = (ddr_int)found.n[lane];
  return hits;
}

/* The same in one, two and three dimensions, for generated code. */
DDR_VFN ddr_vhits ddr_vsphere1(ddr_block *block, const ddr_gang *gang, ddr_vmask mask, ddr_vreal x,
                               ddr_vreal radius) {
  const ddr_vreal reals[] = {radius, x};
  return ddr_vsphere(block, gang, mask, reals);
}
DDR_VFN ddr_vhits ddr_vsphere2(ddr_block *block, const ddr_gang *gang, ddr_vmask mask, ddr_vreal x,
                               ddr_vreal y, ddr_vreal radius) {
  const ddr_vreal reals[] = {radius, x, y};
  return ddr_vsphere(block, gang, mask, reals);
}
DDR_VFN ddr_vhits ddr_vsphere3(ddr_block *block, const ddr_gang *gang, ddr_vmask mask, ddr_vreal x,
                               ddr_vreal y, ddr_vreal z, ddr_vreal radius) {
  const ddr_vreal reals[] = {radius, x, y, z};
  return ddr_vsphere(block, gang, mask, reals);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Hit number idx of each lane. */
DDR_VFN const uint32_t *ddr_vhits_at(const ddr_vhits *hits, ddr_int idx) {
  return hits->rows + ddr_seq_index(idx, hits->n_rows) * DDR_LANES;
}

/* Hit number idx of one lane. */
DDR_VFN uint32_t ddr_hit_of_lane(const ddr_vhits *hits, int lane, ddr_int idx) {
  const ddr_int length = hits->length[lane];
  return length == 0 ? 0 : hits->rows[ddr_seq_index(idx, length) * DDR_LANES + lane];
}
