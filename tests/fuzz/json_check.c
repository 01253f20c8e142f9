/* By RFC 8259, a function for each rule: it returns what follows, or NULL. */
#include "tests/fuzz/json_check.h"

#include <ctype.h>
#include <string.h>

#include "frontend/base/utf8.h"

static const char *value(const char *at, int depth);

static const char *blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

static const char *digits(const char *at) {
  const size_t n = strspn(at, "0123456789");
  return n > 0 ? at + n : NULL;
}

static const char *number(const char *at) {
  if (*at == '-') at++;
  at = *at == '0' ? at + 1 : digits(at);
  if (at && *at == '.') at = digits(at + 1);
  if (!at || (*at != 'e' && *at != 'E')) return at;
  at++;
  return digits(*at == '+' || *at == '-' ? at + 1 : at);
}

static const char *escape(const char *at) {
  if (*at && strchr("\"\\/bfnrt", *at)) return at + 1;
  if (*at != 'u') return NULL;
  for (int k = 1; k <= 4; k++)
    if (!isxdigit((unsigned char)at[k])) return NULL;
  return at + 5;
}

static const char *string(const char *at) {
  if (*at++ != '"') return NULL;
  while (at && *at != '"') {
    uint32_t n_bytes;
    if ((unsigned char)*at < ' ') return NULL;
    if (*at == '\\') {
      at = escape(at + 1);
    } else if (utf8_decode(at, strlen(at), &n_bytes) == UTF8_INVALID) {
      return NULL;
    } else {
      at += n_bytes;
    }
  }
  return at ? at + 1 : NULL;
}

static const char *member(const char *at, int depth) {
  at = string(at);
  if (at) at = blanks(at);
  return at && *at == ':' ? value(at + 1, depth) : NULL;
}

/* What stands between brackets, with commas. */
static const char *list(const char *at, char end, const char *(*one)(const char *, int),
                        int depth) {
  at = blanks(at);
  if (*at == end) return at + 1;
  for (;;) {
    at = one(blanks(at), depth);
    if (at) at = blanks(at);
    if (!at || (*at != ',' && *at != end)) return NULL;
    if (*at++ == end) return at;
  }
}

static const char *word(const char *at, const char *spelled) {
  const size_t n = strlen(spelled);
  return strncmp(at, spelled, n) == 0 ? at + n : NULL;
}

static const char *value(const char *at, int depth) {
  at = blanks(at);
  if (depth == 0) return NULL;
  switch (*at) {
  case '{': return list(at + 1, '}', member, depth - 1);
  case '[': return list(at + 1, ']', value, depth - 1);
  case '"': return string(at);
  case 't': return word(at, "true");
  case 'f': return word(at, "false");
  case 'n': return word(at, "null");
  default: return number(at);
  }
}

bool json_is_value(const char *text) {
  const char *end = value(text, 100);
  return end && *blanks(end) == '\0';
}
