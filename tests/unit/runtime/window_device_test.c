/* Windows on devices: the checks of window_test.c for the host. */
#define DDR_SHIM
#include "tests/unit/runtime/window_test.c"
