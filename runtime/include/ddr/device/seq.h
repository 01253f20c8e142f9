/* seq.h: dynamic sequences that strands make on devices, in the host's format (ddr/seq.h).
 *
 * A thread allocates its buffers in a room of its own, a piece of the heap of sequences; when that
 * is full it takes another, twice as large.  Nothing is freed.  But if no state holds sequences, a
 * room is used again from its beginning after each method.  If the heap is exhausted, results are
 * empty, and the launch is repeated with more memory (runtime/cuda/launch_retry.cu).
 *
 * A buffer belongs to the strand whose slot is in it; only the thread of that strand may extend it.
 */
#pragma once

#include <string.h>

#include "ddr/device/device.h"
#include "ddr/seq.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

#if defined(DDR_SHIM)
enum { DDR_FIRST_ROOM = 16, DDR_FIRST_SPARE = 1 }; /* so that tests see more of them */
#else
enum { DDR_FIRST_ROOM = 128, DDR_FIRST_SPARE = 32 };
#endif

/* The most bytes of elements that a sequence can have: a heap can count them without overflow. */
#define DDR_MOST_SEQ_BYTES (1ll << 48)

/* --- room ------------------------------------------------------------------------------------- */

/* Memory in the thread's room, aligned for any type. */
DDR_DEVICE_FN void *ddr_room_take(ddr_device_block *block, uint64_t n_bytes) {
  n_bytes = (n_bytes + 15) / 16 * 16;
  if (n_bytes > block->n_room - block->n_taken) {
    uint64_t n_room = block->n_room > 0 ? 2 * block->n_room : DDR_FIRST_ROOM;
    if (n_room < n_bytes) n_room = n_bytes;
    block->room = (char *)ddr_heap_take(&block->strands->heap[DDR_HEAP_SEQUENCES], n_room);
    block->n_room = block->room ? n_room : 0;
    block->n_taken = 0;
    if (!block->room) return NULL;
  }
  void *taken = block->room + block->n_taken;
  block->n_taken += n_bytes;
  return taken;
}

/* Gives back the part behind `end` of the piece that was taken last. */
DDR_DEVICE_FN void ddr_room_end(ddr_device_block *block, const void *end) {
  block->n_taken = ((uint64_t)((const char *)end - block->room) + 15) / 16 * 16;
}

/* Called after a method of a strand whose state has no sequences. */
DDR_DEVICE_FN void ddr_device_pool_sweep(ddr_device_block *block) { block->n_taken = 0; }

/* --- buffers ---------------------------------------------------------------------------------- */

/* The value of `pool` in the buffers of a slot's strand. */
DDR_FN ddr_pool *ddr_seq_owner(int64_t slot) { return (ddr_pool *)(uintptr_t)(slot + 1); }

DDR_FN bool ddr_seq_is_countable(int64_t length, size_t size) {
  return length <= (sizeof(ddr_int) == 4 ? INT32_MAX : DDR_MOST_SEQ_BYTES) &&
         length <= DDR_MOST_SEQ_BYTES / (int64_t)size;
}

/* The launch cannot succeed. */
DDR_DEVICE_FN ddr_seq_buffer *ddr_device_seq_refuse(const ddr_device_block *block) {
  DDR_DEVICE_MAX(block->strands->heap[DDR_HEAP_SEQUENCES].n_taken, DDR_HEAP_NEVER);
  return NULL;
}

/* Bytes of a buffer with n_bytes of elements, rounded up so that the next one is aligned. */
DDR_FN uint64_t ddr_seq_bytes(uint64_t n_bytes) {
  return (sizeof(ddr_seq_buffer) + n_bytes + 15) / 16 * 16;
}

/* A buffer for `length` elements, and `spare` bytes more. */
DDR_DEVICE_FN ddr_seq_buffer *ddr_device_seq_buffer(ddr_device_block *block, int64_t length,
                                                    size_t size, size_t spare) {
  if (!ddr_seq_is_countable(length, size)) return ddr_device_seq_refuse(block);
  const size_t capacity = (size_t)length * size + spare;
  ddr_seq_buffer *buffer =
      (ddr_seq_buffer *)ddr_room_take(block, sizeof(ddr_seq_buffer) + capacity);
  if (!buffer) return NULL;
  buffer->pool = ddr_seq_owner(block->slot);
  buffer->next = NULL;
  buffer->capacity = capacity;
  buffer->used = 0;
  buffer->is_kept = false;
  buffer->away = 0;
  return buffer;
}

/* Copies elements, word by word if all of them are aligned. */
DDR_FN void ddr_seq_copy(char *dst, const char *src, size_t n_bytes) {
  size_t k = 0;
  if ((((uintptr_t)dst | (uintptr_t)src | n_bytes) & 3) == 0)
    for (; k < n_bytes; k += 4)
      memcpy(__builtin_assume_aligned(dst + k, 4), __builtin_assume_aligned(src + k, 4), 4);
  for (; k < n_bytes; k++) dst[k] = src[k];
}

/* Stores elements that may be in registers: no code may take their address. */
DDR_FN void ddr_seq_fill(ddr_seq_buffer *buffer, const void *src, size_t size, size_t n_bytes) {
  char *dst = (char *)(buffer + 1) + buffer->used;
  const char *from = (const char *)src;
  buffer->used += n_bytes;
  size_t k = 0;
  if (size % 4 == 0)
    for (; k < n_bytes; k += 4) memcpy(__builtin_assume_aligned(dst + k, 4), from + k, 4);
  for (; k < n_bytes; k++) dst[k] = from[k];
}

/* Copies elements from the beginning of another buffer. */
DDR_FN void ddr_seq_fill_from(ddr_seq_buffer *to, const ddr_seq_buffer *from, size_t n_bytes) {
  ddr_seq_copy((char *)(to + 1) + to->used, ddr_seq_elements(from), n_bytes);
  to->used += n_bytes;
}

DDR_FN ddr_seq ddr_seq_in(ddr_seq_buffer *buffer, int64_t length) {
  const ddr_seq seq = {buffer, buffer ? length : 0};
  return seq;
}

/* A buffer with room for n more elements behind `seq`: its own, if it belongs to the strand and
 * nothing has been appended to it yet, else a copy with twice the capacity. */
DDR_DEVICE_FN ddr_seq_buffer *ddr_device_seq_extensible(ddr_device_block *block, ddr_seq seq,
                                                        int64_t n, size_t size) {
  const size_t used = (size_t)seq.length * size;
  ddr_seq_buffer *buffer = seq.buffer;
  const bool is_own = buffer && buffer->pool == ddr_seq_owner(block->slot) && buffer->used == used;
  if (is_own && (uint64_t)n <= (buffer->capacity - used) / size)
    return ddr_seq_is_countable(seq.length + n, size) ? buffer : ddr_device_seq_refuse(block);
  if (seq.length > INT64_MAX - n) return ddr_device_seq_refuse(block);
  const size_t spare = used > DDR_FIRST_SPARE ? used : DDR_FIRST_SPARE;
  ddr_seq_buffer *copy = ddr_device_seq_buffer(block, seq.length + n, size, spare);
  if (copy && buffer) ddr_seq_fill_from(copy, buffer, used);
  return copy;
}

/* --- making sequences ------------------------------------------------------------------------- */

DDR_DEVICE_FN ddr_seq ddr_device_seq_from(ddr_device_block *block, size_t size, int64_t n,
                                          const void *src) {
  ddr_seq_buffer *buffer = n > 0 ? ddr_device_seq_buffer(block, n, size, 0) : NULL;
  if (buffer) ddr_seq_fill(buffer, src, size, (size_t)n * size);
  return ddr_seq_in(buffer, n);
}

DDR_DEVICE_FN ddr_seq ddr_device_seq_concat(ddr_device_block *block, ddr_seq head, ddr_seq tail,
                                            size_t size) {
  if (tail.length == 0) return head;
  if (head.length == 0) return tail;
  ddr_seq_buffer *buffer = ddr_device_seq_extensible(block, head, tail.length, size);
  if (buffer) ddr_seq_fill_from(buffer, tail.buffer, (size_t)tail.length * size);
  return ddr_seq_in(buffer, head.length + tail.length);
}

DDR_DEVICE_FN ddr_seq ddr_device_seq_append(ddr_device_block *block, ddr_seq seq, size_t size,
                                            const void *element) {
  ddr_seq_buffer *buffer = ddr_device_seq_extensible(block, seq, 1, size);
  if (buffer) ddr_seq_fill(buffer, element, size, size);
  return ddr_seq_in(buffer, seq.length + 1);
}

DDR_DEVICE_FN ddr_seq ddr_device_seq_prepend(ddr_device_block *block, ddr_seq seq, size_t size,
                                             const void *element) {
  ddr_seq_buffer *buffer = ddr_device_seq_buffer(block, seq.length + 1, size, 0);
  if (!buffer) return ddr_seq_empty();
  ddr_seq_fill(buffer, element, size, size);
  if (seq.length > 0) ddr_seq_fill_from(buffer, seq.buffer, (size_t)seq.length * size);
  return ddr_seq_in(buffer, seq.length + 1);
}

DDR_DEVICE_FN ddr_seq ddr_device_seq_range(ddr_device_block *block, size_t size, int64_t lo,
                                           int64_t hi) {
  if (lo > hi) return ddr_seq_empty();
  const uint64_t n = (uint64_t)hi - (uint64_t)lo + 1;
  const int64_t length = n == 0 || n > INT64_MAX ? INT64_MAX : (int64_t)n; /* too long */
  ddr_seq_buffer *buffer = ddr_device_seq_buffer(block, length, size, 0);
  for (int64_t k = 0; buffer && k < length; k++) {
    const ddr_int value = (ddr_int)(lo + k);
    ddr_seq_fill(buffer, &value, size, sizeof value);
  }
  return ddr_seq_in(buffer, length);
}

#endif
