// A client of libddr-array in C++: a small tomographic reconstruction.
//
// A phantom of two discs is projected along parallel rays in all directions of a set: a row of rays
// sees the image sheared by rows (or by columns), each of which is a part of it moved by a whole
// number of pixels, and summed up. The way back adds the same parts. Conjugate gradients on the
// normal equations, with dot, l2 and lincomb on views, and a mask that keeps what is known to be
// outside at 0, find the phantom again: whole numbers are projected exactly, and the reconstruction
// must be near the phantom, and its projections nearer to the data with every step.
#include <ddr/array.h>

#include <cmath>
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

// A view, owned.
class View {
public:
  View() = default;
  explicit View(const std::vector<std::int64_t> &len, ddr_element type = DDR_ELEMENT_DOUBLE) {
    check(ddr_ndview_new(type, static_cast<int>(len.size()), len.data(), DDR_HOST, &c), "new");
    fill(0);
  }
  View(const View &other) : c(ddr_ndview_retain(&other.c)) {}
  View &operator=(View other) {
    std::swap(c, other.c);
    return *this;
  }
  ~View() { ddr_ndview_release(&c); }

  void fill(double value) const {
    check(ddr_transform_fill(ddr_number_real(value), &c, 1), "fill");
  }
  View slice(int axis, std::int64_t begin, std::int64_t end) const {
    View part;
    check(ddr_ndview_slice(&c, axis, begin, end, &part.c), "slice");
    return part;
  }
  View fix(int axis, std::int64_t where) const {
    View part;
    check(ddr_ndview_fix(&c, axis, where, &part.c), "fix");
    return part;
  }
  View transpose() const {
    const int order[] = {1, 0};
    View part;
    check(ddr_ndview_permute(&c, order, &part.c), "permute");
    return part;
  }
  View flip(int axis) const {
    View part;
    check(ddr_ndview_flip(&c, axis, &part.c), "flip");
    return part;
  }
  std::int64_t len(int axis) const { return c.layout.len[axis]; }
  double *data() const { return static_cast<double *>(c.data); }
  ddr_ndview c{};
};

double dot(const View &x, const View &y) {
  ddr_number result;
  check(ddr_reduce_dot(&x.c, &y.c, nullptr, &result), "dot");
  return result.re;
}

double l2(const View &x) {
  ddr_number result;
  check(ddr_reduce_l2(&x.c, nullptr, &result), "l2");
  return result.re;
}

// y := a x + b y
void axpby(double a, const View &x, double b, const View &y) {
  check(ddr_transform_lincomb(ddr_number_real(a), &x.c, ddr_number_real(b), &y.c, &y.c, 1),
        "lincomb");
}

void add(const View &x, const View &y) { check(ddr_transform_inplace_add(&y.c, &x.c, 1), "add"); }

constexpr int n = 24, n_shears = 5, n_sets = 4;
constexpr int reach = (n_shears - 1) * (n - 1), n_rays = n + reach;

// The image as a set of directions sees it: as it is, turned, and each mirrored.
View seen(const View &image, int set) {
  const View turned = set & 1 ? image.transpose() : image;
  return set & 2 ? turned.flip(1) : turned;
}

// Along rays that move by `shear` columns per row: data[set][shear][ray].
void project(const View &image, const View &data) {
  data.fill(0);
  for (int set = 0; set < n_sets; set++) {
    const View view = seen(image, set);
    for (int shear = 0; shear < n_shears; shear++) {
      const View rays = data.fix(0, set).fix(0, shear);
      for (int row = 0; row < n; row++)
        add(view.fix(0, row), rays.slice(0, row * shear, row * shear + n));
    }
  }
}

// The transposed of it.
void back_project(const View &data, const View &image) {
  image.fill(0);
  for (int set = 0; set < n_sets; set++) {
    const View view = seen(image, set);
    for (int shear = 0; shear < n_shears; shear++) {
      const View rays = data.fix(0, set).fix(0, shear);
      for (int row = 0; row < n; row++)
        add(rays.slice(0, row * shear, row * shear + n), view.fix(0, row));
    }
  }
}

void require(bool holds, const char *what, double found) {
  std::printf("%s: %g\n", what, found);
  if (!holds) throw std::runtime_error(std::string(what) + ": that is wrong");
}

bool is_in_disc(int y, int x, double cy, double cx, double r) {
  return (y - cy) * (y - cy) + (x - cx) * (x - cx) <= r * r;
}

} // namespace

int main() try {
  const View phantom({n, n}), outside({n, n}, DDR_ELEMENT_BOOL), data({n_sets, n_shears, n_rays});
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < n; x++) {
      phantom.data()[y * n + x] = is_in_disc(y, x, 11, 12, 9) + 2 * is_in_disc(y, x, 14, 9, 3);
      static_cast<bool *>(outside.c.data)[y * n + x] = !is_in_disc(y, x, 11.5, 11.5, 11.5);
    }
  }
  project(phantom, data);

  // whole numbers: every set of rays has seen all of the phantom
  ddr_number whole;
  View sums;
  const ddr_ndview *of_data[] = {&data.c};
  const int rays[] = {2};
  check(ddr_reduce_sum(&phantom.c, nullptr, &whole), "sum");
  check(ddr_reduce_axes(DDR_REDUCE_SUM, of_data, 1, rays, nullptr, &sums.c), "sums");
  for (int k = 0; k < n_sets * n_shears; k++)
    if (sums.data()[k] != whole.re) throw std::runtime_error("a projection has lost something");

  // <A x, y> = <x, A' y>, exactly for whole numbers
  const View other({n_sets, n_shears, n_rays}), there({n, n});
  for (int k = 0; k < n_sets * n_shears * n_rays; k++) other.data()[k] = k * 37 % 11 - 5;
  back_project(other, there);
  require(dot(data, other) == dot(phantom, there), "projections and what they are transposed to",
          dot(data, other) - dot(phantom, there));

  // conjugate gradients on A' A x = A' data, of images that are 0 outside
  const View image({n, n}), rest({n, n}), way({n, n}), step({n, n}),
      seen_by({n_sets, n_shears, n_rays});
  const auto mask = [&outside](const View &view) {
    check(ddr_masked_assign_number(&view.c, &outside.c, ddr_number_real(0)), "mask");
  };
  back_project(data, rest);
  mask(rest);
  axpby(1, rest, 0, way);
  double energy = dot(rest, rest), misfit = l2(data);
  int n_steps = 0;
  for (; n_steps < 200 && energy > 1e-18; n_steps++) {
    project(way, seen_by);
    const double length = energy / dot(seen_by, seen_by);
    axpby(length, way, 1, image);
    back_project(seen_by, step);
    mask(step);
    axpby(-length, step, 1, rest);
    const double next = dot(rest, rest);
    axpby(1, rest, next / energy, way);
    energy = next;

    project(image, seen_by);
    axpby(-1, data, 1, seen_by);
    const double now = l2(seen_by);
    if (now > misfit * (1 + 1e-9) + 1e-9)
      throw std::runtime_error("a step leads away from the data");
    misfit = now;
  }
  std::printf("steps: %d\n", n_steps);
  require(misfit < 1e-8 * l2(data), "distance of the projections", misfit);
  const View error = phantom;
  axpby(1, image, -1, error);
  ddr_number most;
  check(ddr_reduce_linf(&error.c, nullptr, &most), "linf");
  require(most.re < 1e-4, "largest error of the image", most.re);
} catch (const std::exception &failure) {
  std::printf("%s\n", failure.what());
  return 1;
}
