/* Layouts made by random chains of operations, against arrays of addresses (model.h). */
#include "runtime/layout/layout.h"

#include <stdlib.h>

#include "tests/unit/layout/model.h"

enum { N_CHAINS = 100000 };

static ddr_array_status apply(const ddr_layout *layout, const Step *s, ddr_layout *part) {
  switch (s->op) {
  case FIX: return ddr_layout_fix(layout, s->axis, s->a, part);
  case SLICE: return ddr_layout_slice(layout, s->axis, s->a, s->b, part);
  case PERMUTE: return ddr_layout_permute(layout, s->order, part);
  case FLIP: return ddr_layout_flip(layout, s->axis, part);
  case STEP: return ddr_layout_step(layout, s->axis, s->a, part);
  case REPEAT: return ddr_layout_repeat(layout, s->axis, s->a, part);
  case RESHAPE: return ddr_layout_reshape(layout, s->rank, s->len, part);
  case N_OPERATIONS: break;
  }
  return DDR_ARRAY_ERANK;
}

/* Compares every element, by indices and by position. */
static bool has_addresses(const ddr_layout *layout, const Model *m) {
  int64_t idx[DDR_MAX_RANK] = {0};
  if (layout->rank != m->rank || ddr_layout_size(layout) != m->n) return false;
  if (ddr_layout_is_empty(layout) != (m->n == 0)) return false;
  for (int k = 0; k < m->rank; k++)
    if (layout->len[k] != m->len[k]) return false;
  for (int p = 0; p < m->n; p++) {
    if (ddr_layout_at(layout, idx) != m->at[p]) return false;
    if (ddr_layout_at_position(layout, p) != m->at[p]) return false;
    model_next(m->rank, m->len, idx);
  }
  return true;
}

static bool has_traits(const ddr_layout *layout, const Model *m) {
  const Traits t = model_traits(m);
  bool is_injective = !t.is_injective;
  int64_t least = 0, greatest = 0;
  return ddr_layout_is_contiguous(layout) == t.is_contiguous &&
         ddr_layout_is_canonical(layout) == t.is_canonical &&
         ddr_layout_is_injective(layout, &is_injective) == DDR_ARRAY_OK &&
         is_injective == t.is_injective &&
         ddr_layout_span(layout, &least, &greatest) == (m->n > 0) && least == t.least &&
         greatest == t.greatest;
}

/* The order stays the same, and no two neighbouring axes could still be merged. */
static bool collapses(const ddr_layout *layout, const Model *m) {
  const ddr_layout few = ddr_layout_collapse(layout);
  if (few.rank < 1 || ddr_layout_size(&few) != m->n) return false;
  if (m->n == 0) return few.rank == 1 && few.stride[0] == 1;
  for (int p = 0; p < m->n; p++)
    if (ddr_layout_at_position(&few, p) != m->at[p]) return false;
  for (int k = 0; k + 1 < few.rank; k++) {
    int64_t len[DDR_MAX_RANK];
    memcpy(len, few.len, sizeof len);
    len[k] *= len[k + 1];
    memmove(len + k + 1, len + k + 2, (size_t)(few.rank - k - 2) * sizeof *len);
    if (model_is_affine(m, few.rank - 1, len)) return false;
  }
  return few.rank == 1 || few.len[0] > 1;
}

static bool meet(const Model *a, const Model *b) {
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++)
      if (a->at[i] == b->at[j]) return true;
  return false;
}

typedef struct Pair {
  ddr_layout layout;
  Model model;
} Pair;

/* Applies one more operation; extents that strides cannot express are refused. */
static bool extend(Chance *c, Pair *pair) {
  const Step s = random_step(c, &pair->model);
  ddr_layout part;
  const ddr_array_status status = apply(&pair->layout, &s, &part);
  if (status != DDR_ARRAY_OK)
    return CHECK(status == DDR_ARRAY_ESHAPE && s.op == RESHAPE &&
                 !model_is_affine(&pair->model, s.rank, s.len));
  pair->model = model_apply(&pair->model, &s);
  pair->layout = part;
  return CHECK_EQ(ddr_layout_check(&part), DDR_ARRAY_OK) &&
         CHECK(has_addresses(&part, &pair->model));
}

static void match_the_model(void) {
  Chance c = {20261120};
  Pair last = {.layout = {.rank = 1}}, pair = last;
  bool is_good = true;
  int n_injective = 0, n_contiguous = 0, n_canonical = 0, n_meeting = 0, n_empty = 0;
  const int n_chains = (int)test_rounds(N_CHAINS);
  for (int k = 0; k < n_chains && is_good; k++) {
    pair.model = random_model(&c, &pair.layout);
    for (int n = chance(&c, 6); n > 0 && is_good; n--) is_good = extend(&c, &pair);
    is_good = is_good && CHECK(has_addresses(&pair.layout, &pair.model)) &&
              CHECK(has_traits(&pair.layout, &pair.model)) &&
              CHECK(collapses(&pair.layout, &pair.model));
    const bool do_meet = meet(&pair.model, &last.model);
    is_good = is_good && CHECK_EQ(ddr_layout_overlap(&pair.layout, &last.layout), do_meet);
    if (!is_good) fprintf(stderr, "chain %d\n", k);
    const Traits t = model_traits(&pair.model);
    n_injective += t.is_injective;
    n_contiguous += t.is_contiguous;
    n_canonical += t.is_canonical;
    n_meeting += do_meet;
    n_empty += pair.model.n == 0;
    last = pair;
  }
  printf("%d chains: %d injective, %d contiguous, %d canonical, %d empty, %d overlaps\n", n_chains,
         n_injective, n_contiguous, n_canonical, n_empty, n_meeting);
  const int few = n_chains / 20; /* there are enough of each kind */
  CHECK(n_injective > few && n_injective < n_chains - few && n_contiguous > few);
  CHECK(n_canonical > few && n_empty > few / 2 && n_meeting > few && n_meeting < n_chains - few);
}

int main(void) {
  RUN(match_the_model);
  return test_result();
}
