/* Dynamic sequences: values, cost of appending, and ownership (leaks fail under ASan). */
#include "ddr/seq.h"

#include <stdlib.h>

#include "runtime/src/world/world.h"
#include "tests/unit/runtime/grid_program.h"
#include "tests/unit/test.h"

static int32_t at(ddr_seq seq, ddr_int idx) { return ddr_seq_int(seq, idx, 1, 0); }

static ddr_seq append(ddr_pool *pool, ddr_seq seq, int32_t value) {
  return DDR_APPEND(pool, seq, int32_t, value);
}

static ddr_world *world_new(ddr_pool **pool) {
  ddr_world *world = ddr_world_new(&grid_program);
  *pool = ddr_world_pool(world);
  return world;
}

static void close_pool(ddr_pool *pool) {
  ddr_pool_sweep(pool);
  ddr_pool_close(pool);
}

static void indices_are_clamped_and_nothing_is_zero(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  const ddr_seq seq = DDR_LIST(pool, 3, int32_t, 5, 6, 7);
  CHECK(ddr_seq_length(seq) == 3 && at(seq, 1) == 6 && at(seq, -4) == 5 && at(seq, 9) == 7);
  CHECK(at(ddr_seq_empty(), 0) == 0 && !ddr_seq_bool(ddr_seq_empty(), 3, 1, 0));
  CHECK_STR(ddr_seq_string(ddr_seq_empty(), 0), "");
  const ddr_seq pairs = DDR_LIST(pool, 2, ddr_real, 1, 2, 3, 4);
  CHECK(ddr_seq_length(pairs) == 2 && ddr_seq_real(pairs, 1, 2, 0) == 3);
  CHECK(ddr_seq_real(pairs, 7, 2, 1) == 4);
  struct pair {
    ddr_real v[2];
  };
  CHECK(DDR_ELEMENT(struct pair, pairs, 1).v[1] == 4);
  CHECK(DDR_ELEMENT(struct pair, ddr_seq_empty(), 1).v[1] == 0);
  ddr_world_free(world);
}

static void older_values_stay_when_others_are_appended(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  const ddr_seq one = append(pool, ddr_seq_empty(), 1);
  const ddr_seq a = append(pool, one, 2), b = append(pool, one, 3), c = append(pool, a, 4);
  CHECK(at(one, 0) == 1 && at(a, 1) == 2 && at(b, 1) == 3 && at(c, 1) == 2 && at(c, 2) == 4);
  CHECK(ddr_seq_length(one) == 1 && ddr_seq_length(c) == 3);
  const ddr_seq front = DDR_PREPEND(pool, c, int32_t, 0);
  const ddr_seq both = ddr_seq_concat(pool, front, front, sizeof(int32_t));
  static const int want[4] = {0, 1, 2, 4};
  for (int k = 0; k < 8; k++) CHECK_EQ(at(both, k), want[k % 4]);
  CHECK(ddr_seq_concat(pool, ddr_seq_empty(), a, 4).length == 2);
  CHECK(ddr_seq_concat(pool, a, ddr_seq_empty(), 4).length == 2);
  ddr_world_free(world);
}

/* The buffer changes only when its capacity is exhausted. */
static void appending_copies_rarely(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  ddr_seq seq = ddr_seq_empty();
  int n_buffers = 0;
  for (int k = 0; k < 100000; k++) {
    const ddr_seq longer = append(pool, seq, k);
    n_buffers += longer.buffer != seq.buffer;
    seq = longer;
  }
  CHECK(n_buffers <= 20 && at(seq, 77777) == 77777);
  ddr_world_free(world);
}

/* Elements of a few bytes and of more than a line of the cache, in place and in new buffers. */
static void elements_of_any_size_are_appended(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  ddr_seq pairs = ddr_seq_empty(), nines = ddr_seq_empty();
  for (int k = 0; k < 200; k++) {
    const double x = k;
    pairs = DDR_APPEND(pool, pairs, float, (float)k, (float)(k + 1));
    nines =
        DDR_APPEND(pool, nines, double, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8);
  }
  CHECK(ddr_seq_length(pairs) == 200 && ddr_seq_length(nines) == 200);
  const double zeros[9] = {0};
  for (int k = 0; k < 200; k++) {
    for (int i = 0; i < 2; i++)
      CHECK(((const float *)ddr_seq_at(pairs, k, 8, zeros))[i] == (float)(k + i));
    for (int i = 0; i < 9; i++)
      CHECK(((const double *)ddr_seq_at(nines, k, 72, zeros))[i] == k + i);
  }
  ddr_world_free(world);
}

static void ranges(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  const ddr_seq seq = ddr_seq_range(pool, sizeof(int32_t), INT32_MAX - 2, INT32_MAX);
  CHECK(ddr_seq_length(seq) == 3 && at(seq, 0) == INT32_MAX - 2 && at(seq, 2) == INT32_MAX);
  CHECK(ddr_seq_range(pool, 4, 1, 0).length == 0 && ddr_seq_range(pool, 4, 5, 5).length == 1);
  CHECK(ddr_seq_range(pool, 4, INT32_MIN, INT32_MAX).length == 0 && ddr_pool_is_short(pool));
  ddr_seq_range(pool, 4, INT64_MIN, INT64_MAX); /* recorded once */
  char *errors = ddr_take_errors(world);
  CHECK_STR(errors, "[DIDEROT] cannot extend a sequence: its length does not fit in an int\n");
  free(errors);
  ddr_world_free(world);
}

static size_t count_buffers(const ddr_pool *pool) {
  size_t n = 0;
  for (const ddr_seq_buffer *buffer = pool->buffers; buffer; buffer = buffer->next) n++;
  return n;
}

/* The sequence of a strand across its runs: appended to in place; temporaries are freed. */
static void an_owner_keeps_its_own(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  ddr_seq state = DDR_LIST(pool, 1, int32_t, 0);
  ddr_seq_keep(pool, &state, 4);
  close_pool(pool);
  for (int k = 1; k < 50; k++) {
    ddr_seq_lend(pool, state);
    const ddr_seq old = state;
    state = append(pool, state, k);
    if (k == 49) CHECK(state.buffer == old.buffer);
    append(pool, old, -1); /* dropped */
    ddr_seq_keep(pool, &state, 4);
    ddr_pool_sweep(pool);
    CHECK_EQ(count_buffers(pool), 1);
    ddr_pool_close(pool);
    CHECK_EQ(count_buffers(pool), 0);
  }
  for (int k = 0; k < 50; k++) CHECK_EQ(at(state, k), k);
  ddr_seq_lend(pool, state);
  ddr_seq_lend(pool, state); /* two variables that share a buffer */
  ddr_world_free(world);
}

/* Appending in place leaves nothing to sweep; a new buffer does, and one whose owner leaves. */
static void sweeps_are_due_after_changes_of_buffers(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  CHECK(!ddr_pool_is_due(pool));
  ddr_seq seq = append(pool, ddr_seq_empty(), 1);
  CHECK(ddr_pool_is_due(pool));
  while (seq.buffer->capacity - seq.buffer->used < 4) seq = append(pool, seq, 1);
  ddr_seq_keep(pool, &seq, 4);
  ddr_pool_sweep(pool);
  const ddr_seq_buffer *buffer = seq.buffer;
  seq = append(pool, seq, 2);
  CHECK(seq.buffer == buffer && !ddr_pool_is_due(pool));
  while (seq.buffer == buffer) seq = append(pool, seq, 3);
  CHECK(ddr_pool_is_due(pool));
  ddr_seq_keep(pool, &seq, 4);
  ddr_pool_sweep(pool);
  CHECK(count_buffers(pool) == 1 && !ddr_pool_is_due(pool));
  ddr_seq_leave(pool, ddr_seq_empty());
  CHECK(!ddr_pool_is_due(pool));
  ddr_seq_leave(pool, seq);
  CHECK(ddr_pool_is_due(pool));
  ddr_pool_sweep(pool);
  ddr_seq_lend(pool, seq);
  close_pool(pool);
  ddr_world_free(world);
}

/* Two strands share a pool; one leaves it, with two variables for one buffer, and returns. */
static void owners_leave_a_pool_one_by_one(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  ddr_seq goes = DDR_LIST(pool, 2, int32_t, 1, 2), twin = goes;
  ddr_seq stays = DDR_LIST(pool, 1, int32_t, 9);
  ddr_seq_keep(pool, &goes, 4);
  ddr_seq_keep(pool, &twin, 4);
  ddr_seq_leave(pool, goes);
  ddr_seq_leave(pool, twin);
  ddr_seq_leave(pool, ddr_seq_empty());
  ddr_seq_keep(pool, &stays, 4);
  ddr_pool_sweep(pool);
  CHECK_EQ(count_buffers(pool), 1);
  CHECK(goes.buffer == twin.buffer && at(goes, 1) == 2 && at(stays, 0) == 9);
  ddr_pool_sweep(pool); /* the kept one is freed this time */
  CHECK_EQ(count_buffers(pool), 0);
  ddr_seq_lend(pool, goes);
  CHECK_EQ(count_buffers(pool), 1);
  const ddr_seq longer = append(pool, goes, 3);
  CHECK(at(longer, 2) == 3 && at(twin, 0) == 1);
  ddr_world_free(world);
}

/* What belongs to somebody else is copied, never extended in place. */
static void foreign_buffers_are_copied(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  ddr_seq global = append(pool, append(pool, ddr_seq_empty(), 1), 2); /* with capacity to spare */
  ddr_seq_keep(pool, &global, 4);
  close_pool(pool);
  const size_t used = global.buffer->used;
  ddr_seq longer = append(pool, global, 3), same = global;
  CHECK(longer.buffer != global.buffer && global.buffer->used == used);
  ddr_seq_keep(pool, &longer, 4);
  ddr_seq_keep(pool, &same, 4);
  CHECK(same.buffer != global.buffer && at(same, 1) == 2);
  close_pool(pool);
  ddr_seq_lend(pool, global);
  ddr_seq_lend(pool, longer);
  ddr_seq_lend(pool, same);
  ddr_world_free(world);
}

/* They are read in place, and never written to. */
static void lent_elements_stay_where_they_are(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  int32_t given[] = {5, 6, 7};
  char text[DDR_REASON_SIZE];
  ddr_seq lent, none, longer;
  CHECK(!ddr_seq_lent(pool, sizeof *given, 3, given, &lent, text) && ddr_seq_length(lent) == 3);
  CHECK(!ddr_seq_lent(pool, sizeof *given, 0, NULL, &none, text) && none.buffer == NULL);
  CHECK(ddr_seq_elements(lent.buffer) == (const char *)given);
  given[1] = 8;
  CHECK(at(lent, 0) == 5 && at(lent, 1) == 8 && at(lent, 9) == 7);
  ddr_seq_keep(pool, &lent, sizeof *given);
  close_pool(pool);
  ddr_seq_lend(pool, lent); /* even to its owner */
  longer = append(pool, lent, 9);
  CHECK(at(longer, 1) == 8 && at(longer, 3) == 9 && given[2] == 7);
  given[1] = 0;
  CHECK(at(longer, 1) == 8 && at(lent, 1) == 0);
  CHECK(at(ddr_seq_concat(pool, lent, lent, sizeof *given), 5) == 7);
  ddr_world_free(world);
}

static void lent_elements_must_be_countable(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  char text[DDR_REASON_SIZE];
  ddr_seq lent;
  CHECK_STR(ddr_seq_lent(pool, 4, (int64_t)INT32_MAX + 1, text, &lent, text),
            "its length does not fit in an int");
  CHECK(lent.length == 0 && !lent.buffer);
  ddr_world_free(world);
}

static bool take_text(void *data, const char *text) {
  snprintf(data, 100, "%s", text);
  return false;
}

static void prints_by_pattern(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  char shown[100];
  ddr_set_printer(world, take_text, shown);
  ddr_text *text = ddr_world_text(world);
  ddr_put_seq(text, DDR_LIST(pool, 2, float, 1, 0.5f, -2, 3), "[f,f]");
  ddr_put_seq(text, DDR_LIST(pool, 2, int32_t, 1, 2), "i");
  ddr_put_seq(text, DDR_LIST(pool, 1, bool, true, false), "{b,b}");
  ddr_put_seq(text, DDR_LIST(pool, 1, const char *, "a b"), "s");
  ddr_put_seq(text, ddr_seq_empty(), "d");
  ddr_print_end(text);
  CHECK_STR(shown, "{[1,0.5],[-2,3]}{1,2}{{true,false}}{a b}{}");
  ddr_world_free(world);
}

/* Loops that extend a sequence again and again end quickly. */
static void a_pool_stays_short_until_the_error_is_taken(void) {
  ddr_pool *pool;
  ddr_world *world = world_new(&pool);
  CHECK(ddr_seq_range(pool, 4, INT32_MIN, INT32_MAX).length == 0);
  CHECK(append(pool, ddr_seq_empty(), 1).length == 0 && pool->buffers == NULL);
  char *errors = ddr_take_errors(world);
  CHECK_STR(errors, "[DIDEROT] cannot extend a sequence: its length does not fit in an int\n");
  free(errors);
  CHECK(append(pool, ddr_seq_empty(), 1).length == 1);
  ddr_world_free(world);
}

/* A pool that keeps spare buffers, as workers have; what is left at the end is a leak. */
static ddr_pool sparing_pool(ddr_world *world) {
  return (ddr_pool){.world = world, .keeps_spare = true};
}

static void dropped_buffers_are_used_again(void) {
  ddr_pool *of_world;
  ddr_world *world = world_new(&of_world);
  ddr_pool pool = sparing_pool(world);
  const ddr_seq tail = ddr_seq_range(of_world, sizeof(int32_t), 1, 20);
  const ddr_seq longer = DDR_PREPEND(&pool, tail, int32_t, 0);
  const ddr_seq_buffer *dropped = longer.buffer;
  ddr_pool_sweep(&pool);
  CHECK(pool.buffers == NULL && pool.n_spare_bytes >= 21 * sizeof(int32_t));
  const ddr_seq again = DDR_PREPEND(&pool, tail, int32_t, 7);
  CHECK(again.buffer == dropped && pool.n_spare_bytes == 0);
  CHECK(again.length == 21 && at(again, 0) == 7 && at(again, 1) == 1 && at(again, 20) == 20);
  ddr_pool_sweep(&pool);
  /* a small sequence that does not grow has no more room than it needs */
  const ddr_seq small = DDR_LIST(&pool, 1, int32_t, 3);
  CHECK(small.buffer != dropped && small.buffer->capacity == sizeof(int32_t));
  close_pool(&pool);
  ddr_pool_free_spare(&pool);
  ddr_world_free(world);
}

#if defined(DDR_SMALL_SIZES)
enum { MOST_SPARE_BYTES = 256 };
#else
enum { MOST_SPARE_BYTES = 1 << 19 };
#endif

/* A reused buffer is large enough, whatever was dropped before. */
static void spare_buffers_are_large_enough_and_few(void) {
  ddr_pool *of_world;
  ddr_world *world = world_new(&of_world);
  ddr_pool pool = sparing_pool(world);
  for (int round = 0; round < 3; round++) {
    for (int n = 1; n < 6000; n += 1 + n / 16) {
      const ddr_seq seq = ddr_seq_range(&pool, sizeof(int32_t), 1, n);
      const ddr_seq longer = append(&pool, seq, n + 1);
      CHECK(seq.buffer->capacity >= (size_t)n * 4 && longer.buffer->capacity >= (size_t)n * 4 + 4);
      CHECK(at(seq, n - 1) == n && at(longer, n) == n + 1 && at(longer, 0) == 1);
      if (n % 3 == 0) ddr_pool_sweep(&pool);
    }
    CHECK(pool.n_spare_bytes <= MOST_SPARE_BYTES);
  }
  close_pool(&pool);
  ddr_pool_free_spare(&pool);
  CHECK_EQ(pool.n_spare_bytes, 0);
  ddr_world_free(world);
}

/* --- sequences in sequences ------------------------------------------------------------------- */

typedef struct {
  ddr_int v[6];
} Six;
typedef struct {
  ddr_int v[3];
} Three;
typedef ddr_int Four __attribute__((vector_size(4 * sizeof(ddr_int))));

/* Like the code for lanes that takes out inner sequences. */
static __attribute__((noinline)) void take_inner(const Four *scalars, const ddr_int *at,
                                                 Four *taken) {
  for (int lane = 0; lane < 4; lane++) {
    const Three here =
        DDR_INNER(Three,
                  DDR_FIXED(Six, scalars[0][lane], scalars[1][lane], scalars[2][lane],
                            scalars[3][lane], scalars[4][lane], scalars[5][lane])
                      .v,
                  3 * at[lane]);
    for (int k = 0; k < 3; k++) taken[k][lane] = here.v[k];
  }
}

/* An optimising compiler must not assume that stores to the outer sequence leave the inner
 * unchanged. */
static void inner_sequences_have_what_was_stored(void) {
  static const ddr_int at[] = {0, 1, 1, 0};
  Four scalars[6], taken[3];
  for (int k = 0; k < 6; k++)
    for (int lane = 0; lane < 4; lane++) scalars[k][lane] = 10 * k + lane;
  take_inner(scalars, at, taken);
  for (int k = 0; k < 3; k++)
    for (int lane = 0; lane < 4; lane++) CHECK_EQ(taken[k][lane], 10 * (k + 3 * at[lane]) + lane);
}

int main(void) {
  RUN(indices_are_clamped_and_nothing_is_zero);
  RUN(older_values_stay_when_others_are_appended);
  RUN(appending_copies_rarely);
  RUN(elements_of_any_size_are_appended);
  RUN(ranges);
  RUN(dropped_buffers_are_used_again);
  RUN(spare_buffers_are_large_enough_and_few);
  RUN(a_pool_stays_short_until_the_error_is_taken);
  RUN(an_owner_keeps_its_own);
  RUN(owners_leave_a_pool_one_by_one);
  RUN(sweeps_are_due_after_changes_of_buffers);
  RUN(foreign_buffers_are_copied);
  RUN(lent_elements_stay_where_they_are);
  RUN(lent_elements_must_be_countable);
  RUN(prints_by_pattern);
  RUN(inner_sequences_have_what_was_stored);
  return test_result();
}
