/* Oracles for the builtins that are Einstein templates: plain loops over arrays, found by the name
 * that programs use. They share no code with the templates. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "frontend/lang/type.h"

enum { MAX_COMPONENTS = 1296 };

typedef struct Tensor {
  Shape shape;
  uint32_t n; /* components */
  double at[MAX_COMPONENTS];
} Tensor;

/* One application. For a differential operator args[0] is the derivative: the components of the
 * field, each with its `dim` partial derivatives. The shape of `out` is set. */
typedef struct Application {
  const Tensor *args;
  uint32_t n_args, dim;
  Tensor *out;
} Application;

static inline double at_or_scalar(const Tensor *t, uint32_t i) { return t->at[t->n == 1 ? 0 : i]; }

static inline void o_add(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++) x->out->at[i] = x->args[0].at[i] + x->args[1].at[i];
}

static inline void o_sub(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++) x->out->at[i] = x->args[0].at[i] - x->args[1].at[i];
}

static inline void o_mul(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++)
    x->out->at[i] = at_or_scalar(&x->args[0], i) * at_or_scalar(&x->args[1], i);
}

static inline void o_div(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++) x->out->at[i] = x->args[0].at[i] / x->args[1].at[0];
}

static inline void o_neg(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++) x->out->at[i] = -x->args[0].at[i];
}

static inline double length_of(const Tensor *t) {
  double squares = 0;
  for (uint32_t i = 0; i < t->n; i++) squares += t->at[i] * t->at[i];
  return sqrt(squares);
}

static inline void o_norm(Application *x) { x->out->at[0] = length_of(&x->args[0]); }

static inline void o_dist(Application *x) {
  double squares = 0;
  for (uint32_t i = 0; i < x->args[0].n; i++)
    squares += pow(x->args[0].at[i] - x->args[1].at[i], 2);
  x->out->at[0] = sqrt(squares);
}

static inline void o_concat(Application *x) {
  const uint32_t n = x->args[0].n;
  for (uint32_t i = 0; i < x->out->n; i++) x->out->at[i] = x->args[i / n].at[i % n];
}

static inline void o_normalize(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++)
    x->out->at[i] = x->args[0].at[i] / length_of(&x->args[0]);
}

/* Contracts the last n components of the left argument with the first n of the right one. */
static inline void contract(Application *x, uint32_t n) {
  const Tensor *a = &x->args[0], *b = &x->args[1];
  uint32_t rows = a->n / n, columns = b->n / n;
  for (uint32_t r = 0; r < rows; r++) {
    for (uint32_t c = 0; c < columns; c++) {
      double sum = 0;
      for (uint32_t i = 0; i < n; i++) sum += a->at[r * n + i] * b->at[i * columns + c];
      x->out->at[r * columns + c] = sum;
    }
  }
}

static inline void o_inner(Application *x) { contract(x, x->args[1].shape.dims[0]); }
static inline void o_outer(Application *x) { contract(x, 1); }
static inline void o_colon(Application *x) {
  contract(x, x->args[1].shape.dims[0] * x->args[1].shape.dims[1]);
}

static inline void o_cross(Application *x) {
  const double *a = x->args[0].at, *b = x->args[1].at;
  if (x->args[0].n == 2) {
    x->out->at[0] = a[0] * b[1] - a[1] * b[0];
    return;
  }
  x->out->at[0] = a[1] * b[2] - a[2] * b[1];
  x->out->at[1] = a[2] * b[0] - a[0] * b[2];
  x->out->at[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void trace_of(Application *x, uint32_t n) {
  for (uint32_t i = 0; i < x->out->n; i++) {
    x->out->at[i] = 0;
    for (uint32_t k = 0; k < n; k++) x->out->at[i] += x->args[0].at[(i * n + k) * n + k];
  }
}

static inline void o_trace(Application *x) {
  trace_of(x, x->args[0].shape.dims[x->args[0].shape.order - 1]);
}
static inline void o_divergence(Application *x) { trace_of(x, x->dim); }

static inline void o_transpose(Application *x) {
  uint32_t rows = x->args[0].shape.dims[0], columns = x->args[0].shape.dims[1];
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < columns; c++)
      x->out->at[c * rows + r] = x->args[0].at[r * columns + c];
}

static inline double det_of(const double *m, uint32_t n) {
  if (n == 2) return m[0] * m[3] - m[1] * m[2];
  return m[0] * m[4] * m[8] + m[1] * m[5] * m[6] + m[2] * m[3] * m[7] - m[2] * m[4] * m[6] -
         m[1] * m[3] * m[8] - m[0] * m[5] * m[7];
}

static inline void o_det(Application *x) {
  x->out->at[0] = det_of(x->args[0].at, x->args[0].shape.dims[0]);
}

/* Cramer's rule: entry (r,c) is the determinant with column r replaced by unit vector c, over the
 * determinant. */
static inline void o_inv(Application *x) {
  const Tensor *m = &x->args[0];
  uint32_t n = m->shape.order == 0 ? 1 : m->shape.dims[0];
  if (n == 1) x->out->at[0] = 1 / m->at[0];
  for (uint32_t i = 0; n > 1 && i < n * n; i++) {
    double changed[9];
    memcpy(changed, m->at, n * n * sizeof *changed);
    for (uint32_t row = 0; row < n; row++) changed[row * n + i / n] = row == i % n;
    x->out->at[i] = det_of(changed, n) / det_of(m->at, n);
  }
}

static inline void lerp_at(Application *x, double t) {
  for (uint32_t i = 0; i < x->out->n; i++)
    x->out->at[i] = x->args[0].at[i] + t * (x->args[1].at[i] - x->args[0].at[i]);
}

static inline double lerp_position(const Application *x) {
  const Tensor *args = x->args;
  if (x->n_args == 3) return args[2].at[0];
  return (args[3].at[0] - args[2].at[0]) / (args[4].at[0] - args[2].at[0]);
}

static inline void o_lerp(Application *x) { lerp_at(x, lerp_position(x)); }
static inline void o_clerp(Application *x) { lerp_at(x, fmin(1, fmax(0, lerp_position(x)))); }

static inline void o_clamp(Application *x) {
  for (uint32_t i = 0; i < x->out->n; i++) {
    double lo = at_or_scalar(&x->args[0], i), hi = at_or_scalar(&x->args[1], i);
    double value = x->args[2].at[i];
    x->out->at[i] = value <= lo ? lo : hi <= value ? hi : value;
  }
}

static inline void o_max(Application *x) {
  x->out->at[0] = fmax(x->args[0].at[0], x->args[1].at[0]);
}
static inline void o_min(Application *x) {
  x->out->at[0] = fmin(x->args[0].at[0], x->args[1].at[0]);
}

static inline void o_identity(Application *x) {
  memcpy(x->out->at, x->args[0].at, x->args[0].n * sizeof *x->out->at);
}

/* Components of the derivative are [component, direction]. */
static inline void o_curl(Application *x) {
  const double *d = x->args[0].at;
  if (x->dim == 2) {
    x->out->at[0] = d[1 * 2 + 0] - d[0 * 2 + 1];
    return;
  }
  x->out->at[0] = d[2 * 3 + 1] - d[1 * 3 + 2];
  x->out->at[1] = d[0 * 3 + 2] - d[2 * 3 + 0];
  x->out->at[2] = d[1 * 3 + 0] - d[0 * 3 + 1];
}

#define ORACLE_FN(fn)                                                                              \
  static inline void o_##fn(Application *x) { x->out->at[0] = fn(x->args[0].at[0]); }
ORACLE_FN(sqrt)
ORACLE_FN(exp)
ORACLE_FN(sin)
ORACLE_FN(cos)
ORACLE_FN(tan)
ORACLE_FN(asin)
ORACLE_FN(acos)
ORACLE_FN(atan)
#undef ORACLE_FN

typedef struct Oracle {
  const char *name;
  void (*apply)(Application *x);
} Oracle;

static const Oracle oracles[] = {
    {"+", o_add},        {"-", o_sub},         {"*", o_mul},
    {"/", o_div},        {"neg", o_neg},       {"norm", o_norm},
    {"•", o_inner},      {"⊗", o_outer},       {":", o_colon},
    {"×", o_cross},      {"trace", o_trace},   {"normalize", o_normalize},
    {"det", o_det},      {"inv", o_inv},       {"transpose", o_transpose},
    {"modulate", o_mul}, {"lerp", o_lerp},     {"clerp", o_clerp},
    {"clamp", o_clamp},  {"max", o_max},       {"min", o_min},
    {"sqrt", o_sqrt},    {"exp", o_exp},       {"sin", o_sin},
    {"cos", o_cos},      {"tan", o_tan},       {"asin", o_asin},
    {"acos", o_acos},    {"atan", o_atan},     {"∇", o_identity},
    {"∇⊗", o_identity},  {"∇•", o_divergence}, {"∇×", o_curl},
    {"maxF", o_max},     {"minF", o_min},      {"abs", o_norm},
    {"dist", o_dist},    {"concat", o_concat},
};

static inline const Oracle *oracle_find(const char *name) {
  for (size_t i = 0; i < sizeof oracles / sizeof *oracles; i++)
    if (strcmp(oracles[i].name, name) == 0) return &oracles[i];
  return NULL;
}
