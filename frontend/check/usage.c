/* Variables that are never read. Iteration variables need no use; outputs are used. */
#include "frontend/check/local.h"

static bool may_go_unused(const TVar *var) {
  return var->kind == TV_ITER || (var->kind == TV_STATE && var->is_output);
}

void check_usage(Check *ck) {
  if (diag_has_mistakes(ck->cx)) return; /* which may have hidden the uses */
  for (uint32_t i = 0; i < ck->declared.len; i++) {
    const TVar *var = ck->declared.data[i];
    if (!may_go_unused(var) && !type_is(var->ty, TY_ERROR) && !map_has(ck->used, var))
      diag(ck->cx, var->span, W_UNUSED, d_text(tvar_kind_text(var)), d_name(var->name));
  }
}
