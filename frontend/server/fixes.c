/* Fixes: edits that a message suggests, and edits that are offered where nothing is wrong. */
#include <string.h>

#include "frontend/server/local.h"

typedef struct Edit {
  Span span;
  const char *text;
} Edit;

typedef struct Fixes {
  Request *request;
  const Analysis *analysis;
  const Source *source;
  const DiagMessage *message; /* the message to fix */
  const DiagMessage *note;    /* its note that says how, or the message itself */
  json_t *actions;
} Fixes;

/* ---- actions -------------------------------------------------------------------------------- */

static void add_action(Fixes *fixes, const char *title, const char *kind, const Edit *edits,
                       size_t n_edits) {
  const Document *document = fixes->request->document;
  json_t *list = json_array(), *changes = json_object();
  for (size_t i = 0; i < n_edits; i++)
    json_array_append_new(
        list, edit_json(fixes->request->server, fixes->source, edits[i].span, edits[i].text));
  json_object_set_new(changes, document->uri, list);
  json_t *action =
      json_pack("{s:s, s:s, s:{s:o}}", "title", title, "kind", kind, "edit", "changes", changes);
  if (fixes->message)
    json_object_set_new(action, "diagnostics",
                        json_pack("[o]", diagnostic_json(fixes->request->server, document,
                                                         fixes->analysis, fixes->message)));
  json_array_append_new(fixes->actions, action);
}

static void add_fix(Fixes *fixes, const char *title, Span span, const char *text) {
  const Edit edit = {span, text};
  if (!span_is_none(span)) add_action(fixes, title, "quickfix", &edit, 1);
}

static void add_change(Fixes *fixes, Span span, const char *text) {
  add_fix(fixes, text_format(fixes->request->arena, "Write '%s'", text), span, text);
}

static const char *text_of(const Fixes *fixes, Span span) {
  return source_text(fixes->request->arena, fixes->source, span);
}

/* ---- one for each row ----------------------------------------------------------------------- */

static void use_name(Fixes *fixes) {
  add_change(fixes, fixes->message->span, fixes->note->args[0].text);
}

/* The kernel inside the expression that the message is about, or the name itself. */
static Span kernel_span(const Fixes *fixes) {
  const Span span = fixes->message->span;
  for (uint32_t i = 0; i < fixes->analysis->names.len; i++) {
    const NameUse *use = &fixes->analysis->names.data[i];
    if (use->kernel && span.start <= use->span.start && use->span.end <= span.end) return use->span;
  }
  return fixes->message->id == E_NOT_A_KERNEL ? span : SPAN_NONE;
}

static void use_kernel(Fixes *fixes) {
  static const char separators[] = ", ";
  const char *names = fixes->note->args[0].text;
  const Span span = kernel_span(fixes);
  while (*names) {
    const size_t len = strcspn(names, separators);
    add_change(fixes, span, arena_strdup(fixes->request->arena, names, len));
    names += len + strspn(names + len, separators);
  }
}

/* Behind the last token of the line. */
static void add_semicolon(Fixes *fixes) {
  const json_int_t line = fixes->note->args[0].value;
  uint32_t end = UINT32_MAX;
  for (uint32_t i = 0; i < fixes->analysis->lexemes.len; i++) {
    const Lexeme *lexeme = &fixes->analysis->lexemes.data[i];
    if (lexeme_is_comment(lexeme)) continue;
    if (source_line_number(fixes->source, lexeme->span.start) == line) end = lexeme->span.end;
  }
  add_fix(fixes, "Add ';'", (Span){end, end}, ";");
}

static bool swap_operator(Fixes *fixes, const char *help, const char *begin, const char *word,
                          const char *others) {
  if (strncmp(help, begin, strlen(begin)) != 0) return false;
  const LexemeList *all = &fixes->analysis->lexemes;
  const Span span = fixes->message->span;
  for (uint32_t i = 0; i < all->len; i++) {
    const Lexeme *lexeme = &all->data[i];
    if (lexeme->span.start < span.start || lexeme->span.end > span.end || !lexeme_is(lexeme, word))
      continue;
    while (*others) {
      const size_t len = strcspn(others, " ");
      add_change(fixes, lexeme->span, arena_strdup(fixes->request->arena, others, len));
      others += len + strspn(others + len, " ");
    }
    return true;
  }
  return false;
}

static bool swap_listed(Fixes *fixes, const char *help) {
#define SWAP(begin, word, others)                                                                  \
  if (swap_operator(fixes, help, begin, word, others)) return true;
#include "frontend/server/fixes.def"
  return false;
}

/* Whether help is a keyword, an operator or a load of a file, with which the text can be replaced.
 */
static bool is_word_to_write(const char *text) {
  if (strncmp(text, "load_", 5) == 0) return true;
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, "", text, strlen(text));
  const LexemeList lexemes = lex(cx);
  const Lexeme *first = lexemes.len == 1 ? &lexemes.data[0] : NULL;
  const bool is_one = first && (first->class == LEX_KEYWORD || first->class == LEX_OPERATOR) &&
                      diag_error_count(cx) == 0;
  cx_free(cx);
  return is_one;
}

static void write_instead(Fixes *fixes) {
  const char *help = fixes->note->args[0].text;
  if (swap_listed(fixes, help)) return;
  if (*help == '\'') { /* '==' to compare */
    const size_t len = strcspn(help + 1, "'");
    help = arena_strdup(fixes->request->arena, help + 1, len);
  }
  const Span own = fixes->note->span;
  if (is_word_to_write(help))
    add_change(fixes, span_is_none(own) ? fixes->message->span : own, help);
}

static void use_tensor_derivative(Fixes *fixes) {
  static const char nabla[] = "∇";
  const uint32_t start = fixes->message->span.start;
  const Span span = {start, start + (uint32_t)strlen(nabla)};
  if (strcmp(text_of(fixes, span), nabla) == 0) add_change(fixes, span, "∇⊗");
}

/* Joins this token and the one before to one operator. */
static void join_operator(Fixes *fixes) {
  const LexemeList *all = &fixes->analysis->lexemes;
  for (uint32_t i = 1; i < all->len; i++)
    if (all->data[i].span.start == fixes->message->span.start)
      add_change(fixes, span_join(all->data[i - 1].span, all->data[i].span),
                 fixes->note->args[0].text);
}

static void part_bars(Fixes *fixes) {
  const Span span = fixes->message->span;
  if (strcmp(text_of(fixes, span), "||") == 0) add_change(fixes, span, "| |");
}

static bool is_digit_at(const Source *source, uint32_t at) {
  return at < source->len && source->text[at] >= '0' && source->text[at] <= '9';
}

/* `1.` and `.5`. */
static void add_digit(Fixes *fixes) {
  const Source *source = fixes->source;
  uint32_t point = fixes->message->span.start;
  if (point > 0 && source->text[point] != '.') point--;
  while (point > 0 && (source->text[point] == ' ' || source->text[point] == '\n')) point--;
  if (source->text[point] != '.') return;
  const bool has_before = point > 0 && is_digit_at(source, point - 1);
  const bool has_after = is_digit_at(source, point + 1);
  const uint32_t at = has_before ? point + 1 : point;
  if (has_before != has_after) add_fix(fixes, "Add the digit 0", (Span){at, at}, "0");
}

static void add_version(Fixes *fixes, const char *line) {
  add_fix(fixes, text_format(fixes->request->arena, "Begin with %s", line), (Span){0, 0},
          text_format(fixes->request->arena, "%s\n", line));
}

static void add_version_one(Fixes *fixes) { add_version(fixes, "#version 1.0"); }

static void add_version_two(Fixes *fixes) { add_version(fixes, "#version 2.0"); }

static bool is_quotient(const TypedExpr *typed, const char *what) {
  const TExpr *expr = typed->expr;
  return expr->kind == TE_BUILTIN && strcmp(expr->u.builtin.row->name, what) == 0;
}

/* real(a)/b, and 1.0/b. */
static void divide_reals(Fixes *fixes) {
  const uint32_t start = fixes->message->span.start;
  const TypedExpr *quotient = expr_around(fixes->analysis, start, is_quotient, "/");
  if (!quotient || quotient->span.end != fixes->message->span.end) return;
  const Span left = quotient->expr->args.data[0]->span;
  const char *text = text_of(fixes, left);
  const bool is_literal = text[strspn(text, "0123456789")] == '\0';
  add_change(fixes, left,
             text_format(fixes->request->arena, is_literal ? "%s.0" : "real(%s)", text));
}

/* ---- border control for the image of a convolution ------------------------------------------- */

typedef struct Convolution {
  uint32_t offset;
  const AstBinary *found; /* the innermost */
} Convolution;

static void find_convolution(const Ast *node, void *state) {
  Convolution *search = state;
  if (!span_has(node->span, search->offset)) return;
  if (node->kind == AST_BINARY && strcmp(ast_as_binary(node)->op.name->text, "⊛") == 0)
    search->found = ast_as_binary(node);
  ast_each_child(node, find_convolution, search);
}

static bool is_image(const Fixes *fixes, const Ast *node) {
  const NameUse *use = node->kind == AST_ID ? use_at(fixes->analysis, node->span.start) : NULL;
  return use && use->var && type_is(use->var->ty, TY_IMAGE);
}

static void offer_borders(Fixes *fixes, uint32_t offset) {
  static const char *const borders[] = {"clamp", "mirror", "wrap"};
  Convolution search = {offset, NULL};
  if (fixes->analysis->program) find_convolution(fixes->analysis->program, &search);
  if (!search.found) return;
  const Ast *image = is_image(fixes, search.found->left) ? search.found->left : search.found->right;
  if (!is_image(fixes, image)) return;
  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
    const char *text =
        text_format(fixes->request->arena, "%s(%s)", borders[i], text_of(fixes, image->span));
    const Edit edit = {image->span, text};
    add_action(fixes, text_format(fixes->request->arena, "Choose values beyond the edge: %s", text),
               "refactor.rewrite", &edit, 1);
  }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void fix_by(Fixes *fixes, DiagId id) {
  switch (id) {
#define FIX(message, function)                                                                     \
  case message:                                                                                    \
    function(fixes);                                                                               \
    break;
#include "frontend/server/fixes.def"
  default: break; /* the other messages have no fixes */
  }
}

static void fix_message(Fixes *fixes, const DiagMessage *message) {
  fixes->message = fixes->note = message;
  fix_by(fixes, message->id);
  for (fixes->note = message->notes; fixes->note; fixes->note = fixes->note->next)
    fix_by(fixes, fixes->note->id);
}

static bool is_wanted(const Request *request, const char *kind) {
  const json_t *only = json_object_get(json_object_get(request->params, "context"), "only");
  size_t i;
  json_t *wanted;
  if (!json_is_array(only)) return true;
  json_array_foreach(only, i, wanted) {
    const char *name = json_is_string(wanted) ? json_string_value(wanted) : "?";
    if (strncmp(kind, name, strlen(name)) == 0) return true;
  }
  return false;
}

void handle_code_action(Request *request) {
  Span range;
  Fixes fixes = {.request = request, .source = request->document->source};
  if (!find_span(request->server, fixes.source, json_object_get(request->params, "range"),
                 &range)) {
    request_fail(request, ERROR_PARAMS, "range is not in the document");
    return;
  }
  fixes.analysis = request_analysis(request);
  fixes.actions = json_array();
  for (uint32_t i = 0; i < fixes.analysis->n_messages && is_wanted(request, "quickfix"); i++) {
    const DiagMessage *message = diag_message_at(fixes.analysis->cx, i);
    const Span span = span_is_none(message->span) ? (Span){0, 0} : message->span;
    if (span.start <= range.end && range.start <= span.end) fix_message(&fixes, message);
  }
  fixes.message = NULL;
  if (is_wanted(request, "refactor.rewrite")) offer_borders(&fixes, range.start);
  request->result = fixes.actions;
}
