/* Nearest: which of several words was probably meant by one that is none of them. */
#pragma once

#include "frontend/base/name.h"

/* Looks for the name most like another: fewest single-character edits, at most a third of its
 * length. Offer candidates one by one; best is NULL when none was near enough. */
typedef struct Nearest {
  const char *wanted;
  const char *best;
  uint32_t distance;
} Nearest;

Nearest nearest_to(const Name *name);
void nearest_offer(Nearest *nearest, const char *candidate);

/* Edits between two texts; UINT32_MAX when one is longer than 63 bytes. */
uint32_t edit_distance(const char *a, const char *b);
