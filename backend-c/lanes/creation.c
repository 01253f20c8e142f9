/* creation: strands are created as many at once as there are lanes: their iterators, what the
 * creation clause makes of these, and the initial values of their states, in which all work of a
 * program may lie.
 *
 *   static ddr_status create(const void *memory, ddr_block *block) {
 *     ...
 *     for (int64_t slot = block->begin; slot < block->end; slot += DDR_LANES) {
 *       struct value_lanes rest = {0};
 *       ddr_gang gang;
 *       ddr_gang_create(&gang, block, slot);
 *       ddr_vint at[2];
 *       ddr_iterators(strands, 2, slot, at);
 *       const ddr_vint i = at[0];
 *       const ddr_vint j = at[1];
 *       value_create(globals, &rest, &gang, i, j);
 *       value_place(&rest, state, slot, block->end);
 *
 * The update method may run in lanes or not. A strand that another one creates (`new`) is created
 * alone; so are strands that are few in a long loop, and those of a block whose strands take
 * different branches, as when they are updated (apart.c).
 */
#include "backend-c/lanes/strands.h"

/* How strands are created: FN_ARGS and FN_CREATE in lanes. */
typedef struct Creation {
  Lanes *args, *create;
} Creation;

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static CExpr *address(Lanes *lanes, const char *variable) {
  return c_unary(lanes->gen->cx, "&", name(lanes, variable));
}

/* ---- whether --------------------------------------------------------------------------------- */

/* What is asked of FN_ARGS and FN_CREATE before their forms are known. */
typedef struct Newborn {
  const Gen *gen;
  const TreeFunc *args, *create;
  uint32_t needs;
} Newborn;

static bool is_unwanted(const Newborn *newborn) {
  const EmitOptions *options = newborn->gen->options;
  return options->is_scalar || options->is_traced || newborn->needs & NEED_WORLD;
}

/* What is printed comes in the order of strands. */
static bool prints(const Newborn *newborn) { return (newborn->needs & NEED_TEXT) != 0; }

static bool is_vector(const Type *ty) {
  return lane_form_of_type(ty) == LANES_VECTOR || lane_is_places(ty);
}

/* Sequences of any length lie in the pool, from which a strand takes its own. */
static bool has_sequences(const Newborn *newborn) {
  const Module *m = newborn->gen->program->module;
  for (uint32_t i = 0; i < m->state.len; i++)
    if (!is_vector(m->state.data[i].ty)) return true;
  for (uint32_t i = 0; i < newborn->create->params.len; i++)
    if (!is_vector(newborn->create->params.data[i]->ty)) return true;
  return (newborn->needs & NEED_POOL) != 0;
}

static bool has_calls(const Newborn *newborn) {
  return lanes_have_others(&newborn->args->body) || lanes_have_others(&newborn->create->body);
}

static bool lacks_registers(const Newborn *newborn) {
  return !lanes_have_registers(newborn->gen, newborn->needs);
}

static const struct {
  bool (*is_there)(const Newborn *newborn);
  const char *text;
} obstacles[] = {
    {is_unwanted, "--scalar, --debug or --trace"},
    {prints, "strands print"},
    {has_sequences, "sequences of any length"},
    {has_calls, "calls"},
    {lacks_registers, "processors with vectors of 128 bits"},
};

static const char *obstacle_to(const Newborn *newborn) {
  for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++)
    if (obstacles[i].is_there(newborn)) return obstacles[i].text;
  return NULL;
}

static Lanes *lanes_of(Gen *gen, const TreeFunc *fn) {
  Lanes *lanes = lanes_new(gen, fn);
  lanes->has_groups = gen->has_groups;
  lanes->kinds = lanes->company = NO_BRANCH;
  lanes->n_gangs = 1;
  lanes_find_forms(lanes);
  lanes_set_models(lanes);
  return lanes;
}

static Lanes *lanes_of_create(Gen *gen, const TreeFunc *fn) {
  Lanes *lanes = lanes_of(gen, fn);
  lanes_unite_ways(lanes);
  lanes_find_words(lanes);
  lanes_find_changes(lanes);
  lanes->is_weighed = lanes_may_be_few(lanes);
  lanes->may_part = lanes_may_part(lanes);
  lanes->may_part = lanes->may_part && lanes_watch_any(lanes, lanes->body);
  return lanes;
}

static const char *obstacle_to_both(const Creation *how) {
  if (!lanes_fit(how->args) || !lanes_fit(how->create))
    return "values that have no form in lanes, or too many";
  return lanes_gain(how->create) ? NULL : "lanes would gain nothing";
}

bool lanes_find_creation(Gen *gen, const char **obstacle) {
  const TreeFunc *args = gen_find(gen, FN_ARGS), *create = gen_find(gen, FN_CREATE);
  *obstacle = "no strands are created";
  if (!args || !create) return false;
  const Newborn newborn = {gen, args, create, gen_needs(gen, args) | gen_needs(gen, create)};
  *obstacle = obstacle_to(&newborn);
  if (*obstacle) return false;
  Creation *how = NEW(gen->cx->arena, Creation);
  *how = (Creation){.args = lanes_of(gen, args), .create = lanes_of_create(gen, create)};
  *obstacle = obstacle_to_both(how);
  if (!*obstacle) gen->creation = how;
  return !*obstacle;
}

/* A gang says which lanes are active, and their slots. */
bool lanes_have_gang(const Lanes *lanes) {
  return !lanes_is_creation(lanes) || lanes->gen->options->is_profiled ||
         lanes_needs(lanes) & NEED_SAMPLES || lanes_ask_mask(lanes->body);
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *place_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_place", lanes->gen->program->strand);
}

static void place_in_group(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  CExprVec args = {0};
  em_declare(&gen->em, text_format(cx->arena, "struct %s", gen->program->strand), "self", NULL);
  c_push(cx, &args, name(lanes, "rest"));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, address(lanes, "self"));
  const char *mover = text_format(cx->arena, "%s_from_lane", gen->program->strand);
  em_expr(&gen->em, c_call(cx, mover, args));
  gen_move_strand(gen, "to_lane", name(lanes, "slot"), address(lanes, "self"));
}

/* A strand of the last gang of a block. */
static void place_alone(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  em_open_for(&gen->em, (CParam){"int", "lane"}, c_int(cx, 0), "<",
              c_binary(cx, "-", name(lanes, "end"), name(lanes, "last")));
  em_declare_const(&gen->em, "int64_t", "slot",
                   c_binary(cx, "+", name(lanes, "last"), name(lanes, "lane")));
  if (gen->has_groups) place_in_group(lanes);
  else lanes_store_lane(lanes);
  em_close(&gen->em);
}

static void place_row(Lanes *lanes) {
  Gen *gen = lanes->gen;
  if (gen->has_groups)
    em_assign(&gen->em, gen_group_of(gen, "state", name(lanes, "last")),
              c_unary(gen->cx, "*", name(lanes, "rest")));
  else lanes_store_row(lanes);
}

static CExpr *is_whole(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *n = c_binary(cx, "-", name(lanes, "end"), name(lanes, "last"));
  CExpr *is_row = c_binary(cx, ">=", n, name(lanes, "DDR_LANES"));
  if (!lanes->gen->has_groups) return is_row;
  CExpr *lane = gen_lane_of(lanes->gen, name(lanes, "last"));
  return c_binary(cx, "&&", is_row, c_binary(cx, "==", lane, c_int(cx, 0)));
}

/* The function that stores the states of a gang to consecutive slots, `last` being the first. */
static void gen_place(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  CFunc head = {.qualifiers = "static", .result = "void", .name = place_name(lanes)};
  em_param(cx, &head, text_format(cx->arena, "const struct %s *", lanes_tag(lanes)), "rest");
  em_param(cx, &head, gen_store_pointer(gen), "state");
  em_param(cx, &head, "int64_t", "last");
  em_param(cx, &head, "int64_t", "end");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  em_open_if(&gen->em, is_whole(lanes));
  place_row(lanes);
  em_return(&gen->em, NULL);
  em_close(&gen->em);
  place_alone(lanes);
  em_close(&gen->em);
}

/* Code for these lanes goes between. */
typedef struct Others {
  void *execution;
  const Execution *how;
} Others;

static Others enter(Lanes *lanes) {
  const Others others = {lanes->gen->execution, lanes->gen->how};
  lanes->gen->execution = lanes;
  return others;
}

static void leave(Lanes *lanes, Others others) {
  lanes->gen->execution = others.execution;
  lanes->gen->how = others.how;
}

void lanes_creation_struct(Gen *gen) {
  const Creation *how = gen->creation;
  lanes_struct(how->create);
}

bool lanes_creation_method(Gen *gen, const TreeFunc *fn) {
  const Creation *how = gen->creation;
  if (!how || fn->kind != FN_CREATE) return false;
  const Others others = enter(how->create);
  lanes_method(how->create);
  leave(how->create, others);
  gen_place(how->create);
  return !lanes_have_both(how->create);
}

/* ---- a gang ---------------------------------------------------------------------------------- */

static void declare_iterators(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  const TreeVarVec *iterators = &lanes->fn->params;
  CExprVec args = {0};
  if (!gen_has_iterators(lanes->fn)) return;
  c_push(cx, &args, name(lanes, "strands"));
  c_push(cx, &args, c_int(cx, iterators->len));
  c_push(cx, &args, name(lanes, "slot"));
  c_push(cx, &args, name(lanes, "at"));
  em_declare_array(em, "ddr_vint", "at", iterators->len);
  em_expr(em, c_call(cx, "ddr_iterators", args));
  for (uint32_t i = 0; i < iterators->len; i++)
    if (iterators->data[i])
      em_declare_const(em, "ddr_vint", iterators->data[i]->name,
                       c_index_int(cx, name(lanes, "at"), i));
}

/* A parameter of the strands; the vectors of a short sequence need an array. */
static CExpr *param(Lanes *lanes, const TreeVar *var, const TreeExpr *value) {
  if (!lane_is_places(var->ty)) return lane_expr(lanes, value);
  const char *places = lanes_new_name(lanes, "places");
  em_declare_array(&lanes->gen->em, lane_place_type(lanes, var->ty), places, lane_width(var->ty));
  lane_assign_places(lanes, name(lanes, places), value, NULL);
  return name(lanes, places);
}

/* The end of FN_ARGS. */
static void create_gang(Gen *gen, const TreeStmt *stmt) {
  Lanes *args = gen->execution;
  Lanes *create = ((const Creation *)gen->creation)->create;
  Cx *cx = gen->cx;
  CExprVec all = {0};
  gen_context_of(gen, lanes_needs(create), IN_BLOCK, &all);
  c_push(cx, &all, address(args, "rest"));
  if (lanes_have_gang(create)) c_push(cx, &all, address(args, "gang"));
  if (create->is_weighed) c_push(cx, &all, address(args, "effort"));
  for (uint32_t i = 0; i < stmt->values.len; i++)
    c_push(cx, &all, param(args, create->fn->params.data[i], stmt->values.data[i]));
  lanes_push_lag(create, &all);
  lanes_begin_lag(create);
  em_expr(&gen->em, c_call(cx, lanes_method_name(create), all));
  lanes_end_lag(create);
}

static bool asks_mask(const Lanes *args) {
  return args->gen->options->is_profiled || lanes_ask_mask(args->body);
}

static void run_args(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const TreeStmtVec stmts = lanes_split(lanes, lanes->body);
  lanes_find_kept(lanes, &stmts);
  lanes->last = vec_last(&stmts);
  lanes->vectors.leave = create_gang;
  gen->fn = lanes->fn;
  gen->how = &lanes->vectors;
  if (asks_mask(lanes)) {
    em_declare_const(&gen->em, "ddr_vmask", "mask", c_dot(gen->cx, name(lanes, "gang"), "mask"));
    em_unused(&gen->em, "mask"); /* where all branches are uniform */
  }
  lanes_number_loops(lanes, &stmts);
  lanes_run(lanes, &stmts, (LaneScope){.mask = "mask"});
}

static void open_gang(Lanes *lanes, const Lanes *create) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  CExprVec args = {0};
  em_declare_zero(&gen->em, text_format(cx->arena, "struct %s", lanes_tag(lanes)), "rest");
  if (!lanes_have_gang(create) && !asks_mask(lanes)) return;
  em_declare(&gen->em, "ddr_gang", "gang", NULL);
  c_push(cx, &args, address(lanes, "gang"));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "slot"));
  em_expr(&gen->em, c_call(cx, "ddr_gang_create", args));
}

static void place_gang(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, address(lanes, "rest"));
  c_push(cx, &args, name(lanes, "state"));
  c_push(cx, &args, name(lanes, "slot"));
  c_push(cx, &args, c_arrow(cx, name(lanes, "block"), "end"));
  em_expr(&lanes->gen->em, c_call(cx, place_name(lanes), args));
}

/* ---- one strand at a time -------------------------------------------------------------------- */

static CExpr *alone(Lanes *lanes, const char *fn, const char *from) {
  static const char *const names[] = {"block", "memory", "create_alone"};
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, from ? name(lanes, from) : address(lanes, "gang"));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(cx, &args, name(lanes, names[i]));
  return c_call(cx, fn, args);
}

/* Strands that have left a loop. */
static void create_apart(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  em_open_if(em, c_binary(cx, "!=", c_dot(cx, name(lanes, "gang"), "apart"), c_int(cx, 0)));
  em_expr(em, alone(lanes, "ddr_create_apart", NULL));
  em_close(em);
}

static void keep_effort(Lanes *lanes) {
  em_expr(&lanes->gen->em, c_call2(lanes->gen->cx, "ddr_effort_keep", name(lanes, "block"),
                                   address(lanes, "effort")));
}

static void judge_effort(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  c_push(cx, &args, address(lanes, "effort"));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "slot"));
  em_open_if(em, c_call(cx, "ddr_creation_is_wasted", args));
  keep_effort(lanes);
  em_return(em, alone(lanes, "ddr_create_rest", "slot"));
  em_close(em);
}

/* ---- the block function ---------------------------------------------------------------------- */

static CFunc head_of(Cx *cx, const char *function_name) {
  CFunc head = {.qualifiers = "static", .result = "ddr_status", .name = function_name};
  em_param(cx, &head, "const void *", "memory");
  em_param(cx, &head, "ddr_block *", "block");
  return head;
}

static void create_gangs(Lanes *args, const Lanes *create) {
  Gen *gen = args->gen;
  Cx *cx = gen->cx;
  CExpr *block = name(args, "block");
  if (create->is_weighed) em_declare_zero(&gen->em, "ddr_effort", "effort");
  em_open_for_by(&gen->em, (CParam){"int64_t", "slot"}, c_arrow(cx, block, "begin"), "<",
                 c_arrow(cx, block, "end"), "DDR_LANES");
  open_gang(args, create);
  declare_iterators(args);
  run_args(args);
  place_gang(args);
  if (create->watches) create_apart(args);
  if (create->is_weighed) judge_effort(args);
  em_close(&gen->em);
  if (create->is_weighed) keep_effort(args);
}

static void create_in_lanes(Lanes *args, const Lanes *create, const char *function_name) {
  Gen *gen = args->gen;
  CFunc head = head_of(gen->cx, function_name);
  const Others others = enter(args);
  gen_open_block_function(gen, &head, gen_needs(gen, args->fn) | gen_needs(gen, create->fn));
  if (gen_has_iterators(args->fn))
    em_declare(&gen->em, "const ddr_strands *", "strands",
               c_arrow(gen->cx, name(args, "block"), "strands"));
  create_gangs(args, create);
  leave(args, others);
  em_return(&gen->em, name(args, "DDR_OK"));
  em_close(&gen->em);
}

static CExpr *whole_block(Lanes *lanes, const char *how) {
  return c_call2(lanes->gen->cx, how, name(lanes, "memory"), name(lanes, "block"));
}

/* See Note [Long branches]. */
static void choose_way(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CFunc head = head_of(cx, "create");
  em_blank(em);
  em_open_func(em, &head);
  em_open_if(em, c_call2(cx, "ddr_runs_alone", name(lanes, "block"), c_int(cx, 0)));
  em_return(em, whole_block(lanes, "create_alone"));
  em_close(em);
  em_return(em, whole_block(lanes, "create_in_lanes"));
  em_close(em);
}

void lanes_create(Gen *gen) {
  const Creation *how = gen->creation;
  const bool is_weighed = how->create->is_weighed;
  if (is_weighed || how->create->watches) gen_create_alone(gen, "create_alone");
  create_in_lanes(how->args, how->create, is_weighed ? "create_in_lanes" : "create");
  if (is_weighed) choose_way(how->create);
}
