/* An executable of a collection: `size` strands, of which strand k ends in superstep k + 1; even
 * ones become stable, the others die; with `endless` none ends.  It prints which strands end. */
#include "ddr/seq.h"
#include "tests/unit/runtime/by_hand.h"

typedef struct {
  int32_t size;
  bool is_endless;
} Globals;

typedef struct {
  int32_t id, n_updates;
  ddr_seq ids; /* 1 to its own number */
} State;

static void defaults(void *memory) { ((Globals *)memory)->size = 4; }

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  lo[0] = 0;
  hi[0] = ((const Globals *)memory)->size - 1;
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  (void)memory;
  State *state = (State *)block->strands->state + slot;
  *state = (State){.id = (int32_t)slot};
  state->ids = ddr_seq_range(block->pool, sizeof(int32_t), 1, slot);
  ddr_seq_keep(block->pool, &state->ids, sizeof(int32_t));
}

static ddr_status create(const void *memory, ddr_block *block) {
  return each_strand(memory, block, make);
}

static void lend_strands(ddr_pool *pool, const ddr_strands *strands) {
  const State *states = strands->state;
  for (int64_t slot = 0; slot < strands->n_slots; slot++) ddr_seq_lend(pool, states[slot].ids);
}

static ddr_strand_status step(const void *memory, ddr_block *block, int64_t slot) {
  State *state = (State *)block->strands->state + slot;
  if (state->n_updates++ < state->id || ((const Globals *)memory)->is_endless) return DDR_ACTIVE;
  const ddr_strand_status now = state->id % 2 == 0 ? DDR_STABLE : DDR_DEAD;
  ddr_put_int(block->text, state->id);
  ddr_put_string(block->text, now == DDR_DEAD ? " dead\n" : " stable\n");
  ddr_print_end(block->text);
  return now;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  return each_running(memory, block, max_steps, step);
}

static const ddr_input inputs[] = {
    INPUT_BY_HAND(Globals, size, "size", "number of strands", DDR_INT, 1),
    INPUT_BY_HAND(Globals, is_endless, "endless", "", DDR_BOOL, 1),
};

static const ddr_output outputs[] = {
    {.name = "id", .kind = DDR_INT, .n_components = 1, .offset = offsetof(State, id)},
    {.name = "ids",
     .kind = DDR_SEQUENCE,
     .element = DDR_INT,
     .n_components = 1,
     .offset = offsetof(State, ids)},
};

const ddr_program ddr_program_main = {
    PROGRAM_BY_HAND(State),
    .name = "queue",
    .real_size = sizeof(float),
    .int_size = sizeof(int32_t),
    .is_collection = true,
    .is_lockstep = true,
    .is_parallel = true,
    .has_snapshots = true,
    .rank = 1,
    .n_inputs = sizeof inputs / sizeof *inputs,
    .n_outputs = sizeof outputs / sizeof *outputs,
    .inputs = inputs,
    .outputs = outputs,
    .globals_size = sizeof(Globals),
    .defaults = defaults,
    .init_globals = no_init_globals,
    .lend_strands = lend_strands,
};
