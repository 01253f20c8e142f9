/* images.cu: images on the device. Each sample is stored in a pair with the next one, or each voxel
 * of two samples beside the next voxel (ddr/device/samples.h).
 *
 * An image is copied once, with room for the samples outside of it that a support may reach, and
 * stays as long as a world uses it.  An image that a client already has on the device is read
 * there, by the kernel that makes the pairs.
 */
#include <pthread.h>
#include <stdlib.h>

#include "ddr/device/samples.h"
#include "ddr/image.h"
#include "runtime/cuda/check.h"

static size_t sample_size(const ddr_device *device, const ddr_image *image) {
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper: return sizeof(c_type);
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  return device->program->real_size;
}

/* The number of samples from the first one in memory to the last, and of those before voxel
 * (0,0,0): axes may run backwards. */
static size_t samples_used(const ddr_image *image, size_t *n_before) {
  size_t n = (size_t)image->n_components;
  *n_before = 0;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t way = (image->size[axis] - 1) * image->stride[axis];
    n += (size_t)(way < 0 ? -way : way);
    if (way < 0) *n_before += (size_t)-way;
  }
  return n;
}

/* How far a support may reach beyond a short or a very long axis, and a row beyond its end
 * (image.h). */
static size_t samples_beyond(const ddr_image *image) {
  size_t n = DDR_ROW_SLACK;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t size = image->size[axis], missing = size < DDR_MAX_TAPS ? DDR_MAX_TAPS - size : 1;
    const int64_t stride = image->stride[axis];
    n += (size_t)missing * (size_t)(stride < 0 ? -stride : stride);
  }
  return n;
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* The first sample of pair k.  Voxels of two samples begin at even samples, as their copy does
 * (DDR_ROW_SLACK is even): pair k is voxel k / 2 or, if k is odd, the next one. */
DDR_DEVICE_FN int64_t first_of_pair(int64_t k, bool is_of_voxels) {
  return is_of_voxels ? k + (k & 1) : k;
}

#define DDR_PAIR_UP(type)                                                                          \
  do {                                                                                             \
    const type *const from = (const type *)samples;                                                \
    type *const to = (type *)pairs;                                                                \
    to[2 * k] = from[first < n ? first : k];                                                       \
    to[2 * k + 1] = from[first + 1 < n ? first + 1 : k];                                           \
  } while (0)

/* One thread for each of n samples of so many bytes. */
DDR_KERNEL void pairs_kernel(const void *samples, int64_t n, uint32_t size, bool is_of_voxels,
                             void *pairs) {
  const int64_t k = DDR_THREAD, first = first_of_pair(k, is_of_voxels);
  if (k >= n) return;
  if (size == 1) DDR_PAIR_UP(uint8_t);
  else if (size == 2) DDR_PAIR_UP(uint16_t);
  else if (size == 4) DDR_PAIR_UP(uint32_t);
  else DDR_PAIR_UP(uint64_t);
}

/* The `n_around` samples before and after those of the host are 0. */
typedef struct Extent {
  size_t size, n_before, n_used, n_around, n;
} Extent;

static Extent extent_of(const ddr_device *device, const ddr_image *image) {
  Extent extent = {sample_size(device, image), 0, 0, samples_beyond(image), 0};
  extent.n_used = samples_used(image, &extent.n_before);
  extent.n = extent.n_used + 2 * extent.n_around; /* on both sides, since an axis may be reversed */
  return extent;
}

static bool is_of_voxels(const ddr_image *image) { return image->n_components == 2; }

static const char *copy_samples(ddr_device *device, const ddr_image *host, const Extent *extent,
                                char *samples) {
  const size_t size = extent->size;
  const char *error = ddr_device_check(
      device, "clear memory", cudaMemsetAsync(samples, 0, extent->n * size, ddr_stream(device)));
  if (!error)
    error = ddr_device_copy(device, samples + extent->n_around * size,
                            (const char *)host->samples - extent->n_before * size,
                            extent->n_used * size);
  return error;
}

static const char *pair_samples(ddr_device *device, const ddr_image *host, const Extent *extent,
                                const char *samples, void *pairs) {
  DDR_LAUNCH(pairs_kernel, &device->launch, (int64_t)extent->n, samples, (int64_t)extent->n,
             (uint32_t)extent->size, is_of_voxels(host), pairs);
  return ddr_device_launched(device, "copy an image");
}

/* --- samples of a client ---------------------------------------------------------------------- */

/* Where the client's samples are, and how many a row of the image has. */
typedef struct Given {
  ddr_given_samples samples;
  int64_t n_components, size[DDR_MAX_DIM], n_around, n;
} Given;

/* The client's sample for sample k of the copy; NULL: it is outside the image. */
DDR_DEVICE_FN const char *given_sample(const Given *given, int64_t k) {
  const ddr_given_samples *samples = &given->samples;
  int64_t rest = k - given->n_around;
  if (rest < 0 || k >= given->n - given->n_around) return NULL;
  const char *at = samples->data + rest % given->n_components * samples->component_step;
  rest /= given->n_components;
  at += rest % given->size[DDR_X] * samples->step[DDR_X];
  rest /= given->size[DDR_X];
  at += rest % given->size[DDR_Y] * samples->step[DDR_Y];
  return at + rest / given->size[DDR_Y] * samples->step[DDR_Z];
}

/* Converted to reals, and unchanged. */
#define ROW(number, c_type)                                                                        \
  case number:                                                                                     \
    return (Wanted)(*(const c_type *)(const void *)at);
#define GIVEN_AS(real)                                                                             \
  DDR_DEVICE_FN real given_##real(const Given *given, int64_t k) {                                 \
    typedef real Wanted;                                                                           \
    const char *const at = given_sample(given, k);                                                 \
    switch (at ? given->samples.type : 0) { DDR_VIEW_TYPES(ROW) }                                  \
    return 0;                                                                                      \
  }
GIVEN_AS(float)
GIVEN_AS(double)
#undef GIVEN_AS
#undef ROW

#define DDR_GIVEN_PAIR(type, sample)                                                               \
  do {                                                                                             \
    type *const to = (type *)pairs;                                                                \
    to[2 * k] = sample(&given, first);                                                             \
    to[2 * k + 1] = sample(&given, first + 1);                                                     \
  } while (0)

#define DDR_GIVEN_BITS(type)                                                                       \
  do {                                                                                             \
    const type *const one = (const type *)(const void *)given_sample(&given, first);               \
    const type *const other = (const type *)(const void *)given_sample(&given, first + 1);         \
    ((type *)pairs)[2 * k] = one ? *one : (type)0;                                                 \
    ((type *)pairs)[2 * k + 1] = other ? *other : (type)0;                                         \
  } while (0)

/* One thread for each sample of the copy, which has so many bytes and is converted to reals or not.
 */
DDR_KERNEL void given_pairs_kernel(Given given, bool is_real, uint32_t size, void *pairs) {
  const int64_t k = DDR_THREAD, first = first_of_pair(k, given.n_components == 2);
  if (k >= given.n) return;
  if (is_real && size == 4) DDR_GIVEN_PAIR(float, given_float);
  else if (is_real) DDR_GIVEN_PAIR(double, given_double);
  else if (size == 1) DDR_GIVEN_BITS(uint8_t);
  else if (size == 2) DDR_GIVEN_BITS(uint16_t);
  else if (size == 4) DDR_GIVEN_BITS(uint32_t);
  else DDR_GIVEN_BITS(uint64_t);
}

static const char *take_samples(ddr_device *device, const ddr_image *host,
                                const ddr_given_samples *samples, bool is_real,
                                const Extent *extent, void *pairs) {
  Given given = {
      *samples, host->n_components, {0, 0, 0}, (int64_t)extent->n_around, (int64_t)extent->n};
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) given.size[axis] = host->size[axis];
  DDR_LAUNCH(given_pairs_kernel, &device->launch, given.n, given, is_real, (uint32_t)extent->size,
             pairs);
  return ddr_device_launched(device, "read an image");
}

/* --- voxels that begin at odd samples --------------------------------------------------------- */

static bool has_odd_rows(const ddr_image *image) {
  bool is_odd = false;
  for (int axis = 0; axis < image->dim; axis++) is_odd |= image->stride[axis] % 2 != 0;
  return is_of_voxels(image) && is_odd;
}

/* The layout of the image on the device: that of the host, or packed rows if that is impossible. */
static ddr_image as_laid_out(const ddr_image *host) {
  ddr_image laid_out = *host;
  int64_t stride = host->n_components;
  laid_out.given = NULL;
  for (int axis = 0; has_odd_rows(host) && axis < DDR_MAX_DIM; axis++) {
    laid_out.stride[axis] = stride;
    stride *= host->size[axis];
  }
  return laid_out;
}

/* Where the samples are in a copy of the host's image. */
static ddr_given_samples in_copy(const ddr_image *host, const Extent *copied, const char *samples) {
  const int64_t size = (int64_t)copied->size;
  ddr_given_samples given = {
      samples + (copied->n_around + copied->n_before) * copied->size, 0, {0, 0, 0}, size};
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) given.step[axis] = host->stride[axis] * size;
  return given;
}

/* --- one image -------------------------------------------------------------------------------- */

/* Samples of the host are first copied to temporary memory on the device. */
static const char *fill_from_host(ddr_device *device, const ddr_image *host, const Extent *extent,
                                  void *pairs) {
  const Extent copied = extent_of(device, host);
  void *samples = NULL;
  const char *error = ddr_device_allocate(device, &samples, copied.n * copied.size);
  if (!error) error = copy_samples(device, host, &copied, (char *)samples);
  if (!error && has_odd_rows(host)) {
    const ddr_given_samples given = in_copy(host, &copied, (const char *)samples);
    error = take_samples(device, host, &given, false, extent, pairs);
  } else if (!error) {
    error = pair_samples(device, host, extent, (const char *)samples, pairs);
  }
  if (!error) error = ddr_device_finish(device, "copy an image");
  if (!error) ddr_stock_leave(device, samples); /* a world that begins meanwhile may take it */
  return error;
}

static const char *fill_pairs(ddr_device *device, const ddr_image *host, const Extent *extent,
                              void *pairs) {
  if (!host->given) return fill_from_host(device, host, extent, pairs);
  const bool is_real = host->sample == DDR_SAMPLE_REAL;
  const char *error = take_samples(device, host, host->given, is_real, extent, pairs);
  return error ? error : ddr_device_finish(device, "copy an image");
}

static const char *copy_image(ddr_device *device, const ddr_image *host, ddr_image_copy *made) {
  made->head = as_laid_out(host);
  const Extent extent = extent_of(device, &made->head);
  const bool is_argument = device->program->device->arguments_size > 0;
  const size_t n_head = sizeof made->head;
  if (!ddr_places_fit(&made->head, 2 * extent.size)) return "rows of an image are too far apart";
  const char *error = ddr_device_allocate(device, &made->pairs, 2 * extent.n * extent.size);
  if (!error)
    made->head.samples =
        (char *)made->pairs + 2 * (extent.n_around + extent.n_before) * extent.size;
  if (!error && !is_argument) error = ddr_device_allocate(device, (void **)&made->image, n_head);
  if (!error && !is_argument) error = ddr_device_copy(device, made->image, &made->head, n_head);
  return error ? error : fill_pairs(device, host, &extent, made->pairs);
}

/* --- those of all worlds ---------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ddr_image_copy *all_copies;

static ddr_image_copy *find_copy(int id, uint64_t number) {
  ddr_image_copy *copy = number == 0 ? NULL : all_copies;
  while (copy && (copy->id != id || copy->number != number)) copy = copy->next;
  return copy;
}

/* Afterwards the image is on the device, and the copy owns its memory. */
static const char *make_copy(ddr_device *device, const ddr_image *host, ddr_image_copy **found) {
  ddr_image_copy *made = (ddr_image_copy *)calloc(1, sizeof *made);
  if (!made) return "out of memory";
  const char *error = copy_image(device, host, made);
  if (error) {
    free(made);
    return error;
  }
  ddr_stock_detach(device, made->pairs, &made->blocks);
  if (made->image) ddr_stock_detach(device, made->image, &made->blocks);
  made->id = device->id;
  made->number = host->number;
  made->next = all_copies;
  *found = all_copies = made;
  return NULL;
}

/* The memory of an image that no world uses any more goes with the device. */
static void leave_copy(ddr_device *device, ddr_image_copy *copy) {
  ddr_image_copy **link = &all_copies;
  if (--copy->n_worlds > 0) return;
  while (*link != copy) link = &(*link)->next;
  *link = copy->next;
  ddr_stock_attach(device, copy->blocks);
  free(copy);
}

/* If another thread is copying the image, waits until the copy is there. */
static const char *use_copy(ddr_device *device, const ddr_image *host, ddr_image_use *use) {
  pthread_mutex_lock(&lock);
  ddr_image_copy *copy = find_copy(device->id, host->number);
  const char *error = copy ? NULL : make_copy(device, host, &copy);
  if (!error) copy->n_worlds++;
  pthread_mutex_unlock(&lock);
  use->host = host;
  use->copy = copy;
  return error;
}

const char *ddr_image_copies_find(ddr_device *device, const ddr_image *host,
                                  const ddr_image_copy **found) {
  for (uint32_t k = 0; k < device->n_images; k++) {
    *found = device->images[k].copy;
    if (device->images[k].host == host) return NULL;
  }
  ddr_image_use *use = &device->images[device->n_images];
  const char *error = use_copy(device, host, use);
  if (error) return error;
  device->n_images++;
  *found = use->copy;
  return NULL;
}

void ddr_image_copies_free(ddr_device *device) {
  pthread_mutex_lock(&lock);
  for (uint32_t k = 0; k < device->n_images; k++) leave_copy(device, device->images[k].copy);
  pthread_mutex_unlock(&lock);
  free(device->images);
}
