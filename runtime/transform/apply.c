/* apply.c: transforms into existing arrays: checks everything, then passes the elements block by
 * block, packed and converted to one type, through a kernel to the output.  Device arrays are left
 * to the device (on_device.h).
 */
#include <stdatomic.h>
#include <string.h>

#include "runtime/element/cast.h"
#include "runtime/element/parallel_for.h"
#include "runtime/element/source.h"
#include "runtime/transform/assign.h"
#include "runtime/transform/kernels.h"
#include "runtime/transform/on_device.h"
#include "runtime/transform/operands.h"
#include "runtime/transform/transpose.h"

enum { BLOCK = DDR_SOURCE_BLOCK, RUN = DDR_SOURCE_RUN, CACHE_LINE = 64 };

typedef struct {
  ddr_transform_kernel *kernel; /* NULL: copy */
  bool takes_numbers;           /* the kernel takes a number itself instead of a block */
  bool is_plain;                /* all arrays are used in place */
  int n_operands;
  ddr_element type;                             /* the common type of the operands */
  ddr_source sources[DDR_MAX_OPERANDS];         /* for each operand; the rest is not set */
  bool is_number[DDR_MAX_OPERANDS];             /* its block is filled once */
  ddr_complex_double numbers[DDR_MAX_OPERANDS]; /* memory for one element of any type */
  ddr_range out;
  size_t out_size; /* of an element */
} Work;

/* --- elements --------------------------------------------------------------------------------- */

/* Whether the array can be cast in one go: both are packed and different, since a cast in place
 * would overwrite elements before they are read. */
static bool can_cast_at_once(const Work *work) {
  const ddr_source *source = &work->sources[0];
  return !work->kernel && source->range.is_flat && work->out.is_flat && !work->is_number[0] &&
         source->range.data != work->out.data;
}

/* Whether the elements of one array are copied unchanged. */
static bool is_copy(const Work *work) {
  return !work->kernel && !work->is_number[0] && work->sources[0].type == work->type;
}

static void do_block(const Work *work, int64_t p, int64_t n, ddr_block_buffer *buffers) {
  if (can_cast_at_once(work)) {
    const ddr_source *source = &work->sources[0];
    const size_t size = ddr_element_size(source->type);
    ddr_cast_elements(source->type, (const char *)source->range.data + (size_t)p * size, work->type,
                      (char *)work->out.data + (size_t)p * work->out_size, n);
    return;
  }
  if (!work->kernel) { /* there is one operand */
    const void *elements = ddr_source_block(&work->sources[0], p, n, &buffers[0]);
    ddr_range_scatter(&work->out, work->out_size, p, n, elements);
    return;
  }
  const void *operands[DDR_MAX_OPERANDS] = {NULL};
  for (int k = 0; k < work->n_operands; k++) {
    if (work->is_number[k] && work->takes_numbers) operands[k] = &work->numbers[k];
    else if (work->is_number[k]) operands[k] = &buffers[k];
    else operands[k] = ddr_source_block(&work->sources[k], p, n, &buffers[k]);
  }
  if (work->out.is_flat) {
    work->kernel(operands, (char *)work->out.data + (size_t)p * work->out_size, n);
  } else {
    ddr_block_buffer results;
    work->kernel(operands, &results, n);
    ddr_range_scatter(&work->out, work->out_size, p, n, &results);
  }
}

/* Up to where a line of the cache begins in the output: vectors that are all of a line are written
 * at once, and so are those of operands read, as arrays of one size lie alike in most programs. */
static int64_t n_to_line(const Work *work, int64_t p) {
  const uintptr_t here = (uintptr_t)work->out.data + (uintptr_t)p * work->out_size;
  const int64_t n = (int64_t)(-here % CACHE_LINE / work->out_size);
  return n > 0 ? n : RUN;
}

static void do_run(void *data, int64_t item) {
  const Work *work = data;
  const int64_t begin = item * RUN, rest = work->out.n - begin;
  const int64_t end = begin + (rest < RUN ? rest : RUN);
  ddr_block_buffer buffers[DDR_MAX_OPERANDS];
  for (int k = 0; k < work->n_operands; k++) { /* the same number for all blocks */
    if (work->is_number[k] && !work->takes_numbers)
      ddr_source_block(&work->sources[k], begin, end - begin < BLOCK ? end - begin : BLOCK,
                       &buffers[k]);
  }
  const int64_t most = work->is_plain ? RUN : BLOCK;
  int64_t n = work->is_plain ? n_to_line(work, begin) : most;
  for (int64_t p = begin; p < end; p += n, n = most) {
    if (n > end - p) n = end - p;
    do_block(work, p, n, buffers);
  }
}

/* --- checks ----------------------------------------------------------------------------------- */

static ddr_arrays arrays_of(int n_operands, const ddr_operand *operands, const ddr_ndview *out) {
  ddr_arrays arrays = {.n = 0};
  ddr_arrays_add(&arrays, out);
  for (int k = 0; k < n_operands; k++) ddr_arrays_add(&arrays, operands[k].view);
  return arrays;
}

static ddr_array_status check_shapes(const ddr_arrays *arrays) {
  for (int k = 1; k < arrays->n; k++) {
    if (!ddr_ndview_same_shape(arrays->views[k], arrays->views[0])) return DDR_ARRAY_ESHAPE;
  }
  return DDR_ARRAY_OK;
}

/* arrays->views[0] is the output. */
static ddr_array_status check_memory(const ddr_arrays *arrays) {
  const ddr_ndview *out = arrays->views[0];
  for (int k = 1; k < arrays->n; k++) {
    if (ddr_is_same_place(arrays->views[k], out)) continue;
    if (ddr_has_common_memory(arrays->views[k], out)) return DDR_ARRAY_EALIAS;
  }
  return ddr_check_output(out);
}

/* For ints; converted to int64, exactly the value 0 is 0. */
typedef struct {
  ddr_source ints;
  atomic_bool has_zero;
} Search;

static void search_run(void *data, int64_t item) {
  Search *search = data;
  const int64_t begin = item * RUN, rest = search->ints.range.n - begin;
  const int64_t end = begin + (rest < RUN ? rest : RUN);
  ddr_block_buffer buffer;
  for (int64_t p = begin; p < end && !search->has_zero; p += BLOCK) {
    const int64_t n = end - p < BLOCK ? end - p : BLOCK;
    const int64_t *block = ddr_source_block(&search->ints, p, n, &buffer);
    bool has_zero = false;
    for (int64_t k = 0; k < n; k++) has_zero |= block[k] == 0;
    if (has_zero) search->has_zero = true;
  }
}

static ddr_array_status find_zero(const ddr_ndview *ints, int n_threads, bool *has_zero) {
  ddr_array_device *device = ddr_array_device_in_use();
  *has_zero = false;
  if (ddr_ndview_is_empty(ints)) return DDR_ARRAY_OK;
  if (ints->residency == DDR_CUDA) return device->transforms->has_zero(device, ints, has_zero);
  Search search;
  search.has_zero = false;
  ddr_source_set(&search.ints, ints, true, DDR_ELEMENT_INT64);
  ddr_parallel_for(n_threads, (search.ints.range.n + RUN - 1) / RUN, search_run, &search);
  *has_zero = search.has_zero;
  return DDR_ARRAY_OK;
}

/* Only ints: reals may be divided by 0.  A number that is beyond its own type may become 0 in that
 * of the work. */
static ddr_array_status check_divisor(const Work *work, const ddr_ndview *divisor, int n_threads) {
  bool has_zero;
  if (ddr_element_kind_of(work->type) >= DDR_KIND_REAL) return DDR_ARRAY_OK;
  if (divisor) DDR_TRY(find_zero(divisor, n_threads, &has_zero));
  else has_zero = ddr_number_load(work->type, &work->numbers[1]).integer == 0;
  return has_zero ? DDR_ARRAY_EDIV0 : DDR_ARRAY_OK;
}

/* The bounds are numbers of the elements' type by now. */
static ddr_array_status check_bounds(const ddr_number bounds[2]) {
  const bool is_natural = ddr_element_kind_of(bounds[0].type) == DDR_KIND_UINT;
  const bool is_real = ddr_element_kind_of(bounds[0].type) == DDR_KIND_REAL;
  bool is_good = bounds[0].integer <= bounds[1].integer;
  if (is_natural) is_good = (uint64_t)bounds[0].integer <= (uint64_t)bounds[1].integer;
  if (is_real) is_good = bounds[0].re <= bounds[1].re;
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ERANGE;
}

/* --- work ------------------------------------------------------------------------------------- */

/* Whether all arrays have the same contiguous layout, so that elements can be processed in the
 * order of addresses. */
static bool has_one_layout(int n_operands, const ddr_operand *operands, const ddr_ndview *out) {
  if (!ddr_layout_is_contiguous(&out->layout)) return false;
  for (int k = 0; k < n_operands; k++) {
    if (!operands[k].view) continue;
    const ddr_layout *layout = &operands[k].view->layout;
    for (int axis = 0; axis < layout->rank; axis++) {
      if (layout->len[axis] > 1 && layout->stride[axis] != out->layout.stride[axis]) return false;
    }
  }
  return true;
}

static ddr_array_status set_number(Work *work, int k, ddr_number number) {
  ddr_number cast;
  const ddr_array_status status = ddr_number_cast(number, work->type, &cast);
  if (status != DDR_ARRAY_OK) return status;
  ddr_number_store(cast, &work->numbers[k]);
  work->sources[k] = ddr_source_of_one(&work->numbers[k], work->type, work->out.n);
  work->is_number[k] = true;
  return DDR_ARRAY_OK;
}

static ddr_array_status set_sources(Work *work, const ddr_operand *operands,
                                    const ddr_ndview *out) {
  const bool any_order = has_one_layout(work->n_operands, operands, out);
  ddr_ndview_set_range(out, any_order, &work->out);
  for (int k = 0; k < work->n_operands; k++) {
    const ddr_ndview *view = operands[k].view;
    if (!view) {
      const ddr_array_status status = set_number(work, k, operands[k].number);
      if (status != DDR_ARRAY_OK) return status;
      continue;
    }
    if (!ddr_cast_is_there(view->type, work->type)) return DDR_ARRAY_ETYPE;
    ddr_source_set(&work->sources[k], view, any_order, work->type);
    work->is_number[k] = false;
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status check_values(const Work *work, ddr_transform transform,
                                     const ddr_operand *operands, int n_threads) {
  if (transform == DDR_TRANSFORM_DIV) return check_divisor(work, operands[1].view, n_threads);
  if (transform != DDR_TRANSFORM_CLIP) return DDR_ARRAY_OK;
  if (operands[1].view || operands[2].view) return DDR_ARRAY_ETYPE;
  const ddr_number bounds[2] = {ddr_number_load(work->type, &work->numbers[1]),
                                ddr_number_load(work->type, &work->numbers[2])};
  return check_bounds(bounds);
}

/* Chooses a kernel that takes numbers as operands, if there is one. */
static void set_kernel(Work *work, ddr_transform transform) {
  const ddr_transform_kernels kernels = ddr_transform_kernels_of(transform, work->type);
  unsigned numbers = 0;
  bool is_plain = work->out.is_flat && kernels.plain;
  for (int k = 0; k < work->n_operands; k++) {
    const ddr_source *source = &work->sources[k];
    if (work->is_number[k]) numbers |= 1U << k;
    else is_plain &= source->range.is_flat && source->type == source->wanted;
  }
  work->takes_numbers = kernels.of_numbers && numbers == kernels.numbers;
  work->kernel = work->takes_numbers ? kernels.of_numbers : kernels.plain;
  work->is_plain = can_cast_at_once(work) || (is_plain && (numbers == 0 || work->takes_numbers));
}

/* Applies the transform on the current device; numbers have been cast. */
static ddr_array_status apply_there(const Work *work, ddr_transform transform,
                                    const ddr_operand *operands, const ddr_ndview *out) {
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_device_work there = {transform, work->type, work->n_operands, .out = out};
  for (int k = 0; k < work->n_operands; k++) {
    there.operands[k] = operands[k];
    if (!operands[k].view)
      there.operands[k].number = ddr_number_load(work->type, &work->numbers[k]);
  }
  there.is_one_layout = has_one_layout(work->n_operands, operands, out);
  return device->transforms->apply(device, &there);
}

static ddr_array_status apply(Work *work, ddr_transform transform, const ddr_operand *operands,
                              const ddr_ndview *out, int n_threads) {
  const ddr_arrays arrays = arrays_of(work->n_operands, operands, out);
  ddr_array_status status = check_shapes(&arrays);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_side side = ddr_side_of(&arrays);
  const bool crosses = side == DDR_SIDE_NONE && transform == DDR_TRANSFORM_ASSIGN;
  if (side == DDR_SIDE_NONE && !crosses) return DDR_ARRAY_ERESIDENCY;
  status = check_memory(&arrays);
  if (status == DDR_ARRAY_OK && crosses && operands[0].view)
    return ddr_assign_across(operands[0].view, out, n_threads);
  if (status == DDR_ARRAY_OK) status = set_sources(work, operands, out);
  if (status == DDR_ARRAY_OK) status = check_values(work, transform, operands, n_threads);
  if (status != DDR_ARRAY_OK || ddr_ndview_is_empty(out)) return status;
  ddr_side_touch(side, &arrays);
  if (side == DDR_SIDE_DEVICE) return apply_there(work, transform, operands, out);
  set_kernel(work, transform);
  if (is_copy(work) && ddr_copy_transposed(operands[0].view, out, n_threads)) return DDR_ARRAY_OK;
  ddr_parallel_for(n_threads, (work->out.n + RUN - 1) / RUN, do_run, work);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_transform_apply(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, const ddr_ndview *out,
                                     int n_threads) {
  DDR_TRY(ddr_ndview_check(out));
  Work work;
  ddr_element result_type;
  work.n_operands = n_operands;
  work.out_size = ddr_element_size(out->type);
  ddr_array_status status =
      ddr_transform_types(transform, n_operands, operands, &work.type, &result_type);
  if (status != DDR_ARRAY_OK) return status;
  if (transform == DDR_TRANSFORM_CAST || transform == DDR_TRANSFORM_FILL) {
    result_type = work.type = out->type;
  }
  if (result_type != out->type) return DDR_ARRAY_ETYPE;
  return apply(&work, transform, operands, out, n_threads);
}
