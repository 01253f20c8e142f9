/* Record: what is noted, where there is a record. */
#include "frontend/check/record.h"

#include "frontend/check/local.h"

static void add_name(Check *ck, NameUse use) {
  if (ck->record) vec_push(ck->arena, &ck->record->names, use);
}

static NameUse use_of(const Symbol *symbol, Span span) {
  const bool is_strand = !symbol->var && !symbol->fun;
  return (NameUse){span, symbol->var, symbol->fun, is_strand ? symbol->name : NULL,
                   NULL, NULL,        false};
}

const Symbol *find_name(Check *ck, Ident name) {
  const Symbol *symbol = scope_find(ck->scope, name.name);
  if (symbol) add_name(ck, use_of(symbol, name.span));
  return symbol;
}

void declare(Check *ck, Symbol symbol) {
  NameUse use = use_of(&symbol, symbol.span);
  use.is_declaration = true;
  add_name(ck, use);
  scope_add(ck->arena, ck->scope, symbol);
}

void note_var(Check *ck, const TVar *var, Span span) {
  add_name(ck, (NameUse){.span = span, .var = var});
}

void note_strand(Check *ck, Ident name) {
  add_name(ck, (NameUse){.span = name.span, .strand = name.name});
}

void note_kernel(Check *ck, const Kernel *kernel, Span span) {
  add_name(ck, (NameUse){.span = span, .kernel = kernel});
}

void note_builtin(Check *ck, Ident name) {
  add_name(ck, (NameUse){.span = name.span, .builtin = name.name->text});
}

TExpr *note_expr(Check *ck, Span span, TExpr *expr) {
  const TypedExpr typed = {span, expr};
  if (ck->record) vec_push(ck->arena, &ck->record->exprs, typed);
  return expr;
}

void note_conversion(Check *ck, const TExpr *expr, const Type *ty) {
  const Conversion conversion = {expr->span, expr->ty, ty, expr->kind == TE_CONST};
  if (ck->record && expr->ty != ty) vec_push(ck->arena, &ck->record->conversions, conversion);
}

Scope *enter_scope(Check *ck, Span span) {
  Scope *outside = ck->scope;
  ck->scope = scope_push(ck->arena, outside);
  const ScopeRange range = {span, ck->scope};
  if (ck->record) vec_push(ck->arena, &ck->record->scopes, range);
  return outside;
}
