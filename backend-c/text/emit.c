/* Emit: see emit.h. */
#include "backend-c/text/emit.h"

#include <string.h>

static void indent(Emit *em) {
  for (uint32_t i = 0; i < em->depth; i++) text_add(&em->out, "  ");
}

static void open(Emit *em, const char *head) {
  text_addf(&em->out, "%s {\n", head);
  em->depth++;
}

/* Puts "ddr_real " or "struct ray *": what precedes the declared name. */
static void type_and_gap(Emit *em, const char *type) {
  bool is_pointer = type[0] && type[strlen(type) - 1] == '*';
  text_addf(&em->out, is_pointer ? "%s" : "%s ", type);
}

/* ---- lines of their own ---------------------------------------------------------------------- */

void em_define(Emit *em, const char *macro) { text_addf(&em->out, "#define %s\n", macro); }
void em_constants(Emit *em, const char *names) { text_addf(&em->out, "enum { %s };\n", names); }
void em_include(Emit *em, const char *header) { text_addf(&em->out, "#include \"%s\"\n", header); }
void em_include_system(Emit *em, const char *header) {
  text_addf(&em->out, "#include <%s>\n", header);
}
void em_pragma(Emit *em, const char *words) { text_addf(&em->out, "#pragma %s\n", words); }
void em_blank(Emit *em) { text_add(&em->out, "\n"); }

/* Puts text that cannot end the comment. */
static void comment_text(Emit *em, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    bool would_end = text[i] == '*' && i + 1 < len && text[i + 1] == '/';
    bool would_open = text[i] == '/' && i + 1 < len && text[i + 1] == '*';
    bool is_control = (unsigned char)text[i] < ' ';
    text_add_n(&em->out, is_control ? " " : text + i, 1);
    if (would_end || would_open) text_add(&em->out, " ");
  }
}

void em_comment(Emit *em, const char *text) {
  indent(em);
  text_add(&em->out, "/* ");
  comment_text(em, text, strlen(text));
  text_add(&em->out, " */\n");
}

static void line_comment(Emit *em, uint32_t line) {
  uint32_t len;
  const char *text = source_line(em->cx->source, line, &len);
  while (len > 0 && (*text == ' ' || *text == '\t')) text++, len--;
  while (len > 0 && (unsigned char)text[len - 1] <= ' ') len--;
  indent(em);
  text_addf(&em->out, "/* line %u: ", line);
  comment_text(em, text, len);
  text_add(&em->out, " */\n");
}

const char *em_source_path(const Emit *em) {
  const char *path = em->cx->source->path;
  return *path == '/' ? strrchr(path, '/') + 1 : path;
}

bool em_source(Emit *em, Span span) {
  const Source *source = em->cx->source;
  if (!source || span_is_none(span) || span.start > source->len) return false;
  uint32_t line = source_position(source, span.start).line;
  if (line == em->line) return false;
  em->line = line;
  if (!em->with_line_marks) {
    line_comment(em, line);
    return true;
  }
  text_addf(&em->out, "#line %u ", line);
  c_print(&em->out, c_string(em->cx, em_source_path(em)));
  text_add(&em->out, "\n");
  return true;
}

/* ---- around headers -------------------------------------------------------------------------- */

void em_open_guard(Emit *em, const char *macro) {
  text_addf(&em->out, "#ifndef %s\n#define %s\n", macro, macro);
}
void em_close_guard(Emit *em) { text_add(&em->out, "#endif\n"); }

void em_open_c_linkage(Emit *em) {
  text_add(&em->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
}
void em_close_c_linkage(Emit *em) { text_add(&em->out, "#ifdef __cplusplus\n}\n#endif\n"); }

/* ---- blocks ---------------------------------------------------------------------------------- */

void em_open_struct(Emit *em, const char *tag) {
  text_addf(&em->out, "struct %s", tag);
  open(em, "");
}

void em_field(Emit *em, const char *type, const char *name, uint32_t count) {
  indent(em);
  type_and_gap(em, type);
  text_add(&em->out, name);
  if (count > 1) text_addf(&em->out, "[%u]", count);
  text_add(&em->out, ";\n");
}

void em_field_array(Emit *em, const char *type, const char *name, uint64_t count) {
  indent(em);
  type_and_gap(em, type);
  text_addf(&em->out, "%s[%llu];\n", name, (unsigned long long)count);
}

void em_open_typedef(Emit *em, const char *tag) {
  text_addf(&em->out, "typedef struct %s", tag);
  open(em, "");
}

void em_close_typedef(Emit *em, const char *name) {
  em->depth--;
  text_addf(&em->out, "} %s;\n", name);
}

void em_typedef_struct(Emit *em, const char *tag, const char *name) {
  text_addf(&em->out, "typedef struct %s %s;\n", tag, name);
}

static void func_head(Emit *em, const CFunc *fn) {
  if (fn->qualifiers[0]) text_addf(&em->out, "%s ", fn->qualifiers);
  type_and_gap(em, fn->result);
  text_addf(&em->out, "%s(", fn->name);
  for (uint32_t i = 0; i < fn->params.len; i++) {
    if (i > 0) text_add(&em->out, ", ");
    type_and_gap(em, fn->params.data[i].type);
    text_add(&em->out, fn->params.data[i].name);
  }
  text_add(&em->out, fn->params.len == 0 ? "void)" : ")");
}

void em_param(Cx *cx, CFunc *fn, const char *type, const char *name) {
  vec_push(cx->arena, &fn->params, ((CParam){.type = type, .name = name}));
}

void em_open_func(Emit *em, const CFunc *fn) {
  em->line = 0;
  func_head(em, fn);
  open(em, "");
}

void em_prototype(Emit *em, const CFunc *fn) {
  func_head(em, fn);
  text_add(&em->out, ";\n");
}

void em_extern(Emit *em, const char *type, const char *name) {
  text_add(&em->out, "extern ");
  type_and_gap(em, type);
  text_addf(&em->out, "%s;\n", name);
}

void em_open_do(Emit *em) {
  indent(em);
  open(em, "do");
}

void em_close_do(Emit *em, const CExpr *cond) {
  em->depth--;
  indent(em);
  text_add(&em->out, "} while (");
  c_print(&em->out, cond);
  text_add(&em->out, ");\n");
}

void em_open_each(Emit *em, const char *macro, const char *idx) {
  indent(em);
  text_addf(&em->out, "%s(%s", macro, idx);
  open(em, ")");
}

void em_open_argument(Emit *em, const char *macro, const char *first) {
  indent(em);
  text_addf(&em->out, "%s(%s", macro, first);
  open(em, ",");
}

static void open_with(Emit *em, const char *word, const CExpr *cond) {
  indent(em);
  text_addf(&em->out, "%s (", word);
  c_print(&em->out, cond);
  open(em, ")");
}

void em_open_if(Emit *em, const CExpr *cond) { open_with(em, "if", cond); }
void em_open_block(Emit *em) {
  indent(em);
  text_add(&em->out, "{\n");
  em->depth++;
}

void em_open_while(Emit *em, const CExpr *cond) { open_with(em, "while", cond); }

void em_else(Emit *em) {
  em->depth--;
  indent(em);
  open(em, "} else");
}

void em_else_if(Emit *em, const CExpr *cond) {
  em->depth--;
  open_with(em, "} else if", cond);
}

void em_open_for_by(Emit *em, CParam idx, const CExpr *from, const char *op, const CExpr *limit,
                    const char *by) {
  indent(em);
  text_addf(&em->out, "for (%s %s = ", idx.type, idx.name);
  c_print(&em->out, from);
  text_addf(&em->out, "; %s %s ", idx.name, op);
  c_print(&em->out, limit);
  if (by) text_addf(&em->out, "; %s += %s", idx.name, by);
  else text_addf(&em->out, "; %s++", idx.name);
  open(em, ")");
}

void em_open_for(Emit *em, CParam idx, const CExpr *from, const char *op, const CExpr *limit) {
  em_open_for_by(em, idx, from, op, limit, NULL);
}

static void close_with(Emit *em, const char *end) {
  em->depth--;
  indent(em);
  text_addf(&em->out, "%s\n", end);
}

void em_close(Emit *em) { close_with(em, "}"); }
void em_close_struct(Emit *em) { close_with(em, "};"); }
void em_close_argument(Emit *em) { close_with(em, "});"); }

/* ---- statements ------------------------------------------------------------------------------ */

static void end_statement(Emit *em) { text_add(&em->out, ";\n"); }

static void initialise(Emit *em, const CExpr *init) {
  if (init) {
    text_add(&em->out, " = ");
    c_print(&em->out, init);
  }
  end_statement(em);
}

void em_declare(Emit *em, const char *type, const char *name, const CExpr *init) {
  indent(em);
  type_and_gap(em, type);
  text_add(&em->out, name);
  initialise(em, init);
}

void em_declare_const(Emit *em, const char *type, const char *name, const CExpr *init) {
  bool is_pointer = type[strlen(type) - 1] == '*';
  indent(em);
  text_addf(&em->out, is_pointer ? "%sconst %s" : "const %s %s", type, name);
  initialise(em, init);
}

void em_declare_array_of(Emit *em, const char *type, const char *name, const char *count) {
  indent(em);
  type_and_gap(em, type);
  text_addf(&em->out, "%s[%s]", name, count);
  end_statement(em);
}

void em_declare_list(Emit *em, const char *type, const char *name, CExprVec values) {
  indent(em);
  text_addf(&em->out, "%s %s[] = {", type, name);
  for (uint32_t i = 0; i < values.len; i++) {
    if (i > 0) text_add(&em->out, ", ");
    c_print(&em->out, values.data[i]);
  }
  text_add(&em->out, "}");
  end_statement(em);
}

void em_declare_zero(Emit *em, const char *type, const char *name) {
  indent(em);
  type_and_gap(em, type);
  text_addf(&em->out, "%s = {0}", name);
  end_statement(em);
}

void em_declare_array(Emit *em, const char *type, const char *name, uint32_t count) {
  indent(em);
  type_and_gap(em, type);
  text_addf(&em->out, "%s[%u]", name, count);
  end_statement(em);
}

void em_assign(Emit *em, const CExpr *dst, const CExpr *src) {
  indent(em);
  c_print(&em->out, dst);
  initialise(em, src);
}

void em_expr(Emit *em, const CExpr *expr) {
  indent(em);
  c_print(&em->out, expr);
  end_statement(em);
}

void em_return(Emit *em, const CExpr *value) {
  indent(em);
  text_add(&em->out, value ? "return " : "return");
  if (value) c_print(&em->out, value);
  end_statement(em);
}

void em_continue(Emit *em) {
  indent(em);
  text_add(&em->out, "continue;\n");
}

void em_break(Emit *em) {
  indent(em);
  text_add(&em->out, "break;\n");
}

void em_unused(Emit *em, const char *name) {
  indent(em);
  text_addf(&em->out, "(void)%s;\n", name);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Braces of initialisers are indented twice. */
static void open_initialiser(Emit *em, const char *type, const char *name, const char *brackets) {
  text_addf(&em->out, "%s %s%s = {\n", type, name, brackets);
  em->depth += 2;
}

void em_open_record(Emit *em, const char *type, const char *name) {
  open_initialiser(em, type, name, "");
}
void em_open_table(Emit *em, const char *type, const char *name) {
  open_initialiser(em, type, name, "[]");
}

void em_open_row(Emit *em) {
  indent(em);
  text_add(&em->out, "{\n");
  em->depth += 2;
}

void em_close_row(Emit *em) {
  em->depth -= 2;
  indent(em);
  text_add(&em->out, "},\n");
}

void em_close_table(Emit *em) {
  em->depth -= 2;
  text_add(&em->out, "};\n");
}

void em_element(Emit *em, const CExpr *value) {
  indent(em);
  c_print(&em->out, value);
  text_add(&em->out, ",\n");
}

void em_member(Emit *em, const char *member, const CExpr *value) {
  indent(em);
  text_addf(&em->out, ".%s = ", member);
  c_print(&em->out, value);
  text_add(&em->out, ",\n");
}
