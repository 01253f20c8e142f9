/* view.c: a part of an array, or its elements in another order, as an array of its own. */
#include "tools/ddr-array/request.h"

ddr_status command_view(Request *request, ddr_reason *reason) {
  const char *file;
  if (request->n_bare > 0)
    return ddr_refuse(reason, "arrays are named by -i, found \"%.200s\"", request->bare[0]);
  if (request_count(request, OPT_INPUT) != 1)
    return ddr_refuse(reason, "it takes one -i FILE, found %d", request_count(request, OPT_INPUT));
  if (request_output(request, &file, reason) != DDR_OK) return DDR_ERROR;
  if (request_load(request, reason) != DDR_OK) return DDR_ERROR;
  return array_save(request_array(request, OPT_INPUT, 0), file, reason);
}
