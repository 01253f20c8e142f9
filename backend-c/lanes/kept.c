/* kept: samples of images that may keep any type, loaded in lanes from where they lie
 * (ddr/lanes/kept.h):
 *
 *   const ddr_real *corner_places[DDR_LANES];
 *   const ddr_real *const *corner = ddr_vplaces(vol, voxel, corner_places);
 *
 * The distances of rows belong to an image and a kernel. So all probes of one image by kernels of
 * one width read in place, or none: where rows are not loaded in lanes, as those of a position that
 * is the same for all strands, or of a branch that is walked lane by lane, the samples are copied
 * (copies.c). So they are in a method of many rows, which would take long to compile for each type.
 */
#include "backend-c/lanes/local.h"

/* What compilers need for the rows of a method: rows of two samples, each with code for each type
 * by itself, take them several times as long as those in loops over slices. Five probes of a
 * volume. */
enum { ROW_IN_SLICES = 1, ROW_IN_TAPS = 4, MOST_ROWS = 80 };

/* An image and the half-support of a kernel. */
typedef struct Kept {
  const TreeVar *image;
  int64_t half;
  uint32_t n_rows; /* that the method loads, weighed */
  bool is_copied;  /* by some probe */
} Kept;

/* NULL: the image is no variable, or none of its probes was noted. */
static Kept *find(const Lanes *lanes, const TreeExpr *image, int64_t half) {
  for (uint32_t i = 0; image->kind == TX_VAR && i < lanes->kept.len; i++) {
    Kept *kept = lanes->kept.data[i];
    if (kept->image == image->var && kept->half == half) return kept;
  }
  return NULL;
}

static Kept *add(Lanes *lanes, const TreeExpr *image, int64_t half) {
  if (image->kind != TX_VAR) return NULL;
  Kept *kept = NEW(lanes->gen->cx->arena, Kept);
  *kept = (Kept){.image = image->var, .half = half};
  vec_push(lanes->gen->cx->arena, &lanes->kept, kept);
  return kept;
}

/* ---- which are copied ------------------------------------------------------------------------ */

/* Whether corners are read by rows in slices only, or by one row of two samples in lanes. */
static bool is_of_rows(const Lanes *lanes, const TreeStmt *stmt) {
  const LaneVar *var = stmt->var ? lane_var(lanes, stmt->var) : NULL;
  const bool is_load = stmt->expr->kind == TX_OP && stmt->expr->op == OP_ROW_LOAD;
  return var && (var->form == LANES_SLICES || (var->form == LANES_TAPS && is_load));
}

static void note_uses(Lanes *lanes, const TreeExpr *expr, bool in_rows) {
  Kept *kept = expr->kind == TX_VAR ? map_get(lanes->corners, expr->var) : NULL;
  if (kept) kept->n_rows += kept->half > 1 ? ROW_IN_SLICES : ROW_IN_TAPS;
  if (kept && !in_rows) kept->is_copied = true;
  for (uint32_t i = 0; i < expr->args.len; i++) note_uses(lanes, expr->args.data[i], in_rows);
}

static void note_corner(Lanes *lanes, const TreeStmt *stmt) {
  const TreeExpr *addr = stmt->expr;
  Kept *kept = find(lanes, addr->args.data[0], addr->attr.i);
  if (!kept) kept = add(lanes, addr->args.data[0], addr->attr.i);
  if (!kept) return;
  if (lane_var(lanes, stmt->var)->form != LANES_ARRAY) kept->is_copied = true;
  map_put(lanes->corners, stmt->var, kept);
}

static void note(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const bool is_corner = stmt->kind == TT_DECLARE && stmt->expr && tree_may_copy(stmt->expr);
    if (is_corner) note_corner(lanes, stmt);
    else if (stmt->expr) note_uses(lanes, lanes_value(stmt), is_of_rows(lanes, stmt));
    for (uint32_t k = 0; k < stmt->values.len; k++)
      if (stmt->values.data[k]) note_uses(lanes, stmt->values.data[k], false);
    note(lanes, &stmt->body);
    note(lanes, &stmt->else_body);
  }
}

void lanes_find_kept(Lanes *lanes, const TreeStmtVec *stmts) {
  lanes->kept.len = 0;
  lanes->corners = map_new(lanes->gen->cx->arena);
  note(lanes, stmts);
  uint32_t n_rows = 0;
  for (uint32_t i = 0; i < lanes->kept.len; i++) n_rows += lanes->kept.data[i]->n_rows;
  for (uint32_t i = 0; n_rows > MOST_ROWS && i < lanes->kept.len; i++)
    lanes->kept.data[i]->is_copied = true;
}

const TreeVar *lane_kept_image(const Lanes *lanes, const TreeVar *corner) {
  const Kept *kept = map_get(lanes->corners, corner);
  return kept && !kept->is_copied ? kept->image : NULL;
}

const TreeVar *lane_kept_image_of(const Lanes *lanes, const TreeExpr *row) {
  if (row->kind == TX_VAR) return lane_kept_image(lanes, row->var);
  for (uint32_t i = 0; i < row->args.len; i++) {
    const TreeVar *image = lane_kept_image_of(lanes, row->args.data[i]);
    if (image) return image;
  }
  return NULL;
}

/* ---- code ------------------------------------------------------------------------------------ */

/* The step of an image that is read in place is its stride. */
const TreeExpr *lane_kept_step(Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind != TX_OP || expr->op != OP_IMAGE_STEP) return expr;
  const Kept *kept = find(lanes, expr->args.data[0], expr->attr.pair.j);
  if (!kept || kept->is_copied) return expr;
  TreeExpr *stride = NEW(lanes->gen->cx->arena, TreeExpr);
  *stride = *expr;
  stride->op = OP_IMAGE_STRIDE;
  stride->attr = (Attr){.i = expr->attr.pair.i};
  return stride;
}

void lane_declare_kept(Lanes *lanes, const TreeVar *var, const TreeExpr *addr) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const char *places = lanes_new_name(lanes, text_format(cx->arena, "%s_places", var->name));
  CExprVec args = {0};
  c_push(cx, &args, gen_expr(gen, addr->args.data[0]));
  c_push(cx, &args, c_name(cx, addr->args.data[1]->var->name));
  c_push(cx, &args, c_name(cx, places));
  em_declare_array_of(&gen->em, gen_type(gen, var->ty), places, "DDR_LANES");
  em_declare(&gen->em, "const ddr_real *const *", var->name, c_call(cx, "ddr_vplaces", args));
}

CExpr *lane_load_kept(Lanes *lanes, CExpr *corner, CExpr *step, uint32_t width) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, corner);
  c_push(cx, &args, step);
  c_push(cx, &args, c_name(cx, "slice"));
  if (width > 4) return c_call(cx, "DDR_KEPT(ddr_slice6_at)", args);
  return c_call2(cx, "DDR_KEPT(ddr_slice4_from)", c_call(cx, "ddr_starts4_kept", args),
                 c_int(cx, 0));
}
