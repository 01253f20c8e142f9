/* borders: probes that may reach beyond the border of their image. One strand goes one of two ways:
 * rows of samples within the grid, or a window that is filled by the border rule. Among the strands
 * of a gang there are often both. So in lanes most go the first way. If several lanes reach beyond
 * the border, all lanes have windows, and an image of these stands in for the image
 * (ddr/lanes/border.h):
 *
 *   if (is_within) {                           voxel = address of img, offset
 *     corner = address of img, offset          windows = img, or the windows of all lanes
 *     t = sum of rows, from corner on          corner = address of windows, voxel
 *   } else {                             =>    t = sum of rows, from corner on
 *     first_taps = {...}                       if (few) {
 *     window = window_clamp(img, first_taps)     first_taps = {...}
 *     t = window_dot(window, ...)                window = window_clamp(img, first_taps)
 *   }                                            t = window_dot(window, ...)
 *                                              }
 *
 * Both ways sum up in the same order. Distances of rows in the image become those in `windows`. Few
 * lanes, for which windows of all would take longer, go the other way, one by one. This happens
 * before lanes are chosen: lanes_find_forms is asked again afterwards. Next: copies.c.
 */
#include "backend-c/lanes/local.h"

typedef struct Ways {
  Lanes *lanes;
  const TreeStmt *branch;
  const TreeStmt *corner;          /* the declaration of the address of the first sample */
  const TreeExpr *window;          /* one of them; they differ in components only */
  uint32_t n_windows, n_rows;      /* that the branch has */
  TreeExpr *cell[KERNEL_MAX_AXES]; /* the floor of the position on each axis */
  TreeExprVec outside;             /* the values of components beyond the border */
  TreeVar *stand_in;               /* windows, an image */
  TreeVar *few;                    /* the lanes beyond the border that go the other way, a mask */
  Map *steps;                      /* TreeVar of a distance in the image, to that in the windows */
  TreeStmtVec *out;
} Ways;

static Arena *arena_of(const Ways *ways) { return ways->lanes->gen->cx->arena; }

static bool is_op(const TreeExpr *expr, OpId op) { return expr->kind == TX_OP && expr->op == op; }

static bool is_window(const TreeExpr *expr) {
  return expr->kind == TX_OP && op_is_window(expr->op) && !type_is(expr->ty, TY_IMAGE);
}

static bool is_image(const TreeExpr *expr, const TreeVar *image) {
  return expr->kind == TX_VAR && expr->var == image;
}

static const TreeVar *image_of(const Ways *ways) { return ways->window->args.data[0]->var; }

/* ---- whether a branch is one ----------------------------------------------------------------- */

/* Components without a window are not read: any value will do. */
static bool note_outside(Ways *ways, const TreeExpr *window) {
  if (window->op != OP_WINDOW_CONST) return true;
  TreeExpr *value = window->args.data[3];
  const uint64_t n = shape_size(type_shape(window->args.data[0]->ty));
  while (ways->outside.len < n) vec_push(arena_of(ways), &ways->outside, value);
  ways->outside.data[window->args.data[2]->attr.i] = value;
  return lane_form(ways->lanes, value) == LANES_UNIFORM;
}

static bool note_window(Ways *ways, const TreeExpr *window) {
  const TreeExpr *image = window->args.data[0];
  if (image->kind != TX_VAR || !is_op(window->args.data[2], OP_CONST_OFFSET)) return false;
  if (!ways->window) ways->window = window;
  ways->n_windows++;
  return image->var == image_of(ways) && note_outside(ways, window);
}

/* The value of a variable that the way beyond the border declares, or the expression itself. */
static const TreeExpr *resolved(const Ways *ways, const TreeExpr *expr) {
  const TreeStmtVec *stmts = &ways->branch->else_body;
  for (uint32_t i = 0; expr->kind == TX_VAR && i < stmts->len; i++)
    if (stmts->data[i]->kind == TT_DECLARE && stmts->data[i]->var == expr->var)
      return stmts->data[i]->expr;
  return expr;
}

static bool find_cells(Ways *ways) {
  const TreeExpr *taps = resolved(ways, ways->window->args.data[1]);
  if (!is_op(taps, OP_SEQ)) return false;
  for (uint32_t axis = 0; axis < taps->args.len; axis++) {
    const TreeExpr *tap = resolved(ways, taps->args.data[axis]);
    if (!is_op(tap, OP_TAP) || tap->args.data[0]->kind != TX_VAR) return false;
    ways->cell[axis] = tap->args.data[0];
  }
  return true;
}

/* The way beyond the border: taps, windows of these, and sums of windows. */
static bool fits_beyond(Ways *ways, const TreeStmt *stmt) {
  if (!stmt->expr || (stmt->kind != TT_DECLARE && stmt->kind != TT_ASSIGN)) return false;
  const TreeExpr *expr = stmt->expr;
  if (is_window(expr)) return stmt->kind == TT_DECLARE && note_window(ways, expr);
  if (!is_op(expr, OP_WINDOW_DOT))
    return stmt->kind == TT_DECLARE && (type_is(expr->ty, TY_INT) || type_is(expr->ty, TY_SEQ));
  const TreeExpr *window = expr->args.data[0];
  return stmt->kind == TT_ASSIGN && (!is_window(window) || note_window(ways, window));
}

static void count_rows(Ways *ways, const TreeExpr *expr) {
  ways->n_rows += is_op(expr, OP_ROW_LOAD);
  for (uint32_t i = 0; i < expr->args.len; i++) count_rows(ways, expr->args.data[i]);
}

/* The way within the grid: one address of reals, and what is made of rows from there on. */
static bool fits_within(Ways *ways, const TreeStmt *stmt) {
  if (!stmt->expr || (stmt->kind != TT_DECLARE && stmt->kind != TT_ASSIGN)) return false;
  count_rows(ways, stmt->expr);
  if (!is_op(stmt->expr, OP_SAMPLE_ADDR)) return true;
  if (ways->corner || !tree_may_copy(stmt->expr)) return false;
  ways->corner = stmt;
  return is_image(stmt->expr->args.data[0], image_of(ways));
}

/* Kernels that are narrower along some axes than others do not load the rows under weights of 0,
 * which sums of windows include. */
static bool loads_all(const Ways *ways) {
  const Type *image = image_of(ways)->ty;
  uint64_t n_rows = shape_size(type_shape(image));
  for (uint32_t axis = 1; axis < type_dim(image); axis++)
    n_rows *= gen_copy_width(ways->corner->expr);
  return ways->n_rows == n_rows;
}

static bool find(Ways *ways) {
  const TreeStmt *branch = ways->branch;
  if (branch->kind != TT_IF || lane_form(ways->lanes, branch->expr) == LANES_UNIFORM) return false;
  for (uint32_t i = 0; i < branch->else_body.len; i++)
    if (!fits_beyond(ways, branch->else_body.data[i])) return false;
  if (!ways->window || !find_cells(ways)) return false;
  for (uint32_t i = 0; i < branch->body.len; i++)
    if (!fits_within(ways, branch->body.data[i])) return false;
  return ways->corner && loads_all(ways);
}

/* ---- one way --------------------------------------------------------------------------------- */

static TreeExpr *copy_of(const Ways *ways, const TreeExpr *expr) {
  TreeExpr *copy = NEW(arena_of(ways), TreeExpr);
  *copy = *expr;
  return copy;
}

static TreeVar *declare(Ways *ways, const char *hint, const Type *ty, LaneForm form,
                        TreeExpr *expr) {
  TreeStmt *stmt = tree_stmt(ways->lanes->gen->cx, TT_DECLARE, ways->corner->span);
  stmt->var = lanes_new_var(ways->lanes, hint, ty, form);
  stmt->expr = expr;
  vec_push(arena_of(ways), ways->out, stmt);
  return stmt->var;
}

static TreeExpr *use(const Ways *ways, TreeVar *var) {
  return tree_var_expr(ways->lanes->gen->cx, var, ways->corner->span);
}

static bool is_of_image(const Ways *ways, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) {
    if (expr->var == image_of(ways)) return true;
    const TreeExpr *made_of = map_get(ways->lanes->steps, expr->var);
    return made_of && is_of_image(ways, made_of);
  }
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (is_of_image(ways, expr->args.data[i])) return true;
  return false;
}

/* A distance between rows of the image, in the windows. */
static TreeExpr *in_windows(Ways *ways, TreeExpr *step) {
  if (!is_of_image(ways, step)) return step;
  if (is_image(step, image_of(ways))) return use(ways, ways->stand_in);
  if (step->kind == TX_VAR) {
    TreeVar *known = map_get(ways->steps, step->var);
    if (!known) {
      TreeExpr *made_of = in_windows(ways, map_get(ways->lanes->steps, step->var));
      known = declare(ways, step->var->name, step->ty, LANES_UNIFORM, made_of);
      map_put(ways->steps, step->var, known);
    }
    return use(ways, known);
  }
  TreeExpr *there = copy_of(ways, step);
  there->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < step->args.len; i++)
    vec_push(arena_of(ways), &there->args, in_windows(ways, step->args.data[i]));
  return there;
}

/* The same rows and sums, with the distances in the windows. */
static TreeExpr *rows_in_windows(Ways *ways, TreeExpr *expr) {
  if (type_is(expr->ty, TY_OFFSET)) return in_windows(ways, expr);
  if (expr->kind == TX_VAR) return expr;
  TreeExpr *there = copy_of(ways, expr);
  there->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(arena_of(ways), &there->args, rows_in_windows(ways, expr->args.data[i]));
  return there;
}

/* The operands of the image that stands in: see lane_declare_windows. */
static TreeExpr *windows_of(Ways *ways, TreeVar *voxel) {
  TreeExpr *test = ways->branch->expr, *windows = copy_of(ways, ways->window);
  TreeExpr *image = ways->window->args.data[0];
  if (test->kind != TX_VAR)
    test = use(ways, declare(ways, "is_within", test->ty, LANES_VECTOR, test));
  ways->few = lanes_new_var(ways->lanes, "few", test->ty, LANES_VECTOR);
  TreeExpr *const args[] = {image, test, use(ways, ways->few), use(ways, voxel)};
  windows->ty = image->ty;
  windows->attr = ways->corner->expr->attr;
  windows->args = (TreeExprVec){0};
  for (size_t i = 0; i < sizeof args / sizeof *args; i++)
    vec_push(arena_of(ways), &windows->args, args[i]);
  for (uint32_t axis = 0; axis < type_dim(image->ty); axis++)
    vec_push(arena_of(ways), &windows->args, ways->cell[axis]);
  for (uint32_t i = 0; i < ways->outside.len; i++)
    vec_push(arena_of(ways), &windows->args, ways->outside.data[i]);
  return windows;
}

static void place_corner(Ways *ways) {
  TreeStmt *stmt = NEW(arena_of(ways), TreeStmt);
  TreeExpr *plain = lane_plain_address(ways->lanes, ways->corner->expr);
  TreeVar *voxel = declare(ways, "voxel", plain->ty, LANES_ARRAY, plain);
  TreeExpr *windows = windows_of(ways, voxel);
  ways->stand_in = declare(ways, "windows", windows->ty, LANES_UNIFORM, windows);
  *stmt = *ways->corner;
  stmt->expr = copy_of(ways, ways->corner->expr);
  stmt->expr->args = (TreeExprVec){0};
  vec_push(arena_of(ways), &stmt->expr->args, use(ways, ways->stand_in));
  vec_push(arena_of(ways), &stmt->expr->args, use(ways, voxel));
  vec_push(arena_of(ways), ways->out, stmt);
}

static void put_in_windows(Ways *ways, const TreeStmt *stmt) {
  TreeStmt *there = NEW(arena_of(ways), TreeStmt);
  *there = *stmt;
  there->expr = rows_in_windows(ways, stmt->expr);
  vec_push(arena_of(ways), ways->out, there);
}

/* Whether a distance leads to the corner; others are those of rows, which may be in windows. */
static bool leads_to_corner(const Ways *ways, uint32_t i) {
  const TreeStmtVec *within = &ways->branch->body;
  const TreeVar *var = within->data[i++]->var;
  for (; within->data[i] != ways->corner; i++)
    if (tree_reads(within->data[i]->expr, var) && leads_to_corner(ways, i)) return true;
  return tree_reads(ways->corner->expr, var);
}

/* What is computed before the corner is in the grid. */
static void keep(Ways *ways, uint32_t i) {
  TreeStmt *stmt = ways->branch->body.data[i];
  const bool is_step = stmt->kind == TT_DECLARE && type_is(stmt->var->ty, TY_OFFSET);
  if (is_step) map_put(ways->lanes->steps, stmt->var, stmt->expr);
  if (!is_step || leads_to_corner(ways, i)) vec_push(arena_of(ways), ways->out, stmt);
}

static void go_one_way(Ways *ways) {
  const TreeStmtVec *within = &ways->branch->body;
  ways->steps = map_new(arena_of(ways));
  for (uint32_t i = 0; i < within->len; i++) {
    TreeStmt *stmt = within->data[i];
    if (stmt == ways->corner) place_corner(ways);
    else if (!ways->stand_in) keep(ways, i);
    else put_in_windows(ways, stmt);
  }
  TreeStmt *few = tree_stmt(ways->lanes->gen->cx, TT_IF, ways->branch->span);
  few->expr = use(ways, ways->few);
  few->body = ways->branch->else_body;
  vec_push(arena_of(ways), ways->out, few);
  ways->lanes->n_borders++;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static TreeStmtVec unite(Lanes *lanes, const TreeStmtVec *stmts) {
  TreeStmtVec out = {0};
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    Ways ways = {.lanes = lanes, .branch = stmt, .out = &out};
    if (stmt->kind == TT_DECLARE && stmt->expr && type_is(stmt->var->ty, TY_OFFSET))
      map_put(lanes->steps, stmt->var, stmt->expr);
    if (find(&ways)) {
      go_one_way(&ways);
      continue;
    }
    TreeStmt *copy = NEW(lanes->gen->cx->arena, TreeStmt);
    *copy = *stmt;
    copy->body = unite(lanes, &stmt->body);
    copy->else_body = unite(lanes, &stmt->else_body);
    vec_push(lanes->gen->cx->arena, &out, copy);
  }
  return out;
}

void lanes_unite_ways(Lanes *lanes) {
  TreeStmtVec *body = NEW(lanes->gen->cx->arena, TreeStmtVec);
  *body = unite(lanes, lanes->body);
  if (lanes->n_borders == 0) return;
  lanes->body = body;
  lanes_find_forms(lanes);
}

/* ---- images of one dimension ----------------------------------------------------------------- */

/* Whether statements probe by windows of vectors: for positions within the grid these are the same
 * samples. */
static bool probes_anywhere(const Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++)
    if (stmts->data[i]->kind == TT_DECLARE && stmts->data[i]->expr &&
        lane_is_window(lanes, stmts->data[i]->expr))
      return true;
  return false;
}

/* Where all lanes can go the way of some, they do, rather than both ways. */
CExpr *lane_branch_test(Lanes *lanes, const TreeStmt *stmt, CExpr *mask) {
  CExpr *test = lane_expr(lanes, stmt->expr);
  if (!probes_anywhere(lanes, &stmt->else_body)) return test;
  return c_call2(lanes->gen->cx, "ddr_vtogether", mask, test);
}

/* ---- code ------------------------------------------------------------------------------------ */

bool lane_is_windows(const TreeExpr *expr) {
  return expr->kind == TX_OP && op_is_window(expr->op) && type_is(expr->ty, TY_IMAGE);
}

/* Of six, a row is written as eight. */
static uint32_t len_of_windows(const TreeExpr *expr) {
  const uint32_t width = gen_copy_width(expr);
  return gen_copied(expr->ty, width, type_dim(expr->ty)) + (width == 6 ? 4 : 0);
}

/* The values beyond the border, operands from `first` on, as a list. */
static CExpr *list_of_outside(Lanes *lanes, const TreeVar *var, const TreeExpr *expr,
                              uint32_t first) {
  Cx *cx = lanes->gen->cx;
  CExprVec values = {0};
  if (expr->op != OP_WINDOW_CONST) return c_name(cx, "NULL");
  for (uint32_t i = first; i < expr->args.len; i++)
    c_push(cx, &values, gen_expr(lanes->gen, expr->args.data[i]));
  const char *list = lanes_new_name(lanes, text_format(cx->arena, "%s_outside", var->name));
  em_declare_list(&lanes->gen->em, "const ddr_real", list, values);
  return c_name(cx, list);
}

/* const ddr_vmask few = ddr_vfew(img, mask & ~is_within);
 * const ddr_image *const windows = ddr_vborder4(img, DDR_BORDER_CLAMP, NULL, mask, is_within | few,
 *                                               cell_x, cell_y, cell_z, 64, samples, &rows, voxel);
 */
void lane_declare_windows(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  enum { IMAGE, TEST, FEW, VOXEL, CELLS };
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  TreeExpr *const *operands = expr->args.data;
  const uint32_t len = len_of_windows(expr), dim = type_dim(expr->ty);
  CExpr *mask = c_name(cx, lanes->scope.mask), *within = lane_expr(lanes, operands[TEST]);
  CExpr *beyond = c_binary(cx, "&", mask, c_unary(cx, "~", within));
  CExpr *few = c_name(cx, operands[FEW]->var->name);
  const char *samples = lanes_new_name(lanes, text_format(cx->arena, "%s_samples", var->name));
  const char *here = lanes_new_name(lanes, text_format(cx->arena, "%s_here", var->name));
  CExprVec args = {0};
  em_declare_const(&gen->em, "ddr_vmask", operands[FEW]->var->name,
                   c_call2(cx, "ddr_vfew", gen_expr(gen, operands[IMAGE]), beyond));
  em_declare_array_of(&gen->em, "ddr_real", samples, text_format(cx->arena, "DDR_LANES * %u", len));
  em_declare(&gen->em, "ddr_image", here, NULL);
  c_push(cx, &args, gen_expr(gen, operands[IMAGE]));
  c_push(cx, &args, c_name(cx, lane_border_rule(expr->op)));
  c_push(cx, &args, list_of_outside(lanes, var, expr, CELLS + dim));
  c_push(cx, &args, mask);
  c_push(cx, &args, c_binary(cx, "|", within, few));
  for (uint32_t axis = 0; axis < 3; axis++)
    c_push(cx, &args, lane_expr(lanes, operands[CELLS + (axis < dim ? axis : 0)]));
  c_push(cx, &args, c_int(cx, len));
  c_push(cx, &args, c_name(cx, samples));
  c_push(cx, &args, c_unary(cx, "&", c_name(cx, here)));
  c_push(cx, &args, c_name(cx, operands[VOXEL]->var->name));
  const char *fn = text_format(cx->arena, "ddr_vborder%u", gen_copy_width(expr));
  em_declare_const(&gen->em, gen_type(gen, var->ty), var->name, c_call(cx, fn, args));
}
