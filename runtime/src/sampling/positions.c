/* positions.c: the positions at which strands probe, as a list along each axis of the image.
 *
 * The program's function gives the position of a strand from its indices (ddr_sampling.place), as a
 * sum of terms that depend on one index each.  So an axis belongs to index i if its coordinate
 * changes along i, starting at the first strand, and does not change along any other index. Read
 * next: samples.c.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

/* What is known of axes and indices while positions are found. */
typedef struct Places {
  const ddr_world *world;
  const ddr_sampled *sampled;
  void *values;                                  /* the result of `place` */
  int64_t at[DDR_MAX_ITERATORS];                 /* indices */
  double first[DDR_MAX_DIM];                     /* the position of the first strand */
  double largest[DDR_MAX_DIM];                   /* absolute coordinate of all positions examined */
  double change[DDR_MAX_DIM][DDR_MAX_ITERATORS]; /* largest along an index */
  bool is_finite;
} Places;

/* Farther out, floats are too coarse to tell taps apart. */
static const double farthest = 4194304;

static double real_at(const ddr_sampled *sampled, const void *reals, size_t i) {
  return sampled->real_size == sizeof(float) ? (double)((const float *)reals)[i]
                                             : ((const double *)reals)[i];
}

static size_t n_values(const ddr_sampling *sampling) {
  const size_t n_weights = ((size_t)sampling->max_order + 1) * sampling->n_taps;
  return sampling->dim * (1 + n_weights);
}

static double coordinate(const Places *places, int axis) {
  return real_at(places->sampled, places->values, (size_t)axis);
}

static void look(Places *places) {
  places->sampled->sampling->place(places->world->globals, places->at, places->values);
  for (int a = 0; a < places->sampled->sampling->dim; a++) {
    const double size = fabs(coordinate(places, a));
    if (!(size <= farthest)) places->is_finite = false;
    if (size > places->largest[a]) places->largest[a] = size;
  }
}

static void go_to_first(Places *places) {
  memcpy(places->at, places->world->store->strands.lo, sizeof places->at);
}

static void look_along(Places *places, uint32_t index) {
  const ddr_strands *strands = &places->world->store->strands;
  for (int64_t k = 1; k < strands->len[index] && places->is_finite; k++) {
    places->at[index] = strands->lo[index] + k;
    look(places);
    for (int a = 0; a < places->sampled->sampling->dim; a++) {
      const double change = fabs(coordinate(places, a) - places->first[a]);
      if (change > places->change[a][index]) places->change[a][index] = change;
    }
  }
  places->at[index] = strands->lo[index];
}

static void look_around(Places *places) {
  go_to_first(places);
  look(places);
  for (int a = 0; a < places->sampled->sampling->dim; a++) {
    places->first[a] = coordinate(places, a);
  }
  for (uint32_t i = 0; i < places->world->program->rank; i++) look_along(places, i);
}

/* The change that rounding may cause; 0 where a derivative is discontinuous between cells. */
static double tolerance(const Places *places, int axis) {
  const bool is_float = places->sampled->real_size == sizeof(float);
  const double size = places->largest[axis] > 1 ? places->largest[axis] : 1;
  if (!places->sampled->sampling->is_smooth) return 0;
  return 4 * (is_float ? (double)FLT_EPSILON : DBL_EPSILON) * size;
}

/* The index that an axis depends on, DDR_MAX_ITERATORS for none; false if there are several. */
static bool find_index(const Places *places, int axis, uint32_t *index) {
  *index = DDR_MAX_ITERATORS;
  for (uint32_t i = 0; i < places->world->program->rank; i++) {
    if (places->change[axis][i] <= tolerance(places, axis)) continue;
    if (*index != DDR_MAX_ITERATORS) return false;
    *index = i;
  }
  return true;
}

/* Integers wrap around, and then terms do not add up; so checks that the last strand has the
 * position that the lists give. */
static bool is_last_right(Places *places, const uint32_t *index_of) {
  const ddr_strands *strands = &places->world->store->strands;
  const int dim = places->sampled->sampling->dim;
  double want[DDR_MAX_DIM];
  for (int a = 0; a < dim; a++) {
    const uint32_t i = index_of[a];
    go_to_first(places);
    if (i < DDR_MAX_ITERATORS) places->at[i] += strands->len[i] - 1;
    look(places);
    want[a] = coordinate(places, a);
  }
  for (uint32_t i = 0; i < places->world->program->rank; i++) {
    places->at[i] = strands->lo[i] + strands->len[i] - 1;
  }
  look(places);
  bool is_right = places->is_finite;
  for (int a = 0; a < dim; a++) {
    is_right &= fabs(coordinate(places, a) - want[a]) <= 2 * tolerance(places, a);
  }
  return is_right;
}

/* --- the order of dimensions ------------------------------------------------------------------ */

static uint32_t fastest_index(const ddr_world *world) {
  uint32_t i = world->program->rank;
  while (i > 1 && world->store->strands.len[i - 1] == 1) i--;
  return i - 1;
}

/* Orders axes: those without an index first, then by index. */
static const char *order_axes(const ddr_world *world, ddr_sampled *sampled,
                              const uint32_t *index_of) {
  int n = 0, n_fixed = 0;
  for (int pass = -1; pass < (int)world->program->rank; pass++) {
    int n_here = 0;
    const uint32_t index = pass < 0 ? DDR_MAX_ITERATORS : (uint32_t)pass;
    for (int a = 0; a < sampled->dim; a++) {
      if (index_of[a] != index) continue;
      sampled->axes[n++] = (SampleAxis){.axis = a, .index = index};
      n_here++;
    }
    if (pass < 0) n_fixed = n_here;
    else if (n_here > 1) return "its positions run across the axes";
  }
  sampled->left = sampled->dim - 2;
  sampled->fast = fastest_index(world);
  if (sampled->dim - n_fixed < 2 || sampled->axes[sampled->dim - 1].index != sampled->fast) {
    return "its positions are no plane or volume of their own";
  }
  return NULL;
}

/* --- lists of positions ----------------------------------------------------------------------- */

/* The sample at a tap; -1: none. */
static int64_t sample_at(ddr_sampling_border border, int64_t tap, int64_t len) {
  switch (border) {
  case DDR_SAMPLING_CLAMP: return ddr_border_clamp(tap, len);
  case DDR_SAMPLING_MIRROR: return ddr_border_mirror(tap, len);
  case DDR_SAMPLING_WRAP: return ddr_border_wrap(tap, len);
  case DDR_SAMPLING_NONE:
  case DDR_SAMPLING_CONST: break;
  }
  return 0 <= tap && tap < len ? tap : -1;
}

/* The taps and weights of one position, as a probe computes them. */
static bool find_taps(const ddr_sampling *sampling, double position, int64_t len, SampleAxis *axis,
                      int64_t *taps) {
  int64_t first = (int64_t)floor(position) + 1 - sampling->n_taps / 2;
  bool is_worth = true;
  if (sampling->border == DDR_SAMPLING_NONE) {
    if (len < sampling->n_taps) return false;
    is_worth = first >= 0 && first <= len - sampling->n_taps;
    first = ddr_border_corner(first, sampling->n_taps, len);
  }
  axis->n_worth += is_worth;
  for (int t = 0; t < sampling->n_taps; t++) {
    taps[t] = sample_at(sampling->border, first + t, len);
    if (taps[t] < 0) return false;
  }
  return true;
}

static void copy_weights(const Places *places, SampleAxis *axis, int64_t k) {
  const ddr_sampling *sampling = places->sampled->sampling;
  const size_t row = sampling->n_taps * places->sampled->real_size;
  const char *from = places->values;
  char *to = axis->weights;
  from += sampling->dim * places->sampled->real_size;
  from += (size_t)axis->axis * (sampling->max_order + 1u) * row;
  for (size_t order = 0; order <= sampling->max_order; order++) {
    memcpy(to + (order * (size_t)axis->n + (size_t)k) * row, from + order * row, row);
  }
}

static void count_from_first_used(SampleAxis *axis, int n_taps) {
  int64_t lo = axis->taps[0], hi = lo;
  for (int64_t k = 0; k < axis->n * n_taps; k++) {
    if (axis->taps[k] < lo) lo = axis->taps[k];
    if (axis->taps[k] > hi) hi = axis->taps[k];
  }
  for (int64_t k = 0; k < axis->n * n_taps; k++) axis->taps[k] -= lo;
  axis->lo = lo;
  axis->len = hi - lo + 1;
}

static const char *list_positions(Places *places, SampleAxis *axis) {
  const ddr_world *world = places->world;
  const ddr_sampling *sampling = places->sampled->sampling;
  const size_t n_taps = sampling->n_taps, n_orders = sampling->max_order + 1u;
  axis->n = axis->index == DDR_MAX_ITERATORS ? 1 : world->store->strands.len[axis->index];
  axis->taps = calloc((size_t)axis->n * n_taps, sizeof *axis->taps);
  axis->weights = calloc((size_t)axis->n * n_taps * n_orders, places->sampled->real_size);
  if (!axis->taps || !axis->weights) return "memory is short";
  go_to_first(places);
  for (int64_t k = 0; k < axis->n; k++) {
    if (k > 0) places->at[axis->index]++;
    look(places);
    copy_weights(places, axis, k);
    const int64_t len = places->sampled->image->size[axis->axis];
    int64_t *taps = axis->taps + k * (int64_t)n_taps;
    if (!find_taps(sampling, coordinate(places, axis->axis), len, axis, taps)) {
      return "some positions are beyond the image";
    }
  }
  count_from_first_used(axis, sampling->n_taps);
  return NULL;
}

/* --- all of it -------------------------------------------------------------------------------- */

static const char *find_places(Places *places, ddr_sampled *sampled) {
  uint32_t index_of[DDR_MAX_DIM] = {0};
  look_around(places);
  if (!places->is_finite) return "some positions are not finite, or far away";
  for (int a = 0; a < sampled->dim; a++) {
    if (!find_index(places, a, &index_of[a])) return "its positions run across the axes";
  }
  if (!is_last_right(places, index_of)) return "its positions run across the axes";
  const char *problem = order_axes(places->world, sampled, index_of);
  for (int d = 0; d < sampled->dim && !problem; d++) {
    problem = list_positions(places, &sampled->axes[d]);
  }
  return problem;
}

/* Examining positions along the indices must cost less than probing. */
static bool has_many_strands(const ddr_world *world) {
  const ddr_strands *strands = &world->store->strands;
  int64_t n_places = 0;
  for (uint32_t i = 0; i < world->program->rank; i++) n_places += strands->len[i];
  return strands->n_slots > 0 && n_places < strands->n_slots / 16;
}

const char *ddr_sampled_place(ddr_world *world, ddr_sampled *sampled) {
  Places places = {.world = world, .sampled = sampled, .is_finite = true};
  if (!has_many_strands(world)) return "there is little to gain";
  places.values = calloc(n_values(sampled->sampling), sampled->real_size);
  if (!places.values) return "memory is short";
  const char *problem = find_places(&places, sampled);
  free(places.values);
  return problem;
}

void ddr_sampled_clear(ddr_sampled *sampled) {
  for (int d = 0; d < DDR_MAX_DIM; d++) {
    free(sampled->axes[d].taps);
    free(sampled->axes[d].weights);
    sampled->axes[d] = (SampleAxis){0};
  }
  free(sampled->partials);
  free(sampled->stage.partials);
  free(sampled->stage.values);
  free(sampled->rooms);
  sampled->rooms = NULL;
  sampled->partials = NULL;
  sampled->stage = (SampleStage){0};
}
