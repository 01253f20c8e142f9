#include "frontend/base/utf8.h"

#include <stdbool.h>

typedef struct Range {
  uint32_t first, last;
} Range;

static bool in_ranges(const Range *ranges, size_t n_ranges, uint32_t c) {
  for (size_t i = 0; i < n_ranges; i++)
    if (ranges[i].first <= c && c <= ranges[i].last) return true;
  return false;
}

/* Number of bytes that the first byte of a character announces, 0 when it cannot be one. */
static uint32_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0; /* continuation bytes, and C0, C1 that only start overlong forms */
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  if (first < 0xF5) return 4;
  return 0;
}

static bool is_scalar_value(uint32_t c, uint32_t n_bytes) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return c >= smallest[n_bytes] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

uint32_t utf8_decode(const char *text, size_t len, uint32_t *n_bytes) {
  const unsigned char first = (unsigned char)text[0];
  const uint32_t n = announced_length(first);
  *n_bytes = 1;
  if (n == 1) return first;
  if (n == 0 || n > len) return UTF8_INVALID;

  uint32_t c = first & (0xFFU >> (n + 1));
  for (uint32_t i = 1; i < n; i++) {
    unsigned char byte = (unsigned char)text[i];
    if ((byte & 0xC0) != 0x80) return UTF8_INVALID;
    c = c << 6 | (byte & 0x3F);
  }
  if (!is_scalar_value(c, n)) return UTF8_INVALID;
  *n_bytes = n;
  return c;
}

uint32_t utf8_count(const char *text, size_t len) {
  uint32_t count = 0, n_bytes;
  for (size_t i = 0; i < len; i += n_bytes, count++) utf8_decode(text + i, len - i, &n_bytes);
  return count;
}

uint32_t utf8_count16(const char *text, size_t len) {
  uint32_t count = 0, n_bytes;
  for (size_t i = 0; i < len; i += n_bytes) {
    const uint32_t c = utf8_decode(text + i, len - i, &n_bytes);
    count += c != UTF8_INVALID && c >= 0x10000 ? 2 : 1;
  }
  return count;
}

static uint32_t char_width(uint32_t c) {
  static const Range zero_width[] = {
      {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
      {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
      {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
  };
  static const Range wide[] = {
      {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
      {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
      {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
      {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
  };
  if (c < 0x0300 || c == UTF8_INVALID) return 1;
  if (in_ranges(zero_width, sizeof zero_width / sizeof *zero_width, c)) return 0;
  return in_ranges(wide, sizeof wide / sizeof *wide, c) ? 2 : 1;
}

uint32_t utf8_display_width(const char *text, size_t len) {
  uint32_t width = 0, n_bytes;
  for (size_t i = 0; i < len; i += n_bytes)
    width += char_width(utf8_decode(text + i, len - i, &n_bytes));
  return width;
}
