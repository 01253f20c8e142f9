/* simplify: applies the rewrite rules of simplify.def, folds constants, and replaces block
 * parameters that can only have one value.
 *
 *   %b = rmul %a, 1.0                    =>   (uses of %b read %a)
 *   %c = iadd 2, 3                       =>   %c = const_int<5>
 *   jump b3(%x) ... jump b3(%x), b3(%p)  =>   (uses of %p read %x)
 *
 * Any level.  Needs dom.  Keeps dom.  Replaced instructions stay, unused, for dce. Definitions are
 * visited before uses, so one walk suffices, except for values carried around loops. Reals are
 * folded in the precision of the program, and only to finite values. Next: rules.c, simplify_seq.c,
 * op_eval.c.
 */
#include <math.h>

#include "ir/analysis/dom.h"
#include "ir/pass/local.h"

typedef struct Simplifier {
  Pass *px;
  Arena *scratch;
  EvalMode mode;
  RuleVec rules;
  Value *bound[26]; /* by letter, of the rule being matched */
  bool has_changed;
} Simplifier;

/* ---- constants ------------------------------------------------------------------------------- */

static OpValue constant_of(const Simplifier *s, const Value *value) {
  const Inst *def = value->def;
  if (!def || def->n_args > 0 || op_effect(def->op) != EFFECT_PURE)
    return (OpValue){.kind = OV_NONE};
  return attr_value(def->op, def->attr, s->mode);
}

/* The constant as an instruction; NULL if the value has no literal. */
static Value *build_constant(Builder *b, OpValue value) {
  switch (value.kind) {
  case OV_BOOL: return build_bool(b, value.b);
  case OV_INT: return build_int(b, value.i);
  case OV_REAL: return isfinite(value.real) ? build_real(b, value.real) : NULL;
  case OV_NONE:
  case OV_STRING: return NULL;
  }
  return NULL;
}

static Value *fold(Simplifier *s, Inst *inst) {
  OpValue args[3];
  if (inst->n_args == 0 || inst->n_args > 3 || op_effect(inst->op) != EFFECT_PURE) return NULL;
  for (uint32_t i = 0; i < inst->n_args; i++) {
    args[i] = constant_of(s, inst->args[i]);
    if (args[i].kind == OV_NONE) return NULL;
  }
  Builder b = build_before(s->px->cx, inst);
  return build_constant(&b, op_eval(inst->op, args, s->mode));
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool matches(Simplifier *s, const RulePattern *pattern, Value *value) {
  if (pattern->kind == RP_VALUE) {
    Value **bound = &s->bound[pattern->letter - 'a'];
    if (!*bound) *bound = value;
    return *bound == value;
  }
  if (pattern->kind == RP_CONSTANT)
    return op_value_is_same(constant_of(s, value), pattern->constant);
  const Inst *def = value->def;
  if (!def || def->op != pattern->op || def->n_args != pattern->n_args) return false;
  for (uint32_t i = 0; i < pattern->n_args; i++)
    if (!matches(s, pattern->args[i], def->args[i])) return false;
  return true;
}

static bool is_legal(const Simplifier *s, const RulePattern *pattern) {
  if (pattern->kind != RP_OP) return true;
  if (!(op_levels(pattern->op) & (uint32_t)s->px->module->level)) return false;
  for (uint32_t i = 0; i < pattern->n_args; i++)
    if (!is_legal(s, pattern->args[i])) return false;
  return true;
}

static Value *build_replacement(Simplifier *s, Builder *b, const RulePattern *pattern) {
  if (pattern->kind == RP_VALUE) return s->bound[pattern->letter - 'a'];
  if (pattern->kind == RP_CONSTANT) return build_constant(b, pattern->constant);
  Value *args[3];
  for (uint32_t i = 0; i < pattern->n_args; i++)
    args[i] = build_replacement(s, b, pattern->args[i]);
  return build_op(b, pattern->op, ATTR_EMPTY, args, pattern->n_args);
}

static Value *apply_rules(Simplifier *s, Inst *inst) {
  for (uint32_t i = 0; i < s->rules.len; i++) {
    const Rule *rule = &s->rules.data[i];
    if (rule->from->op != inst->op || rule->kind == RULE_FAST) continue;
    for (uint32_t letter = 0; letter < 26; letter++) s->bound[letter] = NULL;
    if (!matches(s, rule->from, inst->results[0]) || !is_legal(s, rule->to)) continue;
    Builder b = build_before(s->px->cx, inst);
    return build_replacement(s, &b, rule->to);
  }
  return NULL;
}

/* ---- instructions and block parameters ------------------------------------------------------- */

/* Simplifies an instruction. New instructions are put in front of it, and are simplified, too. */
static void simplify_inst(Simplifier *s, Inst *inst) {
  while (inst && inst->n_results == 1 && value_is_used(inst->results[0])) {
    Value *with = fold(s, inst);
    if (!with) with = apply_rules(s, inst);
    Builder b = build_before(s->px->cx, inst);
    if (!with) with = simplify_seq(&b, inst);
    if (!with) return;
    value_replace_uses(inst->results[0], with);
    s->has_changed = true;
    inst = with->def;
  }
}

static bool same_constant(const Simplifier *s, const Value *a, const Value *b) {
  OpValue left = constant_of(s, a), right = constant_of(s, b);
  return left.kind != OV_NONE && a->ty == b->ty && op_value_is_same(left, right) &&
         a->def->op == b->def->op;
}

static void replace_param(Simplifier *s, Value *param, Value *with) {
  if (!value_is_used(param)) return;
  value_replace_uses(param, with);
  s->has_changed = true;
}

/* Replaces a parameter of the merge block if all arms pass the same value; a constant is made again
 * there. */
static void simplify_merge(Simplifier *s, Inst *branch) {
  Block *merge = branch->merge;
  InstVec jumps = dom_jumps_to(s->px->dom, s->scratch, merge);
  for (uint32_t i = 0; i < merge->params.len; i++) {
    Value *passed = jumps.data[0]->args[i];
    bool is_same = true, is_equal = true;
    for (uint32_t k = 1; k < jumps.len; k++) {
      is_same &= jumps.data[k]->args[i] == passed;
      is_equal &= same_constant(s, jumps.data[k]->args[i], passed);
    }
    if (is_same && dom_is_visible(s->px->dom, passed, branch)) {
      replace_param(s, merge->params.data[i], passed);
    } else if (is_equal && constant_of(s, passed).kind != OV_NONE &&
               value_is_used(merge->params.data[i])) {
      Builder b = build_before(s->px->cx, merge->first);
      b.span = passed->def->span;
      replace_param(s, merge->params.data[i],
                    build_typed(&b, passed->def->op, passed->def->attr, passed->ty, NULL, 0));
    }
  }
}

/* Replaces a carried value that no round changes by its initial value. */
static void simplify_loop(Simplifier *s, Inst *loop) {
  Block *body = loop->succs[0].block, *after = loop->succs[1].block;
  const Inst *next = loop_find_next(loop);
  for (uint32_t i = 0; i < loop_n_carried(loop); i++) {
    Value *initial = loop->args[loop->succs[0].first_arg + i], *param = body->params.data[1 + i];
    if (next && next->args[i] != param && next->args[i] != initial) continue;
    replace_param(s, param, initial);
    replace_param(s, after->params.data[i], initial);
  }
}

bool pass_simplify(Pass *px, Func *fn) {
  (void)fn; /* px->dom lists its blocks */
  Simplifier s = {.px = px, .scratch = px->cx->scratch, .mode = eval_mode(px->cx)};
  s.rules = rules_read(px->cx, s.scratch);
  for (uint32_t i = 0; i < px->dom->order.len; i++) {
    Block *blk = px->dom->order.data[i];
    for (Inst *inst = blk->first, *next; inst; inst = next) {
      next = inst->next;
      simplify_inst(&s, inst);
    }
  }
  for (uint32_t i = 0; i < px->dom->order.len; i++) {
    Inst *last = block_terminator(px->dom->order.data[i]);
    if (last->merge) simplify_merge(&s, last);
    if (inst_is_loop(last)) simplify_loop(&s, last);
  }
  return s.has_changed;
}
