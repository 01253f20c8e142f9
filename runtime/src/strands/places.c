/* places.c: where strands are, in loops over columns that a compiler turns into vectors.
 *
 * Read next: places.h.
 */
#include "places.h"

#include <string.h>

#define READ(real)                                                                                 \
  static void read_##real(const char *src, size_t size, int64_t n, double *column) {               \
    for (int64_t at = 0; at < n; at++, src += size) {                                              \
      real x;                                                                                      \
      memcpy(&x, src, sizeof x);                                                                   \
      column[at] = (double)x;                                                                      \
    }                                                                                              \
  }
READ(float)
READ(double)
#undef READ

/* x - x is 0 for a finite number x, and not a number for others. */
static bool are_finite(const double *x, int64_t n) {
  double even = 0, odd = n % 2 != 0 ? x[n - 1] - x[n - 1] : 0;
  for (int64_t at = 0; at + 1 < n; at += 2) {
    even += x[at] - x[at];
    odd += x[at + 1] - x[at + 1];
  }
  return even + odd == 0;
}

static void keep(ddr_places *places, const bool is_kept[]) {
  int64_t n = 0;
  for (int64_t at = 0; at < places->n; at++) {
    places->slots[n] = places->slots[at];
    for (int k = 0; k < DDR_MOST_DIM; k++) places->at[k][n] = places->at[k][at];
    n += is_kept[at];
  }
  places->n = n;
}

static void keep_finite(ddr_places *places) {
  bool is_finite[DDR_CHUNK];
  for (int64_t at = 0; at < places->n; at++) {
    double sum = 0;
    for (int k = 0; k < DDR_MOST_DIM; k++) sum += places->at[k][at] - places->at[k][at];
    is_finite[at] = sum == 0;
  }
  keep(places, is_finite);
}

void ddr_places_read(const ddr_world *world, int64_t begin, int64_t end, ddr_places *places) {
  const ddr_program *program = world->program;
  const size_t size = ddr_before_size(program);
  const char *src =
      (const char *)world->store->strands.before + ddr_before_pos(program) + (size_t)begin * size;
  bool is_good = true;
  places->n = end - begin;
  for (int64_t at = 0; at < places->n; at++) places->slots[at] = begin + at;
  for (int k = 0; k < DDR_MOST_DIM; k++, src += program->real_size) {
    if (k >= (int)program->pos_dim)
      memset(places->at[k], 0, (size_t)places->n * sizeof places->at[k][0]);
    else if (program->real_size == sizeof(float)) read_float(src, size, places->n, places->at[k]);
    else read_double(src, size, places->n, places->at[k]);
    is_good &= are_finite(places->at[k], places->n);
  }
  if (!is_good) keep_finite(places);
}

void ddr_places_keep_running(const ddr_world *world, ddr_places *places) {
  bool is_running[DDR_CHUNK], do_all = true;
  for (int64_t at = 0; at < places->n; at++) {
    is_running[at] = world->store->strands.status[places->slots[at]] <= DDR_NEW;
    do_all &= is_running[at];
  }
  if (!do_all) keep(places, is_running);
}

/* Several at a time, since each comparison waits for the last one. */
enum { TOGETHER = 8 };

static void find_bounds(const double *x, int64_t n, double *lo, double *hi) {
  double least[TOGETHER], most[TOGETHER];
  for (int j = 0; j < TOGETHER; j++) least[j] = most[j] = x[0];
  for (int64_t at = 0; at + TOGETHER <= n; at += TOGETHER) {
    for (int j = 0; j < TOGETHER; j++) {
      least[j] = x[at + j] < least[j] ? x[at + j] : least[j];
      most[j] = x[at + j] > most[j] ? x[at + j] : most[j];
    }
  }
  for (int64_t at = n / TOGETHER * TOGETHER; at < n; at++) {
    least[0] = x[at] < least[0] ? x[at] : least[0];
    most[0] = x[at] > most[0] ? x[at] : most[0];
  }
  *lo = *hi = x[0];
  for (int j = 0; j < TOGETHER; j++) {
    *lo = least[j] < *lo ? least[j] : *lo;
    *hi = most[j] > *hi ? most[j] : *hi;
  }
}

ddr_region ddr_places_box(const ddr_places *places) {
  ddr_region box = ddr_region_none();
  if (places->n == 0) return box;
  for (int k = 0; k < DDR_MOST_DIM; k++)
    find_bounds(places->at[k], places->n, &box.lo[k], &box.hi[k]);
  return box;
}
