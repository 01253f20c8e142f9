/* Parts: the scalar components of MID values and their names. */
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

Parts parts_of(Lower *lower, const Value *mid) {
  const Parts *parts = map_get(lower->parts, mid);
  const SeqView *view = parts == NULL ? map_get(lower->views, mid) : NULL;
  if (view != NULL) return seq_view_parts(lower, view);
  if (parts == NULL) BUG(lower->cx, "value %%%u is used before it is lowered", mid->id);
  return *parts;
}

void parts_set(Lower *lower, const Value *mid, Parts parts) {
  ASSERT(lower->cx, parts.n == parts_count(mid->ty));
  for (uint32_t i = 0; i < parts.n; i++) {
    if (parts.v[i]->name == NULL) {
      parts.v[i]->name = part_name(lower->cx, mid->name, mid->ty, i);
    }
  }
  Parts *kept = NEW(lower->cx->arena, Parts);
  *kept = parts;
  map_put(lower->parts, mid, kept);
}
