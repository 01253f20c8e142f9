/* Editing: use lists, parameters, successors and loops stay correct under every operation; the
 * builder derives types from signatures. */
#include "ir/core/ir.h"

#include <string.h>

#include "ir/core/build.h"
#include "ir/ein/ein.h"
#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

static const Span somewhere = {0, 1};

static uint32_t count_uses(const Value *value) {
  uint32_t n = 0;
  for (const Use *use = value->uses; use; use = use->next) {
    CHECK(use->user->args[use->arg] == value);
    n++;
  }
  return n;
}

/* A user function over an int, with its entry. */
static Func *new_func(Cx *cx, Level level) {
  Func *fn = func_new(module_new(cx, level), FN_USER, name_from(cx->names, "f"), somewhere);
  fn->result = type_int(cx);
  block_add_param(block_new(fn), type_int(cx), NULL);
  return fn;
}

static void uses_follow_operands(void) {
  Cx *cx = test_cx();
  Func *fn = new_func(cx, LEVEL_LOW);
  Builder b = build_at_end(cx, fn->blocks.data[0], somewhere);
  Value *x = fn->blocks.data[0]->params.data[0], *one = build_int(&b, 1);
  Value *sum = build_op2(&b, OP_IADD, x, x), *more = build_op2(&b, OP_IADD, sum, one);
  build_leave(&b, EXIT_RETURN, &more, 1);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  CHECK_EQ(count_uses(x), 2);
  inst_set_arg(sum->def, 0, one);
  CHECK_EQ(count_uses(x), 1);
  CHECK_EQ(count_uses(one), 2);
  sum->name = name_from(cx->names, "sum");
  value_replace_uses(sum, x);
  CHECK_EQ(count_uses(x), 2);
  CHECK(!value_is_used(sum) && value_is_used(one));
  CHECK_STR(x->name->text, "sum");
  inst_remove(sum->def);
  CHECK_EQ(count_uses(x), 1);
  CHECK_EQ(count_uses(one), 1);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

static void instructions_go_where_they_are_put(void) {
  Cx *cx = test_cx();
  Func *fn = new_func(cx, LEVEL_LOW);
  Block *blk = fn->blocks.data[0];
  Builder end = build_at_end(cx, blk, somewhere);
  Value *last = build_int(&end, 3);
  Builder before = build_before(cx, last->def);
  Value *first = build_int(&before, 1), *second = build_int(&before, 2);
  CHECK(blk->first == first->def && first->def->next == second->def && blk->last == last->def);
  inst_remove(second->def);
  CHECK(first->def->next == last->def && last->def->prev == first->def);
  inst_remove(first->def);
  inst_remove(last->def);
  CHECK(blk->first == NULL && blk->last == NULL);
  cx_free(cx);
}

static void operands_can_be_added(void) {
  Cx *cx = test_cx();
  Func *fn = new_func(cx, LEVEL_LOW);
  Value *x = fn->blocks.data[0]->params.data[0];
  Builder b = build_at_end(cx, fn->blocks.data[0], somewhere);
  Value *y = build_int(&b, 7);
  Inst *print = build_inst(&b, OP_PRINT, ATTR_EMPTY, &x, 1);
  inst_add_arg(print, y);
  inst_add_arg(print, x);
  CHECK_EQ(print->n_args, 3);
  CHECK(print->args[0] == x && print->args[1] == y && print->args[2] == x);
  CHECK_EQ(count_uses(x), 2);
  CHECK_EQ(y->uses->arg, 1);
  cx_free(cx);
}

static const char branching[] =
    "ir low\nfunc user \"f\" -> int {\n"
    " b0(%0: int, %1: bool):\n  branch %1, b1(), b2(), merge b3\n"
    " b1():\n  jump b3(%0, %0)\n b2():\n  %5: int = ineg %0\n  jump b3(%5, %0)\n"
    " b3(%2: int, %3: int):\n  leave<return> %3\n}\n";

static void jumps_drop_what_parameters_lose(void) {
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, branching)->funcs.data[0];
  Block *merge = fn->blocks.data[3];
  block_remove_param(merge, 0);
  CHECK_EQ(merge->params.len, 1);
  CHECK_EQ(merge->params.data[0]->index, 0);
  for (uint32_t i = 1; i < 3; i++) CHECK_EQ(fn->blocks.data[i]->last->n_args, 1);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

static void blocks_are_spliced_and_removed(void) {
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, branching)->funcs.data[0];
  Block *entry = fn->blocks.data[0], *arm = fn->blocks.data[2], *merge = fn->blocks.data[3];
  value_replace_uses(merge->params.data[1], entry->params.data[0]);
  inst_remove(entry->last);
  inst_remove(arm->last);
  block_splice(arm, merge);
  block_splice(entry, arm);
  CHECK(entry->first->op == OP_INEG && entry->last->op == OP_LEAVE);
  CHECK(entry->first->block == entry && entry->last->block == entry && !arm->first);
  bool dead[] = {false, true, true, true};
  func_remove_blocks(fn, dead);
  CHECK_EQ(fn->blocks.len, 1);
  CHECK_EQ(count_uses(entry->params.data[0]), 2);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

static void loops_lose_a_carried_value_as_a_whole(void) {
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, "ir low\nfunc user \"f\" -> int {\n"
                                  " b0(%0: int):\n  foreach %0, %0, b1(%0, %0), b2()\n"
                                  " b1(%1: int, %2: int, %3: int):\n  next %2, %3\n"
                                  " b2(%4: int, %5: int):\n  leave<return> %5\n}\n")
                 ->funcs.data[0];
  Inst *loop = fn->blocks.data[0]->last, *next = loop_find_next(loop);
  CHECK_EQ(loop_n_carried(loop), 2);
  CHECK_EQ(inst_n_own_args(loop), 2);
  CHECK(next == fn->blocks.data[1]->last && inst_is_loop(loop) && !inst_is_loop(next));
  loop_remove_carried(loop, next, 0);
  CHECK_EQ(loop_n_carried(loop), 1);
  CHECK_EQ(fn->blocks.data[1]->params.len, 2);
  CHECK_EQ(fn->blocks.data[2]->params.data[0]->index, 0);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

static void functions_are_found_and_removed(void) {
  Cx *cx = test_cx();
  Module *m = module_new(cx, LEVEL_MID);
  Func *globals = func_new(m, FN_GLOBALS, NULL, somewhere);
  Func *update = func_new(m, FN_UPDATE, NULL, somewhere);
  CHECK(module_find_func(m, FN_UPDATE) == update && !module_find_func(m, FN_START));
  module_remove_func(m, globals);
  CHECK(m->funcs.len == 1 && m->funcs.data[0] == update);
  cx_free(cx);
}

static void the_builder_derives_types(void) {
  Cx *cx = test_cx();
  Func *fn = new_func(cx, LEVEL_HIGH);
  Builder b = build_at_end(cx, fn->blocks.data[0], somewhere);
  Value *half = build_real(&b, 0.5), *pos;
  Value *parts[] = {half, half, half};
  pos = build_op(&b, OP_CONS, ATTR_EMPTY, parts, 3);
  CHECK(pos->ty == type_vec(cx, 3));
  Value *coord = build_typed(&b, OP_COORD, ATTR_EMPTY,
                             type_field(cx, 4, 3, *type_shape(type_vec(cx, 3))), NULL, 0);
  CHECK(build_op1(&b, OP_DERIV, coord)->ty ==
        type_field(cx, 3, 3, shape_of(2, (uint32_t[]){3, 3})));
  CHECK(build_op2(&b, OP_PROBE, coord, pos)->ty == type_vec(cx, 3));
  const char *text = "<sum(i:3) $0[i] * $1[i]>", *error;
  const Ein *dot = ein_parse(cx, &text, &error);
  Value *tensors[] = {pos, pos}, *mixed[] = {pos, coord};
  CHECK(type_is_real(build_ein(&b, dot, tensors, 2)->ty));
  CHECK(build_ein(&b, dot, mixed, 2)->ty == type_field(cx, 4, 3, (Shape){0}));
  build_leave(&b, EXIT_RETURN, &fn->blocks.data[0]->params.data[0], 1);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

static void control_flow_is_built_as_verified(void) {
  Cx *cx = test_cx();
  Func *fn = new_func(cx, LEVEL_MID);
  Value *x = fn->blocks.data[0]->params.data[0];
  Block *body = block_new(fn), *after = block_new(fn), *yes = block_new(fn), *no = block_new(fn);
  Block *merge = block_new(fn);
  Builder b = build_at_end(cx, fn->blocks.data[0], somewhere);
  Value *index = block_add_param(body, type_int(cx), NULL);
  Value *carried = block_add_param(body, type_int(cx), NULL);
  Value *result = block_add_param(after, type_int(cx), NULL);
  Value *met = block_add_param(merge, type_int(cx), NULL);
  build_foreach(&b, x, x, body, after, &x, 1);
  b.block = body;
  Value *sum = build_op2(&b, OP_IADD, index, carried);
  build_next(&b, &sum, 1);
  b.block = after;
  build_branch(&b, build_op2(&b, OP_ILT, x, result), yes, no, merge);
  b.block = yes;
  build_jump(&b, merge, &x, 1);
  b.block = no;
  build_leave(&b, EXIT_RETURN, &result, 1);
  b.block = merge;
  build_leave(&b, EXIT_RETURN, &met, 1);
  CHECK_STR(ir_check(cx, fn->module), NULL);
  cx_free(cx);
}

int main(void) {
  RUN(uses_follow_operands);
  RUN(instructions_go_where_they_are_put);
  RUN(operands_can_be_added);
  RUN(jumps_drop_what_parameters_lose);
  RUN(blocks_are_spliced_and_removed);
  RUN(loops_lose_a_carried_value_as_a_whole);
  RUN(functions_are_found_and_removed);
  RUN(the_builder_derives_types);
  RUN(control_flow_is_built_as_verified);
  return test_result();
}
