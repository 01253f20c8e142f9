/* Arena: a list of pages, the newest on top; allocation moves `used` of the top page.
 *
 *   top --> [ prev | cap | used | objects ... | unused, poisoned ] --> prev --> ...
 *
 * A request larger than a page gets a page of its own. Under AddressSanitizer a gap is left
 * poisoned between objects, so an overrun is caught as it would be with malloc.
 */
#include "frontend/base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/panic.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DDR_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define DDR_ASAN 1
#endif

#ifdef DDR_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(start, n) ASAN_POISON_MEMORY_REGION((start), (n))
#define UNPOISON(start, n) ASAN_UNPOISON_MEMORY_REGION((start), (n))
#define GAP alignof(max_align_t)
#else
#define POISON(start, n) ((void)(start), (void)(n))
#define UNPOISON(start, n) ((void)(start), (void)(n))
#define GAP ((size_t)0)
#endif

#ifdef DDR_SMALL_SIZES
#define PAGE_SIZE ((size_t)1024)
#else
#define PAGE_SIZE ((size_t)64 * 1024)
#endif

typedef struct Page {
  struct Page *prev;
  size_t cap, used;
  alignas(max_align_t) unsigned char data[];
} Page;

struct Arena {
  Page *top;
};

Arena *arena_new(void) {
  Arena *a = calloc(1, sizeof *a);
  if (!a) panic_out_of_memory(sizeof *a);
  return a;
}

static void pop_page(Arena *a) {
  Page *page = a->top;
  a->top = page->prev;
  UNPOISON(page->data, page->cap);
  free(page);
}

void arena_free(Arena *a) {
  if (!a) return;
  while (a->top) pop_page(a);
  free(a);
}

static void push_page(Arena *a, size_t least) {
  size_t cap = least > PAGE_SIZE ? least : PAGE_SIZE;
  if (cap > SIZE_MAX - sizeof(Page)) panic_out_of_memory(cap);
  Page *page = malloc(sizeof(Page) + cap);
  if (!page) panic_out_of_memory(cap);
  *page = (Page){.prev = a->top, .cap = cap};
  POISON(page->data, cap);
  a->top = page;
}

void *arena_alloc(Arena *a, size_t n_bytes) {
  const size_t align = alignof(max_align_t);
  if (n_bytes > SIZE_MAX - align - GAP) panic_out_of_memory(n_bytes);
  /* An empty object still gets an address of its own. */
  size_t step = (n_bytes == 0 ? align : (n_bytes + align - 1) / align * align) + GAP;
  if (!a->top || a->top->cap - a->top->used < step) push_page(a, step);
  unsigned char *block = a->top->data + a->top->used;
  a->top->used += step;
  UNPOISON(block, n_bytes);
  memset(block, 0, n_bytes);
  return block;
}

void *arena_alloc_array(Arena *a, size_t n, size_t size) {
  if (size > 0 && n > SIZE_MAX / size) panic_out_of_memory(SIZE_MAX);
  return arena_alloc(a, n * size);
}

char *arena_strdup(Arena *a, const char *text, size_t len) {
  if (len == SIZE_MAX) panic_out_of_memory(len);
  char *copy = arena_alloc(a, len + 1);
  if (len > 0) memcpy(copy, text, len);
  return copy;
}

ArenaMark arena_mark(const Arena *a) {
  return (ArenaMark){.page = a->top, .used = a->top ? a->top->used : 0};
}

void arena_reset(Arena *a, ArenaMark mark) {
  while (a->top != mark.page) {
    if (!a->top) BUG(NULL, "arena reset to a mark that is no longer in it");
    pop_page(a);
  }
  if (!a->top) return;
  a->top->used = mark.used;
  POISON(a->top->data + mark.used, a->top->cap - mark.used);
}
