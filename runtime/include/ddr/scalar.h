/* scalar.h: numbers of programs: their types, arithmetic, and the functions of math.h. */
#pragma once

#include "ddr/base/real.h"
#include "ddr/functions/scalar.h"
