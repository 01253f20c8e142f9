/* mandelbrot, compiled by diderotc 0.0.0. */

#include "ddr/lanes/effort.h"
#include "ddr/lanes/gang.h"
#include "ddr/lanes/math.h"
#include "ddr/lanes/structs.h"
#include "ddr/program.h"
#include "ddr/scalar.h"
#include "ddr/variant.h"

struct globals {
  ddr_int limit;
  ddr_real corner[2];
};

struct pixel {
  ddr_real c[2];
  ddr_real z[2];
  ddr_int n;
};

struct pixel_lanes {
  ddr_vreal c[2];
  ddr_vreal z[2];
  ddr_vint n;
};

DDR_VFN void pixel_to_lane(struct pixel_lanes *self, int lane, const struct pixel *strand) {
  self->c[0][lane] = strand->c[0];
  self->c[1][lane] = strand->c[1];
  self->z[0][lane] = strand->z[0];
  self->z[1][lane] = strand->z[1];
  self->n[lane] = strand->n;
}

DDR_VFN void pixel_from_lane(const struct pixel_lanes *self, int lane, struct pixel *strand) {
  strand->n = self->n[lane];
}

DDR_VFN void pixel_pause_lane(const struct pixel_lanes *self, int lane, struct pixel *strand) {
  strand->z[0] = self->z[0][lane];
  strand->z[1] = self->z[1][lane];
}

DDR_VFN void pixel_rest(struct pixel_lanes *rest, const struct pixel_lanes *self, ddr_vmask mask) {
  rest->z[0] = ddr_vselect_real(mask, self->z[0], rest->z[0]);
  rest->z[1] = ddr_vselect_real(mask, self->z[1], rest->z[1]);
  rest->n = ddr_vselect_int(mask, self->n, rest->n);
}

static inline void pixel_create(const struct globals *globals, struct pixel *self, ddr_int j, ddr_int i) {
  /* line 3: input vec2 corner = [-2.0, -1.5]; */
  self->c[0] = globals->corner[0] + 0.25f * (ddr_real)i;
  self->c[1] = globals->corner[1] + 0.25f * (ddr_real)j;
  self->z[0] = 0.0f;
  self->z[1] = 0.0f;
  /* line 7: output int n = 0; */
  self->n = 0;
}

static void pixel_exchange(struct pixel_lanes *rest, ddr_gang *gang, ddr_queue *queue, struct pixel *state) {
  if (ddr_gang_release_all(gang, queue)) {
    DDR_EACH_LANE(lane) {
      const int64_t slot = gang->slot[lane];
      state[slot].n = rest->n[lane];
      if (queue->status[slot] == DDR_ACTIVE) {
        pixel_pause_lane(rest, lane, &state[slot]);
      }
    }
  } else {
    ddr_lane_set ended = ddr_gang_release(gang, queue);
    while (ended != 0) {
      const int lane = ddr_next_lane(&ended);
      const int64_t slot = gang->slot[lane];
      pixel_from_lane(rest, lane, &state[slot]);
      if (queue->status[slot] == DDR_ACTIVE) {
        pixel_pause_lane(rest, lane, &state[slot]);
      }
    }
  }
  if (ddr_gang_take_all(gang, queue)) {
    ddr_vint word[4];
    ddr_vwords4_of(state, sizeof(*state), 0, gang->slot, word);
    rest->c[0] = ddr_vreal_of_word(word[0]);
    rest->c[1] = ddr_vreal_of_word(word[1]);
    rest->z[0] = ddr_vreal_of_word(word[2]);
    rest->z[1] = ddr_vreal_of_word(word[3]);
    ddr_vwords4_of(state, sizeof(*state), 1, gang->slot, word);
    rest->n = word[3];
  } else {
    ddr_lane_set taken = ddr_gang_take(gang, queue);
    while (taken != 0) {
      const int lane = ddr_next_lane(&taken);
      const int64_t slot = gang->slot[lane];
      pixel_to_lane(rest, lane, &state[slot]);
    }
  }
}

DDR_VFN void pixel_update_in_lanes(const struct globals *globals, struct pixel_lanes *self, struct pixel_lanes *rest, ddr_gang *gang) {
  ddr_vmask mask = gang->mask;
  const ddr_vreal c_x = self->c[0];
  const ddr_vreal c_y = self->c[1];
  const ddr_vreal z_x = self->z[0];
  const ddr_vreal z_y = self->z[1];
  const ddr_vint n = self->n;
  /* line 9: if (n == limit || z • z > 4.0) { stabilize; } */
  const ddr_vmask test = ddr_vieq(n, ddr_vint_all(globals->limit)) | (z_x * z_x + z_y * z_y > 4.0f);
  ddr_vmask mask_2 = mask & test;
  if (ddr_vany(mask_2)) {
    rest->n = ddr_vselect_int(mask_2, self->n, rest->n);
    ddr_gang_end(gang, mask_2, DDR_STABLE);
    mask = mask & ~mask_2;
  }
  /* line 10: z = [z[0]*z[0] - z[1]*z[1], 2.0*z[0]*z[1]] + c; */
  self->z[0] = z_x * z_x - z_y * z_y + c_x;
  self->z[1] = 2.0f * z_x * z_y + c_y;
  /* line 11: n += 1; */
  self->n = ddr_viadd(n, ddr_vint_all(1));
}

static inline ddr_strand_status pixel_update(const struct globals *globals, struct pixel *self) {
  const ddr_real c_x = self->c[0];
  const ddr_real c_y = self->c[1];
  const ddr_real z_x = self->z[0];
  const ddr_real z_y = self->z[1];
  const ddr_int n = self->n;
  /* line 9: if (n == limit || z • z > 4.0) { stabilize; } */
  if (n == globals->limit || z_x * z_x + z_y * z_y > 4.0f) {
    return DDR_STABLE;
  }
  /* line 10: z = [z[0]*z[0] - z[1]*z[1], 2.0*z[0]*z[1]] + c; */
  self->z[0] = z_x * z_x - z_y * z_y + c_x;
  self->z[1] = 2.0f * z_x * z_y + c_y;
  /* line 11: n += 1; */
  self->n = ddr_iadd(n, 1);
  return DDR_ACTIVE;
}

static void defaults(void *memory) {
  struct globals *globals = memory;
  /* line 2: input int limit ("steps before giving up") = 100; */
  globals->limit = 100;
  /* line 3: input vec2 corner = [-2.0, -1.5]; */
  globals->corner[0] = -2.0f;
  globals->corner[1] = -1.5f;
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
  hi[0] = 12;
  lo[1] = 0;
  hi[1] = 12;
}

static ddr_status create(const void *memory, ddr_block *block) {
  const struct globals *globals = memory;
  struct pixel *state = block->strands->state;
  const ddr_strands *strands = block->strands;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    int64_t rest = slot;
    const ddr_int i = (ddr_int)(strands->lo[1] + strands->step * (rest % strands->len[1]));
    rest = rest / strands->len[1];
    const ddr_int j = (ddr_int)(strands->lo[0] + strands->step * rest);
    pixel_create(globals, &state[slot], j, i);
  }
  return DDR_OK;
}

static uint32_t update_alone(const void *memory, ddr_block *block, uint32_t max_steps) {
  const struct globals *globals = memory;
  struct pixel *state = block->strands->state;
  uint32_t most = 0;
  uint8_t *status = block->strands->status;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    if (status[slot] > DDR_NEW) {
      continue;
    }
    struct pixel self = state[slot];
    ddr_strand_status now = DDR_ACTIVE;
    uint32_t n_steps = 0;
    while (now == DDR_ACTIVE && ddr_may_step(block, n_steps, max_steps)) {
      now = pixel_update(globals, &self);
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

static uint32_t update_in_lanes(const void *memory, ddr_block *block, uint32_t max_steps) {
  const struct globals *globals = memory;
  struct pixel *state = block->strands->state;
  struct pixel_lanes rest = {0};
  ddr_gang gang;
  ddr_gang_open(&gang);
  struct pixel_lanes rest_2 = {0};
  ddr_gang gang_2;
  ddr_gang_open(&gang_2);
  struct pixel_lanes rest_3 = {0};
  ddr_gang gang_3;
  ddr_gang_open(&gang_3);
  ddr_queue queue;
  ddr_queue_open(&queue, block, max_steps, 3 * DDR_LANES / 2);
  queue.few = 2;
  while (true) {
    pixel_exchange(&rest, &gang, &queue, state);
    pixel_exchange(&rest_2, &gang_2, &queue, state);
    pixel_exchange(&rest_3, &gang_3, &queue, state);
    if (queue.n_apart > 0) {
      ddr_update_stragglers(&queue, block, memory, max_steps, update_alone);
    }
    if (gang.busy == 0 && gang_2.busy == 0 && gang_3.busy == 0) {
      return queue.most;
    }
    struct pixel_lanes self = rest;
    ddr_gang now = gang;
    struct pixel_lanes self_2 = rest_2;
    ddr_gang now_2 = gang_2;
    struct pixel_lanes self_3 = rest_3;
    ddr_gang now_3 = gang_3;
    ddr_pace pace = ddr_queue_pace(&queue);
    do {
      ddr_pace_step(&pace, &queue);
      ddr_gang_step(&now);
      pixel_update_in_lanes(globals, &self, &rest, &now);
      ddr_gang_step(&now_2);
      pixel_update_in_lanes(globals, &self_2, &rest_2, &now_2);
      ddr_gang_step(&now_3);
      pixel_update_in_lanes(globals, &self_3, &rest_3, &now_3);
    } while (ddr_pace_goes_on(&pace, ddr_vcount(now.mask) + ddr_vcount(now_2.mask) + ddr_vcount(now_3.mask)));
    gang = now;
    if (ddr_vany(now.mask)) {
      pixel_rest(&rest, &self, now.mask);
    }
    gang_2 = now_2;
    if (ddr_vany(now_2.mask)) {
      pixel_rest(&rest_2, &self_2, now_2.mask);
    }
    gang_3 = now_3;
    if (ddr_vany(now_3.mask)) {
      pixel_rest(&rest_3, &self_3, now_3.mask);
    }
    ddr_queue_part(&queue, ddr_vcount(now.mask) + ddr_vcount(now_2.mask) + ddr_vcount(now_3.mask));
  }
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  if (ddr_are_few(block, 2)) {
    return ddr_update_each(block, memory, max_steps, update_alone);
  }
  return update_in_lanes(memory, block, max_steps);
}

static const ddr_input inputs[] = {
    {
        .name = "limit",
        .description = "steps before giving up",
        .kind = DDR_INT,
        .n_components = 1,
        .offset = offsetof(struct globals, limit),
        .has_default = true,
    },
    {
        .name = "corner",
        .description = "",
        .kind = DDR_REAL,
        .n_components = 2,
        .offset = offsetof(struct globals, corner),
        .has_default = true,
    },
};

static const ddr_output outputs[] = {
    {
        .name = "n",
        .kind = DDR_INT,
        .n_components = 1,
        .axis = DDR_AXIS_NONE,
        .offset = offsetof(struct pixel, n),
    },
};

const ddr_program ddr_program_main = {
    .abi = DDR_PROGRAM_ABI,
    .name = "mandelbrot",
    .version = "0.0.0",
    .variant = DDR_VARIANT,
    .real_size = sizeof(ddr_real),
    .int_size = sizeof(ddr_int),
    .is_collection = false,
    .is_lockstep = false,
    .is_dual = false,
    .is_parallel = false,
    .has_snapshots = false,
    .is_tiled = true,
    .has_exact_rows = true,
    .rank = 2,
    .n_inputs = 2,
    .n_outputs = 1,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(struct globals),
    .state_size = sizeof(struct pixel),
    .state_align = _Alignof(struct pixel),
    .state_width = 1,
    .defaults = defaults,
    .init_globals = init_globals,
    .bounds = bounds,
    .create = create,
    .update = update,
};
