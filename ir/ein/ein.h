/* Ein: Einstein-index expressions, the bodies of EIN instructions (doc/ir.md).
 *
 *   <i:3,j:3 | sum(k:3) $0[i,k] * $1[k,j]>       the product of two 3 by 3 matrices
 *   <sum(i:3) $0[i] * $1[i]>                     an inner product
 *   <i:3 | sum(j:3,k:3) eps(i,j,k) * $0[j] * $1[k]>           a cross product
 *
 * Every operation on tensors, and every one that is lifted from tensors to fields, is a scalar
 * formula for one component of the result: an axis of the result is a free index, what an operation
 * contracts is bound by a sum, delta and eps say which components there are. One representation and
 * a few rewritings then stand for the dozens of operators of the language:
 *
 *   composition     the body of one expression takes the place of a parameter of another, its free
 *                   indices renamed; so a chain of operators is one loop nest without temporaries
 *   derivatives     a component gets one more free index, d/dx_i, pushed inwards by the product,
 *                   quotient and chain rules (derivatives.def) until it stands at a convolution,
 *                   where it is a derivative of the kernel, or at a position, where it is delta
 *   cleaning up     a sum over a delta goes, eps times eps becomes deltas, and so on
 *   scalars         each free index is taken apart, each sum unrolled: the LOW level has no tensors
 *
 * The result has one axis per free index, slowest first; the body is a scalar expression of
 * components of the parameters ($n is operand n of the instruction). All indices of one Ein are
 * numbered, free ones first, and a number has one range throughout. Nodes are immutable and
 * hash-consed: within a compilation, equal expressions are one pointer.
 *
 * Source: Chiw, Kindlmann and Reppy, "EIN: An Intermediate Representation for Compiling Tensor
 * Calculus", CPC 2016.
 */
#pragma once

#include "frontend/base/rational.h"
#include "ir/op/op.h"

#define EIN_MAX_INDICES 64 /* free and bound together */
#define EIN_MAX_ARGS 3     /* of a function */

typedef enum {
  EIN_NUM,   /* num */
  EIN_PARAM, /* param, idx[n_idx]: a component of an operand */
  EIN_DELTA, /* idx[2] */
  EIN_EPS,   /* idx[n_idx], n_idx 2 or 3: Levi-Civita */
  EIN_SUM,   /* var, range, args[0] */
  EIN_ADD,   /* args[0], args[1] */
  EIN_SUB,   /* args[0], args[1] */
  EIN_MUL,   /* args[0], args[1] */
  EIN_DIV,   /* args[0], args[1] */
  EIN_NEG,   /* args[0] */
  EIN_POW,   /* args[0], exponent: constant integer power */
  EIN_FN,    /* fn, args: an op on reals that derivatives.def lists: sqrt, exp, clamp, max, ... */
} EinKind;

typedef struct EinIdx {
  bool is_const;
  uint32_t value; /* index number, or the constant */
} EinIdx;

typedef struct Ein Ein;
typedef struct EinExpr EinExpr;
struct EinExpr {
  EinKind kind;
  uint32_t hash;
  uint64_t mentions; /* bit set of the indices that occur unbound */
  uint32_t depth;    /* of nodes in each other; 1 for a leaf */
  uint32_t n_idx, n_args;
  EinIdx *idx;
  const EinExpr **args;
  Rational num;
  uint32_t param;
  uint32_t var, range;
  int64_t exponent;
  OpId fn;
};

struct Ein {
  uint32_t n_free;
  uint32_t ranges[MAX_ORDER]; /* of the free indices, each >= 2 */
  uint32_t n_params;
  uint32_t n_indices; /* free and bound */
  const EinExpr *body;
};

/* ---- making ---------------------------------------------------------------------------------- */

const EinExpr *ein_num(Cx *cx, Rational value);
const EinExpr *ein_param(Cx *cx, uint32_t param, const EinIdx *idx, uint32_t n_idx);
const EinExpr *ein_delta(Cx *cx, EinIdx i, EinIdx j);
const EinExpr *ein_eps(Cx *cx, const EinIdx *idx, uint32_t n_idx);
const EinExpr *ein_sum(Cx *cx, uint32_t var, uint32_t range, const EinExpr *body);
/* ADD, SUB, MUL, DIV; folds numbers and the identities of 0 and 1. */
const EinExpr *ein_binary(Cx *cx, EinKind kind, const EinExpr *a, const EinExpr *b);
const EinExpr *ein_neg(Cx *cx, const EinExpr *a);
const EinExpr *ein_pow(Cx *cx, const EinExpr *a, int64_t exponent);
const EinExpr *ein_fn(Cx *cx, OpId fn, const EinExpr *const *args, uint32_t n_args);
EinIdx ein_var(uint32_t index);
EinIdx ein_const(uint32_t value);
/* Arguments of a function of derivatives.def; 0 when the op is none. */
uint32_t ein_fn_arity(OpId fn);

/* An Ein from a template of builtins.def (syntax there), for one use of a signature.
 * derivative_dim is the length of the derivative axis appended to operand 0 (DERIV rows; 1 when
 * the axis vanishes), 0 for EIN rows. */
const Ein *ein_from_template(Cx *cx, const char *text, const Sig *sig, const Bindings *b,
                             uint32_t derivative_dim);
/* The same expression over more operands, which it need not mention. */
const Ein *ein_with_params(Cx *cx, const Ein *ein, uint32_t n_params);
/* Concrete text as in the example above; advances *text past the closing bracket. NULL and
 * *error on bad syntax. */
const Ein *ein_parse(Cx *cx, const char **text, const char **error);
const char *ein_print(Cx *cx, const Ein *ein);
/* An index as it is printed: a number, or i, j, ... */
const char *ein_index_text(Arena *a, EinIdx idx);

/* ---- using ----------------------------------------------------------------------------------- */

Shape ein_shape(const Ein *ein);
bool ein_eq(const Ein *a, const Ein *b);
/* Error text, or NULL: every index bound and in range of the axes it indexes, operand orders fit.
 * operands: shapes of the operands' values. */
const char *ein_check(Cx *cx, const Ein *ein, const Shape *operands);
/* Value of one component. operands: row-major components of each operand. */
double ein_eval(const Ein *ein, const double *const *operands, const Shape *shapes,
                const uint32_t *component);

/* Derivative of the expression along a new last free index of length dim, by the product, quotient
 * and chain rules (those of functions: ir/ein/derivatives.def). derivative_of[p] is the
 * parameter that holds the derivative of parameter p (one axis more), or NO_DERIVATIVE when p is
 * constant in space. NULL when the result is zero everywhere. */
#define NO_DERIVATIVE UINT32_MAX
const Ein *ein_derivative(Cx *cx, const Ein *ein, const uint32_t *derivative_of, uint32_t dim);
