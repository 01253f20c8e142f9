/* Constants given on the command line, --CNAME=VALUE: a small parser for literals, and for vectors
 * and sequences of them, directed by the declared type.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/check/local.h"

const ConstOverride *find_override(const Check *ck, const Name *constant) {
  if (!ck->options) return NULL;
  for (uint32_t i = ck->options->n_overrides; i-- > 0;)
    if (strcmp(ck->options->overrides[i].name, constant->text) == 0)
      return &ck->options->overrides[i];
  return NULL;
}

typedef struct Reader {
  Check *ck;
  const char *at;    /* next character */
  const char *range; /* of the number that does not fit, if that is the mistake */
} Reader;

static Const *read_value(Reader *in, const Type *ty);

static void skip_space(Reader *in) { in->at += strspn(in->at, " \t\n\v\f\r"); }

static bool take(Reader *in, char wanted) {
  skip_space(in);
  if (*in->at != wanted) return false;
  in->at++;
  return true;
}

static bool take_word(Reader *in, const char *word) {
  size_t len = strlen(word);
  if (strncmp(in->at, word, len) != 0) return false;
  in->at += len;
  return true;
}

static size_t count_digits(const char *text) { return strspn(text, "0123456789"); }

static Const *read_bool(Reader *in) {
  Const *value = const_new(in->ck, type_bool(in->ck->cx));
  value->b = take_word(in, "true");
  return value->b || take_word(in, "false") ? value : NULL;
}

static Const *read_int(Reader *in) {
  size_t sign_len = *in->at == '-' || *in->at == '+';
  if (count_digits(in->at + sign_len) == 0) return NULL;
  char *end;
  errno = 0;
  long long number = strtoll(in->at, &end, 10);
  in->at = end;
  if (errno != ERANGE && int_in_range(in->ck->cx, number)) return const_from_int(in->ck, number);
  in->range = in->ck->cx->is_long_int ? "from -9223372036854775808 to 9223372036854775807"
                                      : "from -2147483648 to 2147483647";
  return NULL;
}

/* Length of the number at text, or 0: strtod would accept more forms. */
static size_t real_len(const char *text) {
  size_t len = *text == '-' || *text == '+';
  size_t n_whole = count_digits(text + len), n_fraction = 0;
  len += n_whole;
  if (text[len] == '.') {
    n_fraction = count_digits(text + len + 1);
    len += 1 + n_fraction;
  }
  if (n_whole + n_fraction == 0) return 0;
  if (text[len] != 'e' && text[len] != 'E') return len;
  size_t sign_len = text[len + 1] == '-' || text[len + 1] == '+';
  size_t n_exponent = count_digits(text + len + 1 + sign_len);
  return n_exponent == 0 ? 0 : len + 1 + sign_len + n_exponent;
}

static Const *read_real(Reader *in) {
  size_t len = real_len(in->at);
  if (len == 0) return NULL;
  const char *digits = arena_strdup(in->ck->arena, in->at, len);
  in->at += len;
  const double number = strtod(digits, NULL);
  const bool is_double = in->ck->cx->is_double;
  if (is_double ? isfinite(number) : isfinite((float)number))
    return const_from_reals(in->ck, type_real(in->ck->cx), number);
  in->range = is_double ? "from -1.7976931348623157e308 to 1.7976931348623157e308"
                        : "from -3.40282347e38 to 3.40282347e38";
  return NULL;
}

/* Decodes the escape after a backslash; NUL when there is none of that letter. */
static char escape(char letter) {
  static const char letters[] = "abfnrtv\\\"", meanings[] = "\a\b\f\n\r\t\v\\\"";
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found) return '\0';
  return meanings[found - letters];
}

static Const *read_string(Reader *in) {
  if (!take(in, '"')) return NULL;
  Text decoded = text_new(in->ck->arena);
  while (*in->at != '"') {
    char character = *in->at++;
    if (character < ' ' || character > '~') return NULL;
    if (character == '\\') character = escape(*in->at++);
    if (character == '\0') return NULL;
    text_add_n(&decoded, &character, 1);
  }
  in->at++;
  Const *value = const_new(in->ck, type_string(in->ck->cx));
  value->s = text_str(&decoded);
  return value;
}

static Const *read_tensor(Reader *in, const Type *ty) {
  const Shape *shape = type_shape(ty);
  if (shape->order == 0) return read_real(in);
  const Type *row_ty = type_tensor(in->ck->cx, shape_drop_first(*shape));
  Const *value = const_from_reals(in->ck, ty, 0);
  uint64_t row_size = shape_size(type_shape(row_ty));
  for (uint32_t i = 0; i < shape->dims[0]; i++) {
    if (!take(in, i == 0 ? '[' : ',')) return NULL;
    const Const *row = read_value(in, row_ty);
    if (!row) return NULL;
    memcpy(value->reals + i * row_size, row->reals, row_size * sizeof *row->reals);
  }
  return take(in, ']') ? value : NULL;
}

static Const *read_seq(Reader *in, const Type *ty) {
  VEC(Const *) elems = {0};
  if (!take(in, '{')) return NULL;
  if (!take(in, '}')) {
    do {
      Const *elem = read_value(in, type_elem(ty));
      if (!elem) return NULL;
      vec_push(in->ck->arena, &elems, elem);
    } while (take(in, ','));
    if (!take(in, '}')) return NULL;
  }
  if (!type_is_dynamic_seq(ty) && elems.len != type_seq_len(ty)) return NULL;
  Const *value = const_new(in->ck, ty);
  value->elems = elems.data;
  value->n_elems = elems.len;
  return value;
}

static Const *read_value(Reader *in, const Type *ty) {
  skip_space(in);
  switch (type_kind(ty)) {
  case TY_BOOL: return read_bool(in);
  case TY_INT: return read_int(in);
  case TY_STRING: return read_string(in);
  case TY_TENSOR: return read_tensor(in, ty);
  case TY_SEQ: return read_seq(in, ty);
  default: return NULL; /* constants have value types */
  }
}

static void report_value(const Reader *in, const TVar *var, const char *text) {
  Check *ck = in->ck;
  const char *instead = NULL;
  if (in->range) instead = text_format(ck->arena, "a number %s", in->range);
  else if (type_is(var->ty, TY_STRING) && text[0] != '"')
    instead = text_format(ck->arena, "the quotation marks, too: '--C%s=\"text\"'", var->name->text);
  diag(ck->cx, var->span, E_CONSTANT_OVERRIDE, d_name(var->name), d_type(ck->cx, var->ty),
       d_text(text));
  if (instead) diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(instead));
}

Const *const_parse(Check *ck, const TVar *var, const char *text) {
  Reader in = {.ck = ck, .at = text};
  Const *value = read_value(&in, var->ty);
  if (value) skip_space(&in); /* without a value the reader may stand behind the end */
  if (value && *in.at == '\0') return value;
  report_value(&in, var, text);
  return NULL;
}
