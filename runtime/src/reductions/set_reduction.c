/* set_reduction.c: reductions over sets of strands: threads reduce blocks of members, and a tree
 * combines the results of blocks.
 *
 * One pass computes the values of several reductions, a column for each distinct one.  Element k is
 * the k-th member of the set by rank, so the result does not depend on where members are stored or
 * which thread reads them.  Built without contraction, see runtime/reduce/tree.h. Read next:
 * columns_set.h, fold.c, set_reduction_apart.c, runtime/src/workers/thread_pool.h,
 * runtime/reduce/partial.h.
 */
#include <stdlib.h>

#include "runtime/element/sets.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/shares.h"
#include "set_reduction.h"

enum {
#if defined(DDR_SMALL_SIZES)
  FEW_BLOCKS = 1,
#else
  FEW_BLOCKS = 16, /* are done before a sleeping thread wakes up */
#endif
  BLOCK = DDR_TREE_BLOCK
};

/* --- blocks of members ------------------------------------------------------------------------ */

static int64_t count_members(const ddr_world *world, ddr_strand_set set) {
  const ddr_store *store = world->store;
  if (set == DDR_SET_ACTIVE) return (int64_t)store->n_active;
  return set == DDR_SET_STABLE ? (int64_t)store->n_stable : store->strands.n_slots;
}

enum { STRIDE = 64 }; /* slots that are counted at once */

static int64_t count_in_stride(const uint8_t *status, ddr_strand_set set) {
  uint8_t n_stable = 0;
  for (int k = 0; k < STRIDE; k++) n_stable = (uint8_t)(n_stable + (status[k] == DDR_STABLE));
  return set == DDR_SET_STABLE ? n_stable : STRIDE - n_stable;
}

/* Looks at single slots only where a block begins among them. */
static void find_first_of_some(const Reduction *job) {
  const ddr_strands *strands = &job->world->store->strands;
  for (int64_t slot = 0, n = 0; n < job->n_members;) {
    /* The next block's first member, counted from 0. */
    const int64_t next = (n + BLOCK - 1) / BLOCK * BLOCK;
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
  if (job->n_members < job->world->store->strands.n_slots) {
    find_first_of_some(job);
    return;
  }
  for (int64_t k = 0; k < job->n_blocks; k++) job->first[k] = k * BLOCK;
}

static int64_t block_len(const Reduction *job, int64_t number) {
  const int64_t rest = job->n_members - number * BLOCK;
  return rest < BLOCK ? rest : BLOCK;
}

static ddr_partial none_of(const ddr_world *world, const ddr_set_result *what) {
  return ddr_partial_of_none(what->reduction, what->kind == DDR_REAL,
                             world->program->int_size == 8);
}

size_t ddr_reduction_size(const Reduction *job, uint32_t column) {
  uint32_t i = 0;
  while (job->what->results[i].column != column) i++;
  const ddr_kind kind = job->what->results[i].kind;
  const ddr_program *program = job->world->program;
  if (kind == DDR_BOOL) return sizeof(bool);
  return kind == DDR_INT ? program->int_size : program->real_size;
}

static ddr_combine_function *combine_of(const ddr_set_result *what) {
  static ddr_combine_function *const of_reals[] = {
      [DDR_SUM] = ddr_partial_add,    [DDR_PRODUCT] = ddr_partial_multiply,
      [DDR_MEAN] = ddr_partial_add,   [DDR_VARIANCE] = ddr_partial_add,
      [DDR_MIN] = ddr_partial_lesser, [DDR_MAX] = ddr_partial_greater};
  static ddr_combine_function *const of_others[] = {
      [DDR_SUM] = ddr_partial_add_ints,   [DDR_PRODUCT] = ddr_partial_multiply_ints,
      [DDR_MIN] = ddr_partial_lesser_int, [DDR_MAX] = ddr_partial_greater_int,
      [DDR_ALL] = ddr_partial_and,        [DDR_EXISTS] = ddr_partial_or};
  return what->kind == DDR_REAL ? of_reals[what->reduction] : of_others[what->reduction];
}

ddr_partial ddr_reduction_of_values(const ddr_program *program, const ddr_set_result *what,
                                    const void *column, int64_t n) {
  static ddr_column_function *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_column);
  return sets[ddr_best_set()](program, what, column, n);
}

static void keep_values(const ddr_program *program, const void *column, int64_t n, double *kept) {
  const float *floats = column;
  const double *doubles = column;
  for (int64_t k = 0; k < n; k++)
    kept[k] = program->real_size == 8 ? doubles[k] : (double)floats[k];
}

static void reduce_block(ddr_worker *worker, void *data, int64_t item) {
  const Reduction *job = data;
  const ddr_program *program = job->world->program;
  const int64_t number = job->own.begin + item;
  const bool has_rest = number == job->own.end - 1 && job->own.n_rest > 0;
  int64_t n = block_len(job, number);
  const size_t size = job->n_columns * DDR_GIVEN_SIZE(BLOCK);
  char *columns = job->columns + ddr_worker_number(worker) * size;
  job->what->values(job->context, &job->world->store->strands, job->first[number],
                    has_rest ? job->own.n_last : n, columns);
  if (has_rest) n = ddr_reduction_append_rest(job, columns);
  for (uint32_t i = 0; i < job->what->n_results; i++) {
    const Result *result = &job->results[i];
    const void *column = ddr_given(columns, BLOCK, result->what->column);
    if (result->source == i)
      result->partials[number] = ddr_reduction_of_values(program, result->what, column, n);
    if (result->kept) keep_values(program, column, n, result->kept + number * BLOCK);
  }
}

/* --- from blocks to the results --------------------------------------------------------------- */

/* Combines partial results of blocks, in the order of the blocks, from any worker or rank. */
static ddr_partial fold_runs(const ddr_partial *partials, int64_t n,
                             ddr_combine_function *combine) {
  ddr_partial_tree tree;
  tree.n_blocks = 0;
  for (int64_t k = 0; k < n; k++) ddr_partial_push(&tree, combine, partials[k]);
  return ddr_partial_root(&tree, combine);
}

static ddr_partial root_of(const Reduction *job, const Result *result) {
  const ddr_partial *partials = job->results[result->source].partials;
  return fold_runs(partials, job->n_blocks, combine_of(result->what));
}

static double variance(const Reduction *job, const Result *result, double mean) {
  ddr_fold fold = {.reduction = DDR_VARIANCE, .is_centred = true, .mean = mean};
  for (int64_t k = 0; k < job->n_blocks; k++)
    ddr_fold_doubles(&fold, result->kept + k * BLOCK, block_len(job, k));
  return ddr_fold_end(&fold);
}

static ddr_partial end_of(const Reduction *job, const Result *result) {
  const ddr_reduction reduction = result->what->reduction;
  ddr_partial root = root_of(job, result);
  if (reduction == DDR_MEAN || reduction == DDR_VARIANCE) root.re /= (double)job->n_members;
  if (reduction == DDR_VARIANCE) root.re = variance(job, result, root.re);
  root.re = ddr_plain_nan(root.re);
  return root;
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint32_t source_of(const ddr_set_reduction *what, uint32_t number) {
  const ddr_set_result *const wanted = &what->results[number];
  uint32_t i = 0;
  while (what->results[i].column != wanted->column ||
         combine_of(&what->results[i]) != combine_of(wanted))
    i++;
  return i;
}

static bool allocate(Reduction *job) {
  const ddr_set_reduction *what = job->what;
  const size_t n_blocks = (size_t)job->n_blocks, n_members = (size_t)job->n_members;
  const size_t n_workers = job->world->workers->threads->n_workers;
  const size_t column_size = DDR_GIVEN_SIZE(BLOCK);
  size_t n_kept = 0;
  for (uint32_t i = 0; i < what->n_results; i++) {
    if (what->results[i].column >= job->n_columns) job->n_columns = what->results[i].column + 1;
    n_kept += what->results[i].reduction == DDR_VARIANCE;
  }
  job->first = malloc(n_blocks * sizeof *job->first);
  job->results = malloc(what->n_results * sizeof *job->results);
  job->partials = malloc(what->n_results * n_blocks * sizeof *job->partials);
  job->columns = malloc(n_workers * job->n_columns * column_size);
  if (n_kept > 0) job->kept = malloc(n_kept * n_members * sizeof *job->kept);
  return job->first && job->results && job->partials && job->columns && (job->kept || n_kept == 0);
}

static void release(Reduction *job) {
  ddr_reduction_end(job);
  free(job->first);
  free(job->results);
  free(job->partials);
  free(job->columns);
  free(job->kept);
}

static void share_memory(const Reduction *job) {
  double *kept = job->kept;
  for (uint32_t i = 0; i < job->what->n_results; i++) {
    const ddr_set_result *what = &job->what->results[i];
    const bool is_kept = what->reduction == DDR_VARIANCE;
    job->results[i] = (Result){what, source_of(job->what, i), job->partials + i * job->n_blocks,
                               is_kept ? kept : NULL};
    if (is_kept) kept += job->n_members;
  }
}

/* --- here, or on the device ------------------------------------------------------------------- */

static void run(Reduction *job, ddr_reduced *results) {
  const bool is_apart = ddr_reduction_goes_apart(job);
  share_memory(job);
  find_first(job);
  job->own.end = job->n_blocks;
  if (is_apart) ddr_reduction_share(job);
  else ddr_states_fetch(job->world, STATES_EVERYWHERE);
  const ddr_job blocks = {.task = reduce_block,
                          .data = job,
                          .n_items = job->own.end - job->own.begin,
                          /* On the workers that updated the strands, if possible. */
                          .is_at_home = true};
  if (job->what->is_in_order || blocks.n_items <= FEW_BLOCKS) {
    ddr_sched_alone(job->world->workers->threads, &blocks);
  } else {
    ddr_sched_run(job->world->workers->threads, &blocks);
  }
  if (is_apart) ddr_reduction_complete(job);
  for (uint32_t i = 0; i < job->what->n_results; i++) {
    const ddr_partial end = end_of(job, &job->results[i]);
    results[i] = (ddr_reduced){end.re, end.integer};
  }
}

static void give_none(const ddr_world *world, const ddr_set_reduction *what, ddr_reduced *results) {
  for (uint32_t i = 0; i < what->n_results; i++) {
    const ddr_partial none = none_of(world, &what->results[i]);
    results[i] = (ddr_reduced){none.re, none.integer};
  }
}

void ddr_reduce_set(ddr_world *world, const ddr_set_reduction *what, const void *context,
                    ddr_reduced *results) {
  Reduction job = {.world = world, .what = what, .context = context};
  job.n_members = count_members(world, what->set);
  job.n_blocks = (job.n_members + BLOCK - 1) / BLOCK;
  give_none(world, what, results);
  if (job.n_members == 0) return;
  if (ddr_device_has_all(world) && what->number > 0) {
    if (ddr_device_reduce_set(world, what, job.n_members, context, results) != DDR_OK)
      give_none(world, what, results);
    return;
  }
  if (ddr_device_mirror_together(world) != DDR_OK) return;
  const bool has_memory = allocate(&job);
  if (!has_memory) ddr_error(world, "cannot allocate memory for a reduction over strands");
  if (!has_memory && ddr_is_shared_out(world)) ddr_ranks_give_up(world);
  if (has_memory) run(&job, results);
  release(&job);
}
