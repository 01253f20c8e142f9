/* Probe groups lowered against their definition, the sum over all taps that the evaluator takes at
 * MID: every kernel, dimension, border and order, near, on and beyond the edges of the grid.
 */
#include <assert.h>
#include <math.h>

#include "ir/analysis/dom.h"
#include "ir/ein/ein.h"
#include "ir/pass/pass.h"
#include "tests/unit/mid-to-low/low_case.h"

enum { MAX_RESULTS = 512, N_POSITIONS = 6, N_WITHIN = 3 };

static const double outside_value = 0.75;

/* Small integers without a pattern, so that sums in any order are nearly exact. */
static Image noise(uint32_t dim, uint32_t n_components) {
  const Grid grid = sheared_grid(dim);
  Image image = image_new(&grid, (int)n_components);
  uint32_t state = 12345;
  for (size_t i = 0; i < grid_count(&grid) * n_components; i++) {
    state = state * 1664525u + 1013904223u;
    image.samples[i] = (double)(state >> 24) - 128;
  }
  return image;
}

/* --- the pass --------------------------------------------------------------------------------- */

typedef struct Case {
  uint32_t dim, n_components, orders;
  Border border;
  const Kernel *kernel;
  SampleType samples;
} Case;

static Shape value_shape(const Case *c) {
  return c->n_components == 1 ? shape_of(0, NULL) : shape_of(1, &c->n_components);
}

static Func *make_group(Cx *cx, const Case *c) {
  Module *m = module_new(cx, LEVEL_MID);
  const Shape shape = value_shape(c);
  const Global image = {.kind = GLOBAL_IMAGE,
                        .ty = type_image(cx, c->dim, shape),
                        .file = "f",
                        .samples = c->samples};
  vec_push(cx->arena, &m->globals, image);
  Func *fn = func_new(m, FN_USER, name_from(cx->names, "f"), (Span){0, 1});
  Builder b = build_at_end(cx, block_new(fn), (Span){0, 1});
  Value *args[3];
  args[1] = block_add_param(b.block, type_vec(cx, c->dim), name_from(cx->names, "n"));
  args[2] = block_add_param(b.block, type_tensor(cx, shape), name_from(cx->names, "v"));
  args[0] = build_typed(&b, OP_GLOBAL_LOAD, (Attr){.var = {0, WHOLE}}, image.ty, NULL, 0);
  const Attr attr = {.group = {.kernel = c->kernel, .orders = c->orders, .border = c->border}};
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
  Pass px = {.cx = cx, .module = fn->module, .dom = dom_new(cx->arena, fn)};
  pass_mid_to_low(&px, fn);
  fn->module->level = LEVEL_LOW;
}

/* Without a border rule only the first N_WITHIN positions have a defined value. */
static const double positions[N_POSITIONS][3] = {{4.25, 3.5, 3.125},  {3, 4, 3},
                                                 {2.75, 2.5, 2.9375}, {0.5, 6.75, 5.5},
                                                 {-3.25, 9.5, 3},     {30.5, -17.25, 11.75}};

/* Runs fn at every position. */
static void run_at_positions(const Case *c, const Func *fn, const Image *image,
                             double (*out)[MAX_RESULTS]) {
  assert(c->dim <= 3);
  for (uint32_t i = 0; i < (c->border == BORDER_NONE ? N_WITHIN : N_POSITIONS); i++) {
    double params[MAX_PARAMS];
    for (uint32_t a = 0; a < c->dim; a++) params[a] = positions[i][a];
    for (uint32_t k = 0; k < c->n_components; k++) params[c->dim + k] = outside_value;
    run_func(fn, image, params, c->dim + c->n_components, out[i]);
  }
}

/* The name of a sample type in files. */
static const char *file_type(SampleType samples) {
  static const char *const names[] = {
#define SAMPLE(id, text, n_bits, in_files, in_c) in_files,
#include "frontend/lang/samples.def"
  };
  return samples == SAMPLE_REAL ? "double" : names[samples];
}

static void check_file(const Case *c, const char *type) {
  static double want[N_POSITIONS][MAX_RESULTS], found[N_POSITIONS][MAX_RESULTS];
  Cx *cx = cx_new();
  types_init(cx);
  memset(want, 0, sizeof want);
  memset(found, 0, sizeof found);
  cx->is_double = true;
  Func *fn = make_group(cx, c);
  Image image = noise(c->dim, c->n_components);
  image.type = type;
  run_at_positions(c, fn, &image, want);
  lower(cx, fn);
  run_at_positions(c, fn, &image, found);
  for (uint32_t i = 0; i < N_POSITIONS; i++)
    for (uint32_t k = 0; k < MAX_RESULTS; k++) CHECK_NEAR(found[i][k], want[i][k], 1e-9);
  image_free(&image);
  cx_free(cx);
}

/* With files of the type that is kept, and of another type. */
static void check_case(const Case *c) {
  check_file(c, file_type(c->samples));
  if (c->samples != SAMPLE_REAL) check_file(c, "double");
}

/* --- tests ------------------------------------------------------------------------------------ */

static void groups_are_the_sum_over_their_taps(void) {
  for (uint32_t k = 0; k < kernel_count(); k++)
    for (uint32_t dim = 1; dim <= 3; dim++)
      for (uint32_t orders = 1; orders < 8; orders++)
        check_case(&(Case){dim, 1, orders, BORDER_NONE, kernel_at(k), SAMPLE_REAL});
}

static void borders_map_every_tap(void) {
  static const Border borders[] = {BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP, BORDER_CONST};
  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
    for (uint32_t dim = 1; dim <= 3; dim++) {
      check_case(&(Case){dim, 1, 3, borders[i], kernel_find("ctmr"), SAMPLE_REAL});
      check_case(&(Case){dim, 3, 1, borders[i], kernel_find("bspln5"), SAMPLE_REAL});
      check_case(&(Case){dim, 2, 3, borders[i], kernel_find("ctmr"), SAMPLE_I16});
    }
}

static void samples_of_any_type_are_the_same_sums(void) {
  for (int samples = SAMPLE_REAL; samples < SAMPLE_COUNT; samples++)
    for (uint32_t dim = 1; dim <= 3; dim++)
      check_case(&(Case){dim, 2, 7, BORDER_NONE, kernel_find("bspln3"), (SampleType)samples});
}

static void tensor_samples_keep_their_components(void) {
  for (uint32_t dim = 1; dim <= 3; dim++)
    check_case(&(Case){dim, 3, 7, BORDER_NONE, kernel_find("bspln3"), SAMPLE_REAL});
}

/* Without a border rule the pass adds one: taps of weight 0 may be outside the grid. */
static void each_axis_has_its_kernel(void) {
  static const char *const names[][3] = {{"tent", "ctmr", "bspln5"}, {"c4hexic", "tent", "c2ctmr"}};
  Cx *cx = cx_new();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (uint32_t dim = 2; dim <= 3; dim++) {
      const Kernel *along[3];
      for (uint32_t axis = 0; axis < 3; axis++) along[axis] = kernel_find(names[i][axis]);
      const Kernel *kernel = kernel_per_axis(cx, along, dim);
      check_case(&(Case){dim, 1, 7, BORDER_CLAMP, kernel, SAMPLE_REAL});
      check_case(&(Case){dim, 2, 3, BORDER_WRAP, kernel, SAMPLE_I16});
      check_case(&(Case){dim, 3, 3, BORDER_CONST, kernel, SAMPLE_REAL});
    }
  cx_free(cx);
}

static void high_orders_stay_exact(void) {
  for (uint32_t dim = 1; dim <= 2; dim++)
    check_case(&(Case){dim, 1, 0x1f, BORDER_NONE, kernel_find("c4hexic"), SAMPLE_REAL});
}

/* Outside the grid, without a border rule, the value is unspecified, but no sample outside is
 * read. */
static void check_far(const Case *c) {
  static const double far[] = {-1, 0, 8.5, 1e9, -1e9, INFINITY, -INFINITY, NAN};
  Cx *cx = cx_new();
  types_init(cx);
  Func *fn = make_group(cx, c);
  lower(cx, fn);
  Image image = noise(3, 1);
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    const double params[4] = {far[i], far[(i + 3) % 8], far[(i + 5) % 8], 0};
    double found[MAX_RESULTS];
    run_func(fn, &image, params, 4, found);
  }
  image_free(&image);
  cx_free(cx);
}

static void no_probe_leaves_the_grid(void) {
  for (int border = 0; border < N_BORDERS; border++) {
    check_far(&(Case){3, 1, 3, (Border)border, kernel_find("bspln5"), SAMPLE_REAL});
    check_far(&(Case){3, 1, 3, (Border)border, kernel_find("ctmr"), SAMPLE_U8});
  }
}

static uint32_t count_op(const Func *fn, OpId op) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) n += inst->op == op;
  return n;
}

/* Value, gradient and Hessian of one group share the 16 rows of a cubic kernel. */
static void orders_share_their_samples(void) {
  for (uint32_t orders = 1; orders < 8; orders++) {
    Cx *cx = cx_new();
    types_init(cx);
    Func *fn =
        make_group(cx, &(Case){3, 1, orders, BORDER_NONE, kernel_find("bspln3"), SAMPLE_REAL});
    lower(cx, fn);
    CHECK_EQ(count_op(fn, OP_ROW_LOAD), 16);
    cx_free(cx);
  }
}

/* Along y and z, the taps of the kernel of that axis. */
static void rows_beyond_narrower_kernels_are_not_loaded(void) {
  static const struct {
    const char *const along[3];
    uint32_t n_rows;
  } cases[] = {{{"bspln5", "bspln5", "tent"}, 12},
               {{"bspln5", "tent", "bspln3"}, 8},
               {{"tent", "bspln3", "bspln3"}, 16},
               {{"tent", "tent", "bspln3"}, 8}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Cx *cx = cx_new();
    types_init(cx);
    const Kernel *along[3];
    for (uint32_t axis = 0; axis < 3; axis++) along[axis] = kernel_find(cases[i].along[axis]);
    const Kernel *kernel = kernel_per_axis(cx, along, 3);
    Func *fn = make_group(cx, &(Case){3, 1, 3, BORDER_CLAMP, kernel, SAMPLE_REAL});
    lower(cx, fn);
    CHECK_EQ(count_op(fn, OP_ROW_LOAD), cases[i].n_rows);
    cx_free(cx);
  }
}

/* Four rows of four samples of three components are twelve loads of four. */
static void tensor_rows_are_loaded_whole(void) {
  Cx *cx = cx_new();
  types_init(cx);
  Func *whole = make_group(cx, &(Case){2, 3, 3, BORDER_NONE, kernel_find("ctmr"), SAMPLE_REAL});
  lower(cx, whole);
  CHECK_EQ(count_op(whole, OP_ROW_LOAD), 12);
  cx_free(cx);
}

static uint32_t count_windows(const Func *fn) {
  return count_op(fn, OP_WINDOW_CLAMP) + count_op(fn, OP_WINDOW_MIRROR) +
         count_op(fn, OP_WINDOW_WRAP) + count_op(fn, OP_WINDOW_CONST);
}

static uint32_t count_ops(const Func *fn) {
  uint32_t n = 0;
  for (int op = 0; op < OP_COUNT; op++) n += count_op(fn, (OpId)op);
  return n;
}

/* With a border rule there is one window per component and one sum per derivative, whatever the
 * kernel and the rule: the number of ops, compared to a probe without border, does not grow with
 * taps. */
static void borders_cost_no_op_per_tap(void) {
  static const char *const kernels[] = {"tent", "ctmr", "c4hexic"};
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    const Kernel *kernel = kernel_find(kernels[k]);
    for (int border = BORDER_CLAMP; border < N_BORDERS; border++) {
      Func *open = make_group(cx, &(Case){3, 9, 3, BORDER_NONE, kernel, SAMPLE_REAL});
      Func *bordered = make_group(cx, &(Case){3, 9, 3, (Border)border, kernel, SAMPLE_REAL});
      lower(cx, open);
      lower(cx, bordered);
      CHECK_EQ(count_windows(open), 0);
      CHECK_EQ(count_windows(bordered), 9);
      CHECK_EQ(count_op(bordered, OP_WINDOW_DOT), 9 * (1 + 3));
      CHECK_EQ(count_op(bordered, OP_ROW_LOAD), count_op(open, OP_ROW_LOAD));
      CHECK(count_ops(bordered) - count_ops(open) < 100);
    }
  }
  cx_free(cx);
}

/* All variants of loading the samples share one set of weights. */
static void ways_share_their_weights(void) {
  Cx *cx = cx_new();
  types_init(cx);
  const Kernel *kernel = kernel_find("bspln3");
  Func *one = make_group(cx, &(Case){3, 1, 3, BORDER_NONE, kernel, SAMPLE_REAL});
  Func *three = make_group(cx, &(Case){3, 1, 3, BORDER_CLAMP, kernel, SAMPLE_U8});
  lower(cx, one);
  lower(cx, three);
  CHECK_EQ(count_op(one, OP_BRANCH), 0);
  CHECK_EQ(count_op(three, OP_BRANCH), 2);
  CHECK_EQ(count_op(three, OP_ROW_LOAD), 2 * 16);
  CHECK_EQ(count_windows(three), 1);
  CHECK_EQ(count_op(three, OP_CONST_ROW), count_op(one, OP_CONST_ROW));
  cx_free(cx);
}

int main(void) {
  RUN(groups_are_the_sum_over_their_taps);
  RUN(borders_map_every_tap);
  RUN(tensor_samples_keep_their_components);
  RUN(each_axis_has_its_kernel);
  RUN(high_orders_stay_exact);
  RUN(samples_of_any_type_are_the_same_sums);
  RUN(no_probe_leaves_the_grid);
  RUN(orders_share_their_samples);
  RUN(rows_beyond_narrower_kernels_are_not_loaded);
  RUN(tensor_rows_are_loaded_whole);
  RUN(borders_cost_no_op_per_tap);
  RUN(ways_share_their_weights);
  return test_result();
}
