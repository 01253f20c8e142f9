/* Whether this processor runs the vectors that a test has been compiled for; else it is skipped. */
#pragma once

#include <stdbool.h>

bool lanes_are_here(void);
