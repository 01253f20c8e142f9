/* copies: addresses of the samples under a kernel in lanes: of all lanes in the image, or of all in
 * copies (ddr/lanes/support.h).
 *
 *   const ddr_real *voxel[DDR_LANES];                  as if the image kept reals
 *   ddr_real corner_copies[DDR_LANES * 64];
 *   const ddr_real *corner_copied[DDR_LANES];
 *   const ddr_real *const *corner = ddr_vsupport4_at(vol, voxel, 64, corner_copies, corner_copied);
 *
 * Only the first addresses are computed a step ahead: the room of the copies is used in every step.
 */
#include "backend-c/lanes/local.h"

static const char *new_name(Lanes *lanes, const TreeVar *var, const char *suffix) {
  return lanes_new_name(lanes, text_format(lanes->gen->cx->arena, "%s_%s", var->name, suffix));
}

/* The address as if the image kept reals, and no copies were made; where windows may stand in for
 * the image, that is an operand (borders.c). */
TreeExpr *lane_plain_address(Lanes *lanes, const TreeExpr *addr) {
  if (type_is(addr->args.data[1]->ty, TY_ADDR)) return addr->args.data[1];
  TreeExpr *plain = NEW(lanes->gen->cx->arena, TreeExpr);
  *plain = *addr;
  plain->attr.i = 0;
  return plain;
}

void lane_declare_copied(Lanes *lanes, const TreeVar *var, const TreeExpr *addr) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const char *copies = new_name(lanes, var, "copies"), *copied = new_name(lanes, var, "copied");
  CExprVec args = {0};
  c_push(cx, &args, gen_expr(gen, addr->args.data[0]));
  c_push(cx, &args, c_name(cx, addr->args.data[1]->var->name));
  c_push(cx, &args, c_int(cx, gen_copy_len(addr)));
  c_push(cx, &args, c_name(cx, copies));
  c_push(cx, &args, c_name(cx, copied));
  em_declare_array_of(&gen->em, "ddr_real", copies,
                      text_format(cx->arena, "DDR_LANES * %u", gen_copy_len(addr)));
  em_declare_array_of(&gen->em, gen_type(gen, var->ty), copied, "DDR_LANES");
  const char *fn = text_format(cx->arena, "ddr_vsupport%u_at", gen_copy_width(addr));
  em_declare(&gen->em, "const ddr_real *const *", var->name, c_call(cx, fn, args));
}
