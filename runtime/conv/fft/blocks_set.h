/* blocks_set.h: see blocks.h.  Tasks of reals use transforms of reals.
 *
 * The including file defines the type of transforms: REAL, FFTW(name), FFTW_LIBRARY, CALLS. FFTW
 * estimates which of its algorithms is fastest: if it measured, the bits of results would depend on
 * the load of the machine.
 */
#include "runtime/conv/fft/blocks.h"

#if defined(REAL)

#include <stdatomic.h>

#include "runtime/conv/fft/lines_set.h"
#include "runtime/element/parallel_for.h"

/* --- plans ------------------------------------------------------------------------------------ */

static void plan_free(void *data) {
  Plan *plan = data;
  free_lines(plan);
  free(plan->kernel);
  free(plan);
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
  if (is_good) plan->kernel = ddr_storage_malloc(plan->n_spectrum * sizeof *plan->kernel);
  is_good = is_good && plan->kernel && make_room(plan, &room);
  if (is_good) {
    is_good = make_lines(plan, &room);
    free_room(&room);
  }
  if (is_good) *made = plan;
  else plan_free(plan);
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
}

/* --- samples to points ------------------------------------------------------------------------ */

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

/* Reads numbers as complex ones, in loops without cases. */
#define READ_COMPLEX(name, type, re_of, im_of)                                                     \
  static void name(const type *from, int64_t stride, int64_t n, Complex *to) {                     \
    for (int64_t k = 0; k < n; k++, from += stride) {                                              \
      to[k][0] = (REAL)(re_of);                                                                    \
      to[k][1] = (REAL)(im_of);                                                                    \
    }                                                                                              \
  }
READ_COMPLEX(complexes_of_floats, float, *from, 0)
READ_COMPLEX(complexes_of_doubles, double, *from, 0)
READ_COMPLEX(complexes_of_complex_floats, ddr_complex_float, from->re, from->im)
READ_COMPLEX(complexes_of_complex_doubles, ddr_complex_double, from->re, from->im)
#undef READ_COMPLEX

static void read_complexes(const ddr_fft_input *input, int64_t at, int64_t stride, int64_t n,
                           Complex *to) {
  const void *data = input->operand.data;
  switch (input->operand.type) {
  case DDR_ELEMENT_FLOAT: complexes_of_floats((const float *)data + at, stride, n, to); break;
  case DDR_ELEMENT_DOUBLE: complexes_of_doubles((const double *)data + at, stride, n, to); break;
  case DDR_ELEMENT_CFLOAT:
    complexes_of_complex_floats((const ddr_complex_float *)data + at, stride, n, to);
    break;
  default: /* there are no ints here */
    complexes_of_complex_doubles((const ddr_complex_double *)data + at, stride, n, to);
  }
  for (int64_t k = 0; input->is_conjugate && k < n; k++) to[k][1] = -to[k][1];
}

/* Zeroes the points from one index to another, exclusive. */
static void clear(Room *room, int64_t from, int64_t to) {
  const size_t n = (size_t)(to - from);
  if (room->points) memset(room->points + from, 0, n * sizeof *room->points);
  else memset(room->spectrum + from, 0, n * sizeof *room->spectrum);
}

/* Loads samples from `first` on as the first points; the other points are 0. */
static void load(const Plan *plan, const ddr_fft_input *input, const int64_t *first,
                 const Box *samples, Room *room) {
  const ddr_conv_operand *from = &input->operand;
  const int last = plan->rank - 1;
  const int64_t *const n = samples->n;
  int64_t idx[DDR_CONV_MAX_RANK] = {0}, n_set = 0;
  do {
    const int64_t point = offset_of(last, idx, plan->point_stride);
    int64_t at = first[last] * from->stride[last];
    for (int k = 0; k < last; k++) at += (first[k] + idx[k]) * from->stride[k];
    clear(room, n_set, point);
    if (room->points) read_reals(from, at, from->stride[last], n[last], room->points + point);
    else read_complexes(input, at, from->stride[last], n[last], room->spectrum + point);
    n_set = point + n[last];
  } while (advance_in(last, samples, idx));
  clear(room, n_set, (int64_t)plan->n_room_points);
}

/* Transforms samples to a spectrum, which transform_back inverts. */
static void transform(const Plan *plan, const Box *samples, const Room *room) {
  transform_rows(plan, samples, room);
  for (int k = plan->row - 1; k >= 0; k--) {
    if (has_lines(plan, k)) transform_across(plan, k, samples, false, room);
  }
}

static void transform_back(const Plan *plan, const Box *results, const Room *room) {
  for (int k = 0; k < plan->row; k++) {
    if (has_lines(plan, k)) transform_across(plan, k, results, true, room);
  }
  transform_rows_back(plan, results, room);
}

static void set_kernel(Plan *plan, const ddr_fft_input *kernel, Room *room) {
  static const int64_t origin[DDR_CONV_MAX_RANK] = {0};
  const REAL scale = 1 / (REAL)plan->n_points;
  Box samples = {.first = {0}};
  memcpy(samples.n, kernel->operand.len, (size_t)plan->rank * sizeof *samples.n);
  load(plan, kernel, origin, &samples, room);
  transform(plan, &samples, room);
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

/* Writes adjacent results from adjacent points, in a loop that compilers vectorise. */
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

/* Writes n results of a row from points that are `step` apart; the type is real or complex, since
 * the commit has refused all others. */
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
  int64_t first[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK]; /* the range of results */
  int64_t point[DDR_CONV_MAX_RANK];                       /* the point of the first one */
} Results;

static void store(const ddr_conv_task *task, const Plan *plan, const Results *results,
                  const Room *room, const ddr_conv_operand *z) {
  const int last = plan->rank - 1;
  Box box = {.first = {0}};
  int64_t idx[DDR_CONV_MAX_RANK] = {0};
  memcpy(box.n, results->n, sizeof box.n);
  do {
    int64_t to = results->first[last] * z->stride[last], point = results->point[last];
    for (int k = 0; k < last; k++) {
      to += (results->first[k] + idx[k]) * z->stride[k];
      point += (results->point[k] + idx[k] * task->decimation[k]) * plan->point_stride[k];
    }
    write_row(room, point, task->decimation[last], z, to, z->stride[last], results->n[last]);
  } while (advance_in(last, &box, idx));
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct Run {
  const ddr_conv_task *task;
  const Plan *plan;
  const ddr_fft_input *signal;
  const ddr_conv_operand *z;
  Room *rooms;          /* one per thread */
  _Atomic int64_t next; /* the first block that nobody has taken */
} Run;

static void do_block(const Run *run, int64_t block, Room *room) {
  const Plan *plan = run->plan;
  int64_t first[DDR_CONV_MAX_RANK];
  Box samples = {.first = {0}}, points;
  Results results = {.first = {0}};
  bool has_results = true;
  for (int k = plan->rank - 1; k >= 0; k--) {
    const ddr_fft_axis *axis = &plan->axes[k];
    const int64_t number = block % axis->n_blocks, step = run->task->decimation[k];
    const ddr_fft_span span = ddr_fft_span_of(axis, number);
    const int64_t skipped = span.first - axis->first;
    block /= axis->n_blocks;
    first[k] = span.first_sample;
    samples.n[k] = span.n_samples;
    results.first[k] = ddr_divide_up(skipped, step);
    results.n[k] = ddr_divide_up(skipped + span.n_positions, step) - results.first[k];
    results.point[k] = span.point + results.first[k] * step - skipped;
    points.first[k] = results.point[k];
    points.n[k] = (results.n[k] - 1) * step + 1;
    has_results = has_results && results.n[k] > 0;
  }
  if (!has_results) return;
  if (ddr_conv_count(plan->rank, samples.n) > 0) {
    load(plan, run->signal, first, &samples, room);
    transform(plan, &samples, room);
    multiply(plan, room);
  } else { /* all samples are outside of the signal */
    memset(room->spectrum, 0, plan->n_spectrum * sizeof *room->spectrum);
  }
  transform_back(plan, &points, room);
  store(run->task, plan, &results, room, run->z);
}

/* Blocks go to whoever is free: those at the ends are smaller, and a thread may begin late. */
static void take_blocks(void *data, int64_t item) {
  Run *run = data;
  int64_t block;
  while ((block = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed)) <
         run->plan->n_blocks)
    do_block(run, block, &run->rooms[item]);
}

static ddr_array_status plan_run(const ddr_conv_task *task, void *data, const ddr_fft_input *kernel,
                                 uint64_t kept, const ddr_fft_input *signal,
                                 const ddr_conv_operand *z) {
  Plan *plan = data;
  Run run = {.task = task, .plan = plan, .signal = signal, .z = z};
  const int64_t n_rooms = task->n_threads < plan->n_blocks ? task->n_threads : plan->n_blocks;
  run.rooms = calloc((size_t)n_rooms, sizeof *run.rooms);
  bool is_good = run.rooms != NULL;
  for (int64_t k = 0; is_good && k < n_rooms; k++) is_good = make_room(plan, &run.rooms[k]);
  if (is_good) {
    if (kept == 0 || plan->kept != kept) set_kernel(plan, kernel, &run.rooms[0]);
    plan->kept = kept;
    ddr_parallel_for(task->n_threads, n_rooms, take_blocks, &run);
  }
  for (int64_t k = 0; run.rooms && k < n_rooms; k++) free_room(&run.rooms[k]);
  free(run.rooms);
  return is_good ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
}

const ddr_fft_calls CALLS = {is_there, plan_new, plan_free, plan_run};

#endif
