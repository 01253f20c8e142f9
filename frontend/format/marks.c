/* Marks: the roles of tokens in the tree, as far as spaces and lines depend on them. */
#include <string.h>

#include "frontend/format/local.h"

/* The item that begins at the byte. */
static Item *item_at(Format *format, uint32_t start) {
  uint32_t low = 0, high = format->n_items;
  while (low + 1 < high) {
    const uint32_t mid = (low + high) / 2;
    if (format->items[mid].lexeme.span.start <= start) low = mid;
    else high = mid;
  }
  return &format->items[low];
}

static void mark(Format *format, uint32_t start, unsigned marks) {
  item_at(format, start)->marks |= marks;
}

static void mark_pair(Format *format, Item *open, unsigned marks) {
  open->marks |= marks;
  if (open->partner != NO_BRACKET) format->items[open->partner].marks |= marks;
}

/* The next item spelled `word`, from the byte on. */
static Item *find_item(Format *format, uint32_t start, const char *word) {
  Item *item = item_at(format, start);
  const Item *last = &format->items[format->n_items - 1];
  while (item < last && !item_is(item, word)) item++;
  return item;
}

/* The commas directly inside the bracket. */
static void tighten_commas(Format *format, const Item *open) {
  for (int i = (int)(open - format->items) + 1; i < open->partner; i++) {
    Item *item = &format->items[i];
    if (item->partner > i) i = item->partner;
    else if (item_is(item, ",")) item->marks |= MARK_TIGHT;
  }
}

/* Whether the node is in parentheses: its span is the text inside them. */
static bool is_in_parentheses(Format *format, const Ast *node) {
  const Item *first = item_at(format, node->span.start),
             *last = item_at(format, node->span.end - 1);
  return first > format->items && first[-1].partner == (int)(last + 1 - format->items);
}

/* `0..n-1`: sums that are bounds, but nothing in brackets. */
static void tighten_bound(Format *format, const Ast *bound) {
  if (bound->kind != AST_BINARY || is_in_parentheses(format, bound)) return;
  for (Item *item = item_at(format, bound->span.start);
       item < format->items + format->n_items && item->lexeme.span.end <= bound->span.end; item++) {
    if (item_opens(item) && item->partner != NO_BRACKET) item = &format->items[item->partner];
    else if (item->marks & MARK_INFIX && !item_is(item, "%")) item->marks |= MARK_TIGHT;
  }
}

static void mark_range(Format *format, const AstRange *range) {
  mark(format, range->op.span.start, MARK_INFIX | MARK_TIGHT);
  tighten_bound(format, range->low);
  tighten_bound(format, range->high);
}

static void mark_body(Format *format, const Ast *body) {
  if (body && body->kind != AST_BLOCK) mark(format, body->span.start, MARK_LOOSE);
}

static void mark_if(Format *format, const AstIf *node) {
  mark_body(format, node->then_part);
  if (node->else_part && node->else_part->kind != AST_IF) mark_body(format, node->else_part);
}

static void mark_strand(Format *format, const AstStrand *strand) {
  Item *open = find_item(format, strand->name.span.end, "(");
  open->marks |= MARK_PARAMS;
  const uint32_t end = format->items[open->partner].lexeme.span.end;
  mark_pair(format, find_item(format, end, "{"), MARK_BLOCK);
}

static void mark_creation(Format *format, const AstCreation *creation) {
  Item *item = item_at(format, creation->head.span.start);
  while (item->partner == NO_BRACKET) item++;
  mark_pair(format, item, MARK_SPACED);
}

static void mark_input(Format *format, const AstInput *input) {
  mark(format, input->name.span.start, MARK_DECLARED);
  if (input->description) find_item(format, input->name.span.end, "(")->marks |= MARK_DESCRIPTION;
}

static void mark_index(Format *format, const AstIndex *index) {
  Item *item = item_at(format, index->head.span.end - 1);
  if (item->partner != NO_BRACKET) tighten_commas(format, &format->items[item->partner]);
}

static void mark_function(Format *format, const AstFunction *function) {
  find_item(format, function->name.span.end, "(")->marks |= MARK_PARAMS;
}

static void mark_norm(Format *format, const Ast *norm) {
  mark(format, norm->span.start, MARK_NORM_OPEN);
  mark(format, norm->span.end - 1, MARK_NORM_CLOSE);
}

/* One case for each kind of node that sets marks; other nodes only have children. */
static void visit(const Ast *node, void *state) {
  Format *format = state;
  ast_each_child(node, visit, format);
  switch (node->kind) {
  case AST_BLOCK: mark_pair(format, item_at(format, node->span.start), MARK_BLOCK); break;
  case AST_COMPREHEND: mark_pair(format, item_at(format, node->span.start), MARK_SPACED); break;
  case AST_CREATION: mark_creation(format, ast_as_creation(node)); break;
  case AST_STRAND: mark_strand(format, ast_as_strand(node)); break;
  case AST_FUNCTION: mark_function(format, ast_as_function(node)); break;
  case AST_INPUT: mark_input(format, ast_as_input(node)); break;
  case AST_CONST: mark(format, ast_as_const(node)->name.span.start, MARK_DECLARED); break;
  case AST_VAR: mark(format, ast_as_var(node)->name.span.start, MARK_DECLARED); break;
  case AST_STATE: mark(format, ast_as_state(node)->name.span.start, MARK_DECLARED); break;
  case AST_FIELD_FUN: mark(format, ast_as_field_fun(node)->name.span.start, MARK_DECLARED); break;
  case AST_IF: mark_if(format, ast_as_if(node)); break;
  case AST_FOREACH: mark_body(format, ast_as_foreach(node)->body); break;
  case AST_UNARY: mark(format, ast_as_unary(node)->op.span.start, MARK_PREFIX); break;
  case AST_BINARY: mark(format, ast_as_binary(node)->op.span.start, MARK_INFIX); break;
  case AST_AND: mark(format, ast_as_and(node)->op.span.start, MARK_INFIX); break;
  case AST_OR: mark(format, ast_as_or(node)->op.span.start, MARK_INFIX); break;
  case AST_RANGE: mark_range(format, ast_as_range(node)); break;
  case AST_NORM: mark_norm(format, node); break;
  case AST_INDEX: mark_index(format, ast_as_index(node)); break;
  case AST_SHAPE: tighten_commas(format, item_at(format, node->span.start)); break;
  default: break;
  }
}

static void find_partners(Format *format) {
  VEC(uint32_t) open = {0};
  for (uint32_t i = 0; i < format->n_items; i++) {
    Item *item = &format->items[i];
    item->partner = NO_BRACKET;
    if (item_opens(item)) vec_push(format->arena, &open, i);
    if (!item_closes(item) || open.len == 0) continue;
    item->partner = (int)vec_pop(&open);
    format->items[item->partner].partner = (int)i;
  }
}

void find_marks(Format *format, const Ast *program) {
  find_partners(format);
  visit(program, format);
}
