/* types: C types of values; the structs of globals and of a strand's state. */
#include "backend-c/types/types.h"

const TreeFunc *gen_find(const Gen *gen, FuncKind kind) {
  for (uint32_t i = 0; i < gen->program->funcs.len; i++)
    if (gen->program->funcs.data[i]->kind == kind) return gen->program->funcs.data[i];
  return NULL;
}

const char *gen_type(Gen *gen, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL: return "bool";
  case TY_INT: return "ddr_int";
  case TY_STRING: return "const char *";
  case TY_TENSOR: return "ddr_real";
  case TY_IMAGE: return "const ddr_image *";
  case TY_OFFSET: return "int64_t";
  case TY_ADDR: return text_format(gen->cx->arena, "const %s *", sample_c_type(type_samples(ty)));
  case TY_ROW: return text_format(gen->cx->arena, "ddr_row%u", type_row_width(ty));
  case TY_SEQ: return gen_seq_type(gen, ty);
  case TY_STRAND: return "int64_t"; /* its slot */
  case TY_ERROR:
  case TY_KERNEL:
  case TY_FIELD: break;
  }
  BUG(gen->cx, "a value of type %s reached the back end", type_text(gen->cx, ty));
}

const char *gen_state_pointer(Gen *gen) {
  return text_format(gen->cx->arena, "struct %s *", gen->program->strand);
}

const char *gen_group_pointer(Gen *gen) {
  return text_format(gen->cx->arena, "struct %s_lanes *", gen->program->strand);
}

const char *gen_store_pointer(Gen *gen) {
  return gen->has_groups ? gen_group_pointer(gen) : gen_state_pointer(gen);
}

CExpr *gen_component(Gen *gen, uint32_t i) {
  const StateComponent *component = &gen->program->components[i];
  const Type *ty = gen->program->module->state.data[component->var].ty;
  CExpr *field =
      c_arrow(gen->cx, c_name(gen->cx, "self"), gen->program->state[component->var].field);
  return tree_component_count(ty) == 1 ? field : c_index_int(gen->cx, field, component->component);
}

void gen_field(Gen *gen, const Type *ty, const char *name) {
  em_field(&gen->em, gen_type(gen, ty), name, tree_component_count(ty));
}

bool gen_has_globals(const Gen *gen) { return gen->program->module->globals.len > 0; }

static void gen_globals_struct(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_has_globals(gen)) return;
  em_blank(&gen->em);
  em_open_struct(&gen->em, "globals");
  for (uint32_t i = 0; i < m->globals.len; i++)
    gen_field(gen, m->globals.data[i].ty, gen->program->globals[i].field);
  em_close_struct(&gen->em);
}

void gen_structs(Gen *gen) {
  const Module *m = gen->program->module;
  gen_seq_structs(gen);
  gen_globals_struct(gen);
  em_blank(&gen->em);
  em_open_struct(&gen->em, gen->program->strand);
  for (uint32_t i = 0; i < m->state.len; i++)
    gen_field(gen, m->state.data[i].ty, gen->program->state[i].field);
  em_close_struct(&gen->em);
}

void gen_declare_globals(Gen *gen, bool is_const) {
  em_declare(&gen->em, is_const ? "const struct globals *" : "struct globals *", "globals",
             c_name(gen->cx, "memory"));
}

CExpr *gen_global(Gen *gen, VarRef var) {
  const Global *global = &gen->program->module->globals.data[var.index];
  CExpr *field =
      c_arrow(gen->cx, c_name(gen->cx, "globals"), gen->program->globals[var.index].field);
  if (tree_component_count(global->ty) == 1) return field;
  ASSERT(gen->cx, var.component != WHOLE);
  return c_index_int(gen->cx, field, var.component);
}
