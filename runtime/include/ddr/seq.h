/* seq.h: dynamic sequences: values that share buffers.
 *
 * Elements below a sequence's length never change, so copying a sequence copies two words, and
 * appending to the one that ends where its buffer's used part ends is in place: amortised O(1).
 * Buffers belong to the pool of the code that runs, until that code's results are kept; see Note
 * [Ownership] in seq.c.  An element is `size` bytes: one or more scalars of one C type.
 *
 * Compiles as C17 and C++17; the functions in the lower half as CUDA too.
 */
#pragma once

#include "ddr/program.h"
#include "ddr/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

typedef struct ddr_seq_buffer ddr_seq_buffer;

struct ddr_seq_buffer {
  ddr_pool *pool; /* code that uses this pool may append to it; NULL between runs */
  ddr_seq_buffer *next;
  size_t capacity, used; /* bytes of elements, which follow this header */
  bool is_kept;
  ptrdiff_t away; /* elements lent by a client are elsewhere: their distance in bytes */
};

typedef struct ddr_seq {
  ddr_seq_buffer *buffer; /* NULL when empty */
  int64_t length;         /* elements */
} ddr_seq;

/* --- making sequences; if memory is short, the pool records it and the result is empty -------- */

ddr_seq ddr_seq_from(ddr_pool *pool, size_t size, int64_t n, const void *src);
ddr_seq ddr_seq_append(ddr_pool *pool, ddr_seq seq, size_t size, const void *element);
ddr_seq ddr_seq_prepend(ddr_pool *pool, ddr_seq seq, size_t size, const void *element);
ddr_seq ddr_seq_concat(ddr_pool *pool, ddr_seq head, ddr_seq tail, size_t size);

/* A buffer of its own with room for n elements, and for `more` bytes; nothing is in it.  NULL:
 * memory is short. */
ddr_seq_buffer *ddr_seq_room(ddr_pool *pool, int64_t n, size_t size, size_t more);

/* lo, lo+1, ..., hi as ints of `size` bytes; empty when lo > hi. */
ddr_seq ddr_seq_range(ddr_pool *pool, size_t size, int64_t lo, int64_t hi);

/* The content of a file: elements of n_components scalars of a kind, in the world's pool.  On
 * failure the reason is recorded; `name` is the global's. */
ddr_seq ddr_load_sequence(ddr_world *world, const char *name, const char *file, ddr_kind kind,
                          uint32_t n_components);

/* --- ownership: between the runs of a strand its sequences are its own ------------------------ */

/* The pool of global code. */
ddr_pool *ddr_world_pool(ddr_world *world);

/* Before the owner's code runs: its sequence may be appended to in place. */
void ddr_seq_lend(ddr_pool *pool, ddr_seq seq);

/* After it ran: the owner keeps *seq, which becomes a copy if the buffer has another owner. */
void ddr_seq_keep(ddr_pool *pool, ddr_seq *seq, size_t size);

/* For a strand that ends, after it has kept seq, while other strands of the pool continue: its
 * buffer then belongs to no pool.  A sweep follows. */
void ddr_seq_leave(ddr_pool *pool, ddr_seq seq);

/* For a new strand, whose sequences may belong to others: *seq becomes a copy in no pool. */
void ddr_seq_give(ddr_pool *pool, ddr_seq *seq, size_t size);

/* Frees what was not kept since the last sweep. */
void ddr_pool_sweep(ddr_pool *pool);

/* Whether buffers were taken, or left the pool, since the last sweep.  If not, code may go on
 * without keeping and sweeping: what it drops then does not pile up. */
bool ddr_pool_is_due(const ddr_pool *pool);

/* Gives the buffers that the last sweep left to their owners. */
void ddr_pool_close(ddr_pool *pool);

/* Memory ran out: the code that uses the pool should end. */
bool ddr_pool_is_short(const ddr_pool *pool);

/* --- print: the elements in braces, each by a pattern ----------------------------------------- */

/* A letter of the pattern stands for the next scalar, any other character for itself:
 * b bool, i int32, l int64, f float, d double, s string.  "[f,f]" prints {[1,2],[3,4]}. */
void ddr_put_seq(ddr_text *text, ddr_seq seq, const char *pattern);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* --- reading: an index is clamped to the range; an empty sequence gives zeros ----------------- */

DDR_FN ddr_seq ddr_seq_empty(void) {
  const ddr_seq empty = {0, 0};
  return empty;
}

/* The pool refuses lengths that do not fit in an int. */
DDR_FN ddr_int ddr_seq_length(ddr_seq seq) { return (ddr_int)seq.length; }

/* A valid index of `length` elements, if there is any. */
DDR_FN int64_t ddr_seq_index(ddr_int idx, int64_t length) {
  if (idx < 0) return 0;
  return idx < length ? idx : length - 1;
}

/* The same for reads of memory: nearly all are in range. A processor foretells that, but would wait
 * for an index that is computed without a branch. */
DDR_FN int64_t ddr_seq_nearest(ddr_int idx, int64_t length) {
  if (__builtin_expect((uint64_t)idx < (uint64_t)length, 1)) return idx;
  return ddr_seq_index(idx, length);
}

DDR_FN const char *ddr_seq_elements(const ddr_seq_buffer *buffer) {
  return (const char *)(buffer + 1) + buffer->away;
}

/* The element, or `otherwise` in an empty sequence. */
DDR_FN const void *ddr_seq_at(ddr_seq seq, ddr_int idx, size_t size, const void *otherwise) {
  if (seq.length == 0) return otherwise;
  return ddr_seq_elements(seq.buffer) + (size_t)ddr_seq_nearest(idx, seq.length) * size;
}

/* Scalar number k of element idx, n scalars per element. */
#define DDR_SEQ_GET(type, name)                                                                    \
  DDR_FN type ddr_seq_##name(ddr_seq seq, ddr_int idx, size_t n, size_t k) {                       \
    if (seq.length == 0) return 0;                                                                 \
    const type *elements = (const type *)(const void *)ddr_seq_elements(seq.buffer);               \
    return elements[(size_t)ddr_seq_nearest(idx, seq.length) * n + k];                             \
  }
DDR_SEQ_GET(bool, bool)
DDR_SEQ_GET(ddr_int, int)
DDR_SEQ_GET(ddr_real, real)
#undef DDR_SEQ_GET

/* Strings start out empty. */
DDR_FN const char *ddr_seq_string(ddr_seq seq, ddr_int idx) {
  const char *empty = "";
  return *(const char *const *)ddr_seq_at(seq, idx, sizeof empty, &empty);
}

/* Appends in place if that is simple; else calls ddr_seq_append, which knows all cases. The call
 * gets a copy: an element whose address goes to a call lies in memory, and clang reads its scalars
 * there as one word, which waits until all have been stored. */
static inline ddr_seq ddr_seq_push(ddr_pool *pool, ddr_seq seq, size_t size, const void *element) {
  const int64_t most = sizeof(ddr_int) == 4 ? INT32_MAX : INT64_MAX - 1; /* of elements */
  ddr_seq_buffer *buffer = seq.buffer;
  const size_t used = (size_t)seq.length * size;
  const bool is_at_end = buffer && buffer->pool == pool && buffer->used == used;
  if (!is_at_end || buffer->capacity - used < size || seq.length >= most) {
    char copy[64];
    if (size > sizeof copy) return ddr_seq_append(pool, seq, size, element);
    memcpy(copy, element, size);
    return ddr_seq_append(pool, seq, size, copy);
  }
  memcpy((char *)(buffer + 1) + used, element, size);
  buffer->used = used + size;
  seq.length++;
  return seq;
}

/* --- spellings for generated code ------------------------------------------------------------- */

/* A fixed sequence: the struct of an array of its scalars. */
#define DDR_FIXED(type, ...) ((type){{__VA_ARGS__}})

/* DDR_ELEMENTS: the scalars of a constant, as an array.  DDR_ELEMENT: an element that is a struct.
 */
#if defined(__cplusplus) /* which has no compound literals of arrays */
template <typename Type, size_t n> struct ddr_elements { Type part[n]; };
template <typename Type, typename... Part>
DDR_FN ddr_elements<Type, sizeof...(Part)> ddr_elements_of(Part... part) {
  return {{static_cast<Type>(part)...}};
}
template <typename Type> DDR_FN Type ddr_element_of(ddr_seq seq, ddr_int idx) {
  const Type nothing = {};
  return *static_cast<const Type *>(ddr_seq_at(seq, idx, sizeof nothing, &nothing));
}
#define DDR_ELEMENTS(type, ...) (ddr_elements_of<type>(__VA_ARGS__).part)
#define DDR_ELEMENT(type, seq, idx) (ddr_element_of<type>((seq), (idx)))
#else
#define DDR_ELEMENTS(type, ...) ((type const[]){__VA_ARGS__})
#define DDR_ELEMENT(type, seq, idx)                                                                \
  (*(const type *)ddr_seq_at(seq, idx, sizeof(type), &(const type){{0}}))
#endif
#define DDR_ELEMENTS_SIZE(type, ...) sizeof(DDR_ELEMENTS(type, __VA_ARGS__))

/* A dynamic sequence of n elements, written scalar by scalar. */
#define DDR_LIST(pool, n, type, ...)                                                               \
  ddr_seq_from(pool, DDR_ELEMENTS_SIZE(type, __VA_ARGS__) / (n), n, DDR_ELEMENTS(type, __VA_ARGS__))

/* An element that is given by its scalars. */
#define DDR_APPEND(pool, seq, type, ...)                                                           \
  ddr_seq_push(pool, seq, DDR_ELEMENTS_SIZE(type, __VA_ARGS__), DDR_ELEMENTS(type, __VA_ARGS__))
#define DDR_PREPEND(pool, seq, type, ...)                                                          \
  ddr_seq_prepend(pool, seq, DDR_ELEMENTS_SIZE(type, __VA_ARGS__), DDR_ELEMENTS(type, __VA_ARGS__))

/* A fixed sequence within another, whose scalars start at number `at` of the array.  Copied: to a
 * compiler, no struct lies in another one that does not contain it. */
#if defined(__cplusplus)
template <typename Type> DDR_FN Type ddr_inner_of(const void *scalars) {
  Type inner;
  memcpy(&inner, scalars, sizeof inner);
  return inner;
}
#define DDR_INNER(type, array, at) (ddr_inner_of<type>((array) + (at)))
#else
#define DDR_INNER(type, array, at)                                                                 \
  __extension__({                                                                                  \
    type inner_;                                                                                   \
    memcpy(&inner_, (array) + (at), sizeof inner_);                                                \
    inner_;                                                                                        \
  })
#endif
