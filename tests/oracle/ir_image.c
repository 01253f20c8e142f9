/* ir_image.c: sums over taps. Read next: ir_image.h. */
#include "tests/oracle/ir_image.h"

#include <math.h>

enum { MAX_TAPS = 2 * KERNEL_MAX_SUPPORT };

IrImage ir_image(const Image *image) {
  IrImage result = {.image = image};
  long double inverse[3][3];
  grid_inverse(&image->grid, inverse);
  for (int axis = 0; axis < 3; axis++) {
    result.origin[axis] = (double)image->grid.origin[axis];
    for (int r = 0; r < 3; r++) result.to_index[axis][r] = (double)inverse[axis][r];
  }
  return result;
}

static int64_t euclid(int64_t i, int64_t n) { return (i % n + n) % n; }

int64_t ir_border_tap(Border border, int64_t i, int64_t n) {
  const int64_t folded = euclid(i, 2 * n);
  switch (border) {
  case BORDER_CLAMP: return i < 0 ? 0 : i < n ? i : n - 1;
  case BORDER_MIRROR: return folded < n ? folded : 2 * n - 1 - folded;
  case BORDER_WRAP: return euclid(i, n);
  case BORDER_NONE:
  case BORDER_CONST: break;
  }
  return i >= 0 && i < n ? i : -1;
}

int64_t ir_first_tap(double floor_index, int64_t support) {
  const double first = floor_index + 1 - (double)support;
  if (!isfinite(first)) return 0;
  return first < -0x1p31 ? INT32_MIN : first >= 0x1p31 ? INT32_MAX : (int64_t)first;
}

size_t ir_sample_at(const Image *image, const int64_t idx[3]) {
  int64_t at = 0;
  for (int axis = image->grid.dim; axis-- > 0;) at = at * image->grid.size[axis] + idx[axis];
  return (size_t)(at * image->n_comp);
}

/* --- one axis --------------------------------------------------------------------------------- */

typedef struct Axis {
  uint32_t n_taps;
  int64_t sample[MAX_TAPS]; /* on this axis; -1: outside */
  double weight[MAX_TAPS][TAYLOR_ORDER + 1], error[MAX_TAPS][TAYLOR_ORDER + 1];
} Axis;

/* Coefficients of the polynomial in h at f + h, and how large what was added up is. */
static void shift_poly(const WeightPoly *poly, double f, double *coeff, double *size) {
  for (uint32_t m = 0; m <= TAYLOR_ORDER + 1; m++) {
    double binomial = 1, power = 1;
    coeff[m] = size[m] = 0;
    for (uint32_t k = m; k <= poly->degree; k++) {
      const double term = rational_to_double(poly->coeff[k]) * binomial * power;
      coeff[m] += term;
      size[m] += fabs(term);
      binomial = binomial * (k + 1) / (k + 1 - m);
      power *= f;
    }
  }
}

/* For derivatives beyond the true continuity, nothing is known if rounding may move the position to
 * the next cell. */
static void axis_weights(const Kernel *kernel, double f, double pos_error, double epsilon,
                         Axis *axis) {
  const double to_edge = f < 0.5 ? f : 1 - f;
  const bool is_at_edge = 8 * pos_error >= to_edge && pos_error > 0;
  const int32_t smooth = kernel_true_continuity(kernel), first = 1 - (int32_t)axis->n_taps / 2;
  for (uint32_t tap = 0; tap < axis->n_taps; tap++) {
    double coeff[TAYLOR_ORDER + 2], size[TAYLOR_ORDER + 2];
    const WeightPoly poly = kernel_weight(kernel, 0, first + (int32_t)tap);
    shift_poly(&poly, f, coeff, size);
    for (uint32_t m = 0; m <= TAYLOR_ORDER; m++) {
      axis->weight[tap][m] = coeff[m];
      axis->error[tap][m] = (m + 1) * fabs(coeff[m + 1]) * pos_error + 2 * epsilon * size[m];
      if (is_at_edge && (int32_t)m > smooth) axis->error[tap][m] = INFINITY;
    }
  }
}

/* Outside the image and without a border rule, a probe takes the nearest samples in the image, as
 * many as the kernel has taps; with kernels of several widths, each sample is the nearest one to
 * its place. The value means nothing, but is the same at every level. */
static bool is_moved_as_one(const IrProbe *probe) {
  return probe->border == BORDER_NONE && supports_are_one(probe->kernel);
}

static Axis place(const IrProbe *probe, uint32_t which, double epsilon) {
  const int64_t n = probe->image->image->grid.size[which],
                support = kernel_along(probe->kernel, which)->support;
  const double pos = probe->pos_index[which], base = floor(pos);
  Axis axis = {.n_taps = (uint32_t)(2 * support)};
  int64_t first = ir_first_tap(base, support);
  bool is_moved = false;
  if (is_moved_as_one(probe)) {
    const int64_t last = n - 2 * support;
    const int64_t corner = first > last ? last : first;
    is_moved = corner < 0 || corner != first;
    first = corner < 0 ? 0 : corner;
  }
  for (uint32_t tap = 0; tap < axis.n_taps; tap++) {
    const Border border = probe->border == BORDER_NONE ? BORDER_CLAMP : probe->border;
    axis.sample[tap] = ir_border_tap(border, first + tap, n);
  }
  axis_weights(kernel_along(probe->kernel, which), pos - base, probe->error[which], epsilon, &axis);
  if (is_moved && probe->error[which] >= 0.125 * fmin(pos - base, 1 - (pos - base)))
    for (uint32_t m = 0; m <= TAYLOR_ORDER; m++) axis.error[0][m] = INFINITY;
  return axis;
}

/* --- all axes --------------------------------------------------------------------------------- */

typedef struct Tap { /* one per axis; axes beyond the dimension have one tap of weight 1 */
  uint32_t at[3];
} Tap;

static double sample_of(const IrProbe *probe, const Axis *axes, Tap tap, uint32_t component) {
  const Image *image = probe->image->image;
  int64_t idx[3] = {0};
  for (int a = 0; a < image->grid.dim; a++) {
    idx[a] = axes[a].sample[tap.at[a]];
    if (idx[a] < 0) return probe->outside[component];
  }
  return (double)image->samples[ir_sample_at(image, idx) + component];
}

static void add_tap(const IrProbe *probe, const Axis *axes, Tap tap, const TaylorSpace *sp,
                    Taylor *out) {
  const Image *image = probe->image->image;
  for (uint32_t term = 0; term < sp->n_terms; term++) {
    double weight = 1, error = 0;
    for (int a = 0; a < image->grid.dim; a++) {
      const uint32_t m = sp->power[term][a];
      const double factor = axes[a].weight[tap.at[a]][m];
      error = error * fabs(factor) + fabs(weight) * axes[a].error[tap.at[a]][m];
      weight *= factor;
    }
    if (isnan(error)) error = INFINITY;
    for (uint32_t c = 0; c < (uint32_t)image->n_comp; c++) {
      const double sample = sample_of(probe, axes, tap, c);
      if (sample == 0) continue; /* also when its weight has no bound */
      out[c].c[term] += weight * sample;
      out[c].error[term] += (error + 4 * sp->epsilon * fabs(weight)) * fabs(sample);
    }
  }
}

void ir_probe_series(const IrProbe *probe, const TaylorSpace *sp, Taylor *out) {
  const Image *image = probe->image->image;
  Axis axes[3] = {{.n_taps = 1}, {.n_taps = 1}, {.n_taps = 1}};
  bool is_finite = true;
  for (int a = 0; a < image->grid.dim; a++) {
    is_finite = is_finite && isfinite(probe->pos_index[a]);
    axes[a] = place(probe, (uint32_t)a, sp->epsilon);
  }
  for (int c = 0; c < image->n_comp; c++) {
    out[c] = taylor_const(0, 0);
    for (uint32_t term = 0; !is_finite && term < sp->n_terms; term++) out[c].c[term] = NAN;
  }
  if (!is_finite) return;
  Tap tap;
  for (tap.at[2] = 0; tap.at[2] < axes[2].n_taps; tap.at[2]++)
    for (tap.at[1] = 0; tap.at[1] < axes[1].n_taps; tap.at[1]++)
      for (tap.at[0] = 0; tap.at[0] < axes[0].n_taps; tap.at[0]++)
        add_tap(probe, axes, tap, sp, out);
}
