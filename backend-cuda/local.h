/* What the files of backend-cuda share. */
#pragma once

#include "backend-c/gen.h"

/* emit_device.c: the file for devices. NULL with what stands in the way in *obstacle where the
 * program cannot run on one. */
const char *device_text(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        const char **obstacle);

/* emit_kernels.c: a strand between its columns and its struct; the kernels and their launches. */
void device_gen_columns(Gen *gen);
void device_gen_kernels(Gen *gen);
