/* Signatures in use: matching argument types binds the variables, instantiation replaces them.
 * Reading the text is in sig_parse.c, the patterns both work on are in local.h.
 *
 * Invariant: a bound shape has no axis of length 1. Patterns are matched from left to right, so the
 * meaning of a variable never depends on what comes later.
 */
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "frontend/lang/local.h"

/* 0 where a pattern has no letter. */
static uint32_t lower(char letter) { return letter ? (uint32_t)(letter - 'a') : 0; }
#define ADDR_VAR 'A' /* what "addr" stands for; no TYPEVAR has the name */
static uint32_t upper(char letter) { return (uint32_t)(letter - 'A'); }
static bool is_bound(uint32_t set, uint32_t letter) { return set >> letter & 1; }

/* --- Matching --------------------------------------------------------------------------------- */

typedef enum { MATCH_EXACT, MATCH_COERCE, MATCH_RESULT } MatchMode;

static bool cont_value(const Cont *cont, const Bindings *b, uint32_t *value);

static bool match_dim(const Axis *axis, uint32_t value, Bindings *b) {
  if (axis->kind == AXIS_NUMBER) return axis->value == value;
  if (axis->kind == AXIS_COUNT) return b->n_variadic == value;
  uint32_t letter = lower(axis->letter);
  if (is_bound(b->bound_dims, letter)) return b->dims[letter] == value;
  b->bound_dims |= 1u << letter;
  b->dims[letter] = value;
  return true;
}

static bool is_free_run(const Axis *axis, const Bindings *b) {
  return axis->kind == AXIS_RUN && !is_bound(b->bound_shapes, lower(axis->letter));
}

/* Axes that a shape must have for this item; a free run has whatever is left. */
static uint32_t axes_taken(const Axis *axis, const Bindings *b) {
  uint32_t letter = lower(axis->letter);
  switch (axis->kind) {
  case AXIS_NUMBER: return axis->value != 1;
  case AXIS_DIM: return !(is_bound(b->bound_dims, letter) && b->dims[letter] == 1);
  case AXIS_RUN:
    return is_bound(b->bound_shapes, letter) ? b->shapes[SIG_RUN(axis->letter)].order : 0;
  case AXIS_COUNT: return b->n_variadic != 1;
  }
  return 1;
}

static bool match_run(const Axis *axis, Shape run, Bindings *b) {
  uint32_t letter = lower(axis->letter);
  Shape *bound = &b->shapes[SIG_RUN(axis->letter)];
  if (is_bound(b->bound_shapes, letter)) return shape_eq(bound, &run);
  b->bound_shapes |= 1u << letter;
  *bound = run;
  return true;
}

static bool is_single_free_dim(const ShapePattern *pattern, const Bindings *b) {
  const Axis *axis = &pattern->axes[0];
  return pattern->n == 1 && axis->kind == AXIS_DIM && !is_bound(b->bound_dims, lower(axis->letter));
}

static bool match_shape(const ShapePattern *pattern, const Shape *shape, Bindings *b) {
  if (shape->order == 0 && is_single_free_dim(pattern, b))
    return match_dim(&pattern->axes[0], 1, b);
  uint32_t n_taken = 0;
  bool has_free_run = false;
  for (uint32_t i = 0; i < pattern->n; i++) {
    n_taken += axes_taken(&pattern->axes[i], b);
    has_free_run |= is_free_run(&pattern->axes[i], b);
  }
  if (n_taken > shape->order || (n_taken < shape->order && !has_free_run)) return false;

  uint32_t pos = 0, n_left = shape->order - n_taken;
  for (uint32_t i = 0; i < pattern->n; i++) {
    const Axis *axis = &pattern->axes[i];
    uint32_t n = is_free_run(axis, b) ? n_left : axes_taken(axis, b);
    if (axis->kind == AXIS_RUN) {
      if (!match_run(axis, shape_of(n, shape->dims + pos), b)) return false;
    } else if (n == 1 && !match_dim(axis, shape->dims[pos], b)) {
      return false;
    }
    pos += n;
  }
  return true;
}

/* In parameters a continuity variable is bound to the minimum, and only a number can fail to match.
 * In a result it must be what the parameters give. */
static bool match_cont(const Cont *cont, uint32_t found, MatchMode mode, Bindings *b) {
  uint32_t value, letter = lower(cont->a);
  bool is_known = cont->kind != CONT_VAR || is_bound(b->bound_conts, letter);
  if (is_known && (mode == MATCH_RESULT || cont->kind == CONT_NUMBER)) {
    if (!cont_value(cont, b, &value)) return false;
    return mode == MATCH_COERCE ? found >= value : found == value;
  }
  if (!is_known || found < b->conts[letter]) b->conts[letter] = found;
  b->bound_conts |= 1u << letter;
  return true;
}

static bool match_any(char name, const Type *arg, MatchMode mode, Bindings *b) {
  if (name == 0) return true;
  uint32_t letter = upper(name);
  if (!is_bound(b->bound_types, letter)) {
    b->bound_types |= 1u << letter;
    b->types[letter] = arg;
    return true;
  }
  const Type *want = b->types[letter];
  return arg == want || (mode == MATCH_COERCE && type_coerces(arg, want));
}

static bool match_type(Cx *cx, const Pattern *pattern, const Type *arg, MatchMode mode,
                       Bindings *b);

/* Elements of a sequence without fixed length are never coerced. */
static bool match_seq(Cx *cx, const Pattern *pattern, const Type *arg, MatchMode mode,
                      Bindings *b) {
  uint64_t len = type_seq_len(arg);
  if (pattern->is_dynamic) {
    if (len != SEQ_DYNAMIC && mode != MATCH_COERCE) return false;
  } else {
    if (len > UINT32_MAX || !match_dim(&pattern->dim, (uint32_t)len, b)) return false;
  }
  bool is_coerced = mode == MATCH_COERCE && len != SEQ_DYNAMIC;
  MatchMode elem_mode = mode == MATCH_RESULT ? mode : is_coerced ? MATCH_COERCE : MATCH_EXACT;
  return match_type(cx, pattern->elem, type_elem(arg), elem_mode, b);
}

static TypeKind pattern_type_kind(const Pattern *pattern) {
  switch (pattern->kind) {
  case PAT_FIXED: return type_kind(pattern->type);
  case PAT_TENSOR: return TY_TENSOR;
  case PAT_IMAGE: return TY_IMAGE;
  case PAT_KERNEL: return TY_KERNEL;
  case PAT_FIELD: return TY_FIELD;
  case PAT_ROW: return TY_ROW;
  case PAT_STRAND: return TY_STRAND;
  case PAT_ADDR: return TY_ADDR;
  case PAT_SEQ: return TY_SEQ;
  case PAT_ANY: break;
  }
  return TY_ERROR;
}

/* Kernels are never coerced. */
static MatchMode kernel_mode(MatchMode mode) { return mode == MATCH_COERCE ? MATCH_EXACT : mode; }

static bool match_type(Cx *cx, const Pattern *pattern, const Type *arg, MatchMode mode,
                       Bindings *b) {
  if (type_is(arg, TY_ERROR)) return true;
  if (pattern->kind == PAT_ANY) return match_any(pattern->letter, arg, mode, b);
  if (mode == MATCH_COERCE && pattern->kind == PAT_TENSOR && type_is(arg, TY_INT))
    arg = type_real(cx);
  if (!type_is(arg, pattern_type_kind(pattern))) return false;
  switch (pattern->kind) {
  case PAT_FIXED: return arg == pattern->type;
  case PAT_TENSOR: return match_shape(&pattern->shape, type_shape(arg), b);
  case PAT_IMAGE:
    return match_dim(&pattern->dim, type_dim(arg), b) &&
           match_shape(&pattern->shape, type_shape(arg), b);
  case PAT_KERNEL: return match_cont(&pattern->cont, type_continuity(arg), kernel_mode(mode), b);
  case PAT_FIELD:
    return match_cont(&pattern->cont, type_continuity(arg), mode, b) &&
           match_dim(&pattern->dim, type_dim(arg), b) &&
           match_shape(&pattern->shape, type_shape(arg), b);
  case PAT_ROW: return match_dim(&pattern->dim, type_row_width(arg), b);
  case PAT_ADDR: return match_any(ADDR_VAR, arg, mode, b);
  case PAT_SEQ: return match_seq(cx, pattern, arg, mode, b);
  case PAT_STRAND:
  case PAT_ANY: break;
  }
  return true;
}

static const Pattern *param_at(const Sig *sig, uint32_t i) {
  return sig->params.data[i < sig->params.len ? i : sig->params.len - 1];
}

static bool takes_count(const Sig *sig, uint32_t n_args) {
  return sig->is_variadic ? n_args >= sig->params.len : n_args == sig->params.len;
}

bool sig_match(Cx *cx, const Sig *sig, SigMode mode, const Type *const *args, uint32_t n_args,
               Bindings *bindings, uint32_t *failed) {
  *bindings = (Bindings){0};
  *failed = n_args;
  if (!takes_count(sig, n_args)) return false;
  if (sig->is_variadic) bindings->n_variadic = n_args - (sig->params.len - 1);
  MatchMode match = mode == SIG_COERCE ? MATCH_COERCE : MATCH_EXACT;
  for (uint32_t i = 0; i < n_args; i++) {
    if (match_type(cx, param_at(sig, i), args[i], match, bindings)) continue;
    *failed = i;
    return false;
  }
  return true;
}

bool sig_match_result(Cx *cx, const Sig *sig, Bindings *b, uint32_t i, const Type *ty) {
  ASSERT(cx, i < sig->results.len);
  return match_type(cx, sig->results.data[i], ty, MATCH_RESULT, b);
}

/* --- Instantiation: false or NULL where the bindings do not say ------------------------------- */

static bool dim_value(const Axis *axis, const Bindings *b, uint32_t *value) {
  uint32_t letter = lower(axis->letter);
  switch (axis->kind) {
  case AXIS_NUMBER: *value = axis->value; return true;
  case AXIS_COUNT: *value = b->n_variadic; return true;
  case AXIS_DIM: *value = b->dims[letter]; return is_bound(b->bound_dims, letter);
  case AXIS_RUN: break;
  }
  return false;
}

static bool shape_value(const ShapePattern *pattern, const Bindings *b, Shape *shape) {
  *shape = (Shape){0};
  for (uint32_t i = 0; i < pattern->n; i++) {
    const Axis *axis = &pattern->axes[i];
    uint32_t dim;
    if (axis->kind == AXIS_RUN) {
      if (!is_bound(b->bound_shapes, lower(axis->letter))) return false;
      *shape = shape_concat(*shape, b->shapes[SIG_RUN(axis->letter)]);
    } else {
      if (!dim_value(axis, b, &dim)) return false;
      *shape = shape_append(*shape, dim);
    }
  }
  return true;
}

static bool cont_value(const Cont *cont, const Bindings *b, uint32_t *value) {
  *value = cont->value;
  if (cont->kind == CONT_NUMBER) return true;
  if (!is_bound(b->bound_conts, lower(cont->a))) return false;
  uint32_t first = *value = b->conts[lower(cont->a)];
  if (cont->kind == CONT_LESS_ONE) {
    if (first != CONTINUITY_INF) *value = first - 1;
    return first > 0;
  }
  if (cont->kind == CONT_VAR) return true;
  uint32_t second = b->conts[lower(cont->b)];
  *value = first < second ? first : second;
  return is_bound(b->bound_conts, lower(cont->b));
}

static const Type *instantiate(Cx *cx, const Pattern *pattern, const Bindings *b);

static const Type *instantiate_seq(Cx *cx, const Pattern *pattern, const Bindings *b) {
  uint32_t len;
  const Type *elem = instantiate(cx, pattern->elem, b);
  if (!elem) return NULL;
  if (pattern->is_dynamic) return type_seq(cx, elem, SEQ_DYNAMIC);
  return dim_value(&pattern->dim, b, &len) ? type_seq(cx, elem, len) : NULL;
}

static const Type *instantiate(Cx *cx, const Pattern *pattern, const Bindings *b) {
  Shape shape;
  uint32_t dim, cont;
  switch (pattern->kind) {
  case PAT_FIXED: return pattern->type;
  case PAT_TENSOR: return shape_value(&pattern->shape, b, &shape) ? type_tensor(cx, shape) : NULL;
  case PAT_IMAGE:
    if (!dim_value(&pattern->dim, b, &dim) || !shape_value(&pattern->shape, b, &shape)) return NULL;
    return type_image(cx, dim, shape);
  case PAT_KERNEL: return cont_value(&pattern->cont, b, &cont) ? type_kernel(cx, cont) : NULL;
  case PAT_FIELD:
    if (!cont_value(&pattern->cont, b, &cont) || !dim_value(&pattern->dim, b, &dim)) return NULL;
    return shape_value(&pattern->shape, b, &shape) ? type_field(cx, cont, dim, shape) : NULL;
  case PAT_ROW: return dim_value(&pattern->dim, b, &dim) ? type_row(cx, dim) : NULL;
  case PAT_SEQ: return instantiate_seq(cx, pattern, b);
  case PAT_ANY:
    return pattern->letter ? b->types[upper(pattern->letter)] : NULL; /* NULL when unbound */
  case PAT_ADDR: return b->types[upper(ADDR_VAR)];
  case PAT_STRAND: break;
  }
  return NULL;
}

static const Type *instantiate_or_error(Cx *cx, const Pattern *pattern, const Bindings *b) {
  const Type *ty = instantiate(cx, pattern, b);
  return ty ? ty : type_error(cx);
}

const Type *sig_param(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i) {
  ASSERT(cx, i < sig->params.len || (sig->is_variadic && sig->params.len > 0));
  return instantiate_or_error(cx, param_at(sig, i), b);
}

const Type *sig_result(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i) {
  ASSERT(cx, i < sig->results.len);
  return instantiate_or_error(cx, sig->results.data[i], b);
}

static uint32_t pattern_axes(const Pattern *pattern, const Bindings *b, SigAxis axes[MAX_ORDER]) {
  for (uint32_t i = 0; i < pattern->shape.n; i++) {
    const Axis *axis = &pattern->shape.axes[i];
    axes[i] = (SigAxis){.kind = axis->kind == AXIS_RUN ? 's' : 'd', .letter = axis->letter};
    (void)dim_value(axis, b, &axes[i].value);
  }
  return pattern->shape.n;
}

uint32_t sig_param_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]) {
  ASSERT(NULL, sig->params.len > 0);
  return pattern_axes(param_at(sig, i), b, axes);
}

uint32_t sig_result_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]) {
  ASSERT(NULL, i < sig->results.len);
  return pattern_axes(sig->results.data[i], b, axes);
}

uint32_t sig_param_count(const Sig *sig) { return sig->params.len; }
bool sig_is_variadic(const Sig *sig) { return sig->is_variadic; }
uint32_t sig_result_count(const Sig *sig) { return sig->results.len; }

const Sig *sig_of(Cx *cx, const char *text) {
  if (!cx->sigs) cx->sigs = map_new(cx->arena);
  Sig *known = map_get(cx->sigs, text);
  if (known) return known;
  const char *error = NULL;
  Sig *sig = sig_parse(cx, text, &error);
  if (!sig) BUG(cx, "signature \"%s\": %s", text, error);
  map_put(cx->sigs, text, sig);
  return sig;
}
