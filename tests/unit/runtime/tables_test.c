/* Lists in lanes as columns of tables (ddr/lanes/columns.h): random operations beside arrays of
 * ints, in tables of rows and in such with one column after the other; and what memory a table
 * takes. */
#if !defined(DDR_SMALL_SIZES)
#define DDR_SMALL_SIZES
#endif
#include "ddr/lanes/columns.h"

#include "runtime/src/world/world.h"
#include "tests/unit/runtime/grid_program.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

/* Elements have two parts: a number and its negative. */
enum { N_LISTS = 4, MOST = 200, N_PARTS = 2 };

typedef struct Model {
  int length;
  ddr_int value[MOST];
} Model;

typedef struct Lists {
  ddr_pool *pool;
  ddr_vcolumns list[N_LISTS];
  Model model[N_LISTS][DDR_LANES];
  ddr_int n_made;
  uint32_t seed;
} Lists;

static uint32_t pick(Lists *all, uint32_t n) {
  all->seed = all->seed * 1664525u + 1013904223u;
  return (all->seed >> 8) % n;
}

static bool agree(const ddr_vcolumns *list, const Model *model, int lane, ddr_int idx) {
  const int length = model[lane].length;
  const int near = idx < 0 ? 0 : idx < length ? (int)idx : length - 1;
  const ddr_int want = length > 0 ? model[lane].value[near] : 0;
  const ddr_vint any = ddr_vint_all(idx);
  const ddr_vmask one = ddr_vmask_of((ddr_lane_set)1 << lane), every = ddr_vbool_all(true);
  const ddr_vint at = ddr_vcolumns_at_int(*list, any, N_PARTS, 0);
  const ddr_vint alike = ddr_vcolumns_int(*list, every, idx, N_PARTS, 1);
  const ddr_vint alone = ddr_vcolumns_int(*list, one, idx, N_PARTS, 0);
  return at[lane] == want && alike[lane] == -want && alone[lane] == want;
}

static void compare(const Lists *all) {
  for (int which = 0; which < N_LISTS; which++)
    for (int lane = 0; lane < DDR_LANES; lane++) {
      const ddr_vcolumns *list = &all->list[which];
      const Model *model = all->model[which];
      if (!CHECK_EQ(list->length[lane], model[lane].length)) return;
      for (int idx = -1; idx <= model[lane].length; idx++)
        if (!CHECK(agree(list, model, lane, idx))) return;
    }
}

static ddr_lane_set pick_lanes(Lists *all) {
  const ddr_lane_set few = (ddr_lane_set)1 << pick(all, DDR_LANES);
  return pick(all, 3) == 0 ? DDR_ALL_LANES : pick(all, 2) ? few : pick(all, 1u << DDR_LANES);
}

static ddr_vint new_elements(Lists *all) {
  ddr_vint element = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) element[lane] = ++all->n_made;
  return element;
}

static void put_in(Model *model, int at, const ddr_int *values, int n) {
  memmove(model->value + at + n, model->value + at, (size_t)(model->length - at) * sizeof *values);
  memcpy(model->value + at, values, (size_t)n * sizeof *values);
  model->length += n;
}

static bool has_space(const Lists *all, int which, int more) {
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (all->model[which][lane].length + more > MOST) return false;
  return true;
}

static void add_one(Lists *all, int which, ddr_lane_set lanes, bool is_front) {
  const ddr_vint x = new_elements(all), element[N_PARTS] = {x, -x};
  ddr_vcolumns *list = &all->list[which];
  if (!has_space(all, which, 1)) return;
  const ddr_vmask mask = ddr_vmask_of(lanes);
  *list = is_front ? ddr_vcolumns_prepend_int(all->pool, *list, mask, N_PARTS, element)
                   : ddr_vcolumns_append_int(all->pool, *list, mask, N_PARTS, element);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    Model *model = &all->model[which][lane];
    const ddr_int value = x[lane];
    if (lanes >> lane & 1) put_in(model, is_front ? 0 : model->length, &value, 1);
  }
}

static void replace(Lists *all, int which, int by, ddr_lane_set lanes) {
  all->list[which] = ddr_vcolumns_merged_int(all->pool, ddr_vmask_of(lanes), all->list[by],
                                             all->list[which], ddr_vbool_all(true), N_PARTS);
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (lanes >> lane & 1) all->model[which][lane] = all->model[by][lane];
}

static void empty(Lists *all, int which, ddr_lane_set lanes) {
  all->list[which] = ddr_vcolumns_merged_int(all->pool, ddr_vmask_of(lanes), ddr_vcolumns_empty(),
                                             all->list[which], ddr_vbool_all(true), N_PARTS);
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (lanes >> lane & 1) all->model[which][lane].length = 0;
}

static void concatenate(Lists *all, int which, int tail, ddr_lane_set lanes) {
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (!has_space(all, which, all->model[tail][lane].length)) return;
  const ddr_vmask mask = ddr_vmask_of(lanes);
  const ddr_vcolumns both =
      ddr_vcolumns_concat_int(all->pool, all->list[which], all->list[tail], mask, N_PARTS);
  all->list[which] = ddr_vcolumns_merged_int(all->pool, mask, both, all->list[which],
                                             ddr_vbool_all(true), N_PARTS);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const Model other = all->model[tail][lane];
    Model *model = &all->model[which][lane];
    if (lanes >> lane & 1) put_in(model, model->length, other.value, other.length);
  }
}

/* Out of the lane, as a sequence of its own, and in again. */
static void leave_and_return(Lists *all, int which, int lane) {
  const Model *model = &all->model[which][lane];
  ddr_vcolumns copy = all->list[which];
  const ddr_seq own = ddr_vcolumns_give_int(all->pool, &copy, lane, N_PARTS);
  CHECK_EQ(copy.length[lane], 0);
  if (!CHECK_EQ(own.length, model->length)) return;
  for (int i = 0; i < model->length; i++) CHECK_EQ(ddr_seq_int(own, i, 2, 1), -model->value[i]);
  ddr_vcolumns_put_int(all->pool, &all->list[0], lane, own, N_PARTS);
  all->model[0][lane] = *model;
}

static void share(Lists *all, int which, int lane) {
  const ddr_seq own = ddr_vcolumns_lane_int(all->pool, &all->list[which], lane, N_PARTS);
  const Model model = all->model[which][lane];
  all->list[which] = ddr_vcolumns_of_alike_int(all->pool, own, N_PARTS);
  for (int other = 0; other < DDR_LANES; other++) all->model[which][other] = model;
}

/* List 0 is that of a state: others are not in its table when it gets another one. */
static void step(Lists *all) {
  const int which = 1 + (int)pick(all, N_LISTS - 1), by = 1 + (int)pick(all, N_LISTS - 1);
  const int lane = (int)pick(all, DDR_LANES);
  const ddr_lane_set lanes = pick_lanes(all);
  switch (pick(all, 10)) {
  case 0: replace(all, which, by, lanes); break;
  case 1: empty(all, which, lanes); break;
  case 2: concatenate(all, which, by, lanes); break;
  case 3: leave_and_return(all, which, lane); break;
  case 4:
    if (pick(all, 8) == 0) share(all, which, lane);
    break;
  default: /* runs of elements at one end */
    for (uint32_t n = pick(all, 12), end = pick(all, 2); n > 0; n--)
      add_one(all, which, lanes, end > 0);
  }
}

static void keep_and_sweep(Lists *all) {
  for (int which = 0; which < N_LISTS; which++) ddr_vcolumns_keep(&all->list[which]);
  ddr_pool_sweep(all->pool);
}

static void lists_are_as_alone(void) {
  static Lists all;
  const uint32_t n_rounds = test_rounds(200);
  for (uint32_t round = 0; round < n_rounds; round++) {
    ddr_world *world = ddr_world_new(&grid_program);
    memset(&all, 0, sizeof all);
    all.pool = ddr_world_pool(world);
    all.seed = round;
    for (int i = 0; i < 60; i++) {
      step(&all);
      if (pick(&all, 4) == 0) keep_and_sweep(&all);
      compare(&all);
    }
    ddr_world_free(world);
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum { MANY = 100000, FEW = 5 };

static bool fits(const ddr_vcolumns *list, size_t n_bytes) {
  return list->buffer && list->buffer->capacity <= n_bytes;
}

/* One lane has many elements, others few: at most four places for each element, where a list that
 * grows alone has two. */
static void check_size(const ddr_vcolumns *list, int64_t n) {
  CHECK_EQ(ddr_vcolumns_sum(list, DDR_ALL_LANES), n);
  CHECK(fits(list, 4 * (size_t)n * sizeof(ddr_int) + 4096));
}

static void ranges_take_what_they_need(ddr_pool *pool, int lane) {
  ddr_vint last = ddr_vint_all(FEW);
  last[lane] = MANY;
  const ddr_vcolumns list = ddr_vcolumns_range(pool, ddr_vbool_all(true), ddr_vint_all(1), last);
  const int64_t n = MANY + (DDR_LANES - 1) * FEW;
  check_size(&list, n);
  CHECK(fits(&list, (size_t)n * sizeof(ddr_int) + 2048));
  const ddr_vint at = ddr_vcolumns_at_int(list, ddr_vint_all(70000), 1, 0);
  for (int i = 0; i < DDR_LANES; i++) CHECK_EQ(at[i], i == lane ? 70001 : FEW);
}

static void appended_take_few_times_that(ddr_pool *pool, int lane, bool is_front) {
  const ddr_vmask one = ddr_vmask_of((ddr_lane_set)1 << lane);
  ddr_vcolumns list = ddr_vcolumns_empty();
  for (ddr_int i = 0; i < MANY; i++) {
    const ddr_vint x = ddr_vint_all(i);
    const ddr_vmask mask = i < FEW ? ddr_vbool_all(true) : one;
    list = is_front ? ddr_vcolumns_prepend_int(pool, list, mask, 1, &x)
                    : ddr_vcolumns_append_int(pool, list, mask, 1, &x);
    if (i % 1000 != 0) continue;
    ddr_vcolumns_keep(&list);
    ddr_pool_sweep(pool);
  }
  CHECK_EQ(ddr_vcolumns_sum(&list, DDR_ALL_LANES), MANY + (DDR_LANES - 1) * FEW);
  CHECK(list.buffer->capacity / sizeof(ddr_int) <= (is_front ? 6u : 4u) * MANY);
}

static void loaded_take_few_times_that(ddr_pool *pool, int lane) {
  const ddr_seq many = ddr_seq_range(pool, sizeof(ddr_int), 1, MANY),
                few = ddr_seq_range(pool, sizeof(ddr_int), 1, FEW);
  ddr_vcolumns list = ddr_vcolumns_empty();
  for (int i = 0; i < DDR_LANES; i++)
    ddr_vcolumns_put_int(pool, &list, i, i == lane ? many : few, 1);
  check_size(&list, MANY + (DDR_LANES - 1) * FEW);
  ddr_vcolumns_put_int(pool, &list, lane, few, 1);
  for (int i = 0; i < DDR_LANES; i++) CHECK_EQ(list.length[i], FEW);
}

static void shared_takes_it_once(ddr_pool *pool) {
  const ddr_seq many = ddr_seq_range(pool, sizeof(ddr_int), 0, MANY - 1);
  const ddr_vcolumns list = ddr_vcolumns_of_alike_int(pool, many, 1);
  CHECK(list.buffer->capacity <= MANY * sizeof(ddr_int) + 2048);
  const ddr_vint at = ddr_vcolumns_int(list, ddr_vbool_all(true), 54321, 1, 0);
  for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(at[lane], 54321);
}

static void long_lists_beside_short_ones_are_small(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  ddr_pool *pool = ddr_world_pool(world);
  for (int lane = 0; lane < DDR_LANES; lane += DDR_LANES - 1) {
    ranges_take_what_they_need(pool, lane);
    appended_take_few_times_that(pool, lane, false);
    appended_take_few_times_that(pool, lane, true);
    loaded_take_few_times_that(pool, lane);
  }
  shared_takes_it_once(pool);
  ddr_world_free(world);
}

/* Loads read one element of every column, also of a last one that is empty. */
static void empty_columns_have_an_element_to_read(void) {
  enum { PARTS = 40 }; /* more than the alignment of the rows leaves over */
  ddr_world *world = ddr_world_new(&grid_program);
  ddr_vcolumns list;
  int64_t wanted[DDR_LANES] = {MANY};
  if (!CHECK(ddr_vcolumns_make(ddr_world_pool(world), &list, wanted, DDR_GROWS_NOWHERE, PARTS,
                               sizeof(ddr_int))))
    return;
  const ddr_column_table *table = ddr_vcolumns_table(list.buffer);
  const ddr_int *rows = ddr_vcolumns_rows(list.buffer);
  const char *end = (const char *)(list.buffer + 1) + list.buffer->capacity;
  CHECK_EQ(table->shift, 0);
  CHECK((const char *)(rows + table->base[DDR_LANES - 1] + PARTS) <= end);
  ddr_world_free(world);
}

/* What a lane without a strand has left is copied no more. */
static void merging_leaves_out_idle_lanes(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  ddr_pool *pool = ddr_world_pool(world);
  const ddr_vmask all = ddr_vbool_all(true), idle = ddr_vmask_of(1), own = ddr_vmask_of(2);
  const ddr_vint one = ddr_vint_all(1);
  ddr_vint last = one, idle_last = one;
  last[1] = MANY;
  idle_last[0] = MANY - DDR_LANES;
  const ddr_vcolumns new = ddr_vcolumns_range(pool, all, one, last);
  const ddr_vcolumns old = ddr_vcolumns_range(pool, all, one, idle_last);
  const ddr_vcolumns list = ddr_vcolumns_merged_int(pool, own, new, old, ~idle, 1);
  for (int lane = 1; lane < DDR_LANES; lane++) CHECK_EQ(list.length[lane], last[lane]);
  CHECK(fits(&list, 4 * MANY * sizeof(ddr_int)));
  ddr_world_free(world);
}

/* Elements are put before the first again and again: all are copied only now and then. */
static void putting_before_is_not_copying(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  ddr_pool *pool = ddr_world_pool(world);
  const ddr_vmask all = ddr_vbool_all(true);
  ddr_vcolumns list = ddr_vcolumns_empty();
  int n_tables = 0;
  for (int i = 0; i < 10000; i++) {
    const ddr_vint x = ddr_vint_all(i);
    const ddr_seq_buffer *before = list.buffer;
    const ddr_vcolumns head = ddr_vcolumns_of_rows(pool, 1, sizeof x, &x);
    list = ddr_vcolumns_concat_int(pool, head, list, all, 1);
    n_tables += list.buffer != before;
  }
  CHECK(n_tables < 40);
  ddr_world_free(world);
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(lists_are_as_alone);
  RUN(long_lists_beside_short_ones_are_small);
  RUN(empty_columns_have_an_element_to_read);
  RUN(merging_leaves_out_idle_lanes);
  RUN(putting_before_is_not_copying);
  return test_result();
}
