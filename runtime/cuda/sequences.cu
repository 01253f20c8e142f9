/* sequences.cu: dynamic sequences that states hold, from one phase to the next.
 *
 * Threads make sequences in a heap, which is reused by the next launch.  So after each phase, the
 * sequences that states hold there, or in the globals, are copied to the arena, together with the
 * spare room behind them.  There they stay, and their strands extend them in place.  When the arena
 * is full, the sequences that states hold are copied to a larger one, and all others are dropped.
 *
 * Elements below a length that some state holds never change, so states may share a buffer.
 *
 * Read next: ddr/device/seq.h (what threads do), sequences_host.cu.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/device/seq.h"
#include "runtime/cuda/check.h"

#if defined(DDR_SHIM)
enum { FIRST_CAPACITY = 256 }; /* so that tests see more than one arena */
#else
enum { FIRST_CAPACITY = 1 << 20 };
#endif

enum { WARP = 32 };

/* --- what is to be kept ----------------------------------------------------------------------- */

/* Sequence k of the store is the one of slot k % n_slots at place k / n_slots of the state. */
typedef struct Held {
  ddr_columns state;
  const ddr_seq_place *places;
  int64_t n_slots, n_held;
  const char *begin, *end; /* sequences between them stay where they are */
} Held;

DDR_FN ddr_seq *held_at(const Held *held, int64_t k) {
  const ddr_seq_place *place = &held->places[k / held->n_slots];
  return DDR_COLUMN(ddr_seq, &held->state, place->offset) + k % held->n_slots;
}

DDR_FN size_t used_by(const Held *held, int64_t k) {
  return (size_t)held_at(held, k)->length * held->places[k / held->n_slots].element_size;
}

DDR_FN bool stays(const Held *held, const ddr_seq *seq) {
  const char *buffer = (const char *)seq->buffer;
  return seq->length == 0 || (buffer >= held->begin && buffer < held->end);
}

/* With the spare room behind it, if that is unused. */
DDR_FN int64_t bytes_of(const Held *held, int64_t k) {
  const ddr_seq_buffer *buffer = held_at(held, k)->buffer;
  const size_t used = used_by(held, k);
  return (int64_t)ddr_seq_bytes(buffer->used == used ? buffer->capacity : used);
}

/* The size of each sequence, and one more entry, so that their prefix sums end with the total. */
DDR_KERNEL void measure_kernel(Held held, int64_t *sizes) {
  const int64_t k = DDR_THREAD;
  if (k > held.n_held) return;
  sizes[k] = k == held.n_held || stays(&held, held_at(&held, k)) ? 0 : bytes_of(&held, k);
}

/* --- how it gets there ------------------------------------------------------------------------ */

/* Bytes `at` to `at` + 7 of a sequence's room: elements, and zeros behind the last one, so that the
 * host, which copies the whole arena, copies no unwritten memory. */
DDR_FN uint64_t word_of(const char *elements, size_t used, size_t at) {
  uint64_t word = 0;
  if (at + sizeof word <= used) return *(const uint64_t *)(const void *)(elements + at);
  for (size_t k = at; k < used; k++) word |= (uint64_t)(unsigned char)elements[k] << (k - at) * 8;
  return word;
}

/* A warp fills the room of one sequence, in words of 8 bytes. */
DDR_KERNEL void copy_kernel(Held held, const int64_t *offsets, char *to) {
  const int64_t k = DDR_THREAD / WARP, lane = DDR_THREAD % WARP;
  if (k >= held.n_held || offsets[k] == offsets[k + 1]) return;
  const size_t used = used_by(&held, k);
  const size_t n_words = ((size_t)(offsets[k + 1] - offsets[k]) - sizeof(ddr_seq_buffer)) / 8;
  const char *src = (const char *)ddr_seq_elements(held_at(&held, k)->buffer);
  uint64_t *dst = (uint64_t *)(void *)(to + offsets[k] + sizeof(ddr_seq_buffer));
  for (size_t word = (size_t)lane; word < n_words; word += WARP)
    dst[word] = word_of(src, used, 8 * word);
}

/* After all have been copied. */
DDR_KERNEL void move_kernel(Held held, const int64_t *offsets, char *to) {
  const int64_t k = DDR_THREAD;
  if (k >= held.n_held) return;
  const int64_t n_bytes = offsets[k + 1] - offsets[k];
  if (n_bytes == 0) return;
  ddr_seq_buffer *buffer = (ddr_seq_buffer *)(void *)(to + offsets[k]);
  memset(buffer, 0, sizeof *buffer); /* its padding, too */
  buffer->pool = ddr_seq_owner(k % held.n_slots);
  buffer->next = NULL;
  buffer->capacity = (size_t)n_bytes - sizeof *buffer;
  buffer->used = used_by(&held, k);
  buffer->is_kept = false;
  buffer->away = 0;
  held_at(&held, k)->buffer = buffer;
}

/* --- the arena -------------------------------------------------------------------------------- */

/* The place of each sequence that is moved, from a given beginning on; *sum: the bytes of all. */
static const char *measure(ddr_device *device, const Held *held, int64_t *sum) {
  const int64_t n = held->n_held + 1;
  const char *error =
      ddr_space_reserve(device, &device->sequence_sizes, (size_t)n * sizeof(int64_t));
  int64_t *sizes = (int64_t *)device->sequence_sizes.memory;
  if (error) return error;
  DDR_LAUNCH(measure_kernel, &device->launch, n, *held, sizes);
  error = ddr_device_launched(device, "keep sequences");
  if (!error) error = ddr_device_scan(device, sizes, n);
  if (!error) error = ddr_device_copy(device, sum, sizes + held->n_held, sizeof *sum);
  return error ? error : ddr_device_finish(device, "keep sequences");
}

static const char *move(ddr_device *device, const Held *held, char *to) {
  const int64_t *offsets = (const int64_t *)device->sequence_sizes.memory;
  DDR_LAUNCH(copy_kernel, &device->launch, held->n_held * WARP, *held, offsets, to);
  DDR_LAUNCH(move_kernel, &device->launch, held->n_held, *held, offsets, to);
  return ddr_device_launched(device, "keep sequences");
}

/* Makes the next arena, of the sequences that states hold. */
static const char *renew_arena(ddr_device *device, Held held) {
  int64_t sum = 0;
  ddr_space next = {NULL, 0};
  held.begin = held.end = NULL;
  const char *error = measure(device, &held, &sum);
  const size_t n_bytes = sum < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : 2 * (size_t)sum;
  if (!error) error = ddr_space_reserve(device, &next, n_bytes);
  if (!error) error = move(device, &held, (char *)next.memory);
  if (!error) error = ddr_device_finish(device, "keep sequences");
  ddr_space_swap(&device->arena, &next);
  ddr_space_release(device, &next);
  device->n_in_arena = (size_t)sum;
  return error;
}

const char *ddr_sequences_begin(ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  const size_t n_bytes = program->n_state_sequences * sizeof *program->state_sequences;
  ddr_space *places = &device->sequence_places;
  if (n_bytes == 0) return NULL;
  const char *error = ddr_space_reserve(device, &device->arena, FIRST_CAPACITY);
  if (!error) error = ddr_space_reserve(device, places, n_bytes);
  if (error) return error;
  return ddr_device_copy(device, places->memory, program->state_sequences, n_bytes);
}

const char *ddr_sequences_keep(ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  int64_t sum = 0;
  if (program->n_state_sequences == 0 || strands->n_slots == 0) return NULL;
  char *begin = (char *)device->arena.memory;
  const Held held = {strands->state,
                     (const ddr_seq_place *)device->sequence_places.memory,
                     strands->n_slots,
                     strands->n_slots * program->n_state_sequences,
                     begin,
                     begin + device->n_in_arena};
  const char *error = measure(device, &held, &sum);
  device->is_mirrored = false;
  if (error || sum == 0) return error;
  if ((size_t)sum > device->arena.n_bytes - device->n_in_arena) return renew_arena(device, held);
  device->n_in_arena += (size_t)sum;
  return move(device, &held, begin + (device->n_in_arena - (size_t)sum));
}

void ddr_sequences_free(ddr_device *device) { free(device->arena_mirror); }
