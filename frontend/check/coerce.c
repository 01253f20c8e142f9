/* Implicit conversions (doc/language.md, "Conversions and overloads") as nodes of the typed tree:
 * int to real, elements of sequences, fixed to dynamic sequence, field to one of less continuity.
 * Literals are converted at once, so that 1 where a real is asked for is the constant 1.0.
 */
#include <string.h>

#include "frontend/check/local.h"

Const *const_coerce(Check *ck, Const *value, const Type *ty) {
  if (value->ty == ty) return value;
  if (type_is(ty, TY_TENSOR)) return const_from_reals(ck, ty, (double)value->i);
  Const *seq = const_new(ck, ty);
  seq->n_elems = value->n_elems;
  seq->elems = NEWN(ck->arena, Const *, value->n_elems + 1);
  for (uint64_t i = 0; i < value->n_elems; i++)
    seq->elems[i] = const_coerce(ck, value->elems[i], type_elem(ty));
  return seq;
}

static TExpr *coerce_node(Check *ck, TExpr *expr, const Type *ty) {
  TExpr *node = texpr_new(ck->arena, TE_COERCE, ty, expr->span);
  vec_push(ck->arena, &node->args, expr);
  return node;
}

/* Converts the elements of a literal first; then it may become a dynamic sequence. */
static TExpr *coerce_literal_seq(Check *ck, TExpr *literal, const Type *ty) {
  const Type *elem = type_elem(ty);
  for (uint32_t i = 0; i < literal->args.len; i++)
    literal->args.data[i] = coerce(ck, literal->args.data[i], elem);
  literal->ty = type_seq(ck->cx, elem, literal->args.len);
  return literal->ty == ty ? literal : coerce_node(ck, literal, ty);
}

/* The quotient of ints in an int that is converted to a real, as in 1/2 or i/2 + 1; NULL if there
 * is none, or if it is exact. */
static const TExpr *lost_fraction(const TExpr *expr) {
  if (expr->kind != TE_BUILTIN || !type_is(expr->ty, TY_INT)) return NULL;
  const char *op = expr->u.builtin.row->name;
  if (strcmp(op, "/") == 0) {
    const TExpr *a = expr->args.data[0], *b = expr->args.data[1];
    const bool are_known = a->kind == TE_CONST && b->kind == TE_CONST && b->u.value->i != 0;
    return are_known && a->u.value->i % b->u.value->i == 0 ? NULL : expr;
  }
  const TExpr *lost = NULL;
  for (uint32_t i = 0; i < expr->args.len && !lost && text_has_word("+ - * neg", op); i++)
    lost = lost_fraction(expr->args.data[i]);
  return lost;
}

static void warn_of_lost_fraction(Check *ck, const TExpr *expr) {
  const TExpr *lost = lost_fraction(expr);
  if (!lost) return;
  diag(ck->cx, lost->span, W_LOST_FRACTION);
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("one of them as a real: 1.0/2, real(n)/2"));
}

TExpr *convert(Check *ck, TExpr *expr, const Type *ty) {
  if (expr->ty == ty || is_error(expr) || type_is(ty, TY_ERROR)) return expr;
  if (expr->kind == TE_CONST)
    return const_expr(ck, const_coerce(ck, expr->u.value, ty), expr->span);
  if (expr->kind == TE_SEQ) return coerce_literal_seq(ck, expr, ty);
  return coerce_node(ck, expr, ty);
}

TExpr *coerce(Check *ck, TExpr *expr, const Type *ty) {
  if (type_is_real(ty)) warn_of_lost_fraction(ck, expr);
  note_conversion(ck, expr, ty);
  return convert(ck, expr, ty);
}

/* ---- messages ------------------------------------------------------------------------------- */

static const char *kernel_names(const Check *ck, uint32_t continuity) {
  Text names = text_new(ck->arena);
  for (uint32_t i = 0; i < kernel_count(); i++) {
    const Kernel *kernel = kernel_at(i);
    if (kernel->continuity < continuity) continue;
    text_add(&names, names.len > 0 ? ", " : "");
    text_add(&names, kernel->name);
  }
  return text_str(&names);
}

void suggest_kernels(Check *ck, uint32_t continuity) {
  const char *names = kernel_names(ck, continuity);
  if (*names) diag_note(ck->cx, SPAN_NONE, H_KERNELS, d_text(names));
}

void report_no_kernel(Check *ck, Ident name) {
  diag(ck->cx, name.span, E_NOT_A_KERNEL, d_name(name.name));
  diag_note(ck->cx, SPAN_NONE, H_ALL_KERNELS, d_text(kernel_names(ck, 0)));
}

/* For the name of a file without a load. */
static void suggest_load(Check *ck, const TExpr *expr, const Type *ty) {
  const bool is_image = type_is(ty, TY_IMAGE);
  if ((!is_image && !type_is_dynamic_seq(ty)) || expr->kind != TE_CONST) return;
  const char *load = is_image ? "load_image" : "load_sequence";
  diag_note(ck->cx, SPAN_NONE, H_WRITE,
            d_text(text_format(ck->arena, "%s(\"%s\")", load, expr->u.value->s)));
}

/* real[3] for vec3. */
static bool is_sequence_of(const Type *found, const Type *wanted) {
  if (!type_is(wanted, TY_TENSOR) || type_is_real(wanted) || !type_is_fixed_seq(found))
    return false;
  const Shape *shape = type_shape(wanted);
  return type_seq_len(found) == shape->dims[0] && type_is(type_elem(found), TY_TENSOR) &&
         type_shape(type_elem(found))->order + 1 == shape->order;
}

/* [a, b, c, d] for a mat2. */
static bool is_flat(const TExpr *expr, const Type *wanted) {
  return type_is(wanted, TY_TENSOR) && type_shape(wanted)->order > 1 && expr->kind == TE_TENSOR &&
         shape_size(type_shape(expr->ty)) == shape_size(type_shape(wanted)) &&
         type_shape(expr->ty)->order == 1;
}

/* For brackets, which make tensors, in place of braces, which make sequences, or vice versa. */
static void suggest_brackets(Check *ck, const TExpr *expr, const Type *ty) {
  const bool is_tensor = type_is(ty, TY_TENSOR) && expr->kind == TE_SEQ;
  const bool is_seq = type_is(ty, TY_SEQ) && expr->kind == TE_TENSOR;
  if (is_tensor)
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("[a, b] for a tensor: {a, b} is a sequence"));
  else if (is_sequence_of(expr->ty, ty))
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("[s[0], s[1], ...] for the elements as a tensor"));
  if (is_seq)
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("{a, b} for a sequence: [a, b] is a tensor"));
  if (is_flat(expr, ty))
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("[[a, b], [c, d]], a row in brackets each"));
  if (type_is(ty, TY_KERNEL) && type_is(expr->ty, TY_KERNEL))
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("h#k for a kernel h that claims k derivatives"));
}

static bool lacks_derivatives(const Type *found, const Type *wanted) {
  return type_is(found, TY_FIELD) && type_is(wanted, TY_FIELD) &&
         type_dim(found) == type_dim(wanted) && shape_eq(type_shape(found), type_shape(wanted));
}

/* The derivatives that an expression takes of a field: of ∇⊗∇F two. */
static uint32_t derivatives_taken(const TExpr *expr) {
  if (expr->args.len != 1) return 0;
  const bool is_builtin = expr->kind == TE_BUILTIN;
  const bool is_one = is_builtin && strncmp(expr->u.builtin.row->name, "∇", strlen("∇")) == 0;
  return is_one + derivatives_taken(expr->args.data[0]);
}

/* For field(3)[], which promises any number of derivatives, or for a kernel with too few. */
static void suggest_continuity(Check *ck, const TExpr *expr, const Type *wanted) {
  const uint32_t continuity = type_continuity(wanted);
  if (continuity != CONTINUITY_INF) {
    suggest_kernels(ck, continuity + derivatives_taken(expr));
    return;
  }
  const char *remedy = text_format(ck->arena, "%s: without # it has any number of derivatives",
                                   type_text(ck->cx, expr->ty));
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(remedy));
}

TExpr *coerce_or_report(Check *ck, TExpr *expr, const Type *ty, const char *what) {
  if (type_coerces(expr->ty, ty)) return coerce(ck, expr, ty);
  if (lacks_derivatives(expr->ty, ty)) {
    diag(ck->cx, expr->span, E_CONTINUITY, d_type(ck->cx, ty), d_type(ck->cx, expr->ty));
    suggest_continuity(ck, expr, ty);
  } else {
    diag(ck->cx, expr->span, E_TYPE_MISMATCH, d_text(what), d_type(ck->cx, ty),
         d_type(ck->cx, expr->ty));
    if (type_is(ty, TY_INT) && type_is_real(expr->ty)) diag_note(ck->cx, SPAN_NONE, H_REAL_TO_INT);
    suggest_brackets(ck, expr, ty);
    hint_unfit(ck, expr, ty);
    if (type_is(expr->ty, TY_STRING)) suggest_load(ck, expr, ty);
  }
  return error_expr(ck, expr->span);
}
