/* samples: samplings for the whole grid of strands, read in lanes. */
#include "backend-c/lanes/strands.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

CExpr *lane_sampling_value(Lanes *lanes, const TreeExpr *expr, const char *fn) {
  Gen *gen = lanes->gen;
  CExprVec args = gen_sample_args(gen, expr);
  c_push(gen->cx, &args, name(gen, "gang"));
  c_push(gen->cx, &args, name(gen, "first_slot"));
  return c_call(gen->cx, fn, args);
}

/* A value of a sampling for one lane, whose slot the gang has. */
CExpr *lane_probe(Gen *gen, const TreeExpr *expr) {
  if (expr->op == OP_SAMPLING_IS_MADE) return gen_is_sampled(gen, expr);
  CExpr *slots = c_arrow(gen->cx, name(gen, "gang"), "slot");
  return gen_sample_at(gen, expr, c_index(gen->cx, slots, name(gen, "lane")));
}

void lanes_open_samples(Lanes *lanes) {
  Gen *gen = lanes->gen;
  if (!(lanes_needs(lanes) & NEED_SAMPLES)) return;
  CExpr *row = c_call1(gen->cx, "ddr_gang_row", name(gen, "gang"));
  em_declare_const(&gen->em, "int64_t", "first_slot", row);
  em_unused(&gen->em, "first_slot"); /* where lanes take their values one by one */
}
