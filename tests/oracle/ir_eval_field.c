/* ir_eval_field.c: tensors, fields and images of HIGH and MID. A field has no value of its own; at
 * a position it is the power series of each component, found from those of its operands. There is
 * one rule for each op, which says what it means. No rule is about derivatives: these are in the
 * series. Read next: taylor.h, ir_image.h.
 */
#include <math.h>

#include "tests/oracle/ir_eval_local.h"

/* A point with a bound on its rounding; series are in the distance from there. */
typedef struct Point {
  double at[3], error[3];
} Point;

static Point point_from(const IrFrame *frame, const Value *pos) {
  const IrValue *value = ir_value(frame, pos);
  Point point = {{0}, {0}};
  for (uint32_t i = 0; i < value->n; i++) {
    point.at[i] = value->at[i].value.real;
    point.error[i] = value->at[i].error;
  }
  return point;
}

static Taylor *new_series(const IrFrame *frame, uint64_t n) {
  return NEWN(frame->eval->arena, Taylor, n);
}

/* --- Einstein expressions --------------------------------------------------------------------- */

typedef struct EinWalk {
  const IrFrame *frame;
  const TaylorSpace *sp;
  const Inst *inst;
  const Taylor **operands;
  uint32_t index[EIN_MAX_INDICES];
} EinWalk;

static uint32_t index_value(const EinWalk *w, EinIdx idx) {
  return idx.is_const ? idx.value : w->index[idx.value];
}

static Taylor walk_param(const EinWalk *w, const EinExpr *e) {
  const Shape *shape = type_shape(w->inst->args[e->param]->ty);
  uint32_t at = 0;
  for (uint32_t i = 0; i < e->n_idx; i++) at = at * shape->dims[i] + index_value(w, e->idx[i]);
  return w->operands[e->param][at];
}

static double permutation_sign(const EinWalk *w, const EinExpr *e) {
  int sign = 1;
  for (uint32_t i = 0; i < e->n_idx; i++)
    for (uint32_t j = 0; j < i; j++) {
      const uint32_t a = index_value(w, e->idx[j]), b = index_value(w, e->idx[i]);
      sign *= (b > a) - (b < a);
    }
  return sign;
}

static Taylor apply_fn(const EinWalk *w, OpId fn, const Taylor *args) {
  const TaylorSpace *sp = w->sp;
  switch (fn) {
  case OP_RSQRT: return taylor_sqrt(sp, args);
  case OP_REXP: return taylor_exp(sp, args);
  case OP_RSIN: return taylor_sin(sp, args);
  case OP_RCOS: return taylor_cos(sp, args);
  case OP_RTAN: return taylor_tan(sp, args);
  case OP_RASIN: return taylor_asin(sp, args);
  case OP_RACOS: return taylor_acos(sp, args);
  case OP_RATAN: return taylor_atan(sp, args);
  case OP_RABS: return taylor_abs(sp, args);
  case OP_RSGN: return taylor_sgn(sp, args);
  case OP_RMIN: return taylor_min(sp, args, args + 1);
  case OP_RMAX: return taylor_max(sp, args, args + 1);
  case OP_RCLAMP: return taylor_clamp(sp, args, args + 1, args + 2);
  default:
    BUG(w->frame->eval->cx, "no series of %s", op_text(fn)); /* derivatives.def has no more */
  }
}

static Taylor walk(EinWalk *w, const EinExpr *e);

static Taylor walk_sum(EinWalk *w, const EinExpr *e) {
  Taylor sum = taylor_const(0, 0);
  for (uint32_t i = 0; i < e->range; i++) {
    w->index[e->var] = i;
    const Taylor term = walk(w, e->args[0]);
    sum = taylor_add(w->sp, &sum, &term);
  }
  return sum;
}

static Taylor walk(EinWalk *w, const EinExpr *e) {
  const TaylorSpace *sp = w->sp;
  Taylor args[EIN_MAX_ARGS];
  if (e->kind == EIN_SUM) return walk_sum(w, e);
  for (uint32_t i = 0; i < e->n_args; i++) args[i] = walk(w, e->args[i]);
  switch (e->kind) {
  case EIN_NUM: return taylor_const(rational_to_double(e->num), 0);
  case EIN_PARAM: return walk_param(w, e);
  case EIN_DELTA: return taylor_const(index_value(w, e->idx[0]) == index_value(w, e->idx[1]), 0);
  case EIN_EPS: return taylor_const(permutation_sign(w, e), 0);
  case EIN_ADD: return taylor_add(sp, args, args + 1);
  case EIN_SUB: return taylor_sub(sp, args, args + 1);
  case EIN_MUL: return taylor_mul(sp, args, args + 1);
  case EIN_DIV: return taylor_div(sp, args, args + 1);
  case EIN_NEG: return taylor_neg(sp, args);
  case EIN_POW: return taylor_pow(sp, args, e->exponent);
  case EIN_FN: return apply_fn(w, e->fn, args);
  case EIN_SUM: break; /* above */
  }
  return taylor_const(NAN, INFINITY);
}

static Taylor *ein_series(const IrFrame *frame, const Inst *inst, const Taylor **operands,
                          const TaylorSpace *sp) {
  const Ein *ein = inst->attr.ein;
  const Shape shape = ein_shape(ein);
  const uint32_t n = (uint32_t)shape_size(&shape);
  Taylor *result = new_series(frame, n);
  EinWalk w = {.frame = frame, .sp = sp, .inst = inst, .operands = operands};
  for (uint32_t c = 0; c < n; c++) {
    uint32_t rest = c;
    for (uint32_t i = shape.order; i-- > 0; rest /= shape.dims[i])
      w.index[i] = rest % shape.dims[i];
    result[c] = walk(&w, ein->body);
  }
  return result;
}

static Taylor *constant_series(const IrFrame *frame, const Value *tensor) {
  const IrValue *value = ir_value(frame, tensor);
  Taylor *series = new_series(frame, value->n);
  for (uint32_t i = 0; i < value->n; i++)
    series[i] = taylor_const(value->at[i].value.real, value->at[i].error);
  return series;
}

static void eval_ein(const IrFrame *frame, const Inst *inst) {
  const TaylorSpace sp = taylor_space(0, 0, frame->eval->epsilon);
  const Taylor **operands = NEWN(frame->eval->arena, const Taylor *, inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++) operands[i] = constant_series(frame, inst->args[i]);
  const Taylor *series = ein_series(frame, inst, operands, &sp);
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  for (uint32_t i = 0; i < value.n; i++)
    value.at[i] = (IrScalar){op_value_real(series[i].c[0]), series[i].error[0]};
  frame->of[inst->results[0]->id] = value;
}

/* --- images ----------------------------------------------------------------------------------- */

static Point to_index(const IrImage *image, const Point *pos, double epsilon) {
  Point result = {{0}, {0}};
  for (int a = 0; a < image->image->grid.dim; a++)
    for (int r = 0; r < image->image->grid.dim; r++) {
      const double entry = image->to_index[a][r], from_origin = pos->at[r] - image->origin[r];
      result.at[a] += entry * from_origin;
      result.error[a] += fabs(entry) * (pos->error[r] + 3 * epsilon * fabs(from_origin) +
                                        epsilon * fabs(image->origin[r]));
    }
  return result;
}

/* support - 1 < n < size - support, both strict (doc/language.md, "Images and fields") */
static IrScalar inside_at(const IrImage *image, const Point *pos_index, Supports supports) {
  bool is_inside = true, is_unsure = false;
  for (int a = 0; a < image->image->grid.dim; a++) {
    const double n = pos_index->at[a], error = 8 * pos_index->error[a];
    const int64_t support = supports.along[a];
    const double low = (double)(support - 1), high = (double)(image->image->grid.size[a] - support);
    if (!isfinite(error) || (error > 0 && fmin(fabs(n - low), fabs(n - high)) <= error))
      is_unsure = true;
    else if (!(low < n && n < high)) return ir_bool(false);
    if (!(low < n && n < high)) is_inside = false;
  }
  IrScalar result = ir_bool(is_inside);
  if (is_unsure) result.error = INFINITY;
  return result;
}

/* --- fields ----------------------------------------------------------------------------------- */

static Taylor *field_series(const IrFrame *frame, const Value *field, const Point *pos,
                            const TaylorSpace *sp);

static Border border_of(const Inst *def, const IrFrame *frame, const double **outside) {
  switch (def->op) {
  case OP_BORDER_CLAMP: return BORDER_CLAMP;
  case OP_BORDER_MIRROR: return BORDER_MIRROR;
  case OP_BORDER_WRAP: return BORDER_WRAP;
  case OP_BORDER_CONST: break;
  default: return BORDER_NONE; /* a load */
  }
  const IrValue *value = ir_arg(frame, def, 1);
  double *reals = NEWN(frame->eval->arena, double, value->n);
  for (uint32_t i = 0; i < value->n; i++) reals[i] = value->at[i].value.real;
  *outside = reals;
  return BORDER_CONST;
}

static Taylor *convolution_series(const IrFrame *frame, const Inst *def, const Point *pos,
                                  const TaylorSpace *sp) {
  const IrImage *image = ir_image_of(frame, def->args[0]);
  const uint32_t dim = type_dim(def->args[0]->ty), n = (uint32_t)image->image->n_comp;
  const Point idx = to_index(image, pos, sp->epsilon);
  IrProbe probe = {.image = image, .kernel = def->args[1]->def->attr.kernel};
  if (def->args[0]->def) probe.border = border_of(def->args[0]->def, frame, &probe.outside);
  Taylor along[3], *series = new_series(frame, n);
  for (uint32_t a = 0; a < dim; a++) {
    probe.pos_index[a] = idx.at[a];
    probe.error[a] = idx.error[a];
    along[a] = taylor_const(0, 0);
    for (uint32_t r = 0; sp->order > 0 && r < dim; r++) {
      along[a].c[1 + r] = image->to_index[a][r];
      along[a].error[1 + r] = 4 * sp->epsilon * fabs(image->to_index[a][r]);
    }
  }
  ir_probe_series(&probe, sp, series);
  for (uint32_t c = 0; c < n; c++) series[c] = taylor_substitute(sp, sp, &series[c], along);
  return series;
}

static Taylor *position_series(const IrFrame *frame, const Point *pos, const TaylorSpace *sp) {
  Taylor *series = new_series(frame, sp->n_vars);
  for (uint32_t i = 0; i < sp->n_vars; i++) series[i] = taylor_var(pos->at[i], pos->error[i], i);
  return series;
}

static Taylor *derivative_series(const IrFrame *frame, const Value *field, const Point *pos,
                                 const TaylorSpace *sp) {
  const TaylorSpace more = taylor_space(sp->n_vars, sp->order + 1, sp->epsilon);
  const uint64_t n = shape_size(type_shape(field->ty));
  const Taylor *series = field_series(frame, field, pos, &more);
  Taylor *result = new_series(frame, n * sp->n_vars);
  for (uint64_t c = 0; c < n; c++)
    for (uint32_t var = 0; var < sp->n_vars; var++)
      result[c * sp->n_vars + var] = taylor_derivative(&more, &series[c], var);
  return result;
}

static Point point_of(const Taylor *series, uint32_t n) {
  Point point = {{0}, {0}};
  for (uint32_t i = 0; i < n; i++) {
    point.at[i] = series[i].c[0];
    point.error[i] = series[i].error[0];
  }
  return point;
}

static Taylor *composition_series(const IrFrame *frame, const Inst *def, const Point *pos,
                                  const TaylorSpace *sp) {
  const Value *outer = def->args[0];
  const TaylorSpace from = taylor_space(type_dim(outer->ty), sp->order, sp->epsilon);
  const Taylor *inner = field_series(frame, def->args[1], pos, sp);
  const Point there = point_of(inner, from.n_vars);
  Taylor *series = field_series(frame, outer, &there, &from);
  for (uint64_t c = 0; c < shape_size(type_shape(outer->ty)); c++)
    series[c] = taylor_substitute(sp, &from, &series[c], inner);
  return series;
}

static bool compare(OpId op, double a, double b) {
  return op == OP_CHOOSE_LT ? a < b : op == OP_CHOOSE_LE ? a <= b : a == b;
}

/* One field or the other, around the position; nothing is known if rounding may decide. */
static Taylor *choice_series(const IrFrame *frame, const Inst *def, const Point *pos,
                             const TaylorSpace *sp) {
  const uint64_t n = shape_size(type_shape(def->results[0]->ty));
  const Taylor *a = field_series(frame, def->args[0], pos, sp);
  const Taylor *b = field_series(frame, def->args[1], pos, sp);
  const double error = a->error[0] + b->error[0];
  const bool is_true = compare(def->op, a->c[0], b->c[0]);
  Taylor *series = field_series(frame, def->args[is_true ? 2 : 3], pos, sp);
  const bool is_sure = error == 0 || fabs(a->c[0] - b->c[0]) > error;
  for (uint64_t c = 0; c < n && !is_sure; c++) series[c] = taylor_without_bounds(series[c]);
  return series;
}

/* The field that a condition chooses, whatever the position. */
static const Value *chosen_field(const IrFrame *frame, const Inst *choose) {
  return choose->args[ir_arg(frame, choose, 0)->at->value.b ? 1 : 2];
}

static Taylor *chosen_series(const IrFrame *frame, const Inst *choose, const Point *pos,
                             const TaylorSpace *sp) {
  Taylor *series = field_series(frame, chosen_field(frame, choose), pos, sp);
  const uint64_t n = shape_size(type_shape(choose->results[0]->ty));
  const bool is_sure = ir_arg(frame, choose, 0)->at->error == 0;
  for (uint64_t c = 0; c < n && !is_sure; c++) series[c] = taylor_without_bounds(series[c]);
  return series;
}

/* An exponent that is itself rounded is not bounded here. */
static Taylor *power_series(const IrFrame *frame, const Inst *def, const Point *pos,
                            const TaylorSpace *sp) {
  const IrScalar *exponent = ir_arg(frame, def, 0)->at;
  const Taylor t = taylor_var(pos->at[0], pos->error[0], 0);
  Taylor *series = NEW(frame->eval->arena, Taylor);
  *series = type_is(def->args[0]->ty, TY_INT) ? taylor_pow(sp, &t, exponent->value.i)
                                              : taylor_real_pow(sp, &t, exponent->value.real);
  if (exponent->error > 0) *series = taylor_without_bounds(*series);
  return series;
}

static Taylor *field_series(const IrFrame *frame, const Value *field, const Point *pos,
                            const TaylorSpace *sp) {
  const Inst *def = field->def;
  if (!def) BUG(frame->eval->cx, "a field is a parameter");
  switch (def->op) {
  case OP_CONVOLVE: return convolution_series(frame, def, pos, sp);
  case OP_COORD: return position_series(frame, pos, sp);
  case OP_DERIV: return derivative_series(frame, def->args[0], pos, sp);
  case OP_COMPOSE: return composition_series(frame, def, pos, sp);
  case OP_POWER: return power_series(frame, def, pos, sp);
  case OP_CHOOSE: return chosen_series(frame, def, pos, sp);
  case OP_CHOOSE_LT:
  case OP_CHOOSE_LE:
  case OP_CHOOSE_EQ: return choice_series(frame, def, pos, sp);
  case OP_EIN: break;
  default: BUG(frame->eval->cx, "%s makes no field", op_text(def->op)); /* ops.def has no more */
  }
  const Taylor **operands = NEWN(frame->eval->arena, const Taylor *, def->n_args);
  for (uint32_t i = 0; i < def->n_args; i++)
    operands[i] = type_is(def->args[i]->ty, TY_FIELD) ? field_series(frame, def->args[i], pos, sp)
                                                      : constant_series(frame, def->args[i]);
  return ein_series(frame, def, operands, sp);
}

static void eval_probe(const IrFrame *frame, const Inst *inst) {
  const Value *field = inst->args[0];
  const TaylorSpace sp = taylor_space(type_dim(field->ty), 0, frame->eval->epsilon);
  const Point pos = point_from(frame, inst->args[1]);
  const Taylor *series = field_series(frame, field, &pos, &sp);
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  for (uint32_t i = 0; i < value.n; i++)
    value.at[i] = (IrScalar){op_value_real(series[i].c[0]), series[i].error[0]};
  frame->of[inst->results[0]->id] = value;
}

static IrScalar both(IrScalar a, IrScalar b) {
  if ((a.error == 0 && !a.value.b) || (b.error == 0 && !b.value.b)) return ir_bool(false);
  a.value.b = a.value.b && b.value.b;
  a.error += b.error;
  return a;
}

/* Every image that the field reads, each with the support it is read with; the widest decides. */
static IrScalar field_inside(const IrFrame *frame, const Value *field, const Point *pos) {
  const Inst *def = field->def;
  IrScalar all = ir_bool(true);
  if (def->op == OP_CONVOLVE) {
    const IrImage *image = ir_image_of(frame, def->args[0]);
    const Point idx = to_index(image, pos, frame->eval->epsilon);
    return inside_at(image, &idx, supports_of(def->args[1]->def->attr.kernel));
  }
  if (def->op == OP_CHOOSE) {
    all = field_inside(frame, chosen_field(frame, def), pos);
    all.error += ir_arg(frame, def, 0)->at->error;
    return all;
  }
  if (def->op == OP_COMPOSE) {
    const TaylorSpace sp = taylor_space(type_dim(field->ty), 0, frame->eval->epsilon);
    const Taylor *inner = field_series(frame, def->args[1], pos, &sp);
    const Point there = point_of(inner, type_dim(def->args[0]->ty));
    return both(field_inside(frame, def->args[1], pos), field_inside(frame, def->args[0], &there));
  }
  for (uint32_t i = 0; i < def->n_args; i++)
    if (type_is(def->args[i]->ty, TY_FIELD))
      all = both(all, field_inside(frame, def->args[i], pos));
  return all;
}

/* --- ops of MID ------------------------------------------------------------------------------- */

static void set_one(const IrFrame *frame, const Inst *inst, IrScalar scalar) {
  const IrValue value = ir_new_value(frame, 1);
  *value.at = scalar;
  frame->of[inst->results[0]->id] = value;
}

static void eval_to_index(const IrFrame *frame, const Inst *inst) {
  const Point pos = point_from(frame, inst->args[1]);
  const Point idx = to_index(ir_image_of(frame, inst->args[0]), &pos, frame->eval->epsilon);
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  for (uint32_t i = 0; i < value.n; i++)
    value.at[i] = (IrScalar){op_value_real(idx.at[i]), idx.error[i]};
  frame->of[inst->results[0]->id] = value;
}

static void eval_gradient_matrix(const IrFrame *frame, const Inst *inst) {
  const IrImage *image = ir_image_of(frame, inst->args[0]);
  const uint32_t dim = type_dim(inst->args[0]->ty);
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  for (uint32_t i = 0; i < value.n; i++) value.at[i] = ir_real(image->to_index[i % dim][i / dim]);
  frame->of[inst->results[0]->id] = value;
}

/* The derivatives of one order, from the coefficients: component axes first. */
static IrValue derivatives(const IrFrame *frame, const TaylorSpace *sp, const Taylor *series,
                           uint32_t order, const Type *ty) {
  const IrValue value = ir_new_value(frame, ir_n_scalars(ty));
  uint32_t n_entries = 1;
  for (uint32_t k = 0; k < order; k++) n_entries *= sp->n_vars;
  for (uint32_t i = 0; i < value.n; i++) {
    uint32_t powers[TAYLOR_VARS] = {0}, rest = i % n_entries;
    double factor = 1; /* the factorial of each power */
    for (uint32_t k = 0; k < order; k++, rest /= sp->n_vars) factor *= ++powers[rest % sp->n_vars];
    const uint32_t term = sp->term[powers[0]][powers[1]][powers[2]];
    value.at[i].value = op_value_real(factor * series[i / n_entries].c[term]);
    value.at[i].error = factor * series[i / n_entries].error[term];
  }
  return value;
}

static void eval_probe_group(const IrFrame *frame, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  const Point pos = point_from(frame, inst->args[1]);
  uint32_t highest = 0, result = 0;
  for (uint32_t m = 0; m <= TAYLOR_ORDER; m++)
    if (group->orders >> m & 1) highest = m;
  const TaylorSpace sp = taylor_space(type_dim(inst->args[0]->ty), highest, frame->eval->epsilon);
  IrProbe probe = {ir_image_of(frame, inst->args[0]), group->kernel, group->border, NULL, {0}, {0}};
  for (uint32_t a = 0; a < sp.n_vars; a++) {
    probe.pos_index[a] = pos.at[a];
    probe.error[a] = pos.error[a];
  }
  if (group->border == BORDER_CONST) {
    const IrValue *value = ir_arg(frame, inst, 2);
    double *outside = NEWN(frame->eval->arena, double, value->n);
    for (uint32_t i = 0; i < value->n; i++) outside[i] = value->at[i].value.real;
    probe.outside = outside;
  }
  Taylor *series = new_series(frame, (uint64_t)probe.image->image->n_comp);
  ir_probe_series(&probe, &sp, series);
  for (uint32_t m = 0; m <= highest; m++) {
    if (!(group->orders >> m & 1)) continue;
    const Value *value = inst->results[result++];
    frame->of[value->id] = derivatives(frame, &sp, series, m, value->ty);
  }
}

static void eval_image_size(const IrFrame *frame, const Inst *inst) {
  const IrImage *image = ir_image_of(frame, inst->args[0]);
  const IrValue value = ir_new_value(frame, type_dim(inst->args[0]->ty));
  for (uint32_t i = 0; i < value.n; i++) value.at[i] = ir_int(image->image->grid.size[i]);
  frame->of[inst->results[0]->id] = value;
}

static void eval_cons(const IrFrame *frame, const Inst *inst) {
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  const uint32_t n = value.n / inst->n_args;
  for (uint32_t i = 0; i < value.n; i++) value.at[i] = ir_arg(frame, inst, i / n)->at[i % n];
  frame->of[inst->results[0]->id] = value;
}

/* Fields and kernels have no value before they are probed; a bordered image is its image. */
static bool is_definition(const IrFrame *frame, const Inst *inst) {
  if (inst->n_results != 1) return false;
  const Type *ty = inst->results[0]->ty;
  if (type_is(ty, TY_IMAGE)) frame->of[inst->results[0]->id] = *ir_arg(frame, inst, 0);
  return type_is(ty, TY_FIELD) || type_is(ty, TY_KERNEL) || type_is(ty, TY_IMAGE);
}

bool ir_eval_field_op(const IrFrame *frame, const Inst *inst) {
  if (is_definition(frame, inst)) return true;
  Point at;
  switch (inst->op) {
  case OP_EIN: eval_ein(frame, inst); return true;
  case OP_CONS: eval_cons(frame, inst); return true;
  case OP_PROBE: eval_probe(frame, inst); return true;
  case OP_INSIDE:
    at = point_from(frame, inst->args[0]);
    set_one(frame, inst, field_inside(frame, inst->args[1], &at));
    return true;
  case OP_INSIDE_IMAGE:
    at = point_from(frame, inst->args[1]);
    at = to_index(ir_image_of(frame, inst->args[0]), &at, frame->eval->epsilon);
    set_one(frame, inst, inside_at(ir_image_of(frame, inst->args[0]), &at, inst->attr.supports));
    return true;
  case OP_INSIDE_INDEX:
    at = point_from(frame, inst->args[1]);
    set_one(frame, inst, inside_at(ir_image_of(frame, inst->args[0]), &at, inst->attr.supports));
    return true;
  case OP_TO_INDEX: eval_to_index(frame, inst); return true;
  case OP_GRADIENT_MATRIX: eval_gradient_matrix(frame, inst); return true;
  case OP_PROBE_GROUP: eval_probe_group(frame, inst); return true;
  case OP_IMAGE_SIZE: eval_image_size(frame, inst); return true;
  default: return false; /* no op on tensors, fields or whole images */
  }
}
