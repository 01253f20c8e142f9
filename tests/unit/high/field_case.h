/* Field expressions over images that sample polynomials of degree 3 at most, which c4hexic
 * reproduces with all derivatives; so the exact derivatives of every expression are known.
 *
 *   Fields t = fields_new(2);                 over two dimensions
 *   Value *f = fields_leaf(&t, polys, shape);
 *   fields_probe(&t, F, 2, pass_x);           components of the second derivative of F at t.x
 */
#pragma once

#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"
#include "ir/pass/pass.h"
#include "tests/oracle/ir_eval.h"
#include "tests/unit/high/poly.h"
#include "tests/unit/test.h"

enum { MAX_IMAGES = 8 };

typedef struct Fields {
  Cx *cx;
  Module *m;
  Func *fn;
  Builder b;
  uint32_t dim;
  Value *pos;
  double x[POLY_DIM];
  Image images[MAX_IMAGES]; /* by global index */
} Fields;

static inline Shape shape_scalar(void) { return shape_of(0, NULL); }
static inline Shape shape_vec(uint32_t n) { return shape_of(1, &n); }
static inline Shape shape_mat(uint32_t n) { return shape_of(2, (uint32_t[]){n, n}); }

static inline Fields fields_new(uint32_t dim) {
  Fields t = {.cx = cx_new(), .dim = dim, .x = {0.5, -0.75, 1.25}};
  types_init(t.cx);
  t.cx->source = source_from_text(t.cx->arena, "test", "x", 1);
  t.m = module_new(t.cx, LEVEL_HIGH);
  t.fn = func_new(t.m, FN_USER, name_from(t.cx->names, "f"), (Span){0, 1});
  t.fn->result = type_real(t.cx);
  Block *entry = block_new(t.fn);
  t.b = build_at_end(t.cx, entry, (Span){0, 1});
  t.pos = block_add_param(entry, type_vec(t.cx, dim), name_from(t.cx->names, "x"));
  return t;
}

static inline void fields_free(Fields *t) {
  for (uint32_t i = 0; i < t->m->globals.len; i++) image_free(&t->images[i]);
  cx_free(t->cx);
}

/* Sheared, and wide enough for the positions that compositions probe at: -1.5 .. 6. */
static inline Grid fields_grid(uint32_t dim) {
  static const long double dir[3][3] = {
      {0.9L, 1 / 30.0L, -0.05L}, {-0.06L, 1, 0.125L}, {0.07L, -0.03L, 0.85L}};
  Grid grid = {.dim = (int)dim, .size = {15, 14, 15}, .origin = {-4, -4.5L, -4.25L}};
  for (int axis = 0; axis < 3; axis++)
    for (int r = 0; r < 3; r++) grid.dir[axis][r] = dir[axis][r];
  return grid;
}

/* One polynomial in world space per component. */
static inline Value *fields_image(Fields *t, const Poly *polys, Shape shape) {
  const uint32_t index = t->m->globals.len, n = (uint32_t)shape_size(&shape);
  Global global = {.kind = GLOBAL_IMAGE, .ty = type_image(t->cx, t->dim, shape)};
  global.name = name_from(t->cx->names, text_format(t->cx->arena, "image_%u", index));
  global.file = "data.nrrd";
  vec_push(t->cx->arena, &t->m->globals, global);

  const Grid grid = fields_grid(t->dim);
  const Image image = image_new(&grid, (int)n);
  for (size_t k = 0; k < grid_count(&grid); k++) {
    const int i = (int)k, nx = grid.size[0], ny = t->dim > 1 ? grid.size[1] : 1;
    const long double idx[3] = {i % nx, i / nx % ny, i / nx / ny};
    long double pos[3];
    grid_to_world(&grid, idx, pos);
    const double x[3] = {(double)pos[0], (double)pos[1], (double)pos[2]};
    for (uint32_t c = 0; c < n; c++) image.samples[k * n + c] = poly_eval(polys[c], x);
  }
  t->images[index] = image;
  return build_typed(&t->b, OP_GLOBAL_LOAD, (Attr){.var = {index, WHOLE}}, global.ty, NULL, 0);
}

static inline Value *fields_convolve(Fields *t, Value *image, const Kernel *kernel) {
  Value *h = build_typed(&t->b, OP_KERNEL, (Attr){.kernel = kernel},
                         type_kernel(t->cx, kernel->continuity), NULL, 0);
  return build_op2(&t->b, OP_CONVOLVE, image, h);
}

static inline Value *fields_leaf(Fields *t, const Poly *polys, Shape shape) {
  return fields_convolve(t, fields_image(t, polys, shape), kernel_find("c4hexic"));
}

static inline Value *fields_ein(Fields *t, const char *text, uint32_t n_args, Value **args) {
  const char *error = NULL;
  const Ein *ein = ein_parse(t->cx, &text, &error);
  if (!ein) BUG(t->cx, "test expression: %s", error);
  return build_ein(&t->b, ein_with_params(t->cx, ein, n_args), args, n_args);
}

static inline void fields_run(Fields *t, PassFn *pass) {
  Pass px = {.cx = t->cx, .module = t->m};
  pass(&px, t->fn);
}

static inline uint32_t fields_count(const Fields *t, OpId op) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->fn->blocks.len; i++)
    for (Inst *inst = t->fn->blocks.data[i]->first; inst; inst = inst->next) n += inst->op == op;
  return n;
}

static inline Value *fields_derive(Fields *t, Value *field, uint32_t order) {
  for (uint32_t i = 0; i < order; i++) field = build_op1(&t->b, OP_DERIV, field);
  return field;
}

/* The result of the function at the position. */
static inline const double *fields_eval(Fields *t) {
  IrEval *eval = ir_eval_new(t->m, 0x1p-53);
  IrScalar pos[POLY_DIM];
  for (uint32_t i = 0; i < t->m->globals.len; i++) ir_eval_set_image(eval, i, &t->images[i]);
  for (uint32_t i = 0; i < POLY_DIM; i++) pos[i] = ir_real(t->x[i]);
  const IrOutcome outcome = ir_eval_call(eval, t->fn, pos, ir_n_scalars(t->pos->ty));
  double *reals = NEWN(t->cx->arena, double, outcome.n);
  for (uint32_t i = 0; i < outcome.n; i++) reals[i] = outcome.values[i].value.real;
  ir_eval_free(eval);
  return reals;
}

/* The derivative of the given order of F at the position, as the pass computes it. */
static inline const double *fields_probe(Fields *t, Value *field, uint32_t order, PassFn *pass) {
  Value *value = build_op2(&t->b, OP_PROBE, fields_derive(t, field, order), t->pos);
  build_leave(&t->b, EXIT_RETURN, &value, 1);
  fields_run(t, pass);
  const double *reals = fields_eval(t);
  inst_remove(block_terminator(t->b.block));
  return reals;
}
