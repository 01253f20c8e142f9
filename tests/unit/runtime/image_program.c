/* A hand-written program with one required image input: strand i reads sample (i, 0). */
#include "ddr/image.h"
#include "tests/unit/runtime/by_hand.h"

typedef struct {
  const ddr_image *image;
} Globals;

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  const Globals *globals = memory;
  lo[0] = 0;
  hi[0] = globals->image->size[DDR_X] - 1;
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  const Globals *globals = memory;
  const ddr_real *samples = ddr_image_samples(globals->image);
  ((ddr_real *)block->strands->state)[slot] = samples[ddr_image_offset(globals->image, slot, 0, 0)];
}

static ddr_status create(const void *memory, ddr_block *block) {
  return each_strand(memory, block, make);
}

static ddr_strand_status step(const void *memory, ddr_block *block, int64_t slot) {
  (void)memory;
  (void)block;
  (void)slot;
  return DDR_STABLE;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  return each_running(memory, block, max_steps, step);
}

static const ddr_input inputs[] = {
    {.name = "img",
     .description = "data",
     .kind = DDR_IMAGE,
     .n_components = 1,
     .offset = offsetof(Globals, image),
     .image_dim = 2,
     .image_components = 1},
};

static const ddr_output outputs[] = {
    {.name = "v", .kind = DDR_REAL, .n_components = 1, .axis = DDR_AXIS_NONE},
};

const ddr_program ddr_program_main = {
    PROGRAM_BY_HAND(ddr_real),
    .name = "image",
    .real_size = sizeof(ddr_real),
    .int_size = sizeof(ddr_int),
    .rank = 1,
    .n_inputs = 1,
    .n_outputs = 1,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(Globals),
    .defaults = no_defaults,
    .init_globals = no_init_globals,
};
