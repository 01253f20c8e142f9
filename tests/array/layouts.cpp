// A client of libddr-array in C++: arrays of odd layouts, against loops over their elements in
// ints.
//
// Negative and far strides, axes turned and repeated, outputs in the memory of operands, masks,
// mixed types, extents of 0, complex numbers; sizes that overflow; convolutions of such arrays.
// Whole numbers, so that every result is exact.
#include <ddr/array.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

int n_checks, n_failed;

void expect(bool holds, const char *what, int line) {
  n_checks++;
  if (holds) return;
  n_failed++;
  std::fprintf(stderr, "layouts.cpp:%d: %s\n", line, what);
}
#define EXPECT(what) expect(what, #what, __LINE__)
#define OK(call) EXPECT((call) == DDR_ARRAY_OK)

template <typename T> struct ElementOf;
template <> struct ElementOf<std::int16_t> {
  static constexpr ddr_element type = DDR_ELEMENT_INT16;
};
template <> struct ElementOf<std::int64_t> {
  static constexpr ddr_element type = DDR_ELEMENT_INT64;
};
template <> struct ElementOf<float> { static constexpr ddr_element type = DDR_ELEMENT_FLOAT; };
template <> struct ElementOf<double> { static constexpr ddr_element type = DDR_ELEMENT_DOUBLE; };
template <> struct ElementOf<bool> { static constexpr ddr_element type = DDR_ELEMENT_BOOL; };
template <> struct ElementOf<std::complex<float>> {
  static constexpr ddr_element type = DDR_ELEMENT_CFLOAT;
};

// A view of rank 2 of memory that outlives it.
template <typename T> struct Matrix {
  Matrix(T *memory, std::int64_t offset, std::int64_t rows, std::int64_t columns,
         std::int64_t row_stride, std::int64_t column_stride) {
    ddr_layout layout{};
    layout.rank = 2;
    layout.offset = offset;
    layout.len[0] = rows, layout.len[1] = columns;
    layout.stride[0] = row_stride, layout.stride[1] = column_stride;
    OK(ddr_ndview_wrap(ElementOf<T>::type, memory, &layout, DDR_HOST, nullptr, &view));
  }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  ~Matrix() { ddr_ndview_release(&view); }
  T &operator()(std::int64_t y, std::int64_t x) const {
    const ddr_layout &its = view.layout;
    return static_cast<T *>(view.data)[its.offset + y * its.stride[0] + x * its.stride[1]];
  }
  ddr_ndview view{};
};

template <typename T> std::vector<T> numbered(std::size_t n) {
  std::vector<T> memory(n);
  for (std::size_t k = 0; k < n; k++) memory[k] = static_cast<T>(static_cast<int>(k * 7 % 23) - 11);
  return memory;
}

// ---- elements ----------------------------------------------------------------------------------

void adds_mixed_types_of_any_layout() {
  auto shorts = numbered<std::int16_t>(200);
  auto floats = numbered<float>(200);
  std::vector<float> sums(80, -100);
  const Matrix<std::int16_t> x(shorts.data(), 199, 5, 7, -28, -3); // backwards, every third
  const Matrix<float> y(floats.data(), 4, 5, 7, 1, 10);            // columns first
  const Matrix<float> z(sums.data(), 60, 5, 7, -12, 1);
  OK(ddr_transform_add(&x.view, &y.view, &z.view, 2));
  int n_written = 0;
  for (const float sum : sums) n_written += sum != -100;
  for (int row = 0; row < 5; row++)
    for (int column = 0; column < 7; column++)
      EXPECT(z(row, column) == static_cast<float>(x(row, column)) + y(row, column));
  EXPECT(n_written == 35);
}

void writes_what_it_reads_only_in_place() {
  auto memory = numbered<double>(40);
  const auto before = memory;
  const Matrix<double> x(memory.data(), 0, 4, 5, 5, 1), shifted(memory.data(), 1, 4, 5, 5, 1);
  const Matrix<double> turned(memory.data(), 19, 4, 5, -5, -1), even(memory.data(), 0, 2, 5, 10, 2);
  const Matrix<double> odd(memory.data(), 1, 2, 5, 10, 2), once(memory.data(), 0, 4, 5, 0, 1);
  EXPECT(ddr_transform_neg(&x.view, &shifted.view, 1) == DDR_ARRAY_EALIAS);
  EXPECT(ddr_transform_neg(&x.view, &turned.view, 1) == DDR_ARRAY_EALIAS);
  EXPECT(ddr_transform_neg(&x.view, &once.view, 1) == DDR_ARRAY_EALIAS);
  EXPECT(memory == before);
  OK(ddr_transform_neg(&even.view, &odd.view, 1)); // they share an interval, not an element
  for (int k = 0; k < 20; k += 2) {
    EXPECT(memory[static_cast<std::size_t>(k)] == before[static_cast<std::size_t>(k)]);
    EXPECT(memory[static_cast<std::size_t>(k + 1)] == -before[static_cast<std::size_t>(k)]);
  }
  OK(ddr_transform_square(&x.view, &x.view, 1));
  for (int k = 0; k < 20; k++) EXPECT(memory[static_cast<std::size_t>(k)] >= 0);
}

void assigns_what_a_mask_chooses() {
  auto memory = numbered<std::int64_t>(12);
  const auto before = memory;
  bool chosen[12] = {true, false, false, true, true, false, true, false, true, true, false, false};
  const Matrix<std::int64_t> x(memory.data(), 0, 3, 4, 4, 1), y(memory.data(), 11, 3, 4, -4, -1);
  const Matrix<bool> mask(chosen, 0, 3, 4, 1, 3);
  OK(ddr_masked_assign(&x.view, &mask.view, &y.view)); // y is read before anything is written
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 4; column++) {
      const auto at = static_cast<std::size_t>(4 * row + column);
      EXPECT(memory[at] == before[mask(row, column) ? 11 - at : at]);
    }
  }
  const Matrix<bool> other(chosen, 0, 4, 3, 3, 1);
  EXPECT(ddr_masked_assign(&x.view, &other.view, &y.view) == DDR_ARRAY_ESHAPE);
}

void divides() {
  std::int64_t ints[] = {7, -7, INT64_MIN, 5}, by[] = {2, 2, -1, 0}, quotients[] = {9, 9, 9, 9};
  const Matrix<std::int64_t> x(ints, 0, 1, 3, 1, 1), y(by, 0, 1, 3, 1, 1),
      z(quotients, 0, 1, 3, 1, 1);
  OK(ddr_transform_div(&x.view, &y.view, &z.view, 1));
  EXPECT(quotients[0] == 3 && quotients[1] == -3 && quotients[2] == INT64_MIN && quotients[3] == 9);
  const Matrix<std::int64_t> all(ints, 3, 1, 4, 1, -1), zero(by, 0, 1, 4, 1, 1);
  const Matrix<std::int64_t> four(quotients, 0, 1, 4, 1, 1);
  EXPECT(ddr_transform_div(&all.view, &zero.view, &four.view, 1) == DDR_ARRAY_EDIV0);
  std::complex<float> top[] = {{1, 2}, {-6, 3}}, under[] = {{3, 4}, {0, 2}}, quotient[2];
  const Matrix<std::complex<float>> a(top, 1, 1, 2, 1, -1), b(under, 1, 1, 2, 1, -1);
  const Matrix<std::complex<float>> c(quotient, 1, 1, 2, 1, -1);
  OK(ddr_transform_div(&a.view, &b.view, &c.view, 1));
  EXPECT(std::abs(quotient[0] - std::complex<float>(0.44F, 0.08F)) < 1e-7F);
  EXPECT(quotient[1] == std::complex<float>(1.5F, 3.0F));
}

// ---- reductions and sizes ----------------------------------------------------------------------

void reduces_lines_of_any_layout() {
  auto memory = numbered<std::int16_t>(300);
  const Matrix<std::int16_t> x(memory.data(), 290, 6, 9, -40, -2);
  const ddr_ndview *arrays[] = {&x.view};
  for (int axis = 0; axis < 2; axis++) {
    ddr_ndview sums{};
    OK(ddr_reduce_axis(DDR_REDUCE_SUM, arrays, axis, nullptr, &sums));
    for (std::int64_t k = 0; k < sums.layout.len[0]; k++) {
      std::int64_t want = 0;
      for (std::int64_t j = 0; j < (axis == 0 ? 6 : 9); j++) want += axis == 0 ? x(j, k) : x(k, j);
      EXPECT(static_cast<const std::int64_t *>(sums.data)[k] == want);
    }
    ddr_ndview_release(&sums);
  }
}

void takes_nothing() {
  float memory[4] = {1, 2, 3, 4};
  const Matrix<float> none(memory, 0, 0, 4, 4, 1), also(memory, 2, 0, 4, -9, 5);
  ddr_number number = ddr_number_int(5);
  OK(ddr_transform_add(&none.view, &also.view, &none.view, 1));
  OK(ddr_reduce_max_element(&none.view, nullptr, &number));
  EXPECT(number.re == 0);
  OK(ddr_reduce_mean(&none.view, nullptr, &number));
  EXPECT(std::isnan(number.re));
  EXPECT(memory[0] == 1 && memory[3] == 4);
}

void refuses_sizes_that_overflow() {
  constexpr std::int64_t large = std::int64_t(1) << 62,
                         most = std::numeric_limits<std::int64_t>::max();
  ddr_layout layout{};
  ddr_ndview view{};
  const std::int64_t len[] = {large, 4}, aligned[] = {1, 1};
  std::size_t pitch[2];
  EXPECT(ddr_layout_packed(2, len, &layout) == DDR_ARRAY_EOVERFLOW);
  EXPECT(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 2, len, DDR_HOST, &view) == DDR_ARRAY_EOVERFLOW);
  EXPECT(ddr_pitch_compute(2, len, 2, aligned, 8, pitch) == DDR_ARRAY_EOVERFLOW);
  layout = ddr_layout{};
  layout.rank = 1;
  layout.len[0] = 3;
  layout.stride[0] = most;
  EXPECT(ddr_layout_check(&layout) == DDR_ARRAY_EOVERFLOW);
  layout.stride[0] = std::numeric_limits<std::int64_t>::min();
  EXPECT(ddr_layout_check(&layout) == DDR_ARRAY_EOVERFLOW);
  layout.offset = most;
  layout.stride[0] = 1;
  EXPECT(ddr_layout_check(&layout) == DDR_ARRAY_EOVERFLOW);
  layout.rank = 17;
  EXPECT(ddr_layout_check(&layout) == DDR_ARRAY_ERANK);
}

// ---- convolutions ------------------------------------------------------------------------------

struct Strided {
  std::int64_t len[2], stride[2];
  // Where element (i, j) is: a negative stride counts from the end.
  std::int64_t at(std::int64_t i, std::int64_t j) const {
    const std::int64_t index[] = {i, j};
    std::int64_t sum = 0;
    for (int k = 0; k < 2; k++)
      sum += stride[k] * (stride[k] > 0 ? index[k] : index[k] - (len[k] - 1));
    return sum;
  }
  std::int64_t length() const {
    return 1 + std::abs(stride[0]) * (len[0] - 1) + std::abs(stride[1]) * (len[1] - 1);
  }
};

// All results, by the definition: sums of products of whole numbers.
template <typename T>
void convolves(Strided x, Strided y, const std::int64_t *decimation, std::int64_t row,
               std::int64_t step) {
  const std::int64_t full[] = {x.len[0] + y.len[0] - 1, x.len[1] + y.len[1] - 1};
  Strided z{};
  for (int k = 0; k < 2; k++) z.len[k] = (full[k] - 1) / decimation[k] + 1;
  z.stride[0] = row, z.stride[1] = step;
  auto of_x = numbered<T>(static_cast<std::size_t>(x.length()));
  auto of_y = numbered<T>(static_cast<std::size_t>(y.length()));
  std::vector<T> of_z(static_cast<std::size_t>(z.length()), T(-12345));
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, 2, x.len, y.len, z.len, ElementOf<T>::type);
  OK(ddr_conv_task_set_decimation(task, decimation));
  const auto operand = [](std::vector<T> &memory, const Strided &its) {
    ddr_conv_array array{};
    array.data = memory.data();
    array.length = static_cast<std::int64_t>(memory.size());
    for (int k = 0; k < 2; k++) array.stride[k] = its.stride[k];
    return array;
  };
  const ddr_conv_array a = operand(of_x, x), b = operand(of_y, y), c = operand(of_z, z);
  OK(ddr_conv_task_exec(task, &a, &b, &c));
  ddr_conv_task_delete(task);
  int n_wrong = 0, n_left = 0;
  for (std::int64_t i = 0; i < z.len[0]; i++) {
    for (std::int64_t j = 0; j < z.len[1]; j++) {
      T want{};
      for (std::int64_t s = 0; s < x.len[0]; s++) {
        for (std::int64_t t = 0; t < x.len[1]; t++) {
          const std::int64_t v = i * decimation[0] - s, w = j * decimation[1] - t;
          if (v < 0 || w < 0 || v >= y.len[0] || w >= y.len[1]) continue;
          want += of_x[static_cast<std::size_t>(x.at(s, t))] *
                  of_y[static_cast<std::size_t>(y.at(v, w))];
        }
      }
      n_wrong += of_z[static_cast<std::size_t>(z.at(i, j))] != want;
    }
  }
  for (const T element : of_z) n_left += element == T(-12345);
  EXPECT(n_wrong == 0);
  EXPECT(n_left == static_cast<int>(z.length() - z.len[0] * z.len[1]));
}

template <typename T> void convolves_arrays_of_any_layout() {
  const std::int64_t all[] = {1, 1}, some[] = {2, 3}, alternate[] = {1, 2};
  convolves<T>({{3, 3}, {3, 1}}, {{5, 6}, {6, 1}}, all, 8, 1); // short rows
  convolves<T>({{3, 3}, {3, 1}}, {{20, 17}, {17, 1}}, all, 19, 1);
  convolves<T>({{4, 5}, {-5, 1}}, {{33, 70}, {1, -33}}, all, -80, -1);   // turned, backwards
  convolves<T>({{2, 7}, {1, 2}}, {{31, 64}, {130, 2}}, some, 2, 40);     // gaps, decimated
  convolves<T>({{1, 9}, {1, -1}}, {{7, 50}, {-50, 1}}, alternate, 1, 8); // along rows alone
  convolves<T>({{9, 1}, {2, 1}}, {{40, 35}, {35, 1}}, all, 35, 1);       // across rows
  convolves<T>({{6, 6}, {6, 1}}, {{2, 2}, {2, 1}}, all, 7, 1); // a kernel beyond the image
  convolves<T>({{1, 1}, {1, 1}}, {{3, 4}, {1, 3}}, all, 4, 1);
}

} // namespace

int main() {
  adds_mixed_types_of_any_layout();
  writes_what_it_reads_only_in_place();
  assigns_what_a_mask_chooses();
  divides();
  reduces_lines_of_any_layout();
  takes_nothing();
  refuses_sizes_that_overflow();
  convolves_arrays_of_any_layout<float>();
  convolves_arrays_of_any_layout<double>();
  convolves_arrays_of_any_layout<std::complex<float>>();
  std::printf("%d checks, %d failed\n", n_checks, n_failed);
  return n_failed != 0;
}
