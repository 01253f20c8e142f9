/* truths.h: looks for a truth value among adjacent bools, of which all bytes but 0 are true; what
 * comes after the first one is not read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* All are 0 if the first is, and each is like the one before. */
static inline bool ddr_has_truth(const void *bools, int64_t n, bool truth) {
  const unsigned char *bytes = bools;
  if (n == 0) return false;
  if (!truth) return memchr(bytes, 0, (size_t)n) != NULL;
  return bytes[0] != 0 || memcmp(bytes, bytes + 1, (size_t)n - 1) != 0;
}
