/* probe-scalar, compiled by diderotc 0.0.0. */

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

static inline void point_create(struct point *self, ddr_int j, ddr_int i) {
  /* line 5: vec3 pos = [4.0 + 0.3*i, 3.5 + 0.2*j, 4.2 + 0.1*i]; */
  self->pos[0] = 4.0f + 0.3f * (ddr_real)i;
  self->pos[1] = 3.5f + 0.2f * (ddr_real)j;
  self->pos[2] = 4.2f + 0.1f * (ddr_real)i;
  self->value = 0.0f;
}

static inline ddr_strand_status point_update(const struct globals *globals, struct point *self) {
  const ddr_real pos_x = self->pos[0];
  const ddr_real pos_y = self->pos[1];
  const ddr_real pos_z = self->pos[2];
  /* line 8: value = F(pos); */
  const ddr_image *const vol = globals->vol;
  const ddr_real origin_x = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_xx = ddr_image_placement(vol)->matrix[DDR_X][DDR_X];
  const ddr_real origin_y = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_xy = ddr_image_placement(vol)->matrix[DDR_X][DDR_Y];
  const ddr_real origin_z = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_xz = ddr_image_placement(vol)->matrix[DDR_X][DDR_Z];
  const ddr_real t = ddr_fma(m_xz, pos_z - origin_z, ddr_fma(m_xy, pos_y - origin_y, m_xx * (pos_x - origin_x)));
  const ddr_real cell = ddr_floor(t);
  const int64_t stride_x = vol->stride[DDR_X];
  const ddr_int len_x = (ddr_int)vol->size[DDR_X];
  const ddr_real t_2 = t - cell;
  const ddr_row4 row = DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4(-0.5f, 1.5f, -1.5f, 0.5f), t_2, DDR_ROW4(1.0f, -2.5f, 2.0f, -0.5f)), t_2, DDR_ROW4(-0.5f, 0.0f, 0.5f, 0.0f)), t_2, DDR_ROW4(0.0f, 1.0f, 0.0f, 0.0f));
  const ddr_real origin_x_2 = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_yx = ddr_image_placement(vol)->matrix[DDR_Y][DDR_X];
  const ddr_real origin_y_2 = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_yy = ddr_image_placement(vol)->matrix[DDR_Y][DDR_Y];
  const ddr_real origin_z_2 = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_yz = ddr_image_placement(vol)->matrix[DDR_Y][DDR_Z];
  const ddr_real t_3 = ddr_fma(m_yz, pos_z - origin_z_2, ddr_fma(m_yy, pos_y - origin_y_2, m_yx * (pos_x - origin_x_2)));
  const ddr_real cell_2 = ddr_floor(t_3);
  const int64_t stride_y = vol->stride[DDR_Y];
  const ddr_int len_y = (ddr_int)vol->size[DDR_Y];
  const int64_t step = ddr_corner(cell, len_x, 2) * stride_x + ddr_corner(cell_2, len_y, 2) * stride_y;
  const ddr_real t_4 = t_3 - cell_2;
  const ddr_row4 row_2 = DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4(-0.5f, 1.5f, -1.5f, 0.5f), t_4, DDR_ROW4(1.0f, -2.5f, 2.0f, -0.5f)), t_4, DDR_ROW4(-0.5f, 0.0f, 0.5f, 0.0f)), t_4, DDR_ROW4(0.0f, 1.0f, 0.0f, 0.0f));
  const int64_t step_2 = 1 * stride_y;
  const int64_t step_3 = 2 * stride_y;
  const int64_t step_4 = 3 * stride_y;
  const ddr_real origin_x_3 = ddr_image_placement(vol)->origin[DDR_X];
  const ddr_real m_zx = ddr_image_placement(vol)->matrix[DDR_Z][DDR_X];
  const ddr_real origin_y_3 = ddr_image_placement(vol)->origin[DDR_Y];
  const ddr_real m_zy = ddr_image_placement(vol)->matrix[DDR_Z][DDR_Y];
  const ddr_real origin_z_3 = ddr_image_placement(vol)->origin[DDR_Z];
  const ddr_real m_zz = ddr_image_placement(vol)->matrix[DDR_Z][DDR_Z];
  const ddr_real t_5 = ddr_fma(m_zz, pos_z - origin_z_3, ddr_fma(m_zy, pos_y - origin_y_3, m_zx * (pos_x - origin_x_3)));
  const ddr_real cell_3 = ddr_floor(t_5);
  const int64_t stride_z = vol->stride[DDR_Z];
  const ddr_int len_z = (ddr_int)vol->size[DDR_Z];
  const ddr_real t_6 = t_5 - cell_3;
  const ddr_row4 row_3 = DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4_FMA(DDR_ROW4(-0.5f, 1.5f, -1.5f, 0.5f), t_6, DDR_ROW4(1.0f, -2.5f, 2.0f, -0.5f)), t_6, DDR_ROW4(-0.5f, 0.0f, 0.5f, 0.0f)), t_6, DDR_ROW4(0.0f, 1.0f, 0.0f, 0.0f));
  const int64_t step_5 = 1 * stride_z;
  const int64_t step_6 = 2 * stride_z;
  const int64_t step_7 = 3 * stride_z;
  const ddr_real *const voxel = ddr_image_samples(vol) + (step + ddr_corner(cell_3, len_z, 2) * stride_z);
  const ddr_row4 row_4 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_5), row_3[1], DDR_ROW4_LOAD(voxel) * row_3[0]);
  const ddr_row4 row_5 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_7), row_3[3], DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_6), row_3[2], row_4));
  const ddr_row4 row_6 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_2 + step_5), row_3[1], DDR_ROW4_LOAD(voxel + step_2) * row_3[0]);
  const ddr_row4 row_7 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_2 + step_7), row_3[3], DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_2 + step_6), row_3[2], row_6));
  const ddr_row4 row_8 = DDR_ROW4_FMA(row_7, row_2[1], row_5 * row_2[0]);
  const ddr_row4 row_9 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_3 + step_5), row_3[1], DDR_ROW4_LOAD(voxel + step_3) * row_3[0]);
  const ddr_row4 row_10 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_3 + step_7), row_3[3], DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_3 + step_6), row_3[2], row_9));
  const ddr_row4 row_11 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_4 + step_5), row_3[1], DDR_ROW4_LOAD(voxel + step_4) * row_3[0]);
  const ddr_row4 row_12 = DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_4 + step_7), row_3[3], DDR_ROW4_FMA(DDR_ROW4_LOAD(voxel + step_4 + step_6), row_3[2], row_11));
  self->value = DDR_ROW4_DOT(DDR_ROW4_FMA(row_12, row_2[3], DDR_ROW4_FMA(row_10, row_2[2], row_8)), row);
  /* line 9: stabilize; */
  return DDR_STABLE;
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
  struct point *state = block->strands->state;
  const ddr_strands *strands = block->strands;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    int64_t rest = slot;
    const ddr_int i = (ddr_int)(strands->lo[1] + strands->step * (rest % strands->len[1]));
    rest = rest / strands->len[1];
    const ddr_int j = (ddr_int)(strands->lo[0] + strands->step * rest);
    point_create(&state[slot], j, i);
  }
  return DDR_OK;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  const struct globals *globals = memory;
  struct point *state = block->strands->state;
  uint32_t most = 0;
  uint8_t *status = block->strands->status;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    if (status[slot] > DDR_NEW) {
      continue;
    }
    struct point self = state[slot];
    ddr_strand_status now = DDR_ACTIVE;
    uint32_t n_steps = 0;
    while (now == DDR_ACTIVE && ddr_may_step(block, n_steps, max_steps)) {
      now = point_update(globals, &self);
      n_steps++;
    }
    state[slot] = self;
    status[slot] = (uint8_t)now;
    if (n_steps > most) {
      most = n_steps;
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
    },
};

const ddr_program ddr_program_main = {
    .abi = DDR_PROGRAM_ABI,
    .name = "probe-scalar",
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
    .state_size = sizeof(struct point),
    .state_align = _Alignof(struct point),
    .state_width = 1,
    .defaults = defaults,
    .init_globals = init_globals,
    .bounds = bounds,
    .create = create,
    .update = update,
};
