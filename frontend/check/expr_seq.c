/* Sequences: literals, ranges, comprehensions, elements. */
#include <inttypes.h>

#include "frontend/check/local.h"

/* ---- literals ------------------------------------------------------------------------------- */

static TExpr *check_empty(Check *ck, const AstSequence *node, const Type *want) {
  Span span = node->head.span;
  if (want && type_is(want, TY_ERROR)) return error_expr(ck, span);
  if (!want || !type_is(want, TY_SEQ)) {
    diag(ck->cx, span, E_LOAD_TYPE, d_text("{}"));
    return error_expr(ck, span);
  }
  return texpr_new(ck->arena, TE_SEQ, type_seq(ck->cx, type_elem(want), 0), span);
}

/* The common type of all elements, TY_ERROR after a message. */
static const Type *element_type(Check *ck, const TExprVec *elems, Span span) {
  const Type *ty = elems->data[0]->ty;
  for (uint32_t i = 0; i < elems->len; i++)
    if (is_error(elems->data[i])) return type_error(ck->cx);
  for (uint32_t i = 1; i < elems->len; i++) {
    const Type *common = type_common(ty, elems->data[i]->ty);
    if (!common) {
      diag(ck->cx, elems->data[i]->span, E_SEQUENCE_MIXED, d_type(ck->cx, ty),
           d_type(ck->cx, elems->data[i]->ty));
      return type_error(ck->cx);
    }
    ty = common;
  }
  if (type_is_value(ty)) return ty;
  diag(ck->cx, span, E_SEQUENCE_ELEMENT, d_type(ck->cx, ty));
  return type_error(ck->cx);
}

TExpr *check_sequence(Check *ck, const AstSequence *node, const Type *want) {
  if (node->elems.len == 0) return check_empty(ck, node, want);
  Span span = node->head.span;
  const Type *elem_want = want && type_is(want, TY_SEQ) ? type_elem(want) : NULL;
  TExpr *seq = texpr_new(ck->arena, TE_SEQ, type_error(ck->cx), span);
  for (uint32_t i = 0; i < node->elems.len; i++)
    vec_push(ck->arena, &seq->args, check_expr(ck, node->elems.data[i], elem_want));
  const Type *elem = element_type(ck, &seq->args, span);
  if (type_is(elem, TY_ERROR)) return error_expr(ck, span);
  for (uint32_t i = 0; i < seq->args.len; i++)
    seq->args.data[i] = coerce(ck, seq->args.data[i], elem);
  seq->ty = type_seq(ck->cx, elem, seq->args.len);
  return seq;
}

/* ---- ranges --------------------------------------------------------------------------------- */

static TExpr *check_bound(Check *ck, const Ast *node) {
  TExpr *bound = check_expr(ck, node, type_int(ck->cx));
  if (is_error(bound) || type_is(bound->ty, TY_INT)) return bound;
  diag(ck->cx, bound->span, E_RANGE_TYPE, d_type(ck->cx, bound->ty));
  return error_expr(ck, bound->span);
}

TExpr *check_range(Check *ck, const AstRange *node) {
  TExpr *low = check_bound(ck, node->low), *high = check_bound(ck, node->high);
  if (is_error(low) || is_error(high)) return error_expr(ck, node->head.span);
  const Type *ty = type_seq(ck->cx, type_int(ck->cx), SEQ_DYNAMIC);
  TExpr *range = texpr_new(ck->arena, TE_RANGE, ty, node->head.span);
  vec_push(ck->arena, &range->args, low);
  vec_push(ck->arena, &range->args, high);
  return range;
}

/* ---- comprehensions ------------------------------------------------------------------------- */

TExpr *check_source(Check *ck, const Ast *node, const Type *want, const Type **elem) {
  TExpr *source = check_expr(ck, node, want);
  *elem = type_error(ck->cx);
  if (type_is(source->ty, TY_SEQ)) *elem = type_elem(source->ty);
  else if (!is_error(source)) {
    diag(ck->cx, source->span, E_NOT_A_SEQUENCE, d_type(ck->cx, source->ty));
    return error_expr(ck, source->span);
  }
  return source;
}

static TExpr *map_expr(Check *ck, TExpr *body, TVar *var, TExpr *source, Span span) {
  if (is_error(body) || is_error(source)) return error_expr(ck, span);
  if (!type_is_fixed_size(body->ty)) {
    diag(ck->cx, body->span, E_COMPREHENSION_ELEMENT, d_type(ck->cx, body->ty));
    return error_expr(ck, span);
  }
  TExpr *map = texpr_new(ck->arena, TE_MAP, type_seq(ck->cx, body->ty, SEQ_DYNAMIC), span);
  map->u.var = var;
  vec_push(ck->arena, &map->args, body);
  vec_push(ck->arena, &map->args, source);
  return map;
}

TExpr *check_comprehend(Check *ck, const AstComprehend *node, const Type *want) {
  const AstIterator *iterator = ast_as_iterator(node->iterator);
  const Type *elem, *body_want = want && type_is(want, TY_SEQ) ? type_elem(want) : NULL;
  TExpr *source = check_source(ck, iterator->source, NULL, &elem);
  Scope *outside = enter_scope(ck, node->head.span);
  ck->loop_depth++;
  TVar *var = declare_var(ck, TV_ITER, iterator->name, elem);
  TExpr *body = check_expr(ck, node->body, body_want);
  ck->loop_depth--;
  ck->scope = outside;
  return map_expr(ck, body, var, source, node->head.span);
}

/* ---- elements ------------------------------------------------------------------------------- */

static bool report_negative_index(Check *ck, int64_t index, Span span) {
  diag(ck->cx, span, E_INDEX_NEGATIVE, d_int(index));
  const char *from_end = text_format(ck->arena, "s[length(s) - %" PRIu64 "] to count from the end",
                                     0 - (uint64_t)index);
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(from_end));
  return false;
}

/* Out of range is a mistake where both index and length are known, or the index is negative. */
static bool index_in_range(Check *ck, const TExpr *index, const Type *seq_ty, Span span) {
  const Const *known = const_value_if_known(ck, index);
  uint64_t len = type_seq_len(seq_ty);
  if (!known || (known->i >= 0 && (uint64_t)known->i < len)) return true;
  if (known->i < 0) return report_negative_index(ck, known->i, span);
  diag(ck->cx, span, E_INDEX_RANGE, d_int(known->i), d_int((int64_t)len - 1));
  return false;
}

static bool check_element_index(Check *ck, const Ast *node, TExpr **index) {
  if (node->kind == AST_WHOLE) {
    diag(ck->cx, node->span, E_SEQUENCE_SLICE);
    return false;
  }
  *index = check_expr(ck, node, type_int(ck->cx));
  if (type_is((*index)->ty, TY_INT)) return true;
  if (!is_error(*index)) diag(ck->cx, node->span, E_INDEX_TYPE, d_type(ck->cx, (*index)->ty));
  return false;
}

static TExpr *check_element(Check *ck, TExpr *seq, const AstIndex *node) {
  Span span = node->head.span;
  TExpr *index;
  if (node->indices.len != 1) {
    diag(ck->cx, span, E_INDEX_COUNT, d_type(ck->cx, seq->ty), d_text("1 index"),
         d_int(node->indices.len));
    return error_expr(ck, span);
  }
  if (!check_element_index(ck, node->indices.data[0], &index) ||
      !index_in_range(ck, index, seq->ty, span))
    return error_expr(ck, span);
  TExpr *element = texpr_new(ck->arena, TE_INDEX, type_elem(seq->ty), span);
  vec_push(ck->arena, &element->args, seq);
  vec_push(ck->arena, &element->args, index);
  return element;
}

TExpr *check_index(Check *ck, const AstIndex *node) {
  const bool was_indexed = ck->is_indexed;
  ck->is_indexed = node->base->kind == AST_UNARY;
  TExpr *base = check_expr(ck, node->base, NULL);
  ck->is_indexed = was_indexed;
  return type_is(base->ty, TY_SEQ) ? check_element(ck, base, node) : check_slice(ck, base, node);
}
