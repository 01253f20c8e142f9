/* sequences: their C types. A fixed one is a struct with one array, so that it can be assigned,
 * passed and returned; a dynamic one is a ddr_seq (ddr/seq.h).
 *
 *   real[4]        struct real_4 { ddr_real v[4]; }
 *   vec3[4]        struct vec3_4 { ddr_real v[12]; }            components row-major, element first
 *   real[4][2]     struct real_4_2 { ddr_real v[8]; }           of all inner sequences
 *
 * Next: code/sequences.c, for the memory of dynamic ones.
 */
#include <string.h>

#include "backend-c/types/types.h"
#include "ir/core/memory.h"

/* ---- types ----------------------------------------------------------------------------------- */

const Type *gen_scalar_type(Gen *gen, const Type *ty) {
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return tree_component_type(gen->cx, ty);
}

uint64_t gen_scalar_count(const Type *ty) {
  if (!type_is(ty, TY_SEQ)) return tree_component_count(ty);
  return (type_is_dynamic_seq(ty) ? 1 : type_seq_len(ty)) * gen_scalar_count(type_elem(ty));
}

const Type *gen_part_type(Gen *gen, const Type *seq) {
  return tree_component_type(gen->cx, type_elem(seq));
}

uint32_t gen_parts_per_element(const Type *seq) { return tree_component_count(type_elem(seq)); }

/* The tag for tensor[2,3][4] is tensor2x3_4. */
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

/* ---- which there are ------------------------------------------------------------------------- */

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

/* C has no empty arrays: an empty sequence has one part that is never read. */
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

/* sizeof(ddr_real[3]) */
CExpr *gen_element_size(Gen *gen, const Type *seq) {
  const char *type = gen_type(gen, gen_part_type(gen, seq));
  uint32_t n_parts = gen_parts_per_element(seq);
  if (n_parts > 1) type = text_format(gen->cx->arena, "%s[%u]", type, n_parts);
  return c_call1(gen->cx, "sizeof", c_name(gen->cx, type));
}

/* ---- print ----------------------------------------------------------------------------------- */

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
