/* UTF-8: decoding with strict validation (no overlong forms, surrogates or values above 10FFFF),
 * and the number of terminal columns a character takes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UTF8_INVALID UINT32_MAX

/* Decodes the character at text (len > 0 bytes left); *n_bytes is its length, 1 when invalid. */
uint32_t utf8_decode(const char *text, size_t len, uint32_t *n_bytes);
uint32_t utf8_count(const char *text, size_t len);   /* characters; an invalid byte counts one */
uint32_t utf8_count16(const char *text, size_t len); /* units of UTF-16, likewise */
/* Columns of the text on a terminal: combining marks 0, East Asian wide characters 2,
 * all else 1, control characters and invalid bytes included. */
uint32_t utf8_display_width(const char *text, size_t len);
