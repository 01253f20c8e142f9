/* Reading Einstein expressions: the grammar that templates and concrete text share.
 *
 *   expr    = term { ("+" | "-") term }
 *   term    = factor { ("*" | "/") factor }
 *   factor  = "-" factor | "sum(" binder { "," binder } ")" term | primary
 *   primary = number [ "/" number ]  (no space: one fraction)      | "(" expr ")"
 *           | "delta(" item "," item ")" | "eps(" item "," item [ "," item ] ")"
 *           | "pow(" expr "," [ "-" ] number ")" | function "(" expr { "," expr } ")" | operand
 *
 * A sum reaches to the end of its product. Operands and binders: ein_template.c, ein_text.c.
 * Expressions are walked by recursion everywhere, so text that nests deeper than MAX_DEPTH is an
 * error: in signs and parentheses, or in a row of operators, whose tree leans to the left.
 */
#include <ctype.h>
#include <string.h>

#include "ir/ein/local.h"

enum { MAX_DEPTH = 1000 };
static const char too_deep[] = "nested too deeply";

/* ---- words ----------------------------------------------------------------------------------- */

void ein_read_fail(EinReader *r, const char *why) {
  if (!r->error) r->error = why;
}

void ein_read_space(EinReader *r) {
  while (*r->pos == ' ') r->pos++;
}

bool ein_read_char(EinReader *r, char c) {
  ein_read_space(r);
  if (*r->pos != c) return false;
  r->pos++;
  return true;
}

void ein_read_expect(EinReader *r, char c) {
  if (ein_read_char(r, c)) return;
  ein_read_fail(r, text_format(r->cx->arena, "'%c' expected", c));
}

uint32_t ein_read_word(EinReader *r, const char **word) {
  ein_read_space(r);
  *word = r->pos;
  if (!isalpha((unsigned char)*r->pos)) return 0;
  while (isalnum((unsigned char)*r->pos)) r->pos++;
  return (uint32_t)(r->pos - *word);
}

bool ein_read_number(EinReader *r, int64_t *value) {
  ein_read_space(r);
  if (!isdigit((unsigned char)*r->pos)) return false;
  *value = 0;
  for (; isdigit((unsigned char)*r->pos); r->pos++) {
    if (*value > (INT64_MAX - 9) / 10) ein_read_fail(r, "number too large");
    else *value = *value * 10 + (*r->pos - '0');
  }
  return true;
}

static bool is_word(const char *word, uint32_t len, const char *text) {
  return strlen(text) == len && memcmp(word, text, len) == 0;
}

/* ---- indices --------------------------------------------------------------------------------- */

EinName ein_name_single(const char *text, uint32_t len, EinIdx idx) {
  return (EinName){.text = text, .len = len, .n = 1, .idx = {idx}};
}

uint32_t ein_new_index(EinReader *r) {
  if (r->n_indices < EIN_MAX_INDICES) return r->n_indices++;
  ein_read_fail(r, "more than 64 indices");
  return 0;
}

EinName ein_read_item(EinReader *r) {
  int64_t value;
  if (ein_read_number(r, &value)) {
    if (value > UINT32_MAX) ein_read_fail(r, "index too large");
    return ein_name_single(NULL, 0, ein_const((uint32_t)value));
  }
  const char *word;
  uint32_t len = ein_read_word(r, &word);
  for (uint32_t i = r->scope.len; i-- > 0;) {
    EinName *name = &r->scope.data[i];
    if (name->len == len && memcmp(name->text, word, len) == 0) return *name;
  }
  ein_read_fail(r, len == 0 ? "index expected" : "index is not bound");
  return (EinName){.text = NULL};
}

static EinIdx read_single(EinReader *r) {
  EinName item = ein_read_item(r);
  if (item.n == 1) return item.idx[0];
  ein_read_fail(r, "one index expected, not a run");
  return ein_const(0);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* None of these returns NULL; what they return after an error does not matter. */
static const EinExpr *read_factor(EinReader *r);
static const EinExpr *read_term(EinReader *r);
static const EinExpr *read_sums(EinReader *r);

static const EinExpr *zero(EinReader *r) { return ein_num(r->cx, rational(0, 1)); }

/* A number, or two with a bar and no space between: one fraction. */
static const EinExpr *read_fraction(EinReader *r) {
  int64_t num, den = 1;
  ein_read_number(r, &num);
  if (r->pos[0] == '/' && isdigit((unsigned char)r->pos[1])) {
    r->pos++;
    ein_read_number(r, &den);
  }
  if (den == 0) ein_read_fail(r, "denominator is zero");
  return r->error ? zero(r) : ein_num(r->cx, rational(num, den));
}

static const EinExpr *read_symbol(EinReader *r, bool is_delta) {
  EinIdx idx[3];
  uint32_t n = 0;
  ein_read_expect(r, '(');
  do idx[n++] = read_single(r);
  while (n < 3 && ein_read_char(r, ','));
  ein_read_expect(r, ')');
  if (n < 2 || (is_delta && n > 2)) ein_read_fail(r, "wrong number of indices");
  if (r->error) return zero(r);
  return is_delta ? ein_delta(r->cx, idx[0], idx[1]) : ein_eps(r->cx, idx, n);
}

static const EinExpr *read_pow(EinReader *r) {
  ein_read_expect(r, '(');
  const EinExpr *base = read_sums(r);
  ein_read_expect(r, ',');
  bool is_negative = ein_read_char(r, '-');
  int64_t exponent = 0;
  if (!ein_read_number(r, &exponent)) ein_read_fail(r, "exponent expected");
  ein_read_expect(r, ')');
  return r->error ? zero(r) : ein_pow(r->cx, base, is_negative ? -exponent : exponent);
}

static const EinExpr *read_fn(EinReader *r, OpId fn) {
  const EinExpr *args[EIN_MAX_ARGS];
  uint32_t n_args = 0;
  ein_read_expect(r, '(');
  do args[n_args++] = read_sums(r);
  while (n_args < EIN_MAX_ARGS && ein_read_char(r, ','));
  ein_read_expect(r, ')');
  if (n_args != ein_fn_arity(fn)) ein_read_fail(r, "wrong number of arguments");
  return r->error ? zero(r) : ein_fn(r->cx, fn, args, n_args);
}

static const EinExpr *read_sum(EinReader *r) {
  uint32_t n_names = r->scope.len, n_sums = 0;
  EinBinder sums[EIN_MAX_INDICES];
  ein_read_expect(r, '(');
  do r->binder(r, sums, &n_sums);
  while (!r->error && ein_read_char(r, ','));
  ein_read_expect(r, ')');
  const EinExpr *body = read_term(r);
  r->scope.len = n_names;
  if (r->error) return zero(r);
  while (n_sums-- > 0) body = ein_sum(r->cx, sums[n_sums].var, sums[n_sums].range, body);
  return body;
}

static const EinExpr *read_primary(EinReader *r) {
  ein_read_space(r);
  const char *start = r->pos, *word;
  if (isdigit((unsigned char)*start)) return read_fraction(r);
  if (ein_read_char(r, '(')) {
    const EinExpr *inner = read_sums(r);
    ein_read_expect(r, ')');
    return inner;
  }
  uint32_t len = ein_read_word(r, &word);
  if (is_word(word, len, "delta")) return read_symbol(r, true);
  if (is_word(word, len, "eps")) return read_symbol(r, false);
  if (is_word(word, len, "pow")) return read_pow(r);
  OpId fn = op_find(word, len);
  if (len > 0 && fn != OP_COUNT && ein_fn_arity(fn) > 0) return read_fn(r, fn);
  r->pos = start;
  const EinExpr *operand = r->operand(r);
  return r->error ? zero(r) : operand;
}

static const EinExpr *read_plain_factor(EinReader *r) {
  if (ein_read_char(r, '-')) return ein_neg(r->cx, read_factor(r));
  const char *start = r->pos, *word;
  uint32_t len = ein_read_word(r, &word);
  if (is_word(word, len, "sum")) return read_sum(r);
  r->pos = start;
  return read_primary(r);
}

static const EinExpr *read_factor(EinReader *r) {
  if (r->depth == MAX_DEPTH) ein_read_fail(r, too_deep);
  if (r->error) return zero(r);
  r->depth++;
  const EinExpr *factor = read_plain_factor(r);
  r->depth--;
  return factor;
}

static const EinExpr *combine(EinReader *r, EinKind kind, const EinExpr *left,
                              const EinExpr *right) {
  if (r->error) return left;
  const EinExpr *both = ein_binary(r->cx, kind, left, right);
  if (both->depth > MAX_DEPTH) ein_read_fail(r, too_deep);
  return both;
}

static const EinExpr *read_term(EinReader *r) {
  const EinExpr *left = read_factor(r);
  while (!r->error) {
    EinKind kind = ein_read_char(r, '*') ? EIN_MUL : ein_read_char(r, '/') ? EIN_DIV : EIN_NUM;
    if (kind == EIN_NUM) break;
    left = combine(r, kind, left, read_factor(r));
  }
  return left;
}

static const EinExpr *read_sums(EinReader *r) {
  const EinExpr *left = read_term(r);
  while (!r->error) {
    EinKind kind = ein_read_char(r, '+') ? EIN_ADD : ein_read_char(r, '-') ? EIN_SUB : EIN_NUM;
    if (kind == EIN_NUM) break;
    left = combine(r, kind, left, read_term(r));
  }
  return left;
}

const EinExpr *ein_read_expr(EinReader *r) {
  const EinExpr *expr = read_sums(r);
  return r->error ? NULL : expr;
}
