/* array_status.c: texts of the statuses. */
#include "runtime/layout/array_status.h"

const char *ddr_array_status_text(ddr_array_status status) {
  static const char *const texts[] = {
#define STATUS(id, text) text,
#include "runtime/array/statuses.def"
  };
  return (unsigned)status < DDR_ARRAY_STATUS_COUNT ? texts[status] : "no status";
}
