/* frame.h: video frames in files: an array of samples with one axis, whose key/value pairs give the
 * layout.
 *
 *   layout:=420SP  height:=224  width:=300  pitches:=107520 71680 320
 *   layout:=NHWC   dims:=1 224 300 3        pitches:=272384 272384 1216 4       likewise NCHW
 *
 * Pitches count bytes, as in runtime/array/functions.def; without them there is no padding. */
#pragma once

#include "tools/ddr-array/request.h"

/* The array as the frame that it says it is: all of it, or a plane of 420SP. */
ddr_status frame_open(Array *array, const char *plane, ddr_reason *reason);

/* Samples in the layout of --layout, with --pitches: the first array becomes them.  Of 420SP the
 * second is chroma. */
ddr_status frame_pack(Request *request, ddr_reason *reason);

/* Arrays that a layout takes: 2 for 420SP. */
int frame_n_inputs(const Request *request);
