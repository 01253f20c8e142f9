/* Colours: semantic tokens, that is, classes of words by what they mean in the program. */
#include "frontend/server/colours.h"

#include <string.h>

#include "frontend/server/local.h"

typedef enum {
#define COLOUR(id, name) COLOUR_##id,
#include "frontend/server/colours.def"
  COLOUR_NONE
} Colour;

enum { DECLARATION = 1, READONLY = 2, FROM_LANGUAGE = 4 };

json_t *colours_legend(void) {
  static const char *const names[] = {
#define COLOUR(id, name) name,
#include "frontend/server/colours.def"
  };
  json_t *types = json_array();
  for (int i = 0; i < COLOUR_NONE; i++) json_array_append_new(types, json_string(names[i]));
  return json_pack("{s:o, s:[s, s, s]}", "tokenTypes", types, "tokenModifiers", "declaration",
                   "readonly", "defaultLibrary");
}

static Colour of_variable(const TVar *var, unsigned *modifiers) {
  switch (var->kind) {
  case TV_CONST: *modifiers |= READONLY; return COLOUR_VARIABLE;
  case TV_INPUT: *modifiers |= READONLY; return COLOUR_PARAMETER;
  case TV_FIELD_FUN:
  case TV_GLOBAL: return type_is(var->ty, TY_FIELD) ? COLOUR_FUNCTION : COLOUR_VARIABLE;
  case TV_FUN_PARAM:
  case TV_STRAND_PARAM: return COLOUR_PARAMETER;
  case TV_STATE: return COLOUR_PROPERTY;
  case TV_LOCAL:
  case TV_ITER: return COLOUR_VARIABLE;
  }
  return COLOUR_VARIABLE;
}

static Colour of_name(const NameUse *use, unsigned *modifiers) {
  if (!use) return COLOUR_NONE;
  if (use->is_declaration) *modifiers |= DECLARATION;
  if (use->var) return of_variable(use->var, modifiers);
  if (use->strand) return COLOUR_CLASS;
  if (use->fun) return COLOUR_FUNCTION;
  *modifiers |= FROM_LANGUAGE;
  return use->kernel ? COLOUR_MACRO : COLOUR_FUNCTION;
}

/* Brackets and separators are none. */
static bool is_operator(unsigned roles) {
  return roles & (ROLE_INFIX | ROLE_ASSIGN) || (roles & ROLE_EXPR && !(roles & ROLE_SUFFIX));
}

static Colour of_lexeme(const Analysis *analysis, const Lexeme *lexeme, unsigned *modifiers) {
  switch (lexeme->class) {
  case LEX_VERSION: return COLOUR_KEYWORD;
  case LEX_KEYWORD: return lexeme->roles & ROLE_TYPE ? COLOUR_TYPE : COLOUR_KEYWORD;
  case LEX_OPERATOR: return is_operator(lexeme->roles) ? COLOUR_OPERATOR : COLOUR_NONE;
  case LEX_NAME: {
    const NameUse *use = use_at(analysis, lexeme->span.start);
    return of_name(use && use->span.start == lexeme->span.start ? use : NULL, modifiers);
  }
  case LEX_INT:
  case LEX_REAL: return COLOUR_NUMBER;
  case LEX_STRING: return COLOUR_STRING;
  case LEX_LINE_COMMENT:
  case LEX_BLOCK_COMMENT: return COLOUR_COMMENT;
  }
  return COLOUR_NONE;
}

typedef struct Painter {
  const Request *request;
  uint32_t line, unit; /* of the last token */
  json_t *data;
} Painter;

/* Adds a token within a line. Its place is encoded relative to the one before. */
static void paint(Painter *painter, Span span, Colour colour, unsigned modifiers) {
  const Source *source = painter->request->document->source;
  PlaceCache start, end;
  place_of_offset(painter->request->server, source, span.start, &start);
  place_of_offset(painter->request->server, source, span.end, &end);
  const uint32_t from = start.line == painter->line ? painter->unit : 0;
  const uint32_t values[] = {start.line - painter->line, start.unit - from, end.unit - start.unit,
                             (uint32_t)colour, modifiers};
  for (size_t i = 0; i < 5; i++) json_array_append_new(painter->data, json_integer(values[i]));
  painter->line = start.line;
  painter->unit = start.unit;
}

/* Adds a token for each line of a span: tokens of the protocol do not cross lines. */
static void paint_lines(Painter *painter, Span span, Colour colour, unsigned modifiers) {
  const char *text = painter->request->document->source->text;
  for (uint32_t start = span.start; start < span.end;) {
    const char *stop = memchr(text + start, '\n', span.end - start);
    uint32_t end = stop ? (uint32_t)(stop - text) : span.end, next = stop ? end + 1 : end;
    if (end > start && text[end - 1] == '\r') end--;
    if (end > start) paint(painter, (Span){start, end}, colour, modifiers);
    start = next;
  }
}

void handle_semantic_tokens(Request *request) {
  const Analysis *analysis = request_analysis(request);
  Painter painter = {.request = request, .data = json_array()};
  for (uint32_t i = 0; i < analysis->lexemes.len; i++) {
    unsigned modifiers = 0;
    const Lexeme *lexeme = &analysis->lexemes.data[i];
    const Colour colour = of_lexeme(analysis, lexeme, &modifiers);
    if (colour != COLOUR_NONE) paint_lines(&painter, lexeme->span, colour, modifiers);
  }
  request->result = json_pack("{s:o}", "data", painter.data);
}
