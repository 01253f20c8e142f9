/* Builtin: the builtin functions and operators, as rows of builtins.def in resolution order.
 *
 *   BUILTIN( ADD_TT, "+", "tensor[s], tensor[s] -> tensor[s]", EIN, "a[s] + b[s]", "sum" )
 *
 * How a row is compiled is part of the row:
 *   EIN    an Einstein template, described in builtins.def. Serves tensors and fields alike.
 *   DERIV  the derivative of the first argument, then a template over it (it has one axis more)
 *   OP     the IR op of that name, applied to the arguments
 *   FOLD   a reduction over a sequence or strand set; the text is its row of ir/core/reductions.def
 *   OTHER  ir/high/from_tast_builtin.c handles it by its id
 */
#pragma once

#include "frontend/lang/sig.h"

typedef enum { LOWER_EIN, LOWER_DERIV, LOWER_OP, LOWER_FOLD, LOWER_OTHER } Lowering;

typedef enum {
#define BUILTIN(id, name, sig, lowering, text, meaning) BI_##id,
#include "frontend/lang/builtins.def"
  BI_COUNT
} BuiltinId;

typedef struct Builtin {
  BuiltinId id;
  const char *name; /* as written in programs; prefix minus is "neg", |e| is "norm" */
  const char *sig;  /* see sig.h */
  Lowering lowering;
  const char *text;
  const char *meaning;
} Builtin;

const Builtin *builtin_row(BuiltinId id);
/* Rows of one name are adjacent. Returns the first and sets *n_rows; NULL when there is none. */
const Builtin *builtin_find(const char *name, uint32_t *n_rows);
/* The rows an operator of compound assignment chooses from, "+=" and so on; NULL when unknown. */
const BuiltinId *builtin_compound(const char *op, uint32_t *n_rows);
const Sig *builtin_sig(Cx *cx, BuiltinId id); /* parsed once per compilation */
