/* Tree as text, for --dump=tree and tests: ops by name, one statement per line.
 *
 *   update ray_update(pos_x, _) {
 *     var real t = 0
 *     if rlt(t, global_load<stepMax>) {
 *       t = radd(t, 0.5)
 *     }
 *     leave<active> _, t
 *   }
 */
#include "frontend/base/text.h"
#include "ir/tree/tree.h"

typedef struct Print {
  Cx *cx;
  const TreeProgram *program;
  Text text;
} Print;

static void indent(Print *p, uint32_t depth) {
  for (uint32_t i = 0; i < depth; i++) text_add(&p->text, "  ");
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void print_row(Print *p, const ConstRow *row) {
  for (uint32_t i = 0; i < row->width; i++) {
    const Rational lane = row->lanes[i];
    text_addf(&p->text, i > 0 ? ", %lld" : "%lld", (long long)lane.num);
    if (lane.den != 1) text_addf(&p->text, "/%lld", (long long)lane.den);
  }
}

static void print_attr(Print *p, const TreeExpr *expr) {
  const Attr *attr = &expr->attr;
  switch (op_attr_kind(expr->op)) {
  case ATTR_BOOL: text_add(&p->text, attr->b ? "true" : "false"); return;
  case ATTR_INT: text_addf(&p->text, "%lld", (long long)attr->i); return;
  case ATTR_REAL: text_add(&p->text, text_from_real(p->cx->arena, attr->real.value)); return;
  case ATTR_STRING: text_addf(&p->text, "\"%s\"", attr->s); return;
  case ATTR_ROW: print_row(p, &attr->row); return;
  case ATTR_PAIR: text_addf(&p->text, "%u, %u", attr->pair.i, attr->pair.j); return;
  case ATTR_VAR:
    text_add(&p->text, p->program->globals[attr->var.index].field);
    if (attr->var.component != WHOLE) text_addf(&p->text, "[%u]", attr->var.component);
    return;
  case ATTR_STATE:
    text_add(&p->text, p->program->state[attr->var.index].field);
    if (attr->var.component != WHOLE) text_addf(&p->text, "[%u]", attr->var.component);
    return;
  case ATTR_FUNC: text_add(&p->text, expr->callee->name); return;
  default: return; /* no other attribute occurs in LOW ops that are expressions */
  }
}

static void print_expr(Print *p, const TreeExpr *expr) {
  if (!expr || expr->kind == TX_VAR) {
    text_add(&p->text, expr ? expr->var->name : "_");
    return;
  }
  bool is_scalar_const = expr->op == OP_CONST_BOOL || expr->op == OP_CONST_INT ||
                         expr->op == OP_CONST_REAL || expr->op == OP_CONST_STRING;
  if (is_scalar_const) {
    print_attr(p, expr);
    return;
  }
  text_add(&p->text, op_text(expr->op));
  if (op_attr_kind(expr->op) != ATTR_NONE) {
    text_add(&p->text, "<");
    print_attr(p, expr);
    text_add(&p->text, ">");
  }
  if (expr->args.len == 0) return;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    text_add(&p->text, i == 0 ? "(" : ", ");
    print_expr(p, expr->args.data[i]);
  }
  text_add(&p->text, ")");
}

/* ---- statements ------------------------------------------------------------------------------ */

static void print_stmts(Print *p, const TreeStmtVec *stmts, uint32_t depth);

static void print_block(Print *p, const TreeStmtVec *stmts, uint32_t depth) {
  text_add(&p->text, " {\n");
  print_stmts(p, stmts, depth + 1);
  indent(p, depth);
  text_add(&p->text, "}");
}

static void print_declare(Print *p, const TreeStmt *stmt) {
  const TreeVar *var = stmt->var;
  text_addf(&p->text, "%s %s %s", var->is_mutable ? "var" : "const", type_text(p->cx, var->ty),
            var->name);
  if (!stmt->expr) return;
  text_add(&p->text, " = ");
  print_expr(p, stmt->expr);
}

static void print_if(Print *p, const TreeStmt *stmt, uint32_t depth) {
  text_add(&p->text, "if ");
  print_expr(p, stmt->expr);
  print_block(p, &stmt->body, depth);
  if (stmt->else_body.len == 0) return;
  text_add(&p->text, " else");
  print_block(p, &stmt->else_body, depth);
}

static void print_range(Print *p, const TreeStmt *stmt) {
  text_addf(&p->text, "%s = ", stmt->var->name);
  print_expr(p, stmt->expr);
  text_add(&p->text, " .. ");
  print_expr(p, stmt->limit);
}

static void print_for(Print *p, const TreeStmt *stmt, uint32_t depth) {
  text_add(&p->text, "for ");
  print_range(p, stmt);
  print_block(p, &stmt->body, depth);
}

static void print_reduce(Print *p, const TreeStmt *stmt, uint32_t depth) {
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++) {
    const TreeVar *result = stmt->vars.data[i];
    text_addf(&p->text, i == 0 ? "%s %s %s" : ", %s %s %s", result->is_mutable ? "var" : "const",
              type_text(p->cx, result->ty), result->name);
  }
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++)
    text_addf(&p->text, i == 0 ? " = %s" : ", %s", reduction_text(stmt->reduce.kinds[i]));
  text_add(&p->text, " ");
  if (stmt->reduce.over != OVER_RANGE)
    text_addf(&p->text, "%s in %s", stmt->var->name, reduce_over_text(stmt->reduce.over));
  else print_range(p, stmt);
  text_add(&p->text, " {\n");
  print_stmts(p, &stmt->body, depth + 1);
  indent(p, depth + 1);
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++) {
    text_add(&p->text, i == 0 ? "" : ", ");
    print_expr(p, stmt->values.data[stmt->columns[i]]);
  }
  text_add(&p->text, "\n");
  indent(p, depth);
  text_add(&p->text, "}");
}

static void print_call(Print *p, const TreeStmt *stmt) {
  text_add(&p->text, "const ");
  for (uint32_t i = 0; i < stmt->vars.len; i++) {
    const TreeVar *var = stmt->vars.data[i];
    text_addf(&p->text, i > 0 ? ", %s" : "%s", var ? var->name : "_");
  }
  text_add(&p->text, " = ");
  print_expr(p, stmt->expr);
}

static void print_leave(Print *p, const TreeStmt *stmt) {
  static const char *const exits[] = {[EXIT_RETURN] = "return",
                                      [EXIT_ACTIVE] = "active",
                                      [EXIT_STABILIZE] = "stabilize",
                                      [EXIT_DIE] = "die"};
  text_addf(&p->text, "leave<%s>", exits[stmt->exit]);
  for (uint32_t i = 0; i < stmt->values.len; i++) {
    text_add(&p->text, i == 0 ? " " : ", ");
    print_expr(p, stmt->values.data[i]);
  }
}

static void print_stmt(Print *p, const TreeStmt *stmt, uint32_t depth) {
  switch (stmt->kind) {
  case TT_DECLARE: print_declare(p, stmt); return;
  case TT_ASSIGN:
    text_addf(&p->text, "%s = ", stmt->var->name);
    print_expr(p, stmt->expr);
    return;
  case TT_EFFECT: print_expr(p, stmt->expr); return;
  case TT_CALL: print_call(p, stmt); return;
  case TT_IF: print_if(p, stmt, depth); return;
  case TT_FOR: print_for(p, stmt, depth); return;
  case TT_REDUCE: print_reduce(p, stmt, depth); return;
  case TT_LEAVE: print_leave(p, stmt); return;
  }
}

static void print_stmts(Print *p, const TreeStmtVec *stmts, uint32_t depth) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    indent(p, depth);
    print_stmt(p, stmts->data[i], depth);
    text_add(&p->text, "\n");
  }
}

const char *tree_print(Cx *cx, const TreeProgram *program) {
  Print p = {.cx = cx, .program = program, .text = text_new(cx->arena)};
  for (uint32_t i = 0; i < program->funcs.len; i++) {
    const TreeFunc *fn = program->funcs.data[i];
    text_addf(&p.text, "%s%s(", i > 0 ? "\n" : "", fn->name);
    for (uint32_t k = 0; k < fn->params.len; k++) {
      const TreeVar *param = fn->params.data[k];
      text_addf(&p.text, k > 0 ? ", %s" : "%s", param ? param->name : "_");
    }
    text_add(&p.text, ")");
    print_block(&p, &fn->body, 0);
    text_add(&p.text, "\n");
  }
  return text_str(&p.text);
}
