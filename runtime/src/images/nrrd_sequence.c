/* nrrd_sequence.c: reads a file as the dynamic sequence that a program requires.
 *
 * One axis for scalars, two for elements of several components, which are the fastest axis.  A
 * table of one column or one row (text files always have two axes) is a sequence of scalars, too.
 * Samples of any type are converted: to int by truncation, clamped to its range; to bool by
 * comparing with 0.
 * Read next: nrrd_samples.c.
 */
#include <stdlib.h>

#include "local.h"
#include "runtime/src/world/values.h"

static int64_t count_elements(const Nrrd *nrrd, uint32_t n_components) {
  return (int64_t)(nrrdElementNumber(nrrd) / n_components);
}

ddr_status ddr_nrrd_check_sequence(const Nrrd *nrrd, const ddr_seq_request *request,
                                   ddr_reason *reason) {
  const unsigned n = request->n_components, dim = n == 1 ? 1 : 2;
  const bool is_thin = nrrd->dim == 2 && (nrrd->axis[0].size == 1 || nrrd->axis[1].size == 1);
  if (nrrd->type == nrrdTypeBlock) return ddr_refuse(reason, "its samples are not numbers");
  if (nrrd->spaceDim != 0) {
    return ddr_refuse(reason, "expected nrrd-file space dimension of 0, but found %u",
                      nrrd->spaceDim);
  }
  if (nrrd->dim != dim && !(n == 1 && is_thin)) {
    return ddr_refuse(reason, "expected nrrd dimension of %u, but found %u", dim, nrrd->dim);
  }
  if (n > 1 && nrrd->axis[0].size != n) {
    return ddr_refuse(reason, "expected %u values per sequence element, but found %zu", n,
                      nrrd->axis[0].size);
  }
  return DDR_OK;
}

static ddr_status check(const ddr_nrrd_file *file, void *data, ddr_reason *reason) {
  return ddr_nrrd_check_sequence(file->nrrd, data, reason);
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Clamps to the range of an int of `size` bytes; NaN is 0. */
static int64_t int_from_double(double value, size_t size) {
  const double limit = size == 4 ? 2147483648.0 : 9223372036854775808.0;
  if (value >= limit) return size == 4 ? INT32_MAX : INT64_MAX;
  if (value < -limit) return size == 4 ? INT32_MIN : INT64_MIN;
  return value == value ? (int64_t)value : 0;
}

static int64_t int_at(const Nrrd *nrrd, size_t idx, size_t size) {
  int64_t value;
  if (nrrd->type == nrrdTypeLLong) {
    value = ((const long long *)nrrd->data)[idx];
  } else if (nrrd->type == nrrdTypeULLong) {
    const unsigned long long wide = ((const unsigned long long *)nrrd->data)[idx];
    value = wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
  } else {
    return int_from_double(nrrdDLookup[nrrd->type](nrrd->data, idx), size);
  }
  if (size == sizeof(int64_t)) return value;
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}

static void convert_ints(const Nrrd *nrrd, size_t n, size_t size, void *dst) {
  for (size_t idx = 0; idx < n; idx++) {
    const int64_t value = int_at(nrrd, idx, size);
    if (size == sizeof value) ((int64_t *)dst)[idx] = value;
    else ((int32_t *)dst)[idx] = (int32_t)value;
  }
}

static void convert_bools(const Nrrd *nrrd, size_t n, bool *dst) {
  for (size_t idx = 0; idx < n; idx++) dst[idx] = nrrdDLookup[nrrd->type](nrrd->data, idx) != 0;
}

static void convert(const Nrrd *nrrd, ddr_kind kind, size_t size, void *dst) {
  const size_t n = nrrdElementNumber(nrrd);
  const ddr_nrrd_image reals = {.grid = {.dim = 1, .size = {(int64_t)n}}, .n_components = 1};
  if (kind == DDR_REAL) ddr_nrrd_conversion(nrrd->type, size)(&reals, n, nrrd->data, dst);
  else if (kind == DDR_INT) convert_ints(nrrd, n, size, dst);
  else convert_bools(nrrd, n, dst);
}

/* --- loading ---------------------------------------------------------------------------------- */

ddr_status ddr_nrrd_fill_sequence(ddr_world *world, const Nrrd *nrrd,
                                  const ddr_seq_request *request, ddr_seq *seq,
                                  ddr_reason *reason) {
  const size_t size = ddr_value_size(world->program, request->kind);
  void *scalars = ddr_memory_new(size, nrrdElementNumber(nrrd) * size + 1);
  if (!scalars) return ddr_refuse(reason, "out of memory");
  convert(nrrd, request->kind, size, scalars);
  char text[DDR_REASON_SIZE];
  const char *refusal =
      ddr_seq_given(&world->pool, request->n_components * size,
                    count_elements(nrrd, request->n_components), scalars, seq, text);
  free(scalars);
  return refusal ? ddr_refuse(reason, "%s", refusal) : DDR_OK;
}

ddr_status ddr_nrrd_load_sequence(ddr_world *world, const ddr_seq_request *request, ddr_seq *seq) {
  ddr_reason reason = {"out of memory"};
  ddr_nrrd_file file = {.name = request->file};
  ddr_seq_request wanted = *request;
  ddr_status status = ddr_nrrd_read(&world->images->is_stdin_taken, &file, check, &wanted, &reason);
  if (status == DDR_OK) status = ddr_nrrd_fill_sequence(world, file.nrrd, request, seq, &reason);
  ddr_nrrd_close(&file);
  if (status == DDR_OK) return DDR_OK;
  return ddr_error(world, "%s: cannot load sequence \"%s\": %s", request->name, request->file,
                   reason.text);
}
