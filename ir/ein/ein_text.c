/* Einstein expressions as concrete text, both ways; part of the IR text (doc/ir.md).
 *
 *   ein     = "<" [ index ":" number { "," index ":" number } "|" ] expr ">"
 *   operand = "$" number [ "[" item { "," item } "]" ]      expr: ein_read.c
 *   binder  = index ":" number
 *
 * Indices print as i j k l m n i1 j1 ... by their number, so that printing what was read from
 * printed text gives the same text.
 */
#include <ctype.h>

#include "ir/ein/local.h"

/* ---- out ------------------------------------------------------------------------------------- */

typedef enum { PREC_SUM, PREC_PRODUCT, PREC_FACTOR, PREC_PRIMARY } Prec;

static void print_index(Text *t, uint32_t number) {
  text_addf(t, "%c", "ijklmn"[number % 6]);
  if (number >= 6) text_addf(t, "%u", number / 6);
}

const char *ein_index_text(Arena *a, EinIdx idx) {
  Text t = text_new(a);
  if (idx.is_const) text_addf(&t, "%u", idx.value);
  else print_index(&t, idx.value);
  return text_str(&t);
}

static void print_indices(Text *t, const EinExpr *e) {
  for (uint32_t i = 0; i < e->n_idx; i++) {
    if (i > 0) text_add(t, ",");
    if (e->idx[i].is_const) text_addf(t, "%u", e->idx[i].value);
    else print_index(t, e->idx[i].value);
  }
}

static Prec prec_of(const EinExpr *e) {
  switch (e->kind) {
  case EIN_NUM: return e->num.num < 0 ? PREC_FACTOR : PREC_PRIMARY;
  case EIN_ADD:
  case EIN_SUB: return PREC_SUM;
  case EIN_MUL:
  case EIN_DIV:
  case EIN_SUM: return PREC_PRODUCT;
  case EIN_NEG: return PREC_FACTOR;
  case EIN_PARAM:
  case EIN_DELTA:
  case EIN_EPS:
  case EIN_POW:
  case EIN_FN: return PREC_PRIMARY;
  }
  return PREC_SUM;
}

static void print_expr(Text *t, const EinExpr *e, Prec least);

static void print_sum(Text *t, const EinExpr *e) {
  text_add(t, "sum(");
  print_index(t, e->var);
  text_addf(t, ":%u", e->range);
  for (; e->args[0]->kind == EIN_SUM; e = e->args[0]) {
    text_add(t, ",");
    print_index(t, e->args[0]->var);
    text_addf(t, ":%u", e->args[0]->range);
  }
  text_add(t, ") ");
  print_expr(t, e->args[0], PREC_PRODUCT);
}

static void print_fn(Text *t, const EinExpr *e) {
  text_addf(t, "%s(", op_text(e->fn));
  for (uint32_t i = 0; i < e->n_args; i++) {
    if (i > 0) text_add(t, ", ");
    print_expr(t, e->args[i], PREC_SUM);
  }
  text_add(t, ")");
}

/* Left-associative: the right operand binds tighter. A sum on the left would swallow the rest. */
static void print_binary(Text *t, const EinExpr *e, const char *op, Prec prec) {
  bool swallows = prec == PREC_PRODUCT && e->args[0]->kind == EIN_SUM;
  print_expr(t, e->args[0], swallows ? PREC_PRIMARY : prec);
  text_add(t, op);
  print_expr(t, e->args[1], (Prec)(prec + 1));
}

static void print_number(Text *t, Rational num) {
  text_addf(t, "%lld", (long long)num.num);
  if (num.den != 1) text_addf(t, "/%lld", (long long)num.den);
}

static void print_node(Text *t, const EinExpr *e) {
  switch (e->kind) {
  case EIN_NUM: print_number(t, e->num); return;
  case EIN_PARAM:
    text_addf(t, "$%u", e->param);
    if (e->n_idx == 0) return;
    text_add(t, "[");
    print_indices(t, e);
    text_add(t, "]");
    return;
  case EIN_DELTA:
  case EIN_EPS:
    text_add(t, e->kind == EIN_DELTA ? "delta(" : "eps(");
    print_indices(t, e);
    text_add(t, ")");
    return;
  case EIN_SUM: print_sum(t, e); return;
  case EIN_ADD: print_binary(t, e, " + ", PREC_SUM); return;
  case EIN_SUB: print_binary(t, e, " - ", PREC_SUM); return;
  case EIN_MUL: print_binary(t, e, " * ", PREC_PRODUCT); return;
  case EIN_DIV: print_binary(t, e, " / ", PREC_PRODUCT); return;
  case EIN_NEG:
    text_add(t, "-");
    print_expr(t, e->args[0], PREC_PRIMARY);
    return;
  case EIN_POW:
    text_add(t, "pow(");
    print_expr(t, e->args[0], PREC_SUM);
    text_addf(t, ", %lld)", (long long)e->exponent);
    return;
  case EIN_FN: print_fn(t, e); return;
  }
}

static void print_expr(Text *t, const EinExpr *e, Prec least) {
  bool is_inner = prec_of(e) < least;
  if (is_inner) text_add(t, "(");
  print_node(t, e);
  if (is_inner) text_add(t, ")");
}

const char *ein_print(Cx *cx, const Ein *ein) {
  Text t = text_new(cx->arena);
  text_add(&t, "<");
  for (uint32_t i = 0; i < ein->n_free; i++) {
    if (i > 0) text_add(&t, ",");
    print_index(&t, i);
    text_addf(&t, ":%u", ein->ranges[i]);
  }
  if (ein->n_free > 0) text_add(&t, " | ");
  print_expr(&t, ein->body, PREC_SUM);
  text_add(&t, ">");
  return text_str(&t);
}

/* ---- in -------------------------------------------------------------------------------------- */

static const EinExpr *read_operand(EinReader *r) {
  uint32_t *n_params = r->context;
  EinIdx idx[MAX_ORDER];
  uint32_t n_idx = 0;
  int64_t param = 0;
  if (!ein_read_char(r, '$') || !ein_read_number(r, &param) || param >= UINT32_MAX)
    ein_read_fail(r, "operand expected");
  if (!r->error && ein_read_char(r, '[')) {
    do idx[n_idx++] = ein_read_item(r).idx[0];
    while (!r->error && n_idx < MAX_ORDER && ein_read_char(r, ','));
    ein_read_expect(r, ']');
  }
  if (r->error) return NULL;
  if (*n_params <= (uint32_t)param) *n_params = (uint32_t)param + 1;
  return ein_param(r->cx, (uint32_t)param, idx, n_idx);
}

/* "i:3": the number follows from the name, so that text survives the round trip. */
static EinBinder read_index(EinReader *r) {
  const char *word;
  int64_t range = 0;
  uint32_t len = ein_read_word(r, &word), number = 0;
  if (len == 0) ein_read_fail(r, "index expected");
  for (uint32_t i = 1; i < len && number < EIN_MAX_INDICES; i++)
    number = number * 10 + (uint32_t)(word[i] - '0');
  number = number * 6 + (uint32_t)(*word - 'i');
  if (*word < 'i' || *word > 'n' || number >= EIN_MAX_INDICES)
    ein_read_fail(r, "index is not one of i j k l m n i1 ...");
  ein_read_expect(r, ':');
  if (!ein_read_number(r, &range) || range < 2 || range > UINT32_MAX)
    ein_read_fail(r, "range of at least 2 expected");
  if (r->error) return (EinBinder){0};
  if (r->n_indices <= number) r->n_indices = number + 1;
  vec_push(r->cx->scratch, &r->scope, ein_name_single(word, len, ein_var(number)));
  return (EinBinder){.var = number, .range = (uint32_t)range};
}

static void read_binder(EinReader *r, EinBinder *sums, uint32_t *n_sums) {
  if (*n_sums >= EIN_MAX_INDICES) ein_read_fail(r, "more than 64 indices");
  else sums[(*n_sums)++] = read_index(r);
}

static bool has_prefix(EinReader *r) {
  const char *start = r->pos, *word;
  bool found = ein_read_word(r, &word) > 0 && ein_read_char(r, ':');
  r->pos = start;
  return found;
}

static void read_free_indices(EinReader *r, Ein *ein) {
  if (!has_prefix(r)) return;
  do {
    EinBinder index = read_index(r);
    if (index.var != ein->n_free) ein_read_fail(r, "free indices are i, j, k, ... in order");
    else ein->ranges[ein->n_free++] = index.range;
  } while (!r->error && ein->n_free < MAX_ORDER && ein_read_char(r, ','));
  ein_read_expect(r, '|');
}

const Ein *ein_parse(Cx *cx, const char **text, const char **error) {
  Ein *ein = NEW(cx->arena, Ein);
  EinReader reader = {.cx = cx,
                      .pos = *text,
                      .operand = read_operand,
                      .binder = read_binder,
                      .context = &ein->n_params};
  ein_read_expect(&reader, '<');
  read_free_indices(&reader, ein);
  if (!reader.error) ein->body = ein_read_expr(&reader);
  ein_read_expect(&reader, '>');
  ein->n_indices = reader.n_indices;
  *text = reader.pos;
  *error = reader.error;
  return reader.error ? NULL : ein;
}
