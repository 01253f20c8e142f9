/* Components: the scalar components of MID values, their names, and their places. */
#include "ir/mid-to-low/local.h"

Parts parts_new(Cx *cx, uint32_t n) { return (Parts){.n = n, .v = NEWN(cx->arena, Value *, n)}; }

uint32_t parts_count(const Type *ty) {
  return type_is(ty, TY_TENSOR) ? (uint32_t)shape_size(type_shape(ty)) : 1;
}

const Type *part_type(Cx *cx, const Type *ty) {
  return type_is(ty, TY_TENSOR) ? type_real(cx) : ty;
}

const Name *part_name(Cx *cx, const Name *name, const Type *ty, uint32_t part) {
  if (name == NULL || parts_count(ty) == 1) return name;
  return name_from(cx->names, type_component_name(cx, ty, name->text, part));
}

Value *part_hint(Lower *lower, Value *v, const char *format, ...) {
  if (v->name) return v;
  Text text = text_new(lower->cx->arena);
  va_list args;
  va_start(args, format);
  text_add_va(&text, format, args);
  va_end(args);
  v->name = name_from(lower->cx->names, text_str(&text));
  return v;
}

/* ---- where they are -------------------------------------------------------------------------- */

static const Ixfun *packed(Lower *lower, const Type *ty) {
  int64_t len[MAX_ORDER];
  uint32_t rank = 0;
  if (type_is(ty, TY_TENSOR))
    for (const Shape *shape = type_shape(ty); rank < shape->order; rank++)
      len[rank] = shape->dims[rank];
  return ixfun_iota_const(lower->cx->arena, len, rank);
}

/* The place of element i of a tensor. */
static const Ixfun *slot_of(Lower *lower, const Ixfun *whole, uint32_t i) {
  Arena *a = lower->cx->arena;
  const Extents shape = ixfun_shape(a, whole);
  IxSlice spec[MAX_ORDER] = {ix_fix(poly_const(i))};
  for (uint32_t k = 1; k < shape.rank; k++) spec[k] = ix_whole(shape.len[k]);
  return ixfun_slice(a, whole, spec, shape.rank);
}

/* The CONS of which the value is an element, if that is its only use; or NULL. */
static const Inst *only_cons(const Value *mid) {
  const Use *use = mid->uses;
  const bool is_only = use != NULL && use->next == NULL && use->user->op == OP_CONS;
  return is_only && use->user->n_args > 1 ? use->user : NULL;
}

static Tensor find_home(Lower *lower, const Value *mid) {
  const Tensor *known = map_get(lower->homes, mid);
  if (known != NULL) return *known;
  const Inst *cons = only_cons(mid);
  Tensor *home = NEW(lower->cx->arena, Tensor);
  home->at = packed(lower, mid->ty);
  if (cons == NULL) {
    home->block = NEWN(lower->cx->arena, Value *, parts_count(mid->ty));
  } else {
    const Tensor outer = find_home(lower, cons->results[0]);
    const Ixfun *slot = slot_of(lower, outer.at, mid->uses->arg);
    *home = (Tensor){outer.block, ixfun_rebase(lower->cx->arena, slot, home->at)};
    ASSERT(lower->cx, home->at != NULL);
  }
  map_put(lower->homes, mid, home);
  return *home;
}

/* The first component, if all lie in order in a block; else NULL. */
static Value **in_order(Lower *lower, Tensor tensor) {
  Poly offset;
  int64_t first = 0;
  const bool is_linear = ixfun_linear_with_offset(lower->cx->arena, tensor.at, 1, &offset) &&
                         poly_is_const(offset, &first);
  return is_linear ? tensor.block + first : NULL;
}

Parts parts_room(Lower *lower, const Value *mid) {
  const Tensor home = find_home(lower, mid);
  Value **room = in_order(lower, home); /* a slot always is: the new axis is the slowest */
  ASSERT(lower->cx, room != NULL);
  return (Parts){.n = parts_count(mid->ty), .v = room};
}

/* ---- of values ------------------------------------------------------------------------------- */

void tensor_set(Lower *lower, const Value *mid, Tensor tensor) {
  Tensor *kept = NEW(lower->cx->arena, Tensor);
  *kept = tensor;
  map_put(lower->tensors, mid, kept);
  const Parts parts = parts_of(lower, mid);
  for (uint32_t i = 0; i < parts.n; i++) {
    if (parts.v[i]->name == NULL) {
      parts.v[i]->name = part_name(lower->cx, mid->name, mid->ty, i);
    }
  }
}

void parts_set(Lower *lower, const Value *mid, Parts parts) {
  const Tensor *home = map_get(lower->homes, mid);
  ASSERT(lower->cx, parts.n == parts_count(mid->ty));
  const bool is_home = home != NULL && in_order(lower, *home) == parts.v;
  tensor_set(lower, mid, is_home ? *home : (Tensor){parts.v, packed(lower, mid->ty)});
}

Tensor tensor_of(Lower *lower, const Value *mid) {
  const Tensor *tensor = map_get(lower->tensors, mid);
  if (tensor == NULL) BUG(lower->cx, "value %%%u is used before it is lowered", mid->id);
  return *tensor;
}

static void next_index(const Shape *shape, uint32_t *idx) {
  for (uint32_t axis = shape->order; axis-- > 0;) {
    if (++idx[axis] < shape->dims[axis]) return;
    idx[axis] = 0;
  }
}

Parts parts_of(Lower *lower, const Value *mid) {
  const SeqView *view = map_get(lower->views, mid);
  if (view != NULL) return seq_view_parts(lower, view);
  const Tensor tensor = tensor_of(lower, mid);
  Parts parts = {.n = parts_count(mid->ty), .v = in_order(lower, tensor)};
  if (parts.v != NULL) return parts;
  ASSERT(lower->cx, tensor.block != NULL);
  const Access access = access_new(tensor.at);
  uint32_t idx[MAX_ORDER] = {0};
  parts = parts_new(lower->cx, parts.n);
  for (uint32_t i = 0; i < parts.n; i++, next_index(type_shape(mid->ty), idx))
    parts.v[i] = tensor.block[access_number(lower->cx, &access, idx)];
  return parts;
}

Tensor tensor_cons(Lower *lower, const Inst *inst) {
  const Tensor whole = find_home(lower, inst->results[0]);
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Tensor own = tensor_of(lower, inst->args[i]);
    const Ixfun *slot = inst->n_args > 1 ? slot_of(lower, whole.at, i) : whole.at;
    if (own.block == whole.block && ixfun_eq(lower->cx->arena, own.at, slot)) continue;
    const Parts parts = parts_of(lower, inst->args[i]);
    Value **room = in_order(lower, (Tensor){whole.block, slot});
    for (uint32_t k = 0; k < parts.n; k++) room[k] = parts.v[k];
  }
  return whole;
}
