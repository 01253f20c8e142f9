/* sums.h: the sums of local.h in one precision, REAL; part of sums.c.
 *
 * Taps are added in ascending order, however the compiler vectorises this: results have the same
 * bits for any number of threads.
 */

static const REAL *NAME(weights)(const SampleAxis *axis, int n_taps, unsigned order, int64_t k) {
  return (const REAL *)axis->weights + ((int64_t)order * axis->n + k) * n_taps;
}

/* --- from the image --------------------------------------------------------------------------- */

/* Reads samples of one component along an axis, as reals. */
static void NAME(read_line)(const ddr_image *image, int64_t offset, int64_t stride, int64_t n,
                            REAL *line) {
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper: {                                                                       \
    const ddr_##id##_at *from = (const ddr_##id##_at *)image->samples + offset;                    \
    for (int64_t i = 0; i < n; i++) line[i] = (REAL)from[i * stride];                              \
    return;                                                                                        \
  }
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  const REAL_AT *from = (const REAL_AT *)image->samples + offset;
  for (int64_t i = 0; i < n; i++) line[i] = from[i * stride];
}

static inline void NAME(weigh_line)(const SampleAxis *axis, unsigned order, const REAL *line,
                                    REAL *to, int n_taps) {
  const REAL *w = NAME(weights)(axis, n_taps, order, 0);
  const int64_t *taps = axis->taps;
  for (int64_t k = 0; k < axis->n; k++, taps += n_taps, w += n_taps) {
    REAL sum = w[0] * line[taps[0]];
    for (int t = 1; t < n_taps; t++) sum += w[t] * line[taps[t]];
    to[k] = sum;
  }
}

static void NAME(line)(const SampleAxis *axis, unsigned order, const REAL *line, REAL *to,
                       int n_taps) {
  switch (n_taps) {
  case 2: NAME(weigh_line)(axis, order, line, to, 2); return;
  case 4: NAME(weigh_line)(axis, order, line, to, 4); return;
  case 6: NAME(weigh_line)(axis, order, line, to, 6); return;
  default: NAME(weigh_line)(axis, order, line, to, n_taps); return;
  }
}

static void NAME(first)(ddr_worker *worker, void *data, int64_t item) {
  const SamplePass *pass = data;
  const ddr_sampled *sampled = pass->sampled;
  const ddr_image *image = sampled->image;
  const SampleAxis *axis = &sampled->axes[pass->dim];
  REAL *line = (REAL *)pass->lines + (int64_t)ddr_worker_number(worker) * axis->len;
  int64_t offset = axis->lo * image->stride[axis->axis], rest = item;
  for (int d = pass->dim; d-- > 0;) {
    const SampleAxis *other = &sampled->axes[d];
    offset += (other->lo + rest % other->len) * image->stride[other->axis];
    rest /= other->len;
  }
  for (int64_t c = 0; c < image->n_components; c++) {
    NAME(read_line)(image, offset + c, image->stride[axis->axis], axis->len, line);
    for (int64_t k = 0; k < pass->to->n_partials; k++) {
      REAL *to = (REAL *)pass->to->values;
      to += ((k * image->n_components + c) * pass->n_rows + item) * axis->n;
      NAME(line)(axis, pass->to->partials[k][pass->dim], line, to, sampled->sampling->n_taps);
    }
  }
}

/* --- from stage to stage ---------------------------------------------------------------------- */

static void NAME(middle)(ddr_worker *worker, void *data, int64_t item) {
  (void)worker;
  const SamplePass *pass = data;
  const ddr_sampled *sampled = pass->sampled;
  const SampleStage *stage = pass->from;
  const SampleAxis *axis = &sampled->axes[pass->dim];
  const int n_taps = sampled->sampling->n_taps;
  const int64_t n_components = sampled->image->n_components;
  const int64_t outer = item / axis->n, position = item % axis->n;
  const int64_t n_outer = pass->n_rows / axis->n;
  int64_t n_inner = 1;
  for (int d = pass->dim + 1; d < sampled->dim; d++) n_inner *= stage->extent[d];
  for (int64_t k = 0; k < pass->to->n_partials; k++) {
    const uint8_t *orders = pass->to->partials[k];
    const int64_t source = ddr_stage_find(stage, orders);
    const REAL *w = NAME(weights)(axis, n_taps, orders[pass->dim], position);
    for (int64_t c = 0; c < n_components; c++) {
      const REAL *from = stage->values;
      REAL *to = pass->to->values;
      from += ((source * n_components + c) * n_outer + outer) * axis->len * n_inner;
      to += ((k * n_components + c) * pass->n_rows + item) * n_inner;
      sampled->sampling->weigh_rows(to, n_inner, from, n_inner, axis->taps + position * n_taps, w);
    }
  }
}

/* --- for a block ------------------------------------------------------------------------------ */

static void NAME(fill)(const ddr_sampled *sampled, const int64_t at[], int64_t n, void *values,
                       int64_t stride) {
  const SampleStage *stage = &sampled->stage;
  const SampleAxis *axis = &sampled->axes[sampled->left];
  const int n_taps = sampled->sampling->n_taps;
  const int64_t n_components = sampled->image->n_components, position = at[axis->index];
  const int64_t *taps = axis->taps + position * n_taps;
  const int64_t apart = stage->extent[sampled->left + 1];
  const int64_t place = at[sampled->axes[sampled->left + 1].index];
  int64_t outer = 0, n_outer = 1;
  for (int d = 0; d < sampled->left; d++) {
    const uint32_t index = sampled->axes[d].index;
    outer = outer * stage->extent[d] + (index == DDR_MAX_ITERATORS ? 0 : at[index]);
    n_outer *= stage->extent[d];
  }
  for (int64_t k = 0; k < sampled->sampling->n_partials; k++) {
    const uint8_t *orders = sampled->partials[k];
    const int64_t source = ddr_stage_find(stage, orders);
    const REAL *w = NAME(weights)(axis, n_taps, orders[sampled->left], position);
    for (int64_t c = 0; c < n_components; c++) {
      const REAL *from = (const REAL *)stage->values;
      from += ((source * n_components + c) * n_outer + outer) * axis->len * apart + place;
      REAL *to = (REAL *)values + (k * n_components + c) * stride;
      sampled->sampling->weigh_rows(to, n, from, apart, taps, w);
    }
  }
}

const SampleSums NAME(ddr_sums) = {NAME(first), NAME(middle), NAME(fill)};
