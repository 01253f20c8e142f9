/* members: the values of strands that reductions over sets of strands ask for, of several members
 * at once (lanes.h). The body of the reduction is a function without a state: its strand is a row
 * of slots, and the states of these are loaded like those that strands read of each other.
 *
 *   vel = sum { |p.vel| | p in particle.all }
 *
 *   for (int64_t member = 0; member < n_whole; member += DDR_LANES) {
 *     const int64_t p = slot;
 *     ddr_vint p_words[2];
 *     ddr_vwords2_row(&states[p], sizeof(*states), 2, p_words);
 *     ...
 *     ddr_vreal_give(&given[member], value);
 *
 * The last members, which do not fill all lanes, follow one at a time (code/reductions.c).
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- which ----------------------------------------------------------------------------------- */

/* A profile counts what active lanes run, and here there is no gang whose lanes are active. */
static bool may_be_in_lanes(Gen *gen, const TreeStmt *reduce) {
  const EmitOptions *options = gen->options;
  if (options->is_scalar || options->is_profiled) return false;
  return lanes_have_registers(gen, gen_body_needs(gen, reduce)) && gen_is_of_values(gen, reduce);
}

/* Names that the function has besides those of its body. */
static void reserve_names(Lanes *lanes, const TreeStmt *reduce) {
  static const char *const others[] = {"context", "columns", "given",     "memory", "member",
                                       "n_whole", "slot",    "n_members", "states", "strands"};
  const TreeVarVec outside = tree_free_vars(lanes->gen->cx, reduce);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) lanes_new_name(lanes, others[i]);
  for (uint32_t i = 0; i < outside.len; i++) lanes_new_name(lanes, outside.data[i]->name);
  for (uint32_t i = 0; i < reduce->vars.len; i++) lanes_new_name(lanes, reduce->vars.data[i]->name);
}

static void add_strand(Lanes *lanes, const TreeVar *var) {
  LaneVar *lane = NEW(lanes->gen->cx->arena, LaneVar);
  lane->form = LANES_ARRAY;
  map_put(lanes->vars, var, lane);
  lanes_new_name(lanes, var->name);
}

/* The value as a variable, which the function declares at its end. */
static TreeExpr *as_variable(Lanes *lanes, TreeFunc *fn, TreeExpr *value) {
  Cx *cx = lanes->gen->cx;
  if (value->kind == TX_VAR) return value;
  TreeStmt *stmt = tree_stmt(cx, TT_DECLARE, value->span);
  stmt->var = lanes_new_var(lanes, "value", value->ty, LANES_UNIFORM);
  stmt->expr = value;
  vec_push(cx->arena, &fn->body, stmt);
  return tree_var_expr(cx, stmt->var, value->span);
}

static TreeFunc *function_of(Gen *gen, const TreeStmt *reduce) {
  TreeFunc *fn = NEW(gen->cx->arena, TreeFunc);
  *fn = (TreeFunc){.kind = FN_GLOBAL_UPDATE, .name = "members", .span = reduce->span};
  for (uint32_t i = 0; i < reduce->body.len; i++)
    vec_push(gen->cx->arena, &fn->body, reduce->body.data[i]);
  return fn;
}

/* The names of the body have to be known before the variables of values get theirs. */
static Lanes *members_of(Gen *gen, const TreeStmt *reduce, TreeExprVec *values) {
  TreeFunc *fn = function_of(gen, reduce);
  Lanes *lanes = lanes_new(gen, fn);
  lanes->given = reduce;
  reserve_names(lanes, reduce);
  add_strand(lanes, reduce->var);
  lanes_find_forms(lanes);
  for (uint32_t i = 0; i < reduce->values.len; i++)
    vec_push(gen->cx->arena, values, as_variable(lanes, fn, reduce->values.data[i]));
  lanes_find_forms(lanes);
  lanes_find_words(lanes);
  return lanes;
}

/* ---- whether that gains ---------------------------------------------------------------------- */

static void note_states(const Lanes *lanes, const TreeExpr *expr, bool *is_read) {
  const TreeProgram *program = lanes->gen->program;
  if (!expr || expr->kind == TX_VAR) return;
  const VarRef var = expr->attr.var;
  for (uint32_t i = 0; expr->op == OP_STRAND_STATE && i < program->n_components; i++) {
    const StateComponent component = program->components[i];
    is_read[i] |= component.var == var.index &&
                  (var.component == WHOLE || component.component == var.component);
  }
  for (uint32_t i = 0; i < expr->args.len; i++) note_states(lanes, expr->args.data[i], is_read);
}

static void note_states_in(const Lanes *lanes, const TreeStmtVec *stmts, bool *is_read) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    note_states(lanes, stmt->expr, is_read);
    for (uint32_t k = 0; k < stmt->values.len; k++)
      note_states(lanes, stmt->values.data[k], is_read);
    note_states_in(lanes, &stmt->body, is_read);
    note_states_in(lanes, &stmt->else_body, is_read);
  }
}

/* The number of components that are read, each as often as one likes. */
static uint32_t count_states(const Lanes *lanes) {
  const uint32_t n = lanes->gen->program->n_components;
  bool *is_read = NEWN(lanes->gen->cx->arena, bool, n);
  uint32_t n_read = 0;
  note_states_in(lanes, lanes->body, is_read);
  for (uint32_t i = 0; i < n; i++) n_read += is_read[i];
  return n_read;
}

static bool are_in_lanes(const Lanes *lanes) {
  return may_be_in_lanes(lanes->gen, lanes->given) && lanes_fit(lanes) &&
         lanes_gain_members(lanes, count_states(lanes));
}

bool lanes_are_in_row(const Lanes *lanes) {
  return lanes->given && lanes->given->reduce.over == OVER_ALL;
}

/* ---- code ------------------------------------------------------------------------------------ */

/* The slots of the next members: that of lane 0, or all. */
static void declare_strand(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  const TreeStmt *reduce = lanes->given;
  CExpr *slot = name(lanes, "slot");
  if (lanes_are_in_row(lanes)) {
    em_declare_const(em, "int64_t", reduce->var->name, slot);
    em_assign(em, slot, c_binary(cx, "+", slot, name(lanes, "DDR_LANES")));
    return;
  }
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "strands"));
  c_push(cx, &args, slot);
  c_push(cx, &args, name(lanes, gen_set_name(reduce->reduce.over)));
  c_push(cx, &args, name(lanes, reduce->var->name));
  em_declare_array_of(em, "int64_t", reduce->var->name, "DDR_LANES");
  em_assign(em, slot, c_call(cx, "ddr_next_members", args));
}

static void declare_mask(Lanes *lanes, const TreeStmtVec *stmts) {
  Cx *cx = lanes->gen->cx;
  if (!lanes_ask_mask(stmts)) return;
  em_declare_const(&lanes->gen->em, "ddr_vmask", "mask",
                   c_call1(cx, "ddr_vbool_all", c_bool(cx, true)));
  em_unused(&lanes->gen->em, "mask");
}

static void give_values(Lanes *lanes, const TreeExprVec *values) {
  Cx *cx = lanes->gen->cx;
  for (uint32_t i = 0; i < values->len; i++) {
    const TreeExpr *value = values->data[i];
    CExpr *column = name(lanes, gen_column_name(lanes->given, i));
    CExpr *to = c_unary(cx, "&", c_index(cx, column, name(lanes, "member")));
    const char *fn = text_format(cx->arena, "ddr_v%s_give", lane_word(value->ty));
    em_expr(&lanes->gen->em, c_call2(cx, fn, to, lane_expr(lanes, value)));
  }
}

static void give_gang(Lanes *lanes, const TreeExprVec *values) {
  TreeStmtVec stmts = lanes_split(lanes, lanes->body);
  lanes_find_kept(lanes, &stmts);
  lanes_find_others(lanes, &stmts);
  declare_strand(lanes);
  lanes_load_others(lanes, lanes->given->var);
  declare_mask(lanes, &stmts);
  lanes_number_loops(lanes, &stmts);
  lanes->scope = (LaneScope){.mask = "mask"};
  gen_stmts(lanes->gen, &stmts);
  give_values(lanes, values);
}

void lanes_declare_whole(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *n_gangs = c_binary(cx, "/", name(lanes, "n_members"), name(lanes, "DDR_LANES"));
  em_declare_const(&lanes->gen->em, "int64_t", "n_whole",
                   c_binary(cx, "*", n_gangs, name(lanes, "DDR_LANES")));
}

static void give_in_lanes(Lanes *lanes, const TreeExprVec *values) {
  Gen *gen = lanes->gen;
  void *outer = gen->execution;
  const Execution *how = gen->how;
  lanes_set_models(lanes);
  gen->execution = lanes;
  gen->how = &lanes->vectors;
  lanes_declare_whole(lanes);
  em_open_for_by(&gen->em, (CParam){"int64_t", "member"}, c_int(gen->cx, 0), "<",
                 name(lanes, "n_whole"), "DDR_LANES");
  give_gang(lanes, values);
  em_close(&gen->em);
  gen->execution = outer;
  gen->how = how;
}

static bool give(Gen *gen, const TreeStmt *reduce) {
  TreeExprVec values = {0};
  Lanes *lanes = members_of(gen, reduce, &values);
  if (lanes_give_words(lanes)) return true;
  if (!are_in_lanes(lanes)) return false;
  give_in_lanes(lanes, &values);
  return true;
}

void lanes_find_members(Gen *gen, Execution *how) {
  const GenReductionVec all = gen_set_reductions(gen);
  how->give = give;
  for (uint32_t i = 0; i < all.len; i++) {
    TreeExprVec values = {0};
    const TreeStmt *reduce = all.data[i].reduce;
    if (!are_in_lanes(members_of(gen, reduce, &values))) continue;
    how->gives_values = true;
    how->given_needs |= gen_body_needs(gen, reduce);
  }
}
