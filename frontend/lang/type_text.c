/* Types as text and back: type_parse reads exactly what type_text prints, so that IR text is
 * lossless. One table holds the words of both directions.
 */
#include <ctype.h>
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/lang/type.h"

/* What is written after the word. */
typedef enum {
  WORD_ALONE,
  WORD_SHAPE,
  WORD_IMAGE,
  WORD_KERNEL,
  WORD_FIELD,
  WORD_ROW,
  WORD_ADDR
} WordRest;

typedef struct TypeWord {
  const char *text;
  TypeKind kind;
  WordRest rest;
  uint32_t order, dim; /* an abbreviation of a tensor: order axes of length dim */
} TypeWord;

static const TypeWord words[] = {
    {"bool", TY_BOOL, WORD_ALONE, 0, 0},      {"int", TY_INT, WORD_ALONE, 0, 0},
    {"string", TY_STRING, WORD_ALONE, 0, 0},  {"real", TY_TENSOR, WORD_ALONE, 0, 0},
    {"vec2", TY_TENSOR, WORD_ALONE, 1, 2},    {"vec3", TY_TENSOR, WORD_ALONE, 1, 3},
    {"vec4", TY_TENSOR, WORD_ALONE, 1, 4},    {"mat2", TY_TENSOR, WORD_ALONE, 2, 2},
    {"mat3", TY_TENSOR, WORD_ALONE, 2, 3},    {"mat4", TY_TENSOR, WORD_ALONE, 2, 4},
    {"tensor", TY_TENSOR, WORD_SHAPE, 0, 0},  {"image", TY_IMAGE, WORD_IMAGE, 0, 0},
    {"kernel", TY_KERNEL, WORD_KERNEL, 0, 0}, {"field", TY_FIELD, WORD_FIELD, 0, 0},
    {"row", TY_ROW, WORD_ROW, 0, 0},          {"offset", TY_OFFSET, WORD_ALONE, 0, 0},
    {"addr", TY_ADDR, WORD_ADDR, 0, 0},       {"strand", TY_STRAND, WORD_ALONE, 0, 0},
};
#define N_WORDS (sizeof words / sizeof words[0])

static const TypeWord *word_find(const char *text, size_t len) {
  for (size_t i = 0; i < N_WORDS; i++)
    if (strlen(words[i].text) == len && memcmp(words[i].text, text, len) == 0) return &words[i];
  return NULL;
}

/* Shape of an abbreviation: a cube of word->order axes. */
static Shape word_shape(const TypeWord *word) {
  Shape shape = {0};
  for (uint32_t i = 0; i < word->order; i++) shape = shape_append(shape, word->dim);
  return shape;
}

static void add_shape(Text *t, const Shape *shape) {
  text_add(t, "[");
  for (uint32_t i = 0; i < shape->order; i++)
    text_addf(t, i > 0 ? ",%u" : "%u", (unsigned)shape->dims[i]);
  text_add(t, "]");
}

static void add_tensor(Text *t, const Shape *shape) {
  for (size_t i = 0; i < N_WORDS; i++) {
    if (words[i].kind != TY_TENSOR || words[i].rest != WORD_ALONE) continue;
    Shape abbreviated = word_shape(&words[i]);
    if (!shape_eq(&abbreviated, shape)) continue;
    text_add(t, words[i].text);
    return;
  }
  text_add(t, "tensor");
  add_shape(t, shape);
}

static void add_strand(Text *t, const Name *name) {
  if (word_find(name->text, name->len)) text_add(t, "strand ");
  text_add(t, name->text);
}

static void add_field(Text *t, const Type *ty) {
  text_add(t, "field");
  if (type_continuity(ty) != CONTINUITY_INF) text_addf(t, "#%u", (unsigned)type_continuity(ty));
  text_addf(t, "(%u)", (unsigned)type_dim(ty));
  add_shape(t, type_shape(ty));
}

static void add_addr(Text *t, SampleType samples) {
  text_add(t, "addr");
  if (samples != SAMPLE_REAL) text_addf(t, "(%s)", sample_text(samples));
}

static void add_type(Text *t, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_ERROR: text_add(t, "?"); break;
  case TY_BOOL: text_add(t, "bool"); break;
  case TY_INT: text_add(t, "int"); break;
  case TY_STRING: text_add(t, "string"); break;
  case TY_TENSOR: add_tensor(t, type_shape(ty)); break;
  case TY_SEQ:
    add_type(t, type_elem(ty));
    if (type_is_dynamic_seq(ty)) text_add(t, "[]");
    else text_addf(t, "[%llu]", (unsigned long long)type_seq_len(ty));
    break;
  case TY_STRAND: add_strand(t, type_strand_name(ty)); break;
  case TY_IMAGE:
    text_addf(t, "image(%u)", (unsigned)type_dim(ty));
    add_shape(t, type_shape(ty));
    break;
  case TY_KERNEL: text_addf(t, "kernel#%u", (unsigned)type_continuity(ty)); break;
  case TY_FIELD: add_field(t, ty); break;
  case TY_ROW: text_addf(t, "row(%u)", (unsigned)type_row_width(ty)); break;
  case TY_OFFSET: text_add(t, "offset"); break;
  case TY_ADDR: add_addr(t, type_samples(ty)); break;
  }
}

const char *type_text(Cx *cx, const Type *ty) {
  Text t = text_new(cx->arena);
  add_type(&t, ty);
  return text_str(&t);
}

DiagArg d_type(Cx *cx, const Type *ty) { return d_type_text(type_text(cx, ty)); }

/* The readers below advance *at past what they read and return false on bad syntax. */

static bool read_char(const char **at, char c) {
  if (**at != c) return false;
  ++*at;
  return true;
}

static bool read_number(const char **at, uint64_t *value) {
  if (!isdigit((unsigned char)**at)) return false;
  *value = 0;
  for (; isdigit((unsigned char)**at); ++*at) {
    uint64_t digit = (uint64_t)(**at - '0');
    if (*value > (SEQ_DYNAMIC - 1 - digit) / 10) return false;
    *value = *value * 10 + digit;
  }
  return true;
}

static bool read_small(const char **at, uint32_t *value) {
  uint64_t wide;
  if (!read_number(at, &wide) || wide >= CONTINUITY_INF) return false;
  *value = (uint32_t)wide;
  return true;
}

static bool read_parens(const char **at, uint32_t *value) {
  return read_char(at, '(') && read_small(at, value) && read_char(at, ')');
}

static bool read_shape(const char **at, Shape *shape) {
  *shape = (Shape){0};
  if (!read_char(at, '[')) return false;
  if (read_char(at, ']')) return true;
  do {
    uint32_t dim;
    if (!read_small(at, &dim)) return false;
    *shape = shape_append(*shape, dim);
  } while (read_char(at, ','));
  return read_char(at, ']') && !shape_is_too_large(shape);
}

static size_t word_len(const char *at) {
  size_t len = 0;
  if (isdigit((unsigned char)*at)) return 0;
  while (isalnum((unsigned char)at[len]) || at[len] == '_') len++;
  return len;
}

static const Type *parse_strand(Cx *cx, const char **at) {
  size_t len = word_len(*at);
  if (len == 0) return NULL;
  const Type *ty = type_strand(cx, name_intern(cx->names, *at, len));
  *at += len;
  return ty;
}

static const Type *parse_addr(Cx *cx, const char **at) {
  if (!read_char(at, '(')) return type_addr(cx, SAMPLE_REAL);
  size_t len = word_len(*at);
  SampleType samples = sample_find(*at, len);
  *at += len;
  return samples != SAMPLE_COUNT && read_char(at, ')') ? type_addr(cx, samples) : NULL;
}

static const Type *parse_alone(Cx *cx, const TypeWord *word, const char **at) {
  switch (word->kind) {
  case TY_BOOL: return type_bool(cx);
  case TY_INT: return type_int(cx);
  case TY_STRING: return type_string(cx);
  case TY_TENSOR: return type_tensor(cx, word_shape(word));
  case TY_OFFSET: return type_offset(cx);
  case TY_STRAND: return read_char(at, ' ') ? parse_strand(cx, at) : NULL;
  default: return NULL; /* the other kinds have no word that stands alone */
  }
}

static const Type *parse_word(Cx *cx, const TypeWord *word, const char **at) {
  Shape shape;
  uint32_t dim, continuity = CONTINUITY_INF;
  switch (word->rest) {
  case WORD_ALONE: return parse_alone(cx, word, at);
  case WORD_SHAPE: return read_shape(at, &shape) ? type_tensor(cx, shape) : NULL;
  case WORD_ADDR: return parse_addr(cx, at);
  case WORD_ROW: return read_parens(at, &dim) ? type_row(cx, dim) : NULL;
  case WORD_IMAGE:
    if (!read_parens(at, &dim) || !read_shape(at, &shape)) return NULL;
    return type_image(cx, dim, shape);
  case WORD_KERNEL:
    if (!read_char(at, '#') || !read_small(at, &continuity)) return NULL;
    return type_kernel(cx, continuity);
  case WORD_FIELD:
    if (read_char(at, '#') && !read_small(at, &continuity)) return NULL;
    if (!read_parens(at, &dim) || !read_shape(at, &shape)) return NULL;
    return type_field(cx, continuity, dim, shape);
  }
  return NULL;
}

static const Type *parse_base(Cx *cx, const char **at) {
  if (read_char(at, '?')) return type_error(cx);
  size_t len = word_len(*at);
  const TypeWord *word = word_find(*at, len);
  if (!word) return parse_strand(cx, at);
  *at += len;
  return parse_word(cx, word, at);
}

const Type *type_parse(Cx *cx, const char **text) {
  const char *at = *text;
  while (*at == ' ') at++;
  const Type *ty = parse_base(cx, &at);
  while (ty && read_char(&at, '[')) {
    uint64_t len = SEQ_DYNAMIC;
    if (*at != ']' && !read_number(&at, &len)) return NULL;
    if (!read_char(&at, ']')) return NULL;
    ty = type_seq(cx, ty, len);
  }
  if (ty) *text = at;
  return ty;
}

const char *type_component_name(Cx *cx, const Type *ty, const char *name, uint32_t component) {
  if (!type_is(ty, TY_TENSOR) || type_is_real(ty)) return name;
  const Shape *shape = type_shape(ty);
  if (shape->order == 1 && shape->dims[0] <= 4)
    return text_format(cx->arena, "%s_%c", name, "xyzw"[component]);
  return text_format(cx->arena, "%s_%u", name, component);
}
