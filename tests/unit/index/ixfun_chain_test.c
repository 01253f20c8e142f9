/* Index functions: random chains of all operations against arrays of offsets, with constants and
 * with unknowns that are substituted afterwards; every property claimed of a function is checked on
 * the offsets. */
#include <stdlib.h>

#include "ir/index/ixfun.h"
#include "tests/unit/index/ixfun_naive.h"
#include "tests/unit/test.h"

enum { N_CHAINS = 100000, N_UNKNOWNS = 8, MAX_ELEMENTS = 96 };

/* ---- random numbers, as constants or as polynomials of that value ---------------------------- */

typedef struct Chain {
  Arena *arena;
  Text log; /* the operations so far, for messages */
  bool is_symbolic;
  Poly unknown[N_UNKNOWNS]; /* number u is named u<u> and has value u + 1 */
  const Name *name[N_UNKNOWNS];
} Chain;

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 33) % n;
}

static bool one_in(uint32_t n) { return random_below(n) == 0; }

static Poly number(Chain *c, int64_t value) {
  Arena *a = c->arena;
  if (!c->is_symbolic || one_in(2)) return poly_const(value);
  uint32_t u = random_below(N_UNKNOWNS);
  if (one_in(2) && value >= 1 && value <= N_UNKNOWNS) return c->unknown[value - 1];
  if (one_in(3)) {
    Poly quotient = poly_floordiv(a, poly_const(value), c->unknown[u]);
    Poly rest = poly_mod(a, poly_const(value), c->unknown[u]);
    return poly_add(a, poly_mul(a, quotient, c->unknown[u]), rest);
  }
  return poly_add(a, c->unknown[u], poly_const(value - (int64_t)u - 1));
}

static bool value_of(void *context, const PolyAtom *unknown, int64_t *value) {
  (void)context;
  *value = unknown->name->text[1] - '0' + 1;
  return true;
}

static int64_t value(Poly p) {
  int64_t v = INT64_MIN;
  CHECK(poly_eval(p, value_of, NULL, &v));
  return v;
}

/* ---- operations ------------------------------------------------------------------------------ */

typedef struct Both {
  const Ixfun *fast;
  Naive slow;
} Both;

static Both start(Chain *c, const int64_t *n, int rank) {
  Poly len[NAIVE_RANK];
  text_add(&c->log, "iota");
  for (int k = 0; k < rank; k++) {
    len[k] = number(c, n[k]);
    text_addf(&c->log, " %d", (int)n[k]);
  }
  return (Both){.fast = ixfun_iota(c->arena, (Extents){.rank = (uint32_t)rank, .len = len}),
                .slow = naive_iota(n, rank)};
}

static void do_permute(Chain *c, Both *f) {
  uint32_t order[NAIVE_RANK] = {0};
  for (uint32_t k = 0; k < (uint32_t)f->slow.rank; k++) {
    uint32_t other = random_below(k + 1);
    order[k] = order[other];
    order[other] = k;
  }
  text_add(&c->log, " permute");
  for (int k = 0; k < f->slow.rank; k++) text_addf(&c->log, " %u", order[k]);
  f->slow = naive_permute(&f->slow, order);
  f->fast = ixfun_permute(c->arena, f->fast, order, (uint32_t)f->slow.rank);
}

static void do_rotate(Chain *c, Both *f) {
  Poly by[NAIVE_RANK];
  int64_t amount[NAIVE_RANK];
  text_add(&c->log, " rotate");
  for (int k = 0; k < f->slow.rank; k++) {
    amount[k] = one_in(3) ? (int64_t)random_below(15) - 7 : 0;
    by[k] = number(c, amount[k]);
    text_addf(&c->log, " %d", (int)amount[k]);
  }
  f->slow = naive_rotate(&f->slow, amount);
  f->fast = ixfun_rotate(c->arena, f->fast, by, (uint32_t)f->slow.rank);
}

static NaivePart random_part(int64_t n) {
  if (n == 0) return (NaivePart){.count = 0, .step = 1};
  if (one_in(4)) return (NaivePart){.is_fixed = true, .begin = random_below((uint32_t)n)};
  if (one_in(3)) return (NaivePart){.count = n, .step = 1};
  if (one_in(3)) return (NaivePart){.begin = n - 1, .count = n, .step = -1};
  NaivePart part = {.begin = random_below((uint32_t)n), .step = (int64_t)random_below(7) - 3};
  int64_t room = part.step > 0   ? (n - 1 - part.begin) / part.step
                 : part.step < 0 ? part.begin / -part.step
                                 : 2;
  part.count = one_in(30) ? 0 : 1 + random_below((uint32_t)room + 1);
  return part;
}

static void do_slice(Chain *c, Both *f) {
  NaivePart part[NAIVE_RANK];
  IxSlice spec[NAIVE_RANK];
  Extents shape = ixfun_shape(c->arena, f->fast);
  text_add(&c->log, " slice");
  for (int k = 0; k < f->slow.rank; k++) {
    int64_t n = f->slow.n[k];
    part[k] = random_part(n);
    NaivePart *p = &part[k];
    text_addf(&c->log, p->is_fixed ? " %d" : " %d:%d:%d", (int)p->begin, (int)p->count,
              (int)p->step);
    bool is_whole = !p->is_fixed && p->begin == 0 && p->count == n && p->step == 1;
    bool is_reversal = !p->is_fixed && p->begin == n - 1 && p->count == n && p->step == -1;
    Poly last = poly_sub(c->arena, shape.len[k], poly_const(1));
    spec[k] = p->is_fixed ? ix_fix(number(c, p->begin))
              : is_whole  ? ix_whole(shape.len[k])
              : is_reversal
                  ? ix_range(last, shape.len[k], poly_const(-1))
                  : ix_range(number(c, p->begin), number(c, p->count), number(c, p->step));
  }
  f->fast = ixfun_slice(c->arena, f->fast, spec, (uint32_t)f->slow.rank);
  f->slow = naive_slice(&f->slow, part);
}

/* On the slowest axis, which offset_index, stride_index and stride_index_n take. */
static void do_slowest(Chain *c, Both *f) {
  if (f->slow.rank == 0) return;
  NaivePart part[NAIVE_RANK];
  int64_t n = f->slow.n[0];
  for (int k = 0; k < f->slow.rank; k++) part[k] = (NaivePart){.count = f->slow.n[k], .step = 1};
  if (one_in(2)) {
    int64_t first = random_below((uint32_t)n + 1);
    part[0] = (NaivePart){.begin = first, .count = n - first, .step = 1};
    text_addf(&c->log, " offset_index %d", (int)first);
    f->fast = ixfun_offset_index(c->arena, f->fast, number(c, first));
  } else {
    int64_t step = (int64_t)random_below(7) - 3, size = step < 0 ? -step : step;
    int64_t count = step == 0 ? n : (n + size - 1) / size;
    bool is_counted = one_in(2) && count > 0;
    if (is_counted) count = 1 + random_below((uint32_t)count);
    part[0] = (NaivePart){.begin = step < 0 ? n - 1 : 0, .count = count, .step = step};
    text_addf(&c->log, " stride_index %d %d", (int)step, (int)count);
    f->fast = is_counted
                  ? ixfun_stride_index_n(c->arena, f->fast, poly_const(step), number(c, count))
                  : ixfun_stride_index(c->arena, f->fast, poly_const(step));
  }
  f->slow = naive_slice(&f->slow, part);
}

/* Marks some of the first and last axes as unchanged; not all if the rank changes. */
static void coerce_ends(const Naive *source, const int64_t *n, int rank, IxAxis *axes) {
  const int room = rank < source->rank ? rank - 1 : source->rank;
  int head = 0, tail = 0;
  for (; head < room && n[head] == source->n[head] && !one_in(3); head++)
    axes[head].is_coerced = true;
  for (; head + tail < room && !one_in(3); tail++) {
    if (n[rank - 1 - tail] != source->n[source->rank - 1 - tail]) return;
    axes[rank - 1 - tail].is_coerced = true;
  }
}

/* Merges axes, splits them, adds and drops those of length 1. */
static void do_reshape(Chain *c, Both *f) {
  IxAxis axes[NAIVE_RANK];
  int64_t n[NAIVE_RANK];
  int rank = 0;
  Arena *a = c->arena;
  Extents shape = ixfun_shape(a, f->fast);
  text_add(&c->log, " reshape");
  for (int k = 0; k < f->slow.rank; k++) {
    int64_t len = f->slow.n[k];
    int room = NAIVE_RANK - rank - (f->slow.rank - k);
    Poly p = shape.len[k];
    if (room > 0 && one_in(8)) {
      n[rank] = 1;
      axes[rank++] = ix_new(poly_const(1));
      room--;
    }
    if (len == 1 && one_in(2)) continue;
    if (k + 1 < f->slow.rank && one_in(4)) {
      n[rank] = len * f->slow.n[++k];
      Poly merged = one_in(4) ? number(c, n[rank]) : poly_mul(a, p, shape.len[k]);
      axes[rank++] = ix_new(merged);
    } else if (room > 0 && len > 1 && one_in(3)) {
      int64_t part = 1 + random_below((uint32_t)len);
      while (len % part != 0) part--;
      n[rank] = len / part;
      axes[rank++] = ix_new(number(c, len / part));
      n[rank] = part;
      axes[rank++] = ix_new(number(c, part));
    } else {
      n[rank] = len;
      axes[rank++] = ix_new(one_in(2) ? p : number(c, len));
    }
  }
  coerce_ends(&f->slow, n, rank, axes);
  for (int k = 0; k < rank; k++) text_addf(&c->log, axes[k].is_coerced ? " =%d" : " %d", (int)n[k]);
  f->slow = naive_reshape(&f->slow, n, rank);
  f->fast = ixfun_reshape(a, f->fast, axes, (uint32_t)rank);
}

static void do_repeat(Chain *c, Both *f) {
  int64_t n[NAIVE_RANK];
  bool is_new[NAIVE_RANK];
  Poly len[NAIVE_RANK];
  Extents outer[NAIVE_RANK + 1];
  int rank = 0, room = NAIVE_RANK - f->slow.rank;
  text_add(&c->log, " repeat");
  for (int k = 0; k <= f->slow.rank; k++) {
    outer[k] = (Extents){.len = &len[rank]};
    for (; room > 0 && f->slow.size < MAX_ELEMENTS && one_in(4); room--) {
      n[rank] = 1 + random_below(3);
      len[rank] = number(c, n[rank]);
      text_addf(&c->log, " %d", (int)n[rank]);
      is_new[rank++] = true;
      outer[k].rank++;
    }
    text_add(&c->log, ";");
    if (k == f->slow.rank) break;
    n[rank] = f->slow.n[k];
    is_new[rank++] = false;
  }
  if (naive_size(n, rank) > MAX_ELEMENTS) return;
  uint32_t n_outer = (uint32_t)f->slow.rank;
  f->slow = naive_repeat(&f->slow, n, is_new, rank);
  f->fast = ixfun_repeat(c->arena, f->fast, outer, n_outer, outer[n_outer]);
}

static void do_expand(Chain *c, Both *f) {
  int64_t offset = random_below(4), n_copies = 1 + random_below(4);
  text_addf(&c->log, " expand %d %d", (int)offset, (int)n_copies);
  f->slow = naive_expand(&f->slow, offset, n_copies);
  f->fast = ixfun_expand(c->arena, f->fast, number(c, offset), number(c, n_copies));
}

static void random_op(Chain *c, Both *f) {
  switch (random_below(8)) {
  case 0:
  case 1: do_permute(c, f); return;
  case 2: do_rotate(c, f); return;
  case 3: do_slice(c, f); return;
  case 4: do_slowest(c, f); return;
  case 5: do_repeat(c, f); return;
  default: do_reshape(c, f); return;
  }
}

static Both random_chain(Chain *c, const int64_t *n, int rank, uint32_t n_ops) {
  Both f = start(c, n, rank);
  for (uint32_t i = 0; i < n_ops && f.fast; i++) random_op(c, &f);
  return f;
}

static Both random_function(Chain *c) {
  int64_t n[NAIVE_RANK];
  int rank = (int)random_below(5);
  for (int k = 0; k < rank; k++) n[k] = one_in(40) ? 0 : 1 + random_below(4);
  if (naive_size(n, rank) > MAX_ELEMENTS) n[0] = 1;
  Both f = random_chain(c, n, rank, random_below(6));
  if (one_in(3) && f.fast) {
    Both onto = f;
    text_add(&c->log, " <- ");
    f = random_chain(c, onto.slow.n, onto.slow.rank, random_below(4));
    if (f.fast)
      f = (Both){ixfun_rebase(c->arena, onto.fast, f.fast), naive_rebase(&onto.slow, &f.slow)};
  }
  if (one_in(10)) do_expand(c, &f);
  return f;
}

/* ---- what a function is, by its definition --------------------------------------------------- */

static int64_t floor_mod(int64_t x, int64_t n) { return (x % n + n) % n; }

static int64_t offset_at(const Ixfun *f, const int64_t *logical) {
  int64_t idx[NAIVE_RANK], at = 0;
  memcpy(idx, logical, sizeof idx);
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    const Lmad *l = &f->lmads[i];
    for (uint32_t k = l->rank; i > 0 && k-- > 0;) {
      int64_t n = value(l->dims[l->perm[k]].len);
      idx[k] = at % n;
      at /= n;
    }
    at = value(l->offset);
    for (uint32_t k = 0; k < l->rank; k++) {
      const LmadDim *dim = &l->dims[l->perm[k]];
      int64_t turned = floor_mod(idx[k] + value(dim->rotate), value(dim->len));
      at += turned * value(dim->stride);
    }
  }
  return at;
}

static bool has_offsets(const Ixfun *f, const Naive *want) {
  bool all = true;
  if (!CHECK_EQ(ixfun_rank(f), want->rank)) return false;
  for (int k = 0; k < want->rank; k++)
    all &= CHECK_EQ(value(f->lmads[0].dims[f->lmads[0].perm[k]].len), want->n[k]);
  for (int p = 0; p < want->size && all; p++) {
    int64_t idx[NAIVE_RANK] = {0};
    naive_unflat(want, p, idx);
    all &= CHECK_EQ(offset_at(f, idx), want->at[p]);
  }
  return all;
}

/* ---- what is claimed of it ------------------------------------------------------------------- */

static bool order_holds(Arena *a, const Ixfun *f, const Naive *slow) {
  Poly offset;
  const IxPlace *place;
  bool all = true, is_linear = ixfun_linear_with_offset(a, f, 1, &offset);
  for (int p = 0; p < slow->size && is_linear; p++) all &= CHECK_EQ(slow->at[p], value(offset) + p);
  if (ixfun_is_direct(a, f) && slow->size > 0) all &= CHECK(is_linear && slow->at[0] == 0);
  if (!ixfun_rearrange_with_offset(a, f, 1, &offset, &place)) return all && CHECK(!is_linear);
  Naive memory = {.rank = slow->rank};
  for (int k = 0; k < slow->rank; k++) memory.n[place[k].dim] = value(place[k].len);
  for (int p = 0; p < slow->size; p++) {
    int64_t idx[NAIVE_RANK], stored[NAIVE_RANK] = {0};
    naive_unflat(slow, p, idx);
    for (int k = 0; k < slow->rank; k++) stored[place[k].dim] = idx[k];
    all &= CHECK_EQ(slow->at[p], value(offset) + naive_flat(&memory, stored));
  }
  return all;
}

/* For every dim that is not repeated, in every descriptor; without any, both are claimed, Inc
 * first. */
static bool signs_hold(const Ixfun *f) {
  bool all = true, is_inc = true, is_dec = true, has_rotation = false;
  for (uint32_t i = 0; i < f->n_lmads; i++)
    for (uint32_t d = 0; d < f->lmads[i].rank; d++) {
      const LmadDim *dim = &f->lmads[i].dims[d];
      if (poly_is(dim->stride, 0)) continue;
      has_rotation = has_rotation || !poly_is(dim->rotate, 0);
      is_inc = is_inc && dim->mono == MONO_INC;
      is_dec = is_dec && dim->mono == MONO_DEC;
      if (dim->mono == MONO_INC) all &= CHECK(value(dim->stride) > 0);
      if (dim->mono == MONO_DEC) all &= CHECK(value(dim->stride) < 0);
    }
  const Monotonicity want = is_inc ? MONO_INC : is_dec ? MONO_DEC : MONO_UNKNOWN;
  return CHECK_EQ(ixfun_monotonicity(f), has_rotation ? MONO_UNKNOWN : want) && all;
}

static bool span_holds(Arena *a, const Ixfun *f, const Naive *slow) {
  Poly least, greatest;
  bool all = true, meets_least = false, meets_greatest = false;
  if (!ixfun_span(a, f, &least, &greatest)) return true;
  int64_t from = value(least), to = value(greatest);
  for (int p = 0; p < slow->size; p++) {
    all &= CHECK(slow->at[p] >= from && slow->at[p] <= to);
    meets_least = meets_least || slow->at[p] == from;
    meets_greatest = meets_greatest || slow->at[p] == to;
  }
  if (f->n_lmads == 1 && slow->size > 0) all &= CHECK(meets_least && meets_greatest);
  return all;
}

static bool index_holds(Arena *a, const Ixfun *f, const Naive *slow) {
  if (slow->size == 0) return true;
  int64_t idx[NAIVE_RANK] = {0};
  Poly at[NAIVE_RANK], bytes, address;
  int p = (int)random_below((uint32_t)slow->size);
  naive_unflat(slow, p, idx);
  for (int k = 0; k < slow->rank; k++) at[k] = poly_const(idx[k]);
  bool all = CHECK(ixfun_index(a, f, at, (uint32_t)slow->rank, 4, &bytes));
  all = all && CHECK(ixfun_address(a, f, at, (uint32_t)slow->rank, &address));
  return all && CHECK_EQ(value(bytes), 4 * slow->at[p]) && CHECK_EQ(value(address), slow->at[p]);
}

static bool text_holds(Cx *cx, const Ixfun *f) {
  const char *text = ixfun_print(cx->arena, f), *end = text, *error;
  const Ixfun *again = ixfun_parse(cx, &end, &error);
  if (!CHECK(again != NULL)) fprintf(stderr, "%s: %s\n", text, error);
  return again && CHECK_STR(ixfun_print(cx->arena, again), text) && CHECK(*end == '\0') &&
         CHECK(ixfun_eq(cx->arena, f, again));
}

static bool layout_holds(const Ixfun *f, const Naive *slow) {
  ddr_layout layout;
  int64_t idx[NAIVE_RANK] = {0};
  bool all = true;
  if (ixfun_to_layout(f, &layout) != DDR_ARRAY_OK) return true;
  for (int p = 0; p < slow->size; p++) {
    naive_unflat(slow, p, idx);
    all &= CHECK_EQ(ddr_layout_at(&layout, idx), slow->at[p]);
  }
  return all;
}

/* For the function, and again after simplification. */
static bool all_holds(Cx *cx, const Ixfun *f, const Naive *slow) {
  Arena *a = cx->arena;
  const Ixfun *simple = ixfun_simplify(a, f);
  bool all = CHECK_STR(ixfun_check(a, f), NULL) && has_offsets(f, slow);
  if (f->is_contiguous) all &= CHECK(naive_is_interval(slow));
  all = all && order_holds(a, f, slow) && signs_hold(f) && span_holds(a, f, slow);
  all = all && index_holds(a, f, slow) && layout_holds(f, slow);
  if (simple != f) {
    all = all && CHECK(simple->n_lmads < f->n_lmads) && has_offsets(simple, slow);
    all = all && CHECK_STR(ixfun_check(a, simple), NULL) && CHECK(ixfun_eq(a, simple, f));
  }
  return all;
}

/* ---- the chains ------------------------------------------------------------------------------ */

static void put_values_in(Cx *cx, Chain *c, const Both *f) {
  PolySubst map[N_UNKNOWNS];
  for (uint32_t u = 0; u < N_UNKNOWNS; u++)
    map[u] = (PolySubst){.name = c->name[u], .value = poly_const(u + 1)};
  const Ixfun *known = ixfun_substitute(cx->arena, f->fast, map, N_UNKNOWNS);
  CHECK_EQ(ixfun_free_vars(cx->arena, known).n, 0);
  all_holds(cx, known, &f->slow);
}

static void run_chains(bool is_symbolic, uint32_t n_chains) {
  Cx *cx = cx_new();
  Chain c = {.arena = cx->arena, .is_symbolic = is_symbolic};
  for (uint32_t u = 0; u < N_UNKNOWNS; u++) {
    c.name[u] = name_from(cx->names, text_format(cx->arena, "u%u", u));
    c.unknown[u] = poly_extent(cx->arena, c.name[u]);
  }
  for (uint32_t i = 0; i < n_chains && test_state.n_failed < 20; i++) {
    ArenaMark mark = arena_mark(cx->arena);
    uint64_t seed = random_state, n_failed = test_state.n_failed;
    c.log = text_new(cx->arena);
    Both f = random_function(&c);
    if (CHECK(f.fast != NULL)) {
      all_holds(cx, f.fast, &f.slow);
      if (i % 8 == 0) text_holds(cx, f.fast);
      if (is_symbolic) put_values_in(cx, &c, &f);
    }
    if (test_state.n_failed > n_failed)
      fprintf(stderr, "  chain %" PRIu64 ": %s\n  %s\n", seed, text_str(&c.log),
              f.fast ? ixfun_print(cx->arena, f.fast) : "refused");
    arena_reset(cx->arena, mark);
  }
  cx_free(cx);
}

static void chains_have_their_offsets(void) { run_chains(false, test_rounds(N_CHAINS)); }
static void chains_of_unknowns_have_their_offsets(void) {
  run_chains(true, test_rounds(N_CHAINS / 5));
}

int main(void) {
  RUN(chains_have_their_offsets);
  RUN(chains_of_unknowns_have_their_offsets);
  return test_result();
}
