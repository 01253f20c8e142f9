/* operands.h: checks of the arrays of an operation, before it runs. */
#pragma once

#include "runtime/layout/side.h"
#include "runtime/transform/transform.h"

/* The same elements: the same addresses in the same order. */
bool ddr_is_same_place(const ddr_ndview *a, const ddr_ndview *b);

/* Whether they have a byte in common; "yes" where that is too costly to find out. */
bool ddr_has_common_memory(const ddr_ndview *a, const ddr_ndview *b);

/* Errors: EALIAS (two indices of the output are the same element), ENOMEM. */
ddr_array_status ddr_check_output(const ddr_ndview *out);

/* The type to which all operands are cast (ddr_element_promote), and the type of the result.
 * Errors: EOPERATION, ELEN, ENULL, ETYPE (the transform does not take such elements). */
ddr_array_status ddr_transform_types(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, ddr_element *operand_type,
                                     ddr_element *result_type);
