// A client of libddr-array in C++: a pyramid of images, each half as large as the one below it.
//
// Weights 1 4 6 4 1 along rows and columns, every second result, an image that goes on as its last
// samples do; every other level is written with its axes turned. The samples are whole numbers, so
// that every level must be exactly what loops over ints find.
#include <ddr/array.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(ddr_array_status status, const char *what) {
  if (status != DDR_ARRAY_OK)
    throw std::runtime_error(std::string(what) + ": " + ddr_array_status_text(status));
}

constexpr std::int64_t n_weights = 5, reach = n_weights / 2;
constexpr std::int64_t weights[n_weights] = {1, 4, 6, 4, 1};

// Doubles, of rows of n_columns; turned: columns lie in memory one after another.
struct Image {
  Image(std::int64_t rows, std::int64_t columns, bool turned)
      : n_rows(rows), n_columns(columns), is_turned(turned),
        samples(static_cast<std::size_t>(rows * columns)) {}
  std::int64_t at(std::int64_t y, std::int64_t x) const {
    return is_turned ? x * n_rows + y : y * n_columns + x;
  }
  double get(std::int64_t y, std::int64_t x) const {
    return samples[static_cast<std::size_t>(at(y, x))];
  }
  ddr_conv_array array() {
    ddr_conv_array its{};
    its.data = samples.data();
    its.length = n_rows * n_columns;
    its.stride[0] = is_turned ? 1 : n_columns;
    its.stride[1] = is_turned ? n_rows : 1;
    return its;
  }
  std::int64_t n_rows, n_columns;
  bool is_turned;
  std::vector<double> samples;
};

double clamped(const Image &image, std::int64_t y, std::int64_t x) {
  return image.get(std::min(std::max<std::int64_t>(y, 0), image.n_rows - 1),
                   std::min(std::max<std::int64_t>(x, 0), image.n_columns - 1));
}

// With `reach` more samples at every side.
Image extended(const Image &image) {
  Image larger(image.n_rows + 2 * reach, image.n_columns + 2 * reach, image.is_turned);
  for (std::int64_t y = 0; y < larger.n_rows; y++)
    for (std::int64_t x = 0; x < larger.n_columns; x++)
      larger.samples[static_cast<std::size_t>(larger.at(y, x))] =
          clamped(image, y - reach, x - reach);
  return larger;
}

Image half(const Image &image, bool is_turned, const ddr_conv_mode *mode) {
  Image from = extended(image), to((image.n_rows + 1) / 2, (image.n_columns + 1) / 2, is_turned);
  std::vector<double> kernel;
  for (std::int64_t a : weights)
    for (std::int64_t b : weights) kernel.push_back(static_cast<double>(a * b));
  const std::int64_t x_len[] = {n_weights, n_weights}, y_len[] = {from.n_rows, from.n_columns};
  const std::int64_t z_len[] = {to.n_rows, to.n_columns};
  const std::int64_t start[] = {0, 0}, step[] = {2, 2}, origin[] = {-reach, -reach};
  ddr_conv_array x{};
  x.data = kernel.data();
  x.length = n_weights * n_weights;
  x.stride[0] = n_weights;
  x.stride[1] = 1;
  const ddr_conv_array y = from.array(), z = to.array();
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CORRELATION, 2, x_len, y_len, z_len, DDR_ELEMENT_DOUBLE);
  if (!task) throw std::runtime_error("no memory");
  check(ddr_conv_task_set_mode(task, mode), "mode");
  check(ddr_conv_task_set_start(task, start), "start");
  check(ddr_conv_task_set_decimation(task, step), "decimation");
  check(ddr_conv_task_set_origin(task, origin, origin), "origin");
  check(ddr_conv_task_set_threads(task, 2), "threads");
  check(ddr_conv_task_bind_x(task, &x), "bind");
  check(ddr_conv_task_exec(task, nullptr, &y, &z), "exec");
  ddr_conv_task_delete(task);
  return to;
}

void compare(const Image &below, const Image &found, double tolerance) {
  for (std::int64_t y = 0; y < found.n_rows; y++) {
    for (std::int64_t x = 0; x < found.n_columns; x++) {
      std::int64_t sum = 0;
      for (std::int64_t a = 0; a < n_weights; a++)
        for (std::int64_t b = 0; b < n_weights; b++)
          sum += weights[a] * weights[b] *
                 static_cast<std::int64_t>(clamped(below, 2 * y + a - reach, 2 * x + b - reach));
      const double off = found.get(y, x) - static_cast<double>(sum);
      if (!(off <= tolerance && off >= -tolerance))
        throw std::runtime_error("a sample is wrong by " + std::to_string(off));
    }
  }
}

} // namespace

int main() try {
  Image level(150, 211, false);
  for (std::size_t k = 0; k < level.samples.size(); k++)
    level.samples[k] = static_cast<double>(k * k % 251);
  for (int number = 0; level.n_rows > 1; number++) {
    const Image next = half(level, number % 2 == 0, &ddr_conv_direct);
    compare(level, next, 0);
    if (ddr_conv_has_fft())
      compare(level, half(level, number % 2 == 1, &ddr_conv_fft), 1e-10 * next.get(0, 0) + 1e-6);
    std::printf("%lld x %lld\n", static_cast<long long>(next.n_rows),
                static_cast<long long>(next.n_columns));
    level = next;
    for (double &sample : level.samples)
      sample =
          static_cast<double>(static_cast<std::int64_t>(sample) % 251); // whole numbers, small ones
  }
} catch (const std::exception &failure) {
  std::printf("%s\n", failure.what());
  return 1;
}
