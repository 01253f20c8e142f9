/* share_probes: how many probe groups remain in programs, of which orders, and where. */
#include "ir/analysis/dom.h"
#include "ir/pass/pass.h"
#include "tests/unit/high/high_text.h"
#include "tests/unit/test.h"

#define BEFORE                                                                                     \
  "#version 2.0\n"                                                                                 \
  "input image(2)[] img;\n"                                                                        \
  "input image(2)[] img2;\n"                                                                       \
  "field#2(2)[] F = bspln3 ⊛ img;\n"                                                             \
  "field#2(2)[] B = bspln3 ⊛ clamp(img);\n"                                                      \
  "field#1(2)[] C = ctmr ⊛ img;\n"                                                               \
  "field#2(2)[] G = bspln3 ⊛ img2;\n"                                                            \
  "strand s (int i) {\n"                                                                           \
  "  output real r = 0;\n"                                                                         \
  "  vec2 p = [i, 0];\n"                                                                           \
  "  update {\n"
#define AFTER                                                                                      \
  "  }\n"                                                                                          \
  "}\n"                                                                                            \
  "create_array { s(i) | i in 0..9 }\n"

typedef struct Shared {
  Cx *cx;
  Func *fn; /* the update method */
  uint32_t n_before, n_groups;
  const Inst *group; /* the first */
  Dom *dom;
} Shared;

static void run_all(Cx *cx, Module *m, PassFn *pass, bool needs_dom) {
  for (uint32_t i = 0; i < m->funcs.len; i++) {
    Func *fn = m->funcs.data[i];
    Pass px = {.cx = cx, .module = m, .dom = needs_dom ? dom_new(cx->arena, fn) : NULL};
    pass(&px, fn);
  }
}

static uint32_t count_groups(const Func *fn, const Inst **first) {
  uint32_t n = 0;
  for (uint32_t i = fn->blocks.len; i-- > 0;)
    for (const Inst *inst = fn->blocks.data[i]->last; inst; inst = inst->prev) {
      if (inst->op != OP_PROBE_GROUP) continue;
      *first = inst;
      n++;
    }
  return n;
}

static Shared share(const char *statements) {
  Shared s = {.cx = cx_new()};
  types_init(s.cx);
  const char *text = text_format(s.cx->arena, "%s%s%s", BEFORE, statements, AFTER);
  Module *m = high_from_text(s.cx, text);
  run_all(s.cx, m, pass_differentiate, false);
  run_all(s.cx, m, pass_high_to_mid, false);
  m->level = LEVEL_MID;
  s.fn = module_find_func(m, FN_UPDATE);
  s.n_before = count_groups(s.fn, &s.group);
  run_all(s.cx, m, pass_share_probes, true);
  ir_verify(s.cx, m);
  s.n_groups = count_groups(s.fn, &s.group);
  if (!s.group) BUG(s.cx, "the program of the test probes nothing");
  s.dom = dom_new(s.cx->arena, s.fn);
  return s;
}

static void orders_at_one_position_are_one_group(void) {
  Shared s = share("vec2 g = ∇F(p); mat2 h = ∇⊗∇F(p); r = F(p) + |g| + h[0,1]; stabilize;");
  CHECK_EQ(s.n_before, 3);
  CHECK_EQ(s.n_groups, 1);
  CHECK_EQ(s.group->attr.group.orders, 7);
  CHECK_EQ(s.group->n_results, 3);
  CHECK_EQ(type_shape(s.group->results[0]->ty)->order, 0);
  CHECK_EQ(type_shape(s.group->results[2]->ty)->order, 2);
  cx_free(s.cx);
}

static void others_stay_apart(void) {
  Shared s = share("r = F(p) + B(p) + C(p) + G(p) + F(2*p); stabilize;");
  CHECK_EQ(s.n_before, 5);
  CHECK_EQ(s.n_groups, 5);
  cx_free(s.cx);
}

static void expressions_share_the_fields_in_them(void) {
  Shared s = share("r = F(p) + (F*G + F)(p) + |∇(F*F)(p)|; stabilize;");
  CHECK_EQ(s.n_groups, 2); /* F with its gradient, and G */
  cx_free(s.cx);
}

static void conditional_order_joins_the_group_above(void) {
  Shared s = share("r = F(p); if (r > 1) { r = |∇F(p)|; } p = 2*p;");
  CHECK_EQ(s.n_before, 2);
  CHECK_EQ(s.n_groups, 1);
  CHECK(s.group->block == s.fn->blocks.data[0]);
  CHECK_EQ(s.group->attr.group.orders, 3);
  cx_free(s.cx);
}

/* Probing the gradient, needed in a strand's last step, would slow down every other step. */
static void last_step_stays_apart(void) {
  Shared s = share("r = F(p); if (r > 1) { r = |∇F(p)|; stabilize; } p = 2*p;");
  CHECK_EQ(s.n_groups, 2);
  CHECK_EQ(s.group->attr.group.orders, 1);
  cx_free(s.cx);
}

static void both_arms_share_above_the_branch(void) {
  Shared s = share("if (i > 1) { r = F(p); } else { r = |∇F(p)|; } p = 2*p;");
  CHECK_EQ(s.n_groups, 1);
  CHECK(s.group->block == s.fn->blocks.data[0]);
  cx_free(s.cx);
}

static void one_arm_and_what_follows_share(void) {
  Shared s = share("if (i > 1) { r = F(p); } r += |∇F(p)|; p = 2*p;");
  CHECK_EQ(s.n_groups, 1);
  CHECK(s.group->block == s.fn->blocks.data[0]);
  cx_free(s.cx);
}

/* No arm's probe is needed on every path. */
static void distant_arms_stay_apart(void) {
  Shared s = share("if (i > 1) { r = F(p); } if (i > 2) { r += |∇F(p)|; } p = 2*p;");
  CHECK_EQ(s.n_groups, 2);
  cx_free(s.cx);
}

static void positions_made_in_the_arms_stay_there(void) {
  Shared s = share("if (i > 1) { p = F(p)*p; r = F(p); } else { p = F(p)*p; r = G(p); }");
  CHECK_EQ(s.n_before, 4);
  CHECK_EQ(s.n_groups, 3);
  cx_free(s.cx);
}

static void loop_bodies_share_within(void) {
  Shared s = share("foreach (int j in 0..3) { vec2 q = p*j; r += F(q); r += |∇F(q)|; } p = 2*p;");
  CHECK_EQ(s.n_groups, 1);
  CHECK(s.group->block != s.fn->blocks.data[0]);
  cx_free(s.cx);
}

int main(void) {
  RUN(orders_at_one_position_are_one_group);
  RUN(others_stay_apart);
  RUN(expressions_share_the_fields_in_them);
  RUN(conditional_order_joins_the_group_above);
  RUN(last_step_stays_apart);
  RUN(both_arms_share_above_the_branch);
  RUN(one_arm_and_what_follows_share);
  RUN(distant_arms_stay_apart);
  RUN(positions_made_in_the_arms_stay_there);
  RUN(loop_bodies_share_within);
  return test_result();
}
