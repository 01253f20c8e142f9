/* The typed tree as text (--dump=tast): a declaration or statement a line, every expression with
 * its type. Operators and calls are NAME<ROW>(args):type, conversions as(e):type.
 */
#include "frontend/tast/tast.h"

#include "frontend/base/text.h"

typedef struct Print {
  Cx *cx;
  Text *out;
  uint32_t depth;
} Print;

static const char *const row_names[] = {
#define BUILTIN(id, name, sig, lowering, text, meaning) [BI_##id] = #id,
#include "frontend/lang/builtins.def"
};

static void print_expr(Print *p, const TExpr *expr);

static void line_start(Print *p) {
  for (uint32_t i = 0; i < p->depth; i++) text_add(p->out, "  ");
}

static void add_type(Print *p, const Type *ty) { text_add(p->out, type_text(p->cx, ty)); }

/* ---- constants ------------------------------------------------------------------------------ */

static void print_string(Print *p, const char *s) {
  text_add(p->out, "\"");
  for (; *s; s++) {
    unsigned char byte = (unsigned char)*s;
    if (byte == '"' || byte == '\\') text_addf(p->out, "\\%c", byte);
    else if (byte < ' ' || byte > '~') text_addf(p->out, "\\%03u", byte);
    else text_add_n(p->out, s, 1);
  }
  text_add(p->out, "\"");
}

static void print_real(Print *p, const RealConst *real) {
  text_add(p->out, real->digits ? real->digits : text_from_real(p->cx->arena, real->value));
}

/* Components from *next on, nested as the axes from axis on are. */
static void print_components(Print *p, const Const *tensor, uint32_t axis, const RealConst **next) {
  const Shape *shape = type_shape(tensor->ty);
  if (axis == shape->order) {
    print_real(p, (*next)++);
    return;
  }
  text_add(p->out, "[");
  for (uint32_t i = 0; i < shape->dims[axis]; i++) {
    text_add(p->out, i > 0 ? "," : "");
    print_components(p, tensor, axis + 1, next);
  }
  text_add(p->out, "]");
}

static void print_const(Print *p, const Const *value) {
  const RealConst *next = value->reals;
  switch (type_kind(value->ty)) {
  case TY_BOOL: text_add(p->out, value->b ? "true" : "false"); break;
  case TY_INT: text_addf(p->out, "%lld", (long long)value->i); break;
  case TY_STRING: print_string(p, value->s); break;
  case TY_TENSOR: print_components(p, value, 0, &next); break;
  default: /* a sequence: constants have value types */
    text_add(p->out, "{");
    for (uint64_t i = 0; i < value->n_elems; i++) {
      text_add(p->out, i > 0 ? "," : "");
      print_const(p, value->elems[i]);
    }
    text_add(p->out, "}");
  }
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void print_args(Print *p, const char *open, const TExprVec *args, const char *close) {
  text_add(p->out, open);
  for (uint32_t i = 0; i < args->len; i++) {
    text_add(p->out, i > 0 ? ", " : "");
    print_expr(p, args->data[i]);
  }
  text_add(p->out, close);
}

static void print_builtin(Print *p, const TExpr *expr) {
  const Builtin *row = expr->u.builtin.row;
  text_addf(p->out, "%s<%s>", row->name, row_names[row->id]);
  print_args(p, "(", &expr->args, ")");
}

static void print_map(Print *p, const TExpr *expr) {
  text_add(p->out, "{");
  print_expr(p, expr->args.data[0]);
  text_addf(p->out, " | %s in ", expr->u.var->name->text);
  print_expr(p, expr->args.data[1]);
  text_add(p->out, "}");
}

static void print_slice(Print *p, const TExpr *expr) {
  const TExpr *base = expr->args.data[0];
  uint32_t order = type_shape(base->ty)->order, n_given = 0;
  print_expr(p, base);
  for (uint32_t i = 0; i < order; i++) {
    text_add(p->out, i > 0 ? "," : "[");
    if (expr->u.axes[i] == SLICE_ALL) text_add(p->out, ":");
    else if (expr->u.axes[i] == SLICE_AT) print_expr(p, expr->args.data[++n_given]);
    else text_addf(p->out, "%u", expr->u.axes[i]);
  }
  text_add(p->out, "]");
}

static const char *set_name(StrandSet set) {
  switch (set) {
  case SET_ALL: return "all";
  case SET_ACTIVE: return "active";
  case SET_STABLE: return "stable";
  }
  return "";
}

static void print_load(Print *p, const char *form, const TExpr *expr) {
  text_addf(p->out, "%s(", form);
  print_string(p, expr->u.load.file);
  text_add(p->out, ")");
}

static void print_coercion(Print *p, const TExpr *expr) {
  text_add(p->out, "as");
  print_args(p, "(", &expr->args, ")");
}

static void print_selection(Print *p, const TExpr *expr) {
  print_expr(p, expr->args.data[0]);
  text_addf(p->out, ".%s", expr->u.var->name->text);
}

static void print_names(Print *p, const char *between, const TVarVec *params) {
  for (uint32_t i = 0; i < params->len; i++)
    text_addf(p->out, "%s%s", i > 0 ? ", " : between, params->data[i]->name->text);
}

static void print_probe(Print *p, const TExpr *expr) {
  print_args(p, "probe(", &expr->args, "");
  print_names(p, " as ", &expr->u.params);
  text_add(p->out, ")");
}

static void print_formula(Print *p, const TExpr *expr) {
  print_names(p, "formula(", &expr->u.params);
  print_args(p, " -> ", &expr->args, ")");
}

static void print_form(Print *p, const TExpr *expr) {
  switch (expr->kind) {
  case TE_CONST: print_const(p, expr->u.value); break;
  case TE_VAR: text_add(p->out, expr->u.var->name->text); break;
  case TE_KERNEL: text_add(p->out, expr->u.kernel->name); break;
  case TE_BUILTIN: print_builtin(p, expr); break;
  case TE_CALL:
    text_add(p->out, expr->u.fun->name->text);
    print_args(p, "(", &expr->args, ")");
    break;
  case TE_PROBE: print_probe(p, expr); break;
  case TE_FORMULA: print_formula(p, expr); break;
  case TE_COERCE: print_coercion(p, expr); break;
  case TE_TENSOR: print_args(p, "[", &expr->args, "]"); break;
  case TE_SEQ: print_args(p, "{", &expr->args, "}"); break;
  case TE_MAP: print_map(p, expr); break;
  case TE_RANGE: print_args(p, "range(", &expr->args, ")"); break;
  case TE_COND: print_args(p, "cond(", &expr->args, ")"); break;
  case TE_AND: print_args(p, "and(", &expr->args, ")"); break;
  case TE_OR: print_args(p, "or(", &expr->args, ")"); break;
  case TE_INDEX: print_args(p, "index(", &expr->args, ")"); break;
  case TE_SLICE: print_slice(p, expr); break;
  case TE_SELECT: print_selection(p, expr); break;
  case TE_STRAND_SET: text_add(p->out, set_name(expr->u.set)); break;
  case TE_LOAD_IMAGE: print_load(p, "load_image", expr); break;
  case TE_LOAD_SEQ: print_load(p, "load_sequence", expr); break;
  }
}

static void print_expr(Print *p, const TExpr *expr) {
  print_form(p, expr);
  text_add(p->out, ":");
  add_type(p, expr->ty);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void print_stmt(Print *p, const TStmt *stmt);

/* The parts of a statement, one level deeper. */
static void print_inner(Print *p, const TStmt *stmt) {
  p->depth++;
  if (stmt->kind == TS_BLOCK)
    for (uint32_t i = 0; i < stmt->body.len; i++) print_stmt(p, stmt->body.data[i]);
  else print_stmt(p, stmt);
  p->depth--;
}

static void print_set(Print *p, const TStmt *stmt) {
  if (stmt->kind == TS_LOCAL) text_addf(p->out, "%s ", type_text(p->cx, stmt->var->ty));
  text_add(p->out, stmt->var->name->text);
  if (stmt->expr) {
    text_add(p->out, " = ");
    print_expr(p, stmt->expr);
  }
  text_add(p->out, "\n");
}

static void print_if(Print *p, const TStmt *stmt) {
  text_add(p->out, "if ");
  print_expr(p, stmt->expr);
  text_add(p->out, "\n");
  print_inner(p, stmt->then_stmt);
  if (!stmt->else_stmt) return;
  line_start(p);
  text_add(p->out, "else\n");
  print_inner(p, stmt->else_stmt);
}

static void print_foreach(Print *p, const TStmt *stmt) {
  text_addf(p->out, "foreach %s %s in ", type_text(p->cx, stmt->var->ty), stmt->var->name->text);
  print_expr(p, stmt->expr);
  text_add(p->out, "\n");
  print_inner(p, stmt->then_stmt);
}

static void print_stmt(Print *p, const TStmt *stmt) {
  line_start(p);
  switch (stmt->kind) {
  case TS_BLOCK:
    text_add(p->out, "block\n");
    print_inner(p, stmt);
    break;
  case TS_LOCAL:
  case TS_ASSIGN: print_set(p, stmt); break;
  case TS_IF: print_if(p, stmt); break;
  case TS_FOREACH: print_foreach(p, stmt); break;
  case TS_PRINT: print_args(p, "print(", &stmt->args, ")\n"); break;
  case TS_NEW: print_args(p, "new(", &stmt->args, ")\n"); break;
  case TS_RETURN:
    text_add(p->out, "return ");
    print_expr(p, stmt->expr);
    text_add(p->out, "\n");
    break;
  case TS_STABILIZE: text_add(p->out, "stabilize\n"); break;
  case TS_DIE: text_add(p->out, "die\n"); break;
  case TS_CONTINUE: text_add(p->out, "continue\n"); break;
  }
}

static void print_block(Print *p, const char *title, const TStmt *block) {
  if (!block) return;
  line_start(p);
  text_addf(p->out, "%s\n", title);
  print_inner(p, block);
}

/* ---- declarations --------------------------------------------------------------------------- */

/* "real x = value:real", with what is known of the variable before and after it. */
static void print_var(Print *p, const char *kind, const TVar *var) {
  line_start(p);
  text_addf(p->out, "%s %s %s", kind, type_text(p->cx, var->ty), var->name->text);
  if (var->fun_param) text_addf(p->out, "(%s)", var->fun_param->name->text);
  if (var->is_varying) text_add(p->out, " varying");
  if (var->is_shared) text_add(p->out, " shared");
  if (var->is_set_globally) text_add(p->out, " set");
  if (var->init || var->value) text_add(p->out, " = ");
  if (var->init) print_expr(p, var->init);
  else if (var->value) print_const(p, var->value);
  text_add(p->out, "\n");
}

static void print_vars(Print *p, const char *kind, const TVarVec *vars) {
  for (uint32_t i = 0; i < vars->len; i++) print_var(p, kind, vars->data[i]);
}

static void print_input(Print *p, const TVar *var) {
  const TInput *input = var->input;
  text_addf(p->out, "input %s %s", type_text(p->cx, var->ty), var->name->text);
  if (var->is_set_globally) text_add(p->out, " set");
  if (input->description) {
    text_add(p->out, " ");
    print_string(p, input->description);
  }
  if (input->value || input->load) text_add(p->out, " = ");
  if (input->value) print_const(p, input->value);
  else if (input->load) print_expr(p, input->load);
  text_add(p->out, "\n");
}

static void print_params(Print *p, const TVarVec *params) {
  text_add(p->out, "(");
  for (uint32_t i = 0; i < params->len; i++)
    text_addf(p->out, "%s%s %s", i > 0 ? ", " : "", type_text(p->cx, params->data[i]->ty),
              params->data[i]->name->text);
  text_add(p->out, ")\n");
}

static void print_fun(Print *p, const TFun *fun) {
  text_addf(p->out, "function %s %s", type_text(p->cx, fun->result), fun->name->text);
  print_params(p, &fun->params);
  print_inner(p, fun->body);
}

static void print_strand(Print *p, const TStrand *strand) {
  text_addf(p->out, "strand %s", strand->name->text);
  print_params(p, &strand->params);
  p->depth++;
  for (uint32_t i = 0; i < strand->state.len; i++)
    print_var(p, strand->state.data[i]->is_output ? "output" : "state", strand->state.data[i]);
  print_block(p, "initialize", strand->initialize);
  print_block(p, "start", strand->start);
  print_block(p, "update", strand->update);
  print_block(p, "stabilize", strand->stabilize);
  p->depth--;
}

static void print_creation(Print *p, const TCreation *creation) {
  text_add(p->out, creation->is_collection ? "collection" : "array");
  print_args(p, "(", &creation->args, ")");
  for (uint32_t i = 0; i < creation->iters.len; i++) {
    text_addf(p->out, "%s %s in ", i > 0 ? "," : " |", creation->iters.data[i]->name->text);
    print_expr(p, creation->sources.data[i]);
  }
  text_add(p->out, "\n");
}

static void print_uses(Print *p, const TProgram *program) {
  const struct {
    bool is_so;
    const char *what;
  } uses[] = {
      {program->uses_new, "new"},
      {program->uses_die, "die"},
      {program->uses_stabilize_all, "stabilize-all"},
      {program->uses_die_all, "die-all"},
      {program->uses_queries, "queries"},
      {program->uses_strand_sets, "strand-sets"},
      {program->uses_counts, "counts"},
  };
  text_addf(p->out, "program %u.%u", program->version_major, program->version_minor);
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
    if (uses[i].is_so) text_addf(p->out, " %s", uses[i].what);
  text_add(p->out, "\n");
}

const char *tast_print(Cx *cx, const TProgram *program) {
  Text out = text_new(cx->arena);
  Print p = {.cx = cx, .out = &out};
  print_uses(&p, program);
  print_vars(&p, "const", &program->consts);
  for (uint32_t i = 0; i < program->inputs.len; i++) print_input(&p, program->inputs.data[i]);
  for (uint32_t i = 0; i < program->functions.len; i++) print_fun(&p, program->functions.data[i]);
  print_vars(&p, "global", &program->globals);
  print_block(&p, "initialize", program->initialize);
  print_strand(&p, program->strand);
  print_block(&p, "start", program->start);
  print_block(&p, "update", program->update);
  print_creation(&p, program->creation);
  return text_str(&out);
}
