/* Runs straight LOW code over one image in plain doubles: what rows, taps and samples mean, written
 * from the meanings in ops.def and not from the pass.
 */
#pragma once

#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "ir/core/op_eval.h"
#include "tests/unit/test.h"

enum { MAX_LANES = 8 };

typedef struct Cell { /* by the type of the value */
  bool b;
  int64_t i; /* int, offset; addr: sample number */
  double real;
  double lanes[MAX_LANES];
} Cell;

/* Samples lie component by component, then x, y, z; everything outside is a read too far. */
typedef struct TestImage {
  uint32_t dim, n_components;
  int64_t size[3];
  double matrix[3][3], origin[3];
  const double *samples;
} TestImage;

typedef struct Machine {
  Cx *cx;
  const TestImage *image;
  Cell *cells; /* by value id */
} Machine;

static inline Cell *cell_of(const Machine *m, const Value *v) { return &m->cells[v->id]; }

static inline int64_t image_stride(const TestImage *image, uint32_t axis) {
  int64_t stride = image->n_components;
  for (uint32_t a = 0; a < axis; a++) stride *= image->size[a];
  return stride;
}

static inline double read_sample(const Machine *m, int64_t at) {
  const int64_t n = image_stride(m->image, m->image->dim);
  CHECK(at >= 0 && at < n);
  return at >= 0 && at < n ? m->image->samples[at] : NAN;
}

static inline int64_t euclid(int64_t i, int64_t n) { return ((i % n) + n) % n; }

static inline int64_t first_tap(double floor_index, int64_t support) {
  return isfinite(floor_index) ? (int64_t)floor_index + 1 - support : 0;
}

static inline int64_t corner(double floor_index, int64_t len, int64_t support) {
  const int64_t last = len - 2 * support, first = first_tap(floor_index, support);
  return first < 0 || last < 0 ? 0 : first > last ? last : first;
}

static inline OpValue to_op_value(const Machine *m, const Value *v) {
  const Cell *cell = cell_of(m, v);
  if (type_is(v->ty, TY_BOOL)) return op_value_bool(cell->b);
  if (type_is(v->ty, TY_INT)) return op_value_int(cell->i);
  return op_value_real(cell->real);
}

static inline void run_scalar(const Machine *m, const Inst *inst, Cell *out) {
  OpValue args[4];
  CHECK(inst->n_args <= 4);
  for (uint32_t i = 0; i < inst->n_args; i++) args[i] = to_op_value(m, inst->args[i]);
  const OpValue value = op_eval(inst->op, inst->attr, args, (EvalMode){REAL_DOUBLE, false});
  if (value.kind == OV_NONE) BUG(m->cx, "the test cannot run %s", op_text(inst->op));
  out->b = value.b;
  out->i = value.i;
  out->real = value.real;
}

static inline void run_row(const Machine *m, const Inst *inst, Cell *out) {
  const Cell *a = inst->n_args > 0 ? cell_of(m, inst->args[0]) : NULL;
  const Cell *b = inst->n_args > 1 ? cell_of(m, inst->args[1]) : NULL;
  const Type *row = inst->op == OP_ROW_DOT ? inst->args[0]->ty : inst->results[0]->ty;
  for (uint32_t k = 0; k < type_row_width(row); k++) {
    switch (inst->op) {
    case OP_CONST_ROW: out->lanes[k] = rational_to_double(inst->attr.row.lanes[k]); break;
    case OP_ROW_LOAD: out->lanes[k] = read_sample(m, a->i + k); break;
    case OP_ROW_PACK: out->lanes[k] = cell_of(m, inst->args[k])->real; break;
    case OP_ROW_SPLAT: out->lanes[k] = a->real; break;
    case OP_ROW_ADD: out->lanes[k] = a->lanes[k] + b->lanes[k]; break;
    case OP_ROW_MUL: out->lanes[k] = a->lanes[k] * b->lanes[k]; break;
    case OP_ROW_SCALE: out->lanes[k] = a->lanes[k] * b->real; break;
    case OP_ROW_DOT: out->real += a->lanes[k] * b->lanes[k]; break;
    default: BUG(m->cx, "the test cannot run %s", op_text(inst->op)); /* no row op */
    }
  }
}

static inline void run_image(const Machine *m, const Inst *inst, Cell *out) {
  const TestImage *image = m->image;
  switch (inst->op) {
  case OP_IMAGE_AXIS_LEN: out->i = image->size[inst->attr.i]; return;
  case OP_IMAGE_STRIDE: out->i = image_stride(image, (uint32_t)inst->attr.i); return;
  case OP_IMAGE_ORIGIN: out->real = image->origin[inst->attr.i]; return;
  case OP_IMAGE_MATRIX: out->real = image->matrix[inst->attr.pair.i][inst->attr.pair.j]; return;
  case OP_SAMPLE_ADDR: out->i = cell_of(m, inst->args[1])->i; return;
  default: BUG(m->cx, "the test cannot run %s", op_text(inst->op)); /* no image op */
  }
}

static inline void run_tap(const Machine *m, const Inst *inst, Cell *out) {
  const Cell *a = cell_of(m, inst->args[0]);
  const Cell *b = inst->n_args > 1 ? cell_of(m, inst->args[1]) : NULL;
  switch (inst->op) {
  case OP_CORNER: out->i = corner(a->real, b->i, inst->attr.i); return;
  case OP_TAP: out->i = first_tap(a->real, inst->attr.i); return;
  case OP_TAP_CLAMP: out->i = a->i < 0 ? 0 : a->i < b->i ? a->i : b->i - 1; return;
  case OP_TAP_WRAP: out->i = euclid(a->i, b->i); return;
  case OP_TAP_WITHIN: out->b = 0 <= a->i && a->i < b->i; return;
  case OP_TAP_MIRROR:
    out->i = euclid(a->i, 2 * b->i);
    if (out->i >= b->i) out->i = 2 * b->i - 1 - out->i;
    return;
  default: BUG(m->cx, "the test cannot run %s", op_text(inst->op)); /* no tap op */
  }
}

static inline void run_inst(const Machine *m, const Inst *inst) {
  Cell *out = cell_of(m, inst->results[0]);
  const Cell *args[3] = {NULL};
  for (uint32_t i = 0; i < inst->n_args && i < 3; i++) args[i] = cell_of(m, inst->args[i]);
  switch (inst->op) {
  case OP_GLOBAL_LOAD: return;
  case OP_CONST_OFFSET: out->i = inst->attr.i; return;
  case OP_OFFSET_ADD:
  case OP_ADDR_ADD: out->i = args[0]->i + args[1]->i; return;
  case OP_OFFSET_MUL: out->i = args[0]->i * args[1]->i; return;
  case OP_SAMPLE_LOAD: out->real = read_sample(m, args[0]->i); return;
  case OP_ROW_GET: out->real = args[0]->lanes[inst->attr.i]; return;
  case OP_SELECT: *out = args[0]->b ? *args[1] : *args[2]; return;
  case OP_CONST_ROW:
  case OP_ROW_LOAD:
  case OP_ROW_PACK:
  case OP_ROW_SPLAT:
  case OP_ROW_ADD:
  case OP_ROW_MUL:
  case OP_ROW_SCALE:
  case OP_ROW_DOT: run_row(m, inst, out); return;
  case OP_CORNER:
  case OP_TAP:
  case OP_TAP_CLAMP:
  case OP_TAP_MIRROR:
  case OP_TAP_WRAP:
  case OP_TAP_WITHIN: run_tap(m, inst, out); return;
  case OP_IMAGE_AXIS_LEN:
  case OP_IMAGE_STRIDE:
  case OP_IMAGE_ORIGIN:
  case OP_IMAGE_MATRIX:
  case OP_SAMPLE_ADDR: run_image(m, inst, out); return;
  default: run_scalar(m, inst, out); /* arithmetic and comparisons */
  }
}

/* Runs the only block of fn, its parameters set to params; the values it leaves go to out. */
static inline void machine_run(Cx *cx, const Func *fn, const TestImage *image, const double *params,
                               double *out) {
  const Machine m = {cx, image, NEWN(cx->arena, Cell, fn->next_value)};
  const Block *blk = fn->blocks.data[0];
  CHECK_EQ(fn->blocks.len, 1);
  for (uint32_t i = 0; i < blk->params.len; i++) cell_of(&m, blk->params.data[i])->real = params[i];
  for (const Inst *inst = blk->first; inst != blk->last; inst = inst->next) run_inst(&m, inst);
  for (uint32_t i = 0; i < blk->last->n_args; i++) {
    const Value *v = blk->last->args[i];
    const Cell *cell = cell_of(&m, v);
    out[i] = type_is(v->ty, TY_BOOL) ? cell->b : cell->real;
  }
}
