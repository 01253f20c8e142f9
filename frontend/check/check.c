/* The order of work: declarations from top to bottom, then the checks that need whole bodies. */
#include "frontend/check/check.h"

#include "frontend/check/local.h"

static const unsigned place_rights[] = {
#define PLACE(id, rights) [PLACE_##id] = (rights),
#include "frontend/check/places.def"
};

bool has_right(const Check *ck, unsigned right) { return (place_rights[ck->place] & right) != 0; }

static bool is_constant(const TProgram *program, const Name *name) {
  for (uint32_t i = 0; i < program->consts.len; i++)
    if (program->consts.data[i]->name == name) return true;
  return false;
}

/* Reports --CNAME=VALUE for constants that do not exist. */
static void check_overrides(Check *ck) {
  for (uint32_t i = 0; ck->options && i < ck->options->n_overrides; i++) {
    const Name *name = name_from(ck->cx->names, ck->options->overrides[i].name);
    if (!is_constant(ck->program, name)) diag(ck->cx, SPAN_NONE, W_UNKNOWN_CONSTANT, d_name(name));
  }
}

static void check_parts(Check *ck) {
  TProgram *program = ck->program;
  check_globals(ck);
  check_global_block(ck, ck->source->initialize, PLACE_INITIALIZE, &program->initialize);
  check_strand(ck);
  check_global_block(ck, ck->source->start, PLACE_GLOBAL_START, &program->start);
  check_global_block(ck, ck->source->update, PLACE_GLOBAL_UPDATE, &program->update);
  check_creation(ck);
  check_overrides(ck);
}

TProgram *check(Cx *cx, const Ast *program, const CheckOptions *options) {
  Check ck = {
      .cx = cx,
      .arena = cx->arena,
      .options = options,
      .source = ast_as_program(program),
      .program = NEW(cx->arena, TProgram),
      .record = options ? options->record : NULL,
      .population = SPAN_NONE,
      .facts = map_new(cx->arena),
      .used = map_new(cx->arena),
      .unset = map_new(cx->arena),
      .unknown = map_new(cx->arena),
  };
  enter_scope(&ck, (Span){0, cx->source->len});
  ck.program->version_major = ck.source->version == AST_V1 ? 1 : 2;
  check_parts(&ck);
  check_flow(&ck);
  check_assigned(&ck);
  check_opened(&ck);
  check_usage(&ck);
  if (diag_error_count(cx) > 0) return NULL;
  tast_verify(cx, ck.program);
  return ck.program;
}
