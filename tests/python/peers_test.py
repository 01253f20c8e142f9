"""Images of xarray, nibabel and SimpleITK, arrays of zarr, h5py, jax and torch: those that are installed. The
expected positions are those that these packages give for an index.
"""

import importlib
import itertools
import os
import tempfile
import unittest

from common import numpy
import common
import diderot
from arrays_test import AFFINE, INSIDE, OFFSET, SIZE, SLOPE, Placing, indexed, linear


def needs(name):
    try:
        return importlib.import_module(name), lambda test: test
    except ImportError:
        return None, unittest.skip("there is no " + name)


xarray, with_xarray = needs("xarray")
nibabel, with_nibabel = needs("nibabel")
SimpleITK, with_itk = needs("SimpleITK")
zarr, with_zarr = needs("zarr")
h5py, with_h5py = needs("h5py")
jax, with_jax = needs("jax")
torch, with_torch = needs("torch")


class Peers(Placing, unittest.TestCase):

    @with_nibabel
    def test_nibabel(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "head.nii")
            affine = numpy.array(AFFINE)
            made = nibabel.Nifti1Image(numpy.array(indexed("xyz"), dtype="f4"), affine)
            nibabel.save(made, path)
            loaded = nibabel.load(path)
            at = [nibabel.affines.apply_affine(loaded.affine, index)
                  for index in ((4, 4, 5), (3.5, 5.25, 4.75))]
            for image in (made, loaded):
                self.check(image, [list(pos) for pos in at])
            big = nibabel.Nifti1Image(numpy.array(indexed("xyz"), dtype=">f4"), affine)
            self.check(big)
        elsewhere = nibabel.Nifti1Image(made.get_fdata(), numpy.diag([2, 3, 4, 1]))
        for image in (diderot.Image(elsewhere, affine=affine), diderot.Image(made),
                      diderot.Image(elsewhere, affine[:3, 3], affine[:3, :3].T.tolist()),
                      diderot.Image(diderot.Image(elsewhere), affine=affine, axes="xyz")):
            self.check(image)
        index = nibabel.Nifti1Image(numpy.fromfunction(lambda i, j, k: linear([i + 5, j, k]), SIZE), affine)
        self.check(diderot.Image(index, origin=[5, 0, 0]), [[9, 4, 4], [9.5, 4.25, 5]])
        with self.assertRaisesRegex(diderot.Error, "nibabel has three dimensions, the input has 2"):
            self.flat(img=made, at=[])

    @with_itk
    def test_itk(self):
        image = SimpleITK.GetImageFromArray(numpy.zeros(SIZE[::-1], dtype="f4"))
        image.SetSpacing((0.5, 0.6, 0.8))
        image.SetOrigin((-1.0, 2.0, 5.0))
        image.SetDirection((0, 0, 1, 1, 0, 0, 0, 1, 0))
        for index in itertools.product(*map(range, SIZE)):
            image[index] = linear(image.TransformIndexToPhysicalPoint(index))
        at = [list(image.TransformContinuousIndexToPhysicalPoint(index))
              for index in ((4.0, 4.0, 5.0), (3.5, 5.25, 4.75))]
        self.check(image, at)
        plain = SimpleITK.GetImageFromArray(numpy.array(indexed("zyx")))
        self.check(diderot.Image(plain, affine=AFFINE))
        with self.assertRaisesRegex(diderot.Error, "the image has 3 dimensions, expected 2"):
            self.flat(img=image, at=[])

    @with_xarray
    def test_xarray(self):
        lines = {"x": numpy.linspace(-1, 3, 9), "y": numpy.linspace(5, 2, 10),
                 "z": numpy.arange(11) * 0.25}
        function = OFFSET + sum(slope * xarray.DataArray(lines[letter], dims=letter,
                                                         coords={letter: lines[letter]})
                                for slope, letter in zip(SLOPE, "xyz"))
        at = [[1, 3.5, 1.25], [0.6, 3.3, 1.1]]
        for dims in itertools.permutations("xyz"):
            self.check(function.transpose(*dims), at)
        self.check(function.rename(x="i", y="j", z="k").transpose("k", "j", "i"), at)
        crooked = function.assign_coords(x=lines["x"]**3)
        with self.assertRaisesRegex(diderot.Error, "img: .* dimension x are not evenly spaced"):
            self.probe(img=crooked, at=at)
        with self.assertRaisesRegex(diderot.Error, "the DataArray has the dimensions x, y, expected 3"):
            self.probe(img=function.isel(z=0), at=at)

    @with_xarray
    def test_outputs_of_xarray(self):
        program = diderot.compile("""#version 2.0
            input image(2)[] img;
            field#1(2)[] F = img ⊛ ctmr;
            strand s (int y, int x) {
               output vec2 slope = [0, 0];
               vec2 pos = [real(x), real(y)];
               update { if (inside(pos, F)) { slope = ∇F(pos); } stabilize; }
            }
            create_array { s(y, x) | y in 0..6, x in 0..7 }
        """)
        made = xarray.DataArray([[linear([x, y, 0]) for x in range(8)] for y in range(7)],
                                dims=("y", "x"), coords={"x": numpy.arange(8.0)})
        slope = program(img=made).slope
        self.assertEqual(slope.dims, ("y", "x", "component_0"))
        self.assertTrue((slope.x == made.x).all())
        self.assertAlmostEqual(float(slope.sel(x=3, y=3)[1]), SLOPE[1], places=4)
        other = xarray.DataArray(numpy.zeros((9, 9)), dims=("y", "x"))
        self.assertEqual(program(img=other).slope.dims, ("axis_0", "axis_1", "component_0"))
        self.assertIsInstance(program(img=made.values).slope, numpy.ndarray)
        for dims, expected in ((("component_0", "y"), "component_1"), (("b", "component_1"), "component_0")):
            named = xarray.DataArray(made.values, dims=dims)
            self.assertEqual(program(img=named).slope.dims, (*dims, expected))

    @with_xarray
    def test_vectors_of_xarray(self):
        count = diderot.compile(common.COUNT)
        result = count(shift=xarray.DataArray([1.0, 2.0]), scale=xarray.DataArray(4.0), rows=1,
                       turn=[xarray.DataArray([1.0, 2, 3]), [4, 5, 6]])
        self.assertEqual((result.pair[0, 0].values.tolist(), result.sum[0, 0]), ([1, 2], 4))
        self.assertEqual(result.turned[0, 0].values.tolist(), [[1, 2, 3], [4, 5, 6]])
        with self.assertRaisesRegex(diderot.Error, "shift: 3 values, expected 2"):
            count(shift=xarray.DataArray([1.0, 2.0, 3.0]))

    @with_xarray
    def test_images_before_sequences(self):
        """In whatever order they are given; a sequence where it alone fits."""
        program = diderot.compile("""#version 2.0
            input real[] ks;
            input image(2)[] img;
            field#1(2)[] F = img ⊛ ctmr;
            strand s (int y, int x) { output real value = ks[0]*F([x, y]); update { stabilize; } }
            create_array { s(y, x) | y in 0..6, x in 0..7 }
        """)
        img = xarray.DataArray(numpy.ones((7, 8)), dims=("b", "a"))
        ks = xarray.DataArray([1.0, 2.0], dims="k")
        for given in ({"ks": ks, "img": img}, {"img": img, "ks": ks}):
            self.assertEqual(program(**given).value.dims, ("b", "a"))
        at = xarray.DataArray([[3.0, 4.0]], dims=("point", "xy"))
        for given in ({"at": at, "img": img}, {"img": img, "at": at}):
            self.assertEqual(self.flat(**given).value.dims, ("point",))

    @with_xarray
    def test_dims_of_outputs(self):
        """Rows of a grid are y, also where those of the input are x; a grid over two axes of a cube is
        none over the cube; a row of a collection is one of its sequence."""
        program = diderot.compile("""#version 2.0
            input image(2)[] img;
            field#1(2)[] F = img ⊛ ctmr;
            strand s (int y, int x) { output real value = F([x, y]); update { stabilize; } }
            create_array { s(y, x) | y in 0..6, x in 0..6 }
        """)
        line = numpy.arange(7.0)
        made = xarray.DataArray([[linear([x, y, 0]) for x in range(7)] for y in range(7)],
                                dims=("y", "x"), coords={"x": line, "y": line})
        for given in (made, made.transpose("x", "y")):
            value = program(img=given).value
            self.assertEqual(value.dims, ("y", "x"))
            self.assertAlmostEqual(float(value.sel(x=4, y=2)), linear([4, 2, 0]), places=4)
        middle = diderot.compile("""#version 2.0
            input image(3)[] img;
            field#1(3)[] F = img ⊛ ctmr;
            strand s (int y, int x) { output real value = F([x, y, 3]); update { stabilize; } }
            create_array { s(y, x) | y in 0..6, x in 0..6 }
        """)
        cube = made.expand_dims(z=line)
        self.assertEqual(middle(img=cube).value.dims, ("axis_0", "axis_1"))
        at = xarray.DataArray([[3.0, 4.0], [4.0, 3.0]], dims=("point", "xy"), coords={"point": [10, 20]})
        value = self.flat(at=at, img=made).value
        self.assertEqual((value.dims, value.point.values.tolist()), (("point",), [10, 20]))
        self.assertIsInstance(self.flat(img=made, at=at.values).value, numpy.ndarray)
        with self.assertRaisesRegex(diderot.Error, "img: xarray.Dataset is not an array"):
            program(img=made.to_dataset(name="v"))

    @with_zarr
    def test_zarr(self):
        samples = numpy.array(indexed("zyx"), dtype="f4")
        stored = zarr.array(samples, chunks=(4, 4, 4))
        self.check(diderot.Image(stored, affine=AFFINE))
        plain = numpy.fromfunction(lambda z, y, x: linear([x, y, z]), SIZE[::-1])
        self.check(zarr.array(plain, chunks=(4, 4, 4)), [[4, 4.5, 5]])

    @with_h5py
    def test_h5py(self):
        with tempfile.TemporaryDirectory() as folder:
            with h5py.File(os.path.join(folder, "samples.h5"), "w") as file:
                stored = file.create_dataset("samples", data=numpy.array(indexed("zyx")))
                self.check(diderot.Image(stored, affine=AFFINE))
                self.check(diderot.Image(stored[:, :, :], affine=AFFINE))

    @with_jax
    def test_jax(self):
        samples = jax.numpy.array(indexed("zyx"), "f4")
        self.check(diderot.Image(samples, affine=AFFINE))
        self.check(diderot.Image(samples, affine=AFFINE), jax.numpy.array(INSIDE))
        for kind, reason in (("complex64", "expected numbers, found an array of complex64"),
                             ("bfloat16", "ArrayImpl is not an array .*Unsupported dtype")):
            with self.assertRaisesRegex(diderot.Error, "img: .*" + reason):
                self.probe(img=samples.astype(kind), at=INSIDE)

    @with_torch
    def test_torch(self):
        samples = torch.tensor(indexed("zyx"))
        self.check(diderot.Image(samples, affine=AFFINE))
        self.check(diderot.Image(samples.permute(2, 1, 0), affine=AFFINE, axes="xyz"))
        with self.assertRaisesRegex(diderot.Error, "img: .*requires? grad"):
            self.probe(img=samples.requires_grad_(), at=INSIDE)

    @with_xarray
    def test_images_are_looked_at_once(self):
        """By run_many: a DataArray that is not evaluated until then is evaluated once."""
        looks = []
        made = xarray.DataArray([[linear([x, y, 0]) for x in range(8)] for y in range(7)],
                                dims=("y", "x"))

        class Watched:
            dims, coords = made.dims, made.coords

            def transpose(self, *dims):
                looks.append(dims)
                return made.transpose(*dims)

            values = made.values
            sizes = made.sizes

        results = self.flat.run_many([{"at": [[3, 4]]}, {"at": [[4, 3]]}], img=Watched())
        self.assertEqual(len(looks), 1)
        self.assertAlmostEqual(float(results[1].value[0]), linear([4, 3, 0]), places=4)


if __name__ == "__main__":
    common.main()
