/* Bodies of field functions (doc/language.md, "Closed forms"): what depends on the position must be
 * differentiable, and is no smoother than the fields that it probes. The same walk over the body of
 * a user function tells whether a field function may call it; see FunFacts.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/check/local.h"

typedef struct Formula {
  Check *ck;
  const char *unfit; /* first construct that may not be used, NULL so far */
  Span unfit_span;
  uint32_t continuity;
  uint32_t n_reductions; /* around */
  bool is_reduced;       /* one was found */
} Formula;

/* Builtins of a value that varies with the position: arithmetic, tensor functions, and
 * functions of math.h with a derivative; comparisons for conditions. Powers and `real` have rules
 * of their own.
 */
static const char *const differentiable[] = {
    "+",         "-",     "*",         "/",    "neg",   "norm",     "•",     "⊗",    ":",   "×",
    "normalize", "trace", "transpose", "det",  "inv",   "modulate", "sqrt",  "exp",  "sin", "cos",
    "tan",       "asin",  "acos",      "atan", "<",     "<=",       ">",     ">=",   "==",  "!=",
    "!",         "abs",   "min",       "max",  "clamp", "lerp",     "clerp", "dist",
};

static bool is_differentiable(const char *name) {
  for (size_t i = 0; i < sizeof differentiable / sizeof *differentiable; i++)
    if (strcmp(name, differentiable[i]) == 0) return true;
  return false;
}

static void note_unfit(Formula *formula, const char *what, Span span) {
  if (formula->unfit) return;
  formula->unfit = what;
  formula->unfit_span = span;
}

/* Reports a construct without a derivative, but not inside a reduction, which has none anyway. */
static void note_derivative(Formula *formula, const char *what, Span span) {
  if (formula->n_reductions == 0) note_unfit(formula, what, span);
}

static void limit_continuity(Formula *formula, uint32_t continuity) {
  if (continuity < formula->continuity) formula->continuity = continuity;
}

/* True when the value depends on the position, or on a parameter that may stand for it. */
static bool varies(Formula *formula, const TExpr *expr);

static bool any_varies(Formula *formula, const TExprVec *args) {
  bool found = false;
  for (uint32_t i = 0; i < args->len; i++) found = varies(formula, args->data[i]) || found;
  return found;
}

/* Whether the expression may depend on the position: it is differentiable, or selects between
 * differentiable values. An int may vary only to be converted to real: integer arithmetic has no
 * derivative. */
static bool may_vary(const TExpr *expr) {
  return type_is(expr->ty, TY_TENSOR) || type_is(expr->ty, TY_BOOL) || is_abstract(expr->ty);
}

static void forbid_varying(Formula *formula, const TExpr *arg) {
  const char *what =
      text_format(formula->ck->arena, "a value of type %s that depends on the position",
                  type_text(formula->ck->cx, arg->ty));
  note_derivative(formula, what, arg->span);
}

static bool arg_varies(Formula *formula, const TExpr *arg) {
  if (!varies(formula, arg)) return false;
  if (!may_vary(arg)) forbid_varying(formula, arg);
  return true;
}

static bool args_vary(Formula *formula, const TExprVec *args) {
  bool found = false;
  for (uint32_t i = 0; i < args->len; i++) found = arg_varies(formula, args->data[i]) || found;
  return found;
}

static bool power_varies(Formula *formula, const TExpr *expr) {
  bool found = arg_varies(formula, expr->args.data[0]);
  if (!arg_varies(formula, expr->args.data[1])) return found;
  note_derivative(formula, "an exponent that depends on the position", expr->args.data[1]->span);
  return true;
}

static bool reduction_varies(Formula *formula, const TExpr *expr) {
  formula->is_reduced = true;
  formula->n_reductions++;
  bool found = any_varies(formula, &expr->args);
  formula->n_reductions--;
  return found;
}

static bool builtin_varies(Formula *formula, const TExpr *expr) {
  const char *name = expr->u.builtin.row->name;
  if (expr->u.builtin.row->lowering == LOWER_FOLD) return reduction_varies(formula, expr);
  if (strcmp(name, "real") == 0) return any_varies(formula, &expr->args);
  if (strcmp(name, "^") == 0) return power_varies(formula, expr);
  bool found = args_vary(formula, &expr->args);
  if (expr->args.len == 0) note_unfit(formula, "a strand count", expr->span);
  else if (found && !is_differentiable(name))
    note_derivative(formula, text_format(formula->ck->arena, "'%s'", name), expr->span);
  return found;
}

static bool call_varies(Formula *formula, const TExpr *expr) {
  const FunFacts *facts = map_get(formula->ck->facts, expr->u.fun);
  if (!args_vary(formula, &expr->args)) return false;
  limit_continuity(formula, facts->continuity);
  if (facts->unfit)
    note_unfit(formula,
               text_format(formula->ck->arena, "function '%s', which contains %s,",
                           expr->u.fun->name->text, facts->unfit),
               expr->span);
  return true;
}

static bool probe_varies(Formula *formula, const TExpr *expr) {
  const TExpr *field = expr->args.data[0];
  if (expr->args.len > 2) {
    note_unfit(formula, "a field of several variables", expr->span);
    return true;
  }
  if (varies(formula, field))
    note_unfit(formula, "a field that depends on the position", field->span);
  if (!varies(formula, expr->args.data[1])) return false;
  limit_continuity(formula, type_continuity(field->ty));
  return true;
}

/* Kinds that are allowed inside reductions. */
static bool is_of_sequence(TExprKind kind) {
  return kind == TE_SEQ || kind == TE_MAP || kind == TE_RANGE || kind == TE_INDEX;
}

static bool varies(Formula *formula, const TExpr *expr) {
  const char *unfit = NULL;
  if (is_error(expr)) return false;
  if (formula->n_reductions > 0 && is_of_sequence(expr->kind))
    return any_varies(formula, &expr->args);
  switch (expr->kind) {
  case TE_CONST:
  case TE_KERNEL: return false;
  case TE_VAR: return expr->u.var->kind == TV_FUN_PARAM && !is_abstract(expr->ty) && may_vary(expr);
  case TE_BUILTIN: return builtin_varies(formula, expr);
  case TE_CALL: return call_varies(formula, expr);
  case TE_PROBE: return probe_varies(formula, expr);
  case TE_COERCE:
  case TE_TENSOR:
  case TE_COND:
  case TE_AND:
  case TE_OR: return any_varies(formula, &expr->args);
  case TE_SLICE:
    if (expr->args.len == 1) return varies(formula, expr->args.data[0]);
    unfit = "a component chosen at run time";
    break;
  case TE_FORMULA: return false; /* it was looked at when it was made */
  case TE_SEQ: unfit = "a sequence"; break;
  case TE_MAP: unfit = "a comprehension"; break;
  case TE_RANGE: unfit = "a range"; break;
  case TE_INDEX: unfit = "an element of a sequence"; break;
  case TE_LOAD_IMAGE:
  case TE_LOAD_SEQ: unfit = "a load"; break;
  case TE_SELECT:
  case TE_STRAND_SET: unfit = "another strand"; break;
  }
  note_unfit(formula, unfit, expr->span);
  return false;
}

static bool report_unfit(const Formula *formula) {
  if (formula->unfit)
    diag(formula->ck->cx, formula->unfit_span, E_FIELD_FUNCTION_FORM, d_text(formula->unfit));
  return formula->unfit != NULL;
}

bool check_formula_value(Check *ck, const TExpr *value, uint32_t *continuity) {
  Formula formula = {.ck = ck, .continuity = CONTINUITY_INF};
  varies(&formula, value);
  if (formula.is_reduced) note_unfit(&formula, "a reduction", value->span);
  *continuity = formula.continuity;
  return !report_unfit(&formula);
}

bool check_formula(Check *ck, const TVar *field) {
  Formula formula = {.ck = ck, .continuity = CONTINUITY_INF};
  if (type_is(field->ty, TY_ERROR) || is_error(field->init)) return false;
  varies(&formula, field->init);
  if (report_unfit(&formula)) return false;
  if (type_continuity(field->ty) > formula.continuity && !formula.is_reduced) {
    const Type *best =
        type_field(ck->cx, formula.continuity, type_dim(field->ty), *type_shape(field->ty));
    diag(ck->cx, field->init->span, E_CONTINUITY, d_type(ck->cx, field->ty), d_type(ck->cx, best));
  }
  return formula.is_reduced;
}

void note_formula_facts(Check *ck, const TFun *fun, FunFacts *facts) {
  Formula formula = {.ck = ck, .continuity = CONTINUITY_INF};
  const TStmt *body = fun->body;
  if (body->body.len == 1 && body->body.data[0]->kind == TS_RETURN)
    varies(&formula, body->body.data[0]->expr);
  else formula.unfit = "statements";
  if (formula.is_reduced) note_unfit(&formula, "a reduction", body->span);
  facts->unfit = formula.unfit;
  facts->continuity = formula.continuity;
}
