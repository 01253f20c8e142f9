/* view.c: a part of an array, or its elements in another order, as an array of its own; or as the
 * samples of a frame of video (frame.h).
 */
#include "tools/ddr-array/frame.h"

ddr_status command_view(Request *request, ddr_reason *reason) {
  const char *file;
  const bool is_frame = request->plain[OPT_LAYOUT] != NULL;
  if (!is_frame && request->plain[OPT_PITCHES])
    return ddr_refuse(reason, "--pitches needs --layout");
  if (request_expect(request, 0, frame_n_inputs(request), reason) != DDR_OK) return DDR_ERROR;
  if (request_output(request, &file, reason) != DDR_OK) return DDR_ERROR;
  if (request_load(request, reason) != DDR_OK) return DDR_ERROR;
  if (is_frame && frame_pack(request, reason) != DDR_OK) return DDR_ERROR;
  return array_save(request_array(request, OPT_INPUT, 0), file, reason);
}
