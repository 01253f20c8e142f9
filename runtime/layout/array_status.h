/* array_status.h: checks of arguments and of statuses, for functions that return a status. */
#pragma once

#include "runtime/array/array.h"

/* Returns DDR_ARRAY_ENULL if the argument is NULL. */
#define DDR_NEED(argument)                                                                         \
  do {                                                                                             \
    if (!(argument)) return DDR_ARRAY_ENULL;                                                       \
  } while (0)
#define DDR_TRY(call)                                                                              \
  do {                                                                                             \
    const ddr_array_status status_of_call = (call);                                                \
    if (status_of_call != DDR_ARRAY_OK) return status_of_call;                                     \
  } while (0)
