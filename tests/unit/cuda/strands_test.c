/* Reductions of the language over values in device memory: each against its definition, and sums
 * also against loops on the host; then with every call of CUDA failing in turn. */
#include "runtime/cuda/array/reduce_device.h"
#include "tests/unit/reduce/naive.h"

static ddr_launch launch = {.block_size = 128, .least_block = 128};

/* Around lanes, warps, blocks, and the nodes that a warp folds at once. */
static const int64_t sizes[] = {0,    1,    2,    7,    31,    32,    33,    1000,
                                1023, 1024, 1025, 2047, 32768, 32769, 33793, 1025 * 1024 + 5};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* The last size needs a tree of trees, which is the same for all types. */
static int n_sizes(ddr_element type, bool has_odd_ones) {
  const bool is_typical = type == DDR_ELEMENT_INT32 || (type == DDR_ELEMENT_FLOAT && !has_odd_ones);
  return is_typical || test_is_slow() ? N_SIZES : N_SIZES - 1;
}

typedef struct {
  ddr_element type;
  int64_t n;
  ddr_number *numbers;
  void *values; /* on the device */
} Values;

/* With a small `scale`, products stay finite. */
static Values values_new(ddr_element type, int64_t n, bool has_odd_ones) {
  Values v = {.type = type, .n = n};
  const size_t size = ddr_element_size(type);
  v.numbers = malloc((size_t)(n + 1) * sizeof *v.numbers);
  if (!v.numbers || cudaMalloc(&v.values, (size_t)(n + 1) * size) != cudaSuccess) exit(1);
  for (int64_t k = 0; k < n; k++) {
    v.numbers[k] = chance_number(type);
    const bool is_real = ddr_element_kind_of(type) == DDR_KIND_REAL;
    if (is_real && !has_odd_ones) v.numbers[k].re = as_float(1 + chance_real() / 64);
    ddr_number_store(v.numbers[k], (char *)v.values + (size_t)k * size);
  }
  return v;
}

static void values_free(Values *v) {
  free(v->numbers);
  cudaFree(v->values);
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* The result of loops on the host over the same values. */
static double folded(const Values *v, ddr_reduction reduction) {
  ddr_fold fold;
  ddr_fold_begin(&fold, reduction);
  for (int round = 0; round < (reduction == DDR_VARIANCE ? 2 : 1); round++) {
    if (round == 1) ddr_fold_again(&fold);
    for (int64_t at = 0; at < v->n; at += DDR_TREE_BLOCK) {
      const int64_t n = v->n - at < DDR_TREE_BLOCK ? v->n - at : DDR_TREE_BLOCK;
      if (v->type == DDR_ELEMENT_FLOAT) ddr_fold_floats(&fold, (float *)v->values + at, n);
      else ddr_fold_doubles(&fold, (double *)v->values + at, n);
    }
  }
  return ddr_fold_end(&fold);
}

static ddr_reduce_op array_op_of(ddr_reduction reduction) {
  static const ddr_reduce_op ops[] = {
      [DDR_SUM] = DDR_REDUCE_SUM,         [DDR_PRODUCT] = DDR_REDUCE_PRODUCT,
      [DDR_MEAN] = DDR_REDUCE_MEAN,       [DDR_VARIANCE] = DDR_REDUCE_VARIANCE,
      [DDR_MIN] = DDR_REDUCE_MIN_ELEMENT, [DDR_MAX] = DDR_REDUCE_MAX_ELEMENT,
      [DDR_ALL] = DDR_REDUCE_ALL,         [DDR_EXISTS] = DDR_REDUCE_ANY};
  return ops[reduction];
}

/* Not rounded to float: the language does that later. */
static double defined_real(const Values *v, ddr_reduction reduction) {
  const NaiveInput in = {DDR_ELEMENT_DOUBLE, v->n, v->numbers, v->numbers, 0};
  return naive_reduction(array_op_of(reduction), &in, DDR_ELEMENT_DOUBLE).re;
}

static int64_t defined_integer(const Values *v, ddr_reduction reduction) {
  const NaiveInput in = {v->type, v->n, v->numbers, v->numbers, 0};
  return naive_ints(array_op_of(reduction), &in);
}

static ddr_partial reduced(const Values *v, ddr_reduction reduction) {
  void *scratch = NULL;
  size_t n_scratch = 0;
  ddr_partial result = {.integer = -77, .re = -77};
  CHECK_EQ(ddr_device_reduce(&launch, reduction, v->type, v->values, v->n, &scratch, &n_scratch,
                             &result),
           cudaSuccess);
  cudaFree(scratch);
  return result;
}

static void check_reals(ddr_element type, bool has_odd_ones) {
  for (int s = 0; s < n_sizes(type, has_odd_ones); s++) {
    Values v = values_new(type, sizes[s], has_odd_ones);
    for (int r = DDR_SUM; r <= DDR_MAX; r++) {
      const ddr_reduction reduction = (ddr_reduction)r;
      const double found = reduced(&v, reduction).re;
      if (v.n > 0) {
        const double want = ddr_plain_nan(defined_real(&v, reduction));
        if (!CHECK(same_bits(found, want)))
          fprintf(stderr, "  reduction %d of %lld: %a, not %a\n", r, (long long)v.n, found, want);
      }
      if (r <= DDR_VARIANCE) CHECK(same_bits(found, folded(&v, reduction)));
      if (v.n == 0 && r > DDR_VARIANCE) CHECK(found == (r == DDR_MIN ? 1 : -1) * (double)INFINITY);
    }
    values_free(&v);
  }
}

static void floats(void) { check_reals(DDR_ELEMENT_FLOAT, false); }
static void doubles(void) { check_reals(DDR_ELEMENT_DOUBLE, false); }
static void not_numbers(void) { check_reals(DDR_ELEMENT_FLOAT, true); }

static void check_integers(ddr_element type, const ddr_reduction *reductions, int n_reductions,
                           const int64_t *of_none) {
  for (int s = 0; s < n_sizes(type, true); s++) {
    Values v = values_new(type, sizes[s], true);
    for (int r = 0; r < n_reductions; r++) {
      const int64_t want = v.n > 0 ? defined_integer(&v, reductions[r]) : of_none[r];
      CHECK_EQ(reduced(&v, reductions[r]).integer, want);
    }
    values_free(&v);
  }
}

static const ddr_reduction of_ints[] = {DDR_SUM, DDR_PRODUCT, DDR_MIN, DDR_MAX};

static void ints(void) {
  const int64_t of_none[] = {0, 1, INT32_MAX, INT32_MIN};
  check_integers(DDR_ELEMENT_INT32, of_ints, 4, of_none);
}

static void longs(void) {
  const int64_t of_none[] = {0, 1, INT64_MAX, INT64_MIN};
  check_integers(DDR_ELEMENT_INT64, of_ints, 4, of_none);
}

static void bools(void) {
  static const ddr_reduction of_bools[] = {DDR_ALL, DDR_EXISTS};
  const int64_t of_none[] = {1, 0};
  check_integers(DDR_ELEMENT_BOOL, of_bools, 2, of_none);
  Values v = values_new(DDR_ELEMENT_BOOL, 5000, true); /* one value differs from the others */
  for (int all = 0; all <= 1; all++) {
    memset(v.values, all, 5000);
    CHECK_EQ(reduced(&v, DDR_ALL).integer, all);
    CHECK_EQ(reduced(&v, DDR_EXISTS).integer, all);
    ((bool *)v.values)[4711] = !all;
    CHECK_EQ(reduced(&v, DDR_ALL).integer, 0);
    CHECK_EQ(reduced(&v, DDR_EXISTS).integer, 1);
  }
  values_free(&v);
}

static int32_t block_of(int64_t n, int32_t least) {
  const ddr_launch of_h200 = {.block_size = 128, .least_block = least, .n_multiprocessors = 132};
  return ddr_launch_block(&of_h200, n);
}

/* 32 * 132 = 4224 and 64 * 132 = 8448: with more threads than that, each multiprocessor has a
 * block. */
static void few_threads_have_small_blocks(void) {
  CHECK_EQ(block_of(1, 32), 32);
  CHECK_EQ(block_of(4224, 32), 32);
  CHECK_EQ(block_of(4225, 32), 64);
  CHECK_EQ(block_of(8448, 32), 64);
  CHECK_EQ(block_of(8449, 32), 128);
  CHECK_EQ(block_of(1, 64), 64);
  CHECK_EQ(block_of(1, 128), 128); /* as requested */
}

int main(void) {
  RUN(few_threads_have_small_blocks);
  cudaStream_t stream = NULL;
  CHECK_EQ(cudaStreamCreate(&stream), cudaSuccess);
  launch.stream = stream;
  RUN(floats);
  RUN(doubles);
  RUN(not_numbers);
  RUN(ints);
  RUN(longs);
  RUN(bools);
  cudaStreamDestroy(stream);
  return test_result();
}
