/* Statements from control flow: which values share a variable, what nests, what stays in order. */
#include "ir/core/build.h"
#include "ir/tree/tree.h"
#include "tests/unit/test.h"

static Cx *cx;
static Module *m;
static Func *fn;
static Builder b;

/* A module with one state real x and an update method with parameter x. */
static Value *open_update(void) {
  m = module_new(cx, LEVEL_LOW);
  m->strand_name = name_from(cx->names, "s");
  StateVar x = {.name = name_from(cx->names, "x"), .ty = type_real(cx), .is_output = true};
  Global g = {.kind = GLOBAL_VAR, .name = name_from(cx->names, "g"), .ty = type_real(cx)};
  vec_push(cx->arena, &m->state, x);
  vec_push(cx->arena, &m->globals, g);
  fn = func_new(m, FN_UPDATE, name_from(cx->names, "update"), SPAN_NONE);
  b = build_at_end(cx, block_new(fn), SPAN_NONE);
  return block_add_param(b.block, type_real(cx), x.name);
}

static const char *tree(void) {
  TreeProgram *program = tree_from_low(cx, m);
  tree_verify(cx, program);
  return tree_print(cx, program);
}

static Value *add(Value *a, Value *c) { return build_op2(&b, OP_RADD, a, c); }
static Value *named(Value *value, const char *name) {
  value->name = name_from(cx->names, name);
  return value;
}
static void leave(Value *x) { build_leave(&b, EXIT_ACTIVE, &x, 1); }

/* Arms of a branch on x < 0, each ending in a jump to the merge or a leave. */
typedef struct Arms {
  Block *yes, *no, *merge;
} Arms;
static Arms branch(Value *x, bool has_merge) {
  Arms arms = {block_new(fn), block_new(fn), has_merge ? block_new(fn) : NULL};
  build_branch(&b, build_op2(&b, OP_RLT, x, build_real(&b, 0)), arms.yes, arms.no, arms.merge);
  return arms;
}

/* -x if x < 0, else x; the builder is left at the merge. */
static Value *negated_below_0(Value *x) {
  Arms arms = branch(x, true);
  b.block = arms.yes;
  Value *negated = build_op1(&b, OP_RNEG, x);
  build_jump(&b, arms.merge, &negated, 1);
  b.block = arms.no;
  build_jump(&b, arms.merge, &x, 1);
  b.block = arms.merge;
  return block_add_param(arms.merge, type_real(cx), NULL);
}

static void a_single_use_nests_and_a_double_one_does_not(void) {
  Value *x = open_update();
  Value *twice = add(x, x);
  leave(add(add(twice, twice), x));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  const real t = radd(x, x)\n"
                    "  leave<active> radd(radd(t, t), x)\n"
                    "}\n");
}

static void a_name_of_the_source_is_kept(void) {
  Value *x = open_update();
  Value *speed = named(add(x, x), "speed");
  Value *sum = build_op2(&b, OP_RMUL, speed, build_real(&b, 2));
  leave(sum);
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  const real speed = radd(x, x)\n"
                    "  leave<active> rmul(speed, 2)\n"
                    "}\n");
}

static void an_unread_component_is_no_parameter(void) {
  leave(open_update());
  CHECK_STR(tree(), "s_update(_) {\n  leave<active> _\n}\n");
}

static void a_dead_variable_is_taken_over(void) {
  Value *x = open_update();
  leave(negated_below_0(x));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  if rlt(x, 0) {\n"
                    "    x = rneg(x)\n"
                    "  }\n"
                    "  leave<active> x\n"
                    "}\n");
}

static void a_live_variable_is_not(void) {
  Value *x = open_update();
  leave(add(negated_below_0(x), x));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real x_2 = x\n"
                    "  if rlt(x, 0) {\n"
                    "    x_2 = rneg(x)\n"
                    "  }\n"
                    "  leave<active> radd(x_2, x)\n"
                    "}\n");
}

/* In the `no` arm of outer: a branch that gives -x or 2x; the builder is left at its merge. */
static Value *branch_inside(Arms outer, Value *x) {
  b.block = outer.no;
  Arms inner = branch(add(x, x), true);
  b.block = inner.yes;
  Value *negated = build_op1(&b, OP_RNEG, x);
  build_jump(&b, inner.merge, &negated, 1);
  b.block = inner.no;
  Value *doubled = build_op2(&b, OP_RMUL, x, build_real(&b, 2));
  build_jump(&b, inner.merge, &doubled, 1);
  b.block = inner.merge;
  return block_add_param(inner.merge, type_real(cx), NULL);
}

static void a_chain_of_branches_sets_one_variable(void) {
  Value *x = open_update();
  Arms outer = branch(x, true);
  b.block = outer.yes;
  Value *tripled = build_op2(&b, OP_RMUL, x, build_real(&b, 3));
  build_jump(&b, outer.merge, &tripled, 1);
  Value *inner = branch_inside(outer, x);
  build_jump(&b, outer.merge, &inner, 1);
  b.block = outer.merge;
  leave(add(block_add_param(outer.merge, type_real(cx), NULL), x));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real t\n"
                    "  if rlt(x, 0) {\n"
                    "    t = rmul(x, 3)\n"
                    "  } else {\n"
                    "    if rlt(radd(x, x), 0) {\n"
                    "      t = rneg(x)\n"
                    "    } else {\n"
                    "      t = rmul(x, 2)\n"
                    "    }\n"
                    "  }\n"
                    "  leave<active> radd(t, x)\n"
                    "}\n");
}

static void a_value_that_is_read_later_keeps_its_variable(void) {
  Value *x = open_update();
  Arms outer = branch(x, true);
  b.block = outer.yes;
  build_jump(&b, outer.merge, (Value *[]){x, x}, 2);
  Value *inner = branch_inside(outer, x);
  Value *sum = add(inner, x);
  build_jump(&b, outer.merge, (Value *[]){inner, sum}, 2);
  b.block = outer.merge;
  Value *first = block_add_param(outer.merge, type_real(cx), NULL);
  leave(add(first, block_add_param(outer.merge, type_real(cx), NULL)));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real x_2\n"
                    "  if rlt(x, 0) {\n"
                    "    x_2 = x\n"
                    "  } else {\n"
                    "    var real t\n"
                    "    if rlt(radd(x, x), 0) {\n"
                    "      t = rneg(x)\n"
                    "    } else {\n"
                    "      t = rmul(x, 2)\n"
                    "    }\n"
                    "    x_2 = radd(t, x)\n"
                    "    x = t\n"
                    "  }\n"
                    "  leave<active> radd(x, x_2)\n"
                    "}\n");
}

static void an_arm_that_leaves_is_a_guard(void) {
  Value *x = open_update();
  Arms arms = branch(x, true);
  b.block = arms.yes;
  build_leave(&b, EXIT_DIE, &x, 1);
  b.block = arms.no;
  Value *more = add(x, build_real(&b, 1));
  build_jump(&b, arms.merge, &more, 1);
  b.block = arms.merge;
  Value *param = block_add_param(arms.merge, type_real(cx), NULL);
  leave(build_op2(&b, OP_RMUL, param, param));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  if rlt(x, 0) {\n"
                    "    leave<die> _\n"
                    "  }\n"
                    "  const real t = radd(x, 1)\n"
                    "  leave<active> rmul(t, t)\n"
                    "}\n");
}

static void an_empty_then_is_turned(void) {
  Value *x = open_update();
  Arms arms = branch(x, true);
  b.block = arms.yes;
  build_jump(&b, arms.merge, &x, 1);
  b.block = arms.no;
  Value *more = add(x, build_real(&b, 1));
  build_jump(&b, arms.merge, &more, 1);
  b.block = arms.merge;
  leave(block_add_param(arms.merge, type_real(cx), NULL));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  if not(rlt(x, 0)) {\n"
                    "    x = radd(x, 1)\n"
                    "  }\n"
                    "  leave<active> x\n"
                    "}\n");
}

/* foreach i in 0..x_n: the carried value is x itself, whose old value is needed in every round. */
static void a_value_that_the_body_needs_keeps_its_variable(void) {
  Value *x = open_update();
  Block *body = block_new(fn), *after = block_new(fn);
  build_foreach(&b, build_int(&b, 0), build_int(&b, 9), body, after, &x, 1);
  block_add_param(body, type_int(cx), NULL);
  Value *sum = block_add_param(body, type_real(cx), NULL);
  b.block = body;
  Value *more = add(sum, x);
  build_next(&b, &more, 1);
  b.block = after;
  leave(block_add_param(after, type_real(cx), NULL));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real x_2 = x\n"
                    "  for i = 0 .. 9 {\n"
                    "    x_2 = radd(x_2, x)\n"
                    "  }\n"
                    "  leave<active> x_2\n"
                    "}\n");
}

static void two_rounds_of_a_loop_do_not_mix(void) {
  Value *x = open_update();
  Block *body = block_new(fn), *after = block_new(fn);
  Value *start[] = {x, build_real(&b, 1)};
  build_foreach(&b, build_int(&b, 0), build_int(&b, 9), body, after, start, 2);
  block_add_param(body, type_int(cx), NULL);
  Value *p = block_add_param(body, type_real(cx), name_from(cx->names, "p"));
  Value *q = block_add_param(body, type_real(cx), name_from(cx->names, "q"));
  b.block = body;
  Value *next[] = {add(p, q), build_op2(&b, OP_RSUB, p, q)};
  build_next(&b, next, 2);
  b.block = after;
  Value *p_after = block_add_param(after, type_real(cx), name_from(cx->names, "p"));
  block_add_param(after, type_real(cx), name_from(cx->names, "q"));
  leave(p_after);
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real p = x\n"
                    "  var real q = 1\n"
                    "  for i = 0 .. 9 {\n"
                    "    const real old_p = p\n"
                    "    p = radd(p, q)\n"
                    "    q = rsub(old_p, q)\n"
                    "  }\n"
                    "  leave<active> p\n"
                    "}\n");
}

/* The body has variables of its own, although x is dead there; the value of the body ends it. */
static void a_reduction_assigns_only_its_own_variables(void) {
  Value *x = open_update();
  Block *body = block_new(fn), *after = block_new(fn);
  Block *yes = block_new(fn), *no = block_new(fn), *merge = block_new(fn);
  const Reduce sum = {OVER_RANGE, 1, (const Reduction[]){REDUCE_SUM}};
  build_reduce(&b, sum, build_int(&b, 0), build_int(&b, 9), body, after);
  Value *i = block_add_param(body, type_int(cx), NULL);
  b.block = body;
  Value *real = build_op1(&b, OP_I2R, i);
  build_branch(&b, build_op2(&b, OP_ILT, i, build_int(&b, 5)), yes, no, merge);
  b.block = yes;
  build_jump(&b, merge, &x, 1);
  b.block = no;
  build_jump(&b, merge, &real, 1);
  b.block = merge;
  Value *chosen = add(block_add_param(merge, type_real(cx), NULL), real);
  build_next(&b, &chosen, 1);
  b.block = after;
  leave(block_add_param(after, type_real(cx), NULL));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  const real sum = sum i = 0 .. 9 {\n"
                    "    const real t = i2r(i)\n"
                    "    var real x_2 = t\n"
                    "    if ilt(i, 5) {\n"
                    "      x_2 = x\n"
                    "    }\n"
                    "    radd(x_2, t)\n"
                    "  }\n"
                    "  leave<active> sum\n"
                    "}\n");
}

/* A read of a global is not moved past a store to it. */
static void reads_stay_before_writes(void) {
  Value *x = open_update();
  Attr g = {.var = {0, WHOLE}};
  Value *before = build_typed(&b, OP_GLOBAL_LOAD, g, type_real(cx), NULL, 0);
  build_effect(&b, OP_GLOBAL_STORE, g, &x, 1);
  Value *after = build_typed(&b, OP_GLOBAL_LOAD, g, type_real(cx), NULL, 0);
  leave(build_op2(&b, OP_RSUB, before, after));
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  const real g = global_load<g>\n"
                    "  global_store<g>(x)\n"
                    "  leave<active> rsub(g, global_load<g>)\n"
                    "}\n");
}

/* The sum reads a global and waits for a product that is unused. */
static void unused_values_end_with_their_block(void) {
  Value *x = open_update();
  Attr g = {.var = {0, WHOLE}};
  Arms arms = branch(x, true);
  b = build_at_end(cx, arms.yes, SPAN_NONE);
  Value *read = build_typed(&b, OP_GLOBAL_LOAD, g, type_real(cx), NULL, 0);
  Value *again = build_typed(&b, OP_GLOBAL_LOAD, g, type_real(cx), NULL, 0);
  build_op2(&b, OP_RMUL, add(read, again), x);
  build_jump(&b, arms.merge, &read, 1);
  b = build_at_end(cx, arms.no, SPAN_NONE);
  build_jump(&b, arms.merge, &x, 1);
  Value *merged = block_add_param(arms.merge, type_real(cx), NULL);
  b = build_at_end(cx, arms.merge, SPAN_NONE);
  build_effect(&b, OP_GLOBAL_STORE, g, &x, 1);
  leave(merged);
  CHECK_STR(tree(), "s_update(x) {\n"
                    "  var real x_2 = x\n"
                    "  if rlt(x, 0) {\n"
                    "    const real g = global_load<g>\n"
                    "    x_2 = g\n"
                    "  }\n"
                    "  global_store<g>(x)\n"
                    "  leave<active> x_2\n"
                    "}\n");
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(a_single_use_nests_and_a_double_one_does_not);
  RUN(a_name_of_the_source_is_kept);
  RUN(an_unread_component_is_no_parameter);
  RUN(a_dead_variable_is_taken_over);
  RUN(a_live_variable_is_not);
  RUN(a_chain_of_branches_sets_one_variable);
  RUN(a_value_that_is_read_later_keeps_its_variable);
  RUN(an_arm_that_leaves_is_a_guard);
  RUN(an_empty_then_is_turned);
  RUN(a_value_that_the_body_needs_keeps_its_variable);
  RUN(two_rounds_of_a_loop_do_not_mix);
  RUN(a_reduction_assigns_only_its_own_variables);
  RUN(reads_stay_before_writes);
  RUN(unused_values_end_with_their_block);
  cx_free(cx);
  return test_result();
}
