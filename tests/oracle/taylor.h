/* taylor.h: power series in up to three variables, truncated above a total degree. The coefficients
 * of f(x + h) in powers of h are the derivatives of f at x, up to factorials. So arithmetic on
 * series computes derivatives without any rule of differentiation, and is an oracle for all of
 * them.
 *
 * Each coefficient has a bound on its rounding error, to first order, without a small factor that
 * the user of the bound chooses. An infinite bound means that any value is possible, as for the
 * derivative of |u| if u may have either sign.
 */
#pragma once

#include <stdint.h>

enum { TAYLOR_VARS = 3, TAYLOR_ORDER = 6, TAYLOR_TERMS = 84 };

/* Terms are numbered by degree first, so those of a lower order are the first ones. */
typedef struct TaylorSpace {
  uint32_t n_vars, order, n_terms;
  double epsilon; /* unit roundoff of the arithmetic that the bounds are for */
  uint32_t power[TAYLOR_TERMS][TAYLOR_VARS];
  uint32_t degree[TAYLOR_TERMS];
  uint32_t term[TAYLOR_ORDER + 1][TAYLOR_ORDER + 1][TAYLOR_ORDER + 1]; /* of powers within order */
} TaylorSpace;

/* Only the first n_terms elements, as many as the space has, are used. */
typedef struct Taylor {
  double c[TAYLOR_TERMS], error[TAYLOR_TERMS];
} Taylor;

/* n_vars <= TAYLOR_VARS, order <= TAYLOR_ORDER; otherwise the program ends. A space without
 * variables has numbers. */
TaylorSpace taylor_space(uint32_t n_vars, uint32_t order, double epsilon);

Taylor taylor_const(double value, double error);
/* value + h_var */
Taylor taylor_var(double value, double error, uint32_t var);
Taylor taylor_without_bounds(Taylor a); /* the same values; all bounds are infinite */

Taylor taylor_add(const TaylorSpace *sp, const Taylor *a, const Taylor *b);
Taylor taylor_sub(const TaylorSpace *sp, const Taylor *a, const Taylor *b);
Taylor taylor_mul(const TaylorSpace *sp, const Taylor *a, const Taylor *b);
Taylor taylor_div(const TaylorSpace *sp, const Taylor *a, const Taylor *b);
Taylor taylor_neg(const TaylorSpace *sp, const Taylor *a);
Taylor taylor_pow(const TaylorSpace *sp, const Taylor *a, int64_t exponent);
Taylor taylor_real_pow(const TaylorSpace *sp, const Taylor *u, double exponent);

Taylor taylor_sqrt(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_exp(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_sin(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_cos(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_tan(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_asin(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_acos(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_atan(const TaylorSpace *sp, const Taylor *u);
/* At a corner the derivative is the mean of both sides. */
Taylor taylor_abs(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_sgn(const TaylorSpace *sp, const Taylor *u);
Taylor taylor_min(const TaylorSpace *sp, const Taylor *u, const Taylor *v);
Taylor taylor_max(const TaylorSpace *sp, const Taylor *u, const Taylor *v);
Taylor taylor_clamp(const TaylorSpace *sp, const Taylor *lo, const Taylor *hi, const Taylor *u);

/* The derivative with respect to a variable: a series of one order less than the space has. */
Taylor taylor_derivative(const TaylorSpace *sp, const Taylor *a, uint32_t var);
/* Substitutes the series inner[0..], of the space sp, for the variables of a, of the space `from`.
 * Their constant terms are not read: the variables of a are distances from these. */
Taylor taylor_substitute(const TaylorSpace *sp, const TaylorSpace *from, const Taylor *a,
                         const Taylor *inner);
