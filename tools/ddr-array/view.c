/* view.c: a part of an array, or its elements in another order, as an array of its own. */
#include "tools/ddr-array/request.h"

ddr_status command_view(Request *request, ddr_reason *reason) {
  const char *file;
  if (request_expect(request, 0, 1, reason) != DDR_OK) return DDR_ERROR;
  if (request_output(request, &file, reason) != DDR_OK) return DDR_ERROR;
  if (request_load(request, reason) != DDR_OK) return DDR_ERROR;
  return array_save(request_array(request, OPT_INPUT, 0), file, reason);
}
