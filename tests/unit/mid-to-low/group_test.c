/* Probe groups against their definition: the sum over all taps of sample times kernel derivatives,
 * every kernel, dimension, border and order, near, on and beyond the edges of the grid.
 */
#include <math.h>

#include "ir/core/ein.h"
#include "ir/pass/pass.h"
#include "tests/unit/mid-to-low/low_machine.h"

enum { MAX_RESULTS = 512, MAX_SAMPLES = 4096 };

static const double outside_value = 0.75;

static double samples[MAX_SAMPLES];

/* Small integers without pattern, so that sums in any order are nearly exact. */
static void fill_samples(void) {
  uint32_t state = 12345;
  for (int i = 0; i < MAX_SAMPLES; i++) {
    state = state * 1664525u + 1013904223u;
    samples[i] = (double)(state >> 24) - 128;
  }
}

static TestImage grid(uint32_t dim, uint32_t n_components) {
  return (TestImage){
      .dim = dim,
      .n_components = n_components,
      .size = {9, 8, 7},
      .matrix = {{1.5, -0.25, 0.5}, {0.75, 2, -1}, {0.125, 0.5, -0.75}},
      .origin = {0.25, -0.5, 1},
      .samples = samples,
  };
}

/* ---- the definition ----------------------------------------------------------------------------
 */

static double poly_at(const WeightPoly *poly, double f) {
  double sum = 0;
  for (uint32_t k = poly->degree + 1; k-- > 0;) sum = sum * f + rational_to_double(poly->coeff[k]);
  return sum;
}

static int64_t map_tap(Border border, int64_t tap, int64_t n, bool *is_outside) {
  switch (border) {
  case BORDER_CLAMP: return tap < 0 ? 0 : tap < n ? tap : n - 1;
  case BORDER_WRAP: return euclid(tap, n);
  case BORDER_MIRROR:
    return euclid(tap, 2 * n) < n ? euclid(tap, 2 * n) : 2 * n - 1 - euclid(tap, 2 * n);
  case BORDER_NONE:
  case BORDER_CONST: break;
  }
  if (tap >= 0 && tap < n) return tap;
  *is_outside = true;
  return 0;
}

typedef struct Probe {
  const TestImage *image;
  const Kernel *kernel;
  Border border;
  const double *pos;
} Probe;

/* Derivative with orders[a] along axis a of one component: fields.md §2.1. */
static double expected(const Probe *p, uint32_t component, const uint32_t orders[3]) {
  const int64_t s = p->kernel->support;
  const int64_t n_taps[3] = {2 * s, p->image->dim > 1 ? 2 * s : 1, p->image->dim > 2 ? 2 * s : 1};
  double sum = 0;
  for (int64_t number = 0; number < n_taps[0] * n_taps[1] * n_taps[2]; number++) {
    const int64_t taps[3] = {number % n_taps[0], number / n_taps[0] % n_taps[1],
                             number / n_taps[0] / n_taps[1]};
    bool is_outside = false;
    int64_t at = component;
    double weight = 1;
    for (uint32_t a = 0; a < p->image->dim; a++) {
      const double base = floor(p->pos[a]);
      const WeightPoly poly = kernel_weight(p->kernel, orders[a], (int32_t)(taps[a] + 1 - s));
      weight *= poly_at(&poly, p->pos[a] - base);
      at += map_tap(p->border, (int64_t)base + taps[a] + 1 - s, p->image->size[a], &is_outside) *
            image_stride(p->image, a);
    }
    sum += weight * (is_outside ? outside_value : p->image->samples[at]);
  }
  return sum;
}

static void count_axes(uint32_t dim, uint32_t order, uint32_t entry, uint32_t orders[3]) {
  orders[0] = orders[1] = orders[2] = 0;
  for (uint32_t k = 0; k < order; k++, entry /= dim) orders[entry % dim]++;
}

/* ---- the pass ----------------------------------------------------------------------------------
 */

typedef struct Case {
  uint32_t dim, n_components, orders;
  Border border;
  const Kernel *kernel;
} Case;

static Shape value_shape(const Case *c) {
  return c->n_components == 1 ? shape_of(0, NULL) : shape_of(1, &c->n_components);
}

static Func *make_group(Cx *cx, const Case *c) {
  Module *m = module_new(cx, LEVEL_MID);
  const Shape shape = value_shape(c);
  const Global image = {.kind = GLOBAL_IMAGE, .ty = type_image(cx, c->dim, shape), .file = "f"};
  vec_push(cx->arena, &m->globals, image);
  Func *fn = func_new(m, FN_USER, name_from(cx->names, "f"), (Span){0, 1});
  Builder b = build_at_end(cx, block_new(fn), (Span){0, 1});
  Value *args[3];
  args[1] = block_add_param(b.block, type_vec(cx, c->dim), name_from(cx->names, "n"));
  args[2] = block_add_param(b.block, type_tensor(cx, shape), name_from(cx->names, "v"));
  args[0] = build_typed(&b, OP_GLOBAL_LOAD, (Attr){.var = {0, WHOLE}}, image.ty, NULL, 0);
  const Attr attr = {.group = {c->kernel, c->orders, c->border}};
  Inst *group = build_inst(&b, OP_PROBE_GROUP, attr, args, c->border == BORDER_CONST ? 3 : 2);
  Shape result = shape;
  for (uint32_t m_order = 0; m_order < 5; m_order++) {
    if (c->orders >> m_order & 1) inst_add_result(group, type_tensor(cx, result), NULL);
    if (c->dim > 1) result = shape_append(result, c->dim);
  }
  build_leave(&b, EXIT_RETURN, group->results, group->n_results);
  return fn;
}

static void lower(Cx *cx, Func *fn) {
  Pass px = {.cx = cx, .module = fn->module};
  pass_mid_to_low(&px, fn);
}

static void compare(const Case *c, const TestImage *image, const double *pos, const double *found) {
  const Probe probe = {image, c->kernel, c->border, pos};
  for (uint32_t order = 0; order < 5; order++) {
    if (!(c->orders >> order & 1)) continue;
    uint32_t n_entries = 1, orders[3];
    for (uint32_t k = 0; k < order; k++) n_entries *= c->dim;
    for (uint32_t i = 0; i < c->n_components * n_entries; i++) {
      count_axes(c->dim, order, i % n_entries, orders);
      CHECK_NEAR(*found++, expected(&probe, i / n_entries, orders), 1e-9);
    }
  }
}

static void check_case(const Case *c) {
  static const double positions[][3] = {{4.25, 3.5, 3.125}, {3, 4, 3},       {2.75, 2.5, 2.9375},
                                        {0.5, 6.75, 5.5},   {-3.25, 9.5, 3}, {30.5, -17.25, 11.75}};
  Cx *cx = cx_new();
  types_init(cx);
  Func *fn = make_group(cx, c);
  lower(cx, fn);
  const TestImage image = grid(c->dim, c->n_components);
  const size_t n_inside = 3, n = sizeof positions / sizeof *positions;
  for (size_t i = 0; i < (c->border == BORDER_NONE ? n_inside : n); i++) {
    double params[3 + 4], found[MAX_RESULTS];
    for (uint32_t a = 0; a < c->dim; a++) params[a] = positions[i][a];
    for (uint32_t k = 0; k < c->n_components; k++) params[c->dim + k] = outside_value;
    machine_run(cx, fn, &image, params, found);
    compare(c, &image, positions[i], found);
  }
  cx_free(cx);
}

/* ---- tests -------------------------------------------------------------------------------------
 */

static void groups_are_the_sum_over_their_taps(void) {
  for (uint32_t k = 0; k < kernel_count(); k++)
    for (uint32_t dim = 1; dim <= 3; dim++)
      for (uint32_t orders = 1; orders < 8; orders++)
        check_case(&(Case){dim, 1, orders, BORDER_NONE, kernel_at(k)});
}

static void borders_map_every_tap(void) {
  static const Border borders[] = {BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP, BORDER_CONST};
  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
    for (uint32_t dim = 1; dim <= 3; dim++) {
      check_case(&(Case){dim, 1, 3, borders[i], kernel_find("ctmr")});
      check_case(&(Case){dim, 3, 1, borders[i], kernel_find("bspln5")});
    }
}

static void tensor_samples_keep_their_components(void) {
  for (uint32_t dim = 1; dim <= 3; dim++)
    check_case(&(Case){dim, 3, 7, BORDER_NONE, kernel_find("bspln3")});
}

static void high_orders_stay_exact(void) {
  for (uint32_t dim = 1; dim <= 2; dim++)
    check_case(&(Case){dim, 1, 0x1f, BORDER_NONE, kernel_find("c4hexic")});
}

/* Beyond the grid without a border the value is unspecified, but no sample outside is read. */
static void no_probe_leaves_the_grid(void) {
  static const double far[] = {-1, 0, 8.5, 1e9, -1e9, INFINITY, -INFINITY, NAN};
  Cx *cx = cx_new();
  types_init(cx);
  const Case c = {3, 1, 3, BORDER_NONE, kernel_find("bspln5")};
  Func *fn = make_group(cx, &c);
  lower(cx, fn);
  const TestImage image = grid(3, 1);
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    const double params[4] = {far[i], far[(i + 3) % 8], far[(i + 5) % 8], 0};
    double found[MAX_RESULTS];
    machine_run(cx, fn, &image, params, found);
  }
  cx_free(cx);
}

static uint32_t count_op(const Func *fn, OpId op) {
  uint32_t n = 0;
  for (const Inst *inst = fn->blocks.data[0]->first; inst; inst = inst->next) n += inst->op == op;
  return n;
}

/* Value, gradient and Hessian of one group share the 16 rows of a cubic kernel. */
static void orders_share_their_samples(void) {
  for (uint32_t orders = 1; orders < 8; orders++) {
    Cx *cx = cx_new();
    types_init(cx);
    Func *fn = make_group(cx, &(Case){3, 1, orders, BORDER_NONE, kernel_find("bspln3")});
    lower(cx, fn);
    CHECK_EQ(count_op(fn, OP_ROW_LOAD), 16);
    CHECK_EQ(count_op(fn, OP_SAMPLE_LOAD), 0);
    cx_free(cx);
  }
}

int main(void) {
  fill_samples();
  RUN(groups_are_the_sum_over_their_taps);
  RUN(borders_map_every_tap);
  RUN(tensor_samples_keep_their_components);
  RUN(high_orders_stay_exact);
  RUN(no_probe_leaves_the_grid);
  RUN(orders_share_their_samples);
  return test_result();
}
