/* Rows of direct sums: all instruction sets give the same bits. */
#include "runtime/conv/direct/rows.h"

#include "runtime/element/sets.h"
#include "tests/unit/conv/model.h"

/* All instruction sets give the same sums, also if a row is not a multiple of a vector; fused: the
 * rows for weights that are floats. */
static void rows_agree(const ddr_conv_rows *rows, bool is_fused) {
  enum { N_TAPS = 9, MOST = 131 };
  uint64_t state = 42;
  float floats[MOST + N_TAPS];
  double doubles[MOST + N_TAPS], sums[2][MOST];
  ddr_conv_tap taps[N_TAPS];
  for (int k = 0; k < MOST + N_TAPS; k++) {
    doubles[k] = random_real(&state);
    floats[k] = (float)doubles[k];
  }
  for (int k = 0; k < N_TAPS; k++) {
    const double weight = random_real(&state);
    taps[k] = (ddr_conv_tap){is_fused ? (double)(float)weight : weight, 0, N_TAPS - 1 - k};
  }
  for (int64_t n = 0; n <= MOST; n++) {
    for (int is_float = is_fused; is_float <= 1; is_float++) {
      for (int k = 0; k < MOST; k++) {
        double sum = sums[0][k] = sums[1][k] = k % 3;
        for (int tap = 0; tap < N_TAPS && k < n; tap++) {
          const int64_t at = k + taps[tap].offset;
          sum += taps[tap].re * (is_float ? (double)floats[at] : doubles[at]);
        }
        sums[0][k] = sum;
      }
      const ddr_conv_float_rows *of_floats = is_fused ? rows->fused : &rows->floats;
      if (is_float) of_floats->add(taps, N_TAPS, floats, 0, n, sums[1]);
      else rows->add_doubles(taps, N_TAPS, doubles, 0, n, sums[1]);
      CHECK(memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
    }
  }
}

/* The same for floats that are widened first; no result beyond n is written. */
static void widened_rows_agree(const ddr_conv_rows *rows, bool is_fused) {
  enum { N_TAPS = 7, MOST = 131, APART = 137 };
  uint64_t state = 43;
  float floats[N_TAPS * APART], results[2][MOST];
  double widened[N_TAPS * APART];
  ddr_conv_tap taps[N_TAPS];
  for (int k = 0; k < N_TAPS * APART; k++) floats[k] = (float)random_real(&state);
  for (int k = 0; k < N_TAPS; k++) {
    const double weight = random_real(&state);
    taps[k] =
        (ddr_conv_tap){is_fused ? (double)(float)weight : weight, 0, (k * 3) % N_TAPS * APART};
  }
  const ddr_conv_float_rows *of_floats = is_fused ? rows->fused : &rows->floats;
  const ddr_conv_ahead ahead = {floats, results[0]};
  for (int64_t n = 0; n <= MOST; n++) {
    memset(widened, 0, sizeof widened);
    for (int k = 0; k < N_TAPS; k++) rows->widen(floats + k * APART, n, widened + k * APART);
    for (int k = 0; k < MOST; k++) {
      double sum = 0;
      for (int tap = 0; tap < N_TAPS; tap++) {
        sum += taps[tap].re * (double)floats[k + taps[tap].offset];
      }
      results[0][k] = k < n ? (float)sum : -1;
      results[1][k] = -1;
    }
    of_floats->round_widened(taps, N_TAPS, widened, n, results[1], ahead);
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
  }
}

/* Two rows at once: groups of taps, of which some have the same samples in both rows; also so many
 * results that the last are not a multiple of a vector. */
#define PAIRS_AGREE(number, pair_of)                                                               \
  do {                                                                                             \
    for (int64_t n = rows->n_least; n <= MOST; n++) {                                              \
      number found[2][MOST], *const to[2] = {found[0], found[1]};                                  \
      for (int k = 0; k < MOST; k++) found[0][k] = found[1][k] = -1;                               \
      pair_of(&pair, number##s, 0, n, to);                                                         \
      for (int64_t k = 0; k < MOST; k++) {                                                         \
        double sum[2] = {0, 0};                                                                    \
        for (int tap = 0; tap < N_GROUPS * N_TAPS; tap++) {                                        \
          for (int row = 0; row < 2; row++)                                                        \
            sum[row] += taps[tap].re * (double)number##s[k + taps[tap].offset + row * pair.apart]; \
        }                                                                                          \
        for (int row = 0; row < 2; row++) CHECK(found[row][k] == (k < n ? (number)sum[row] : -1)); \
      }                                                                                            \
    }                                                                                              \
  } while (0)

static void pairs_agree(const ddr_conv_rows *rows, bool is_fused, int lag) {
  enum { N_GROUPS = 2, N_TAPS = 6, MOST = 75, APART = 80 };
  uint64_t state = 44;
  float floats[(N_GROUPS + 1) * N_TAPS * APART];
  double doubles[(N_GROUPS + 1) * N_TAPS * APART];
  ddr_conv_tap taps[N_GROUPS * N_TAPS];
  for (int k = 0; k < (N_GROUPS + 1) * N_TAPS * APART; k++) {
    doubles[k] = random_real(&state);
    floats[k] = (float)doubles[k];
  }
  for (int k = 0; k < N_GROUPS * N_TAPS; k++) {
    const double weight = random_real(&state);
    taps[k] = (ddr_conv_tap){is_fused ? (double)(float)weight : weight, 0, k * APART};
  }
  const ddr_conv_pair pair = {taps, N_GROUPS, N_TAPS, lag, (int64_t)lag * APART};
  if (is_fused) {
    PAIRS_AGREE(float, rows->fused->round_pair);
  } else {
    PAIRS_AGREE(float, rows->floats.round_pair);
    PAIRS_AGREE(double, rows->pair_of_doubles);
  }
}

static void complexes_agree(const ddr_conv_rows *rows) {
  enum { N_TAPS = 5, MOST = 40 };
  uint64_t state = 45;
  ddr_complex_double samples[MOST + N_TAPS];
  ddr_conv_tap taps[N_TAPS];
  for (int k = 0; k < MOST + N_TAPS; k++)
    samples[k] = (ddr_complex_double){random_real(&state), random_real(&state)};
  for (int k = 0; k < N_TAPS; k++)
    taps[k] = (ddr_conv_tap){random_real(&state), random_real(&state), N_TAPS - 1 - k};
  for (int64_t n = 0; n <= MOST; n++) {
    double sums[2][2 * MOST];
    for (int k = 0; k < 2 * MOST; k++) sums[0][k] = sums[1][k] = k % 3;
    ddr_conv_complex_sums(taps, N_TAPS, samples, 0, 1, n, sums[0]);
    rows->add_complexes(taps, N_TAPS, samples, n, sums[1]);
    CHECK(memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
  }
}

/* Pairs of samples, of which those that are not whole vectors stay. */
#define SPLITS(number, split)                                                                      \
  do {                                                                                             \
    number pairs[2 * MOST], parts[2][MOST];                                                        \
    for (int k = 0; k < 2 * MOST; k++) pairs[k] = (number)k;                                       \
    for (int64_t n = 0; n <= MOST; n++) {                                                          \
      for (int k = 0; k < MOST; k++) parts[0][k] = parts[1][k] = -1;                               \
      const int64_t n_done = split(pairs, n, parts[0], parts[1]);                                  \
      CHECK(n_done <= n && n_done > n - 16);                                                       \
      for (int k = 0; k < MOST; k++) {                                                             \
        for (int part = 0; part < 2; part++)                                                       \
          CHECK(parts[part][k] == (k < n_done ? pairs[2 * k + part] : -1));                        \
      }                                                                                            \
    }                                                                                              \
  } while (0)

static void pairs_are_split(const ddr_conv_rows *rows) {
  enum { MOST = 50 };
  SPLITS(float, rows->split_floats);
  SPLITS(double, rows->split_doubles);
}

static void set_agrees(const ddr_conv_rows *rows) {
  const int n_kinds = rows->fused ? 2 : 1;
  complexes_agree(rows);
  pairs_are_split(rows);
  for (int is_fused = 0; is_fused < n_kinds; is_fused++) {
    rows_agree(rows, is_fused);
    widened_rows_agree(rows, is_fused);
    for (int lag = 1; lag <= 6; lag++) pairs_agree(rows, is_fused, lag);
  }
}

static void all_instruction_sets_agree(void) {
  set_agrees(&ddr_conv_rows_base);
#if defined(DDR_AVX2)
  if (ddr_has_set(DDR_SET_AVX2)) set_agrees(&ddr_conv_rows_avx2);
#endif
#if defined(DDR_AVX512)
  if (!ddr_has_set(DDR_SET_AVX512)) return;
  set_agrees(&ddr_conv_rows_avx512);
  set_agrees(&ddr_conv_rows_halves);
#endif
}

int main(void) {
  RUN(all_instruction_sets_agree);
  return test_result();
}
