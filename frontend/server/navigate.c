/* Navigate: from a name to its declaration, and to all other places where it means the same. */
#include "frontend/server/local.h"

void handle_definition(Request *request) {
  const Analysis *analysis = request_analysis(request);
  const NameUse *use = use_at(analysis, request->offset);
  const Span span = use ? declaration_of(analysis, use) : SPAN_NONE;
  if (!span_is_none(span)) request->result = location_json(request, span);
}

/* Calls the function for each place where a name means the same as the one at the request's place.
 */
static void each_place(Request *request, bool has_declaration,
                       void (*add)(Request *request, const NameUse *use)) {
  const Analysis *analysis = request_analysis(request);
  const NameUse *use = use_at(analysis, request->offset);
  request->result = json_array();
  for (uint32_t i = 0; i < analysis->names.len && use; i++) {
    const NameUse *other = &analysis->names.data[i];
    const bool is_wanted = has_declaration || !other->is_declaration;
    if (is_wanted && is_same_thing(use, other)) add(request, other);
  }
}

static void add_location(Request *request, const NameUse *use) {
  json_array_append_new(request->result, location_json(request, use->span));
}

void handle_references(Request *request) {
  const json_t *context = json_object_get(request->params, "context");
  const bool has_declaration = json_is_true(json_object_get(context, "includeDeclaration"));
  each_place(request, has_declaration, add_location);
}

static void add_highlight(Request *request, const NameUse *use) {
  json_t *range = range_json(request->server, request->document->source, use->span);
  json_array_append_new(request->result, json_pack("{s:o, s:i}", "range", range, "kind",
                                                   use->is_declaration ? 3 : 2));
}

void handle_highlight(Request *request) { each_place(request, true, add_highlight); }
