/* Type: the types of the language and of the IR, hash-consed: equal types are the same pointer.
 *
 * Shapes list tensor axes slowest first; axes of length 1 are deleted wherever they arise, so
 * tensor[] is real and a gradient over one dimension is a scalar. Kinds after TY_FIELD exist in
 * the IR only and cannot be written in a program. Every union member is read through an accessor
 * that checks the kind.
 */
#pragma once

#include <stdbool.h>

#include "frontend/base/cx.h"
#include "frontend/base/diag.h"
#include "frontend/lang/sample.h"

#define MAX_ORDER 16              /* axes of a tensor; more is a LIMIT */
#define CONTINUITY_INF UINT32_MAX /* field(d)[s] without #k */
#define SEQ_DYNAMIC UINT64_MAX    /* length of T[] */

typedef enum {
  TY_ERROR, /* after an error: fits every type, so that no further error is reported */
  TY_BOOL,
  TY_INT,
  TY_STRING,
  TY_TENSOR, /* shape */
  TY_SEQ,    /* elem, seq_len */
  TY_STRAND, /* strand_name: reference to a strand */
  TY_IMAGE,  /* dim, shape */
  TY_KERNEL, /* continuity */
  TY_FIELD,  /* continuity, dim, shape */
  TY_ROW,    /* width: short vector of reals, LOW and TREE */
  TY_OFFSET, /* 64-bit sample offset, LOW and TREE */
  TY_ADDR,   /* samples: address of one of that type, LOW and TREE */
} TypeKind;

/* An order above MAX_ORDER means that the shape is too large: functions of shapes return such a
 * shape for one, and a type of it is TY_ERROR. */
typedef struct Shape {
  uint32_t order;
  uint32_t dims[MAX_ORDER]; /* slowest first, each >= 2 */
} Shape;

typedef struct Type Type;
typedef struct TypeTable TypeTable;

/* Sets cx->types. Once per compilation, before any other function here. */
void types_init(Cx *cx);

const Type *type_error(Cx *cx);
const Type *type_bool(Cx *cx);
const Type *type_int(Cx *cx);
const Type *type_string(Cx *cx);
const Type *type_real(Cx *cx); /* tensor[] */
const Type *type_tensor(Cx *cx, Shape shape);
const Type *type_vec(Cx *cx, uint32_t n); /* tensor[n]; tensor[] when n is 1 */
const Type *type_seq(Cx *cx, const Type *elem, uint64_t len);
const Type *type_strand(Cx *cx, const Name *name);
const Type *type_image(Cx *cx, uint32_t dim, Shape shape);
const Type *type_kernel(Cx *cx, uint32_t continuity);
const Type *type_field(Cx *cx, uint32_t continuity, uint32_t dim, Shape shape);
const Type *type_row(Cx *cx, uint32_t width);
const Type *type_offset(Cx *cx);
const Type *type_addr(Cx *cx, SampleType samples);

TypeKind type_kind(const Type *ty);
bool type_is(const Type *ty, TypeKind kind);
const Shape *type_shape(const Type *ty);      /* tensor, image, field */
uint32_t type_dim(const Type *ty);            /* image, field */
uint32_t type_continuity(const Type *ty);     /* kernel, field */
const Type *type_elem(const Type *ty);        /* seq */
uint64_t type_seq_len(const Type *ty);        /* seq; SEQ_DYNAMIC */
const Name *type_strand_name(const Type *ty); /* strand */
uint32_t type_row_width(const Type *ty);      /* row */
SampleType type_samples(const Type *ty);      /* addr */

bool type_is_real(const Type *ty);       /* tensor[] */
bool type_is_value(const Type *ty);      /* bool, int, string, tensor, seq of them */
bool type_is_fixed_size(const Type *ty); /* value type without [] inside */
bool type_is_dynamic_seq(const Type *ty);
bool type_is_fixed_seq(const Type *ty);

Shape shape_of(uint32_t order, const uint32_t *dims); /* deletes ones */
Shape shape_concat(Shape a, Shape b);
Shape shape_append(Shape a, uint32_t dim);
Shape shape_drop_first(Shape a); /* of order >= 1 */
bool shape_is_too_large(const Shape *a);
bool shape_eq(const Shape *a, const Shape *b);
uint64_t shape_size(const Shape *a); /* number of components; UINT64_MAX when it does not fit */

/* Whether a value is converted where another type is expected (doc/language.md, "Conversions and
 * overloads"). TY_ERROR coerces both ways. */
bool type_coerces(const Type *from, const Type *to);

/* As in programs: real, vec3, mat2, tensor[3,3,3], int[4][], field#2(3)[3]; kinds of the IR as
 * row(4), offset, addr (of reals), addr(u8); TY_ERROR as ?. A strand that has one of these words as
 * its name is "strand offset". */
const char *type_text(Cx *cx, const Type *ty);
/* Name of one scalar component of a value: pos_x, pos_y, ... for vectors up to length 4, m_0, m_1,
 * ... for other tensors, row-major; the name itself for a scalar. */
const char *type_component_name(Cx *cx, const Type *ty, const char *name, uint32_t component);
/* Inverse of type_text for the IR parser; advances *text past the type. NULL on bad syntax. */
const Type *type_parse(Cx *cx, const char **text);
DiagArg d_type(Cx *cx, const Type *ty);
