/* A program written by hand, as the C back end would write it: a grid over y in 0..ny-1 and x in
 * -1..1 with every kind of input and output.  Strand (y, x) makes 1 + y updates and becomes stable,
 * unless the input `on` is false.  Linked with the runtime's main in the tests of the command line,
 * and called directly by the others. */
#include "grid_program.h"

#include "tests/unit/runtime/by_hand.h"

static void defaults(void *memory) {
  GridGlobals *globals = memory;
  globals->ny = 2;
  globals->gain = 1.0f / 3.0f;
  globals->is_on = true;
  globals->word = "one";
  globals->centre[0] = 1.25f;
  globals->centre[1] = -2;
  globals->centre[2] = 1e-6f;
  for (int k = 0; k < 6; k++) globals->table[k] = (float)k;
  globals->flags[1] = true;
}

static ddr_status init_globals(ddr_world *world, void *memory) {
  GridGlobals *globals = memory;
  ddr_text *text = ddr_world_text(world);
  if (globals->is_echoing) {
    ddr_put_int(text, globals->ny);
    ddr_put_string(text, " ");
    ddr_put_float(text, globals->gain);
    ddr_put_string(text, " ");
    ddr_put_bool(text, globals->is_on);
    ddr_put_string(text, " [");
    ddr_put_string(text, globals->word);
    ddr_put_string(text, "] ");
    for (int k = 0; k < 3; k++) {
      ddr_put_float(text, globals->centre[k]);
      ddr_put_string(text, k < 2 ? "," : " ");
    }
    for (int k = 0; k < 6; k++) ddr_put_float(text, globals->table[k]);
    ddr_put_string(text, " ");
    for (int k = 0; k < 2; k++) ddr_put_bool(text, globals->flags[k]);
    ddr_put_string(text, "\n");
    ddr_print_end(text);
  }
  return DDR_OK;
}

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  const GridGlobals *globals = memory;
  lo[0] = 0;
  hi[0] = (int64_t)globals->ny - 1;
  lo[1] = -1;
  hi[1] = 1;
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  const GridGlobals *globals = memory;
  const ddr_strands *strands = block->strands;
  GridState *state = (GridState *)strands->state + slot;
  const int64_t x = strands->lo[1] + strands->step * (slot % strands->len[1]);
  const int64_t y = strands->lo[0] + strands->step * (slot / strands->len[1]);
  *state = (GridState){.x = (int32_t)x, .y = (int32_t)y, .sum = (int32_t)(10 * y + x)};
  state->at[0] = (float)x;
  state->at[1] = (float)y;
  state->at[2] = globals->gain;
  state->is_right = x > 0;
}

static ddr_status create(const void *memory, ddr_block *block) {
  return each_strand(memory, block, make);
}

/* One update: counts; becomes stable after 1 + y of them, unless `on` is false. */
static ddr_strand_status step(const void *memory, ddr_block *block, int64_t slot) {
  const GridGlobals *globals = memory;
  GridState *state = (GridState *)block->strands->state + slot;
  state->n_updates++;
  if (!globals->is_on || state->n_updates <= state->y) return DDR_ACTIVE;
  state->at[2] += 1000; /* as a stabilize method would */
  return DDR_STABLE;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  return each_running(memory, block, max_steps, step);
}

static const ddr_input inputs[] = {
    INPUT_BY_HAND(GridGlobals, ny, "ny", "number of rows", DDR_INT, 1),
    INPUT_BY_HAND(GridGlobals, gain, "gain", "", DDR_REAL, 1),
    INPUT_BY_HAND(GridGlobals, is_on, "on", "whether strands stabilise", DDR_BOOL, 1),
    INPUT_BY_HAND(GridGlobals, word, "word", "any text", DDR_STRING, 1),
    INPUT_BY_HAND(GridGlobals, centre, "centre", "a point", DDR_REAL, 3),
    INPUT_BY_HAND(GridGlobals, table, "table",
                  "a 2x3 table of values that needs a rather long description", DDR_REAL, 6),
    INPUT_BY_HAND(GridGlobals, flags, "flags", "", DDR_BOOL, 2),
    INPUT_BY_HAND(GridGlobals, is_echoing, "echo", "print the inputs", DDR_BOOL, 1),
};

static const ddr_output outputs[] = {
    {.name = "sum",
     .kind = DDR_INT,
     .n_components = 1,
     .axis = DDR_AXIS_NONE,
     .offset = offsetof(GridState, sum)},
    {.name = "at",
     .kind = DDR_REAL,
     .n_components = 3,
     .axis = DDR_AXIS_3_VECTOR,
     .offset = offsetof(GridState, at)},
    {.name = "right",
     .kind = DDR_BOOL,
     .n_components = 1,
     .axis = DDR_AXIS_NONE,
     .offset = offsetof(GridState, is_right)},
};

const ddr_program GRID_NAME = {
    PROGRAM_BY_HAND(GridState),
    .name = "grid",
    .real_size = sizeof(float),
    .int_size = sizeof(int32_t),
    .rank = 2,
    .n_inputs = sizeof inputs / sizeof *inputs,
    .n_outputs = sizeof outputs / sizeof *outputs,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(GridGlobals),
    .defaults = defaults,
    .init_globals = init_globals,
};
