/* Whether this processor has the vectors that a test was compiled for; if not, the test is
 * skipped. */
#pragma once

#include <stdbool.h>

bool lanes_are_here(void);
