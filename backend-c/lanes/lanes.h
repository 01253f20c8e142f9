/* Lanes: the execution model in which gangs of strands run in the lanes of vector registers. */
#pragma once

#include "backend-c/code/execution.h"

/* A GenChoice: NULL if the update method cannot run in lanes, or would not be faster. */
const Execution *lanes_choose(Gen *gen);
