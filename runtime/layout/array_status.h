/* array_status.h: what an operation on arrays says of its success, and what is asked of arguments.
 */
#pragma once

#include "runtime/array/array.h"

/* For functions that need all of some arguments: the first that fails is the answer. */
#define DDR_NEED(argument)                                                                         \
  do {                                                                                             \
    if (!(argument)) return DDR_ARRAY_ENULL;                                                       \
  } while (0)
#define DDR_TRY(call)                                                                              \
  do {                                                                                             \
    const ddr_array_status status_of_call = (call);                                                \
    if (status_of_call != DDR_ARRAY_OK) return status_of_call;                                     \
  } while (0)
