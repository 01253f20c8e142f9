/* The verifier finds everything that a tree program must not contain; each fault is one edit of a
 * valid program. */
#define _POSIX_C_SOURCE 200809L
#include "ir/tree/tree.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* update(x) { const t = x + x; var u = t; if (t < u) { u = x; } leave u }  over one real state */
typedef struct Sample {
  Cx *cx;
  TreeProgram *program;
  TreeFunc *fn;
  TreeVar *x, *t, *u;
  TreeStmt *declare_t, *declare_u, *choice, *assign, *leave;
} Sample;

static TreeVar *var(Cx *cx, const char *name, bool is_mutable) {
  TreeVar *made = NEW(cx->arena, TreeVar);
  *made = (TreeVar){.name = name, .ty = type_real(cx), .is_mutable = is_mutable};
  return made;
}

static TreeExpr *op2(Cx *cx, OpId op, const Type *ty, TreeVar *a, TreeVar *b) {
  TreeExpr *expr = NEW(cx->arena, TreeExpr);
  *expr = (TreeExpr){.kind = TX_OP, .ty = ty, .span = SPAN_NONE, .op = op};
  vec_push(cx->arena, &expr->args, tree_var_expr(cx, a, SPAN_NONE));
  vec_push(cx->arena, &expr->args, tree_var_expr(cx, b, SPAN_NONE));
  return expr;
}

static TreeStmt *stmt(Cx *cx, TreeStmtKind kind, TreeVar *target, TreeExpr *expr) {
  TreeStmt *made = tree_stmt(cx, kind, SPAN_NONE);
  made->var = target;
  made->expr = expr;
  return made;
}

static void fill_body(Sample *s) {
  Cx *cx = s->cx;
  s->declare_t = stmt(cx, TT_DECLARE, s->t, op2(cx, OP_RADD, type_real(cx), s->x, s->x));
  s->declare_u = stmt(cx, TT_DECLARE, s->u, tree_var_expr(cx, s->t, SPAN_NONE));
  s->choice = stmt(cx, TT_IF, NULL, op2(cx, OP_RLT, type_bool(cx), s->t, s->u));
  s->assign = stmt(cx, TT_ASSIGN, s->u, tree_var_expr(cx, s->x, SPAN_NONE));
  s->leave = stmt(cx, TT_LEAVE, NULL, NULL);
  s->leave->exit = EXIT_ACTIVE;
  vec_push(cx->arena, &s->leave->values, tree_var_expr(cx, s->u, SPAN_NONE));
  vec_push(cx->arena, &s->choice->body, s->assign);
  TreeStmt *const body[] = {s->declare_t, s->declare_u, s->choice, s->leave};
  for (int i = 0; i < 4; i++) vec_push(cx->arena, &s->fn->body, body[i]);
}

static Sample sample(void) {
  Cx *cx = cx_new();
  types_init(cx);
  Module *m = module_new(cx, LEVEL_LOW);
  StateVar state = {.name = name_from(cx->names, "x"), .ty = type_real(cx)};
  vec_push(cx->arena, &m->state, state);
  Sample s = {.cx = cx, .x = var(cx, "x", false), .t = var(cx, "t", false)};
  s.u = var(cx, "u", true);
  s.program = NEW(cx->arena, TreeProgram);
  s.program->module = m;
  s.program->n_components = 1;
  s.program->components = NEW(cx->arena, StateComponent);
  s.fn = NEW(cx->arena, TreeFunc);
  s.fn->kind = FN_UPDATE;
  s.fn->name = "update";
  vec_push(cx->arena, &s.fn->params, s.x);
  vec_push(cx->arena, &s.program->funcs, s.fn);
  fill_body(&s);
  return s;
}

/* --- faults ----------------------------------------------------------------------------------- */

static void use_before_declaration(Sample *s) { s->fn->body.data[0] = s->declare_u; }
static void declare_twice(Sample *s) { s->fn->body.data[1] = s->declare_t; }
static void same_name_twice(Sample *s) { s->u->name = "t"; }
static void assign_a_constant(Sample *s) { s->u->is_mutable = false; }
static void constant_without_value(Sample *s) { s->declare_t->expr = NULL; }
static void wrong_type(Sample *s) { s->declare_u->expr = s->choice->expr; }
static void condition_is_a_real(Sample *s) { s->choice->expr = s->declare_u->expr; }
static void wrong_operands(Sample *s) { s->declare_t->expr->op = OP_BAND; }
static void op_of_another_level(Sample *s) { s->declare_t->expr->op = OP_PROBE; }
static void leave_without_values(Sample *s) { s->leave->values.len = 0; }
static void no_leave(Sample *s) { s->fn->body.len = 3; }
static void statement_after_leave(Sample *s) {
  s->fn->body.data[2] = s->leave;
  s->fn->body.data[3] = s->choice;
}
static void scope_has_ended(Sample *s) {
  s->choice->body.data[0] = s->declare_u;
  s->choice->expr = op2(s->cx, OP_RLT, type_bool(s->cx), s->t, s->x);
  s->fn->body.data[1] = s->choice;
  s->fn->body.data[2] = s->leave;
  s->fn->body.len = 3;
}

/* u = {x, x}[0] has the same types as u = x; then one thing is changed. */
static TreeExpr *index_pair(Sample *s) {
  Cx *cx = s->cx;
  TreeExpr *idx = NEW(cx->arena, TreeExpr), *part = NEW(cx->arena, TreeExpr);
  TreeExpr *pair = op2(cx, OP_SEQ, type_seq(cx, type_real(cx), 2), s->x, s->x);
  *idx = (TreeExpr){.kind = TX_OP, .ty = type_int(cx), .span = SPAN_NONE, .op = OP_CONST_INT};
  *part = (TreeExpr){.kind = TX_OP, .ty = type_real(cx), .span = SPAN_NONE, .op = OP_SEQ_INDEX};
  vec_push(cx->arena, &part->args, pair);
  vec_push(cx->arena, &part->args, idx);
  s->assign->expr = part;
  return part;
}

static void index_of_a_real(Sample *s) {
  index_pair(s)->args.data[0] = tree_var_expr(s->cx, s->x, SPAN_NONE);
}
static void part_that_is_not_there(Sample *s) { index_pair(s)->attr.i = 1; }
static void element_of_another_type(Sample *s) {
  TreeExpr *part = index_pair(s);
  part->args.data[0]->args.data[1] = part->args.data[1];
}
static void append_to_a_fixed_sequence(Sample *s) {
  index_pair(s)->args.data[0]->op = OP_SEQ_APPEND;
}

static int status_with(void (*fault)(Sample *)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr) || chdir("/tmp") != 0) _exit(1);
    Sample s = sample();
    fault(&s);
    tree_verify(s.cx, s.program);
    _exit(0);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void every_fault_is_found(void) {
  static void (*const faults[])(Sample *) = {use_before_declaration,
                                             declare_twice,
                                             same_name_twice,
                                             assign_a_constant,
                                             constant_without_value,
                                             wrong_type,
                                             condition_is_a_real,
                                             wrong_operands,
                                             op_of_another_level,
                                             leave_without_values,
                                             no_leave,
                                             statement_after_leave,
                                             scope_has_ended,
                                             index_of_a_real,
                                             part_that_is_not_there,
                                             element_of_another_type,
                                             append_to_a_fixed_sequence};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (!CHECK_EQ(status_with(faults[i]), 70)) fprintf(stderr, "  fault %zu\n", i);
}

static void a_good_program_passes_and_is_printed(void) {
  Sample s = sample();
  tree_verify(s.cx, s.program);
  CHECK_STR(tree_print(s.cx, s.program), "update(x) {\n"
                                         "  const real t = radd(x, x)\n"
                                         "  var real u = t\n"
                                         "  if rlt(t, u) {\n"
                                         "    u = x\n"
                                         "  }\n"
                                         "  leave<active> u\n"
                                         "}\n");
  cx_free(s.cx);
}

static void a_sequence_passes(void) {
  Sample s = sample();
  index_pair(&s);
  tree_verify(s.cx, s.program);
  CHECK(strstr(tree_print(s.cx, s.program), "u = seq_index<0>(seq(x, x), 0)") != NULL);
  cx_free(s.cx);
}

int main(void) {
  RUN(a_sequence_passes);
  RUN(a_good_program_passes_and_is_printed);
  RUN(every_fault_is_found);
  return test_result();
}
