/* nodes.c: spans, lists and nodes that take more than a constructor. */
#include "frontend/syntax/local.h"

Span span_of_parts(const Span *parts, int n) {
  if (n == 0) return (Span){parts[0].end, parts[0].end};
  int first = 1;
  int last = n;
  while (first < last && parts[first].start == parts[first].end) first++;
  while (last > first && parts[last].start == parts[last].end) last--;
  return (Span){parts[first].start, parts[last].end};
}

const Ast *missing_strand(Parser *parser, Span span) {
  const Ident name = {name_from(parser->cx->names, ""), span};
  return NODE(Strand, span, name, (AstList){0}, (AstList){0}, NULL, (AstList){0});
}

const Ast *missing_creation(Parser *parser, Span span) {
  const Ast *body = NODE(Sequence, span, (AstList){0});
  return NODE(Creation, span, true, body, (AstList){0});
}

AstList list_of(Parser *parser, const Ast *node) { return list_add(parser, (AstList){0}, node); }

AstList list_add(Parser *parser, AstList list, const Ast *node) {
  if (node) vec_push(parser->arena, &list, node);
  return list;
}

const Ast *int_node(Parser *parser, Ident digits) {
  uint64_t value = 0;
  bool overflow = false;
  for (uint32_t i = 0; i < digits.name->len; i++) {
    const unsigned digit = (unsigned)(digits.name->text[i] - '0');
    overflow |= value > (UINT64_MAX - digit) / 10;
    value = value * 10 + digit;
  }
  return NODE(Int, digits.span, digits.name, value, overflow);
}
