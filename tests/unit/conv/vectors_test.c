/* The tables of convolutions, refusals and modes, and rules without a table. */
#include "runtime/conv/conv.h"
#include "runtime/conv/costs/costs.h"
#include "runtime/conv/fft/blocks.h"
#include "tests/unit/conv/table.h"

enum { UNTOUCHED = -77777 };

static ddr_conv_op op_of(const char *word) {
  return strcmp(word, "conv") == 0 ? DDR_CONVOLUTION : DDR_CORRELATION;
}

static ddr_conv_array array_of(const Operand *operand, void *data) {
  ddr_conv_array array = {.data = data, .length = operand->length};
  for (int k = 0; k < operand->rank; k++) array.stride[k] = operand->stride[k];
  return array;
}

/* Runs a row in one mode with data of one type; `is_bound`: x is bound first. */
#define RUN_ROW(name, number, element)                                                             \
  static void name(const Vector *row, const ddr_conv_mode *mode, bool is_bound) {                  \
    const Operand x = read_operand(row->field[2]), y = read_operand(row->field[3]);                \
    const Operand z = read_operand(row->field[4]);                                                 \
    int64_t start[MOST_NUMBERS], decimation[MOST_NUMBERS], origin[MOST_NUMBERS];                   \
    int64_t want[MOST_NUMBERS];                                                                    \
    number x_data[MOST_NUMBERS], y_data[MOST_NUMBERS], z_data[MOST_NUMBERS];                       \
    for (int k = 0; k < MOST_NUMBERS; k++) {                                                       \
      x_data[k] = (number)x.data[k];                                                               \
      y_data[k] = (number)y.data[k];                                                               \
      z_data[k] = UNTOUCHED;                                                                       \
    }                                                                                              \
    ddr_conv_task *task =                                                                          \
        ddr_conv_task_new(op_of(row->field[1]), x.rank, x.len, y.len, z.len, element);             \
    ddr_conv_task_set_mode(task, mode);                                                            \
    const char *options = row->field[5];                                                           \
    ddr_conv_task_set_start(task, read_optional(options, start));                                  \
    ddr_conv_task_set_decimation(task, read_optional(part(options, '/', 1), decimation));          \
    ddr_conv_task_set_origin(task, read_optional(part(options, '/', 2), origin), NULL);            \
    const ddr_conv_array x_array = array_of(&x, x_data), y_array = array_of(&y, y_data);           \
    const ddr_conv_array z_array = array_of(&z, z_data);                                           \
    if (is_bound) CHECK_EQ(ddr_conv_task_bind_x(task, &x_array), DDR_ARRAY_OK);                    \
    CHECK_EQ(ddr_conv_task_exec(task, is_bound ? NULL : &x_array, &y_array, &z_array),             \
             DDR_ARRAY_OK);                                                                        \
    CHECK_EQ(read_numbers(row->field[7], UNTOUCHED, want), z.length);                              \
    for (int k = 0; k < MOST_NUMBERS; k++) {                                                       \
      const double wanted = k < z.length ? (double)want[k] : UNTOUCHED;                            \
      if (!CHECK_NEAR((double)z_data[k], wanted, mode == &ddr_conv_fft ? 1e-9 : 0)) {              \
        fprintf(stderr, "  in %s at %d\n", row->field[0], k);                                      \
      }                                                                                            \
    }                                                                                              \
    ddr_conv_task_delete(task);                                                                    \
  }
RUN_ROW(run_doubles, double, DDR_ELEMENT_DOUBLE)
RUN_ROW(run_floats, float, DDR_ELEMENT_FLOAT)

static void convolves_as_tabled(void) {
  FILE *file = vectors_open("tests/unit/conv/convolutions.txt");
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    CHECK_EQ(row.n_fields, 8);
    for (int is_bound = 0; is_bound <= 1; is_bound++) {
      run_doubles(&row, &ddr_conv_direct, is_bound);
      run_floats(&row, &ddr_conv_direct, is_bound);
      run_doubles(&row, &ddr_conv_auto, is_bound);
      if (ddr_conv_has_fft()) run_doubles(&row, &ddr_conv_fft, is_bound);
    }
  }
  CHECK_EQ(n, 23);
  vectors_close(file);
}

/* The least and greatest start that a task accepts. */
static void knows_the_full_range(void) {
  FILE *file = vectors_open("tests/unit/conv/convolutions.txt");
  Vector row;
  while (vectors_next(file, &row)) {
    const Operand x = read_operand(row.field[2]), y = read_operand(row.field[3]);
    const int64_t one[DDR_CONV_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1};
    int64_t origin[MOST_NUMBERS], range[2][MOST_NUMBERS];
    const int64_t *x_origin = read_optional(part(row.field[5], '/', 2), origin);
    CHECK_EQ(read_numbers(row.field[6], 0, range[0]), x.rank);
    CHECK_EQ(read_numbers(strstr(row.field[6], "..") + 2, 0, range[1]), x.rank);
    for (int end = 0; end <= 1; end++) {
      for (int beyond = 0; beyond <= 1; beyond++) {
        ddr_conv_task *task =
            ddr_conv_task_new(op_of(row.field[1]), x.rank, x.len, y.len, one, DDR_ELEMENT_DOUBLE);
        int64_t start[MOST_NUMBERS] = {0};
        for (int k = 0; k < x.rank; k++) start[k] = range[end][k];
        start[x.rank - 1] += beyond * (end ? 1 : -1);
        ddr_conv_task_set_origin(task, x_origin, NULL);
        ddr_conv_task_set_start(task, start);
        CHECK_EQ(ddr_conv_task_commit(task), beyond ? DDR_ARRAY_ESTART : DDR_ARRAY_OK);
        ddr_conv_task_delete(task);
      }
    }
  }
  vectors_close(file);
}

static ddr_array_status status_of(const char *name) {
#define STATUS(id, text)                                                                           \
  if (strcmp(name, #id) == 0) return DDR_ARRAY_##id;
#include "runtime/array/statuses.def"
  return DDR_ARRAY_OK;
}

static void refuses_as_tabled(void) {
  FILE *file = vectors_open("tests/unit/conv/refusals.txt");
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    const Operand x = read_operand(row.field[2]), y = read_operand(row.field[3]);
    const Operand z = read_operand(row.field[4]);
    int64_t start[MOST_NUMBERS], decimation[MOST_NUMBERS];
    double data[3][MOST_NUMBERS];
    for (int k = 0; k < MOST_NUMBERS; k++) data[0][k] = data[1][k] = data[2][k] = UNTOUCHED;
    ddr_conv_task *task =
        ddr_conv_task_new(op_of(row.field[1]), x.rank, x.len, y.len, z.len, DDR_ELEMENT_DOUBLE);
    ddr_conv_task_set_start(task, read_optional(row.field[5], start));
    ddr_conv_task_set_decimation(task, read_optional(part(row.field[5], '/', 1), decimation));
    const ddr_conv_array arrays[] = {array_of(&x, data[0]), array_of(&y, data[1]),
                                     array_of(&z, data[2])};
    const ddr_array_status want = status_of(row.field[6]);
    CHECK(want != DDR_ARRAY_OK);
    for (int time = 0; time < 2; time++) { /* it is refused again */
      if (!CHECK_EQ(ddr_conv_task_exec(task, &arrays[0], &arrays[1], &arrays[2]), want)) {
        fprintf(stderr, "  in %s\n", row.field[0]);
      }
    }
    CHECK_EQ(ddr_conv_task_set_decimation(task, NULL), want);
    CHECK_EQ(ddr_conv_task_bind_x(task, &arrays[0]), want);
    CHECK_EQ(ddr_conv_task_commit(task), want);
    for (int k = 0; k < MOST_NUMBERS; k++) CHECK_EQ(data[2][k], UNTOUCHED);
    ddr_conv_task_delete(task);
  }
  CHECK_EQ(n, 10);
  vectors_close(file);
}

/* Missing samples are not multiplied by weights: 0 times infinity would be NaN. */
static void infinite_weights_miss_nothing(void) {
  enum { N = 64, N_RESULTS = 2 * N - 1 };
  const int64_t len[] = {N}, n_results[] = {N_RESULTS};
  double x[N], y[N], z[N_RESULTS];
  for (int k = 0; k < N; k++) x[k] = y[k] = 1;
  x[0] = (double)INFINITY;
  const ddr_conv_array arrays[] = {{x, N, {1}}, {y, N, {1}}, {z, N_RESULTS, {1}}};
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, n_results, DDR_ELEMENT_DOUBLE);
  CHECK_EQ(ddr_conv_task_exec(task, &arrays[0], &arrays[1], &arrays[2]), DDR_ARRAY_OK);
  for (int k = 0; k < N_RESULTS; k++) CHECK(k < N ? isinf(z[k]) : z[k] == N_RESULTS - k);
  ddr_conv_task_delete(task);
}

/* The types of a table: of all operands, and the precision if that is not double. */
typedef struct Types {
  const char *name;
  ddr_element element, precision;
  ddr_fft_kind fft;
  ddr_direct_kind direct;
} Types;

static const Types *types_of(const char *name) {
  static const Types all[] = {
      {"double", DDR_ELEMENT_DOUBLE, DDR_ELEMENT_DOUBLE, DDR_FFT_DOUBLES, DDR_DIRECT_OF_DOUBLES},
      {"float", DDR_ELEMENT_FLOAT, DDR_ELEMENT_DOUBLE, DDR_FFT_DOUBLES, DDR_DIRECT_OF_FLOATS},
      {"float float", DDR_ELEMENT_FLOAT, DDR_ELEMENT_FLOAT, DDR_FFT_FLOATS, DDR_DIRECT_OF_FLOATS},
      {"cdouble", DDR_ELEMENT_CDOUBLE, DDR_ELEMENT_DOUBLE, DDR_FFT_COMPLEX_DOUBLES,
       DDR_DIRECT_OF_COMPLEXES},
      {"cfloat", DDR_ELEMENT_CFLOAT, DDR_ELEMENT_DOUBLE, DDR_FFT_COMPLEX_DOUBLES,
       DDR_DIRECT_OF_COMPLEX_FLOATS},
      {"cfloat float", DDR_ELEMENT_CFLOAT, DDR_ELEMENT_FLOAT, DDR_FFT_COMPLEX_FLOATS,
       DDR_DIRECT_OF_COMPLEX_FLOATS},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    if (strcmp(name, all[k].name) == 0) return &all[k];
  }
  fprintf(stderr, "unknown types: %s\n", name);
  abort();
}

static const char *mode_of(const Types *types, int rank, int64_t len[3][MOST_NUMBERS]) {
  static const char *const names[] = {"direct", "fft"};
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, rank, len[0], len[1], len[2], types->element);
  ddr_conv_task_set_mode(task, &ddr_conv_auto);
  if (types->precision == DDR_ELEMENT_FLOAT) ddr_conv_task_set_precision(task, DDR_ELEMENT_FLOAT);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_OK);
  const bool is_fft = strcmp(ddr_conv_task_mode_name(task), "fft") == 0;
  ddr_conv_task_delete(task);
  return names[is_fft];
}

static void chooses_the_cheaper_mode(void) {
  FILE *file = vectors_open("tests/unit/conv/cheaper_mode.txt");
  Vector row;
  int n = 0;
  for (; vectors_next(file, &row); n++) {
    int64_t len[3][MOST_NUMBERS];
    int rank = 0;
    for (int k = 0; k < 3; k++) rank = read_numbers(row.field[k], 0, len[k]);
    const Types *types = types_of(row.field[3]);
    ddr_fft_axis axes[MOST_NUMBERS];
    double counts[DDR_DIRECT_COUNTS];
    int64_t n_points = 1;
    for (int k = 0; k < rank; k++)
      axes[k] = (ddr_fft_axis){.kernel = len[0][k], .signal = len[1][k], .n_positions = len[2][k]};
    ddr_fft_choose(types->fft, rank, axes);
    for (int k = 0; k < rank; k++) n_points *= axes[k].n_points * axes[k].n_blocks;
    ddr_direct_count_all(types->direct, rank, axes, len[2], counts);
    CHECK_EQ(counts[DDR_DIRECT_VECTORS], strtoll(row.field[4], NULL, 10));
    CHECK_EQ(counts[DDR_DIRECT_ALONE], strtoll(row.field[5], NULL, 10));
    CHECK_EQ(n_points, strtoll(row.field[6], NULL, 10));
    CHECK_STR(mode_of(types, rank, len), ddr_conv_has_fft() ? row.field[7] : "direct");
  }
  CHECK_EQ(n, 26);
  vectors_close(file);
}

/* Four results two elements apart, in reverse: at positions 7 5 3 1, from 1, of at least 7
 * elements. */
static void stores_backwards_with_gaps(void) {
  const int64_t one = 1, four = 4;
  double x = 1, y[] = {10, 20, 30, 40}, z[8];
  const ddr_conv_array x_array = {&x, 1, {1}}, y_array = {y, 4, {1}};
  for (int length = 7; length >= 6; length--) {
    for (int k = 0; k < 8; k++) z[k] = UNTOUCHED;
    ddr_conv_task *task =
        ddr_conv_task_new(DDR_CONVOLUTION, 1, &one, &four, &four, DDR_ELEMENT_DOUBLE);
    const ddr_conv_array z_array = {z, length, {-2}};
    CHECK_EQ(ddr_conv_task_exec(task, &x_array, &y_array, &z_array),
             length == 7 ? DDR_ARRAY_OK : DDR_ARRAY_ELENGTH);
    for (int k = 0; k < 8; k++) {
      const bool is_result = length == 7 && k <= 6 && k % 2 == 0;
      CHECK_EQ(z[k], is_result ? y[3 - k / 2] : UNTOUCHED);
    }
    ddr_conv_task_delete(task);
  }
}

static ddr_array_status try_types(ddr_element x, ddr_element y, ddr_element z,
                                  const ddr_conv_mode *mode) {
  const int64_t one = 1;
  ddr_conv_task *task = ddr_conv_task_new(DDR_CONVOLUTION, 1, &one, &one, &one, z);
  ddr_conv_task_set_types(task, x, y, z);
  ddr_conv_task_set_mode(task, mode);
  const ddr_array_status status = ddr_conv_task_commit(task);
  ddr_conv_task_delete(task);
  return status;
}

static void refuses_types_and_modes(void) {
  const ddr_element f = DDR_ELEMENT_FLOAT, c = DDR_ELEMENT_CFLOAT, i = DDR_ELEMENT_INT16;
  CHECK_EQ(try_types(f, f, i, &ddr_conv_direct), DDR_ARRAY_ETYPE);
  CHECK_EQ(try_types(f, f, DDR_ELEMENT_BOOL, &ddr_conv_direct), DDR_ARRAY_ETYPE);
  CHECK_EQ(try_types(DDR_ELEMENT_BOOL, f, f, &ddr_conv_direct), DDR_ARRAY_ETYPE);
  CHECK_EQ(try_types(c, f, f, &ddr_conv_direct), DDR_ARRAY_ETYPE);
  CHECK_EQ(try_types(f, i, c, &ddr_conv_direct), DDR_ARRAY_OK);
  CHECK_EQ(try_types(f, i, f, &ddr_conv_fft), DDR_ARRAY_EMODE);
  CHECK_EQ(try_types(f, i, f, &ddr_conv_auto), DDR_ARRAY_OK);
  CHECK_EQ(try_types(f, f, f, &ddr_conv_fft), ddr_conv_has_fft() ? DDR_ARRAY_OK : DDR_ARRAY_EMODE);
}

/* unit.conv.vectors-direct gives a folder that does not exist. */
static void looks_in_its_folder_alone(void) {
  const char *folder = getenv("DIDEROT_FFTW");
  if (folder && strcmp(folder, "/nowhere") == 0) CHECK(!ddr_conv_has_fft());
}

#if defined(DDR_HAS_FFTW_HEADER)

/* Else nothing would tell that transforms are not tested: where FFTW's header is, its libraries
 * are, too. */
static void has_transforms(void) {
  const char *folder = getenv("DIDEROT_FFTW");
  if (folder && *folder) return;
  CHECK(ddr_fft_double.is_there());
  CHECK(ddr_fft_float.is_there());
}

#endif

/* Of several errors, the first in the order of the header is returned. */
static void tells_the_first_mistake(void) {
  const int64_t len[8] = {3, 3, 3, 3, 3, 3, 3, 3}, bad_len = 0, far = 100, none = 0;
  double data[8] = {0};
  const ddr_conv_array x = {data, 8, {0}}, y = {data, 1, {1}}, z = {data, 8, {1}};
  ddr_conv_task *task = ddr_conv_task_new(DDR_CONVOLUTION, 8, len, len, len, DDR_ELEMENT_INT8);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_ERANK);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, &bad_len, len, len, DDR_ELEMENT_INT8);
  ddr_conv_task_set_start(task, &far);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_ESHAPE);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, &far, DDR_ELEMENT_INT8);
  ddr_conv_task_set_start(task, &far);
  ddr_conv_task_set_decimation(task, &none);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_ESTART);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, &far, DDR_ELEMENT_INT8);
  ddr_conv_task_set_decimation(task, &none);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_EDECIMATION);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, &far, DDR_ELEMENT_INT8);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_ERANGE);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, len, DDR_ELEMENT_INT8);
  ddr_conv_task_set_precision(task, DDR_ELEMENT_FLOAT);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_ETYPE);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, len, DDR_ELEMENT_DOUBLE);
  ddr_conv_task_set_precision(task, DDR_ELEMENT_FLOAT);
  CHECK_EQ(ddr_conv_task_commit(task), DDR_ARRAY_EMODE);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, len, DDR_ELEMENT_DOUBLE);
  CHECK_EQ(ddr_conv_task_exec(task, NULL, &y, &z), DDR_ARRAY_ESHAPE);
  ddr_conv_task_delete(task);
  task = ddr_conv_task_new(DDR_CONVOLUTION, 1, len, len, len, DDR_ELEMENT_DOUBLE);
  CHECK_EQ(ddr_conv_task_exec(task, &x, &y, &z), DDR_ARRAY_ESTRIDE);
  ddr_conv_task_delete(task);
}

static void refuses_results_over_operands(void) {
  const int64_t one = 1, three = 3;
  double data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, x = 2;
  const ddr_conv_array x_array = {&x, 1, {1}}, y = {data, 5, {2}};
  for (int shift = 0; shift <= 1; shift++) { /* overlapping y, then between its elements */
    ddr_conv_task *task =
        ddr_conv_task_new(DDR_CONVOLUTION, 1, &one, &three, &three, DDR_ELEMENT_DOUBLE);
    const ddr_conv_array z = {data + shift, 5, {2}};
    CHECK_EQ(ddr_conv_task_exec(task, &x_array, &y, &z), shift ? DDR_ARRAY_OK : DDR_ARRAY_EALIAS);
    for (int k = 0; k < 8; k++) {
      const bool is_result = shift && k % 2 == 1 && k < 6;
      CHECK_EQ(data[k], is_result ? 2 * k : k + 1);
    }
    ddr_conv_task_delete(task);
  }
}

/* Distinct addresses that only an enumeration can tell from shared ones. */
static void decides_exactly_which_results_are_distinct(void) {
  const int64_t one[] = {1, 1}, len[] = {2, 3};
  double x = 1, y[6] = {1, 2, 3, 4, 5, 6};
  const ddr_conv_array x_array = {&x, 1, {1, 1}}, y_array = {y, 6, {3, 1}};
  for (int64_t outer = 3; outer >= 2; outer--) {
    double z[8] = {0};
    ddr_conv_task *task = ddr_conv_task_new(DDR_CONVOLUTION, 2, one, len, len, DDR_ELEMENT_DOUBLE);
    const ddr_conv_array z_array = {z, 8, {outer, 2}};
    CHECK_EQ(ddr_conv_task_exec(task, &x_array, &y_array, &z_array),
             outer == 3 ? DDR_ARRAY_OK : DDR_ARRAY_EALIAS);
    for (int k = 0; k < 6 && outer == 3; k++) CHECK_EQ(z[k / 3 * 3 + k % 3 * 2], y[k]);
    ddr_conv_task_delete(task);
  }
}

static void conjugates_x(void) {
  const int64_t two = 2, one = 1, start = 0;
  ddr_complex_double x[] = {{1, 2}, {3, -1}}, y[] = {{2, 1}, {0, 5}}, z;
  const ddr_conv_array x_array = {x, 2, {1}}, y_array = {y, 2, {1}}, z_array = {&z, 1, {1}};
  for (int is_conjugate = 0; is_conjugate <= 1; is_conjugate++) {
    ddr_conv_task *task =
        ddr_conv_task_new(DDR_CORRELATION, 1, &two, &two, &one, DDR_ELEMENT_CDOUBLE);
    ddr_conv_task_set_start(task, &start);
    ddr_conv_task_set_conj_x(task, is_conjugate);
    CHECK_EQ(ddr_conv_task_exec(task, &x_array, &y_array, &z_array), DDR_ARRAY_OK);
    CHECK_EQ(z.re, is_conjugate ? 4 - 5 : 0 + 5); /* (1-2i)(2+i) + (3+i)(5i), or not conjugated */
    CHECK_EQ(z.im, is_conjugate ? -3 + 15 : 5 + 15);
    ddr_conv_task_delete(task);
  }
}

int main(void) {
  RUN(convolves_as_tabled);
  RUN(knows_the_full_range);
  RUN(refuses_as_tabled);
  RUN(infinite_weights_miss_nothing);
  RUN(chooses_the_cheaper_mode);
  RUN(stores_backwards_with_gaps);
  RUN(refuses_types_and_modes);
  RUN(looks_in_its_folder_alone);
#if defined(DDR_HAS_FFTW_HEADER)
  RUN(has_transforms);
#endif
  RUN(tells_the_first_mistake);
  RUN(refuses_results_over_operands);
  RUN(decides_exactly_which_results_are_distinct);
  RUN(conjugates_x);
  return test_result();
}
