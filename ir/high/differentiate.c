/* differentiate: probes and inside tests of field expressions become those of images.
 *
 *   %h = ein<$0*$1> %f, %g          %v  = probe %f, %x      %w  = probe %g, %x
 *   %d = deriv %h              =>   %dv = probe (deriv %f), %x   ...
 *   %y = probe %d, %x               %y  = ein<i:3 | $0[i]*$1 + $2*$3[i]> %dv, %w, %v, %dw
 *
 * Level high. Keeps dom. Afterwards every probe is of derivatives of one convolution and no
 * inside is left; ops on fields that nothing uses any more remain for dce. Note [Jets].
 */
#include "ir/high/jet.h"
#include "ir/high/local.h"
#include "ir/pass/pass.h"

typedef struct Emitted { /* a derivative already there, at one position */
  const Value *pos;
  uint32_t order;
  Value *value;
  struct Emitted *next;
} Emitted;

typedef struct Diff {
  Cx *cx;
  Builder b;
  Jets jets;
  Map *emitted; /* field Value -> Emitted list; of the current block, so that it dominates */
} Diff;

static Value *derivative_at(Diff *diff, Value *field, Value *pos, uint32_t order);

/* ---- memory ---------------------------------------------------------------------------------- */

static Value *find_emitted(const Diff *diff, const Value *field, const Value *pos, uint32_t order) {
  for (Emitted *e = map_get(diff->emitted, field); e; e = e->next)
    if (e->pos == pos && e->order == order) return e->value;
  return NULL;
}

static Value *remember(Diff *diff, const Value *field, const Value *pos, uint32_t order,
                       Value *value) {
  Emitted *emitted = NEW(diff->cx->arena, Emitted);
  *emitted = (Emitted){pos, order, value, map_get(diff->emitted, field)};
  map_put(diff->emitted, field, emitted);
  return value;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static bool is_leaf(const Value *field) {
  while (field->def && inst_is_op(field->def, OP_DERIV)) field = field->def->args[0];
  return field->def && inst_is_op(field->def, OP_CONVOLVE);
}

/* The order-th derivative of a convolution, independent of the position. */
static Value *leaf_field(Diff *diff, Value *convolution, uint32_t order) {
  if (order == 0) return convolution;
  Value *known = find_emitted(diff, convolution, NULL, order);
  if (known) return known;
  Value *below = leaf_field(diff, convolution, order - 1);
  if (type_continuity(below->ty) == 0)
    BUG(diff->cx, "a derivative beyond the continuity of the kernel");
  return remember(diff, convolution, NULL, order, build_op1(&diff->b, OP_DERIV, below));
}

static const Type *derivative_type(Diff *diff, const Value *field, uint32_t order) {
  Shape shape = *type_shape(field->ty);
  for (uint32_t i = 0; i < order; i++) shape = shape_append(shape, type_dim(field->ty));
  if (shape_is_too_large(&shape)) LIMIT(diff->cx, diff->b.span, "tensors of so many axes");
  return type_tensor(diff->cx, shape);
}

static Value *identity(Diff *diff, uint32_t dim) {
  if (dim == 1) return build_real(&diff->b, 1.0);
  const EinExpr *delta = ein_delta(diff->cx, ein_var(0), ein_var(1));
  Shape shape = shape_of(2, (uint32_t[]){dim, dim});
  return build_ein(&diff->b, ein_new(diff->cx, shape, 0, delta), NULL, 0);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The operand's derivative that a parameter of the jet stands for, at the position. */
static Value *param_at(Diff *diff, Value *field, Value *pos, JetParam param) {
  Value *operand = field->def->args[param.operand];
  if (!value_is(operand, TY_FIELD)) return operand;
  if (inst_is_op(field->def, OP_COMPOSE) && param.operand == 0)
    pos = derivative_at(diff, field->def->args[1], pos, 0);
  return derivative_at(diff, operand, pos, param.order);
}

static uint32_t find_arg(Cx *cx, ValueVec *args, Value *value) {
  for (uint32_t i = 0; i < args->len; i++)
    if (args->data[i] == value) return i;
  vec_push(cx->arena, args, value);
  return args->len - 1;
}

static Value *expression_at(Diff *diff, Value *field, Value *pos, uint32_t order) {
  Cx *cx = diff->cx;
  const Ein *ein = jet_expr(&diff->jets, field, order);
  if (!ein) return build_zero(&diff->b, derivative_type(diff, field, order));

  ValueVec args = {0};
  bool *used = NEWN(cx->arena, bool, ein->n_params);
  uint32_t *new_param = NEWN(cx->arena, uint32_t, ein->n_params);
  ein_used_params(ein->body, used);
  for (uint32_t i = 0; i < ein->n_params; i++)
    if (used[i])
      new_param[i] = find_arg(cx, &args, param_at(diff, field, pos, jet_param(field, i)));
  ein = ein_renumber(cx, ein, new_param, args.len);
  if (args.len == 1 && ein_is_identity(ein)) return args.data[0];
  return build_ein(&diff->b, ein, args.data, args.len);
}

/* The condition is constant around the position, where it does not change. */
static Value *choice_at(Diff *diff, const Inst *def, Value *pos, uint32_t order) {
  Value *sides[] = {derivative_at(diff, def->args[0], pos, 0),
                    derivative_at(diff, def->args[1], pos, 0)};
  Value *args[] = {build_op(&diff->b, choice_comparison(def->op), ATTR_EMPTY, sides, 2),
                   derivative_at(diff, def->args[2], pos, order),
                   derivative_at(diff, def->args[3], pos, order)};
  return build_op(&diff->b, OP_SELECT, ATTR_EMPTY, args, 3);
}

static Value *chosen_at(Diff *diff, const Inst *def, Value *pos, uint32_t order) {
  Value *args[] = {def->args[0], derivative_at(diff, def->args[1], pos, order),
                   derivative_at(diff, def->args[2], pos, order)};
  return build_op(&diff->b, OP_SELECT, ATTR_EMPTY, args, 3);
}

/* n (n-1) .. (n-m+1) t^(n-m). If one of the factors is 0, the result is 0, even for t = 0. */
static Value *power_at(Diff *diff, const Inst *def, Value *pos, uint32_t order) {
  Cx *cx = diff->cx;
  Builder *b = &diff->b;
  bool is_int = value_is(def->args[0], TY_INT);
  Value *n = is_int ? build_op1(b, OP_I2R, def->args[0]) : def->args[0];
  const EinExpr *param = ein_param(cx, 0, NULL, 0), *product = ein_param(cx, 1, NULL, 0);
  Value *vanishes = NULL;
  for (uint32_t i = 0; i < order; i++) {
    const EinExpr *less = ein_binary(cx, EIN_SUB, param, ein_num(cx, RATIONAL(i, 1)));
    product = ein_binary(cx, EIN_MUL, product, less);
    Value *is_zero = build_op2(b, OP_REQ, n, build_real(b, i));
    vanishes = vanishes ? build_op2(b, OP_BOR, vanishes, is_zero) : is_zero;
  }
  const Shape *scalar = type_shape(type_real(cx));
  const EinExpr *lower = ein_binary(cx, EIN_SUB, param, ein_num(cx, RATIONAL(order, 1)));
  Value *exponent = is_int ? build_op2(b, OP_ISUB, def->args[0], build_int(b, order))
                           : build_ein(b, ein_new(cx, *scalar, 1, lower), &n, 1);
  Value *power = build_op2(b, is_int ? OP_RPOWI : OP_RPOW, pos, exponent);
  if (order == 0) return power;
  Value *value = build_ein(b, ein_new(cx, *scalar, 2, product), (Value *[]){n, power}, 2);
  return build_op(b, OP_SELECT, ATTR_EMPTY, (Value *[]){vanishes, build_real(b, 0), value}, 3);
}

static Value *compute_at(Diff *diff, Value *field, Value *pos, uint32_t order) {
  Inst *def = field->def;
  switch (def->op) {
  case OP_CONVOLVE: return build_op2(&diff->b, OP_PROBE, leaf_field(diff, field, order), pos);
  case OP_DERIV: return derivative_at(diff, def->args[0], pos, order + 1);
  case OP_COORD:
    if (order == 0) return pos;
    if (order == 1) return identity(diff, type_dim(field->ty));
    return build_zero(&diff->b, derivative_type(diff, field, order));
  case OP_POWER: return power_at(diff, def, pos, order);
  case OP_CHOOSE: return chosen_at(diff, def, pos, order);
  case OP_CHOOSE_LT:
  case OP_CHOOSE_LE:
  case OP_CHOOSE_EQ: return choice_at(diff, def, pos, order);
  default: return expression_at(diff, field, pos, order); /* EIN, COMPOSE */
  }
}

/* The order-th derivative of a field at a position: tensor[s, d, .. d]. */
static Value *derivative_at(Diff *diff, Value *field, Value *pos, uint32_t order) {
  Value *known = find_emitted(diff, field, pos, order);
  if (known) return known;
  return remember(diff, field, pos, order, compute_at(diff, field, pos, order));
}

/* ---- inside tests ---------------------------------------------------------------------------- */

typedef struct InsideTest {
  Value *image, *pos;
  Supports supports;
} InsideTest;

typedef struct Inside {
  Diff *diff;
  VEC(InsideTest) tests;
  ValueVec choices; /* the tests of fields that a condition chooses between */
  Map *seen;        /* field Value -> Emitted list of the positions it was visited at */
} Inside;

/* Border control does not change the test: it concerns the grid itself. */
static Value *plain_image(Value *image) {
  for (;;) {
    Inst *def = image->def;
    if (!def) return image;
    switch (def->op) {
    case OP_BORDER_CLAMP:
    case OP_BORDER_MIRROR:
    case OP_BORDER_WRAP:
    case OP_BORDER_CONST: image = def->args[0]; break;
    default: return image; /* a load or a parameter */
    }
  }
}

/* Images never change once they are loaded, so two loads of one global are the same. */
static bool is_same_image(const Value *a, const Value *b) {
  if (a == b) return true;
  if (!a->def || !b->def || !inst_is_op(a->def, OP_GLOBAL_LOAD) ||
      !inst_is_op(b->def, OP_GLOBAL_LOAD))
    return false;
  return a->def->attr.var.index == b->def->attr.var.index;
}

static void add_test(Inside *inside, const Inst *convolution, Value *pos) {
  Value *image = plain_image(convolution->args[0]);
  const Supports supports = supports_of(convolution->args[1]->def->attr.kernel);
  for (uint32_t i = 0; i < inside->tests.len; i++) {
    InsideTest *test = &inside->tests.data[i];
    if (!is_same_image(test->image, image) || test->pos != pos) continue;
    test->supports = supports_join(test->supports, supports);
    return;
  }
  vec_push(inside->diff->cx->arena, &inside->tests, ((InsideTest){image, pos, supports}));
}

static bool was_seen(Inside *inside, const Value *field, const Value *pos) {
  Emitted *first = map_get(inside->seen, field);
  for (Emitted *e = first; e; e = e->next)
    if (e->pos == pos) return true;
  Emitted *visit = NEW(inside->diff->cx->arena, Emitted);
  *visit = (Emitted){.pos = pos, .next = first};
  map_put(inside->seen, field, visit);
  return false;
}

static Value *inside_at(Diff *diff, Value *field, Value *pos);

/* The test of the field that a condition chooses. */
static Value *inside_chosen(Diff *diff, const Inst *def, Value *pos) {
  Value *args[] = {def->args[0], inside_at(diff, def->args[1], pos),
                   inside_at(diff, def->args[2], pos)};
  return build_op(&diff->b, OP_SELECT, ATTR_EMPTY, args, 3);
}

/* The images that the field reads at the position. */
static void collect_tests(Inside *inside, Value *field, Value *pos) {
  Inst *def = field->def;
  if (was_seen(inside, field, pos)) return;
  if (inst_is_op(def, OP_CONVOLVE)) {
    add_test(inside, def, pos);
  } else if (inst_is_op(def, OP_CHOOSE)) {
    Value *chosen = inside_chosen(inside->diff, def, pos);
    vec_push(inside->diff->cx->arena, &inside->choices, chosen);
  } else if (inst_is_op(def, OP_COMPOSE)) {
    collect_tests(inside, def->args[1], pos);
    collect_tests(inside, def->args[0], derivative_at(inside->diff, def->args[1], pos, 0));
  } else {
    for (uint32_t i = 0; i < def->n_args; i++)
      if (value_is(def->args[i], TY_FIELD)) collect_tests(inside, def->args[i], pos);
  }
}

static Value *and_also(Diff *diff, Value *all, Value *one) {
  return all ? build_op2(&diff->b, OP_BAND, all, one) : one;
}

static Value *inside_at(Diff *diff, Value *field, Value *pos) {
  Inside inside = {.diff = diff, .seen = map_new(diff->cx->arena)};
  collect_tests(&inside, field, pos);
  Value *all = NULL;
  for (uint32_t i = 0; i < inside.tests.len; i++) {
    InsideTest *test = &inside.tests.data[i];
    Value *args[] = {test->image, test->pos};
    Value *one = build_op(&diff->b, OP_INSIDE_IMAGE, (Attr){.supports = test->supports}, args, 2);
    all = and_also(diff, all, one);
  }
  for (uint32_t i = 0; i < inside.choices.len; i++)
    all = and_also(diff, all, inside.choices.data[i]);
  return all ? all : build_bool(&diff->b, true);
}

/* ---- pass ------------------------------------------------------------------------------------ */

static bool expand_inst(Diff *diff, Inst *inst) {
  Value *with;
  diff->b = build_before(diff->cx, inst);
  if (inst_is_op(inst, OP_PROBE) && !is_leaf(inst->args[0]))
    with = derivative_at(diff, inst->args[0], inst->args[1], 0);
  else if (inst_is_op(inst, OP_INSIDE)) with = inside_at(diff, inst->args[1], inst->args[0]);
  else return false;
  value_replace_uses(inst->results[0], with);
  inst_remove(inst);
  return true;
}

bool pass_differentiate(Pass *px, Func *fn) {
  Diff diff = {.cx = px->cx, .jets = jets_new(px->cx)};
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    diff.emitted = map_new(px->cx->arena);
    for (Inst *inst = fn->blocks.data[i]->first, *next; inst; inst = next) {
      next = inst->next;
      has_changed |= expand_inst(&diff, inst);
    }
  }
  return has_changed;
}

/* Note [Jets]
 *
 * There are two methods. One substitutes field expressions into each other and normalises the
 * result symbolically [Chiw, Kindlmann, Reppy 2016]. The other computes, for each field expression,
 * its value and its derivatives at the position up to the order that is needed: its jet. This
 * compiler mainly uses the second: D(F, m), the m-th derivative tensor of F at x, is computed from
 * D of F's operands, once per field, position and order. Nothing is substituted, so the size of the
 * result is that of the program times the number of orders. Substitution would copy shared parts,
 * which value numbering would then have to find again.
 *
 * The advantage of the first method, that the form of a derivative is known, is kept for single
 * ops: the m-th derivative of an op is its Einstein expression differentiated m times (jet.c). So
 * the product, quotient and chain rules of any order come from one place, and a derivative that is
 * zero by structure is found before anything is emitted.
 */
