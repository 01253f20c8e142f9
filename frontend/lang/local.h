/* What sig_parse.c and sig.c share: a signature as patterns. Private to lang/. */
#pragma once

#include "frontend/base/vec.h"
#include "frontend/lang/sig.h"

typedef enum {
  AXIS_NUMBER, /* value */
  AXIS_DIM,    /* letter of a DIMVAR */
  AXIS_COUNT,  /* "#" */
  AXIS_RUN,    /* letter of a SHAPEVAR */
} AxisKind;

typedef struct Axis {
  AxisKind kind;
  uint32_t value;
  char letter;
} Axis;

typedef struct ShapePattern {
  uint32_t n;
  Axis axes[MAX_ORDER];
} ShapePattern;

typedef enum {
  CONT_NUMBER,   /* value */
  CONT_VAR,      /* a */
  CONT_LESS_ONE, /* (a-1) */
  CONT_MIN,      /* min(a,b) */
} ContKind;

typedef struct Cont {
  ContKind kind;
  uint32_t value;
  char a, b;
} Cont;

typedef enum {
  PAT_FIXED,  /* type */
  PAT_TENSOR, /* shape */
  PAT_IMAGE,  /* dim, shape */
  PAT_KERNEL, /* cont */
  PAT_FIELD,  /* cont, dim, shape */
  PAT_ROW,    /* dim */
  PAT_STRAND, /* any strand */
  PAT_ADDR,   /* an address; the same type at each place, like a TYPEVAR */
  PAT_ANY,    /* letter of a TYPEVAR; 0 for "any", which binds nothing */
  PAT_SEQ,    /* elem; is_dynamic, else dim is the length */
} PatternKind;

typedef struct Pattern {
  PatternKind kind;
  bool is_dynamic;
  char letter;
  Cont cont;
  Axis dim;
  ShapePattern shape;
  const Type *type;
  const struct Pattern *elem;
} Pattern;

typedef VEC(const Pattern *) PatternVec;

struct Sig {
  bool is_variadic; /* the last parameter may be given more than once */
  PatternVec params, results;
};
