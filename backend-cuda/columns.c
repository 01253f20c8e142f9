/* columns: on a device, the address of one component of the states of all strands
 * (ddr/device/device.h). */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

CExpr *device_offset(Gen *gen, uint32_t i, uint32_t k) {
  Cx *cx = gen->cx;
  const Type *ty = gen->program->module->state.data[i].ty;
  CExpr *field = name(gen, gen->program->state[i].field);
  if (tree_component_count(ty) > 1) field = c_index_int(cx, field, k);
  const char *record = text_format(cx->arena, "struct %s", gen->program->strand);
  return c_call2(cx, "offsetof", name(gen, record), field);
}

CExpr *device_column(Gen *gen, CExpr *columns, uint32_t i, uint32_t k) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, gen_type(gen, gen->program->module->state.data[i].ty)));
  c_push(gen->cx, &args, columns);
  c_push(gen->cx, &args, device_offset(gen, i, k));
  return c_call(gen->cx, "DDR_COLUMN", args);
}
