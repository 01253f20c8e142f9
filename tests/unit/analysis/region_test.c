/* Region: the blocks of arms and bodies, how they end, and whether control leaves in them. */
#include "ir/analysis/region.h"

#include "tests/unit/test.h"

#include "tests/unit/core/ir_text.h"

/* b1 has a loop over b4, which contains a branch, and continues at b7; b2 leaves in one arm of a
 * branch, b10 in both. The blocks are listed in another order than they are visited in. */
static const char text[] =
    "ir low\nfunc user \"f\" -> int {\n"
    " b0(%0: int):\n  %1: bool = ilt %0, %0\n  branch %1, b1(), b2(), merge b3\n"
    " b3(%2: int):\n  branch %1, b10(), b11(), merge b12\n"
    " b1():\n  foreach %0, %0, b4(%0), b7()\n"
    " b4(%3: int, %4: int):\n  branch %1, b5(), b6(), merge b13\n"
    " b5():\n  jump b13()\n"
    " b6():\n  jump b13()\n"
    " b13():\n  next %4\n"
    " b7(%5: int):\n  jump b3(%5)\n"
    " b2():\n  branch %1, b8(), b9(), merge b14\n"
    " b8():\n  leave<return> %0\n"
    " b9():\n  jump b14()\n"
    " b14():\n  jump b3(%0)\n"
    " b10():\n  branch %1, b15(), b16()\n"
    " b15():\n  leave<return> %0\n"
    " b16():\n  leave<return> %2\n"
    " b11():\n  jump b12()\n"
    " b12():\n  leave<return> %0\n}\n";

typedef struct Row {
  uint32_t n_blocks, blocks[17]; /* in order */
  OpId end;
  bool leaves;
} Row;

static void regions_are_what_control_visits(void) {
  static const Row rows[] = {
      {17, {0, 1, 4, 5, 6, 13, 7, 2, 8, 9, 14, 3, 10, 15, 16, 11, 12}, OP_LEAVE, true},
      {6, {1, 4, 5, 6, 13, 7}, OP_JUMP, false},
      {4, {2, 8, 9, 14}, OP_JUMP, true},
      {4, {4, 5, 6, 13}, OP_NEXT, false},
      {1, {5}, OP_JUMP, false},
      {1, {8}, OP_LEAVE, true},
      {3, {10, 15, 16}, OP_BRANCH, true},
      {1, {11}, OP_JUMP, false},
  };
  Cx *cx = test_cx();
  const Func *fn = module_from_text(cx, text)->funcs.data[0];
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    Block *first = block_by_id(fn, rows[r].blocks[0]);
    const BlockVec blocks = region_blocks(cx->arena, first);
    CHECK_EQ(blocks.len, rows[r].n_blocks);
    for (uint32_t i = 0; i < rows[r].n_blocks && i < blocks.len; i++)
      CHECK_EQ(blocks.data[i]->id, rows[r].blocks[i]);
    CHECK_EQ(region_end(first)->op, rows[r].end);
    CHECK_EQ(region_leaves(first), rows[r].leaves);
  }
  cx_free(cx);
}

static void terminators_know_what_is_inside_and_behind(void) {
  static const struct {
    uint32_t block, n_inner;
    int rest, met; /* on every path; or -1 */
  } rows[] = {{0, 2, 3, -1},  {1, 1, 7, 7},    {2, 2, 14, -1},  {4, 2, 13, 13},
              {5, 0, -1, -1}, {10, 2, -1, -1}, {13, 0, -1, -1}, {8, 0, -1, -1}};
  Cx *cx = test_cx();
  const Func *fn = module_from_text(cx, text)->funcs.data[0];
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const Inst *last = block_terminator(block_by_id(fn, rows[r].block));
    const Block *rest = inst_rest(last), *met = region_meets_next(block_by_id(fn, rows[r].block));
    CHECK_EQ(inst_n_inner(last), rows[r].n_inner);
    CHECK_EQ(rest ? (int)rest->id : -1, rows[r].rest);
    CHECK_EQ(met ? (int)met->id : -1, rows[r].met);
  }
  CHECK_EQ(loop_find_next(block_terminator(block_by_id(fn, 1)))->block->id, 13);
  cx_free(cx);
}

int main(void) {
  RUN(regions_are_what_control_visits);
  RUN(terminators_know_what_is_inside_and_behind);
  return test_result();
}
