/* Calls of functions and builtins. Probes look the same: a variable that is called is a field,
 * see expr_probe.c.
 */
#include <string.h>

#include "frontend/check/local.h"

static const char *count_text(Check *ck, uint32_t n) {
  return text_format(ck->arena, "%u argument%s", n, n == 1 ? "" : "s");
}

/* Checks arguments whose values are not needed after an error, for mistakes in them. What is called
 * may have been meant as a reduction. */
static void check_stray(Check *ck, const AstList *args) {
  const Ast *outer_set = ck->reduced_set;
  for (uint32_t i = 0; i < args->len; i++) {
    const Ast *arg = args->data[i];
    if (arg->kind == AST_COMPREHEND)
      ck->reduced_set = ast_as_iterator(ast_as_comprehend(arg)->iterator)->source;
    if (!needs_context(arg)) check_expr(ck, arg, NULL);
  }
  ck->reduced_set = outer_set;
}

/* ---- user functions ------------------------------------------------------------------------- */

bool check_arguments(Check *ck, const Name *callee, Span span, const AstList *args,
                     const TVarVec *params, TExprVec *out) {
  if (args->len != params->len) {
    check_stray(ck, args);
    diag(ck->cx, span, E_ARGUMENT_COUNT, d_name(callee), d_text(count_text(ck, params->len)),
         d_int(args->len));
    return false;
  }
  bool is_good = true;
  for (uint32_t i = 0; i < args->len; i++) {
    const TVar *param = params->data[i];
    const char *what =
        text_format(ck->arena, "argument '%s' of '%s'", param->name->text, callee->text);
    TExpr *arg = check_expr_as(ck, args->data[i], param->ty, what);
    vec_push(ck->arena, out, arg);
    is_good = is_good && !is_error(arg) && check_one_variable(ck, arg) &&
              check_kernel_argument(ck, param, arg);
  }
  return is_good;
}

/* The caller has the effects of the callee, such as asking for counts of strands. */
static void note_callee(Check *ck, const TFun *fun, Span span) {
  const FunFacts *facts = map_get(ck->facts, fun);
  if (facts->loads && !has_right(ck, MAY_LOAD)) {
    diag(ck->cx, span, E_LOAD_PLACE);
    diag_note(ck->cx, facts->load, N_LOADED_HERE, d_name(fun->name));
  }
  if (facts->counts_strands && has_right(ck, IS_STRAND_CODE)) ck->program->uses_counts = true;
  note_depth(ck, facts->depth);
  if (!ck->fun) return;
  ck->fun->counts_strands = ck->fun->counts_strands || facts->counts_strands;
  if (facts->loads && !ck->fun->loads) ck->fun->load = span;
  ck->fun->loads = ck->fun->loads || facts->loads;
}

static TExpr *check_fun_call(Check *ck, TFun *fun, const AstCall *node) {
  TExpr *call = texpr_new(ck->arena, TE_CALL, fun->result, node->head.span);
  call->u.fun = fun;
  note_callee(ck, fun, node->head.span);
  if (!check_arguments(ck, fun->name, node->head.span, &node->args, &fun->params, &call->args))
    return error_expr(ck, node->head.span);
  return call;
}

/* ---- builtins ------------------------------------------------------------------------------- */

bool is_basis_function(const char *name) {
  uint32_t n_rows;
  bool is_word = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
  return is_word && strcmp(name, "neg") != 0 && strcmp(name, "norm") != 0 &&
         builtin_find(name, &n_rows);
}

/* The source of a comprehension that is the argument of a reduction; it may be a strand set. */
static const Ast *reduced_source(const char *name, const AstList *args) {
  uint32_t n_rows;
  const Builtin *rows = builtin_find(name, &n_rows);
  if (args->len != 1 || args->data[0]->kind != AST_COMPREHEND) return NULL;
  for (uint32_t i = 0; i < n_rows; i++)
    if (rows[i].lowering == LOWER_FOLD)
      return ast_as_iterator(ast_as_comprehend(args->data[0])->iterator)->source;
  return NULL;
}

static bool is_strand_count(const char *name) {
  return strcmp(name, "numStrands") == 0 || strcmp(name, "numActive") == 0 ||
         strcmp(name, "numStable") == 0;
}

static void note_count(Check *ck) {
  if (has_right(ck, IS_STRAND_CODE)) ck->program->uses_counts = true;
  if (ck->fun) ck->fun->counts_strands = true;
}

/* clamp(x, 0, 1), as in most languages, for clamp(0, 1, x). In clamp(low, high, 0), the nearest
 * point of an interval, the second is no constant. */
static void warn_of_clamp_order(Check *ck, const TExpr *call) {
  const TExprVec *args = &call->args;
  if (args->len != 3 || !type_is(call->ty, TY_TENSOR)) return;
  const bool is_swapped = !const_value_if_known(ck, args->data[0]) &&
                          const_value_if_known(ck, args->data[1]) &&
                          const_value_if_known(ck, args->data[2]);
  if (!is_swapped) return;
  diag(ck->cx, call->span, W_CLAMP_ORDER);
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("clamp(low, high, x): the bounds first"));
}

static TExpr *check_builtin_call(Check *ck, const char *name, const AstCall *node,
                                 const Type *want) {
  const Ast *outer_set = ck->reduced_set;
  TExprVec args = {0};
  ck->reduced_set = reduced_source(name, &node->args);
  for (uint32_t i = 0; i < node->args.len; i++) {
    const Type *expected = expected_operand(ck->cx, name, i, want);
    vec_push(ck->arena, &args, check_expr(ck, node->args.data[i], expected));
  }
  ck->reduced_set = outer_set;
  if (is_strand_count(name)) note_count(ck);
  TExpr *call = resolve_builtin(ck, name, node->head.span, args);
  if (strcmp(name, "clamp") == 0) warn_of_clamp_order(ck, call);
  return call;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void report_unknown_function(Check *ck, Ident name) {
  if (name.name == ck->declaring_fun) {
    diag(ck->cx, name.span, E_RECURSION, d_name(name.name));
    return;
  }
  if (was_unknown(ck, name.name)) return;
  Nearest nearest = nearest_to(name.name);
  diag(ck->cx, name.span, E_UNKNOWN_FUNCTION, d_name(name.name));
  if (note_declared_below(ck, name) || hint_foreign(ck, name.name, FOREIGN_CALLED)) return;
  if (kernel_find(name.name->text)) {
    const char *use = text_format(ck->arena, "img ⊛ %s for a field", name.name->text);
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(use));
    return;
  }
  nearest_offer_functions(&nearest, ck->scope);
  for (uint32_t id = 0; id < BI_COUNT; id++) {
    const char *candidate = builtin_row((BuiltinId)id)->name;
    if (is_basis_function(candidate)) nearest_offer(&nearest, candidate);
  }
  if (nearest.best)
    diag_note(ck->cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(ck->cx->names, nearest.best)));
}

/* ---- forms that look like calls -------------------------------------------------------------- */

typedef struct CallForm {
  const char *name, *takes;
  uint32_t least;
  TExpr *(*check)(Check *ck, const AstCall *node, const Type *want);
} CallForm;

static const CallForm *call_form(const char *name) {
  static const CallForm forms[] = {
#define CALL(name, check, least, takes) {name, takes, least, check},
#include "frontend/check/calls.def"
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].name, name) == 0) return &forms[i];
  return NULL;
}

static TExpr *check_form(Check *ck, const CallForm *form, const AstCall *node, const Type *want) {
  if (node->args.len >= form->least) return form->check(ck, node, want);
  diag(ck->cx, node->head.span, E_ARGUMENT_COUNT, d_name(ast_as_id(node->callee)->name.name),
       d_text(form->takes), d_int(node->args.len));
  check_stray(ck, &node->args);
  return error_expr(ck, node->head.span);
}

TExpr *check_call(Check *ck, const AstCall *node, const Type *want) {
  if (node->callee->kind != AST_ID) return check_probe(ck, node, want);
  Ident name = ast_as_id(node->callee)->name;
  const Symbol *symbol = find_name(ck, name);
  if (symbol && symbol->var) return check_probe(ck, node, want);
  if (symbol && symbol->fun) return check_fun_call(ck, symbol->fun, node);
  const CallForm *form = call_form(name.name->text);
  if (!symbol && (form || is_basis_function(name.name->text))) note_builtin(ck, name);
  if (symbol) diag(ck->cx, name.span, E_STRAND_AS_VALUE, d_name(name.name));
  else if (form) return check_form(ck, form, node, want);
  else if (is_basis_function(name.name->text))
    return check_builtin_call(ck, name.name->text, node, want);
  else report_unknown_function(ck, name);
  check_stray(ck, &node->args);
  return error_expr(ck, node->head.span);
}
