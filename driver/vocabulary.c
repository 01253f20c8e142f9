/* Words: the rows of tokens.def, builtins.def, kernels.def and unicode.def by what editors do with
 * them. editors/words.awk writes these into the files of the editors.
 */
#include "driver/vocabulary.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "frontend/base/utf8.h"
#include "frontend/lang/builtin.h"
#include "frontend/lang/kernel.h"
#include "frontend/syntax/token_roles.h"

typedef struct Token {
  const char *spelling;
  int roles;
} Token;

static const Token keywords[] = {
#define KEYWORD(id, spelling, versions, roles, other) {spelling, roles},
#include "frontend/syntax/tokens.def"
};
static const Token operators[] = {
#define OPERATOR(id, spelling, roles) {spelling, roles},
#define SPELLING(id, spelling) {spelling, ROLE_INFIX},
#include "frontend/syntax/tokens.def"
};
static const struct {
  const char *text, *name, *digraph, *meaning;
} characters[] = {
#define UNICODE(text, name, digraph, meaning) {text, name, digraph, meaning},
#include "frontend/syntax/unicode.def"
};
enum { N_CHARACTERS = sizeof characters / sizeof *characters };

static const char *class_of_keyword(int roles) {
  if (roles & ROLE_TYPE) return "type";
  if (roles & (ROLE_DECL | ROLE_PART)) return "structure";
  if (roles & ROLE_STMT) return "statement";
  return roles & ROLE_EXPR ? "value" : "word";
}

/* Brackets and separators are none. */
static bool is_operator(int roles) {
  return (roles & (ROLE_INFIX | ROLE_ASSIGN)) || ((roles & ROLE_EXPR) && !(roles & ROLE_SUFFIX));
}

static bool is_keyword(const char *name) {
  size_t i = 0;
  while (i < sizeof keywords / sizeof *keywords && strcmp(keywords[i].spelling, name) != 0) i++;
  return i < sizeof keywords / sizeof *keywords;
}

/* Operators have rows, too; prefix minus and |e| are rows with names that no program has. */
static bool is_function(const Builtin *row) {
  const char c = *row->name;
  const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_written = strcmp(row->name, "neg") != 0 && strcmp(row->name, "norm") != 0;
  return is_word && is_written && !is_keyword(row->name);
}

static uint32_t code_of(const char *character) {
  uint32_t n_bytes;
  return utf8_decode(character, strlen(character), &n_bytes);
}

void words_print(FILE *out) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    fprintf(out, "%s %s\n", class_of_keyword(keywords[i].roles), keywords[i].spelling);
  fputs("value inf\n", out); /* of lexer.l */
  const char *before = "";
  for (int i = 0; i < BI_COUNT; i++) { /* rows of one name are adjacent */
    const Builtin *row = builtin_row((BuiltinId)i);
    if (is_function(row) && strcmp(row->name, before) != 0) fprintf(out, "builtin %s\n", row->name);
    before = row->name;
  }
  for (uint32_t i = 0; i < kernel_count(); i++) fprintf(out, "kernel %s\n", kernel_at(i)->name);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (is_operator(operators[i].roles)) fprintf(out, "operator %s\n", operators[i].spelling);
  for (int i = 0; i < N_CHARACTERS; i++)
    fprintf(out, "character %s %04X %s %s\n", characters[i].text,
            (unsigned)code_of(characters[i].text), characters[i].name, characters[i].digraph);
}

void words_print_unicode(FILE *out) {
  fputs("The characters of programs that keyboards do not have, and how they are typed: "
        "[doc/unicode.md](../unicode.md)\n"
        "says where. None but `∞` has a spelling in ASCII.\n\n"
        "| character | code | by name | by two characters | meaning |\n|---|---|---|---|---|\n",
        out);
  for (int i = 0; i < N_CHARACTERS; i++)
    fprintf(out, "| `%s` | U+%04X | `\\%s` | `%s` | %s |\n", characters[i].text,
            (unsigned)code_of(characters[i].text), characters[i].name, characters[i].digraph,
            characters[i].meaning);
}
