/* packing.c: writes values into a file; in a first pass bytes are only counted. */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/hash.h"

/* A failed write is reported when the file is closed. */
static void flush(ddr_packing *packing) {
  packing->hash = ddr_hash_add(packing->hash, packing->held, packing->n_held);
  fwrite(packing->held, 1, packing->n_held, packing->file);
  packing->n_held = 0;
}

void ddr_pack(ddr_packing *packing, const void *bytes, size_t n) {
  const char *at = bytes;
  packing->n_bytes += n;
  while (packing->file && n > 0) {
    const size_t room = DDR_PACKING_HELD - packing->n_held, len = n < room ? n : room;
    memcpy(packing->held + packing->n_held, at, len);
    packing->n_held += len;
    at += len;
    n -= len;
    if (packing->n_held == DDR_PACKING_HELD) flush(packing);
  }
}

void ddr_pack_number(ddr_packing *packing, uint64_t number) {
  ddr_pack(packing, &number, sizeof number);
}

void ddr_pack_text(ddr_packing *packing, const char *text) {
  const size_t n = text ? strlen(text) : 0;
  ddr_pack_number(packing, n);
  if (n > 0) ddr_pack(packing, text, n);
}

void ddr_pack_end(ddr_packing *packing) {
  uint64_t hash = 0;
  packing->n_bytes += sizeof hash;
  if (!packing->file) return;
  flush(packing);
  hash = packing->hash;
  fwrite(&hash, 1, sizeof hash, packing->file);
}

static bool has_room(ddr_packing *packing) {
  if (packing->n_strings < packing->n_places) return true;
  const size_t n_places = packing->n_places > 0 ? 2 * (size_t)packing->n_places : 16;
  const char **strings = realloc(packing->strings, n_places * sizeof *strings);
  if (!strings) return false;
  packing->strings = strings;
  packing->n_places = n_places;
  return true;
}

/* A linear search: all strings are literals of the program or words of the command line, so there
 * are few. */
uint64_t ddr_pack_string(ddr_packing *packing, const char *string) {
  if (!string) return 0;
  for (uint64_t k = 0; k < packing->n_strings; k++) {
    if (packing->strings[k] == string || strcmp(packing->strings[k], string) == 0) return k + 1;
  }
  if (!has_room(packing)) {
    packing->is_short = true;
    return 0;
  }
  packing->strings[packing->n_strings++] = string;
  return packing->n_strings;
}
