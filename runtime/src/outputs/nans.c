/* nans.c: every NaN of an output is the same one.
 *
 * Sign and payload of a NaN are what processor and compiler left: x86 makes negative ones, folding
 * positive ones, and of two operands either may be passed on. Results are the same bytes without.
 * Read next: outputs.c.
 */
#include <math.h>

#include "local.h"

static void unify_floats(float *values, size_t n) {
  bool is_there = false;
  for (size_t k = 0; k < n; k++) is_there |= isnan(values[k]) != 0;
  for (size_t k = 0; is_there && k < n; k++) values[k] = isnan(values[k]) ? NAN : values[k];
}

static void unify_doubles(double *values, size_t n) {
  bool is_there = false;
  for (size_t k = 0; k < n; k++) is_there |= isnan(values[k]) != 0;
  for (size_t k = 0; is_there && k < n; k++) values[k] = isnan(values[k]) ? (double)NAN : values[k];
}

void ddr_nans_unify(ddr_kind kind, size_t element_size, void *values, size_t n) {
  if (kind != DDR_REAL) return;
  if (element_size == sizeof(float)) unify_floats(values, n);
  else unify_doubles(values, n);
}

void ddr_nans_unify_states(const ddr_strands *strands, const ddr_output *output,
                           size_t element_size, size_t stride) {
  const size_t n = output->n_components, n_states = (size_t)strands->n_slots;
  char *values = (char *)strands->state + output->offset;
  if (n * element_size == stride) {
    ddr_nans_unify(output->kind, element_size, values, n * n_states);
    return;
  }
  for (size_t k = 0; k < n_states; k++, values += stride) {
    ddr_nans_unify(output->kind, element_size, values, n);
  }
}
