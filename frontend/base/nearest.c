/* Nearest: which word was probably meant. */
#define _POSIX_C_SOURCE 200809L /* strcasecmp */
#include "frontend/base/nearest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MAX_COMPARED 63

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t least = a < b ? a : b;
  return least < c ? least : c;
}

/* Levenshtein's recurrence with neighbours exchanged: rows[i % 3][j] is the distance of a[0..i) to
 * b[0..j), and the two rows before are kept. */
uint32_t edit_distance(const char *a, const char *b) {
  size_t a_len = strlen(a), b_len = strlen(b);
  if (a_len > MAX_COMPARED || b_len > MAX_COMPARED) return UINT32_MAX;
  uint32_t rows[3][MAX_COMPARED + 1];
  for (uint32_t j = 0; j <= b_len; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a_len; i++) {
    uint32_t *row = rows[i % 3], *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
    row[0] = i;
    for (uint32_t j = 1; j <= b_len; j++) {
      const bool are_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      row[j] = min3(before[j - 1] + (a[i - 1] != b[j - 1]), before[j] + 1, row[j - 1] + 1);
      if (are_exchanged && earlier[j - 2] + 1 < row[j]) row[j] = earlier[j - 2] + 1;
    }
  }
  return rows[a_len % 3][b_len];
}

Nearest nearest_to(const Name *name) {
  return (Nearest){.wanted = name->text, .distance = name->len < 3 ? 0 : name->len / 3 + 1};
}

void nearest_offer(Nearest *nearest, const char *candidate) {
  if (strcasecmp(nearest->wanted, candidate) == 0) { /* also of names too short for slips */
    nearest->best = candidate;
    nearest->distance = 0;
    return;
  }
  size_t wanted_len = strlen(nearest->wanted), len = strlen(candidate);
  size_t least = wanted_len < len ? len - wanted_len : wanted_len - len;
  if (least >= nearest->distance) return; /* already the lengths differ too much */
  uint32_t distance = edit_distance(nearest->wanted, candidate);
  if (distance >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = distance;
}
