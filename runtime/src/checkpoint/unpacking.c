/* unpacking.c: reads bytes of a checkpoint; a request for more bytes than are left reads none. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

static bool fail(ddr_unpacking *unpacking, bool is_system) {
  if (is_system && unpacking->error == 0) unpacking->error = errno ? errno : EIO;
  unpacking->is_bad = true;
  return false;
}

bool ddr_unpack(ddr_unpacking *unpacking, void *bytes, size_t n) {
  if (unpacking->is_bad) return false;
  if (n > unpacking->end - unpacking->at) return fail(unpacking, false);
  errno = 0;
  if (fread(bytes, 1, n, unpacking->file) != n)
    return fail(unpacking, ferror(unpacking->file) != 0);
  unpacking->at += n;
  return true;
}

uint64_t ddr_unpack_number(ddr_unpacking *unpacking) {
  uint64_t number;
  return ddr_unpack(unpacking, &number, sizeof number) ? number : 0;
}

char *ddr_unpack_text(ddr_unpacking *unpacking) {
  const uint64_t n = ddr_unpack_number(unpacking);
  if (n > unpacking->end - unpacking->at) unpacking->is_bad = true;
  if (unpacking->is_bad) return NULL;
  char *text = malloc((size_t)n + 1);
  if (!text) {
    unpacking->is_short = true;
    return NULL;
  }
  text[n] = '\0';
  if (ddr_unpack(unpacking, text, (size_t)n)) return text;
  free(text);
  return NULL;
}

bool ddr_unpack_skip_to(ddr_unpacking *unpacking, uint64_t at) {
  if (unpacking->is_bad) return false;
  if (at > unpacking->end) return fail(unpacking, false);
  if (fseeko(unpacking->file, (off_t)at, SEEK_SET) != 0) return fail(unpacking, true);
  unpacking->at = at;
  return true;
}
