/* control, compiled by diderotc 0.0.0. */

#include "ddr/program.h"
#include "ddr/scalar.h"
#include "ddr/variant.h"

struct globals {
  ddr_int offset;
};

struct walk {
  ddr_int fib;
  ddr_real lambda[2];
  ddr_real up;
};

static inline void fn_turn(ddr_real v_prime_x, ddr_real v_prime_y, ddr_real *result) {
  result[0] = -v_prime_y;
  result[1] = v_prime_x;
}

static inline void walk_create(struct walk *self, ddr_int i) {
  self->fib = i;
  /* line 5: output int fib = 0; */
  self->lambda[0] = 1.0f;
  self->lambda[1] = 0.0f;
  self->up = 0.0f;
}

static inline ddr_strand_status walk_update(const struct globals *globals, ddr_text *text, struct walk *self) {
  const ddr_int fib = self->fib;
  ddr_real lambda_x = self->lambda[0];
  ddr_real lambda_y = self->lambda[1];
  ddr_real up = self->up;
  /* line 10: foreach (int k in offset..fib) { int t = b; b = a + b; a = t; } */
  ddr_int a = 0;
  ddr_int b = 1;
  for (ddr_int k = globals->offset; k <= fib; k++) {
    const ddr_int old_a = a;
    a = b;
    b = ddr_iadd(old_a, b);
    if (k == fib) {
      break;
    }
  }
  /* line 12: if (fib < 5) { up = 1.0; } */
  if (fib < 5) {
    up = 1.0f;
  }
  /* line 13: if (b > a) { λ = [λ[1], λ[0]]; } else { up += 0.1; } */
  if (b > a) {
    const ddr_real old_lambda_x = lambda_x;
    lambda_x = lambda_y;
    lambda_y = old_lambda_x;
  } else {
    up = up + 0.1f;
  }
  /* line 14: λ = turn(λ); */
  ddr_real fn_turn_result[2];
  fn_turn(lambda_x, lambda_y, fn_turn_result);
  const ddr_real lambda_x_2 = fn_turn_result[0];
  const ddr_real lambda_y_2 = fn_turn_result[1];
  /* line 15: if (fib == 3) { print("at ", fib, [up, λ[0]]); } */
  if (fib == 3) {
    ddr_put_string(text, "at ");
    ddr_put_int(text, fib);
    ddr_put_string(text, "[");
    ddr_put_float(text, up);
    ddr_put_string(text, ",");
    ddr_put_float(text, lambda_x);
    ddr_put_string(text, "]\n");
    ddr_print_end(text);
  }
  self->fib = a;
  self->lambda[0] = lambda_x_2;
  self->lambda[1] = lambda_y_2;
  self->up = up;
  /* line 17: stabilize; */
  return DDR_STABLE;
}

static void defaults(void *memory) {
  struct globals *globals = memory;
  /* line 2: input int offset = 1; */
  globals->offset = 1;
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
  hi[1] = 0;
}

static ddr_status create(const void *memory, ddr_block *block) {
  (void)memory;
  struct walk *state = block->strands->state;
  const ddr_strands *strands = block->strands;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    int64_t rest = slot;
    rest = rest / strands->len[1];
    const ddr_int j = (ddr_int)(strands->lo[0] + strands->step * rest);
    walk_create(&state[slot], j);
  }
  return DDR_OK;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  const struct globals *globals = memory;
  struct walk *state = block->strands->state;
  uint32_t most = 0;
  uint8_t *status = block->strands->status;
  for (int64_t slot = block->begin; slot < block->end; slot++) {
    if (status[slot] > DDR_NEW) {
      continue;
    }
    struct walk self = state[slot];
    ddr_strand_status now = DDR_ACTIVE;
    uint32_t n_steps = 0;
    while (now == DDR_ACTIVE && ddr_may_step(block, n_steps, max_steps)) {
      now = walk_update(globals, block->text, &self);
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
        .name = "offset",
        .description = "",
        .kind = DDR_INT,
        .n_components = 1,
        .offset = offsetof(struct globals, offset),
        .has_default = true,
    },
};

static const ddr_output outputs[] = {
    {
        .name = "fib",
        .kind = DDR_INT,
        .n_components = 1,
        .axis = DDR_AXIS_NONE,
        .offset = offsetof(struct walk, fib),
    },
    {
        .name = "lambda",
        .kind = DDR_REAL,
        .n_components = 2,
        .axis = DDR_AXIS_2_VECTOR,
        .offset = offsetof(struct walk, lambda),
    },
    {
        .name = "up",
        .kind = DDR_REAL,
        .n_components = 1,
        .axis = DDR_AXIS_NONE,
        .offset = offsetof(struct walk, up),
    },
};

const ddr_program ddr_program_main = {
    .abi = DDR_PROGRAM_ABI,
    .name = "control",
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
    .n_outputs = 3,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(struct globals),
    .state_size = sizeof(struct walk),
    .state_align = _Alignof(struct walk),
    .state_width = 1,
    .defaults = defaults,
    .init_globals = init_globals,
    .bounds = bounds,
    .create = create,
    .update = update,
};
