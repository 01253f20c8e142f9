/* Variables that are never read (W1). Iteration variables need no use; outputs are used. */
#include "frontend/check/local.h"

/* What an unused variable is called; NULL where it may go unused. */
static const char *kind_of(const TVar *var) {
  switch (var->kind) {
  case TV_CONST: return "constant";
  case TV_INPUT: return "input";
  case TV_GLOBAL: return "global";
  case TV_FIELD_FUN: return "field";
  case TV_FUN_PARAM: return "parameter";
  case TV_STRAND_PARAM: return "strand parameter";
  case TV_STATE: return var->is_output ? NULL : "state variable";
  case TV_LOCAL: return "local variable";
  case TV_ITER: return NULL;
  }
  return NULL;
}

void check_usage(Check *ck) {
  if (diag_has_mistakes(ck->cx)) return; /* which may have hidden the uses */
  for (uint32_t i = 0; i < ck->declared.len; i++) {
    const TVar *var = ck->declared.data[i];
    const char *kind = kind_of(var);
    if (kind && !type_is(var->ty, TY_ERROR) && !map_has(ck->used, var))
      diag(ck->cx, var->span, W_UNUSED, d_text(kind), d_name(var->name));
  }
}
