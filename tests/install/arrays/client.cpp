// The same in C++: owners of views and tasks, statuses as exceptions, memory of a vector.
#include <ddr/array.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

void check(ddr_array_status status) {
  if (status != DDR_ARRAY_OK) throw std::runtime_error(ddr_array_status_text(status));
}

class View {
public:
  View(std::vector<float> &memory, std::vector<std::int64_t> len) {
    ddr_layout layout;
    check(ddr_layout_packed(static_cast<int>(len.size()), len.data(), &layout));
    check(ddr_ndview_wrap(DDR_ELEMENT_FLOAT, memory.data(), &layout, DDR_HOST, nullptr, &view));
  }
  View(const View &other) : view(ddr_ndview_retain(&other.view)) {}
  View &operator=(const View &) = delete;
  ~View() { ddr_ndview_release(&view); }

  View flip(int axis) const {
    View part;
    check(ddr_ndview_flip(&view, axis, &part.view));
    return part;
  }
  View fix(int axis, std::int64_t where) const {
    View part;
    check(ddr_ndview_fix(&view, axis, where, &part.view));
    return part;
  }
  float at(std::int64_t k) const {
    void *element;
    check(ddr_ndview_at(&view, 1, &k, &element));
    return *static_cast<float *>(element);
  }
  ddr_ndview view{};

private:
  View() = default;
};

struct Delete {
  void operator()(ddr_conv_task *task) const { ddr_conv_task_delete(task); }
};

} // namespace

int main() try {
  std::vector<float> memory(12), row{2, 4, 6, 8, 10}, taps{0.25f, 0.5f, 0.25f}, smooth(3);
  for (std::size_t k = 0; k < memory.size(); k++) memory[k] = static_cast<float>(k);
  const View x(memory, {3, 4});
  ddr_number sum;
  check(ddr_reduce_sum(&x.view, nullptr, &sum));
  const View column = x.flip(0).fix(1, 3);
  std::printf("sum %g, last %g %g %g", sum.re, double(column.at(0)), double(column.at(1)),
              double(column.at(2)));

  const std::int64_t three = 3, five = 5, zero = 0;
  const std::unique_ptr<ddr_conv_task, Delete> task(
      ddr_conv_task_new(DDR_CORRELATION, 1, &three, &five, &three, DDR_ELEMENT_FLOAT));
  check(ddr_conv_task_set_mode(task.get(), &ddr_conv_auto));
  check(ddr_conv_task_set_start(task.get(), &zero));
  const View kernel_view(taps, {3}), row_view(row, {5}), smooth_view(smooth, {3});
  ddr_conv_array kernel, y, z;
  check(ddr_conv_array_of_view(&kernel_view.view, &kernel));
  check(ddr_conv_array_of_view(&row_view.view, &y));
  check(ddr_conv_array_of_view(&smooth_view.view, &z));
  check(ddr_conv_task_exec(task.get(), &kernel, &y, &z));
  std::printf(", smooth %g %g %g", double(smooth[0]), double(smooth[1]), double(smooth[2]));
  check(ddr_transform_add(&x.view, nullptr, &x.view, 1));
} catch (const std::exception &error) {
  std::printf(", ENULL: %s\n", error.what());
}
