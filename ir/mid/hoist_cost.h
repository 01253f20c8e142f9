/* Hoist cost: roughly how many scalar operations an instruction of MID takes. */
#pragma once

#include "ir/core/ir.h"

uint32_t hoist_cost_of(const Inst *inst);
uint32_t hoist_cost_sum(uint32_t a, uint32_t b); /* saturates */
/* Whether loading a value of the type is cheaper than computing it. */
bool hoist_pays(uint32_t cost, const Type *ty);
