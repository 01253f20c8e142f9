/* Refusals of the functions of ddr/array.h: views that every function refuses, a check that nothing
 * was written, and one that every function that returns a status was tried. For one test each. */
#pragma once

#include "ddr/array.h"
#include "tests/unit/test.h"

/* --- what functions are given ----------------------------------------------------------------- */

/* All memory that functions could write to. */
typedef struct Memory {
  float x[12], y[12], out[12];
  int32_t ints[6], zeros[6], quotients[6];
  bool mask[6];
  double doubles[12];
  ddr_layout layout, chroma;
  ddr_ndview view;
  ddr_number number;
  ddr_storage storage;
  ddr_range range;
  ddr_element type;
  ddr_conv_array array;
  size_t pitch[DDR_MAX_RANK];
  void *element;
  bool flag;
} Memory;

static Memory memory, before;

static ddr_ndview x, y, out, ints, zeros, quotients, mask, doubles; /* 2 x 3 */
static ddr_ndview wide;                                             /* 2 x 4 of x */
static ddr_ndview shifted, doubled, device; /* overlap x, overlap themselves; on a device */
static ddr_ndview bad_type, bad_rank, bad_extent, bad_stride, bad_residency, no_memory;
static ddr_layout flat = {2, 0, {2, 3}, {3, 1}};

static ddr_ndview view_of(ddr_element type, void *data) {
  return (ddr_ndview){.type = type, .data = data, .layout = flat};
}

static void prepare(void) {
  memset(&memory, 0x5a, sizeof memory);
  for (int k = 0; k < 12; k++) memory.x[k] = memory.y[k] = memory.out[k] = (float)k;
  for (int k = 0; k < 12; k++) memory.doubles[k] = k;
  for (int k = 0; k < 6; k++) memory.ints[k] = k + 1, memory.zeros[k] = k, memory.mask[k] = true;
  x = view_of(DDR_ELEMENT_FLOAT, memory.x);
  y = view_of(DDR_ELEMENT_FLOAT, memory.y);
  out = view_of(DDR_ELEMENT_FLOAT, memory.out);
  ints = view_of(DDR_ELEMENT_INT32, memory.ints);
  zeros = view_of(DDR_ELEMENT_INT32, memory.zeros);
  quotients = view_of(DDR_ELEMENT_INT32, memory.quotients);
  mask = view_of(DDR_ELEMENT_BOOL, memory.mask);
  doubles = view_of(DDR_ELEMENT_DOUBLE, memory.doubles);
  wide = shifted = doubled = device = x;
  wide.layout = (ddr_layout){2, 0, {2, 4}, {4, 1}};
  shifted.layout.offset = 1;
  doubled.layout.stride[0] = 0;
  doubled.data = memory.out;
  device.residency = DDR_CUDA;
  wide.data = memory.out;
  bad_type = bad_rank = bad_extent = bad_stride = bad_residency = no_memory = x;
  bad_type.type = (ddr_element)77;
  bad_rank.layout.rank = 17;
  bad_extent.layout.len[0] = -1;
  bad_stride.layout.stride[0] = INT64_MAX;
  bad_residency.residency = (ddr_residency)3;
  no_memory.data = NULL;
  memcpy(&before, &memory, sizeof memory);
}

/* --- a refusal -------------------------------------------------------------------------------- */

enum { MOST_TRIED = 2000 };
static struct {
  const char *name;
  ddr_array_status status;
} tried[MOST_TRIED];
static int n_tried;

static bool is_tried(const char *name, ddr_array_status status) {
  for (int k = 0; k < n_tried; k++)
    if (strcmp(tried[k].name, name) == 0 && tried[k].status == status) return true;
  return false;
}

static void check_refusal(const char *call, const char *name, ddr_array_status found,
                          ddr_array_status want) {
  if (!is_tried(name, want) && CHECK(n_tried < MOST_TRIED)) {
    tried[n_tried].name = name;
    tried[n_tried++].status = want;
  }
  if (!CHECK_STR(ddr_array_status_text(found), ddr_array_status_text(want)) ||
      !CHECK(memcmp(&memory, &before, sizeof memory) == 0))
    fprintf(stderr, "  by %s\n", call);
  prepare();
}

#define REFUSE(status, name, ...)                                                                  \
  check_refusal(#name "(" #__VA_ARGS__ ")", #name, name(__VA_ARGS__), DDR_ARRAY_##status)

/* Views that every function refuses. */
#define REFUSE_VIEWS(name, before_it, ...)                                                         \
  REFUSE(ENULL, name, before_it NULL, __VA_ARGS__);                                                \
  REFUSE(ENULL, name, before_it &no_memory, __VA_ARGS__);                                          \
  REFUSE(ETYPE, name, before_it &bad_type, __VA_ARGS__);                                           \
  REFUSE(ERANK, name, before_it &bad_rank, __VA_ARGS__);                                           \
  REFUSE(EDIM, name, before_it &bad_extent, __VA_ARGS__);                                          \
  REFUSE(EOVERFLOW, name, before_it &bad_stride, __VA_ARGS__);                                     \
  REFUSE(ERESIDENCY, name, before_it &bad_residency, __VA_ARGS__)
#define FIRST
#define AFTER(...) __VA_ARGS__,

/* --- all of them ------------------------------------------------------------------------------ */

#define TEXT(x) #x
#define SECTION(title, text) {title, NULL, NULL, NULL},
#define FUNCTION(result, name, arguments, meaning, statuses)                                       \
  {NULL, TEXT(result), TEXT(name), statuses},

static const struct {
  const char *section; /* the beginning of a section; or NULL, and a function: */
  const char *result, *name, *statuses;
} functions[] = {
#include "runtime/array/functions.def"
};

#define STATUS(id, text) #id,
static const char *const status_names[] = {
#include "runtime/array/statuses.def"
};

static inline bool is_about_filters(const char *section) {
  return strcmp(section, "Convolutions") == 0 || strcmp(section, "Filters") == 0;
}

/* The statuses of a function must be those in the table, except ENOMEM and EDEVICE. */
static inline void check_statuses(const char *name, const char *statuses) {
  for (size_t k = 0; k < sizeof status_names / sizeof *status_names; k++) {
    const char *const status = status_names[k], *const found = strstr(statuses, status);
    const size_t n = strlen(status);
    if (!found || (found[n] != ' ' && found[n] != '\0')) continue;
    if (strcmp(status, "ENOMEM") == 0 || strcmp(status, "EDEVICE") == 0) continue;
    if (!CHECK(is_tried(name, (ddr_array_status)k))) fprintf(stderr, "  %s of %s\n", status, name);
  }
}

/* All functions of the sections on convolutions and filters, or of all other sections, were
 * tried. */
static inline void check_all_are_tried(bool of_filters) {
  bool is_of_this = false;
  int n_seen = 0;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    if (functions[k].section) is_of_this = is_about_filters(functions[k].section) == of_filters;
    if (functions[k].section || !is_of_this) continue;
    if (strcmp(functions[k].result, "ddr_array_status") != 0) continue;
    n_seen++;
    if (strchr(functions[k].name, '#')) continue;
    if (!CHECK(is_tried(functions[k].name, DDR_ARRAY_ENULL)))
      fprintf(stderr, "  ENULL of %s\n", functions[k].name);
    check_statuses(functions[k].name, functions[k].statuses);
  }
  CHECK(n_seen > 0);
}
