/* number.h: a hash of bytes, to tell whether two things are the same.
 *
 * Not a cryptographic hash: collisions can be constructed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DDR_NUMBER_START UINT64_C(0xcbf29ce484222325)

/* Continues from a number, at first DDR_NUMBER_START.  If bytes are added in several pieces, all
 * but the last must be multiples of 8 bytes for the hash to be that of the whole.  Different words
 * always give different numbers. */
uint64_t ddr_number_add(uint64_t number, const void *bytes, size_t n);
