/* Pieces of IR text: words, spans, attributes, constants. Part of parse.c; grammar in doc/ir.md.
 * After a failure every reader returns something harmless and the first message stands.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/panic.h"
#include "ir/core/local.h"

/* ---- words ----------------------------------------------------------------------------------- */

void ir_read_fail(IrReader *r, const char *format, ...) {
  if (r->has_failed) return;
  r->has_failed = true;
  Text t = text_new(r->cx->arena);
  va_list args;
  va_start(args, format);
  text_add_va(&t, format, args);
  va_end(args);
  uint32_t at = (uint32_t)(r->pos - r->start);
  diag(r->cx, (Span){at, at + 1}, E_IR_TEXT, d_text(text_str(&t)));
}

void ir_read_blank(IrReader *r) {
  while (*r->pos == ' ' || *r->pos == '\t') r->pos++;
}

void ir_read_space(IrReader *r) {
  for (;;) {
    while (isspace((unsigned char)*r->pos)) r->pos++;
    if (r->pos[0] != '/' || r->pos[1] != '/') return;
    while (*r->pos && *r->pos != '\n') r->pos++;
  }
}

bool ir_read_mark(IrReader *r, const char *mark) {
  ir_read_blank(r);
  size_t len = strlen(mark);
  if (r->has_failed || strncmp(r->pos, mark, len) != 0) return false;
  r->pos += len;
  return true;
}

void ir_read_expect(IrReader *r, const char *mark) {
  if (!ir_read_mark(r, mark)) ir_read_fail(r, "'%s' expected", mark);
}

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

uint32_t ir_read_word(IrReader *r, const char **word) {
  ir_read_blank(r);
  *word = r->pos;
  while (is_word_char(*r->pos)) r->pos++;
  return (uint32_t)(r->pos - *word);
}

bool ir_read_keyword(IrReader *r, const char *keyword) {
  const char *start = r->pos, *word;
  uint32_t len = ir_read_word(r, &word);
  if (!r->has_failed && len == strlen(keyword) && memcmp(word, keyword, len) == 0) return true;
  r->pos = start;
  return false;
}

uint32_t ir_read_number(IrReader *r) {
  ir_read_blank(r);
  uint64_t value = 0;
  if (!isdigit((unsigned char)*r->pos)) ir_read_fail(r, "number expected");
  for (; isdigit((unsigned char)*r->pos) && !r->has_failed; r->pos++) {
    value = value * 10 + (uint64_t)(*r->pos - '0');
    if (value > UINT32_MAX) ir_read_fail(r, "number too large");
  }
  return r->has_failed ? 0 : (uint32_t)value;
}

static int64_t read_int(IrReader *r) {
  bool is_negative = ir_read_mark(r, "-");
  uint64_t value = 0, limit = (uint64_t)INT64_MAX + is_negative;
  if (!isdigit((unsigned char)*r->pos)) ir_read_fail(r, "integer expected");
  for (; isdigit((unsigned char)*r->pos); r->pos++) {
    uint64_t digit = (uint64_t)(*r->pos - '0');
    if (value > (limit - digit) / 10) ir_read_fail(r, "integer too large");
    else value = value * 10 + digit;
  }
  if (r->has_failed || value == 0) return 0;
  return is_negative ? -(int64_t)(value - 1) - 1 : (int64_t)value;
}

static char read_escape(IrReader *r) {
  r->pos++;
  if (*r->pos == '"' || *r->pos == '\\') return *r->pos++;
  if (*r->pos == 'x' && isxdigit((unsigned char)r->pos[1]) && isxdigit((unsigned char)r->pos[2])) {
    char digits[3] = {r->pos[1], r->pos[2], '\0'};
    r->pos += 3;
    return (char)strtol(digits, NULL, 16);
  }
  ir_read_fail(r, "bad escape in a string");
  return ' ';
}

const char *ir_read_string(IrReader *r) {
  Text t = text_new(r->cx->arena);
  ir_read_expect(r, "\"");
  while (!r->has_failed && *r->pos != '"') {
    if (*r->pos == '\0' || *r->pos == '\n') {
      ir_read_fail(r, "string is not closed");
      break;
    }
    char c = *r->pos;
    if (c == '\\') c = read_escape(r);
    else r->pos++;
    text_add_n(&t, &c, 1);
  }
  if (!r->has_failed) r->pos++;
  return text_str(&t);
}

const Name *ir_read_hint(IrReader *r) {
  ir_read_blank(r);
  return *r->pos == '"' ? name_from(r->cx->names, ir_read_string(r)) : NULL;
}

const Type *ir_read_type(IrReader *r) {
  ir_read_blank(r);
  const Type *ty = r->has_failed ? NULL : type_parse(r->cx, &r->pos);
  if (!ty) ir_read_fail(r, "type expected");
  return ty ? ty : type_error(r->cx);
}

const Ixfun *ir_read_ixfun(IrReader *r) {
  const char *error = NULL;
  ir_read_blank(r);
  const Ixfun *f = ixfun_parse(r->cx, &r->pos, &error);
  if (error) ir_read_fail(r, "no index function: %s", error);
  return f;
}

Span ir_read_span(IrReader *r, const char *from) {
  const char *end = r->pos;
  while (end > from && end[-1] == ' ') end--;
  Span span = {(uint32_t)(from - r->start), (uint32_t)(end - r->start)};
  if (!ir_read_mark(r, "@")) return span;
  span.start = ir_read_number(r);
  ir_read_expect(r, "-");
  span.end = ir_read_number(r);
  if (span_is_none(span)) ir_read_fail(r, "no such place in a source");
  return span;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static RealConst read_real(IrReader *r) {
  ir_read_blank(r);
  char *end;
  RealConst real = {.value = strtod(r->pos, &end)};
  if (end == r->pos) ir_read_fail(r, "real expected");
  else r->pos = end;
  ir_read_blank(r);
  if (*r->pos == '"') real.digits = ir_read_string(r);
  return real;
}

static Rational read_rational(IrReader *r) {
  int64_t num = read_int(r), den = ir_read_mark(r, "/") ? read_int(r) : 1;
  if (den <= 0) ir_read_fail(r, "denominator is not positive");
  return r->has_failed ? RATIONAL(0, 1) : rational(num, den);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static bool read_bool(IrReader *r) {
  if (ir_read_keyword(r, "true")) return true;
  if (!ir_read_keyword(r, "false")) ir_read_fail(r, "true or false expected");
  return false;
}

static ConstRow read_row(IrReader *r) {
  VEC(Rational) lanes = {0};
  do {
    vec_push(r->cx->arena, &lanes, read_rational(r));
    ir_read_blank(r);
  } while (!r->has_failed && *r->pos != '>');
  return (ConstRow){.width = lanes.len, .lanes = lanes.data};
}

static const Kernel *read_one_kernel(IrReader *r) {
  const char *word;
  uint32_t len = ir_read_word(r, &word);
  const Kernel *kernel = kernel_find(arena_strdup(r->cx->scratch, word, len));
  if (!kernel) ir_read_fail(r, "unknown kernel");
  return kernel;
}

static const Kernel *read_kernel(IrReader *r) {
  const Kernel *along[KERNEL_MAX_AXES];
  uint32_t n_axes = 0;
  if (!ir_read_keyword(r, "KRNS")) return read_one_kernel(r);
  ir_read_expect(r, "(");
  do along[n_axes++] = read_one_kernel(r);
  while (!r->has_failed && n_axes < KERNEL_MAX_AXES && ir_read_mark(r, ","));
  ir_read_expect(r, ")");
  return r->has_failed ? NULL : kernel_per_axis(r->cx, along, n_axes);
}

/* Support in samples; the verifier checks that a kernel has it. */
static uint8_t read_support(IrReader *r) {
  const uint32_t support = ir_read_number(r);
  if (support > UINT8_MAX) ir_read_fail(r, "%u is no half-support", support);
  return (uint8_t)support;
}

static Supports read_supports(IrReader *r) {
  Supports supports = {{0}};
  uint32_t n_axes = 0;
  do supports.along[n_axes++] = read_support(r);
  while (!r->has_failed && n_axes < KERNEL_MAX_AXES && ir_read_mark(r, ","));
  for (uint32_t axis = n_axes; axis < KERNEL_MAX_AXES; axis++)
    supports.along[axis] = supports.along[n_axes - 1];
  return supports;
}

/* The name beside a number is for people, but must be the right one. */
static void read_same_name(IrReader *r, const Name *name) {
  const Name *hint = ir_read_hint(r);
  if (hint && hint != name) ir_read_fail(r, "the number is not that of the name");
}

static VarRef read_place(IrReader *r) {
  VarRef var = {.index = ir_read_number(r), .component = WHOLE};
  if (ir_read_mark(r, ".")) var.component = ir_read_number(r);
  return var;
}

static VarRef read_var(IrReader *r) {
  const VarRef var = read_place(r);
  if (var.index >= r->m->globals.len) ir_read_fail(r, "no such global");
  else read_same_name(r, r->m->globals.data[var.index].name);
  return var;
}

static VarRef read_state_ref(IrReader *r) {
  const VarRef var = read_place(r);
  if (var.index >= r->m->state.len) ir_read_fail(r, "no such state variable");
  else read_same_name(r, r->m->state.data[var.index].name);
  return var;
}

static Func *read_func_ref(IrReader *r) {
  uint32_t index = ir_read_number(r);
  if (index >= r->m->funcs.len) {
    ir_read_fail(r, "no such function above");
    return NULL;
  }
  read_same_name(r, r->m->funcs.data[index]->name);
  return r->m->funcs.data[index];
}

static ExitKind read_exit(IrReader *r) {
  for (int exit = 0; exit < N_EXIT_KINDS; exit++)
    if (ir_read_keyword(r, exit_text((ExitKind)exit))) return (ExitKind)exit;
  ir_read_fail(r, "unknown exit");
  return EXIT_RETURN;
}

static ProbeGroup read_group(IrReader *r) {
  ProbeGroup group = {.kernel = read_kernel(r)};
  if (!ir_read_keyword(r, "orders")) ir_read_fail(r, "orders expected");
  while (!r->has_failed && !ir_read_keyword(r, "border")) {
    uint32_t order = ir_read_number(r);
    if (order >= 32) ir_read_fail(r, "order too large");
    else group.orders |= 1u << order;
  }
  for (int border = 0; border < N_BORDERS; border++) {
    group.border = (Border)border;
    if (!ir_read_keyword(r, border_text(group.border))) continue;
    if (ir_read_keyword(r, "sampling")) group.sampling = 1 + ir_read_number(r);
    return group;
  }
  ir_read_fail(r, "unknown border");
  return group;
}

static Reduction read_reduction(IrReader *r) {
  const char *word;
  uint32_t len = ir_read_word(r, &word);
  Reduction kind = reduction_find(arena_strdup(r->cx->scratch, word, len));
  if (kind == REDUCE_COUNT) ir_read_fail(r, "unknown reduction");
  return kind;
}

static Reduce read_reduce(IrReader *r) {
  VEC(Reduction) kinds = {0};
  do vec_push(r->cx->arena, &kinds, read_reduction(r));
  while (!r->has_failed && ir_read_mark(r, ","));
  Reduce reduce = {.n_kinds = kinds.len, .kinds = kinds.data};
  for (int over = OVER_ALL; over < N_REDUCE_OVERS; over++)
    if (ir_read_keyword(r, reduce_over_text((ReduceOver)over))) reduce.over = (ReduceOver)over;
  return reduce;
}

static const Ein *read_ein(IrReader *r) {
  const char *error = NULL;
  ir_read_blank(r);
  const Ein *ein = r->has_failed ? NULL : ein_parse(r->cx, &r->pos, &error);
  if (error) ir_read_fail(r, "%s", error);
  return ein;
}

static Attr read_bracketed(IrReader *r, AttrKind kind) {
  Attr attr = ATTR_EMPTY;
  switch (kind) {
  case ATTR_NONE:
  case ATTR_EIN: break; /* no brackets, or its own */
  case ATTR_BOOL: attr.b = read_bool(r); break;
  case ATTR_INT: attr.i = read_int(r); break;
  case ATTR_REAL: attr.real = read_real(r); break;
  case ATTR_STRING: attr.s = ir_read_string(r); break;
  case ATTR_ROW: attr.row = read_row(r); break;
  case ATTR_PAIR:
    attr.pair.i = ir_read_number(r);
    ir_read_expect(r, ",");
    attr.pair.j = ir_read_number(r);
    break;
  case ATTR_SUPPORTS: attr.supports = read_supports(r); break;
  case ATTR_KERNEL: attr.kernel = read_kernel(r); break;
  case ATTR_VAR: attr.var = read_var(r); break;
  case ATTR_STATE: attr.var = read_state_ref(r); break;
  case ATTR_FUNC: attr.func = read_func_ref(r); break;
  case ATTR_EXIT: attr.exit = read_exit(r); break;
  case ATTR_GROUP: attr.group = read_group(r); break;
  case ATTR_REDUCE: attr.reduce = read_reduce(r); break;
  }
  return attr;
}

Attr ir_read_attr(IrReader *r, AttrKind kind) {
  if (kind == ATTR_NONE) return ATTR_EMPTY;
  if (kind == ATTR_EIN) return (Attr){.ein = read_ein(r)};
  ir_read_expect(r, "<");
  Attr attr = read_bracketed(r, kind);
  ir_read_expect(r, ">");
  return attr;
}

/* ---- constants ------------------------------------------------------------------------------- */

static void read_components(IrReader *r, Const *c) {
  VEC(RealConst) reals = {0};
  ir_read_expect(r, "(");
  do vec_push(r->cx->arena, &reals, read_real(r));
  while (ir_read_mark(r, ","));
  ir_read_expect(r, ")");
  c->reals = reals.data;
  if (reals.len != shape_size(type_shape(c->ty))) ir_read_fail(r, "wrong number of components");
}

static void read_elements(IrReader *r, Const *c) {
  VEC(Const *) elems = {0};
  ir_read_expect(r, "{");
  while (!r->has_failed && !ir_read_mark(r, "}")) {
    if (elems.len > 0) ir_read_expect(r, ",");
    const Const *elem = ir_read_const(r);
    Const *copy = NEW(r->cx->arena, Const);
    *copy = *elem;
    vec_push(r->cx->arena, &elems, copy);
  }
  c->elems = elems.data;
  c->n_elems = elems.len;
}

const Const *ir_read_const(IrReader *r) {
  Const *c = NEW(r->cx->arena, Const);
  c->ty = ir_read_type(r);
  if (r->has_failed) return c;
  switch (type_kind(c->ty)) {
  case TY_BOOL: c->b = read_bool(r); break;
  case TY_INT: c->i = read_int(r); break;
  case TY_STRING: c->s = ir_read_string(r); break;
  case TY_TENSOR: read_components(r, c); break;
  case TY_SEQ: read_elements(r, c); break;
  default: ir_read_fail(r, "no constants of this type"); break; /* the others have none */
  }
  return c;
}
