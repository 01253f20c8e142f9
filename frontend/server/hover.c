/* Hover: information about the name or operator at a place, as Markdown. */
#include <string.h>

#include "frontend/lang/builtin.h"
#include "frontend/server/local.h"

enum { MAX_SHOWN = 600 /* bytes of a definition */ };

static void add_code(Text *text, const char *code) {
  text_addf(text, "```diderot\n%s\n```\n", code);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* "field, twice differentiable, over 3 dimensions"; "" for plain values. */
static void add_facts(Text *text, const Type *ty) {
  if (type_is(ty, TY_IMAGE)) text_addf(text, ", %u-dimensional", type_dim(ty));
  if (!type_is(ty, TY_FIELD)) return;
  const uint32_t continuity = type_continuity(ty);
  text_addf(text, ", over %u dimension%s, ", type_dim(ty), type_dim(ty) == 1 ? "" : "s");
  if (continuity == CONTINUITY_INF) text_add(text, "infinitely differentiable");
  else if (continuity == 0) text_add(text, "continuous, without a derivative");
  else text_addf(text, "%u continuous derivative%s", continuity, continuity == 1 ? "" : "s");
}

static void add_const(Text *text, const Const *value) {
  const Type *ty = value->ty;
  if (type_is(ty, TY_BOOL)) text_add(text, value->b ? "true" : "false");
  if (type_is(ty, TY_INT)) text_addf(text, "%lld", (long long)value->i);
  if (type_is(ty, TY_STRING)) text_addf(text, "\"%s\"", value->s);
  const bool is_tensor = type_is(ty, TY_TENSOR), is_scalar = is_tensor && type_is_real(ty);
  const uint64_t n = is_tensor             ? shape_size(type_shape(ty))
                     : type_is(ty, TY_SEQ) ? value->n_elems
                                           : 0;
  if (n == 0) return;
  if (!is_scalar) text_add(text, is_tensor ? "[" : "{");
  for (uint64_t i = 0; i < n && i < 20; i++) {
    if (i > 0) text_add(text, ", ");
    if (is_tensor) text_add(text, text_from_real(text->arena, value->reals[i].value));
    else add_const(text, value->elems[i]);
  }
  if (n > 20) text_add(text, ", …");
  if (!is_scalar) text_add(text, is_tensor ? "]" : "}");
}

/* The declaration as it is written in the program. */
static const char *declaration_text(Request *request, const Analysis *analysis, uint32_t start) {
  const Ast *node = declaring_node(analysis->program, start);
  if (!node || node->kind == AST_ITERATOR) return NULL;
  Span span = node->span;
  if (node->kind == AST_STRAND) span.end = ast_as_strand(node)->name.span.end;
  if (node->kind == AST_FUNCTION && ast_as_function(node)->body->kind == AST_BLOCK)
    span.end = ast_as_function(node)->body->span.start;
  if (span.end - span.start > MAX_SHOWN) return NULL;
  const char *text = source_text(request->arena, request->document->source, span);
  size_t len = strlen(text);
  while (len > 0 && strchr("; \t\r\n", text[len - 1])) len--;
  return arena_strdup(request->arena, text, len);
}

/* ---- images ---------------------------------------------------------------------------------- */

static bool is_load(const TypedExpr *typed, const char *what) {
  (void)what;
  return typed->expr->kind == TE_LOAD_IMAGE || typed->expr->kind == TE_LOAD_SEQ;
}

/* The header of the file, if it can be read. */
static void add_file(Request *request, const char *file, Text *text) {
  ImageProbe probe;
  if (!images_probe(request->server->images, request->arena, request->document->uri, file, &probe))
    return;
  if (!probe.exists) text_addf(text, "\nThere is no file `%s` here.\n", file);
  else if (probe.problem) text_addf(text, "\n`%s`: %s\n", file, probe.problem);
  else if (probe.placement) text_addf(text, "\n`%s`: %s\n", file, probe.placement);
}

static bool hover_load(Request *request, const Analysis *analysis, Text *text) {
  const TypedExpr *typed = expr_around(analysis, request->offset, is_load, NULL);
  if (!typed) return false;
  const Type *ty = typed->expr->ty;
  text_addf(text, "`%s`", type_text(analysis->cx, ty));
  add_facts(text, ty);
  text_add(text, "\n");
  add_file(request, typed->expr->u.load.file, text);
  return true;
}

static void hover_variable(Request *request, const Analysis *analysis, const TVar *var,
                           Text *text) {
  const char *declared = declaration_text(request, analysis, var->span.start);
  const char *type = type_text(analysis->cx, var->ty);
  const Const *value = var->value ? var->value : var->input ? var->input->value : NULL;
  add_code(text, declared ? declared : text_format(request->arena, "%s %s", type, var->name->text));
  text_addf(text, "%s: `%s`", tvar_kind_text(var), type);
  add_facts(text, var->ty);
  text_add(text, "\n");
  if (value) {
    text_addf(text, "\n%s: `", var->input ? "default" : "value");
    add_const(text, value);
    text_add(text, "`\n");
  }
  if (var->input && var->input->load) add_file(request, var->input->load->u.load.file, text);
  if (var->input && var->input->description) text_addf(text, "\n%s\n", var->input->description);
  if (var->is_varying) text_add(text, "\nchanges from superstep to superstep\n");
}

static void hover_function(Request *request, const Analysis *analysis, const TFun *fun,
                           Text *text) {
  const char *declared = declaration_text(request, analysis, fun->span.start);
  add_code(text, declared ? declared : fun->name->text);
  text_addf(text, "function, result: `%s`\n", type_text(analysis->cx, fun->result));
}

/* ---- the language --------------------------------------------------------------------------- */

static void hover_kernel(const Kernel *kernel, Text *text) {
  add_code(text, text_format(text->arena, "kernel#%u %s", kernel->continuity, kernel->name));
  text_addf(text,
            "kernel: support %u sample%s to each side; pieces of degree %u, reproduces "
            "polynomials of degree %d; ",
            kernel->support, kernel->support == 1 ? "" : "s", kernel->degree,
            kernel_reproduced_degree(kernel));
  const int32_t truly = kernel_true_continuity(kernel);
  if (truly == (int32_t)kernel->continuity) text_addf(text, "%d continuous derivatives\n", truly);
  else text_addf(text, "%d continuous derivatives, but claims %u\n", truly, kernel->continuity);
}

static void hover_builtin(const char *name, const Builtin *chosen, Text *text) {
  uint32_t n_rows;
  const Builtin *rows = builtin_find(name, &n_rows);
  if (chosen) {
    add_code(text, text_format(text->arena, "%s : %s", name, chosen->sig));
    text_addf(text, "%s\n", chosen->meaning);
  }
  if (!rows || (chosen && n_rows == 1)) return;
  text_add(text, chosen ? "\nall versions:\n\n" : "");
  for (uint32_t i = 0; i < n_rows; i++)
    text_addf(text, "- `%s`: %s\n", rows[i].sig, rows[i].meaning);
}

static bool applies(const TypedExpr *typed, const char *name) {
  const TExpr *expr = typed->expr;
  return expr->kind == TE_BUILTIN && strcmp(expr->u.builtin.row->name, name) == 0;
}

static const Builtin *chosen_row(const Analysis *analysis, uint32_t offset, const char *name) {
  const TypedExpr *typed = expr_around(analysis, offset, applies, name);
  return typed ? typed->expr->u.builtin.row : NULL;
}

/* Prefix minus and bars are rows under other names. */
static bool hover_operator(const Analysis *analysis, const Lexeme *lexeme, Text *text) {
  if (lexeme->class != LEX_OPERATOR) return false;
  const char *name = lexeme->name->text;
  const Builtin *chosen = chosen_row(analysis, lexeme->span.start, name);
  uint32_t n_rows;
  if (strcmp(name, "|") == 0) name = "norm";
  if (strcmp(name, "-") == 0 && !chosen) name = "neg";
  if (!chosen) chosen = chosen_row(analysis, lexeme->span.start, name);
  if (!builtin_find(name, &n_rows)) return false;
  hover_builtin(name, chosen, text);
  return true;
}

static bool is_any(const TypedExpr *typed, const char *what) {
  (void)what;
  return !type_is(typed->expr->ty, TY_ERROR);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void hover_use(Request *request, const Analysis *analysis, const NameUse *use, Text *text) {
  if (use->var) hover_variable(request, analysis, use->var, text);
  else if (use->fun) hover_function(request, analysis, use->fun, text);
  else if (use->kernel) hover_kernel(use->kernel, text);
  else if (use->strand) add_code(text, text_format(request->arena, "strand %s", use->strand->text));
  else hover_builtin(use->builtin, chosen_row(analysis, use->span.start, use->builtin), text);
}

/* For numbers, brackets and keywords: the type of the expression that they belong to. */
static bool hover_type(Request *request, const Analysis *analysis, Text *text) {
  const TypedExpr *typed = expr_around(analysis, request->offset, is_any, NULL);
  if (!typed) return false;
  text_addf(text, "`%s`", type_text(analysis->cx, typed->expr->ty));
  add_facts(text, typed->expr->ty);
  if (typed->expr->kind == TE_CONST) {
    text_add(text, ", value `");
    add_const(text, typed->expr->u.value);
    text_add(text, "`");
  }
  return true;
}

void handle_hover(Request *request) {
  const Analysis *analysis = request_analysis(request);
  const NameUse *use = use_at(analysis, request->offset);
  const Lexeme *lexeme = lexeme_at(analysis, request->offset);
  Text text = text_new(request->arena);
  if (!lexeme || lexeme_is_comment(lexeme) || lexeme->class == LEX_VERSION) return;
  if (use) hover_use(request, analysis, use, &text);
  else if (!hover_operator(analysis, lexeme, &text) && !hover_load(request, analysis, &text) &&
           !hover_type(request, analysis, &text))
    return;
  const Span span = use ? use->span : lexeme->span;
  request->result =
      json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "markdown", "value", text_str(&text),
                "range", range_json(request->server, request->document->source, span));
}
