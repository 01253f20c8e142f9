/* Calls: what is called around a place, found by the tokens before it, as calls that are being
 * written are no expressions yet; and what such a call takes there.
 */
#include <string.h>

#include "frontend/lang/builtin.h"
#include "frontend/server/local.h"

Call call_around(const LexemeList *all, uint32_t offset) {
  Call call = {0};
  int depth = 0;
  uint32_t i = all->len;
  while (i > 0 && all->data[i - 1].span.start >= offset) i--;
  for (; i-- > 0;) {
    const Lexeme *lexeme = &all->data[i];
    if (lexeme_is(lexeme, ";")) break;
    if (lexeme_closes(lexeme)) depth++;
    else if (depth > 0 && lexeme_opens(lexeme)) depth--;
    else if (depth == 0 && lexeme_is(lexeme, ",")) call.n_commas++;
    else if (depth == 0 && lexeme_opens(lexeme)) {
      const bool is_call = lexeme_is(lexeme, "(") && i > 0 && all->data[i - 1].class == LEX_NAME;
      if (is_call) call.callee = &all->data[i - 1];
      if (is_call || lexeme_is(lexeme, "{")) break;
      call.n_commas = 0;
    }
  }
  return call;
}

/* A version of a builtin: whatever the other arguments are. */
static bool row_takes(Cx *cx, const Builtin *row, uint32_t i, const Type *ty) {
  const Sig *sig = builtin_sig(cx, row->id);
  const uint32_t n_params = sig_param_count(sig), n = i < n_params ? n_params : i + 1;
  if (i >= n_params && !sig_is_variadic(sig)) return false;
  const Type **types = NEWN(cx->arena, const Type *, n);
  Bindings bindings;
  uint32_t failed;
  for (uint32_t k = 0; k < n; k++) types[k] = k == i ? ty : type_error(cx);
  return sig_match(cx, sig, SIG_COERCE, types, n, &bindings, &failed);
}

bool call_takes(const Analysis *analysis, const Call *call, const Symbol *callee, const Type *ty) {
  Cx *cx = analysis->mended ? analysis->mended : analysis->cx;
  const uint32_t i = (uint32_t)call->n_commas;
  if (callee && callee->fun)
    return i < callee->fun->params.len && type_coerces(ty, callee->fun->params.data[i]->ty);
  uint32_t n_rows;
  const Builtin *rows = callee ? NULL : builtin_find(call->callee->name->text, &n_rows);
  for (uint32_t k = 0; rows && k < n_rows; k++)
    if (row_takes(cx, &rows[k], i, ty)) return true;
  return !rows;
}
