/* Spread: how the value of an instruction depends on the indices of a strand in a grid. The
 * analysis finds sums of terms, each of which depends on at most one index, such as affine
 * functions of the indices. It follows values through the functions that make a strand: from
 * indices to parameters, to the state, and into methods.
 */
#include "ir/mid/grid_dependence.h"

#include "frontend/base/map.h"
#include "ir/ein/ein.h"
#include "ir/mid/local.h"

struct Spreads {
  Cx *cx;
  const Module *m;
  const bool *assigned; /* by global: not only by FN_GLOBALS */
  Map *known;           /* Value to Spread */
};

static const Spread unknown = {.is_sum = false};

static Spread sum_over(uint64_t indices) { return (Spread){.is_sum = true, .indices = indices}; }

static bool is_of_one(uint64_t indices) { return (indices & (indices - 1)) == 0; }

/* ---- Einstein expressions -------------------------------------------------------------------- */

static Spread join(Spread a, Spread b) {
  return a.is_sum && b.is_sum ? sum_over(a.indices | b.indices) : unknown;
}

/* The spread of a product, quotient or function of terms: a sum only if it depends on one index at
 * most. */
static Spread mix(Spread a, Spread b) {
  const Spread both = join(a, b);
  return both.is_sum && is_of_one(both.indices) ? both : unknown;
}

static bool is_same_for_all(Spread spread) { return spread.is_sum && spread.indices == 0; }

static Spread product(Spread a, Spread b) {
  if (is_same_for_all(a)) return b;
  return is_same_for_all(b) ? a : mix(a, b);
}

static Spread spread_of_expr(const EinExpr *expr, const Spread *params) {
  Spread args[EIN_MAX_ARGS] = {sum_over(0), sum_over(0), sum_over(0)};
  if (expr->kind == EIN_PARAM) return params[expr->param];
  for (uint32_t i = 0; i < expr->n_args; i++) args[i] = spread_of_expr(expr->args[i], params);
  const Spread mixed = mix(mix(args[0], args[1]), args[2]);
  switch (expr->kind) {
  case EIN_NUM:
  case EIN_DELTA:
  case EIN_EPS: return sum_over(0);
  case EIN_PARAM:
  case EIN_SUM:
  case EIN_NEG: return args[0];
  case EIN_ADD:
  case EIN_SUB: return join(args[0], args[1]);
  case EIN_MUL: return product(args[0], args[1]);
  case EIN_DIV: return is_same_for_all(args[1]) ? args[0] : mixed;
  case EIN_POW:
  case EIN_FN: return mixed;
  }
  return unknown;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_value(const Type *ty) {
  return type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_TENSOR) ||
         type_is(ty, TY_IMAGE);
}

/* The spread of ops that are linear in their operands, or in all but a constant factor. */
static Spread spread_of_linear(const Inst *inst, const Spread *args, Spread mixed) {
  switch (inst->op) {
  case OP_EIN: return spread_of_expr(inst->attr.ein->body, args);
  case OP_I2R:
  case OP_INEG: return args[0];
  case OP_IADD:
  case OP_ISUB: return join(args[0], args[1]);
  case OP_IMUL: return product(args[0], args[1]);
  case OP_TO_INDEX: return join(args[0], args[1]); /* one image */
  default: return mixed;                           /* no rule */
  }
}

static Spread spread_of_inst(Spreads *spreads, const Inst *inst) {
  if (inst->n_results != 1 || !is_value(inst->results[0]->ty)) return unknown;
  if (inst->op == OP_GLOBAL_LOAD)
    return spreads->assigned[inst->attr.var.index] ? unknown : sum_over(0);
  if (op_effect(inst->op) != EFFECT_PURE || inst->op == OP_PROBE_GROUP) return unknown;
  Spread *args = NEWN(spreads->cx->scratch, Spread, inst->n_args + 1);
  Spread joined = sum_over(0), mixed = sum_over(0);
  for (uint32_t i = 0; i < inst->n_args; i++) {
    args[i] = spread_of(spreads, inst->args[i]);
    joined = join(joined, args[i]);
    mixed = mix(mixed, args[i]);
  }
  return inst->op == OP_CONS ? joined : spread_of_linear(inst, args, mixed);
}

/* ---- from function to function --------------------------------------------------------------- */

/* Whether a method leaves a state variable unchanged for every strand that continues after it. */
static bool keeps(const Func *fn, uint32_t var) {
  for (uint32_t i = 0; fn && i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    const bool goes_on = inst_is_op(last, OP_LEAVE) && last->attr.exit == EXIT_ACTIVE;
    if (goes_on && last->args[var] != fn->blocks.data[0]->params.data[var]) return false;
  }
  return true;
}

const Value *spread_source(const Module *m, const Value *param) {
  const Func *fn = param->block ? param->block->fn : NULL;
  if (!fn || param->block != fn->blocks.data[0]) return NULL;
  const Func *before = module_find_func(m, FN_ARGS);
  if (fn->kind == FN_START || fn->kind == FN_UPDATE) before = module_find_func(m, FN_CREATE);
  else if (fn->kind != FN_CREATE) return NULL;
  const bool is_kept =
      fn->kind != FN_UPDATE ||
      (keeps(module_find_func(m, FN_START), param->index) && keeps(fn, param->index));
  const Inst *leave = before ? flow_only_leave(before) : NULL;
  return is_kept && leave ? leave->args[param->index] : NULL;
}

static Spread spread_of_param(Spreads *spreads, const Value *param) {
  const Func *fn = param->block->fn;
  const bool is_index = fn->kind == FN_ARGS && param->block == fn->blocks.data[0];
  if (is_index) return param->index < 64 ? sum_over((uint64_t)1 << param->index) : unknown;
  const Value *source = spread_source(spreads->m, param);
  return source ? spread_of(spreads, source) : unknown;
}

Spread spread_of(Spreads *spreads, const Value *value) {
  const Spread *known = map_get(spreads->known, value);
  if (known) return *known;
  Spread *spread = NEW(spreads->cx->scratch, Spread);
  *spread = value->def ? spread_of_inst(spreads, value->def) : spread_of_param(spreads, value);
  map_put(spreads->known, value, spread);
  return *spread;
}

Spreads *spreads_new(Cx *cx, const Module *m) {
  Spreads *spreads = NEW(cx->scratch, Spreads);
  *spreads = (Spreads){.cx = cx, .m = m, .known = map_new(cx->scratch)};
  spreads->assigned = flow_assigned_globals(cx, m);
  return spreads;
}
