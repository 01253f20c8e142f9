/* strand.c: which strand is traced, and its slot while others die and are born.
 *
 * Read next: record.c; strands/population.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

/* --- what was asked for ----------------------------------------------------------------------- */

/* Reads a number from 0 on that ends at `end`. */
static bool read_number(const char **word, int64_t *number) {
  char *end;
  if (**word < '0' || **word > '9') return false;
  errno = 0;
  *number = strtoll(*word, &end, 10);
  *word = end;
  return errno == 0;
}

static bool read_strand(ddr_trace *trace, const char *word) {
  if (*word == '#') {
    word++;
    return read_number(&word, &trace->state.birth) && *word == '\0';
  }
  do {
    if (trace->n_axes == DDR_MAX_ITERATORS) return false;
    if (trace->n_axes > 0) word++;
    if (!read_number(&word, &trace->index[trace->n_axes++])) return false;
  } while (*word == ',');
  return *word == '\0';
}

ddr_status ddr_trace_open(ddr_world *world, const char *strand, uint64_t limit) {
  const ddr_program *program = world->program;
  if (!program->trace) return ddr_error(world, "the program was made without --trace");
  ddr_trace *trace = calloc(1, sizeof *trace);
  if (!trace) return ddr_error(world, "out of memory");
  trace->program = program;
  trace->table = program->trace;
  trace->state.slot = -1;
  trace->limit = limit;
  if (!read_strand(trace, strand)) {
    free(trace);
    return ddr_error(world,
                     "\"%s\" names no strand: 120,80 is one of a grid by its index, #17 one by its "
                     "birth",
                     strand);
  }
  ddr_trace_free(world->trace);
  world->trace = trace;
  return DDR_OK;
}

void ddr_trace_free(ddr_trace *trace) {
  if (!trace) return;
  free(trace->records);
  free(trace->values);
  free(trace->parts);
  free(trace);
}

ddr_trace_state ddr_trace_look(const ddr_trace *trace) { return trace->state; }

/* --- where it is at first --------------------------------------------------------------------- */

/* Puts the lengths of the axes, fastest first, such as "7, 4". */
static void put_sizes(ddr_text *text, const ddr_strands *strands, uint32_t rank) {
  for (uint32_t k = rank; k-- > 0;) {
    ddr_put_int(text, strands->len[k]);
    if (k > 0) ddr_put_string(text, ", ");
  }
}

static ddr_status refuse_index(ddr_world *world, const ddr_strands *strands, const char *what) {
  ddr_text sizes = {0};
  put_sizes(&sizes, strands, world->program->rank);
  const ddr_status status = ddr_error(world, "%s: the grid has the sizes %s, fastest axis first",
                                      what, sizes.chars ? sizes.chars : "");
  ddr_text_clear(&sizes);
  return status;
}

/* Finds the slot of an index; the last iterator is the fastest. */
static ddr_status find_index(ddr_world *world, const ddr_strands *strands) {
  ddr_trace *trace = world->trace;
  const uint32_t rank = world->program->rank;
  if (world->program->is_collection)
    return ddr_error(world, "there is no grid to look up an index in: name the strand by its "
                            "birth, such as #17");
  if (trace->n_axes != rank)
    return refuse_index(world, strands,
                        trace->n_axes < rank ? "the index has too few numbers"
                                             : "the index has too many numbers");
  int64_t slot = 0;
  for (uint32_t k = 0; k < rank; k++) {
    const int64_t at = trace->index[rank - 1 - k];
    if (at >= strands->len[k]) return refuse_index(world, strands, "the index is outside");
    slot = slot * strands->len[k] + at;
  }
  trace->state.birth = slot;
  return DDR_OK;
}

/* Stores the index of a strand in a grid, also if the number of its birth was given. */
static void note_index(ddr_trace *trace, const ddr_strands *strands) {
  int64_t rest = trace->state.birth;
  trace->n_axes = trace->program->rank;
  for (uint32_t k = 0; k < trace->n_axes; k++) {
    const int64_t len = strands->len[trace->n_axes - 1 - k];
    trace->index[k] = rest % len;
    rest /= len;
  }
}

static ddr_status refuse_birth(ddr_world *world, int64_t n_strands) {
  const long long birth = (long long)world->trace->state.birth;
  if (n_strands == 0) return ddr_error(world, "there is no strand #%lld: the grid is empty", birth);
  return ddr_error(world, "there is no strand #%lld: the last one of the grid is #%lld", birth,
                   (long long)n_strands - 1);
}

ddr_status ddr_trace_find(ddr_world *world, const ddr_strands *strands) {
  ddr_trace *trace = world->trace;
  if (!trace) return DDR_OK;
  if (trace->n_axes > 0 && find_index(world, strands) != DDR_OK) return DDR_ERROR;
  trace->n_born = strands->n_slots;
  trace->state.is_born = trace->state.birth < strands->n_slots;
  if (trace->state.is_born) trace->state.slot = trace->state.birth;
  if (world->program->is_collection) return DDR_OK;
  if (!trace->state.is_born) return refuse_birth(world, strands->n_slots);
  note_index(trace, strands);
  return DDR_OK;
}

/* --- whose code runs -------------------------------------------------------------------------- */

void ddr_trace_strand(const ddr_block *block, int64_t slot) {
  ddr_trace *trace = block->world->trace;
  ddr_trace_here = trace && trace->state.slot == slot ? trace : NULL;
}

void ddr_trace_global(ddr_world *world, ddr_trace_method method) {
  ddr_trace *trace = world->trace;
  if (!trace || (method == DDR_TRACE_GLOBAL_UPDATE && !trace->state.is_born)) return;
  ddr_trace_here = trace;
  ddr_trace_begin_method(method);
}

void ddr_trace_leave(void) { ddr_trace_here = NULL; }

void ddr_trace_superstep(ddr_world *world, uint32_t number) {
  if (!world->trace) return;
  world->trace->superstep = number;
  world->trace->n_born_now = 0;
}

void ddr_trace_birth(const ddr_block *block) {
  ddr_trace *trace = block->world->trace;
  if (!trace) return;
  trace->is_creator = ddr_trace_here != NULL;
  const bool is_meant = trace->n_born + trace->n_born_now++ == trace->state.birth;
  ddr_trace_here = is_meant ? trace : NULL;
  if (!is_meant) return;
  trace->birth_step = trace->superstep;
  ddr_trace_begin_method(DDR_TRACE_CREATE);
}

void ddr_trace_born(const ddr_block *block) {
  ddr_trace *trace = block->world->trace;
  if (trace) ddr_trace_here = trace->is_creator ? trace : NULL;
}

/* --- births and deaths ------------------------------------------------------------------------ */

void ddr_trace_settle(ddr_world *world, const ddr_strands *strands) {
  ddr_trace_state *state = &world->trace->state;
  if (state->slot < 0) return;
  if (strands->status[state->slot] == DDR_STABLE) state->end = TRACE_STABLE;
  if (strands->status[state->slot] == DDR_DEAD) state->end = TRACE_DIED;
}

void ddr_trace_deaths(ddr_world *world, const ddr_strands *strands) {
  if (!world->trace || world->trace->state.slot < 0) return;
  ddr_trace_state *state = &world->trace->state;
  int64_t n_before = 0; /* dead strands in lower slots */
  ddr_trace_settle(world, strands);
  for (int64_t slot = 0; slot < state->slot; slot++) n_before += strands->status[slot] == DDR_DEAD;
  state->slot = state->end == TRACE_DIED ? -1 : state->slot - n_before;
}

void ddr_trace_births(ddr_world *world, int64_t first, int64_t n) {
  ddr_trace *trace = world->trace;
  if (!trace) return;
  const int64_t number = trace->state.birth - trace->n_born;
  trace->n_born += n;
  trace->n_born_now = 0;
  if (number < 0 || number >= n) return;
  trace->state.slot = first + number;
  trace->state.is_born = true;
}
