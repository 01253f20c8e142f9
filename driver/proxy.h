/* Proxy: what the header of an image file says, for the checker's look at proxy images. The data
 * are not read.
 */
#pragma once

#include "frontend/check/check.h"

/* A CheckHost.probe_image; state is NULL or the StringVec to which the file names are added. */
ImageProbe proxy_probe_image(void *state, Arena *arena, const char *file);
