/* Bits: fixed-size bit set in an arena. Operands of the binary operations have equal n_bits. */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"

typedef struct Bits {
  uint64_t *words;
  uint32_t n_bits;
} Bits;

Bits bits_new(Arena *a, uint32_t n_bits); /* all clear */
bool bits_has(const Bits *b, uint32_t i);
void bits_set(Bits *b, uint32_t i);
void bits_clear(Bits *b, uint32_t i);
bool bits_union(Bits *dst, const Bits *src);     /* dst |= src; true when dst changed */
bool bits_intersect(Bits *dst, const Bits *src); /* dst &= src; true when dst changed */
void bits_copy(Bits *dst, const Bits *src);
