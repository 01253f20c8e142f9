/* sequences.c: buffers of dynamic sequences, and their owners.
 *
 * Every size is checked before memory is allocated.  Read Note [Ownership] first.
 * Read next: strands/blocks.c, which gives a block its pool.
 */
#include "sequences.h"

#include <stdlib.h>
#include <string.h>

#include "world.h"

#if defined(DDR_SMALL_SIZES)
enum { FIRST_CAPACITY = 1, MOST_SPARE_BYTES = 256 };
#else
enum { FIRST_CAPACITY = 64, MOST_SPARE_BYTES = 1 << 19 };
#endif
enum { LEAST_SPARE_SIZE = 64 };

static char *elements_of(ddr_seq_buffer *buffer) { return (char *)(buffer + 1); }

ddr_pool *ddr_world_pool(ddr_world *world) { return &world->pool; }

bool ddr_pool_is_short(const ddr_pool *pool) { return pool->is_short; }

bool ddr_pool_is_due(const ddr_pool *pool) { return pool->is_due; }

static bool take(ddr_pool *pool, size_t n_bytes) {
  return ddr_memory_take(&pool->world->memory, &pool->n_account, n_bytes);
}

static void give(ddr_pool *pool, size_t n_bytes) {
  ddr_memory_give(&pool->world->memory, &pool->n_account, n_bytes);
}

/* --- spare buffers ---------------------------------------------------------------------------- */

/* Sizes of spare buffers: 64, 80, 96, 112, 128, 160, ... */
static size_t spare_size(int number) {
  return number == 0 ? LEAST_SPARE_SIZE
                     : (size_t)(80 + 16 * ((number - 1) % 4)) << (number - 1) / 4;
}

/* The index of the least size of at least `capacity`; DDR_SPARE_SIZES: none is that large. */
static int number_of_size(size_t capacity) {
  if (capacity <= LEAST_SPARE_SIZE) return 0;
  if (capacity > spare_size(DDR_SPARE_SIZES - 1)) return DDR_SPARE_SIZES;
  const size_t most = capacity - 1;
  int octave = 0;
  while (most >> octave >= 2 * (size_t)LEAST_SPARE_SIZE) octave++;
  return 4 * octave + (int)(most >> octave >> 4) - 3;
}

/* Small buffers that never grow are not reused: each owner would have much more than it needs. */
static ddr_seq_buffer *take_spare(ddr_pool *pool, size_t capacity, size_t spare) {
  const int number = number_of_size(capacity);
  if (number == DDR_SPARE_SIZES || (spare == 0 && capacity < LEAST_SPARE_SIZE)) return NULL;
  ddr_seq_buffer *buffer = pool->spare[number];
  if (!buffer) return NULL;
  pool->spare[number] = buffer->next;
  pool->n_spare_bytes -= buffer->capacity;
  return buffer;
}

static void spare_or_free(ddr_pool *pool, ddr_seq_buffer *buffer) {
  const size_t capacity = buffer->capacity;
  const int number = number_of_size(capacity + 1) - 1; /* the largest size that is at most that */
  const bool is_spared = pool->keeps_spare && !buffer->away && number >= 0 &&
                         capacity >= LEAST_SPARE_SIZE && capacity < 2 * spare_size(number) &&
                         pool->n_spare_bytes + capacity <= MOST_SPARE_BYTES;
  if (!is_spared) {
    free(buffer);
    return;
  }
  buffer->next = pool->spare[number];
  pool->spare[number] = buffer;
  pool->n_spare_bytes += capacity;
}

void ddr_pool_free_spare(ddr_pool *pool) {
  for (int number = 0; number < DDR_SPARE_SIZES; number++) {
    for (ddr_seq_buffer *buffer = pool->spare[number], *next; buffer; buffer = next) {
      next = buffer->next;
      free(buffer);
    }
    pool->spare[number] = NULL;
  }
  pool->n_spare_bytes = 0;
}

/* --- buffers ---------------------------------------------------------------------------------- */

static ddr_seq_buffer *refuse(ddr_pool *pool, const char *reason) {
  if (!pool->is_short) ddr_error(pool->world, "cannot extend a sequence: %s", reason);
  pool->is_short = true;
  return NULL;
}

static bool is_countable(const ddr_pool *pool, int64_t length) {
  return length <= (pool->world->program->int_size == 4 ? INT32_MAX : INT64_MAX - 1);
}

/* Whether `length` elements take at most `most` bytes; without a division if both are small. */
static bool is_at_most(uint64_t length, size_t size, size_t most) {
  const bool is_small = (length | size) >> 16 == 0 && most >> 32 > 0;
  return is_small || length <= most / size;
}

/* A buffer of the pool with at least that capacity, `spare` bytes of it for growth. A buffer that
 * grows gets a size of spare buffers, so that others that grow as far can reuse it. */
static ddr_seq_buffer *buffer_take(ddr_pool *pool, size_t capacity, size_t spare) {
  ddr_seq_buffer *buffer = take_spare(pool, capacity, spare);
  const int number = number_of_size(capacity);
  if (buffer) capacity = buffer->capacity;
  else if (pool->keeps_spare && spare > 0 && number < DDR_SPARE_SIZES)
    capacity = spare_size(number);
  if (!take(pool, sizeof *buffer + capacity)) {
    if (buffer) spare_or_free(pool, buffer);
    return NULL;
  }
  if (!buffer) buffer = malloc(sizeof *buffer + capacity);
  if (!buffer) {
    give(pool, sizeof *buffer + capacity);
    return NULL;
  }
  *buffer = (ddr_seq_buffer){.pool = pool, .next = pool->buffers, .capacity = capacity};
  pool->buffers = buffer;
  pool->is_due = true;
  return buffer;
}

/* A buffer of the pool for `length` elements and `spare` bytes more; NULL if there is none, and
 * *reason says why, possibly in `text`. */
static ddr_seq_buffer *buffer_try(ddr_pool *pool, int64_t length, size_t size, size_t spare,
                                  const char **reason, char text[DDR_REASON_SIZE]) {
  const size_t most = PTRDIFF_MAX / 4;
  *reason = is_countable(pool, length) ? "out of memory" : "its length does not fit in an int";
  if (!is_countable(pool, length) || !is_at_most((uint64_t)length, size, most)) return NULL;
  const size_t wanted = (size_t)length * size + spare;
  if (wanted <= most) {
    ddr_seq_buffer *buffer = buffer_take(pool, wanted, spare);
    if (buffer) return buffer;
  }
  *reason = ddr_memory_reason(&pool->world->memory, text);
  return NULL;
}

/* After running out of memory once, a pool provides no more: results are lost anyway, and loops end
 * without exhausting memory again and again. */
static ddr_seq_buffer *buffer_new(ddr_pool *pool, int64_t length, size_t size, size_t spare) {
  const char *reason;
  char text[DDR_REASON_SIZE];
  if (pool->is_short) return NULL;
  ddr_seq_buffer *buffer = buffer_try(pool, length, size, spare, &reason, text);
  return buffer ? buffer : refuse(pool, reason);
}

static void fill(ddr_seq_buffer *buffer, const void *src, size_t n_bytes) {
  if (n_bytes > 0) memcpy(elements_of(buffer) + buffer->used, src, n_bytes);
  buffer->used += n_bytes;
}

static const void *elements(ddr_seq seq) {
  return seq.buffer ? ddr_seq_elements(seq.buffer) : NULL;
}

/* --- making sequences ------------------------------------------------------------------------- */

ddr_seq ddr_seq_from(ddr_pool *pool, size_t size, int64_t n, const void *src) {
  ddr_seq_buffer *buffer = n > 0 ? buffer_new(pool, n, size, 0) : NULL;
  if (!buffer) return ddr_seq_empty();
  fill(buffer, src, (size_t)n * size);
  return (ddr_seq){buffer, n};
}

ddr_seq_buffer *ddr_seq_room(ddr_pool *pool, int64_t n, size_t size, size_t more) {
  return buffer_new(pool, n, size, more);
}

const char *ddr_seq_given(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                          char text[DDR_REASON_SIZE]) {
  const char *reason;
  *seq = ddr_seq_empty();
  ddr_seq_buffer *buffer = n > 0 ? buffer_try(pool, n, size, 0, &reason, text) : NULL;
  if (!buffer) return n > 0 ? reason : NULL;
  fill(buffer, src, (size_t)n * size);
  *seq = (ddr_seq){buffer, n};
  return NULL;
}

/* The buffer is full, so that extending the sequence copies it. */
const char *ddr_seq_lent(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                         char text[DDR_REASON_SIZE]) {
  const char *reason;
  *seq = ddr_seq_empty();
  if (n == 0) return NULL;
  if (!is_countable(pool, n)) return "its length does not fit in an int";
  ddr_seq_buffer *buffer = buffer_try(pool, 0, size, 0, &reason, text);
  if (!buffer) return reason;
  buffer->capacity = buffer->used = (size_t)n * size;
  buffer->away = (const char *)src - (const char *)(buffer + 1);
  *seq = (ddr_seq){buffer, n};
  return NULL;
}

/* Makes room for `n` more elements after `seq`: in place if it has not been extended and has no
 * other owner, else in a copy with room for as many again. */
static ddr_seq_buffer *extensible(ddr_pool *pool, ddr_seq seq, int64_t n, size_t size) {
  const size_t used = (size_t)seq.length * size;
  ddr_seq_buffer *buffer = seq.buffer;
  if (buffer && buffer->pool == pool && buffer->used == used &&
      /* N elements exist in memory, so this cannot overflow. */
      (size_t)n * size <= buffer->capacity - used) {
    return is_countable(pool, seq.length + n) ? buffer
                                              : refuse(pool, "its length does not fit in an int");
  }
  if (seq.length > INT64_MAX - n) return refuse(pool, "its length does not fit in an int");
  const size_t spare = used > FIRST_CAPACITY ? used : FIRST_CAPACITY;
  ddr_seq_buffer *copy = buffer_new(pool, seq.length + n, size, spare);
  if (copy) fill(copy, elements(seq), used);
  return copy;
}

static ddr_seq extend(ddr_pool *pool, ddr_seq seq, ddr_seq tail, size_t size) {
  ddr_seq_buffer *buffer = extensible(pool, seq, tail.length, size);
  if (!buffer) return ddr_seq_empty();
  fill(buffer, elements(tail), (size_t)tail.length * size);
  return (ddr_seq){buffer, seq.length + tail.length};
}

ddr_seq ddr_seq_concat(ddr_pool *pool, ddr_seq head, ddr_seq tail, size_t size) {
  if (tail.length == 0) return head;
  return head.length == 0 ? tail : extend(pool, head, tail, size);
}

ddr_seq ddr_seq_append(ddr_pool *pool, ddr_seq seq, size_t size, const void *element) {
  ddr_seq_buffer *buffer = extensible(pool, seq, 1, size);
  if (!buffer) return ddr_seq_empty();
  fill(buffer, element, size);
  return (ddr_seq){buffer, seq.length + 1};
}

ddr_seq ddr_seq_prepend(ddr_pool *pool, ddr_seq seq, size_t size, const void *element) {
  const size_t used = (size_t)seq.length * size;
  const bool is_longest = seq.length == INT64_MAX;
  ddr_seq_buffer *buffer =
      buffer_new(pool, is_longest ? seq.length : seq.length + 1, size, FIRST_CAPACITY);
  if (!buffer) return ddr_seq_empty();
  fill(buffer, element, size);
  fill(buffer, elements(seq), used);
  return (ddr_seq){buffer, seq.length + 1};
}

ddr_seq ddr_seq_range(ddr_pool *pool, size_t size, int64_t lo, int64_t hi) {
  if (lo > hi) return ddr_seq_empty();
  const uint64_t last = (uint64_t)hi - (uint64_t)lo, n = last + 1;
  if (last >= INT64_MAX) {
    refuse(pool, "its length does not fit in an int");
    return ddr_seq_empty();
  }
  ddr_seq_buffer *buffer = buffer_new(pool, (int64_t)n, size, 0);
  if (!buffer) return ddr_seq_empty();
  for (int64_t value = lo;; value++) {
    if (size == sizeof value) {
      fill(buffer, &value, size);
    } else {
      fill(buffer, &(int32_t){(int32_t)value}, size);
    }
    if (value == hi) return (ddr_seq){buffer, (int64_t)n};
  }
}

/* --- ownership -------------------------------------------------------------------------------- */

void ddr_seq_lend(ddr_pool *pool, ddr_seq seq) {
  ddr_seq_buffer *buffer = seq.buffer;
  if (!buffer || buffer->pool == pool) return; /* two variables may share a buffer */
  buffer->pool = pool;
  buffer->is_kept = false;
  buffer->next = pool->buffers;
  pool->buffers = buffer;
}

void ddr_seq_keep(ddr_pool *pool, ddr_seq *seq, size_t size) {
  if (seq->length == 0) *seq = ddr_seq_empty();
  if (seq->length > 0 && seq->buffer->pool != pool) {
    *seq = ddr_seq_from(pool, size, seq->length, elements(*seq));
  }
  if (seq->buffer) seq->buffer->is_kept = true;
}

/* The next sweep of its pool sees that the buffer has another pool. */
void ddr_seq_leave(ddr_pool *pool, ddr_seq seq) {
  if (!seq.buffer || seq.buffer->pool != pool) return;
  seq.buffer->pool = NULL;
  pool->is_due = true;
}

void ddr_seq_give(ddr_pool *pool, ddr_seq *seq, size_t size) {
  *seq = ddr_seq_from(pool, size, seq->length, elements(*seq));
  if (!seq->buffer) return;
  pool->buffers = seq->buffer->next; /* new buffers are at the front */
  seq->buffer->pool = NULL;
  seq->buffer->next = NULL;
}

void ddr_pool_sweep(ddr_pool *pool) {
  ddr_seq_buffer **link = &pool->buffers;
  pool->is_due = false;
  while (*link) {
    ddr_seq_buffer *buffer = *link;
    if (buffer->pool != pool) {
      *link = buffer->next;
      buffer->is_kept = false;
      buffer->next = NULL;
    } else if (buffer->is_kept) {
      buffer->is_kept = false;
      link = &buffer->next;
    } else {
      *link = buffer->next;
      give(pool, sizeof *buffer + (buffer->away ? 0 : buffer->capacity));
      spare_or_free(pool, buffer);
    }
  }
}

void ddr_pool_close(ddr_pool *pool) {
  for (ddr_seq_buffer *buffer = pool->buffers, *next; buffer; buffer = next) {
    next = buffer->next;
    buffer->pool = NULL;
    buffer->next = NULL;
  }
  pool->buffers = NULL;
}

/* --- print ------------------------------------------------------------------------------------ */

#define READ(letter, type, its_kind, member)                                                       \
  case letter: {                                                                                   \
    type value;                                                                                    \
    memcpy(&value, *src, sizeof value);                                                            \
    *src += sizeof value;                                                                          \
    return (ddr_scalar){its_kind, {.member = value}};                                              \
  }
ddr_scalar ddr_scalar_read(char letter, const char **src) {
  switch (letter) {
    READ('b', bool, SCALAR_BOOL, i)
    READ('i', int32_t, SCALAR_INT, i)
    READ('l', int64_t, SCALAR_INT, i)
    READ('f', float, SCALAR_FLOAT, f)
    READ('d', double, SCALAR_DOUBLE, d)
    READ('s', const char *, SCALAR_STRING, s)
  default: return (ddr_scalar){SCALAR_NONE, {0}};
  }
}
#undef READ

static void put_scalar(ddr_text *text, char letter, const char **src) {
  const ddr_scalar scalar = ddr_scalar_read(letter, src);
  switch (scalar.kind) {
  case SCALAR_BOOL: ddr_put_bool(text, scalar.of.i != 0); break;
  case SCALAR_INT: ddr_put_int(text, scalar.of.i); break;
  case SCALAR_FLOAT: ddr_put_float(text, scalar.of.f); break;
  case SCALAR_DOUBLE: ddr_put_double(text, scalar.of.d); break;
  case SCALAR_STRING: ddr_put_string(text, scalar.of.s); break;
  case SCALAR_NONE: ddr_text_append(text, &letter, 1); break;
  }
}

void ddr_put_seq(ddr_text *text, ddr_seq seq, const char *pattern) {
  const char *src = elements(seq);
  ddr_put_string(text, "{");
  for (int64_t idx = 0; idx < seq.length; idx++) {
    if (idx > 0) ddr_put_string(text, ",");
    for (const char *letter = pattern; *letter; letter++) put_scalar(text, *letter, &src);
  }
  ddr_put_string(text, "}");
}

/* Note [Ownership].  A buffer is in the list of at most one pool, that of the running code. Before
 * a method of a strand runs, the strand lends its sequences to the pool of its block; the method
 * makes others; then those that the state still refers to are kept, and the sweep frees the rest.
 * When the strand stops running, the pool closes: the remaining buffers belong to the strand, and
 * to no pool.  Strands that run together share the pool; a strand's buffers leave it together with
 * the strand, and the next sweep forgets them.  Globals do the same with the pool of the world.
 *
 * Most appending is in place, after which no buffer is new.  Strands that run together keep and
 * sweep only when that is due: what they drop meanwhile is not more than they had.
 *
 * So code may append in place only to buffers of its own pool: no other thread can see their unused
 * part.  Sequences of others (of globals, in a strand) can be read, are copied when they are
 * extended, and copied again when they are kept.  The same holds for elements that a client has
 * lent: their buffer is a header in the pool of the world, full from the beginning.
 *
 * Workers keep some of the buffers that they sweep, at most MOST_SPARE_BYTES each: most sequences
 * that a strand drops are as long as those that the next one makes.
 */
