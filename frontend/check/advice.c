/* Advice: what to write instead, below messages about types. Common mistakes in arguments are rows
 * of advice.def; the others depend on the form of the expression.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/check/local.h"

static void write_instead(Check *ck, const char *instead) {
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(instead));
}

bool advise(Check *ck, const char *name, const TExprVec *args) {
  static const struct {
    const char *name, *sig, *instead;
  } rows[] = {
#define ADVICE(name, sig, instead) {name, sig, instead},
#include "frontend/check/advice.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    Bindings bindings;
    uint32_t failed;
    const Sig *sig = sig_of(ck->cx, rows[i].sig);
    if (!sig_match(ck->cx, sig, SIG_COERCE, argument_type_list(ck, args), args->len, &bindings,
                   &failed))
      continue;
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(rows[i].instead));
    return true;
  }
  return false;
}

/* img ⊛ "ctmr" */
void hint_quoted_kernel(Check *ck, const TExprVec *args) {
  for (uint32_t i = 0; i < args->len; i++) {
    const TExpr *arg = args->data[i];
    if (arg->kind != TE_CONST || !type_is(arg->ty, TY_STRING)) continue;
    if (!kernel_find(arg->u.value->s)) continue;
    write_instead(ck, text_format(ck->arena, "%s without quotation marks", arg->u.value->s));
  }
}

/* 2(x + 1), v(0), m(0, 1), s(0), img(p): what is applied is no field. */
void hint_applied(Check *ck, const TExpr *callee, const TExprVec *args) {
  const Type *ty = callee->ty;
  const bool is_number = type_is(ty, TY_INT) || type_is_real(ty);
  const TExpr *first = args->len > 0 ? args->data[0] : NULL;
  if (!first || is_error(first)) return;
  if (type_is(ty, TY_IMAGE)) write_instead(ck, "F(p), of a field: F = img ⊛ kernel");
  if (type_is(ty, TY_SEQ)) write_instead(ck, "s[i] for an element, from s[0] on");
  if (is_number && (type_is(first->ty, TY_INT) || type_is(first->ty, TY_TENSOR)))
    write_instead(ck, "the operator of a product, as in 2*(x + 1)");
  if (is_number && type_is(first->ty, TY_STRING))
    write_instead(ck, "the description first: input real x (\"text\") = 1");
  if (!type_is(ty, TY_TENSOR) || is_number) return;
  write_instead(ck, type_shape(ty)->order == 1 ? "v[i] for a component, from v[0] on"
                                               : "m[i,j] for a component, from m[0,0] on");
}

/* ∇F[p], F[1, 2], vol[1] */
void hint_indexed(Check *ck, const Type *base, const Type *index) {
  if (type_is(base, TY_IMAGE)) write_instead(ck, "F(p), of a field: F = img ⊛ kernel");
  if (!type_is(base, TY_FIELD)) return;
  if (type_shape(base)->order == 0 || (index && type_is(index, TY_TENSOR)))
    write_instead(ck, "F(p) to probe a field");
}

/* v.x, v.length, img.shape, s.size */
void hint_selected(Check *ck, const Type *base, const Name *member) {
  const bool is_size = text_has_word("shape size length len width height", member->text);
  if (type_is(base, TY_TENSOR) && type_shape(base)->order == 1)
    write_instead(ck, text_has_word("length len", member->text)
                          ? "|v| for the length of a vector"
                          : "v[0], v[1], ... for the components of a vector");
  if (is_size && type_is(base, TY_IMAGE))
    write_instead(ck, "size(img): the numbers of samples, x first");
  if (is_size && type_is(base, TY_SEQ)) write_instead(ck, "length(s)");
}

/* [v, 1] */
void hint_stacked(Check *ck, const Type *a, const Type *b) {
  if (!type_is(a, TY_TENSOR) || !type_is(b, TY_TENSOR)) return;
  const bool is_appended = type_shape(a)->order + type_shape(b)->order == 1;
  if (is_appended)
    write_instead(ck, "each component, as in [v[0], v[1], 1]: elements have one shape");
}

/* vec5, mat5, mat23 */
bool hint_tensor_type(Check *ck, const Name *name) {
  const bool is_vec = strncmp(name->text, "vec", 3) == 0;
  const char *digits = name->text + 3;
  if (!is_vec && strncmp(name->text, "mat", 3) != 0) return false;
  if (name->len < 4 || name->len > 5 || strspn(digits, "0123456789") != strlen(digits))
    return false;
  if (strcmp(digits, "1") == 0 || digits[0] == '0') return false;
  const char *columns = !is_vec && digits[1] ? digits + 1 : digits;
  if (!is_vec && (digits[0] < '2' || columns[0] < '2')) return false;
  write_instead(ck, is_vec ? text_format(ck->arena, "tensor[%s]", digits)
                           : text_format(ck->arena, "tensor[%c,%s]", digits[0], columns));
  return true;
}

/* The derivatives of a field that are not differentiable as written: ∇⊗F of a scalar field, ∇V of a
 * vector field, ∇V[0], which is (∇V)[0], and ∇(F(x)). */
void hint_derivative(Check *ck, const char *op, const TExpr *field) {
  const bool is_field = type_is(field->ty, TY_FIELD);
  const bool is_scalar = is_field && type_shape(field->ty)->order == 0;
  if (strcmp(op, "∇") == 0 && is_field && ck->is_indexed)
    write_instead(ck, "∇(V[0]) for the gradient of a component: ∇V[0] is (∇V)[0]");
  else if (strcmp(op, "∇") == 0 && is_field) diag_note(ck->cx, SPAN_NONE, H_DERIVATIVE_FORM);
  if (is_scalar && strcmp(op, "∇⊗") == 0)
    write_instead(ck, "∇F for the gradient of a scalar field");
  if (field->kind == TE_PROBE) write_instead(ck, "∇F(x) to probe the derivative of a field");
}

/* real[] s = 1..3, int[3] s = 0..2, real[3] s = 1..3 */
static void hint_unfit_sequence(Check *ck, const Type *elem, const Type *wanted) {
  const Type *wanted_elem = type_elem(wanted);
  const bool is_converted = type_is(elem, TY_INT) && type_is_real(wanted_elem);
  if (is_converted) write_instead(ck, "{ real(k) | k in s }: elements of T[] are not converted");
  if (!type_is_dynamic_seq(wanted) && (is_converted || elem == wanted_elem))
    write_instead(ck, "the type without its length: only T[] holds a sequence whose length is "
                      "found at run time");
}

/* vec3 v = 0, bool b = 1, real x = F */
void hint_unfit(Check *ck, const TExpr *found, const Type *wanted) {
  const Type *ty = found->ty;
  const bool is_number = type_is(ty, TY_INT) || type_is_real(ty);
  const bool is_tensor = type_is(wanted, TY_TENSOR);
  if (is_number && is_tensor && type_shape(wanted)->order > 0)
    write_instead(ck, "[a, b, ...], or zeros[3] and the like: a number does not become a tensor");
  if (type_is(ty, TY_INT) && type_is(wanted, TY_BOOL))
    write_instead(ck, "true or false, or n != 0");
  if (type_is(ty, TY_FIELD) && is_tensor) write_instead(ck, "F(p) to probe a field");
  if (type_is(ty, TY_IMAGE) && type_is(wanted, TY_FIELD))
    write_instead(ck, "img ⊛ kernel for a field");
  if (type_is_dynamic_seq(ty) && type_is(wanted, TY_SEQ))
    hint_unfit_sequence(ck, type_elem(ty), wanted);
}
