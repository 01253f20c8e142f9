/* Literals: numbers and strings of a program in C. A real is rounded once, to the precision of the
 * program, by the C compiler or here, never twice.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend-c/text/local.h"

CExpr *c_bool(Cx *cx, bool value) { return c_name(cx, value ? "true" : "false"); }

/* The least value of a type has no literal of its own: 2147483648 in -2147483648 is of a wider
 * type. */
CExpr *c_int(Cx *cx, int64_t value) {
  if (value == INT64_MIN) return c_name(cx, "INT64_MIN");
  if (value == INT32_MIN) return c_name(cx, "INT32_MIN");
  return c_literal(cx, text_format(cx->arena, "%lld", (long long)value));
}

/* ---- reals ----------------------------------------------------------------------------------- */

static CExpr *special_real(Cx *cx, double value) {
  CExpr *name = c_name(cx, isnan(value) ? "NAN" : "INFINITY");
  if (cx->is_double) name = c_cast(cx, "ddr_real", name);
  return value < 0 ? c_unary(cx, "-", name) : name;
}

static const char *shortest_float(Cx *cx, float value) {
  char digits[32];
  for (int precision = 1; precision <= FLT_DECIMAL_DIG; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
    if (strtof(digits, NULL) == value) break;
  }
  return arena_strdup(cx->arena, digits, strlen(digits));
}

/* Plain decimal digits with a point or an exponent, and the suffix of the precision. */
static CExpr *spelled_real(Cx *cx, const char *digits) {
  const char *point = strpbrk(digits, ".eE") ? "" : ".0";
  return c_literal(cx, text_format(cx->arena, "%s%s%s", digits, point, cx->is_double ? "" : "f"));
}

static CExpr *float_literal(Cx *cx, float value) {
  return spelled_real(cx, shortest_float(cx, value));
}

static bool is_plain_decimal(const char *digits) {
  size_t len = strspn(digits, "0123456789");
  return len > 0 && digits[strspn(digits, "0123456789.eE+-")] == '\0';
}

CExpr *c_real(Cx *cx, RealConst real) {
  bool has_digits = real.digits && is_plain_decimal(real.digits);
  float single = has_digits ? strtof(real.digits, NULL) : (float)real.value;
  double value = cx->is_double ? real.value : (double)single;
  if (!isfinite(value)) return special_real(cx, value);
  if (has_digits && value != 0) return spelled_real(cx, real.digits);
  if (cx->is_double) return spelled_real(cx, text_from_real(cx->arena, value));
  return float_literal(cx, single);
}

/* A quotient of two floats that are exact is rounded once. */
CExpr *c_rational(Cx *cx, Rational value) {
  const int64_t exact = (int64_t)1 << FLT_MANT_DIG;
  bool is_exact = value.den <= exact && value.num <= exact && value.num >= -exact;
  if (cx->is_double || !is_exact)
    return c_real(cx, (RealConst){.value = rational_to_double(value)});
  return float_literal(cx, (float)value.num / (float)value.den);
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Three octal digits end an escape, whatever follows. */
CExpr *c_string(Cx *cx, const char *text) {
  Text quoted = text_new(cx->arena);
  text_add(&quoted, "\"");
  for (const char *c = text; *c; c++) {
    bool is_plain = (*c >= ' ' && *c != 127) || (unsigned char)*c >= 128;
    bool is_trigraph = c != text && *c == '?' && c[-1] == '?';
    if (*c == '"' || *c == '\\' || is_trigraph) text_addf(&quoted, "\\%c", *c);
    else if (*c == '\n' || *c == '\t') text_addf(&quoted, "\\%c", *c == '\n' ? 'n' : 't');
    else if (is_plain) text_add_n(&quoted, c, 1);
    else text_addf(&quoted, "\\%03o", (unsigned)(unsigned char)*c);
  }
  text_add(&quoted, "\"");
  return c_literal(cx, text_str(&quoted));
}
