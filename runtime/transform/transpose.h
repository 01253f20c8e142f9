/* transpose.h: copies between arrays whose neighbours in memory lie along different axes. */
#pragma once

#include "runtime/transform/transform.h"

/* Elements of one array to one of the same shape and type, both in memory of the host, which have
 * no element in common.  False: nothing is done, because the way from element to element is as
 * good. */
bool ddr_copy_transposed(const ddr_ndview *from, const ddr_ndview *to, int n_threads);
