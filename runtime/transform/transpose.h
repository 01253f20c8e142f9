/* transpose.h: copies between arrays whose adjacent elements lie along different axes. */
#pragma once

#include "runtime/transform/transform.h"

/* Copies elements of one array to another of the same shape and type, both in host memory and
 * without common elements.  Returns false, and does nothing, if copying element by element is as
 * good. */
bool ddr_copy_transposed(const ddr_ndview *from, const ddr_ndview *to, int n_threads);
