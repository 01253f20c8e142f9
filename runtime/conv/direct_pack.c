/* direct_pack.c: copies the signal so that results form dense rows, without special cases at their
 * ends.
 *
 * Missing samples are zeros in the copy: adding these does not change a sum that began with +0, as
 * long as weights are finite.  Its rows run along the axis along which results are adjacent,
 * whatever the layout of the signal; if samples of results are d apart, a row is split into d rows,
 * each of every d-th sample:
 *
 *   s0 s1 s2 s3 s4 s5 s6 ...     =>     s0 s2 s4 s6 ...   s1 s3 s5 ...           for d = 2
 *
 * The bits of results are the same with and without the copy, so it is skipped if memory is short.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/costs.h"
#include "runtime/conv/direct.h"
#include "runtime/element/parallel_for.h"
#include "runtime/layout/storage.h"
#include "runtime/transform/transpose.h"

enum { ROWS_PER_ITEM = 64, LEAST_ROW = DDR_CONV_VECTOR_ROW };
#define MOST_BYTES ((int64_t)1 << 30)

/* Costs, relative to a term of dense rows.  Ends of rows use the list of taps if no axis inside
 * that of rows has taps (direct_tiles.c); scattered results evict each other from the cache if
 * their distance is a multiple of WAY bytes. */
enum {
  COPIED = 12,
  APART = 10,
  AT_AN_END = 15,
  AT_UNLISTED_END = 35,
  LISTED = 64,
  SCATTERED = 20,
  SCATTERED_IN_A_WAY = 60,
  WAY = 2048
};

typedef struct Pack {
  const Direct *direct;
  int64_t lo[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK]; /* samples that are needed, on each axis */
  /* Of a row; row_len = n_phases * phase_len. */
  int64_t n_phases, phase_len, row_len;
  int64_t n_rows;
  char *copy;
  size_t size; /* of an element */
} Pack;

/* --- is it worth it? -------------------------------------------------------------------------- */

static bool are_finite(const Direct *direct) {
  int64_t tap[DDR_CONV_MAX_RANK] = {0};
  for (;;) {
    int64_t at = 0;
    for (int k = 0; k < direct->rank; k++) at += tap[k] * direct->axes[k].tap_stride;
    const double *weight = (const double *)direct->taps.data + (direct->is_complex ? 2 * at : at);
    if (!isfinite(weight[0]) || (direct->is_complex && !isfinite(weight[1]))) return false;
    int k = direct->rank - 1;
    while (k >= 0 && ++tap[k] == direct->axes[k].n_taps) tap[k--] = 0;
    if (k < 0) return true;
  }
}

/* The fraction of an axis' results that have all of their samples. */
static double inner_share(const DirectAxis *axis) {
  int64_t n_inner = 0;
  const int64_t some = axis->n_taps < axis->n_results ? axis->n_taps : axis->n_results;
  int64_t lo, hi;
  for (int64_t k = 0; k < some; k++) { /* ends are not longer than the weights */
    direct_clip(axis, k, &lo, &hi);
    n_inner += hi - lo + 1 == axis->n_taps;
    direct_clip(axis, axis->n_results - 1 - k, &lo, &hi);
    n_inner += hi - lo + 1 == axis->n_taps;
  }
  const double share_of_ends = 1 - (double)n_inner / (2 * (double)some);
  return 1 - share_of_ends * 2 * (double)some / (double)(2 * some + axis->n_results);
}

static double cost_of_an_end(const Direct *direct) {
  bool is_listed = !direct->is_complex;
  for (int k = direct->row_axis + 1; k < direct->rank; k++)
    is_listed = is_listed && direct->axes[k].n_taps == 1;
  return is_listed ? AT_AN_END : AT_UNLISTED_END;
}

static double cost_of_scattering(const Direct *direct) {
  const int64_t size = (int64_t)ddr_element_size(direct->z.type);
  const int64_t apart = direct->axes[direct->row_axis].result_stride * size;
  return apart % WAY == 0 ? SCATTERED_IN_A_WAY : SCATTERED;
}

static bool is_worth_it(const Direct *direct, int row, double n_copied) {
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  double n_terms = 1, n_results = 1, others = 1;
  for (int k = 0; k < direct->rank; k++) {
    n_results *= (double)direct->axes[k].n_results;
    n_terms *= (double)direct->axes[k].n_results * (double)direct->axes[k].n_taps;
    if (k != direct->row_axis) others *= inner_share(&direct->axes[k]);
  }
  const double row_len = (double)axis->n_results;
  double saved = n_terms * cost_of_an_end(direct) * (1 - inner_share(axis));
  saved += n_terms * (1 - others) * LISTED / row_len;
  const bool is_short = axis->n_results < LEAST_ROW;
  const bool is_dense = axis->per_result * axis->signal_stride == 1;
  const bool is_alone = !is_dense || row_len * inner_share(axis) < LEAST_ROW;
  if (is_alone && direct->axes[row].n_results >= DDR_CONV_SHORT_ROW) saved += n_terms * APART;
  if (row != direct->row_axis && !is_short) saved += n_results * cost_of_scattering(direct);
  return saved > n_copied * COPIED;
}

/* --- copying ---------------------------------------------------------------------------------- */

/* Of n pairs of adjacent samples, the first ones and the second ones; returns how many pairs are
 * done. */
#define SPLIT(name, number, lanes)                                                                 \
  typedef number name##_vector                                                                     \
      __attribute__((vector_size((lanes) * sizeof(number)), aligned(sizeof(number)), may_alias));  \
  static int64_t name(const void *from, int64_t n, void *first, void *second) {                    \
    int64_t k = 0;                                                                                 \
    for (; k <= n - (lanes); k += (lanes)) {                                                       \
      const name##_vector *pairs = (const name##_vector *)((const number *)from + 2 * k);          \
      *(name##_vector *)((number *)first + k) =                                                    \
          __builtin_shufflevector(pairs[0], pairs[1], FIRST_##lanes);                              \
      *(name##_vector *)((number *)second + k) =                                                   \
          __builtin_shufflevector(pairs[0], pairs[1], SECOND_##lanes);                             \
    }                                                                                              \
    return k;                                                                                      \
  }
#define FIRST_2 0, 2
#define SECOND_2 1, 3
#define FIRST_4 0, 2, 4, 6
#define SECOND_4 1, 3, 5, 7
SPLIT(split_floats, float, 4)
SPLIT(split_doubles, double, 2)
#undef SPLIT

/* Copies most samples of a row in two phases whose samples are adjacent; returns the first that is
 * left. */
static int64_t split_row(const Pack *pack, int64_t at, int64_t lo, int64_t hi, char *row) {
  const int64_t begin = lo + lo % 2, n = (hi - begin) / 2;
  const char *from = (const char *)pack->direct->signal.data + (at + begin) * (int64_t)pack->size;
  char *first = row + begin / 2 * (int64_t)pack->size;
  char *second = first + pack->phase_len * (int64_t)pack->size;
  if (begin > lo) memcpy(second - pack->size, from - pack->size, pack->size);
  const bool is_float = pack->size == sizeof(float);
  return begin + 2 * (is_float ? split_floats(from, n, first, second)
                               : split_doubles(from, n, first, second));
}

#define COPY_ROW(type)                                                                             \
  for (int64_t phase = 0; phase < pack->n_phases; phase++) {                                       \
    const type *from = (const type *)pack->direct->signal.data + at;                               \
    type *to = (type *)(void *)row + phase * pack->phase_len;                                      \
    const int64_t step = pack->n_phases * axis->signal_stride;                                     \
    int64_t q = lo > phase ? (lo - phase + pack->n_phases - 1) / pack->n_phases : 0;               \
    from += phase * axis->signal_stride + q * step;                                                \
    if (step == 1) memcpy(to + q, from, (size_t)(hi - q) * sizeof *from), q = hi;                  \
    for (; phase + q * pack->n_phases < hi; q++, from += step) to[q] = *from;                      \
  }

/* Samples lo to hi - 1 of the row exist; `at` is the offset that sample 0 would have. */
static void copy_row(const Pack *pack, int64_t at, int64_t lo, int64_t hi, char *row) {
  const DirectAxis *axis = &pack->direct->axes[pack->direct->row_axis];
  const bool is_split = pack->n_phases == 2 && axis->signal_stride == 1;
  if (is_split && pack->size <= sizeof(double)) lo = split_row(pack, at, lo, hi, row);
  if (pack->size == sizeof(float)) {
    COPY_ROW(float)
  } else if (pack->size == sizeof(double)) {
    COPY_ROW(double)
  } else {
    COPY_ROW(ddr_complex_double)
  }
}

/* A row of the copy; samples lo to hi - 1 of it exist. */
typedef struct Row {
  char *to;
  int64_t at, lo, hi;
} Row;

/* Writes zeros where samples are missing; with phases, everywhere in such a row. */
static void clear_row(const Pack *pack, const Row *row) {
  const bool is_whole = row->lo == 0 && row->hi == pack->n_phases * pack->phase_len;
  if (is_whole) return;
  if (row->lo >= row->hi || pack->n_phases > 1) {
    memset(row->to, 0, (size_t)pack->row_len * pack->size);
  } else {
    memset(row->to, 0, (size_t)row->lo * pack->size);
    memset(row->to + (size_t)row->hi * pack->size, 0,
           (size_t)(pack->row_len - row->hi) * pack->size);
  }
}

static Row begin_row(const Pack *pack, int64_t number) {
  const Direct *direct = pack->direct;
  const int r = direct->row_axis;
  const DirectAxis *axis = &direct->axes[r];
  Row row = {.to = pack->copy + (size_t)(number * pack->row_len) * pack->size,
             .at = pack->lo[r] * axis->signal_stride,
             .lo = -pack->lo[r],
             .hi = axis->signal_len - pack->lo[r]};
  bool is_there = true;
  for (int k = direct->rank - 1; k >= 0; k--) {
    if (k == r) continue;
    const int64_t sample = pack->lo[k] + number % pack->n[k];
    number /= pack->n[k];
    is_there = is_there && sample >= 0 && sample < direct->axes[k].signal_len;
    row.at += sample * direct->axes[k].signal_stride;
  }
  if (row.lo < 0) row.lo = 0;
  if (row.hi > pack->n[r]) row.hi = pack->n[r];
  if (!is_there) row.hi = row.lo;
  clear_row(pack, &row);
  return row;
}

/* Copies samples begin to end - 1 of a row. */
static void copy_part(const Pack *pack, const Row *row, int64_t begin, int64_t end) {
  const int64_t lo = row->lo > begin ? row->lo : begin, hi = row->hi < end ? row->hi : end;
  if (lo < hi) copy_row(pack, row->at, lo, hi, row->to);
}

/* If samples of a row are far apart in memory, neighbouring rows share cache lines: then some
 * samples of each row are copied in turn, few enough that their lines stay in the cache even if all
 * map to one set. */
enum { ROWS_ASIDE = 16, FAR_BYTES = 64, SAMPLES_IN_TURN = 8 };

static void do_rows(void *data, int64_t item) {
  const Pack *pack = data;
  const int64_t begin = item * ROWS_PER_ITEM, rest = pack->n_rows - begin;
  const int64_t n = rest < ROWS_PER_ITEM ? rest : ROWS_PER_ITEM;
  const DirectAxis *axis = &pack->direct->axes[pack->direct->row_axis];
  const int64_t n_samples = pack->n[pack->direct->row_axis];
  const bool are_far = axis->signal_stride * (int64_t)pack->size >= FAR_BYTES;
  const int64_t n_in_turn = are_far ? SAMPLES_IN_TURN * pack->n_phases : n_samples;
  Row rows[ROWS_ASIDE];
  for (int64_t first = 0; first < n; first += ROWS_ASIDE) {
    const int64_t n_aside = n - first < ROWS_ASIDE ? n - first : ROWS_ASIDE;
    for (int64_t k = 0; k < n_aside; k++) rows[k] = begin_row(pack, begin + first + k);
    for (int64_t at = 0; at < n_samples; at += n_in_turn)
      for (int64_t k = 0; k < n_aside; k++) copy_part(pack, &rows[k], at, at + n_in_turn);
  }
}

/* The part of the signal that is copied, and its place in the copy; false: there is none. */
static bool describe_views(const Pack *pack, ddr_ndview *from, ddr_ndview *to) {
  const Direct *direct = pack->direct;
  int64_t stride = pack->row_len;
  *from = (ddr_ndview){.type = direct->signal.type, .data = direct->signal.data};
  *to = (ddr_ndview){.type = direct->signal.type, .data = pack->copy};
  from->layout.rank = to->layout.rank = direct->rank;
  for (int k = direct->rank - 1; k >= 0; k--) {
    const DirectAxis *axis = &direct->axes[k];
    const int64_t lo = pack->lo[k] > 0 ? pack->lo[k] : 0, end = pack->lo[k] + pack->n[k];
    const int64_t hi = end < axis->signal_len ? end : axis->signal_len;
    if (lo >= hi) return false;
    const int64_t to_stride = k == direct->row_axis ? 1 : stride;
    if (k != direct->row_axis) stride *= pack->n[k];
    from->layout.len[k] = to->layout.len[k] = hi - lo;
    from->layout.stride[k] = axis->signal_stride;
    to->layout.stride[k] = to_stride;
    from->layout.offset += lo * axis->signal_stride;
    to->layout.offset += (lo - pack->lo[k]) * to_stride;
  }
  return true;
}

/* Copies all rows at once where samples are adjacent along another axis; false if they are not. */
static bool copy_turned(const Pack *pack, int n_threads) {
  ddr_ndview from, to;
  if (pack->n_phases > 1 || !describe_views(pack, &from, &to) ||
      !ddr_copy_transposed(&from, &to, n_threads)) {
    return false;
  }
  for (int64_t row = 0; row < pack->n_rows; row++) begin_row(pack, row);
  return true;
}

/* --- what is wanted --------------------------------------------------------------------------- */

/* Measures the samples that are needed; false: there are none, or too many to count. */
static bool measure(const Direct *direct, Pack *pack) {
  int64_t most = MOST_BYTES / (int64_t)pack->size;
  for (int k = 0; k < direct->rank; k++) {
    const DirectAxis *axis = &direct->axes[k];
    const int64_t along = axis->per_result * (axis->n_results - 1);
    const int64_t across = axis->per_tap * (axis->n_taps - 1);
    pack->lo[k] = axis->first + (along < 0 ? along : 0) + (across < 0 ? across : 0);
    pack->n[k] = llabs(along) + llabs(across) + 1;
    if (pack->n[k] > most) return false;
    most /= pack->n[k];
  }
  return direct->rank > 0 && most > 1; /* phases need a few more */
}

/* The axis along which results are adjacent in memory, too, unless it has few results. */
static int best_row(const Direct *direct) {
  int64_t n_results[DDR_CONV_MAX_RANK];
  for (int k = 0; k < direct->rank; k++) {
    const DirectAxis *axis = &direct->axes[k];
    if (llabs(axis->result_stride) == 1 && axis->n_results >= DDR_CONV_HALF_ROW) return k;
    n_results[k] = axis->n_results;
  }
  return ddr_direct_row_axis(direct->rank, n_results, direct->row_axis);
}

/* Describes the copy as the signal; the row axis is the fastest. */
static void describe(const Pack *pack, Direct *direct) {
  const int r = direct->row_axis;
  int64_t stride = pack->row_len;
  direct->signal.data = pack->copy;
  direct->has_slack = true;
  for (int k = direct->rank - 1; k >= 0; k--) {
    DirectAxis *axis = &direct->axes[k];
    axis->first -= pack->lo[k];
    axis->signal_len = pack->n[k];
    axis->has_all = true;
    if (k == r) continue;
    axis->signal_stride = stride;
    stride *= pack->n[k];
  }
  DirectAxis *row = &direct->axes[r];
  row->signal_stride = 1;
  row->n_phases = pack->n_phases;
  row->phase_len = pack->phase_len;
  row->phase_first = row->first;
  row->per_result = 1;
  row->first = 0;
}

void *ddr_direct_pack(Direct *direct, int n_threads) {
  Direct turned = *direct;
  Pack pack = {.direct = &turned, .size = ddr_element_size(direct->signal.type)};
  turned.row_axis = best_row(direct);
  ddr_direct_turn_row(&turned);
  if (!measure(&turned, &pack)) return NULL;
  double n_copied = 1;
  for (int k = 0; k < turned.rank; k++) n_copied *= (double)pack.n[k];
  if (!is_worth_it(direct, turned.row_axis, n_copied) || !are_finite(direct)) return NULL;
  const int64_t n_in_row = pack.n[turned.row_axis];
  pack.n_phases = turned.axes[turned.row_axis].per_result;
  if (pack.n_phases > n_in_row) pack.n_phases = 1; /* phases of single results */
  pack.phase_len = (n_in_row - 1) / pack.n_phases + 1;
  pack.row_len = pack.n_phases * pack.phase_len;
  pack.n_rows = 1;
  for (int k = 0; k < turned.rank; k++) pack.n_rows *= k == turned.row_axis ? 1 : pack.n[k];
  if (pack.row_len > MOST_BYTES / (int64_t)pack.size / pack.n_rows) return NULL;
  const size_t n_bytes = (size_t)(pack.row_len * pack.n_rows) * pack.size;
  pack.copy = ddr_storage_malloc(n_bytes + DDR_CONV_VECTOR_ROW * pack.size);
  if (!pack.copy) return NULL;
  memset(pack.copy + n_bytes, 0, DDR_CONV_VECTOR_ROW * pack.size);
  if (!copy_turned(&pack, n_threads))
    ddr_parallel_for(n_threads, (pack.n_rows - 1) / ROWS_PER_ITEM + 1, do_rows, &pack);
  *direct = turned;
  describe(&pack, direct);
  return pack.copy;
}
