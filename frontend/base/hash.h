/* Hash: FNV-1a of 64 bits. Not cryptographic: it does not resist attempts to find collisions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(14695981039346656037)
/* Continues a hash; the first one is HASH_START. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
/* With the NUL at its end, so that "ab" and then "c" have another hash than "a" and then "bc". */
uint64_t hash_text(uint64_t hash, const char *text);
/* Hashes the bytes of a file, as far as it can be read. */
uint64_t hash_file(uint64_t hash, const char *path);
