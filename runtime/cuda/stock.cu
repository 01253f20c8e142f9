/* stock.cu: what one world on a device leaves to the next: memory, a stream, and facts about the
 * device.  To get these anew would take longer than many a frame.
 *
 * A world that ends leaves its memory here.  Blocks that the next world could have taken and did
 * not are freed when that world ends, so the stock has at most what earlier worlds had, and never
 * more than a part of the device's memory.  A world does not get back memory that it has left
 * itself, so that tools still notice use after release.
 *
 * Read next: device.cu.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/cuda/check.h"

/* At most this fraction, 1 / n, of the device's memory may be in the stock. */
enum { PART_LEFT = 8 };

enum { MOST_STREAMS = 4 };

/* A device, and what the stock has of it. */
typedef struct ddr_place {
  struct ddr_place *next;
  int id;
  ddr_device_facts facts;
  ddr_stock_block *left;
  size_t n_left; /* bytes */
  uint64_t n_opened;
  cudaStream_t streams[MOST_STREAMS];
  uint32_t n_streams;
} ddr_place;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ddr_place *places;

/* --- under the lock --------------------------------------------------------------------------- */

static ddr_place *find_place(int id) {
  ddr_place *place = places;
  while (place && place->id != id) place = place->next;
  return place;
}

static ddr_stock_block *unlink_left(ddr_place *place, ddr_stock_block **link) {
  ddr_stock_block *block = *link;
  *link = block->next;
  place->n_left -= block->n_bytes;
  return block;
}

/* Whether a block is not too large for so many bytes.  In the shim it must fit exactly, so that
 * access beyond the end is noticed. */
static bool is_fit(const ddr_stock_block *block, size_t n_bytes) {
#if defined(DDR_SHIM)
  return block->n_bytes == n_bytes;
#else
  return block->n_bytes >= n_bytes && block->n_bytes - n_bytes <= n_bytes / 4 + 512;
#endif
}

/* The smallest block that is large enough; NULL: there is none. */
static ddr_stock_block *take_left(ddr_place *place, size_t n_bytes) {
  ddr_stock_block **best = NULL;
  for (ddr_stock_block **link = &place->left; *link; link = &(*link)->next)
    if (is_fit(*link, n_bytes) && (!best || (*link)->n_bytes < (*best)->n_bytes)) best = link;
  return best ? unlink_left(place, best) : NULL;
}

static void leave_block(ddr_place *place, ddr_stock_block *block) {
  block->when = place->n_opened;
  block->next = place->left;
  place->left = block;
  place->n_left += block->n_bytes;
}

/* Frees the blocks that were here before a world began; and the oldest, if there is too much. */
static ddr_stock_block *unlink_unwanted(ddr_place *place, uint64_t begun) {
  ddr_stock_block *unwanted = NULL;
  size_t n_kept = 0;
  for (ddr_stock_block **link = &place->left; *link;) {
    ddr_stock_block *block = *link;
    const size_t room = place->facts.n_bytes / PART_LEFT;
    if (block->when >= begun && n_kept <= room && block->n_bytes <= room - n_kept) {
      n_kept += block->n_bytes;
      link = &block->next;
    } else {
      unlink_left(place, link);
      block->next = unwanted;
      unwanted = block;
    }
  }
  return unwanted;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void free_blocks(ddr_stock_block *block) {
  while (block) {
    ddr_stock_block *next = block->next;
    cudaFree(block->memory);
    free(block);
    block = next;
  }
}

/* Frees all that the stock has of the device; false: it has nothing. */
static bool give_up_left(ddr_device *device) {
  pthread_mutex_lock(&lock);
  ddr_stock_block *left = device->place->left;
  device->place->left = NULL;
  device->place->n_left = 0;
  pthread_mutex_unlock(&lock);
  free_blocks(left);
  return left != NULL;
}

static ddr_stock_block *take(ddr_device *device, size_t n_bytes) {
  pthread_mutex_lock(&lock);
  ddr_stock_block *block = take_left(device->place, n_bytes);
  pthread_mutex_unlock(&lock);
#if defined(DDR_SHIM)
  if (block) shim_renew_memory(block->memory, block->n_bytes);
#endif
  return block;
}

static cudaError_t make(ddr_device *device, size_t n_bytes, ddr_stock_block **made) {
  ddr_stock_block *block = (ddr_stock_block *)malloc(sizeof *block);
  if (!block) return cudaErrorMemoryAllocation;
  block->n_bytes = n_bytes;
  cudaError_t error = cudaMalloc(&block->memory, n_bytes);
  if (error == cudaErrorMemoryAllocation && give_up_left(device)) {
    (void)cudaGetLastError();
    error = cudaMalloc(&block->memory, n_bytes);
  }
  if (error == cudaSuccess) *made = block;
  else free(block);
  return error;
}

cudaError_t ddr_stock_allocate(ddr_device *device, void **memory, size_t n_bytes) {
  const size_t n_asked = n_bytes + (n_bytes == 0);
  ddr_stock_block *block = take(device, n_asked);
  *memory = NULL;
  const cudaError_t error = block ? cudaSuccess : make(device, n_asked, &block);
  if (error != cudaSuccess) return error;
  block->next = device->blocks;
  device->blocks = block;
  *memory = block->memory;
  return cudaSuccess;
}

static ddr_stock_block *unlink_own(ddr_device *device, const void *memory) {
  ddr_stock_block **link = &device->blocks;
  while (*link && (*link)->memory != memory) link = &(*link)->next;
  ddr_stock_block *block = *link;
  if (block) *link = block->next;
  return block;
}

void ddr_stock_free(ddr_device *device, void *memory) {
  if (!memory) return;
  free(unlink_own(device, memory));
  cudaFree(memory);
}

void ddr_stock_leave(ddr_device *device, void *memory) {
  ddr_stock_block *block = memory ? unlink_own(device, memory) : NULL;
  if (!block) return;
#if defined(DDR_SHIM)
  shim_close_block(block->memory, block->n_bytes);
#endif
  pthread_mutex_lock(&lock);
  leave_block(device->place, block);
  pthread_mutex_unlock(&lock);
}

void ddr_stock_detach(ddr_device *device, void *memory, ddr_stock_block **to) {
  ddr_stock_block *block = unlink_own(device, memory);
  block->next = *to;
  *to = block;
}

void ddr_stock_attach(ddr_device *device, ddr_stock_block *blocks) {
  while (blocks) {
    ddr_stock_block *next = blocks->next;
    blocks->next = device->blocks;
    device->blocks = blocks;
    blocks = next;
  }
}

bool ddr_stock_has_left(const void *data) {
  bool is_left = false;
  pthread_mutex_lock(&lock);
  for (const ddr_place *place = places; place; place = place->next)
    for (const ddr_stock_block *block = place->left; block; block = block->next)
      is_left |= (uintptr_t)data - (uintptr_t)block->memory < block->n_bytes;
  pthread_mutex_unlock(&lock);
  return is_left;
}

/* --- open and close --------------------------------------------------------------------------- */

static cudaError_t ask(int id, ddr_device_facts *facts) {
  struct cudaDeviceProp properties;
  size_t n_free = 0;
  cudaError_t error = cudaGetDeviceProperties(&properties, id);
  if (error == cudaSuccess) error = cudaMemGetInfo(&n_free, &facts->n_bytes);
  if (error != cudaSuccess) return error;
  facts->n_multiprocessors = properties.multiProcessorCount;
  facts->warp_size = properties.warpSize;
  facts->n_threads =
      (int64_t)properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor;
  snprintf(facts->name, sizeof facts->name, "%s", properties.name);
  return cudaSuccess;
}

static cudaError_t open_place(int id, ddr_place **opened) {
  ddr_place *place = find_place(id);
  *opened = place;
  if (place) return cudaSuccess;
  place = (ddr_place *)calloc(1, sizeof *place);
  if (!place) return cudaErrorMemoryAllocation;
  place->id = id;
  const cudaError_t error = ask(id, &place->facts);
  if (error != cudaSuccess) {
    free(place);
    return error;
  }
  place->next = places;
  *opened = places = place;
  return cudaSuccess;
}

cudaError_t ddr_stock_open(ddr_device *device) {
  cudaStream_t stream = NULL;
  pthread_mutex_lock(&lock);
  cudaError_t error = open_place(device->id, &device->place);
  if (error == cudaSuccess) {
    device->number = ++device->place->n_opened;
    if (device->place->n_streams > 0) stream = device->place->streams[--device->place->n_streams];
  }
  pthread_mutex_unlock(&lock);
  if (error == cudaSuccess && !stream) error = cudaStreamCreate(&stream);
  if (error != cudaSuccess) return error;
  device->facts = &device->place->facts;
  device->launch.stream = stream;
  device->launch.n_multiprocessors = device->facts->n_multiprocessors;
  if (!device->launch.least_block) device->launch.least_block = device->facts->warp_size;
  return cudaSuccess;
}

/* Leaves what a device has, if the device works and no client uses it. */
static void leave_all(ddr_device *device) {
  ddr_place *place = device->place;
  cudaStream_t stream = ddr_stream(device);
  while (device->blocks) ddr_stock_leave(device, device->blocks->memory);
  pthread_mutex_lock(&lock);
  ddr_stock_block *unwanted = unlink_unwanted(place, device->number);
  const bool has_room = place->n_streams < MOST_STREAMS;
  if (has_room) place->streams[place->n_streams++] = stream;
  pthread_mutex_unlock(&lock);
  if (!has_room) cudaStreamDestroy(stream);
  free_blocks(unwanted);
}

void ddr_stock_close(ddr_device *device) {
  const bool works =
      !device->has_failed && cudaStreamSynchronize(ddr_stream(device)) == cudaSuccess;
  if (works) {
    leave_all(device);
    return;
  }
  give_up_left(device);
  free_blocks(device->blocks);
  cudaStreamDestroy(ddr_stream(device));
}
