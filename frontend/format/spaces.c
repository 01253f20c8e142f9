/* Spaces: between two tokens of a line there is one or none.
 *
 * Products, powers and inner products are tight, sums and comparisons loose: a*b + c. Brackets have
 * none inside, but for comprehensions and creations; calls have none before theirs.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/format/local.h"

static bool is_word(const Item *item) {
  const LexClass class = item->lexeme.class;
  return class == LEX_KEYWORD || class == LEX_NAME || class == LEX_INT || class == LEX_REAL;
}

/* Whether the two would be read as one token. */
static bool would_join(const Item *left, const Item *right) {
  return (is_word(left) && is_word(right)) || (item_is(left, "|") && item_is(right, "|"));
}

static bool is_tight_operator(const Item *item) {
  static const char tight[] = "* / ^ • ⊗ : ..";
  return item->marks & MARK_TIGHT || text_has_word(tight, item->lexeme.name->text);
}

static bool is_inside_spaced(const Item *left, const Item *right) {
  if (item_is(right, ";") || item_is(right, ",")) return false;
  const Item *bracket = item_opens(left) ? left : right;
  return bracket->marks & MARK_SPACED;
}

/* Whether the item before a bracket is applied or indexed, or is a type. */
static bool is_applied(const Item *left) {
  const Lexeme *lexeme = &left->lexeme;
  switch (lexeme->class) {
  case LEX_KEYWORD: return lexeme->roles & (ROLE_TYPE | ROLE_EXPR) || lexeme_is(lexeme, "print");
  case LEX_OPERATOR: return item_closes(left) || left->marks & MARK_NORM_CLOSE;
  case LEX_NAME:
  case LEX_INT: return true; /* of field#2 */
  default: return false;
  }
}

static bool is_spaced_bracket(const Item *left, const Item *bracket) {
  const unsigned spaced = MARK_BLOCK | MARK_SPACED | MARK_PARAMS | MARK_DESCRIPTION;
  if (bracket->marks & MARK_SPACED && !item_is(bracket, "{")) return true;
  return bracket->marks & spaced || !is_applied(left);
}

/* `a.b`, `field#2`, `-a`, `|a|`. */
static bool is_close(const Item *left, const Item *right) {
  return item_is(left, ".") || item_is(right, ".") || item_is(left, "#") || item_is(right, "#") ||
         left->marks & (MARK_PREFIX | MARK_NORM_OPEN) || right->marks & MARK_NORM_CLOSE;
}

bool is_spaced(const Format *format, const Item *left, const Item *right) {
  (void)format;
  if (item_is_comment(left) || item_is_comment(right)) return true;
  if (item_opens(left) || item_closes(right) || item_is(right, ";") || item_is(right, ","))
    return is_inside_spaced(left, right);
  if (item_is(left, ",")) return !(left->marks & MARK_TIGHT);
  if (would_join(left, right) && !item_is(left, "#")) return true;
  if (is_close(left, right)) return false;
  if (right->marks & MARK_INFIX) return !is_tight_operator(right);
  if (left->marks & MARK_INFIX) return !is_tight_operator(left);
  return item_opens(right) ? is_spaced_bracket(left, right) : true;
}
