/* taylor.c: arithmetic of truncated power series. A function of a series is the function's own
 * series in one variable, from its differential equation, into which the argument is substituted.
 * Read next: taylor.h.
 */
#include "tests/oracle/taylor.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* --- spaces ----------------------------------------------------------------------------------- */

static void add_term(TaylorSpace *sp, uint32_t i, uint32_t j, uint32_t k) {
  const uint32_t n = sp->n_terms++;
  sp->power[n][0] = i;
  sp->power[n][1] = j;
  sp->power[n][2] = k;
  sp->degree[n] = i + j + k;
  sp->term[i][j][k] = n;
}

TaylorSpace taylor_space(uint32_t n_vars, uint32_t order, double epsilon) {
  if (n_vars > TAYLOR_VARS || order > TAYLOR_ORDER) {
    fprintf(stderr, "no series of order %u in %u variables\n", order, n_vars);
    exit(2);
  }
  TaylorSpace sp = {.n_vars = n_vars, .order = order, .epsilon = epsilon};
  for (uint32_t degree = 0; degree <= (n_vars > 0 ? order : 0); degree++)
    for (uint32_t i = degree + 1; i-- > 0;)
      for (uint32_t j = degree - i + 1; j-- > 0;) {
        const uint32_t k = degree - i - j;
        if ((n_vars > 1 || j == 0) && (n_vars > 2 || k == 0)) add_term(&sp, i, j, k);
      }
  return sp;
}

static uint32_t product_term(const TaylorSpace *sp, uint32_t a, uint32_t b) {
  const uint32_t *p = sp->power[a], *q = sp->power[b];
  return sp->term[p[0] + q[0]][p[1] + q[1]][p[2] + q[2]];
}

/* --- arithmetic ------------------------------------------------------------------------------- */

Taylor taylor_const(double value, double error) {
  Taylor r = {.c = {0}};
  r.c[0] = value;
  r.error[0] = error;
  return r;
}

/* Terms of degree 1 come right after the constant, in the order of the variables. */
Taylor taylor_var(double value, double error, uint32_t var) {
  Taylor r = taylor_const(value, error);
  r.c[1 + var] = 1;
  return r;
}

Taylor taylor_without_bounds(Taylor a) {
  for (uint32_t i = 0; i < TAYLOR_TERMS; i++) a.error[i] = INFINITY;
  return a;
}

Taylor taylor_neg(const TaylorSpace *sp, const Taylor *a) {
  Taylor r = *a;
  for (uint32_t i = 0; i < sp->n_terms; i++) r.c[i] = -a->c[i];
  return r;
}

Taylor taylor_add(const TaylorSpace *sp, const Taylor *a, const Taylor *b) {
  Taylor r = {.c = {0}};
  for (uint32_t i = 0; i < sp->n_terms; i++) {
    r.c[i] = a->c[i] + b->c[i];
    r.error[i] = a->error[i] + b->error[i] + sp->epsilon * fabs(r.c[i]);
  }
  return r;
}

Taylor taylor_sub(const TaylorSpace *sp, const Taylor *a, const Taylor *b) {
  const Taylor minus = taylor_neg(sp, b);
  return taylor_add(sp, a, &minus);
}

/* An infinite bound times an exact zero is 0. */
static double bound(double error, double factor) { return factor == 0 ? 0 : error * factor; }

static bool is_finite(const TaylorSpace *sp, const Taylor *a) {
  for (uint32_t i = 0; i < sp->n_terms; i++)
    if (!isfinite(a->c[i])) return false;
  return true;
}

Taylor taylor_mul(const TaylorSpace *sp, const Taylor *a, const Taylor *b) {
  Taylor r = {.c = {0}};
  const bool is_plain = is_finite(sp, b); /* else 0 times it is not 0 */
  for (uint32_t i = 0; i < sp->n_terms; i++) {
    if (is_plain && a->c[i] == 0 && a->error[i] == 0) continue;
    for (uint32_t j = 0; j < sp->n_terms && sp->degree[i] + sp->degree[j] <= sp->order; j++) {
      const uint32_t k = product_term(sp, i, j);
      const double product = a->c[i] * b->c[j], size_a = fabs(a->c[i]) + a->error[i];
      r.c[k] += product;
      r.error[k] += bound(b->error[j], size_a) + bound(a->error[i], fabs(b->c[j])) +
                    sp->epsilon * fabs(product);
    }
  }
  return r;
}

static Taylor power(const TaylorSpace *sp, const Taylor *a, uint64_t exponent) {
  if (exponent == 0) return taylor_const(1, 0);
  if (exponent == 1) return *a;
  const Taylor half = power(sp, a, exponent / 2), square = taylor_mul(sp, &half, &half);
  return exponent % 2 == 0 ? square : taylor_mul(sp, &square, a);
}

Taylor taylor_pow(const TaylorSpace *sp, const Taylor *a, int64_t exponent) {
  if (exponent >= 0) return power(sp, a, (uint64_t)exponent);
  const Taylor one = taylor_const(1, 0), below = power(sp, a, 0 - (uint64_t)exponent);
  return taylor_div(sp, &one, &below);
}

Taylor taylor_derivative(const TaylorSpace *sp, const Taylor *a, uint32_t var) {
  Taylor r = {.c = {0}};
  for (uint32_t i = 0; i < sp->n_terms; i++) {
    uint32_t p[TAYLOR_VARS] = {sp->power[i][0], sp->power[i][1], sp->power[i][2]};
    if (p[var] == 0) continue;
    const double factor = p[var]--;
    const uint32_t k = sp->term[p[0]][p[1]][p[2]];
    r.c[k] = factor * a->c[i];
    r.error[k] = factor * a->error[i];
  }
  return r;
}

Taylor taylor_substitute(const TaylorSpace *sp, const TaylorSpace *from, const Taylor *a,
                         const Taylor *inner) {
  Taylor powers[TAYLOR_VARS][TAYLOR_ORDER + 1], sum = taylor_const(0, 0);
  for (uint32_t var = 0; var < from->n_vars; var++) {
    Taylor step = inner[var];
    step.c[0] = step.error[0] = 0;
    powers[var][0] = taylor_const(1, 0);
    for (uint32_t n = 1; n <= from->order; n++)
      powers[var][n] = taylor_mul(sp, &powers[var][n - 1], &step);
  }
  for (uint32_t i = 0; i < from->n_terms; i++) {
    if (a->c[i] == 0 && a->error[i] == 0) continue;
    Taylor term = taylor_const(a->c[i], a->error[i]);
    for (uint32_t var = 0; var < from->n_vars; var++)
      if (from->power[i][var] > 0) term = taylor_mul(sp, &term, &powers[var][from->power[i][var]]);
    sum = taylor_add(sp, &sum, &term);
  }
  return sum;
}

/* --- functions of one argument ---------------------------------------------------------------- */

/* Coefficients of a function at a number, three more than any order needs: one for the order
 * itself, two for how the last coefficient changes with the number. */
enum { N_COEFFS = TAYLOR_ORDER + 3 };

typedef struct Univariate {
  double c[N_COEFFS];
} Univariate;

/* To second order, which matters at extrema. */
static double moved_by(const Univariate *f, uint32_t k, double error) {
  return error * (k + 1) * (fabs(f->c[k + 1]) + error * (k + 2) / 2 * fabs(f->c[k + 2]));
}

/* distance: to the next singularity. If it is too small, a bound of low order means nothing. */
static Taylor apply(const TaylorSpace *sp, Univariate f, const Taylor *u, double distance) {
  Taylor step = *u, sum = taylor_const(0, 0);
  step.c[0] = step.error[0] = 0;
  for (uint32_t k = sp->order + 1; k-- > 0;) {
    const double error = moved_by(&f, k, u->error[0]) + sp->epsilon * (k + 1) * fabs(f.c[k]);
    const Taylor coeff = taylor_const(f.c[k], error);
    sum = taylor_mul(sp, &sum, &step);
    sum = taylor_add(sp, &sum, &coeff);
    sum.c[0] = coeff.c[0]; /* also where a steeper coefficient is infinite */
    sum.error[0] = coeff.error[0];
  }
  return u->error[0] * 8 <= distance && isfinite(u->error[0]) ? sum : taylor_without_bounds(sum);
}

/* (q0 + q1 t + q2 t^2)^p: q w' = p q' w. */
static Univariate power_of(const double q[3], double p) {
  Univariate w = {.c = {pow(q[0], p)}};
  for (int k = 1; k < N_COEFFS; k++)
    for (int i = 1; i <= 2 && i <= k; i++)
      w.c[k] += (p * i - (k - i)) * q[i] * w.c[k - i] / (k * q[0]);
  return w;
}

static Univariate integral(Univariate f, double value) {
  Univariate r = {.c = {value}};
  for (int k = 1; k < N_COEFFS; k++) r.c[k] = f.c[k - 1] / k;
  return r;
}

Taylor taylor_div(const TaylorSpace *sp, const Taylor *a, const Taylor *b) {
  const Taylor inverse = apply(sp, power_of((double[]){b->c[0], 1, 0}, -1), b, fabs(b->c[0]));
  return taylor_mul(sp, a, &inverse);
}

Taylor taylor_real_pow(const TaylorSpace *sp, const Taylor *u, double exponent) {
  return apply(sp, power_of((double[]){u->c[0], 1, 0}, exponent), u, fabs(u->c[0]));
}

Taylor taylor_sqrt(const TaylorSpace *sp, const Taylor *u) {
  return apply(sp, power_of((double[]){u->c[0], 1, 0}, 0.5), u, fabs(u->c[0]));
}

Taylor taylor_exp(const TaylorSpace *sp, const Taylor *u) {
  Univariate f = {.c = {exp(u->c[0])}};
  for (int k = 1; k < N_COEFFS; k++) f.c[k] = f.c[k - 1] / k;
  return apply(sp, f, u, INFINITY);
}

static Taylor wave(const TaylorSpace *sp, const Taylor *u, double value, double slope) {
  Univariate f = {.c = {value, slope}};
  for (int k = 2; k < N_COEFFS; k++) f.c[k] = -f.c[k - 2] / (k * (k - 1));
  return apply(sp, f, u, INFINITY);
}

Taylor taylor_sin(const TaylorSpace *sp, const Taylor *u) {
  return wave(sp, u, sin(u->c[0]), cos(u->c[0]));
}

Taylor taylor_cos(const TaylorSpace *sp, const Taylor *u) {
  return wave(sp, u, cos(u->c[0]), -sin(u->c[0]));
}

/* t' = 1 + t^2 */
Taylor taylor_tan(const TaylorSpace *sp, const Taylor *u) {
  Univariate t = {.c = {tan(u->c[0])}};
  for (int k = 1; k < N_COEFFS; k++) {
    t.c[k] = k == 1;
    for (int i = 0; i < k; i++) t.c[k] += t.c[i] * t.c[k - 1 - i];
    t.c[k] /= k;
  }
  return apply(sp, t, u, 1 / (1 + fabs(t.c[0])));
}

/* 1 - (u + t)^2 to the power -1/2, integrated */
static Univariate arc_sine(double u) {
  return integral(power_of((double[]){(1 - u) * (1 + u), -2 * u, -1}, -0.5), asin(u));
}

Taylor taylor_asin(const TaylorSpace *sp, const Taylor *u) {
  return apply(sp, arc_sine(u->c[0]), u, fabs(1 - fabs(u->c[0])));
}

Taylor taylor_acos(const TaylorSpace *sp, const Taylor *u) {
  Univariate f = arc_sine(u->c[0]);
  for (int k = 1; k < N_COEFFS; k++) f.c[k] = -f.c[k];
  f.c[0] = acos(u->c[0]);
  return apply(sp, f, u, fabs(1 - fabs(u->c[0])));
}

Taylor taylor_atan(const TaylorSpace *sp, const Taylor *u) {
  const double at = u->c[0];
  const Univariate f = integral(power_of((double[]){1 + at * at, 2 * at, 1}, -1), atan(at));
  return apply(sp, f, u, INFINITY);
}

/* --- corners ---------------------------------------------------------------------------------- */

/* The sign of a number, 0 only if the number is exactly 0; *is_sure: rounding cannot change the
 * sign. */
static int sign_of(const Taylor *u, bool *is_sure) {
  *is_sure = fabs(u->c[0]) > u->error[0] || u->error[0] == 0;
  return (u->c[0] > 0) - (u->c[0] < 0);
}

/* The value is known, but not the derivatives. */
static Taylor only_value(double value, double error) {
  Taylor r = taylor_without_bounds(taylor_const(value, 0));
  r.error[0] = error;
  return r;
}

/* u where side is positive, v where it is negative, their mean at 0. */
static Taylor choose(const TaylorSpace *sp, int side, const Taylor *u, const Taylor *v) {
  if (side != 0) return side > 0 ? *u : *v;
  const Taylor sum = taylor_add(sp, u, v), half = taylor_const(0.5, 0);
  return taylor_mul(sp, &sum, &half);
}

Taylor taylor_abs(const TaylorSpace *sp, const Taylor *u) {
  bool is_sure;
  const int sign = sign_of(u, &is_sure);
  if (isnan(u->c[0])) return *u;
  if (!is_sure) return only_value(fabs(u->c[0]), u->error[0]);
  const Taylor minus = taylor_neg(sp, u);
  return choose(sp, sign, u, &minus);
}

Taylor taylor_sgn(const TaylorSpace *sp, const Taylor *u) {
  bool is_sure;
  const int sign = sign_of(u, &is_sure);
  (void)sp;
  const Taylor r = taylor_const(sign, 0);
  return is_sure ? r : taylor_without_bounds(r);
}

static Taylor extreme(const TaylorSpace *sp, const Taylor *u, const Taylor *v, int which) {
  bool is_sure;
  const Taylor difference = taylor_sub(sp, u, v);
  const int side = which * sign_of(&difference, &is_sure);
  const double value = (side >= 0 ? u : v)->c[0];
  if (!is_sure) return only_value(value, u->error[0] + v->error[0]);
  return choose(sp, side, u, v);
}

Taylor taylor_min(const TaylorSpace *sp, const Taylor *u, const Taylor *v) {
  return extreme(sp, u, v, -1);
}

Taylor taylor_max(const TaylorSpace *sp, const Taylor *u, const Taylor *v) {
  return extreme(sp, u, v, 1);
}

Taylor taylor_clamp(const TaylorSpace *sp, const Taylor *lo, const Taylor *hi, const Taylor *u) {
  bool is_sure;
  const Taylor above = taylor_sub(sp, u, lo);
  const int side = sign_of(&above, &is_sure);
  if (is_sure && side < 0) return *lo; /* also where lo > hi */
  const Taylor capped = taylor_min(sp, u, hi);
  return taylor_max(sp, &capped, lo);
}
