/* Fields of images whose reconstruction is a known polynomial, and an evaluator for the straight
 * code that differentiate leaves behind.
 *
 *   Fields t = fields_new(2);                 over two dimensions
 *   Value *f = fields_leaf(&t, polys, shape);
 *   fields_probe(&t, F, 2, found);            components of the second derivative of F at t.x
 */
#pragma once

#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "ir/core/ein.h"
#include "ir/pass/pass.h"
#include "tests/unit/high/poly.h"
#include "tests/unit/test.h"

enum { MAX_LEAVES = 8, MAX_COMPONENTS = 1024 };

typedef struct Leaf {
  uint32_t dim;
  Shape shape;
  const Poly *polys; /* one per component */
} Leaf;

typedef struct Fields {
  Cx *cx;
  Module *m;
  Func *fn;
  Builder b;
  uint32_t dim;
  Value *pos;
  double x[POLY_DIM];
  double m_index[POLY_DIM][POLY_DIM], origin[POLY_DIM]; /* index is m_index (x - origin) */
  Leaf leaves[MAX_LEAVES];                              /* by global index */
} Fields;

/* Only its support matters to the passes; a claimed continuity is part of the type. */
static const Kernel any_kernel = {.name = "bspln3", .continuity = 8, .support = 2, .degree = 3};

static inline Shape shape_scalar(void) { return shape_of(0, NULL); }
static inline Shape shape_vec(uint32_t n) { return shape_of(1, &n); }
static inline Shape shape_mat(uint32_t n) { return shape_of(2, (uint32_t[]){n, n}); }

static inline Fields fields_new(uint32_t dim) {
  Fields t = {.cx = cx_new(), .dim = dim, .x = {0.5, -0.75, 1.25}};
  static const double skew[3][3] = {{1.5, -0.25, 0.5}, {0.75, 2, -1}, {0.125, 0.5, -0.75}};
  static const double origin[3] = {0.25, -0.5, 1};
  memcpy(t.m_index, skew, sizeof skew);
  memcpy(t.origin, origin, sizeof origin);
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

static inline Value *fields_image(Fields *t, const Poly *polys, Shape shape) {
  uint32_t index = t->m->globals.len;
  Global global = {.kind = GLOBAL_IMAGE, .ty = type_image(t->cx, t->dim, shape)};
  global.name = name_from(t->cx->names, text_format(t->cx->arena, "image_%u", index));
  global.file = "data.nrrd";
  vec_push(t->cx->arena, &t->m->globals, global);
  t->leaves[index] = (Leaf){t->dim, shape, polys};
  return build_typed(&t->b, OP_GLOBAL_LOAD, (Attr){.var = {index, WHOLE}}, global.ty, NULL, 0);
}

static inline Value *fields_convolve(Fields *t, Value *image, const Kernel *kernel) {
  Value *h = build_typed(&t->b, OP_KERNEL, (Attr){.kernel = kernel},
                         type_kernel(t->cx, kernel->continuity), NULL, 0);
  return build_op2(&t->b, OP_CONVOLVE, image, h);
}

static inline Value *fields_leaf(Fields *t, const Poly *polys, Shape shape) {
  return fields_convolve(t, fields_image(t, polys, shape), &any_kernel);
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

/* ---- evaluation ------------------------------------------------------------------------------ */

typedef struct Tensors {
  double *of[4096]; /* components by value id; NULL: a field, an image */
} Tensors;

/* The order-th derivative of an image's polynomials at pos. */
static inline void eval_leaf(const Fields *t, const Value *image, uint32_t order, const double *pos,
                             double *result) {
  const Leaf *leaf = &t->leaves[image->def->attr.var.index];
  uint32_t n_entries = 1;
  for (uint32_t i = 0; i < order; i++) n_entries *= leaf->dim;
  double x[POLY_DIM] = {0};
  for (uint32_t i = 0; i < leaf->dim; i++) x[i] = pos[i];
  for (uint32_t c = 0; c < shape_size(&leaf->shape); c++) {
    for (uint32_t entry = 0; entry < n_entries; entry++) {
      Poly p = leaf->polys[c];
      for (uint32_t i = 0, rest = entry; i < order; i++, rest /= leaf->dim)
        p = poly_derive(p, rest % leaf->dim);
      result[c * n_entries + entry] = poly_eval(p, x);
    }
  }
}

static inline void eval_probe(const Fields *t, const Inst *inst, Tensors *at, double *result) {
  const Value *field = inst->args[0];
  uint32_t order = 0;
  for (; field->def->op == OP_DERIV; field = field->def->args[0]) order++;
  eval_leaf(t, field->def->args[0], order, at->of[inst->args[1]->id], result);
}

static inline uint32_t lowest_order(const Inst *group) {
  uint32_t order = 0;
  while (!(group->attr.group.orders >> order & 1)) order++;
  return order;
}

static inline void eval_to_index(const Fields *t, const double *x, double *result) {
  for (uint32_t i = 0; i < t->dim; i++)
    for (uint32_t j = 0; j < t->dim; j++) result[i] += t->m_index[i][j] * (x[j] - t->origin[j]);
}

static inline void eval_ein_inst(const Inst *inst, Tensors *at, double *result) {
  const double *operands[16];
  Shape shapes[16], shape = *type_shape(inst->results[0]->ty);
  for (uint32_t i = 0; i < inst->n_args; i++) {
    operands[i] = at->of[inst->args[i]->id];
    shapes[i] = *type_shape(inst->args[i]->ty);
  }
  for (uint32_t c = 0; c < shape_size(&shape); c++) {
    uint32_t component[MAX_ORDER], rest = c;
    for (uint32_t i = shape.order; i-- > 0; rest /= shape.dims[i])
      component[i] = rest % shape.dims[i];
    result[c] = ein_eval(inst->attr.ein, operands, shapes, component);
  }
}

static inline void eval_inst(const Fields *t, const Inst *inst, Tensors *at) {
  if (inst->n_results != 1 || !type_is(inst->results[0]->ty, TY_TENSOR)) return;
  const Value *result = inst->results[0];
  double *out = NEWN(t->cx->arena, double, shape_size(type_shape(result->ty)));
  at->of[result->id] = out;
  switch (inst->op) {
  case OP_EIN: eval_ein_inst(inst, at, out); return;
  case OP_PROBE: eval_probe(t, inst, at, out); return;
  case OP_TO_INDEX: eval_to_index(t, at->of[inst->args[1]->id], out); return;
  case OP_PROBE_GROUP:
    eval_leaf(t, inst->args[0], lowest_order(inst), at->of[inst->args[1]->id], out);
    return;
  case OP_GRADIENT_MATRIX:
    for (uint32_t i = 0; i < t->dim * t->dim; i++) out[i] = t->m_index[i % t->dim][i / t->dim];
    return;
  case OP_CONST_REAL: *out = inst->attr.real.value; return;
  default: BUG(t->cx, "the test cannot evaluate %s", op_text(inst->op)); /* not made by the pass */
  }
}

/* Value of v after the pass. */
static inline const double *fields_eval(Fields *t, const Value *v) {
  Tensors *at = NEW(t->cx->arena, Tensors);
  at->of[t->pos->id] = t->x;
  for (Inst *inst = t->b.block->first; inst; inst = inst->next) eval_inst(t, inst, at);
  return at->of[v->id];
}

static inline Value *fields_derive(Fields *t, Value *field, uint32_t order) {
  for (uint32_t i = 0; i < order; i++) field = build_op1(&t->b, OP_DERIV, field);
  return field;
}

/* The order-th derivative of F at the position: as the pass computes it. */
static inline const double *fields_probe(Fields *t, Value *field, uint32_t order, PassFn *pass) {
  Value *value = build_op2(&t->b, OP_PROBE, fields_derive(t, field, order), t->pos);
  Inst *use = inst_new(t->fn, OP_PRINT, ATTR_EMPTY, (Span){0, 1}, &value, 1);
  inst_append(t->b.block, use);
  fields_run(t, pass);
  return fields_eval(t, use->args[0]);
}
