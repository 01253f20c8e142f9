/* fft.c: the mode that multiplies spectra.
 *
 * Transforms are applied to blocks (fft_size.h), which threads share, and by FFTW to one line after
 * another: in double, or in float if the task permits that.  A correlation is a convolution with x
 * reversed.  The spectrum of a bound x is kept.
 *
 * A task has one spectrum of the kernel, so only one execution of a task may run at a time.
 * Read next: blocks_set.h, lines_set.h.
 */
#include "runtime/conv/costs/costs.h"
#include "runtime/conv/costs/fft_size.h"
#include "runtime/conv/fft/blocks.h"
#include "runtime/conv/task.h"

/* --- axes ------------------------------------------------------------------------------------- */

static bool kernel_is_x(const ddr_conv_task *task) {
  return ddr_conv_count(task->rank, task->len[DDR_CONV_X]) <=
         ddr_conv_count(task->rank, task->len[DDR_CONV_Y]);
}

static bool is_complex(const ddr_conv_task *task) {
  return ddr_conv_exact_type(task) == DDR_ELEMENT_CDOUBLE;
}

/* Transforms in double are right for tasks that permit floats, too. */
static bool is_in_floats(const ddr_conv_task *task) {
  return task->precision == DDR_ELEMENT_FLOAT && ddr_fft_float.is_there();
}

static ddr_fft_kind kind_of(const ddr_conv_task *task) {
  const bool is_float = is_in_floats(task);
  if (is_complex(task)) return is_float ? DDR_FFT_COMPLEX_FLOATS : DDR_FFT_COMPLEX_DOUBLES;
  return is_float ? DDR_FFT_FLOATS : DDR_FFT_DOUBLES;
}

static void axes_of(const ddr_conv_task *task, ddr_fft_axis *axes) {
  const int kernel = kernel_is_x(task) ? DDR_CONV_X : DDR_CONV_Y;
  for (int k = 0; k < task->rank; k++) {
    axes[k] = (ddr_fft_axis){
        .kernel = task->len[kernel][k],
        .signal = task->len[DDR_CONV_X + DDR_CONV_Y - kernel][k],
        .first = task->first[k],
        .n_positions = (task->len[DDR_CONV_Z][k] - 1) * task->decimation[k] + 1,
    };
  }
  ddr_fft_choose(kind_of(task), task->rank, axes);
}

static bool is_integer(ddr_element type) {
  const ddr_element_kind kind = ddr_element_kind_of(type);
  return kind == DDR_KIND_INT || kind == DDR_KIND_UINT;
}

static const ddr_conv_mode *choose(const ddr_conv_task *task) {
  const bool has_integers =
      is_integer(task->type[DDR_CONV_X]) || is_integer(task->type[DDR_CONV_Y]);
  return has_integers || !ddr_conv_has_fft() ? NULL : &ddr_conv_fft;
}

/* --- the mode --------------------------------------------------------------------------------- */

bool ddr_conv_has_fft(void) { return ddr_fft_double.is_there(); }

static ddr_array_status prepare(const ddr_conv_task *task, void **plan) {
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
  axes_of(task, axes);
  return (is_in_floats(task) ? &ddr_fft_float : &ddr_fft_double)->plan_new(task, axes, plan);
}

static const ddr_fft_calls *calls_of(void *plan) { return *(const ddr_fft_calls **)plan; }

static void release(void *plan) { calls_of(plan)->plan_free(plan); }

static ddr_conv_operand reversed(const ddr_conv_task *task, const ddr_conv_operand *operand) {
  ddr_conv_operand turned = *operand;
  int64_t last = 0;
  for (int k = 0; k < task->rank; k++) {
    last += (operand->len[k] - 1) * operand->stride[k];
    turned.stride[k] = -operand->stride[k];
  }
  turned.data = (char *)operand->data + last * (int64_t)ddr_element_size(operand->type);
  return turned;
}

static ddr_array_status run(const ddr_conv_task *task, const ddr_conv_operand *x,
                            const ddr_conv_operand *y, const ddr_conv_operand *z) {
  const bool is_bound = task->has_x && x->data == task->x.data;
  const bool is_conjugate = task->is_conjugate && !is_bound;
  const bool is_correlation = task->op == DDR_CORRELATION, is_x = kernel_is_x(task);
  const ddr_conv_operand turned = is_correlation ? reversed(task, x) : *x;
  ddr_fft_input kernel = {turned, is_conjugate}, signal = {*y, false};
  if (!is_x) {
    kernel = (ddr_fft_input){*y, false};
    signal = (ddr_fft_input){turned, is_conjugate};
  }
  const uint64_t kept = is_bound && is_x ? task->n_bound : 0;
  return calls_of(task->plan)->plan_run(task, task->plan, &kernel, kept, &signal, z);
}

const ddr_conv_mode ddr_conv_fft = {"fft", choose, prepare, release, run};

/* --- the cheaper mode ------------------------------------------------------------------------- */

/* Whether the task is a filter of floats along one axis. */
static bool is_filter(const ddr_conv_task *task, const ddr_fft_axis *axes) {
  int64_t n_weights = 1;
  for (int k = 0; k < task->rank; k++) {
    if (axes[k].kernel > 1 && n_weights > 1) return false;
    n_weights *= axes[k].kernel;
  }
  return n_weights <= DDR_CONV_MOST_FILTER_WEIGHTS;
}

static ddr_direct_kind direct_kind_of(const ddr_conv_task *task, const ddr_fft_axis *axes) {
  const int signal = kernel_is_x(task) ? DDR_CONV_Y : DDR_CONV_X;
  if (is_complex(task)) {
    const bool is_float = task->type[signal] == DDR_ELEMENT_CFLOAT;
    return is_float ? DDR_DIRECT_OF_COMPLEX_FLOATS : DDR_DIRECT_OF_COMPLEXES;
  }
  if (task->type[signal] != DDR_ELEMENT_FLOAT || task->type[DDR_CONV_Z] != DDR_ELEMENT_FLOAT) {
    return DDR_DIRECT_OF_DOUBLES;
  }
  return is_filter(task, axes) ? DDR_DIRECT_FILTER : DDR_DIRECT_OF_FLOATS;
}

/* Below this many nanoseconds, an exact direct sum is preferred to a faster transform. */
#define TRIFLE 100.0

static bool is_direct_cheaper(const ddr_conv_task *task) {
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
  axes_of(task, axes);
  return ddr_direct_cost(direct_kind_of(task, axes), task->rank, axes, task->len[DDR_CONV_Z]) <=
         ddr_fft_cost(kind_of(task), task->rank, axes) + TRIFLE;
}

static const ddr_conv_mode *choose_cheaper(const ddr_conv_task *task) {
  const ddr_conv_mode *fft = is_direct_cheaper(task) ? NULL : choose(task);
  return fft ? fft : &ddr_conv_direct;
}

const ddr_conv_mode ddr_conv_auto = {.name = "auto", .choose = choose_cheaper};
