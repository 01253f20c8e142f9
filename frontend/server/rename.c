/* Rename: the new text is analysed before the edits are returned. Names that meant the same must
 * still do so, and no others. So names that are taken are refused, even if only hidden ones.
 */
#include <string.h>

#include "frontend/server/local.h"

/* The name at the place, if the program declares it. */
static const NameUse *renamed(Request *request, const Analysis *analysis) {
  const NameUse *use = use_at(analysis, request->offset);
  if (!use || use->kernel || use->builtin || span_is_none(declaration_of(analysis, use))) {
    request_fail(request, ERROR_FAILED, "there is no name of the program here");
    return NULL;
  }
  if (analysis->is_whole) return use;
  request_fail(request, ERROR_FAILED, "the program has syntax errors");
  return NULL;
}

static bool is_name(const char *text, size_t len) {
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, "", text_format(cx->arena, "#version 2.0\n%s", text),
                                len + strlen("#version 2.0\n"));
  const LexemeList lexemes = lex(cx);
  const bool is_one = lexemes.len == 2 && lexemes.data[1].class == LEX_NAME &&
                      diag_error_count(cx) == 0 && strlen(text) == len &&
                      lexemes.data[1].span.end - lexemes.data[1].span.start == len;
  cx_free(cx);
  return is_one;
}

typedef struct Renaming {
  const Analysis *analysis;
  const NameUse *use;
  const char *name;
} Renaming;

static const char *renamed_text(Arena *a, const Renaming *renaming, size_t *len) {
  const Analysis *analysis = renaming->analysis;
  const Source *source = analysis->cx->source;
  Text text = text_new(a);
  uint32_t at = 0;
  for (uint32_t i = 0; i < analysis->names.len; i++) {
    const NameUse *other = &analysis->names.data[i];
    if (!is_same_thing(renaming->use, other)) continue;
    text_add_n(&text, source->text + at, other->span.start - at);
    text_add(&text, renaming->name);
    at = other->span.end;
  }
  text_add_n(&text, source->text + at, source->len - at);
  *len = text.len;
  return text_str(&text);
}

/* Whether each name means the renamed thing after renaming exactly if it did before. */
static bool means_the_same(const Renaming *renaming, const Analysis *after) {
  const Analysis *before = renaming->analysis;
  const uint32_t n = before->names.len, first = (uint32_t)(renaming->use - before->names.data);
  if (after->names.len != n || diag_error_count(after->cx) != diag_error_count(before->cx))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    const bool was = is_same_thing(renaming->use, &before->names.data[i]);
    if (was != is_same_thing(&after->names.data[first], &after->names.data[i])) return false;
    if (before->names.data[i].is_declaration != after->names.data[i].is_declaration) return false;
  }
  return true;
}

/* Whether all other names keep their declarations, compared by number. */
static bool keeps_declarations(const Analysis *before, const Analysis *after) {
  for (uint32_t i = 0; i < before->names.len; i++)
    if (number_of_declaration(before, &before->names.data[i]) !=
        number_of_declaration(after, &after->names.data[i]))
      return false;
  return true;
}

static bool can_rename(Request *request, const Renaming *renaming) {
  size_t len;
  const char *text = renamed_text(request->arena, renaming, &len);
  Analysis *after = analyse(request->server->images,
                            source_from_text(request->arena, request->document->uri, text, len));
  const bool is_same =
      means_the_same(renaming, after) && keeps_declarations(renaming->analysis, after);
  analysis_free(after);
  return is_same;
}

void handle_prepare_rename(Request *request) {
  const NameUse *use = renamed(request, request_analysis(request));
  if (!use) return;
  const Source *source = request->document->source;
  request->result = json_pack("{s:o, s:s}", "range", range_json(request->server, source, use->span),
                              "placeholder", source_text(request->arena, source, use->span));
}

static json_t *edits_of(const Request *request, const Renaming *renaming) {
  json_t *edits = json_array();
  for (uint32_t i = 0; i < renaming->analysis->names.len; i++) {
    const NameUse *other = &renaming->analysis->names.data[i];
    if (is_same_thing(renaming->use, other))
      json_array_append_new(edits, edit_json(request->server, request->document->source,
                                             other->span, renaming->name));
  }
  return edits;
}

void handle_rename(Request *request) {
  const json_t *name = json_object_get(request->params, "newName");
  const Analysis *analysis = request_analysis(request);
  const Renaming renaming = {analysis, renamed(request, analysis), json_string_value(name)};
  if (!renaming.use) return;
  if (!json_is_string(name) || !is_name(renaming.name, json_string_length(name))) {
    request_fail(request, ERROR_PARAMS, "newName is not a name");
    return;
  }
  if (!can_rename(request, &renaming)) {
    request_fail(request, ERROR_FAILED, "the program would mean something else with this name");
    return;
  }
  json_t *changes = json_object();
  json_object_set_new(changes, request->document->uri, edits_of(request, &renaming));
  request->result = json_pack("{s:o}", "changes", changes);
}
