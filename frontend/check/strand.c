/* The strand, its methods, the global blocks and the creation of the initial strands. */
#include "frontend/check/local.h"

/* ---- parameters and state ------------------------------------------------------------------- */

static void check_strand_params(Check *ck, const AstList *params, TStrand *strand) {
  for (uint32_t i = 0; i < params->len; i++) {
    const AstParam *param = ast_as_param(params->data[i]);
    const Type *ty = check_value_type(ck, param->type, "a strand parameter");
    declare_in(ck, &strand->params, new_var(ck, TV_STRAND_PARAM, param->name, ty));
  }
}

/* What a file can hold: anything but strings. */
static bool may_be_output(const Type *ty) {
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return !type_is(ty, TY_STRING);
}

static void check_state(Check *ck, const AstState *node, TStrand *strand) {
  const Type *ty = check_value_type(ck, node->type, "a state variable");
  TVar *var = new_var(ck, TV_STATE, node->name, ty);
  var->is_output = node->is_output;
  if (node->is_output && !may_be_output(ty)) {
    diag(ck->cx, node->type->span, E_OUTPUT_TYPE, d_type(ck->cx, ty));
    var->ty = type_error(ck->cx);
  }
  if (node->is_output) check_public_name(ck, var, "output");
  if (node->init) var->init = check_first_value(ck, node->init, var, "initializer");
  else note_unset(ck, var);
  declare_in(ck, &strand->state, var);
  vec_push(ck->arena, &ck->state, var);
}

static bool has_output(const TStrand *strand) {
  for (uint32_t i = 0; i < strand->state.len; i++)
    if (strand->state.data[i]->is_output) return true;
  return false;
}

/* ---- methods -------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  Place place;
} methods[METHOD_COUNT] = {
    [METHOD_START] = {"start", PLACE_START},
    [METHOD_UPDATE] = {"update", PLACE_UPDATE},
    [METHOD_STABILIZE] = {"stabilize", PLACE_STABILIZE},
};

static TStmt **method_body(TStrand *strand, AstMethodKind which) {
  switch (which) {
  case METHOD_START: return &strand->start;
  case METHOD_UPDATE: return &strand->update;
  default: return &strand->stabilize;
  }
}

static void check_methods(Check *ck, const AstList *list, TStrand *strand) {
  const AstMethod *first[METHOD_COUNT] = {0};
  for (uint32_t i = 0; i < list->len; i++) {
    const AstMethod *method = ast_as_method(list->data[i]);
    ck->place = methods[method->which].place;
    TStmt *body = check_block(ck, method->body);
    if (first[method->which]) {
      diag(ck->cx, method->name.span, E_METHOD_TWICE, d_text(methods[method->which].name));
      diag_note(ck->cx, first[method->which]->name.span, N_FIRST_HERE);
      continue;
    }
    first[method->which] = method;
    *method_body(strand, method->which) = body;
  }
}

/* ---- the strand ----------------------------------------------------------------------------- */

static void check_strand_initialize(Check *ck, const Ast *block, TStrand *strand) {
  if (!block) return;
  ck->place = PLACE_STRAND_INITIALIZE;
  strand->initialize = check_block(ck, block);
}

void check_strand(Check *ck) {
  const AstStrand *node = ast_as_strand(ck->source->strand);
  TStrand *strand = ck->program->strand = NEW(ck->arena, TStrand);
  strand->name = node->name.name;
  strand->span = node->name.span;
  if (!check_not_declared(ck, node->name)) was_unknown(ck, node->name.name);
  declare(ck, (Symbol){.name = strand->name, .span = strand->span});

  Scope *outside = enter_scope(ck, node->head.span);
  ck->place = PLACE_STATE;
  check_strand_params(ck, &node->params, strand);
  for (uint32_t i = 0; i < node->state.len; i++)
    check_state(ck, ast_as_state(node->state.data[i]), strand);
  check_strand_initialize(ck, node->initialize, strand);
  ck->strand_ty = type_strand(ck->cx, strand->name);
  check_methods(ck, &node->methods, strand);
  ck->scope = outside;

  if (!has_output(strand)) diag(ck->cx, strand->span, E_NO_OUTPUT, d_name(strand->name));
  if (!strand->update) diag(ck->cx, strand->span, E_NO_UPDATE, d_name(strand->name));
}

void check_global_block(Check *ck, const Ast *block, Place place, TStmt **out) {
  if (!block) return;
  ck->place = place;
  *out = check_block(ck, block);
}

/* ---- creation ------------------------------------------------------------------------------- */

static const char *what_is_created(Check *ck, const AstId *callee) {
  if (!callee) return "another expression";
  return text_format(ck->cx->arena, "'%s'", callee->name.name->text);
}

static void check_created(Check *ck, const Ast *body, TCreation *creation) {
  const TStrand *strand = ck->program->strand;
  const AstCall *call = body->kind == AST_CALL ? ast_as_call(body) : NULL;
  const AstId *callee = call && call->callee->kind == AST_ID ? ast_as_id(call->callee) : NULL;
  if (!callee || callee->name.name != strand->name) {
    if (!callee || !was_unknown(ck, callee->name.name))
      diag(ck->cx, body->span, E_CREATION_OF_OTHER, d_name(strand->name),
           d_text(what_is_created(ck, callee)));
    return;
  }
  note_strand(ck, callee->name);
  check_arguments(ck, strand->name, body->span, &call->args, &strand->params, &creation->args);
}

/* Sources are evaluated outside the creation: no iterator is visible to another. */
static const Type **check_sources(Check *ck, const AstList *iterators, TCreation *creation) {
  const Type **elems = NEWN(ck->arena, const Type *, iterators->len + 1);
  for (uint32_t i = 0; i < iterators->len; i++) {
    const Ast *source = ast_as_iterator(iterators->data[i])->source;
    vec_push(ck->arena, &creation->sources, check_source(ck, source, NULL, &elems[i]));
  }
  return elems;
}

void check_creation(Check *ck) {
  const AstCreation *node = ast_as_creation(ck->source->creation);
  TCreation *creation = ck->program->creation = NEW(ck->arena, TCreation);
  creation->is_collection = !node->is_array;
  creation->span = node->head.span;
  ck->place = PLACE_CREATION;
  const Type **elems = check_sources(ck, &node->iterators, creation);
  Scope *outside = enter_scope(ck, node->head.span);
  for (uint32_t i = 0; i < node->iterators.len; i++) {
    Ident name = ast_as_iterator(node->iterators.data[i])->name;
    declare_in(ck, &creation->iters, new_var(ck, TV_ITER, name, elems[i]));
  }
  check_created(ck, node->body, creation);
  ck->scope = outside;
  if (node->is_array && !span_is_none(ck->population))
    diag(ck->cx, ck->population, E_ARRAY_POPULATION);
}
