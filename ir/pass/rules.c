/* Reading the rewrite rules of simplify.def: text to patterns. Grammar there. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/panic.h"
#include "ir/pass/local.h"

typedef struct RuleReader {
  Cx *cx;
  Arena *arena;
  const char *text, *pos;
} RuleReader;

static void skip_space(RuleReader *r) {
  while (*r->pos == ' ') r->pos++;
}

static void expect(RuleReader *r, const char *mark) {
  skip_space(r);
  if (strncmp(r->pos, mark, strlen(mark)) != 0)
    BUG(r->cx, "rule '%s', at %td: '%s' expected", r->text, r->pos - r->text, mark);
  r->pos += strlen(mark);
}

static OpValue read_number(RuleReader *r) {
  char *end;
  long long whole = strtoll(r->pos, &end, 10);
  bool is_real = *end == '.';
  double real = strtod(r->pos, is_real ? &end : NULL);
  r->pos = end;
  return is_real ? op_value_real(real) : op_value_int(whole);
}

static const RulePattern *read_pattern(RuleReader *r);

static void read_args(RuleReader *r, RulePattern *pattern) {
  expect(r, "(");
  do {
    if (pattern->n_args > 0) expect(r, ",");
    pattern->args[pattern->n_args++] = read_pattern(r);
    skip_space(r);
  } while (*r->pos == ',' && pattern->n_args < 3);
  expect(r, ")");
}

static void read_word(RuleReader *r, RulePattern *pattern) {
  const char *word = r->pos;
  while (isalnum((unsigned char)*r->pos) || *r->pos == '_') r->pos++;
  size_t len = (size_t)(r->pos - word);
  bool is_true = len == 4 && strncmp(word, "true", len) == 0;
  bool is_false = len == 5 && strncmp(word, "false", len) == 0;
  if (is_true || is_false) {
    pattern->kind = RP_CONSTANT;
    pattern->constant = op_value_bool(is_true);
  } else if (len == 1) {
    pattern->kind = RP_VALUE;
    pattern->letter = *word;
  } else {
    pattern->kind = RP_OP;
    pattern->op = op_find(word, len);
    if (pattern->op == OP_COUNT) BUG(r->cx, "rule '%s': unknown op", r->text);
    read_args(r, pattern);
  }
}

static const RulePattern *read_pattern(RuleReader *r) {
  RulePattern *pattern = NEW(r->arena, RulePattern);
  skip_space(r);
  if (isdigit((unsigned char)*r->pos) || *r->pos == '-') {
    pattern->kind = RP_CONSTANT;
    pattern->constant = read_number(r);
  } else {
    read_word(r, pattern);
  }
  return pattern;
}

RuleVec rules_read(Cx *cx, Arena *a) {
  static const Rule rows[] = {
#define RULE(name, kind, text) {#name, text, RULE_##kind, NULL, NULL},
#include "ir/pass/simplify.def"
  };
  RuleVec rules = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    RuleReader reader = {.cx = cx, .arena = a, .text = rows[i].text, .pos = rows[i].text};
    Rule rule = rows[i];
    rule.from = read_pattern(&reader);
    expect(&reader, "->");
    rule.to = read_pattern(&reader);
    if (rule.from->kind != RP_OP) BUG(cx, "rule '%s' does not start with an op", rule.text);
    vec_push(a, &rules, rule);
  }
  return rules;
}
