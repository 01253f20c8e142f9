/* operands.h: checks of the arrays of an operation, before it runs. */
#pragma once

#include "runtime/layout/side.h"
#include "runtime/transform/transform.h"

/* Whether two views have the same elements: the same addresses in the same order. */
bool ddr_is_same_place(const ddr_ndview *a, const ddr_ndview *b);

/* Whether two views share a byte; "yes" if finding out is too costly. */
bool ddr_has_common_memory(const ddr_ndview *a, const ddr_ndview *b);

/* Errors: EALIAS (an element of the output has two indices), ENOMEM. */
ddr_array_status ddr_check_output(const ddr_ndview *out);

/* The type to which all operands are cast (ddr_element_promote), and the type of the result.
 * Errors: EOPERATION, ELEN, ENULL, ETYPE (the transform does not take such elements). */
ddr_array_status ddr_transform_types(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, ddr_element *operand_type,
                                     ddr_element *result_type);
