/* short_sequences: sequences of fixed length in lanes: a vector for each scalar in them, in
 * the order of the struct that one strand has (types/sequences.c). So they stay in registers, and
 * what is at the same index in all lanes is a vector as it is.
 *
 *   real[4] past = {past[1], past[2], past[3], sum}
 *   const ddr_vreal past_2[] = {past[1], past[2], past[3], sum};
 */
#include "backend-c/lanes/local.h"

static const Type *scalar_of(const Type *ty) {
  while (type_is(ty, TY_SEQ) && !type_is_dynamic_seq(ty)) ty = type_elem(ty);
  return ty;
}

bool lane_is_places(const Type *ty) {
  if (!type_is(ty, TY_SEQ) || type_is_dynamic_seq(ty)) return false;
  const uint64_t n = gen_scalar_count(ty);
  return n > 0 && n <= SEQ_MOST_SHORT && lane_form_of_type(scalar_of(ty)) == LANES_VECTOR;
}

bool lane_is_by_places(const TreeExpr *expr) {
  return expr->kind == TX_OP && lane_is_places(expr->ty) &&
         (expr->op == OP_SEQ || expr->op == OP_SELECT);
}

bool lane_is_made_by_lane(const Lanes *lanes, const TreeExpr *expr) {
  return expr->kind == TX_OP && lane_is_places(expr->ty) &&
         lane_form(lanes, expr) != LANES_UNIFORM && lane_is_each(lanes, expr);
}

const char *lane_place_type(Lanes *lanes, const Type *ty) {
  if (type_is(ty, TY_ROW)) return "ddr_vreal";
  return lane_type(lanes, gen_scalar_type(lanes->gen, ty));
}

/* ---- reading --------------------------------------------------------------------------------- */

static CExpr *select_place(Lanes *lanes, const TreeExpr *expr, uint32_t place) {
  const TreeExpr *cond = expr->args.data[0];
  CExpr *yes = lane_tap(lanes, expr->args.data[1], place);
  CExpr *no = lane_tap(lanes, expr->args.data[2], place);
  if (lane_form(lanes, cond) == LANES_UNIFORM)
    return c_cond(lanes->gen->cx, gen_expr(lanes->gen, cond), yes, no);
  return lane_select(lanes, gen_scalar_type(lanes->gen, expr->ty), lane_expr(lanes, cond), yes, no);
}

CExpr *lane_place(Lanes *lanes, const TreeExpr *seq, uint32_t place) {
  Gen *gen = lanes->gen;
  if (seq->kind == TX_OP && seq->op == OP_SEQ) return lane_expr(lanes, seq->args.data[place]);
  if (lane_form(lanes, seq) == LANES_UNIFORM) {
    CExpr *one = c_index_int(gen->cx, c_dot(gen->cx, gen_expr(gen, seq), "v"), place);
    return lane_all(lanes, gen_scalar_type(gen, seq->ty), one);
  }
  if (seq->kind == TX_OP && seq->op == OP_SELECT) return select_place(lanes, seq, place);
  return c_index_int(gen->cx, c_name(gen->cx, seq->var->name), place);
}

/* The indices of an element that differ from lane to lane. */
typedef struct Varying {
  uint32_t n;
  uint32_t last; /* the last one's number among the operands */
} Varying;

static Varying varying_of(const Lanes *lanes, const TreeExpr *expr) {
  Varying varying = {0};
  for (uint32_t i = 1; i < expr->args.len; i++) {
    if (lane_form(lanes, expr->args.data[i]) == LANES_UNIFORM) continue;
    varying.n++;
    varying.last = i;
  }
  return varying;
}

/* The sequence that index number i is about. */
static const Type *indexed(const TreeExpr *expr, uint32_t i) {
  const Type *seq = expr->args.data[0]->ty;
  while (--i > 0) seq = type_elem(seq);
  return seq;
}

/* Scalars from one element to the next. */
static uint64_t step_of(const TreeExpr *expr, uint32_t i) {
  return gen_scalar_count(type_elem(indexed(expr, i)));
}

/* Scalars from the first one that can be meant to the last. */
static uint64_t span_of(const Lanes *lanes, const TreeExpr *expr) {
  uint64_t span = 1;
  for (uint32_t i = 1; i < expr->args.len; i++)
    if (lane_form(lanes, expr->args.data[i]) != LANES_UNIFORM)
      span += (type_seq_len(indexed(expr, i)) - 1) * step_of(expr, i);
  return span;
}

uint64_t lane_n_elements(const Lanes *lanes, const TreeExpr *expr) {
  const Varying varying = varying_of(lanes, expr);
  return varying.n == 1 ? type_seq_len(indexed(expr, varying.last)) : span_of(lanes, expr);
}

bool lane_is_at_any_place(const Lanes *lanes, const TreeExpr *expr) {
  return expr->op == OP_SEQ_INDEX && lane_form(lanes, expr->args.data[0]) == LANES_TAPS &&
         varying_of(lanes, expr).n > 0;
}

/* The address of the first scalar that can be meant: where the varying indices are 0. */
static CExpr *first_of(Lanes *lanes, CExpr *scalars, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  TreeExpr first = *expr;
  first.args = (TreeExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++) {
    TreeExpr *arg = expr->args.data[i], *zero = NEW(cx->arena, TreeExpr);
    *zero = (TreeExpr){.kind = TX_OP, .op = OP_CONST_INT, .ty = arg->ty, .span = expr->span};
    const bool is_varying = i > 0 && lane_form(lanes, arg) != LANES_UNIFORM;
    vec_push(cx->arena, &first.args, is_varying ? zero : arg);
  }
  return c_unary(cx, "&", c_index(cx, scalars, gen_place_in_fixed(lanes->gen, &first)));
}

/* Where each lane's scalar lies behind the first: ddr_vplaces(idx, n, step) + .. */
static CExpr *distance(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExpr *sum = NULL;
  for (uint32_t i = 1; i < expr->args.len; i++) {
    if (lane_form(lanes, expr->args.data[i]) == LANES_UNIFORM) continue;
    CExprVec args = {0};
    c_push(cx, &args, lane_expr(lanes, expr->args.data[i]));
    c_push(cx, &args, c_int(cx, (int64_t)type_seq_len(indexed(expr, i))));
    c_push(cx, &args, c_int(cx, (int64_t)step_of(expr, i)));
    CExpr *more = c_call(cx, "ddr_vseq_place", args);
    sum = sum ? c_binary(cx, "+", sum, more) : more;
  }
  return sum;
}

/* FN_real(&scalars[first], scalars from one to the next, n_elements, idx); several indices make one
 * of all scalars. */
static CExpr *element_of(Lanes *lanes, const char *fn, CExpr *scalars, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const Varying varying = varying_of(lanes, expr);
  const bool is_one = varying.n == 1;
  CExprVec args = {0};
  c_push(cx, &args, first_of(lanes, scalars, expr));
  c_push(cx, &args, c_int(cx, is_one ? (int64_t)step_of(expr, varying.last) : 1));
  c_push(cx, &args, c_int(cx, (int64_t)lane_n_elements(lanes, expr)));
  c_push(cx, &args,
         is_one ? lane_expr(lanes, expr->args.data[varying.last]) : distance(lanes, expr));
  return c_call(cx, text_format(cx->arena, "%s_%s", fn, lane_word(expr->ty)), args);
}

CExpr *lane_at_any_place(Lanes *lanes, const TreeExpr *expr) {
  CExpr *places = c_name(lanes->gen->cx, expr->args.data[0]->var->name);
  return element_of(lanes, "ddr_vplace", places, expr);
}

/* Scalars of a dynamic sequence that all lanes share. */
bool lane_is_in_shared(const Lanes *lanes, const TreeExpr *expr) {
  return expr->op == OP_SEQ_INDEX && expr->args.len == 2 &&
         lane_form_of_type(expr->ty) == LANES_VECTOR &&
         type_is_dynamic_seq(expr->args.data[0]->ty) &&
         lane_form(lanes, expr->args.data[0]) == LANES_UNIFORM;
}

/* ddr_vseq_WORD(seq, idx, n_parts, part) */
CExpr *lane_in_shared(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, gen_expr(lanes->gen, expr->args.data[0]));
  c_push(cx, &args, lane_expr(lanes, expr->args.data[1]));
  c_push(cx, &args, c_int(cx, gen_parts_per_element(expr->args.data[0]->ty)));
  c_push(cx, &args, c_int(cx, expr->attr.i));
  return c_call(cx, text_format(cx->arena, "ddr_vseq_%s", lane_word(expr->ty)), args);
}

/* What C can take the address of. */
static bool is_somewhere(const TreeExpr *expr) {
  return expr->kind == TX_VAR || expr->op == OP_GLOBAL_LOAD || expr->op == OP_SEQ;
}

/* All its varying indices are vectors. */
static bool is_by_vectors(const Lanes *lanes, const TreeExpr *expr) {
  for (uint32_t i = 1; i < expr->args.len; i++)
    if (lane_form(lanes, expr->args.data[i]) > LANES_VECTOR) return false;
  return varying_of(lanes, expr).n > 0;
}

bool lane_is_among(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->op != OP_SEQ_INDEX) return false;
  const TreeExpr *seq = expr->args.data[0];
  if (type_is_dynamic_seq(seq->ty) || lane_form_of_type(expr->ty) != LANES_VECTOR) return false;
  return gen_scalar_count(seq->ty) > 0 && is_somewhere(seq) &&
         lane_form(lanes, seq) == LANES_UNIFORM && is_by_vectors(lanes, expr);
}

CExpr *lane_among(Lanes *lanes, const TreeExpr *expr) {
  CExpr *all = c_dot(lanes->gen->cx, gen_expr(lanes->gen, expr->args.data[0]), "v");
  return element_of(lanes, "ddr_vamong", all, expr);
}

/* ---- making ---------------------------------------------------------------------------------- */

static CExprVec places_of(Lanes *lanes, const TreeExpr *expr) {
  CExprVec places = {0};
  const uint32_t n = lane_width(expr->ty);
  for (uint32_t i = 0; i < n; i++) c_push(lanes->gen->cx, &places, lane_tap(lanes, expr, i));
  return places;
}

void lane_declare_places(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  const char *type = lane_place_type(lanes, var->ty);
  if (!var->is_mutable) type = text_format(lanes->gen->cx->arena, "const %s", type);
  em_declare_list(&lanes->gen->em, type, var->name, places_of(lanes, expr));
}

/* What is merged leaves other lanes as they are: something from the beginning. */
void lane_declare_places_unset(Lanes *lanes, const TreeVar *var) {
  Emit *em = &lanes->gen->em;
  const char *type = lane_place_type(lanes, var->ty);
  const uint32_t n = lane_width(var->ty);
  if (!lane_var(lanes, var)->is_merged) em_declare_array(em, type, var->name, n);
  else em_declare_zero(em, type, text_format(lanes->gen->cx->arena, "%s[%u]", var->name, n));
}

void lane_declare_places_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const Type *scalar = gen_scalar_type(gen, var->ty);
  const char *here = lanes_new_name(lanes, text_format(cx->arena, "%s_here", var->name));
  const uint32_t n = lane_width(var->ty);
  const bool is_of_list = lane_is_of_list(lanes, expr);
  em_declare_zero(&gen->em, lane_place_type(lanes, var->ty),
                  text_format(cx->arena, "%s[%u]", var->name, n));
  lanes_open_loop(lanes);
  if (is_of_list)
    em_open_if(&gen->em, c_index(cx, c_name(cx, lanes->scope.mask), c_name(cx, "lane")));
  em_declare_const(&gen->em, gen_type(gen, var->ty), here, lane_alone(lanes, expr));
  for (uint32_t i = 0; i < n; i++) {
    CExpr *place = c_index_int(cx, c_name(cx, var->name), i);
    CExpr *value = c_index_int(cx, c_dot(cx, c_name(cx, here), "v"), i);
    em_assign(&gen->em, c_index(cx, place, c_name(cx, "lane")), lane_of_mask(cx, scalar, value));
  }
  if (is_of_list) em_close(&gen->em);
  em_close(&gen->em);
}

void lane_assign_places(Lanes *lanes, CExpr *places, const TreeExpr *expr, const char *mask) {
  Gen *gen = lanes->gen;
  const Type *scalar = gen_scalar_type(gen, expr->ty);
  const uint32_t n = lane_width(expr->ty);
  for (uint32_t i = 0; i < n; i++) {
    CExpr *old = c_index_int(gen->cx, places, i), *new = lane_tap(lanes, expr, i);
    if (mask) new = lane_select(lanes, scalar, c_name(gen->cx, mask), new, old);
    em_assign(&gen->em, old, new);
  }
}

void lane_load_places(Lanes *lanes, const TreeVar *param, CExpr *component) {
  Gen *gen = lanes->gen;
  const char *type = lane_place_type(lanes, param->ty);
  CExprVec places = {0};
  const uint32_t n = lane_width(param->ty);
  for (uint32_t i = 0; i < n; i++) c_push(gen->cx, &places, c_index_int(gen->cx, component, i));
  if (!param->is_mutable) type = text_format(gen->cx->arena, "const %s", type);
  em_declare_list(&gen->em, type, param->name, places);
}
