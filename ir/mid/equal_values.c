/* Equal values: equal values in different branches, which value numbering cannot merge because
 * neither sees the other. Only short chains of pure ops are followed: positions and the images they
 * belong to.
 */
#include "ir/mid/local.h"

enum { MAX_CHAIN = 6 };

static bool is_image_load(const Inst *inst) {
  return inst->op == OP_GLOBAL_LOAD && type_is(inst->results[0]->ty, TY_IMAGE);
}

/* Whether an instruction may be computed again elsewhere. Images never change once they are loaded,
 * so a load of one counts as pure. */
static bool can_repeat(const Inst *inst) {
  return inst->n_results == 1 && (op_effect(inst->op) == EFFECT_PURE || is_image_load(inst));
}

static bool same_attr(const Inst *a, const Inst *b) {
  switch (op_attr_kind(a->op)) {
  case ATTR_NONE: return true;
  case ATTR_BOOL: return a->attr.b == b->attr.b;
  case ATTR_INT: return a->attr.i == b->attr.i;
  case ATTR_VAR:
  case ATTR_STATE:
    return a->attr.var.index == b->attr.var.index && a->attr.var.component == b->attr.var.component;
  case ATTR_EIN: return ein_eq(a->attr.ein, b->attr.ein);
  default: return false; /* not worth following */
  }
}

static bool same_within(const Value *a, const Value *b, uint32_t depth) {
  if (a == b) return true;
  if (depth == 0 || !a->def || !b->def || a->ty != b->ty) return false;
  const Inst *x = a->def, *y = b->def;
  if (x->op != y->op || x->n_args != y->n_args || !can_repeat(x) || !same_attr(x, y)) return false;
  for (uint32_t i = 0; i < x->n_args; i++)
    if (!same_within(x->args[i], y->args[i], depth - 1)) return false;
  return true;
}

bool same_value(const Value *a, const Value *b) { return same_within(a, b, MAX_CHAIN); }

static bool is_seen_from(const Dom *dom, const Value *value, const Block *blk) {
  return dom_is_ancestor(dom, value->def ? value->def->block : value->block, blk);
}

static bool can_move_within(const Dom *dom, const Value *value, const Block *blk, uint32_t depth) {
  if (is_seen_from(dom, value, blk)) return true;
  if (depth == 0 || !value->def || !can_repeat(value->def)) return false;
  for (uint32_t i = 0; i < value->def->n_args; i++)
    if (!can_move_within(dom, value->def->args[i], blk, depth - 1)) return false;
  return true;
}

bool same_can_move(const Dom *dom, const Value *value, const Block *blk) {
  return can_move_within(dom, value, blk, MAX_CHAIN);
}

Value *same_move(const Dom *dom, Builder *b, Value *value) {
  if (is_seen_from(dom, value, b->block)) return value;
  const Inst *def = value->def;
  ValueVec args = {0};
  for (uint32_t i = 0; i < def->n_args; i++)
    vec_push(b->cx->arena, &args, same_move(dom, b, def->args[i]));
  Builder at = *b;
  at.span = def->span;
  Value *moved = build_typed(&at, def->op, def->attr, value->ty, args.data, args.len);
  moved->name = value->name;
  return moved;
}
