/* Test: fields against closed forms, for one kernel, dimension and precision.
 *
 *   fields-test PROGRAM KERNEL DIM float|double SCRATCH
 *
 * PROGRAM is fields/probe-DIM.diderot.in compiled with that kernel: it probes along a line of
 * positions and writes them with value, gradient, Hessian and the inside test.
 * Read next: tests/oracle/fields.h.
 */
#include "tests/run/probes.h"
#include "tests/run/process.h"
#include "tests/unit/test.h"

typedef long double Real;

static Subject subject;

/* ---- running the program --------------------------------------------------------------------- */

typedef struct Line {
  Real first[3], step[3];
  int n;
} Line;

/* Probes the image that was written before, at the positions of `line`. */
static bool probe(const Line *line, Probes *probes) {
  ProbeCommand command;
  probe_command_begin(&command, &subject, line->first, line->step);
  probe_command_count(&command, "-count", line->n);
  *probes = (Probes){0};
  Outcome outcome;
  if (!CHECK(process_run(command.argv, &outcome))) return false;
  bool is_good = CHECK_STR(outcome.err, "");
  is_good = CHECK_EQ(outcome.status, 0) && is_good;
  outcome_free(&outcome);
  return is_good && CHECK(probes_read(probes, subject.dim, line->n));
}

static bool probe_image(const Image *image, const Line *line, Probes *probes) {
  image_write(image, "img.nrrd");
  return probe(line, probes);
}

/* ---- grids and images ------------------------------------------------------------------------ */

/* Columns dir[axis] by dimension; rotated, sheared, anisotropic, none symmetric. */

/* Left-handed; entries, inverse and the positions below are exact in binary. */
static const Grid exact_grids[] = {
    {1, {11, 1, 1}, {{-0.5L}}, {2.75L}},
    {2, {11, 12, 1}, {{0.5L, 0.5L}, {1.125L, -0.875L}}, {-8.5L, 2.25L}},
    {3,
     {11, 12, 13},
     {{0.5L, 0.5L, 1}, {-0.875L, 1.125L, 0.25L}, {-0.375L, -0.125L, -1}},
     {4.5L, -8.0L, 0.25L}},
};

/* Here no number is exact in binary. */
static const Grid general_grids[] = {
    {1, {11, 1, 1}, {{0.9L}}, {-4.3L}},
    {2, {11, 12, 1}, {{0.9L, -1 / 3.0L}, {0.2L, 0.8L}}, {-5.2L, -2.4L}},
    {3,
     {11, 12, 13},
     {{0.9L, -1 / 3.0L, 0.125L}, {0.2L, 0.8L, -0.25L}, {-1 / 7.0L, 1 / 6.0L, 1.1L}},
     {-4.1L, -3.3L, -5.7L}},
};

/* Axis-aligned, spacing 1, from 0. */
static Grid plain_grid(void) {
  Grid grid = {.dim = subject.dim, .size = {11, 12, 13}};
  for (int axis = 0; axis < 3; axis++) grid.dir[axis][axis] = 1;
  return grid;
}

/* A line through many cells of a grid, at least a support away from the border. */
static Line line_through(const Grid *grid) {
  static const Real first[3] = {2.25L, 8.5L, 2.125L}, step[3] = {0.15625L, -0.1875L, 0.25L};
  const Real second[3] = {first[0] + step[0], first[1] + step[1], first[2] + step[2]};
  Line line = {.n = 30};
  Real next[3];
  grid_to_world(grid, first, line.first);
  grid_to_world(grid, second, next);
  for (int r = 0; r < 3; r++) line.step[r] = next[r] - line.first[r];
  return line;
}

/* Random multiples of 1/8 between -4 and 4. */
static Image random_image(const Grid *grid, unsigned seed) {
  Image image = image_new(grid, 1);
  unsigned state = seed;
  for (size_t k = 0; k < grid_count(grid); k++) {
    state = state * 1664525u + 1013904223u;
    image.samples[k] = (Real)(state >> 26) / 8 - 4;
  }
  return image;
}

/* ---- polynomials ----------------------------------------------------------------------------- */

/* The largest ratio of error to tolerance among the probes of one order. */
static Real worst_error(const FieldOracle *oracle, const Probes *probes, int order, int n_probes) {
  const int n = probes_n_components(subject.dim, order);
  Real worst = 0;
  for (int k = 0; k < n_probes * n; k++) {
    Real pos[3];
    probes_position(probes, k / n, pos);
    const Expectation want = field_oracle_at(oracle, pos, order, k % n);
    const Real ratio = fabsl(probes->order[order].value[k] - want.value) / want.tolerance;
    if (!(ratio <= worst)) worst = ratio;
  }
  return worst;
}

typedef struct Claim {
  const Grid *grid;
  const Polynomial *samples,
      *field; /* the polynomial that is sampled; the one that probes must give */
  bool has_exact_positions;
} Claim;

/* worst_error of each order; false: the program failed. */
static bool measure(const Claim *claim, Real worst[MAX_ORDER + 1]) {
  const Line line = line_through(claim->grid);
  Image image = poly_sampled(claim->samples, claim->grid);
  FieldOracle *oracle = field_oracle_new(&image, subject.kernel, claim->field, subject.epsilon,
                                         claim->has_exact_positions);
  Probes probes;
  const bool is_good = probe_image(&image, &line, &probes);
  for (int order = 0; is_good && order <= MAX_ORDER; order++)
    worst[order] = worst_error(oracle, &probes, order, line.n);
  probes_free(&probes);
  field_oracle_free(oracle);
  image_free(&image);
  return is_good;
}

static void check_degree(const Grid *grid, int degree, bool has_exact_positions) {
  Polynomial p;
  polynomial_random(&p, subject.dim, degree, (unsigned)degree + 17u);
  const Claim claim = {grid, &p, &p, has_exact_positions};
  Real worst[MAX_ORDER + 1];
  if (!measure(&claim, worst)) return;
  for (int order = 0; order <= MAX_ORDER; order++) {
    const int reproduced = subject.kernel->degree[order];
    if (reproduced < 0) continue;
    bool is_held = true;
    if (degree <= reproduced) is_held = CHECK(worst[order] <= 1);
    if (degree == reproduced + 1) is_held = CHECK(worst[order] > 3);
    if (!is_held)
      fprintf(stderr, "  degree %d, derivative %d: error is %.3Lg tolerances\n", degree, order,
              worst[order]);
  }
}

static void reproduces_polynomials_and_no_more(void) {
  for (int degree = 0; degree <= 4; degree++) {
    check_degree(&exact_grids[subject.dim - 1], degree, true);
    check_degree(&general_grids[subject.dim - 1], degree, false);
  }
}

static void smooths_polynomials_exactly(void) {
  if (subject.kernel->smooth_degree == 0) return;
  Polynomial p, smoothed;
  for (int degree = 2; degree <= subject.kernel->smooth_degree; degree++) {
    const Grid *grid = &exact_grids[subject.dim - 1];
    polynomial_random(&p, subject.dim, degree, (unsigned)degree + 5u);
    poly_smoothed(&p, grid, subject.kernel, &smoothed);
    const Claim claim = {grid, &p, &smoothed, true};
    Real worst[MAX_ORDER + 1] = {0};
    if (!measure(&claim, worst)) return;
    for (int order = 0; order <= MAX_ORDER; order++)
      if (!CHECK(worst[order] <= 1))
        fprintf(stderr, "  degree %d, derivative %d: error is %.3Lg tolerances\n", degree, order,
                worst[order]);
  }
}

/* ---- structure of fields --------------------------------------------------------------------- */

/* The derivative of an order, in components along the grid's axes: T(dir[a], dir[b]). */
static Real along_axes(const Grid *grid, const Real *world, int order, int component) {
  const int n = grid->dim, a = order == 1 ? component : component / n, b = component % n;
  if (order == 0) return world[0];
  Real sum = 0;
  for (int r = 0; r < n; r++) {
    if (order == 1) sum += world[r] * grid->dir[a][r];
    for (int s = 0; order == 2 && s < n; s++)
      sum += world[r * n + s] * grid->dir[a][r] * grid->dir[b][s];
  }
  return sum;
}

/* The same samples on two grids give the same field as a function of index positions. */
static void moves_with_the_grid(void) {
  const Grid plain = plain_grid(), *moved = &exact_grids[subject.dim - 1];
  const Line lines[2] = {line_through(&plain), line_through(moved)};
  Probes probes[2] = {0};
  Image image = random_image(&plain, 3);
  bool is_good = probe_image(&image, &lines[0], &probes[0]);
  image.grid = *moved;
  is_good = is_good && probe_image(&image, &lines[1], &probes[1]);
  image.grid = plain;
  for (int order = 0; is_good && order <= subject.kernel->order; order++) {
    const int n = probes_n_components(subject.dim, order);
    for (int k = 0; k < lines[0].n * n; k++) {
      Real pos[3];
      probes_position(&probes[0], k / n, pos);
      /* Conversion to world space and back loses the condition of the grid's matrix each way:
       * below 20. */
      const Real tolerance =
          20 * probe_tolerance(&image, subject.kernel, pos, order, k % n, subject.epsilon);
      const Real *world = &probes[1].order[order].value[k - k % n];
      CHECK_NEAR((double)along_axes(moved, world, order, k % n),
                 (double)probes[0].order[order].value[k], (double)tolerance);
    }
  }
  probes_free(&probes[0]);
  probes_free(&probes[1]);
  image_free(&image);
}

/* Probes of 2 V - W/2 are the same combination of the probes of V and W. */
static void is_linear_in_the_samples(void) {
  const Grid *grid = &exact_grids[subject.dim - 1];
  const Line line = line_through(grid);
  Image image[3] = {random_image(grid, 1), random_image(grid, 2), random_image(grid, 3)};
  Probes probes[3] = {0};
  for (size_t k = 0; k < grid_count(grid); k++)
    image[2].samples[k] = 2 * image[0].samples[k] - image[1].samples[k] / 2;
  bool is_good = true;
  for (int k = 0; k < 3; k++) is_good = is_good && probe_image(&image[k], &line, &probes[k]);
  for (int order = 0; is_good && order <= subject.kernel->order; order++) {
    const int n = probes_n_components(subject.dim, order);
    for (int k = 0; k < line.n * n; k++) {
      Real pos[3], tolerance = 0;
      probes_position(&probes[0], k / n, pos);
      for (int which = 0; which < 3; which++)
        tolerance +=
            2 * probe_tolerance(&image[which], subject.kernel, pos, order, k % n, subject.epsilon);
      const Real want = 2 * probes[0].order[order].value[k] - probes[1].order[order].value[k] / 2;
      CHECK_NEAR((double)probes[2].order[order].value[k], (double)want, (double)tolerance);
    }
  }
  for (int k = 0; k < 3; k++) {
    probes_free(&probes[k]);
    image_free(&image[k]);
  }
}

/* ---- inside ---------------------------------------------------------------------------------- */

/* A position is inside if support - 1 < n < size - support on every axis. */
static bool is_inside(const Grid *grid, const Real pos[3]) {
  Real idx[3];
  grid_to_index(grid, pos, idx);
  for (int axis = 0; axis < grid->dim; axis++)
    if (!(idx[axis] > subject.kernel->support - 1 &&
          idx[axis] < grid->size[axis] - subject.kernel->support))
      return false;
  return true;
}

/* Along each axis, from well before the image to well behind it, with both bounds hit exactly. */
static void check_inside_along_axes(const Grid *grid) {
  Image image = random_image(grid, 7);
  image_write(&image, "img.nrrd");
  for (int axis = 0; axis < grid->dim; axis++) {
    Real idx[3] = {5, 5, 5}, next[3];
    idx[axis] = -2;
    Line line = {.n = 16 * (grid->size[axis] + 3)};
    grid_to_world(grid, idx, line.first);
    idx[axis] += 0.0625L;
    grid_to_world(grid, idx, next);
    for (int r = 0; r < 3; r++) line.step[r] = next[r] - line.first[r];
    Probes probes;
    if (probe(&line, &probes)) {
      for (int k = 0; k < line.n; k++) {
        Real pos[3];
        probes_position(&probes, k, pos);
        CHECK_EQ(probes.inside.value[k], is_inside(grid, pos));
        CHECK(isfinite((double)probes.order[0].value[k]));
      }
    }
    probes_free(&probes);
  }
  image_free(&image);
}

static void tests_inside_strictly(void) { check_inside_along_axes(&exact_grids[subject.dim - 1]); }

/* In images smaller than the support no position is inside, and nothing beyond them is read. */
static void has_no_inside_when_too_small(void) {
  for (int size = 1; size < 2 * subject.kernel->support; size += subject.kernel->support) {
    Grid grid = plain_grid();
    for (int axis = 0; axis < subject.dim; axis++) grid.size[axis] = size;
    check_inside_along_axes(&grid);
  }
}

static void keeps_nan_outside(void) {
  const Grid grid = plain_grid();
  const Real bad[] = {NAN, INFINITY, -INFINITY, 1e30L};
  Image image = random_image(&grid, 7);
  image_write(&image, "img.nrrd");
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    Line line = {.n = 2, .first = {5, 5, 5}};
    line.first[subject.dim - 1] = bad[k];
    Probes probes;
    if (probe(&line, &probes)) {
      CHECK_EQ(probes.inside.value[0], 0);
      if (!isfinite((double)bad[k])) CHECK(isnan((double)probes.order[0].value[0]));
    }
    probes_free(&probes);
  }
  image_free(&image);
}

/* ---- golden values --------------------------------------------------------------------------- */

typedef struct Golden {
  const char *kernel;
  Real at_17_4[MAX_ORDER + 1], at_9_2[MAX_ORDER + 1];
} Golden;

/* clang-format off */
static const Golden golden[] = {
  {"tent",    {-3 / 2.0L, 14, 0},                       {2, 14, 0}},
  {"c1tent",  {-3 / 2.0L, 14, 0},                       {2, 14, 0}},
  {"c2tent",  {-3 / 2.0L, 14, 0},                       {2, 14, 0}},
  {"ctmr",    {-309 / 128.0L, 493 / 32.0L, 121 / 4.0L}, {33 / 16.0L, 153 / 8.0L, -1 / 2.0L}},
  {"c2ctmr",  {-309 / 128.0L, 493 / 32.0L, 121 / 4.0L}, {33 / 16.0L, 153 / 8.0L, -1 / 2.0L}},
  {"bspln3",  {-19 / 128.0L, 247 / 32.0L, 39 / 4.0L},   {95 / 48.0L, 71 / 8.0L, -1 / 2.0L}},
  {"bspln5",  {66109 / 122880.0L, 10559 / 2048.0L, 2077 / 384.0L},
              {2479 / 1280.0L, 2221 / 384.0L, -9 / 16.0L}},
  {"c4hexic", {-2574581 / 1966080.0L, 194347 / 16384.0L, 236009 / 12288.0L},
              {21157 / 10240.0L, 22003 / 1536.0L, -69 / 256.0L}},
};
/* clang-format on */

static const Golden *golden_row(void) {
  for (size_t k = 0; k < sizeof golden / sizeof *golden; k++)
    if (strcmp(golden[k].kernel, subject.kernel->name) == 0) return &golden[k];
  return NULL;
}

/* The ten samples with this spacing and origin, probed at the index positions 17/4 and 9/2. */
static void check_golden(Real spacing, Real origin) {
  static const Real samples[] = {3, -1, 4, 1, -5, 9, 2, -6, 5, -3};
  const Grid grid = {1, {10, 1, 1}, {{spacing}}, {origin}};
  const Golden *want = golden_row();
  Image image = image_new(&grid, 1);
  memcpy(image.samples, samples, sizeof samples);
  const Line line = {{origin + spacing * 17 / 4}, {spacing / 4}, 2};
  Probes probes;
  if (CHECK(want) && probe_image(&image, &line, &probes)) {
    for (int k = 0; k < 2 * (subject.kernel->order + 1); k++) {
      const int order = k / 2;
      const Real *row = k % 2 ? want->at_9_2 : want->at_17_4;
      Real pos[3], scale = order == 0 ? 1 : order == 1 ? spacing : spacing * spacing;
      probes_position(&probes, k % 2, pos);
      const Real tolerance =
          probe_tolerance(&image, subject.kernel, pos, order, 0, subject.epsilon);
      CHECK_NEAR((double)probes.order[order].value[k % 2], (double)(row[order] / scale),
                 (double)tolerance);
    }
    probes_free(&probes);
  }
  image_free(&image);
}

static void gives_golden_values(void) {
  if (subject.dim != 1) return;
  check_golden(1, 0);
  check_golden(0.5L, -1);
}

int main(int argc, char **argv) {
  if (!subject_read(&subject, argc, argv)) return 2;
  RUN(reproduces_polynomials_and_no_more);
  RUN(smooths_polynomials_exactly);
  RUN(moves_with_the_grid);
  RUN(is_linear_in_the_samples);
  RUN(tests_inside_strictly);
  RUN(has_no_inside_when_too_small);
  RUN(keeps_nan_outside);
  RUN(gives_golden_values);
  return test_result();
}
