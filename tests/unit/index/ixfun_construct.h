/* Reads constructions of index functions in the syntax of ixfun_vectors.txt; lengths may be
 * polynomials of declared names. For tests of ir/index/ixfun.h. */
#pragma once

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "frontend/base/vec.h"
#include "ir/index/ixfun.h"

typedef struct Unknown {
  const Name *name;
  Poly value, least, below; /* the value; its range, which may mention earlier names */
  bool has_below;
} Unknown;
typedef VEC(Unknown) Declared;

typedef struct Construct {
  Cx *cx;
  PolyReader poly;
  Declared declared;
} Construct;

static bool declared_of(void *context, const Name *name, Poly *value) {
  const Construct *c = context;
  for (uint32_t i = 0; i < c->declared.len; i++)
    if (c->declared.data[i].name == name) {
      *value = c->declared.data[i].value;
      return true;
    }
  return false;
}

static void construct_start(Construct *c, const char *text) {
  c->poly = (PolyReader){.cx = c->cx, .pos = text, .unknown_of = declared_of, .context = c};
}

static bool next_is(Construct *c, const char *mark) {
  while (*c->poly.pos == ' ') c->poly.pos++;
  if (c->poly.error || strncmp(c->poly.pos, mark, strlen(mark)) != 0) return false;
  c->poly.pos += strlen(mark);
  return true;
}

static void need(Construct *c, const char *mark) {
  if (!next_is(c, mark) && !c->poly.error) c->poly.error = "bad construction";
}

/* Parses "bound <= name [< bound], ...". */
static inline void construct_declare(Construct *c, const char *text) {
  construct_start(c, text);
  do {
    int64_t least = 0;
    Unknown u = {.least = poly_read(&c->poly)};
    need(c, "<=");
    while (*c->poly.pos == ' ') c->poly.pos++;
    size_t len = 0;
    while (isalnum((unsigned char)c->poly.pos[len])) len++;
    u.name = name_intern(c->cx->names, c->poly.pos, len);
    c->poly.pos += len;
    u.has_below = next_is(c, "<");
    if (u.has_below) u.below = poly_read(&c->poly);
    if (!poly_least(c->cx->arena, u.least, &least)) c->poly.error = "no least value";
    u.value = poly_ranged(c->cx->arena, u.name, least, u.has_below ? &u.below : NULL);
    vec_push(c->cx->arena, &c->declared, u);
  } while (!c->poly.error && next_is(c, ","));
}

/* Parses "[p, p, ...]", after the bracket. */
static Extents read_list(Construct *c, const char *end) {
  VEC(Poly) list = {0};
  while (!c->poly.error && !next_is(c, end)) {
    if (list.len > 0) need(c, ",");
    Poly p = poly_read(&c->poly);
    vec_push(c->cx->arena, &list, p);
  }
  return (Extents){.rank = list.len, .len = list.data};
}

static const Ixfun *read_permute(Construct *c, const Ixfun *f) {
  Extents list = read_list(c, "]");
  uint32_t order[16];
  for (uint32_t k = 0; k < list.rank && k < 16; k++) order[k] = (uint32_t)list.len[k].constant;
  return ixfun_permute(c->cx->arena, f, order, list.rank);
}

static const Ixfun *read_slice(Construct *c, const Ixfun *f) {
  VEC(IxSlice) parts = {0};
  while (!c->poly.error && !next_is(c, "]")) {
    if (parts.len > 0) need(c, ",");
    IxSlice part = ix_fix(poly_read(&c->poly));
    if (next_is(c, ":")) {
      Poly count = poly_read(&c->poly);
      need(c, ":");
      part = ix_range(part.begin, count, poly_read(&c->poly));
    }
    vec_push(c->cx->arena, &parts, part);
  }
  return ixfun_slice(c->cx->arena, f, parts.data, parts.len);
}

static const Ixfun *read_reshape(Construct *c, const Ixfun *f) {
  VEC(IxAxis) axes = {0};
  while (!c->poly.error && !next_is(c, "]")) {
    if (axes.len > 0) need(c, ",");
    bool is_coerced = next_is(c, "=");
    Poly len = poly_read(&c->poly);
    vec_push(c->cx->arena, &axes, is_coerced ? ix_coerce(len) : ix_new(len));
  }
  return ixfun_reshape(c->cx->arena, f, axes.data, axes.len);
}

static const Ixfun *read_repeat(Construct *c, const Ixfun *f) {
  VEC(Extents) outer = {0};
  while (!c->poly.error && !next_is(c, ";")) {
    if (outer.len > 0) need(c, ",");
    need(c, "[");
    Extents list = read_list(c, "]");
    vec_push(c->cx->arena, &outer, list);
  }
  need(c, "[");
  Extents inner = read_list(c, "]");
  need(c, "]");
  return ixfun_repeat(c->cx->arena, f, outer.data, outer.len, inner);
}

static const Ixfun *read_construct(Construct *c);

static const Ixfun *read_step(Construct *c, const Ixfun *f) {
  Arena *a = c->cx->arena;
  if (next_is(c, "iota[")) return ixfun_iota(a, read_list(c, "]"));
  if (next_is(c, "permute[")) return read_permute(c, f);
  if (next_is(c, "slice[")) return read_slice(c, f);
  if (next_is(c, "reshape[")) return read_reshape(c, f);
  if (next_is(c, "repeat[")) return read_repeat(c, f);
  if (next_is(c, "rotate[")) {
    Extents by = read_list(c, "]");
    return ixfun_rotate(a, f, by.len, by.rank);
  }
  if (next_is(c, "rebase onto {")) {
    const Ixfun *onto = read_construct(c);
    need(c, "}");
    return ixfun_rebase(a, onto, f);
  }
  bool is_expand = next_is(c, "expand("), is_offset = !is_expand && next_is(c, "offset_index(");
  if (!is_expand && !is_offset) need(c, "stride_index(");
  Extents args = read_list(c, ")");
  if (c->poly.error || args.rank != (is_expand ? 2 : 1)) return NULL;
  if (is_expand) return ixfun_expand(a, f, args.len[0], args.len[1]);
  return is_offset ? ixfun_offset_index(a, f, args.len[0]) : ixfun_stride_index(a, f, args.len[0]);
}

static const Ixfun *read_construct(Construct *c) {
  const Ixfun *f = NULL;
  do f = read_step(c, f);
  while (!c->poly.error && next_is(c, "."));
  return f;
}

/* NULL if an operation refuses; poly.error is set if the text cannot be parsed. */
static inline const Ixfun *construct(Construct *c, const char *text) {
  construct_start(c, text);
  const Ixfun *f = read_construct(c);
  while (*c->poly.pos == ' ') c->poly.pos++;
  if (!c->poly.error && *c->poly.pos != '\0') c->poly.error = "text after the construction";
  return f;
}
