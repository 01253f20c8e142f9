/* Einstein templates of builtins.def, instantiated for one use of a signature.
 *
 *   template = [ "<" name { "," name } ">" ] expr          expr: ein_read.c
 *   operand  = letter [ "[" item { "," item } "]" ]         a, b, c, ...: the parameters in order
 *   item     = digit | index | SHAPEVAR                     one per written axis of the parameter
 *   binder   = index ":" (number | DIMVAR) | SHAPEVAR       a SHAPEVAR is its whole run of axes
 *
 * The prefix names the axes of the result that are no runs, in order; runs keep their letter.
 * Axes of length 1 are no axes: an index over one is the constant 0, an item at one is dropped.
 *   "tensor[s,d], tensor[d,t] -> tensor[s,t]"   "sum(i:d) a[s,i] * b[i,t]"
 *   "tensor[d,e] -> tensor[e,d]"                "<i,j> a[j,i]"
 */
#include <ctype.h>

#include "frontend/base/panic.h"
#include "ir/ein/local.h"

typedef struct SigUse { /* one use of a signature */
  const Sig *sig;
  const Bindings *bindings;
  uint32_t derivative_dim;
} SigUse;

static bool is_shape_letter(const char *word, uint32_t len) {
  return len == 1 && *word >= 's' && *word <= 'u';
}

/* The written axes of a parameter; the derivative's is its last one. */
static uint32_t param_axes(const SigUse *use, uint32_t param, SigAxis axes[MAX_ORDER + 1]) {
  uint32_t n = sig_param_axes(use->sig, use->bindings, param, axes);
  if (param == 0 && use->derivative_dim > 0)
    axes[n++] = (SigAxis){.kind = 'd', .value = use->derivative_dim};
  return n;
}

/* Indices of the operand's axes; items at axes of length 1 are read and dropped. */
static uint32_t read_indices(EinReader *r, const SigAxis *axes, uint32_t n_axes, EinIdx *idx) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < n_axes && !r->error; i++) {
    if (i > 0) ein_read_expect(r, ',');
    EinName item = ein_read_item(r);
    if (axes[i].kind == 'd' && axes[i].value == 1) continue;
    if (axes[i].kind == 'd' && item.n != 1) ein_read_fail(r, "a run where one index belongs");
    if (n + item.n > MAX_ORDER) ein_read_fail(r, "too many indices");
    for (uint32_t k = 0; k < item.n && !r->error; k++) idx[n++] = item.idx[k];
  }
  return n;
}

static const EinExpr *read_operand(EinReader *r) {
  const SigUse *use = r->context;
  const char *word;
  uint32_t len = ein_read_word(r, &word);
  uint32_t param = len == 1 && islower((unsigned char)*word) ? (uint32_t)(*word - 'a') : UINT32_MAX;
  if (param >= sig_param_count(use->sig)) {
    ein_read_fail(r, "operand expected");
    return NULL;
  }
  SigAxis axes[MAX_ORDER + 1];
  EinIdx idx[MAX_ORDER];
  uint32_t n_axes = param_axes(use, param, axes), n_idx = 0;
  if (ein_read_char(r, '[')) {
    n_idx = read_indices(r, axes, n_axes, idx);
    ein_read_expect(r, ']');
  } else if (n_axes > 0) {
    ein_read_fail(r, "indices expected");
  }
  return r->error ? NULL : ein_param(r->cx, param, idx, n_idx);
}

static uint32_t read_range(EinReader *r) {
  const SigUse *use = r->context;
  int64_t value;
  const char *word;
  if (ein_read_number(r, &value)) return (uint32_t)value;
  if (ein_read_word(r, &word) == 1 && islower((unsigned char)*word)) {
    uint32_t letter = (uint32_t)(*word - 'a');
    if (use->bindings->bound_dims >> letter & 1) return use->bindings->dims[letter];
  }
  ein_read_fail(r, "range is neither a number nor a bound dimension");
  return 1;
}

/* An index over the range: a new one with its sum, or the constant 0 when there is one value. */
static EinIdx bind(EinReader *r, uint32_t range, EinBinder *sums, uint32_t *n_sums) {
  if (range == 1) return ein_const(0);
  uint32_t var = ein_new_index(r);
  if (!r->error) sums[(*n_sums)++] = (EinBinder){.var = var, .range = range};
  return ein_var(var);
}

static void read_binder(EinReader *r, EinBinder *sums, uint32_t *n_sums) {
  const SigUse *use = r->context;
  const char *word;
  uint32_t len = ein_read_word(r, &word);
  EinName name = {.text = word, .len = len};
  if (ein_read_char(r, ':')) {
    name.n = 1;
    name.idx[0] = bind(r, read_range(r), sums, n_sums);
  } else if (is_shape_letter(word, len)) {
    const Shape *run = &use->bindings->shapes[SIG_RUN(*word)];
    name.n = run->order;
    for (uint32_t i = 0; i < run->order; i++) name.idx[i] = bind(r, run->dims[i], sums, n_sums);
  } else {
    ein_read_fail(r, "binder expected");
  }
  if (!r->error) vec_push(r->cx->scratch, &r->scope, name);
}

/* ---- the result's axes ----------------------------------------------------------------------- */

static EinIdx free_index(EinReader *r, Ein *ein, uint32_t len) {
  if (len == 1) return ein_const(0);
  ein->ranges[ein->n_free++] = len;
  return ein_var(ein_new_index(r));
}

/* Puts the result's axes in scope; names are the prefix, or empty when there is none. */
static void bind_result(EinReader *r, Ein *ein, const EinName *names, uint32_t n_names) {
  const SigUse *use = r->context;
  SigAxis axes[MAX_ORDER];
  uint32_t n_axes = sig_result_axes(use->sig, use->bindings, 0, axes), n_used = 0;
  for (uint32_t i = 0; i < n_axes && !r->error; i++) {
    EinName name = {.text = arena_strdup(r->cx->scratch, &axes[i].letter, 1), .len = 1};
    if (axes[i].kind == 's') {
      const Shape *run = &use->bindings->shapes[SIG_RUN(axes[i].letter)];
      name.n = run->order;
      for (uint32_t k = 0; k < run->order; k++) name.idx[k] = free_index(r, ein, run->dims[k]);
    } else if (n_used < n_names) {
      name = names[n_used++];
      name.idx[0] = free_index(r, ein, axes[i].value);
    } else {
      ein_read_fail(r, "an axis of the result has no name");
    }
    vec_push(r->cx->scratch, &r->scope, name);
  }
  if (n_used < n_names) ein_read_fail(r, "more names than axes of the result");
}

static uint32_t read_prefix(EinReader *r, EinName names[MAX_ORDER]) {
  uint32_t n = 0;
  if (!ein_read_char(r, '<')) return 0;
  do {
    const char *word;
    uint32_t len = ein_read_word(r, &word);
    names[n++] = ein_name_single(word, len, ein_const(0));
  } while (n < MAX_ORDER && ein_read_char(r, ','));
  ein_read_expect(r, '>');
  return n;
}

const Ein *ein_from_template(Cx *cx, const char *text, const Sig *sig, const Bindings *b,
                             uint32_t derivative_dim) {
  SigUse use = {.sig = sig, .bindings = b, .derivative_dim = derivative_dim};
  EinReader reader = {
      .cx = cx, .pos = text, .operand = read_operand, .binder = read_binder, .context = &use};
  Ein *ein = NEW(cx->arena, Ein);
  EinName names[MAX_ORDER];
  uint32_t n_names = read_prefix(&reader, names);
  bind_result(&reader, ein, names, n_names);
  ein->body = ein_read_expr(&reader);
  ein_read_space(&reader);
  if (*reader.pos != '\0') ein_read_fail(&reader, "end expected");
  if (reader.error) BUG(cx, "template '%s', at %td: %s", text, reader.pos - text, reader.error);
  ein->n_params = sig_param_count(sig);
  ein->n_indices = reader.n_indices;
  return ein;
}
