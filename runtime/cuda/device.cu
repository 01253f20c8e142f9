/* device.cu: one program on one device: calls of CUDA, and the engine that the world uses.
 *
 * State, globals and images stay on the device from `create` on; the host gets copies only when it
 * asks for them.  Every call of CUDA is checked; the first one that fails gives the line that the
 * world reports.  All work goes through one stream, and the caller's current device is changed only
 * during a call.
 *
 * Read next: ddr/device/device.h (the contract), strands.cu (the store), run.cu (phases),
 * commit.cu.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/cuda/check.h"

enum { BLOCK_SIZE = 128 };

/* --- calls of CUDA ---------------------------------------------------------------------------- */

const char *ddr_device_check(ddr_device *device, const char *what, cudaError_t error) {
  if (error == cudaSuccess) return NULL;
  device->has_failed = true;
  snprintf(device->message, sizeof device->message, "device %d: cannot %s: %s (%s)", device->id,
           what, cudaGetErrorString(error), cudaGetErrorName(error));
  (void)cudaGetLastError(); /* reported: it must not be taken for an error of the next launch */
  return device->message;
}

const char *ddr_device_launched(ddr_device *device, const char *what) {
  return ddr_device_check(device, what, cudaGetLastError());
}

static const char *allocate_for(ddr_device *device, const char *what, void **memory,
                                size_t n_bytes) {
  return ddr_device_check(device, what, ddr_stock_allocate(device, memory, n_bytes));
}

const char *ddr_device_allocate(ddr_device *device, void **memory, size_t n_bytes) {
  return allocate_for(device, "allocate memory", memory, n_bytes);
}

const char *ddr_device_copy(ddr_device *device, void *dst, const void *src, size_t n_bytes) {
  return ddr_device_check(
      device, "copy memory",
      cudaMemcpyAsync(dst, src, n_bytes, cudaMemcpyDefault, ddr_stream(device)));
}

const char *ddr_device_finish(ddr_device *device, const char *what) {
  return ddr_device_check(device, what, cudaStreamSynchronize(ddr_stream(device)));
}

void ddr_space_release(ddr_device *device, ddr_space *space) {
  ddr_stock_free(device, space->memory);
  space->memory = NULL;
  space->n_bytes = 0;
}

const char *ddr_space_reserve_for(ddr_device *device, const char *what, ddr_space *space,
                                  size_t n_bytes) {
  if (space->memory && n_bytes <= space->n_bytes) return NULL;
  ddr_space_release(device, space);
  const char *error = allocate_for(device, what, &space->memory, n_bytes);
  if (!error) space->n_bytes = n_bytes;
  return error;
}

const char *ddr_space_reserve(ddr_device *device, ddr_space *space, size_t n_bytes) {
  return ddr_space_reserve_for(device, "allocate memory", space, n_bytes);
}

const char *ddr_space_reserve_zeros(ddr_device *device, const char *what, ddr_space *space,
                                    size_t n_bytes) {
  if (space->memory && n_bytes <= space->n_bytes) return NULL;
  const char *error = ddr_space_reserve_for(device, what, space, n_bytes);
  if (error) return error;
  return ddr_device_check(device, "clear memory",
                          cudaMemsetAsync(space->memory, 0, n_bytes, ddr_stream(device)));
}

void ddr_space_swap(ddr_space *a, ddr_space *b) {
  const ddr_space was = *a;
  *a = *b;
  *b = was;
}

/* --- a call: the device is current ------------------------------------------------------------ */

static const char *enter(ddr_device *device) {
  (void)cudaGetLastError(); /* the caller's, if any */
  const char *error =
      ddr_device_check(device, "tell which is current", cudaGetDevice(&device->id_before));
  return error ? error : ddr_device_check(device, "select it", cudaSetDevice(device->id));
}

static const char *leave(ddr_device *device, const char *error) {
  cudaSetDevice(device->id_before);
  return error;
}

/* --- open and close --------------------------------------------------------------------------- */

#if defined(__HIPCC__)
static bool has_driver(void) { return access("/dev/kfd", F_OK) == 0; }
#elif defined(DDR_GPU)
static bool has_driver(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver) dlclose(driver);
  return driver != NULL;
}
#else
static bool has_driver(void) { return shim_has_driver(); }
#endif

/* Without a driver there is no device, which is not an error; a driver that is too old is an error.
 */
static cudaError_t count_devices(int *n_devices) {
  *n_devices = 0;
  const cudaError_t error = cudaGetDeviceCount(n_devices);
  (void)cudaGetLastError();
  if (error == cudaSuccess) return *n_devices > 0 ? error : cudaErrorNoDevice;
  return error == cudaErrorInsufficientDriver && !has_driver() ? cudaErrorNoDevice : error;
}

static bool ddr_cuda_is_there(void) {
  int n_devices;
  return count_devices(&n_devices) != cudaErrorNoDevice;
}

/* NULL, or why there is none; the text is CUDA's and need not be freed. */
static const char *reason_of(cudaError_t error) {
  (void)cudaGetLastError();
  return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

static const char *begin(ddr_device *device) {
  cudaError_t error = cudaGetDevice(&device->id_before);
  if (error == cudaSuccess) error = cudaSetDevice(device->id);
  if (error == cudaSuccess) error = ddr_stock_open(device);
  return reason_of(error);
}

static const char *ddr_cuda_open(const ddr_program *program, ddr_world *world, int id, bool any,
                                 uint32_t block_size, ddr_device **device) {
  int n_devices = 0;
  *device = NULL;
  const cudaError_t count = count_devices(&n_devices);
  if (count == cudaErrorNoDevice) return "there is no usable device";
  if (count != cudaSuccess) return reason_of(count);
  if (any) id %= n_devices;
  if (id >= n_devices) return "there is no device of that number";
  ddr_device *opened = (ddr_device *)calloc(1, sizeof *opened);
  if (!opened) return "out of memory";
  opened->program = program;
  opened->prints.world = world;
  opened->id = id;
  opened->launch.block_size = block_size > 0 ? (int32_t)block_size : BLOCK_SIZE;
  opened->launch.least_block = (int32_t)block_size; /* as requested; it is not changed later */
  (void)cudaGetLastError();                         /* the caller's, if any */
  const char *error = begin(opened);
  leave(opened, NULL);
  if (error) free(opened);
  else *device = opened;
  return error;
}

static const char *ddr_cuda_name(const ddr_device *device) { return device->facts->name; }

static void ddr_cuda_close(ddr_device *device) {
  if (!device) return;
  enter(device);
  ddr_globals_free(device);
  ddr_store_free(device);
  ddr_prints_free(device);
  ddr_show_free(device);
  ddr_stock_close(device);
  leave(device, NULL);
  free(device);
}

/* --- the engine ------------------------------------------------------------------------------- */

static const char *ddr_cuda_upload(ddr_device *device, const void *globals) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_globals_upload(device, globals));
}

static const char *ddr_cuda_create(ddr_device *device, const ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_store_create(device, host));
}

static const char *ddr_cuda_run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_phase_run(device, max_steps, n_steps));
}

static const char *ddr_cuda_end_all(ddr_device *device, ddr_strand_status status) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_phase_end_all(device, status));
}

static const char *ddr_cuda_reduce(ddr_device *device, const ddr_set_reduction *what, int64_t n,
                                   const void *context, ddr_reduced *results) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_set_reduce(device, what, n, context, results));
}

static const char *ddr_cuda_reserve(ddr_device *device, const ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_store_allocate(device, host));
}

static const char *ddr_cuda_run_part(ddr_device *device, const ddr_device_part *part,
                                     ddr_strands *host, uint32_t *n_steps) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_part_run(device, part, host, n_steps));
}

static const char *ddr_cuda_fetch_part(ddr_device *device, int64_t first, int64_t n,
                                       ddr_part_columns which, size_t offset, size_t size,
                                       ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_part_fetch(device, first, n, which, offset, size, host));
}

static const char *ddr_cuda_tell_part(ddr_device *device, int64_t first, int64_t n,
                                      ddr_part_columns which, const ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_part_tell(device, first, n, which, host));
}

static ddr_counts ddr_cuda_count(const ddr_device *device) {
  const ddr_counts counts = {device->strands.n_slots, device->strands.n_active,
                             device->strands.n_stable};
  return counts;
}

static const char *ddr_cuda_fetch(ddr_device *device, size_t offset, size_t size,
                                  ddr_strands *host) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_store_fetch(device, offset, size, host));
}

static const char *ddr_cuda_show(ddr_device *device, uint32_t idx, bool of_stable,
                                 ddr_device_values *values) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_show_output(device, idx, of_stable, values));
}

static const char *ddr_cuda_take(ddr_device *device, uint32_t idx, bool of_stable, void *values) {
  const char *error = enter(device);
  return leave(device, error ? error : ddr_show_take(device, idx, of_stable, values));
}

#if !defined(__HIP_DEVICE_COMPILE__) /* clang would also put constants on the device */
const ddr_device_engine ddr_cuda = {
    ddr_cuda_open,       ddr_cuda_is_there,  ddr_cuda_name,   ddr_cuda_upload,  ddr_cuda_create,
    ddr_cuda_run,        ddr_cuda_end_all,   ddr_cuda_reduce, ddr_cuda_count,   ddr_cuda_fetch,
    ddr_cuda_show,       ddr_cuda_take,      ddr_cuda_close,  ddr_cuda_reserve, ddr_cuda_run_part,
    ddr_cuda_fetch_part, ddr_cuda_tell_part, ddr_client_find, ddr_client_wait,  ddr_client_bring,
};
#endif
