/* From_tast, creation: the initial strands, and the initial state of a strand. Sequences over which
 * strands are created are computed once, into globals of their own; iterators are ints. Creating a
 * strand from its parameters is a function of its own, because `new` needs it, too.
 */
#include "ir/high/local.h"

/* ---- iteration space ------------------------------------------------------------------------- */

void lower_sources(Body *body) {
  Unit *unit = body->unit;
  const TCreation *creation = unit->program->creation;
  unit->sources = NEWN(unit->cx->arena, uint32_t, creation->sources.len);
  for (uint32_t i = 0; i < creation->sources.len; i++) {
    const TExpr *source = creation->sources.data[i];
    if (source->kind == TE_RANGE) continue;
    Value *seq = lower_expr(body, source);
    unit->sources[i] = unit_hidden_global(unit, creation->iters.data[i]->name, source);
    body->b.span = source->span;
    build_effect(&body->b, OP_GLOBAL_STORE, (Attr){.var = {unit->sources[i], WHOLE}}, &seq, 1);
  }
}

static Value *load_source(Body *body, uint32_t i) {
  const TExpr *source = body->unit->program->creation->sources.data[i];
  body->b.span = source->span;
  return build_typed(&body->b, OP_GLOBAL_LOAD, (Attr){.var = {body->unit->sources[i], WHOLE}},
                     source->ty, NULL, 0);
}

static void push_bounds(Body *body, ValueVec *bounds, uint32_t i) {
  const TExpr *source = body->unit->program->creation->sources.data[i];
  Arena *arena = body->cx->arena;
  if (source->kind == TE_RANGE) {
    vec_push(arena, bounds, lower_expr(body, source->args.data[0]));
    vec_push(arena, bounds, lower_expr(body, source->args.data[1]));
    return;
  }
  Value *length = build_length(body, load_source(body, i));
  vec_push(arena, bounds, build_int(&body->b, 0));
  vec_push(arena, bounds, build_op2(&body->b, OP_ISUB, length, build_int(&body->b, 1)));
}

void lower_bounds(Unit *unit) {
  const TCreation *creation = unit->program->creation;
  Body body = unit_begin(unit, FN_BOUNDS, "bounds", creation->span);
  ValueVec bounds = {0};
  for (uint32_t i = 0; i < creation->sources.len; i++) push_bounds(&body, &bounds, i);
  body.b.span = creation->span;
  build_leave(&body.b, EXIT_RETURN, bounds.data, bounds.len);
}

/* ---- strands --------------------------------------------------------------------------------- */

static void lower_iterators(Body *body) {
  const TCreation *creation = body->unit->program->creation;
  ValueVec counts = {0};
  for (uint32_t i = 0; i < creation->iters.len; i++)
    vec_push(body->cx->arena, &counts, block_add_param(body->b.block, type_int(body->cx), NULL));
  for (uint32_t i = 0; i < creation->iters.len; i++) {
    bool is_range = creation->sources.data[i]->kind == TE_RANGE;
    Value *count = counts.data[i];
    body_set(body, creation->iters.data[i],
             is_range ? count : build_element(body, load_source(body, i), count));
  }
}

void lower_args(Unit *unit) {
  const TCreation *creation = unit->program->creation;
  Body body = unit_begin(unit, FN_ARGS, "args", creation->span);
  lower_iterators(&body);
  ValueVec args = {0};
  for (uint32_t i = 0; i < creation->args.len; i++)
    vec_push(unit->cx->arena, &args, lower_expr(&body, creation->args.data[i]));
  body.b.span = creation->span;
  build_leave(&body.b, EXIT_RETURN, args.data, args.len);
}

void lower_create(Unit *unit) {
  const TStrand *strand = unit->program->strand;
  Body body = unit_begin(unit, FN_CREATE, "create", strand->span);
  lower_params(&body, &strand->params);
  for (uint32_t i = 0; i < strand->state.len; i++) {
    const TVar *var = strand->state.data[i];
    body_set(&body, var, var->init ? lower_expr(&body, var->init) : NULL);
    record_var(&body, var, var->span, var->init ? body_get(&body, var) : NULL);
  }
  if (strand->initialize) lower_stmt(&body, strand->initialize);
  if (body.is_open) lower_leave(&body, EXIT_ACTIVE, strand->span);
}
