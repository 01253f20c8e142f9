/* rows: rows of samples in lanes (ddr/lanes/slices.h). Rows are loaded and folded over the slow
 * axes slice by slice, in a loop with all rows of a probe group. The results are transposed to
 * taps, and folded over the fast axis for all lanes at once. Eigensystems have the form of taps,
 * too, like all short sequences (short_sequences.c).
 */
#include "backend-c/lanes/local.h"

static uint32_t width_of(const TreeExpr *row) { return type_row_width(row->ty); }

/* ---- taps ------------------------------------------------------------------------------------ */

uint32_t lane_width(const Type *ty) {
  return type_is(ty, TY_ROW) ? type_row_width(ty) : (uint32_t)gen_scalar_count(ty);
}

static bool is_const_row(const TreeExpr *row) {
  return row->kind == TX_OP && row->op == OP_CONST_ROW;
}

static CExpr *tap_of_uniform(Lanes *lanes, const TreeExpr *row, uint32_t place) {
  Cx *cx = lanes->gen->cx;
  if (is_const_row(row)) return c_rational(cx, row->attr.row.lanes[place]);
  return c_index_int(cx, gen_expr(lanes->gen, row), place);
}

static CExpr *factor(Lanes *lanes, const TreeExpr *expr) {
  if (lane_form(lanes, expr) == LANES_UNIFORM) return gen_expr(lanes->gen, expr);
  return lane_expr(lanes, expr);
}

static CExpr *fma_of(Lanes *lanes, CExpr *a, CExpr *b, CExpr *c) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, a);
  c_push(cx, &args, b);
  c_push(cx, &args, c);
  return c_call(cx, "ddr_vfma", args);
}

CExpr *lane_tap(Lanes *lanes, const TreeExpr *row, uint32_t place) {
  Cx *cx = lanes->gen->cx;
  if (type_is(row->ty, TY_SEQ)) return lane_place(lanes, row, place);
  if (lane_form(lanes, row) == LANES_UNIFORM) return tap_of_uniform(lanes, row, place);
  if (row->kind == TX_VAR) return c_index_int(cx, c_name(cx, row->var->name), place);
  const TreeExpr *a = row->args.data[0];
  switch (row->op) {
  case OP_ROW_FMA:
    return fma_of(lanes, lane_tap(lanes, a, place), factor(lanes, row->args.data[1]),
                  lane_tap(lanes, row->args.data[2], place));
  case OP_ROW_SCALE:
    return c_binary(cx, "*", lane_tap(lanes, a, place), factor(lanes, row->args.data[1]));
  case OP_ROW_PACK: return lane_expr(lanes, row->args.data[place]);
  default: break; /* forms.c allows no other op */
  }
  BUG(cx, "op %s makes no taps", op_text(row->op));
}

/* The part of a dot product over every second place, one fma after another. */
static CExpr *half_dot(Lanes *lanes, const TreeExpr *a, const TreeExpr *b, uint32_t first) {
  CExpr *sum = c_binary(lanes->gen->cx, "*", lane_tap(lanes, a, first), lane_tap(lanes, b, first));
  for (uint32_t i = first + 2; i < width_of(b); i += 2)
    sum = fma_of(lanes, lane_tap(lanes, a, i), lane_tap(lanes, b, i), sum);
  return sum;
}

CExpr *lane_dot(Lanes *lanes, const TreeExpr *a, const TreeExpr *b) {
  return c_binary(lanes->gen->cx, "+", half_dot(lanes, a, b, 0), half_dot(lanes, a, b, 1));
}

/* "ddr_taps", 2, "_load" give ddr_taps2_load. */
static const char *with_width(Lanes *lanes, const char *stem, uint32_t width, const char *end) {
  return text_format(lanes->gen->cx->arena, "%s%u%s", stem, width, end);
}

/* "ddr_slice" and a row of 4 reals give ddr_slice4_load, of bytes ddr_slice4_load_u8. */
static const char *loader(Lanes *lanes, const char *stem, const TreeExpr *load) {
  const SampleType samples = type_samples(load->args.data[0]->ty);
  const char *of_reals = with_width(lanes, stem, width_of(load), "_load");
  if (samples == SAMPLE_REAL) return of_reals;
  return text_format(lanes->gen->cx->arena, "%s_%s", of_reals, sample_text(samples));
}

/* The address of a load and the step from it. */
static void push_address(Lanes *lanes, const TreeExpr *addr, CExprVec *args) {
  Cx *cx = lanes->gen->cx;
  bool has_step = addr->kind == TX_OP;
  const TreeExpr *base = has_step ? addr->args.data[0] : addr;
  c_push(cx, args, c_name(cx, base->var->name));
  c_push(cx, args, has_step ? gen_expr(lanes->gen, addr->args.data[1]) : c_int(cx, 0));
}

/* Windows of images of one dimension; others are walked lane by lane (forms.c). */
bool lane_is_window(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind != TX_OP || !op_is_window(expr->op)) return false;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (i != 1 && lane_form(lanes, expr->args.data[i]) != LANES_UNIFORM) return false;
  return type_dim(expr->args.data[0]->ty) == 1 && lane_is_places(expr->ty);
}

bool lane_is_window_dot(const Lanes *lanes, const TreeExpr *expr) {
  return expr->op == OP_WINDOW_DOT && expr->args.len == 2 &&
         lane_form(lanes, expr->args.data[0]) == LANES_TAPS;
}

const char *lane_border_rule(OpId window) {
  static const char *const rules[OP_COUNT] = {
      [OP_WINDOW_CLAMP] = "DDR_BORDER_CLAMP",
      [OP_WINDOW_MIRROR] = "DDR_BORDER_MIRROR",
      [OP_WINDOW_WRAP] = "DDR_BORDER_WRAP",
      [OP_WINDOW_CONST] = "DDR_BORDER_CONST",
  };
  return rules[window];
}

/* ddr_vwindow(cmap, DDR_BORDER_CLAMP, first_taps[0], component, outside, n_taps, window) */
static void declare_window(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  const bool has_outside = expr->op == OP_WINDOW_CONST;
  CExprVec args = {0};
  c_push(gen->cx, &args, gen_expr(gen, expr->args.data[0]));
  c_push(gen->cx, &args, c_name(gen->cx, lane_border_rule(expr->op)));
  c_push(gen->cx, &args, lane_place(lanes, expr->args.data[1], 0));
  c_push(gen->cx, &args, gen_expr(gen, expr->args.data[2]));
  c_push(gen->cx, &args, has_outside ? gen_expr(gen, expr->args.data[3]) : c_int(gen->cx, 0));
  c_push(gen->cx, &args, c_int(gen->cx, lane_width(expr->ty)));
  c_push(gen->cx, &args, c_name(gen->cx, var->name));
  em_declare_array(&gen->em, "ddr_vreal", var->name, lane_width(expr->ty));
  em_expr(&gen->em, c_call(gen->cx, "ddr_vwindow", args));
}

static void declare_system(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, c_name(cx, var->name));
  for (uint32_t i = 0; i < expr->args.len; i++)
    c_push(cx, &args, lane_expr(lanes, expr->args.data[i]));
  em_declare_array(&lanes->gen->em, "ddr_vreal", var->name, lane_width(var->ty));
  em_expr(&lanes->gen->em, c_call(cx, lane_spelling(expr->op), args));
}

void lane_declare_taps(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (lane_is_system(expr)) {
    declare_system(lanes, var, expr);
    return;
  }
  if (lane_is_window(lanes, expr)) {
    declare_window(lanes, var, expr);
    return;
  }
  if (lane_form(lanes, expr) == LANES_SLICES) {
    c_push(cx, &args, c_name(cx, expr->var->name));
    c_push(cx, &args, c_name(cx, var->name));
    em_declare_array(&lanes->gen->em, "ddr_vreal", var->name, type_row_width(var->ty));
    em_expr(&lanes->gen->em,
            c_call(cx, with_width(lanes, "ddr_taps", type_row_width(var->ty), ""), args));
    return;
  }
  if (expr->kind == TX_OP && expr->op == OP_ROW_LOAD) {
    const TreeVar *image = lane_kept_image_of(lanes, expr);
    if (image) c_push(cx, &args, c_name(cx, image->name));
    push_address(lanes, expr->args.data[0], &args);
    c_push(cx, &args, c_name(cx, var->name));
    em_declare_array(&lanes->gen->em, "ddr_vreal", var->name, type_row_width(var->ty));
    em_expr(&lanes->gen->em,
            c_call(cx, image ? "ddr_taps2_kept" : loader(lanes, "ddr_taps", expr), args));
    return;
  }
  if (lane_is_made_by_lane(lanes, expr)) lane_declare_places_each(lanes, var, expr);
  else lane_declare_places(lanes, var, expr);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static CExpr *slice_load(Lanes *lanes, const TreeExpr *load) {
  CExprVec args = {0};
  CExpr *from_start = lane_load_from_start(lanes, load);
  if (from_start) return from_start;
  push_address(lanes, load->args.data[0], &args);
  if (lane_kept_image_of(lanes, load))
    return lane_load_kept(lanes, args.data[0], args.data[1], width_of(load));
  c_push(lanes->gen->cx, &args, c_name(lanes->gen->cx, "slice"));
  return c_call(lanes->gen->cx, loader(lanes, "ddr_slice", load), args);
}

/* The weight of each lane at all places of its row. */
static CExpr *spread(Lanes *lanes, const TreeExpr *scale, uint32_t width) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, factor(lanes, scale));
  if (lane_form(lanes, scale) == LANES_UNIFORM)
    return c_call(cx, with_width(lanes, "ddr_slice", width, "_all"), args);
  c_push(cx, &args, c_name(cx, "slice"));
  return c_call(cx, with_width(lanes, "ddr_spread", width, ""), args);
}

static CExpr *slice_expr(Lanes *lanes, const TreeExpr *row) {
  Cx *cx = lanes->gen->cx;
  if (row->kind == TX_VAR) {
    CExpr *name = c_name(cx, row->var->name);
    return lane_var(lanes, row->var)->is_kept ? c_index(cx, name, c_name(cx, "slice")) : name;
  }
  const TreeExpr *a = row->args.data[0];
  CExprVec args = {0};
  switch (row->op) {
  case OP_ROW_SCALE:
    return c_binary(cx, "*", slice_expr(lanes, a), spread(lanes, row->args.data[1], width_of(row)));
  case OP_ROW_FMA:
    c_push(cx, &args, slice_expr(lanes, a));
    c_push(cx, &args, spread(lanes, row->args.data[1], width_of(row)));
    c_push(cx, &args, slice_expr(lanes, row->args.data[2]));
    return c_call(cx, with_width(lanes, "ddr_slice", width_of(row), "_fma"), args);
  case OP_ROW_LOAD: return slice_load(lanes, row);
  default: break; /* forms.c allows no other op */
  }
  BUG(cx, "op %s makes no slices", op_text(row->op));
}

/* ---- gathering ---------------------------------------------------------------------------------
 * A loop over slices should have as many slices as possible. Declarations between them go in front
 * of the loop if later slices need them. Others wait until the loop is emitted, so that they need
 * no registers in it; a slice that needs one of those begins the next loop. Only the order of pure
 * declarations changes. */

typedef struct Segment {
  TreeStmtVec slices;  /* of one width */
  TreeStmtVec waiting; /* for the slices */
  Map *pending;        /* variables of both */
  Map *of_waiting;
  const Map *ahead;     /* variables that slices need, directly or indirectly; or NULL */
  const TreeVar *image; /* of which they load rows in place (kept.c), or NULL */
} Segment;

static bool reads_any(const TreeExpr *expr, const Map *vars) {
  if (expr->kind == TX_VAR) return map_has(vars, expr->var);
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (reads_any(expr->args.data[i], vars)) return true;
  return false;
}

static void open_segment(Lanes *lanes, Segment *segment, const Map *ahead) {
  Arena *arena = lanes->gen->cx->arena;
  *segment = (Segment){.pending = map_new(arena), .of_waiting = map_new(arena), .ahead = ahead};
}

static void loop_over_slices(Lanes *lanes, const Segment *segment) {
  Emit *em = &lanes->gen->em;
  uint32_t width = type_row_width(segment->slices.data[0]->var->ty);
  const char *type = with_width(lanes, "ddr_slice", width, "");
  const char *count = with_width(lanes, "DDR_SLICES", width, "");
  for (uint32_t i = 0; i < segment->slices.len; i++) {
    const TreeVar *var = segment->slices.data[i]->var;
    if (lane_var(lanes, var)->is_kept) em_declare_array_of(em, type, var->name, count);
  }
  gen_profile_line(lanes->gen, segment->slices.data[0]->span);
  lanes_find_starts(lanes, &segment->slices);
  if (segment->image) em_open_argument(em, "DDR_BY_SAMPLE", segment->image->name);
  em_open_each(em, with_width(lanes, "DDR_EACH_SLICE", width, ""), "slice");
  for (uint32_t i = 0; i < segment->slices.len; i++) {
    const TreeStmt *stmt = segment->slices.data[i];
    lanes_declare_starts(lanes, stmt->expr);
    CExpr *value = slice_expr(lanes, stmt->expr);
    if (!lane_var(lanes, stmt->var)->is_kept) em_declare_const(em, type, stmt->var->name, value);
    else
      em_assign(em, slice_expr(lanes, tree_var_expr(lanes->gen->cx, stmt->var, stmt->span)), value);
  }
  em_close(em);
  if (segment->image) em_close_argument(em);
}

static void close_segment(Lanes *lanes, Segment *segment) {
  if (segment->slices.len > 0) loop_over_slices(lanes, segment);
  for (uint32_t i = 0; i < segment->waiting.len; i++)
    lanes_declare(lanes, segment->waiting.data[i]);
  open_segment(lanes, segment, segment->ahead);
}

static bool is_slices(const Lanes *lanes, const TreeStmt *stmt) {
  const LaneVar *var = lane_var(lanes, stmt->var);
  return var && var->form == LANES_SLICES;
}

/* A loop is compiled for the types of one image. */
static bool is_of_other_image(const Lanes *lanes, const Segment *segment, const TreeStmt *stmt) {
  const TreeVar *image = lane_kept_image_of(lanes, stmt->expr);
  return segment->image && image && image != segment->image;
}

static bool begins_anew(const Lanes *lanes, const Segment *segment, const TreeStmt *stmt) {
  if (segment->slices.len == 0) return false;
  if (is_of_other_image(lanes, segment, stmt)) return true;
  uint32_t width = type_row_width(segment->slices.data[0]->var->ty);
  return reads_any(stmt->expr, segment->of_waiting) || type_row_width(stmt->var->ty) != width;
}

static void keep_across(Lanes *lanes, const TreeExpr *expr, uint32_t segment) {
  if (expr->kind == TX_VAR) {
    LaneVar *var = lane_var(lanes, expr->var);
    if (var && var->form == LANES_SLICES && var->segment != segment) var->is_kept = true;
  }
  for (uint32_t i = 0; i < expr->args.len; i++) keep_across(lanes, expr->args.data[i], segment);
}

static void note_reads(const TreeExpr *expr, Map *vars) {
  if (expr->kind == TX_VAR) map_put(vars, expr->var, expr->var);
  for (uint32_t i = 0; i < expr->args.len; i++) note_reads(expr->args.data[i], vars);
}

static const Map *find_ahead(Lanes *lanes, const TreeStmtVec *stmts, uint32_t begin, uint32_t end) {
  Map *ahead = map_new(lanes->gen->cx->arena);
  for (uint32_t i = end; i-- > begin;) {
    const TreeStmt *stmt = stmts->data[i];
    if (is_slices(lanes, stmt) || map_has(ahead, stmt->var)) note_reads(stmt->expr, ahead);
  }
  return ahead;
}

static void put_off(Lanes *lanes, Segment *segment, TreeStmt *stmt) {
  vec_push(lanes->gen->cx->arena, &segment->waiting, stmt);
  map_put(segment->pending, stmt->var, stmt);
}

/* Adds a declaration. Without `ahead` nothing is emitted, only loops are numbered. */
static void add(Lanes *lanes, Segment *segment, TreeStmt *stmt) {
  Arena *arena = lanes->gen->cx->arena;
  if (is_slices(lanes, stmt)) {
    vec_push(arena, &segment->slices, stmt);
    if (!segment->image) segment->image = lane_kept_image_of(lanes, stmt->expr);
    map_put(segment->pending, stmt->var, stmt);
  } else if (reads_any(stmt->expr, segment->pending)) {
    put_off(lanes, segment, stmt);
    map_put(segment->of_waiting, stmt->var, stmt);
  } else if (segment->ahead == NULL) {
    return;
  } else if (segment->slices.len > 0 && !map_has(segment->ahead, stmt->var)) {
    put_off(lanes, segment, stmt);
  } else {
    lanes_declare(lanes, stmt);
  }
}

static void number_run(Lanes *lanes, const TreeStmtVec *stmts, uint32_t begin, uint32_t end) {
  Segment segment;
  uint32_t number = lanes->n_segments++;
  open_segment(lanes, &segment, NULL);
  for (uint32_t i = begin; i < end; i++) {
    TreeStmt *stmt = stmts->data[i];
    if (is_slices(lanes, stmt)) {
      if (begins_anew(lanes, &segment, stmt)) {
        open_segment(lanes, &segment, NULL);
        number = lanes->n_segments++;
      }
      lane_var(lanes, stmt->var)->segment = number;
      keep_across(lanes, stmt->expr, number);
    }
    add(lanes, &segment, stmt);
  }
}

static bool may_move(const TreeStmt *stmt) {
  return stmt->kind == TT_DECLARE && stmt->expr && !stmt->var->is_mutable;
}

uint32_t lanes_run_end(const TreeStmtVec *stmts, uint32_t begin) {
  uint32_t end = begin;
  while (end < stmts->len && may_move(stmts->data[end])) end++;
  return end;
}

void lanes_number_loops(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const uint32_t end = lanes_run_end(stmts, i);
    if (end > i) number_run(lanes, stmts, i, end);
    if (end == stmts->len) return;
    i = end;
    lanes_number_loops(lanes, &stmts->data[i]->body);
    lanes_number_loops(lanes, &stmts->data[i]->else_body);
  }
}

void lanes_gather(Lanes *lanes, const TreeStmtVec *stmts, uint32_t begin, uint32_t end) {
  Segment segment;
  open_segment(lanes, &segment, find_ahead(lanes, stmts, begin, end));
  for (uint32_t i = begin; i < end; i++) {
    TreeStmt *stmt = stmts->data[i];
    if (is_slices(lanes, stmt) && begins_anew(lanes, &segment, stmt))
      close_segment(lanes, &segment);
    add(lanes, &segment, stmt);
  }
  close_segment(lanes, &segment);
}
