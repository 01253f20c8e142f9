/* number.h: a number that stands for bytes, to tell by whether two things are the same.
 *
 * Not for keeping out those who look for two things of one number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DDR_NUMBER_START UINT64_C(0xcbf29ce484222325)

/* Goes on from a number, at first DDR_NUMBER_START.  Of several pieces, all but the last must be
 * multiples of 8 bytes for the number to be that of the whole.  Another word always gives another
 * number. */
uint64_t ddr_number_add(uint64_t number, const void *bytes, size_t n);
