/* Readers of the tables of reductions: the operands of a row, in one of several memory layouts.
 * Shared by the tests of the host and of devices. */
#pragma once

#include "runtime/reduce/reduce.h"
#include "tests/unit/array_text.h"

/* --- reductions.txt --------------------------------------------------------------------------- */

enum { N_LAYOUTS = 4 };

typedef struct ReductionRow {
  ddr_reduce_op op;
  ddr_ndview arrays[2], mask;
  bool has_mask;
} ReductionRow;

static inline void reduction_row_release(ReductionRow *row) {
  ddr_ndview_release(&row->arrays[0]);
  ddr_ndview_release(&row->arrays[1]);
  ddr_ndview_release(&row->mask);
}

/* Parses a row; false: it is not a row. */
static inline bool reduction_row(const Vector *v, int layout, ReductionRow *row) {
  *row = (ReductionRow){.op = DDR_REDUCE_SUM};
  if (!CHECK_EQ(v->n_fields, 8) || !CHECK(ddr_reduce_find(v->field[1], &row->op))) return false;
  const ddr_element type = element_from_text(v->field[2]);
  row->arrays[0] = line_from_text(type, v->field[3], line_strides[layout]);
  row->arrays[1] = line_from_text(type, v->field[4], line_strides[3 - layout]);
  row->mask = line_from_text(DDR_ELEMENT_BOOL, v->field[5], line_strides[(layout + 1) % 4]);
  row->has_mask = v->field[5][0] != '\0';
  return true;
}

/* Calls `check` for each row in each layout. */
static inline void each_reduction(void (*check)(const Vector *v, ReductionRow *row)) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/reduce/reductions.txt");
  for (; vectors_next(file, &v); n_rows++) {
    for (int layout = 0; layout < N_LAYOUTS; layout++) {
      ReductionRow row;
      if (!reduction_row(&v, layout, &row)) break;
      check(&v, &row);
      reduction_row_release(&row);
    }
  }
  vectors_close(file);
  CHECK(n_rows > 100);
}

/* --- sums.txt --------------------------------------------------------------------------------- */

typedef struct SumRow {
  char name[20], what[200];
  long long n;
  double wanted[2]; /* plain, compensated */
} SumRow;

/* Numbers, the last of which repeats, or a formula. */
static inline ddr_ndview sum_elements(const SumRow *row, int64_t stride) {
  char words[240];
  if (row->n == 0) return line_from_text(DDR_ELEMENT_DOUBLE, "none", stride);
  snprintf(words, sizeof words, "%s", row->what);
  int64_t n_words = 1;
  for (char *at = words; *at; at++) {
    if (*at == ',') *at = ' ';
    n_words += *at == ' ';
  }
  snprintf(words + strlen(words), sizeof words - strlen(words), "*%lld",
           (long long)(row->n - n_words + 1));
  return line_from_text(DDR_ELEMENT_DOUBLE, words, stride);
}

static inline void each_sum(void (*check)(const SumRow *row)) {
  FILE *file = vectors_open("tests/unit/reduce/sums.txt");
  char line[300];
  int n_rows = 0;
  while (fgets(line, sizeof line, file)) {
    SumRow row;
    if (line[0] == '#') continue;
    n_rows++;
    CHECK_EQ(sscanf(line, "%19s %199s %lld %lf %lf", row.name, row.what, &row.n, &row.wanted[0],
                    &row.wanted[1]),
             5);
    test_state.running = row.name;
    check(&row);
  }
  vectors_close(file);
  CHECK_EQ(n_rows, 12);
}
