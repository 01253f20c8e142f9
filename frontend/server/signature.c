/* Signatures: the overloads of the function that is called around a place (calls.c). */
#include <string.h>

#include "frontend/lang/builtin.h"
#include "frontend/server/local.h"

/* ---- one version ---------------------------------------------------------------------------- */

/* "a, field#k(d)[s]" in its parts; commas in brackets are not between parameters. */
static json_t *parameters_of(Arena *a, const char *list, size_t len) {
  json_t *all = json_array();
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= len; i++) {
    if (i < len && strchr("([", list[i])) depth++;
    if (i < len && strchr(")]", list[i])) depth--;
    if (i < len && (depth > 0 || list[i] != ',')) continue;
    while (start < i && list[start] == ' ') start++;
    if (i > start)
      json_array_append_new(all,
                            json_pack("{s:s}", "label", arena_strdup(a, list + start, i - start)));
    start = i + 1;
  }
  return all;
}

static json_t *version_json(Arena *a, const char *label, const char *params, size_t n_params,
                            const char *meaning) {
  json_t *version =
      json_pack("{s:s, s:o}", "label", label, "parameters", parameters_of(a, params, n_params));
  if (*meaning) json_object_set_new(version, "documentation", json_string(meaning));
  return version;
}

static json_t *builtin_versions(Arena *a, const char *name) {
  uint32_t n_rows;
  const Builtin *rows = builtin_find(name, &n_rows);
  json_t *versions = json_array();
  for (uint32_t i = 0; rows && i < n_rows; i++) {
    const char *arrow = strstr(rows[i].sig, " -> ");
    const size_t len = arrow ? (size_t)(arrow - rows[i].sig) : strlen(rows[i].sig);
    const char *label =
        text_format(a, "%s(%.*s)%s", name, (int)len, rows[i].sig, arrow ? arrow : "");
    json_array_append_new(versions, version_json(a, label, rows[i].sig, len, rows[i].meaning));
  }
  return versions;
}

static const char *params_text(Arena *a, Cx *cx, const TVarVec *params) {
  Text text = text_new(a);
  for (uint32_t i = 0; i < params->len; i++)
    text_addf(&text, "%s%s %s", i > 0 ? ", " : "", type_text(cx, params->data[i]->ty),
              params->data[i]->name->text);
  return text_str(&text);
}

static json_t *own_version(Arena *a, const char *name, const char *params) {
  const char *label = text_format(a, "%s(%s)", name, params);
  return json_pack("[o]", version_json(a, label, params, strlen(params), ""));
}

/* The strand's parameters as they are written. */
static const char *strand_params(Request *request, const Analysis *analysis) {
  const AstStrand *strand = ast_as_strand(ast_as_program(analysis->program)->strand);
  const AstList *params = &strand->params;
  if (params->len == 0) return "";
  const Span span = span_join(params->data[0]->span, vec_last(params)->span);
  return source_text(request->arena, request->document->source, span);
}

/* The overloads of the callee, and which of them it is, if that is known. */
static json_t *versions_of(Request *request, const Analysis *analysis, const Call *call,
                           uint32_t *active) {
  const char *name = call->callee->name->text;
  SymbolList symbols = symbols_new(request->arena);
  symbols_add(request->arena, &symbols, analysis, call->callee->span.start);
  for (uint32_t i = 0; i < symbols.len; i++) {
    const Symbol *symbol = symbols.data[i];
    if (strcmp(symbol->name->text, name) != 0) continue;
    if (symbol->fun)
      return own_version(request->arena, name,
                         params_text(request->arena, analysis->cx, &symbol->fun->params));
    if (!symbol->var) return own_version(request->arena, name, strand_params(request, analysis));
    const bool is_field = type_is(symbol->var->ty, TY_FIELD);
    const char *position =
        is_field ? type_text(analysis->cx, type_vec(analysis->cx, type_dim(symbol->var->ty))) : "";
    return is_field ? own_version(request->arena, name, position) : json_array();
  }
  uint32_t n_rows = 0;
  const Builtin *rows = builtin_find(name, &n_rows);
  const uint32_t version = call_version(analysis, call, rows, n_rows);
  if (version < n_rows) *active = version;
  return builtin_versions(request->arena, name);
}

void handle_signature_help(Request *request) {
  const Analysis *analysis = request_analysis(request);
  const Call call = call_around(&analysis->lexemes, request->offset);
  if (!call.callee || !analysis->program) return;
  uint32_t active = 0;
  json_t *versions = versions_of(request, analysis, &call, &active);
  if (json_array_size(versions) == 0) {
    json_decref(versions);
    return;
  }
  request->result = json_pack("{s:o, s:i, s:i}", "signatures", versions, "activeSignature",
                              (int)active, "activeParameter", call.n_commas);
}
