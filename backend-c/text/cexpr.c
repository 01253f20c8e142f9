/* CExpr: nodes and the printer. Next: literal.c for numbers and strings. */
#include "backend-c/text/cexpr.h"

#include <string.h>

#include "backend-c/text/local.h"
#include "frontend/base/panic.h"

/* Precedence as in C's grammar; a larger one binds tighter. */
typedef enum {
  PREC_COND,
  PREC_OR,
  PREC_AND,
  PREC_BITS,
  PREC_EQUALITY,
  PREC_RELATION,
  PREC_SHIFT,
  PREC_SUM,
  PREC_PRODUCT,
  PREC_PREFIX,
  PREC_POSTFIX,
  PREC_ATOM,
} Prec;

typedef enum {
  FORM_ATOM,
  FORM_PREFIX,
  FORM_STEP,
  FORM_INFIX,
  FORM_COND,
  FORM_CAST,
  FORM_CALL,
  FORM_INDEX,
  FORM_ARROW,
  FORM_DOT
} Form;

struct CExpr {
  Form form;
  Prec prec;
  const char *text; /* name, literal, operator, type, function or field */
  CExprVec args;
};

static CExpr *node(Cx *cx, Form form, Prec prec, const char *text, CExprVec args) {
  CExpr *expr = NEW(cx->arena, CExpr);
  *expr = (CExpr){.form = form, .prec = prec, .text = text, .args = args};
  return expr;
}

static CExprVec list(Cx *cx, CExpr *const *args, uint32_t n) {
  CExprVec vec = {0};
  for (uint32_t i = 0; i < n; i++) vec_push(cx->arena, &vec, args[i]);
  return vec;
}

CExpr *c_name(Cx *cx, const char *name) {
  return node(cx, FORM_ATOM, PREC_ATOM, name, (CExprVec){0});
}

CExpr *c_literal(Cx *cx, const char *text) {
  return node(cx, FORM_ATOM, text[0] == '-' ? PREC_PREFIX : PREC_ATOM, text, (CExprVec){0});
}

CExpr *c_unary(Cx *cx, const char *op, CExpr *a) {
  return node(cx, FORM_PREFIX, PREC_PREFIX, op, list(cx, &a, 1));
}

CExpr *c_step(Cx *cx, CExpr *a) { return node(cx, FORM_STEP, PREC_POSTFIX, "++", list(cx, &a, 1)); }

static Prec infix_prec(Cx *cx, const char *op) {
  static const struct {
    const char *op;
    Prec prec;
  } rows[] = {{"||", PREC_OR},       {"&&", PREC_AND},      {"==", PREC_EQUALITY},
              {"&", PREC_BITS},      {"|", PREC_BITS},      {"^", PREC_BITS},
              {"!=", PREC_EQUALITY}, {"<", PREC_RELATION},  {"<=", PREC_RELATION},
              {">", PREC_RELATION},  {">=", PREC_RELATION}, {"+", PREC_SUM},
              {"-", PREC_SUM},       {"*", PREC_PRODUCT},   {"/", PREC_PRODUCT},
              {"%", PREC_PRODUCT},   {"<<", PREC_SHIFT}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].op, op) == 0) return rows[i].prec;
  BUG(cx, "no infix operator '%s'", op);
}

CExpr *c_binary(Cx *cx, const char *op, CExpr *a, CExpr *b) {
  CExpr *args[] = {a, b};
  return node(cx, FORM_INFIX, infix_prec(cx, op), op, list(cx, args, 2));
}

CExpr *c_cond(Cx *cx, CExpr *cond, CExpr *yes, CExpr *no) {
  CExpr *args[] = {cond, yes, no};
  return node(cx, FORM_COND, PREC_COND, "?", list(cx, args, 3));
}

CExpr *c_cast(Cx *cx, const char *type, CExpr *a) {
  return node(cx, FORM_CAST, PREC_PREFIX, type, list(cx, &a, 1));
}

CExpr *c_call(Cx *cx, const char *fn, CExprVec args) {
  return node(cx, FORM_CALL, PREC_POSTFIX, fn, args);
}

CExpr *c_call1(Cx *cx, const char *fn, CExpr *a) { return c_call(cx, fn, list(cx, &a, 1)); }

CExpr *c_call2(Cx *cx, const char *fn, CExpr *a, CExpr *b) {
  CExpr *args[] = {a, b};
  return c_call(cx, fn, list(cx, args, 2));
}

CExpr *c_index(Cx *cx, CExpr *a, CExpr *idx) {
  CExpr *args[] = {a, idx};
  return node(cx, FORM_INDEX, PREC_POSTFIX, "[]", list(cx, args, 2));
}

CExpr *c_index_int(Cx *cx, CExpr *a, uint32_t idx) { return c_index(cx, a, c_int(cx, idx)); }

CExpr *c_arrow(Cx *cx, CExpr *a, const char *field) {
  return node(cx, FORM_ARROW, PREC_POSTFIX, field, list(cx, &a, 1));
}

CExpr *c_dot(Cx *cx, CExpr *a, const char *field) {
  return node(cx, FORM_DOT, PREC_POSTFIX, field, list(cx, &a, 1));
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_in(Text *text, const CExpr *expr, bool in_parens) {
  if (in_parens) text_add(text, "(");
  c_print(text, expr);
  if (in_parens) text_add(text, ")");
}

static void print_at_least(Text *text, const CExpr *expr, Prec prec) {
  print_in(text, expr, expr->prec < prec);
}

static bool is_comparison(Prec prec) { return prec == PREC_EQUALITY || prec == PREC_RELATION; }

/* What -Wparentheses warns about although it is valid C; C also gives the bit operators different
 * precedences, but readers do not remember them. */
static bool looks_unclear(Prec outer, Prec inner) {
  return (outer == PREC_OR && inner == PREC_AND) || (outer == PREC_BITS && inner < PREC_PREFIX) ||
         (outer == PREC_SHIFT && inner < PREC_PREFIX) ||
         (is_comparison(outer) && is_comparison(inner));
}

static void print_operand(Text *text, const CExpr *parent, const CExpr *arg, bool is_right) {
  bool is_loose = arg->prec < parent->prec || (is_right && arg->prec == parent->prec);
  print_in(text, arg, is_loose || looks_unclear(parent->prec, arg->prec));
}

static void print_infix(Text *text, const CExpr *expr) {
  print_operand(text, expr, expr->args.data[0], false);
  text_add(text, " ");
  text_add(text, expr->text);
  text_add(text, " ");
  print_operand(text, expr, expr->args.data[1], true);
}

/* Without a space, - -a would be another operator: parentheses are clearer. */
static void print_prefix(Text *text, const CExpr *expr) {
  const CExpr *arg = expr->args.data[0];
  bool is_double = arg->prec == PREC_PREFIX && arg->text[0] == expr->text[0];
  text_add(text, expr->text);
  print_in(text, arg, arg->prec < PREC_PREFIX || is_double);
}

static void print_cond(Text *text, const CExpr *expr) {
  print_at_least(text, expr->args.data[0], PREC_OR);
  text_add(text, " ? ");
  print_at_least(text, expr->args.data[1], PREC_OR);
  text_add(text, " : ");
  print_at_least(text, expr->args.data[2], PREC_COND);
}

static void print_call(Text *text, const CExpr *expr) {
  text_add(text, expr->text);
  text_add(text, "(");
  for (uint32_t i = 0; i < expr->args.len; i++) {
    if (i > 0) text_add(text, ", ");
    c_print(text, expr->args.data[i]);
  }
  text_add(text, ")");
}

void c_print(Text *text, const CExpr *expr) {
  switch (expr->form) {
  case FORM_ATOM: text_add(text, expr->text); return;
  case FORM_PREFIX: print_prefix(text, expr); return;
  case FORM_STEP:
    print_at_least(text, expr->args.data[0], PREC_POSTFIX);
    text_add(text, expr->text);
    return;
  case FORM_INFIX: print_infix(text, expr); return;
  case FORM_COND: print_cond(text, expr); return;
  case FORM_CAST:
    text_addf(text, "(%s)", expr->text);
    print_at_least(text, expr->args.data[0], PREC_PREFIX);
    return;
  case FORM_CALL: print_call(text, expr); return;
  case FORM_INDEX:
    print_at_least(text, expr->args.data[0], PREC_POSTFIX);
    text_add(text, "[");
    c_print(text, expr->args.data[1]);
    text_add(text, "]");
    return;
  case FORM_ARROW:
    print_at_least(text, expr->args.data[0], PREC_POSTFIX);
    text_addf(text, "->%s", expr->text);
    return;
  case FORM_DOT:
    print_at_least(text, expr->args.data[0], PREC_POSTFIX);
    text_addf(text, ".%s", expr->text);
    return;
  }
}
