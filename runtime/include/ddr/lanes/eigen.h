/* eigen.h: eigensystems in every lane, with the same bits as those of ddr/eigen.h for one matrix.
 * Only programs that need eigensystems include it.
 */
#pragma once

#include "ddr/eigen.h"
#include "ddr/lanes/wide.h"

#include "ddr/functions/many.h"

#include "ddr/functions/eigen.h"

#include "ddr/functions/done.h"

#if !defined(DDR_DOUBLE)
DDR_VFN void ddr_vput3d(ddr_vec3d own, int lane, ddr_vvec3d *all) {
  all->x[lane] = own.x;
  all->y[lane] = own.y;
  all->z[lane] = own.z;
}

/* Lane by lane: rarely more than one lane needs it, and it compiles in half the time. */
DDR_FN_RARE void ddr_veigen_careful(const ddr_vsym3d *m, const ddr_vwide_mask *is_known,
                                    ddr_vframe3d *vectors) {
  for (int lane = 0; lane < DDR_HALF_LANES; lane++) {
    const int is_lane_known = (*is_known)[lane] != 0;
    if (is_lane_known) continue;
    const ddr_sym3d own = {m->xx[lane], m->xy[lane], m->xz[lane],
                           m->yy[lane], m->yz[lane], m->zz[lane]};
    ddr_frame3d frame;
    ddr_eigen_careful(&own, &is_lane_known, &frame);
    ddr_vput3d(frame.first, lane, &vectors->first);
    ddr_vput3d(frame.second, lane, &vectors->second);
    ddr_vput3d(frame.third, lane, &vectors->third);
  }
}
#endif

/* --- for generated code: results at dst ------------------------------------------------------- */

#define DDR_VSYM2D(half, m00, m01, m11) ((ddr_vsym2d){half(m00), half(m01), half(m11)})
#define DDR_VSYM3D(half, m00, m01, m02, m11, m12, m22)                                             \
  ((ddr_vsym3d){half(m00), half(m01), half(m02), half(m11), half(m12), half(m22)})

DDR_VFN void ddr_vstore3d(ddr_vvec3d lower, ddr_vvec3d upper, ddr_vreal *dst) {
  dst[0] = ddr_vjoined(lower.x, upper.x);
  dst[1] = ddr_vjoined(lower.y, upper.y);
  dst[2] = ddr_vjoined(lower.z, upper.z);
}

DDR_VFN void ddr_vevals2(ddr_vreal *dst, ddr_vreal m00, ddr_vreal m01, ddr_vreal m11) {
  const ddr_veigen2d lower = ddr_veigen_of_2(DDR_VSYM2D(ddr_vlower, m00, m01, m11));
  const ddr_veigen2d upper = ddr_veigen_of_2(DDR_VSYM2D(ddr_vupper, m00, m01, m11));
  dst[0] = ddr_vjoined(lower.first, upper.first);
  dst[1] = ddr_vjoined(lower.second, upper.second);
}

DDR_VFN void ddr_vevecs2(ddr_vreal *dst, ddr_vreal m00, ddr_vreal m01, ddr_vreal m11) {
  const ddr_veigen2d lower = ddr_veigen_of_2(DDR_VSYM2D(ddr_vlower, m00, m01, m11));
  const ddr_veigen2d upper = ddr_veigen_of_2(DDR_VSYM2D(ddr_vupper, m00, m01, m11));
  dst[0] = ddr_vjoined(lower.y, upper.y);
  dst[1] = ddr_vjoined(0 - lower.x, 0 - upper.x);
  dst[2] = ddr_vjoined(lower.x, upper.x);
  dst[3] = dst[0];
}

DDR_VFN void ddr_vevals3(ddr_vreal *dst, ddr_vreal m00, ddr_vreal m01, ddr_vreal m02, ddr_vreal m11,
                         ddr_vreal m12, ddr_vreal m22) {
  ddr_vstore3d(ddr_veigen_values(DDR_VSYM3D(ddr_vlower, m00, m01, m02, m11, m12, m22)),
               ddr_veigen_values(DDR_VSYM3D(ddr_vupper, m00, m01, m02, m11, m12, m22)), dst);
}

DDR_VFN void ddr_vevecs3(ddr_vreal *dst, ddr_vreal m00, ddr_vreal m01, ddr_vreal m02, ddr_vreal m11,
                         ddr_vreal m12, ddr_vreal m22) {
  const ddr_vframe3d lower =
      ddr_veigen_vectors(DDR_VSYM3D(ddr_vlower, m00, m01, m02, m11, m12, m22));
  const ddr_vframe3d upper =
      ddr_veigen_vectors(DDR_VSYM3D(ddr_vupper, m00, m01, m02, m11, m12, m22));
  ddr_vstore3d(lower.first, upper.first, dst);
  ddr_vstore3d(lower.second, upper.second, dst + 3);
  ddr_vstore3d(lower.third, upper.third, dst + 6);
}
#undef DDR_VSYM2D
#undef DDR_VSYM3D
