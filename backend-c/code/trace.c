/* trace: what a program compiled with --trace records as it runs (ddr/trace.h), and the tables of
 * the source places of records. A record consists of the values of one OP_TRACE:
 *
 *   if (ddr_trace_at(7)) {
 *     ddr_trace_float(pos_x);
 *     ddr_trace_float(pos_y);
 *   }
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* ---- records --------------------------------------------------------------------------------- */

static void put(Gen *gen, const TreeExpr *value) {
  CExpr *expr = gen_expr(gen, value);
  if (type_is_dynamic_seq(value->ty))
    em_expr(&gen->em, c_call2(gen->cx, "ddr_trace_seq", expr, gen_seq_pattern(gen, value->ty)));
  else em_expr(&gen->em, c_call1(gen->cx, gen_fn_for(gen, "ddr_trace_", value->ty), expr));
}

void gen_record(Gen *gen, const TreeExpr *record) {
  CExpr *is_wanted = c_call1(gen->cx, "ddr_trace_at", c_int(gen->cx, record->attr.i));
  if (record->args.len == 0) {
    em_expr(&gen->em, c_cast(gen->cx, "void", is_wanted));
    return;
  }
  em_open_if(&gen->em, is_wanted);
  for (uint32_t i = 0; i < record->args.len; i++) put(gen, record->args.data[i]);
  em_close(&gen->em);
}

/* ---- whose, and of which method -------------------------------------------------------------- */

static void enter(Gen *gen, const char *method) {
  if (gen->options->is_traced)
    em_expr(&gen->em, c_call1(gen->cx, "ddr_trace_enter", name(gen, method)));
}

void gen_trace_method(Gen *gen, const TreeFunc *fn) {
  switch (fn->kind) {
  case FN_START: enter(gen, "DDR_TRACE_START"); return;
  case FN_UPDATE: enter(gen, "DDR_TRACE_UPDATE"); return;
  case FN_STABILIZE: enter(gen, "DDR_TRACE_STABILIZE"); return;
  default: return; /* their callers are traced instead */
  }
}

void gen_trace_strand(Gen *gen) {
  if (gen->options->is_traced)
    em_expr(&gen->em, c_call2(gen->cx, "ddr_trace_strand", name(gen, "block"), name(gen, "slot")));
}

void gen_trace_creation(Gen *gen) { enter(gen, "DDR_TRACE_CREATE"); }

void gen_trace_birth(Gen *gen, bool is_over) {
  if (gen->options->is_traced)
    em_expr(&gen->em,
            c_call1(gen->cx, is_over ? "ddr_trace_born" : "ddr_trace_birth", name(gen, "block")));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *kind_name(TraceKind kind) {
  static const char *const names[] = {
#define TRACE(id, text) "DDR_TRACE_" #id,
#include "runtime/include/ddr/trace.def"
  };
  return names[kind];
}

/* "3:2:r": three times two reals; "*:" any number. */
static void add_pattern(Text *pattern, const Type *ty) {
  if (type_is(ty, TY_SEQ)) {
    if (type_is_dynamic_seq(ty)) text_add(pattern, "*:");
    else text_addf(pattern, "%llu:", (unsigned long long)type_seq_len(ty));
    add_pattern(pattern, type_elem(ty));
    return;
  }
  if (type_is(ty, TY_TENSOR)) {
    const Shape *shape = type_shape(ty);
    for (uint32_t i = 0; i < shape->order; i++) text_addf(pattern, "%u:", shape->dims[i]);
  }
  switch (type_kind(ty)) {
  case TY_BOOL: text_add(pattern, "b"); return;
  case TY_INT: text_add(pattern, "i"); return;
  case TY_STRING: text_add(pattern, "s"); return;
  default: text_add(pattern, "r"); return;
  }
}

/* The pattern of all values of a record. */
static const char *pattern_of(Gen *gen, const TraceSite *site) {
  Text pattern = text_new(gen->cx->arena);
  for (uint32_t i = 0; i < site->n_types; i++) {
    if (i > 0) text_add(&pattern, " ");
    add_pattern(&pattern, site->types[i]);
  }
  return text_str(&pattern);
}

static void gen_site(Gen *gen, const TraceSite *site) {
  Cx *cx = gen->cx;
  const Position begin = source_position(cx->source, site->span.start);
  const Position end = source_position(cx->source, site->span.end);
  em_open_row(&gen->em);
  em_member(&gen->em, "kind", name(gen, kind_name(site->kind)));
  em_member(&gen->em, "name", c_string(cx, site->name));
  em_member(&gen->em, "values", c_string(cx, pattern_of(gen, site)));
  if (site->kind == TRACE_ASSIGN)
    em_member(&gen->em, "type", c_string(cx, type_text(cx, site->types[0])));
  em_member(&gen->em, "line", c_int(cx, begin.line));
  em_member(&gen->em, "column", c_int(cx, begin.column));
  em_member(&gen->em, "end_line", c_int(cx, end.line));
  em_member(&gen->em, "end_column", c_int(cx, end.column));
  em_close_row(&gen->em);
}

void gen_trace(Gen *gen) {
  Cx *cx = gen->cx;
  const Module *m = gen->program->module;
  if (!gen->options->is_traced) return;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_trace_site", "trace_sites");
  for (uint32_t i = 0; i < m->traces.len; i++) gen_site(gen, &m->traces.data[i]);
  em_close_table(&gen->em);
  const uint32_t n_lines = gen_source_text(gen, "trace_text");
  em_blank(&gen->em);
  em_open_record(&gen->em, "static const ddr_trace_table", "trace");
  em_member(&gen->em, "n_sites", c_int(cx, m->traces.len));
  em_member(&gen->em, "sites", name(gen, "trace_sites"));
  em_member(&gen->em, "n_lines", c_int(cx, n_lines));
  em_member(&gen->em, "text", name(gen, "trace_text"));
  em_member(&gen->em, "strand", c_string(cx, m->strand_name->text));
  em_close_table(&gen->em);
}
