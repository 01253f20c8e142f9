"""diderot.compile, programs and results. What they compute is known in closed form."""

import array
import io
import inspect
import math
import os
import pathlib
import pydoc
import subprocess
import sys
import tempfile
import unittest
import warnings
from decimal import Decimal

import common
from common import COUNT, PROBE_2, as_lists, environment, numpy
import diderot
from diderot import _compiler  # pylint: disable=no-name-in-module
from diderot._shown import Sequences  # pylint: disable=no-name-in-module

LINEAR = [[10.0 * y + 2.0 * x - 3.0 for x in range(8)] for y in range(7)]


class Compiling(unittest.TestCase):

    def test_text_and_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "my count.diderot")
            with open(path, "w", encoding="utf-8") as file:
                file.write(COUNT)
            for source, name in ((COUNT, "program"), (path, "my count"),
                                 (pathlib.Path(path), "my count")):
                program = diderot.compile(source)
                self.assertEqual(program.name, name)
                self.assertEqual(as_lists(program(rows=1).sum), [[2.5] * 4])

    def test_options(self):
        program = diderot.compile(COUNT, double=True, long_int=True, target="sequential",
                                  constants={"N": 2}, snapshot=True, name="counter")
        self.assertEqual(program.library.description["float-size"], "64")
        self.assertEqual(program.library.description["int-size"], "64")
        self.assertEqual(program.name, "counter")
        world = program.world(scale=0.1, rows=3)
        world.run(2)
        self.assertEqual(as_lists(world.snapshot("sum")), [[0.1] * 2, [0.2] * 2, [0.2] * 2])
        with self.assertRaisesRegex(diderot.Error, "not for the parallel target"):
            program(threads=1)

    def test_constants(self):
        """As a command line has them."""
        for value, text in ((True, "true"), (2.5, "2.5"), ("it", "it"), ([1, (2, 3)], "[1, [2, 3]]"),
                            (range(2), "[0, 1]"), ([range(0), range(1)], "[[], [0]]")):
            self.assertEqual(_compiler._constant(value), text)

    def test_it_is_kept(self):
        """The second time nothing is compiled; neither is anything without a cache kept."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            compiler = os.path.join(folder, "cc")
            with open(compiler, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho x >>%s\nexec %s \"$@\"\n" % (
                    log, os.environ.get("DIDEROT_CC") or "cc"))
            os.chmod(compiler, 0o700)
            cache = os.path.join(folder, "cache")

            def made(is_new, **options):
                if os.path.exists(log):
                    os.remove(log)
                diderot.compile(COUNT, **options)
                with open(log, encoding="utf-8") as file:
                    self.assertEqual(len(file.readlines()) > 1, is_new)  # once for its version

            with environment(DIDEROT_CC=compiler, XDG_CACHE_HOME=cache):
                made(True)
                made(False)
                made(True, constants={"N": 3})
                made(True, cache=False)
                n_kept = len(os.listdir(os.path.join(cache, "diderot")))
                self.assertEqual(n_kept, 2)

    def test_mistakes(self):
        wrong = COUNT.replace("sum += scale", "sum += skale").replace("step > row", "step > true")
        with self.assertRaises(diderot.CompileError) as caught:
            diderot.compile(wrong, name="wrong")
        known = caught.exception.diagnostics
        self.assertEqual([entry.name for entry in known if entry.severity == "error"],
                         ["undeclared-variable", "no-overload"])
        lines = wrong.split("\n")
        (line, column), (last, end) = known[0].span
        self.assertEqual((lines[line - 1][column - 1:end - 1], line), ("skale", last))
        self.assertEqual(known[0].hint, "did you mean 'scale'?")
        with tempfile.TemporaryDirectory() as folder:  # the text is that of the command line
            with open(os.path.join(folder, "wrong.diderot"), "w", encoding="utf-8") as file:
                file.write(wrong)
            told = subprocess.run([os.environ["DIDEROTC"], "--no-warning=no-proxy", "wrong.diderot"],
                                  cwd=folder, capture_output=True, check=False)
        self.assertEqual(str(caught.exception), told.stderr.decode("utf-8").strip())

    def test_warnings(self):
        doubtful = COUNT.replace("const int N", "input real idle = 0;\nconst int N")
        with self.assertWarnsRegex(diderot.CompileWarning, "input 'idle' is not used"):
            diderot.compile(doubtful)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            diderot.compile(doubtful, warning="none")
        with self.assertRaisesRegex(diderot.CompileError, "idle"):
            diderot.compile(doubtful, warning="error")

    def test_what_is_no_program(self):
        for source, reason in (("none.diderot", "there is no program 'none.diderot'"),
                               ("vr", "'vr' is neither the text of a program nor the name"),
                               (b"strand", "bytes is not a program"),
                               (3, "int is not a program"), ("", "'' is neither")):
            with self.assertRaisesRegex(diderot.Error, reason):
                diderot.compile(source)
        with self.assertRaisesRegex(diderot.CompileError, "unrecognized target .abacus"):
            diderot.compile(COUNT, target="abacus")
        with self.assertRaisesRegex(diderot.Error, "constants: expected values by name, in a dictionary, found list"):
            diderot.compile(COUNT, constants=[3])
        with self.assertRaisesRegex(diderot.CompileError, "--CM: the program has no constant of"):
            diderot.compile(COUNT, constants={"M": 3}, warning="error")

    def test_wrong_arguments(self):
        for given, reason in (({"name": None}, "name: expected a string, found NoneType"),
                              ({"name": ""}, "name: '' cannot be the name of a program"),
                              ({"name": "-x"}, "name: '-x' cannot be the name of a program"),
                              ({"name": "a\0b"}, "null byte"),
                              ({"target": 3}, "target: expected a string, found int"),
                              ({"warning": None}, "warning: expected a string, found NoneType"),
                              ({"arch": 3}, "arch: expected a string, found int"),
                              ({"options": "--double"}, "options: expected a list of strings, found '--double'"),
                              ({"options": None}, "options: expected a list of strings, found None"),
                              ({"options": [3]}, "options: expected a string, found int"),
                              ({"options": ["--doble"]}, "unknown option --doble"),
                              ({"options": ["--help"]}, "describes no library with these options")):
            with self.assertRaisesRegex(diderot.Error, reason), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                diderot.compile(COUNT, **given)
        with self.assertRaisesRegex(diderot.Error, "program.diderot: .*surrogates not allowed"):
            diderot.compile(COUNT + "// \ud800\n")

    def test_no_compilers(self):
        with environment(DIDEROTC=None, PATH="/none"):
            if common.MODULE != "-":
                with self.assertRaisesRegex(diderot.Error, "there is no diderotc, .* or name it in"):
                    diderot.compile(COUNT)
        with environment(DIDEROTC="/no/diderotc"):
            with self.assertRaisesRegex(diderot.Error, "cannot run /no/diderotc: No such file"):
                diderot.compile(COUNT)
        with environment(DIDEROT_CC="no-such-compiler"):
            with self.assertRaisesRegex(diderot.CompileError, "cannot run the C compiler 'no-such"):
                diderot.compile(COUNT)


class Programs(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.count = diderot.compile(COUNT)
        cls.probe = diderot.compile(PROBE_2)

    def test_inputs_and_outputs(self):
        known = self.count.inputs
        self.assertEqual(list(known), ["scale", "rows", "loud", "shift", "turn", "fixed", "word",
                                       "many"])
        self.assertEqual([entry.type for entry in known.values()],
                         ["real", "int", "bool", "vec2", "tensor[2,3]", "int[3]", "string", "int[]"])
        self.assertEqual([entry.default for entry in known.values()],
                         [2.5, 3, False, (0.1, -2), ((1, 2, 3), (4, 5, 6)), (7, 8, 9), "it is", None])
        self.assertEqual([entry.shape for entry in known.values()],
                         [(), (), (), (2,), (2, 3), (3,), (), ()])
        self.assertEqual(known["scale"].description, "what is counted")
        known = self.probe.inputs
        self.assertEqual([entry.is_required for entry in known.values()], [True, True, False])
        self.assertEqual([entry.type for entry in known.values()], ["image(2)[]", "vec2[]", "real"])
        known = self.count.outputs
        self.assertEqual([(entry.type, entry.shape) for entry in known.values()],
                         [("real", ()), ("vec2", (2,)), ("tensor[2,3]", (2, 3)), ("int[]", None),
                          ("bool", ())])

    def test_signature_and_help(self):
        told = inspect.signature(self.count)
        self.assertEqual(list(told.parameters)[:2] + list(told.parameters)[-2:],
                         ["scale", "rows", "progress", "out"])
        self.assertEqual(told.parameters["rows"].default, 3)
        self.assertIs(inspect.signature(self.probe).parameters["img"].default,
                      inspect.Parameter.empty)
        shown = io.StringIO()
        pydoc.Helper(output=shown)(self.probe)
        for expected in ("img    image(2)[]  required  samples",
                         "scale  real        = 1.0  what values are multiplied by",
                         "slope  vec2"):
            self.assertIn(expected, shown.getvalue())
        self.assertIn("program(img, at, scale) -> value, slope", repr(self.probe))

    def test_a_word_of_python_is_an_input(self):
        program = diderot.compile("""#version 2.0
            input int from = 3;
            input real threads = 0.5;
            strand s (int i) { output real x = 0; update { x = from*threads + 0*i; stabilize; } }
            create_array { s(i) | i in 0..1 }
        """)
        self.assertEqual(as_lists(program(threads=2, **{"from": 4}).x), [8, 8])
        self.assertEqual(as_lists(program.run({"threads": 3}, threads=1).x), [9, 9])
        self.assertEqual(list(inspect.signature(program).parameters), ["threads", "max_steps", "progress", "out"])

    def test_names_in_other_letters(self):
        """As the program writes them, and in ASCII, where those of others are taken."""
        program = diderot.compile("""#version 2.0
            input real λ = 1;
            input real α = 3;
            input real alpha = 4;
            strand s (int i) { output real β' = 0; update { β' = λ + 10*α + 100*alpha + i; stabilize; } }
            create_array { s(i) | i in 0..1 }
        """, warning="none")
        self.assertEqual(list(program.inputs), ["lambda", "alpha_2", "alpha"])
        result = program(λ=2, α=5)
        self.assertEqual([as_lists(result["β'"]), as_lists(result.beta_prime)], [[452, 453]] * 2)
        self.assertEqual(as_lists(program.run({"lambda": 2, "alpha_2": 5})["β'"]), [452, 453])
        many = program.run_many([{"α": 0}, {"alpha_2": 1}], λ=7)
        self.assertEqual([as_lists(run.beta_prime) for run in many], [[407, 408], [417, 418]])
        world = program.world(α=6)
        world["λ"] = 0
        world.run()
        self.assertEqual(as_lists(world["β'"]), [460, 461])
        out = array.array("f", [0, 0])
        program(λ=0, out={"β'": out})
        self.assertEqual(list(out), [430, 431])
        self.assertEqual([name in result for name in ("β'", "beta_prime", "β", "lambda")],
                         [True, True, False, False])
        with program.world() as unset:
            self.assertEqual([unset.default("λ"), unset.default("alpha_2")], [1, 3])
        with self.assertRaisesRegex(diderot.Error, "the input 'lambda' is given twice"):
            program.run({"λ": 1, "lambda": 2})
        with self.assertRaisesRegex(diderot.Error, "the output 'beta_prime' is given twice"):
            program(out={"β'": out, "beta_prime": out})

    def test_a_grid(self):
        result = self.count(scale=2, threads=2)
        self.assertEqual(as_lists(result.sum), [[2] * 4, [4] * 4, [6] * 4])
        self.assertEqual(as_lists(result["sum"]), as_lists(result.sum))
        self.assertEqual(result.pair.shape, (3, 4, 2))
        self.assertEqual(result.turned.shape, (3, 4, 2, 3))
        self.assertEqual(as_lists(result.turned)[2][1], [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(as_lists(result.trail[2, 1]), [21, 21, 21])
        self.assertEqual(as_lists(result.flag), [[False] * 4] * 3)
        self.assertEqual((result.stats.steps, result.stats.strands, result.stats.stable,
                          result.stats.active), (3, 12, 12, 0))
        self.assertEqual((list(result), len(result), dict(result).keys()),
                         (list(self.count.outputs), 5, self.count.outputs.keys()))
        self.assertIn("sum", dir(result))
        self.assertEqual(result.printed, "")

    def test_a_collection(self):
        result = self.probe(img=LINEAR, at=[[2, 3], [2.5, 3.5]], scale=2)
        self.assertEqual(len(result.value), 2)
        for found, expected in zip(as_lists(result.value), [62, 74]):
            self.assertAlmostEqual(found, expected, places=3)
        for row in as_lists(result.slope):
            self.assertAlmostEqual(row[0], 4, places=3)
            self.assertAlmostEqual(row[1], 20, places=3)
        self.assertEqual(as_lists(self.probe(img=LINEAR, at=[]).value), [])

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_lists_of_numbers_of_numpy(self):
        for many, length in ((list(numpy.arange(3)), 3), ([numpy.uint8(3), 4], 2), ([numpy.bool_(True)], 1)):
            found = self.count(loud=True, many=many, rows=1).printed
            self.assertEqual(found, "it is 0 7 %d\n" % length)
        for many, reason in (([numpy.float64(1), 2], "many: ints are expected, found float64"),
                             ([numpy.int64(2**40)], "many: 1099511627776 is not an int")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.count(many=many)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_sequences(self):
        """Those of one strand, of some, one after the other."""
        trail = self.count().trail
        for row in range(3):
            for column in range(4):
                self.assertEqual(trail[row, column].tolist(), [10 * row + column] * (row + 1))
        self.assertEqual((len(trail), len(trail[1]), trail[1][3].tolist()), (3, 4, [13, 13]))
        self.assertEqual([[len(one) for one in row] for row in trail], [[1] * 4, [2] * 4, [3] * 4])
        self.assertEqual([one.tolist() for one in trail[1:, 2][::-1]], [[22] * 3, [12] * 2])
        self.assertEqual(repr(trail[1:]), "<diderot.Sequences of 2 x 4 strands, 24 elements>")
        for index in (3, (0, 4), (0, 0, 0)):
            with self.assertRaises(IndexError):
                trail[index]  # pylint: disable=pointless-statement

    def test_sequences_without_numpy(self):
        """Of one strand at a time; those of a row can be looped over."""
        lengths, data = memoryview(array.array("q", [0, 1, 1, 2])), memoryview(array.array("i", [7, 8, 9]))
        row = Sequences(lengths.cast("B").cast("q", (2, 2)), data)
        self.assertEqual([list(one) for one in row], [[7], [8, 9]])
        grid = Sequences(lengths.cast("B").cast("q", (1, 2, 2)), data)
        self.assertEqual(list(grid[0, 1]), [8, 9])
        for use in (lambda: row[1:2], lambda: list(grid), lambda: grid[0], lambda: grid[0, :]):
            with self.assertRaisesRegex(diderot.Error, "expected [12] indices, of one strand; .* need numpy"):
                use()

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_vectors_with_hidden_numbers(self):
        hidden = numpy.ma.array([1.0, 2.0], mask=[False, True])
        for shift in (hidden, list(hidden)):
            with self.assertRaisesRegex(diderot.Error, "^shift: expected numbers everywhere, found a masked"):
                self.count(shift=shift)
        self.assertEqual(as_lists(self.count(shift=numpy.ma.array([1.0, 2.0]), rows=1).pair[0][0]), [1, 2])

    def test_printed(self):
        result = self.count(loud=True, word="so", many=[1, 2], threads=1)
        self.assertEqual(result.printed, "so 0 7 2\nso 1 8 2\nso 2 9 2\n")

    def test_max_steps(self):
        result = self.count(max_steps=2)
        self.assertEqual((result.stats.steps, result.stats.active), (2, 4))

    def test_a_world_in_steps(self):
        with self.count.world(scale=1, rows=2) as world:
            self.assertEqual(world.run(1), 1)
            self.assertEqual(world.num_active, 4)
            world.run()
            self.assertEqual(as_lists(world["sum"]), [[1] * 4, [2] * 4])

    def test_many_runs(self):
        found = self.probe.run_many([{"scale": scale} for scale in (1, 2)], img=LINEAR, at=[[2, 3]])
        self.assertEqual([round(as_lists(result.value)[0], 3) for result in found], [31, 62])
        with self.assertRaisesRegex(diderot.Error, "needs the input at .vec2"):
            self.probe.run_many([{}], img=LINEAR)
        for use in (lambda: self.probe.run(3), lambda: self.probe.run(None)):
            with self.assertRaisesRegex(diderot.Error, "run: expected the inputs, in a dictionary"):
                use()
        with self.assertRaisesRegex(diderot.Error, "run_many: expected the inputs of each run, found None"):
            self.probe.run_many(None)
        with self.assertRaisesRegex(diderot.Error, "run_many: expected the inputs of each run, in a dictionary, "
                                                   "found str"):
            self.probe.run_many({"scale": 1}, img=LINEAR, at=[])

    def test_lists_of_reals_too_large(self):
        for at in ([[1, 1e300]], [[math.inf, 1], (1, -1e39)], [[1, math.nan], [1e39, 1]],
                   [[10**39, 1]], [[10**400, 1]], [[0.5, 10**400]]):
            with self.assertRaisesRegex(diderot.Error, "^at: no real of the program is that large"):
                self.probe(img=LINEAR, at=at)
        for at in ([[math.inf, 1]], [[math.nan, 1]], [[1, -3.4028235e38]], [[2**63, 1]]):
            self.assertEqual(len(as_lists(self.probe(img=LINEAR, at=at).value)), 1)
        double = diderot.compile("#version 2.0\ninput real[] of; strand s (int k) { output real x = of[k]; "
                                 "update { stabilize; } } create_array { s(k) | k in 0..1 }", double=True)
        self.assertEqual(as_lists(double(of=[10**39, -1]).x), [1e39, -1])
        with self.assertRaisesRegex(diderot.Error, "^of: no real of the program is that large"):
            double(of=[10**400, 1])
        for many in ([2**63], [10**39, 1]):
            with self.assertRaisesRegex(diderot.Error, "^many: no int of the program is that large"):
                self.count(many=many)

    def test_wrong_inputs(self):
        for inputs, reason in (
                ({"scal": 1}, "no input 'scal'; did you mean 'scale'"),
                ({"scale": "1"}, "scale: '1' is not a number"),
                ({"scale": None}, "scale: None is not a number"),
                ({"scale": 1j}, "scale: 1j is not a number"),
                ({"scale": {}}, "scale: {} is not a number"),
                ({"rows": 1.5}, "rows: an int is expected"),
                ({"rows": 2**40}, "rows: 1099511627776 is not an int of the program"),
                ({"rows": 10**400}, "rows: no int of the program is that large"),
                ({"scale": 10**400}, "scale: no real of the program is that large"),
                ({"shift": [10**400, 1]}, "shift: no real of the program is that large"),
                ({"scale": 1e300}, "scale: no real of the program is that large"),
                ({"shift": [1, -1e300]}, "shift: no real of the program is that large"),
                ({"rows": float("nan")}, "rows: an int is expected"),
                ({"rows": float("inf")}, "rows: an int is expected"),
                ({"shift": [1, 2, 3]}, "shift: 3 values, expected 2"),
                ({"turn": [[1, 2, 3], [4, 5], [6]]}, "turn: nested lists must have the same length"),
                ({"loud": 0.5}, "loud: a bool is expected"),
                ({"loud": 2}, "loud: a bool is expected"),
                ({"loud": "true"}, "loud: 'true' is not a bool"),
                ({"loud": Decimal("sNaN")}, "loud: Decimal.'sNaN'. is not a bool"),
                ({"rows": Decimal("sNaN")}, "rows: Decimal.'sNaN'. is not a number"),
                ({"scale": Decimal("sNaN")}, "scale: Decimal.'sNaN'. is not a number"),
                ({"shift": [Decimal("sNaN"), 1]}, "shift: Decimal.'sNaN'. is not a number"),
                ({"loud": float("nan")}, "loud: a bool is expected"),
                ({"word": 3}, "word: expected a string, found int"),
                ({"word": None}, "word: expected a string, found NoneType"),
                ({"word": b"so"}, "word: expected a string, found bytes"),
                ({"word": "a\0"}, "word: a string cannot hold a NUL"),
                ({"word": "\ud800"}, "word: '.ud800' has characters that cannot be encoded"),
                ({"many": [1, 2**31]}, "many: 2147483648 is not an int of the program"),
                ({"many": array.array("q", [7, -2**40])}, "many: -1099511627776 is not an int"),
                ({"many": array.array("Q", [2**64 - 1])}, "many: 18446744073709551615 is not"),
                ({"turn": [[1, 2], [3, 4], [5, 6]]}, r"turn: values of shape \(3, 2\), expected \(2, 3"),
                ({"many": [1.5]}, "many: ints are expected, found float64"),
                ({"thread": 1}, "no input 'thread'; did you mean 'threads'"),
                ({"threads": 1.5}, "threads: 1.5 is not a whole number from 0 to"),
                ({"threads": "two"}, "threads: 'two' is not a whole number"),
                ({"threads": -1}, "threads: -1 is not a whole number"),
                ({"max_steps": 0.5}, "max_steps: 0.5 is not a whole number"),
                ({"progress": 3}, "progress: expected True or a function, found 3"),
                ({"out": [0]}, "out: expected arrays by the names of outputs, in a dictionary, found list"),
                ({"many": [[1], [2, 3]]}, "many: nested lists must have the same length"),
                ({"many": ["one"]}, "many: not an array of numbers"),
                ({"many": {}}, "many: dict is not an array, expected one of numbers"),
                ({"many": 3}, "many: int is not an array")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.count(**inputs)
        with self.assertRaisesRegex(diderot.Error, "needs the inputs img .image.2...., at .vec2"):
            self.probe()
        with self.assertRaisesRegex(diderot.Error, "img: object is not an array"):
            self.probe(img=object(), at=[])
        result = self.count()
        with self.assertRaisesRegex(diderot.Error, "no output 'sums'; did you mean 'sum'"):
            result["sums"]  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(diderot.Error, "no output 0"):
            result[0]  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(AttributeError, "did you mean 'sum'"):
            result.sums  # pylint: disable=pointless-statement
        self.assertFalse(hasattr(result, "nothing"))

    def test_results_live_as_long_as_their_arrays(self):
        kept = [self.count(scale=k).sum for k in range(20)]
        for k, found in enumerate(kept):
            self.assertEqual(as_lists(found)[0], [k] * 4)


# The field is 10 y + 2 x - 3, and its gradient (2, 10).
CLIMB = """#version 2.0
input image(2)[] img;
field#1(2)[] F = img ⊛ tent#1;
strand climb (int i, int j) {
   output vec2 pos = [1.0*i, 1.0*j];
   int n = 0;
   update {
      pos += 0.25*∇F(pos)/10.0;
      n += 1;
      if (n == 2) { stabilize; }
   }
}
create_array { climb(i, j) | j in 1..2, i in 1..3 }
"""


class Tracing(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.climb = diderot.compile(CLIMB, warning="none", double=True, options=["--trace"])

    def test_what_lines_gave(self):
        for asked in ((2, 1), {}), ((), {"birth": 5}):
            told = self.climb.world(img=LINEAR).trace(*asked[0], **asked[1])
            self.assertEqual(told["strand"], {"name": "climb", "index": [2, 1], "birth": 5})
            self.assertEqual(told["end"], {"how": "stable", "superstep": 2})
            values = {}
            for part in told["parts"]:
                for record in part["records"]:
                    name = told["sites"][record["site"]].get("name")
                    values.setdefault(name, []).append(record.get("value"))
            self.assertEqual(values["n"], [0, 1, 2])
            for found, right in zip(values["pos"], ([3, 2], [3.05, 2.25], [3.1, 2.5])):
                self.assertAlmostEqual(found[0], right[0], 12)
                self.assertAlmostEqual(found[1], right[1], 12)
            for gradient in values["∇F"]:
                self.assertAlmostEqual(gradient[0], 2, 12)
                self.assertAlmostEqual(gradient[1], 10, 12)

    def test_what_there_is_not(self):
        world = self.climb.world(img=LINEAR)
        for index, birth in ((), None), ((1, 1), 3):
            with self.assertRaisesRegex(diderot.Error, "needs an index, such as"):
                world.trace(*index, birth=birth)
        with self.assertRaisesRegex(diderot.Error, "outside: the grid has the sizes 3, 2"):
            world.trace(3, 0)
        with self.assertRaisesRegex(diderot.Error, "compiled without --trace"):
            diderot.compile(COUNT).world().trace(0, 0)


class Module(unittest.TestCase):

    def test_names(self):
        self.assertIn("compile", dir(diderot))
        with self.assertRaises(AttributeError):
            diderot.nothing  # pylint: disable=pointless-statement,no-member
        self.assertNotIn("compile", diderot.__all__)  # which would hide that of Python

    def test_import_takes_nothing_else(self):
        """Neither numpy nor what only compiling needs."""
        code = ("import sys; sys.path[:0] = %r; import diderot; "
                "print(sorted({'numpy', 'subprocess', 'inspect', 'tempfile'} & set(sys.modules)))")
        paths = [] if common.MODULE == "-" else [common.MODULE]
        told = subprocess.run([sys.executable, "-S", "-c", code % paths] if paths else
                              [sys.executable, "-c", code % paths],
                              capture_output=True, check=True)
        self.assertEqual(told.stdout.decode().strip(), "[]")


if __name__ == "__main__":
    if numpy is None:
        print("without numpy: outputs are memoryviews")
    common.main()
