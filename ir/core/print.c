/* IR text out: the grammar is doc/ir.md, parse.c reads it. Printing what was read gives the same
 * text. Tables first, then functions, each thing on a line of its own.
 */
#include "frontend/base/panic.h"
#include "ir/core/local.h"

/* ---- words ----------------------------------------------------------------------------------- */

const char *func_kind_text(FuncKind kind) {
  switch (kind) {
  case FN_USER: return "user";
  case FN_GLOBALS: return "globals";
  case FN_BOUNDS: return "bounds";
  case FN_ARGS: return "args";
  case FN_CREATE: return "create";
  case FN_START: return "start";
  case FN_UPDATE: return "update";
  case FN_STABILIZE: return "stabilize";
  case FN_GLOBAL_START: return "global_start";
  case FN_GLOBAL_UPDATE: return "global_update";
  case FN_SAMPLING: return "sampling";
  }
  return "?";
}

const char *exit_text(ExitKind kind) {
  switch (kind) {
  case EXIT_RETURN: return "return";
  case EXIT_ACTIVE: return "active";
  case EXIT_STABILIZE: return "stabilize";
  case EXIT_DIE: return "die";
  }
  return "?";
}

const char *border_text(Border border) {
  switch (border) {
  case BORDER_NONE: return "none";
  case BORDER_CLAMP: return "clamp";
  case BORDER_MIRROR: return "mirror";
  case BORDER_WRAP: return "wrap";
  case BORDER_CONST: return "const";
  }
  return "?";
}

/* ---- pieces ---------------------------------------------------------------------------------- */

typedef struct Printer {
  Cx *cx;
  const Module *m;
  Text text;
} Printer;

static void print_string(Printer *p, const char *s) {
  text_add(&p->text, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') text_addf(&p->text, "\\%c", c);
    else if (c < 0x20 || c == 0x7f) text_addf(&p->text, "\\x%02x", c);
    else text_add_n(&p->text, s, 1);
  }
  text_add(&p->text, "\"");
}

static void print_hint(Printer *p, const Name *name) {
  if (!name) return;
  text_add(&p->text, " ");
  print_string(p, name->text);
}

static void print_span(Printer *p, Span span) {
  if (!span_is_none(span)) text_addf(&p->text, " @%u-%u", span.start, span.end);
}

static void print_type(Printer *p, const Type *ty) { text_add(&p->text, type_text(p->cx, ty)); }

static void print_typed(Printer *p, const Value *value) {
  text_addf(&p->text, "%%%u", value->id);
  print_hint(p, value->name);
  text_add(&p->text, ": ");
  print_type(p, value->ty);
  if (value->at) text_addf(&p->text, " at %s", ixfun_print(p->cx->scratch, value->at));
}

static void print_real(Printer *p, RealConst real) {
  text_add(&p->text, text_from_real(p->cx->scratch, real.value));
  if (!real.digits) return;
  text_add(&p->text, " ");
  print_string(p, real.digits);
}

static void print_values(Printer *p, Value *const *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) text_addf(&p->text, "%s%%%u", i > 0 ? ", " : "", values[i]->id);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void print_var(Printer *p, VarRef var, const Name *name) {
  text_addf(&p->text, "<%u", var.index);
  if (var.component != WHOLE) text_addf(&p->text, ".%u", var.component);
  print_hint(p, name);
  text_add(&p->text, ">");
}

static void print_row(Printer *p, ConstRow row) {
  text_add(&p->text, "<");
  for (uint32_t i = 0; i < row.width; i++) {
    text_addf(&p->text, "%s%lld", i > 0 ? " " : "", (long long)row.lanes[i].num);
    if (row.lanes[i].den != 1) text_addf(&p->text, "/%lld", (long long)row.lanes[i].den);
  }
  text_add(&p->text, ">");
}

static void print_group(Printer *p, ProbeGroup group) {
  text_addf(&p->text, "<%s orders", group.kernel->name);
  for (uint32_t order = 0; order < 32; order++)
    if (group.orders >> order & 1) text_addf(&p->text, " %u", order);
  text_addf(&p->text, " border %s", border_text(group.border));
  if (group.sampling > 0) text_addf(&p->text, " sampling %u", group.sampling - 1);
  text_add(&p->text, ">");
}

static void print_reduce(Printer *p, Reduce reduce) {
  const char *over = reduce_over_text(reduce.over);
  for (uint32_t i = 0; i < reduce.n_kinds; i++)
    text_addf(&p->text, i == 0 ? "<%s" : ", %s", reduction_text(reduce.kinds[i]));
  text_addf(&p->text, "%s%s>", *over ? " " : "", over);
}

/* The last one also applies to all that follow. */
static void print_supports(Printer *p, Supports supports) {
  uint32_t n_axes = KERNEL_MAX_AXES;
  while (n_axes > 1 && supports.along[n_axes - 1] == supports.along[n_axes - 2]) n_axes--;
  for (uint32_t axis = 0; axis < n_axes; axis++)
    text_addf(&p->text, "%s%u", axis > 0 ? "," : "<", supports.along[axis]);
  text_add(&p->text, ">");
}

static void print_func_ref(Printer *p, const Func *fn) {
  uint32_t index = 0;
  while (index < p->m->funcs.len && p->m->funcs.data[index] != fn) index++;
  text_addf(&p->text, "<%u", index);
  print_hint(p, fn->name);
  text_add(&p->text, ">");
}

static void print_attr(Printer *p, AttrKind kind, Attr attr) {
  switch (kind) {
  case ATTR_NONE: return;
  case ATTR_BOOL: text_add(&p->text, attr.b ? "<true>" : "<false>"); return;
  case ATTR_INT: text_addf(&p->text, "<%lld>", (long long)attr.i); return;
  case ATTR_REAL:
    text_add(&p->text, "<");
    print_real(p, attr.real);
    text_add(&p->text, ">");
    return;
  case ATTR_STRING:
    text_add(&p->text, "<");
    print_string(p, attr.s);
    text_add(&p->text, ">");
    return;
  case ATTR_ROW: print_row(p, attr.row); return;
  case ATTR_PAIR: text_addf(&p->text, "<%u,%u>", attr.pair.i, attr.pair.j); return;
  case ATTR_SUPPORTS: print_supports(p, attr.supports); return;
  case ATTR_KERNEL: text_addf(&p->text, "<%s>", attr.kernel->name); return;
  case ATTR_VAR: print_var(p, attr.var, p->m->globals.data[attr.var.index].name); return;
  case ATTR_STATE: print_var(p, attr.var, p->m->state.data[attr.var.index].name); return;
  case ATTR_FUNC: print_func_ref(p, attr.func); return;
  case ATTR_EXIT: text_addf(&p->text, "<%s>", exit_text(attr.exit)); return;
  case ATTR_EIN: text_add(&p->text, ein_print(p->cx, attr.ein)); return;
  case ATTR_GROUP: print_group(p, attr.group); return;
  case ATTR_REDUCE: print_reduce(p, attr.reduce); return;
  }
}

/* ---- instructions, blocks, functions --------------------------------------------------------- */

static void print_succ(Printer *p, const Inst *inst, const Succ *succ) {
  text_addf(&p->text, "b%u(", succ->block->id);
  print_values(p, inst->args + succ->first_arg, succ->n_args);
  text_add(&p->text, ")");
}

static void print_inst(Printer *p, const Inst *inst) {
  text_add(&p->text, "    ");
  for (uint32_t i = 0; i < inst->n_results; i++) {
    if (i > 0) text_add(&p->text, ", ");
    print_typed(p, inst->results[i]);
  }
  if (inst->n_results > 0) text_add(&p->text, " = ");
  text_add(&p->text, op_text(inst->op));
  print_attr(p, op_attr_kind(inst->op), inst->attr);
  uint32_t n_own = inst_n_own_args(inst);
  text_add(&p->text, n_own > 0 ? " " : "");
  print_values(p, inst->args, n_own);
  for (uint32_t i = 0; i < inst->n_succs; i++) {
    text_add(&p->text, i > 0 || n_own > 0 ? ", " : " ");
    print_succ(p, inst, &inst->succs[i]);
  }
  if (inst->merge) text_addf(&p->text, ", merge b%u", inst->merge->id);
  print_span(p, inst->span);
  text_add(&p->text, "\n");
}

static void print_block(Printer *p, const Block *blk) {
  text_addf(&p->text, "  b%u(", blk->id);
  for (uint32_t i = 0; i < blk->params.len; i++) {
    if (i > 0) text_add(&p->text, ", ");
    print_typed(p, blk->params.data[i]);
  }
  text_add(&p->text, "):\n");
  for (const Inst *inst = blk->first; inst; inst = inst->next) print_inst(p, inst);
}

static void print_func(Printer *p, const Func *fn) {
  text_addf(&p->text, "\nfunc %s", func_kind_text(fn->kind));
  print_hint(p, fn->name);
  if (fn->result) {
    text_add(&p->text, " -> ");
    print_type(p, fn->result);
  }
  if (fn->kind == FN_SAMPLING) {
    text_add(&p->text, " ");
    print_group(p, fn->group);
    text_add(&p->text, " of ");
    print_var(p, fn->image, p->m->globals.data[fn->image.index].name);
  }
  print_span(p, fn->span);
  text_add(&p->text, " {\n");
  for (uint32_t i = 0; i < fn->blocks.len; i++) print_block(p, fn->blocks.data[i]);
  text_add(&p->text, "}\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_const(Printer *p, const Const *c);

static void print_elements(Printer *p, const Const *c) {
  text_add(&p->text, "{");
  for (uint64_t i = 0; i < c->n_elems; i++) {
    if (i > 0) text_add(&p->text, ", ");
    print_const(p, c->elems[i]);
  }
  text_add(&p->text, "}");
}

static void print_components(Printer *p, const Const *c) {
  uint64_t n = shape_size(type_shape(c->ty));
  text_add(&p->text, "(");
  for (uint64_t i = 0; i < n; i++) {
    if (i > 0) text_add(&p->text, ", ");
    print_real(p, c->reals[i]);
  }
  text_add(&p->text, ")");
}

/* Each constant with its type: one of an int fits a real, and {} fits every sequence. */
static void print_const(Printer *p, const Const *c) {
  print_type(p, c->ty);
  text_add(&p->text, " ");
  switch (type_kind(c->ty)) {
  case TY_BOOL: text_add(&p->text, c->b ? "true" : "false"); return;
  case TY_INT: text_addf(&p->text, "%lld", (long long)c->i); return;
  case TY_STRING: print_string(p, c->s); return;
  case TY_TENSOR: print_components(p, c); return;
  case TY_SEQ: print_elements(p, c); return;
  case TY_ERROR:
  case TY_STRAND:
  case TY_IMAGE:
  case TY_KERNEL:
  case TY_FIELD:
  case TY_ROW:
  case TY_OFFSET:
  case TY_ADDR: BUG(p->cx, "constant of type %s", type_text(p->cx, c->ty));
  }
}

static const char *global_word(GlobalKind kind) {
  switch (kind) {
  case GLOBAL_INPUT: return "input";
  case GLOBAL_VAR: return "global";
  case GLOBAL_IMAGE: return "image";
  case GLOBAL_SEQ: return "sequence";
  }
  return "?";
}

static void print_use(Printer *p, const ImageUse *use) {
  text_add(&p->text, " kernels");
  for (uint32_t k = 0; k < kernel_count(); k++)
    if (use->kernels >> k & 1) text_addf(&p->text, " %s", kernel_at(k)->name);
  text_add(&p->text, " borders");
  for (int border = 0; border < N_BORDERS; border++)
    if (use->borders >> border & 1) text_addf(&p->text, " %s", border_text((Border)border));
  if (!use->outside) return;
  text_add(&p->text, " outside ");
  print_const(p, use->outside);
}

static void print_global(Printer *p, const Global *global) {
  text_add(&p->text, global_word(global->kind));
  print_hint(p, global->name);
  text_add(&p->text, ": ");
  print_type(p, global->ty);
  if (global->value) {
    text_add(&p->text, " = ");
    print_const(p, global->value);
  }
  if (global->description) {
    text_add(&p->text, " description ");
    print_string(p, global->description);
  }
  if (global->file) {
    text_add(&p->text, " file ");
    print_string(p, global->file);
  }
  if (global->samples != SAMPLE_REAL)
    text_addf(&p->text, " samples %s", sample_text(global->samples));
  if (global->use.kernels != 0) print_use(p, &global->use);
  print_span(p, global->span);
  text_add(&p->text, "\n");
}

static void print_param(Printer *p, const StrandParam *param) {
  text_add(&p->text, "param");
  print_hint(p, param->name);
  text_add(&p->text, ": ");
  print_type(p, param->ty);
  print_span(p, param->span);
  text_add(&p->text, "\n");
}

static void print_state_var(Printer *p, const StateVar *var) {
  text_add(&p->text, "state");
  print_hint(p, var->name);
  text_add(&p->text, ": ");
  print_type(p, var->ty);
  if (var->is_output) text_add(&p->text, " output");
  if (var->is_varying) text_add(&p->text, " varying");
  if (var->is_shared) text_add(&p->text, " shared");
  print_span(p, var->span);
  text_add(&p->text, "\n");
}

const char *ir_print(Cx *cx, const Module *m) {
  Printer p = {.cx = cx, .m = m, .text = text_new(cx->arena)};
  text_addf(&p.text, "ir %s\n", level_text(m->level));
  if (m->strand_name) {
    text_add(&p.text, "strand");
    print_hint(&p, m->strand_name);
    text_addf(&p.text, " %s %u\n", m->is_collection ? "collection" : "grid", m->n_iters);
  }
  for (uint32_t i = 0; i < m->globals.len; i++) print_global(&p, &m->globals.data[i]);
  for (uint32_t i = 0; i < m->params.len; i++) print_param(&p, &m->params.data[i]);
  for (uint32_t i = 0; i < m->state.len; i++) print_state_var(&p, &m->state.data[i]);
  for (uint32_t i = 0; i < m->funcs.len; i++) print_func(&p, m->funcs.data[i]);
  return text_str(&p.text);
}
