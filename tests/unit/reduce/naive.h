/* Reductions by definition, one element after another, level after level. */
#pragma once

#include <stdlib.h>

#include "runtime/reduce/reduce.h"
#include "tests/unit/random_view.h"
#include "tests/unit/reduce/exact.h"

/* --- the tree --------------------------------------------------------------------------------- */

typedef struct NaiveComplex {
  double re, im;
} NaiveComplex;

static inline NaiveComplex naive_op(bool is_product, NaiveComplex a, NaiveComplex b) {
  if (!is_product) return (NaiveComplex){a.re + b.re, a.im + b.im};
  return (NaiveComplex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline double naive_real_op(bool is_product, double a, double b) {
  return is_product ? a * b : a + b;
}

/* A complex product needs both parts together. */
static inline NaiveComplex naive_combined(bool is_product, bool is_complex, NaiveComplex a,
                                          NaiveComplex b) {
  if (is_complex) return naive_op(is_product, a, b);
  return (NaiveComplex){naive_real_op(is_product, a.re, b.re), naive_real_op(false, a.im, b.im)};
}

static inline NaiveComplex naive_tree(bool is_product, bool is_complex, const NaiveComplex *x,
                                      int64_t n) {
  const int64_t n_blocks = (n + 1023) / 1024;
  const NaiveComplex identity = {is_product ? 1 : 0, 0};
  NaiveComplex *nodes = malloc((size_t)(n_blocks + 1) * sizeof *nodes), lanes[32];
  if (!nodes) exit(1);
  for (int64_t b = 0; b < n_blocks; b++) {
    for (int l = 0; l < 32; l++) {
      lanes[l] = identity;
      for (int j = 0; j < 32; j++) {
        const int64_t at = 1024 * b + 32 * j + l;
        if (at < n) lanes[l] = naive_combined(is_product, is_complex, lanes[l], x[at]);
      }
    }
    for (int h = 16; h > 0; h /= 2)
      for (int l = 0; l < h; l++)
        lanes[l] = naive_combined(is_product, is_complex, lanes[l], lanes[l + h]);
    nodes[b] = lanes[0];
  }
  for (int64_t n_nodes = n_blocks; n_nodes > 1; n_nodes = (n_nodes + 1) / 2)
    for (int64_t i = 0; 2 * i < n_nodes; i++)
      nodes[i] = 2 * i + 1 < n_nodes
                     ? naive_combined(is_product, is_complex, nodes[2 * i], nodes[2 * i + 1])
                     : nodes[2 * i];
  const NaiveComplex root = n_blocks > 0 ? nodes[0] : (NaiveComplex){0, 0};
  free(nodes);
  return root;
}

/* --- elements --------------------------------------------------------------------------------- */

static inline double naive_modulus(ddr_number z) {
  if (z.re != z.re || z.im != z.im) return (double)NAN;
  if (isinf(z.re) || isinf(z.im)) return (double)INFINITY;
  const bool is_float = z.type == DDR_ELEMENT_CFLOAT;
  if (is_float) return (double)(float)sqrt(z.re * z.re + z.im * z.im);
  const double a = fmax(fabs(z.re), fabs(z.im)), b = fmin(fabs(z.re), fabs(z.im));
  if (a == 0) return 0;
  const int e = ilogb(a) + 1;
  return scalbn(sqrt(fma(scalbn(a, -e), scalbn(a, -e), scalbn(b, -e) * scalbn(b, -e))), e);
}

/* Whether a < b, with -0 < +0. */
static inline bool naive_less(double a, double b) {
  return a < b || (a == b && signbit(a) && !signbit(b));
}

/* --- reductions ------------------------------------------------------------------------------- */

typedef struct NaiveInput {
  ddr_element type; /* of all elements */
  int64_t n;
  const ddr_number *x, *y;
  double tolerance;
} NaiveInput;

static inline bool naive_is_complex(ddr_element type) {
  return ddr_element_kind_of(type) == DDR_KIND_COMPLEX;
}

/* The contribution of element k to the tree. */
static inline NaiveComplex naive_term(ddr_reduce_op op, const NaiveInput *in, int64_t k) {
  const ddr_number x = in->x[k], y = in->y[k];
  const bool is_complex = naive_is_complex(in->type);
  if (op == DDR_REDUCE_DOT && is_complex)
    return (NaiveComplex){x.re * y.re + x.im * y.im, x.re * y.im - x.im * y.re};
  if (op == DDR_REDUCE_DOT) return (NaiveComplex){x.re * y.re, 0};
  if (op == DDR_REDUCE_L1) return (NaiveComplex){is_complex ? naive_modulus(x) : fabs(x.re), 0};
  if (op == DDR_REDUCE_SQUARED_L2 || op == DDR_REDUCE_L2)
    return (NaiveComplex){is_complex ? x.re * x.re + x.im * x.im : x.re * x.re, 0};
  return (NaiveComplex){x.re, is_complex ? x.im : 0};
}

static inline NaiveComplex naive_sum(ddr_reduce_op op, const NaiveInput *in) {
  NaiveComplex *terms = malloc((size_t)(in->n + 1) * sizeof *terms);
  if (!terms) exit(1);
  for (int64_t k = 0; k < in->n; k++) terms[k] = naive_term(op, in, k);
  const bool is_product = op == DDR_REDUCE_PRODUCT;
  const NaiveComplex root = naive_tree(is_product, naive_is_complex(in->type), terms, in->n);
  free(terms);
  return root;
}

static inline double naive_variance(const NaiveInput *in, double mean) {
  NaiveComplex *terms = malloc((size_t)in->n * sizeof *terms);
  if (!terms) exit(1);
  for (int64_t k = 0; k < in->n; k++) {
    const double away = in->x[k].re - mean;
    terms[k] = (NaiveComplex){away, away * away};
  }
  const NaiveComplex root = naive_tree(false, true, terms, in->n);
  free(terms);
  return (root.im - root.re * root.re / (double)in->n) / (double)in->n;
}

/* Extremes of reals; of complex numbers by modulus, the first of equal ones. */
static inline ddr_number naive_extreme(ddr_reduce_op op, const NaiveInput *in) {
  const bool is_complex = naive_is_complex(in->type), wants_less = op == DDR_REDUCE_MIN_ELEMENT;
  ddr_number best = in->x[0];
  bool has_nan = false;
  for (int64_t k = 0; k < in->n; k++) {
    const double now = is_complex ? naive_modulus(in->x[k]) : in->x[k].re;
    const double then = is_complex ? naive_modulus(best) : best.re;
    has_nan |= now != now;
    if (is_complex ? (wants_less ? now < then : now > then)
                   : (wants_less ? naive_less(now, then) : naive_less(then, now)))
      best = in->x[k];
  }
  if (has_nan) best = (ddr_number){best.type, 0, (double)NAN, is_complex ? (double)NAN : 0};
  return best;
}

static inline double naive_linf(const NaiveInput *in) {
  double most = 0;
  for (int64_t k = 0; k < in->n; k++) {
    const double size = naive_is_complex(in->type) ? naive_modulus(in->x[k]) : fabs(in->x[k].re);
    if (size != size) return (double)NAN;
    most = size > most ? size : most;
  }
  return most;
}

/* --- ints ------------------------------------------------------------------------------------- */

static inline uint64_t naive_magnitude(ddr_element type, int64_t x) {
  const bool is_negative = ddr_element_kind_of(type) == DDR_KIND_INT && x < 0;
  return is_negative ? 0 - (uint64_t)x : (uint64_t)x;
}

static inline bool naive_int_less(ddr_element type, int64_t a, int64_t b) {
  return type == DDR_ELEMENT_UINT64 ? (uint64_t)a < (uint64_t)b : a < b;
}

static inline int64_t naive_ints(ddr_reduce_op op, const NaiveInput *in) {
  uint64_t sum = op == DDR_REDUCE_PRODUCT || op == DDR_REDUCE_ALL, most = 0;
  int64_t best = in->x[0].integer;
  for (int64_t k = 0; k < in->n; k++) {
    const int64_t x = in->x[k].integer, y = in->y[k].integer;
    const uint64_t size = naive_magnitude(in->type, x);
    most = size > most ? size : most;
    if (op == DDR_REDUCE_MIN_ELEMENT && naive_int_less(in->type, x, best)) best = x;
    if (op == DDR_REDUCE_MAX_ELEMENT && naive_int_less(in->type, best, x)) best = x;
    if (op == DDR_REDUCE_SUM) sum += (uint64_t)x;
    if (op == DDR_REDUCE_DOT) sum += (uint64_t)x * (uint64_t)y;
    if (op == DDR_REDUCE_L1) sum += size;
    if (op == DDR_REDUCE_SQUARED_L2) sum += (uint64_t)x * (uint64_t)x;
    if (op == DDR_REDUCE_PRODUCT) sum *= (uint64_t)x;
    if (op == DDR_REDUCE_ALL) sum &= (uint64_t)x;
    if (op == DDR_REDUCE_ANY) sum |= (uint64_t)x;
    if (op == DDR_REDUCE_COUNT) sum += (uint64_t)x;
  }
  if (op == DDR_REDUCE_MIN_ELEMENT || op == DDR_REDUCE_MAX_ELEMENT) return best;
  return (int64_t)(op == DDR_REDUCE_LINF ? most : sum);
}

/* As reals: the nearest doubles. */
static inline NaiveInput naive_reals(const NaiveInput *in, ddr_number *memory) {
  NaiveInput reals = *in;
  reals.type = DDR_ELEMENT_DOUBLE;
  for (int64_t k = 0; k < in->n; k++) {
    const int64_t x = in->x[k].integer;
    const double re = in->type == DDR_ELEMENT_UINT64 ? (double)(uint64_t)x : (double)x;
    memory[k] = (ddr_number){.type = DDR_ELEMENT_DOUBLE, .re = re};
  }
  reals.x = reals.y = memory;
  return reals;
}

static inline double naive_moment(ddr_reduce_op op, const NaiveInput *in) {
  Exact *exact = malloc((size_t)in->n * sizeof *exact);
  if (!exact) exit(1);
  for (int64_t k = 0; k < in->n; k++) {
    const int64_t x = in->x[k].integer;
    exact[k] = in->type == DDR_ELEMENT_UINT64 ? (Exact)(uint64_t)x : (Exact)x;
  }
  const double moment =
      op == DDR_REDUCE_MEAN ? exact_mean(exact, in->n) : exact_variance(exact, in->n);
  free(exact);
  return moment;
}

/* --- all of them ------------------------------------------------------------------------------ */

static inline int64_t naive_l0(const NaiveInput *in) {
  const bool is_whole = ddr_element_kind_of(in->type) < DDR_KIND_REAL;
  int64_t count = 0;
  for (int64_t k = 0; k < in->n; k++) {
    const ddr_number x = in->x[k];
    double size = naive_is_complex(in->type) ? naive_modulus(x) : fabs(x.re);
    if (is_whole) size = (double)naive_magnitude(in->type, x.integer);
    const bool is_zero = x.re == 0 && x.im == 0 && x.integer == 0;
    count += in->tolerance > 0 ? !(size < in->tolerance) : !is_zero;
  }
  return count;
}

static inline double naive_real(ddr_reduce_op op, const NaiveInput *in) {
  if (op == DDR_REDUCE_LINF) return naive_linf(in);
  if (op == DDR_REDUCE_L2) return sqrt(naive_sum(op, in).re);
  const double mean = naive_sum(DDR_REDUCE_SUM, in).re / (double)in->n;
  return op == DDR_REDUCE_MEAN ? mean : naive_variance(in, mean);
}

/* There is at least one element; `type` is that of the result. */
static inline ddr_number naive_reduction(ddr_reduce_op op, const NaiveInput *in, ddr_element type) {
  const bool is_whole = ddr_element_kind_of(in->type) < DDR_KIND_REAL;
  const bool is_single = op == DDR_REDUCE_LINF || op == DDR_REDUCE_L2 || op == DDR_REDUCE_MEAN ||
                         op == DDR_REDUCE_VARIANCE;
  ddr_number result = {.type = type};
  if (op == DDR_REDUCE_L0) result.integer = naive_l0(in);
  else if (is_whole && ddr_element_kind_of(type) != DDR_KIND_REAL)
    result.integer = naive_ints(op, in);
  else if (is_whole && (op == DDR_REDUCE_MEAN || op == DDR_REDUCE_VARIANCE))
    result.re = naive_moment(op, in);
  else if (is_whole) {
    ddr_number *memory = malloc((size_t)in->n * sizeof *memory);
    if (!memory) exit(1);
    const NaiveInput reals = naive_reals(in, memory);
    result.re = naive_real(op, &reals);
    free(memory);
  } else if (op == DDR_REDUCE_MIN_ELEMENT || op == DDR_REDUCE_MAX_ELEMENT) {
    result = naive_extreme(op, in);
  } else if (is_single) result.re = naive_real(op, in);
  else {
    const NaiveComplex sum = naive_sum(op, in);
    result.re = sum.re;
    if (ddr_element_kind_of(type) == DDR_KIND_COMPLEX) result.im = sum.im;
  }
  if (type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT) {
    result.re = as_float(result.re);
    result.im = as_float(result.im);
  }
  return result;
}
