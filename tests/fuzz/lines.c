#include "tests/fuzz/lines.h"

#include <stdlib.h>
#include <string.h>

Lines lines_split(const uint8_t *data, size_t size) {
  Lines lines = {.text = malloc(size + 1)};
  if (!lines.text) abort();
  if (size > 0) memcpy(lines.text, data, size);
  lines.text[size] = '\0';
  for (char *at = lines.text; at && lines.argc <= MOST_WORDS;) {
    lines.argv[lines.argc++] = at;
    at = strchr(at, '\n');
    if (at) *at++ = '\0';
  }
  return lines;
}
