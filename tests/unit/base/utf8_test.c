/* UTF-8: every code point there and back, and the table of ill-formed sequences of the Unicode
 * standard, chapter 3 (well-formed byte sequences). */
#include "frontend/base/utf8.h"

#include "tests/unit/test.h"

/* Returns the number of bytes written. */
static size_t encode(uint32_t code_point, char out[4]) {
  if (code_point < 0x80) {
    out[0] = (char)code_point;
    return 1;
  }
  size_t n = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i > 0; i--) {
    out[i] = (char)(0x80 | (code_point & 0x3F));
    code_point >>= 6;
  }
  out[0] = (char)((0xF00U >> n & 0xFF) | code_point);
  return n;
}

static void every_code_point_survives(void) {
  for (uint32_t c = 0; c <= 0x10FFFF; c++) {
    if (c == 0xD800) c = 0xE000;
    char text[4];
    uint32_t n_bytes;
    size_t len = encode(c, text);
    bool is_same = utf8_decode(text, len, &n_bytes) == c && n_bytes == len;
    if (!is_same && !CHECK_EQ(c, -1)) return;
    if (len > 1 && !CHECK_EQ(utf8_decode(text, len - 1, &n_bytes), UTF8_INVALID)) return;
  }
  CHECK(true);
}

static void lengths_follow_the_standard(void) {
  static const struct {
    uint32_t c;
    size_t len;
  } rows[] = {{0, 1},     {0x7F, 1},   {0x80, 2},    {0x7FF, 2},
              {0x800, 3}, {0xFFFF, 3}, {0x10000, 4}, {0x10FFFF, 4}};
  char text[4];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(encode(rows[i].c, text), rows[i].len);
}

static void ill_formed_bytes_are_invalid_and_one_long(void) {
  static const char *const rows[] = {
      "\x80",             /* continuation first */
      "\xBF",             /* */
      "\xC0\x80",         /* overlong NUL */
      "\xC1\xBF",         /* overlong 7F */
      "\xE0\x9F\xBF",     /* overlong 7FF */
      "\xF0\x8F\xBF\xBF", /* overlong FFFF */
      "\xED\xA0\x80",     /* D800, first surrogate */
      "\xED\xBF\xBF",     /* DFFF, last surrogate */
      "\xF4\x90\x80\x80", /* 110000 */
      "\xF5\x80\x80\x80", /* never a first byte */
      "\xFF",             /* */
      "\xE2\x88",         /* cut off */
      "\xE2\x41\x41",     /* no continuation */
      "\xF0\x9F\x41\x41", /* */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t n_bytes;
    CHECK_EQ(utf8_decode(rows[i], strlen(rows[i]), &n_bytes), UTF8_INVALID);
    CHECK_EQ(n_bytes, 1);
  }
}

static void counts_characters(void) {
  CHECK_EQ(utf8_count("", 0), 0);
  CHECK_EQ(utf8_count("∇F ⊛ k", strlen("∇F ⊛ k")), 6);
  CHECK_EQ(utf8_count("a\xFF\xFE", 3), 3);
  CHECK_EQ(utf8_count16("∇F ⊛ k", strlen("∇F ⊛ k")), 6);
  CHECK_EQ(utf8_count16("a\xFF\xFE", 3), 3);
  CHECK_EQ(utf8_count16("\U0001F600\uFFFF\U00010000", 11), 5);
}

static void measures_columns(void) {
  static const struct {
    const char *text;
    uint32_t width;
  } rows[] = {{"", 0},
              {"abc", 3},
              {"∇", 1},
              {"⊛ ⊗ •", 5},
              {"φψ", 2},
              {"体积", 4},
              {"ﾊ", 1},
              {"Ｆ", 2},
              {"한", 2},
              {"e\xCC\x81", 1},
              {"\xFF", 1},
              {"\x01", 1},
              {"\xF0\x9F\x98\x80", 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(utf8_display_width(rows[i].text, strlen(rows[i].text)), rows[i].width);
}

int main(void) {
  RUN(every_code_point_survives);
  RUN(lengths_follow_the_standard);
  RUN(ill_formed_bytes_are_invalid_and_one_long);
  RUN(counts_characters);
  RUN(measures_columns);
  return test_result();
}
