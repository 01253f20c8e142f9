/* device.cu: one program's strands on one device: memory, launches, transfers.
 *
 * State, globals and images stay on the device from `create` on; the host has a mirror only when it
 * asks.  Every call of CUDA is checked; the first that fails makes the line that the world reports.
 * All work goes through a stream of its own, and nobody's current device is changed for longer than
 * a call.
 *
 * Read next: ddr/device.h (the contract), select.cu (who still runs).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ddr/image.h"
#include "runtime/cuda/check.h"

enum { MESSAGE_SIZE = 256, BLOCK_SIZE = 128, CAPACITY_STEP = 256 };

/* Updates per launch, at first; doubled from launch to launch, so that few strands that live long
 * cost few launches, and many that end soon are compacted soon. */
enum { FIRST_STEPS = 16, MOST_STEPS = 1 << 16 };

/* An image of the host and its copy. */
typedef struct {
  const ddr_image *host;
  ddr_image *device;
  void *samples;
} Copy;

struct ddr_device {
  const ddr_program *program;
  int id, id_before; /* that of the caller, during a call */
  ddr_launch launch;
  void *globals;
  Copy *copies;
  uint32_t n_copies;
  ddr_device_strands strands;
  int64_t *running[2], *n_running;
  uint32_t *most;
  void *scratch;
  size_t n_scratch;
  char name[MESSAGE_SIZE], message[MESSAGE_SIZE];
};

static const char *check(ddr_device *device, const char *what, cudaError_t error) {
  if (error == cudaSuccess) return NULL;
  snprintf(device->message, sizeof device->message, "device %d: cannot %s: %s (%s)", device->id,
           what, cudaGetErrorString(error), cudaGetErrorName(error));
  return device->message;
}

/* --- a call: the device is current ------------------------------------------------------------ */

static const char *enter(ddr_device *device) {
  cudaGetDevice(&device->id_before);
  return check(device, "select it", cudaSetDevice(device->id));
}

static const char *leave(ddr_device *device, const char *error) {
  cudaSetDevice(device->id_before);
  return error;
}

static cudaStream_t stream_of(const ddr_device *device) {
  return (cudaStream_t)device->launch.stream;
}

static const char *allocate(ddr_device *device, void **memory, size_t n_bytes) {
  *memory = NULL;
  return check(device, "allocate memory", cudaMalloc(memory, n_bytes + (n_bytes == 0)));
}

static const char *copy(ddr_device *device, void *dst, const void *src, size_t n_bytes) {
  return check(device, "copy memory",
               cudaMemcpyAsync(dst, src, n_bytes, cudaMemcpyDefault, stream_of(device)));
}

static const char *finish(ddr_device *device, const char *what) {
  return check(device, what, cudaStreamSynchronize(stream_of(device)));
}

/* --- open and close --------------------------------------------------------------------------- */

static const char *none_usable(void) { return "there is no usable device"; }

static const char *ddr_cuda_open(const ddr_program *program, int id, uint32_t block_size,
                                 ddr_device **device) {
  int n_devices = 0;
  *device = NULL;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return none_usable();
  if (id >= n_devices) return "there is no device of that number";
  ddr_device *opened = (ddr_device *)calloc(1, sizeof *opened);
  if (!opened) return "out of memory";
  opened->program = program;
  opened->id = id;
  opened->launch.block_size = block_size > 0 ? (int32_t)block_size : BLOCK_SIZE;
  cudaStream_t stream = NULL;
  struct cudaDeviceProp properties;
  if (enter(opened) || cudaGetDeviceProperties(&properties, opened->id) != cudaSuccess ||
      cudaStreamCreate(&stream) != cudaSuccess) {
    leave(opened, NULL);
    free(opened);
    return none_usable();
  }
  opened->launch.stream = stream;
  snprintf(opened->name, sizeof opened->name, "%s", properties.name);
  leave(opened, NULL);
  *device = opened;
  return NULL;
}

static const char *ddr_cuda_name(const ddr_device *device) { return device->name; }

static void free_copies(ddr_device *device) {
  for (uint32_t k = 0; k < device->n_copies; k++) {
    cudaFree(device->copies[k].samples);
    cudaFree(device->copies[k].device);
  }
  free(device->copies);
  device->copies = NULL;
  device->n_copies = 0;
}

static void ddr_cuda_close(ddr_device *device) {
  if (!device) return;
  enter(device);
  free_copies(device);
  cudaFree(device->globals);
  cudaFree(device->strands.state);
  cudaFree(device->strands.status);
  cudaFree(device->running[0]);
  cudaFree(device->running[1]);
  cudaFree(device->n_running);
  cudaFree(device->most);
  cudaFree(device->scratch);
  cudaStreamDestroy(stream_of(device));
  leave(device, NULL);
  free(device);
}

/* --- globals and images ----------------------------------------------------------------------- */

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

/* Samples from the first in memory to the last, and how many lie before that of voxel (0,0,0): axes
 * may run backwards. */
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

/* What a support reaches beyond a short or very long axis, and a row beyond its last (image.h). */
static size_t samples_beyond(const ddr_image *image) {
  size_t n = DDR_ROW_SLACK;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t size = image->size[axis], missing = size < DDR_MAX_TAPS ? DDR_MAX_TAPS - size : 1;
    const int64_t stride = image->stride[axis];
    n += (size_t)missing * (size_t)(stride < 0 ? -stride : stride);
  }
  return n;
}

static const char *copy_image(ddr_device *device, const ddr_image *host, Copy *made) {
  size_t n_before;
  const size_t size = sample_size(device, host), n_used = samples_used(host, &n_before) * size;
  const size_t n_around =
      samples_beyond(host) * size; /* on both sides: some axis may be reversed */
  const size_t n_bytes = n_used + 2 * n_around;
  ddr_image image = *host;
  made->host = host;
  const char *error = allocate(device, &made->samples, n_bytes);
  if (!error) error = allocate(device, (void **)&made->device, sizeof image);
  if (!error)
    error = check(device, "clear memory",
                  cudaMemsetAsync(made->samples, 0, n_bytes, stream_of(device)));
  char *first = (char *)made->samples + n_around;
  if (!error) error = copy(device, first, (const char *)host->samples - n_before * size, n_used);
  image.samples = first + n_before * size;
  if (!error) error = copy(device, made->device, &image, sizeof image);
  return error ? error : finish(device, "copy an image");
}

/* The copy of an image; several globals may be the same one. */
static const char *find_copy(ddr_device *device, const ddr_image *host, const ddr_image **found) {
  for (uint32_t k = 0; k < device->n_copies; k++) {
    *found = device->copies[k].device;
    if (device->copies[k].host == host) return NULL;
  }
  Copy *made = &device->copies[device->n_copies++];
  const char *error = copy_image(device, host, made);
  *found = made->device;
  return error;
}

/* In the host's image of the globals, images become those of the device. */
static const char *replace_images(ddr_device *device, char *globals) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_images && !error; k++) {
    char *field = globals + program->images[k].offset;
    const ddr_image *image = NULL;
    memcpy(&image, field, sizeof image);
    if (image) error = find_copy(device, image, &image);
    memcpy(field, &image, sizeof image);
  }
  return error;
}

static const char *upload(ddr_device *device, const void *globals) {
  const size_t n_bytes = device->program->globals_size;
  const uint32_t n_images = device->program->device->n_images;
  free_copies(device);
  device->copies = (Copy *)calloc(n_images + 1u, sizeof *device->copies);
  char *patched = (char *)malloc(n_bytes + 1);
  const char *error = patched && device->copies ? NULL : "out of memory";
  if (!error) {
    memcpy(patched, globals, n_bytes);
    error = replace_images(device, patched);
  }
  if (!error && !device->globals) error = allocate(device, &device->globals, n_bytes);
  if (!error) error = copy(device, device->globals, patched, n_bytes);
  if (!error) error = finish(device, "copy the globals");
  free(patched);
  return error;
}

static const char *ddr_cuda_upload(ddr_device *device, const void *globals) {
  const char *error = enter(device);
  return leave(device, error ? error : upload(device, globals));
}

/* --- strands ---------------------------------------------------------------------------------- */

/* Warps of a grid take tiles of 8 by 4 strands: their rays stay close to each other. */
enum { TILE_WIDTH = 8, TILE_HEIGHT = 4 };

/* Slot number `place` in the order of tiles of a plane that is `width` by `height`; those that are
 * no whole tile come row by row. */
DDR_FN int64_t tile_slot(int64_t place, int64_t width, int64_t height) {
  const int64_t n_across = width / TILE_WIDTH, band = width * TILE_HEIGHT;
  const int64_t row = place / band * TILE_HEIGHT, within = place % band;
  const int64_t tile = within / (TILE_WIDTH * TILE_HEIGHT), k = within % (TILE_WIDTH * TILE_HEIGHT);
  if (row + TILE_HEIGHT > height || tile >= n_across) return place;
  return (row + k / TILE_WIDTH) * width + tile * TILE_WIDTH + k % TILE_WIDTH;
}

DDR_KERNEL void begin_kernel(ddr_device_strands strands, int64_t *running, int64_t width,
                             int64_t height) {
  const int64_t thread = DDR_THREAD;
  if (thread >= strands.n_slots) return;
  const int64_t plane = width * height;
  const int64_t within =
      width % TILE_WIDTH == 0 ? tile_slot(thread % plane, width, height) : thread % plane;
  running[thread] = thread / plane * plane + within;
  strands.status[thread] = DDR_NEW;
}

static void begin(ddr_device *device) {
  const ddr_device_strands *strands = &device->strands;
  const uint32_t rank = device->program->rank;
  const int64_t width = rank > 0 ? strands->len[rank - 1] : 1;
  const int64_t height = rank > 1 ? strands->len[rank - 2] : 1;
  DDR_LAUNCH(begin_kernel, &device->launch, strands->n_slots, *strands, device->running[0], width,
             height);
}

static const char *allocate_strands(ddr_device *device, int64_t n_slots) {
  ddr_device_strands *strands = &device->strands;
  const int64_t capacity = (n_slots + CAPACITY_STEP - 1) / CAPACITY_STEP * CAPACITY_STEP;
  const size_t n = (size_t)capacity, state_size = device->program->state_size;
  if (n > SIZE_MAX / 4 / (state_size + sizeof(int64_t))) return "there are too many strands";
  strands->n_slots = strands->n_running = n_slots;
  strands->capacity = capacity;
  const char *error = allocate(device, (void **)&strands->state, n * state_size);
  if (!error) error = allocate(device, (void **)&strands->status, n);
  if (!error) error = allocate(device, (void **)&device->running[0], n * sizeof(int64_t));
  if (!error) error = allocate(device, (void **)&device->running[1], n * sizeof(int64_t));
  if (!error) error = allocate(device, (void **)&device->n_running, sizeof(int64_t));
  if (!error) error = allocate(device, (void **)&device->most, sizeof(uint32_t));
  strands->running = device->running[0];
  return error;
}

static const char *create(ddr_device *device, const ddr_strands *host) {
  ddr_device_strands *strands = &device->strands;
  memcpy(strands->lo, host->lo, sizeof strands->lo);
  memcpy(strands->len, host->len, sizeof strands->len);
  const char *error = allocate_strands(device, host->n_slots);
  if (error || host->n_slots == 0) return error;
  begin(device);
  device->program->device->create(&device->launch, device->globals, *strands);
  error = check(device, "create the strands", cudaGetLastError());
  return error ? error : finish(device, "create the strands");
}

static const char *ddr_cuda_create(ddr_device *device, const ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : create(device, host));
}

/* --- run -------------------------------------------------------------------------------------- */

/* One launch, and who still runs after it. */
static const char *advance(ddr_device *device, uint32_t n_steps, uint32_t *most) {
  ddr_device_strands *strands = &device->strands;
  const bool is_first = strands->running == device->running[0];
  int64_t *kept = device->running[is_first];
  const char *error =
      check(device, "clear memory",
            cudaMemsetAsync(device->most, 0, sizeof *device->most, stream_of(device)));
  if (error) return error;
  device->program->device->update(&device->launch, device->globals, *strands, n_steps,
                                  device->most);
  error = check(device, "update the strands", cudaGetLastError());
  if (!error)
    error = check(device, "find the strands that run",
                  ddr_device_select(&device->launch, *strands, kept, device->n_running,
                                    &device->scratch, &device->n_scratch));
  if (!error) error = copy(device, most, device->most, sizeof *most);
  if (!error) error = copy(device, &strands->n_running, device->n_running, sizeof(int64_t));
  if (!error) error = finish(device, "update the strands");
  strands->running = kept;
  return error;
}

static const char *run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  uint32_t at_once = FIRST_STEPS;
  *n_steps = 0;
  while (device->strands.n_running > 0 && (max_steps == 0 || *n_steps < max_steps)) {
    uint32_t n = at_once, most = 0;
    if (max_steps > 0 && n > max_steps - *n_steps) n = max_steps - *n_steps;
    const char *error = advance(device, n, &most);
    if (error) return error;
    *n_steps += most;
    if (at_once < MOST_STEPS) at_once *= 2;
  }
  return NULL;
}

static const char *ddr_cuda_run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  const char *error = enter(device);
  return leave(device, error ? error : run(device, max_steps, n_steps));
}

/* --- mirrors ---------------------------------------------------------------------------------- */

static void scatter(const char *src, size_t size, char *dst, size_t stride, int64_t n) {
  for (int64_t k = 0; k < n; k++) memcpy(dst + (size_t)k * stride, src + (size_t)k * size, size);
}

static size_t widest_column(const ddr_device_program *program) {
  size_t most = 0;
  for (uint32_t k = 0; k < program->n_columns; k++) {
    if (program->columns[k].size > most) most = program->columns[k].size;
  }
  return most;
}

static const char *fetch(ddr_device *device, ddr_strands *host) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  const int64_t n = host->n_slots = strands->n_slots; /* there is room: no strand was born */
  char *column = (char *)malloc((size_t)n * widest_column(program) + 1);
  const char *error =
      column ? copy(device, host->status, strands->status, (size_t)n) : "out of memory";
  for (uint32_t k = 0; k < program->n_columns && !error; k++) {
    const size_t size = program->columns[k].size, offset = program->columns[k].offset;
    const char *src = strands->state + (int64_t)offset * strands->capacity;
    error = copy(device, column, src, size * (size_t)n);
    if (!error) error = finish(device, "copy the strands");
    if (!error) scatter(column, size, (char *)host->state + offset, device->program->state_size, n);
  }
  free(column);
  return error;
}

static const char *ddr_cuda_fetch(ddr_device *device, ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : fetch(device, host));
}

const ddr_device_engine ddr_cuda = {
    ddr_cuda_open, ddr_cuda_name,  ddr_cuda_upload, ddr_cuda_create,
    ddr_cuda_run,  ddr_cuda_fetch, ddr_cuda_close,
};
