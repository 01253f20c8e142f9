/* nans.c: makes all NaNs of an output equal.
 *
 * Sign and payload of a NaN depend on processor and compiler: x86 produces negative NaNs, constant
 * folding positive ones, and either operand's NaN may be passed on. Without them results are the
 * same bytes everywhere.
 * Read next: outputs.c.
 */
#include <math.h>
#include <string.h>

#include "local.h"
#include "runtime/src/strands/store.h"

enum { PART = 256 }; /* this many states fit the L1 cache */

static void unify_floats(float *values, size_t n) {
  bool is_there = false;
  for (size_t k = 0; k < n; k++) is_there |= isnan(values[k]) != 0;
  for (size_t k = 0; is_there && k < n; k++) values[k] = isnan(values[k]) ? NAN : values[k];
}

static void unify_doubles(double *values, size_t n) {
  bool is_there = false;
  for (size_t k = 0; k < n; k++) is_there |= isnan(values[k]) != 0;
  for (size_t k = 0; is_there && k < n; k++) values[k] = isnan(values[k]) ? (double)NAN : values[k];
}

void ddr_nans_unify(ddr_kind kind, size_t element_size, void *values, size_t n) {
  if (kind != DDR_REAL) return;
  if (element_size == sizeof(float)) unify_floats(values, n);
  else unify_doubles(values, n);
}

/* Whether the memory may contain a float NaN, without a branch; other values may look like one. */
static bool may_have_nan(const char *memory, size_t n_bytes) {
  const uint32_t infinity = UINT32_C(0x7f800000);
  uint32_t bits, above = 0; /* the highest bit is set once a word was above infinity */
  for (size_t k = 0; k + sizeof bits <= n_bytes; k += sizeof bits) {
    memcpy(&bits, memory + k, sizeof bits);
    above |= infinity - (bits & UINT32_C(0x7fffffff));
  }
  return above >> 31;
}

/* Whether n values of each state contain a NaN; mostly there are none. */
static bool have_nan(const char *values, size_t size, size_t n, size_t stride, size_t n_states) {
  bool is_there = false;
  float single;
  double wide;
  for (size_t k = 0; k < n_states; k++, values += stride) {
    for (size_t i = 0; i < n && size == sizeof single; i++) {
      memcpy(&single, values + i * sizeof single, sizeof single);
      is_there |= isnan(single) != 0;
    }
    for (size_t i = 0; i < n && size == sizeof wide; i++) {
      memcpy(&wide, values + i * sizeof wide, sizeof wide);
      is_there |= isnan(wide) != 0;
    }
  }
  return is_there;
}

/* Unifies the NaNs of strands `begin` to `end`. */
static void unify_states(const ddr_world *world, const ddr_output *output, int64_t begin,
                         int64_t end) {
  const size_t size = world->program->real_size, stride = world->program->state_size;
  const size_t n = output->n_components, n_states = (size_t)(end - begin);
  char *values = (char *)world->store->strands.state + (size_t)begin * stride + output->offset;
  if (output->kind != DDR_REAL) return;
  if (n * size == stride) {
    ddr_nans_unify(DDR_REAL, size, values, n * n_states);
    return;
  }
  if (!have_nan(values, size, n, stride, n_states)) return;
  for (size_t k = 0; k < n_states; k++, values += stride) ddr_nans_unify(DDR_REAL, size, values, n);
}

void ddr_nans_unify_output(const ddr_world *world, const ddr_output *output) {
  unify_states(world, output, 0, world->store->strands.n_slots);
}

/* Reads each state from memory once, however many outputs it has. */
void ddr_nans_unify_outputs(const ddr_world *world) {
  const ddr_program *program = world->program;
  const int64_t n_slots = world->store->strands.n_slots;
  const char *states = world->store->strands.state;
  const size_t size = program->state_size;
  const bool are_words = program->real_size == sizeof(float) && size % sizeof(float) == 0;
  for (int64_t begin = 0; begin < n_slots; begin += PART) {
    const int64_t end = n_slots - begin < PART ? n_slots : begin + PART;
    if (are_words && !may_have_nan(states + (size_t)begin * size, (size_t)(end - begin) * size))
      continue;
    for (uint32_t k = 0; k < program->n_outputs; k++)
      if (ddr_output_is_in_states(program, &program->outputs[k]))
        unify_states(world, &program->outputs[k], begin, end);
  }
}
