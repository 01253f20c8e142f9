/* expressions: tree expressions as C expressions, by the rows of c_ops.def. */
#include "backend-c/code/local.h"

typedef enum {
  FORM_NONE, /* no row: not an expression of this level */
  FORM_INFIX,
  FORM_PREFIX,
  FORM_COND,
  FORM_CAST,
  FORM_CALL,
  FORM_CALL_I,
  FORM_CALL_T,
  FORM_ROW,
  FORM_OWN,
} OpForm;

static const struct {
  OpForm form;
  const char *text;
  uint8_t ops;
} c_ops[OP_COUNT] = {
#define C_OP(id, form, text, lanes, operands, ops) [OP_##id] = {FORM_##form, text, ops},
#include "backend-c/code/c_ops.def"
};

const char *gen_spelling(OpId op) { return c_ops[op].text; }
uint32_t gen_op_cost(OpId op) { return c_ops[op].ops; }

static const char *const sample_ids[] = {
#define SAMPLE(id, ...) #id,
#include "frontend/lang/samples.def"
};

static const char *const axis_names[] = {"DDR_X", "DDR_Y", "DDR_Z"};

void gen_args_from(Gen *gen, const TreeExpr *expr, uint32_t first, CExprVec *args) {
  for (uint32_t i = first; i < expr->args.len; i++)
    c_push(gen->cx, args, gen_expr(gen, expr->args.data[i]));
}

static CExprVec gen_args(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  gen_args_from(gen, expr, 0, &args);
  return args;
}

static CExpr *gen_call(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  gen_context_args(gen, expr->callee, IN_FUNCTION, &args);
  for (uint32_t i = 0; i < expr->args.len; i++)
    c_push(gen->cx, &args, gen_expr(gen, expr->args.data[i]));
  return c_call(gen->cx, expr->callee->name, args);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *row_fn(Gen *gen, const char *pattern, uint32_t width) {
  const char *percent = pattern;
  while (*percent != '%') percent++;
  return text_format(gen->cx->arena, "%.*s%u%s", (int)(percent - pattern), pattern, width,
                     percent + 2);
}

static CExpr *gen_const_row(Gen *gen, const TreeExpr *expr) {
  const ConstRow *row = &expr->attr.row;
  CExprVec lanes = {0};
  for (uint32_t i = 0; i < row->width; i++)
    c_push(gen->cx, &lanes, c_rational(gen->cx, row->lanes[i]));
  return c_call(gen->cx, row_fn(gen, c_ops[OP_ROW_PACK].text, row->width), lanes);
}

/* The macro is named after the width of the result, or of the last operand of a dot product. */
static CExpr *gen_row(Gen *gen, const TreeExpr *expr) {
  const Type *ty = type_is(expr->ty, TY_ROW) ? expr->ty : vec_last(&expr->args)->ty;
  const char *fn = row_fn(gen, c_ops[expr->op].text, type_row_width(ty));
  return c_call(gen->cx, fn, gen_args(gen, expr));
}

/* ---- images ---------------------------------------------------------------------------------- */

static CExpr *axis_entry(Gen *gen, CExpr *array, int64_t axis) {
  return c_index(gen->cx, array, c_name(gen->cx, axis_names[axis]));
}

static CExpr *gen_placement(Gen *gen, const TreeExpr *expr) {
  CExpr *place = c_call(gen->cx, "ddr_image_placement", gen_args(gen, expr));
  CExpr *array = c_arrow(gen->cx, place, c_ops[expr->op].text);
  if (expr->op == OP_IMAGE_ORIGIN) return axis_entry(gen, array, expr->attr.i);
  return axis_entry(gen, axis_entry(gen, array, expr->attr.pair.i), expr->attr.pair.j);
}

static CExpr *gen_image_axis(Gen *gen, const TreeExpr *expr) {
  CExpr *image = gen_expr(gen, expr->args.data[0]);
  return axis_entry(gen, c_arrow(gen->cx, image, c_ops[expr->op].text), expr->attr.i);
}

/* Devices have no copies of samples: they have the stride. */
static CExpr *gen_image_step(Gen *gen, const TreeExpr *expr) {
  const uint32_t axis = expr->attr.pair.i, width = 2 * expr->attr.pair.j;
  CExpr *image = gen_expr(gen, expr->args.data[0]);
  if (gen->how->has_pairs)
    return axis_entry(gen, c_arrow(gen->cx, image, c_ops[OP_IMAGE_STRIDE].text), axis);
  CExprVec args = {0};
  c_push(gen->cx, &args, image);
  c_push(gen->cx, &args, c_name(gen->cx, axis_names[axis]));
  c_push(gen->cx, &args, c_int(gen->cx, gen_copied(expr->args.data[0]->ty, width, axis)));
  return c_call(gen->cx, c_ops[expr->op].text, args);
}

static bool is_zero_offset(const TreeExpr *expr) {
  return expr->kind == TX_OP && expr->op == OP_CONST_OFFSET && expr->attr.i == 0;
}

/* An index times a constant would be an int without a cast. */
static CExpr *gen_offset_mul(Gen *gen, const TreeExpr *expr) {
  CExpr *idx = gen_expr(gen, expr->args.data[0]);
  const TreeExpr *stride = expr->args.data[1];
  const bool is_const = stride->kind == TX_OP && stride->op == OP_CONST_OFFSET;
  if (is_const) idx = c_cast(gen->cx, "int64_t", idx);
  if (is_const && stride->attr.i == 1) return idx;
  return c_binary(gen->cx, c_ops[expr->op].text, idx, gen_expr(gen, stride));
}

/* The first sample: a real, or of one narrower type. */
CExpr *gen_first_sample(Gen *gen, const TreeExpr *expr) {
  const SampleType samples = type_samples(expr->ty);
  const char *fn = gen->how->has_pairs ? "ddr_image_pairs" : c_ops[expr->op].text;
  if (samples != SAMPLE_REAL) fn = text_format(gen->cx->arena, "%s_%s", fn, sample_text(samples));
  return c_call1(gen->cx, fn, gen_expr(gen, expr->args.data[0]));
}

static CExpr *gen_sample_addr(Gen *gen, const TreeExpr *expr) {
  CExpr *base = gen_first_sample(gen, expr);
  if (is_zero_offset(expr->args.data[1])) return base;
  return c_binary(gen->cx, "+", base, gen_expr(gen, expr->args.data[1]));
}

/* DDR_ROW4_LOAD for reals, DDR_ROW4_LOAD_U8 for bytes, and so on. */
static const char *gen_row_loader(Gen *gen, const TreeExpr *load) {
  const SampleType samples = type_samples(load->args.data[0]->ty);
  const char *fn = row_fn(gen, c_ops[load->op].text, type_row_width(load->ty));
  if (samples == SAMPLE_REAL) return fn;
  return text_format(gen->cx->arena, "%s_%s", fn, sample_ids[samples]);
}

CExpr *gen_sample_type(Gen *gen, SampleType samples) {
  return c_name(gen->cx, text_format(gen->cx->arena, "DDR_SAMPLE_%s", sample_ids[samples]));
}

static CExpr *gen_is_native(Gen *gen, const TreeExpr *expr) {
  CExpr *image = gen_expr(gen, expr->args.data[0]);
  return c_call2(gen->cx, c_ops[expr->op].text, image,
                 gen_sample_type(gen, (SampleType)expr->attr.i));
}

/* ---- strings --------------------------------------------------------------------------------- */

CExpr *gen_string_test(Gen *gen, const TreeExpr *expr) {
  CExpr *order = c_call(gen->cx, "strcmp", gen_args(gen, expr));
  return c_binary(gen->cx, c_ops[expr->op].text, order, c_int(gen->cx, 0));
}

/* ---- every form ------------------------------------------------------------------------------ */

static CExpr *gen_of_image(Gen *gen, const TreeExpr *expr) {
  switch (expr->op) {
  case OP_IMAGE_AXIS_LEN: return c_cast(gen->cx, "ddr_int", gen_image_axis(gen, expr));
  case OP_IMAGE_STRIDE: return gen_image_axis(gen, expr);
  case OP_IMAGE_STEP: return gen_image_step(gen, expr);
  case OP_IMAGE_IS_NATIVE: return gen_is_native(gen, expr);
  case OP_IMAGE_ORIGIN:
  case OP_IMAGE_MATRIX: return gen_placement(gen, expr);
  case OP_SAMPLE_ADDR: return gen_sample_addr(gen, expr);
  default: break; /* all rows with form OWN are here or below */
  }
  BUG(gen->cx, "op %s has no spelling in C", op_text(expr->op));
}

static CExpr *gen_own(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  const Attr *attr = &expr->attr;
  switch (expr->op) {
  case OP_CONST_BOOL: return c_bool(cx, attr->b);
  case OP_CONST_INT:
  case OP_CONST_OFFSET: return c_int(cx, attr->i);
  case OP_CONST_REAL: return c_real(cx, attr->real);
  case OP_CONST_STRING: return c_string(cx, attr->s);
  case OP_CONST_ROW: return gen_const_row(gen, expr);
  case OP_GLOBAL_LOAD: return gen_global(gen, attr->var);
  case OP_CALL: return gen_call(gen, expr);
  case OP_NUM_STRANDS:
  case OP_NUM_ACTIVE:
  case OP_NUM_STABLE:
    return c_cast(cx, "ddr_int", c_call1(cx, c_ops[expr->op].text, c_name(cx, "world")));
  case OP_STRAND_STATE:
  case OP_SPHERE: return gen_strand_op(gen, expr, c_ops[expr->op].text);
  case OP_SAMPLING_IS_MADE:
  case OP_SAMPLING_VALUE: return gen->how->probe(gen, expr);
  case OP_STREQ:
  case OP_STRNE: return gen->how->compare_strings(gen, expr);
  case OP_SEQ:
  case OP_SEQ_INDEX:
  case OP_SEQ_COPY:
  case OP_SEQ_DYNAMIC:
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
  case OP_SEQ_CONCAT:
  case OP_SEQ_RANGE: return gen_seq_op(gen, expr, c_ops[expr->op].text);
  case OP_OFFSET_MUL: return gen_offset_mul(gen, expr);
  case OP_ROW_LOAD: return c_call(cx, gen_row_loader(gen, expr), gen_args(gen, expr));
  case OP_ROW_GET: return c_index_int(cx, gen_expr(gen, expr->args.data[0]), (uint32_t)attr->i);
  default: return gen_of_image(gen, expr); /* the other rows with form OWN */
  }
}

static CExpr *gen_call_t(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, expr->ty)));
  gen_args_from(gen, expr, 0, &args);
  if (op_attr_kind(expr->op) == ATTR_INT) c_push(gen->cx, &args, c_int(gen->cx, expr->attr.i));
  return c_call(gen->cx, c_ops[expr->op].text, args);
}

CExpr *gen_expr(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  if (expr->kind == TX_VAR) {
    CExpr *in_place = map_get(gen->in_place, expr->var);
    return in_place ? in_place : gen->how->read(gen, expr->var);
  }
  CExpr *other = gen->how->instead ? gen->how->instead(gen, expr) : NULL;
  if (other) return other;
  const char *text = c_ops[expr->op].text;
  OpForm form = c_ops[expr->op].form;
  if (form == FORM_OWN) return gen_own(gen, expr);
  if (form == FORM_ROW) return gen_row(gen, expr);
  if (form == FORM_CALL_T) return gen_call_t(gen, expr);
  CExprVec args = gen_args(gen, expr);
  if (args.len == 0) BUG(cx, "op %s without operands", op_text(expr->op));
  switch (form) {
  case FORM_INFIX: return c_binary(cx, text, args.data[0], args.data[1]);
  case FORM_PREFIX: return c_unary(cx, text, args.data[0]);
  case FORM_COND: return c_cond(cx, args.data[0], args.data[1], args.data[2]);
  case FORM_CAST: return c_cast(cx, text, args.data[0]);
  case FORM_CALL_I: c_push(cx, &args, c_int(cx, expr->attr.i)); return c_call(cx, text, args);
  case FORM_CALL: return c_call(cx, text, args);
  case FORM_ROW:
  case FORM_CALL_T:
  case FORM_OWN:
  case FORM_NONE: break;
  }
  BUG(cx, "op %s has no spelling in C", op_text(expr->op));
}
