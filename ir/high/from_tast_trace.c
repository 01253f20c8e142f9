/* From_tast, traces: with --trace a program records the values that its statements compute. A
 * record is an effect, OP_TRACE, with values that the program computes anyway; Module.traces
 * describes the places of the source. So passes keep records in place, and change values no more
 * than otherwise.
 *
 * Nothing is recorded in field functions, which are evaluated at positions later, nor in code that
 * is run for many strands at once or more than once (bodies of reductions over strands, of
 * variances). User functions that are called there get a copy without records.
 */
#include "ir/high/local.h"

/* ---- records --------------------------------------------------------------------------------- */

bool is_recorded(const Body *body) {
  return body->cx->is_traced && body->n_quiet == 0 && !body->position;
}

enum { MOST_NUMBERS = 256 }; /* in one value of fixed length: each number is a line of code */

/* Whether values of the type can be shown as text. */
static bool can_show(const Type *ty) {
  if (type_is_fixed_seq(ty) && seq_n_scalars(ty) > MOST_NUMBERS) return false;
  switch (type_kind(ty)) {
  case TY_BOOL:
  case TY_INT:
  case TY_STRING:
  case TY_TENSOR: return true;
  case TY_SEQ: return can_show(type_elem(ty));
  default: return false;
  }
}

static bool can_show_all(Value *const *values, uint32_t n_values) {
  for (uint32_t i = 0; i < n_values; i++)
    if (!values[i] || !can_show(values[i]->ty)) return false;
  return true;
}

static void record(Body *body, TraceKind kind, const char *name, Span span, Value *const *values,
                   uint32_t n_values) {
  Module *m = body->unit->module;
  Arena *arena = body->cx->arena;
  if (!can_show_all(values, n_values)) return;
  TraceSite site = {.kind = kind, .name = name, .n_types = n_values, .span = span};
  site.types = NEWN(arena, const Type *, n_values);
  for (uint32_t i = 0; i < n_values; i++) site.types[i] = values[i]->ty;
  vec_push(arena, &m->traces, site);
  body->b.span = span;
  build_effect(&body->b, OP_TRACE, (Attr){.i = m->traces.len - 1}, values, n_values);
}

/* ---- of what --------------------------------------------------------------------------------- */

void record_values(Body *body, TraceKind kind, const char *name, Span span, Value *const *values,
                   uint32_t n_values) {
  if (is_recorded(body)) record(body, kind, name, span, values, n_values);
}

void record_var(Body *body, const TVar *var, Span span, Value *value) {
  if (!is_recorded(body) || !value || var->is_made) return;
  record(body, TRACE_ASSIGN, var->name->text, span, &value, 1);
}

/* The text of the source. */
static const char *source_of(const Body *body, Span span) {
  const Source *source = body->cx->source;
  if (!source || span_is_none(span) || span.end > source->len) return "";
  return arena_strdup(body->cx->arena, source->text + span.start, span.end - span.start);
}

void record_branch(Body *body, const TExpr *expr, Value *condition) {
  const bool is_made = expr->kind == TE_VAR && expr->u.var->is_made;
  if (!is_recorded(body) || is_made || !value_is(condition, TY_BOOL)) return;
  record(body, TRACE_BRANCH, source_of(body, expr->span), expr->span, &condition, 1);
}

void record_probe(Body *body, TraceKind kind, const TExpr *expr, const TExpr *field, Value *pos,
                  Value *result) {
  if (!is_recorded(body)) return;
  record(body, kind, source_of(body, field->span), expr->span, (Value *[]){pos, result}, 2);
}

/* Inputs as they were given. */
void record_inputs(Body *body) {
  const TVarVec *inputs = &body->unit->program->inputs;
  for (uint32_t i = 0; i < inputs->len && is_recorded(body); i++) {
    const TVar *var = inputs->data[i];
    if (can_show(var->ty)) record_var(body, var, var->span, lower_var(body, var));
  }
}
