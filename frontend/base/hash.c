#include "frontend/base/hash.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < len; i++) hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
  return hash;
}

uint64_t hash_text(uint64_t hash, const char *text) {
  return hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t hash_file(uint64_t hash, const char *path) {
  char chunk[CHUNK];
  FILE *file = fopen(path, "rb");
  for (size_t n; file && (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    hash = hash_bytes(hash, chunk, n);
  if (file) fclose(file);
  return hash;
}
