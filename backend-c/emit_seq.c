/* emit_seq: sequences in C. A fixed one is a struct of one array, so that it can be assigned,
 * passed and returned; a dynamic one is a ddr_seq (ddr/seq.h).
 *
 *   real[4]        struct real_4 { ddr_real v[4]; }
 *   vec3[4]        struct vec3_4 { ddr_real v[12]; }            components row-major, element first
 *   real[4][2]     struct real_4_2 { ddr_real v[8]; }           of all inner sequences
 *
 * Next: emit_owner.c, for the memory of dynamic ones.
 */
#include <string.h>

#include "backend-c/address.h"
#include "backend-c/local.h"
#include "ir/core/memory.h"

/* ---- types -------------------------------------------------------------------------------------
 */

const Type *gen_scalar_type(Gen *gen, const Type *ty) {
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return tree_component_type(gen->cx, ty);
}

uint64_t gen_scalar_count(const Type *ty) {
  if (!type_is(ty, TY_SEQ)) return tree_component_count(ty);
  return (type_is_dynamic_seq(ty) ? 1 : type_seq_len(ty)) * gen_scalar_count(type_elem(ty));
}

/* What an element of a dynamic sequence consists of: scalars, or a fixed sequence. */
static const Type *part_type(Gen *gen, const Type *seq) {
  return tree_component_type(gen->cx, type_elem(seq));
}

static uint32_t parts_per_element(const Type *seq) { return tree_component_count(type_elem(seq)); }

/* tensor[2,3][4] is tensor2x3_4. */
static const char *struct_tag(Gen *gen, const Type *ty) {
  Text tag = text_new(gen->cx->arena);
  bool is_inner = false;
  for (const char *c = type_text(gen->cx, ty); *c; c++) {
    bool is_shape = strncmp(c, "tensor[", 7) == 0;
    if (is_shape) text_add(&tag, "tensor"), c += 6, is_inner = true;
    else if (*c == ']') is_inner = false;
    else if (*c == '[') text_add(&tag, "_");
    else text_add_n(&tag, is_inner && *c == ',' ? "x" : c, 1);
  }
  bool is_strand = strcmp(text_str(&tag), gen->program->strand) == 0;
  return text_format(gen->cx->arena, is_strand ? "%s_seq" : "%s", text_str(&tag));
}

const char *gen_seq_type(Gen *gen, const Type *ty) {
  if (type_is_dynamic_seq(ty)) return "ddr_seq";
  return text_format(gen->cx->arena, "struct %s", struct_tag(gen, ty));
}

/* ---- which there are ---------------------------------------------------------------------------
 */

static void note_type(Gen *gen, const Type *ty) {
  if (!ty || !type_is(ty, TY_SEQ)) return;
  gen->has_seqs = true;
  note_type(gen, type_elem(ty));
  if (!type_is_dynamic_seq(ty) && !map_has(gen->seqs, ty)) map_put(gen->seqs, ty, gen);
}

static void note_expr(Gen *gen, const TreeExpr *expr) {
  if (!expr) return;
  note_type(gen, expr->ty);
  for (uint32_t i = 0; i < expr->args.len; i++) note_expr(gen, expr->args.data[i]);
}

static void note_stmts(Gen *gen, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    note_expr(gen, stmt->expr);
    note_expr(gen, stmt->limit);
    for (uint32_t k = 0; k < stmt->values.len; k++) note_expr(gen, stmt->values.data[k]);
    note_stmts(gen, &stmt->body);
    note_stmts(gen, &stmt->else_body);
  }
}

void gen_survey_seqs(Gen *gen) {
  const Module *m = gen->program->module;
  gen->seqs = map_new(gen->cx->arena);
  for (uint32_t i = 0; i < m->globals.len; i++) note_type(gen, m->globals.data[i].ty);
  for (uint32_t i = 0; i < m->state.len; i++) note_type(gen, m->state.data[i].ty);
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    const TreeFunc *fn = gen->program->funcs.data[i];
    note_type(gen, fn->result);
    for (uint32_t k = 0; k < fn->params.len; k++)
      if (fn->params.data[k]) note_type(gen, fn->params.data[k]->ty);
    note_stmts(gen, &fn->body);
  }
}

/* C has no empty arrays: a sequence of nothing holds one part that nobody reads. */
void gen_seq_structs(Gen *gen) {
  for (uint32_t i = 0; i < map_len(gen->seqs); i++) {
    const Type *ty = map_key(gen->seqs, i);
    uint64_t n_scalars = seq_n_scalars(ty);
    em_blank(&gen->em);
    em_open_struct(&gen->em, struct_tag(gen, ty));
    const char *scalar = gen_type(gen, seq_scalar(gen->cx, ty));
    em_field_array(&gen->em, scalar, "v", n_scalars > 0 ? n_scalars : 1);
    em_close_struct(&gen->em);
  }
}

/* ---- elements ----------------------------------------------------------------------------------
 */

static CExpr *pool(Gen *gen) { return c_name(gen->cx, "pool"); }

static bool is_literal_below(const TreeExpr *idx, uint64_t length) {
  return idx->kind == TX_OP && idx->op == OP_CONST_INT && idx->attr.i >= 0 &&
         (uint64_t)idx->attr.i < length;
}

/* An index clamped to the elements there are. */
static Poly index_of(Gen *gen, Address *address, const TreeExpr *idx, uint64_t length) {
  Cx *cx = gen->cx;
  if (is_literal_below(idx, length)) return poly_const(idx->attr.i);
  CExpr *clamped = c_call2(cx, "ddr_seq_index", gen_expr(gen, idx), c_int(cx, (int64_t)length));
  return address_index(address, clamped, poly_const((int64_t)length));
}

/* Number of a scalar in the array of a sequence: the component `part` of what indices [first, ..)
 * lead to. */
static CExpr *place_in(Gen *gen, const TreeExpr *expr, const Type *seq, uint32_t first,
                       int64_t part) {
  const Ixfun *all = memory_of_value(gen->cx->arena, seq);
  const uint32_t rank = ixfun_rank(all);
  Poly *idx = NEWN(gen->cx->arena, Poly, rank + 1);
  uint32_t n = 0;
  Address address;
  address_open(&address, gen->cx);
  for (uint32_t i = first; i < expr->args.len; i++, seq = type_elem(seq)) {
    if (type_seq_len(seq) == 0) return c_int(gen->cx, 0); /* the one that is there for C */
    idx[n++] = index_of(gen, &address, expr->args.data[i], type_seq_len(seq));
  }
  while (n < rank) idx[n++] = poly_const(0); /* the first scalar, or of several components one */
  if (tree_component_count(seq) > 1) idx[rank - 1] = poly_const(part);
  return address_at(&address, all, idx, rank);
}

/* The array that indices [*first, ..) are about, and its type. */
static CExpr *array_of(Gen *gen, const TreeExpr *expr, const Type **seq, uint32_t *first) {
  Cx *cx = gen->cx;
  CExpr *array = gen_expr(gen, expr->args.data[0]);
  *seq = expr->args.data[0]->ty;
  *first = 1;
  if (type_is_dynamic_seq(*seq)) {
    *seq = type_elem(*seq);
    *first = 2;
    CExprVec args = {0};
    c_push(cx, &args, c_name(cx, gen_type(gen, *seq)));
    c_push(cx, &args, array);
    c_push(cx, &args, gen_expr(gen, expr->args.data[1]));
    array = c_call(cx, "DDR_ELEMENT", args);
  }
  return array;
}

static CExpr *index_fixed(Gen *gen, const TreeExpr *expr) {
  const Type *seq;
  uint32_t first;
  CExpr *array = array_of(gen, expr, &seq, &first);
  CExpr *place = place_in(gen, expr, seq, first, expr->attr.i);
  return c_index(gen->cx, c_dot(gen->cx, array, "v"), place);
}

/* A sequence out of another. */
static CExpr *copy_inner(Gen *gen, const TreeExpr *expr) {
  const Type *seq;
  uint32_t first;
  CExpr *array = array_of(gen, expr, &seq, &first);
  if (first == expr->args.len) return array;
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, expr->ty)));
  c_push(gen->cx, &args, c_dot(gen->cx, array, "v"));
  c_push(gen->cx, &args, place_in(gen, expr, seq, first, 0));
  return c_call(gen->cx, "DDR_INNER", args);
}

static CExpr *index_dynamic(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  const Type *seq = expr->args.data[0]->ty;
  CExprVec args = {0};
  gen_args_from(gen, expr, 0, &args);
  if (type_is(expr->ty, TY_STRING)) return c_call(cx, "ddr_seq_string", args);
  if (type_is(expr->ty, TY_STRAND)) return c_call(cx, "ddr_seq_slot", args);
  c_push(cx, &args, c_int(cx, parts_per_element(seq)));
  c_push(cx, &args, c_int(cx, expr->attr.i));
  if (type_is(expr->ty, TY_BOOL)) return c_call(cx, "ddr_seq_bool", args);
  return c_call(cx, type_is(expr->ty, TY_INT) ? "ddr_seq_int" : "ddr_seq_real", args);
}

/* sizeof(ddr_real[3]) */
CExpr *gen_element_size(Gen *gen, const Type *seq) {
  const char *type = gen_type(gen, part_type(gen, seq));
  uint32_t n_parts = parts_per_element(seq);
  if (n_parts > 1) type = text_format(gen->cx->arena, "%s[%u]", type, n_parts);
  return c_call1(gen->cx, "sizeof", c_name(gen->cx, type));
}

/* ---- ops ---------------------------------------------------------------------------------------
 */

static CExpr *fixed(Gen *gen, const Type *ty, CExprVec parts) {
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, ty)));
  for (uint32_t i = 0; i < parts.len; i++) c_push(gen->cx, &args, parts.data[i]);
  if (parts.len == 0) c_push(gen->cx, &args, c_int(gen->cx, 0));
  return c_call(gen->cx, "DDR_FIXED", args);
}

static CExpr *gen_literal(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  if (!type_is_dynamic_seq(expr->ty)) {
    gen_args_from(gen, expr, 0, &args);
    return fixed(gen, expr->ty, args);
  }
  if (expr->args.len == 0) return c_call(gen->cx, "ddr_seq_empty", args);
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, c_int(gen->cx, expr->args.len / parts_per_element(expr->ty)));
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, part_type(gen, expr->ty))));
  gen_args_from(gen, expr, 0, &args);
  return c_call(gen->cx, "DDR_LIST", args);
}

static CExpr *gen_dynamic(Gen *gen, const TreeExpr *expr, const char *fn) {
  const Type *seq = expr->args.data[0]->ty;
  CExprVec args = {0};
  if (type_seq_len(seq) == 0) return c_call(gen->cx, "ddr_seq_empty", args);
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, gen_element_size(gen, seq));
  c_push(gen->cx, &args, c_int(gen->cx, (int64_t)type_seq_len(seq)));
  c_push(gen->cx, &args, c_dot(gen->cx, gen_expr(gen, expr->args.data[0]), "v"));
  return c_call(gen->cx, fn, args);
}

/* One element more: fn(pool, seq, part type, parts...). */
static CExpr *gen_longer(Gen *gen, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, gen_expr(gen, expr->args.data[0]));
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, part_type(gen, expr->ty))));
  gen_args_from(gen, expr, 1, &args);
  return c_call(gen->cx, fn, args);
}

CExpr *gen_seq_op(Gen *gen, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  switch (expr->op) {
  case OP_SEQ: return gen_literal(gen, expr);
  case OP_SEQ_INDEX:
    if (type_is_dynamic_seq(expr->args.data[0]->ty) && expr->args.len == 2)
      return index_dynamic(gen, expr);
    return index_fixed(gen, expr);
  case OP_SEQ_COPY: return copy_inner(gen, expr);
  case OP_SEQ_DYNAMIC: return gen_dynamic(gen, expr, fn);
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND: return gen_longer(gen, expr, fn);
  case OP_SEQ_CONCAT:
    c_push(gen->cx, &args, pool(gen));
    gen_args_from(gen, expr, 0, &args);
    c_push(gen->cx, &args, gen_element_size(gen, expr->ty));
    return c_call(gen->cx, fn, args);
  case OP_SEQ_RANGE:
    c_push(gen->cx, &args, pool(gen));
    c_push(gen->cx, &args, gen_element_size(gen, expr->ty));
    gen_args_from(gen, expr, 0, &args);
    return c_call(gen->cx, fn, args);
  default: BUG(gen->cx, "op %s is not about sequences", op_text(expr->op)); /* all are above */
  }
}

/* ---- constants ---------------------------------------------------------------------------------
 */

CExpr *gen_scalar_constant(Gen *gen, const Const *value, uint64_t k) {
  Cx *cx = gen->cx;
  switch (type_kind(value->ty)) {
  case TY_BOOL: return c_bool(cx, value->b);
  case TY_INT: return c_int(cx, value->i);
  case TY_STRING: return c_string(cx, value->s);
  case TY_TENSOR: return c_real(cx, value->reals[k]);
  default: BUG(cx, "a constant of type %s", type_text(cx, value->ty)); /* the rest has none */
  }
}

static void push_parts(Gen *gen, const Const *elem, CExprVec *parts) {
  for (uint64_t i = 0; type_is(elem->ty, TY_SEQ) && i < elem->n_elems; i++)
    push_parts(gen, elem->elems[i], parts);
  if (type_is(elem->ty, TY_SEQ)) return;
  for (uint32_t k = 0; k < tree_component_count(elem->ty); k++)
    c_push(gen->cx, parts, gen_scalar_constant(gen, elem, k));
}

CExpr *gen_seq_constant(Gen *gen, const Const *value) {
  CExprVec parts = {0};
  push_parts(gen, value, &parts);
  return fixed(gen, value->ty, parts);
}

CExpr *gen_seq_elements(Gen *gen, const Const *value) {
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, gen_scalar_type(gen, value->ty))));
  push_parts(gen, value, &args);
  return c_call(gen->cx, "DDR_ELEMENTS", args);
}

/* ---- print -------------------------------------------------------------------------------------
 */

static char scalar_letter(const Gen *gen, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL: return 'b';
  case TY_INT: return gen->cx->is_long_int ? 'l' : 'i';
  case TY_STRING: return 's';
  default: return gen->cx->is_double ? 'd' : 'f'; /* reals */
  }
}

static void add_bracketed(Gen *gen, Text *text, const Type *ty, uint32_t axis);

/* n values in a pair of brackets. */
static void add_group(Gen *gen, Text *text, const Type *ty, uint32_t axis) {
  static const char open[] = {'[', '{'}, close[] = {']', '}'};
  bool is_seq = type_is(ty, TY_SEQ);
  uint64_t n = is_seq ? type_seq_len(ty) : type_shape(ty)->dims[axis];
  text_add_n(text, &open[is_seq], 1);
  for (uint64_t i = 0; i < n; i++) {
    if (i > 0) text_add(text, ",");
    add_bracketed(gen, text, is_seq ? type_elem(ty) : ty, is_seq ? 0 : axis + 1);
  }
  text_add_n(text, &close[is_seq], 1);
}

static void add_bracketed(Gen *gen, Text *text, const Type *ty, uint32_t axis) {
  bool is_group = type_is(ty, TY_SEQ) || (type_is(ty, TY_TENSOR) && axis < type_shape(ty)->order);
  char letter = scalar_letter(gen, ty);
  if (is_group) add_group(gen, text, ty, axis);
  else text_add_n(text, &letter, 1);
}

CExpr *gen_seq_pattern(Gen *gen, const Type *ty) {
  Text pattern = text_new(gen->cx->arena);
  add_bracketed(gen, &pattern, type_elem(ty), 0);
  return c_string(gen->cx, text_str(&pattern));
}
