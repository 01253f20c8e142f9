/* Types are made once: a type lives in the table under the hash of its fields, so that equality is
 * pointer equality everywhere else. Text of types, both ways, is in type_text.c.
 */
#include "frontend/lang/type.h"

#include <string.h>

#include "frontend/base/panic.h"

#define N_BUCKETS 256

/* Fields that a kind does not use are zero: two types are equal when all fields are. */
struct Type {
  TypeKind kind;
  uint32_t hash;
  uint32_t dim;        /* image, field; width of a row; samples of an addr */
  uint32_t continuity; /* kernel, field */
  Shape shape;         /* tensor, image, field */
  const Type *elem;    /* seq */
  uint64_t seq_len;    /* seq */
  const Name *name;    /* strand */
  const Type *next;    /* in the bucket */
};

struct TypeTable {
  const Type *buckets[N_BUCKETS];
};

static uint32_t hash_step(uint32_t hash, uint64_t value) {
  uint64_t mixed = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

static uint32_t type_hash(const Type *ty) {
  uint32_t hash = hash_step(0, ty->kind);
  hash = hash_step(hash, ty->dim);
  hash = hash_step(hash, ty->continuity);
  for (uint32_t i = 0; i < ty->shape.order; i++) hash = hash_step(hash, ty->shape.dims[i]);
  if (ty->elem) hash = hash_step(hash, ty->elem->hash);
  hash = hash_step(hash, ty->seq_len);
  return ty->name ? hash_step(hash, ty->name->hash) : hash;
}

static bool same_fields(const Type *a, const Type *b) {
  return a->kind == b->kind && a->dim == b->dim && a->continuity == b->continuity &&
         shape_eq(&a->shape, &b->shape) && a->elem == b->elem && a->seq_len == b->seq_len &&
         a->name == b->name;
}

/* The one type with the fields of wanted. */
static const Type *intern(Cx *cx, Type wanted) {
  if (shape_is_too_large(&wanted.shape)) return type_error(cx);
  wanted.hash = type_hash(&wanted);
  const Type **bucket = &cx->types->buckets[wanted.hash % N_BUCKETS];
  for (const Type *ty = *bucket; ty; ty = ty->next)
    if (same_fields(ty, &wanted)) return ty;
  Type *made = NEW(cx->arena, Type);
  *made = wanted;
  made->next = *bucket;
  *bucket = made;
  return made;
}

void types_init(Cx *cx) { cx->types = NEW(cx->arena, TypeTable); }

const Type *type_error(Cx *cx) { return intern(cx, (Type){.kind = TY_ERROR}); }
const Type *type_bool(Cx *cx) { return intern(cx, (Type){.kind = TY_BOOL}); }
const Type *type_int(Cx *cx) { return intern(cx, (Type){.kind = TY_INT}); }
const Type *type_string(Cx *cx) { return intern(cx, (Type){.kind = TY_STRING}); }
const Type *type_real(Cx *cx) { return intern(cx, (Type){.kind = TY_TENSOR}); }
const Type *type_offset(Cx *cx) { return intern(cx, (Type){.kind = TY_OFFSET}); }

const Type *type_tensor(Cx *cx, Shape shape) {
  return intern(cx, (Type){.kind = TY_TENSOR, .shape = shape});
}

const Type *type_vec(Cx *cx, uint32_t n) { return type_tensor(cx, shape_of(1, &n)); }

const Type *type_seq(Cx *cx, const Type *elem, uint64_t len) {
  return intern(cx, (Type){.kind = TY_SEQ, .elem = elem, .seq_len = len});
}

const Type *type_strand(Cx *cx, const Name *name) {
  return intern(cx, (Type){.kind = TY_STRAND, .name = name});
}

const Type *type_image(Cx *cx, uint32_t dim, Shape shape) {
  return intern(cx, (Type){.kind = TY_IMAGE, .dim = dim, .shape = shape});
}

const Type *type_kernel(Cx *cx, uint32_t continuity) {
  return intern(cx, (Type){.kind = TY_KERNEL, .continuity = continuity});
}

const Type *type_field(Cx *cx, uint32_t continuity, uint32_t dim, Shape shape) {
  Type ty = {.kind = TY_FIELD, .continuity = continuity, .dim = dim, .shape = shape};
  return intern(cx, ty);
}

const Type *type_row(Cx *cx, uint32_t width) {
  return intern(cx, (Type){.kind = TY_ROW, .dim = width});
}

const Type *type_addr(Cx *cx, SampleType samples) {
  return intern(cx, (Type){.kind = TY_ADDR, .dim = samples});
}

TypeKind type_kind(const Type *ty) { return ty->kind; }
bool type_is(const Type *ty, TypeKind kind) { return ty->kind == kind; }

const Shape *type_shape(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_TENSOR || ty->kind == TY_IMAGE || ty->kind == TY_FIELD);
  return &ty->shape;
}

uint32_t type_dim(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_IMAGE || ty->kind == TY_FIELD);
  return ty->dim;
}

uint32_t type_continuity(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_KERNEL || ty->kind == TY_FIELD);
  return ty->continuity;
}

const Type *type_elem(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_SEQ);
  return ty->elem;
}

uint64_t type_seq_len(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_SEQ);
  return ty->seq_len;
}

const Name *type_strand_name(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_STRAND);
  return ty->name;
}

uint32_t type_row_width(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_ROW);
  return ty->dim;
}

SampleType type_samples(const Type *ty) {
  ASSERT(NULL, ty->kind == TY_ADDR);
  return (SampleType)ty->dim;
}

bool type_is_real(const Type *ty) { return ty->kind == TY_TENSOR && ty->shape.order == 0; }

static bool is_scalar_or_tensor(const Type *ty) {
  return ty->kind == TY_BOOL || ty->kind == TY_INT || ty->kind == TY_STRING ||
         ty->kind == TY_TENSOR;
}

bool type_is_fixed_size(const Type *ty) {
  while (ty->kind == TY_SEQ && ty->seq_len != SEQ_DYNAMIC) ty = ty->elem;
  return is_scalar_or_tensor(ty);
}

bool type_is_value(const Type *ty) {
  while (ty->kind == TY_SEQ && ty->seq_len != SEQ_DYNAMIC) ty = ty->elem;
  return type_is_dynamic_seq(ty) ? type_is_fixed_size(ty->elem) : is_scalar_or_tensor(ty);
}

bool type_is_dynamic_seq(const Type *ty) {
  return ty->kind == TY_SEQ && ty->seq_len == SEQ_DYNAMIC;
}

bool type_is_fixed_seq(const Type *ty) { return ty->kind == TY_SEQ && ty->seq_len != SEQ_DYNAMIC; }

Shape shape_append(Shape a, uint32_t dim) {
  if (dim == 1 || shape_is_too_large(&a)) return a;
  if (a.order < MAX_ORDER) a.dims[a.order] = dim;
  a.order++;
  return a;
}

Shape shape_of(uint32_t order, const uint32_t *dims) {
  Shape shape = {0};
  for (uint32_t i = 0; i < order; i++) shape = shape_append(shape, dims[i]);
  return shape;
}

Shape shape_concat(Shape a, Shape b) {
  if (shape_is_too_large(&b)) return b;
  for (uint32_t i = 0; i < b.order; i++) a = shape_append(a, b.dims[i]);
  return a;
}

Shape shape_drop_first(Shape a) {
  ASSERT(NULL, a.order >= 1);
  return shape_is_too_large(&a) ? a : shape_of(a.order - 1, a.dims + 1);
}

bool shape_is_too_large(const Shape *a) { return a->order > MAX_ORDER; }

bool shape_eq(const Shape *a, const Shape *b) {
  if (a->order != b->order) return false;
  if (shape_is_too_large(a)) return true;
  for (uint32_t i = 0; i < a->order; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return true;
}

uint64_t shape_size(const Shape *a) {
  ASSERT(NULL, !shape_is_too_large(a));
  uint64_t size = 1;
  for (uint32_t i = 0; i < a->order; i++) {
    if (a->dims[i] != 0 && size > UINT64_MAX / a->dims[i]) return UINT64_MAX;
    size *= a->dims[i];
  }
  return size;
}

static bool seq_coerces(const Type *from, const Type *to) {
  if (from->seq_len == SEQ_DYNAMIC) {
    bool either_error = from->elem->kind == TY_ERROR || to->elem->kind == TY_ERROR;
    return to->seq_len == SEQ_DYNAMIC && (from->elem == to->elem || either_error);
  }
  bool fits = to->seq_len == SEQ_DYNAMIC || to->seq_len == from->seq_len;
  return fits && type_coerces(from->elem, to->elem);
}

bool type_coerces(const Type *from, const Type *to) {
  if (from == to || from->kind == TY_ERROR || to->kind == TY_ERROR) return true;
  if (from->kind == TY_INT) return type_is_real(to);
  if (from->kind != to->kind) return false;
  if (from->kind == TY_SEQ) return seq_coerces(from, to);
  return from->kind == TY_FIELD && from->dim == to->dim && from->continuity >= to->continuity &&
         shape_eq(&from->shape, &to->shape);
}
