/* number.c: see number.h.  It hashes a word at a time: a checkpoint is as long as all states. */
#include "number.h"

#include <string.h>

/* For a fixed number this maps different words to different numbers, and mixes all bits. */
static uint64_t add_word(uint64_t number, uint64_t word) {
  number = (number ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return number ^ number >> 32;
}

uint64_t ddr_number_add(uint64_t number, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  uint64_t word;
  for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    number = add_word(number, word);
  }
  if (n == 0) return number;
  word = (uint64_t)n << 56; /* so that trailing zeros count */
  memcpy(&word, at, n);
  return add_word(number, word);
}
