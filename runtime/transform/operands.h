/* operands.h: what arrays must be like that an operation can run over them. */
#pragma once

#include "runtime/layout/side.h"
#include "runtime/transform/transform.h"

/* The same elements: the same addresses in the same order. */
bool ddr_is_same_place(const ddr_ndview *a, const ddr_ndview *b);

/* Whether they have a byte in common; "yes" where that is too costly to find out. */
bool ddr_has_common_memory(const ddr_ndview *a, const ddr_ndview *b);

/* EALIAS where an element of the output is there twice.  Errors: ENOMEM. */
ddr_array_status ddr_check_output(const ddr_ndview *out);

/* The type in which operands meet: which kinds a transform takes, and what its result is of. */
ddr_array_status ddr_transform_types(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, ddr_element *operand_type,
                                     ddr_element *result_type);
