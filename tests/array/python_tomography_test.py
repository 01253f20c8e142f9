"""A client of diderot.array: a small tomographic reconstruction, as tomography.cpp has it in C++.

Rays of a set of directions see the image sheared by whole pixels per row: parts of rows, added up on views. The
way back adds the same parts. Conjugate gradients on the normal equations, with a mask that keeps at 0 what is
known to be outside, find the phantom again.
"""

from common import Case, main  # which finds the package
from diderot import array

N, N_SHEARS, N_SETS = 24, 5, 4
N_RAYS = N + (N_SHEARS - 1) * (N - 1)


def seen(image, number):
    """The image as a set of directions sees it: as it is, turned, and each mirrored."""
    turned = image.transpose() if number & 1 else image
    return turned.flip(1) if number & 2 else turned


def pairs(image, data):
    """Each row of the image beside the part of the rays that it meets."""
    for number in range(N_SETS):
        view = seen(image, number)
        for shear in range(N_SHEARS):
            rays = data[number, shear]
            for row in range(N):
                yield view.fix(0, row), rays.slice(0, row * shear, row * shear + N)


def project(image, data):
    array.fill(data, 0)
    for row, rays in pairs(image, data):
        array.add(rays, row, out=rays)


def back_project(data, image):
    array.fill(image, 0)
    for row, rays in pairs(image, data):
        array.add(row, rays, out=row)


def zeros(*shape):
    return array.fill(array.empty(shape, "float64"), 0)


def is_in_disc(y, x, cy, cx, r):
    return (y - cy) ** 2 + (x - cx) ** 2 <= r * r


class Tomography(Case):
    def setUp(self):
        self.phantom = zeros(N, N)
        self.outside = array.empty((N, N), "bool")
        for y in range(N):
            for x in range(N):
                self.phantom[y, x] = float(is_in_disc(y, x, 11, 12, 9)
                                           + 2 * is_in_disc(y, x, 14, 9, 3))
                self.outside[y, x] = not is_in_disc(y, x, 11.5, 11.5, 11.5)
        self.data = zeros(N_SETS, N_SHEARS, N_RAYS)
        project(self.phantom, self.data)

    def test_projections(self):
        whole = sum(sum(row) for row in self.phantom.tolist())
        sums = array.sum(self.data, axis=2)
        self.assertEqual(sums.tolist(), [[whole] * N_SHEARS] * N_SETS)
        other, there = zeros(N_SETS, N_SHEARS, N_RAYS), zeros(N, N)
        flat = other.reshape(N_SETS * N_SHEARS * N_RAYS)
        for k in range(flat.size):
            flat[k] = float(k * 37 % 11 - 5)
        back_project(other, there)
        self.assertEqual(array.dot(self.data, other), array.dot(self.phantom, there))

    def test_reconstruction(self):
        image, rest, step = zeros(N, N), zeros(N, N), zeros(N, N)
        seen_by = zeros(N_SETS, N_SHEARS, N_RAYS)
        back_project(self.data, rest)
        rest.mask(self.outside).assign(0)
        way = rest.copy()
        energy, misfit = array.dot(rest, rest), array.l2(self.data)
        for _ in range(200):
            if energy <= 1e-18:
                break
            project(way, seen_by)
            length = energy / array.dot(seen_by, seen_by)
            array.lincomb(length, way, 1, image, out=image)
            back_project(seen_by, step)
            step.mask(self.outside).assign(0)
            array.lincomb(-length, step, 1, rest, out=rest)
            following = array.dot(rest, rest)
            array.lincomb(1, rest, following / energy, way, out=way)
            energy = following
            project(image, seen_by)
            array.lincomb(-1, self.data, 1, seen_by, out=seen_by)
            now = array.l2(seen_by)
            self.assertLessEqual(now, misfit * (1 + 1e-9) + 1e-9)
            misfit = now
        self.assertLess(misfit, 1e-8 * array.l2(self.data))
        self.assertLess(array.linf(image - self.phantom), 1e-4)


if __name__ == "__main__":
    main()
