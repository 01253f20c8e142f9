/* set_reduction.cu: reductions over sets of strands: a kernel of the program makes the values, in
 * rank order, and the tree of all sums makes one of them.
 */
#include "runtime/cuda/reduce_device.h"

/* The slots of a set in rank order; NULL: all. */
static const char *find_members(ddr_device *device, ddr_strand_set set, const int64_t **slots) {
  *slots = NULL;
  if (set == DDR_SET_ALL) return NULL;
  *slots = (const int64_t *)device->spare_running.memory;
  return ddr_device_select(device, NULL, device->strands.n_slots,
                           set == DDR_SET_ACTIVE ? DDR_THAT_RUN : DDR_THAT_ARE_STABLE,
                           (int64_t *)device->spare_running.memory);
}

static ddr_element element_of(const ddr_program *program, ddr_kind kind) {
  if (kind == DDR_BOOL) return DDR_ELEMENT_BOOL;
  if (kind == DDR_INT) return program->int_size == 8 ? DDR_ELEMENT_INT64 : DDR_ELEMENT_INT32;
  return program->real_size == 8 ? DDR_ELEMENT_DOUBLE : DDR_ELEMENT_FLOAT;
}

const char *ddr_set_reduce(ddr_device *device, const ddr_set_reduction *what, ddr_kind kind,
                           int64_t n, const void *context, ddr_reduced *result) {
  const ddr_device_program *program = device->program->device;
  const int64_t *slots;
  ddr_partial root;
  const char *error = ddr_space_reserve(device, &device->values, (size_t)n * sizeof(double));
  if (!error) error = find_members(device, what->set, &slots);
  if (error) return error;
  program->reductions[what->number - 1](&device->launch, device->globals, device->strands, slots, n,
                                        context, device->values.memory);
  error = ddr_device_launched(device, "reduce over strands");
  if (error) return error;
  error =
      ddr_device_check(device, "reduce over strands",
                       ddr_device_reduce(&device->launch, what->reduction,
                                         element_of(device->program, kind), device->values.memory,
                                         n, &device->terms.memory, &device->terms.n_bytes, &root));
  if (error) return error;
  result->real = root.re;
  result->integer = root.integer;
  return NULL;
}
