/* reduce.c: reductions over sets of strands: blocks of members to the team, their results to the
 * tree.
 *
 * Element k is the k-th member of the set by rank, so where the members lie and who asks them makes
 * no difference.  Built without contraction, see runtime/reduce/tree.h.
 * Read next: fold.c, team.h, runtime/reduce/partial.h.
 */
#include <stdlib.h>

#include "ddr/reduce.h"
#include "runtime/reduce/order_free.h"
#include "runtime/reduce/partial.h"
#include "strands.h"

enum {
#if defined(DDR_SMALL_SIZES)
  FEW_BLOCKS = 1,
#else
  FEW_BLOCKS = 16, /* are done before a sleeping thread is there to help */
#endif
  BLOCK = DDR_TREE_BLOCK
};

/* --- blocks of members ------------------------------------------------------------------------ */

typedef struct Reduction {
  ddr_world *world;
  const ddr_set_reduction *what;
  const void *context;
  ddr_kind kind;
  int64_t n_members, n_blocks;
  int64_t *first;       /* slot of each block's first member */
  ddr_partial *results; /* of each block */
  double *values;       /* variance: of every member */
} Reduction;

static int64_t count_members(const ddr_world *world, ddr_strand_set set) {
  if (set == DDR_SET_ACTIVE) return (int64_t)world->n_active;
  return set == DDR_SET_STABLE ? (int64_t)world->n_stable : world->strands.n_slots;
}

enum { STRIDE = 64 }; /* slots that are counted at once */

static int64_t count_in_stride(const uint8_t *status, ddr_strand_set set) {
  uint8_t n_stable = 0;
  for (int k = 0; k < STRIDE; k++) n_stable = (uint8_t)(n_stable + (status[k] == DDR_STABLE));
  return set == DDR_SET_STABLE ? n_stable : STRIDE - n_stable;
}

/* Slots are looked at one by one only where a block begins among them. */
static void find_first_of_some(const Reduction *job) {
  const ddr_strands *strands = &job->world->strands;
  for (int64_t slot = 0, n = 0; n < job->n_members;) {
    const int64_t next = (n + BLOCK - 1) / BLOCK * BLOCK; /* number of the next block's first */
    const bool is_whole = slot + STRIDE <= strands->n_slots;
    const int64_t n_here = is_whole ? count_in_stride(strands->status + slot, job->what->set) : 0;
    if (is_whole && n + n_here <= next) {
      n += n_here;
      slot += STRIDE;
      continue;
    }
    const bool is_member = ddr_strand_is(strands, slot, job->what->set);
    if (is_member && n == next) job->first[n / BLOCK] = slot;
    n += is_member;
    slot++;
  }
}

static void find_first(const Reduction *job) {
  if (job->n_members < job->world->strands.n_slots) {
    find_first_of_some(job);
    return;
  }
  for (int64_t k = 0; k < job->n_blocks; k++) job->first[k] = k * BLOCK;
}

static int64_t block_len(const Reduction *job, int64_t number) {
  const int64_t rest = job->n_members - number * BLOCK;
  return rest < BLOCK ? rest : BLOCK;
}

/* The values of a block, in the program's types. */
typedef union {
  float floats[BLOCK];
  double doubles[BLOCK];
  int32_t ints[BLOCK];
  int64_t longs[BLOCK];
  bool bools[BLOCK];
} Values;

static ddr_partial none_of(const Reduction *job) {
  const bool is_long = job->world->program->int_size == 8;
  return ddr_partial_of_none(job->what->reduction, job->kind == DDR_REAL, is_long);
}

static ddr_combine_function *combine_of(const Reduction *job) {
  static ddr_combine_function *const of_reals[] = {
      [DDR_SUM] = ddr_partial_add,    [DDR_PRODUCT] = ddr_partial_multiply,
      [DDR_MEAN] = ddr_partial_add,   [DDR_VARIANCE] = ddr_partial_add,
      [DDR_MIN] = ddr_partial_lesser, [DDR_MAX] = ddr_partial_greater};
  static ddr_combine_function *const of_others[] = {
      [DDR_SUM] = ddr_partial_add_ints,   [DDR_PRODUCT] = ddr_partial_multiply_ints,
      [DDR_MIN] = ddr_partial_lesser_int, [DDR_MAX] = ddr_partial_greater_int,
      [DDR_ALL] = ddr_partial_and,        [DDR_EXISTS] = ddr_partial_or};
  return job->kind == DDR_REAL ? of_reals[job->what->reduction] : of_others[job->what->reduction];
}

static double reduce_floats(ddr_reduction reduction, const float *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_floats(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_floats(x, x, 0, n);
  return ddr_tree_floats(ddr_tree_op_of(reduction), x, n);
}

static double reduce_doubles(ddr_reduction reduction, const double *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_doubles(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_doubles(x, x, 0, n);
  return ddr_tree_doubles(ddr_tree_op_of(reduction), x, n);
}

static int64_t reduce_ints(ddr_reduction reduction, const int32_t *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_ints(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_ints(x, x, 0, n);
  return reduction == DDR_SUM ? ddr_sum_of_ints(x, x, 0, n) : ddr_product_of_ints(x, x, 0, n);
}

static int64_t reduce_longs(ddr_reduction reduction, const int64_t *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_longs(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_longs(x, x, 0, n);
  return reduction == DDR_SUM ? ddr_sum_of_longs(x, x, 0, n) : ddr_product_of_longs(x, x, 0, n);
}

static ddr_partial reduce_values(const Reduction *job, const Values *values, int64_t n) {
  const ddr_program *program = job->world->program;
  const ddr_reduction reduction = job->what->reduction;
  if (job->kind == DDR_BOOL) {
    const bool *x = values->bools;
    const bool is_all = reduction == DDR_ALL;
    return (ddr_partial){.integer = is_all ? ddr_all_of(x, x, 0, n) : ddr_any_of(x, x, 0, n)};
  }
  if (job->kind == DDR_INT) {
    if (program->int_size == 8)
      return (ddr_partial){.integer = reduce_longs(reduction, values->longs, n)};
    return (ddr_partial){.integer = reduce_ints(reduction, values->ints, n)};
  }
  if (program->real_size == 8)
    return (ddr_partial){.re = reduce_doubles(reduction, values->doubles, n)};
  return (ddr_partial){.re = reduce_floats(reduction, values->floats, n)};
}

static void keep_values(const Reduction *job, int64_t first, const Values *values, int64_t n) {
  const bool is_double = job->world->program->real_size == 8;
  for (int64_t k = 0; k < n; k++) {
    job->values[first + k] = is_double ? values->doubles[k] : (double)values->floats[k];
  }
}

static void reduce_block(ddr_worker *worker, void *data, int64_t number) {
  (void)worker;
  const Reduction *job = data;
  const int64_t n = block_len(job, number);
  Values values;
  const ddr_set_reduction *what = job->what;
  what->values(job->context, &job->world->strands, job->first[number], n, &values);
  job->results[number] = reduce_values(job, &values, n);
  if (job->values) keep_values(job, number * BLOCK, &values, n);
}

/* --- from blocks to the result ---------------------------------------------------------------- */

static ddr_partial root_of(const Reduction *job) {
  ddr_combine_function *const combine = combine_of(job);
  ddr_partial_tree tree;
  tree.n_blocks = 0;
  for (int64_t k = 0; k < job->n_blocks; k++) ddr_partial_push(&tree, combine, job->results[k]);
  return ddr_partial_root(&tree, combine);
}

static double variance(const Reduction *job) {
  ddr_fold fold = {.reduction = DDR_VARIANCE, .is_centred = true};
  fold.mean = root_of(job).re / (double)job->n_members;
  for (int64_t k = 0; k < job->n_blocks; k++) {
    ddr_fold_doubles(&fold, job->values + k * BLOCK, block_len(job, k));
  }
  return ddr_fold_end(&fold);
}

static ddr_partial result_of(const Reduction *job) {
  const ddr_reduction reduction = job->what->reduction;
  if (reduction == DDR_VARIANCE) return (ddr_partial){.re = variance(job)};
  ddr_partial result = root_of(job);
  if (reduction == DDR_MEAN) result.re /= (double)job->n_members;
  result.re = ddr_plain_nan(result.re);
  return result;
}

static void run(Reduction *job) {
  const ddr_job blocks = {.task = reduce_block, .data = job, .n_items = job->n_blocks};
  find_first(job);
  if (job->what->is_in_order || job->n_blocks <= FEW_BLOCKS) {
    ddr_sched_alone(job->world->team, &blocks);
  } else {
    ddr_sched_run(job->world->team, &blocks);
  }
}

static ddr_partial reduce_on_device(const Reduction *job) {
  ddr_reduced result;
  if (ddr_device_reduce_set(job->world, job->what, job->kind, job->n_members, job->context,
                            &result) != DDR_OK)
    return none_of(job);
  if (job->kind == DDR_REAL) return (ddr_partial){.re = result.real};
  return (ddr_partial){.integer = result.integer};
}

static ddr_partial reduce(ddr_world *world, ddr_kind kind, const ddr_set_reduction *what,
                          const void *context) {
  Reduction job = {.world = world, .what = what, .context = context, .kind = kind};
  job.n_members = count_members(world, what->set);
  if (job.n_members == 0) return none_of(&job);
  if (world->device && what->number > 0) return reduce_on_device(&job);
  if (ddr_device_mirror(world, 0, world->program->state_size) != DDR_OK) return none_of(&job);
  job.n_blocks = (job.n_members + BLOCK - 1) / BLOCK;
  const size_t n_blocks = (size_t)job.n_blocks + 1, n_values = (size_t)job.n_members + 1;
  const bool keeps_values = what->reduction == DDR_VARIANCE;
  job.first = malloc(n_blocks * sizeof *job.first);
  job.results = malloc(n_blocks * sizeof *job.results);
  if (keeps_values) job.values = malloc(n_values * sizeof *job.values);
  ddr_partial result = none_of(&job);
  if (job.first && job.results && (job.values || !keeps_values)) {
    run(&job);
    result = result_of(&job);
  } else {
    ddr_error(world, "cannot allocate memory for a reduction over strands");
  }
  free(job.first);
  free(job.results);
  free(job.values);
  return result;
}

double ddr_reduce_reals(ddr_world *world, const ddr_set_reduction *what, const void *context) {
  return reduce(world, DDR_REAL, what, context).re;
}

int64_t ddr_reduce_ints(ddr_world *world, const ddr_set_reduction *what, const void *context) {
  return reduce(world, DDR_INT, what, context).integer;
}

bool ddr_reduce_bools(ddr_world *world, const ddr_set_reduction *what, const void *context) {
  return reduce(world, DDR_BOOL, what, context).integer != 0;
}
