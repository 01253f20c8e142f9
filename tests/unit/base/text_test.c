/* Text: building, formatting, and reals printed as the shortest text that reads back exactly. */
#include "frontend/base/text.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static void builds_long_texts(void) {
  Arena *a = arena_new();
  Text t = text_new(a);
  CHECK_STR(text_str(&t), "");
  for (int i = 0; i < 1000; i++) text_addf(&t, "%d,", i % 10);
  CHECK_EQ(t.len, 2000);
  CHECK_EQ(strlen(text_str(&t)), 2000);
  for (size_t i = 0; i < 1000; i++)
    if (!CHECK_EQ(text_str(&t)[2 * i], '0' + (int)(i % 10))) break;
  text_add(&t, "");
  text_add_n(&t, "xyz", 1);
  CHECK_STR(text_str(&t) + 1998, "9,x");
  arena_free(a);
}

static void formats(void) {
  Arena *a = arena_new();
  CHECK_STR(text_format(a, "%s-%03d", "ab", 7), "ab-007");
  CHECK_STR(text_format(a, "%s", ""), "");
  const char *wide = text_format(a, "%5000d", 1);
  CHECK_EQ(strlen(wide), 5000);
  arena_free(a);
}

static void spells_known_reals(void) {
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0.1, "0.1"},
              {1e-6, "1e-06"},
              {3.0, "3"},
              {-0.0, "-0"},
              {20.0, "20"},
              {2.5e-3, "0.0025"},
              {1.0 / 3, "0.3333333333333333"},
              {1e300, "1e+300"},
              {5e-324, "5e-324"},
              {0.1 + 0.2, "0.30000000000000004"}};
  Arena *a = arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_STR(text_from_real(a, rows[i].value), rows[i].text);
  CHECK_STR(text_from_real(a, (double)INFINITY), "inf");
  CHECK_STR(text_from_real(a, -(double)INFINITY), "-inf");
  CHECK_STR(text_from_real(a, (double)NAN), "nan");
  arena_free(a);
}

/* xorshift64*; any generator would do, as long as it is the same everywhere. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

static void random_reals_read_back_and_are_shortest(void) {
  Arena *a = arena_new();
  uint64_t state = 1;
  for (int i = 0; i < (int)test_rounds(20000); i++) {
    uint64_t bits = next_random(&state);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value) || isinf(value)) continue;
    ArenaMark mark = arena_mark(a);
    const char *text = text_from_real(a, value);
    if (!CHECK(strtod(text, NULL) == value)) break;
    for (int digits = 1; digits <= 17; digits++) {
      const char *other = text_format(a, "%.*g", digits, value);
      if (strlen(other) < strlen(text) && !CHECK(strtod(other, NULL) != value)) return;
    }
    arena_reset(a, mark);
  }
  arena_free(a);
}

static void finds_whole_words_of_a_list(void) {
  CHECK(text_has_word("ab abc d", "ab"));
  CHECK(text_has_word("ab abc d", "abc"));
  CHECK(text_has_word("ab abc d", "d"));
  CHECK(!text_has_word("abc d", "ab"));
  CHECK(!text_has_word("abc d", "bc"));
  CHECK(!text_has_word("abc d", ""));
  CHECK(!text_has_word("", "a"));
}

static void lines_are_found_by_their_beginning(void) {
  Arena *a = arena_new();
  CHECK_STR(text_lines_with(a, "#a 1\nb #a\n\n#a 2", "#a"), "#a 1\n#a 2\n");
  CHECK_STR(text_lines_with(a, "", "#a"), "");
  arena_free(a);
}

int main(void) {
  RUN(builds_long_texts);
  RUN(formats);
  RUN(spells_known_reals);
  RUN(random_reals_read_back_and_are_shortest);
  RUN(finds_whole_words_of_a_list);
  RUN(lines_are_found_by_their_beginning);
  return test_result();
}
