/* reduce.h: reductions of the values of a loop, or of all strands of a set, to one value.
 *
 * Sums, products, means and variances of reals are formed in double on the tree of
 * runtime/reduce/tree.h, whose shape depends on the count alone, and rounded once: the result is
 * the same for any number of threads.  A NaN among the values gives NaN.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: runtime/src/reductions/set_reduction.c.
 */
#pragma once

#include "ddr/program.h"
#include "ddr/scalar.h"
#include "ddr/tree.h"

/* --- extremes of reals: order-free ------------------------------------------------------------ */

/* NaN if either is one; -0 is less than +0. */
DDR_FN double ddr_lesser(double a, double b) {
  if (a != a || b != b) return (double)NAN;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}

DDR_FN double ddr_greater(double a, double b) {
  if (a != a || b != b) return (double)NAN;
  if (a == b) return signbit(a) ? b : a;
  return a < b ? b : a;
}

DDR_FN ddr_real ddr_least(ddr_real a, ddr_real b) {
  return (ddr_real)ddr_lesser((double)a, (double)b);
}

DDR_FN ddr_real ddr_most(ddr_real a, ddr_real b) {
  return (ddr_real)ddr_greater((double)a, (double)b);
}

/* --- reals one after another ------------------------------------------------------------------ */

/* A reduction in progress, DDR_SUM to DDR_VARIANCE. */
typedef struct ddr_fold {
  ddr_reduction reduction;
  bool is_centred;  /* variance: the mean is known, this is the second round */
  int64_t n_values; /* of this round */
  double mean;
  ddr_tree tree;    /* of the values; of their distances from the mean */
  ddr_tree squares; /* of those distances */
} ddr_fold;

/* No values yet. */
DDR_FN void ddr_fold_begin(ddr_fold *fold, ddr_reduction reduction) {
  fold->reduction = reduction;
  fold->is_centred = false;
  fold->n_values = 0;
  fold->mean = 0;
  fold->tree.n_blocks = fold->squares.n_blocks = 0;
}

/* Variance: starts the second round, in which the same values follow once more. */
DDR_FN void ddr_fold_again(ddr_fold *fold) {
  fold->mean = ddr_tree_root(&fold->tree, DDR_TREE_ADD) / (double)fold->n_values;
  fold->is_centred = true;
  fold->n_values = 0;
  fold->tree.n_blocks = 0;
}

DDR_FN double ddr_fold_end(const ddr_fold *fold) {
  const double n = (double)fold->n_values;
  double result = ddr_tree_root(&fold->tree, ddr_tree_op_of(fold->reduction));
  if (fold->reduction == DDR_MEAN) result /= n;
  if (fold->reduction == DDR_VARIANCE) {
    result = ddr_variance_of(ddr_tree_root(&fold->squares, DDR_TREE_ADD), result, n);
  }
  return ddr_plain_nan(result);
}

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* Adds the next n = DDR_TREE_BLOCK values; only the last call of a round may have fewer (>= 1). */
void ddr_fold_floats(ddr_fold *fold, const float *values, int64_t n);
void ddr_fold_doubles(ddr_fold *fold, const double *values, int64_t n);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(DDR_DOUBLE)
#define DDR_FOLD_REALS ddr_fold_doubles
#else
#define DDR_FOLD_REALS ddr_fold_floats
#endif

/* A buffer of values, which are folded block by block. */
typedef struct ddr_reals {
  ddr_fold fold;
  int64_t n;
  ddr_real values[DDR_TREE_BLOCK];
} ddr_reals;

static inline void ddr_reals_begin(ddr_reals *reals, ddr_reduction reduction) {
  ddr_fold_begin(&reals->fold, reduction);
  reals->n = 0;
}

static inline void ddr_reals_flush(ddr_reals *reals) {
  if (reals->n > 0) DDR_FOLD_REALS(&reals->fold, reals->values, reals->n);
  reals->n = 0;
}

static inline void ddr_reals_add(ddr_reals *reals, ddr_real value) {
  reals->values[reals->n++] = value;
  if (reals->n == DDR_TREE_BLOCK) ddr_reals_flush(reals);
}

static inline void ddr_reals_again(ddr_reals *reals) {
  ddr_reals_flush(reals);
  ddr_fold_again(&reals->fold);
}

static inline ddr_real ddr_reals_end(ddr_reals *reals) {
  ddr_reals_flush(reals);
  return (ddr_real)ddr_fold_end(&reals->fold);
}

/* --- strands: global blocks, where none is dead ----------------------------------------------- */

typedef enum ddr_strand_set { DDR_SET_ALL, DDR_SET_ACTIVE, DDR_SET_STABLE } ddr_strand_set;

/* Whether the strand of a slot is in the set. */
DDR_FN bool ddr_strand_is(const ddr_strands *strands, int64_t slot, ddr_strand_set set) {
  const bool is_stable = strands->status[slot] == DDR_STABLE;
  return set == DDR_SET_ALL || is_stable == (set == DDR_SET_STABLE);
}

/* The first member at a slot or behind it; the caller knows that there is one. clang unrolls loops
 * around this one, with so many addresses that they lie on the stack, unless it finds asm. */
DDR_FN int64_t ddr_next_member(const ddr_strands *strands, int64_t slot, ddr_strand_set set) {
  while (!ddr_strand_is(strands, slot, set)) {
    slot++;
#if defined(__clang__) && !defined(DDR_GPU)
    __asm__("" : "+r"(slot));
#endif
  }
  return slot;
}

/* Values of members lie in columns, one packed array per value.  The size of a column suffices for
 * n values of any kind, and for a cache line more: if they were a power of two apart, all columns
 * would share a few places of the cache. */
#define DDR_GIVEN_SIZE(n) (((size_t)(n) + 8) * sizeof(double))
DDR_FN void *ddr_given(void *columns, int64_t n, uint32_t number) {
  return (char *)columns + number * DDR_GIVEN_SIZE(n);
}

/* Stores the values of n members of the set, in rank order, into columns with room for
 * DDR_TREE_BLOCK; the first member is at `slot`.  The context is the caller's.  Threads may call it
 * at the same time, unless the reduction is in order. */
typedef void ddr_member_values(const void *context, const ddr_strands *strands, int64_t slot,
                               int64_t n, void *columns);

typedef struct ddr_set_result {
  ddr_reduction reduction;
  ddr_kind kind; /* of the values: DDR_REAL, DDR_INT or DDR_BOOL */
  uint32_t column;
} ddr_set_result;

/* One loop over the members of a set, and all results that are made of their values. */
typedef struct ddr_set_reduction {
  ddr_strand_set set;
  bool is_in_order; /* the members one by one, as for prints */
  ddr_member_values *values;
  uint32_t number; /* of the device's function for it, from 1; 0: there is none */
  uint32_t n_results;
  const ddr_set_result *results;
} ddr_set_reduction;

/* Of reals, or of ints and bools. */
typedef struct ddr_reduced {
  double real;
  int64_t integer;
} ddr_reduced;

/* For generated C: the reduction and its context, as arguments. */
#define DDR_OVER(set, is_in_order, values, number, n_results, results)                             \
  (&(const ddr_set_reduction){set, is_in_order, values, number, n_results, results})
#define DDR_ONE(reduction, kind) (&(const ddr_set_result){reduction, kind, 0})
#define DDR_RESULT(reduction, kind, column)                                                        \
  { reduction, kind, column }
#define DDR_CONTEXT(type, ...) (&(const type){__VA_ARGS__})

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* Values are reals, ints or bools of the program; `results` has room for n_results.  Each member is
 * asked once; results that need sums of the same column share them.  If memory is short, which is
 * recorded, the results are those of no members. */
void ddr_reduce_set(ddr_world *world, const ddr_set_reduction *what, const void *context,
                    ddr_reduced *results);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* --- one result ------------------------------------------------------------------------------- */

static inline double ddr_reduce_reals(ddr_world *world, const ddr_set_reduction *what,
                                      const void *context) {
  ddr_reduced result;
  ddr_reduce_set(world, what, context, &result);
  return result.real;
}

static inline int64_t ddr_reduce_ints(ddr_world *world, const ddr_set_reduction *what,
                                      const void *context) {
  ddr_reduced result;
  ddr_reduce_set(world, what, context, &result);
  return result.integer;
}

static inline bool ddr_reduce_bools(ddr_world *world, const ddr_set_reduction *what,
                                    const void *context) {
  return ddr_reduce_ints(world, what, context) != 0;
}
