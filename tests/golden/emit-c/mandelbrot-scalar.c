/* mandelbrot-scalar, compiled by diderotc 0.0.0. */

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

static inline void pixel_create(const struct globals *globals, struct pixel *self, ddr_int j, ddr_int i) {
  /* line 3: input vec2 corner = [-2.0, -1.5]; */
  self->c[0] = globals->corner[0] + 0.25f * (ddr_real)i;
  self->c[1] = globals->corner[1] + 0.25f * (ddr_real)j;
  self->z[0] = 0.0f;
  self->z[1] = 0.0f;
  /* line 7: output int n = 0; */
  self->n = 0;
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

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
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
    .name = "mandelbrot-scalar",
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
