/* Vector functions against the scalar functions that they replace, lane by lane; rows in slices
 * against plain loops; a gang against strands whose lives are known. Built for several instruction
 * sets and precisions; skipped if this machine lacks one. */
#include <stdlib.h>
#include <string.h>

#include "ddr/lanes/gang.h"
#include "ddr/lanes/math.h"
#include "ddr/lanes/narrow.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

static const ddr_real reals[] = {
    DDR_R(0.0),  DDR_R(-0.0),  DDR_R(1.0),   DDR_R(-1.0),   DDR_R(0.5),   DDR_R(-2.5), DDR_R(3.0),
    DDR_R(1e30), DDR_R(-1e30), DDR_R(1e-30), DDR_R(7.75),   DDR_R(100.0), INFINITY,    -INFINITY,
    NAN,         DDR_R(0.999), DDR_R(2.0),   DDR_R(0.3333), DDR_R(-7.25)};
static const ddr_int ints[] = {0, 1, -1, 2, 7, -7, 100, DDR_INT_MAX, DDR_INT_MIN, 3};

enum { N_REALS = sizeof reals / sizeof *reals, N_INTS = sizeof ints / sizeof *ints };

static ddr_vreal some_reals(int from) {
  ddr_vreal v = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) v[lane] = reals[(from + lane) % N_REALS];
  return v;
}

static ddr_vint some_ints(int from) {
  ddr_vint v = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) v[lane] = ints[(from + lane) % N_INTS];
  return v;
}

/* Equal, both NaN, or within some units in the last place. */
static bool is_like(ddr_real a, ddr_real b, double ulps) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  if (a == b) return true;
  const double epsilon = sizeof(ddr_real) == 4 ? 1.2e-7 : 2.3e-16;
  return fabs((double)a - (double)b) <= ulps * epsilon * fabs((double)b);
}

/* The same bits, or both NaN. */
static bool is_same(ddr_real a, ddr_real b) {
  return is_like(a, b, 0) && (isnan(a) || signbit(a) == signbit(b));
}

/* --- functions -------------------------------------------------------------------------------- */

#define CHECK_REAL1(name)                                                                          \
  for (int k = 0; k < N_REALS; k++) {                                                              \
    const ddr_vreal a = some_reals(k), r = ddr_v##name(a);                                         \
    for (int i = 0; i < DDR_LANES; i++) CHECK(isnan(a[i]) || is_same(r[i], ddr_##name(a[i])));     \
  }
#define CHECK_MATH1(name)                                                                          \
  for (int k = 0; k < N_REALS; k++) {                                                              \
    const ddr_vreal a = some_reals(k), r = ddr_v##name(a);                                         \
    for (int i = 0; i < DDR_LANES; i++) CHECK(is_like(r[i], ddr_##name(a[i]), 4));                 \
  }
#define CHECK_SAME1(name)                                                                          \
  for (int k = 0; k < N_REALS; k++) {                                                              \
    const ddr_vreal a = some_reals(k), r = ddr_v##name(a);                                         \
    for (int i = 0; i < DDR_LANES; i++) CHECK(is_same(r[i], ddr_##name(a[i])));                    \
  }
#define CHECK_SAME2(name)                                                                          \
  for (int k = 0; k < N_REALS; k++)                                                                \
    for (int j = 0; j < N_REALS; j++) {                                                            \
      const ddr_vreal a = some_reals(k), b = some_reals(j), r = ddr_v##name(a, b);                 \
      for (int i = 0; i < DDR_LANES; i++) CHECK(is_same(r[i], ddr_##name(a[i], b[i])));            \
    }
#define CHECK_INTS1(name)                                                                          \
  for (int k = 0; k < N_INTS; k++) {                                                               \
    const ddr_vint a = some_ints(k), r = ddr_v##name(a);                                           \
    for (int i = 0; i < DDR_LANES; i++) CHECK_EQ(r[i], ddr_##name(a[i]));                          \
  }
#define CHECK_INTS2(name)                                                                          \
  for (int k = 0; k < N_INTS; k++)                                                                 \
    for (int j = 0; j < N_INTS; j++) {                                                             \
      const ddr_vint a = some_ints(k), b = some_ints(j), r = ddr_v##name(a, b);                    \
      for (int i = 0; i < DDR_LANES; i++) CHECK_EQ(r[i], ddr_##name(a[i], b[i]));                  \
    }
#define CHECK_COMPARES(name, op)                                                                   \
  for (int k = 0; k < N_INTS; k++)                                                                 \
    for (int j = 0; j < N_INTS; j++) {                                                             \
      const ddr_vint a = some_ints(k), b = some_ints(j);                                           \
      const ddr_vmask r = name(a, b);                                                              \
      for (int i = 0; i < DDR_LANES; i++) CHECK_EQ(r[i], -(a[i] op b[i]));                         \
    }

static void functions_of_reals(void) {
  CHECK_REAL1(fabs);
  CHECK_REAL1(floor);
  CHECK_REAL1(ceil);
  CHECK_REAL1(trunc);
  CHECK_REAL1(round);
  CHECK_MATH1(sqrt);
  CHECK_MATH1(sign);
  CHECK_SAME2(min);
  CHECK_SAME2(max);
}

/* The arguments of functions_test.c. */
static void functions_of_math_h(void) {
  CHECK_SAME1(exp);
  CHECK_SAME1(log);
  CHECK_SAME1(log2);
  CHECK_SAME1(log10);
  CHECK_SAME1(sin);
  CHECK_SAME1(cos);
  CHECK_SAME1(tan);
  CHECK_SAME1(asin);
  CHECK_SAME1(acos);
  CHECK_SAME1(atan);
  CHECK_SAME1(erf);
  CHECK_SAME1(erfc);
  CHECK_SAME2(pow);
  CHECK_SAME2(atan2);
}

/* Random bits, and sums that nearly cancel or lie between two reals. */
static ddr_real drawn(uint64_t *state, int k, ddr_real product) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const int exponent = (int)(*state >> 54) % (sizeof(ddr_real) == 4 ? 140 : 1000);
  const ddr_real fraction = (ddr_real)((double)(*state >> 11) * 0x1p-53);
  const ddr_real value = DDR_LIBM(ldexp)(1 + fraction, *state & 1024 ? exponent : -exponent);
  if (k % 3 == 1) return -product * (1 + (ddr_real)(k % 5) * fraction * (ddr_real)1e-6);
  if (k % 3 == 2) return product * DDR_LIBM(ldexp)(1, -(k % 60));
  return *state & 2048 ? value : -value;
}

static bool has_same_bits(ddr_real a, ddr_real b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Against libm's fma, with both implementations. */
static void fma_is_rounded_once(void) {
  uint64_t state = 1;
  for (int k = 0; k < 20000; k++) {
    ddr_vreal a = some_reals(k), b = some_reals(3 * k), c = some_reals(7 * k);
    for (int i = 0; i < DDR_LANES && k >= N_REALS * N_REALS; i++) {
      a[i] = drawn(&state, 0, 0);
      b[i] = drawn(&state, 0, 0);
      c[i] = drawn(&state, k, a[i] * b[i]);
    }
    const ddr_vreal r = ddr_vfma(a, b, c), s = ddr_vfma(a[0], b, c[0]);
    for (int i = 0; i < DDR_LANES; i++) {
      CHECK(has_same_bits(r[i], DDR_LIBM(fma)(a[i], b[i], c[i])));
      CHECK(has_same_bits(ddr_fma(a[i], b[i], c[i]), r[i]));
      CHECK(has_same_bits(s[i], ddr_fma(a[0], b[i], c[0])));
    }
  }
}

/* Against libm, which is exact: quotients next to integers, small and huge ones. */
static void remainders(void) {
  uint64_t state = 2;
  CHECK_SAME2(fmod);
  for (int a = 0; a < N_REALS; a++)
    for (int b = 0; b < N_REALS; b++) {
      const ddr_real x = some_reals(a)[0], y = some_reals(b)[0];
      CHECK(has_same_bits(ddr_fmod(x, y), DDR_LIBM(fmod)(x, y)));
    }
  for (int k = 0; k < 20000; k++) {
    ddr_vreal x = {0}, y = {0};
    for (int i = 0; i < DDR_LANES; i++) {
      y[i] = drawn(&state, 0, 0);
      x[i] = k % 2 ? drawn(&state, 0, 0) : y[i] * DDR_LIBM(ldexp)((ddr_real)(k % 97), k % 31);
      if (k % 3 == 0) x[i] = DDR_LIBM(nextafter)(x[i], (ddr_real)(k % 4 - 2) * (ddr_real)1e30);
    }
    const ddr_vreal r = ddr_vfmod(x, y);
    for (int i = 0; i < DDR_LANES; i++) {
      const ddr_real exact = DDR_LIBM(fmod)(x[i], y[i]);
      CHECK(has_same_bits(r[i], exact));
      CHECK(has_same_bits(ddr_fmod(x[i], y[i]), exact));
    }
  }
}

static void functions_of_ints(void) {
  CHECK_INTS1(ineg);
  CHECK_INTS1(iabs);
  CHECK_INTS2(iadd);
  CHECK_INTS2(isub);
  CHECK_INTS2(imul);
  CHECK_INTS2(idiv);
  CHECK_INTS2(imod);
  CHECK_INTS2(imin);
  CHECK_INTS2(imax);
  CHECK_COMPARES(ddr_vilt, <);
  CHECK_COMPARES(ddr_vile, <=);
  CHECK_COMPARES(ddr_vieq, ==);
  CHECK_COMPARES(ddr_vine, !=);
  CHECK_COMPARES(ddr_vige, >=);
  CHECK_COMPARES(ddr_vigt, >);
}

static void clamps_and_powers(void) {
  for (int k = 0; k < N_REALS; k++) {
    const ddr_vreal x = some_reals(k), lo = some_reals(k + 5), hi = some_reals(k + 11);
    const ddr_vint n = some_ints(k);
    const ddr_vreal clamped = ddr_vclamp(lo, hi, x), power = ddr_vpowi(x, n);
    const ddr_vreal of_ints = ddr_vreal_of_ints(n), by = ddr_vpowi_by(x, n[0]);
    for (int i = 0; i < DDR_LANES; i++) {
      CHECK(is_like(clamped[i], ddr_clamp(lo[i], hi[i], x[i]), 0));
      CHECK(is_like(power[i], ddr_powi(x[i], n[i]), 1));
      CHECK(is_like(by[i], ddr_powi(x[i], n[0]), 0));
      CHECK(is_same(of_ints[i], (ddr_real)n[i]));
    }
  }
}

static void masks(void) {
  for (ddr_lane_set set = 0; set <= DDR_ALL_LANES; set += DDR_ALL_LANES / 15) {
    const ddr_vmask mask = ddr_vmask_of(set);
    CHECK_EQ(ddr_vlanes(mask), set);
    for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(mask[lane], set >> lane & 1 ? -1 : 0);
  }
  const ddr_vreal a = some_reals(0), b = some_reals(3);
  const ddr_vmask none = {0}, all = ddr_vbool_all(true);
  for (int on = 0; on < DDR_LANES; on++) {
    ddr_vmask one = none;
    one[on] = -1;
    CHECK(ddr_vany(one) && ddr_vcount(one) == 1 && ddr_vcount(~one) == DDR_LANES - 1);
    const ddr_vreal reals_of = ddr_vselect_real(one, a, b);
    const ddr_vint ints_of = ddr_vselect_int(one, some_ints(2), some_ints(4));
    const ddr_vmask equal = ddr_vbeq(ddr_vselect_bool(one, all, none), one);
    for (int i = 0; i < DDR_LANES; i++) {
      CHECK(is_same(reals_of[i], i == on ? a[i] : b[i]));
      CHECK_EQ(ints_of[i], i == on ? some_ints(2)[i] : some_ints(4)[i]);
      CHECK(equal[i]);
    }
  }
  CHECK(!ddr_vany(none) && ddr_vcount(all) == DDR_LANES);
}

/* --- taps and rows ---------------------------------------------------------------------------- */

static const ddr_int lens[] = {1, 3, 4, 6, 7, 100, 1 << 24, (1 << 24) + 5};

/* A float represents only every second of the last samples: either neighbour is correct. */
static bool is_corner(ddr_int corner, ddr_real x, ddr_int len, ddr_int half) {
  const ddr_int want = ddr_corner(x, len, half);
  return corner == want || (len > 1 << 24 && corner == want - 1);
}

static void corners_stay_on_the_axis(void) {
  for (size_t n = 0; n < sizeof lens / sizeof *lens; n++)
    for (ddr_int half = 1; half <= 3; half++)
      for (int k = 0; k < N_REALS; k++) {
        const ddr_vreal x = ddr_vfloor(some_reals(k));
        const ddr_vint corner = ddr_vcorner(x, lens[n], half);
        for (int i = 0; i < DDR_LANES; i++) CHECK(is_corner(corner[i], x[i], lens[n], half));
      }
}

/* Neighbouring strands, all along the axis or only some: cells near the first sample and the
 * last. */
static void corners_of_neighbours_are_their_own(void) {
  for (size_t n = 0; n < sizeof lens / sizeof *lens; n++)
    for (ddr_int half = 1; half <= 3; half++)
      for (ddr_int k = -2 * DDR_LANES; k <= DDR_LANES; k++)
        for (int at_end = 0; at_end < 2; at_end++) {
          ddr_vreal x = {0};
          for (int i = 0; i < DDR_LANES; i++) x[i] = (ddr_real)((at_end ? lens[n] : half) + k + i);
          const ddr_vint corner = ddr_vcorner(x, lens[n], half);
          for (int i = 0; i < DDR_LANES; i++) CHECK(is_corner(corner[i], x[i], lens[n], half));
        }
}

enum { N_SAMPLES = 400 };
static ddr_real samples[N_SAMPLES];

/* Samples of each type, with all their bits in use; the rows of the last lane end where the samples
 * do. A row of 6 reads 8. */
#define DEFINE_SAMPLES_OF(id, upper, c_type)                                                       \
  static void samples_of_##id(void) {                                                              \
    static c_type others[N_SAMPLES];                                                               \
    const c_type *at[DDR_LANES];                                                                   \
    ddr_slice4 four[DDR_SLICES4];                                                                  \
    ddr_slice6 six[DDR_SLICES6];                                                                   \
    ddr_vreal two[2], tap4[4], tap6[6];                                                            \
    for (uint32_t i = 0; i < N_SAMPLES; i++) others[i] = (c_type)(i * UINT32_C(0x9e3779b1));       \
    for (int lane = 0; lane < DDR_LANES; lane++) at[lane] = others + 17 * lane + lane % 5;         \
    at[DDR_LANES - 1] = others + N_SAMPLES - 8;                                                    \
    DDR_EACH_SLICE4(slice) four[slice] = ddr_slice4_load_##id(at, 4, slice);                       \
    DDR_EACH_SLICE6(slice) six[slice] = ddr_slice6_load_##id(at, 0, slice);                        \
    ddr_taps2_load_##id(at, 6, two);                                                               \
    ddr_taps4(four, tap4);                                                                         \
    ddr_taps6(six, tap6);                                                                          \
    for (int lane = 0; lane < DDR_LANES; lane++) {                                                 \
      for (int k = 0; k < 2; k++) CHECK(is_same(two[k][lane], (ddr_real)at[lane][6 + k]));         \
      for (int k = 0; k < 4; k++) CHECK(is_same(tap4[k][lane], (ddr_real)at[lane][4 + k]));        \
      for (int k = 0; k < 6; k++) CHECK(is_same(tap6[k][lane], (ddr_real)at[lane][k]));            \
    }                                                                                              \
  }
DDR_SAMPLE_TYPES(DEFINE_SAMPLES_OF)

static void other_samples_are_converted(void) {
#define ROW(id, upper, c_type) samples_of_##id();
  DDR_SAMPLE_TYPES(ROW)
#undef ROW
}

static void rows_become_taps(void) {
  const ddr_real *at[DDR_LANES];
  ddr_slice4 four[DDR_SLICES4];
  ddr_slice6 six[DDR_SLICES6];
  ddr_vreal factor = {0}, two[2], of_reals[2], tap4[4], tap6[6];
  for (int i = 0; i < N_SAMPLES; i++) samples[i] = (ddr_real)i;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    at[lane] = samples + 17 * lane + lane * lane % 5;
    factor[lane] = (ddr_real)(lane + 1);
  }
  DDR_EACH_SLICE4(slice) four[slice] = ddr_slice4_load(at, 3, slice) * ddr_spread4(factor, slice);
  DDR_EACH_SLICE6(slice) six[slice] = ddr_slice6_load(at, 5, slice) * ddr_spread6(factor, slice);
  DDR_TAPS2_LOAD(ddr_real_at, at, 1, two);
  ddr_taps2_load(at, 7, of_reals);
  ddr_taps4(four, tap4);
  ddr_taps6(six, tap6);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    for (int k = 0; k < 2; k++) CHECK(is_same(two[k][lane], at[lane][1 + k]));
    for (int k = 0; k < 2; k++) CHECK(is_same(of_reals[k][lane], at[lane][7 + k]));
    for (int k = 0; k < 4; k++) CHECK(is_same(tap4[k][lane], at[lane][3 + k] * factor[lane]));
    for (int k = 0; k < 6; k++) CHECK(is_same(tap6[k][lane], at[lane][5 + k] * factor[lane]));
  }
}

/* --- gangs ------------------------------------------------------------------------------------ */

enum { N_STRANDS = 101, MOST_GANGS = 3 };
static uint32_t life[N_STRANDS], n_run[N_STRANDS];
static uint8_t status[N_STRANDS];
static bool nobody_dies;
static int n_rows_taken, n_rows_released;

/* Strand s lives for life[s] steps; every third strand may die, the others become stable. */
static void step(ddr_gang *gang) {
  ddr_vmask stable = {0}, dead = {0};
  ddr_gang_step(gang);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (!gang->mask[lane]) continue;
    const int64_t slot = gang->slot[lane];
    if (++n_run[slot] < life[slot]) continue;
    if (slot % 3 == 0 && !nobody_dies) dead[lane] = -1;
    else stable[lane] = -1;
  }
  ddr_gang_end(gang, stable, DDR_STABLE);
  ddr_gang_end(gang, dead, DDR_DEAD);
}

static void release(ddr_gang *gang, ddr_queue *queue) {
  const int64_t first = ddr_gang_release_row(gang, queue);
  n_rows_released += first >= 0;
  if (first >= 0) return;
  const ddr_lane_set ended = ddr_gang_ended(gang, queue);
  CHECK_EQ(ddr_gang_release(gang, queue), ended);
  CHECK((gang->busy & ended) == 0 && (ddr_vlanes(gang->mask) & ended) == 0);
}

static void take(ddr_gang *gang, ddr_queue *queue) {
  const int64_t first = ddr_gang_take_row(gang, queue);
  n_rows_taken += first >= 0;
  if (first >= 0) return;
  const ddr_lane_set busy = gang->busy;
  ddr_lane_set taken = ddr_gang_take(gang, queue);
  CHECK((busy & taken) == 0 && gang->busy == (busy | taken));
  while (taken != 0) {
    const int lane = ddr_next_lane(&taken);
    CHECK(status[gang->slot[lane]] <= DDR_NEW && gang->mask[lane] == -1 &&
          gang->n_steps[lane] == 0);
  }
}

static uint32_t work_off(uint32_t max_steps, int n_gangs) {
  ddr_strands strands = {.status = status};
  const ddr_block block = {.strands = &strands, .begin = 1, .end = N_STRANDS};
  ddr_gang gangs[MOST_GANGS];
  ddr_queue queue;
  ddr_queue_open(&queue, &block, max_steps, n_gangs * DDR_LANES * 3 / 4);
  for (int k = 0; k < n_gangs; k++) ddr_gang_open(&gangs[k]);
  for (;;) {
    ddr_lane_set busy = 0;
    for (int k = 0; k < n_gangs; k++) {
      release(&gangs[k], &queue);
      take(&gangs[k], &queue);
      busy |= gangs[k].busy;
    }
    if (busy == 0) return queue.most;
    int n_running;
    ddr_pace pace = ddr_queue_pace(&queue);
    do {
      n_running = 0;
      ddr_pace_step(&pace, &queue);
      for (int k = 0; k < n_gangs; k++) {
        step(&gangs[k]);
        n_running += ddr_vcount(gangs[k].mask);
      }
    } while (ddr_pace_goes_on(&pace, n_running));
  }
}

static void give_lives(void) {
  for (int s = 0; s < N_STRANDS; s++) {
    life[s] = 1 + (uint32_t)(s * 37 % 23);
    n_run[s] = 0;
    status[s] = s % 2 ? DDR_NEW : DDR_ACTIVE;
    if (s % 10 == 7) status[s] = DDR_DEAD;
    if (s % 10 == 8) status[s] = DDR_STABLE;
  }
}

static bool has_run(int s) { return s > 0 && s % 10 != 7 && s % 10 != 8; }

static void gangs_run_every_strand_to_its_end(void) {
  for (int n_gangs = 1; n_gangs <= MOST_GANGS; n_gangs++) {
    give_lives();
    CHECK_EQ(work_off(0, n_gangs), 23);
    for (int s = 0; s < N_STRANDS; s++) {
      CHECK_EQ(n_run[s], has_run(s) ? life[s] : 0);
      if (has_run(s)) CHECK_EQ(status[s], s % 3 == 0 ? DDR_DEAD : DDR_STABLE);
    }
    CHECK_EQ(work_off(0, n_gangs), 0);
  }
}

static void rows_are_taken_and_released_together(void) {
  for (int s = 0; s < N_STRANDS; s++) life[s] = 2, n_run[s] = 0, status[s] = DDR_NEW;
  nobody_dies = true;
  n_rows_taken = n_rows_released = 0;
  CHECK_EQ(work_off(0, 1), 2);
  nobody_dies = false;
  CHECK_EQ(n_rows_taken, (N_STRANDS - 1) / DDR_LANES);
  CHECK_EQ(n_rows_released, n_rows_taken);
  for (int s = 1; s < N_STRANDS; s++) CHECK(n_run[s] == 2 && status[s] == DDR_STABLE);
}

/* Also for rows, with strands that have ended and strands that have not. */
static void rows_keep_the_status_of_each(void) {
  for (int s = 0; s < N_STRANDS; s++) life[s] = s % 2 ? 1 : 2, n_run[s] = 0, status[s] = DDR_NEW;
  n_rows_released = 0;
  CHECK_EQ(work_off(1, 1), 1);
  CHECK_EQ(n_rows_released, (N_STRANDS - 1) / DDR_LANES);
  for (int s = 1; s < N_STRANDS; s++)
    CHECK_EQ(status[s], s % 2 == 0 ? DDR_ACTIVE : s % 3 == 0 ? DDR_DEAD : DDR_STABLE);
}

static void gangs_pause_at_the_limit(void) {
  for (int n_gangs = 1; n_gangs <= MOST_GANGS; n_gangs++) {
    give_lives();
    for (uint32_t visit = 1; visit <= 8; visit++) {
      CHECK_EQ(work_off(3, n_gangs), visit == 8 ? 2 : 3);
      for (int s = 0; s < N_STRANDS; s++) {
        const uint32_t so_far = life[s] < 3 * visit ? life[s] : 3 * visit;
        CHECK_EQ(n_run[s], has_run(s) ? so_far : 0);
        if (has_run(s)) CHECK_EQ(status[s] == DDR_ACTIVE, n_run[s] < life[s]);
      }
    }
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(functions_of_reals);
  RUN(functions_of_math_h);
  RUN(fma_is_rounded_once);
  RUN(remainders);
  RUN(functions_of_ints);
  RUN(clamps_and_powers);
  RUN(masks);
  RUN(corners_stay_on_the_axis);
  RUN(corners_of_neighbours_are_their_own);
  RUN(rows_become_taps);
  RUN(other_samples_are_converted);
  RUN(gangs_run_every_strand_to_its_end);
  RUN(rows_are_taken_and_released_together);
  RUN(rows_keep_the_status_of_each);
  RUN(gangs_pause_at_the_limit);
  return test_result();
}
