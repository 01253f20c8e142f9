/* terms.h: passes over arrays in the device's memory, which reduce each line of elements to one
 * result.
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

/* Elements in lines: the beginning of each line, and the layout of its elements from there (offset
 * 0). */
typedef struct ddr_term_source {
  const void *data;
  ddr_layout lines, elements;
} ddr_term_source;

typedef struct ddr_term_pass {
  ddr_term_source x, y; /* y is x if there is only one array */
  double a;             /* the number a of terms.def */
  const double *a_of;   /* NULL, or a number a for each line, on the device */
  int64_t first_line, n_lines, len;
  int64_t n_blocks;     /* of a line */
  ddr_partial *results; /* of each block of each line */
} ddr_term_pass;

/* How results are combined: the functions of partial.h. */
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
  ddr_term_kernel *kernel; /* NULL: there is none for such elements */
  ddr_combine combine;
} ddr_device_term;
ddr_device_term ddr_device_term_of(ddr_term term, ddr_element type, bool is_compensated);

/* levels.cu: runs the pass.  Its n_lines results are in *scratch, which grows if necessary.  A line
 * has at least one element.  Fills in `pass->results` and `n_blocks`. */
cudaError_t ddr_device_pass(const ddr_launch *launch, ddr_device_term term, ddr_term_pass *pass,
                            void **scratch, size_t *n_scratch, const ddr_partial **results);

/* Makes *scratch at least so large; its contents may be lost. */
cudaError_t ddr_device_reserve(void **scratch, size_t *n_scratch, size_t n_bytes);

#ifdef __cplusplus
}
#endif
