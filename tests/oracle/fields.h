/* fields.h: expected values and tolerances for probes of sampled polynomials.
 *
 * The facts about kernels are written a second time here on purpose: an oracle that used the
 * compiler's table would agree with its mistakes.
 * Read next: polynomial.h, tests/run/fields_test.c.
 */
#pragma once

#include <stdbool.h>

#include "tests/oracle/image_file.h"
#include "tests/oracle/polynomial.h"

enum { MAX_ORDER = 2 }; /* value, gradient, Hessian */

typedef struct KernelFacts {
  const char *name;
  int support;               /* samples on either side */
  int order;                 /* derivatives its claimed continuity allows, at most MAX_ORDER */
  int degree[MAX_ORDER + 1]; /* total degree reproduced by each order; -1: nothing known */
  long double mass[MAX_ORDER + 1]; /* largest sum of |weight| */
  int smooth_degree; /* up to it a probe is L p exactly, L = prod (1 + m2 D^2 + m4 D^4) */
  long double moment2, moment4;
} KernelFacts;

/* NULL: there is no such kernel. */
const KernelFacts *kernel_facts(const char *name);

/* The values of a polynomial on a grid, as the samples of an image. */
Image poly_sampled(const Polynomial *p, const Grid *grid);

/* L p, with derivatives D along the axes of the grid: the field that B-splines give for samples of
 * p. */
void poly_smoothed(const Polynomial *p, const Grid *grid, const KernelFacts *kernel,
                   Polynomial *out);

/* The field of an image, which is a known polynomial in world coordinates. */
typedef struct FieldOracle FieldOracle;

/* epsilon: unit roundoff of the program. Positions are exact if their conversion to index space
 * needs no rounding. `image` must outlive the oracle. Free with field_oracle_free. */
FieldOracle *field_oracle_new(const Image *image, const KernelFacts *kernel,
                              const Polynomial *field, long double epsilon,
                              bool has_exact_positions);
void field_oracle_free(FieldOracle *oracle);

typedef struct Expectation {
  long double value, tolerance;
} Expectation;

/* Component of the derivative of that order at a world position, row-major, with the tolerance
 *   C eps B prod_a mass(m_a) |M|^order + |dF/dn| dn
 * where B is the largest sample under the kernel, M the world-to-index matrix, m_a the order along
 * axis a, and dn the rounding of the index position. */
Expectation field_oracle_at(const FieldOracle *oracle, const long double pos[3], int order,
                            int component);

/* Only the first term of that tolerance, for fields that are not polynomials. */
long double probe_tolerance(const Image *image, const KernelFacts *kernel, const long double pos[3],
                            int order, int component, long double epsilon);
