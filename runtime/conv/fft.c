/* fft.c: the mode that multiplies spectra.
 *
 * Every axis is padded with zeros to the least M >= X + Y - 1 without prime factors above 5, so
 * that the circular product is the full linear result; start and decimation sample it.  A
 * correlation is a convolution with x backwards.  Transforms are those of FFTW, in double.
 *
 * The tasks of a plan share its arrays: one execution of a task at a time.
 */
#include <math.h>

#include "runtime/conv/fft_size.h"
#include "runtime/conv/local.h"

#if defined(DDR_HAS_FFTW)

#include <fftw3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const bool ddr_conv_has_fft = true;

typedef struct Plan {
  int n[DDR_CONV_MAX_RANK]; /* padded sizes */
  size_t n_points, n_spectrum;
  double *points;                           /* real tasks; complex ones: NULL */
  fftw_complex *x, *y;                      /* spectra; of complex tasks also the points */
  fftw_plan x_forward, y_forward, backward; /* backward: of x */
} Plan;

/* FFTW makes and frees plans one at a time. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void release(void *data) {
  Plan *plan = data;
  pthread_mutex_lock(&planner);
  if (plan->x_forward) fftw_destroy_plan(plan->x_forward);
  if (plan->y_forward) fftw_destroy_plan(plan->y_forward);
  if (plan->backward) fftw_destroy_plan(plan->backward);
  pthread_mutex_unlock(&planner);
  fftw_free(plan->points);
  fftw_free(plan->x);
  fftw_free(plan->y);
  free(plan);
}

static void make_plans(Plan *plan, int rank) {
  const unsigned how = FFTW_ESTIMATE;
  pthread_mutex_lock(&planner);
  if (plan->points) {
    plan->x_forward = fftw_plan_dft_r2c(rank, plan->n, plan->points, plan->x, how);
    plan->y_forward = fftw_plan_dft_r2c(rank, plan->n, plan->points, plan->y, how);
    plan->backward = fftw_plan_dft_c2r(rank, plan->n, plan->x, plan->points, how);
  } else {
    plan->x_forward = fftw_plan_dft(rank, plan->n, plan->x, plan->x, FFTW_FORWARD, how);
    plan->y_forward = fftw_plan_dft(rank, plan->n, plan->y, plan->y, FFTW_FORWARD, how);
    plan->backward = fftw_plan_dft(rank, plan->n, plan->x, plan->x, FFTW_BACKWARD, how);
  }
  pthread_mutex_unlock(&planner);
}

/* False: larger than FFTW or memory can have. */
static bool set_sizes(const ddr_conv_task *task, Plan *plan) {
  const bool is_real = ddr_conv_exact_type(task) == DDR_ELEMENT_DOUBLE;
  plan->n_points = plan->n_spectrum = 1;
  for (int k = 0; k < task->rank; k++) {
    const int64_t n = ddr_fft_size(task->len[DDR_CONV_X][k] + task->len[DDR_CONV_Y][k] - 1);
    if (n > INT32_MAX || plan->n_points > PTRDIFF_MAX / sizeof(fftw_complex) / (size_t)n) {
      return false;
    }
    const bool is_halved = is_real && k == task->rank - 1;
    plan->n[k] = (int)n;
    plan->n_points *= (size_t)n;
    plan->n_spectrum *= is_halved ? (size_t)n / 2 + 1 : (size_t)n;
  }
  return true;
}

static ddr_array_status prepare(const ddr_conv_task *task, void **prepared) {
  Plan *plan = calloc(1, sizeof *plan);
  if (!plan) return DDR_ARRAY_ENOMEM;
  const bool is_real = ddr_conv_exact_type(task) == DDR_ELEMENT_DOUBLE;
  bool is_good = set_sizes(task, plan);
  if (is_good) {
    if (is_real) plan->points = fftw_malloc(plan->n_points * sizeof *plan->points);
    plan->x = fftw_malloc(plan->n_spectrum * sizeof *plan->x);
    plan->y = fftw_malloc(plan->n_spectrum * sizeof *plan->y);
    is_good = plan->x && plan->y && (!is_real || plan->points);
  }
  if (is_good) make_plans(plan, task->rank);
  is_good = is_good && plan->x_forward && plan->y_forward && plan->backward;
  if (is_good) *prepared = plan;
  else release(plan);
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
}

/* The place of an index in the padded array. */
static size_t place(const ddr_conv_task *task, const Plan *plan, const int64_t *idx) {
  size_t at = 0;
  for (int k = 0; k < task->rank; k++) at = at * (size_t)plan->n[k] + (size_t)idx[k];
  return at;
}

/* The next index, the last axis fastest; false: that was the last. */
static bool advance(int rank, const int64_t *len, int64_t *idx) {
  for (int k = rank - 1; k >= 0; k--) {
    if (++idx[k] < len[k]) return true;
    idx[k] = 0;
  }
  return false;
}

/* Padded points of an operand, backwards on every axis if asked. */
static ddr_array_status fill(const ddr_conv_task *task, const Plan *plan,
                             const ddr_conv_operand *from, bool is_conjugate, bool is_reversed,
                             fftw_complex *points) {
  ddr_conv_operand copy;
  const ddr_array_status status =
      ddr_conv_pack(task, from, ddr_conv_exact_type(task), is_conjugate, &copy);
  if (status != DDR_ARRAY_OK) return status;
  if (plan->points) memset(plan->points, 0, plan->n_points * sizeof *plan->points);
  else memset(points, 0, plan->n_points * sizeof *points);
  int64_t idx[DDR_CONV_MAX_RANK] = {0};
  int64_t p = is_reversed ? ddr_conv_count(task->rank, from->len) - 1 : 0;
  do {
    const size_t at = place(task, plan, idx);
    if (plan->points) plan->points[at] = ((const double *)copy.data)[p];
    else memcpy(points[at], (const ddr_complex_double *)copy.data + p, sizeof points[at]);
    p += is_reversed ? -1 : 1;
  } while (advance(task->rank, from->len, idx));
  free(copy.data);
  return DDR_ARRAY_OK;
}

static void multiply(Plan *plan) {
  const double scale = 1 / (double)plan->n_points;
  for (size_t k = 0; k < plan->n_spectrum; k++) {
    const double re = plan->x[k][0] * plan->y[k][0] - plan->x[k][1] * plan->y[k][1];
    const double im = plan->x[k][0] * plan->y[k][1] + plan->x[k][1] * plan->y[k][0];
    plan->x[k][0] = re * scale;
    plan->x[k][1] = im * scale;
  }
}

static void write(const ddr_conv_operand *z, int64_t to, double re, double im) {
  switch (z->type) {
  case DDR_ELEMENT_FLOAT: ((float *)z->data)[to] = (float)re; break;
  case DDR_ELEMENT_DOUBLE: ((double *)z->data)[to] = re; break;
  case DDR_ELEMENT_CFLOAT:
    ((ddr_complex_float *)z->data)[to] = (ddr_complex_float){(float)re, (float)im};
    break;
  default: /* refused by the commit, but for this one */
    ((ddr_complex_double *)z->data)[to] = (ddr_complex_double){re, im};
  }
}

static void sample(const ddr_conv_task *task, const Plan *plan, const ddr_conv_operand *z) {
  int64_t idx[DDR_CONV_MAX_RANK] = {0}, result[DDR_CONV_MAX_RANK];
  do {
    int64_t to = 0;
    for (int k = 0; k < task->rank; k++) {
      result[k] = task->first[k] + idx[k] * task->decimation[k];
      to += idx[k] * z->stride[k];
    }
    const size_t at = place(task, plan, result);
    if (plan->points) write(z, to, plan->points[at], 0);
    else write(z, to, plan->x[at][0], plan->x[at][1]);
  } while (advance(task->rank, z->len, idx));
}

static ddr_array_status run(const ddr_conv_task *task, const ddr_conv_operand *x,
                            const ddr_conv_operand *y, const ddr_conv_operand *z) {
  Plan *plan = task->plan;
  const bool is_conjugate = task->is_conjugate && x->data != task->x.data;
  const bool is_reversed = task->op == DDR_CORRELATION;
  ddr_array_status status = fill(task, plan, x, is_conjugate, is_reversed, plan->x);
  if (status != DDR_ARRAY_OK) return status;
  fftw_execute(plan->x_forward);
  status = fill(task, plan, y, false, false, plan->y);
  if (status != DDR_ARRAY_OK) return status;
  fftw_execute(plan->y_forward);
  multiply(plan);
  fftw_execute(plan->backward);
  sample(task, plan, z);
  return DDR_ARRAY_OK;
}

static bool is_integer(ddr_element type) {
  const ddr_element_kind kind = ddr_element_kind_of(type);
  return kind == DDR_KIND_INT || kind == DDR_KIND_UINT;
}

static const ddr_conv_mode *choose(const ddr_conv_task *task) {
  const bool has_integers =
      is_integer(task->type[DDR_CONV_X]) || is_integer(task->type[DDR_CONV_Y]);
  return has_integers ? NULL : &ddr_conv_fft;
}

const ddr_conv_mode ddr_conv_fft = {"fft", choose, prepare, release, run};

#else

const bool ddr_conv_has_fft = false;

static const ddr_conv_mode *choose(const ddr_conv_task *task) {
  (void)task;
  return NULL;
}

const ddr_conv_mode ddr_conv_fft = {.name = "fft", .choose = choose};

#endif

int64_t ddr_fft_size(int64_t n) {
  for (;; n++) {
    int64_t rest = n;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    while (rest % 5 == 0) rest /= 5;
    if (rest == 1) return n;
  }
}

/* --- the cheaper mode ------------------------------------------------------------------------- */

ddr_conv_costs ddr_conv_estimate(int rank, const int64_t *x_len, const int64_t *y_len,
                                 const int64_t *z_len) {
  double n_results = 1, n_terms = 1, n_padded = 1;
  for (int k = 0; k < rank; k++) {
    n_results *= (double)z_len[k];
    n_terms *= (double)(x_len[k] < y_len[k] ? x_len[k] : y_len[k]);
    n_padded *= (double)ddr_fft_size(x_len[k] + y_len[k] - 1);
  }
  return (ddr_conv_costs){2 * n_results * n_terms, n_padded, 15 * n_padded * log2(n_padded)};
}

static const ddr_conv_mode *choose_cheaper(const ddr_conv_task *task) {
  const ddr_conv_costs costs = ddr_conv_estimate(task->rank, task->len[DDR_CONV_X],
                                                 task->len[DDR_CONV_Y], task->len[DDR_CONV_Z]);
  const ddr_conv_mode *fft = costs.direct <= costs.fft ? NULL : choose(task);
  return fft ? fft : &ddr_conv_direct;
}

const ddr_conv_mode ddr_conv_auto = {.name = "auto", .choose = choose_cheaper};
