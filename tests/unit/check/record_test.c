/* The record of the checker: what names refer to, also in programs with errors, and in which part
 * of a program a name is visible. */
#include "frontend/base/diag.h"
#include "frontend/base/panic.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

typedef struct Checked {
  Cx *cx;
  Record record;
  const char *text;
  bool is_whole;
} Checked;

static Checked check_text(const char *text) {
  Checked checked = {.cx = cx_new(), .text = text};
  Cx *cx = checked.cx;
  types_init(cx);
  cx->source = source_from_text(cx->arena, "a.diderot", text, strlen(text));
  const CheckOptions options = {.record = &checked.record};
  const Ast *ast = parse_partly(cx, &checked.is_whole);
  if (CHECK(ast)) check(cx, ast, &options);
  return checked;
}

/* The use of the name at the n-th occurrence of `word`, from 0. */
static const NameUse *use_at(const Checked *checked, const char *word, int n) {
  const char *at = checked->text;
  for (int i = 0; i <= n && at; i++) at = strstr(i ? at + 1 : at, word);
  for (uint32_t i = 0; at && i < checked->record.names.len; i++) {
    const NameUse *use = &checked->record.names.data[i];
    if (use->span.start == (uint32_t)(at - checked->text)) return use;
  }
  return NULL;
}

static const char program[] = "#version 2.0\n"
                              "input real size = 2.0;\n"
                              "function real twice (real x) = 2.0*x;\n"
                              "strand s (int i) {\n"
                              "   output real x = twice(size);\n"
                              "   update { real y = x; x = sqrt(y) + i; BROKEN stabilize; }\n"
                              "}\n"
                              "create_array { s(i) | i in 0..3 }\n";

static void names_mean_what_they_say(void) {
  Checked checked = check_text(program);
  CHECK(!checked.is_whole);
  const NameUse *size = use_at(&checked, "size", 0), *used = use_at(&checked, "size", 1);
  if (CHECK(size && used)) CHECK(size->var && size->is_declaration && used->var == size->var);
  const NameUse *twice = use_at(&checked, "twice", 1);
  if (CHECK(twice)) CHECK_STR(twice->fun->name->text, "twice");
  const NameUse *param = use_at(&checked, "x;", 0), *state = use_at(&checked, "x = sqrt", 0);
  if (CHECK(param && state)) CHECK(param->var->kind == TV_FUN_PARAM && state->var->is_output);
  const NameUse *builtin = use_at(&checked, "sqrt", 0), *strand = use_at(&checked, "s(i)", 0);
  if (CHECK(builtin && strand)) CHECK(builtin->builtin && strand->strand);
  cx_free(checked.cx);
}

static void scopes_know_their_part(void) {
  Checked checked = check_text(program);
  const char *update = strstr(program, "{ real y");
  bool is_found = false;
  for (uint32_t i = 0; i < checked.record.scopes.len; i++) {
    const ScopeRange *range = &checked.record.scopes.data[i];
    if (range->span.start != (uint32_t)(update - program)) continue;
    is_found = true;
    CHECK_EQ(range->span.end, strstr(program, "}\n}") + 1 - program);
    CHECK_EQ(scope_len(range->scope), 1);
    CHECK_STR(scope_at(range->scope, 0)->name->text, "y");
  }
  CHECK(is_found);
  CHECK_EQ(checked.record.conversions.len, 1);
  cx_free(checked.cx);
}

/* Each prefix of a program is checked without crashing. */
static void takes_every_beginning(void) {
  for (size_t len = 13; len < sizeof program; len++) {
    char text[1024];
    snprintf(text, sizeof text, "%.*s}}}\ncreate_array { s(0) | i in 0..1 }\n", (int)len, program);
    Cx *cx = cx_new();
    types_init(cx);
    cx->source = source_from_text(cx->arena, "a.diderot", text, strlen(text));
    Record record = {0};
    const CheckOptions options = {.record = &record};
    bool is_whole;
    const Ast *tree = parse_partly(cx, &is_whole);
    if (tree) check(cx, tree, &options);
    CHECK(!tree || record.scopes.len > 0);
    cx_free(cx);
  }
}

static void bugs_can_be_escaped(void) {
  Cx *cx = cx_new();
  Escape escape;
  cx->escape = &escape;
  volatile int n_escapes = 0;
  if (setjmp(escape.place) == 0) BUG(cx, "of a test");
  else n_escapes++;
  CHECK_EQ(n_escapes, 1);
  cx_free(cx);
}

int main(void) {
  RUN(names_mean_what_they_say);
  RUN(scopes_know_their_part);
  RUN(takes_every_beginning);
  RUN(bugs_can_be_escaped);
  return test_result();
}
