/* Index functions as arrays of offsets, row-major over the shape, without descriptors; shares no
 * code with ir/core. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NAIVE_RANK = 8, NAIVE_SIZE = 256 };

typedef struct Naive {
  int rank, size;
  int64_t n[NAIVE_RANK];
  int64_t at[NAIVE_SIZE];
} Naive;

static inline int64_t naive_size(const int64_t *n, int rank) {
  int64_t size = 1;
  for (int k = 0; k < rank; k++) size *= n[k];
  return size;
}

static inline int64_t naive_flat(const Naive *f, const int64_t *idx) {
  int64_t flat = 0;
  for (int k = 0; k < f->rank; k++) flat = flat * f->n[k] + idx[k];
  return flat;
}

static inline void naive_unflat(const Naive *f, int64_t flat, int64_t *idx) {
  for (int k = f->rank; k-- > 0; flat /= f->n[k]) idx[k] = flat % f->n[k];
}

/* The shape; the offsets are those of a packed array until they are set. */
static inline Naive naive_iota(const int64_t *n, int rank) {
  Naive f = {.rank = rank, .size = (int)naive_size(n, rank)};
  memcpy(f.n, n, sizeof *n * (size_t)rank);
  for (int i = 0; i < f.size; i++) f.at[i] = i;
  return f;
}

static inline Naive naive_permute(const Naive *f, const uint32_t *order) {
  int64_t n[NAIVE_RANK], i[NAIVE_RANK], j[NAIVE_RANK] = {0};
  for (int k = 0; k < f->rank; k++) n[k] = f->n[order[k]];
  Naive g = naive_iota(n, f->rank);
  for (int p = 0; p < g.size; p++) {
    naive_unflat(&g, p, i);
    for (int k = 0; k < f->rank; k++) j[order[k]] = i[k];
    g.at[p] = f->at[naive_flat(f, j)];
  }
  return g;
}

static inline Naive naive_rotate(const Naive *f, const int64_t *by) {
  int64_t i[NAIVE_RANK];
  Naive g = *f;
  for (int p = 0; p < g.size; p++) {
    naive_unflat(&g, p, i);
    for (int k = 0; k < f->rank; k++) {
      i[k] = (i[k] + by[k]) % f->n[k];
      if (i[k] < 0) i[k] += f->n[k];
    }
    g.at[p] = f->at[naive_flat(f, i)];
  }
  return g;
}

typedef struct NaivePart {
  bool is_fixed;
  int64_t begin, count, step;
} NaivePart;

static inline Naive naive_slice(const Naive *f, const NaivePart *part) {
  int64_t n[NAIVE_RANK], i[NAIVE_RANK], j[NAIVE_RANK];
  int rank = 0;
  for (int k = 0; k < f->rank; k++)
    if (!part[k].is_fixed) n[rank++] = part[k].count;
  Naive g = naive_iota(n, rank);
  for (int p = 0; p < g.size; p++) {
    naive_unflat(&g, p, i);
    for (int k = 0, m = 0; k < f->rank; k++)
      j[k] = part[k].begin + (part[k].is_fixed ? 0 : i[m++] * part[k].step);
    g.at[p] = f->at[naive_flat(f, j)];
  }
  return g;
}

static inline Naive naive_reshape(const Naive *f, const int64_t *n, int rank) {
  Naive g = naive_iota(n, rank);
  memcpy(g.at, f->at, sizeof f->at);
  return g;
}

/* is_new[k]: whether axis k of the result repeats. */
static inline Naive naive_repeat(const Naive *f, const int64_t *n, const bool *is_new, int rank) {
  int64_t i[NAIVE_RANK], j[NAIVE_RANK];
  Naive g = naive_iota(n, rank);
  for (int p = 0; p < g.size; p++) {
    naive_unflat(&g, p, i);
    for (int k = 0, m = 0; k < rank; k++)
      if (!is_new[k]) j[m++] = i[k];
    g.at[p] = f->at[naive_flat(f, j)];
  }
  return g;
}

static inline Naive naive_rebase(const Naive *onto, const Naive *f) {
  Naive g = *f;
  for (int p = 0; p < g.size; p++) g.at[p] = onto->at[f->at[p]];
  return g;
}

static inline Naive naive_expand(const Naive *f, int64_t offset, int64_t n_copies) {
  Naive g = *f;
  for (int p = 0; p < g.size; p++) g.at[p] = offset + n_copies * f->at[p];
  return g;
}

/* ---- properties ------------------------------------------------------------------------------ */

static inline bool naive_is_interval(const Naive *f) {
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  for (int p = 0; p < f->size; p++) {
    if (f->at[p] < least) least = f->at[p];
    if (f->at[p] > greatest) greatest = f->at[p];
  }
  for (int64_t v = least; f->size > 0 && v <= greatest; v++) {
    bool is_met = false;
    for (int p = 0; p < f->size && !is_met; p++) is_met = f->at[p] == v;
    if (!is_met) return false;
  }
  return true;
}
