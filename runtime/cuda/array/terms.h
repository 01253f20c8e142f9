/* terms.h: passes over arrays in the device's memory: all lines of elements to one result each.
 *
 * The contributions and their order are those of runtime/reduce (terms.def, tree.h), and so are the
 * bits: this folder's files for arrays are compiled with contraction off.
 */
#pragma once

#include "runtime/cuda/base/toolkit.h"
#include "runtime/layout/layout.h"
#include "runtime/reduce/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements in lines: where each line begins, and where its elements are from there (offset 0). */
typedef struct ddr_term_source {
  const void *data;
  ddr_layout lines, elements;
} ddr_term_source;

typedef struct ddr_term_pass {
  ddr_term_source x, y; /* y is x where there is one array */
  double a;             /* the number of terms.def, */
  const double *a_of;   /* or, unless NULL, one for each line, on the device */
  int64_t first_line, n_lines, len;
  int64_t n_blocks;     /* of a line */
  ddr_partial *results; /* of each block of each line */
} ddr_term_pass;

/* How results are combined: partial.h's functions. */
#define DDR_EACH_COMBINE(F)                                                                        \
  F(add)                                                                                           \
  F(add_pairs)                                                                                     \
  F(multiply)                                                                                      \
  F(multiply_complex)                                                                              \
  F(lesser)                                                                                        \
  F(greater)                                                                                       \
  F(nearer)                                                                                        \
  F(farther)                                                                                       \
  F(add_ints)                                                                                      \
  F(multiply_ints)                                                                                 \
  F(lesser_int)                                                                                    \
  F(greater_int)                                                                                   \
  F(lesser_natural)                                                                                \
  F(greater_natural)                                                                               \
  F(and)                                                                                           \
  F(or)                                                                                            \
  F(add_wide)

typedef enum ddr_combine {
#define ROW(name) DDR_COMBINE_##name,
  DDR_EACH_COMBINE(ROW)
#undef ROW
} ddr_combine;

/* terms.cu: a kernel for each term and type of float, double, int32, int64, uint64, complex
 * float, complex double; for `all` and `any` of bool. */
typedef void ddr_term_kernel(ddr_term_pass pass);
typedef struct ddr_device_term {
  ddr_term_kernel *kernel; /* NULL: the term is not there for such elements */
  ddr_combine combine;
} ddr_device_term;
ddr_device_term ddr_device_term_of(ddr_term term, ddr_element type, bool is_compensated);

/* levels.cu: runs the pass; n_lines results, in *scratch, which grows if it must.  A line has
 * one element at least.  `pass->results` and `n_blocks` are filled in. */
cudaError_t ddr_device_pass(const ddr_launch *launch, ddr_device_term term, ddr_term_pass *pass,
                            void **scratch, size_t *n_scratch, const ddr_partial **results);

/* Memory for so many bytes in *scratch; what was there may be lost. */
cudaError_t ddr_device_reserve(void **scratch, size_t *n_scratch, size_t n_bytes);

#ifdef __cplusplus
}
#endif
