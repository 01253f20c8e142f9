/* Hoist cost: an estimate in scalar operations, which distinguishes a product from a root or a
 * probe.
 */
#include "ir/mid/hoist_cost.h"

#include "ir/ein/ein.h"

enum { COST_DIV = 4, COST_FUNCTION = 10, COST_UNKNOWN = 20, COST_MAX = 1 << 20 };

uint32_t hoist_cost_sum(uint32_t a, uint32_t b) { return a + b < COST_MAX ? a + b : COST_MAX; }

/* The cost of one component. */
static uint32_t cost_of_expr(const EinExpr *expr) {
  uint32_t cost = 0;
  for (uint32_t i = 0; i < expr->n_args; i++)
    cost = hoist_cost_sum(cost, cost_of_expr(expr->args[i]));
  switch (expr->kind) {
  case EIN_NUM:
  case EIN_PARAM:
  case EIN_DELTA:
  case EIN_EPS: return 0;
  case EIN_SUM: return cost < COST_MAX / expr->range ? (cost + 1) * expr->range : COST_MAX;
  case EIN_ADD:
  case EIN_SUB:
  case EIN_MUL:
  case EIN_NEG: return hoist_cost_sum(cost, 1);
  case EIN_DIV:
  case EIN_POW: return hoist_cost_sum(cost, COST_DIV);
  case EIN_FN: return hoist_cost_sum(cost, COST_FUNCTION);
  }
  return cost;
}

static uint32_t cost_of_ein(const Ein *ein) {
  uint32_t cost = cost_of_expr(ein->body);
  for (uint32_t i = 0; i < ein->n_free; i++)
    cost = cost < COST_MAX / ein->ranges[i] ? cost * ein->ranges[i] : COST_MAX;
  return cost;
}

uint32_t hoist_cost_of(const Inst *inst) {
  if (inst->n_args == 0) return 0; /* constants and loads */
  switch (inst->op) {
  case OP_EIN: return cost_of_ein(inst->attr.ein);
  case OP_CONS:
  case OP_SEQ:
  case OP_GRADIENT_MATRIX: /* stored in the image */
  case OP_IMAGE_SIZE: return 0;
  case OP_I2R:
  case OP_SELECT:
  case OP_IADD:
  case OP_ISUB:
  case OP_IMUL:
  case OP_INEG:
  case OP_IABS:
  case OP_IMIN:
  case OP_IMAX:
  case OP_SEQ_LEN: return 1;
  case OP_SEQ_INDEX: /* a sequence within another is in memory already */
    return type_is_fixed_seq(inst->results[0]->ty) ? 0 : COST_UNKNOWN;
  case OP_INSIDE_INDEX: return COST_UNKNOWN;
  default: return type_is(inst->results[0]->ty, TY_BOOL) ? 1 : COST_UNKNOWN; /* 1: a comparison */
  }
}

bool hoist_pays(uint32_t cost, const Type *ty) {
  return cost >= 2 + level_n_components(LEVEL_LOW, ty);
}
