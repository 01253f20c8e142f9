/* Completion: names in scope, words of the language, and characters by their names behind a
 * backslash.
 */
#include <string.h>

#include "frontend/lang/builtin.h"
#include "frontend/server/local.h"

/* Kinds of the protocol. */
enum {
  ITEM_TEXT = 1,
  ITEM_METHOD = 2,
  ITEM_FUNCTION = 3,
  ITEM_FIELD = 5,
  ITEM_VARIABLE = 6,
  ITEM_CLASS = 7,
  ITEM_PROPERTY = 10,
  ITEM_VALUE = 12,
  ITEM_KEYWORD = 14,
  ITEM_CONSTANT = 21
};

typedef struct Completion {
  Request *request;
  const Analysis *analysis;
  json_t *items;
  SymbolList symbols; /* that may be used at the place */
} Completion;

/* Adds an item; those of smaller rank come first. */
static json_t *add_item(const Completion *completion, const char *label, int kind,
                        const char *detail, char rank) {
  const char *sort = text_format(completion->request->arena, "%c%s", rank, label);
  json_t *item = json_pack("{s:s, s:i, s:s, s:s}", "label", label, "kind", kind, "detail", detail,
                           "sortText", sort);
  json_array_append_new(completion->items, item);
  return item;
}

/* ---- characters ----------------------------------------------------------------------------- */

static const struct {
  const char *text, *name, *meaning;
} characters[] = {
#define UNICODE(text, name, digraph, meaning) {text, name, meaning},
#include "frontend/syntax/unicode.def"
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Where the backslash stands before the letters that end at the place; false when there is none. */
static bool find_backslash(const Source *source, uint32_t offset, uint32_t *at) {
  *at = offset;
  while (*at > 0 && is_letter(source->text[*at - 1])) (*at)--;
  return *at > 0 && source->text[--(*at)] == '\\';
}

static void add_characters(const Completion *completion, Span span) {
  Request *request = completion->request;
  for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
    const char *typed = text_format(request->arena, "\\%s", characters[i].name);
    const char *label = text_format(request->arena, "%s %s", characters[i].text, typed);
    json_t *item = add_item(completion, label, ITEM_TEXT, characters[i].meaning, 'a');
    json_object_set_new(item, "filterText", json_string(typed));
    json_object_set_new(
        item, "textEdit",
        edit_json(request->server, request->document->source, span, characters[i].text));
  }
}

/* ---- behind a point ------------------------------------------------------------------------- */

static void add_state(const Completion *completion) {
  const Analysis *good = completion->request->document->good;
  const bool is_better = good && !completion->analysis->is_whole;
  const NameUseList *names = is_better ? &good->names : &completion->analysis->names;
  for (uint32_t i = 0; i < names->len; i++) {
    const NameUse *use = &names->data[i];
    if (use->is_declaration && use->var && use->var->kind == TV_STATE)
      add_item(completion, use->var->name->text, ITEM_FIELD,
               type_text(completion->analysis->cx, use->var->ty), 'a');
  }
}

static void add_sets(const Completion *completion) {
  add_item(completion, "all", ITEM_PROPERTY, "all strands", 'a');
  add_item(completion, "active", ITEM_PROPERTY, "strands that are neither stable nor dead", 'a');
  add_item(completion, "stable", ITEM_PROPERTY, "strands that are stable", 'a');
}

/* While a line is being written, more than that line may fail to parse. Then the last good analysis
 * is used: the text before the place is often the same. */
static SymbolList symbols_before(const Completion *completion) {
  const Request *request = completion->request;
  const Analysis *good = request->document->good;
  SymbolList list = symbols_new(request->arena);
  symbols_add(request->arena, &list, completion->analysis, request->offset);
  if (completion->analysis->is_whole || !good) return list;
  const char *now = request->document->source->text, *then = good->cx->source->text;
  uint32_t offset = 0;
  while (offset < request->offset && now[offset] && now[offset] == then[offset]) offset++;
  symbols_add(request->arena, &list, good, offset);
  return list;
}

static const Symbol *named(const SymbolList *symbols, const Name *name) {
  for (uint32_t i = 0; i < symbols->len; i++)
    if (strcmp(symbols->data[i]->name->text, name->text) == 0) return symbols->data[i];
  return NULL;
}

/* Members behind `p.` for a strand p, or `s.` for the strand s itself. While the line is being
 * written, the type of p is often not known: then it may be a strand. */
static void add_members(const Completion *completion, const Lexeme *base) {
  const Symbol *symbol = base->class == LEX_NAME ? named(&completion->symbols, base->name) : NULL;
  const bool is_strand = symbol && !symbol->var && !symbol->fun;
  if (is_strand) add_sets(completion);
  else if (!symbol || !symbol->var || type_is(symbol->var->ty, TY_STRAND)) add_state(completion);
}

/* ---- names and words ------------------------------------------------------------------------ */

static int item_kind(const Symbol *symbol) {
  if (symbol->fun) return ITEM_FUNCTION;
  if (!symbol->var) return ITEM_CLASS;
  switch (symbol->var->kind) {
  case TV_CONST: return ITEM_CONSTANT;
  case TV_INPUT: return ITEM_PROPERTY;
  case TV_STATE: return ITEM_FIELD;
  default: return ITEM_VARIABLE; /* parameters, locals and iterators */
  }
}

/* If an image, a kernel, or an argument of some type is expected, such names come first. */
static void add_symbols(const Completion *completion, bool is_convolved) {
  const SymbolList symbols = completion->symbols;
  const Analysis *analysis = completion->analysis;
  const Call call = call_around(&analysis->lexemes, completion->request->offset);
  const Symbol *callee = call.callee ? named(&symbols, call.callee->name) : NULL;
  for (uint32_t i = 0; i < symbols.len; i++) {
    const Symbol *symbol = symbols.data[i];
    const Type *ty = symbol->var ? symbol->var->ty : NULL;
    bool is_fit = true;
    if (is_convolved) is_fit = ty && (type_is(ty, TY_IMAGE) || type_is(ty, TY_KERNEL));
    else if (call.callee && ty) is_fit = call_takes(analysis, &call, callee, ty);
    add_item(completion, symbol->name->text, item_kind(symbol), type_of_symbol(analysis, symbol),
             is_fit ? 'a' : 'c');
  }
}

/* Whether a declaration of the program hides a word of the language. */
static bool is_hidden(const Completion *completion, const char *word) {
  return map_has(completion->symbols.seen, name_from(completion->symbols.names, word));
}

static bool is_word(const char *name) { return is_letter(*name) && strcmp(name, "neg") != 0; }

static void add_builtins(const Completion *completion) {
  const char *before = "";
  for (int i = 0; i < BI_COUNT; i++) { /* rows of one name are adjacent */
    const Builtin *row = builtin_row((BuiltinId)i);
    const bool is_first = strcmp(row->name, before) != 0 && strcmp(row->name, "norm") != 0;
    if (is_first && is_word(row->name) && !is_hidden(completion, row->name)) {
      json_t *item = add_item(completion, row->name, ITEM_FUNCTION, row->sig, 'd');
      json_object_set_new(item, "documentation", json_string(row->meaning));
    }
    before = row->name;
  }
}

static void add_kernels(const Completion *completion, char rank) {
  for (uint32_t i = 0; i < kernel_count(); i++) {
    const Kernel *kernel = kernel_at(i);
    if (is_hidden(completion, kernel->name)) continue;
    const char *detail = text_format(completion->request->arena, "kernel#%u, support %u",
                                     kernel->continuity, kernel->support);
    add_item(completion, kernel->name, ITEM_VALUE, detail, rank);
  }
}

static void add_keywords(const Completion *completion, AstVersion version) {
#define V1 1
#define V2 2
#define BOTH (V1 | V2)
  static const struct {
    const char *word;
    unsigned versions;
  } keywords[] = {
#define KEYWORD(id, spelling, versions, roles, other) {spelling, versions},
#include "frontend/syntax/tokens.def"
  };
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (keywords[i].versions & (version == AST_V1 ? V1 : V2))
      add_item(completion, keywords[i].word, ITEM_KEYWORD, "keyword", 'e');
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The last lexeme that ends before the word that is being written. */
static const Lexeme *lexeme_before(const LexemeList *all, uint32_t offset) {
  const Lexeme *before = NULL;
  for (uint32_t i = 0; i < all->len && all->data[i].span.end <= offset; i++) {
    const Lexeme *lexeme = &all->data[i];
    const bool is_word = lexeme->class == LEX_NAME || lexeme->class == LEX_KEYWORD;
    if (!is_word || lexeme->span.end < offset) before = lexeme;
  }
  return before;
}

static bool is_in_comment_or_string(const Analysis *analysis, uint32_t offset) {
  const Lexeme *lexeme = lexeme_at(analysis, offset);
  if (!lexeme || lexeme->span.start >= offset) return false;
  if (lexeme->class == LEX_LINE_COMMENT) return true;
  return (lexeme->class == LEX_BLOCK_COMMENT || lexeme->class == LEX_STRING) &&
         offset < lexeme->span.end;
}

static AstVersion version_of(const Analysis *analysis) {
  return analysis->program ? ast_as_program(analysis->program)->version : AST_V2;
}

static void complete(Completion *completion) {
  completion->symbols = symbols_before(completion);
  const Analysis *analysis = completion->analysis;
  const Lexeme *before = lexeme_before(&analysis->lexemes, completion->request->offset);
  if (before && lexeme_is(before, ".")) {
    if (before > analysis->lexemes.data) add_members(completion, before - 1);
    return;
  }
  const bool is_convolved = before && lexeme_is(before, "⊛");
  add_symbols(completion, is_convolved);
  add_kernels(completion, is_convolved ? 'b' : 'd');
  add_builtins(completion);
  add_keywords(completion, version_of(analysis));
}

void handle_completion(Request *request) {
  Completion completion = {
      .request = request, .analysis = request_analysis(request), .items = json_array()};
  uint32_t backslash;
  request->result = completion.items;
  if (find_backslash(request->document->source, request->offset, &backslash))
    add_characters(&completion, (Span){backslash, request->offset});
  else if (!is_in_comment_or_string(completion.analysis, request->offset)) complete(&completion);
}
