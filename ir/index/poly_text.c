/* Polynomials as text, both ways.
 *
 *   poly   = [ "-" ] term { ( "+" | "-" ) term }        term  = power { "*" power }
 *   power  = factor [ "^" number ]                      factor = number | name | call | "(" poly
 * ")" call   = ( "floordiv" | "mod" | "wrap" | "add" | "mul" ) "(" poly "," poly ")"
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ir/index/poly_local.h"

/* ---- out ------------------------------------------------------------------------------------- */

static const char *call_of(PolyAtomKind kind) {
  switch (kind) {
  case POLY_UNKNOWN: return "";
  case POLY_FLOORDIV: return "floordiv";
  case POLY_MOD: return "mod";
  case POLY_WRAP: return "wrap";
  case POLY_SUM: return "add";
  case POLY_PRODUCT: return "mul";
  }
  return "";
}

static void print_power(Text *t, PolyPower power) {
  if (power.atom->kind == POLY_UNKNOWN) {
    text_add(t, power.atom->name->text);
  } else {
    text_addf(t, "%s(", call_of(power.atom->kind));
    poly_print(t, power.atom->args[0]);
    text_add(t, ", ");
    poly_print(t, power.atom->args[1]);
    text_add(t, ")");
  }
  if (power.power > 1) text_addf(t, "^%" PRIu32, power.power);
}

static uint64_t magnitude(int64_t x) { return x < 0 ? UINT64_C(0) - (uint64_t)x : (uint64_t)x; }

static void print_sign(Text *t, int64_t factor, bool is_first) {
  if (is_first) text_add(t, factor < 0 ? "-" : "");
  else text_add(t, factor < 0 ? " - " : " + ");
}

void poly_print(Text *t, Poly x) {
  for (uint32_t i = 0; i < x.n_terms; i++) {
    print_sign(t, x.terms[i].factor, i == 0);
    uint64_t size = magnitude(x.terms[i].factor);
    if (size != 1) text_addf(t, "%" PRIu64 "*", size);
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++) {
      if (j > 0) text_add(t, "*");
      print_power(t, x.terms[i].powers[j]);
    }
  }
  if (x.constant == 0 && x.n_terms > 0) return;
  print_sign(t, x.constant, x.n_terms == 0);
  text_addf(t, "%" PRIu64, magnitude(x.constant));
}

const char *poly_text(Arena *a, Poly x) {
  Text t = text_new(a);
  poly_print(&t, x);
  return text_str(&t);
}

enum { MAX_DEPTH = 100, MAX_POWER = 16 }; /* of text: deeper nesting is an error */

/* ---- in -------------------------------------------------------------------------------------- */

static Poly fail(PolyReader *r, const char *why) {
  if (!r->error) r->error = why;
  return poly_const(0);
}

static bool read_char(PolyReader *r, char c) {
  while (*r->pos == ' ') r->pos++;
  if (r->error || *r->pos != c) return false;
  r->pos++;
  return true;
}

/* An integer of any sign: INT64_MIN is written like the others. */
static int64_t read_number(PolyReader *r, bool is_negative) {
  uint64_t limit = (uint64_t)INT64_MAX + is_negative, value = 0;
  for (; isdigit((unsigned char)*r->pos); r->pos++) {
    uint64_t digit = (uint64_t)(*r->pos - '0');
    if (value > (limit - digit) / 10) {
      fail(r, "a number is too large");
      return 0;
    }
    value = value * 10 + digit;
  }
  return !is_negative ? (int64_t)value : value == 0 ? 0 : -(int64_t)(value - 1) - 1;
}

static bool is_name_char(char c) {
  return isalnum((unsigned char)c) || (c != '\0' && strchr("_.%$'", c)) || (unsigned char)c >= 0x80;
}

static Poly read_call(PolyReader *r, PolyAtomKind kind) {
  Poly x = poly_read(r);
  if (!read_char(r, ',')) return fail(r, "expected ','");
  Poly y = poly_read(r);
  if (!read_char(r, ')')) return fail(r, "expected ')'");
  return poly_call(r->cx->arena, kind, x, y);
}

static Poly read_word(PolyReader *r) {
  const char *start = r->pos;
  while (is_name_char(*r->pos)) r->pos++;
  size_t len = (size_t)(r->pos - start);
  if (len == 0) return fail(r, "expected a number, a name or '('");
  if (*r->pos == '(') {
    for (int kind = POLY_FLOORDIV; kind <= POLY_PRODUCT; kind++) {
      const char *call = call_of((PolyAtomKind)kind);
      if (strlen(call) != len || strncmp(call, start, len) != 0) continue;
      r->pos++;
      return read_call(r, (PolyAtomKind)kind);
    }
    return fail(r, "no such function");
  }
  Poly value;
  if (!r->unknown_of(r->context, name_intern(r->cx->names, start, len), &value))
    return fail(r, "an unknown name");
  return value;
}

static Poly read_factor(PolyReader *r, bool is_negative) {
  Arena *a = r->cx->arena;
  while (*r->pos == ' ') r->pos++;
  if (r->error) return poly_const(0);
  if (isdigit((unsigned char)*r->pos)) return poly_const(read_number(r, is_negative));
  Poly x;
  if (read_char(r, '(')) {
    x = poly_read(r);
    if (!read_char(r, ')')) return fail(r, "expected ')'");
  } else x = read_word(r);
  return is_negative ? poly_neg(a, x) : x;
}

static Poly read_power(PolyReader *r, bool is_negative) {
  Poly x = read_factor(r, is_negative);
  if (!read_char(r, '^')) return x;
  while (*r->pos == ' ') r->pos++;
  bool is_number = isdigit((unsigned char)*r->pos);
  int64_t power = is_number ? read_number(r, false) : 0;
  if (power < 1 || power > MAX_POWER) return fail(r, "expected a power from 1 to 16");
  Poly base = is_negative ? poly_neg(r->cx->arena, x) : x, product = x;
  for (int64_t i = 1; i < power; i++) product = poly_mul(r->cx->arena, product, base);
  return product;
}

static Poly read_term(PolyReader *r, bool is_negative) {
  Poly product = read_power(r, is_negative);
  while (!r->error && read_char(r, '*'))
    product = poly_mul(r->cx->arena, product, read_power(r, false));
  return product;
}

Poly poly_read(PolyReader *r) {
  if (r->depth++ > MAX_DEPTH) return fail(r, "too many parentheses in each other");
  bool is_negative = read_char(r, '-');
  Poly sum = read_term(r, is_negative);
  while (!r->error) {
    is_negative = read_char(r, '-');
    if (!is_negative && !read_char(r, '+')) break;
    sum = poly_add(r->cx->arena, sum, read_term(r, is_negative));
  }
  r->depth--;
  return r->error ? poly_const(0) : sum;
}
