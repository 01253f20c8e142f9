/* Border control and inside tests (doc/language.md, "Images and fields"). Images with border
 * control exist only before this pass; afterwards the control is an attribute of the probe.
 */
#include <string.h>

#include "ir/high-to-mid/local.h"

static Border border_of(const Inst *def) {
  if (!def) return BORDER_NONE;
  switch (def->op) {
  case OP_BORDER_CLAMP: return BORDER_CLAMP;
  case OP_BORDER_MIRROR: return BORDER_MIRROR;
  case OP_BORDER_WRAP: return BORDER_WRAP;
  case OP_BORDER_CONST: return BORDER_CONST;
  default: return BORDER_NONE; /* a load */
  }
}

BorderedImage bordered_image(Value *image) {
  BorderedImage result = {.image = image, .border = border_of(image->def)};
  if (result.border == BORDER_CONST) result.outside = image->def->args[1];
  while (border_of(result.image->def) != BORDER_NONE) result.image = result.image->def->args[0];
  return result;
}

/* The components of a constant expression; NULL: they are known only at run time. */
static RealConst *constant_components(Cx *cx, const Value *value);

static RealConst *stacked(Cx *cx, const Inst *cons, uint64_t n) {
  RealConst *components = NEWN(cx->arena, RealConst, n), *next = components;
  for (uint32_t i = 0; i < cons->n_args; i++, next += n / cons->n_args) {
    const RealConst *part = constant_components(cx, cons->args[i]);
    if (!part) return NULL;
    memcpy(next, part, n / cons->n_args * sizeof *part);
  }
  return components;
}

static RealConst *evaluated(Cx *cx, const Inst *inst, uint64_t n) {
  const double **operands = NEWN(cx->arena, const double *, inst->n_args);
  Shape *shapes = NEWN(cx->arena, Shape, inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++) {
    shapes[i] = *type_shape(inst->args[i]->ty);
    const uint64_t n_values = shape_size(&shapes[i]);
    const RealConst *values = constant_components(cx, inst->args[i]);
    double *operand = NEWN(cx->arena, double, n_values);
    for (uint64_t k = 0; values && k < n_values; k++) operand[k] = values[k].value;
    operands[i] = operand;
    if (!values) return NULL;
  }
  const Shape shape = ein_shape(inst->attr.ein);
  RealConst *components = NEWN(cx->arena, RealConst, n);
  uint32_t idx[MAX_ORDER] = {0};
  for (uint64_t k = 0; k < n; k++) {
    components[k].value = ein_eval(inst->attr.ein, operands, shapes, idx);
    for (uint32_t axis = shape.order; axis-- > 0;) {
      if (++idx[axis] < shape.dims[axis]) break;
      idx[axis] = 0;
    }
  }
  return components;
}

static RealConst *constant_components(Cx *cx, const Value *value) {
  const Inst *def = value->def;
  if (!def || !type_is(value->ty, TY_TENSOR)) return NULL;
  const uint64_t n = shape_size(type_shape(value->ty));
  if (def->op == OP_CONS) return stacked(cx, def, n);
  if (def->op == OP_EIN) return evaluated(cx, def, n);
  if (def->op != OP_CONST_REAL) return NULL;
  RealConst *component = NEW(cx->arena, RealConst);
  *component = def->attr.real;
  return component;
}

static const Const *constant_of(Cx *cx, const Value *value) {
  Const *constant = NEW(cx->arena, Const);
  constant->ty = value->ty;
  constant->reals = constant_components(cx, value);
  return constant->reals ? constant : NULL;
}

static bool is_same(const Const *a, const Const *b) {
  if (!a || !b) return false;
  for (uint64_t i = 0; i < shape_size(type_shape(a->ty)); i++)
    if (a->reals[i].value != b->reals[i].value) return false;
  return true;
}

void note_image_use(Builder *b, const BorderedImage *image, const Kernel *kernel) {
  if (!inst_is_op(image->image->def, OP_GLOBAL_LOAD)) return;
  ImageUse *use = &b->fn->module->globals.data[image->image->def->attr.var.index].use;
  const uint32_t border = 1u << image->border;
  for (uint32_t axis = 0; axis < type_dim(image->image->ty); axis++)
    use->kernels |= 1u << (uint32_t)(kernel_along(kernel, axis) - kernel_at(0));
  if (image->border == BORDER_CONST) {
    const Const *outside = constant_of(b->cx, image->outside);
    bool is_first = !(use->borders & border);
    if (is_first || !is_same(use->outside, outside)) use->outside = is_first ? outside : NULL;
  }
  use->borders |= border;
}

Value *convert_inside(Builder *b, const Inst *inst) {
  Value *image = bordered_image(inst->args[0]).image;
  Value *args[] = {image, pos_index_of(b, image, inst->args[1])};
  return build_op(b, OP_INSIDE_INDEX, inst->attr, args, 2);
}
