/* The lanes of vector registers as a way to execute the update method. */
#pragma once

#include "backend-c/code/execution.h"

/* A GenChoice: NULL when the method cannot be run in lanes, or gains nothing. */
const Execution *lanes_choose(Gen *gen);
