/* Value of an Einstein expression for given operands, straight from the definition and in double:
 * the meaning that lowering is tested against.
 */
#include <math.h>

#include "ir/ein/ein.h"
#include "ir/op/op_eval.h"

typedef struct EinArgs {
  const double *const *operands;
  const Shape *shapes;
  uint32_t values[EIN_MAX_INDICES]; /* of the indices in scope */
} EinArgs;

static const EvalMode exact = {.precision = REAL_DOUBLE, .is_long_int = true};

static uint32_t value_of(const EinArgs *in, EinIdx idx) {
  return idx.is_const ? idx.value : in->values[idx.value];
}

static double eval_param(const EinArgs *in, const EinExpr *e) {
  uint64_t pos = 0;
  for (uint32_t i = 0; i < e->n_idx; i++)
    pos = pos * in->shapes[e->param].dims[i] + value_of(in, e->idx[i]);
  return in->operands[e->param][pos];
}

static double eval_eps(const EinArgs *in, const EinExpr *e) {
  int32_t value[3] = {0}, sign = 1;
  for (uint32_t i = 0; i < e->n_idx; i++) value[i] = (int32_t)value_of(in, e->idx[i]);
  for (uint32_t i = 0; i < e->n_idx; i++)
    for (uint32_t j = 0; j < i; j++) sign *= (value[i] > value[j]) - (value[i] < value[j]);
  return sign;
}

static double eval(EinArgs *in, const EinExpr *e);

/* An inner sum may use the number of an outer one again. */
static double eval_sum(EinArgs *in, const EinExpr *e) {
  uint32_t *value = &in->values[e->var], outer = *value;
  double sum = 0;
  for (*value = 0; *value < e->range; ++*value) sum += eval(in, e->args[0]);
  *value = outer;
  return sum;
}

static double eval(EinArgs *in, const EinExpr *e) {
  double args[EIN_MAX_ARGS] = {0};
  for (uint32_t i = 0; e->kind != EIN_SUM && i < e->n_args; i++) args[i] = eval(in, e->args[i]);
  switch (e->kind) {
  case EIN_NUM: return rational_to_double(e->num);
  case EIN_PARAM: return eval_param(in, e);
  case EIN_DELTA: return value_of(in, e->idx[0]) == value_of(in, e->idx[1]);
  case EIN_EPS: return eval_eps(in, e);
  case EIN_SUM: return eval_sum(in, e);
  case EIN_ADD: return args[0] + args[1];
  case EIN_SUB: return args[0] - args[1];
  case EIN_MUL: return args[0] * args[1];
  case EIN_DIV: return args[0] / args[1];
  case EIN_NEG: return -args[0];
  case EIN_POW: return pow(args[0], (double)e->exponent);
  case EIN_FN: return op_eval_real(e->fn, args, exact);
  }
  return NAN;
}

double ein_eval(const Ein *ein, const double *const *operands, const Shape *shapes,
                const uint32_t *component) {
  EinArgs in = {.operands = operands, .shapes = shapes};
  for (uint32_t i = 0; i < ein->n_free; i++) in.values[i] = component[i];
  return eval(&in, ein->body);
}
