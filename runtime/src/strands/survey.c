/* survey.c: surveys positions, in loops over columns that compilers vectorise: boxes around own
 * strands, and the longest distances from one strand to the next.
 *
 * Read next: survey.h.
 */
#include "survey.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/src/ranks/ranks.h"
#include "shares.h"

/* --- places ----------------------------------------------------------------------------------- */

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

/* x - x is 0 for a finite x, and NaN otherwise. */
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

/* Removes strands that no longer run. */
static void keep_running(const ddr_world *world, ddr_places *places) {
  bool is_running[DDR_CHUNK], do_all = true;
  for (int64_t at = 0; at < places->n; at++) {
    is_running[at] = world->store->strands.status[places->slots[at]] <= DDR_NEW;
    do_all &= is_running[at];
  }
  if (!do_all) keep(places, is_running);
}

enum { TOGETHER = 8 }; /* independent chains: each comparison waits for the one before */

/* Comparisons leave out what is not a number; infinite ones, of which there are seldom any, are
 * left out if they have been found. */

#define BOUNDS(real, greatest)                                                                     \
  static inline void bounds_##real(const real *x, int64_t n, bool all_finite, double *lo,          \
                                   double *hi) {                                                   \
    const real none_lo = (real)INFINITY, none_hi = -(real)INFINITY;                                \
    real least[TOGETHER], most[TOGETHER];                                                          \
    for (int j = 0; j < TOGETHER; j++) {                                                           \
      least[j] = none_lo;                                                                          \
      most[j] = none_hi;                                                                           \
    }                                                                                              \
    for (int64_t at = 0; at < n; at += TOGETHER) {                                                 \
      const int n_here = n - at < TOGETHER ? (int)(n - at) : TOGETHER;                             \
      for (int j = 0; j < n_here; j++) {                                                           \
        const real low = all_finite || x[at + j] >= -(greatest) ? x[at + j] : none_lo;             \
        const real high = all_finite || x[at + j] <= (greatest) ? x[at + j] : none_hi;             \
        least[j] = low < least[j] ? low : least[j];                                                \
        most[j] = high > most[j] ? high : most[j];                                                 \
      }                                                                                            \
    }                                                                                              \
    *lo = (double)none_lo;                                                                         \
    *hi = (double)none_hi;                                                                         \
    for (int j = 0; j < TOGETHER; j++) {                                                           \
      *lo = (double)least[j] < *lo ? (double)least[j] : *lo;                                       \
      *hi = (double)most[j] > *hi ? (double)most[j] : *hi;                                         \
    }                                                                                              \
  }                                                                                                \
  void ddr_bounds_##real(const real *x, int64_t n, double *lo, double *hi) {                       \
    bounds_##real(x, n, true, lo, hi);                                                             \
    if (isinf(*lo) || isinf(*hi)) bounds_##real(x, n, false, lo, hi);                              \
  }
BOUNDS(float, FLT_MAX)
BOUNDS(double, DBL_MAX)
#undef BOUNDS

ddr_region ddr_places_box(const ddr_places *places) {
  ddr_region box = ddr_region_none();
  for (int k = 0; k < DDR_MOST_DIM; k++)
    ddr_bounds_double(places->at[k], places->n, &box.lo[k], &box.hi[k]);
  return box;
}

/* --- pieces ----------------------------------------------------------------------------------- */

typedef struct Jump {
  int64_t slot;
  double distance;
} Jump;

enum { JUMPS = DDR_PIECES - 1 };

/* The state of the pass: the longest distances so far, the longest first, and the last position. */
typedef struct Pass {
  bool has_jumps;
  Jump jumps[JUMPS];
  double last[DDR_MOST_DIM];
} Pass;

static void keep_jump(Jump jumps[], Jump jump) {
  int k = JUMPS;
  for (; k > 0 && jumps[k - 1].distance < jump.distance; k--)
    if (k < JUMPS) jumps[k] = jumps[k - 1];
  if (k < JUMPS) jumps[k] = jump;
}

/* The distance of each strand from the one before it. */
static void find_distances(const ddr_places *places, const double last[], double *distance) {
  for (int64_t at = 0; at < places->n; at++) distance[at] = 0;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    const double *x = places->at[k];
    distance[0] += fabs(x[0] - last[k]);
    for (int64_t at = 1; at < places->n; at++) distance[at] += fabs(x[at] - x[at - 1]);
  }
}

/* Finds long distances between running strands. */
static void find_jumps(const ddr_places *places, Pass *pass) {
  double distance[DDR_CHUNK];
  if (places->n <= 0) return;
  find_distances(places, pass->last, distance);
  for (int64_t at = 0; at < places->n; at++)
    if (distance[at] > pass->jumps[JUMPS - 1].distance)
      keep_jump(pass->jumps, (Jump){places->slots[at], distance[at]});
  for (int k = 0; k < DDR_MOST_DIM; k++) pass->last[k] = places->at[k][places->n - 1];
}

/* Surveys the strands of [begin, end), at most a chunk. */
static void survey_chunk(const ddr_world *world, ddr_survey *survey, int64_t begin, int64_t end,
                         Pass *pass) {
  ddr_places places;
  ddr_places_read(world, begin, end, &places);
  const int64_t n_all = places.n;
  const ddr_region all = ddr_places_box(&places);
  keep_running(world, &places);
  const ddr_region running = places.n < n_all ? ddr_places_box(&places) : all;
  if (pass->has_jumps) find_jumps(&places, pass);
  survey->chunks[(begin - survey->own.first) / DDR_CHUNK] = running;
  survey->all = ddr_region_join(survey->all, all);
  survey->running = ddr_region_join(survey->running, running);
}

static int by_slot(const void *left, const void *right) {
  const Jump *a = left, *b = right;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

ddr_survey ddr_survey_own(const ddr_world *world, bool has_pieces) {
  const ddr_strand_run own = ddr_share_of(world->store, ddr_own_rank(world));
  const int64_t end = own.first + own.count;
  const size_t n_chunks = (size_t)(own.count / DDR_CHUNK + 1);
  ddr_survey survey = {.own = own, .all = ddr_region_none(), .running = ddr_region_none()};
  Pass pass = {.has_jumps = has_pieces, .last = {NAN, NAN, NAN}};
  survey.chunks = ddr_ranks_memory(world, malloc(n_chunks * sizeof *survey.chunks));
  for (int k = 0; k < JUMPS; k++) pass.jumps[k].slot = end;
  for (int64_t slot = own.first; slot < end; slot += DDR_CHUNK)
    survey_chunk(world, &survey, slot, slot + DDR_CHUNK < end ? slot + DDR_CHUNK : end, &pass);
  qsort(pass.jumps, JUMPS, sizeof *pass.jumps, by_slot);
  for (int k = 0; k < JUMPS; k++) survey.ends[k] = pass.jumps[k].slot;
  survey.ends[JUMPS] = end;
  return survey;
}

/* The box around running strands of [begin, end), a part of a chunk. */
static ddr_region look_again(const ddr_world *world, int64_t begin, int64_t end) {
  ddr_places places;
  ddr_places_read(world, begin, end, &places);
  keep_running(world, &places);
  return ddr_places_box(&places);
}

int64_t ddr_survey_begin(const ddr_survey *survey, int piece) {
  return piece > 0 ? survey->ends[piece - 1] : survey->own.first;
}

/* Joins the boxes of whole chunks. */
ddr_region ddr_survey_piece(const ddr_world *world, const ddr_survey *survey, int piece) {
  const int64_t first = survey->own.first, end = survey->ends[piece];
  ddr_region box = ddr_region_none();
  for (int64_t at = ddr_survey_begin(survey, piece); at < end;) {
    const int64_t chunk = (at - first) / DDR_CHUNK, begin = first + chunk * DDR_CHUNK;
    const int64_t next = begin + DDR_CHUNK < end ? begin + DDR_CHUNK : end;
    const bool is_whole = at == begin && next == begin + DDR_CHUNK;
    box = ddr_region_join(box, is_whole ? survey->chunks[chunk] : look_again(world, at, next));
    at = next;
  }
  return box;
}
