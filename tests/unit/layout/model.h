/* A view as a model without strides: extents, and an array of the addresses of all elements in
 * canonical order. Operations pick from that array, so no code is shared with runtime/layout. */
#pragma once

#include "runtime/layout/layout.h"
#include "tests/unit/test.h"

enum { MODEL_SIZE = 160, MODEL_RANK = 6 };

typedef struct Model {
  int rank;
  int64_t len[MODEL_RANK + 1]; /* one more while an axis is added */
  int n;
  int64_t at[MODEL_SIZE]; /* addresses */
} Model;

/* --- chance ----------------------------------------------------------------------------------- */

typedef struct Chance {
  uint64_t state;
} Chance;

/* A random number from 0 to n-1. */
static inline int chance(Chance *c, int n) {
  c->state = c->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((c->state >> 33) % (uint64_t)n);
}

/* --- an operation ----------------------------------------------------------------------------- */

typedef enum { FIX, SLICE, PERMUTE, FLIP, STEP, REPEAT, RESHAPE, N_OPERATIONS } Operation;

typedef struct Step {
  Operation op;
  int axis;
  int64_t a, b; /* index; begin and end; step; times */
  int order[MODEL_RANK + 1];
  int rank; /* the new extents */
  int64_t len[MODEL_RANK + 1];
} Step;

static inline int64_t model_size(int rank, const int64_t *len) {
  int64_t n = 1;
  for (int k = 0; k < rank; k++) n *= len[k];
  return n;
}

/* Random extents with the same number of elements: factors are split off axis by axis. */
static inline void random_shape(Chance *c, const Model *m, Step *s) {
  int64_t rest = m->n;
  while (s->rank < MODEL_RANK && (rest > 1 || chance(c, 3) == 0)) {
    int64_t len = rest > 1 ? 2 + chance(c, (int)rest - 1) : 1;
    if (chance(c, 5) == 0) len = 1;
    while (rest % len != 0) len++;
    s->len[s->rank++] = len;
    rest /= len;
  }
  if (rest != 1 && s->rank > 0) s->len[s->rank - 1] *= rest;
  else if (rest != 1) s->len[s->rank++] = rest;
}

static inline Step random_step(Chance *c, const Model *m) {
  Step s = {.op = (Operation)chance(c, N_OPERATIONS)};
  if (m->rank == 0 && s.op != RESHAPE) s.op = REPEAT;
  if (s.op == REPEAT && m->rank == MODEL_RANK) s.op = FLIP;
  s.axis = chance(c, m->rank + (s.op == REPEAT ? 1 : 0) + (m->rank == 0 && s.op == RESHAPE));
  const int len = s.op == REPEAT || m->rank == 0 ? 0 : (int)m->len[s.axis];
  if (s.op == FIX && len == 0) s.op = FLIP;
  if (s.op == FIX) s.a = chance(c, len);
  if (s.op == SLICE) s.a = chance(c, len + 1);
  if (s.op == SLICE) s.b = s.a + chance(c, len + 1 - (int)s.a);
  if (s.op == SLICE && chance(c, 8) != 0 && s.a < len && s.b == s.a) s.b++; /* rarely empty */
  if (s.op == STEP) s.a = (1 + chance(c, 3)) * (chance(c, 2) == 0 ? 1 : -1);
  if (s.op == REPEAT) s.a = 1 + chance(c, 3);
  if (s.op == REPEAT && s.a * m->n > MODEL_SIZE) s.a = 1;
  for (int k = 0; k < m->rank; k++) s.order[k] = k;
  for (int k = m->rank - 1; k > 0; k--) {
    const int other = chance(c, k + 1), mine = s.order[k];
    s.order[k] = s.order[other];
    s.order[other] = mine;
  }
  if (s.op == RESHAPE) random_shape(c, m, &s);
  return s;
}

/* --- by enumeration --------------------------------------------------------------------------- */

/* The address of the element at these indices. */
static inline int64_t model_at(const Model *m, const int64_t *idx) {
  int64_t p = 0;
  for (int k = 0; k < m->rank; k++) p = p * m->len[k] + idx[k];
  return m->at[p];
}

/* Advances to the next indices in canonical order. */
static inline void model_next(int rank, const int64_t *len, int64_t *idx) {
  for (int k = rank - 1; k >= 0; k--) {
    if (++idx[k] < len[k]) return;
    idx[k] = 0;
  }
}

static inline void shape_after(const Model *m, const Step *s, Model *r) {
  r->rank = m->rank;
  for (int k = 0; k < m->rank; k++) r->len[k] = s->op == PERMUTE ? m->len[s->order[k]] : m->len[k];
  if (s->op == SLICE) r->len[s->axis] = s->b - s->a;
  if (s->op == STEP) {
    int64_t n = 0;
    for (int64_t i = 0; i<m->len[s->axis]; i += s->a> 0 ? s->a : -s->a) n++;
    r->len[s->axis] = n;
  }
  if (s->op == FIX) {
    r->rank--;
    for (int k = s->axis; k < r->rank; k++) r->len[k] = m->len[k + 1];
  }
  if (s->op == REPEAT) {
    r->rank++;
    for (int k = m->rank; k > s->axis; k--) r->len[k] = m->len[k - 1];
    r->len[s->axis] = s->a;
  }
  if (s->op == RESHAPE) {
    r->rank = s->rank;
    memcpy(r->len, s->len, sizeof s->len);
  }
}

/* Maps indices of the result of an operation to indices of its operand. */
static inline void source(const Model *m, const Step *s, const int64_t *idx, int64_t *src) {
  const int64_t last = s->op == REPEAT ? 0 : m->len[s->axis] - 1;
  for (int k = 0; k < m->rank; k++) {
    const int from =
        k + (s->op == FIX && k > s->axis ? -1 : 0) + (s->op == REPEAT && k >= s->axis ? 1 : 0);
    if (s->op == PERMUTE) src[s->order[k]] = idx[k];
    else if (s->op == FIX && k == s->axis) src[k] = s->a;
    else src[k] = idx[from];
  }
  if (s->op == SLICE) src[s->axis] += s->a;
  if (s->op == FLIP) src[s->axis] = last - src[s->axis];
  if (s->op == STEP) src[s->axis] = (s->a > 0 ? 0 : last) + src[s->axis] * s->a;
}

static inline Model model_apply(const Model *m, const Step *s) {
  Model r = {.rank = 0};
  shape_after(m, s, &r);
  r.n = (int)model_size(r.rank, r.len);
  int64_t idx[MODEL_RANK + 1] = {0}, src[MODEL_RANK + 1];
  for (int p = 0; p < r.n; p++) {
    if (s->op == RESHAPE) {
      r.at[p] = m->at[p];
    } else {
      source(m, s, idx, src);
      r.at[p] = model_at(m, src);
    }
    model_next(r.rank, r.len, idx);
  }
  return r;
}

/* --- what it is like -------------------------------------------------------------------------- */

/* Whether strides can express other extents for the same order of elements. */
static inline bool model_is_affine(const Model *m, int rank, const int64_t *len) {
  int64_t stride[MODEL_RANK + 1] = {0}, idx[MODEL_RANK + 1] = {0}, behind = 1;
  for (int k = rank - 1; k >= 0; k--) {
    if (len[k] > 1 && m->n > 0) stride[k] = m->at[behind] - m->at[0];
    behind *= len[k];
  }
  for (int p = 0; p < m->n; p++) {
    int64_t sum = m->at[0];
    for (int k = 0; k < rank; k++) sum += idx[k] * stride[k];
    if (sum != m->at[p]) return false;
    model_next(rank, len, idx);
  }
  return true;
}

static inline int compare_addresses(const void *a, const void *b) {
  const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

typedef struct Traits {
  bool is_injective, is_contiguous, is_canonical;
  int64_t least, greatest;
} Traits;

static inline Traits model_traits(const Model *m) {
  Traits t = {true, true, true, 0, 0};
  if (m->n == 0) return t;
  int64_t sorted[MODEL_SIZE];
  memcpy(sorted, m->at, sizeof sorted);
  for (int p = 1; p < m->n; p++) t.is_canonical = t.is_canonical && m->at[p] == m->at[p - 1] + 1;
  qsort(sorted, (size_t)m->n, sizeof *sorted, compare_addresses);
  for (int p = 1; p < m->n; p++) t.is_injective = t.is_injective && sorted[p] != sorted[p - 1];
  t.least = sorted[0];
  t.greatest = sorted[m->n - 1];
  t.is_contiguous = t.is_injective && t.greatest - t.least + 1 == m->n;
  return t;
}

/* --- the first one ---------------------------------------------------------------------------- */

/* A random view, packed, padded, or with any strides, as a model and as a layout. Addresses are 0
 * to 8191. */
static inline Model random_model(Chance *c, ddr_layout *layout) {
  Model m = {.rank = chance(c, 5)};
  const int style = chance(c, 4);
  do {
    for (int k = 0; k < m.rank; k++) m.len[k] = chance(c, 25) == 0 ? 0 : 1 + chance(c, 6);
  } while (model_size(m.rank, m.len) > MODEL_SIZE);
  m.n = (int)model_size(m.rank, m.len);
  *layout = (ddr_layout){.rank = m.rank, .offset = 4096 - chance(c, 50)};
  int64_t stride = 1, idx[MODEL_RANK + 1] = {0};
  for (int k = m.rank - 1; k >= 0; k--) {
    layout->len[k] = m.len[k];
    layout->stride[k] = style < 2 ? stride : chance(c, 25) - 12;
    stride = stride * m.len[k] + (style == 1 ? chance(c, 3) : 0);
  }
  for (int p = 0; p < m.n; p++) {
    m.at[p] = layout->offset;
    for (int k = 0; k < m.rank; k++) m.at[p] += idx[k] * layout->stride[k];
    model_next(m.rank, m.len, idx);
  }
  return m;
}
