#include "frontend/base/bits.h"

#include <string.h>

#include "frontend/base/panic.h"

static uint32_t word_count(const Bits *b) { return b->n_bits / 64 + (b->n_bits % 64 != 0); }

static void check_index(const Bits *b, uint32_t i) {
  if (i >= b->n_bits) BUG(NULL, "bit %u of a set of %u", i, b->n_bits);
}

static void check_same_size(const Bits *a, const Bits *b) {
  if (a->n_bits != b->n_bits) BUG(NULL, "bit sets of %u and %u bits", a->n_bits, b->n_bits);
}

Bits bits_new(Arena *a, uint32_t n_bits) {
  Bits b = {.n_bits = n_bits};
  b.words = NEWN(a, uint64_t, word_count(&b));
  return b;
}

bool bits_has(const Bits *b, uint32_t i) {
  check_index(b, i);
  return (b->words[i / 64] >> (i % 64) & 1) != 0;
}

void bits_set(Bits *b, uint32_t i) {
  check_index(b, i);
  b->words[i / 64] |= UINT64_C(1) << (i % 64);
}

void bits_clear(Bits *b, uint32_t i) {
  check_index(b, i);
  b->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

bool bits_union(Bits *dst, const Bits *src) {
  check_same_size(dst, src);
  uint64_t changed = 0;
  for (uint32_t i = 0; i < word_count(dst); i++) {
    changed |= src->words[i] & ~dst->words[i];
    dst->words[i] |= src->words[i];
  }
  return changed != 0;
}

bool bits_intersect(Bits *dst, const Bits *src) {
  check_same_size(dst, src);
  uint64_t changed = 0;
  for (uint32_t i = 0; i < word_count(dst); i++) {
    changed |= dst->words[i] & ~src->words[i];
    dst->words[i] &= src->words[i];
  }
  return changed != 0;
}

void bits_copy(Bits *dst, const Bits *src) {
  check_same_size(dst, src);
  memcpy(dst->words, src->words, word_count(dst) * sizeof *dst->words);
}
