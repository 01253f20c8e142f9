/* Constant: values known at compile time, as the checker computes them and the back end writes
 * them down.
 */
#pragma once

#include "frontend/lang/type.h"

/* A real keeps the digits of the source when it is a single literal, so that it is rounded once to
 * the run-time precision; digits is NULL for a computed value. */
typedef struct RealConst {
  double value;
  const char *digits;
} RealConst;

typedef struct Const Const;
struct Const { /* by the kind of ty: */
  const Type *ty;
  bool b;           /* bool */
  int64_t i;        /* int */
  const char *s;    /* string, NUL-terminated, escapes decoded */
  RealConst *reals; /* tensor: shape_size components, row-major */
  Const **elems;    /* seq */
  uint64_t n_elems;
};
