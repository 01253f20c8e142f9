/* Signatures as text: a reader by recursive descent, one function per production of sig.h. Each
 * returns false, or NULL, after the first error, which is kept in the reader.
 */
#include <ctype.h>
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/lang/local.h"

#define DIM_VARS "demn"
#define SHAPE_VARS "stu"
#define CONT_VARS "jk"
#define TYPE_VARS "TU"

typedef struct Reader {
  Cx *cx;
  const char *text, *at;
  const char *error;
  uint32_t seen_shapes; /* SHAPEVARs met so far, by letter */
  bool in_result;
} Reader;

static bool fail(Reader *r, const char *expected) {
  if (!r->error)
    r->error = text_format(r->cx->arena, "column %u: expected %s", (unsigned)(r->at - r->text) + 1,
                           expected);
  return false;
}

static void skip_blanks(Reader *r) {
  while (*r->at == ' ') r->at++;
}

static bool is_next(Reader *r, const char *token) {
  skip_blanks(r);
  return strncmp(r->at, token, strlen(token)) == 0;
}

static bool accept(Reader *r, const char *token) {
  if (!is_next(r, token)) return false;
  r->at += strlen(token);
  return true;
}

static bool expect(Reader *r, const char *token) { return accept(r, token) || fail(r, token); }

/* One of the letters, standing alone. */
static bool accept_letter(Reader *r, const char *letters, char *letter) {
  skip_blanks(r);
  if (*r->at == '\0' || !strchr(letters, *r->at) || isalnum((unsigned char)r->at[1])) return false;
  *letter = *r->at++;
  return true;
}

static bool accept_number(Reader *r, uint32_t *value) {
  skip_blanks(r);
  if (!isdigit((unsigned char)*r->at)) return false;
  *value = 0;
  while (isdigit((unsigned char)*r->at) && *value < 100000)
    *value = *value * 10 + (uint32_t)(*r->at++ - '0');
  return true;
}

static bool read_dim(Reader *r, Axis *dim) {
  *dim = (Axis){0};
  if (accept_number(r, &dim->value)) return dim->value > 0 || fail(r, "a length above 0");
  dim->kind = AXIS_DIM;
  if (accept_letter(r, DIM_VARS, &dim->letter)) return true;
  dim->kind = AXIS_COUNT;
  if (r->in_result && accept(r, "#")) return true;
  return fail(r, "a dimension");
}

static bool read_parens_dim(Reader *r, Axis *dim) {
  return expect(r, "(") && read_dim(r, dim) && expect(r, ")");
}

static bool read_axis(Reader *r, Axis *axis, uint32_t *n_free_runs) {
  *axis = (Axis){.kind = AXIS_RUN};
  if (!accept_letter(r, SHAPE_VARS, &axis->letter)) return read_dim(r, axis);
  uint32_t bit = 1u << (axis->letter - 'a');
  if (!(r->seen_shapes & bit)) ++*n_free_runs;
  return true;
}

static bool read_shape(Reader *r, ShapePattern *shape) {
  uint32_t n_free_runs = 0;
  if (!expect(r, "[")) return false;
  if (accept(r, "]")) return true;
  do {
    if (shape->n == MAX_ORDER) return fail(r, "fewer axes");
    if (!read_axis(r, &shape->axes[shape->n++], &n_free_runs)) return false;
  } while (accept(r, ","));
  if (n_free_runs > 1) return fail(r, "one unknown run of axes");
  for (uint32_t i = 0; i < shape->n; i++)
    if (shape->axes[i].kind == AXIS_RUN) r->seen_shapes |= 1u << (shape->axes[i].letter - 'a');
  return expect(r, "]");
}

static bool read_cont_var(Reader *r, char *letter) {
  return accept_letter(r, CONT_VARS, letter) || fail(r, "a continuity variable");
}

static bool read_derived_cont(Reader *r, Cont *cont) {
  if (accept(r, "(")) {
    cont->kind = CONT_LESS_ONE;
    return read_cont_var(r, &cont->a) && expect(r, "-") && expect(r, "1") && expect(r, ")");
  }
  cont->kind = CONT_MIN;
  return expect(r, "min(") && read_cont_var(r, &cont->a) && expect(r, ",") &&
         read_cont_var(r, &cont->b) && expect(r, ")");
}

static bool read_cont(Reader *r, Cont *cont) {
  if (!expect(r, "#")) return false;
  *cont = (Cont){.kind = CONT_NUMBER};
  if (accept_number(r, &cont->value)) return true;
  cont->kind = CONT_VAR;
  if (accept_letter(r, CONT_VARS, &cont->a)) return true;
  return r->in_result ? read_derived_cont(r, cont) : fail(r, "a continuity variable or number");
}

typedef enum {
  REST_NONE,
  REST_SHAPE,
  REST_VEC,
  REST_IMAGE,
  REST_KERNEL,
  REST_FIELD,
  REST_ROW,
} Rest;

typedef struct Word {
  const char *text;
  PatternKind kind;
  Rest rest;
  TypeKind type;       /* of PAT_FIXED */
  uint32_t order, dim; /* of an abbreviated tensor */
} Word;

static const Word words[] = {
    {"bool", PAT_FIXED, REST_NONE, TY_BOOL, 0, 0},
    {"int", PAT_FIXED, REST_NONE, TY_INT, 0, 0},
    {"string", PAT_FIXED, REST_NONE, TY_STRING, 0, 0},
    {"addr", PAT_ADDR, REST_NONE, TY_ADDR, 0, 0},
    {"offset", PAT_FIXED, REST_NONE, TY_OFFSET, 0, 0},
    {"real", PAT_TENSOR, REST_NONE, TY_TENSOR, 0, 0},
    {"vec2", PAT_TENSOR, REST_NONE, TY_TENSOR, 1, 2},
    {"vec3", PAT_TENSOR, REST_NONE, TY_TENSOR, 1, 3},
    {"vec4", PAT_TENSOR, REST_NONE, TY_TENSOR, 1, 4},
    {"mat2", PAT_TENSOR, REST_NONE, TY_TENSOR, 2, 2},
    {"mat3", PAT_TENSOR, REST_NONE, TY_TENSOR, 2, 3},
    {"mat4", PAT_TENSOR, REST_NONE, TY_TENSOR, 2, 4},
    {"vec", PAT_TENSOR, REST_VEC, TY_TENSOR, 0, 0},
    {"tensor", PAT_TENSOR, REST_SHAPE, TY_TENSOR, 0, 0},
    {"image", PAT_IMAGE, REST_IMAGE, TY_IMAGE, 0, 0},
    {"kernel", PAT_KERNEL, REST_KERNEL, TY_KERNEL, 0, 0},
    {"field", PAT_FIELD, REST_FIELD, TY_FIELD, 0, 0},
    {"row", PAT_ROW, REST_ROW, TY_ROW, 0, 0},
    {"strand", PAT_STRAND, REST_NONE, TY_STRAND, 0, 0},
    {"any", PAT_ANY, REST_NONE, TY_ERROR, 0, 0},
};

static const Type *fixed_type(Cx *cx, TypeKind kind) {
  switch (kind) {
  case TY_BOOL: return type_bool(cx);
  case TY_INT: return type_int(cx);
  case TY_STRING: return type_string(cx);
  case TY_OFFSET: return type_offset(cx);
  default: return NULL; /* words of the other kinds are patterns */
  }
}

static const Word *accept_word(Reader *r) {
  skip_blanks(r);
  size_t len = 0;
  while (isalnum((unsigned char)r->at[len])) len++;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strlen(words[i].text) != len || memcmp(words[i].text, r->at, len) != 0) continue;
    r->at += len;
    return &words[i];
  }
  return NULL;
}

static bool read_rest(Reader *r, Rest rest, Pattern *p) {
  switch (rest) {
  case REST_NONE: return true;
  case REST_SHAPE: return read_shape(r, &p->shape);
  case REST_VEC: p->shape.n = 1; return read_parens_dim(r, &p->shape.axes[0]);
  case REST_IMAGE: return read_parens_dim(r, &p->dim) && read_shape(r, &p->shape);
  case REST_KERNEL: return read_cont(r, &p->cont);
  case REST_FIELD:
    return read_cont(r, &p->cont) && read_parens_dim(r, &p->dim) && read_shape(r, &p->shape);
  case REST_ROW: return read_parens_dim(r, &p->dim);
  }
  return false;
}

static Pattern *read_base(Reader *r) {
  Pattern *p = NEW(r->cx->arena, Pattern);
  p->kind = PAT_ANY;
  if (accept_letter(r, TYPE_VARS, &p->letter)) return p;
  const Word *word = accept_word(r);
  if (!word) {
    fail(r, "a type");
    return NULL;
  }
  p->kind = word->kind;
  p->type = fixed_type(r->cx, word->type);
  p->shape.n = word->order;
  for (uint32_t i = 0; i < word->order; i++) p->shape.axes[i].value = word->dim;
  return read_rest(r, word->rest, p) ? p : NULL;
}

static Pattern *read_type(Reader *r) {
  Pattern *p = read_base(r);
  while (p && accept(r, "[")) {
    Pattern *seq = NEW(r->cx->arena, Pattern);
    seq->kind = PAT_SEQ;
    seq->elem = p;
    seq->is_dynamic = is_next(r, "]");
    if (!seq->is_dynamic && !read_dim(r, &seq->dim)) return NULL;
    if (!expect(r, "]")) return NULL;
    p = seq;
  }
  return p;
}

/* "()" or one type and more. */
static bool read_list(Reader *r, PatternVec *list) {
  if (accept(r, "(")) return expect(r, ")");
  do {
    Pattern *p = read_type(r);
    if (!p) return false;
    vec_push(r->cx->arena, list, p);
  } while (accept(r, ","));
  return true;
}

static bool read_sig(Reader *r, Sig *sig) {
  if (!read_list(r, &sig->params)) return false;
  sig->is_variadic = sig->params.len > 0 && accept(r, "...");
  if (!expect(r, "->")) return false;
  r->in_result = true;
  if (!read_list(r, &sig->results)) return false;
  skip_blanks(r);
  return *r->at == '\0' || fail(r, "the end");
}

Sig *sig_parse(Cx *cx, const char *text, const char **error) {
  Reader r = {.cx = cx, .text = text, .at = text};
  Sig *sig = NEW(cx->arena, Sig);
  if (read_sig(&r, sig)) return sig;
  *error = r.error;
  return NULL;
}
