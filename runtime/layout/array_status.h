/* array_status.h: what an operation on arrays says of its success. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ddr_array_status {
#define STATUS(id, text) DDR_ARRAY_##id,
#include "runtime/layout/array_status.def"
} ddr_array_status;

/* Its text: lower case, no full stop, never NULL. */
const char *ddr_array_status_text(ddr_array_status status);

#ifdef __cplusplus
}
#endif
