/* Hints: inlay hints about what the text does not show: implicit conversions of ints to reals, and
 * the continuity of a field, if its declaration asks for less.
 */
#include "frontend/server/local.h"

typedef struct Hints {
  Request *request;
  const Analysis *analysis;
  Span range;
  json_t *list;
  uint32_t last; /* place of the one before */
} Hints;

static void add_hint(Hints *hints, uint32_t at, const char *label, const char *why) {
  if (at < hints->range.start || at > hints->range.end || at == hints->last) return;
  json_t *position = position_json(hints->request->server, hints->request->document->source, at);
  json_array_append_new(hints->list,
                        json_pack("{s:o, s:s, s:i, s:s, s:b}", "position", position, "label", label,
                                  "kind", 1, "tooltip", why, "paddingLeft", 1));
  hints->last = at;
}

static void add_conversions(Hints *hints) {
  for (uint32_t i = 0; i < hints->analysis->record.conversions.len; i++) {
    const Conversion *conversion = &hints->analysis->record.conversions.data[i];
    if (conversion->is_literal || !type_is(conversion->from, TY_INT)) continue;
    if (type_is_real(conversion->to))
      add_hint(hints, conversion->span.end, "→ real", "an int becomes a real here");
  }
}

static void add_field(Hints *hints, const TVar *var) {
  if (!type_is(var->ty, TY_FIELD) || !var->init || !type_is(var->init->ty, TY_FIELD)) return;
  const TExpr *init = var->init->kind == TE_COERCE ? var->init->args.data[0] : var->init;
  const uint32_t has = type_continuity(init->ty), declared = type_continuity(var->ty);
  if (has == declared || has == CONTINUITY_INF) return;
  const char *label = text_format(hints->request->arena, "#%u", has);
  add_hint(hints, init->span.end, label, "how often this field can be differentiated");
}

static void add_fields(Hints *hints) {
  for (uint32_t i = 0; i < hints->analysis->names.len; i++) {
    const NameUse *use = &hints->analysis->names.data[i];
    if (use->is_declaration && use->var) add_field(hints, use->var);
  }
}

void handle_inlay_hint(Request *request) {
  Hints hints = {.request = request, .list = json_array(), .last = UINT32_MAX};
  const Source *source = request->document->source;
  request->result = hints.list;
  if (!find_span(request->server, source, json_object_get(request->params, "range"),
                 &hints.range)) {
    json_decref(hints.list);
    request->result = NULL;
    request_fail(request, ERROR_PARAMS, "range is not in the document");
    return;
  }
  hints.analysis = request_analysis(request);
  add_conversions(&hints);
  add_fields(&hints);
}
