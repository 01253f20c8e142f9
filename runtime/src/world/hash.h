/* hash.h: a hash of bytes, to tell whether two things are the same.
 *
 * Not a cryptographic hash: collisions can be constructed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DDR_HASH_START UINT64_C(0xcbf29ce484222325)

/* Continues from a hash, at first DDR_HASH_START.  If bytes are added in several pieces, all
 * but the last must be multiples of 8 bytes for the hash to be that of the whole.  From
 * the same hash, different words always lead to different ones. */
uint64_t ddr_hash_add(uint64_t hash, const void *bytes, size_t n);
