/* fft_blocks.h: convolutions by transforms of blocks: plans, which keep the kernel's spectrum, and
 * their runs. */
#pragma once

#include "runtime/conv/fft_size.h"
#include "runtime/conv/local.h"

typedef struct ddr_fft_input {
  ddr_conv_operand operand;
  bool is_conjugate; /* take the conjugate of it */
} ddr_fft_input;

/* The same in double and in float; a plan begins with a pointer to its calls. */
typedef struct ddr_fft_calls {
  /* The axes have been chosen.  Errors: ENOMEM, also for what is larger than FFTW can have. */
  ddr_array_status (*plan_new)(const ddr_conv_task *task, const ddr_fft_axis *axes, void **plan);
  void (*plan_free)(void *plan);
  /* kept: a number of the kernel that was not the one of another; 0: it is new each time.
   * Errors: ENOMEM, then nothing was written. */
  ddr_array_status (*plan_run)(const ddr_conv_task *task, void *plan, const ddr_fft_input *kernel,
                               uint64_t kept, const ddr_fft_input *signal,
                               const ddr_conv_operand *z);
} ddr_fft_calls;

extern const ddr_fft_calls ddr_fft_double, ddr_fft_float;
