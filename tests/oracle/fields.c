/* fields.c: expected probes and their tolerances. Read next: fields.h. */
#include "tests/oracle/fields.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

/* clang-format off */
static const KernelFacts kernels[] = {
  /* name    support order  degrees       sums of |weight|                    L */
  {"tent",    1, 0, {1, -1, -1}, {1.0L, 2.0L, 0.0L},                0, 0.0L, 0.0L},
  {"c1tent",  1, 1, {1,  1, -1}, {1.0L, 2.0L, 0.0L},                0, 0.0L, 0.0L},
  {"c2tent",  1, 2, {1,  1, -1}, {1.0L, 2.0L, 0.0L},                0, 0.0L, 0.0L},
  {"ctmr",    2, 1, {2,  2, -1}, {1.25L, 3.0L, 12.0L},              0, 0.0L, 0.0L},
  {"c2ctmr",  2, 2, {2,  2,  2}, {1.25L, 3.0L, 12.0L},              0, 0.0L, 0.0L},
  {"bspln3",  2, 2, {1,  2,  3}, {1.0L, 1.5L, 4.0L},                3, 1.0L / 6, 0.0L},
  {"bspln5",  3, 2, {1,  2,  3}, {1.0L, 1.197917L, 2.0L},           5, 1.0L / 4, 7.0L / 240},
  {"c4hexic", 3, 2, {3,  3,  3}, {1.240365L, 2.139884L, 6.333334L}, 0, 0.0L, 0.0L},
};
/* clang-format on */

const KernelFacts *kernel_facts(const char *name) {
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (strcmp(kernels[k].name, name) == 0) return &kernels[k];
  return NULL;
}

Image poly_sampled(const Polynomial *p, const Grid *grid) {
  Image image = image_new(grid, 1);
  for (size_t k = 0; k < grid_count(grid); k++) {
    const int i = (int)k, nx = grid->size[0], ny = grid->dim > 1 ? grid->size[1] : 1;
    const long double idx[3] = {i % nx, i / nx % ny, i / nx / ny};
    long double pos[3];
    grid_to_world(grid, idx, pos);
    image.samples[k] = polynomial_eval(p, pos);
  }
  return image;
}

void poly_smoothed(const Polynomial *p, const Grid *grid, const KernelFacts *kernel,
                   Polynomial *out) {
  *out = *p;
  for (int axis = 0; axis < grid->dim; axis++) {
    Polynomial twice, four_times, step;
    polynomial_along(out, grid->dir[axis], &step);
    polynomial_along(&step, grid->dir[axis], &twice);
    polynomial_along(&twice, grid->dir[axis], &step);
    polynomial_along(&step, grid->dir[axis], &four_times);
    polynomial_add(out, &twice, kernel->moment2);
    polynomial_add(out, &four_times, kernel->moment4);
  }
}

/* ---- tolerance ------------------------------------------------------------------------------- */

/* A probe rounds a few times for each tap of an axis, and weights differ little in size: 16
 * roundings of the largest possible sum leave room. */
static const Real C = 16;

/* Roundings on the way to an index position: matrix entry, product, three sums. */
static const Real POSITION_ROUNDINGS = 5;

/* Largest |sample| that a probe near the index position can touch. */
static Real largest_sample(const Image *image, const KernelFacts *kernel, const Real idx[3]) {
  const Grid *grid = &image->grid;
  int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (int axis = 0; axis < grid->dim; axis++) {
    const int cell = (int)floorl(idx[axis]), last = grid->size[axis] - 1;
    low[axis] = cell - kernel->support < 0 ? 0 : cell - kernel->support;
    high[axis] = cell + kernel->support + 1 > last ? last : cell + kernel->support + 1;
  }
  Real largest = 0;
  for (int z = low[2]; z <= high[2]; z++)
    for (int y = low[1]; y <= high[1]; y++)
      for (int x = low[0]; x <= high[0]; x++) {
        const int row = z * (grid->dim > 1 ? grid->size[1] : 1) + y;
        largest = fmaxl(largest, fabsl(image->samples[row * grid->size[0] + x]));
      }
  return largest;
}

/* prod_a mass(m_a), derivatives taken along the axes listed. */
static Real mass_product(const Grid *grid, const KernelFacts *kernel, const int *axes, int order) {
  int times[3] = {0, 0, 0};
  for (int k = 0; k < order; k++) times[axes[k]]++;
  assert(grid->dim <= 3);
  Real product = 1;
  for (int axis = 0; axis < grid->dim; axis++) product *= kernel->mass[times[axis]];
  return product;
}

Real probe_tolerance(const Image *image, const KernelFacts *kernel, const Real pos[3], int order,
                     int component, Real epsilon) {
  const Grid *grid = &image->grid;
  Real inverse[3][3], idx[3], sum = 0;
  grid_inverse(grid, inverse);
  grid_to_index(grid, pos, idx);
  const int n = grid->dim, row = component / n, col = component % n;
  if (order == 0) sum = mass_product(grid, kernel, NULL, 0);
  for (int a = 0; order == 1 && a < n; a++)
    sum += fabsl(inverse[a][component]) * mass_product(grid, kernel, &a, 1);
  for (int ab = 0; order == 2 && ab < n * n; ab++) {
    const int axes[2] = {ab / n, ab % n};
    sum +=
        fabsl(inverse[axes[0]][row] * inverse[axes[1]][col]) * mass_product(grid, kernel, axes, 2);
  }
  return C * epsilon * largest_sample(image, kernel, idx) * sum;
}

/* ---- oracle ---------------------------------------------------------------------------------- */

enum { MAX_PARTS = 1 + 3 + 9 };

struct FieldOracle {
  const Image *image;
  const KernelFacts *kernel;
  Real epsilon;
  bool has_exact_positions;
  Polynomial part[MAX_PARTS];     /* value, gradient, Hessian */
  Polynomial slope[MAX_PARTS][3]; /* derivative of each along the grid's axes */
};

static int part_at(int dim, int order, int component) {
  return order == 0 ? 0 : order == 1 ? 1 + component : 1 + dim + component;
}

FieldOracle *field_oracle_new(const Image *image, const KernelFacts *kernel,
                              const Polynomial *field, Real epsilon, bool has_exact_positions) {
  FieldOracle *oracle = calloc(1, sizeof *oracle);
  if (!oracle) abort();
  const int n = image->grid.dim;
  oracle->image = image;
  oracle->kernel = kernel;
  oracle->epsilon = epsilon;
  oracle->has_exact_positions = has_exact_positions;
  oracle->part[0] = *field;
  for (int r = 0; r < n; r++) {
    polynomial_partial(field, r, &oracle->part[1 + r]);
    for (int s = 0; s < n; s++)
      polynomial_partial(&oracle->part[1 + r], s, &oracle->part[part_at(n, 2, r * n + s)]);
  }
  for (int k = 0; k < 1 + n + n * n; k++)
    for (int axis = 0; axis < n; axis++)
      polynomial_along(&oracle->part[k], image->grid.dir[axis], &oracle->slope[k][axis]);
  return oracle;
}

void field_oracle_free(FieldOracle *oracle) { free(oracle); }

Expectation field_oracle_at(const FieldOracle *oracle, const Real pos[3], int order,
                            int component) {
  const Grid *grid = &oracle->image->grid;
  const int part = part_at(grid->dim, order, component);
  Expectation want = {
      .value = polynomial_eval(&oracle->part[part], pos),
      .tolerance =
          probe_tolerance(oracle->image, oracle->kernel, pos, order, component, oracle->epsilon),
  };
  if (oracle->has_exact_positions) return want;
  Real inverse[3][3];
  grid_inverse(grid, inverse);
  for (int axis = 0; axis < grid->dim; axis++) {
    Real size = 0; /* |M||x| + |tau| */
    for (int r = 0; r < grid->dim; r++)
      size += fabsl(inverse[axis][r]) * (fabsl(pos[r]) + fabsl(grid->origin[r]));
    want.tolerance += fabsl(polynomial_eval(&oracle->slope[part][axis], pos)) * POSITION_ROUNDINGS *
                      oracle->epsilon * size;
  }
  return want;
}
