/* Reductions of reals in a thread of a device (ddr/device/reals.h): each value once, and the bits
 * of the host, whatever their number. */
#include "ddr/device/methods.h"
#include "tests/unit/test.h"

enum { MOST = 40 * DDR_TREE_BLOCK };

static ddr_real values[MOST];

static void fill_values(void) {
  uint32_t state = 1;
  for (int k = 0; k < MOST; k++) {
    state = state * 1664525u + 1013904223u;
    values[k] = (ddr_real)(1 + (double)(state >> 8) / (1 << 24) / (k % 7 == 0 ? 64 : 4096));
  }
}

/* What is defined: runtime/reduce/tree.h, by ddr_tree alone. */
static double block_of(ddr_tree_op op, const double *x, int64_t n) {
  double lanes[DDR_TREE_LANES];
  for (int l = 0; l < DDR_TREE_LANES; l++) lanes[l] = ddr_tree_identity(op);
  for (int64_t k = 0; k < n; k++)
    lanes[k % DDR_TREE_LANES] = ddr_tree_combine(op, lanes[k % DDR_TREE_LANES], x[k]);
  for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++) lanes[l] = ddr_tree_combine(op, lanes[l], lanes[l + half]);
  return lanes[0];
}

static double root_of(ddr_tree_op op, const double *x, int64_t n) {
  ddr_tree tree = {.n_blocks = 0};
  for (int64_t k = 0; k < n; k += DDR_TREE_BLOCK) {
    const int64_t n_left = n - k;
    ddr_tree_push(&tree, op,
                  block_of(op, x + k, n_left < DDR_TREE_BLOCK ? n_left : DDR_TREE_BLOCK));
  }
  return ddr_tree_root(&tree, op);
}

static double expected(ddr_reduction reduction, int64_t n) {
  static double x[MOST], squares[MOST];
  const ddr_tree_op op = ddr_tree_op_of(reduction);
  for (int64_t k = 0; k < n; k++) x[k] = (double)values[k];
  double root = root_of(op, x, n);
  if (reduction == DDR_MEAN) root /= (double)n;
  if (reduction == DDR_VARIANCE) {
    const double mean = root / (double)n;
    for (int64_t k = 0; k < n; k++) {
      x[k] -= mean;
      squares[k] = x[k] * x[k];
    }
    root = ddr_variance_of(root_of(op, squares, n), root_of(op, x, n), (double)n);
  }
  return ddr_plain_nan(root);
}

static double found(ddr_reduction reduction, int64_t most, ddr_int n) {
  static unsigned char n_visits[MOST];
  enum { FIRST = -7 };
  ddr_device_reals reals;
  ddr_device_reals_begin(&reals, reduction, most);
  for (int round = 0; round < (reduction == DDR_VARIANCE ? 2 : 1); round++) {
    if (round > 0) ddr_device_reals_again(&reals);
    memset(n_visits, 0, sizeof n_visits);
    while (ddr_turns_take(&reals.turns, FIRST, FIRST + n - 1)) {
      const ddr_int k = ddr_turns_value(&reals.turns, FIRST) - FIRST;
      if (!CHECK(k >= 0 && k < n)) return 0;
      n_visits[k]++;
      ddr_device_reals_add(&reals, &reals.turns, values[k]);
    }
    for (ddr_int k = 0; k < n; k++)
      if (n_visits[k] != 1) CHECK_EQ(n_visits[k], 1);
  }
  return (double)ddr_device_reals_end(&reals);
}

static double found_in_order(ddr_reduction reduction, ddr_int n) {
  ddr_ordered_reals reals;
  ddr_ordered_reals_begin(&reals, reduction);
  for (int round = 0; round < (reduction == DDR_VARIANCE ? 2 : 1); round++) {
    if (round > 0) ddr_ordered_reals_again(&reals);
    for (ddr_int k = 0; k < n; k++) ddr_ordered_reals_add(&reals, values[k]);
  }
  return (double)ddr_ordered_reals_end(&reals);
}

static void check_bits(const char *how, ddr_reduction reduction, ddr_int n, double found) {
  const ddr_real want = (ddr_real)expected(reduction, n), got = (ddr_real)found;
  if (memcmp(&want, &got, sizeof want) == 0) return;
  fprintf(stderr, "reduction %d of %ld values %s\n", (int)reduction, (long)n, how);
  CHECK_EQ(got, want);
}

static void check_number(ddr_int n, int64_t most) {
  static const ddr_reduction all[] = {DDR_SUM, DDR_PRODUCT, DDR_MEAN, DDR_VARIANCE};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    check_bits("by turns", all[i], n, found(all[i], most, n));
    check_bits("in order", all[i], n, found_in_order(all[i], n));
  }
}

static void few_values(void) {
  for (ddr_int n = 0; n <= 200; n++) {
    check_number(n, INT64_MAX);
    check_number(n, n);
  }
}

static void whole_and_broken_blocks(void) {
  for (ddr_int block = 1; block < MOST / DDR_TREE_BLOCK; block += block < 9 ? 1 : 5) {
    for (ddr_int more = -2; more <= 40; more += more < 2 ? 1 : 19)
      check_number(block * DDR_TREE_BLOCK + more, INT64_MAX);
  }
}

int main(void) {
  fill_values();
  RUN(few_values);
  RUN(whole_and_broken_blocks);
  return test_result();
}
