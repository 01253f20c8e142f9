/* IR text in: the grammar is doc/ir.md, print.c writes it. One instruction per line; values and
 * blocks may be used above their definitions. Numbers are kept, so that printing gives the same
 * text.
 *
 * A value met before its definition is a placeholder without a type, replaced once it is defined.
 */
#include "frontend/base/panic.h"
#include "ir/core/local.h"

/* ---- values and blocks by number ------------------------------------------------------------- */

/* Numbers are smaller than the text is long, else a short text could ask for much memory. */
static uint32_t read_id(IrReader *r) {
  uint32_t id = ir_read_number(r);
  if (id >= r->cx->source->len) ir_read_fail(r, "number too large");
  return r->has_failed ? 0 : id;
}

static Value *read_value(IrReader *r) {
  ir_read_expect(r, "%");
  uint32_t id = read_id(r);
  while (r->values.len <= id) vec_push(r->cx->arena, &r->values, NULL);
  if (!r->values.data[id]) {
    r->values.data[id] = NEW(r->cx->arena, Value);
    r->values.data[id]->id = id;
  }
  return r->values.data[id];
}

static IrBlock *read_block_number(IrReader *r) {
  ir_read_expect(r, "b");
  uint32_t id = read_id(r);
  while (r->blocks.len <= id) vec_push(r->cx->arena, &r->blocks, (IrBlock){0});
  IrBlock *entry = &r->blocks.data[id];
  if (!entry->block) {
    entry->block = block_new(r->fn);
    entry->block->id = id;
  }
  return entry;
}

static Block *read_block_ref(IrReader *r) { return read_block_number(r)->block; }

/* ---- instructions ---------------------------------------------------------------------------- */

typedef struct Definition { /* %3 "name": type at <0 [3 : 1] of [3]> */
  uint32_t id;
  const Name *name;
  const Type *ty;
  const Ixfun *at;
} Definition;
typedef VEC(Definition) DefinitionVec;

static Definition read_definition(IrReader *r) {
  Definition def = {.id = read_value(r)->id};
  def.name = ir_read_hint(r);
  ir_read_expect(r, ":");
  def.ty = ir_read_type(r);
  if (ir_read_keyword(r, "at")) def.at = ir_read_ixfun(r);
  return def;
}

static void define_value(IrReader *r, Value *value, const Definition *def) {
  Value *known = r->values.data[def->id];
  value->id = def->id;
  value->at = def->at;
  if (known->ty) ir_read_fail(r, "%%%u is defined twice", def->id);
  else value_replace_uses(known, value);
  r->values.data[def->id] = value;
}

static void read_succ(IrReader *r, Inst *inst) {
  Block *blk = read_block_ref(r);
  ValueVec args = {0};
  ir_read_expect(r, "(");
  while (!r->has_failed && !ir_read_mark(r, ")")) {
    if (args.len > 0) ir_read_expect(r, ",");
    vec_push(r->cx->scratch, &args, read_value(r));
  }
  inst_add_succ(inst, blk, args.data, args.len);
}

/* Operands proper, successors, merge block: in this order, separated by commas. */
static void read_operands(IrReader *r, Inst *inst) {
  ir_read_blank(r);
  if (*r->pos != '%' && *r->pos != 'b') return;
  do {
    ir_read_blank(r);
    if (*r->pos == 'b') read_succ(r, inst);
    else if (ir_read_keyword(r, "merge")) inst->merge = read_block_ref(r);
    else if (inst->n_succs == 0) inst_add_arg(inst, read_value(r));
    else ir_read_fail(r, "block expected");
  } while (ir_read_mark(r, ","));
}

static OpId read_op(IrReader *r) {
  const char *word;
  uint32_t len = ir_read_word(r, &word);
  OpId op = op_find(word, len);
  if (op != OP_COUNT) return op;
  r->pos = word;
  ir_read_fail(r, "unknown op");
  return op;
}

static void read_end_of_line(IrReader *r) {
  ir_read_blank(r);
  bool is_comment = r->pos[0] == '/' && r->pos[1] == '/';
  if (*r->pos != '\n' && *r->pos != '\r' && *r->pos != '\0' && !is_comment)
    ir_read_fail(r, "end of line expected");
}

static void read_inst(IrReader *r, Block *blk) {
  const char *from = r->pos;
  DefinitionVec defs = {0};
  while (*r->pos == '%' && !r->has_failed) {
    vec_push(r->cx->scratch, &defs, read_definition(r));
    ir_read_expect(r, ir_read_mark(r, ",") ? "" : "=");
    ir_read_blank(r);
  }
  OpId op = read_op(r);
  if (r->has_failed) return;
  Inst *inst = inst_new(r->fn, op, ATTR_EMPTY, SPAN_NONE, NULL, 0);
  inst->attr = ir_read_attr(r, op_attr_kind(op));
  if (r->has_failed) return;
  read_operands(r, inst);
  inst->span = ir_read_span(r, from);
  read_end_of_line(r);
  if (op == OP_EIN && inst->attr.ein->n_params > inst->n_args)
    ir_read_fail(r, "the expression has more operands");
  if (block_terminator(blk)) ir_read_fail(r, "the block has ended above");
  if (r->has_failed) return;
  if (op == OP_EIN) inst->attr.ein = ein_with_params(r->cx, inst->attr.ein, inst->n_args);
  for (uint32_t i = 0; i < defs.len; i++)
    define_value(r, inst_add_result(inst, defs.data[i].ty, defs.data[i].name), &defs.data[i]);
  inst_append(blk, inst);
}

/* ---- blocks and functions -------------------------------------------------------------------- */

static void read_params(IrReader *r, Block *blk) {
  ir_read_expect(r, "(");
  while (!r->has_failed && !ir_read_mark(r, ")")) {
    if (blk->params.len > 0) ir_read_expect(r, ",");
    Definition def = read_definition(r);
    if (r->has_failed) return;
    define_value(r, block_add_param(blk, def.ty, def.name), &def);
  }
  ir_read_expect(r, ":");
}

static bool is_at_block(const IrReader *r) {
  return r->pos[0] == 'b' && r->pos[1] >= '0' && r->pos[1] <= '9';
}

static void read_block(IrReader *r) {
  IrBlock *entry = read_block_number(r);
  Block *blk = entry->block;
  if (entry->is_defined) ir_read_fail(r, "b%u is defined twice", blk->id);
  entry->is_defined = true;
  vec_push(r->cx->arena, &r->ordered, blk);
  read_params(r, blk);
  ir_read_space(r);
  while (!r->has_failed && *r->pos != '}' && *r->pos != '\0' && !is_at_block(r)) {
    read_inst(r, blk);
    ir_read_space(r);
  }
}

/* Every value that occurs is defined; blocks are in the order of the text. */
static void finish_func(IrReader *r) {
  for (uint32_t i = 0; i < r->values.len; i++)
    if (r->values.data[i] && !r->values.data[i]->ty) ir_read_fail(r, "%%%u is not defined", i);
  if (r->ordered.len != r->fn->blocks.len) ir_read_fail(r, "a block is not defined");
  r->fn->blocks = r->ordered;
  r->fn->next_value = r->values.len;
  r->fn->next_block = r->blocks.len;
}

static FuncKind read_func_kind(IrReader *r) {
  for (int kind = 0; kind < N_FUNC_KINDS; kind++)
    if (ir_read_keyword(r, func_kind_text((FuncKind)kind))) return (FuncKind)kind;
  ir_read_fail(r, "unknown kind of function");
  return FN_USER;
}

static void read_sampling(IrReader *r) {
  r->fn->group = ir_read_attr(r, ATTR_GROUP).group;
  if (!ir_read_keyword(r, "of")) ir_read_fail(r, "of and an image expected");
  r->fn->image = ir_read_attr(r, ATTR_VAR).var;
}

static void read_func(IrReader *r, const char *from) {
  FuncKind kind = read_func_kind(r);
  const Name *name = ir_read_hint(r);
  r->fn = func_new(r->m, kind, name, SPAN_NONE);
  r->values = (ValueVec){0};
  r->blocks.len = 0;
  r->ordered = (BlockVec){0};
  if (ir_read_mark(r, "->")) r->fn->result = ir_read_type(r);
  if (kind == FN_SAMPLING) read_sampling(r);
  r->fn->span = ir_read_span(r, from);
  ir_read_expect(r, "{");
  ir_read_space(r);
  while (!r->has_failed && is_at_block(r)) read_block(r);
  ir_read_expect(r, "}");
  finish_func(r);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const Name *read_name(IrReader *r) {
  const Name *name = ir_read_hint(r);
  if (!name) ir_read_fail(r, "name in quotes expected");
  return name;
}

static void read_strand(IrReader *r) {
  r->m->strand_name = read_name(r);
  r->m->is_collection = ir_read_keyword(r, "collection");
  if (!r->m->is_collection && !ir_read_keyword(r, "grid"))
    ir_read_fail(r, "grid or collection expected");
  r->m->n_iters = ir_read_number(r);
}

static SampleType read_samples(IrReader *r) {
  const char *word;
  uint32_t len = ir_read_word(r, &word);
  SampleType samples = sample_find(word, len);
  if (samples != SAMPLE_COUNT) return samples;
  ir_read_fail(r, "unknown type of samples");
  return SAMPLE_REAL;
}

/* Kernels, then borders; each in the order of its table. */
static ImageUse read_use(IrReader *r) {
  ImageUse use = {0};
  for (uint32_t k = 0; k < kernel_count(); k++)
    if (ir_read_keyword(r, kernel_at(k)->name)) use.kernels |= 1u << k;
  if (!ir_read_keyword(r, "borders")) ir_read_fail(r, "kernels and borders expected");
  for (int border = 0; border < N_BORDERS; border++)
    if (ir_read_keyword(r, border_text((Border)border))) use.borders |= 1u << border;
  if (ir_read_keyword(r, "outside")) use.outside = ir_read_const(r);
  return use;
}

static void read_global(IrReader *r, const char *from, GlobalKind kind) {
  Global global = {.kind = kind, .name = read_name(r)};
  ir_read_expect(r, ":");
  global.ty = ir_read_type(r);
  if (ir_read_mark(r, "=")) global.value = ir_read_const(r);
  if (ir_read_keyword(r, "description")) global.description = ir_read_string(r);
  if (ir_read_keyword(r, "file")) global.file = ir_read_string(r);
  if (ir_read_keyword(r, "samples")) global.samples = read_samples(r);
  if (ir_read_keyword(r, "kernels")) global.use = read_use(r);
  global.span = ir_read_span(r, from);
  vec_push(r->cx->arena, &r->m->globals, global);
}

static void read_param(IrReader *r, const char *from) {
  StrandParam param = {.name = read_name(r)};
  ir_read_expect(r, ":");
  param.ty = ir_read_type(r);
  param.span = ir_read_span(r, from);
  vec_push(r->cx->arena, &r->m->params, param);
}

static void read_state_var(IrReader *r, const char *from) {
  StateVar var = {.name = read_name(r)};
  ir_read_expect(r, ":");
  var.ty = ir_read_type(r);
  var.is_output = ir_read_keyword(r, "output");
  var.is_varying = ir_read_keyword(r, "varying");
  var.is_shared = ir_read_keyword(r, "shared");
  var.span = ir_read_span(r, from);
  vec_push(r->cx->arena, &r->m->state, var);
}

static void read_item(IrReader *r) {
  const char *from = r->pos;
  if (ir_read_keyword(r, "func")) read_func(r, from);
  else if (ir_read_keyword(r, "state")) read_state_var(r, from);
  else if (ir_read_keyword(r, "param")) read_param(r, from);
  else if (ir_read_keyword(r, "strand")) read_strand(r);
  else if (ir_read_keyword(r, "input")) read_global(r, from, GLOBAL_INPUT);
  else if (ir_read_keyword(r, "global")) read_global(r, from, GLOBAL_VAR);
  else if (ir_read_keyword(r, "image")) read_global(r, from, GLOBAL_IMAGE);
  else if (ir_read_keyword(r, "sequence")) read_global(r, from, GLOBAL_SEQ);
  else ir_read_fail(r, "func, state, param, strand, input, global, image or sequence expected");
}

static Level read_level(IrReader *r) {
  ir_read_space(r);
  if (!ir_read_keyword(r, "ir")) ir_read_fail(r, "ir and a level expected");
  for (uint32_t level = LEVEL_HIGH; level <= LEVEL_LOW; level <<= 1)
    if (ir_read_keyword(r, level_text((Level)level))) return (Level)level;
  ir_read_fail(r, "high, mid or low expected");
  return LEVEL_HIGH;
}

Module *ir_parse(Cx *cx) {
  IrReader reader = {.cx = cx, .pos = cx->source->text, .start = cx->source->text};
  reader.m = module_new(cx, read_level(&reader));
  ir_read_space(&reader);
  while (!reader.has_failed && reader.pos < reader.start + cx->source->len) {
    read_item(&reader);
    ir_read_space(&reader);
  }
  if (reader.has_failed) return NULL;
  const char *error = ir_check(cx, reader.m);
  if (!error) return reader.m;
  diag(cx, SPAN_NONE, E_IR_TEXT, d_text(error));
  return NULL;
}
