/* lanes_block: the block function `update` of a program whose strands run in lanes, and what moves
 * a strand between its struct and a lane. The other methods stay as they are, one strand at a time.
 *
 * There are two states in lanes. `self` is that of strands that run, in registers; `rest` has what
 * strands have come to that have ended, until they are stored, and others begin with. Each gang has
 * both.
 */
#include "backend-c/lanes/local.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static const char *lanes_tag(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_lanes", lanes->gen->program->strand);
}

/* ---- the state in lanes ------------------------------------------------------------------------
 */

static void gen_struct(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const Module *m = gen->program->module;
  em_blank(&gen->em);
  em_open_struct(&gen->em, lanes_tag(lanes));
  for (uint32_t i = 0; i < m->state.len; i++) {
    const Type *ty = m->state.data[i].ty;
    em_field(&gen->em, lane_place_type(lanes, ty), gen->program->state[i].field, lane_width(ty));
  }
  em_close_struct(&gen->em);
}

/* Component i of the struct that `owner` points to. */
static CExpr *component_of(Lanes *lanes, const char *owner, uint32_t i) {
  Gen *gen = lanes->gen;
  const StateComponent *component = &gen->program->components[i];
  const Type *ty = gen->program->module->state.data[component->var].ty;
  CExpr *field = c_arrow(gen->cx, name(lanes, owner), gen->program->state[component->var].field);
  return tree_component_count(ty) == 1 ? field : c_index_int(gen->cx, field, component->component);
}

static void move_scalar(Lanes *lanes, const Type *scalar, CExpr *in_lane, CExpr *alone,
                        bool is_load) {
  Cx *cx = lanes->gen->cx;
  const bool is_bool = type_is(scalar, TY_BOOL);
  in_lane = c_index(cx, in_lane, name(lanes, "lane"));
  if (is_load && is_bool) alone = c_unary(cx, "-", c_cast(cx, "ddr_mask_lane", alone));
  if (!is_load && is_bool) in_lane = c_binary(cx, "!=", in_lane, c_int(cx, 0));
  if (is_load) em_assign(&lanes->gen->em, in_lane, alone);
  else em_assign(&lanes->gen->em, alone, in_lane);
}

static void move_component(Lanes *lanes, uint32_t i, bool is_load) {
  Gen *gen = lanes->gen;
  const Type *ty = gen->program->module->state.data[gen->program->components[i].var].ty;
  const Type *scalar = gen_scalar_type(gen, ty);
  CExpr *in_lane = component_of(lanes, "self", i), *alone = component_of(lanes, "strand", i);
  if (!lane_is_places(ty)) {
    move_scalar(lanes, scalar, in_lane, alone, is_load);
    return;
  }
  alone = c_dot(gen->cx, alone, "v");
  const uint32_t n = lane_width(ty);
  for (uint32_t k = 0; k < n; k++)
    move_scalar(lanes, scalar, c_index_int(gen->cx, in_lane, k), c_index_int(gen->cx, alone, k),
                is_load);
}

static const char *mover_name(Lanes *lanes, bool is_load) {
  const char *what = is_load ? "to_lane" : "from_lane";
  return text_format(lanes->gen->cx->arena, "%s_%s", lanes->gen->program->strand, what);
}

static void gen_mover(Lanes *lanes, bool is_load) {
  Gen *gen = lanes->gen;
  const char *tag = text_format(gen->cx->arena, "struct %s *", lanes_tag(lanes));
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = mover_name(lanes, is_load)};
  em_param(lanes->gen->cx, &head, is_load ? tag : text_format(gen->cx->arena, "const %s", tag),
           "self");
  em_param(lanes->gen->cx, &head, "int", "lane");
  const char *strand = gen_state_pointer(gen);
  em_param(lanes->gen->cx, &head,
           is_load ? text_format(gen->cx->arena, "const %s", strand) : strand, "strand");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  for (uint32_t i = 0; i < gen->program->n_components; i++)
    if (is_load || lanes_changes(lanes, i)) move_component(lanes, i, is_load);
  em_close(&gen->em);
}

/* ---- strands at rest ---------------------------------------------------------------------------
 */

/* rest->x = in the lanes of the mask value, else rest->x; NULL: of all lanes. */
void lanes_keep(Lanes *lanes, uint32_t i, CExpr *value, const char *mask) {
  Gen *gen = lanes->gen;
  CExpr *at_rest = component_of(lanes, "rest", i);
  if (mask)
    value = lane_select(lanes, lanes_component_type(lanes, i), name(lanes, mask), value, at_rest);
  em_assign(&gen->em, at_rest, value);
}

static const char *rest_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_rest", lanes->gen->program->strand);
}

/* What strands have come to that have not ended yet. */
static void gen_rest(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const char *pointer = text_format(gen->cx->arena, "struct %s *", lanes_tag(lanes));
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = rest_name(lanes)};
  em_param(gen->cx, &head, pointer, "rest");
  em_param(gen->cx, &head, text_format(gen->cx->arena, "const %s", pointer), "self");
  em_param(gen->cx, &head, "ddr_vmask", "mask");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  for (uint32_t i = 0; i < gen->program->n_components; i++)
    if (lanes_changes(lanes, i)) lanes_keep(lanes, i, component_of(lanes, "self", i), "mask");
  em_close(&gen->em);
}

static CExpr *at_slot(Lanes *lanes, const char *array) {
  return c_index(lanes->gen->cx, name(lanes, array), name(lanes, "slot"));
}

static void move(Lanes *lanes, bool is_load) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "rest"));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, c_unary(cx, "&", at_slot(lanes, "state")));
  em_expr(&lanes->gen->em, c_call(cx, mover_name(lanes, is_load), args));
}

/* A method of the strand in its slot. */
static CExpr *method_at_slot(Lanes *lanes, const TreeFunc *fn, GenContext place) {
  CExprVec args = {0};
  gen_context_args(lanes->gen, fn, place, &args);
  c_push(lanes->gen->cx, &args, c_unary(lanes->gen->cx, "&", at_slot(lanes, "state")));
  return c_call(lanes->gen->cx, fn->name, args);
}

static void run_stabilize(Lanes *lanes, CExpr *status, GenContext place) {
  const TreeFunc *stabilize = gen_find(lanes->gen, FN_STABILIZE);
  if (!stabilize) return;
  em_open_if(&lanes->gen->em, c_binary(lanes->gen->cx, "==", status, name(lanes, "DDR_STABLE")));
  em_expr(&lanes->gen->em, method_at_slot(lanes, stabilize, place));
  em_close(&lanes->gen->em);
}

/* The slots of strands are the gang's. */
static uint32_t needs_of(const Lanes *lanes, const TreeFunc *fn) {
  return fn ? gen_needs(lanes->gen, fn) & ~(uint32_t)NEED_SLOT : 0;
}

uint32_t lanes_needs(const Lanes *lanes) { return needs_of(lanes, lanes->fn); }

static uint32_t needs_of_exchange(const Lanes *lanes) {
  return needs_of(lanes, gen_find(lanes->gen, FN_STABILIZE));
}

/* ---- strands in and out of lanes ---------------------------------------------------------------
 */

static CExpr *of_gang(Lanes *lanes, const char *fn, bool has_lane) {
  CExprVec args = {0};
  c_push(lanes->gen->cx, &args, name(lanes, "gang"));
  if (has_lane) c_push(lanes->gen->cx, &args, name(lanes, "lane"));
  c_push(lanes->gen->cx, &args, name(lanes, "queue"));
  return c_call(lanes->gen->cx, fn, args);
}

/* All lanes at once where their strands lie in a row: `first` is the slot of lane 0's. */
static void open_row(Lanes *lanes, const char *first, const char *fn) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CParam lane = {.type = "int", .name = "lane"};
  em_declare_const(em, "int64_t", first, of_gang(lanes, fn, false));
  em_open_if(em, c_binary(cx, ">=", name(lanes, first), c_int(cx, 0)));
  em_open_for(em, lane, c_int(cx, 0), "<", name(lanes, "DDR_LANES"));
  em_declare_const(em, "int64_t", "slot",
                   c_binary(cx, "+", name(lanes, first), name(lanes, "lane")));
}

/* else lane by lane, those of a set. */
static void open_lanes(Lanes *lanes, const char *set, CExpr *value, const char *fn) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  em_close(em);
  em_else(em);
  em_declare(em, "ddr_lane_set", set, value);
  em_open_while(em, c_binary(cx, "!=", name(lanes, set), c_int(cx, 0)));
  em_declare_const(em, "int", "lane",
                   c_call1(cx, "ddr_next_lane", c_unary(cx, "&", name(lanes, set))));
  em_declare_const(em, "int64_t", "slot", of_gang(lanes, fn, true));
}

static void close_lanes(Lanes *lanes) {
  em_close(&lanes->gen->em);
  em_close(&lanes->gen->em);
}

/* Strands that are stored run their stabilize method then. */
static void store_strand(Lanes *lanes) {
  CExpr *statuses = c_arrow(lanes->gen->cx, name(lanes, "queue"), "status");
  move(lanes, false);
  run_stabilize(lanes, c_index(lanes->gen->cx, statuses, name(lanes, "slot")), IN_FUNCTION);
}

static void store_strands(Lanes *lanes) {
  open_row(lanes, "stored", "ddr_gang_release_row");
  store_strand(lanes);
  open_lanes(lanes, "ended", of_gang(lanes, "ddr_gang_ended", false), "ddr_gang_release");
  store_strand(lanes);
  close_lanes(lanes);
}

static void take_strands(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  open_row(lanes, "taken", "ddr_gang_take_row");
  move(lanes, true);
  open_lanes(lanes, "idle", c_call1(cx, "ddr_gang_idle", name(lanes, "gang")), "ddr_gang_take");
  em_open_if(em, c_binary(cx, "<", name(lanes, "slot"), c_int(cx, 0)));
  em_break(em);
  em_close(em);
  move(lanes, true);
  close_lanes(lanes);
}

static const char *exchange_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_exchange", lanes->gen->program->strand);
}

void lanes_exchange(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "static", .result = "void", .name = exchange_name(lanes)};
  gen_context_params(gen, STATES_BEFORE, needs_of_exchange(lanes), &head);
  em_param(gen->cx, &head, text_format(gen->cx->arena, "struct %s *", lanes_tag(lanes)), "rest");
  em_param(gen->cx, &head, "ddr_gang *", "gang");
  em_param(gen->cx, &head, "ddr_queue *", "queue");
  em_param(gen->cx, &head, gen_state_pointer(gen), "state");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  store_strands(lanes);
  take_strands(lanes);
  em_close(&gen->em);
}

void lanes_structs(Gen *gen) {
  Lanes *lanes = gen->execution;
  gen_struct(lanes);
  gen_mover(lanes, true);
  gen_mover(lanes, false);
  gen_rest(lanes);
}

/* ---- update ------------------------------------------------------------------------------------
 */

/* `start` may end a strand before it ever gets a lane. */
static void run_starts(Lanes *lanes, const TreeFunc *start) {
  Gen *gen = lanes->gen;
  const bool takes_slots = lanes->vectors.takes_slots;
  CParam at = {.type = "int64_t", .name = takes_slots ? "at" : "slot"};
  CExpr *block = name(lanes, "block");
  CExpr *strands = c_arrow(gen->cx, block, "strands");
  em_declare(&gen->em, "uint8_t *", "status", c_arrow(gen->cx, strands, "status"));
  em_open_for(&gen->em, at, c_arrow(gen->cx, block, "begin"), "<", c_arrow(gen->cx, block, "end"));
  if (takes_slots)
    em_declare_const(&gen->em, "int64_t", "slot",
                     c_call2(gen->cx, "ddr_slot_at", block, name(lanes, "at")));
  em_open_if(&gen->em, c_binary(gen->cx, "==", at_slot(lanes, "status"), name(lanes, "DDR_NEW")));
  em_assign(&gen->em, at_slot(lanes, "status"),
            c_cast(gen->cx, "uint8_t", method_at_slot(lanes, start, IN_BLOCK)));
  run_stabilize(lanes, at_slot(lanes, "status"), IN_BLOCK);
  em_close(&gen->em);
  em_close(&gen->em);
}

/* The gangs that take steps in turn are told apart by a number. */
static const char *numbered(Lanes *lanes, const char *text, uint32_t number) {
  return number > 1 ? text_format(lanes->gen->cx->arena, "%s_%u", text, number) : text;
}

static CExpr *of_number(Lanes *lanes, const char *text, uint32_t number) {
  return name(lanes, numbered(lanes, text, number));
}

static CExpr *address(Lanes *lanes, const char *text, uint32_t number) {
  return c_unary(lanes->gen->cx, "&", of_number(lanes, text, number));
}

static void open_gangs(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) {
    em_declare_zero(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)),
                    numbered(lanes, "rest", k));
    em_declare(em, "ddr_gang", numbered(lanes, "gang", k), NULL);
    em_expr(em, c_call1(cx, "ddr_gang_open", address(lanes, "gang", k)));
  }
  em_declare(em, "ddr_queue", "queue", NULL);
  c_push(cx, &args, address(lanes, "queue", 1));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "max_steps"));
  c_push(cx, &args, lanes_least(lanes));
  em_expr(em, c_call(cx, "ddr_queue_open", args));
}

static void exchange(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  gen_context_of(lanes->gen, needs_of_exchange(lanes), IN_BLOCK, &args);
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, "gang", number));
  c_push(cx, &args, address(lanes, "queue", 1));
  c_push(cx, &args, name(lanes, "state"));
  em_expr(&lanes->gen->em, c_call(cx, exchange_name(lanes), args));
}

static void update(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  gen_context_of(lanes->gen, lanes_needs(lanes), IN_BLOCK, &args);
  c_push(cx, &args, address(lanes, "self", number));
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, "now", number));
  em_expr(&lanes->gen->em, c_call1(cx, "ddr_gang_step", address(lanes, "now", number)));
  em_expr(&lanes->gen->em, c_call(cx, lanes->fn->name, args));
}

static CExpr *mask_now(Lanes *lanes, uint32_t number) {
  return c_dot(lanes->gen->cx, of_number(lanes, "now", number), "mask");
}

/* The sum over all gangs. */
static CExpr *n_running(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *sum = c_call1(cx, "ddr_vcount", mask_now(lanes, 1));
  for (uint32_t k = 2; k <= lanes->n_gangs; k++)
    sum = c_binary(cx, "+", sum, c_call1(cx, "ddr_vcount", mask_now(lanes, k)));
  return sum;
}

static CExpr *all_are_idle(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *all = NULL;
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) {
    CExpr *busy = c_dot(cx, of_number(lanes, "gang", k), "busy");
    CExpr *is_idle = c_binary(cx, "==", busy, c_int(cx, 0));
    all = all ? c_binary(cx, "&&", all, is_idle) : is_idle;
  }
  return all;
}

/* Steps of all gangs in turn: those of one do not wait for those of another. State and masks are
 * copies whose addresses no function but inlined ones gets: they stay in registers from step to
 * step. */
static void take_steps(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) {
    em_declare(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)),
               numbered(lanes, "self", k), of_number(lanes, "rest", k));
    em_declare(em, "ddr_gang", numbered(lanes, "now", k), of_number(lanes, "gang", k));
  }
  em_open_do(em);
  em_expr(em, c_call1(cx, "ddr_queue_step", address(lanes, "queue", 1)));
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) update(lanes, k);
  em_close_do(em, c_call2(cx, "ddr_queue_goes_on", address(lanes, "queue", 1), n_running(lanes)));
}

static void come_to_rest(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  em_assign(em, of_number(lanes, "gang", number), of_number(lanes, "now", number));
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, "self", number));
  c_push(cx, &args, mask_now(lanes, number));
  em_open_if(em, c_call1(cx, "ddr_vany", mask_now(lanes, number)));
  em_expr(em, c_call(cx, rest_name(lanes), args));
  em_close(em);
}

/* Strands at rest are stored, and others taken; then all that run take steps until few are left. */
static void work_off(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  open_gangs(lanes);
  em_open_while(em, c_bool(cx, true));
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) exchange(lanes, k);
  em_open_if(em, all_are_idle(lanes));
  em_return(em, c_dot(cx, name(lanes, "queue"), "most"));
  em_close(em);
  take_steps(lanes);
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) come_to_rest(lanes, k);
  em_close(em);
}

void lanes_update(Gen *gen) {
  Lanes *lanes = gen->execution;
  const TreeFunc *start = gen_find(gen, FN_START);
  CFunc head = {.qualifiers = "static", .result = "uint32_t", .name = "update"};
  em_param(lanes->gen->cx, &head, "const void *", "memory");
  em_param(lanes->gen->cx, &head, "ddr_block *", "block");
  em_param(lanes->gen->cx, &head, "uint32_t", "max_steps");
  gen_open_block_function(gen, &head, gen_update_needs(gen));
  if (start) run_starts(lanes, start);
  work_off(lanes);
  em_close(&gen->em);
}
