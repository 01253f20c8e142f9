/* Dom: the tree of blocks and what is visible where. */
#include "ir/analysis/dom.h"

#include <string.h>

#include "ir/analysis/effects.h"
#include "tests/unit/test.h"

#include "tests/unit/core/ir_text.h"

/* b0 branches to b1 and b2, which meet in b3; b3 loops over b4, then b5. */
static const char text[] = "ir low\nglobal \"g\": int @0-1\nfunc user \"f\" -> int {\n"
                           " b0(%0: int):\n  %1: int = ineg %0\n  %2: bool = ilt %0, %1\n"
                           "  branch %2, b1(), b2(), merge b3\n"
                           " b2():\n  %3: int = ineg %1\n  jump b3(%3)\n"
                           " b1():\n  jump b3(%0)\n"
                           " b3(%4: int):\n  foreach %0, %4, b4(%4), b5()\n"
                           " b4(%5: int, %6: int):\n  %7: int = iadd %5, %6\n  next %7\n"
                           " b5(%8: int):\n  leave<return> %8\n}\n";

static void blocks_form_a_tree(void) {
  static const int parents[] = {-1, 0, 0, 0, 3, 3};
  static const uint32_t order[] = {0, 1, 2, 3, 4, 5};
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, text)->funcs.data[0];
  Dom *dom = dom_new(cx->arena, fn);
  CHECK_EQ(dom->order.len, 6);
  for (uint32_t i = 0; i < 6; i++) {
    const Block *parent = dom_parent(dom, block_by_id(fn, i));
    CHECK_EQ(parent ? (int)parent->id : -1, parents[i]);
    CHECK_EQ(dom->order.data[i]->id, order[i]);
    for (uint32_t k = 0; k < 6; k++) {
      bool is_above = false;
      for (int at = (int)k; at >= 0; at = parents[at]) is_above |= at == (int)i;
      CHECK_EQ(dom_is_ancestor(dom, block_by_id(fn, i), block_by_id(fn, k)), is_above);
    }
  }
  cx_free(cx);
}

static void visibility_follows_the_tree(void) {
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, text)->funcs.data[0];
  Dom *dom = dom_new(cx->arena, fn);
  Inst *neg = block_by_id(fn, 0)->first, *arm = block_by_id(fn, 2)->first,
       *loop = block_by_id(fn, 3)->last;
  CHECK(dom_is_visible(dom, block_by_id(fn, 0)->params.data[0], neg));
  CHECK(!dom_is_visible(dom, neg->results[0], neg));
  CHECK(dom_is_visible(dom, neg->results[0], neg->next));
  CHECK(!dom_is_visible(dom, neg->next->results[0], neg));
  CHECK(dom_is_visible(dom, neg->results[0], loop));
  CHECK(!dom_is_visible(dom, arm->results[0], loop));
  CHECK(dom_is_visible(dom, arm->results[0], arm->next));
  CHECK(!dom_is_visible(dom, block_by_id(fn, 4)->params.data[0], block_by_id(fn, 5)->last));
  CHECK_EQ(dom_jumps_to(dom, cx->arena, block_by_id(fn, 3)).len, 2);
  CHECK_EQ(dom_jumps_to(dom, cx->arena, block_by_id(fn, 4)).len, 0);
  cx_free(cx);
}

/* Exchanging arms keeps the nesting; adding, removing or moving a block changes it. */
static void nestings_are_compared(void) {
  Cx *cx = test_cx();
  Func *fn = module_from_text(cx, text)->funcs.data[0];
  const Dom *dom = dom_new(cx->arena, fn);
  Inst *branch = block_by_id(fn, 0)->last, *loop = block_by_id(fn, 3)->last;
  CHECK(dom_is_like(dom, dom_new(cx->arena, fn)));

  const Succ arm = branch->succs[0];
  branch->succs[0] = branch->succs[1];
  branch->succs[1] = arm;
  CHECK(dom_is_like(dom, dom_new(cx->arena, fn)));

  const Succ after = loop->succs[1];
  loop->n_succs = 1; /* without b5 */
  CHECK(!dom_is_like(dom, dom_new(cx->arena, fn)));
  CHECK(!dom_is_like(dom_new(cx->arena, fn), dom));
  loop->n_succs = 2;

  Block *more = block_new(fn); /* instead of b5 */
  inst_append(more, inst_new(fn, OP_NEXT, ATTR_EMPTY, fn->span, NULL, 0));
  loop->succs[1].block = more;
  CHECK(!dom_is_like(dom, dom_new(cx->arena, fn)));
  loop->succs[1] = after;
  CHECK(dom_is_like(dom, dom_new(cx->arena, fn)));
  cx_free(cx);
}

static void effects_follow_the_table(void) {
  Cx *cx = test_cx();
  Module *m = module_from_text(cx, "ir low\nglobal \"g\": int @0-1\nfunc globals {\n b0():\n"
                                   "  %0: int = global_load<0>\n  global_store<0> %0\n"
                                   "  %1: int = ineg %0\n  print %1\n  leave<return>\n}\n");
  Inst *load = m->funcs.data[0]->blocks.data[0]->first;
  Inst *store = load->next, *neg = store->next, *print = neg->next;
  CHECK(effects_can_drop(load) && effects_can_drop(neg));
  CHECK(!effects_can_drop(store) && !effects_can_drop(print) && !effects_can_drop(print->next));
  CHECK(effects_can_merge(neg, false) && effects_can_merge(load, true));
  CHECK(!effects_can_merge(load, false) && !effects_can_merge(print, true));
  CHECK(!effects_is_read_only(m->funcs.data[0]));
  inst_remove(store);
  CHECK(effects_is_read_only(m->funcs.data[0]));
  cx_free(cx);
}

int main(void) {
  RUN(blocks_form_a_tree);
  RUN(visibility_follows_the_tree);
  RUN(nestings_are_compared);
  RUN(effects_follow_the_table);
  return test_result();
}
