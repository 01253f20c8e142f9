/* transpose.c: see transpose.h.
 *
 * Element by element, either the writes or the reads would each touch another cache line, and a
 * line would be evicted before its next element is needed.  So rectangles of both axes are copied,
 * two to eight cache lines each way: they are read along the source's rows into a buffer, which no
 * stride can evict, and written along the output's rows.  An item of work is several adjacent
 * rectangles, so that few pages of memory are in use at a time.
 */
#include "runtime/transform/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/element/parallel_for.h"
#include "runtime/layout/checked.h"

enum {
  LINE = 64,       /* bytes of a cache line */
  LINES_FROM = 2,  /* of a rectangle's rows in the buffer */
  RECTANGLES = 32, /* of an item, in each direction */
  LEAST_BYTES = 1 << 15
};

typedef struct {
  int64_t len, to, from; /* distances in bytes from one index to the next */
} Axis;

typedef struct {
  char *to;
  const char *from;
  int size, side_to, side_from; /* bytes of an element; elements of a rectangle's sides */
  Axis along_to, along_from;    /* the axes of adjacent elements in the output and in the source */
  Axis others[DDR_MAX_RANK];
  int n_others;
  int64_t item_to, item_from; /* elements of an item, in each direction */
  int64_t n_items_to, n_items_from;
} Transposed;

/* --- one rectangle ---------------------------------------------------------------------------- */

#define SIDE_TO(size) (((size) >= 4 ? 8 : 2) * LINE / (int)(size)) /* as measured */
#define SIDE_FROM(size) (LINES_FROM * LINE / (int)(size))

/* Of the buffer, columns j and the next ones as rows of the output: squares of vectors are turned
 * in registers. */
typedef float Four __attribute__((vector_size(4 * sizeof(float))));
typedef double Two __attribute__((vector_size(2 * sizeof(double))));

static void turn_4(const char *its, int64_t pitch, char *to, int64_t to_pitch) {
  Four rows[4];
  for (int k = 0; k < 4; k++) memcpy(&rows[k], its + k * pitch, sizeof *rows);
  const Four low = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Four high = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Four next_low = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Four next_high = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector(low, next_low, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(low, next_low, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector(high, next_high, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector(high, next_high, 2, 3, 6, 7);
  for (int k = 0; k < 4; k++) memcpy(to + k * to_pitch, &rows[k], sizeof *rows);
}

static void turn_8(const char *its, int64_t pitch, char *to, int64_t to_pitch) {
  Two rows[2];
  for (int k = 0; k < 2; k++) memcpy(&rows[k], its + k * pitch, sizeof *rows);
  const Two first = __builtin_shufflevector(rows[0], rows[1], 0, 2);
  const Two second = __builtin_shufflevector(rows[0], rows[1], 1, 3);
  memcpy(to, &first, sizeof first);
  memcpy(to + to_pitch, &second, sizeof second);
}

/* Copies n_to by n_from elements through a buffer whose rows run along those of the source. Rows of
 * the next rectangle, `ahead` bytes from this one, are asked for, which the hardware would not do:
 * each is a page of its own. */
#define RECTANGLE_FN(bytes)                                                                        \
  static void rectangle_##bytes(const Transposed *t, char *to, const char *from, int n_to,         \
                                int n_from, int64_t ahead) {                                       \
    enum { SIDE = SIDE_TO(bytes), PITCH = LINES_FROM * LINE };                                     \
    const int64_t to_step = t->along_to.to, from_step = t->along_from.from;                        \
    char buffer[SIDE * PITCH];                                                                     \
    for (int64_t i = 0; i < n_to; i++) {                                                           \
      const char *row = from + i * t->along_to.from;                                               \
      char *its = buffer + i * PITCH;                                                              \
      for (uintptr_t line = 0; line < PITCH; line += LINE) /* they need not exist */               \
        __builtin_prefetch((const void *)((uintptr_t)row + (uintptr_t)ahead + line));              \
      if (from_step == (bytes)) memcpy(its, row, (size_t)n_from *(bytes));                         \
      else                                                                                         \
        for (int64_t j = 0; j < n_from; j++)                                                       \
          memcpy(its + j * (bytes), row + j * from_step, bytes);                                   \
    }                                                                                              \
    int64_t j = 0;                                                                                 \
    TURN_##bytes for (; j < n_from; j++) {                                                         \
      char *row = to + j * t->along_from.to;                                                       \
      const char *its = buffer + j * (bytes);                                                      \
      if (to_step == (bytes) && n_to == SIDE)                                                      \
        for (int64_t i = 0; i < SIDE; i++) memcpy(row + i * (bytes), its + i * PITCH, bytes);      \
      else                                                                                         \
        for (int64_t i = 0; i < n_to; i++) memcpy(row + i * to_step, its + i * PITCH, bytes);      \
    }                                                                                              \
  }
/* Whole squares, if rows of the output have adjacent elements. */
#define TURN(bytes, side)                                                                          \
  if (to_step == (bytes) && n_to == SIDE)                                                          \
    for (; j + (side) <= n_from; j += (side))                                                      \
      for (int64_t i = 0; i < SIDE; i += (side))                                                   \
        turn_##bytes(buffer + i * PITCH + j * (bytes), PITCH,                                      \
                     to + j * t->along_from.to + i * (bytes), t->along_from.to);
#define TURN_1
#define TURN_2
#define TURN_4 TURN(4, 4)
#define TURN_8 TURN(8, 2)
#define TURN_16
RECTANGLE_FN(1)
RECTANGLE_FN(2)
RECTANGLE_FN(4)
RECTANGLE_FN(8)
RECTANGLE_FN(16)

typedef void Rectangle(const Transposed *t, char *to, const char *from, int n_to, int n_from,
                       int64_t ahead);

static Rectangle *rectangle_of(int size) {
  switch (size) {
  case 1: return rectangle_1;
  case 2: return rectangle_2;
  case 4: return rectangle_4;
  case 8: return rectangle_8;
  default: break; /* no element is larger than a complex double */
  }
  return rectangle_16;
}

/* --- an item ---------------------------------------------------------------------------------- */

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* The first elements of an item, and what of both axes is its. */
typedef struct {
  char *to;
  const char *from;
  int64_t n_to, n_from;
} Item;

static Item item_of(const Transposed *t, int64_t number) {
  const int64_t to_begin = number % t->n_items_to * t->item_to;
  number /= t->n_items_to;
  const int64_t from_begin = number % t->n_items_from * t->item_from;
  number /= t->n_items_from;
  Item item = {.to = t->to + to_begin * t->along_to.to + from_begin * t->along_from.to,
               .from = t->from + to_begin * t->along_to.from + from_begin * t->along_from.from,
               .n_to = least_of(t->along_to.len - to_begin, t->item_to),
               .n_from = least_of(t->along_from.len - from_begin, t->item_from)};
  for (int k = t->n_others - 1; k >= 0; k--) {
    const Axis *axis = &t->others[k];
    item.to += number % axis->len * axis->to;
    item.from += number % axis->len * axis->from;
    number /= axis->len;
  }
  return item;
}

/* From the rectangle at i, j of an item to the next one.  Of two axes the next rectangle is that
 * beside it, if not here then soon: others copy such arrays part by part. */
static int64_t ahead_of(const Transposed *t, const Item *item, const Item *next, int64_t i,
                        int64_t j) {
  const int64_t after = j + t->side_from;
  if (after < item->n_from || t->n_others == 0) return t->side_from * t->along_from.from;
  if (i + t->side_to < item->n_to) return t->side_to * t->along_to.from - j * t->along_from.from;
  return next->from - (item->from + i * t->along_to.from + j * t->along_from.from);
}

static void do_item(void *data, int64_t number) {
  const Transposed *t = data;
  Rectangle *const rectangle = rectangle_of(t->size);
  const Item item = item_of(t, number), next = item_of(t, number + 1);
  for (int64_t i = 0; i < item.n_to; i += t->side_to) {
    for (int64_t j = 0; j < item.n_from; j += t->side_from)
      rectangle(t, item.to + i * t->along_to.to + j * t->along_from.to,
                item.from + i * t->along_to.from + j * t->along_from.from,
                (int)least_of(t->side_to, item.n_to - i),
                (int)least_of(t->side_from, item.n_from - j), ahead_of(t, &item, &next, i, j));
  }
}

/* --- both arrays ------------------------------------------------------------------------------ */

/* The axis of adjacent elements in memory; -1: there is none, or offsets in bytes overflow 64
 * bits. */
static int nearest_axis(const ddr_layout *layout) {
  int nearest = -1;
  for (int k = 0; k < layout->rank; k++) {
    const uint64_t stride = magnitude(layout->stride[k]);
    if (layout->len[k] < 2 || stride == 0) continue;
    if (stride > INT64_MAX / sizeof(ddr_complex_double)) return -1;
    if (nearest < 0 || stride < magnitude(layout->stride[nearest])) nearest = k;
  }
  return nearest;
}

/* If an axis has length 1, its stride is not used, and may be anything. */
static Axis axis_of(const ddr_ndview *from, const ddr_ndview *to, int k, int64_t size) {
  if (to->layout.len[k] < 2) return (Axis){.len = to->layout.len[k]};
  return (Axis){to->layout.len[k], to->layout.stride[k] * size, from->layout.stride[k] * size};
}

static char *first_of(const ddr_ndview *view, int64_t size) {
  return (char *)view->data + view->layout.offset * size;
}

/* Whether cache lines would be read or written for one element each. */
static bool is_worth_it(const Transposed *t, int64_t n_bytes) {
  return n_bytes >= LEAST_BYTES && t->along_to.len >= 8 && t->along_from.len >= 8 &&
         llabs(t->along_to.from) >= LINE && llabs(t->along_from.to) >= LINE;
}

bool ddr_copy_transposed(const ddr_ndview *from, const ddr_ndview *to, int n_threads) {
  const int size = (int)ddr_element_size(to->type);
  const int along_to = nearest_axis(&to->layout), along_from = nearest_axis(&from->layout);
  if (along_to < 0 || along_from < 0 || along_to == along_from) return false;
  Transposed t = {.to = first_of(to, size),
                  .from = first_of(from, size),
                  .size = size,
                  .side_to = SIDE_TO(size),
                  .side_from = SIDE_FROM(size),
                  .along_to = axis_of(from, to, along_to, size),
                  .along_from = axis_of(from, to, along_from, size)};
  int64_t n_items = 1;
  for (int k = 0; k < to->layout.rank; k++) {
    if (k == along_to || k == along_from) continue;
    t.others[t.n_others++] = axis_of(from, to, k, size);
    n_items *= to->layout.len[k];
  }
  if (!is_worth_it(&t, ddr_ndview_size(to) * size)) return false;
  t.item_to = (int64_t)t.side_to * RECTANGLES;
  t.item_from = (int64_t)t.side_from * RECTANGLES;
  t.n_items_to = (t.along_to.len + t.item_to - 1) / t.item_to;
  t.n_items_from = (t.along_from.len + t.item_from - 1) / t.item_from;
  ddr_parallel_for(n_threads, n_items * t.n_items_to * t.n_items_from, do_item, &t);
  return true;
}
