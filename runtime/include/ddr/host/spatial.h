/* spatial.h: queries: strand code asks for the strands near a position.
 *
 * A query sees all strands as they were at the start of the superstep: those of
 * ddr_strands.before.  Its results are slots, which are valid until the superstep ends.
 * Read next: near.h; program.h (the store); index.c and query.c of runtime/src/space; for
 * devices ddr/device/near.h.
 */
#pragma once

#include "ddr/host/near.h"
#include "ddr/scalar.h"
#include "ddr/seq.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* What ddr_sphere calls, with the loops for the program's real type. */
ddr_seq ddr_query_sphere(ddr_block *block, const ddr_near_ball *ball, const ddr_near_loops *loops);

/* The same for the lanes of a gang that ask; see ddr/lanes/hits.h. */
void ddr_query_gang(ddr_block *block, const ddr_near_gang *gang, const ddr_near_loops *loops,
                    ddr_near_found *found);

/* From now on the strands of the block query by turns: results stay valid until the next call of
 * this function, or the end of the visit. */
void ddr_ask_together(ddr_block *block);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(DDR_DOUBLE)
static const ddr_near_loops ddr_near_loops_here = {ddr_near_double, ddr_near_order, NULL};
#else
static const ddr_near_loops ddr_near_loops_here = {ddr_near_float, ddr_near_order, NULL};
#endif

/* Slots (int64_t, ascending) of all strands but `self` whose squared distance from the centre is
 * less than the squared radius, both in the program's real type.  Empty for a radius that is not
 * positive, and for a centre with NaN.  Valid until another strand of the block asks; see
 * ddr_ask_together. */
static inline ddr_seq ddr_sphere(ddr_block *block, const ddr_real *centre, ddr_real radius,
                                 int64_t self) {
  const ddr_near_ball ball = {centre, &radius, self};
  return ddr_query_sphere(block, &ball, &ddr_near_loops_here);
}

/* The same in one, two and three dimensions, for generated code. */
static inline ddr_seq ddr_sphere1(ddr_block *block, ddr_real x, ddr_real radius, int64_t self) {
  const ddr_real centre[] = {x};
  return ddr_sphere(block, centre, radius, self);
}
static inline ddr_seq ddr_sphere2(ddr_block *block, ddr_real x, ddr_real y, ddr_real radius,
                                  int64_t self) {
  const ddr_real centre[] = {x, y};
  return ddr_sphere(block, centre, radius, self);
}
static inline ddr_seq ddr_sphere3(ddr_block *block, ddr_real x, ddr_real y, ddr_real z,
                                  ddr_real radius, int64_t self) {
  const ddr_real centre[] = {x, y, z};
  return ddr_sphere(block, centre, radius, self);
}

/* Strand number idx of a sequence, clamped as for other elements (seq.h).  An empty sequence gives
 * slot 0, which exists while strands run. */
DDR_FN int64_t ddr_seq_slot(ddr_seq seq, ddr_int idx) {
  const int64_t first = 0;
  return *(const int64_t *)ddr_seq_at(seq, idx, sizeof first, &first);
}
