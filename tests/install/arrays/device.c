/* A client of libddr-array-cuda, in what C and C++ have in common: arrays on a device do what those
 * of the host do.  Without a device it says so and ends with 77.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <ddr/array-cuda.h>

enum { ROWS = 37, COLUMNS = 61, N = ROWS * COLUMNS };

#define MUST(condition)                                                                            \
  do {                                                                                             \
    if (condition) break;                                                                          \
    printf("device.c:%d: not so: %s\n", __LINE__, #condition);                                     \
    return 1;                                                                                      \
  } while (0)
#define TRY(call) MUST((call) == DDR_ARRAY_OK)
#define REFUSED(status, call) MUST((call) == DDR_ARRAY_##status)

static const int64_t shape[] = {ROWS, COLUMNS};
static float numbers[N], results[N];

static int wrap(float *memory, ddr_ndview *view) {
  ddr_layout layout;
  TRY(ddr_layout_packed(2, shape, &layout));
  TRY(ddr_ndview_wrap(DDR_ELEMENT_FLOAT, memory, &layout, DDR_HOST, NULL, view));
  return 0;
}

/* --- what an operation comes to, wherever its array is ---------------------------------------- */

typedef struct Found {
  ddr_number sum, most, masked;
  double means[COLUMNS];
} Found;

/* A part with its axes exchanged and one of them backwards, scaled in place. */
static int work_on(const ddr_ndview *x, ddr_residency where, Found *found) {
  const int order[] = {1, 0};
  ddr_ndview turned, part, means, mask, there;
  TRY(ddr_ndview_permute(x, order, &turned));
  TRY(ddr_ndview_flip(&turned, 0, &part));
  TRY(ddr_transform_inplace_mul_scalar(&part, ddr_number_int(3), 1));
  TRY(ddr_reduce_sum(&part, NULL, &found->sum));
  TRY(ddr_reduce_max_element(&part, NULL, &found->most));

  ddr_reduce_options options;
  memset(&options, 0, sizeof options);
  TRY(ddr_ndview_new(DDR_ELEMENT_BOOL, 2, part.layout.len, where, &mask));
  TRY(ddr_transform_gt_scalar(&part, ddr_number_real(0.25), &mask, 1));
  options.mask = &mask;
  TRY(ddr_reduce_l2(&part, &options, &found->masked));

  const ddr_ndview *arrays[] = {&part};
  const int axes[] = {1};
  ddr_layout line;
  const int64_t len[] = {COLUMNS};
  TRY(ddr_reduce_axes(DDR_REDUCE_MEAN, arrays, 1, axes, NULL, &means));
  MUST(means.residency == where && means.type == DDR_ELEMENT_FLOAT);
  static float copies[COLUMNS];
  TRY(ddr_layout_packed(1, len, &line));
  TRY(ddr_ndview_wrap(DDR_ELEMENT_FLOAT, copies, &line, DDR_HOST, NULL, &there));
  TRY(ddr_transform_assign(&means, &there, 1));
  for (int k = 0; k < COLUMNS; k++) found->means[k] = (double)copies[k];
  ddr_ndview_release(&there);
  ddr_ndview_release(&means);
  ddr_ndview_release(&mask);
  ddr_ndview_release(&part);
  ddr_ndview_release(&turned);
  return 0;
}

static int does_what_the_host_does(ddr_residency where) {
  ddr_ndview host, back, device;
  Found at_home, there;
  memset(&at_home, 0, sizeof at_home);
  memset(&there, 0, sizeof there);
  for (int k = 0; k < N; k++) numbers[k] = (float)sin(k) / 7;
  if (wrap(numbers, &host) || wrap(results, &back)) return 1;
  TRY(ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, shape, where, &device));
  TRY(ddr_transform_assign(&host, &device, 1));
  if (work_on(&device, where, &there) || work_on(&host, DDR_HOST, &at_home)) return 1;
  MUST(memcmp(&at_home, &there, sizeof there) == 0); /* the same bits */
  TRY(ddr_transform_assign(&device, &back, 1));
  MUST(memcmp(numbers, results, sizeof results) == 0);

  /* memory of somebody else on the device is seen as it is */
  ddr_ndview seen;
  ddr_number first;
  TRY(ddr_ndview_wrap(DDR_ELEMENT_FLOAT, device.data, &device.layout, where, NULL, &seen));
  TRY(ddr_transform_fill(ddr_number_real(2), &device, 1));
  TRY(ddr_array_cuda_wait(NULL));
  TRY(ddr_reduce_sum(&seen, NULL, &first));
  MUST(first.re == 2 * N);
  ddr_ndview_release(&seen);
  ddr_ndview_release(&device);
  ddr_ndview_release(&back);
  ddr_ndview_release(&host);
  return 0;
}

/* --- threads ---------------------------------------------------------------------------------- */

enum { N_THREADS = 4, N_ROUNDS = 5 };

static void *sum_often(void *argument) {
  const ddr_ndview *view = (const ddr_ndview *)argument;
  ddr_number sum;
  for (int round = 0; round < N_ROUNDS; round++)
    if (ddr_reduce_sum(view, NULL, &sum) != DDR_ARRAY_OK || sum.re != 5 * N) return argument;
  return NULL;
}

static int serves_several_threads(void) {
  pthread_t threads[N_THREADS];
  ddr_ndview view;
  TRY(ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, shape, DDR_CUDA, &view));
  TRY(ddr_transform_fill(ddr_number_real(5), &view, 1));
  for (int k = 0; k < N_THREADS; k++)
    MUST(pthread_create(&threads[k], NULL, sum_often, &view) == 0);
  for (int k = 0; k < N_THREADS; k++) {
    void *failed;
    MUST(pthread_join(threads[k], &failed) == 0 && !failed);
  }
  ddr_ndview_release(&view);
  return 0;
}

/* --- what is refused -------------------------------------------------------------------------- */

static int refuses(void) {
  ddr_ndview host, device;
  ddr_conv_array operand;
  void *element;
  const int64_t first[] = {0, 0};
  ddr_number sum;
  REFUSED(ENODEVICE, ddr_array_cuda_use(-1));
  REFUSED(ENODEVICE, ddr_array_cuda_use(ddr_array_cuda_count()));
  MUST(ddr_array_cuda_number() == 0);
  if (wrap(numbers, &host)) return 1;
  TRY(ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, shape, DDR_CUDA, &device));
  REFUSED(ERESIDENCY, ddr_array_cuda_stop());
  REFUSED(ERESIDENCY, ddr_transform_add(&host, &host, &device, 1));
  REFUSED(ERESIDENCY, ddr_transform_add(&device, &device, &host, 1));
  REFUSED(ERESIDENCY, ddr_ndview_at(&device, 2, first, &element));
  REFUSED(ERESIDENCY, ddr_conv_array_of_view(&device, &operand));
  ddr_ndview_release(&device);
  TRY(ddr_array_cuda_stop());
  TRY(ddr_array_cuda_stop());
  MUST(ddr_array_cuda_number() == -1 && !ddr_residency_is_there(DDR_CUDA));
  REFUSED(ERESIDENCY, ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, shape, DDR_CUDA, &device));
  REFUSED(ERESIDENCY, ddr_array_cuda_wait(NULL));
  TRY(ddr_reduce_sum(&host, NULL, &sum));
  ddr_ndview_release(&host);
  return 0;
}

int main(void) {
  if (ddr_array_cuda_count() == 0) {
    REFUSED(ENODEVICE, ddr_array_cuda_use(0));
    puts("skipped: there is no device");
    return 77;
  }
  TRY(ddr_array_cuda_use(0));
  TRY(ddr_array_cuda_use(0));
  if (does_what_the_host_does(DDR_CUDA) || does_what_the_host_does(DDR_UNIFIED)) return 1;
  if (serves_several_threads() || refuses()) return 1;
  puts("the device does what the host does");
  return 0;
}
