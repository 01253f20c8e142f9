/* client_memory.cu: examines memory that a client has on a device, and copies it.
 *
 * The driver knows what was allocated together.  Its functions are looked up by name, because
 * programs are not linked with it.  Without a driver, as in an interpreter, nothing is known and
 * the client is trusted.  Nothing here needs a ddr_device.
 */
#include <dlfcn.h>

#include "runtime/cuda/check.h"

static const char not_there[] = "it is not memory of a device";

/* --- what the driver says --------------------------------------------------------------------- */

#if defined(__HIPCC__)
static const char *find(const void *data, ddr_client_memory *found) {
  hipPointerAttribute_t attributes;
  hipDeviceptr_t begin = NULL;
  if (hipPointerGetAttributes(&attributes, data) != hipSuccess ||
      hipMemGetAddressRange(&begin, &found->n_bytes, (hipDeviceptr_t)data) != hipSuccess)
    return not_there;
  found->id = attributes.device;
  found->begin = (const char *)begin;
  return NULL;
}
#elif defined(DDR_GPU)
#include <cuda.h>

typedef CUresult ddr_ask_driver(void *answer, CUpointer_attribute what, CUdeviceptr pointer);

/* Memory that devices and host share belongs to none of them. */
static const char *ask(ddr_ask_driver *driver, const void *data, ddr_client_memory *found) {
  const CUdeviceptr pointer = (CUdeviceptr)(uintptr_t)data;
  CUdeviceptr begin = 0;
  unsigned type = 0, is_shared = 0;
  if (driver(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer) != CUDA_SUCCESS) return not_there;
  if (driver(&is_shared, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer) != CUDA_SUCCESS) is_shared = 0;
  if (!is_shared && type != CU_MEMORYTYPE_DEVICE) return not_there;
  if (driver(&found->id, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer) != CUDA_SUCCESS)
    return not_there;
  if (is_shared) found->id = -1;
  if (driver(&begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer) == CUDA_SUCCESS &&
      driver(&found->n_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer) == CUDA_SUCCESS)
    found->begin = (const char *)(uintptr_t)begin;
  else found->n_bytes = SIZE_MAX;
  return NULL;
}

static const char *find(const void *data, ddr_client_memory *found) {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY);
  ddr_ask_driver *driver =
      library ? (ddr_ask_driver *)dlsym(library, "cuPointerGetAttribute") : NULL;
  const char *error = driver ? ask(driver, data, found) : NULL;
  if (library) dlclose(library);
  return error;
}
#else
static const char *find(const void *data, ddr_client_memory *found) {
  return shim_find_memory(data, &found->id, &found->begin, &found->n_bytes) ? NULL : not_there;
}
#endif

/* --- for the world ---------------------------------------------------------------------------- */

/* NULL, or why it failed; the text is CUDA's and need not be freed. */
static const char *reason_of(cudaError_t error) {
  if (error == cudaSuccess) return NULL;
  (void)cudaGetLastError(); /* reported */
  return cudaGetErrorString(error);
}

/* Makes a device current; -1: keeps the current one. */
static cudaError_t enter(int id, int *before) {
  (void)cudaGetLastError(); /* the caller's, if any */
  const cudaError_t error = cudaGetDevice(before);
  return error == cudaSuccess ? cudaSetDevice(id < 0 ? *before : id) : error;
}

static const char *leave(int before, cudaError_t error) {
  const char *reason = reason_of(error);
  cudaSetDevice(before);
  return reason;
}

const char *ddr_client_find(const void *data, ddr_client_memory *found) {
  int before = 0;
  const ddr_client_memory unknown = {-1, NULL, SIZE_MAX};
  *found = unknown;
  cudaError_t error = enter(-1, &before);
  if (error != cudaSuccess) return leave(before, error);
  const char *reason = ddr_stock_has_left(data) ? not_there : find(data, found);
  (void)cudaGetLastError(); /* the caller's */
  return reason;
}

const char *ddr_client_wait(int id, void *stream) {
  int before = 0;
  cudaError_t error = enter(id, &before);
  if (error == cudaSuccess) error = cudaStreamSynchronize((cudaStream_t)stream);
  return leave(before, error);
}

const char *ddr_client_bring(int id, const void *data, size_t n_bytes, void *copy) {
  int before = 0;
  cudaError_t error = enter(id, &before);
  if (error == cudaSuccess) error = cudaMemcpyAsync(copy, data, n_bytes, cudaMemcpyDefault, NULL);
  if (error == cudaSuccess) error = cudaStreamSynchronize(NULL);
  return leave(before, error);
}
