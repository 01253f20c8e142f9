/* Kernel: the built-in reconstruction kernels as exact piecewise polynomials.
 *
 * kernels.def stores the right half in the global variable x = |t|, one row of rational
 * coefficients per unit interval, and the continuity the language claims. Everything else (left
 * half, derivatives, weights of a tap in the local variable) is computed exactly from that.
 */
#pragma once

#include "frontend/base/rational.h"
#include "frontend/lang/type.h"

#define KERNEL_MAX_SUPPORT 3
#define KERNEL_MAX_DEGREE 6
#define KERNEL_MAX_AXES 3

typedef struct Kernel {
  const char *name;
  uint32_t continuity; /* claimed: how often the language lets it be differentiated */
  uint32_t support;    /* half-support s: taps 1-s .. s on each axis */
  uint32_t degree;
  /* Of 1, x, x^2, ...; pieces[p] on p <= x < p+1. Valid below support and up to degree only. */
  Rational pieces[KERNEL_MAX_SUPPORT][KERNEL_MAX_DEGREE + 1];
  /* 0; else this is KRNS(...), which has no pieces: a kernel for each axis, x first. Its continuity
   * is the least, its support the greatest of theirs. */
  uint32_t n_axes;
  const struct Kernel *along[KERNEL_MAX_AXES];
} Kernel;

/* Polynomial in the local variable f in [0,1); coefficients beyond degree are zero. */
typedef struct WeightPoly {
  uint32_t degree;
  Rational coeff[KERNEL_MAX_DEGREE + 1];
} WeightPoly;

uint32_t kernel_count(void);
const Kernel *kernel_at(uint32_t i);
const Kernel *kernel_find(const char *name); /* NULL when unknown */

/* A kernel for each of 1 .. KERNEL_MAX_AXES axes, which themselves are of kernels.def. The same
 * ones are the same kernel. */
const Kernel *kernel_per_axis(Cx *cx, const Kernel *const *along, uint32_t n_axes);
/* Without axes, if it is one kernel for all of them. */
const Kernel *kernel_simplest(const Kernel *kernel);
/* Can it weigh samples of so many axes? */
bool kernel_has_axes(const Kernel *kernel, uint32_t dim);
/* What weighs samples along an axis. */
const Kernel *kernel_along(const Kernel *kernel, uint32_t axis);

/* Weight that multiplies sample floor(n)+tap in the order-th derivative at fraction f; zero beyond
 * the support. Shapes: 1-KERNEL_MAX_SUPPORT <= tap <= KERNEL_MAX_SUPPORT. Space: index. The m-th
 * derivative of the kernel h, one for all axes, at f - tap, h^(m)(f - tap). */
WeightPoly kernel_weight(const Kernel *kernel, uint32_t order, int32_t tap);
/* Derivatives that are continuous on each axis, computed at the breakpoints (which the claim may
 * exceed, as c1tent does); -1 for a discontinuous kernel. */
int32_t kernel_true_continuity(const Kernel *kernel);

/* Up to this degree, samples of a polynomial are a field that is this polynomial; -1: not even of a
 * constant. */
int32_t kernel_reproduced_degree(const Kernel *kernel);

/* The degree of the centred B-spline that the kernel is, piece by piece; -1: it is none. */
int32_t kernel_spline_degree(const Kernel *kernel);
