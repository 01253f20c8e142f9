/* Map and NameTable: order of insertion, replacement, identity of equal names. */
#include "frontend/base/map.h"

#include "frontend/base/name.h"
#include "frontend/base/text.h"
#include "tests/unit/test.h"

enum { N_KEYS = 3000 };

/* Keys are put in an order unlike that of their addresses. */
static void iterates_in_insertion_order(void) {
  static char keys[N_KEYS];
  Arena *a = arena_new();
  Map *m = map_new(a);
  for (uint32_t i = 0; i < N_KEYS; i++) {
    char *key = &keys[i * 1237 % N_KEYS]; /* 1237 is prime to 3000, so every key comes once */
    CHECK(!map_has(m, key));
    map_put(m, key, key);
  }
  CHECK_EQ(map_len(m), N_KEYS);
  for (uint32_t i = 0; i < N_KEYS; i++) {
    if (!CHECK(map_key(m, i) == &keys[i * 1237 % N_KEYS])) break;
    if (!CHECK(map_get(m, &keys[i]) == &keys[i])) break;
  }
  arena_free(a);
}

static void replaces_in_place(void) {
  static int keys[3], values[2];
  Arena *a = arena_new();
  Map *m = map_new(a);
  for (int i = 0; i < 3; i++) map_put(m, &keys[i], &values[0]);
  map_put(m, &keys[1], &values[1]);
  CHECK_EQ(map_len(m), 3);
  CHECK(map_key(m, 1) == &keys[1]);
  CHECK(map_value(m, 1) == &values[1]);
  CHECK(map_value(m, 2) == &values[0]);
  arena_free(a);
}

static void tells_null_from_absent(void) {
  static int keys[2];
  Arena *a = arena_new();
  Map *m = map_new(a);
  map_put(m, &keys[0], NULL);
  CHECK(map_has(m, &keys[0]));
  CHECK(map_get(m, &keys[0]) == NULL);
  CHECK(!map_has(m, &keys[1]));
  CHECK(map_get(m, &keys[1]) == NULL);
  CHECK(!map_has(m, NULL));
  arena_free(a);
}

static void equal_texts_are_one_name(void) {
  Arena *a = arena_new();
  NameTable *t = name_table_new(a);
  const Name *names[N_KEYS];
  for (int i = 0; i < N_KEYS; i++) names[i] = name_from(t, text_format(a, "x%d", i));
  for (int i = 0; i < N_KEYS; i++) {
    const char *text = text_format(a, "x%d", i);
    if (!CHECK(name_from(t, text) == names[i])) break;
    if (!CHECK_STR(names[i]->text, text)) break;
    if (!CHECK_EQ(names[i]->len, strlen(text))) break;
  }
  arena_free(a);
}

static void names_are_cut_to_their_length(void) {
  Arena *a = arena_new();
  NameTable *t = name_table_new(a);
  const Name *phi = name_intern(t, "φ'rest", 3);
  CHECK_STR(phi->text, "φ'");
  CHECK(phi == name_from(t, "φ'"));
  CHECK(phi != name_from(t, "φ"));
  CHECK(name_from(t, "") == name_intern(t, "abc", 0));
  CHECK(name_intern(t, "a\0b", 3) != name_intern(t, "a\0c", 3));
  arena_free(a);
}

int main(void) {
  RUN(iterates_in_insertion_order);
  RUN(replaces_in_place);
  RUN(tells_null_from_absent);
  RUN(equal_texts_are_one_name);
  RUN(names_are_cut_to_their_length);
  return test_result();
}
