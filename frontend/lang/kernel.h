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
  /* 0, unless this is KRNS(...): a kernel for each axis, x first. Such a kernel has no pieces; its
   * continuity is the minimum, its support the maximum of theirs. */
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

/* The kernel made of one for each of 1 .. KERNEL_MAX_AXES axes; those are of kernels.def. Equal
 * lists give the same pointer. */
const Kernel *kernel_per_axis(Cx *cx, const Kernel *const *along, uint32_t n_axes);
/* The kernel of kernels.def, if it is the same for all axes; else the kernel itself. */
const Kernel *kernel_simplest(const Kernel *kernel);
/* Whether the kernel can be used for images of dimension dim. */
bool kernel_has_axes(const Kernel *kernel, uint32_t dim);
/* The kernel for one axis. */
const Kernel *kernel_along(const Kernel *kernel, uint32_t axis);

/* The weight of sample floor(n)+tap in the derivative of some order, as a polynomial in the
 * fraction f = n - floor(n): the derivative h^(order)(f - tap) of a kernel h of kernels.def. Zero
 * outside the support. 1-KERNEL_MAX_SUPPORT <= tap <= KERNEL_MAX_SUPPORT. Space: index. */
WeightPoly kernel_weight(const Kernel *kernel, uint32_t order, int32_t tap);
/* The number of continuous derivatives on each axis, computed at the breakpoints; -1 for a
 * discontinuous kernel. The claimed continuity may be larger, as for c1tent. */
int32_t kernel_true_continuity(const Kernel *kernel);

/* The largest degree up to which the convolution reproduces polynomials from their samples; -1: not
 * even constants. */
int32_t kernel_reproduced_degree(const Kernel *kernel);

/* The degree of the kernel if it is a centred B-spline, else -1. */
int32_t kernel_spline_degree(const Kernel *kernel);
