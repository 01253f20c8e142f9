/* offsets: where the samples of all lanes are, as sums of vectors: from the corners of windows,
 *
 *   int64_t corner_offset[DDR_LANES];
 *   ddr_voffset2(corner_y, stride_y, corner_x, 1, corner_offset);
 *   const ddr_real *voxel[DDR_LANES];
 *   DDR_PLACES(ddr_image_samples(image), corner_offset, voxel);
 */
#include "backend-c/lanes/local.h"

enum { MOST_TERMS = 3 };

static bool is_op(const TreeExpr *expr, OpId op) { return expr->kind == TX_OP && expr->op == op; }

/* Pushes the factors of the terms of a sum; returns their number, or more than MOST_TERMS if one is
 * no product of a vector and a uniform stride. */
static uint32_t push_terms(Lanes *lanes, const TreeExpr *sum, CExprVec *args) {
  enum { OTHER = MOST_TERMS + 1 };
  if (is_op(sum, OP_OFFSET_ADD))
    return push_terms(lanes, sum->args.data[0], args) + push_terms(lanes, sum->args.data[1], args);
  if (!is_op(sum, OP_OFFSET_MUL)) return OTHER;
  const TreeExpr *corner = sum->args.data[0], *stride = sum->args.data[1];
  if (lane_form(lanes, corner) != LANES_VECTOR || lane_form(lanes, stride) != LANES_UNIFORM)
    return OTHER;
  c_push(lanes->gen->cx, args, lane_expr(lanes, corner));
  c_push(lanes->gen->cx, args, gen_expr(lanes->gen, stride));
  return 1;
}

static bool sums(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  const uint32_t n = push_terms(lanes, expr, &args);
  if (n > MOST_TERMS) return false;
  c_push(cx, &args, c_name(cx, var->name));
  em_expr(&lanes->gen->em, c_call(cx, text_format(cx->arena, "ddr_voffset%u", n), args));
  return true;
}

static bool adds(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const TreeExpr *image = expr->args.data[0], *offset = expr->args.data[1];
  if (lane_form(lanes, image) != LANES_UNIFORM || offset->kind != TX_VAR ||
      lane_form(lanes, offset) != LANES_ARRAY)
    return false;
  CExprVec args = {0};
  c_push(cx, &args, gen_first_sample(lanes->gen, expr));
  c_push(cx, &args, c_name(cx, offset->var->name));
  c_push(cx, &args, c_name(cx, var->name));
  em_expr(&lanes->gen->em, c_call(cx, "DDR_PLACES", args));
  return true;
}

bool lane_finds_samples(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  if (is_op(expr, OP_OFFSET_ADD) || is_op(expr, OP_OFFSET_MUL)) return sums(lanes, var, expr);
  return is_op(expr, OP_SAMPLE_ADDR) && adds(lanes, var, expr);
}
