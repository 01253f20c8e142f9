/* Views made by random chains of operations, over memory in which every element holds its own
 * address: which elements ranges visit, in which order, against arrays of addresses (model.h). */
#include "runtime/layout/ndview.h"

#include <stdlib.h>

#include "tests/unit/layout/model.h"

enum { N_CHAINS = 100000, N_CELLS = 8192 };

static int16_t cells[N_CELLS];

static ddr_array_status apply(const ddr_ndview *view, const Step *s, ddr_ndview *part) {
  switch (s->op) {
  case FIX: return ddr_ndview_fix(view, s->axis, s->a, part);
  case SLICE: return ddr_ndview_slice(view, s->axis, s->a, s->b, part);
  case PERMUTE: return ddr_ndview_permute(view, s->order, part);
  case FLIP: return ddr_ndview_flip(view, s->axis, part);
  case STEP: return ddr_ndview_step(view, s->axis, s->a, part);
  case REPEAT: return ddr_ndview_repeat(view, s->axis, s->a, part);
  case RESHAPE: return ddr_ndview_reshape(view, s->rank, s->len, part);
  case N_OPERATIONS: break;
  }
  return DDR_ARRAY_ERANK;
}

/* --- what a range visits ---------------------------------------------------------------------- */

typedef struct Visits {
  int n, n_rows;
  int64_t at[MODEL_SIZE];
} Visits;

static void visit_row(void *context, void *data, int64_t stride, int64_t n) {
  Visits *visits = context;
  visits->n_rows++;
  for (int64_t k = 0; k < n && visits->n < MODEL_SIZE; k++)
    visits->at[visits->n++] = ((const int16_t *)data)[k * stride];
}

static Visits visits_of(const ddr_range *range) {
  Visits visits = {.n = 0};
  ddr_range_rows(range, sizeof *cells, visit_row, &visits);
  return visits;
}

static bool are_equal(const Visits *visits, int n, const int64_t *want) {
  return visits->n == n && memcmp(visits->at, want, (size_t)n * sizeof *want) == 0;
}

/* Visits position by position, like loops on a device. */
static bool has_layout(const ddr_range *range, const Visits *visits) {
  if (range->n != ddr_layout_size(&range->layout)) return false;
  for (int p = 0; p < visits->n; p++) {
    const int64_t offset = ddr_layout_at_position(&range->layout, p);
    if (((const int16_t *)range->data)[offset] != visits->at[p]) return false;
  }
  return true;
}

static bool is_flat(const ddr_range *range, const Visits *visits) {
  return range->is_flat && visits->n_rows <= 1 && range->layout.rank == 1 &&
         range->layout.stride[0] == 1 && range->layout.offset == 0 &&
         (range->n == 0 || range->data == cells + visits->at[0]);
}

static void check_canonical(const ddr_ndview *view, const Model *m, const Traits *t) {
  const ddr_range range = ddr_ndview_range(view);
  const Visits visits = visits_of(&range);
  CHECK(range.n == m->n && range.is_flat == t->is_canonical);
  CHECK(are_equal(&visits, m->n, m->at) && has_layout(&range, &visits));
  CHECK(!range.is_flat || is_flat(&range, &visits));
  ddr_range pointer;
  const ddr_array_status status = ddr_ndview_canonical_range(view, &pointer);
  CHECK_EQ(status, t->is_canonical ? DDR_ARRAY_OK : DDR_ARRAY_ERANGE);
  if (status != DDR_ARRAY_OK) return;
  const Visits again = visits_of(&pointer);
  CHECK(is_flat(&pointer, &again) && are_equal(&again, m->n, m->at));
}

/* In ascending order from the least address, or in canonical order if that is not possible. */
static void check_unordered(const ddr_ndview *view, const Model *m, const Traits *t) {
  int64_t want[MODEL_SIZE];
  memcpy(want, m->at, sizeof want);
  for (int p = 0; p < m->n && t->is_contiguous; p++) want[p] = t->least + p;
  const ddr_range range = ddr_ndview_unordered_range(view);
  const Visits visits = visits_of(&range);
  CHECK(range.is_flat == t->is_contiguous && are_equal(&visits, m->n, want));
  CHECK(!range.is_flat || is_flat(&range, &visits));
  ddr_range pointer;
  const ddr_array_status status = ddr_ndview_contiguous_range(view, &pointer);
  CHECK_EQ(status, t->is_contiguous ? DDR_ARRAY_OK : DDR_ARRAY_ERANGE);
  if (status != DDR_ARRAY_OK) return;
  const Visits again = visits_of(&pointer);
  CHECK(is_flat(&pointer, &again) && are_equal(&again, m->n, want));
}

static void check_elements(const ddr_ndview *view, const Model *m) {
  int64_t idx[DDR_MAX_RANK] = {0};
  bool is_right = true;
  for (int p = 0; p < m->n && is_right; p++) {
    void *element = NULL;
    is_right =
        ddr_ndview_at(view, m->rank, idx, &element) == DDR_ARRAY_OK && element == cells + m->at[p];
    model_next(m->rank, m->len, idx);
  }
  CHECK(is_right && ddr_ndview_size(view) == m->n && ddr_ndview_is_empty(view) == (m->n == 0));
}

/* --- chains ----------------------------------------------------------------------------------- */

static void count(void *counter) { ++*(int *)counter; }

static void extend(Chance *c, ddr_ndview *view, Model *m) {
  const Step s = random_step(c, m);
  ddr_ndview part;
  if (apply(view, &s, &part) != DDR_ARRAY_OK) return; /* random_test.c checks when */
  *m = model_apply(m, &s);
  ddr_ndview_release(view);
  *view = part;
}

static void visit_the_elements_of_the_model(void) {
  Chance c = {42};
  int n_cleanups = 0, n_pointers = 0, n_chains = 0;
  for (int k = 0; k < N_CELLS; k++) cells[k] = (int16_t)k;
  const int n_wanted = (int)test_rounds(N_CHAINS);
  while (n_chains < n_wanted && test_state.n_failed == 0) {
    ddr_layout layout;
    ddr_ndview view;
    Model m = random_model(&c, &layout);
    ddr_cleanup *cleanup = ddr_cleanup_new(count, &n_cleanups);
    CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT16, cells, &layout, DDR_HOST, cleanup, &view),
             DDR_ARRAY_OK);
    for (int n = chance(&c, 6); n > 0; n--) extend(&c, &view, &m);
    const Traits t = model_traits(&m);
    check_canonical(&view, &m, &t);
    check_unordered(&view, &m, &t);
    check_elements(&view, &m);
    n_pointers += t.is_contiguous && !t.is_canonical;
    ddr_ndview_release(&view);
    CHECK_EQ(n_cleanups, ++n_chains);
  }
  CHECK(n_pointers > n_wanted / 50);
}

int main(void) {
  RUN(visit_the_elements_of_the_model);
  return test_result();
}
