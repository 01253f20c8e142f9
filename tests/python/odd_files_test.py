"""Image files as others write them, made here byte by byte: headers with all their fields, skips,
encodings, lists of data files, byte orders; NIfTI; TIFF. Every sample is compared at its position.
"""

import bz2
import gzip
import os
import struct
import tempfile
import unittest
import zlib

from common import numpy
import common
import diderot

# All samples of an image: the grid of positions is given by the index that each strand has.
PROGRAM = """#version 2.0
input image(%(d)d)[%(shape)s] img ("samples");
input vec%(d)d[] at ("positions");
field#0(%(d)d)[%(shape)s] F = clamp(img) ⊛ tent;
strand probe (vec%(d)d pos) {
   output tensor[%(shape)s] value = %(zero)s;
   update { value = F(pos); stabilize; }
}
create_collection { probe(pos) | pos in at }
"""
PROGRAMS = {}

# z, y, x
VOLUME = (3, 4, 5)


def program(dim, n):
    key = (dim, n)
    if key not in PROGRAMS:
        zero = "0" if n == 1 else "zeros[%d]" % n
        PROGRAMS[key] = diderot.compile(PROGRAM % {"d": dim, "shape": "" if n == 1 else n, "zero": zero})
    return PROGRAMS[key]


def volume(kind="<i2", shape=VOLUME, scale=3, shift=-20):
    return (numpy.arange(numpy.prod(shape)).reshape(shape) * scale + shift).astype(kind)


def plain(dim):
    """The index is the position."""
    return numpy.eye(dim), numpy.zeros(dim)


TYPES = {"i1": "signed char", "u1": "unsigned char", "i2": "short", "u2": "ushort", "i4": "int32", "u4": "uint",
         "i8": "long long", "u8": "uint64", "f4": "float", "f8": "double"}


def head(array, *lines, version=4, sizes=None, end=b"\n"):
    """The header of an array whose axes are in numpy's order."""
    kind = array.dtype.str
    text = ["NRRD000%d" % version, "type: " + TYPES[kind[1:]], "dimension: %d" % array.ndim,
            "sizes: " + " ".join(str(n) for n in (sizes or array.shape[::-1]))]
    if kind[1:] not in ("i1", "u1"):
        text.append("endian: " + ("big" if kind[0] == ">" else "little"))
    return end.join(line.encode() for line in text + list(lines)) + end


@unittest.skipUnless(numpy, "no numpy")
class OddFiles(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, *parts):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            for part in parts:
                file.write(part)
        return path

    def check(self, path, expected, place=None, n=1):
        """expected: samples in numpy's order, components last; place: steps per axis x, y, z, and origin."""
        dim = expected.ndim - (n > 1)
        steps, origin = place or plain(dim)
        index = numpy.stack(numpy.meshgrid(*[numpy.arange(k) for k in expected.shape[:dim]], indexing="ij"), -1)
        index = index.reshape(-1, dim)[:, ::-1]  # x first
        at = index @ numpy.asarray(steps, float) + numpy.asarray(origin, float)
        found = numpy.asarray(program(dim, n)(img=path, at=at.tolist()).value)
        wanted = expected.astype(float).reshape(len(at), -1)
        difference = numpy.abs(found.reshape(wanted.shape) - wanted).max()
        self.assertLess(difference, 2e-4 * (1 + numpy.abs(wanted).max()), os.path.basename(path))

    def refused(self, path, dim, *words, n=1):
        with self.assertRaises(Exception) as raised:
            program(dim, n)(img=path, at=[[0] * dim])
        for word in words:
            self.assertIn(word, str(raised.exception))


class Nrrd(OddFiles):

    def test_fields(self):
        a = volume()
        header = head(a, "# a comment", "content: what (it) is: \\n and more", "space: left-posterior-superior",
                      'space units: "mm" "mm" "mm"', "space directions: (0.5,0,0) (0,2,0) (0,0.25,1)",
                      "space origin: (10,20,-30)", "measurement frame: (1,0,0) (0,1,0) (0,0,1)",
                      "kinds: space space space", "centers: cell cell node", "thicknesses: nan nan 2",
                      'labels: "x" "y: \\"of it\\"" "z"', "old min: 0", "oldmax: 255", "sample units: HU",
                      "modality:=DWMRI", "a key:=a value: with := and\\n", "encoding: raw")
        place = ([[.5, 0, 0], [0, 2, 0], [0, .25, 1]], [10, 20, -30])
        self.check(self.write("a.nrrd", header, b"\n", a.tobytes()), a, place)

    def test_versions_and_line_ends(self):
        a = volume("u1")
        for version, end in ((1, b"\n"), (2, b"\n"), (3, b"\r\n"), (5, b"\r\n")):
            header = head(a, "encoding: raw", version=version, end=end)
            self.check(self.write("v%d.nrrd" % version, header, end, a.tobytes()), a)

    def test_axes(self):
        a = volume(">f4")
        header = head(a, "spacings: 0.5 2 NaN", "encoding: raw", "kinds: domain ??? time")
        self.check(self.write("s.nrrd", header, b"\n", a.tobytes()), a, (numpy.diag([.5, 2, 1]), [0, 0, 0]))
        header = head(a, "axismins: 1 2 3", "axis maxs: 6 10 9", "centerings: cell node ???", "encoding: raw")
        place = (numpy.diag([1, 8 / 3, 2]), [1.5, 2, 4])
        self.check(self.write("m.nrrd", header, b"\n", a.tobytes()), a, place)
        header = head(a, "space dimension: 3", "space directions: (0,0,1) (1,0,0) (0,1,0)", "encoding: raw")
        place = ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], [0, 0, 0])
        self.check(self.write("d.nrrd", header, b"\n", a.tobytes()), a, place)

    def test_components(self):
        for n, kind in ((2, "2-vector"), (3, "RGB-color"), (4, "quaternion"), (5, "list"), (3, "list")):
            a = volume("<f4", (4, 5, n))
            header = head(a, "kinds: %s space space" % kind, "spacings: nan 1 2", "encoding: raw")
            path = self.write("c%d.nrrd" % n, header, b"\n", a.tobytes())
            if kind == "quaternion" or kind == "list" and n < 5:
                self.refused(path, 2, kind, "expected %d-vector" % n, n=n)
            else:
                self.check(path, a, (numpy.diag([1, 2]), [0, 0]), n)

    def test_component_counts(self):
        a = volume("<f4", (4, 5, 5))
        path = self.write("five.nrrd", head(a, "kinds: list space space", "encoding: raw"), b"\n", a.tobytes())
        self.refused(path, 2, "5 elements", "expected 3", n=3)

    def test_types_and_orders(self):
        for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
            for order in "<>":
                a = volume(order + kind, shift=0 if kind[0] == "u" else -20, scale=1)
                path = self.write(kind + ".nrrd", head(a, "encoding: raw"), b"\n", a.tobytes())
                self.check(path, a)

    def test_skips(self):
        a = volume(">u2", shift=0)
        raw = a.tobytes()
        for name, fields, before in (
                ("bytes", ("byte skip: 7",), b"1234567"),
                ("lines", ("line skip: 2",), b"one\ntwo, longer\n"),
                ("both", ("lineskip: 1", "byteskip: 3"), b"one\nabc"),
                ("end", ("byte skip: -1",), b"of any length")):
            fields += ("encoding: raw",)
            self.check(self.write(name + ".nrrd", head(a, *fields), b"\n", before, raw), a)
            self.write(name + ".raw", before, raw)
            self.check(self.write(name + ".nhdr", head(a, *fields, "data file: %s.raw" % name)), a)

    def test_encodings(self):
        a = volume("<i2")
        raw = a.tobytes()
        lines = " ".join(str(k) for k in a.ravel()).encode() + b"\n"
        rows = "\n".join(",  ".join(str(k) for k in row) for row in a.reshape(-1, 5)).encode()
        odd = volume("u1")
        for name, array, encoding, data in (
                ("gz", a, "gzip", gzip.compress(raw)), ("gz-name", a, "gz", gzip.compress(raw, 1)),
                ("two-members", a, "gzip", gzip.compress(raw[:30]) + gzip.compress(raw[30:])),
                ("bz2", a, "bzip2", bz2.compress(raw)), ("bz2-name", a, "bz2", bz2.compress(raw)),
                ("text", a, "ascii", lines), ("text-name", a, "txt", lines), ("rows", a, "text", rows),
                ("hex", odd, "hex", odd.tobytes().hex().encode())):
            self.check(self.write(name + ".nrrd", head(array, "encoding: " + encoding), b"\n", data), array)
            self.write(name + ".data", data)
            path = self.write(name + ".nhdr", head(array, "encoding: " + encoding, "datafile: %s.data" % name))
            self.check(path, array)

    def test_skips_in_compressed_data(self):
        a = volume("<f8")
        for name, compress in (("gzip", gzip.compress), ("bzip2", bz2.compress)):
            header = head(a, "encoding: " + name, "byte skip: 5")
            self.check(self.write("s.nrrd", header, b"\n", compress(b"12345" + a.tobytes())), a)
            header = head(a, "encoding: " + name, "line skip: 1")
            made = b"a line\n" + compress(a.tobytes())
            self.check(self.write("l.nrrd", header, b"\n", made), a)
            self.refused(self.write("c.nrrd", header, b"\n", made[:-1]), 3, "the data is truncated")
            header = head(a, "encoding: " + name, "line skip: 3", "byte skip: 5", "data file: lines")
            made = b"a line\r\n\r\nand another\r\n" + compress(b"12345" + a.tobytes())
            self.write("lines", made)
            self.check(self.write("d.nhdr", header), a)
            self.write("lines", made[:-1])
            self.refused(self.write("d.nhdr", header), 3, "the data is truncated")
            header = head(a, "encoding: " + name, "byte skip: %d" % (a.nbytes + 1))
            self.refused(self.write("b.nrrd", header, b"\n", compress(a.tobytes())), 3, "the data is truncated")
        header = head(a, "encoding: gzip", "byte skip: -1")
        path = self.write("e.nrrd", header, b"\n", gzip.compress(b"of any length" + a.tobytes()))
        self.refused(path, 3, "byte skip is -1", "at least 0 in compressed data")

    def test_lists(self):
        a = volume(">i2")
        os.mkdir(os.path.join(self.folder, "sub"))
        for z in range(3):
            self.write("sub/z%02d.raw" % z, a[z].tobytes())
        names = b"".join(b"sub/z%02d.raw\n" % z for z in range(3))
        self.check(self.write("list.nhdr", head(a, "encoding: raw", "data file: LIST"), names), a)
        self.check(self.write("list2.nhdr", head(a, "encoding: raw", "data file: LIST 2"), names), a)
        whole = self.write("one.raw", a.tobytes())
        self.check(self.write("whole.nhdr", head(a, "encoding: raw", "data file: LIST 3"), b"one.raw\n"), a)
        self.check(self.write("full.nhdr", head(a, "encoding: raw", "data file: " + whole)), a)

    def test_lists_with_skips(self):
        a = volume("<f4")
        for name, compress in (("raw", bytes), ("gzip", gzip.compress), ("bzip2", bz2.compress)):
            for z in range(3):
                self.write("k%d" % z, compress(b"1234"[:z] + a[z].tobytes()))
            header = head(a, "encoding: " + name, "data file: SKIPLIST", version=6)
            self.check(self.write("skips.nhdr", header, b"0 k0\n1 k1\n2 k2\n"), a)
            self.refused(self.write("skips.nhdr", header, b"0 k0\n1 k1\n99999 k2\n"), 3, "the data is truncated")
            if name == "raw":
                self.check(self.write("skips.nhdr", header, b"0 k0\n-1 k1\n-1 k2\n"), a)
            else:
                path = self.write("skips.nhdr", header, b"0 k0\n1 k1\n-1 k2\n")
                self.refused(path, 3, "byte skip is -1", "at least 0 in compressed data")

    def test_numbered(self):
        a = volume("<f4")
        for z in range(3):
            self.write("n%d.raw" % (2 * z + 1), b"head\n12", a[z].tobytes())
            self.write("t%03d.gz" % z, gzip.compress(a[z].tobytes()))
        skips = ("line skip: 1", "byte skip: 2", "encoding: raw")
        self.check(self.write("up.nhdr", head(a, *skips, "data file: n%d.raw 1 5 2")), a)
        self.check(self.write("down.nhdr", head(a, *skips, "data file: n%d.raw 5 1 -2")), a[::-1])
        self.check(self.write("gz.nhdr", head(a, "encoding: gzip", "data file: t%03d.gz 0 2 1 2")), a)

    def test_too_short(self):
        a = volume("<f4")
        self.refused(self.write("s.nrrd", head(a, "encoding: raw"), b"\n", a.tobytes()[:-1]), 3, "s.nrrd")
        self.refused(self.write("g.nrrd", head(a, "encoding: gzip"), b"\n", gzip.compress(a.tobytes())[:40]), 3)
        self.refused(self.write("t.nrrd", head(a, "encoding: ascii"), b"\n", b"1 2 3"), 3, "t.nrrd")
        self.write("z0.raw", a[0].tobytes())
        path = self.write("l.nhdr", head(a, "encoding: raw", "data file: z%d.raw 0 2 1"))
        self.refused(path, 3, "z1.raw")

    def test_no_last_line_end(self):
        a = volume("<i2")
        self.write("one.raw", a.tobytes())
        self.check(self.write("a.nhdr", head(a, "encoding: raw", "data file: one.raw")[:-1]), a)
        self.check(self.write("b.nhdr", head(a, "encoding: raw", "data file: LIST 3"), b"one.raw"), a)
        table = numpy.array([[1, 2, 3], [4, 5, 6]])
        self.check(self.write("t.txt", b"# three columns\n1 2 3\n4 5 6"), table)
        self.check(self.write("t.csv", b"1,2,3\r\n4,5,6"), table)
        self.refused(self.write("s.csv", b"1;2;3\n4;5;6\n"), 2, "1;2;3", "expected numbers")

    def test_compressed_sequences(self):
        image = self.write("image.nrrd", head(volume(), "encoding: raw"), b"\n", volume().tobytes())
        at = numpy.arange(18000, dtype="<f4").reshape(-1, 3)
        raw = at.tobytes()
        for name, compress in (("gzip", gzip.compress), ("bzip2", bz2.compress)):
            header = head(at, "kinds: 3-vector list", "encoding: " + name)
            two = compress(raw[:999]) + compress(raw[999:])
            path = self.write("two.nrrd", header, b"\n", two)
            self.assertEqual(len(program(3, 1)(img=image, at=path).value), len(at))
            path = self.write("cut.nrrd", header, b"\n", compress(raw)[:-1])
            with self.assertRaisesRegex(Exception, "the data is truncated"):
                program(3, 1)(img=image, at=path)

    def test_vtk(self):
        text = ("# vtk DataFile Version 3.0\nby hand\n%s\nDATASET STRUCTURED_POINTS\nDIMENSIONS %d %d %d\n"
                "ORIGIN 10 20 -3\nSPACING 0.5 2 1\nPOINT_DATA %d\nSCALARS s short\nLOOKUP_TABLE default\n")
        place = (numpy.diag([.5, 2, 1]), [10, 20, -3])
        for shape in (VOLUME, (1, 4, 5), (3, 1, 5), (2, 3, 1)):
            a = volume(">i2", shape)
            words = " ".join(str(k) for k in a.ravel()).encode()
            in_words, in_bytes = [(text % (form, *shape[::-1], a.size)).encode() for form in ("ASCII", "BINARY")]
            self.check(self.write("a.vtk", in_words, words, b"\n"), a, place)
            self.check(self.write("b.vtk", in_bytes, a.tobytes(), b"\n"), a, place)

    def test_pictures(self):
        a = volume("u1", (4, 5))
        rgb = volume("u1", (4, 5, 3), scale=1, shift=0)
        text = b"\n".join(b" ".join(b"%d" % k for k in row) for row in a)
        self.check(self.write("a.pgm", b"P2\n# made by hand\n5 4\n255\n", text, b"\n"), a)
        self.check(self.write("b.pgm", b"P5\n5 4\n255\n", a.tobytes()), a)
        self.check(self.write("c.ppm", b"P6\n5 4\n255\n", rgb.tobytes()), rgb, n=3)


NIFTI_TYPES = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "i1": 256, "u2": 512, "u4": 768, "i8": 1024, "u8": 1280}


def nifti(array, version=1, form=None, scaling=(1, 0), pixdim=(1, 1, 1, 1), extension=b"", n_axes=None, **other):
    """A NIfTI file of an array in numpy's order, the slowest axis first."""
    order = ">" if array.dtype.str[0] == ">" else "<"
    sizes = [n_axes or array.ndim] + list(array.shape[::-1])
    sizes += [1] * (8 - len(sizes))
    quatern, offset = other.get("quatern", (0, 0, 0)), other.get("offset", (0, 0, 0))
    rows = [[0] * 4] * 3
    if form == "s":
        rows = other["rows"]
    codes = (int(form == "q" or "quatern" in other), int(form == "s"))
    code, bits = NIFTI_TYPES[array.dtype.str[1:]], array.dtype.itemsize * 8
    pixdim = list(pixdim) + [1] * (8 - len(pixdim))
    begin = (352 if version == 1 else 544) + len(extension)
    if version == 1:
        made = struct.pack(order + "i10s18sihsB", 348, b"", b"", 0, 0, b"r", 0)
        made += struct.pack(order + "8h3f4h8f3f", *sizes, 0, 0, 0, 0, code, bits, 0, *pixdim, begin, *scaling)
        made += struct.pack(order + "hBB4f2i80s24s", 0, 0, 10, 0, 0, 0, 0, 0, 0, b"by hand", b"")
        made += struct.pack(order + "2h6f", *codes, *quatern, *offset)
        made += struct.pack(order + "12f16s4s", *[v for row in rows for v in row], b"", b"n+1\0")
    else:
        made = struct.pack(order + "i8s2h8q3d8dq2d", 540, b"n+2\0\r\n\x1a\n", code, bits, *sizes, 0, 0, 0, *pixdim,
                           begin, *scaling)
        made += struct.pack(order + "4d2q80s24s2i", 0, 0, 0, 0, 0, 0, b"by hand", b"", *codes)
        made += struct.pack(order + "6d12d", *quatern, *offset, *[v for row in rows for v in row])
        made += struct.pack(order + "2i16si", 0, 10, b"", 0) + struct.pack("B15s", 0, b"")
    return made + struct.pack("4B", bool(extension), 0, 0, 0) + extension + array.tobytes()


class Nifti(OddFiles):
    ROWS = ((0.5, 0, 0.25, 10), (0, -2, 0, 20), (0.125, 0, 1, -5))
    PLACE = (numpy.array(ROWS)[:, :3].T, numpy.array(ROWS)[:, 3])

    def test_sform(self):
        for version in (1, 2):
            for kind in ("<i2", ">i2", "<u2", ">f4", "<f8", "<i8", "u1", "i1", ">u4"):
                a = volume(kind, shift=0)
                made = nifti(a, version, "s", rows=self.ROWS)
                self.check(self.write("s.nii", made), a, self.PLACE)
                self.check(self.write("s.nii.gz", gzip.compress(made)), a, self.PLACE)

    def test_both_forms(self):
        """The sform wins."""
        a = volume()
        made = nifti(a, 1, "s", rows=self.ROWS, quatern=(1, 0, 0), offset=(7, 7, 7))
        self.check(self.write("both.nii", made), a, self.PLACE)

    def test_qform(self):
        """A quarter turn around z, and axes to the left."""
        half = 0.5 ** 0.5
        for version in (1, 2):
            for sign in (1, -1):
                a = volume(">f4")
                made = nifti(a, version, "q", quatern=(0, 0, half), offset=(1, 2, 3), pixdim=(sign, 2, 3, 4))
                place = ([[0, 2, 0], [-3, 0, 0], [0, 0, 4 * sign]], [1, 2, 3])
                self.check(self.write("q.nii", made), a, place)

    def test_no_form(self):
        a = volume("<f4")
        place = (numpy.diag([-2, 3, 4]), [4, -4.5, -4])
        self.check(self.write("n.nii", nifti(a, pixdim=(1, 2, 3, 4))), a, place)

    def test_scaling(self):
        a = volume("<i2")
        for scaling, expected in (((0.5, 3), a * 0.5 + 3), ((0, 9), a), ((2, 0), a * 2.0), ((1, -4), a - 4.0),
                                  ((float("nan"), 1), a)):
            for version in (1, 2):
                made = nifti(a, version, "s", scaling, rows=self.ROWS)
                self.check(self.write("x.nii.gz", gzip.compress(made)), expected, self.PLACE)

    def test_extension(self):
        a = volume("<f4")
        made = nifti(a, 1, "s", rows=self.ROWS, extension=struct.pack("<2i", 32, 6) + b"x" * 24)
        self.check(self.write("e.nii", made), a, self.PLACE)

    def test_further_axes(self):
        """Times become components, which lie apart in the file."""
        for n in (3, 5):
            a = volume("<f4", (n,) + VOLUME)
            made = nifti(a, 1, "s", rows=self.ROWS)
            self.check(self.write("t.nii", made), numpy.moveaxis(a, 0, -1), self.PLACE, n)

    def test_plane(self):
        a = volume("<f4", (4, 5))
        rows = ((0.5, 0, 0, 10), (0, 2, 0, 20), (0, 0, 1, 0))
        place = (numpy.diag([.5, 2]), [10, 20])
        self.check(self.write("p.nii", nifti(a, 1, "s", rows=rows)), a, place)

    def test_too_short(self):
        made = nifti(volume("<f4"), 1, "s", rows=self.ROWS)
        self.refused(self.write("s.nii", made[:-1]), 3)
        self.refused(self.write("h.nii", made[:300]), 3)
        self.refused(self.write("g.nii.gz", gzip.compress(made)[:-20]), 3)


def tiff(pages, order="<", big=False, **other):
    """A TIFF file of arrays [y, x] or [y, x, component]; rows_per_strip, compression, planar, description."""
    compression, rows = other.get("compression", 1), other.get("rows_per_strip", 2)
    word, size = (order + "Q", 8) if big else (order + "I", 4)
    made = bytearray((b"II" if order == "<" else b"MM") + struct.pack(order + "H", 43 if big else 42))
    made += struct.pack(order + "HHQ", 8, 0, 0) if big else struct.pack(order + "I", 0)
    link = len(made) - size
    for page in pages:
        n = page.shape[2] if page.ndim == 3 else 1
        planes = [page[:, :, k] for k in range(n)] if other.get("planar") else [page]
        offsets, counts = [], []
        for plane in planes:
            for y in range(0, page.shape[0], rows):
                data = plane[y:y + rows].astype(plane.dtype.newbyteorder(order)).tobytes()
                data = zlib.compress(data) if compression == 8 else data
                offsets.append(len(made))
                counts.append(len(data))
                made += data
        kind, bits = page.dtype.kind, page.dtype.itemsize * 8
        tags = [(256, "I", [page.shape[1]]), (257, "I", [page.shape[0]]), (258, "H", [bits] * n),
                (259, "H", [compression]), (262, "H", [2 if n > 2 else 1])]
        if "description" in other:
            tags.append((270, "s", other["description"].encode() + b"\0"))
        tags += [(273, "I", offsets), (277, "H", [n]), (278, "I", [rows]), (279, "I", counts),
                 (284, "H", [2 if other.get("planar") else 1])]
        if n == 4:
            tags.append((338, "H", [2]))
        tags.append((339, "H", [{"u": 1, "i": 2, "f": 3}[kind]] * n))
        entries = b""
        for tag, form, values in tags:
            data = values if form == "s" else struct.pack(order + form * len(values), *values)
            n_values = len(values)
            if len(data) > size:
                place = len(made)
                made += data + b"\0" * (len(data) % 2)
                data = struct.pack(word, place)
            entries += struct.pack(order + "HH", tag, {"H": 3, "I": 4, "s": 2}[form])
            entries += struct.pack(word, n_values) + data.ljust(size, b"\0")
        made += b"\0" * (len(made) % 2)
        struct.pack_into(word, made, link, len(made))
        made += struct.pack(order + ("Q" if big else "H"), len(tags)) + entries
        link = len(made)
        made += b"\0" * size
    return bytes(made)


class Tiff(OddFiles):

    def test_pages(self):
        for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"):
            for order in "<>":
                a = volume(kind, shift=0)
                self.check(self.write("a.tif", tiff(a, order)), a)
                self.check(self.write("p.tif", tiff(a[:1], order)), a[0])

    def test_forms(self):
        a = volume("u2", shift=0)
        self.check(self.write("big.tif", tiff(a, ">", big=True)), a)
        self.check(self.write("deflate.tif", tiff(a, compression=8)), a)
        self.check(self.write("strips.tif", tiff(a, rows_per_strip=3)), a)
        self.check(self.write("strip.tif", tiff(a, rows_per_strip=1 << 30)), a)

    def test_colours(self):
        for n in (3, 4):
            a = volume("u1", (4, 5, n), scale=1, shift=0)
            for planar in (False, True):
                self.check(self.write("rgb.tif", tiff([a], planar=planar)), a, n=n)
            self.check(self.write("stack.tif", tiff([a, a + 1, a + 2])), numpy.stack([a, a + 1, a + 2]), n=n)

    def test_distances(self):
        a = volume("f4")
        text = ('<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">'
                '<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="float" SizeX="5" SizeY="4" '
                'SizeZ="3" SizeC="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="%s" PhysicalSizeYUnit="%s" '
                'PhysicalSizeZ="2"/></Image></OME>')
        for size, unit in (("0.25", "µm"), ("250", "nm"), ("0.00025", "mm")):
            path = self.write("ome.tif", tiff(a, description=text % (size, unit)))
            self.check(path, a, (numpy.diag([.5, .25, 2]), [0, 0, 0]))

    def test_refused(self):
        a = volume("u1", shift=0)
        self.refused(self.write("half.tif", tiff(a.astype("f2"))), 3, "16 bits")
        self.refused(self.write("mixed.tif", tiff([a[0], a[1, :2]])), 3, "different sizes")
        self.refused(self.write("types.tif", tiff([a[0], a[1].astype("u2")])), 3, "types")
        self.refused(self.write("cut.tif", tiff(a)[:40]), 3)


if __name__ == "__main__":
    common.main()
