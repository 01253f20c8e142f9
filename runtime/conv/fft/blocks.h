/* blocks.h: convolution by transforms of blocks: plans, which keep the kernel's spectrum, and
 * their execution. */
#pragma once

#include "runtime/conv/costs/fft_size.h"
#include "runtime/conv/task.h"

typedef struct ddr_fft_input {
  ddr_conv_operand operand;
  bool is_conjugate; /* use its conjugate */
} ddr_fft_input;

/* The same functions in double and in float; a plan begins with a pointer to this. */
typedef struct ddr_fft_calls {
  bool (*is_there)(void); /* else nothing of the following may be called */
  /* The axes are chosen already.  Errors: ENOMEM, also if a size exceeds FFTW's limits. */
  ddr_array_status (*plan_new)(const ddr_conv_task *task, const ddr_fft_axis *axes, void **plan);
  void (*plan_free)(void *plan);
  /* kept: a unique number of the kernel, under which its spectrum is kept; 0: do not keep it.
   * Errors: ENOMEM, and then nothing was written. */
  ddr_array_status (*plan_run)(const ddr_conv_task *task, void *plan, const ddr_fft_input *kernel,
                               uint64_t kept, const ddr_fft_input *signal,
                               const ddr_conv_operand *z);
} ddr_fft_calls;

extern const ddr_fft_calls ddr_fft_double, ddr_fft_float;
