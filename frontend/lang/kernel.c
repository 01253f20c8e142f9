/* Kernels: lookups over kernels.def and exact polynomial arithmetic on its pieces. Coefficients
 * stay rational until a later stage writes them down, and are rounded once, there.
 */
#include "frontend/lang/kernel.h"

#include <string.h>

#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "frontend/base/text.h"

#define ZERO ((Rational){0, 1})

static const Kernel rows[] = {
#define N(n)                                                                                       \
  { n, 1 }
#define Q(n, d)                                                                                    \
  { n, d }
#define PIECE(...) {__VA_ARGS__},
#define KERNEL(name, continuity, support, degree, pieces)                                          \
  {#name, continuity, support, degree, {pieces}, 0, {NULL}},
#include "frontend/lang/kernels.def"
};

uint32_t kernel_count(void) { return sizeof rows / sizeof rows[0]; }

const Kernel *kernel_at(uint32_t i) {
  ASSERT(NULL, i < kernel_count());
  return &rows[i];
}

const Kernel *kernel_find(const char *name) {
  for (uint32_t i = 0; i < kernel_count(); i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

/* ---- one for each axis ----------------------------------------------------------------------- */

static const Name *per_axis_name(Cx *cx, const Kernel *const *along, uint32_t n_axes) {
  Text text = text_new(cx->scratch);
  for (uint32_t axis = 0; axis < n_axes; axis++)
    text_addf(&text, "%s%s", axis > 0 ? "," : "KRNS(", along[axis]->name);
  text_add(&text, ")");
  return name_from(cx->names, text_str(&text));
}

const Kernel *kernel_per_axis(Cx *cx, const Kernel *const *along, uint32_t n_axes) {
  ASSERT(cx, n_axes > 0 && n_axes <= KERNEL_MAX_AXES);
  const Name *name = per_axis_name(cx, along, n_axes);
  if (!cx->kernels) cx->kernels = map_new(cx->arena);
  const Kernel *known = map_get(cx->kernels, name);
  if (known) return known;
  Kernel *kernel = NEW(cx->arena, Kernel);
  *kernel = (Kernel){name->text, along[0]->continuity, along[0]->support, .n_axes = n_axes};
  for (uint32_t axis = 0; axis < n_axes; axis++) {
    const Kernel *one = kernel->along[axis] = along[axis];
    if (one->continuity < kernel->continuity) kernel->continuity = one->continuity;
    if (one->support > kernel->support) kernel->support = one->support;
  }
  map_put(cx->kernels, name, kernel);
  return kernel;
}

const Kernel *kernel_simplest(const Kernel *kernel) {
  for (uint32_t axis = 1; axis < kernel->n_axes; axis++)
    if (kernel->along[axis] != kernel->along[0]) return kernel;
  return kernel_along(kernel, 0);
}

bool kernel_has_axes(const Kernel *kernel, uint32_t dim) {
  return kernel->n_axes == 0 || kernel->n_axes == dim;
}

const Kernel *kernel_along(const Kernel *kernel, uint32_t axis) {
  if (kernel->n_axes == 0) return kernel;
  ASSERT(NULL, axis < kernel->n_axes);
  return kernel->along[axis];
}

/* ---- polynomials ----------------------------------------------------------------------------- */

static WeightPoly poly_zero(void) {
  WeightPoly poly = {0};
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++) poly.coeff[i] = ZERO;
  return poly;
}

static WeightPoly poly_derivative(WeightPoly poly) {
  WeightPoly result = poly_zero();
  for (uint32_t i = 1; i <= poly.degree; i++)
    result.coeff[i - 1] = rational_mul(poly.coeff[i], rational(i, 1));
  result.degree = poly.degree > 0 ? poly.degree - 1 : 0;
  return result;
}

/* The polynomial in x of one piece, differentiated. */
static WeightPoly piece_derivative(const Kernel *kernel, uint32_t piece, uint32_t order) {
  WeightPoly poly = poly_zero();
  poly.degree = kernel->degree;
  for (uint32_t i = 0; i <= kernel->degree; i++) poly.coeff[i] = kernel->pieces[piece][i];
  for (uint32_t i = 0; i < order && i <= kernel->degree; i++) poly = poly_derivative(poly);
  return poly;
}

/* poly(shift + scale f) as a polynomial in f, by Horner's rule on polynomials. */
static WeightPoly poly_substitute(WeightPoly poly, Rational shift, Rational scale) {
  WeightPoly result = poly_zero();
  result.degree = poly.degree;
  for (uint32_t i = poly.degree + 1; i-- > 0;) {
    for (uint32_t j = poly.degree; j > 0; j--)
      result.coeff[j] = rational_add(rational_mul(result.coeff[j], shift),
                                     rational_mul(result.coeff[j - 1], scale));
    result.coeff[0] = rational_add(rational_mul(result.coeff[0], shift), poly.coeff[i]);
  }
  return result;
}

/* With t = f - tap: for tap <= 0 we are right of the centre, x = t = f + |tap|; for tap > 0 left of
 * it, x = -t = tap - f, and every derivative changes the sign. */
WeightPoly kernel_weight(const Kernel *kernel, uint32_t order, int32_t tap) {
  const int32_t support = (int32_t)kernel->support;
  ASSERT(NULL, kernel->n_axes == 0);
  ASSERT(NULL, 1 - KERNEL_MAX_SUPPORT <= tap && tap <= KERNEL_MAX_SUPPORT);
  if (tap < 1 - support || tap > support) return poly_zero();
  bool is_left = tap > 0;
  uint32_t piece = (uint32_t)(is_left ? tap - 1 : -tap);
  Rational shift = rational(is_left ? tap : -tap, 1);
  Rational scale = rational(is_left ? -1 : 1, 1);
  WeightPoly weight = poly_substitute(piece_derivative(kernel, piece, order), shift, scale);
  if (is_left && order % 2 == 1)
    for (uint32_t i = 0; i <= weight.degree; i++) weight.coeff[i] = rational_neg(weight.coeff[i]);
  return weight;
}

static Rational poly_at(WeightPoly poly, uint32_t x) {
  return poly_substitute(poly, rational(x, 1), ZERO).coeff[0];
}

/* Does the order-th derivative agree from both sides at every breakpoint? */
static bool is_continuous(const Kernel *kernel, uint32_t order) {
  Rational at_centre = poly_at(piece_derivative(kernel, 0, order), 0);
  if (order % 2 == 1 && !rational_is_zero(at_centre)) return false; /* odd function, so -h = h */
  for (uint32_t x = 1; x <= kernel->support; x++) {
    Rational inner = poly_at(piece_derivative(kernel, x - 1, order), x);
    Rational outer = ZERO;
    if (x < kernel->support) outer = poly_at(piece_derivative(kernel, x, order), x);
    if (!rational_eq(inner, outer)) return false;
  }
  return true;
}

static int32_t continuity_of_one(const Kernel *kernel) {
  uint32_t order = 0;
  while (order <= kernel->degree && is_continuous(kernel, order)) order++;
  return (int32_t)order - 1;
}

int32_t kernel_true_continuity(const Kernel *kernel) {
  int32_t least = continuity_of_one(kernel_along(kernel, 0));
  for (uint32_t axis = 1; axis < kernel->n_axes; axis++) {
    const int32_t continuity = continuity_of_one(kernel->along[axis]);
    if (continuity < least) least = continuity;
  }
  return least;
}

static Rational power(Rational base, uint32_t exponent) {
  Rational result = rational(1, 1);
  for (uint32_t i = 0; i < exponent; i++) result = rational_mul(result, base);
  return result;
}

/* Is the sum of tap^n times the weight of the tap, over all taps, f^n? */
static bool reproduces_power(const Kernel *kernel, uint32_t n) {
  const int32_t support = (int32_t)kernel->support;
  for (uint32_t i = 0; i <= kernel->degree; i++) {
    Rational sum = ZERO;
    for (int32_t tap = 1 - support; tap <= support; tap++)
      sum = rational_add(
          sum, rational_mul(kernel_weight(kernel, 0, tap).coeff[i], power(rational(tap, 1), n)));
    if (!rational_eq(sum, rational(i == n, 1))) return false;
  }
  return true;
}

int32_t kernel_reproduced_degree(const Kernel *kernel) {
  uint32_t n = 0;
  while (n <= kernel->degree && reproduces_power(kernel, n)) n++;
  return (int32_t)n - 1;
}

static Rational binomial(uint32_t n, uint32_t k) {
  Rational result = rational(1, 1);
  for (uint32_t i = 0; i < k; i++) result = rational_mul(result, rational(n - i, i + 1));
  return result;
}

/* Coefficient of x^i of the B-spline of odd degree n on piece <= x < piece+1:
 * 1/n! sum over k of (-1)^k C(n+1,k) (x + (n+1)/2 - k)^n, the terms above 0. */
static Rational spline_coeff(uint32_t n, uint32_t piece, uint32_t i) {
  uint32_t half = (n + 1) / 2;
  Rational sum = ZERO;
  for (uint32_t k = 0; k <= piece + half; k++) {
    Rational term = rational_mul(binomial(n + 1, k), binomial(n, i));
    term = rational_mul(term, power(rational((int64_t)half - k, 1), n - i));
    sum = k % 2 == 1 ? rational_sub(sum, term) : rational_add(sum, term);
  }
  for (uint32_t k = 2; k <= n; k++) sum = rational_div(sum, rational(k, 1));
  return sum;
}

int32_t kernel_spline_degree(const Kernel *kernel) {
  uint32_t degree = kernel->degree;
  if (degree % 2 == 0 || kernel->support != (degree + 1) / 2) return -1;
  for (uint32_t piece = 0; piece < kernel->support; piece++)
    for (uint32_t i = 0; i <= degree; i++)
      if (!rational_eq(kernel->pieces[piece][i], spline_coeff(degree, piece, i))) return -1;
  return (int32_t)degree;
}
