/* lanes_block: the block function `update` of a program whose strands run in lanes, and what moves
 * a strand between its struct and a lane. The other methods stay as they are, one strand at a time.
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
    em_field(&gen->em, lane_type(lanes, tree_component_type(gen->cx, ty)),
             gen->program->state[i].field, tree_component_count(ty));
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

static bool is_bool(Lanes *lanes, uint32_t i) {
  const Gen *gen = lanes->gen;
  return type_is(gen->program->module->state.data[gen->program->components[i].var].ty, TY_BOOL);
}

static void move_component(Lanes *lanes, uint32_t i, bool is_load) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  CExpr *in_lane = c_index(cx, component_of(lanes, "self", i), name(lanes, "lane"));
  CExpr *alone = component_of(lanes, "strand", i);
  if (is_load) {
    if (is_bool(lanes, i)) alone = c_unary(cx, "-", c_cast(cx, "ddr_mask_lane", alone));
    em_assign(&gen->em, in_lane, alone);
    return;
  }
  if (is_bool(lanes, i)) in_lane = c_binary(cx, "!=", in_lane, c_int(cx, 0));
  em_assign(&gen->em, alone, in_lane);
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
  for (uint32_t i = 0; i < gen->program->n_components; i++) move_component(lanes, i, is_load);
  em_close(&gen->em);
}

/* ---- the end of strands ------------------------------------------------------------------------
 */

static CExpr *at_slot(Lanes *lanes, const char *array) {
  return c_index(lanes->gen->cx, name(lanes, array), name(lanes, "slot"));
}

static void move(Lanes *lanes, CExpr *self, bool is_load) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, self);
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, c_unary(cx, "&", at_slot(lanes, "state")));
  em_expr(&lanes->gen->em, c_call(cx, mover_name(lanes, is_load), args));
}

/* All lanes at once where their strands lie in a row, as they mostly do: `first` is the slot of
 * lane 0's. Strands that are stored run their stabilize method then. */
static void open_row(Lanes *lanes, CExpr *first) {
  Emit *em = &lanes->gen->em;
  CParam lane = {.type = "int", .name = "lane"};
  CExpr *slot = c_binary(lanes->gen->cx, "+", name(lanes, "first"), name(lanes, "lane"));
  em_declare_const(em, "int64_t", "first", first);
  em_open_if(em, c_binary(lanes->gen->cx, ">=", name(lanes, "first"), c_int(lanes->gen->cx, 0)));
  em_open_for(em, lane, c_int(lanes->gen->cx, 0), "<", name(lanes, "DDR_LANES"));
  em_declare_const(em, "int64_t", "slot", slot);
}

static void open_lanes(Lanes *lanes, CExpr *slot) {
  Emit *em = &lanes->gen->em;
  CParam lane = {.type = "int", .name = "lane"};
  em_open_for(em, lane, c_int(lanes->gen->cx, 0), "<", name(lanes, "DDR_LANES"));
  em_declare_const(em, "int64_t", "slot", slot);
  em_open_if(em, c_binary(lanes->gen->cx, ">=", name(lanes, "slot"), c_int(lanes->gen->cx, 0)));
}

static void close_lanes(Lanes *lanes) {
  em_close(&lanes->gen->em);
  em_close(&lanes->gen->em);
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

static const char *end_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_end", lanes->gen->program->strand);
}

/* The slots of strands are the gang's. */
static uint32_t needs_of(const Lanes *lanes, const TreeFunc *fn) {
  return fn ? gen_needs(lanes->gen, fn) & ~(uint32_t)NEED_SLOT : 0;
}

static uint32_t needs_of_end(const Lanes *lanes) {
  return needs_of(lanes, gen_find(lanes->gen, FN_STABILIZE));
}

static CExpr *release(Lanes *lanes) {
  CExprVec args = {0};
  static const char *const names[] = {"gang", "lane", "status"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(lanes->gen->cx, &args, name(lanes, names[i]));
  return c_call(lanes->gen->cx, "ddr_gang_release", args);
}

static CExpr *release_row(Lanes *lanes) {
  return c_call2(lanes->gen->cx, "ddr_gang_release_row", name(lanes, "gang"),
                 name(lanes, "status"));
}

static void store_strand(Lanes *lanes) {
  move(lanes, name(lanes, "self"), false);
  run_stabilize(lanes, name(lanes, "status"), IN_FUNCTION);
}

void lanes_end(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "static", .result = "void", .name = end_name(lanes)};
  gen_context_params(gen, STATES_BEFORE, needs_of_end(lanes), &head);
  em_param(lanes->gen->cx, &head,
           text_format(gen->cx->arena, "const struct %s *", lanes_tag(lanes)), "self");
  em_param(lanes->gen->cx, &head, "ddr_gang *", "gang");
  em_param(lanes->gen->cx, &head, "ddr_strand_status", "status");
  em_param(lanes->gen->cx, &head, gen_state_pointer(gen), "state");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  open_row(lanes, release_row(lanes));
  store_strand(lanes);
  em_close(&gen->em);
  em_return(&gen->em, NULL);
  em_close(&gen->em);
  open_lanes(lanes, release(lanes));
  store_strand(lanes);
  close_lanes(lanes);
  em_close(&gen->em);
}

/* A copy: nobody else has the address of the state, so that it stays in registers (work_off). */
static CExpr *declare_ended(Lanes *lanes) {
  const char *type = text_format(lanes->gen->cx->arena, "struct %s", lanes_tag(lanes));
  em_declare_const(&lanes->gen->em, type, "ended",
                   c_unary(lanes->gen->cx, "*", name(lanes, "self")));
  return name(lanes, "ended");
}

void lanes_end_strands(Lanes *lanes, GenContext place, CExpr *mask, const char *status) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  CExpr *self = name(lanes, "self"), *gang = name(lanes, "gang");
  CExpr *ended = place == IN_BLOCK ? c_dot(cx, gang, "ended") : c_arrow(cx, gang, "ended");
  em_assign(&lanes->gen->em, ended, mask);
  if (place == IN_FUNCTION) self = declare_ended(lanes);
  gen_context_of(lanes->gen, needs_of_end(lanes), place, &args);
  c_push(cx, &args, c_unary(cx, "&", self));
  c_push(cx, &args, place == IN_BLOCK ? c_unary(cx, "&", gang) : gang);
  c_push(cx, &args, name(lanes, status));
  c_push(cx, &args, name(lanes, "state"));
  em_expr(&lanes->gen->em, c_call(cx, end_name(lanes), args));
}

void lanes_structs(Gen *gen) {
  Lanes *lanes = gen->execution;
  gen_struct(lanes);
  gen_mover(lanes, true);
  gen_mover(lanes, false);
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

static CExpr *of_gang(Lanes *lanes, const char *fn) {
  return c_call1(lanes->gen->cx, fn, c_unary(lanes->gen->cx, "&", name(lanes, "gang")));
}

static void take_strands(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *self = c_unary(cx, "&", name(lanes, "self")),
        *gang = c_unary(cx, "&", name(lanes, "gang"));
  open_row(lanes, c_call1(cx, "ddr_gang_take_row", gang));
  move(lanes, self, true);
  em_close(&lanes->gen->em);
  em_else(&lanes->gen->em);
  open_lanes(lanes, c_call2(cx, "ddr_gang_take", gang, name(lanes, "lane")));
  move(lanes, self, true);
  close_lanes(lanes);
  em_close(&lanes->gen->em);
}

/* Strands end within the method. */
uint32_t lanes_needs(const Lanes *lanes) {
  return needs_of(lanes, lanes->fn) | needs_of_end(lanes);
}

static CExpr *update_call(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  gen_context_of(lanes->gen, lanes_needs(lanes), IN_BLOCK, &args);
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "now")));
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "gang")));
  c_push(cx, &args, name(lanes, "state"));
  return c_call(cx, lanes->fn->name, args);
}

static void open_gang(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  em_declare(&lanes->gen->em, "ddr_gang", "gang", NULL);
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "gang")));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "max_steps"));
  em_expr(&lanes->gen->em, c_call(cx, "ddr_gang_open", args));
}

/* Lanes take strands and run while enough of them have one. The state of those that run is a copy
 * whose address no function but the inlined method gets: it stays in registers from step to step.
 */
static void work_off(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CExpr *gang = name(lanes, "gang");
  em_declare_zero(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)), "self");
  open_gang(lanes);
  em_open_while(em, c_bool(cx, true));
  take_strands(lanes);
  em_open_if(em, c_binary(cx, "==", c_dot(cx, gang, "n_active"), c_int(cx, 0)));
  em_return(em, c_dot(cx, gang, "most"));
  em_close(em);
  em_declare(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)), "now", name(lanes, "self"));
  em_open_do(em);
  em_expr(em, of_gang(lanes, "ddr_gang_step"));
  em_expr(em, update_call(lanes));
  em_close_do(em, of_gang(lanes, "ddr_gang_goes_on"));
  em_assign(em, name(lanes, "self"), name(lanes, "now"));
  em_open_if(em, of_gang(lanes, "ddr_gang_pauses"));
  lanes_end_strands(lanes, IN_BLOCK, c_dot(cx, gang, "mask"), "DDR_ACTIVE");
  em_close(em);
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
