/* Notes: descriptions of accesses to samples and to components of tensors, and of the resulting
 * code (--dump=memory).
 *
 *   formula   CONS[j < 4: CONS[i < 4: img[corner_y + j, corner_x + i]]], m[i,2]
 *   place     from the slowest axis to the fastest: (corner_y + j)*stride_y + corner_x + i, i*3 + 2
 *   LOW       the values that are the components; first and last load of the samples
 *
 * A note is open while its instruction is lowered, and functions that make addresses add lines to
 * it. Notes do not affect the generated code.
 */
#include <string.h>

#include "ir/mid-to-low/local.h"

enum { MOST_PARTS = 12, DEEPEST = 4 };

struct NoteText {
  AccessNote note;
  Text low;
};

static Arena *arena_of(const Lower *lower) { return lower->cx->arena; }

/* ---- LOW values ------------------------------------------------------------------------------ */

static void add_attr(Text *t, const Inst *def) {
  switch (op_attr_kind(def->op)) {
  case ATTR_INT: text_addf(t, "<%lld>", (long long)def->attr.i); return;
  case ATTR_PAIR: text_addf(t, "<%u,%u>", def->attr.pair.i, def->attr.pair.j); return;
  case ATTR_REAL: text_addf(t, "<%g>", def->attr.real.value); return;
  default: return; /* the names of values suffice */
  }
}

/* Prints a value by its name or number, or, up to a depth, as a call of its op with such operands.
 */
static void add_value(Text *t, const Value *v, bool is_spelled, uint32_t depth) {
  const Inst *def = v->def;
  if (v->name != NULL && !is_spelled) {
    text_add(t, v->name->text);
  } else if (def != NULL && (def->op == OP_CONST_OFFSET || def->op == OP_CONST_INT)) {
    text_addf(t, "%lld", (long long)def->attr.i);
  } else if (def == NULL || op_is_terminator(def->op) || (depth == 0 && def->n_args > 0)) {
    text_addf(t, "%%%u", v->id);
  } else {
    text_add(t, op_text(def->op));
    add_attr(t, def);
    text_add(t, def->n_args > 0 ? "(" : "");
    for (uint32_t k = 0; k < def->n_args; k++) {
      text_add(t, k > 0 ? ", " : "");
      add_value(t, def->args[k], false, depth - 1);
    }
    text_add(t, def->n_args > 0 ? ")" : "");
  }
}

void note_value(Lower *lower, const char *what, const Value *v) {
  if (lower->note == NULL) return;
  Text *t = &lower->note->low;
  text_addf(t, "    low  %s = ", what);
  add_value(t, v, true, DEEPEST);
  text_add(t, "\n");
}

/* Names, or numbers, of some values, each once. */
static void add_parts(Text *t, Value *const *parts, uint32_t n) {
  uint32_t n_shown = 0;
  text_add(t, "    low ");
  for (uint32_t i = 0; i < n; i++) {
    bool is_new = true;
    for (uint32_t j = 0; j < i; j++) is_new = is_new && parts[j] != parts[i];
    if (!is_new || n_shown++ > MOST_PARTS) continue;
    text_add(t, " ");
    if (n_shown > MOST_PARTS) text_add(t, "...");
    else add_value(t, parts[i], false, 1);
  }
  text_add(t, "\n");
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void open_note(Lower *lower, Span span, const char *access, const char *place) {
  struct NoteText *note = NEW(arena_of(lower), struct NoteText);
  note->note = (AccessNote){.span = span, .access = access, .place = place};
  note->low = text_new(arena_of(lower));
  lower->note = note;
}

static bool is_same(const AccessNote *a, const AccessNote *b) {
  return a->span.start == b->span.start && a->span.end == b->span.end &&
         strcmp(a->access, b->access) == 0 && strcmp(a->low, b->low) == 0;
}

/* Closes the note. One that was in a function that has been copied is kept only once. */
void note_close(Lower *lower) {
  if (lower->note == NULL) return;
  AccessNote note = lower->note->note;
  Module *m = lower->b.fn->module;
  bool is_new = true;
  note.low = text_str(&lower->note->low);
  for (uint32_t i = 0; i < m->accesses.len; i++)
    is_new = is_new && !is_same(&m->accesses.data[i], &note);
  if (is_new) vec_push(arena_of(lower), &m->accesses, note);
  lower->note = NULL;
}

static const char *value_text(const Lower *lower, const Value *v) {
  return v->name != NULL ? v->name->text : text_format(arena_of(lower), "%%%u", v->id);
}

/* ---- samples --------------------------------------------------------------------------------- */

static const char *probe_formula(const Lower *lower, const Inst *group) {
  const Type *image = group->args[0]->ty;
  const uint32_t dim = type_dim(image), n = (uint32_t)shape_size(type_shape(image));
  const uint32_t n_taps = 2 * group->attr.group.kernel->support;
  Text t = text_new(arena_of(lower));
  if (n > 1) text_addf(&t, "CONS[c < %u: ", n);
  for (uint32_t axis = dim; axis-- > 0;) text_addf(&t, "CONS[%c < %u: ", "ijk"[axis], n_taps);
  text_addf(&t, "%s[%s", value_text(lower, group->args[0]), n > 1 ? "c, " : "");
  for (uint32_t axis = dim; axis-- > 0;)
    text_addf(&t, "corner_%c + %c%s", AXIS_LETTER(axis), "ijk"[axis], axis > 0 ? ", " : "]");
  for (uint32_t k = 0; k < dim + (n > 1); k++) text_add(&t, "]");
  return text_str(&t);
}

static const char *probe_place(const Lower *lower, const Inst *group) {
  const Type *image = group->args[0]->ty;
  const uint32_t n = (uint32_t)shape_size(type_shape(image));
  Text t = text_new(arena_of(lower));
  for (uint32_t axis = type_dim(image); axis-- > 1;)
    text_addf(&t, "(corner_%c + %c)*stride_%c + ", AXIS_LETTER(axis), "ijk"[axis],
              AXIS_LETTER(axis));
  if (n > 1) text_addf(&t, "(corner_x + i)*%u + c", n);
  else text_add(&t, "corner_x + i");
  return text_str(&t);
}

void note_probe(Lower *lower, const Inst *group) {
  if (!lower->cx->is_noted) return;
  open_note(lower, group->span, probe_formula(lower, group), probe_place(lower, group));
}

void note_row(Lower *lower, const Voxels *vox, const Value *row, uint32_t y, uint32_t z,
              uint32_t part) {
  const uint32_t last = vox->n_taps - 1;
  const bool is_first = y == 0 && z == 0 && part == 0;
  const bool is_last =
      part == vox->n_components - 1 && (vox->dim < 2 || y == last) && (vox->dim < 3 || z == last);
  if (lower->note == NULL || !(is_first || is_last)) return;
  const char *what = is_first ? is_last ? "the row" : "first row" : "last row";
  note_value(lower, what, row);
}

/* ---- components ------------------------------------------------------------------------------ */

/* (i*d_2 + j)*d_3 + k: the place of a component in memory. */
static const char *place_text(const Lower *lower, const EinExpr *param, const Shape *shape) {
  const char *sum = "";
  for (uint32_t k = 0; k < param->n_idx; k++) {
    const char *idx = ein_index_text(arena_of(lower), param->idx[k]);
    if (k == 0) sum = idx;
    else
      sum = text_format(arena_of(lower), k == 1 ? "%s*%u + %s" : "(%s)*%u + %s", sum,
                        shape->dims[k], idx);
  }
  return sum;
}

static const char *param_text(const Lower *lower, const Inst *inst, const EinExpr *param) {
  Text t = text_new(arena_of(lower));
  text_addf(&t, "%s[", value_text(lower, inst->args[param->param]));
  for (uint32_t k = 0; k < param->n_idx; k++)
    text_addf(&t, "%s%s", k > 0 ? "," : "", ein_index_text(arena_of(lower), param->idx[k]));
  text_add(&t, "]");
  return text_str(&t);
}

void note_param(Lower *lower, const Inst *inst, const EinExpr *param, Tensor read,
                const uint32_t *ranges) {
  if (!lower->cx->is_noted || param->n_idx == 0) return;
  const Shape *shape = type_shape(inst->args[param->param]->ty);
  const uint32_t n_indices = inst->attr.ein->n_indices;
  const char *place =
      text_format(arena_of(lower), "%s, in its block %s", place_text(lower, param, shape),
                  ixfun_print(arena_of(lower), read.at));
  open_note(lower, inst->span, param_text(lower, inst, param), place);
  const Access access = access_new(read.at);
  uint32_t idx[EIN_MAX_INDICES] = {0}, axis;
  ValueVec parts = {0};
  do {
    vec_push(arena_of(lower), &parts, read.block[access_number(lower->cx, &access, idx)]);
    for (axis = n_indices; axis-- > 0 && ++idx[axis] == ranges[axis];) idx[axis] = 0;
  } while (axis != UINT32_MAX);
  add_parts(&lower->note->low, parts.data, parts.len);
  note_close(lower);
}

void note_cons(Lower *lower, const Inst *cons, Tensor whole) {
  if (!lower->cx->is_noted) return;
  Text t = text_new(arena_of(lower));
  for (uint32_t i = 0; i < cons->n_args; i++)
    text_addf(&t, "%s%s", i > 0 ? ", " : "CONS[", value_text(lower, cons->args[i]));
  text_add(&t, "]");
  const char *place = text_format(arena_of(lower), "element i is part i of %s",
                                  ixfun_print(arena_of(lower), whole.at));
  open_note(lower, cons->span, text_str(&t), place);
  const Parts parts = parts_of(lower, cons->results[0]);
  add_parts(&lower->note->low, parts.v, parts.n);
  note_close(lower);
}

/* A note of an element at an index known only at run time. */
void note_element(Lower *lower, const Inst *inst) {
  const Type *ty = inst->results[0]->ty;
  if (!lower->cx->is_noted || type_is_fixed_seq(ty)) return;
  const Parts parts = parts_of(lower, inst->results[0]);
  const char *seq = value_text(lower, inst->args[0]), *idx = value_text(lower, inst->args[1]);
  const char *place =
      parts.n > 1 ? text_format(arena_of(lower), "%s*%u + c, clamped to its elements", idx, parts.n)
                  : text_format(arena_of(lower), "%s, clamped to its elements", idx);
  open_note(lower, inst->span, text_format(arena_of(lower), "%s[%s]", seq, idx), place);
  note_value(lower, parts.n > 1 ? "its first component" : "it", parts.v[0]);
  note_close(lower);
}
