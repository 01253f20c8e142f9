/* set_reduction.cu: reductions over sets of strands: a kernel of the program computes the values,
 * in rank order, and the tree of sums reduces them to one.
 */
#include "runtime/cuda/array/reduce_device.h"
#include "runtime/cuda/check.h"

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

static const char *reduce_column(ddr_device *device, const ddr_set_result *what, int64_t n,
                                 ddr_reduced *result) {
  ddr_partial root;
  const cudaError_t status =
      ddr_device_reduce(&device->launch, what->reduction, element_of(device->program, what->kind),
                        ddr_given(device->values.memory, n, what->column), n, &device->terms.memory,
                        &device->terms.n_bytes, &root);
  const char *error = ddr_device_check(device, "reduce over strands", status);
  if (error) return error;
  result->real = root.re;
  result->integer = root.integer;
  return NULL;
}

/* An earlier result that is the sum of the same reals; NULL: there is none. */
static const ddr_reduced *sum_before(const ddr_set_reduction *what, const ddr_reduced *results,
                                     uint32_t number) {
  for (uint32_t i = 0; i < number; i++)
    if (what->results[i].reduction == DDR_SUM &&
        what->results[i].column == what->results[number].column)
      return &results[i];
  return NULL;
}

const char *ddr_set_reduce(ddr_device *device, const ddr_set_reduction *what, int64_t n,
                           const void *context, ddr_reduced *results) {
  const ddr_device_program *program = device->program->device;
  const int64_t *slots;
  uint32_t n_columns = 0;
  for (uint32_t i = 0; i < what->n_results; i++)
    if (what->results[i].column >= n_columns) n_columns = what->results[i].column + 1;
  const char *error = ddr_space_reserve(device, &device->values, n_columns * DDR_GIVEN_SIZE(n));
  if (!error) error = find_members(device, what->set, &slots);
  if (error) return error;
  program->reductions[what->number - 1](&device->launch, device->globals, device->strands, slots, n,
                                        context, device->values.memory);
  error = ddr_device_launched(device, "reduce over strands");
  for (uint32_t i = 0; i < what->n_results && !error; i++) {
    const ddr_reduced *sum =
        what->results[i].reduction == DDR_MEAN ? sum_before(what, results, i) : NULL;
    if (sum) results[i].real = ddr_plain_nan(sum->real / (double)n);
    else error = reduce_column(device, &what->results[i], n, &results[i]);
  }
  return error;
}
