/* Reductions: the tree against tables of known sums and against its definition, and strands of
 * every set on any number of threads. */
#include <stdlib.h>

#include "runtime/reduce/order_free.h"
#include "runtime/reduce/tree.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { MAX_LINE = 200, MAX_ELEMENTS = 1000000 };

static double elements[MAX_ELEMENTS];

/* --- tables ----------------------------------------------------------------------------------- */

static double g1(int64_t k) { return (double)(37 * k % 101 - 50) / 8; }
static double g2(int64_t k) { return (double)(53 * k % 97 - 48) / 16; }

static double harmonic(int64_t k) { return 1 / (double)(k + 1); }
static double leibniz(int64_t k) { return (k % 2 == 0 ? 1 : -1) / (double)(2 * k + 1); }
static double itself(int64_t k) { return (double)k; }
static double size_of_g1(int64_t k) { return fabs(g1(k)); }
static double square_of_g1(int64_t k) { return g1(k) * g1(k); }
static double product(int64_t k) { return g1(k) * g2(k); }

typedef double Formula(int64_t k);

static Formula *formula_from_text(const char *text) {
  static const struct {
    const char *text;
    Formula *formula;
  } formulas[] = {{"k", itself},           {"1/(k+1)", harmonic},   {"(-1)^k/(2k+1)", leibniz},
                  {"g1(k)", g1},           {"|g1(k)|", size_of_g1}, {"g1(k)^2", square_of_g1},
                  {"g1(k)*g2(k)", product}};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (strcmp(text, formulas[i].text) == 0) return formulas[i].formula;
  fprintf(stderr, "unknown elements: %s\n", text);
  exit(1);
}

/* Numbers, the last of which repeats, or a formula. */
static void fill(const char *text, int64_t n) {
  int64_t k = 0;
  char *end;
  for (const char *at = text; k < n; at = end + 1, k++) {
    elements[k] = strtod(at, &end);
    if (end == at || (*end != ',' && *end != '\0')) break; /* not a number */
    if (*end == '\0') {
      for (k++; k < n; k++) elements[k] = elements[k - 1];
      return;
    }
  }
  if (strchr(text, ',')) return;
  Formula *const formula = formula_from_text(text);
  for (k = 0; k < n; k++) elements[k] = formula(k);
}

/* The next row that is not a comment. */
static bool read_row(FILE *file, char *row) {
  while (fgets(row, MAX_LINE, file)) {
    if (row[0] != '#') return true;
  }
  fclose(file);
  return false;
}

static FILE *open_table(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  return file;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* NaN in the table is the one without sign and payload. */
static bool same_bits(double found, double want) { return bits_of(found) == bits_of(want); }

/* --- numbers one after another ---------------------------------------------------------------- */

static double fold_elements(ddr_reduction reduction, int64_t n) {
  ddr_fold fold;
  ddr_fold_begin(&fold, reduction);
  for (int round = 0; round < (reduction == DDR_VARIANCE ? 2 : 1); round++) {
    if (round > 0) ddr_fold_again(&fold);
    for (int64_t at = 0; at < n; at += DDR_TREE_BLOCK) {
      ddr_fold_doubles(&fold, elements + at, n - at < DDR_TREE_BLOCK ? n - at : DDR_TREE_BLOCK);
    }
  }
  return ddr_fold_end(&fold);
}

static double plain_sum(int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) sum += elements[k];
  return sum;
}

static void sums_are_those_of_the_table(void) {
  FILE *file = open_table("tests/unit/reduce/sums.txt");
  char row[MAX_LINE], what[MAX_LINE];
  int n_rows = 0;
  for (; read_row(file, row); n_rows++) {
    long long n;
    double tree, plain;
    CHECK_EQ(sscanf(row, "%*s %s %lld %lf %*f %lf", what, &n, &tree, &plain), 4);
    if (n > 0) fill(what, n);
    if (!CHECK(same_bits(fold_elements(DDR_SUM, n), tree))) fprintf(stderr, "  %s", row);
    if (!CHECK(same_bits(plain_sum(n), plain))) fprintf(stderr, "  %s", row);
  }
  CHECK_EQ(n_rows, 12);
}

/* By definition, level by level, on copies. */
static double by_definition(bool is_product, int64_t n) {
  double lanes[32], levels[8] = {0};
  int64_t n_nodes = 0;
  for (int64_t b = 0; 1024 * b < n; b++) {
    for (int l = 0; l < 32; l++) {
      lanes[l] = is_product ? 1 : 0;
      for (int j = 0; j < 32; j++) {
        const int64_t at = 1024 * b + 32 * j + l;
        if (at < n && is_product) lanes[l] *= elements[at];
        else if (at < n) lanes[l] += elements[at];
      }
    }
    for (int h = 16; h > 0; h /= 2) {
      for (int l = 0; l < h; l++) {
        lanes[l] = is_product ? lanes[l] * lanes[l + h] : lanes[l] + lanes[l + h];
      }
    }
    levels[n_nodes++] = lanes[0];
  }
  if (n_nodes == 0) return is_product ? 1 : 0;
  for (; n_nodes > 1; n_nodes = (n_nodes + 1) / 2) {
    for (int64_t i = 0; 2 * i < n_nodes; i++) {
      const double a = levels[2 * i], b = 2 * i + 1 < n_nodes ? levels[2 * i + 1] : 0;
      if (2 * i + 1 == n_nodes) levels[i] = a;
      else levels[i] = is_product ? a * b : a + b;
    }
  }
  return levels[0];
}

static void any_count_is_by_definition(void) {
  static const int64_t counts[] = {0,    1,    2,    31,   32,   33,   64,   65,   1023, 1024,
                                   1025, 2047, 2048, 2049, 3072, 3073, 5000, 6145, 7168, 7777};
  uint32_t random = 12345;
  for (int64_t k = 0; k < 8000; k++) {
    random = random * 1664525u + 1013904223u;
    elements[k] = 1 + ((double)random / 4294967296.0 - 0.5) / 16;
  }
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const int64_t n = counts[i];
    CHECK(same_bits(fold_elements(DDR_SUM, n), by_definition(false, n)));
    CHECK(same_bits(fold_elements(DDR_PRODUCT, n), by_definition(true, n)));
    if (n > 0) CHECK(same_bits(fold_elements(DDR_MEAN, n), by_definition(false, n) / (double)n));
  }
}

/* One after another by the pairwise rule, with NaN and zeros anywhere. */
static void extremes_are_by_definition(void) {
  static const double some[] = {0.0, -0.0, 1.5, -2.5, 3, -7, INFINITY, -INFINITY, (double)NAN};
  uint32_t random = 99;
  for (int round = 0; round < (int)test_rounds(4000); round++) {
    const int64_t n = round % 100;
    /* Only zeros; no NaN; all. */
    const uint32_t n_kinds = round % 3 == 0 ? 2 : round % 3 == 1 ? 8 : 9;
    double least = INFINITY, greatest = -INFINITY;
    float floats[100];
    for (int64_t k = 0; k < n; k++) {
      random = random * 1664525u + 1013904223u;
      elements[k] = some[(random >> 16) % n_kinds];
      floats[k] = (float)elements[k];
      least = ddr_lesser(least, elements[k]);
      greatest = ddr_greater(greatest, elements[k]);
    }
    CHECK(same_bits(ddr_least_of_doubles(elements, elements, 0, n), least));
    CHECK(same_bits(ddr_greatest_of_doubles(elements, elements, 0, n), greatest));
    CHECK(same_bits(ddr_least_of_floats(floats, floats, 0, n), least));
    CHECK(same_bits(ddr_greatest_of_floats(floats, floats, 0, n), greatest));
  }
}

/* --- strands ---------------------------------------------------------------------------------- */

/* A strand's value is the element with its id. */
#define GIVES(name, type)                                                                          \
  static void name(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,       \
                   void *values) {                                                                 \
    const ddr_strand_set set = *(const ddr_strand_set *)context;                                   \
    const SwarmState *states = strands->state;                                                     \
    type *out = values;                                                                            \
    for (int64_t k = 0; k < n; slot++) {                                                           \
      if (ddr_strand_is(strands, slot, set)) out[k++] = (type)elements[states[slot].id];           \
    }                                                                                              \
  }
GIVES(give_floats, float)
GIVES(give_doubles, double)
GIVES(give_ints, int32_t)
GIVES(give_longs, int64_t)
GIVES(give_bools, bool)

typedef struct {
  const char *name;
  ddr_kind kind;
  uint8_t size;
  ddr_member_values *give;
} Type;

static const Type types[] = {
    {"float", DDR_REAL, 4, give_floats}, {"double", DDR_REAL, 8, give_doubles},
    {"int", DDR_INT, 4, give_ints},      {"long", DDR_INT, 8, give_longs},
    {"bool", DDR_BOOL, 8, give_bools},
};

static const Type *find_type(const char *name) {
  size_t i = 0;
  while (strcmp(types[i].name, name) != 0) i++;
  return &types[i];
}

static ddr_reduction find_reduction(const char *name) {
  static const char *const names[] = {"sum", "product", "mean", "variance",
                                      "min", "max",     "all",  "exists"};
  int i = 0;
  while (strcmp(names[i], name) != 0) i++;
  return (ddr_reduction)i;
}

static ddr_world *strands_of(const Type *type, ddr_program *program, int64_t n,
                             uint32_t n_workers) {
  const Swarm script = {.n = n};
  *program = swarm_program;
  program->pos_dim = 0;
  program->is_dual = false;
  program->real_size = program->int_size = type->size;
  return swarm_start(program, &script, n_workers);
}

static double reduce(ddr_world *world, const Type *type, ddr_reduction reduction,
                     ddr_strand_set set) {
  const ddr_set_result result_wanted = {.reduction = reduction, .kind = type->kind};
  const ddr_set_reduction what = {
      .set = set, .values = type->give, .n_results = 1, .results = &result_wanted};
  if (type->kind == DDR_BOOL) return ddr_reduce_bools(world, &what, &set);
  if (type->kind == DDR_REAL) {
    const double result = ddr_reduce_reals(world, &what, &set);
    return type->size == 4 ? (double)(float)result : result;
  }
  const int64_t result = ddr_reduce_ints(world, &what, &set);
  return type->size == 4 ? (double)(int32_t)result : (double)result;
}

static void strands_give_what_the_table_says(void) {
  static const uint32_t n_workers[] = {3, 1, 2, 8};
  FILE *file = open_table("tests/unit/runtime/reductions.txt");
  char row[MAX_LINE], name[MAX_LINE], of[MAX_LINE], what[MAX_LINE];
  int n_rows = 0;
  for (; read_row(file, row); n_rows++) {
    long long n;
    double want;
    CHECK_EQ(sscanf(row, "%s %s %s %lld %lf", name, of, what, &n, &want), 5);
    if (n > 0) fill(what, n);
    const Type *type = find_type(of);
    const int n_counts = n < 50000 || test_is_slow() ? 4 : 1;
    for (int i = 0; i < n_counts; i++) {
      ddr_program program;
      ddr_world *world = strands_of(type, &program, n, n_workers[i]);
      const double found = reduce(world, type, find_reduction(name), DDR_SET_ALL);
      if (!CHECK(same_bits(found, want))) fprintf(stderr, "  %a: %s", found, row);
      ddr_world_free(world);
    }
  }
  CHECK_EQ(n_rows, 57);
}

/* Every 2nd, then every third strand is stable: only members of a set have positions on the
 * tree. */
static void sets_leave_no_gaps(void) {
  static double given[8000];
  for (int64_t step = 2; step < 20000; step = 3 * step - 1) {
    for (int64_t k = 0; k < 8000; k++) given[k] = 1 / (double)(k + 1);
    for (uint32_t n_workers = 1; n_workers <= 8; n_workers *= 2) {
      memcpy(elements, given, sizeof given);
      ddr_program program;
      ddr_world *world = strands_of(&types[1], &program, 8000, n_workers);
      world->store->n_active = world->store->n_stable = 0;
      for (int64_t k = 0; k < 8000; k++) {
        if (k % step == 0) world->store->strands.status[k] = DDR_STABLE;
        else if (k % 5 == 0) world->store->strands.status[k] = DDR_ACTIVE; /* the others are new */
        *(k % step == 0 ? &world->store->n_stable : &world->store->n_active) += 1;
      }
      const double stable = reduce(world, &types[1], DDR_SUM, DDR_SET_STABLE);
      const double active = reduce(world, &types[1], DDR_SUM, DDR_SET_ACTIVE);
      int64_t n = 0;
      for (int64_t k = 0; k < 8000; k += step) elements[n++] = given[k];
      CHECK(same_bits(stable, by_definition(false, n)));
      n = 0;
      for (int64_t k = 0; k < 8000; k++) {
        if (k % step != 0) elements[n++] = given[k];
      }
      CHECK(same_bits(active, by_definition(false, n)));
      ddr_world_free(world);
    }
  }
}

/* 2^53 and 128 ones, of which every second is a member: zeros for the others would change the last
 * bit. */
static void masked_strands_take_no_place(void) {
  fill("0x1p53,1", 129);
  ddr_program program;
  ddr_world *world = strands_of(&types[1], &program, 129, 1);
  for (int64_t k = 0; k < 129; k += 2) world->store->strands.status[k] = DDR_STABLE;
  world->store->n_stable = 65;
  world->store->n_active = 64;
  CHECK(same_bits(reduce(world, &types[1], DDR_SUM, DDR_SET_STABLE), 0x1.000000000001fp+53));
  ddr_world_free(world);
}

/* --- in order --------------------------------------------------------------------------------- */

typedef struct {
  int64_t seen[5000];
  int64_t n_seen;
} Trail;

static void follow(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                   void *values) {
  Trail *trail = *(Trail *const *)context;
  const SwarmState *states = strands->state;
  for (int64_t k = 0; k < n; k++) {
    trail->seen[trail->n_seen++] = states[slot + k].id;
    ((double *)values)[k] = 1;
  }
}

static void members_are_asked_in_order(void) {
  static Trail trail;
  Trail *context = &trail;
  ddr_program program;
  ddr_world *world = strands_of(&types[1], &program, 5000, 8);
  const ddr_set_result wanted = {.reduction = DDR_VARIANCE, .kind = DDR_REAL};
  const ddr_set_reduction what = {
      .is_in_order = true, .values = follow, .n_results = 1, .results = &wanted};
  CHECK(same_bits(ddr_reduce_reals(world, &what, &context), 0));
  CHECK_EQ(trail.n_seen, 5000); /* once each, although variance needs two passes */
  for (int64_t k = 0; k < 5000; k++) CHECK_EQ(trail.seen[k], k);
  ddr_world_free(world);
}

/* --- several results of one walk -------------------------------------------------------------- */

typedef struct Asked {
  _Atomic int64_t n;
} Asked;

/* Gives reals of `elements`, ints that are twice as large, and whether they are large. */
static void give_three(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                       void *columns) {
  Asked *asked = *(Asked *const *)context;
  const SwarmState *states = strands->state;
  double *reals = ddr_given(columns, DDR_TREE_BLOCK, 0);
  int64_t *ints = ddr_given(columns, DDR_TREE_BLOCK, 1);
  bool *bools = ddr_given(columns, DDR_TREE_BLOCK, 2);
  for (int64_t k = 0; k < n; k++) {
    const int64_t id = states[slot + k].id;
    reals[k] = elements[id];
    ints[k] = 2 * id - 7;
    bools[k] = id >= 0;
  }
  asked->n += n;
}

/* The same bits as from separate passes, and every member is read once. */
static void several_results_of_one_walk(void) {
  static const ddr_set_result wanted[] = {
      {DDR_MEAN, DDR_REAL, 0}, {DDR_SUM, DDR_INT, 1},       {DDR_SUM, DDR_REAL, 0},
      {DDR_ALL, DDR_BOOL, 2},  {DDR_VARIANCE, DDR_REAL, 0}, {DDR_MAX, DDR_INT, 1},
      {DDR_MIN, DDR_REAL, 0},  {DDR_EXISTS, DDR_BOOL, 2},   {DDR_PRODUCT, DDR_REAL, 0}};
  enum { N = sizeof wanted / sizeof *wanted };
  static const int64_t counts[] = {0, 1, 1024, 1025, 5000, 40000};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    for (uint32_t n_workers = 1; n_workers <= 8; n_workers *= 2) {
      static Asked asked;
      Asked *const context = &asked;
      ddr_program program;
      ddr_reduced results[N];
      for (int64_t k = 0; k < counts[c]; k++) elements[k] = 1 + 1 / (double)(k + 3);
      ddr_world *world = strands_of(&types[1], &program, counts[c], n_workers);
      const ddr_set_reduction all = {.values = give_three, .n_results = N, .results = wanted};
      asked.n = 0;
      ddr_reduce_set(world, &all, &context, results);
      CHECK_EQ(asked.n, counts[c]);
      for (int i = 0; i < N; i++) {
        const ddr_set_result only[] = {wanted[i], wanted[3]}; /* so that there are three columns */
        const ddr_set_reduction one = {.values = give_three, .n_results = 2, .results = only};
        ddr_reduced alone[2];
        ddr_reduce_set(world, &one, &context, alone);
        CHECK(same_bits(results[i].real, alone[0].real));
        CHECK_EQ(results[i].integer, alone[0].integer);
      }
      const double n = (double)counts[c];
      CHECK(same_bits(results[0].real, ddr_plain_nan(results[2].real / n)));
      CHECK_EQ(results[1].integer, counts[c] * (counts[c] - 1) - 7 * counts[c]);
      ddr_world_free(world);
    }
  }
}

int main(void) {
  RUN(sums_are_those_of_the_table);
  RUN(any_count_is_by_definition);
  RUN(extremes_are_by_definition);
  RUN(strands_give_what_the_table_says);
  RUN(sets_leave_no_gaps);
  RUN(masked_strands_take_no_place);
  RUN(members_are_asked_in_order);
  RUN(several_results_of_one_walk);
  return test_result();
}
