/* copies: addresses of the samples under a kernel, which are copied to the stack, as reals, if the
 * image keeps samples of another type (ddr/host/support.h):
 *
 *   ddr_real ddr_copied_corner[64];
 *   const ddr_real *const corner = ddr_support4_at(vol, corner_offset, ddr_copied_corner);
 */
#include "backend-c/code/code.h"

enum { MOST_BEHIND = 2 }; /* reals that are written behind a copy: a row of 6 is stored as 8 */

uint32_t gen_copy_width(const TreeExpr *addr) { return 2 * (uint32_t)addr->attr.i; }

uint32_t gen_copied(const Type *image, uint32_t width, uint32_t n_axes) {
  uint64_t n = shape_size(type_shape(image)); /* at most DDR_MOST_COPIED */
  for (uint32_t axis = 0; axis < n_axes; axis++) n *= width;
  return (uint32_t)n;
}

uint32_t gen_copy_len(const TreeExpr *addr) {
  const Type *image = addr->args.data[0]->ty;
  const uint32_t width = gen_copy_width(addr);
  return gen_copied(image, width, type_dim(image)) + (width == 6 ? MOST_BEHIND : 0);
}

void gen_declare_copied(Gen *gen, const TreeVar *var, const TreeExpr *addr) {
  Cx *cx = gen->cx;
  const char *copy = text_format(cx->arena, "ddr_copied_%s", var->name);
  CExprVec args = {0};
  c_push(cx, &args, gen_expr(gen, addr->args.data[0]));
  c_push(cx, &args, gen_expr(gen, addr->args.data[1]));
  c_push(cx, &args, c_name(cx, copy));
  em_declare_array(&gen->em, "ddr_real", copy, gen_copy_len(addr));
  const char *fn = text_format(cx->arena, "ddr_support%u_at", gen_copy_width(addr));
  gen_declare(gen, gen_type(gen, var->ty), var, c_call(cx, fn, args));
}
