/* probe, compiled by diderotc 0.0.0. */

#include "ddr/lanes/creation.h"
#include "ddr/lanes/gang.h"
#include "ddr/lanes/groups.h"
#include "ddr/lanes/math.h"
#include "ddr/lanes/slices.h"
#include "ddr/lanes/structs.h"
#include "ddr/program.h"
#include "ddr/row.h"
#include "ddr/tap.h"
#include "ddr/variant.h"

struct globals {
  const ddr_image *vol;
};

struct point {
  ddr_real pos[3];
  ddr_real value;
};

struct point_lanes {
  ddr_vreal pos[3];
  ddr_vreal value;
};

DDR_VFN void point_to_lane(struct point_lanes *self, int lane, const struct point *strand) {
  ddr_group_put_real(&self->pos[0], lane, strand->pos[0]);
  ddr_group_put_real(&self->pos[1], lane, strand->pos[1]);
  ddr_group_put_real(&self->pos[2], lane, strand->pos[2]);
  ddr_group_put_real(&self->value, lane, strand->value);
}

DDR_VFN void point_from_lane(const struct point_lanes *self, int lane, struct point *strand) {
  strand->pos[0] = self->pos[0][lane];
  strand->pos[1] = self->pos[1][lane];
  strand->pos[2] = self->pos[2][lane];
  strand->value = self->value[lane];
}

static void take_strand(const ddr_strands *strands, int64_t slot, void *strand) {
  const struct point_lanes *state = strands->state;
  point_from_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), strand);
}

static void put_strand(const ddr_strands *strands, int64_t slot, const void *strand) {
  struct point_lanes *state = strands->state;
  point_to_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), strand);
}

static void move_down(const ddr_strands *strands, int64_t begin, int64_t end, int64_t n_dead) {
  struct point_lanes *state = strands->state;
  for (int64_t slot = begin; slot < end; slot++) {
    const int64_t to = slot - n_dead;
    struct point strand;
    point_from_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), &strand);
    point_to_lane(&state[ddr_group_of(to)], ddr_lane_of(to), &strand);
  }
}

static void point_gather_value(const ddr_strands *strands, int64_t begin, int64_t end, void *memory) {
  const struct point_lanes *state = strands->state;
  ddr_real *values = memory;
  int64_t slot = begin;
  while (slot < end) {
    const struct point_lanes *group = &state[ddr_group_of(slot)];
    const ddr_part part = ddr_part_of_group(slot, end);
    ddr_part_gather_real(part, &group->value, values, 1);
    slot = slot + part.n;
    values = values + part.n;
  }
}

DDR_VFN void point_create(struct point_lanes *self, ddr_vint j, ddr_vint i) {
  /* line 5: vec3 pos = [4.0 + 0.3*i, 3.5 + 0.2*j, 4.2 + 0.1*i]; */
  self->pos[0] = 4.0f + 0.3f * ddr_vreal_of_ints(i);
  self->pos[1] = 3.5f + 0.2f * ddr_vreal_of_ints(j);
  self->pos[2] = 4.2f + 0.1f * ddr_vreal_of_ints(i);
  self->value = ddr_vreal_all(0.0f);
}

static void point_place(const struct point_lanes *rest, struct point_lanes *state, int64_t last, int64_t end) {
  if (end - last >= DDR_LANES && ddr_lane_of(last) == 0) {
    state[ddr_group_of(last)] = *rest;
    return;
  }
  for (int lane = 0; lane < end - last; lane++) {
    const int64_t slot = last + lane;
    struct point self;
    point_from_lane(rest, lane, &self);
    point_to_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), &self);
  }
}

DDR_VFN void point_update(const struct globals *globals, struct point_lanes *self, struct point_lanes *rest, ddr_gang *gang) {
  ddr_vmask mask = gang->mask;
  const ddr_vreal pos_x = self->pos[0];
  const ddr_vreal pos_y = self->pos[1];
  const ddr_vreal pos_z = self->pos[2];
  /* line 8: value = F(pos); */
  const ddr_image *const vol = globals->vol;
  const ddr_real origin_x = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_xx = ddr_image_placement(vol)->matrix[DDR_X][DDR_X];
  const ddr_real origin_y = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_xy = ddr_image_placement(vol)->matrix[DDR_X][DDR_Y];
  const ddr_real origin_z = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_xz = ddr_image_placement(vol)->matrix[DDR_X][DDR_Z];
  const ddr_vreal t = ddr_vfma(m_xz, pos_z - origin_z, ddr_vfma(m_xy, pos_y - origin_y, m_xx * (pos_x - origin_x)));
  const ddr_vreal cell = ddr_vfloor(t);
  const int64_t stride_x = vol->stride[DDR_X];
  const ddr_int len_x = (ddr_int)vol->size[DDR_X];
  const ddr_vreal t_2 = t - cell;
  const ddr_vreal row[] = {ddr_vfma(ddr_vfma(ddr_vfma(-0.5f, t_2, 1.0f), t_2, -0.5f), t_2, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(1.5f, t_2, -2.5f), t_2, 0.0f), t_2, 1.0f), ddr_vfma(ddr_vfma(ddr_vfma(-1.5f, t_2, 2.0f), t_2, 0.5f), t_2, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(0.5f, t_2, -0.5f), t_2, 0.0f), t_2, 0.0f)};
  const ddr_real origin_x_2 = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_yx = ddr_image_placement(vol)->matrix[DDR_Y][DDR_X];
  const ddr_real origin_y_2 = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_yy = ddr_image_placement(vol)->matrix[DDR_Y][DDR_Y];
  const ddr_real origin_z_2 = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_yz = ddr_image_placement(vol)->matrix[DDR_Y][DDR_Z];
  const ddr_vreal t_3 = ddr_vfma(m_yz, pos_z - origin_z_2, ddr_vfma(m_yy, pos_y - origin_y_2, m_yx * (pos_x - origin_x_2)));
  const ddr_vreal cell_2 = ddr_vfloor(t_3);
  const int64_t stride_y = vol->stride[DDR_Y];
  const ddr_int len_y = (ddr_int)vol->size[DDR_Y];
  const ddr_vint n = ddr_vcorner(cell, len_x, 2);
  const ddr_vint n_2 = ddr_vcorner(cell_2, len_y, 2);
  int64_t step[DDR_LANES];
  ddr_voffset2(n, stride_x, n_2, stride_y, step);
  const ddr_vreal t_4 = t_3 - cell_2;
  const ddr_vreal row_2[] = {ddr_vfma(ddr_vfma(ddr_vfma(-0.5f, t_4, 1.0f), t_4, -0.5f), t_4, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(1.5f, t_4, -2.5f), t_4, 0.0f), t_4, 1.0f), ddr_vfma(ddr_vfma(ddr_vfma(-1.5f, t_4, 2.0f), t_4, 0.5f), t_4, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(0.5f, t_4, -0.5f), t_4, 0.0f), t_4, 0.0f)};
  const int64_t step_2 = 1 * stride_y;
  const int64_t step_3 = 2 * stride_y;
  const int64_t step_4 = 3 * stride_y;
  const ddr_real origin_x_3 = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_zx = ddr_image_placement(vol)->matrix[DDR_Z][DDR_X];
  const ddr_real origin_y_3 = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_zy = ddr_image_placement(vol)->matrix[DDR_Z][DDR_Y];
  const ddr_real origin_z_3 = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_zz = ddr_image_placement(vol)->matrix[DDR_Z][DDR_Z];
  const ddr_vreal t_5 = ddr_vfma(m_zz, pos_z - origin_z_3, ddr_vfma(m_zy, pos_y - origin_y_3, m_zx * (pos_x - origin_x_3)));
  const ddr_vreal cell_3 = ddr_vfloor(t_5);
  const int64_t stride_z = vol->stride[DDR_Z];
  const ddr_int len_z = (ddr_int)vol->size[DDR_Z];
  const ddr_vreal t_6 = t_5 - cell_3;
  const ddr_vreal row_3[] = {ddr_vfma(ddr_vfma(ddr_vfma(-0.5f, t_6, 1.0f), t_6, -0.5f), t_6, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(1.5f, t_6, -2.5f), t_6, 0.0f), t_6, 1.0f), ddr_vfma(ddr_vfma(ddr_vfma(-1.5f, t_6, 2.0f), t_6, 0.5f), t_6, 0.0f), ddr_vfma(ddr_vfma(ddr_vfma(0.5f, t_6, -0.5f), t_6, 0.0f), t_6, 0.0f)};
  const int64_t step_5 = 1 * stride_z;
  const int64_t step_6 = 2 * stride_z;
  const int64_t step_7 = 3 * stride_z;
  const ddr_vint n_3 = ddr_vcorner(cell_3, len_z, 2);
  const ddr_real *voxel[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel[lane] = ddr_image_samples(vol) + (step[lane] + n_3[lane] * stride_z);
  }
  const ddr_real *voxel_2[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_2[lane] = voxel[lane] + step_2;
  }
  const ddr_real *voxel_3[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_3[lane] = voxel[lane] + step_2;
  }
  const ddr_real *voxel_4[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_4[lane] = voxel[lane] + step_2;
  }
  const ddr_real *voxel_5[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_5[lane] = voxel[lane] + step_3;
  }
  const ddr_real *voxel_6[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_6[lane] = voxel[lane] + step_3;
  }
  const ddr_real *voxel_7[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_7[lane] = voxel[lane] + step_3;
  }
  const ddr_real *voxel_8[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_8[lane] = voxel[lane] + step_4;
  }
  const ddr_real *voxel_9[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_9[lane] = voxel[lane] + step_4;
  }
  const ddr_real *voxel_10[DDR_LANES];
  DDR_EACH_LANE(lane) {
    voxel_10[lane] = voxel[lane] + step_4;
  }
  ddr_slice4 row_13[DDR_SLICES4];
  DDR_EACH_SLICE4(slice) {
    const ddr_slice4 row_4 = ddr_slice4_fma(ddr_slice4_load(voxel, step_5, slice), ddr_spread4(row_3[1], slice), ddr_slice4_load(voxel, 0, slice) * ddr_spread4(row_3[0], slice));
    const ddr_slice4 row_5 = ddr_slice4_fma(ddr_slice4_load(voxel, step_7, slice), ddr_spread4(row_3[3], slice), ddr_slice4_fma(ddr_slice4_load(voxel, step_6, slice), ddr_spread4(row_3[2], slice), row_4));
    const ddr_slice4 row_6 = ddr_slice4_fma(ddr_slice4_load(voxel_2, step_5, slice), ddr_spread4(row_3[1], slice), ddr_slice4_load(voxel, step_2, slice) * ddr_spread4(row_3[0], slice));
    const ddr_slice4 row_7 = ddr_slice4_fma(ddr_slice4_load(voxel_3, step_7, slice), ddr_spread4(row_3[3], slice), ddr_slice4_fma(ddr_slice4_load(voxel_4, step_6, slice), ddr_spread4(row_3[2], slice), row_6));
    const ddr_slice4 row_8 = ddr_slice4_fma(row_7, ddr_spread4(row_2[1], slice), row_5 * ddr_spread4(row_2[0], slice));
    const ddr_slice4 row_9 = ddr_slice4_fma(ddr_slice4_load(voxel_5, step_5, slice), ddr_spread4(row_3[1], slice), ddr_slice4_load(voxel, step_3, slice) * ddr_spread4(row_3[0], slice));
    const ddr_slice4 row_10 = ddr_slice4_fma(ddr_slice4_load(voxel_6, step_7, slice), ddr_spread4(row_3[3], slice), ddr_slice4_fma(ddr_slice4_load(voxel_7, step_6, slice), ddr_spread4(row_3[2], slice), row_9));
    const ddr_slice4 row_11 = ddr_slice4_fma(ddr_slice4_load(voxel_8, step_5, slice), ddr_spread4(row_3[1], slice), ddr_slice4_load(voxel, step_4, slice) * ddr_spread4(row_3[0], slice));
    const ddr_slice4 row_12 = ddr_slice4_fma(ddr_slice4_load(voxel_9, step_7, slice), ddr_spread4(row_3[3], slice), ddr_slice4_fma(ddr_slice4_load(voxel_10, step_6, slice), ddr_spread4(row_3[2], slice), row_11));
    row_13[slice] = ddr_slice4_fma(row_12, ddr_spread4(row_2[3], slice), ddr_slice4_fma(row_10, ddr_spread4(row_2[2], slice), row_8));
  }
  ddr_vreal row_13_taps[4];
  ddr_taps4(row_13, row_13_taps);
  rest->value = ddr_vfma(row_13_taps[2], row[2], row_13_taps[0] * row[0]) + ddr_vfma(row_13_taps[3], row[3], row_13_taps[1] * row[1]);
  /* line 9: stabilize; */
  ddr_gang_end(gang, mask, DDR_STABLE);
}

static void defaults(void *memory) {
  (void)memory;
}

static ddr_status init_globals(ddr_world *world, void *memory) {
  (void)memory;
  (void)world;
  return DDR_OK;
}

static void bounds(ddr_world *world, const void *memory, int64_t *lo, int64_t *hi) {
  (void)memory;
  (void)world;
  lo[0] = 0;
  hi[0] = 6;
  lo[1] = 0;
  hi[1] = 6;
}

static ddr_status create(const void *memory, ddr_block *block) {
  (void)memory;
  struct point_lanes *state = block->strands->state;
  const ddr_strands *strands = block->strands;
  for (int64_t slot = block->begin; slot < block->end; slot += DDR_LANES) {
    struct point_lanes rest = {0};
    ddr_vint at[2];
    ddr_iterators(strands, 2, slot, at);
    const ddr_vint j = at[0];
    const ddr_vint i = at[1];
    point_create(&rest, j, i);
    point_place(&rest, state, slot, block->end);
  }
  return DDR_OK;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  const struct globals *globals = memory;
  struct point_lanes *state = block->strands->state;
  uint32_t most = 0;
  (void)max_steps;
  for (int64_t slot = block->begin; slot < block->end; slot += DDR_LANES) {
    ddr_gang gang;
    if (ddr_gang_take_group(&gang, block, slot)) {
      struct point_lanes *group = &state[ddr_group_of(slot)];
      struct point_lanes rest = *group;
      const ddr_vmask mask = gang.mask;
      point_update(globals, &rest, &rest, &gang);
      group->value = ddr_vselect_real(mask, rest.value, group->value);
      ddr_gang_leave_group(&gang, mask, block, slot);
      most = 1;
    }
  }
  return most;
}

static const ddr_input inputs[] = {
    {
        .name = "vol",
        .description = "",
        .kind = DDR_IMAGE,
        .n_components = 1,
        .offset = offsetof(struct globals, vol),
        .image_dim = 3,
        .image_components = 1,
    },
};

static const ddr_output outputs[] = {
    {
        .name = "value",
        .kind = DDR_REAL,
        .n_components = 1,
        .axis = DDR_AXIS_NONE,
        .offset = offsetof(struct point, value),
        .gather = point_gather_value,
    },
};

const ddr_program ddr_program_main = {
    .abi = DDR_PROGRAM_ABI,
    .name = "probe",
    .version = "0.0.0",
    .variant = DDR_VARIANT,
    .real_size = sizeof(ddr_real),
    .int_size = sizeof(ddr_int),
    .is_collection = false,
    .is_lockstep = false,
    .is_dual = false,
    .is_parallel = false,
    .has_snapshots = false,
    .has_exact_rows = true,
    .rank = 2,
    .n_inputs = 1,
    .n_outputs = 1,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(struct globals),
    .state_size = sizeof(struct point_lanes),
    .state_align = _Alignof(struct point_lanes),
    .state_width = DDR_LANES,
    .strand_size = sizeof(struct point),
    .take_strand = take_strand,
    .put_strand = put_strand,
    .move_down = move_down,
    .defaults = defaults,
    .init_globals = init_globals,
    .bounds = bounds,
    .create = create,
    .update = update,
};
