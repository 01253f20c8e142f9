/* rows: where devices find the rows of samples under a kernel, which are loaded in pairs
 * (ddr/device/samples.h). In two dimensions each row is a stride from the one before it, so that
 * the compiler for devices keeps few addresses, and no product for each row:
 *
 *   const int64_t step_y2 = 2 * stride_y;
 *   const ddr_real *const corner =                 const ddr_rows corner =
 *       ddr_image_samples(flow) + offset;    =>        ddr_rows_at(flow, offset);
 *   DDR_ROW4_LOAD(corner + (step_y2 + 4))          DDR_ROW4_OF_PAIRS(corner.y[2], 4)
 */
#include "backend-cuda/local.h"

static const DeviceVars *vars_of(const Gen *gen) { return gen->execution; }

static bool is_op(const TreeExpr *expr, OpId op) {
  return expr && expr->kind == TX_OP && expr->op == op;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A distance of samples: so many rows, and so many places in a row. */
typedef struct Steps {
  int64_t n_rows, n_samples;
} Steps;

static bool is_stride_of_rows(const TreeExpr *expr) {
  return is_op(expr, OP_IMAGE_STRIDE) && type_dim(expr->args.data[0]->ty) == 2;
}

/* Adds an offset so many times; false if it is no such distance in an image of two dimensions. */
static bool add_steps(const Gen *gen, const TreeExpr *offset, int64_t n, Steps *steps) {
  if (offset->kind == TX_VAR) offset = map_get(vars_of(gen)->steps, offset->var);
  if (!offset) return false;
  const TreeExprVec *args = &offset->args;
  switch (offset->op) {
  case OP_IMAGE_STRIDE: steps->n_rows += n; return is_stride_of_rows(offset);
  case OP_CONST_OFFSET: steps->n_samples += n * offset->attr.i; return true;
  case OP_OFFSET_ADD:
    return add_steps(gen, args->data[0], n, steps) && add_steps(gen, args->data[1], n, steps);
  case OP_OFFSET_MUL:
    return is_op(args->data[0], OP_CONST_INT) &&
           add_steps(gen, args->data[1], n * args->data[0]->attr.i, steps);
  default: return false; /* known at run time only */
  }
}

bool device_declare_step(Gen *gen, const TreeStmt *stmt) {
  Steps steps = {0};
  if (!type_is(stmt->var->ty, TY_OFFSET) || !stmt->expr) return false;
  const bool is_stride = is_stride_of_rows(stmt->expr);
  if (!is_stride && !add_steps(gen, stmt->expr, 1, &steps)) return false;
  map_put(vars_of(gen)->steps, stmt->var, stmt->expr);
  if (!is_stride) map_put(gen->in_place, stmt->var, gen_expr(gen, stmt->expr));
  return !is_stride;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Whether samples are those of voxels of two (ddr/device/samples.h). */
static bool is_of_voxels(const Gen *gen, const TreeExpr *addr) {
  while (is_op(addr, OP_ADDR_ADD)) addr = addr->args.data[0];
  if (addr->kind == TX_VAR) return map_has(vars_of(gen)->voxels, addr->var);
  return addr->op == OP_SAMPLE_ADDR && shape_size(type_shape(addr->args.data[0]->ty)) == 2;
}

/* Whether an address is that of the first row in an image of two dimensions. */
static bool is_of_rows(const TreeExpr *addr) {
  return is_op(addr, OP_SAMPLE_ADDR) && type_dim(addr->args.data[0]->ty) == 2;
}

/* ddr_pair, or ddr_pair_u8. */
static const char *with_samples(Gen *gen, const char *stem, SampleType samples) {
  if (samples == SAMPLE_REAL) return stem;
  return text_format(gen->cx->arena, "%s_%s", stem, sample_text(samples));
}

/* The address of a variable's first row, or all of its rows. */
CExpr *device_address(Gen *gen, const TreeStmt *stmt, const char **type) {
  if (!stmt->expr) BUG(gen->cx, "an address that is found later");
  const SampleType samples = type_samples(stmt->var->ty);
  if (is_of_voxels(gen, stmt->expr)) map_put(vars_of(gen)->voxels, stmt->var, stmt->var);
  if (!is_of_rows(stmt->expr)) {
    *type = text_format(gen->cx->arena, "const %s *", with_samples(gen, "ddr_pair", samples));
    return gen_expr(gen, stmt->expr);
  }
  map_put(vars_of(gen)->rows, stmt->var, stmt->var);
  *type = with_samples(gen, "ddr_rows", samples);
  const TreeExprVec *args = &stmt->expr->args;
  return c_call2(gen->cx, with_samples(gen, "ddr_rows_at", samples), gen_expr(gen, args->data[0]),
                 gen_expr(gen, args->data[1]));
}

/* Where a row begins, and how many samples behind that. */
static CExpr *row_address(Gen *gen, const TreeExpr *addr, int64_t *n_samples) {
  Steps steps = {0};
  const TreeExpr *base = addr;
  while (is_op(base, OP_ADDR_ADD) && add_steps(gen, base->args.data[1], 1, &steps))
    base = base->args.data[0];
  const bool is_row = base->kind == TX_VAR && map_has(vars_of(gen)->rows, base->var);
  *n_samples = is_row ? steps.n_samples : 0;
  if (!is_row) return gen_expr(gen, addr);
  return c_index_int(gen->cx, c_dot(gen->cx, gen_expr(gen, base), "y"), (uint32_t)steps.n_rows);
}

CExpr *device_row(Gen *gen, const TreeExpr *load) {
  if (!is_op(load, OP_ROW_LOAD)) return NULL;
  const TreeExpr *addr = load->args.data[0];
  const char *kind = is_of_voxels(gen, addr) ? "VOXELS" : "PAIRS";
  const unsigned width = type_row_width(load->ty);
  int64_t n_samples;
  CExpr *row = row_address(gen, addr, &n_samples);
  const char *fn = text_format(gen->cx->arena, "DDR_ROW%u_OF_%s", width, kind);
  return c_call2(gen->cx, fn, row, c_int(gen->cx, n_samples));
}
