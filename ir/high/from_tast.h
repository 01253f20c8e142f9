/* From_tast: the typed tree becomes a HIGH module. Pipeline: check -> **from_tast** -> HIGH passes.
 */
#pragma once

#include "frontend/tast/tast.h"
#include "ir/core/ir.h"

/* Effect: one Func per method, global block and called user function. Strand state is SSA: a
 * method's entry block has one parameter per state variable, every LEAVE passes them all on.
 * Errors: none of the user's; what no later stage can do yet is a LIMIT with its span. */
Module *high_from_tast(Cx *cx, const TProgram *program);
