/* contract: fuses a product with the only sum or difference that uses it, to fused multiply-add.
 *
 *   %p = rmul %a, %b
 *   %s = radd %c, %p      =>      %s = rfma %a, %b, %c
 *   %t = rsub %c, %q      =>      %t = rfma (-%x), %y, %c      where %q = rmul %x, %y
 *
 * Level low, the last pass: so the same products are fused for every target and in lanes. It only
 * runs with --contract. Needs nothing. Keeps dom. Of two products the second is fused, as in sums
 * that the compiler makes. Negation is exact; unused products are left to dce. Cost linear in
 * instructions. Next: runtime/include/ddr/fma.h.
 */
#include "ir/core/build.h"
#include "ir/pass/pass.h"

static const Inst *only_product(const Value *value) {
  const bool is_used_once = value->uses && !value->uses->next;
  return value->def && inst_is_op(value->def, OP_RMUL) && is_used_once ? value->def : NULL;
}

static bool is_literal(const Value *value) {
  return value->def && inst_is_op(value->def, OP_CONST_REAL);
}

static Value *negated(Builder *b, Value *value) {
  if (is_literal(value))
    return build_real(b, -attr_value(OP_CONST_REAL, value->def->attr, eval_mode(b->cx)).real);
  if (value->def && inst_is_op(value->def, OP_RNEG)) return value->def->args[0];
  return build_op1(b, OP_RNEG, value);
}

/* The fused operation for a sum, or NULL if there is no product to fuse. */
static Value *fused(Builder *b, const Inst *sum) {
  const Inst *right = only_product(sum->args[1]);
  const Inst *product = right ? right : only_product(sum->args[0]);
  if (!product) return NULL;
  Value *args[3] = {product->args[0], product->args[1], sum->args[right ? 0 : 1]};
  const uint32_t subtracted = !right ? 2 : is_literal(args[1]) ? 1 : 0;
  if (inst_is_op(sum, OP_RSUB)) args[subtracted] = negated(b, args[subtracted]);
  return build_op(b, OP_RFMA, ATTR_EMPTY, args, 3);
}

static bool contract(Pass *px, Inst *sum) {
  Builder b = build_before(px->cx, sum);
  Value *with = fused(&b, sum);
  if (!with) return false;
  Value *operands[2] = {sum->args[0], sum->args[1]};
  value_replace_uses(sum->results[0], with);
  inst_remove(sum);
  for (uint32_t i = 0; i < 2; i++)
    if (!value_is_used(operands[i]) && operands[i]->def) inst_remove(operands[i]->def);
  return true;
}

bool pass_contract(Pass *px, Func *fn) {
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (Inst *inst = fn->blocks.data[i]->first, *next; inst; inst = next) {
      next = inst->next;
      if (inst_is_op(inst, OP_RADD) || inst_is_op(inst, OP_RSUB)) has_changed |= contract(px, inst);
    }
  return has_changed;
}
