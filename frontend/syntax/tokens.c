/* The rows of tokens.def as data. */
#include <assert.h>
#include <string.h>

#include "frontend/syntax/local.h"
#include "grammar.h"

#define V1 (1u << AST_V1)
#define V2 (1u << AST_V2)
#define BOTH (V1 | V2)

/* clang-format off */
const TokenRow token_rows[] = {
#define KEYWORD(id, spelling, versions, roles, other) \
  {T_##id, spelling, "'" spelling "'", other, versions, roles},
#define OPERATOR(id, spelling, roles) {T_##id, spelling, "'" spelling "'", "", BOTH, roles},
#define CLASS(id, name, display, roles) {T_##id, name, display, "", 0, roles},
#include "frontend/syntax/tokens.def"
};
/* clang-format on */
const uint32_t n_token_rows = sizeof token_rows / sizeof token_rows[0];

/* Bison numbers tokens in the order of its declarations, which is that of the rows. */
const TokenRow *token_row(int id) {
  const int i = id - token_rows[0].id;
  if (i < 0 || i >= (int)n_token_rows) return NULL;
  assert(token_rows[i].id == id);
  return &token_rows[i];
}

const TokenRow *keyword_row(const char *spelling, AstVersion version) {
  for (uint32_t i = 0; i < n_token_rows; i++) {
    const TokenRow *row = &token_rows[i];
    bool is_candidate = row->spelling[0] == spelling[0] && (row->versions & 1u << version);
    if (is_candidate && strcmp(row->spelling, spelling) == 0) return row;
  }
  return NULL;
}
