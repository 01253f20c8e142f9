/* rows: where devices find the rows of samples under a kernel, which are loaded in pairs
 * (ddr/device/samples.h). The address of the first takes one instruction for each axis, and each
 * other row is a stride from one before it, so that the compiler for devices keeps few addresses,
 * and no product for each row:
 *
 *   const int64_t step_y2 = 2 * stride_y;
 *   const int64_t offset = corner_y * stride_y + (int64_t)corner_x;
 *   const ddr_real *const corner =                 const ddr_rows corner =
 *       ddr_image_samples(flow) + offset;    =>        ddr_rows_at(flow, 1, corner_x, corner_y);
 *   DDR_ROW4_LOAD(corner + (step_y2 + 4))          DDR_ROW4_OF_PAIRS(corner.y[2], 4)
 *
 * In three dimensions they are ddr_stacks, and corner.y[2].z[1].
 */
#include "backend-cuda/local.h"

enum { AXES = 3 };

static const DeviceVars *vars_of(const Gen *gen) { return gen->execution; }

static bool is_op(const TreeExpr *expr, OpId op) {
  return expr && expr->kind == TX_OP && expr->op == op;
}

/* ---- offsets --------------------------------------------------------------------------------- */

/* What a variable for an offset stands for. */
static const TreeExpr *offset_of(const Gen *gen, const TreeExpr *offset) {
  return offset->kind == TX_VAR ? map_get(vars_of(gen)->offsets, offset->var) : offset;
}

/* Offsets, and first taps that are known to be samples, are written where they are used: most are
 * not. */
bool device_declare_place(Gen *gen, const TreeStmt *stmt) {
  const bool is_corner = is_op(stmt->expr, OP_CORNER_WITHIN) && !stmt->var->is_mutable;
  if (!is_corner && (!type_is(stmt->var->ty, TY_OFFSET) || !stmt->expr)) return false;
  map_put(is_corner ? vars_of(gen)->corners : vars_of(gen)->offsets, stmt->var, stmt->expr);
  map_put(gen->in_place, stmt->var, gen_expr(gen, stmt->expr));
  return true;
}

/* A distance of samples: so many rows along the axes y and z, and so many places in a row. */
typedef struct Steps {
  int64_t n[AXES];
} Steps;

/* Adds an offset so many times; false if it is no such distance. */
static bool add_steps(const Gen *gen, const TreeExpr *offset, int64_t n, Steps *steps) {
  offset = offset_of(gen, offset);
  if (!offset) return false;
  const TreeExprVec *args = &offset->args;
  switch (offset->op) {
  case OP_IMAGE_STRIDE: steps->n[offset->attr.i] += n; return true;
  case OP_IMAGE_STEP: steps->n[offset->attr.pair.i] += n; return true;
  case OP_CONST_OFFSET: steps->n[0] += n * offset->attr.i; return true;
  case OP_OFFSET_ADD:
    return add_steps(gen, args->data[0], n, steps) && add_steps(gen, args->data[1], n, steps);
  case OP_OFFSET_MUL:
    return is_op(args->data[0], OP_CONST_INT) &&
           add_steps(gen, args->data[1], n * args->data[0]->attr.i, steps);
  default: return false; /* known at run time only */
  }
}

/* Where a sample is on each axis, and how many samples apart neighbours in its row are. */
typedef struct Place {
  const TreeExpr *axis[AXES];
  int64_t n_apart;
} Place;

/* Finds the place of the sample at an offset; false if it has none. */
static bool find_place(const Gen *gen, const TreeExpr *offset, Place *place) {
  offset = offset_of(gen, offset);
  if (!offset) return false;
  const TreeExprVec *args = &offset->args;
  if (offset->op == OP_CONST_OFFSET) return offset->attr.i == 0;
  if (offset->op == OP_OFFSET_ADD)
    return find_place(gen, args->data[0], place) && find_place(gen, args->data[1], place);
  if (offset->op != OP_OFFSET_MUL) return false;
  const TreeExpr *stride = offset_of(gen, args->data[1]);
  const bool is_in_row = is_op(stride, OP_CONST_OFFSET);
  if (!is_in_row && !is_op(stride, OP_IMAGE_STRIDE)) return false;
  place->axis[is_in_row ? 0 : stride->attr.i] = args->data[0];
  if (is_in_row) place->n_apart = stride->attr.i;
  return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Whether samples are those of voxels of two (ddr/device/samples.h). */
static bool is_of_voxels(const Gen *gen, const TreeExpr *addr) {
  while (is_op(addr, OP_ADDR_ADD)) addr = addr->args.data[0];
  if (addr->kind == TX_VAR) return map_has(vars_of(gen)->voxels, addr->var);
  return addr->op == OP_SAMPLE_ADDR && shape_size(type_shape(addr->args.data[0]->ty)) == 2;
}

/* ddr_pair, or ddr_pair_u8. */
static const char *with_samples(Gen *gen, const char *stem, SampleType samples) {
  if (samples == SAMPLE_REAL) return stem;
  return text_format(gen->cx->arena, "%s_%s", stem, sample_text(samples));
}

/* The samples under a kernel in images of one, two and three dimensions. */
static const struct {
  const char *type, *find;
} places[] = {{NULL, "ddr_pairs_at"}, {"ddr_rows", "ddr_rows_at"}, {"ddr_stacks", "ddr_stacks_at"}};

static Place place_of(const Gen *gen, const TreeExpr *addr) {
  Place place = {.n_apart = 1};
  if (!find_place(gen, addr->args.data[1], &place)) BUG(gen->cx, "a sample at an unknown place");
  return place;
}

/* The first tap of a kernel in a row of several, if it is known to be a sample; else NULL. Then the
 * address is that of the cell of the position, some samples behind it, which the loads of rows take
 * into account at no cost. */
static const TreeExpr *corner_in_row(const Gen *gen, const TreeExpr *addr, const TreeExpr *tap) {
  if (type_dim(addr->args.data[0]->ty) < 2 || !tap) return NULL;
  if (tap->kind == TX_VAR) tap = map_get(vars_of(gen)->corners, tap->var);
  return is_op(tap, OP_CORNER_WITHIN) ? tap : NULL;
}

/* How many samples the first tap is before the address. */
static int64_t samples_before(const Gen *gen, const TreeExpr *addr) {
  const Place place = place_of(gen, addr);
  const TreeExpr *corner = corner_in_row(gen, addr, place.axis[0]);
  return corner ? (corner->attr.i - 1) * place.n_apart : 0;
}

static CExpr *first_row(Gen *gen, const TreeExpr *addr, const char *find) {
  Cx *cx = gen->cx;
  const Place place = place_of(gen, addr);
  CExprVec args = {0};
  const TreeExpr *image = addr->args.data[0];
  const TreeExpr *corner = corner_in_row(gen, addr, place.axis[0]);
  c_push(cx, &args, gen_expr(gen, image));
  c_push(cx, &args, c_int(cx, place.n_apart));
  for (uint32_t axis = 0; axis < type_dim(image->ty); axis++) {
    const TreeExpr *tap = place.axis[axis];
    CExpr *value = tap ? gen_expr(gen, tap) : c_int(cx, 0);
    if (axis == 0 && corner)
      value = c_call1(cx, "ddr_cell_within", gen_expr(gen, corner->args.data[0]));
    c_push(cx, &args, value);
  }
  return c_call(cx, with_samples(gen, find, type_samples(addr->ty)), args);
}

/* The address of a variable's first row, or all of its rows. */
CExpr *device_address(Gen *gen, const TreeStmt *stmt, const char **type) {
  TreeExpr *addr = stmt->expr;
  if (!addr) BUG(gen->cx, "an address that is found later");
  const SampleType samples = type_samples(stmt->var->ty);
  if (is_of_voxels(gen, addr)) map_put(vars_of(gen)->voxels, stmt->var, stmt->var);
  *type = text_format(gen->cx->arena, "const %s *", with_samples(gen, "ddr_pair", samples));
  if (!is_op(addr, OP_SAMPLE_ADDR)) return gen_expr(gen, addr);
  const uint32_t dim = type_dim(addr->args.data[0]->ty);
  map_put(vars_of(gen)->rows, stmt->var, addr);
  if (dim > 1) *type = with_samples(gen, places[dim - 1].type, samples);
  return first_row(gen, addr, places[dim - 1].find);
}

/* Where a row begins, and how many samples behind that. */
static CExpr *row_address(Gen *gen, const TreeExpr *addr, int64_t *n_samples) {
  Steps steps = {0};
  const TreeExpr *base = addr;
  while (is_op(base, OP_ADDR_ADD) && add_steps(gen, base->args.data[1], 1, &steps))
    base = base->args.data[0];
  const TreeExpr *first = base->kind == TX_VAR ? map_get(vars_of(gen)->rows, base->var) : NULL;
  *n_samples = first ? steps.n[0] - samples_before(gen, first) : 0;
  if (!first) return gen_expr(gen, addr);
  static const char *const axes[] = {"x", "y", "z"};
  const uint32_t dim = type_dim(first->args.data[0]->ty);
  ASSERT(gen->cx, dim <= sizeof axes / sizeof *axes);
  CExpr *row = gen_expr(gen, base);
  for (uint32_t axis = 1; axis < dim; axis++)
    row = c_index_int(gen->cx, c_dot(gen->cx, row, axes[axis]), (uint32_t)steps.n[axis]);
  return row;
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
