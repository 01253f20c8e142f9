/* cuda_memory.c: memory that only the device may touch, memory that both may, copies of rows.
 *
 * Outside of kernels and copies AddressSanitizer finds the former poisoned, so that a test fails
 * whose host code reads or writes it.
 */
#include "tests/shim/cuda_host.h"

#include <pthread.h>

#include "tests/shim/driver.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(HAS_ASAN)
#define HAS_ASAN
#endif

#if defined(HAS_ASAN)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(data, n_bytes) ((void)(data), (void)(n_bytes))
#define ASAN_UNPOISON_MEMORY_REGION(data, n_bytes) ((void)(data), (void)(n_bytes))
#endif

typedef struct Block {
  struct Block *next;
  void *data;
  size_t n_bytes;
  int device;
  bool is_apart; /* from the host */
} Block;

static Block *blocks;
static _Thread_local int n_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What clients have there; NULL: nobody owns the driver. */
static shim_given *given(void) { return shim_shared_driver ? shim_shared_driver()->given : NULL; }

void shim_open_memory(void) {
  shim_given *client = given();
  if (n_open++ > 0) return;
  pthread_mutex_lock(&lock);
  for (Block *at = blocks; at; at = at->next)
    if (at->is_apart) ASAN_UNPOISON_MEMORY_REGION(at->data, at->n_bytes);
  for (int k = 0; client && k < SHIM_MOST_GIVEN; k++)
    ASAN_UNPOISON_MEMORY_REGION(client[k].data, client[k].n_bytes);
}

void shim_close_memory(void) {
  shim_given *client = given();
  if (--n_open > 0) return;
  for (Block *at = blocks; at; at = at->next)
    if (at->is_apart) ASAN_POISON_MEMORY_REGION(at->data, at->n_bytes);
  for (int k = 0; client && k < SHIM_MOST_GIVEN; k++)
    ASAN_POISON_MEMORY_REGION(client[k].data, client[k].n_bytes);
  pthread_mutex_unlock(&lock);
}

static bool has(const void *begin, size_t n_bytes, const void *data) {
  return begin && (uintptr_t)data - (uintptr_t)begin < n_bytes;
}

bool shim_find_memory(const void *data, int *device, const char **begin, size_t *n_bytes) {
  const shim_given *client = given();
  shim_given found = {0};
  for (const Block *at = blocks; at; at = at->next)
    if (has(at->data, at->n_bytes, data)) found = (shim_given){at->data, at->n_bytes, at->device};
  for (int k = 0; client && k < SHIM_MOST_GIVEN; k++)
    if (has(client[k].data, client[k].n_bytes, data)) found = client[k];
  *device = found.device;
  *begin = found.data;
  *n_bytes = found.n_bytes;
  return found.data != NULL;
}

/* --- one side's ------------------------------------------------------------------------------- */

bool shim_note_memory(void *data, size_t n_bytes, int device) {
  Block *block = malloc(sizeof *block);
  if (!block) return false;
  shim_open_memory();
  *block = (Block){blocks, data, n_bytes, device, false};
  blocks = block;
  shim_close_memory();
  return true;
}

int64_t shim_n_blocks(void) {
  int64_t n = 0;
  for (const Block *at = blocks; at; at = at->next) n += at->is_apart;
  return n;
}

void shim_close_block(void *data, size_t n_bytes) { ASAN_POISON_MEMORY_REGION(data, n_bytes); }

void shim_renew_memory(void *data, size_t n_bytes) {
  ASAN_UNPOISON_MEMORY_REGION(data, n_bytes);
  memset(data, 0xff, n_bytes);
}

static cudaError_t allocate(void **memory, size_t n_bytes) {
  const cudaError_t error = cudaMalloc(memory, n_bytes);
  if (error != cudaSuccess || !*memory) return error;
  blocks->is_apart = true;
  ASAN_POISON_MEMORY_REGION(*memory, n_bytes);
  return cudaSuccess;
}

/* True: it was one of those. */
bool shim_forget_memory(const void *memory) {
  shim_open_memory();
  Block **at = &blocks;
  while (*at && (*at)->data != memory) at = &(*at)->next;
  Block *block = *at;
  if (block) *at = block->next;
  shim_close_memory();
  if (block) ASAN_UNPOISON_MEMORY_REGION(block->data, block->n_bytes);
  free(block);
  return block != NULL;
}

cudaError_t cudaMallocAsync(void **memory, size_t n_bytes, cudaStream_t stream) {
  (void)stream;
  return allocate(memory, n_bytes);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  (void)stream;
  return cudaFree(memory);
}

/* DDR_SHIM_PITCH is what pitches are multiples of. */
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t row_bytes, size_t n_rows) {
  const char *text = getenv("DDR_SHIM_PITCH");
  const size_t align = text && *text ? (size_t)strtol(text, NULL, 10) : 512;
  *pitch = (row_bytes + align - 1) / align * align;
  return allocate(memory, *pitch * n_rows);
}

/* --- both sides' ------------------------------------------------------------------------------ */

cudaError_t cudaMallocManaged(void **memory, size_t n_bytes, unsigned flags) {
  (void)flags;
  return cudaMalloc(memory, n_bytes);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t row_bytes, size_t n_rows, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (n_rows == 0 || row_bytes == 0) return cudaSuccess;
  cudaError_t error = cudaMemcpyAsync(dst, src, row_bytes, kind, stream);
  if (error != cudaSuccess) return error;
  shim_open_memory();
  for (size_t row = 1; row < n_rows; row++)
    memcpy((char *)dst + row * dst_pitch, (const char *)src + row * src_pitch, row_bytes);
  shim_close_memory();
  return cudaSuccess;
}
