/* Test: what the functions of ddr/array.h refuse, and that they write nothing then; convolutions
 * and filters are in filter_refusals_test.c.
 *
 * Every function that returns a status has a line here; the last test checks that.
 */
#include "tests/unit/array/refusals.h"

static const int64_t shape[] = {2, 3}, negative[] = {2, -1}, none[] = {0, 3}, zero[] = {0, 0};
static const int64_t huge[] = {INT64_MAX, 8}, frame[] = {3, 4, 6}, no_frame[] = {2, 4, 6};
static const int64_t huge_frame[] = {3, INT64_MAX, 6}, ones[] = {1, 1, 1}, zeros_3[] = {0, 0, 0};
static const int64_t far[] = {8, INT64_MAX};
static const int order[] = {1, 0}, twice[] = {0, 0}, axis_1[] = {1}, axis_2[] = {2};
static const ddr_layout broken = {17, 0, {0}, {0}};
static const ddr_layout full = {16, 0, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0}};

/* --- layouts and pitches ---------------------------------------------------------------------- */

static void refuses_layouts(void) {
  ddr_layout *const part = &memory.layout;
  REFUSE(ENULL, ddr_layout_packed, 2, NULL, part);
  REFUSE(ENULL, ddr_layout_packed, 2, shape, NULL);
  REFUSE(ERANK, ddr_layout_packed, 17, shape, part);
  REFUSE(ERANK, ddr_layout_packed, -1, shape, part);
  REFUSE(EDIM, ddr_layout_packed, 2, negative, part);
  REFUSE(EOVERFLOW, ddr_layout_packed, 2, huge, part);
  REFUSE(ENULL, ddr_layout_check, NULL);
  REFUSE(ERANK, ddr_layout_check, &broken);
  REFUSE(EDIM, ddr_layout_check, &bad_extent.layout);
  REFUSE(EOVERFLOW, ddr_layout_check, &bad_stride.layout);
  REFUSE(ENULL, ddr_layout_is_injective, NULL, &memory.flag);
  REFUSE(ENULL, ddr_layout_is_injective, &flat, NULL);
  REFUSE(ERANK, ddr_layout_is_injective, &broken, &memory.flag);
  REFUSE(ENULL, ddr_layout_fix, NULL, 0, 0, part);
  REFUSE(ENULL, ddr_layout_fix, &flat, 0, 0, NULL);
  REFUSE(ERANK, ddr_layout_fix, &broken, 0, 0, part);
  REFUSE(EDIM, ddr_layout_fix, &flat, 2, 0, part);
  REFUSE(EDIM, ddr_layout_fix, &flat, -1, 0, part);
  REFUSE(EINDEX, ddr_layout_fix, &flat, 0, 2, part);
  REFUSE(EINDEX, ddr_layout_fix, &flat, 0, -1, part);
  REFUSE(ENULL, ddr_layout_slice, NULL, 0, 0, 1, part);
  REFUSE(ENULL, ddr_layout_slice, &flat, 0, 0, 1, NULL);
  REFUSE(EDIM, ddr_layout_slice, &flat, 2, 0, 1, part);
  REFUSE(ERANGE, ddr_layout_slice, &flat, 0, 1, 0, part);
  REFUSE(ERANGE, ddr_layout_slice, &flat, 0, 0, 3, part);
  REFUSE(ERANGE, ddr_layout_slice, &flat, 0, INT64_MIN, INT64_MAX, part);
  REFUSE(ENULL, ddr_layout_permute, NULL, order, part);
  REFUSE(ENULL, ddr_layout_permute, &flat, NULL, part);
  REFUSE(ENULL, ddr_layout_permute, &flat, order, NULL);
  REFUSE(ERANK, ddr_layout_permute, &flat, twice, part);
  REFUSE(ENULL, ddr_layout_flip, NULL, 0, part);
  REFUSE(ENULL, ddr_layout_flip, &flat, 0, NULL);
  REFUSE(EDIM, ddr_layout_flip, &flat, 2, part);
  REFUSE(ENULL, ddr_layout_step, NULL, 0, 1, part);
  REFUSE(ENULL, ddr_layout_step, &flat, 0, 1, NULL);
  REFUSE(EDIM, ddr_layout_step, &flat, -1, 1, part);
  REFUSE(ERANGE, ddr_layout_step, &flat, 0, 0, part);
  REFUSE(ENULL, ddr_layout_repeat, NULL, 0, 1, part);
  REFUSE(ENULL, ddr_layout_repeat, &flat, 0, 1, NULL);
  REFUSE(EDIM, ddr_layout_repeat, &flat, 3, 1, part);
  REFUSE(ERANGE, ddr_layout_repeat, &flat, 0, -1, part);
  REFUSE(EOVERFLOW, ddr_layout_repeat, &flat, 0, INT64_MAX, part);
  REFUSE(ERANK, ddr_layout_repeat, &full, 0, 1, part);
  REFUSE(ENULL, ddr_layout_reshape, NULL, 2, shape, part);
  REFUSE(ENULL, ddr_layout_reshape, &flat, 2, NULL, part);
  REFUSE(ENULL, ddr_layout_reshape, &flat, 2, shape, NULL);
  REFUSE(ESHAPE, ddr_layout_reshape, &flat, 1, shape, part);
  REFUSE(ERANK, ddr_layout_reshape, &flat, 17, shape, part);
  REFUSE(EDIM, ddr_layout_reshape, &flat, 2, negative, part);
  REFUSE(EOVERFLOW, ddr_layout_reshape, &flat, 2, huge, part);
}

static void refuses_pitches(void) {
  size_t *const pitch = memory.pitch;
  const size_t good[] = {24, 12, 4}, small[] = {24, 11}, uneven[] = {28, 14},
               vast[] = {SIZE_MAX, 16};
  const size_t planes[] = {36, 24, 6}, low[] = {35, 24, 6};
  REFUSE(ENULL, ddr_pitch_compute, 2, NULL, 2, ones, 4, pitch);
  REFUSE(ENULL, ddr_pitch_compute, 2, shape, 2, NULL, 4, pitch);
  REFUSE(ENULL, ddr_pitch_compute, 2, shape, 2, ones, 4, NULL);
  REFUSE(ELEN, ddr_pitch_compute, 2, shape, 1, ones, 4, pitch);
  REFUSE(ELEN, ddr_pitch_compute, 17, shape, 17, ones, 4, pitch);
  REFUSE(ELEN, ddr_pitch_compute, 0, shape, 0, ones, 4, pitch);
  REFUSE(ETYPE, ddr_pitch_compute, 2, shape, 2, ones, 0, pitch);
  REFUSE(EDIM, ddr_pitch_compute, 2, none, 2, ones, 4, pitch);
  REFUSE(EALIGN, ddr_pitch_compute, 2, shape, 2, zero, 4, pitch);
  REFUSE(EOVERFLOW, ddr_pitch_compute, 2, huge, 2, ones, 4, pitch);
  REFUSE(EOVERFLOW, ddr_pitch_compute, 2, shape, 2, far, 4, pitch);
  REFUSE(ENULL, ddr_pitch_compute_420sp, NULL, ones, 1, pitch);
  REFUSE(ENULL, ddr_pitch_compute_420sp, frame, NULL, 1, pitch);
  REFUSE(ENULL, ddr_pitch_compute_420sp, frame, ones, 1, NULL);
  REFUSE(EDIM, ddr_pitch_compute_420sp, no_frame, ones, 1, pitch);
  REFUSE(ETYPE, ddr_pitch_compute_420sp, frame, ones, 0, pitch);
  REFUSE(EALIGN, ddr_pitch_compute_420sp, frame, zeros_3, 1, pitch);
  REFUSE(EOVERFLOW, ddr_pitch_compute_420sp, huge_frame, ones, 1, pitch);
  REFUSE(ENULL, ddr_pitch_validate, DDR_NAMED_NONE, 2, NULL, 4, 2, good);
  REFUSE(ENULL, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 4, 2, NULL);
  REFUSE(EOPERATION, ddr_pitch_validate, (ddr_named_layout)9, 2, shape, 4, 2, good);
  REFUSE(ELEN, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 4, 3, good);
  REFUSE(ELEN, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 4, -1, good);
  REFUSE(EPITCH, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 4, 2, small);
  REFUSE(EOVERFLOW, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 4, 2, vast);
  REFUSE(ETYPE, ddr_pitch_validate, DDR_NAMED_NONE, 2, shape, 0, 2, good);
  REFUSE(EDIM, ddr_pitch_validate, DDR_NAMED_NONE, 2, none, 4, 2, good);
  REFUSE(EPITCH, ddr_pitch_validate, DDR_NAMED_420SP, 3, frame, 1, 3, low);
  REFUSE(ENULL, ddr_pitch_to_layout, 2, NULL, 4, good, &memory.layout);
  REFUSE(ENULL, ddr_pitch_to_layout, 2, shape, 4, NULL, &memory.layout);
  REFUSE(ENULL, ddr_pitch_to_layout, 2, shape, 4, good, NULL);
  REFUSE(EPITCH, ddr_pitch_to_layout, 2, shape, 4, uneven, &memory.layout);
  REFUSE(ELEN, ddr_pitch_to_layout, 0, shape, 4, good, &memory.layout);
  REFUSE(ETYPE, ddr_pitch_to_layout, 2, shape, 0, good, &memory.layout);
  REFUSE(EDIM, ddr_pitch_to_layout, 2, none, 4, good, &memory.layout);
  REFUSE(EOVERFLOW, ddr_pitch_to_layout, 2, shape, 4, vast, &memory.layout);
  REFUSE(ENULL, ddr_pitch_to_layouts_420sp, NULL, 1, planes, &memory.layout, &memory.chroma);
  REFUSE(ENULL, ddr_pitch_to_layouts_420sp, frame, 1, NULL, &memory.layout, &memory.chroma);
  REFUSE(ENULL, ddr_pitch_to_layouts_420sp, frame, 1, planes, NULL, &memory.chroma);
  REFUSE(ENULL, ddr_pitch_to_layouts_420sp, frame, 1, planes, &memory.layout, NULL);
  REFUSE(EPITCH, ddr_pitch_to_layouts_420sp, frame, 1, low, &memory.layout, &memory.chroma);
  REFUSE(ETYPE, ddr_pitch_to_layouts_420sp, frame, 0, planes, &memory.layout, &memory.chroma);
  REFUSE(EDIM, ddr_pitch_to_layouts_420sp, no_frame, 1, planes, &memory.layout, &memory.chroma);
  REFUSE(EOVERFLOW, ddr_pitch_to_layouts_420sp, huge_frame, 1, planes, &memory.layout,
         &memory.chroma);
}

/* --- memory and views ------------------------------------------------------------------------- */

static void refuses_memory(void) {
  ddr_storage *const storage = &memory.storage;
  REFUSE(ENULL, ddr_storage_alloc, 8, 8, DDR_HOST, NULL);
  REFUSE(EALIGN, ddr_storage_alloc, 8, 0, DDR_HOST, storage);
  REFUSE(EALIGN, ddr_storage_alloc, 8, 3, DDR_HOST, storage);
  REFUSE(ERESIDENCY, ddr_storage_alloc, 8, 8, DDR_CUDA, storage);
  REFUSE(ERESIDENCY, ddr_storage_alloc, 8, 8, (ddr_residency)-1, storage);
  REFUSE(EOVERFLOW, ddr_storage_alloc, SIZE_MAX, 8, DDR_HOST, storage);
  REFUSE(ENULL, ddr_storage_alloc_rows, 8, 2, 4, DDR_HOST, NULL, memory.pitch);
  REFUSE(ENULL, ddr_storage_alloc_rows, 8, 2, 4, DDR_HOST, storage, NULL);
  REFUSE(ETYPE, ddr_storage_alloc_rows, 8, 2, 0, DDR_HOST, storage, memory.pitch);
  REFUSE(ERESIDENCY, ddr_storage_alloc_rows, 8, 2, 4, DDR_UNIFIED, storage, memory.pitch);
  REFUSE(EOVERFLOW, ddr_storage_alloc_rows, SIZE_MAX, 2, 4, DDR_HOST, storage, memory.pitch);
  REFUSE(ETYPE, ddr_number_cast, ddr_number_complex(1, 2), DDR_ELEMENT_FLOAT, &memory.number);
  REFUSE(ETYPE, ddr_number_cast, ddr_number_int(1), (ddr_element)-1, &memory.number);
  REFUSE(ETYPE, ddr_number_cast, ddr_number_zero((ddr_element)50), DDR_ELEMENT_INT8,
         &memory.number);
  REFUSE(ENULL, ddr_number_cast, ddr_number_int(1), DDR_ELEMENT_INT8, NULL);
}

static void refuses_new_views(void) {
  ddr_ndview *const view = &memory.view;
  const size_t small[] = {20, 11}, good[] = {24, 12}, vast[] = {SIZE_MAX, 12};
  REFUSE(ENULL, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, NULL, DDR_HOST, NULL, view);
  REFUSE(ENULL, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, &flat, DDR_HOST, NULL, NULL);
  REFUSE(ENULL, ddr_ndview_wrap, DDR_ELEMENT_INT8, NULL, &flat, DDR_HOST, NULL, view);
  REFUSE(ETYPE, ddr_ndview_wrap, DDR_ELEMENT_COUNT, memory.x, &flat, DDR_HOST, NULL, view);
  REFUSE(ERANK, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, &broken, DDR_HOST, NULL, view);
  REFUSE(EDIM, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, &bad_extent.layout, DDR_HOST, NULL,
         view);
  REFUSE(EOVERFLOW, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, &bad_stride.layout, DDR_HOST, NULL,
         view);
  REFUSE(ERESIDENCY, ddr_ndview_wrap, DDR_ELEMENT_INT8, memory.x, &flat, (ddr_residency)5, NULL,
         view);
  REFUSE_VIEWS(ddr_ndview_at, FIRST, 2, zero, &memory.element);
  REFUSE(ENULL, ddr_ndview_check, NULL);
  REFUSE(ETYPE, ddr_ndview_check, &bad_type);
  REFUSE(ERANK, ddr_ndview_check, &bad_rank);
  REFUSE(EDIM, ddr_ndview_check, &bad_extent);
  REFUSE(EOVERFLOW, ddr_ndview_check, &bad_stride);
  REFUSE(ERESIDENCY, ddr_ndview_check, &bad_residency);
  REFUSE(ENULL, ddr_ndview_new, DDR_ELEMENT_INT8, 2, NULL, DDR_HOST, view);
  REFUSE(ENULL, ddr_ndview_new, DDR_ELEMENT_INT8, 2, shape, DDR_HOST, NULL);
  REFUSE(ETYPE, ddr_ndview_new, (ddr_element)13, 2, shape, DDR_HOST, view);
  REFUSE(EDIM, ddr_ndview_new, DDR_ELEMENT_INT8, 2, negative, DDR_HOST, view);
  REFUSE(ERANK, ddr_ndview_new, DDR_ELEMENT_INT8, 17, shape, DDR_HOST, view);
  REFUSE(EOVERFLOW, ddr_ndview_new, DDR_ELEMENT_INT8, 2, huge, DDR_HOST, view);
  REFUSE(EOVERFLOW, ddr_ndview_new, DDR_ELEMENT_DOUBLE, 1, huge, DDR_HOST, view);
  REFUSE(ERESIDENCY, ddr_ndview_new, DDR_ELEMENT_INT8, 2, shape, DDR_CUDA, view);
  REFUSE(ENULL, ddr_ndview_new_rows, DDR_ELEMENT_INT8, 2, NULL, 1, DDR_HOST, view);
  REFUSE(ENULL, ddr_ndview_new_rows, DDR_ELEMENT_INT8, 2, shape, 1, DDR_HOST, NULL);
  REFUSE(EDIM, ddr_ndview_new_rows, DDR_ELEMENT_INT8, 2, shape, 3, DDR_HOST, view);
  REFUSE(ETYPE, ddr_ndview_new_rows, (ddr_element)13, 2, shape, 1, DDR_HOST, view);
  REFUSE(ERANK, ddr_ndview_new_rows, DDR_ELEMENT_INT8, -1, shape, 1, DDR_HOST, view);
  REFUSE(EOVERFLOW, ddr_ndview_new_rows, DDR_ELEMENT_INT8, 2, huge, 1, DDR_HOST, view);
  REFUSE(ERESIDENCY, ddr_ndview_new_rows, DDR_ELEMENT_INT8, 2, shape, 1, DDR_CUDA, view);
  REFUSE(ENULL, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, NULL, good, view);
  REFUSE(ENULL, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, shape, NULL, view);
  REFUSE(ENULL, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, shape, good, NULL);
  REFUSE(EPITCH, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, shape, small, view);
  REFUSE(ETYPE, ddr_ndview_new_pitched, DDR_ELEMENT_COUNT, 2, shape, good, view);
  REFUSE(ELEN, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 17, shape, good, view);
  REFUSE(EDIM, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, none, good, view);
  REFUSE(EOVERFLOW, ddr_ndview_new_pitched, DDR_ELEMENT_FLOAT, 2, shape, vast, view);
}

static void refuses_parts(void) {
  ddr_ndview *const part = &memory.view;
  const int64_t outside[] = {2, 0}, first[] = {-1, -1}, last[] = {3, 4};
  const ddr_outside clamp = {DDR_EXTEND_CLAMP, 0}, unknown = {(ddr_extension)8, 0};
  REFUSE(ERANK, ddr_ndview_at, &x, 1, zero, &memory.element);
  REFUSE(EINDEX, ddr_ndview_at, &x, 2, outside, &memory.element);
  REFUSE(EINDEX, ddr_ndview_at, &x, 2, negative, &memory.element);
  REFUSE(ERESIDENCY, ddr_ndview_at, &device, 2, zero, &memory.element);
  REFUSE(ENULL, ddr_ndview_at, &x, 2, NULL, &memory.element);
  REFUSE(ENULL, ddr_ndview_at, &x, 2, zero, NULL);
  REFUSE_VIEWS(ddr_ndview_fix, FIRST, 0, 0, part);
  REFUSE(EDIM, ddr_ndview_fix, &x, 2, 0, part);
  REFUSE(EINDEX, ddr_ndview_fix, &x, 0, 2, part);
  REFUSE(ENULL, ddr_ndview_fix, &x, 0, 0, NULL);
  REFUSE_VIEWS(ddr_ndview_slice, FIRST, 0, 0, 1, part);
  REFUSE(ERANGE, ddr_ndview_slice, &x, 0, 0, 3, part);
  REFUSE(ENULL, ddr_ndview_slice, &x, 0, 0, 1, NULL);
  REFUSE_VIEWS(ddr_ndview_permute, FIRST, order, part);
  REFUSE(ERANK, ddr_ndview_permute, &x, twice, part);
  REFUSE(ENULL, ddr_ndview_permute, &x, NULL, part);
  REFUSE_VIEWS(ddr_ndview_flip, FIRST, 0, part);
  REFUSE(EDIM, ddr_ndview_flip, &x, 2, part);
  REFUSE_VIEWS(ddr_ndview_step, FIRST, 0, 1, part);
  REFUSE(ERANGE, ddr_ndview_step, &x, 0, 0, part);
  REFUSE_VIEWS(ddr_ndview_repeat, FIRST, 0, 2, part);
  REFUSE(EOVERFLOW, ddr_ndview_repeat, &x, 0, INT64_MAX, part);
  REFUSE(ERANGE, ddr_ndview_repeat, &x, 0, -1, part);
  REFUSE_VIEWS(ddr_ndview_reshape, FIRST, 2, shape, part);
  REFUSE(ESHAPE, ddr_ndview_reshape, &x, 1, shape, part);
  REFUSE(ENULL, ddr_ndview_contiguous_range, NULL, &memory.range);
  REFUSE(ENULL, ddr_ndview_contiguous_range, &x, NULL);
  REFUSE(ERANGE, ddr_ndview_contiguous_range, &doubled, &memory.range);
  REFUSE(ENULL, ddr_ndview_canonical_range, NULL, &memory.range);
  REFUSE(ENULL, ddr_ndview_canonical_range, &x, NULL);
  REFUSE(ERANGE, ddr_ndview_canonical_range, &doubled, &memory.range);
  REFUSE_VIEWS(ddr_ndview_extend, FIRST, first, last, clamp, part);
  REFUSE(ENULL, ddr_ndview_extend, &x, NULL, last, clamp, part);
  REFUSE(ENULL, ddr_ndview_extend, &x, first, NULL, clamp, part);
  REFUSE(ENULL, ddr_ndview_extend, &x, first, last, clamp, NULL);
  REFUSE(ERANGE, ddr_ndview_extend, &x, first, first, clamp, part);
  REFUSE(EOPERATION, ddr_ndview_extend, &x, first, last, unknown, part);
  REFUSE(ETYPE, ddr_ndview_extend, &mask, first, last, clamp, part);
  REFUSE(ERESIDENCY, ddr_ndview_extend, &device, first, last, clamp, part);
}

/* --- transforms ------------------------------------------------------------------------------- */

static void refuses_transforms(void) {
  ddr_ndview *const made = &memory.view;
  const ddr_operand two[] = {{.view = &x}, {.view = &y}},
                    numbers[] = {{.number = ddr_number_int(1)}, {.number = ddr_number_int(2)}};
  const ddr_operand uneven[] = {{.view = &x}, {.view = &wide}},
                    bad[] = {{.view = &x}, {.view = &bad_rank}};
  const ddr_operand typeless[] = {{.view = &x}, {.number = {.type = DDR_ELEMENT_COUNT}}};
  const ddr_operand there[] = {{.view = &x}, {.view = &device}};
  const ddr_operand divided[] = {{.view = &ints}, {.view = &zeros}};
  const ddr_operand bounds[] = {{.view = &x},
                                {.number = {.type = DDR_ELEMENT_FLOAT, .re = 2}},
                                {.number = {.type = DDR_ELEMENT_FLOAT, .re = 1}}};
  const ddr_transform add = DDR_TRANSFORM_ADD, none_such = (ddr_transform)99;
  REFUSE(EOPERATION, ddr_transform_type, none_such, 2, two, &memory.type);
  REFUSE(ELEN, ddr_transform_type, add, 1, two, &memory.type);
  REFUSE(ENULL, ddr_transform_type, add, 2, NULL, &memory.type);
  REFUSE(ENULL, ddr_transform_type, add, 2, two, NULL);
  REFUSE(ETYPE, ddr_transform_type, add, 2, typeless, &memory.type);
  REFUSE_VIEWS(ddr_transform_apply, AFTER(add, 2, two), 1);
  REFUSE(EOPERATION, ddr_transform_apply, none_such, 2, two, &out, 1);
  REFUSE(ENULL, ddr_transform_apply, add, 2, NULL, &out, 1);
  REFUSE(ELEN, ddr_transform_apply, add, 3, two, &out, 1);
  REFUSE(ERANK, ddr_transform_apply, add, 2, bad, &out, 1);
  REFUSE(ESHAPE, ddr_transform_apply, add, 2, uneven, &out, 1);
  REFUSE(ETYPE, ddr_transform_apply, add, 2, two, &doubles, 1);
  REFUSE(ETYPE, ddr_transform_apply, add, 2, typeless, &out, 1);
  REFUSE(ERESIDENCY, ddr_transform_apply, add, 2, there, &out, 1);
  REFUSE(EALIAS, ddr_transform_apply, add, 2, two, &shifted, 1);
  REFUSE(EALIAS, ddr_transform_apply, add, 2, two, &doubled, 1);
  REFUSE(EDIV0, ddr_transform_apply, DDR_TRANSFORM_DIV, 2, divided, &quotients, 1);
  REFUSE(ERANGE, ddr_transform_apply, DDR_TRANSFORM_CLIP, 3, bounds, &out, 1);
  REFUSE(ENULL, ddr_transform_make, add, 2, two, 1, NULL);
  REFUSE(ENULL, ddr_transform_make, add, 2, NULL, 1, made);
  REFUSE(EOPERATION, ddr_transform_make, none_such, 2, two, 1, made);
  REFUSE(ESHAPE, ddr_transform_make, add, 2, uneven, 1, made);
  REFUSE(ESHAPE, ddr_transform_make, add, 2, numbers, 1, made);
  REFUSE(EDIV0, ddr_transform_make, DDR_TRANSFORM_DIV, 2, divided, 1, made);
  REFUSE(ELEN, ddr_transform_make, add, 1, two, 1, made);
  REFUSE(ETYPE, ddr_transform_make, add, 2, typeless, 1, made);
  REFUSE(ERANGE, ddr_transform_make, DDR_TRANSFORM_CLIP, 3, bounds, 1, made);
  REFUSE(ERESIDENCY, ddr_transform_make, add, 2, there, 1, made);
  REFUSE_VIEWS(ddr_transform_make_cast, FIRST, DDR_ELEMENT_INT8, 1, made);
  REFUSE(ETYPE, ddr_transform_make_cast, &x, DDR_ELEMENT_COUNT, 1, made);
  REFUSE(ENULL, ddr_transform_make_cast, &x, DDR_ELEMENT_INT8, 1, NULL);
}

static void refuses_forms(void) {
  const ddr_transform_form *sum = ddr_transform_find("add_scalar");
  const ddr_transform_form broken_form = {"none", (ddr_transform)99, (ddr_operands)99, ""};
  const ddr_number half = ddr_number_real(0.5);
  const ddr_transform_form long_form = {"long", DDR_TRANSFORM_NEG, sum->operands, ""};
  const ddr_number one = {DDR_ELEMENT_FLOAT, 0, 1, 0}, nothing = {DDR_ELEMENT_INT32, 0, 0, 0};
  const ddr_number bounds[] = {ddr_number_int(2), ddr_number_int(1)};
  REFUSE(ENULL, ddr_transform_call, NULL, &x, &half, &out, 1, NULL);
  REFUSE(ENULL, ddr_transform_call, sum, NULL, &half, &out, 1, NULL);
  REFUSE(ENULL, ddr_transform_call, sum, &x, NULL, &out, 1, NULL);
  REFUSE(ENULL, ddr_transform_call, sum, &x, &half, NULL, 1, NULL);
  REFUSE(EOPERATION, ddr_transform_call, &broken_form, &x, &half, &out, 1, NULL);
  REFUSE(ELEN, ddr_transform_call, &long_form, &x, &half, &out, 1, NULL);
  REFUSE(ETYPE, ddr_transform_call, sum, &x, &one, &doubles, 1, NULL);
  REFUSE(ESHAPE, ddr_transform_call, sum, &x, &one, &wide, 1, NULL);
  REFUSE(ERANGE, ddr_transform_call, ddr_transform_find("clip"), &x, bounds, &out, 1, NULL);
  REFUSE(ERESIDENCY, ddr_transform_call, sum, &device, &one, &out, 1, NULL);
  REFUSE(EALIAS, ddr_transform_call, sum, &x, &one, &shifted, 1, NULL);
  REFUSE(EDIV0, ddr_transform_call, ddr_transform_find("div_scalar"), &ints, &nothing, &quotients,
         1, NULL);
  REFUSE_VIEWS(ddr_masked_assign_number, FIRST, &mask, half);
  REFUSE_VIEWS(ddr_masked_assign_number, AFTER(&x), half);
  REFUSE(ETYPE, ddr_masked_assign_number, &x, &y, half);
  REFUSE(ETYPE, ddr_masked_assign_number, &x, &mask, ddr_number_complex(0, 1));
  REFUSE(ESHAPE, ddr_masked_assign_number, &wide, &mask, half);
  REFUSE(EALIAS, ddr_masked_assign_number, &doubled, &mask, half);
  REFUSE(ERESIDENCY, ddr_masked_assign_number, &device, &mask, half);
  REFUSE_VIEWS(ddr_masked_assign, FIRST, &mask, &y);
  REFUSE(ENULL, ddr_masked_assign, &x, NULL, &y);
  REFUSE(ENULL, ddr_masked_assign, &x, &mask, NULL);
  REFUSE(ETYPE, ddr_masked_assign, &x, &mask, &doubles);
  REFUSE(ESHAPE, ddr_masked_assign, &x, &mask, &wide);
  REFUSE(ERANK, ddr_masked_assign, &x, &mask, &bad_rank);
  REFUSE(EALIAS, ddr_masked_assign, &doubled, &mask, &y);
}

/* Each function of a form without each of its arrays, and with an invalid one. */
#define REFUSE_V(name)                                                                             \
  REFUSE_VIEWS(name, FIRST, &out, 1);                                                              \
  REFUSE(ENULL, name, &x, NULL, 1);
#define REFUSE_S(name) REFUSE_VIEWS(name, AFTER(ddr_number_real(1)), 1);
#define REFUSE_V_V(name)                                                                           \
  REFUSE_VIEWS(name, FIRST, &y, &out, 1);                                                          \
  REFUSE_VIEWS(name, AFTER(&x), &out, 1);                                                          \
  REFUSE(ENULL, name, &x, &y, NULL, 1);
#define REFUSE_V_S(name)                                                                           \
  REFUSE_VIEWS(name, FIRST, ddr_number_real(1), &out, 1);                                          \
  REFUSE(ENULL, name, &x, ddr_number_real(1), NULL, 1);
#define REFUSE_S_V(name)                                                                           \
  REFUSE_VIEWS(name, AFTER(ddr_number_real(1)), &out, 1);                                          \
  REFUSE(ENULL, name, ddr_number_real(1), &x, NULL, 1);
#define REFUSE_V_S_S(name)                                                                         \
  REFUSE_VIEWS(name, FIRST, ddr_number_real(1), ddr_number_real(2), &out, 1);
#define REFUSE_V_TOP(name) REFUSE_V_S(name)
#define REFUSE_S_V_S_V(name)                                                                       \
  REFUSE_VIEWS(name, AFTER(ddr_number_real(1)), ddr_number_real(2), &y, &out, 1);                  \
  REFUSE(ENULL, name, ddr_number_real(1), &x, ddr_number_real(2), NULL, &out, 1);                  \
  REFUSE(ENULL, name, ddr_number_real(1), &x, ddr_number_real(2), &y, NULL, 1);
#define REFUSE_IN_V_V(name)                                                                        \
  REFUSE_VIEWS(name, FIRST, &y, 1);                                                                \
  REFUSE_VIEWS(name, AFTER(&x), 1);
#define REFUSE_IN_V_S(name) REFUSE_VIEWS(name, FIRST, ddr_number_real(1), 1);

static void refuses_in_all_forms(void) {
#define FORM(name, transform, operands, meaning) REFUSE_##operands(ddr_transform_##name)
#include "runtime/array/forms.def"
}

/* --- reductions ------------------------------------------------------------------------------- */

static void refuses_reductions(void) {
  const ddr_ndview *one[] = {&x, NULL}, *uneven[] = {&x, &wide}, *nothing[] = {NULL, NULL};
  const ddr_ndview *there[] = {&device, NULL}, *bad[] = {&bad_stride, NULL};
  const ddr_reduce_options masked = {.mask = &y}, masked_wide = {.mask = &wide};
  const ddr_reduce_options below = {.tolerance = -1}, masked_badly = {.mask = &bad_rank};
  const ddr_reduce_op sum = DDR_REDUCE_SUM, dot = DDR_REDUCE_DOT, no_op = (ddr_reduce_op)-1;
  ddr_number *const number = &memory.number;
  ddr_ndview *const view = &memory.view;
  REFUSE(EOPERATION, ddr_reduce_type, no_op, DDR_ELEMENT_INT8, &memory.type);
  REFUSE(ETYPE, ddr_reduce_type, sum, DDR_ELEMENT_COUNT, &memory.type);
  REFUSE(ETYPE, ddr_reduce_type, DDR_REDUCE_MEAN, DDR_ELEMENT_CFLOAT, &memory.type);
  REFUSE(ENULL, ddr_reduce_type, sum, DDR_ELEMENT_INT8, NULL);
  REFUSE(EOPERATION, ddr_reduce, no_op, one, NULL, number);
  REFUSE(ENULL, ddr_reduce, sum, NULL, NULL, number);
  REFUSE(ENULL, ddr_reduce, sum, one, NULL, NULL);
  REFUSE(ENULL, ddr_reduce, sum, nothing, NULL, number);
  REFUSE(ENULL, ddr_reduce, dot, one, NULL, number);
  REFUSE(EOVERFLOW, ddr_reduce, sum, bad, NULL, number);
  REFUSE(ESHAPE, ddr_reduce, dot, uneven, NULL, number);
  REFUSE(ETYPE, ddr_reduce, DDR_REDUCE_ALL, one, NULL, number);
  REFUSE(ETYPE, ddr_reduce, sum, one, &masked, number);
  REFUSE(ETYPE, ddr_reduce, sum, one, &masked_wide, number);
  REFUSE(ERANK, ddr_reduce, sum, one, &masked_badly, number);
  REFUSE(ERANGE, ddr_reduce, DDR_REDUCE_L0, one, &below, number);
  REFUSE(ERESIDENCY, ddr_reduce, sum, there, NULL, number);
  REFUSE(EOPERATION, ddr_reduce_axis, no_op, one, 0, NULL, view);
  REFUSE(ENULL, ddr_reduce_axis, sum, NULL, 0, NULL, view);
  REFUSE(ENULL, ddr_reduce_axis, sum, one, 0, NULL, NULL);
  REFUSE(EDIM, ddr_reduce_axis, sum, one, 2, NULL, view);
  REFUSE(EDIM, ddr_reduce_axis, sum, one, -1, NULL, view);
  REFUSE(ERESIDENCY, ddr_reduce_axis, sum, there, 0, NULL, view);
  REFUSE(ETYPE, ddr_reduce_axis, DDR_REDUCE_ALL, one, 0, NULL, view);
  REFUSE(ESHAPE, ddr_reduce_axis, dot, uneven, 0, NULL, view);
  REFUSE(ERANGE, ddr_reduce_axis, DDR_REDUCE_L0, one, 0, &below, view);
  REFUSE(EOVERFLOW, ddr_reduce_axis, sum, bad, 0, NULL, view);
  REFUSE(EOPERATION, ddr_reduce_axes, no_op, one, 1, axis_1, NULL, view);
  REFUSE(ENULL, ddr_reduce_axes, sum, NULL, 1, axis_1, NULL, view);
  REFUSE(ENULL, ddr_reduce_axes, sum, one, 1, NULL, NULL, view);
  REFUSE(ENULL, ddr_reduce_axes, sum, one, 1, axis_1, NULL, NULL);
  REFUSE(EDIM, ddr_reduce_axes, sum, one, 1, axis_2, NULL, view);
  REFUSE(ERANK, ddr_reduce_axes, sum, one, 2, twice, NULL, view);
  REFUSE(ERANK, ddr_reduce_axes, sum, one, 3, twice, NULL, view);
  REFUSE(ERANK, ddr_reduce_axes, sum, one, -1, twice, NULL, view);
  REFUSE(ESHAPE, ddr_reduce_axes, dot, uneven, 1, axis_1, NULL, view);
  REFUSE(ETYPE, ddr_reduce_axes, DDR_REDUCE_ALL, one, 1, axis_1, NULL, view);
  REFUSE(ERANGE, ddr_reduce_axes, DDR_REDUCE_L0, one, 1, axis_1, &below, view);
  REFUSE(ERESIDENCY, ddr_reduce_axes, sum, there, 1, axis_1, NULL, view);
  REFUSE(EOVERFLOW, ddr_reduce_axes, sum, bad, 1, axis_1, NULL, view);
  REFUSE(ERANK, ddr_reduce_axes, sum, one, 1, axis_1, &masked_badly, view);
}

#define REFUSE_ARRAYS_1(name) REFUSE_VIEWS(name, FIRST, NULL, &memory.number);
#define REFUSE_ARRAYS_2(name)                                                                      \
  REFUSE_VIEWS(name, FIRST, &y, NULL, &memory.number);                                             \
  REFUSE_VIEWS(name, AFTER(&x), NULL, &memory.number);

static void refuses_in_all_reductions(void) {
#define REDUCTION(id, name, n_arrays, kinds, result, meaning)                                      \
  REFUSE_ARRAYS_##n_arrays(ddr_reduce_##name)
#include "runtime/array/reductions.def"
}

/* --- what returns no status ------------------------------------------------------------------- */

static void row(void *context, void *data, int64_t stride, int64_t n) {
  (void)data;
  (void)stride;
  *(int64_t *)context += n;
}

static void takes_nothing_for_no_elements(void) {
  int64_t least, n = 0;
  CHECK_EQ(ddr_layout_size(NULL), 0);
  CHECK(ddr_layout_is_empty(NULL) && ddr_layout_is_contiguous(NULL) &&
        ddr_layout_is_canonical(NULL));
  CHECK(!ddr_layout_same_shape(NULL, &flat) && !ddr_layout_overlap(&flat, NULL));
  CHECK(!ddr_layout_span(NULL, &least, &least) && !ddr_layout_span(&flat, NULL, &least));
  CHECK_EQ(ddr_layout_collapse(NULL).len[0], 0);
  CHECK_EQ(ddr_ndview_size(NULL), 0);
  CHECK(ddr_ndview_is_empty(NULL) && !ddr_ndview_cleanup(NULL) && !ddr_ndview_retain(NULL).data);
  CHECK_EQ(ddr_ndview_range(NULL).n, 0);
  CHECK_EQ(ddr_ndview_unordered_range(NULL).n, 0);
  ddr_range_rows(NULL, 4, row, &n);
  const ddr_range range = ddr_ndview_range(&x);
  ddr_range_rows(&range, 4, NULL, &n);
  CHECK_EQ(n, 0);
  ddr_range_rows(&range, 4, row, &n);
  CHECK_EQ(n, 6);
  ddr_ndview_release(NULL);
  ddr_storage_release(NULL);
  ddr_cleanup_release(NULL);
  ddr_conv_task_delete(NULL);
  CHECK(!ddr_cleanup_retain(NULL) && !ddr_conv_task_mode_name(NULL));
  CHECK(!ddr_transform_find(NULL) && !ddr_transform_find("none") && ddr_transform_forms(NULL));
  CHECK(!ddr_reduce_find(NULL, NULL) && !ddr_reduce_about((ddr_reduce_op)99).name);
}

static void takes_null_where_no_status_is_returned(void) {
  const ddr_decimation_axis bad = {.factor = 0};
  double origin = 7, weight = 7;
  const ddr_element unknown = (ddr_element)1000;
  CHECK_EQ(ddr_element_size(unknown), 0);
  CHECK(!ddr_element_name(unknown));
  CHECK_EQ(ddr_element_promote(unknown, DDR_ELEMENT_INT8), DDR_ELEMENT_COUNT);
  CHECK_STR(ddr_array_status_text((ddr_array_status)-1), "no status");
  CHECK(!ddr_residency_is_there((ddr_residency)4) && !ddr_residency_is_there(DDR_CUDA));
  CHECK_EQ(ddr_number_load(DDR_ELEMENT_INT8, NULL).integer, 0);
  ddr_number_store(ddr_number_int(1), NULL);
  ddr_number_store(ddr_number_zero(unknown), &weight);
  CHECK_EQ(ddr_decimated_size(8, NULL), 0);
  CHECK_EQ(ddr_decimated_size(8, &bad), 0);
  ddr_decimate_orientation(NULL, 1, &origin, &origin);
  ddr_kernel_weights(NULL, 0, 0, &weight);
  CHECK(origin == 7 && weight == 7);
  CHECK_EQ(ddr_operands_n_views((ddr_operands)50), 0);
}

static void refuses_by_every_function(void) { check_all_are_tried(false); }

int main(void) {
  prepare();
  RUN(refuses_layouts);
  RUN(refuses_pitches);
  RUN(refuses_memory);
  RUN(refuses_new_views);
  RUN(refuses_parts);
  RUN(refuses_transforms);
  RUN(refuses_forms);
  RUN(refuses_in_all_forms);
  RUN(refuses_reductions);
  RUN(refuses_in_all_reductions);
  RUN(takes_nothing_for_no_elements);
  RUN(takes_null_where_no_status_is_returned);
  RUN(refuses_by_every_function);
  return test_result();
}
