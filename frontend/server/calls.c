/* Calls: which function is called around a place, and what the call accepts there. It is found from
 * the tokens before the place, because a call that is being written is not an expression yet.
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

/* Types of an analysis are those of its compilation. */
static Cx *cx_of(const Analysis *analysis) {
  return analysis->mended ? analysis->mended : analysis->cx;
}

/* ---- types of arguments --------------------------------------------------------------------- */

/* The type of a name or a literal; else NULL. */
static const Type *type_of_lexeme(const Analysis *analysis, const Lexeme *lexeme) {
  Cx *cx = cx_of(analysis);
  if (lexeme->class == LEX_INT) return type_int(cx);
  if (lexeme->class == LEX_REAL) return type_real(cx);
  if (lexeme->class == LEX_STRING) return type_string(cx);
  if (lexeme->class != LEX_NAME) return NULL;
  SymbolList symbols = symbols_new(cx->arena);
  symbols_add(cx->arena, &symbols, analysis, lexeme->span.start);
  for (uint32_t i = 0; i < symbols.len; i++) {
    const Symbol *symbol = symbols.data[i];
    if (symbol->var && strcmp(symbol->name->text, lexeme->name->text) == 0) return symbol->var->ty;
  }
  return NULL;
}

/* The type of the expression that consists of these lexemes; type_error if it is not known. */
static const Type *type_of_lexemes(const Analysis *analysis, const Lexeme *first, uint32_t n) {
  const Type *ty = n == 1 ? type_of_lexeme(analysis, first) : NULL;
  if (n > 0 && !ty) {
    const Span span = span_join(first->span, first[n - 1].span);
    for (uint32_t i = 0; i < analysis->record.exprs.len; i++) {
      const TypedExpr *typed = &analysis->record.exprs.data[i];
      if (typed->span.start == span.start && typed->span.end == span.end) ty = typed->expr->ty;
    }
  }
  return ty ? ty : type_error(cx_of(analysis));
}

/* The types of the n_commas arguments before the place. */
static const Type **types_before(const Analysis *analysis, const Call *call) {
  Cx *cx = cx_of(analysis);
  const Type **types = NEWN(cx->arena, const Type *, (uint32_t)call->n_commas + 1);
  const Lexeme *lexeme = call->callee + 2, *first = lexeme; /* behind the parenthesis */
  const Lexeme *end = analysis->lexemes.data + analysis->lexemes.len;
  int n_types = 0, depth = 0;
  for (; lexeme < end && n_types < call->n_commas; lexeme++) {
    if (lexeme_opens(lexeme)) depth++;
    else if (lexeme_closes(lexeme)) depth--;
    else if (depth == 0 && lexeme_is(lexeme, ",")) {
      types[n_types++] = type_of_lexemes(analysis, first, (uint32_t)(lexeme - first));
      first = lexeme + 1;
    }
  }
  return types;
}

/* ---- versions of builtins -------------------------------------------------------------------- */

/* Whether a call of the row could begin with these arguments. */
static bool row_fits(Cx *cx, const Builtin *row, SigMode mode, const Type *const *first,
                     uint32_t n_first) {
  const Sig *sig = builtin_sig(cx, row->id);
  const uint32_t n_params = sig_param_count(sig), n = n_first > n_params ? n_first : n_params;
  if (n_first > n_params && !sig_is_variadic(sig)) return false;
  const Type **types = NEWN(cx->arena, const Type *, n + 1);
  Bindings bindings;
  uint32_t failed;
  for (uint32_t i = 0; i < n; i++) types[i] = i < n_first ? first[i] : type_error(cx);
  return sig_match(cx, sig, mode, types, n, &bindings, &failed);
}

uint32_t call_version(const Analysis *analysis, const Call *call, const Builtin *rows,
                      uint32_t n_rows) {
  Cx *cx = cx_of(analysis);
  const uint32_t n_before = (uint32_t)call->n_commas;
  const Type **types = types_before(analysis, call);
  types[n_before] = type_error(cx); /* what is being written */
  for (int mode = SIG_EXACT; mode <= SIG_COERCE; mode++)
    for (uint32_t i = 0; i < n_rows; i++)
      if (row_fits(cx, &rows[i], (SigMode)mode, types, n_before + 1)) return i;
  return n_rows;
}

/* Whether argument i of the row may have the type, whatever the other arguments are. */
static bool row_takes(Cx *cx, const Builtin *row, uint32_t i, const Type *ty) {
  const Type **types = NEWN(cx->arena, const Type *, i + 1);
  for (uint32_t k = 0; k < i; k++) types[k] = type_error(cx);
  types[i] = ty;
  return row_fits(cx, row, SIG_COERCE, types, i + 1);
}

bool call_takes(const Analysis *analysis, const Call *call, const Symbol *callee, const Type *ty) {
  Cx *cx = cx_of(analysis);
  const uint32_t i = (uint32_t)call->n_commas;
  if (callee && callee->fun)
    return i < callee->fun->params.len && type_coerces(ty, callee->fun->params.data[i]->ty);
  uint32_t n_rows;
  const Builtin *rows = callee ? NULL : builtin_find(call->callee->name->text, &n_rows);
  for (uint32_t k = 0; rows && k < n_rows; k++)
    if (row_takes(cx, &rows[k], i, ty)) return true;
  return !rows;
}
