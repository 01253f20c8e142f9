/* births.cu: new strands join the store, behind all others: in the order of their creators, and
 * then of `new` in each creator (runtime/src/strands/population.c).
 *
 * Records are in the order in which threads asked for memory.  The births of each creator are
 * counted; the place of a record is the sum of the counts of earlier creators plus its own number.
 */
#include "runtime/cuda/check.h"
#include "runtime/cuda/columns.h"

DDR_FN const ddr_birth *birth_at(const ddr_device_strands *strands, int64_t k) {
  const char *births = strands->heap[DDR_HEAP_BIRTHS].memory;
  return (const ddr_birth *)(const void *)(births + (uint64_t)k * strands->birth_size);
}

/* --- places ----------------------------------------------------------------------------------- */

DDR_KERNEL void count_kernel(ddr_device_strands strands, int64_t n_born,
                             unsigned long long *n_made) {
  const int64_t thread = DDR_THREAD;
  if (thread >= n_born) return;
  (void)DDR_DEVICE_ADD(&n_made[birth_at(&strands, thread)->creator], 1ULL);
}

const char *ddr_births_count(ddr_device *device, int64_t *n_born) {
  const ddr_device_strands *strands = &device->strands;
  const size_t n_bytes = (size_t)strands->n_slots * sizeof(unsigned long long);
  *n_born = (int64_t)(device->outcome.taken[DDR_HEAP_BIRTHS] / strands->birth_size);
  device->outcome.taken[DDR_HEAP_BIRTHS] = 0;
  if (*n_born == 0) return NULL;
  const char *error = ddr_space_reserve(device, &device->made_before, n_bytes);
  if (error) return error;
  unsigned long long *n_made = (unsigned long long *)device->made_before.memory;
  error = ddr_device_check(device, "clear memory",
                           cudaMemsetAsync(n_made, 0, n_bytes, ddr_stream(device)));
  if (error) return error;
  DDR_LAUNCH(count_kernel, &device->launch, *n_born, *strands, *n_born, n_made);
  error = ddr_device_launched(device, "count the newborn");
  return error ? error : ddr_device_scan(device, (int64_t *)n_made, strands->n_slots);
}

/* --- states ----------------------------------------------------------------------------------- */

/* One thread for each birth and column, births fastest. */
DDR_KERNEL void join_kernel(ddr_device_strands strands, const ddr_column *columns,
                            uint32_t n_columns, int64_t n_born,
                            const unsigned long long *made_before) {
  const int64_t k = DDR_THREAD % n_born, at = DDR_THREAD / n_born;
  if (at > n_columns) return;
  const ddr_birth *birth = birth_at(&strands, k);
  const int64_t slot = strands.n_slots + (int64_t)made_before[birth->creator] + birth->number;
  if (at == n_columns) {
    strands.status[slot] = DDR_NEW;
    return;
  }
  const ddr_column column = columns[at];
  ddr_move_value(DDR_COLUMN(char, &strands.state, column.offset),
                 (const char *)(birth + 1) + column.offset, slot, 0, column.size);
}

const char *ddr_births_join(ddr_device *device, int64_t n_born) {
  ddr_device_strands *strands = &device->strands;
  const uint32_t n_columns = device->program->device->n_columns;
  if (n_born == 0) return NULL;
  DDR_LAUNCH(join_kernel, &device->launch, n_born * (n_columns + 1), *strands,
             (const ddr_column *)device->columns.memory, n_columns, n_born,
             (const unsigned long long *)device->made_before.memory);
  strands->n_slots += n_born;
  return ddr_device_launched(device, "add the newborn");
}
