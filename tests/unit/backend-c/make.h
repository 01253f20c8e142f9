/* Shorthands over the builder, for making programs in LOW. Spans refer to sources with the same
 * meaning. */
#pragma once

#include <string.h>

#include "ir/core/build.h"

typedef struct Make {
  Cx *cx;
  Module *m;
  Builder b;
} Make;

static inline Span span_of(const Cx *cx, const char *part) {
  const char *at = strstr(cx->source->text, part);
  if (!at) return SPAN_NONE;
  uint32_t start = (uint32_t)(at - cx->source->text);
  return (Span){start, start + (uint32_t)strlen(part)};
}

static inline Make make_module(Cx *cx, const char *path, const char *text, const char *strand) {
  cx->source = source_from_text(cx->arena, path, text, strlen(text));
  Make mk = {.cx = cx, .m = module_new(cx, LEVEL_LOW)};
  mk.m->strand_name = name_from(cx->names, strand);
  return mk;
}

static inline const Name *word(Make *mk, const char *text) {
  return name_from(mk->cx->names, text);
}
static inline void at(Make *mk, const char *part) { mk->b.span = span_of(mk->cx, part); }

static inline Func *open_func(Make *mk, FuncKind kind, const char *name, const char *part) {
  Func *fn = func_new(mk->m, kind, word(mk, name), span_of(mk->cx, part));
  mk->b = build_at_end(mk->cx, block_new(fn), fn->span);
  return fn;
}

static inline void go_to(Make *mk, Block *blk) { mk->b.block = blk; }

static inline Value *param(Make *mk, Block *blk, const Type *ty, const char *name) {
  return block_add_param(blk, ty, name ? word(mk, name) : NULL);
}

static inline Value *named(Make *mk, Value *value, const char *name) {
  value->name = word(mk, name);
  return value;
}

static inline Value *op2(Make *mk, OpId op, Value *a, Value *c) {
  return build_op2(&mk->b, op, a, c);
}

static inline Value *literal(Make *mk, double value, const char *digits) {
  return build_op(&mk->b, OP_CONST_REAL, (Attr){.real = {value, digits}}, NULL, 0);
}

static inline uint32_t add_input(Make *mk, const char *name, const Type *ty, const Const *value) {
  Global global = {.kind = GLOBAL_INPUT,
                   .name = word(mk, name),
                   .ty = ty,
                   .value = value,
                   .span = span_of(mk->cx, name)};
  vec_push(mk->cx->arena, &mk->m->globals, global);
  return mk->m->globals.len - 1;
}

static inline Const *int_const(Make *mk, int64_t i) {
  Const *value = NEW(mk->cx->arena, Const);
  *value = (Const){.ty = type_int(mk->cx), .i = i};
  return value;
}

static inline Const *vec_const(Make *mk, uint32_t n, const RealConst *reals) {
  Const *value = NEW(mk->cx->arena, Const);
  value->ty = type_vec(mk->cx, n);
  value->reals = NEWN(mk->cx->arena, RealConst, n);
  memcpy(value->reals, reals, n * sizeof *reals);
  return value;
}

static inline Value *global(Make *mk, uint32_t idx, uint32_t component, const Type *ty) {
  return build_typed(&mk->b, OP_GLOBAL_LOAD, (Attr){.var = {idx, component}}, ty, NULL, 0);
}

static inline void add_state(Make *mk, const char *name, const Type *ty, bool is_output) {
  StateVar var = {.name = word(mk, name), .ty = ty, .is_output = is_output, .is_varying = true};
  vec_push(mk->cx->arena, &mk->m->state, var);
}

static inline void empty_globals(Make *mk) {
  open_func(mk, FN_GLOBALS, "globals", "#version");
  build_leave(&mk->b, EXIT_RETURN, NULL, 0);
}

/* Strand parameters that are the first iterators: ints of these names. */
static inline void add_params(Make *mk, const char *const *names, uint32_t n) {
  static const char *const iterators[] = {"j", "i"};
  Func *fn = open_func(mk, FN_ARGS, "args", "create_array");
  Value *args[2];
  for (uint32_t i = 0; i < 2; i++)
    args[i] = param(mk, fn->blocks.data[0], type_int(mk->cx), iterators[i]);
  for (uint32_t i = 0; i < n; i++) {
    StrandParam own = {.name = word(mk, names[i]), .ty = type_int(mk->cx), .span = fn->span};
    vec_push(mk->cx->arena, &mk->m->params, own);
  }
  build_leave(&mk->b, EXIT_RETURN, args, n);
}

/* Both iterators go from 0 to hi. */
static inline void square_bounds(Make *mk, int64_t hi) {
  open_func(mk, FN_BOUNDS, "bounds", "create_array");
  Value *zero = build_int(&mk->b, 0), *last = build_int(&mk->b, hi);
  Value *bounds[] = {zero, last, zero, last};
  build_leave(&mk->b, EXIT_RETURN, bounds, 4);
  mk->m->n_iters = 2;
}

/* probe_program.c */
Module *make_probe(Cx *cx);
