/* fft_blocks_set.h: see fft_blocks.h.  Tasks of reals have transforms of reals.
 *
 * Who includes it says in what transforms are: REAL, FFTW(name), CALLS.
 * FFTW estimates which way of its own is fast: where it measured, the bits of results would depend
 * on how busy the machine is.
 */
#include "runtime/conv/fft_blocks.h"

#if defined(DDR_HAS_FFTW)

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/element/parallel_for.h"

typedef FFTW(complex) Complex;

typedef struct Plan {
  const ddr_fft_calls *calls; /* first, for all kinds */
  int rank;
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
  bool is_real;
  int64_t n_blocks;
  size_t n_points, n_spectrum;
  Complex *kernel; /* its spectrum, scaled */
  uint64_t kept;   /* of which kernel, 0: of none */
  FFTW(plan) forward, backward;
} Plan;

/* Of one thread.  Complex tasks have their points in the spectrum. */
typedef struct Room {
  REAL *points;
  Complex *spectrum;
} Room;

/* FFTW makes and frees plans one at a time. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* --- plans ------------------------------------------------------------------------------------ */

static void free_room(Room *room) {
  FFTW(free)(room->points);
  FFTW(free)(room->spectrum);
}

static bool make_room(const Plan *plan, Room *room) {
  room->points = plan->is_real ? FFTW(malloc)(plan->n_points * sizeof *room->points) : NULL;
  room->spectrum = FFTW(malloc)(plan->n_spectrum * sizeof *room->spectrum);
  if (room->spectrum && (room->points || !plan->is_real)) return true;
  free_room(room);
  return false;
}

static void plan_free(void *data) {
  Plan *plan = data;
  pthread_mutex_lock(&planner);
  if (plan->forward) FFTW(destroy_plan)(plan->forward);
  if (plan->backward) FFTW(destroy_plan)(plan->backward);
  pthread_mutex_unlock(&planner);
  FFTW(free)(plan->kernel);
  free(plan);
}

static void make_plans(Plan *plan, const Room *room) {
  const unsigned how = FFTW_ESTIMATE;
  int n[DDR_CONV_MAX_RANK];
  for (int k = 0; k < plan->rank; k++) n[k] = (int)plan->axes[k].n_points;
  pthread_mutex_lock(&planner);
  if (plan->is_real) {
    plan->forward = FFTW(plan_dft_r2c)(plan->rank, n, room->points, room->spectrum, how);
    plan->backward = FFTW(plan_dft_c2r)(plan->rank, n, room->spectrum, room->points, how);
  } else {
    plan->forward =
        FFTW(plan_dft)(plan->rank, n, room->spectrum, room->spectrum, FFTW_FORWARD, how);
    plan->backward =
        FFTW(plan_dft)(plan->rank, n, room->spectrum, room->spectrum, FFTW_BACKWARD, how);
  }
  pthread_mutex_unlock(&planner);
}

/* False: larger than FFTW or memory can have. */
static bool set_sizes(Plan *plan) {
  plan->n_points = plan->n_spectrum = 1;
  plan->n_blocks = 1;
  for (int k = 0; k < plan->rank; k++) {
    const int64_t n = plan->axes[k].n_points;
    if (n > INT32_MAX || plan->n_points > PTRDIFF_MAX / sizeof(Complex) / (size_t)n) {
      return false;
    }
    const bool is_halved = plan->is_real && k == plan->rank - 1;
    plan->n_points *= (size_t)n;
    plan->n_spectrum *= is_halved ? (size_t)n / 2 + 1 : (size_t)n;
    plan->n_blocks *= plan->axes[k].n_blocks;
  }
  return true;
}

static ddr_array_status plan_new(const ddr_conv_task *task, const ddr_fft_axis *axes, void **made) {
  Plan *plan = calloc(1, sizeof *plan);
  Room room = {.points = NULL};
  if (!plan) return DDR_ARRAY_ENOMEM;
  plan->calls = &CALLS;
  plan->rank = task->rank;
  memcpy(plan->axes, axes, (size_t)task->rank * sizeof *axes);
  plan->is_real = ddr_conv_exact_type(task) == DDR_ELEMENT_DOUBLE;
  bool is_good = set_sizes(plan);
  if (is_good) plan->kernel = FFTW(malloc)(plan->n_spectrum * sizeof *plan->kernel);
  is_good = is_good && plan->kernel && make_room(plan, &room);
  if (is_good) {
    make_plans(plan, &room);
    free_room(&room);
  }
  is_good = is_good && plan->forward && plan->backward;
  if (is_good) *made = plan;
  else plan_free(plan);
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
}

/* --- samples to points ------------------------------------------------------------------------ */

/* The next index, the last axis but `rank` fastest; false: that was the last. */
static bool advance(int rank, const int64_t *len, int64_t *idx) {
  for (int k = rank - 1; k >= 0; k--) {
    if (++idx[k] < len[k]) return true;
    idx[k] = 0;
  }
  return false;
}

#define READ(name, type)                                                                           \
  static void name(const type *from, int64_t stride, int64_t n, REAL *to) {                        \
    if (stride == 1) {                                                                             \
      for (int64_t k = 0; k < n; k++) to[k] = (REAL)from[k];                                       \
    } else {                                                                                       \
      for (int64_t k = 0; k < n; k++) to[k] = (REAL)from[k * stride];                              \
    }                                                                                              \
  }
READ(read_floats, float)
READ(read_doubles, double)
#undef READ

static void read_reals(const ddr_conv_operand *from, int64_t at, int64_t stride, int64_t n,
                       REAL *to) {
  if (from->type == DDR_ELEMENT_FLOAT) read_floats((const float *)from->data + at, stride, n, to);
  else read_doubles((const double *)from->data + at, stride, n, to);
}

static void read_complexes(const ddr_fft_input *input, int64_t at, int64_t stride, int64_t n,
                           Complex *to) {
  const void *data = input->operand.data;
  for (int64_t k = 0; k < n; k++, at += stride) {
    switch (input->operand.type) {
    case DDR_ELEMENT_FLOAT: to[k][0] = (REAL)((const float *)data)[at], to[k][1] = 0; break;
    case DDR_ELEMENT_DOUBLE: to[k][0] = (REAL)((const double *)data)[at], to[k][1] = 0; break;
    case DDR_ELEMENT_CFLOAT:
      to[k][0] = (REAL)((const ddr_complex_float *)data)[at].re;
      to[k][1] = (REAL)((const ddr_complex_float *)data)[at].im;
      break;
    default: /* no ints */
      to[k][0] = (REAL)((const ddr_complex_double *)data)[at].re;
      to[k][1] = (REAL)((const ddr_complex_double *)data)[at].im;
    }
    if (input->is_conjugate) to[k][1] = -to[k][1];
  }
}

/* From one point up to another, which is not set. */
static void clear(Room *room, int64_t from, int64_t to) {
  const size_t n = (size_t)(to - from);
  if (room->points) memset(room->points + from, 0, n * sizeof *room->points);
  else memset(room->spectrum + from, 0, n * sizeof *room->spectrum);
}

/* Samples first to first + n - 1 of each axis are the first points; the others are 0. */
static void load(const Plan *plan, const ddr_fft_input *input, const int64_t *first,
                 const int64_t *n, Room *room) {
  const ddr_conv_operand *from = &input->operand;
  const int last = plan->rank - 1;
  int64_t idx[DDR_CONV_MAX_RANK] = {0}, n_set = 0;
  bool has_more = true;
  for (int k = 0; k <= last; k++) has_more = has_more && n[k] > 0;
  while (has_more) {
    int64_t at = first[last] * from->stride[last], point = 0;
    for (int k = 0; k < last; k++) {
      at += (first[k] + idx[k]) * from->stride[k];
      point = (point + idx[k]) * plan->axes[k + 1].n_points;
    }
    clear(room, n_set, point);
    if (room->points) read_reals(from, at, from->stride[last], n[last], room->points + point);
    else read_complexes(input, at, from->stride[last], n[last], room->spectrum + point);
    n_set = point + n[last];
    has_more = advance(last, n, idx);
  }
  clear(room, n_set, (int64_t)plan->n_points);
}

static void transform(const Plan *plan, Room *room) {
  if (plan->is_real) FFTW(execute_dft_r2c)(plan->forward, room->points, room->spectrum);
  else FFTW(execute_dft)(plan->forward, room->spectrum, room->spectrum);
}

static void transform_back(const Plan *plan, Room *room) {
  if (plan->is_real) FFTW(execute_dft_c2r)(plan->backward, room->spectrum, room->points);
  else FFTW(execute_dft)(plan->backward, room->spectrum, room->spectrum);
}

static void set_kernel(Plan *plan, const ddr_fft_input *kernel, Room *room) {
  static const int64_t origin[DDR_CONV_MAX_RANK] = {0};
  const REAL scale = 1 / (REAL)plan->n_points;
  load(plan, kernel, origin, kernel->operand.len, room);
  transform(plan, room);
  for (size_t k = 0; k < plan->n_spectrum; k++) {
    plan->kernel[k][0] = room->spectrum[k][0] * scale;
    plan->kernel[k][1] = room->spectrum[k][1] * scale;
  }
}

static void multiply(const Plan *plan, Room *room) {
  const REAL *kernel = plan->kernel[0];
  REAL *spectrum = room->spectrum[0];
  for (size_t k = 0; k < 2 * plan->n_spectrum; k += 2) {
    const REAL re = kernel[k] * spectrum[k] - kernel[k + 1] * spectrum[k + 1];
    spectrum[k + 1] = kernel[k] * spectrum[k + 1] + kernel[k + 1] * spectrum[k];
    spectrum[k] = re;
  }
}

/* --- points to results ------------------------------------------------------------------------ */

/* Those that are neighbours, as their points are, by a loop of vectors. */
#define WRITE(name, type)                                                                          \
  static void name(const REAL *from, int64_t parts, type *to, int64_t stride, int64_t n) {         \
    if (stride == 1 && parts == 1) {                                                               \
      for (int64_t k = 0; k < n; k++) to[k] = (type)from[k];                                       \
    } else {                                                                                       \
      for (int64_t k = 0; k < n; k++) to[k * stride] = (type)from[k * parts];                      \
    }                                                                                              \
  }
WRITE(write_floats, float)
WRITE(write_doubles, double)
#undef WRITE

static void write_complexes(const REAL *from, int64_t parts, const ddr_conv_operand *z, int64_t to,
                            int64_t stride, int64_t n) {
  ddr_complex_float *floats = (ddr_complex_float *)z->data + to;
  ddr_complex_double *doubles = (ddr_complex_double *)z->data + to;
  if (z->type == DDR_ELEMENT_CFLOAT) {
    for (int64_t k = 0; k < n; k++, from += parts)
      floats[k * stride] = (ddr_complex_float){(float)from[0], (float)from[1]};
  } else {
    for (int64_t k = 0; k < n; k++, from += parts)
      doubles[k * stride] = (ddr_complex_double){(double)from[0], (double)from[1]};
  }
}

/* n results of a row, the points `step` apart; their type is real or complex, or the commit has
 * refused it. */
static void write_row(const Room *room, int64_t point, int64_t step, const ddr_conv_operand *z,
                      int64_t to, int64_t stride, int64_t n) {
  const REAL *from = room->points ? room->points + point : room->spectrum[point];
  const int64_t parts = room->points ? step : 2 * step;
  float *floats = (float *)z->data + to;
  double *doubles = (double *)z->data + to;
  switch (z->type) {
  case DDR_ELEMENT_FLOAT: write_floats(from, parts, floats, stride, n); break;
  case DDR_ELEMENT_DOUBLE: write_doubles(from, parts, doubles, stride, n); break;
  default: write_complexes(from, parts, z, to, stride, n);
  }
}

typedef struct Results {
  int64_t first[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK]; /* which results */
  int64_t point[DDR_CONV_MAX_RANK];                       /* of the first */
} Results;

static void store(const ddr_conv_task *task, const Plan *plan, const Results *results,
                  const Room *room, const ddr_conv_operand *z) {
  const int last = plan->rank - 1;
  int64_t idx[DDR_CONV_MAX_RANK] = {0};
  do {
    int64_t to = results->first[last] * z->stride[last], point = 0;
    for (int k = 0; k < last; k++) {
      to += (results->first[k] + idx[k]) * z->stride[k];
      point =
          (point + results->point[k] + idx[k] * task->decimation[k]) * plan->axes[k + 1].n_points;
    }
    write_row(room, point + results->point[last], task->decimation[last], z, to, z->stride[last],
              results->n[last]);
  } while (advance(last, results->n, idx));
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct Run {
  const ddr_conv_task *task;
  const Plan *plan;
  const ddr_fft_input *signal;
  const ddr_conv_operand *z;
  Room *rooms; /* of each item */
  int64_t n_items;
} Run;

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void do_block(const Run *run, int64_t block, Room *room) {
  const Plan *plan = run->plan;
  int64_t first[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK];
  Results results;
  bool has_results = true;
  for (int k = plan->rank - 1; k >= 0; k--) {
    const ddr_fft_axis *axis = &plan->axes[k];
    const int64_t number = block % axis->n_blocks, step = run->task->decimation[k];
    const ddr_fft_span span = ddr_fft_span_of(axis, number);
    const int64_t skipped = span.first - axis->first;
    block /= axis->n_blocks;
    first[k] = span.first_sample;
    n[k] = span.n_samples;
    results.first[k] = divide_up(skipped, step);
    results.n[k] = divide_up(skipped + span.n_positions, step) - results.first[k];
    results.point[k] = span.point + results.first[k] * step - skipped;
    has_results = has_results && results.n[k] > 0;
  }
  if (!has_results) return;
  load(plan, run->signal, first, n, room);
  transform(plan, room);
  multiply(plan, room);
  transform_back(plan, room);
  store(run->task, plan, &results, room, run->z);
}

static void do_item(void *data, int64_t item) {
  const Run *run = data;
  const int64_t n = run->plan->n_blocks, n_items = run->n_items;
  for (int64_t block = item; block < n; block += n_items) do_block(run, block, &run->rooms[item]);
}

static ddr_array_status plan_run(const ddr_conv_task *task, void *data, const ddr_fft_input *kernel,
                                 uint64_t kept, const ddr_fft_input *signal,
                                 const ddr_conv_operand *z) {
  Plan *plan = data;
  Run run = {.task = task, .plan = plan, .signal = signal, .z = z};
  run.n_items = task->n_threads < plan->n_blocks ? task->n_threads : plan->n_blocks;
  run.rooms = calloc((size_t)run.n_items, sizeof *run.rooms);
  bool is_good = run.rooms != NULL;
  for (int64_t k = 0; is_good && k < run.n_items; k++) is_good = make_room(plan, &run.rooms[k]);
  if (is_good) {
    if (kept == 0 || plan->kept != kept) set_kernel(plan, kernel, &run.rooms[0]);
    plan->kept = kept;
    ddr_parallel_for(task->n_threads, run.n_items, do_item, &run);
  }
  for (int64_t k = 0; run.rooms && k < run.n_items; k++) free_room(&run.rooms[k]);
  free(run.rooms);
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
}

const ddr_fft_calls CALLS = {plan_new, plan_free, plan_run};

#endif
