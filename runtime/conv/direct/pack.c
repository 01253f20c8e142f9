/* pack.c: copies the samples of a band so that results form dense rows, without special
 * cases at their ends.
 *
 * Missing samples are zeros in the copy: adding these does not change a sum that began with +0, as
 * long as weights are finite.  Its rows run along the row axis of results, whatever the layout of
 * the signal; if samples of results are d apart, a row is split into d rows, each of every d-th
 * sample:
 *
 *   s0 s1 s2 s3 s4 s5 s6 ...     =>     s0 s2 s4 s6 ...   s1 s3 s5 ...           for d = 2
 *
 * Read next: bands.c (which bands, and whether it pays).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/costs/costs.h"
#include "runtime/conv/direct/direct.h"
#include "runtime/transform/transpose.h"

enum { LINE = 64, LONG_ROW = 1024 }; /* bytes */
#define MOST_BYTES ((int64_t)1 << 30)

typedef struct Pack {
  const Direct *direct;
  int64_t lo[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK]; /* samples that are needed, on each axis */
  /* Of a row; row_len = n_phases * phase_len, and rows are `pitch` elements apart. */
  int64_t n_phases, phase_len, row_len, pitch;
  int64_t n_rows;
  char *copy;
  size_t size; /* of an element */
} Pack;

/* --- copying ---------------------------------------------------------------------------------- */

/* Samples of a phase that are before the given one. */
static int64_t n_before(const Pack *pack, int64_t phase, int64_t sample) {
  if (pack->n_phases == 1) return sample;
  return sample > phase ? ddr_divide_up(sample - phase, pack->n_phases) : 0;
}

/* Copies most samples of a row in two phases whose samples are adjacent; returns the first that is
 * left. */
static int64_t split_row(const Pack *pack, int64_t at, int64_t lo, int64_t hi, char *row) {
  const int64_t begin = lo + lo % 2, n = (hi - begin) / 2;
  const char *from = (const char *)pack->direct->signal.data + (at + begin) * (int64_t)pack->size;
  char *first = row + begin / 2 * (int64_t)pack->size;
  char *second = first + pack->phase_len * (int64_t)pack->size;
  if (begin > lo) memcpy(second - pack->size, from - pack->size, pack->size);
  const ddr_conv_rows *rows = pack->direct->rows;
  const bool is_float = pack->size == sizeof(float);
  return begin + 2 * (is_float ? rows->split_floats : rows->split_doubles)(from, n, first, second);
}

#define COPY_ROW(type)                                                                             \
  for (int64_t phase = 0; phase < pack->n_phases; phase++) {                                       \
    const type *from = (const type *)pack->direct->signal.data + at;                               \
    type *to = (type *)(void *)row + phase * pack->phase_len;                                      \
    const int64_t step = pack->n_phases * axis->signal_stride;                                     \
    int64_t q = n_before(pack, phase, lo);                                                         \
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

/* Writes zeros where samples are missing. */
static void clear_row(const Pack *pack, const Row *row) {
  if (row->lo == 0 && row->hi == pack->row_len) return;
  for (int64_t phase = 0; phase < pack->n_phases; phase++) {
    char *to = row->to + (size_t)(phase * pack->phase_len) * pack->size;
    const int64_t lo = n_before(pack, phase, row->lo), hi = n_before(pack, phase, row->hi);
    memset(to, 0, (size_t)lo * pack->size);
    memset(to + (size_t)hi * pack->size, 0, (size_t)(pack->phase_len - hi) * pack->size);
  }
}

static Row begin_row(const Pack *pack, int64_t number) {
  const Direct *direct = pack->direct;
  const int r = direct->row_axis;
  const DirectAxis *axis = &direct->axes[r];
  Row row = {.to = pack->copy + (size_t)(number * pack->pitch) * pack->size,
             .at = pack->lo[r] * axis->signal_stride,
             .lo = -pack->lo[r],
             .hi = axis->signal_len - pack->lo[r]};
  bool is_there = true;
  for (int k = direct->rank; k-- > 0;) {
    if (k == r) continue;
    const int64_t sample = pack->lo[k] + number % pack->n[k];
    number /= pack->n[k];
    is_there = is_there && sample >= 0 && sample < direct->axes[k].signal_len;
    row.at += sample * direct->axes[k].signal_stride;
  }
  if (row.lo < 0) row.lo = 0;
  if (row.lo > pack->n[r]) row.lo = pack->n[r];
  if (row.hi > pack->n[r]) row.hi = pack->n[r];
  if (!is_there || row.hi < row.lo) row.hi = row.lo;
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

static void copy_rows(const Pack *pack) {
  const DirectAxis *axis = &pack->direct->axes[pack->direct->row_axis];
  const int64_t n_samples = pack->n[pack->direct->row_axis];
  const bool are_far = axis->signal_stride * (int64_t)pack->size >= FAR_BYTES;
  const int64_t n_in_turn = are_far ? SAMPLES_IN_TURN * pack->n_phases : n_samples;
  Row rows[ROWS_ASIDE];
  for (int64_t first = 0; first < pack->n_rows; first += ROWS_ASIDE) {
    const int64_t rest = pack->n_rows - first, n_aside = rest < ROWS_ASIDE ? rest : ROWS_ASIDE;
    for (int64_t k = 0; k < n_aside; k++) rows[k] = begin_row(pack, first + k);
    for (int64_t at = 0; at < n_samples; at += n_in_turn)
      for (int64_t k = 0; k < n_aside; k++) copy_part(pack, &rows[k], at, at + n_in_turn);
  }
}

/* The part of the signal that is copied, and its place in the copy; false: there is none. */
static bool describe_views(const Pack *pack, ddr_ndview *from, ddr_ndview *to) {
  const Direct *direct = pack->direct;
  int64_t stride = pack->pitch;
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
static bool copy_turned(const Pack *pack) {
  ddr_ndview from, to;
  if (pack->n_phases > 1 || !describe_views(pack, &from, &to) ||
      !ddr_copy_transposed(&from, &to, 1)) {
    return false;
  }
  for (int64_t row = 0; row < pack->n_rows; row++) begin_row(pack, row);
  return true;
}

/* --- what is wanted --------------------------------------------------------------------------- */

/* Rows are an odd number of cache lines apart, so that samples of neighbouring rows do not evict
 * each other. */
static int64_t pitch_of(int64_t row_len, size_t size) {
  const int64_t per_line = LINE / (int64_t)size;
  if (row_len * (int64_t)size < LONG_ROW) return row_len;
  return (ddr_divide_up(row_len, per_line) | 1) * per_line;
}

/* Measures the samples that are needed, and their copy; false: there are none, or too many. */
static bool measure(const Direct *direct, Pack *pack) {
  const int r = direct->row_axis;
  int64_t most = MOST_BYTES / (int64_t)ddr_element_size(direct->signal.type);
  *pack = (Pack){.direct = direct, .n_rows = 1, .size = ddr_element_size(direct->signal.type)};
  for (int k = 0; k < direct->rank; k++) {
    const DirectAxis *axis = &direct->axes[k];
    const int64_t along = axis->per_result * (axis->n_results - 1);
    const int64_t across = axis->per_tap * (axis->n_taps - 1);
    pack->lo[k] = axis->first + (along < 0 ? along : 0) + (across < 0 ? across : 0);
    pack->n[k] = llabs(along) + llabs(across) + 1;
    if (pack->n[k] > most) return false;
    most /= pack->n[k];
    if (k != r) pack->n_rows *= pack->n[k];
  }
  if (direct->rank == 0) return false;
  pack->n_phases = direct->axes[r].per_result;
  if (pack->n_phases > pack->n[r]) pack->n_phases = 1; /* phases of single results */
  pack->phase_len = (pack->n[r] - 1) / pack->n_phases + 1;
  pack->row_len = pack->n_phases * pack->phase_len;
  pack->pitch = pitch_of(pack->row_len, pack->size);
  return pack->pitch <= MOST_BYTES / (int64_t)pack->size / pack->n_rows;
}

/* Describes the copy as the signal; the row axis is the fastest. */
static void describe(const Pack *pack, Direct *direct) {
  const int r = direct->row_axis;
  int64_t stride = pack->pitch;
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

static size_t bytes_of_copy(const Pack *pack) {
  return (size_t)(pack->pitch * pack->n_rows) * pack->size;
}

size_t ddr_direct_pack_bytes(const Direct *direct) {
  Pack pack;
  if (!measure(direct, &pack)) return 0;
  return bytes_of_copy(&pack) + DDR_CONV_VECTOR_ROW * pack.size;
}

void ddr_direct_pack(Direct *direct, void *copy) {
  const Direct band = *direct;
  Pack pack;
  if (!measure(&band, &pack)) return;
  pack.copy = copy;
  memset(pack.copy + bytes_of_copy(&pack), 0, DDR_CONV_VECTOR_ROW * pack.size);
  if (!copy_turned(&pack)) copy_rows(&pack);
  describe(&pack, direct);
}
