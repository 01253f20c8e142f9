/* prints.h: print statements and strings in strand code on devices.
 *
 * A thread prints records into a heap (ddr/device/device.h), which the host sorts and formats when
 * the launch is over, with the same text as on the host (runtime/cuda/prints.cu).
 */
#pragma once

#include "ddr/device/device.h"
#include "ddr/device/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- records ---------------------------------------------------------------------------------- */

typedef enum ddr_said_kind {
  DDR_SAID_STRING, /* n_chars characters, and a NUL */
  DDR_SAID_BOOL,   /* n_chars is 0 or 1, or DDR_SAID_NOTHING; nothing follows */
  DDR_SAID_INT,    /* int64_t */
  DDR_SAID_FLOAT,  /* float */
  DDR_SAID_DOUBLE, /* double */
  DDR_SAID_SEQ     /* ddr_said_seq */
} ddr_said_kind;

enum { DDR_SAID_NOTHING = 2 };

/* One argument of a print statement, or a part of it; its value follows, padded to 8 bytes. */
typedef struct ddr_said {
  int64_t slot;
  uint32_t number; /* of this strand's records in the launch */
  uint16_t n_chars;
  uint8_t kind;
  bool is_end; /* of a statement */
} ddr_said;

enum { DDR_MOST_CHARS = UINT16_MAX }; /* of one record */

DDR_FN uint64_t ddr_padded(uint64_t n_bytes) { return (n_bytes + 7) / 8 * 8; }

/* A dynamic sequence without strings.  Its pattern, padded, and its buffer follow; the header of
 * the buffer is meaningless. */
typedef struct ddr_said_seq {
  uint64_t n_bytes, n_pattern; /* bytes of this struct and what follows; bytes of the pattern */
  int64_t length;
} ddr_said_seq;

/* Bytes of a record with its value. */
DDR_FN uint64_t ddr_said_size(const ddr_said *said) {
  switch (said->kind) {
  case DDR_SAID_STRING: return sizeof *said + ddr_padded(said->n_chars + 1u);
  case DDR_SAID_BOOL: return sizeof *said;
  case DDR_SAID_SEQ:
    return sizeof *said + ((const ddr_said_seq *)(const void *)(said + 1))->n_bytes;
  default: return sizeof *said + 8;
  }
}

/* --- what strand code calls ------------------------------------------------------------------- */

#if defined(DDR_GPU) || defined(DDR_SHIM)
/* The thread's next record, with zeros as padding.  NULL if the heap is exhausted; then the launch
 * is repeated. */
DDR_DEVICE_FN ddr_said *ddr_device_say(ddr_device_block *block, ddr_said_kind kind,
                                       uint16_t n_chars, uint64_t n_bytes) {
  const ddr_heap *heap = &block->strands->heap[DDR_HEAP_PRINTS];
  ddr_said *said = (ddr_said *)ddr_heap_take(heap, sizeof *said + ddr_padded(n_bytes));
  const uint32_t number = block->n_said++;
  block->said = said;
  if (!said) return said;
  said->slot = block->slot;
  said->number = number;
  said->n_chars = n_chars;
  said->kind = (uint8_t)kind;
  said->is_end = false;
  if (n_bytes % 8 > 0) *(uint64_t *)(void *)((char *)(said + 1) + ddr_padded(n_bytes) - 8) = 0;
  return said;
}

DDR_DEVICE_FN void ddr_device_put_bool(ddr_device_block *block, bool value) {
  ddr_device_say(block, DDR_SAID_BOOL, value ? 1 : 0, 0);
}

#define DDR_DEVICE_PUT(name, type, kind)                                                           \
  DDR_DEVICE_FN void ddr_device_put_##name(ddr_device_block *block, type value) {                  \
    ddr_said *said = ddr_device_say(block, kind, 0, sizeof value);                                 \
    if (said) *(type *)(void *)(said + 1) = value;                                                 \
  }
DDR_DEVICE_PUT(int, int64_t, DDR_SAID_INT)
DDR_DEVICE_PUT(float, float, DDR_SAID_FLOAT)
DDR_DEVICE_PUT(double, double, DDR_SAID_DOUBLE)
#undef DDR_DEVICE_PUT

DDR_DEVICE_FN void ddr_device_put_string(ddr_device_block *block, const char *string) {
  while (*string) {
    uint16_t n = 0;
    while (n < DDR_MOST_CHARS && string[n]) n++;
    ddr_said *said = ddr_device_say(block, DDR_SAID_STRING, n, n + 1u);
    for (uint16_t k = 0; said && k < n; k++) ((char *)(said + 1))[k] = string[k];
    if (said) ((char *)(said + 1))[n] = '\0';
    string += n;
  }
}

/* Bytes of the scalar that a letter of a pattern stands for (seq.h); 0: it stands for itself. */
DDR_FN uint64_t ddr_letter_size(char letter) {
  switch (letter) {
  case 'b': return sizeof(bool);
  case 'i':
  case 'f': return 4;
  case 'l':
  case 'd': return 8;
  case 's': return sizeof(char *);
  default: return 0;
  }
}

/* A sequence with strings is printed scalar by scalar: the characters are not in its buffer. */
DDR_DEVICE_FN void ddr_device_put_strings(ddr_device_block *block, ddr_seq seq,
                                          const char *pattern) {
  const char *const *string =
      seq.buffer ? (const char *const *)(const void *)ddr_seq_elements(seq.buffer) : NULL;
  ddr_device_put_string(block, "{");
  for (int64_t idx = 0; idx < seq.length; idx++) {
    if (idx > 0) ddr_device_put_string(block, ",");
    for (const char *letter = pattern; *letter; letter++) {
      const char other[2] = {*letter, 0};
      ddr_device_put_string(block, *letter == 's' ? *string++ : other);
    }
  }
  ddr_device_put_string(block, "}");
}

DDR_DEVICE_FN void ddr_device_put_seq(ddr_device_block *block, ddr_seq seq, const char *pattern) {
  uint64_t n_pattern = 1, size = 0;
  for (const char *letter = pattern; *letter; letter++, n_pattern++) {
    size += ddr_letter_size(*letter);
    if (*letter != 's') continue;
    ddr_device_put_strings(block, seq, pattern);
    return;
  }
  n_pattern = ddr_padded(n_pattern);
  const ddr_said_seq head = {
      ddr_padded(sizeof head + n_pattern + sizeof *seq.buffer + (uint64_t)seq.length * size),
      n_pattern, seq.length};
  ddr_said *said = ddr_device_say(block, DDR_SAID_SEQ, 0, head.n_bytes);
  if (!said) return;
  ddr_said_seq *to = (ddr_said_seq *)(void *)(said + 1);
  char *chars = (char *)(to + 1);
  *(uint64_t *)(void *)((char *)to + head.n_bytes - 8) = 0; /* padding */
  *to = head;
  for (uint64_t k = 0; k < n_pattern; k++) {
    chars[k] = *pattern;
    if (*pattern) pattern++;
  }
  memset(chars + n_pattern, 0, sizeof *seq.buffer);
  if (seq.length > 0)
    ddr_seq_copy(chars + n_pattern + sizeof *seq.buffer, ddr_seq_elements(seq.buffer),
                 (uint64_t)seq.length * size);
}

/* Marks the end of a statement.  An empty statement gets a record of its own. */
DDR_DEVICE_FN void ddr_device_print_end(ddr_device_block *block) {
  if (!block->said) ddr_device_say(block, DDR_SAID_BOOL, DDR_SAID_NOTHING, 0);
  if (block->said) block->said->is_end = true;
  block->said = NULL;
}
#endif

/* Whether two strings differ, like strcmp. */
DDR_FN bool ddr_strings_differ(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a != *b;
}

#ifdef __cplusplus
}
#endif
