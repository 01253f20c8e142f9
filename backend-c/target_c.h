/* target_c: C with vector extensions, one strand at a time: by one thread (--target=sequential), or
 * blocks of strands by several (--target=parallel), in one process or many (--target=mpi).
 */
#pragma once

#include "ir/target.h"

extern const Target target_c, target_c_parallel, target_c_ranks;

/* Target.emit and Target.memory of targets that run on the host. */
const char *host_text(Cx *cx, const struct TreeProgram *program, const EmitOptions *options);
const MemoryPlace *host_memory(Cx *cx, const struct TreeProgram *program,
                               const EmitOptions *options);
