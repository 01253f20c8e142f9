/* Windows as devices have them: all that window_test.c asks of the host's. */
#define DDR_SHIM
#include "tests/unit/runtime/window_test.c"
