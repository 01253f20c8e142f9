/* Arena and Vec: zeroed, aligned, disjoint blocks; marks; growth that keeps the elements. */
#include "frontend/base/arena.h"

#include <stdalign.h>

#include "frontend/base/vec.h"
#include "tests/unit/test.h"

static bool is_zero(const unsigned char *block, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (block[i] != 0) return false;
  return true;
}

/* Each block is filled with its own number; none may be overwritten by a later one. */
static void blocks_are_zeroed_aligned_and_disjoint(void) {
  enum { N_BLOCKS = 500 };
  Arena *a = arena_new();
  unsigned char *blocks[N_BLOCKS];
  for (size_t i = 0; i < N_BLOCKS; i++) {
    blocks[i] = arena_alloc(a, i * 7 % 400);
    CHECK(is_zero(blocks[i], i * 7 % 400));
    CHECK_EQ((uintptr_t)blocks[i] % alignof(max_align_t), 0);
    memset(blocks[i], (int)(i % 251 + 1), i * 7 % 400);
  }
  for (size_t i = 0; i < N_BLOCKS; i++)
    for (size_t k = 0; k < i * 7 % 400; k++)
      if (!CHECK_EQ(blocks[i][k], i % 251 + 1)) break;
  arena_free(a);
}

static void empty_blocks_have_their_own_address(void) {
  Arena *a = arena_new();
  const void *first = arena_alloc(a, 0), *second = arena_alloc(a, 0);
  CHECK(first != NULL);
  CHECK(first != second);
  arena_free(a);
}

static void blocks_larger_than_a_page_fit(void) {
  Arena *a = arena_new();
  size_t size = (size_t)1 << 20;
  unsigned char *block = arena_alloc(a, size);
  CHECK(is_zero(block, size));
  block[size - 1] = 1;
  CHECK(NEW(a, int) != NULL);
  arena_free(a);
}

static void reset_gives_back_what_came_after_the_mark(void) {
  Arena *a = arena_new();
  int *kept = NEW(a, int);
  *kept = 42;
  ArenaMark mark = arena_mark(a);
  void *first = arena_alloc(a, 16);
  memset(first, 0xFF, 16);
  for (int i = 0; i < 1000; i++) arena_alloc(a, 100);
  arena_reset(a, mark);
  CHECK_EQ(*kept, 42);
  unsigned char *again = arena_alloc(a, 16);
  CHECK(again == first);
  CHECK(is_zero(again, 16));
  arena_free(a);
}

static void reset_to_the_beginning(void) {
  Arena *a = arena_new();
  ArenaMark empty = arena_mark(a);
  for (int i = 0; i < 100; i++) arena_alloc(a, 1000);
  arena_reset(a, empty);
  CHECK(arena_mark(a).page == NULL);
  CHECK(arena_alloc(a, 8) != NULL);
  arena_free(a);
  arena_free(NULL);
}

static void strdup_copies_and_ends(void) {
  Arena *a = arena_new();
  char text[] = "abcdef";
  char *copy = arena_strdup(a, text, 3);
  text[0] = 'x';
  CHECK_STR(copy, "abc");
  CHECK_STR(arena_strdup(a, "", 0), "");
  arena_free(a);
}

static void vec_keeps_elements_while_growing(void) {
  enum { N = 1000 };
  Arena *a = arena_new();
  VEC(uint64_t) v = {0};
  for (uint64_t i = 0; i < N; i++) vec_push(a, &v, i * i);
  CHECK_EQ(v.len, N);
  for (uint64_t i = 0; i < N; i++)
    if (!CHECK_EQ(v.data[i], i * i)) break;
  CHECK_EQ(vec_last(&v), (N - 1) * (N - 1));
  CHECK_EQ(vec_pop(&v), (N - 1) * (N - 1));
  CHECK_EQ(v.len, N - 1);
  arena_free(a);
}

int main(void) {
  RUN(blocks_are_zeroed_aligned_and_disjoint);
  RUN(empty_blocks_have_their_own_address);
  RUN(blocks_larger_than_a_page_fit);
  RUN(reset_gives_back_what_came_after_the_mark);
  RUN(reset_to_the_beginning);
  RUN(strdup_copies_and_ends);
  RUN(vec_keeps_elements_while_growing);
  return test_result();
}
