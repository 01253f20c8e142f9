/* --dump=ast: the tree as text. Declarations and statements take a line each, labelled with the
 * field of the parent they stand in; expressions, types and parameters are bracketed in one line:
 *
 *   methods: method which=update name=update
 *     body: block
 *       stmts: assign name=x op=+= value=(2 * (call f x))
 *
 * Brackets show the grouping, so this is also how precedence is tested. Fields come from ast.def.
 */
#include <string.h>

#include "frontend/syntax/ast.h"

typedef struct Printer {
  FILE *out;
  bool is_open; /* a bracket was just opened: no space yet */
} Printer;

static void print_inline(const Ast *node, Printer *to);
static void print_line(const Ast *node, const char *label, int indent, Printer *to);

static bool is_inline(const Ast *node) {
  switch (node->kind) {
  case AST_PARAM:
  case AST_ITERATOR:
  case AST_SHAPE:
  case AST_WHOLE: return true;
  default: return ast_class(node->kind) == AST_EXPR || ast_class(node->kind) == AST_TYPE;
  }
}

/* Whether the node is printed without its kind: names, literals, and operators, which stand between
 * their operands. */
static bool is_bare(AstKind kind) {
  switch (kind) {
  case AST_ID:
  case AST_INT:
  case AST_REAL:
  case AST_STRING:
  case AST_BOOL:
  case AST_TYPE_BASIC:
  case AST_TYPE_NAMED:
  case AST_BINARY:
  case AST_UNARY:
  case AST_AND:
  case AST_OR:
  case AST_RANGE: return true;
  default: return false;
  }
}

static void print_quoted(const Name *text, Printer *to) {
  fputc('"', to->out);
  for (uint32_t i = 0; i < text->len; i++) {
    unsigned char byte = (unsigned char)text->text[i];
    if (byte < ' ' || byte > '~') fprintf(to->out, "\\%03u", byte);
    else if (byte == '"' || byte == '\\') fprintf(to->out, "\\%c", byte);
    else fputc(byte, to->out);
  }
  fputc('"', to->out);
}

static void print_code_AstVersion(AstVersion version, Printer *to) {
  fputs(version == AST_V1 ? "1.0" : "2.0", to->out);
}

static void print_code_AstMethodKind(AstMethodKind method, Printer *to) {
  static const char *const words[METHOD_COUNT] = {"start", "update", "stabilize"};
  fputs(words[method], to->out);
}

static void print_code_bool(bool value, Printer *to) { fputs(value ? "true" : "false", to->out); }

static void print_code_uint64_t(uint64_t value, Printer *to) {
  fprintf(to->out, "%llu", (unsigned long long)value);
}

/* Inside brackets: the fields in source order, separated by spaces, absent ones as "-". */

static void print_gap(Printer *to) {
  if (!to->is_open) fputc(' ', to->out);
  to->is_open = false;
}

static void print_part(const Ast *child, Printer *to) {
  print_gap(to);
  if (child) print_inline(child, to);
  else fputc('-', to->out);
}

static void print_parts(const AstList *list, Printer *to) {
  for (uint32_t i = 0; i < list->len; i++) print_part(list->data[i], to);
}

#define AST(ID, Type, name, class, fields)                                                         \
  static void inline_##name(const Ast##Type *node, Printer *to) {                                  \
    (void)node, (void)to;                                                                          \
    fields                                                                                         \
  }
#define CHILD(field) print_part(node->field, to);
#define OPT(field) print_part(node->field, to);
#define LIST(field) print_parts(&node->field, to);
#define IDENT(field) print_gap(to), fputs(node->field.name->text, to->out);
#define NAME(field) print_gap(to), fputs(node->field->text, to->out);
#define CODE(type, field) print_gap(to), print_code_##type(node->field, to);
#include "frontend/syntax/ast.def"

static void print_fields(const Ast *node, Printer *to) {
  switch (node->kind) {
#define AST(ID, Type, name, class, fields)                                                         \
  case AST_##ID:                                                                                   \
    inline_##name(ast_as_##name(node), to);                                                        \
    break;
#include "frontend/syntax/ast.def"
  case AST_COUNT: break;
  }
}

static void print_inline(const Ast *node, Printer *to) {
  switch (node->kind) {
  case AST_ID: fputs(ast_as_id(node)->name.name->text, to->out); return;
  case AST_TYPE_BASIC: fputs(ast_as_type_basic(node)->name.name->text, to->out); return;
  case AST_TYPE_NAMED: fputs(ast_as_type_named(node)->name.name->text, to->out); return;
  case AST_INT: fputs(ast_as_int(node)->digits->text, to->out); return;
  case AST_REAL: fputs(ast_as_real(node)->digits->text, to->out); return;
  case AST_BOOL: print_code_bool(ast_as_bool(node)->value, to); return;
  case AST_STRING: print_quoted(ast_as_string(node)->text, to); return;
  default: break;
  }
  fputc('(', to->out);
  to->is_open = is_bare(node->kind);
  if (!to->is_open) fputs(ast_kind_name(node->kind), to->out);
  print_fields(node, to);
  fputc(')', to->out);
}

/* On a line: first the fields that fit there, then those that need lines of their own. */

static void print_here(const Ast *child, const char *field, Printer *to) {
  if (!child || !is_inline(child)) return;
  fprintf(to->out, " %s=", field);
  print_inline(child, to);
}

static void print_list_here(const AstList *list, const char *field, Printer *to) {
  if (list->len == 0 || !is_inline(list->data[0])) return;
  fprintf(to->out, " %s=[", field);
  for (uint32_t i = 0; i < list->len; i++) {
    if (i > 0) fputs(", ", to->out);
    print_inline(list->data[i], to);
  }
  fputc(']', to->out);
}

#define AST(ID, Type, name, class, fields)                                                         \
  static void here_##name(const Ast##Type *node, Printer *to) {                                    \
    (void)node, (void)to;                                                                          \
    fields                                                                                         \
  }
#define CHILD(field) print_here(node->field, #field, to);
#define OPT(field) print_here(node->field, #field, to);
#define LIST(field) print_list_here(&node->field, #field, to);
#define IDENT(field) fprintf(to->out, " " #field "=%s", node->field.name->text);
#define NAME(field) fprintf(to->out, " " #field "=%s", node->field->text);
#define CODE(type, field) fputs(" " #field "=", to->out), print_code_##type(node->field, to);
#include "frontend/syntax/ast.def"

static void print_below(const Ast *child, const char *field, int indent, Printer *to) {
  if (child && !is_inline(child)) print_line(child, field, indent, to);
}

static void print_list_below(const AstList *list, const char *field, int indent, Printer *to) {
  for (uint32_t i = 0; i < list->len; i++) print_below(list->data[i], field, indent, to);
}

#define AST(ID, Type, name, class, fields)                                                         \
  static void below_##name(const Ast##Type *node, int indent, Printer *to) {                       \
    (void)node, (void)indent, (void)to;                                                            \
    fields                                                                                         \
  }
#define CHILD(field) print_below(node->field, #field, indent, to);
#define OPT(field) print_below(node->field, #field, indent, to);
#define LIST(field) print_list_below(&node->field, #field, indent, to);
#include "frontend/syntax/ast.def"

static void print_line(const Ast *node, const char *label, int indent, Printer *to) {
  fprintf(to->out, "%*s%s%s%s", indent, "", label, label[0] ? ": " : "", ast_kind_name(node->kind));
  switch (node->kind) {
#define AST(ID, Type, name, class, fields)                                                         \
  case AST_##ID:                                                                                   \
    here_##name(ast_as_##name(node), to);                                                          \
    fputc('\n', to->out);                                                                          \
    below_##name(ast_as_##name(node), indent + 2, to);                                             \
    break;
#include "frontend/syntax/ast.def"
  case AST_COUNT: break;
  }
}

void ast_print(const Ast *node, FILE *out) {
  Printer to = {out, false};
  if (!is_inline(node)) {
    print_line(node, "", 0, &to);
    return;
  }
  print_inline(node, &to);
  fputc('\n', out);
}
