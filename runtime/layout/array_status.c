/* array_status.c: texts of the statuses. */
#include "runtime/layout/array_status.h"

const char *ddr_array_status_text(ddr_array_status status) {
  static const char *const texts[] = {
#define STATUS(id, text) text,
#include "runtime/layout/array_status.def"
  };
  return texts[status];
}
