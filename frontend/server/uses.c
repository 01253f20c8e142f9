/* Uses: the name or expression at a place of the text, and what it means. */
#include <string.h>

#include "frontend/server/local.h"

bool span_has(Span span, uint32_t offset) { return span.start <= offset && offset <= span.end; }

const NameUse *use_at(const Analysis *analysis, uint32_t offset) {
  uint32_t low = 0, high = analysis->names.len;
  while (low < high) {
    const uint32_t mid = (low + high) / 2;
    if (analysis->names.data[mid].span.end < offset) low = mid + 1;
    else high = mid;
  }
  const NameUse *use = low < analysis->names.len ? &analysis->names.data[low] : NULL;
  /* `a(b`: between two names the second one is meant. */
  if (use && use->span.end == offset && low + 1 < analysis->names.len &&
      use[1].span.start == offset)
    use++;
  return use && span_has(use->span, offset) ? use : NULL;
}

/* The place where a name is declared. A field with a reduction has a variable and a function, both
 * declared at its name. */
static uint32_t place_of(const NameUse *use) {
  if (use->var) return use->var->span.start;
  return use->fun ? use->fun->span.start : UINT32_MAX;
}

bool is_same_thing(const NameUse *a, const NameUse *b) {
  if (place_of(a) != UINT32_MAX) return place_of(a) == place_of(b);
  if (a->strand) return a->strand == b->strand;
  if (a->kernel) return a->kernel == b->kernel;
  return a->builtin && b->builtin && strcmp(a->builtin, b->builtin) == 0;
}

uint32_t number_of_declaration(const Analysis *analysis, const NameUse *use) {
  if (use->strand) return analysis->strand;
  const NameUse *declared = place_of(use) != UINT32_MAX ? use_at(analysis, place_of(use)) : NULL;
  const bool is_found = declared && declared->is_declaration && is_same_thing(use, declared);
  return is_found ? (uint32_t)(declared - analysis->names.data) : analysis->names.len;
}

Span declaration_of(const Analysis *analysis, const NameUse *use) {
  const uint32_t i = number_of_declaration(analysis, use);
  return i < analysis->names.len ? analysis->names.data[i].span : SPAN_NONE;
}

const Lexeme *lexeme_at(const Analysis *analysis, uint32_t offset) {
  const LexemeList *all = &analysis->lexemes;
  const Lexeme *found = NULL;
  for (uint32_t i = 0; i < all->len && all->data[i].span.start <= offset; i++)
    if (span_has(all->data[i].span, offset)) found = &all->data[i];
  return found;
}

const TypedExpr *expr_around(const Analysis *analysis, uint32_t offset,
                             bool (*fits)(const TypedExpr *expr, const char *what),
                             const char *what) {
  const TypedExpr *best = NULL;
  for (uint32_t i = 0; i < analysis->record.exprs.len; i++) {
    const TypedExpr *typed = &analysis->record.exprs.data[i];
    if (typed->span.start > offset || typed->span.end <= offset || !fits(typed, what)) continue;
    if (!best || typed->span.end - typed->span.start < best->span.end - best->span.start)
      best = typed;
  }
  return best;
}

/* ---- declarations --------------------------------------------------------------------------- */

typedef struct Search {
  uint32_t start;
  const Ast *found;
} Search;

static void look_for(const Ast *node, void *state) {
  Search *search = state;
  const Ident *name = ast_declared_name(node);
  if (search->found || node->span.end < search->start || node->span.start > search->start) return;
  if (name && name->span.start == search->start) search->found = node;
  else ast_each_child(node, look_for, search);
}

const Ast *declaring_node(const Ast *program, uint32_t name_start) {
  Search search = {name_start, NULL};
  if (program) look_for(program, &search);
  return search.found;
}

const char *source_text(Arena *a, const Source *source, Span span) {
  if (span.end > source->len || span.end < span.start) return "";
  return arena_strdup(a, source->text + span.start, span.end - span.start);
}

/* ---- scopes --------------------------------------------------------------------------------- */

SymbolList symbols_new(Arena *a) {
  return (SymbolList){.names = name_table_new(a), .seen = map_new(a)};
}

static void add_symbol(Arena *a, SymbolList *list, const Symbol *symbol) {
  const Name *name = name_intern(list->names, symbol->name->text, symbol->name->len);
  if (map_has(list->seen, name)) return;
  map_put(list->seen, name, NULL);
  vec_push(a, list, symbol);
}

void symbols_add(Arena *a, SymbolList *list, const Analysis *analysis, uint32_t offset) {
  for (uint32_t i = analysis->record.scopes.len; i-- > 0;) {
    const ScopeRange *range = &analysis->record.scopes.data[i];
    if (!span_has(range->span, offset)) continue;
    for (uint32_t k = scope_len(range->scope); k-- > 0;) {
      const Symbol *symbol = scope_at(range->scope, k);
      const bool is_strand = !symbol->var && !symbol->fun;
      if (symbol->name->len > 0 && (symbol->span.start < offset || is_strand))
        add_symbol(a, list, symbol);
    }
  }
}

static const char *function_type(Cx *cx, const TFun *fun) {
  Text text = text_new(cx->arena);
  text_addf(&text, "%s (", type_text(cx, fun->result));
  for (uint32_t i = 0; i < fun->params.len; i++)
    text_addf(&text, "%s%s %s", i > 0 ? ", " : "", type_text(cx, fun->params.data[i]->ty),
              fun->params.data[i]->name->text);
  text_add(&text, ")");
  return text_str(&text);
}

const char *type_of_symbol(const Analysis *analysis, const Symbol *symbol) {
  if (symbol->var) return type_text(analysis->cx, symbol->var->ty);
  return symbol->fun ? function_type(analysis->cx, symbol->fun) : "strand";
}
