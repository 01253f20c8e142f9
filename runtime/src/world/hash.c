/* hash.c: see hash.h.  It hashes a word at a time: a checkpoint is as long as all states. */
#include "hash.h"

#include <string.h>

/* For a fixed hash this maps different words to different hashes, and mixes all bits. */
static uint64_t add_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

uint64_t ddr_hash_add(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  uint64_t word;
  for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = add_word(hash, word);
  }
  if (n == 0) return hash;
  word = (uint64_t)n << 56; /* so that trailing zeros count */
  memcpy(&word, at, n);
  return add_word(hash, word);
}
