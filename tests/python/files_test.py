"""Images by the names of files that other packages have written: NIfTI by nibabel, TIFF by tifffile.
Samples are values of a linear function at the positions that nibabel gives for their indices.
"""

import os
import tempfile
import unittest

from common import PROBE_2, PROBE_3, as_lists, numpy
import common
import diderot
from arrays_test import SIZE, SLOPE, linear
from peers_test import needs

nibabel, with_nibabel = needs("nibabel")
tifffile, with_tifffile = needs("tifffile")

AFFINES = {
    "sheared": [[0.9, 0.1, 0.2, -3], [-0.1, 1.1, 0.05, 2], [0.02, 0.03, 1.4, -5], [0, 0, 0, 1]],
    "turned": [[0, -0.6, 0, 1], [0.5, 0, 0, 2], [0, 0, -0.8, 3], [0, 0, 0, 1]],
}
INDICES = ((4, 4, 5), (3.5, 5.25, 4.75), (2.75, 3, 3.5))


class Files(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.probe = diderot.compile(PROBE_3)
        cls.flat = diderot.compile(PROBE_2)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, path, affine, scale=1.0, program=None, places=3):
        at = [nibabel.affines.apply_affine(affine, index).tolist() for index in INDICES]
        result = (program or self.probe)(img=path, at=at)
        for found, slope, pos in zip(as_lists(result.value), as_lists(result.slope), at):
            self.assertAlmostEqual(found, scale * linear(pos), places=places)
            for component, expected in zip(slope, SLOPE):
                self.assertAlmostEqual(component, scale * expected, places=places)

    def samples(self, affine):
        indices = numpy.moveaxis(numpy.indices(SIZE), 0, -1)
        positions = nibabel.affines.apply_affine(affine, indices.reshape(-1, 3))
        return numpy.array([linear(pos) for pos in positions]).reshape(SIZE)

    @with_nibabel
    def test_forms(self):
        affine = numpy.array(AFFINES["sheared"])
        for image, header in ((nibabel.Nifti1Image, nibabel.Nifti1Header),
                              (nibabel.Nifti2Image, nibabel.Nifti2Header)):
            for order in "<>":
                for kind in ("f4", "f8"):
                    for suffix in (".nii", ".nii.gz"):
                        made = image(self.samples(affine).astype(order + kind), affine,
                                     header(endianness=order))
                        made.set_data_dtype(kind)
                        path = self.path("a" + suffix)
                        nibabel.save(made, path)
                        with self.subTest(image=image, order=order, kind=kind, suffix=suffix):
                            self.check(path, nibabel.load(path).affine)

    @with_nibabel
    def test_scaled(self):
        """nibabel finds slope and intercept for integers."""
        affine = numpy.array(AFFINES["sheared"])
        for kind in ("i2", "u1", "i4", "u2"):
            made = nibabel.Nifti1Image(self.samples(affine), affine)
            made.set_data_dtype(kind)
            path = self.path(kind + ".nii.gz")
            nibabel.save(made, path)
            loaded = nibabel.load(path)
            self.assertNotEqual(loaded.dataobj.slope, 1)
            self.check(path, loaded.affine, places=0 if kind == "u1" else 2)
            at = [nibabel.affines.apply_affine(loaded.affine, index).tolist() for index in INDICES]
            by_name, by_nibabel = self.probe(img=path, at=at), self.probe(img=loaded, at=at)
            self.assertEqual(as_lists(by_name.value), as_lists(by_nibabel.value))

    @with_nibabel
    def test_places(self):
        """By the sform, the qform alone, neither; qform and sform that differ."""
        turned = numpy.array(AFFINES["turned"])
        for sform, qform in ((True, False), (False, True), (False, False), (True, True)):
            header = nibabel.Nifti1Header()
            header.set_data_dtype("f4")
            header.set_data_shape(SIZE)
            header.set_zooms((0.5, 0.6, 0.8))
            if qform:
                header.set_qform(turned, 2)
            if sform:
                header.set_sform(numpy.array(AFFINES["sheared"]), 1)
            header["vox_offset"] = 352
            header["magic"] = b"n+1"
            affine = header.get_best_affine()
            path = self.path("place.nii")
            with open(path, "wb") as file:
                file.write(header.binaryblock + bytes(4))
                file.write(self.samples(affine).astype("f4").tobytes(order="F"))
            self.assertTrue(numpy.allclose(nibabel.load(path).affine, affine))
            with self.subTest(sform=sform, qform=qform):
                self.check(path, affine)

    def stack(self, name, samples, **options):
        path = self.path(name)
        tifffile.imwrite(path, samples, photometric=options.pop("photometric", "minisblack"), **options)
        return path

    @with_tifffile
    @with_nibabel
    def test_stacks(self):
        affine = numpy.diag([0.5, 0.6, 2.0, 1.0])
        samples = self.samples(affine).T.astype("f4")  # pages, rows, columns
        metadata = {"axes": "ZYX", "PhysicalSizeX": 500.0, "PhysicalSizeXUnit": "nm",
                    "PhysicalSizeY": 0.6, "PhysicalSizeYUnit": "\u00b5m", "PhysicalSizeZ": 2.0}
        for options in ({}, {"bigtiff": True}, {"byteorder": ">"}, {"compression": "zlib"},
                        {"tile": (16, 16)}, {"rowsperstrip": 2}):
            path = self.stack("a.ome.tif", samples, metadata=metadata, ome=True, **options)
            with self.subTest(**options):
                self.check(path, affine)

    @with_tifffile
    @with_nibabel
    def test_pages(self):
        flat = numpy.arange(48, dtype="u2").reshape(6, 8)
        path = self.stack("page.tif", flat, metadata=None)
        result = self.flat(img=path, at=[[3.0, 2.0], [4.5, 3.0]])
        self.assertEqual(as_lists(result.value), [19.0, 28.5])
        with self.assertRaisesRegex(diderot.Error, "dimension 2, expected 3"):
            self.probe(img=path, at=[])

    @with_tifffile
    def test_what_cannot_be_used(self):
        bits = numpy.zeros((6, 8), dtype="u1")
        colours = numpy.zeros((3, 256), dtype="u2")
        path = self.stack("a.tif", bits, photometric="palette", colormap=colours)
        with self.assertRaisesRegex(diderot.Error, "palette.*expected grey levels"):
            self.flat(img=path, at=[])
        path = self.stack("a.tif", numpy.zeros((6, 8), dtype="c8"))
        with self.assertRaisesRegex(diderot.Error, "complex numbers of 64 bits"):
            self.flat(img=path, at=[])
        path = self.stack("a.ome.tif", numpy.zeros((2, 3, 6, 8), dtype="u1"), ome=True,
                          metadata={"axes": "TZYX"})
        with self.assertRaisesRegex(diderot.Error, "1 channels and 2 times"):
            self.probe(img=path, at=[])


if __name__ == "__main__":
    common.main()
