/* What programs written by hand have in common: methods with nothing to do. */
#pragma once

#include "ddr/program.h"

/* No input has a default. */
static inline void no_defaults(void *globals) { (void)globals; }

/* No global is computed. */
static inline ddr_status no_init_globals(ddr_world *world, void *globals) {
  (void)world;
  (void)globals;
  return DDR_OK;
}
