/* Declarations: names entering scopes, constants, inputs, globals, functions. Next: strand.c. */
#include <string.h>

#include "frontend/check/local.h"

/* ---- variables ------------------------------------------------------------------------------ */

static uint32_t line_of(const Check *ck, Span span) {
  return source_line_number(ck->cx->source, span.start);
}

bool check_not_declared(Check *ck, Ident name) {
  const Symbol *earlier = scope_here(ck->scope, name.name);
  if (!earlier) return true;
  diag(ck->cx, name.span, E_REDEFINED, d_name(name.name), d_int(line_of(ck, earlier->span)));
  diag_note(ck->cx, earlier->span, N_DECLARED_HERE, d_name(name.name));
  return false;
}

TVar *new_var(Check *ck, TVarKind kind, Ident name, const Type *ty) {
  TVar *var = NEW(ck->arena, TVar);
  var->kind = kind;
  var->name = name.name;
  var->ty = ty;
  var->span = name.span;
  return var;
}

/* Builtin functions whose names are common for variables: no warning when they are hidden. */
static bool is_common_name(const char *name) {
  return text_has_word(
      "all compose concat dist erf erfc exists length mean product size sum variance", name);
}

/* What the name means outside the scope that declares it; NULL if a warning is not worth it. */
static const char *hidden_thing(const Check *ck, const Name *name) {
  const Symbol *outer = scope_find(scope_parent(ck->scope), name);
  if (outer && outer->var) return outer->var->kind == TV_STATE ? "a state variable" : NULL;
  if (outer) return outer->fun ? NULL : "the strand";
  if (kernel_find(name->text)) return "a kernel";
  const bool is_noted = is_basis_function(name->text) && !is_common_name(name->text);
  return is_noted ? "a basis function" : NULL;
}

static void check_hiding(Check *ck, Ident name) {
  const char *hidden = hidden_thing(ck, name.name);
  if (hidden) diag(ck->cx, name.span, W_HIDES, d_name(name.name), d_text(hidden));
}

void enter_var(Check *ck, TVar *var) {
  Ident name = {var->name, var->span};
  if (check_not_declared(ck, name)) {
    check_hiding(ck, name);
    vec_push(ck->arena, &ck->declared, var);
  } else {
    var->ty = type_error(ck->cx); /* which of the two a use means is unknown */
  }
  declare(ck, (Symbol){.name = var->name, .span = var->span, .var = var});
}

TVar *declare_var(Check *ck, TVarKind kind, Ident name, const Type *ty) {
  TVar *var = new_var(ck, kind, name, ty);
  enter_var(ck, var);
  return var;
}

/* The runtime's parser of options puts up to three names into a message of 1 kB. */
enum { MAX_PUBLIC_NAME = 200 };

/* An upper bound of the name's length in ASCII, where primes and Greek letters are spelled as
 * words.
 */
static size_t most_spelled_length(const char *name) {
  size_t n = 0;
  for (; *name; name++) n += *name == '\'' ? strlen("_prime") : (unsigned char)*name > '~' ? 4 : 1;
  return n;
}

void check_public_name(Check *ck, const TVar *var, const char *what) {
  const size_t len = most_spelled_length(var->name->text);
  if (len > MAX_PUBLIC_NAME) {
    diag(ck->cx, var->span, E_PUBLIC_NAME_LENGTH, d_text(what), d_int((int64_t)len),
         d_int(MAX_PUBLIC_NAME));
    return;
  }
  for (const char *at = var->name->text; *at; at++)
    if ((unsigned char)*at > '~' || *at == '\'') {
      diag(ck->cx, var->span, W_NAME_NOT_ASCII, d_text(what), d_name(var->name));
      return;
    }
}

void note_unset(Check *ck, const TVar *var) {
  if (!type_is(var->ty, TY_ERROR)) map_put(ck->unset, var, ck);
}

void declare_in(Check *ck, TVarVec *table, TVar *var) {
  var->index = table->len;
  vec_push(ck->arena, table, var);
  enter_var(ck, var);
}

/* ---- constants and inputs ------------------------------------------------------------------- */

const Type *check_value_type(Check *ck, const Ast *node, const char *what) {
  const Type *ty = check_type(ck, node);
  if (is_value_or_error(ty)) return ty;
  diag(ck->cx, node->span, E_DECLARED_TYPE, d_text(what), d_type(ck->cx, ty));
  if (type_is(ty, TY_FIELD))
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("the field as a global, or inside a method"));
  return type_error(ck->cx);
}

/* If the types do not fit, either may be the one that was meant: then the variable's type becomes
 * TY_ERROR, so that its uses are not reported. */
TExpr *check_first_value(Check *ck, const Ast *node, TVar *var, const char *what) {
  TExpr *given = check_expr(ck, node, var->ty);
  TExpr *init = coerce_or_report(ck, given, var->ty, what);
  if (is_error(init) && !is_error(given)) var->ty = type_error(ck->cx);
  return init;
}

/* The value of a constant expression of the variable's type; NULL after a message. */
static Const *check_constant(Check *ck, const Ast *node, TVar *var, const char *what) {
  const TExpr *expr = check_first_value(ck, node, var, what);
  Const *value;
  ConstStatus status = const_value(ck, expr, &value);
  if (status == CONST_NOT && !type_is(var->ty, TY_ERROR))
    diag(ck->cx, node->span, E_NOT_CONSTANT, d_text(what));
  return status == CONST_KNOWN ? value : NULL;
}

static Const *overriding_value(Check *ck, const TVar *var, const ConstOverride *override) {
  if (type_is(var->ty, TY_ERROR)) return NULL;
  return const_parse(ck, var, override->value);
}

static void check_const(Check *ck, const AstConst *node) {
  const char *what = text_format(ck->arena, "constant '%s'", node->name.name->text);
  ck->place = PLACE_CONSTANT;
  TVar *var = new_var(ck, TV_CONST, node->name, check_value_type(ck, node->type, what));
  const ConstOverride *override = find_override(ck, var->name);
  if (node->init) var->value = check_constant(ck, node->init, var, what);
  if (override) var->value = overriding_value(ck, var, override);
  else if (!node->init)
    diag(ck->cx, node->head.span, E_CONSTANT_NO_VALUE, d_name(var->name), d_name(var->name));
  declare_in(ck, &ck->program->consts, var);
}

static const Type *input_type(Check *ck, const AstInput *node) {
  const Type *ty = check_type(ck, node->type);
  bool is_input = is_value_or_error(ty) || type_is(ty, TY_IMAGE);
  if (is_input && !is_from_no_file(ty)) return ty;
  diag(ck->cx, node->type->span, E_DECLARED_TYPE, d_text("an input"), d_type(ck->cx, ty));
  return type_error(ck->cx);
}

static void check_default(Check *ck, const AstInput *node, TVar *var) {
  const char *what = text_format(ck->arena, "default of input '%s'", var->name->text);
  bool is_load = node->init->kind == AST_LOAD_IMAGE || node->init->kind == AST_LOAD_SEQ;
  ck->place = is_load ? PLACE_INPUT_DEFAULT : PLACE_CONSTANT;
  if (is_load) var->input->load = check_first_value(ck, node->init, var, what);
  else var->input->value = check_constant(ck, node->init, var, what);
  if (is_load && is_error(var->input->load) && !type_is(var->ty, TY_IMAGE))
    var->ty = type_error(ck->cx);
}

/* How an option that every program has is spelled if an input takes its name; NULL if no option has
 * that name. */
static const char *option_left(Arena *a, const char *name) {
  static const char *const options[][2] = {
      {"h", "help"},   {"o", "output"},   {"l", "limit"},    {"v", "verbose"},
      {"t", "timing"}, {"s", "snapshot"}, {"n", "nworkers"}, {"sp", "snapshot-prefix"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strcmp(name, options[i][0]) == 0) return text_format(a, "--%s", options[i][1]);
    if (strcmp(name, options[i][1]) == 0) return text_format(a, "-%s", options[i][0]);
  }
  return NULL;
}

static void check_option_name(Check *ck, const TVar *var) {
  const char *left = option_left(ck->arena, var->name->text);
  if (left) diag(ck->cx, var->span, W_OPTION_NAME, d_name(var->name), d_text(left));
}

static void check_input(Check *ck, const AstInput *node) {
  TVar *var = new_var(ck, TV_INPUT, node->name, input_type(ck, node));
  var->input = NEW(ck->arena, TInput);
  if (node->description) var->input->description = ast_as_string(node->description)->text->text;
  if (node->init) check_default(ck, node, var);
  else if (type_is(var->ty, TY_IMAGE)) diag(ck->cx, var->span, W_NO_PROXY, d_name(var->name));
  check_public_name(ck, var, "input");
  check_option_name(ck, var);
  declare_in(ck, &ck->program->inputs, var);
}

/* ---- definitions in each other ---------------------------------------------------------------
 *
 * Later stages recurse from fields to the fields that they name, and from functions to their
 * callees: so the depth is limited.
 */

void note_depth(Check *ck, uint32_t depth) {
  if (ck->depth < depth) ck->depth = depth;
}

/* Called before and after the body of a definition is checked. The end returns its depth, 0 after a
 * message that it is more than AST_MAX_DEPTH. */
static uint32_t begin_definition(Check *ck) {
  const uint32_t around = ck->depth;
  ck->depth = 0;
  return around;
}

static uint32_t end_definition(Check *ck, uint32_t around, Ident name, const Ast *body) {
  uint32_t depth = ck->depth + body->depth;
  if (depth > AST_MAX_DEPTH) {
    diag(ck->cx, name.span, E_DEFINITION_DEPTH, d_name(name.name));
    depth = 0;
  }
  ck->depth = around;
  note_depth(ck, depth);
  return depth;
}

/* ---- global variables and field functions --------------------------------------------------- */

TExpr *check_initializer(Check *ck, const AstVar *node, TVar *var) {
  if (!is_abstract(var->ty)) return check_first_value(ck, node->init, var, "initializer");
  const uint32_t around = begin_definition(ck);
  TExpr *init = check_first_value(ck, node->init, var, "initializer");
  if (var->kind != TV_GLOBAL && !check_one_variable(ck, init)) init = error_expr(ck, init->span);
  var->depth = end_definition(ck, around, node->name, node->init);
  return init;
}

/* A field of several variables exists only in the checker: it is expanded where it is probed. */
static void declare_global(Check *ck, TVar *var, const Ast *type) {
  const bool is_good = !var->init || field_variables(ck, var->init, &var->variables);
  if (!is_good) var->ty = type_error(ck->cx);
  else if (var->init) check_spaces(ck, type, var);
  if (var->variables) enter_var(ck, var);
  else declare_in(ck, &ck->program->globals, var);
}

static void check_global(Check *ck, const AstVar *node) {
  ck->place = PLACE_GLOBAL;
  TVar *var = new_var(ck, TV_GLOBAL, node->name, check_type(ck, node->type));
  if (node->init) var->init = check_initializer(ck, node, var);
  else if (is_abstract(var->ty)) diag(ck->cx, var->span, E_NO_VALUE, d_type(ck->cx, var->ty));
  else note_unset(ck, var);
  declare_global(ck, var, node->type);
}

TExpr *check_formula_body(Check *ck, const Ast *node, const TVar *field) {
  const Type *ty =
      type_is(field->ty, TY_ERROR) ? field->ty : type_tensor(ck->cx, *type_shape(field->ty));
  TExpr *body = check_expr(ck, node, ty);
  if (type_coerces(body->ty, ty)) return coerce(ck, body, ty);
  diag(ck->cx, body->span, E_FIELD_FUNCTION_BODY, d_name(field->name), d_type(ck->cx, body->ty),
       d_type(ck->cx, ty));
  return error_expr(ck, body->span);
}

/* TY_ERROR after a message. */
static const Type *formula_type(Check *ck, const Ast *node) {
  const Type *ty = check_type(ck, node);
  if (type_is(ty, TY_FIELD) || type_is(ty, TY_ERROR)) return ty;
  diag(ck->cx, node->span, E_FIELD_FUNCTION_TYPE, d_type(ck->cx, ty));
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("function before the type of its result"));
  return type_error(ck->cx);
}

static TStmt *return_block(Check *ck, TExpr *value) {
  TStmt *block = tstmt_new(ck->arena, TS_BLOCK, value->span);
  TStmt *result = tstmt_new(ck->arena, TS_RETURN, value->span);
  result->expr = value;
  vec_push(ck->arena, &block->body, result);
  return block;
}

/* A field by a formula with a reduction becomes a function, which is called where it is probed. */
static void declare_reduced(Check *ck, TVar *var) {
  TFun *fun = NEW(ck->arena, TFun);
  FunFacts *facts = NEW(ck->arena, FunFacts);
  fun->name = var->name;
  fun->span = var->span;
  fun->result = var->init->ty;
  vec_push(ck->arena, &fun->params, var->fun_param);
  fun->body = return_block(ck, var->init);
  facts->depth = var->depth;
  note_formula_facts(ck, fun, facts);
  map_put(ck->facts, fun, facts);
  vec_push(ck->arena, &ck->program->functions, fun);
  var->fun = fun;
  enter_var(ck, var);
}

static void check_field_fun(Check *ck, const AstFieldFun *node) {
  const Type *ty = formula_type(ck, node->type);
  TVar *var = new_var(ck, TV_FIELD_FUN, node->name, ty);
  const Type *pos = type_is(ty, TY_ERROR) ? ty : type_vec(ck->cx, type_dim(ty));
  Scope *outside = enter_scope(ck, node->head.span);
  ck->place = PLACE_FIELD_FUNCTION;
  var->fun_param = declare_var(ck, TV_FUN_PARAM, node->param, pos);
  const uint32_t around = begin_definition(ck);
  var->init = check_formula_body(ck, node->body, var);
  var->depth = end_definition(ck, around, node->name, node->body);
  ck->scope = outside;
  if (check_formula(ck, var)) declare_reduced(ck, var);
  else declare_in(ck, &ck->program->globals, var);
}

static void check_ofield_fun(Check *ck, const AstOfieldFun *node) {
  ck->place = PLACE_GLOBAL;
  TVar *var = new_var(ck, TV_GLOBAL, node->name, formula_type(ck, node->type));
  const uint32_t around = begin_definition(ck);
  TExpr *formula = check_ofield_formula(ck, node, var);
  var->init = coerce_or_report(ck, formula, var->ty, "the formula of a field");
  var->depth = end_definition(ck, around, node->name, node->body);
  declare_global(ck, var, node->type);
}

/* ---- functions ------------------------------------------------------------------------------ */

static void check_params(Check *ck, const AstList *params, TFun *fun) {
  for (uint32_t i = 0; i < params->len; i++) {
    const AstParam *param = ast_as_param(params->data[i]);
    declare_in(ck, &fun->params,
               new_var(ck, TV_FUN_PARAM, param->name, check_type(ck, param->type)));
  }
}

static TStmt *check_fun_body(Check *ck, const Ast *node) {
  if (node->kind == AST_BLOCK) return check_block(ck, node);
  TExpr *result = check_expr_as(ck, node, ck->result, "result of the function");
  check_one_variable(ck, result);
  return return_block(ck, result);
}

static void check_function(Check *ck, const AstFunction *node) {
  TFun *fun = NEW(ck->arena, TFun);
  FunFacts *facts = NEW(ck->arena, FunFacts);
  fun->name = node->name.name;
  fun->span = node->name.span;
  ck->place = PLACE_FUNCTION;
  fun->result = ck->result = check_type(ck, node->type);
  Scope *outside = enter_scope(ck, node->head.span);
  ck->fun = facts;
  ck->declaring_fun = fun->name;
  check_params(ck, &node->params, fun);
  const uint32_t around = begin_definition(ck);
  fun->body = check_fun_body(ck, node->body);
  facts->depth = end_definition(ck, around, node->name, node->body);
  ck->fun = NULL;
  ck->declaring_fun = NULL;
  ck->scope = outside;
  note_formula_facts(ck, fun, facts);
  map_put(ck->facts, fun, facts);
  if (check_not_declared(ck, node->name)) check_hiding(ck, node->name);
  declare(ck, (Symbol){.name = fun->name, .span = fun->span, .fun = fun});
  vec_push(ck->arena, &ck->program->functions, fun);
}

bool note_declared_below(Check *ck, Ident use) {
  const AstList *globals = &ck->source->globals;
  for (uint32_t i = 0; i < globals->len; i++) {
    const Ident *name = ast_declared_name(globals->data[i]);
    if (!name || name->name != use.name || name->span.start < use.span.end) continue;
    diag_note(ck->cx, name->span, N_DECLARED_BELOW, d_name(use.name));
    return true;
  }
  return false;
}

void check_globals(Check *ck) {
  const AstList *globals = &ck->source->globals;
  for (uint32_t i = 0; i < globals->len && !diag_has_enough(ck->cx); i++) {
    const Ast *node = globals->data[i];
    switch (node->kind) {
    case AST_CONST: check_const(ck, ast_as_const(node)); break;
    case AST_INPUT: check_input(ck, ast_as_input(node)); break;
    case AST_VAR: check_global(ck, ast_as_var(node)); break;
    case AST_FIELD_FUN: check_field_fun(ck, ast_as_field_fun(node)); break;
    case AST_OFIELD_FUN: check_ofield_fun(ck, ast_as_ofield_fun(node)); break;
    case AST_FUNCTION: check_function(ck, ast_as_function(node)); break;
    default: UNREACHABLE(ck->cx); /* no other kind is a global declaration */
    }
  }
}
