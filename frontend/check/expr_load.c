/* Loads of images and sequences: where they are allowed, the type that their context gives them,
 * and the header of an image's file, if it can be read.
 */
#include "frontend/check/local.h"

/* The constant name of the file; NULL after a message. */
static const char *check_file_name(Check *ck, const Ast *node) {
  const Const *name = const_of(ck, node, type_string(ck->cx), E_FILE_NAME_NOT_CONSTANT);
  return name ? name->s : NULL;
}

static bool load_is_allowed(Check *ck, Span span) {
  if (!has_right(ck, MAY_LOAD)) {
    diag(ck->cx, span, E_LOAD_PLACE);
    return false;
  }
  if (ck->fun && !ck->fun->loads) {
    ck->fun->loads = true;
    ck->fun->load = span;
  }
  return true;
}

/* For an image loaded by the function for sequences or vice versa, or a load of one element. */
static void suggest_other_load(Check *ck, TExprKind kind, const Type *want, const char *file) {
  const char *other = NULL;
  if (kind == TE_LOAD_SEQ && type_is(want, TY_IMAGE)) other = "load_image";
  if (kind == TE_LOAD_IMAGE && type_is_dynamic_seq(want))
    other = ck->source->version == AST_V1 ? "load" : "load_sequence";
  const char *text = other ? text_format(ck->arena, "%s(\"%s\")", other, file) : NULL;
  if (kind == TE_LOAD_SEQ && (type_is(want, TY_TENSOR) || type_is(want, TY_INT)))
    text = text_format(ck->arena, "a sequence type, %s%s: files hold any number of elements",
                       type_text(ck->cx, want), ck->source->version == AST_V1 ? "{}" : "[]");
  if (text) diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(text));
}

typedef struct LoadWanted {
  TExprKind kind;
  const Type *ty;   /* NULL when the context gives none */
  const Type *want; /* what the context asks for, or NULL */
} LoadWanted;

/* The load as a node once its place, file and type are good. */
static TExpr *load_expr(Check *ck, LoadWanted wanted, Span span, const char *file) {
  const Type *ty = wanted.ty;
  bool is_allowed = load_is_allowed(ck, span);
  if (!file || !is_allowed || (ty && type_is(ty, TY_ERROR))) return error_expr(ck, span);
  if (!ty) {
    diag(ck->cx, span, E_LOAD_TYPE, d_text("load"));
    if (wanted.want) suggest_other_load(ck, wanted.kind, wanted.want, file);
    return error_expr(ck, span);
  }
  TExpr *load = texpr_new(ck->arena, wanted.kind, ty, span);
  load->u.load.file = file;
  return load;
}

/* ---- proxies -------------------------------------------------------------------------------- */

/* Often only the kind of axis 0 is missing. */
static void help_with_kind(Check *ck, const ImageProbe *probe, const Type *ty) {
  const bool would_fit =
      probe->n_axes == type_dim(ty) + 1 && probe->first_size == shape_size(type_shape(ty));
  if (!probe->value_kind || !would_fit) return;
  Text kinds = text_new(ck->arena);
  text_add(&kinds, probe->value_kind);
  for (uint32_t i = 1; i < probe->n_axes; i++) text_add(&kinds, " space");
  diag_note(ck->cx, SPAN_NONE, H_AXIS_KIND, d_text(text_str(&kinds)));
}

static void refuse_image(Check *ck, const char *file, const ImageProbe *probe, const Type *ty,
                         Span span) {
  if (probe->unsupported_kind)
    diag(ck->cx, span, E_PROXY_AXIS_KIND, d_text(file), d_text(probe->unsupported_kind));
  else
    diag(ck->cx, span, E_PROXY_SHAPE, d_text(file), d_int(probe->dim),
         d_int((int64_t)probe->n_values), d_type(ck->cx, ty));
  help_with_kind(ck, probe, ty);
}

/* Whether the file may be missing: an input may get another image, and programs that are only
 * checked, or are of version 1.0, may have their data elsewhere. Then types are as declared. */
static bool may_be_missing(const Check *ck) {
  return ck->place == PLACE_INPUT_DEFAULT || ck->options->makes_nothing ||
         ck->source->version == AST_V1;
}

/* Checks the file of a proxy image; also finds the type in which the image keeps its samples. */
static bool proxy_fits(Check *ck, const char *file, const Type *ty, Span span,
                       SampleType *samples) {
  const CheckHost *host = ck->options ? &ck->options->host : NULL;
  if (!host || !host->probe_image || (file[0] == '-' && file[1] == '\0')) return true;
  ImageProbe probe = host->probe_image(host->state, ck->arena, file);
  if (probe.is_unknown) return true;
  if (!probe.exists && may_be_missing(ck)) {
    diag(ck->cx, span, W_PROXY_MISSING, d_text(file));
    return true;
  }
  if (!probe.exists) diag(ck->cx, span, E_PROXY_MISSING, d_text(file));
  else if (probe.problem)
    diag(ck->cx, span, E_PROXY_UNREADABLE, d_text(file), d_text(probe.problem));
  else if (probe.unsupported_kind || probe.dim != type_dim(ty) ||
           probe.n_values != shape_size(type_shape(ty)))
    refuse_image(ck, file, &probe, ty, span);
  else {
    if (probe.sample_type) *samples = sample_in_file(probe.sample_type, ck->cx->is_double);
    return true;
  }
  return false;
}

static TExpr *load_of_image(Check *ck, Span span, const char *file, const Type *want) {
  bool is_asked = want && (type_is(want, TY_IMAGE) || type_is(want, TY_ERROR));
  const LoadWanted wanted = {TE_LOAD_IMAGE, is_asked ? want : NULL, want};
  TExpr *load = load_expr(ck, wanted, span, file);
  if (is_error(load) || proxy_fits(ck, file, load->ty, span, &load->u.load.samples)) return load;
  return error_expr(ck, span);
}

TExpr *check_load_image(Check *ck, const AstLoadImage *node, const Type *want) {
  return load_of_image(ck, node->head.span, check_file_name(ck, node->file), want);
}

/* Programs of version 1.0 may load images by the function for sequences, too. */
TExpr *check_load_seq(Check *ck, const AstLoadSeq *node, const Type *want) {
  const Span span = node->head.span;
  const char *file = check_file_name(ck, node->file);
  if (want && type_is(want, TY_IMAGE) && ck->source->version == AST_V1)
    return load_of_image(ck, span, file, want);
  const Type *ty = want && type_is(want, TY_ERROR) ? want : NULL;
  if (want && type_is(want, TY_SEQ) && type_is_fixed_size(type_elem(want)))
    ty = type_seq(ck->cx, type_elem(want), SEQ_DYNAMIC);
  if (ty && is_from_no_file(ty)) {
    diag(ck->cx, span, E_DECLARED_TYPE, d_text("a load"), d_type(ck->cx, ty));
    ty = type_error(ck->cx);
  }
  return load_expr(ck, (LoadWanted){TE_LOAD_SEQ, ty, want}, span, file);
}
