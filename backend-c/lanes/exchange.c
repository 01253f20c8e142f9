/* exchange: the state in lanes, and what moves a strand between its struct and a lane.
 *
 * Each gang has two states. `self` is that of running strands, in registers. `rest` has the final
 * states of ended strands until they are stored, and the initial states of strands that are loaded.
 * If steps are taken in place (lanes_is_in_place), there is only `rest`.
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

const char *lanes_tag(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_lanes", lanes->gen->program->strand);
}

/* ---- the state in lanes ---------------------------------------------------------------------- */

/* A field for values of a type; sequences are arrays, even of one element. */
static void lanes_field(Lanes *lanes, const Type *ty, const char *field) {
  Arena *arena = lanes->gen->cx->arena;
  Emit *em = &lanes->gen->em;
  if (lane_is_list(ty)) {
    lanes_list_field(lanes, ty, field);
    return;
  }
  const bool is_places = lane_is_places(ty);
  if (is_places) field = text_format(arena, "%s[%u]", field, lane_width(ty));
  em_field(em, lane_place_type(lanes, ty), field, is_places ? 1 : lane_width(ty));
}

void lanes_struct(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const Module *m = gen->program->module;
  em_blank(&gen->em);
  em_open_struct(&gen->em, lanes_tag(lanes));
  for (uint32_t i = 0; i < m->state.len; i++)
    lanes_field(lanes, m->state.data[i].ty, gen->program->state[i].field);
  em_close_struct(&gen->em);
}

static const Type *type_of(const Lanes *lanes, uint32_t i) {
  const TreeProgram *program = lanes->gen->program;
  return program->module->state.data[program->components[i].var].ty;
}

static const char *field_of(const Lanes *lanes, uint32_t i) {
  const TreeProgram *program = lanes->gen->program;
  return program->state[program->components[i].var].field;
}

/* Component i in its field. */
static CExpr *component_in(Lanes *lanes, CExpr *field, uint32_t i) {
  const uint32_t component = lanes->gen->program->components[i].component;
  if (tree_component_count(type_of(lanes, i)) == 1) return field;
  return c_index_int(lanes->gen->cx, field, component);
}

CExpr *lanes_component_of(Lanes *lanes, const char *owner, uint32_t i) {
  CExpr *field = c_arrow(lanes->gen->cx, name(lanes, owner), field_of(lanes, i));
  return component_in(lanes, field, i);
}

CExpr *lanes_component_in(Lanes *lanes, const char *owner, uint32_t i) {
  CExpr *field = c_dot(lanes->gen->cx, name(lanes, owner), field_of(lanes, i));
  return component_in(lanes, field, i);
}

static void move_scalar(Lanes *lanes, const Type *scalar, CExpr *in_lane, CExpr *alone,
                        bool is_load) {
  Cx *cx = lanes->gen->cx;
  const bool is_bool = type_is(scalar, TY_BOOL);
  if (is_load && lanes->gen->has_groups) {
    lanes_put_in_group(lanes, scalar, in_lane, alone);
    return;
  }
  in_lane = c_index(cx, in_lane, name(lanes, "lane"));
  if (is_load && is_bool) alone = c_unary(cx, "-", c_cast(cx, "ddr_mask_lane", alone));
  if (!is_load && is_bool) in_lane = c_binary(cx, "!=", in_lane, c_int(cx, 0));
  if (is_load) em_assign(&lanes->gen->em, in_lane, alone);
  else em_assign(&lanes->gen->em, alone, in_lane);
}

static void move_component(Lanes *lanes, uint32_t i, CExpr *in_lane, CExpr *alone, bool is_load) {
  Gen *gen = lanes->gen;
  const Type *ty = type_of(lanes, i);
  if (lane_is_columns(lanes, ty)) {
    lane_move_columns(lanes, ty, in_lane, alone, is_load);
    return;
  }
  const Type *scalar = lane_is_list(ty) ? ty : gen_scalar_type(gen, ty);
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

/* Which components move between a lane and a struct. */
typedef enum Move {
  MOVE_IN,    /* those that the method reads */
  MOVE_OUT,   /* those that it changes and that are read after the strand's end */
  MOVE_PAUSED /* also those that the strand itself reads when it continues */
} Move;

static bool is_moved(const Lanes *lanes, uint32_t i, Move move) {
  if (lanes->gen->has_groups) return move != MOVE_PAUSED;
  if (move == MOVE_IN) return lanes_reads(lanes, i);
  return lanes_changes(lanes, i) && lanes_outlives(lanes, i) == (move == MOVE_OUT);
}

static bool moves_any(const Lanes *lanes, Move move) {
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    if (is_moved(lanes, i, move)) return true;
  return false;
}

static bool stores_nothing(const Lanes *lanes) {
  return !moves_any(lanes, MOVE_OUT) && !moves_any(lanes, MOVE_PAUSED);
}

static const char *mover_name(Lanes *lanes, Move move) {
  static const char *const what[] = {"to_lane", "from_lane", "pause_lane"};
  return text_format(lanes->gen->cx->arena, "%s_%s", lanes->gen->program->strand, what[move]);
}

static void unuse(Emit *em, const char *const *names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) em_unused(em, names[i]);
}

static bool moves_columns(const Lanes *lanes, Move move) {
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    if (is_moved(lanes, i, move) && lane_is_columns(lanes, type_of(lanes, i))) return true;
  return false;
}

static void gen_mover(Lanes *lanes, Move move) {
  Gen *gen = lanes->gen;
  const bool is_load = move == MOVE_IN;
  const char *tag = text_format(gen->cx->arena, "struct %s *", lanes_tag(lanes));
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = mover_name(lanes, move)};
  if (lanes_own_columns(lanes)) em_param(gen->cx, &head, "ddr_pool *", "pool");
  const bool is_changed = is_load || lanes_own_columns(lanes);
  em_param(lanes->gen->cx, &head, is_changed ? tag : text_format(gen->cx->arena, "const %s", tag),
           "self");
  em_param(lanes->gen->cx, &head, "int", "lane");
  const char *strand = gen_state_pointer(gen);
  em_param(lanes->gen->cx, &head,
           is_load ? text_format(gen->cx->arena, "const %s", strand) : strand, "strand");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  if (!moves_any(lanes, move)) unuse(&gen->em, (const char *[]){"self", "lane", "strand"}, 3);
  if (lanes_own_columns(lanes) && !moves_columns(lanes, move)) em_unused(&gen->em, "pool");
  for (uint32_t i = 0; i < gen->program->n_components; i++)
    if (is_moved(lanes, i, move))
      move_component(lanes, i, lanes_component_of(lanes, "self", i),
                     lanes_component_of(lanes, "strand", i), is_load);
  em_close(&gen->em);
}

/* ---- ended strands --------------------------------------------------------------------------- */

static void keep_scalar(Lanes *lanes, const Type *scalar, CExpr *at_rest, CExpr *value,
                        const char *mask) {
  if (mask) value = lane_select(lanes, scalar, name(lanes, mask), value, at_rest);
  em_assign(&lanes->gen->em, at_rest, value);
}

void lanes_keep(Lanes *lanes, uint32_t i, const TreeExpr *value, const char *mask) {
  Gen *gen = lanes->gen;
  const Type *ty = type_of(lanes, i);
  CExpr *at_rest = lanes_component_of(lanes, "rest", i),
        *now = lanes_component_of(lanes, "self", i);
  if (lane_is_list(ty)) {
    lane_keep_list(lanes, at_rest, value, ty, now, mask);
  } else if (lane_is_places(ty)) {
    const uint32_t n = lane_width(ty);
    for (uint32_t k = 0; k < n; k++)
      keep_scalar(lanes, gen_scalar_type(gen, ty), c_index_int(gen->cx, at_rest, k),
                  value ? lane_tap(lanes, value, k) : c_index_int(gen->cx, now, k), mask);
  } else {
    keep_scalar(lanes, lanes_component_type(lanes, i), at_rest,
                value ? lane_expr(lanes, value) : now, mask);
  }
}

const char *lanes_rest_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_rest", lanes->gen->program->strand);
}

/* A function that saves the states of strands that have not ended, or brings back those of lanes
 * that wait (company.c). */
static void gen_rest(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const char *pointer = text_format(gen->cx->arena, "struct %s *", lanes_tag(lanes));
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = lanes_rest_name(lanes)};
  if (lanes_own_columns(lanes)) em_param(gen->cx, &head, "ddr_pool *", "pool");
  em_param(gen->cx, &head, pointer, "rest");
  em_param(gen->cx, &head, text_format(gen->cx->arena, "const %s", pointer), "self");
  em_param(gen->cx, &head, "ddr_vmask", "mask");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  if (stores_nothing(lanes)) unuse(&gen->em, (const char *[]){"rest", "self", "mask"}, 3);
  for (uint32_t i = 0; i < gen->program->n_components; i++)
    if (lanes_changes(lanes, i)) lanes_keep(lanes, i, NULL, "mask");
  em_close(&gen->em);
}

CExpr *lanes_at_slot(Lanes *lanes, const char *array) {
  return c_index(lanes->gen->cx, name(lanes, array), name(lanes, "slot"));
}

static CExpr *strand_at_slot(Lanes *lanes) {
  return c_unary(lanes->gen->cx, "&", lanes_at_slot(lanes, "state"));
}

static void move_strand(Lanes *lanes, Move move) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (lanes_own_columns(lanes)) c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, name(lanes, "rest"));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, strand_at_slot(lanes));
  em_expr(&lanes->gen->em, c_call(cx, mover_name(lanes, move), args));
}

uint32_t lanes_needs_of(const Lanes *lanes, const TreeFunc *fn) {
  return fn ? gen_needs(lanes->gen, fn) & ~(uint32_t)NEED_SLOT : 0;
}

uint32_t lanes_needs(const Lanes *lanes) {
  return lanes_needs_of(lanes, lanes->fn) | (lanes_own_columns(lanes) ? NEED_POOL : 0);
}

uint32_t lanes_exchange_needs(const Lanes *lanes) {
  const uint32_t pool = gen_uses_pool(lanes->gen) ? NEED_POOL : 0;
  return lanes_needs_of(lanes, gen_find(lanes->gen, FN_STABILIZE)) | pool;
}

/* ---- strands in and out of lanes ------------------------------------------------------------- */

static CExpr *of_gang(Lanes *lanes, const char *fn) {
  Cx *cx = lanes->gen->cx;
  return c_call2(cx, fn, name(lanes, "gang"), name(lanes, "queue"));
}

static bool *components_to_move(const Lanes *lanes, Move move) {
  bool *moves = NEWN(lanes->gen->cx->arena, bool, lanes->gen->program->n_components);
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    moves[i] = is_moved(lanes, i, move);
  return moves;
}

/* Loads one component of all lanes as a vector: if it were written lane by lane and then read as a
 * vector, the read would have to wait. The strands are at slot `first` and the following ones;
 * NULL: at the slots of the gang. */
static void take_vector(Lanes *lanes, const Type *scalar, CExpr *in_lanes, CExpr *alone,
                        const char *first) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, c_unary(cx, "&", alone));
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", name(lanes, "state"))));
  if (!first) c_push(cx, &args, c_arrow(cx, name(lanes, "gang"), "slot"));
  const char *fn = text_format(cx->arena, "ddr_v%s_%s", lane_word(scalar), first ? "row" : "of");
  em_assign(&lanes->gen->em, in_lanes, c_call(cx, fn, args));
}

static void take_component(Lanes *lanes, uint32_t i, const char *first) {
  Gen *gen = lanes->gen;
  const Type *ty = type_of(lanes, i), *scalar = gen_scalar_type(gen, ty);
  CExpr *state = name(lanes, "state"), *in_lanes = lanes_component_of(lanes, "rest", i);
  CExpr *field =
      first ? c_dot(gen->cx, c_index(gen->cx, state, name(lanes, first)), field_of(lanes, i))
            : c_arrow(gen->cx, state, field_of(lanes, i));
  CExpr *alone = component_in(lanes, field, i);
  if (!lane_is_places(ty)) {
    take_vector(lanes, scalar, in_lanes, alone, first);
    return;
  }
  const uint32_t n = lane_width(ty);
  for (uint32_t k = 0; k < n; k++)
    take_vector(lanes, scalar, c_index_int(gen->cx, in_lanes, k),
                c_index_int(gen->cx, c_dot(gen->cx, alone, "v"), k), first);
}

static void take_components(Lanes *lanes, const char *first) {
  bool *left = components_to_move(lanes, MOVE_IN);
  lanes_load_words(lanes, first, left);
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    if (left[i]) take_component(lanes, i, first);
}

/* A loop over lanes that only moves values is unrolled: otherwise clang makes each lane depend on
 * the one before. */
static void open_loop(Lanes *lanes, bool is_move) {
  if (is_move) em_open_each(&lanes->gen->em, "DDR_EACH_LANE", "lane");
  else lanes_open_loop(lanes);
}

/* Opens a branch for lanes with consecutive slots: `first` is the slot of lane 0. */
static void open_row(Lanes *lanes, const char *first, const char *act) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  em_declare_const(em, "int64_t", first,
                   of_gang(lanes, text_format(cx->arena, "ddr_gang_%s_row", act)));
  em_open_if(em, c_binary(cx, ">=", name(lanes, first), c_int(cx, 0)));
}

static CExpr *all_lanes(Lanes *lanes, const char *act) {
  return of_gang(lanes, text_format(lanes->gen->cx->arena, "ddr_gang_%s_all", act));
}

/* Whether lanes that are filled at once may have slots in any order: in a tile, or by place. */
static bool are_anywhere(const Lanes *lanes) {
  return lanes->vectors.is_tiled || lanes->vectors.takes_slots || lanes->kinds != NO_BRANCH;
}

/* A loop over all lanes; `first` as for open_row. */
static void open_each(Lanes *lanes, const char *first, bool is_move) {
  Cx *cx = lanes->gen->cx;
  open_loop(lanes, is_move);
  if (are_anywhere(lanes)) lanes_declare_slot(lanes);
  else
    em_declare_const(&lanes->gen->em, "int64_t", "slot",
                     c_binary(cx, "+", name(lanes, first), name(lanes, "lane")));
}

/* Opens a branch for all lanes at once; */
static void open_all(Lanes *lanes, const char *first, const char *act) {
  if (are_anywhere(lanes)) em_open_if(&lanes->gen->em, all_lanes(lanes, act));
  else open_row(lanes, first, act);
}

/* else a loop over the lanes of a set. */
static void open_lanes(Lanes *lanes, const char *set, const char *fn) {
  em_else(&lanes->gen->em);
  lanes_open_set(lanes, set, of_gang(lanes, fn));
  lanes_declare_slot(lanes);
}

static void close_lanes(Lanes *lanes) {
  em_close(&lanes->gen->em);
  em_close(&lanes->gen->em);
}

static CExpr *status_of_slot(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  return c_index(cx, c_arrow(cx, name(lanes, "queue"), "status"), name(lanes, "slot"));
}

void lanes_store_strand(Lanes *lanes) {
  if (moves_any(lanes, MOVE_OUT)) move_strand(lanes, MOVE_OUT);
  if (moves_any(lanes, MOVE_PAUSED)) move_strand(lanes, MOVE_PAUSED);
}

void lanes_load_strand(Lanes *lanes) { move_strand(lanes, MOVE_IN); }

static void move_paused(Lanes *lanes) {
  if (!moves_any(lanes, MOVE_PAUSED)) return;
  em_open_if(&lanes->gen->em,
             c_binary(lanes->gen->cx, "==", status_of_slot(lanes), name(lanes, "DDR_ACTIVE")));
  move_strand(lanes, MOVE_PAUSED);
  em_close(&lanes->gen->em);
}

static void move_out(Lanes *lanes) {
  if (stores_nothing(lanes)) em_unused(&lanes->gen->em, "slot");
  if (moves_any(lanes, MOVE_OUT)) move_strand(lanes, MOVE_OUT);
  move_paused(lanes);
}

/* The strand's sequences belong to the pool from now on. Those that become columns are copied, so
 * that this can wait until others replace them. */
static void enter(Lanes *lanes) { gen_enter(lanes->gen, strand_at_slot(lanes)); }

/* Stores a strand; if it has ended, its stabilize method runs then. */
static void store_strand(Lanes *lanes) {
  if (lanes_own_columns(lanes)) enter(lanes);
  move_out(lanes);
  lanes_run_stabilize(lanes, status_of_slot(lanes), IN_FUNCTION, strand_at_slot(lanes));
  gen_keep_and_leave(lanes->gen, strand_at_slot(lanes));
}

static void take_strand(Lanes *lanes) {
  move_strand(lanes, MOVE_IN);
  if (!lanes_own_columns(lanes)) enter(lanes);
}

/* Stores components of the lane of a loop. */
static void store_left(Lanes *lanes, const bool *left) {
  Cx *cx = lanes->gen->cx;
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++) {
    if (!left[i]) continue;
    CExpr *field = c_dot(cx, lanes_at_slot(lanes, "state"), field_of(lanes, i));
    move_component(lanes, i, lanes_component_of(lanes, "rest", i), component_in(lanes, field, i),
                   false);
  }
}

void lanes_store_lane(Lanes *lanes) { store_left(lanes, components_to_move(lanes, MOVE_OUT)); }

/* Stores all lanes from registers: what lies side by side together, the rest lane by lane. */
void lanes_store_row(Lanes *lanes) {
  bool *left = components_to_move(lanes, MOVE_OUT);
  bool is_any_left = moves_any(lanes, MOVE_PAUSED);
  lanes_store_words(lanes, are_anywhere(lanes) ? NULL : "last", left);
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++) is_any_left |= left[i];
  if (!is_any_left) return;
  open_each(lanes, "last", true);
  store_left(lanes, left);
  move_paused(lanes);
  em_close(&lanes->gen->em);
}

static void store_all(Lanes *lanes) {
  Emit *em = &lanes->gen->em;
  const bool is_move = !gen_uses_pool(lanes->gen);
  open_all(lanes, "last", "release");
  if (is_move) {
    lanes_store_row(lanes);
    if (!gen_find(lanes->gen, FN_STABILIZE)) return;
  }
  open_each(lanes, "last", false);
  if (is_move)
    lanes_run_stabilize(lanes, status_of_slot(lanes), IN_FUNCTION, strand_at_slot(lanes));
  else store_strand(lanes);
  em_close(em);
}

static void store_strands(Lanes *lanes) {
  store_all(lanes);
  open_lanes(lanes, "ended", "ddr_gang_release");
  store_strand(lanes);
  close_lanes(lanes);
}

/* Loads all lanes as vectors, unless each strand has to deal with the pool of sequences. */
static void take_all(Lanes *lanes) {
  Emit *em = &lanes->gen->em;
  if (gen_uses_pool(lanes->gen)) {
    open_all(lanes, "next", "take");
    open_each(lanes, "next", false);
    take_strand(lanes);
    em_close(em);
    return;
  }
  if (lanes->vectors.is_tiled) {
    em_open_if(em, all_lanes(lanes, "take"));
    take_components(lanes, NULL);
    return;
  }
  open_row(lanes, "next", "take");
  take_components(lanes, "next");
  if (!are_anywhere(lanes)) return;
  em_else_if(em, all_lanes(lanes, "take"));
  take_components(lanes, NULL);
}

static void take_strands(Lanes *lanes) {
  take_all(lanes);
  open_lanes(lanes, "taken", "ddr_gang_take");
  take_strand(lanes);
  close_lanes(lanes);
}

const char *lanes_exchange_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_exchange", lanes->gen->program->strand);
}

void lanes_exchange(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "static", .result = "void", .name = lanes_exchange_name(lanes)};
  gen_context_params(gen, STATES_BEFORE, lanes_exchange_needs(lanes), &head);
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
  lanes_struct(lanes);
  gen_mover(lanes, MOVE_IN);
  if (moves_any(lanes, MOVE_OUT)) gen_mover(lanes, MOVE_OUT);
  if (moves_any(lanes, MOVE_PAUSED)) gen_mover(lanes, MOVE_PAUSED);
  if (!lanes_is_in_place(lanes)) gen_rest(lanes);
}
