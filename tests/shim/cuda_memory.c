/* cuda_memory.c: memory that only the device may touch, memory that both may, copies of rows.
 *
 * Outside of kernels and copies AddressSanitizer finds the former poisoned, so that a test fails
 * whose host code reads or writes it.
 */
#include "tests/shim/cuda_host.h"

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
} Block;

static Block *blocks;
static int n_open;

void shim_open_memory(void) {
  if (n_open++ > 0) return;
  for (Block *at = blocks; at; at = at->next) ASAN_UNPOISON_MEMORY_REGION(at->data, at->n_bytes);
}

void shim_close_memory(void) {
  if (--n_open > 0) return;
  for (Block *at = blocks; at; at = at->next) ASAN_POISON_MEMORY_REGION(at->data, at->n_bytes);
}

int64_t shim_n_blocks(void) {
  int64_t n = 0;
  for (const Block *at = blocks; at; at = at->next) n++;
  return n;
}

/* --- one side's ------------------------------------------------------------------------------- */

static cudaError_t allocate(void **memory, size_t n_bytes) {
  Block *block = malloc(sizeof *block);
  const cudaError_t error = cudaMalloc(memory, n_bytes);
  if (!block || error != cudaSuccess) {
    if (error == cudaSuccess) free(*memory);
    free(block);
    return error == cudaSuccess ? cudaErrorMemoryAllocation : error;
  }
  *block = (Block){blocks, *memory, n_bytes};
  blocks = block;
  ASAN_POISON_MEMORY_REGION(block->data, n_bytes);
  return cudaSuccess;
}

/* True: it was one of those. */
bool shim_forget_memory(const void *memory) {
  for (Block **at = &blocks; *at; at = &(*at)->next) {
    Block *block = *at;
    if (block->data != memory) continue;
    ASAN_UNPOISON_MEMORY_REGION(block->data, block->n_bytes);
    *at = block->next;
    free(block);
    return true;
  }
  return false;
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
