/* methods.h: the device's versions of functions that methods of strands call by the host's names.
 *
 * Included by the file for devices after all other headers: from there on the names below are the
 * device's.  A strand's surroundings - world, block, text, pool - are one thing there, its thread.
 */
#pragma once

#include "ddr/device/device.h"
#include "ddr/device/near.h"
#include "ddr/device/prints.h"
#include "ddr/device/reals.h"
#include "ddr/device/seq.h"
#include "ddr/device/team.h"

/* --- how many strands there were when the superstep began ------------------------------------- */

DDR_FN int64_t ddr_device_num_strands(const ddr_device_block *block) {
  return block->strands->n_active + block->strands->n_stable;
}
DDR_FN int64_t ddr_device_num_active(const ddr_device_block *block) {
  return block->strands->n_active;
}
DDR_FN int64_t ddr_device_num_stable(const ddr_device_block *block) {
  return block->strands->n_stable;
}

/* --- births ----------------------------------------------------------------------------------- */

#if defined(DDR_GPU) || defined(DDR_SHIM)
/* Memory for a new strand.  Not zeroed, unlike on the host: creation sets every column. */
DDR_DEVICE_FN void *ddr_device_new_strand(ddr_device_block *block) {
  const ddr_device_strands *strands = block->strands;
  ddr_birth *birth =
      (ddr_birth *)ddr_heap_take(&strands->heap[DDR_HEAP_BIRTHS], strands->birth_size);
  if (!birth) return NULL;
  birth->creator = block->slot;
  birth->number = block->n_born++;
  return birth + 1;
}
#endif

/* --- the names -------------------------------------------------------------------------------- */

#define ddr_world ddr_device_block
#define ddr_block ddr_device_block
#define ddr_pool ddr_device_block
#define ddr_text ddr_device_block

#define ddr_num_strands ddr_device_num_strands
#define ddr_num_active ddr_device_num_active
#define ddr_num_stable ddr_device_num_stable
#define ddr_new_strand ddr_device_new_strand

#define ddr_seq_from ddr_device_seq_from
#define ddr_seq_append ddr_device_seq_append
#define ddr_seq_push ddr_device_seq_append
#define ddr_seq_prepend ddr_device_seq_prepend
#define ddr_seq_concat ddr_device_seq_concat
#define ddr_seq_range ddr_device_seq_range
#define ddr_pool_sweep ddr_device_pool_sweep

#define ddr_sphere1 ddr_device_sphere1
#define ddr_sphere2 ddr_device_sphere2
#define ddr_sphere3 ddr_device_sphere3
#define ddr_put_string ddr_device_put_string
#define ddr_put_bool ddr_device_put_bool
#define ddr_put_int ddr_device_put_int
#define ddr_put_float ddr_device_put_float
#define ddr_put_double ddr_device_put_double
#define ddr_put_seq ddr_device_put_seq
#define ddr_print_end ddr_device_print_end
