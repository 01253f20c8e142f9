/* groups: states that lie in memory as they do in lanes (runtime/include/ddr/lanes/groups.h): an
 * array of the struct that has a vector for each scalar of the state. Where each visit takes a
 * single step, in lock-step or because update always ends, strands are loaded and stored in each
 * step; if that takes few operations, moving them from structs of their own into vectors and back
 * would take most of the time.
 *
 *   for (int64_t slot = block->begin; slot < block->end; slot += DDR_LANES) {
 *     if (ddr_gang_take_group(&gang, block, slot)) {
 *       struct value_lanes *group = &state[ddr_group_of(slot)];
 *       struct value_lanes rest = *group;
 *       const ddr_vmask mask = gang.mask;
 *       value_update(globals, &rest, &rest, &gang);
 *       group->x = ddr_vselect_real(mask, rest.x, group->x);
 *       ...
 *
 * If some strands may end before others, there is a copy for those that run, as in block.c.
 *
 * Whatever else has to do with single strands goes through two functions, to_lane and from_lane
 * (exchange.c): creation, outputs, checkpoints. Reductions read the vectors (queries.c).
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- which programs -------------------------------------------------------------------------- */

/* Dynamic sequences and strings are no vectors; fixed sequences are arrays even of one element. The
 * runtime moves a strand of at most DDR_STRAND_SIZE bytes. */
static bool has_vectors_only(const Lanes *lanes) {
  enum { MOST_SCALARS = 128 };
  const Module *m = lanes->gen->program->module;
  if (lanes->gen->program->n_components > MOST_SCALARS) return false;
  for (uint32_t i = 0; i < m->state.len; i++)
    if (lane_form_of_type(m->state.data[i].ty) != LANES_VECTOR) return false;
  return true;
}

static bool ends_by_dying(const Lanes *lanes, FuncKind kind) {
  const TreeFunc *fn = gen_find(lanes->gen, kind);
  return fn && tree_exits(&fn->body, NULL) & 1u << EXIT_DIE;
}

/* Strands that others find need a struct each. Where some are born and others die, moving the
 * living down, lane by lane, takes what groups save; and so do methods of single strands, if
 * vectors of 128 bits are all there is. */
static bool fit_all(const Lanes *lanes) {
  const Gen *gen = lanes->gen;
  const bool die = ends_by_dying(lanes, FN_START) || ends_by_dying(lanes, FN_UPDATE);
  const bool are_born = gen_needs_anywhere(gen, NEED_BIRTHS);
  const bool have_methods = gen_find(gen, FN_START) || gen_find(gen, FN_STABILIZE);
  if (gen->options->is_unfused && (are_born || have_methods)) return false;
  return !gen_needs_anywhere(gen, NEED_QUERIES) && !(are_born && die);
}

/* Ranks may have processors with different numbers of lanes; devices have columns. A step that
 * needs more than the state runs in gangs of strands that are chosen. */
static bool is_plain(const Lanes *lanes) {
  const EmitOptions *options = lanes->gen->options;
  const uint32_t needs = gen_needs(lanes->gen, lanes->fn);
  return options->workers != BY_RANKS && !options->has_device && !options->is_traced &&
         !lanes->gen->cx->is_long_int && !(needs & (NEED_SLOT | NEED_SAMPLES)) &&
         lanes->kinds == NO_BRANCH && !lanes->is_weighed;
}

/* In lock-step, a group in which few strands still run takes as long as a full one. Strands of one
 * step run together in any case. */
static bool gains(const Lanes *lanes) {
  if (gen_is_lockstep(lanes->gen)) return lanes_is_short(lanes);
  return lanes_is_one_step(lanes) && !lanes_has_loop(lanes->body);
}

bool lanes_fit_groups(const Lanes *lanes) {
  return gains(lanes) && fit_all(lanes) && is_plain(lanes) && has_vectors_only(lanes);
}

/* ---- single strands -------------------------------------------------------------------------- */

/* ddr_group_put_real(&self->x, lane, strand->x) */
void lanes_put_in_group(Lanes *lanes, const Type *scalar, CExpr *in_lanes, CExpr *alone) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, c_unary(cx, "&", in_lanes));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, alone);
  em_expr(&lanes->gen->em,
          c_call(cx, text_format(cx->arena, "ddr_group_put_%s", lane_word(scalar)), args));
}

static void open_with_strands(Lanes *lanes, const char *function_name, const CParam *more,
                              size_t n_more, const char *state_type) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "static", .result = "void", .name = function_name};
  em_param(gen->cx, &head, "const ddr_strands *", "strands");
  for (size_t i = 0; i < n_more; i++) em_param(gen->cx, &head, more[i].type, more[i].name);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  em_declare(&gen->em, state_type, "state", c_arrow(gen->cx, name(lanes, "strands"), "state"));
}

/* The functions of the runtime for one strand. */
static void gen_strand_movers(Lanes *lanes) {
  static const CParam taken[] = {{"int64_t", "slot"}, {"void *", "strand"}};
  static const CParam put[] = {{"int64_t", "slot"}, {"const void *", "strand"}};
  const char *groups = gen_group_pointer(lanes->gen);
  open_with_strands(lanes, "take_strand", taken, 2,
                    text_format(lanes->gen->cx->arena, "const %s", groups));
  gen_move_strand(lanes->gen, "from_lane", name(lanes, "slot"), name(lanes, "strand"));
  em_close(&lanes->gen->em);
  open_with_strands(lanes, "put_strand", put, 2, groups);
  gen_move_strand(lanes->gen, "to_lane", name(lanes, "slot"), name(lanes, "strand"));
  em_close(&lanes->gen->em);
}

/* Moves strands down over the dead. */
static void gen_move_down(Lanes *lanes) {
  static const CParam range[] = {{"int64_t", "begin"}, {"int64_t", "end"}, {"int64_t", "n_dead"}};
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  CExpr *slot = name(lanes, "slot"), *strand = c_unary(cx, "&", name(lanes, "strand"));
  open_with_strands(lanes, "move_down", range, 3, gen_group_pointer(gen));
  em_open_for(&gen->em, (CParam){"int64_t", "slot"}, name(lanes, "begin"), "<", name(lanes, "end"));
  em_declare_const(&gen->em, "int64_t", "to", c_binary(cx, "-", slot, name(lanes, "n_dead")));
  em_declare(&gen->em, text_format(cx->arena, "struct %s", gen->program->strand), "strand", NULL);
  gen_move_strand(gen, "from_lane", slot, strand);
  gen_move_strand(gen, "to_lane", name(lanes, "to"), strand);
  em_close(&gen->em);
  em_close(&gen->em);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* ddr_part_gather_real(part, &group->x, values, n) for a component of n. */
static void gather_component(Lanes *lanes, uint32_t i, uint64_t n) {
  Cx *cx = lanes->gen->cx;
  const uint32_t component = lanes->gen->program->components[i].component;
  CExpr *values = name(lanes, "values");
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "part"));
  c_push(cx, &args, c_unary(cx, "&", lanes_component_of(lanes, "group", i)));
  c_push(cx, &args, component > 0 ? c_binary(cx, "+", values, c_int(cx, component)) : values);
  c_push(cx, &args, c_int(cx, (int64_t)n));
  const char *word = lane_word(lanes_component_type(lanes, i));
  em_expr(&lanes->gen->em, c_call(cx, text_format(cx->arena, "ddr_part_gather_%s", word), args));
}

/* values += 3*part.n */
static void go_on(Lanes *lanes, const char *variable, uint64_t n) {
  Cx *cx = lanes->gen->cx;
  CExpr *count = c_dot(cx, name(lanes, "part"), "n");
  if (n > 1) count = c_binary(cx, "*", c_int(cx, (int64_t)n), count);
  em_assign(&lanes->gen->em, name(lanes, variable),
            c_binary(cx, "+", name(lanes, variable), count));
}

static void gen_gather(Lanes *lanes, uint32_t var) {
  static const CParam range[] = {{"int64_t", "begin"}, {"int64_t", "end"}, {"void *", "memory"}};
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const Type *ty = gen->program->module->state.data[var].ty;
  const char *groups = text_format(cx->arena, "const %s", gen_group_pointer(gen));
  CExpr *slot = name(lanes, "slot"), *end = name(lanes, "end");
  open_with_strands(lanes, gen_gather_name(gen, var), range, 3, groups);
  em_declare(&gen->em, text_format(cx->arena, "%s *", gen_type(gen, ty)), "values",
             name(lanes, "memory"));
  em_declare(&gen->em, "int64_t", "slot", name(lanes, "begin"));
  em_open_while(&gen->em, c_binary(cx, "<", slot, end));
  em_declare(&gen->em, groups, "group", c_unary(cx, "&", gen_group_of(gen, "state", slot)));
  em_declare_const(&gen->em, "ddr_part", "part", c_call2(cx, "ddr_part_of_group", slot, end));
  for (uint32_t i = 0; i < gen->program->n_components; i++)
    if (gen->program->components[i].var == var)
      gather_component(lanes, i, tree_component_count(ty));
  go_on(lanes, "slot", 1);
  go_on(lanes, "values", tree_component_count(ty));
  em_close(&gen->em);
  em_close(&gen->em);
}

void lanes_group_structs(Gen *gen) {
  Lanes *lanes = gen->execution;
  const Module *m = gen->program->module;
  lanes_structs(gen);
  gen_strand_movers(lanes);
  gen_move_down(lanes);
  for (uint32_t i = 0; i < m->state.len; i++)
    if (m->state.data[i].is_output) gen_gather(lanes, i);
}

/* ---- update ---------------------------------------------------------------------------------- */

/* Of the strands that made the step; the others of the group keep their states. */
static void store(Lanes *lanes, uint32_t i) {
  CExpr *kept = lanes_component_of(lanes, "group", i);
  CExpr *value = lanes_component_in(lanes, "rest", i);
  em_assign(&lanes->gen->em, kept,
            lane_select(lanes, lanes_component_type(lanes, i), name(lanes, "mask"), value, kept));
}

static CExpr *address(Lanes *lanes, const char *variable) {
  return c_unary(lanes->gen->cx, "&", name(lanes, variable));
}

static CExpr *mask_now(Lanes *lanes) { return c_dot(lanes->gen->cx, name(lanes, "gang"), "mask"); }

static void load_group(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  const char *states = text_format(cx->arena, "struct %s", lanes_tag(lanes));
  CExpr *group = gen_group_of(lanes->gen, "state", name(lanes, "slot"));
  em_declare(em, gen_group_pointer(lanes->gen), "group", c_unary(cx, "&", group));
  em_declare(em, states, "rest", c_unary(cx, "*", name(lanes, "group")));
  if (!lanes_is_in_place(lanes)) em_declare(em, states, "self", name(lanes, "rest"));
  em_declare_const(em, "ddr_vmask", "mask", mask_now(lanes));
}

static void run_method(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  gen_context_of(lanes->gen, lanes_needs(lanes), IN_BLOCK, &args);
  c_push(cx, &args, address(lanes, lanes_is_in_place(lanes) ? "rest" : "self"));
  c_push(cx, &args, address(lanes, "rest"));
  c_push(cx, &args, address(lanes, "gang"));
  em_expr(&lanes->gen->em, c_call(cx, lanes_method_name(lanes), args));
}

/* The states of strands that go on, beside those of strands that have ended. */
static void come_to_rest(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, address(lanes, "rest"));
  c_push(cx, &args, address(lanes, "self"));
  c_push(cx, &args, mask_now(lanes));
  em_expr(&lanes->gen->em, c_call(cx, lanes_rest_name(lanes), args));
}

static void store_group(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    if (lanes_changes(lanes, i)) store(lanes, i);
  c_push(cx, &args, address(lanes, "gang"));
  c_push(cx, &args, name(lanes, "mask"));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "slot"));
  em_expr(&lanes->gen->em, c_call(cx, "ddr_gang_leave_group", args));
}

/* No state has lists; those that the step made would pile up until the block ends. */
static void free_lists(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExpr *pool = gen_pool_of_block(lanes->gen);
  if (!(gen_update_needs(lanes->gen) & NEED_POOL)) return;
  em_expr(em, c_call1(cx, "ddr_pool_sweep", pool));
  em_open_if(em, c_call1(cx, "ddr_pool_is_short", pool));
  em_break(em);
  em_close(em);
}

static CExpr *takes_group(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, address(lanes, "gang"));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "slot"));
  return c_call(cx, "ddr_gang_take_group", args);
}

/* So that births are recorded with their creators. */
static void number_lanes(Lanes *lanes) {
  if (!lanes->vectors.takes_slots) return;
  em_expr(&lanes->gen->em,
          c_call2(lanes->gen->cx, "ddr_gang_number", address(lanes, "gang"), name(lanes, "slot")));
}

static void take_step(Lanes *lanes) {
  Emit *em = &lanes->gen->em;
  em_open_if(em, takes_group(lanes));
  number_lanes(lanes);
  load_group(lanes);
  run_method(lanes);
  if (!lanes_is_in_place(lanes)) come_to_rest(lanes);
  store_group(lanes);
  lanes_stabilize_group(lanes);
  em_assign(em, name(lanes, "most"), c_int(lanes->gen->cx, 1));
  free_lists(lanes);
  em_close(em);
}

void lanes_update_groups(Gen *gen) {
  Lanes *lanes = gen->execution;
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CExpr *block = name(lanes, "block");
  CFunc head = lanes_update_head(cx, "update");
  lanes_group_methods(lanes);
  gen_open_block_function(gen, &head, gen_update_needs(gen));
  em_declare(em, "uint32_t", "most", c_int(cx, 0));
  em_unused(em, "max_steps");
  em_open_for_by(em, (CParam){"int64_t", "slot"}, c_arrow(cx, block, "begin"), "<",
                 c_arrow(cx, block, "end"), "DDR_LANES");
  em_declare(em, "ddr_gang", "gang", NULL);
  lanes_start_group(lanes);
  take_step(lanes);
  em_close(em);
  em_return(em, name(lanes, "most"));
  em_close(em);
}
