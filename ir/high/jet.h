/* Jet: the derivatives of a field as Einstein expressions over derivatives of its operands. Knows
 * nothing of positions; differentiate.c evaluates jets at one. See Note [Jets] there.
 */
#pragma once

#include "frontend/base/map.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"

typedef struct Jets {
  Cx *cx;
  Map *fields; /* field Value -> its expressions so far */
} Jets;

Jets jets_new(Cx *cx);

/* A parameter of a jet's expression stands for the order-th derivative of an operand: parameter
 * operand + n_operands * order. */
typedef struct JetParam {
  uint32_t operand, order;
} JetParam;

JetParam jet_param(const Value *field, uint32_t param);

/* The order-th derivative of an EIN or COMPOSE, its axes last; NULL when it is zero everywhere.
 * COMPOSE: operand 0 is F at G(x), operand 1 is G at x. */
const Ein *jet_expr(Jets *jets, const Value *field, uint32_t order);
/* The body without the terms that are zero because partial derivatives commute (symmetry.c). */
const EinExpr *jet_drop_zeros(Jets *jets, const Value *field, const Ein *ein);
/* Is the order-th derivative of any field zero everywhere, by its structure? */
bool jet_vanishes(Jets *jets, const Value *field, uint32_t order);

/* ---- rewriting expressions ------------------------------------------------------------------- */

/* The replacement of a node without operands; NULL: it stays. */
typedef const EinExpr *EinReplace(void *context, const EinExpr *leaf);
typedef struct EinRewrite {
  EinReplace *replace;
  void *context;
  uint32_t shift; /* added to the indices of sums */
} EinRewrite;

const EinExpr *ein_rewrite(Cx *cx, const EinExpr *expr, EinRewrite how);
/* The expression over n_params other parameters: new_param of each; those of the same number become
 * one. */
const Ein *ein_renumber(Cx *cx, const Ein *ein, const uint32_t *new_param, uint32_t n_params);
/* Bit set over the parameters that the expression mentions. */
void ein_used_params(const EinExpr *expr, bool *used);
