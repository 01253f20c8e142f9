/* Hash: numbers that differ, for all practical purposes, where a byte does (FNV-1a of 64 bits). Not
 * for keeping out those who look for two texts of one number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(14695981039346656037)
/* Goes on from a hash, at first HASH_START. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
/* What can be read of the file. */
uint64_t hash_file(uint64_t hash, const char *path);
