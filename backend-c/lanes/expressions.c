/* expressions: expressions over vectors of strands, by the rows of c_ops.def. */
#include <ctype.h>

#include "backend-c/lanes/strands.h"

enum { OPERANDS_EACH, OPERANDS_BY, OPERANDS_SYSTEM };

static const struct {
  const char *spelling;
  uint8_t operands;
} lane_ops[OP_COUNT] = {
#define C_OP(id, form, text, lanes, operands, ops) [OP_##id] = {lanes, OPERANDS_##operands},
#include "backend-c/code/c_ops.def"
};

const char *lane_spelling(OpId op) { return lane_ops[op].spelling; }

bool lane_is_system(const TreeExpr *expr) {
  return expr->kind == TX_OP && lane_ops[expr->op].operands == OPERANDS_SYSTEM;
}

/* Whether the expression reads the same element of every lane's sequence, which is a vector. */
static bool is_tap_of_seq(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->op != OP_SEQ_INDEX || lane_form(lanes, expr->args.data[0]) != LANES_TAPS) return false;
  for (uint32_t i = 1; i < expr->args.len; i++)
    if (lane_form(lanes, expr->args.data[i]) != LANES_UNIFORM) return false;
  return true;
}

/* Whether the expression reads a scalar of other strands' states. */
static bool is_state_of_others(const TreeExpr *expr) {
  return expr->op == OP_STRAND_STATE && lane_form_of_type(expr->ty) == LANES_VECTOR;
}

bool lane_is_each(const Lanes *lanes, const TreeExpr *expr) {
  if (is_state_of_others(expr) || expr->op == OP_SPHERE) return false;
  if (lane_is_of_hits(lanes, expr) && !lane_is_each_hit(lanes, expr)) return false;
  if (expr->op == OP_NEW_STRAND) return true; /* not an expression in C */
  if (lane_form(lanes, expr) == LANES_EVEN || lane_is_of_even(lanes, expr)) return false;
  if (lane_form(lanes, expr) == LANES_COLUMNS || lane_is_of_columns(lanes, expr)) return false;
  if (lane_is_by_places(expr) || lane_is_at_any_place(lanes, expr)) return false;
  if (lane_is_in_shared(lanes, expr) || lane_is_among(lanes, expr)) return false;
  if (lane_is_window(lanes, expr) || lane_is_window_dot(lanes, expr)) return false;
  if (expr->op == OP_SELECT && lane_is_list(expr->ty)) return true;
  return *lane_spelling(expr->op) == '\0' && !is_tap_of_seq(lanes, expr);
}

static CExpr *call(Lanes *lanes, const char *fn, CExprVec args) {
  return c_call(lanes->gen->cx, fn, args);
}

/* The word for a type in the names of ddr/lanes/lanes.h. */
const char *lane_word(const Type *ty) {
  if (type_is(ty, TY_BOOL)) return "bool";
  return type_is(ty, TY_INT) ? "int" : "real";
}

const char *lane_type(Lanes *lanes, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL: return "ddr_vmask";
  case TY_INT: return "ddr_vint";
  case TY_TENSOR: return "ddr_vreal";
  default: return gen_type(lanes->gen, ty); /* an element of an array */
  }
}

CExpr *lane_all(Lanes *lanes, const Type *ty, CExpr *value) {
  const char *fn = text_format(lanes->gen->cx->arena, "ddr_v%s_all", lane_word(ty));
  return c_call1(lanes->gen->cx, fn, value);
}

static CExpr *in_all_lanes(Lanes *lanes, const TreeExpr *expr) {
  return lane_all(lanes, expr->ty, gen_expr(lanes->gen, expr));
}

CExpr *lane_select(Lanes *lanes, const Type *ty, CExpr *mask, CExpr *yes, CExpr *no) {
  CExprVec args = {0};
  c_push(lanes->gen->cx, &args, mask);
  c_push(lanes->gen->cx, &args, yes);
  c_push(lanes->gen->cx, &args, no);
  return call(lanes, text_format(lanes->gen->cx->arena, "ddr_vselect_%s", lane_word(ty)), args);
}

static CExpr *select_op(Lanes *lanes, const TreeExpr *expr) {
  const TreeExpr *cond = expr->args.data[0];
  CExpr *yes = lane_expr(lanes, expr->args.data[1]), *no = lane_expr(lanes, expr->args.data[2]);
  if (lane_form(lanes, cond) == LANES_UNIFORM)
    return c_cond(lanes->gen->cx, gen_expr(lanes->gen, cond), yes, no);
  return lane_select(lanes, expr->ty, lane_expr(lanes, cond), yes, no);
}

/* An operand; beside a vector, a uniform number may stay a scalar. */
static CExpr *operand(Lanes *lanes, const TreeExpr *expr) {
  bool is_number = type_is(expr->ty, TY_TENSOR);
  if (is_number && lane_form(lanes, expr) == LANES_UNIFORM) return gen_expr(lanes->gen, expr);
  return lane_expr(lanes, expr);
}

static CExpr *operator(Lanes *lanes, const TreeExpr *expr, const char *text) {
  Cx *cx = lanes->gen->cx;
  CExpr *a = operand(lanes, expr->args.data[0]);
  if (expr->args.len == 1) return c_unary(cx, text, a);
  return c_binary(cx, text, a, operand(lanes, expr->args.data[1]));
}

static bool takes_support(OpId op) {
  return op == OP_CORNER || op == OP_CORNER_WITHIN || op == OP_SUPPORT_WITHIN || op == OP_TAP;
}

/* Whether divisor or exponent are uniform, as for ddr_vidiv_by and ddr_vpow_by. */
static bool takes_alike(Lanes *lanes, const TreeExpr *expr) {
  return lane_ops[expr->op].operands == OPERANDS_BY &&
         lane_form(lanes, expr->args.data[1]) == LANES_UNIFORM;
}

static CExpr *function(Lanes *lanes, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  const bool is_alike = takes_alike(lanes, expr);
  if (is_alike) fn = text_format(lanes->gen->cx->arena, "%s_by", fn);
  for (uint32_t i = 0; i < expr->args.len; i++) {
    const TreeExpr *arg = expr->args.data[i];
    /* The length of an axis is uniform, too. */
    const bool is_scalar = i == 1 && (is_alike || takes_support(expr->op));
    CExpr *given = is_scalar             ? gen_expr(lanes->gen, arg)
                   : expr->op == OP_RFMA ? operand(lanes, arg)
                                         : lane_expr(lanes, arg);
    c_push(lanes->gen->cx, &args, given);
  }
  if (takes_support(expr->op)) c_push(lanes->gen->cx, &args, c_int(lanes->gen->cx, expr->attr.i));
  return call(lanes, fn, args);
}

CExpr *lane_expr(Lanes *lanes, const TreeExpr *expr) {
  if (lane_form(lanes, expr) == LANES_UNIFORM) return in_all_lanes(lanes, expr);
  if (expr->kind == TX_VAR) return c_name(lanes->gen->cx, expr->var->name);
  const char *text = lane_spelling(expr->op);
  switch (expr->op) {
  case OP_SPHERE: return lane_query(lanes, expr);
  case OP_SEQ_LEN: return c_dot(lanes->gen->cx, lane_expr(lanes, expr->args.data[0]), "length");
  case OP_SEQ_INDEX:
    if (lane_is_row_of_hits(lanes, expr)) return lane_row_of_hits(lanes, expr);
    if (lane_is_at_any_place(lanes, expr)) return lane_at_any_place(lanes, expr);
    if (lane_is_in_shared(lanes, expr)) return lane_in_shared(lanes, expr);
    if (lane_is_among(lanes, expr)) return lane_among(lanes, expr);
    if (lane_is_of_even(lanes, expr)) return lane_in_even(lanes, expr);
    if (lane_is_of_columns(lanes, expr)) return lane_in_columns(lanes, expr);
    return c_index(lanes->gen->cx, lane_expr(lanes, expr->args.data[0]),
                   gen_place_in_fixed(lanes->gen, expr));
  case OP_SELECT: return select_op(lanes, expr);
  case OP_STRAND_STATE: return lane_state_of_others(lanes, expr);
  case OP_SAMPLING_VALUE: return lane_sampling_value(lanes, expr, text);
  case OP_ROW_GET: return lane_tap(lanes, expr->args.data[0], (uint32_t)expr->attr.i);
  case OP_ROW_DOT:
  case OP_WINDOW_DOT: return lane_dot(lanes, expr->args.data[0], expr->args.data[1]);
  default: break; /* as the table says */
  }
  if (*text == '\0') BUG(lanes->gen->cx, "op %s was not split", op_text(expr->op));
  return isalpha((unsigned char)*text) ? function(lanes, expr, text) : operator(lanes, expr, text);
}

/* ---- lane by lane ---------------------------------------------------------------------------- */

static CExpr *at_lane(Cx *cx, CExpr *vector) { return c_index(cx, vector, c_name(cx, "lane")); }

/* A row or an eigensystem of one lane, in the form for one strand. */
static CExpr *taps_at_lane(Gen *gen, const TreeVar *var) {
  CExprVec places = {0};
  const uint32_t width = lane_width(var->ty);
  for (uint32_t i = 0; i < width; i++)
    c_push(gen->cx, &places, at_lane(gen->cx, c_index_int(gen->cx, c_name(gen->cx, var->name), i)));
  if (!type_is(var->ty, TY_ROW)) return gen_fixed_seq(gen, var->ty, places);
  return c_call(gen->cx, text_format(gen->cx->arena, "DDR_ROW%u", width), places);
}

static void note_rows_of(Lanes *lanes, const TreeExpr *expr, Map *rows) {
  if (expr->kind == TX_VAR) {
    const LaneVar *lane = lane_var(lanes, expr->var);
    if (lane && lane->form == LANES_TAPS) map_put(rows, expr->var, lanes);
    return;
  }
  for (uint32_t i = 0; i < expr->args.len; i++) note_rows_of(lanes, expr->args.data[i], rows);
}

static void note_rows(Lanes *lanes, const TreeStmtVec *stmts, Map *rows) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr) note_rows_of(lanes, stmt->expr, rows);
    note_rows(lanes, &stmt->body, rows);
    note_rows(lanes, &stmt->else_body, rows);
  }
}

void lanes_enter(Lanes *lanes, const TreeStmtVec *stmts) {
  Gen *gen = lanes->gen;
  Map *rows = map_new(gen->cx->arena);
  note_rows(lanes, stmts, rows);
  lanes->rows = map_new(gen->cx->arena);
  for (uint32_t i = 0; i < map_len(rows); i++) {
    const TreeVar *var = map_key(rows, i);
    const char *name = lanes_new_name(lanes, text_format(gen->cx->arena, "%s_here", var->name));
    em_declare_const(&gen->em, gen_type(gen, var->ty), name, taps_at_lane(gen, var));
    map_put(lanes->rows, var, c_name(gen->cx, name));
  }
  gen->how = &lanes->one_lane;
}

void lanes_leave(Lanes *lanes) {
  lanes->gen->how = &lanes->vectors;
  lanes->rows = NULL;
}

/* A variable in a loop over lanes: a varying one at the lane of the loop. */
CExpr *lane_read(Gen *gen, const TreeVar *var) {
  const Lanes *lanes = gen->execution;
  CExpr *name = c_name(gen->cx, var->name);
  const LaneVar *lane = lane_var(lanes, var);
  CExpr *row = lanes->rows ? map_get(lanes->rows, var) : NULL;
  if (row) return row;
  if (lanes_are_in_row(lanes) && var == lanes->given->var)
    return c_binary(gen->cx, "+", name, c_name(gen->cx, "lane"));
  switch (lane ? lane->form : LANES_UNIFORM) {
  case LANES_UNIFORM: return name;
  case LANES_VECTOR:
  case LANES_ARRAY: return at_lane(gen->cx, name);
  case LANES_TAPS: return taps_at_lane(gen, var);
  case LANES_EVEN: return lane_of_even(gen, var);
  case LANES_COLUMNS: return lane_of_columns(gen->execution, var->ty, name, false);
  case LANES_SLICES:
  case LANES_HITS: break; /* have no place in such a loop */
  }
  BUG(gen->cx, "%s in a loop over the lanes", var->name);
}

/* A truth value of C as a lane of a mask. */
CExpr *lane_of_mask(Cx *cx, const Type *ty, CExpr *value) {
  if (!type_is(ty, TY_BOOL)) return value;
  return c_unary(cx, "-", c_cast(cx, "ddr_mask_lane", c_cast(cx, "bool", value)));
}

void lane_assign(Gen *gen, const TreeStmt *stmt) {
  LaneVar *lane = lane_var(gen->execution, stmt->var);
  CExpr *value = gen_expr(gen, stmt->expr);
  if (lane) lane->is_unset = false;
  if (lane && lane->form == LANES_VECTOR) value = lane_of_mask(gen->cx, stmt->expr->ty, value);
  em_assign(&gen->em, lane_read(gen, stmt->var), value);
}

/* The value for one lane. An element of a sequence is read in place. */
static CExpr *value_of_lane(Lanes *lanes, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  if (lane_is_of_hits(lanes, expr)) return lane_hit(lanes, expr);
  if (expr->op != OP_SEQ_INDEX || lane_form(lanes, expr->args.data[0]) != LANES_TAPS)
    return lane_of_mask(gen->cx, expr->ty, gen_expr(gen, expr));
  CExpr *system = c_name(gen->cx, expr->args.data[0]->var->name);
  return at_lane(gen->cx, c_index(gen->cx, system, gen_place_in_fixed(gen, expr)));
}

CExpr *lane_alone(Lanes *lanes, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  gen->how = &lanes->one_lane;
  CExpr *value = gen_expr(gen, expr);
  gen->how = &lanes->vectors;
  return value;
}

void lanes_open_loop(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CParam lane = {.type = "int", .name = "lane"};
  em_open_for(&gen->em, lane, c_int(gen->cx, 0), "<", c_name(gen->cx, "DDR_LANES"));
}

void lanes_open_set(Lanes *lanes, const char *set, CExpr *all) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  em_declare(em, "ddr_lane_set", set, all);
  em_open_while(em, c_binary(cx, "!=", c_name(cx, set), c_int(cx, 0)));
  em_declare_const(em, "int", "lane",
                   c_call1(cx, "ddr_next_lane", c_unary(cx, "&", c_name(cx, set))));
}

void lanes_open_mask(Lanes *lanes, const char *mask) {
  Cx *cx = lanes->gen->cx;
  lanes_open_set(lanes, lanes_new_name(lanes, "on"), c_call1(cx, "ddr_vlanes", c_name(cx, mask)));
}

void lanes_declare_slot(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CExpr *slots = c_arrow(gen->cx, c_name(gen->cx, "gang"), "slot");
  em_declare_const(&gen->em, "int64_t", "slot", at_lane(gen->cx, slots));
}

void lane_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  CExpr *lane = c_index(gen->cx, c_name(gen->cx, var->name), c_name(gen->cx, "lane"));
  if (expr->kind == TX_OP && (lane_is_list(expr->ty) || lane_is_of_list(lanes, expr))) {
    lane_read_list(lanes, var, expr);
    return;
  }
  if (lane_finds_samples(lanes, var, expr)) return;
  /* Unrolled, reading an element of each lane's list would need more registers than there are. */
  const bool is_vector = lane_form(lanes, expr) == LANES_VECTOR;
  if (type_is(expr->ty, TY_STRAND)) lanes_open_loop(lanes);
  else em_open_each(&gen->em, is_vector ? "DDR_EVERY_LANE" : "DDR_EACH_LANE", "lane");
  gen->how = &lanes->one_lane;
  em_assign(&gen->em, lane, value_of_lane(lanes, expr));
  gen->how = &lanes->vectors;
  em_close(&gen->em);
}
