"""What notebooks see: magics, pictures, tables, sliders, colours. Pillow reads the pictures, Pygments colours
the programs, and IPython runs the cells.
"""

import contextlib
import io
import itertools
import re
import threading
import unittest

import numpy
import PIL.Image
from IPython.core.interactiveshell import InteractiveShell
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String

from common import COUNT
import common
import diderot
from diderot import _controls, _lexer, _notebook, _pictures  # pylint: disable=no-name-in-module

PICTURES = """#version 2.0
input real gain = 0.5;
input int rows = 8;
input bool dark = false;
input vec2 shift = [0, 0];
strand s (int y, int x) {
   output real grey = 0;
   output vec3 colour = [0, 0, 0];
   output vec2 pair = shift;
   output int many = x + 10*y;
   update {
      grey = gain*(x - y);
      colour = [real(x)/10, real(y)/10, 0.5];
      if (dark) { grey = -grey; }
      stabilize;
   }
}
create_array { s(y, x) | y in 0..rows-1, x in 0..9 }
"""


def pixels(png):
    return numpy.asarray(PIL.Image.open(io.BytesIO(png)))


class Pictures(unittest.TestCase):

    def test_bytes_come_back(self):
        random = numpy.random.default_rng(1)
        for shape in ((1, 1), (3, 5), (4, 7, 3), (2, 2, 4), (300, 3)):
            given = random.integers(0, 256, shape, dtype="u1")
            found = pixels(_pictures.png_bytes(given))
            self.assertTrue((found == given).all(), shape)

    def test_ranges(self):
        grey = numpy.array([[-1.0, 0.0], [1.0, numpy.nan]])
        self.assertEqual(pixels(_pictures.png_of(grey)).tolist(), [[0, 128], [255, 0]])
        colour = numpy.array([[[0, 0.5, 1]] * 2] * 2)
        self.assertEqual(pixels(_pictures.png_of(colour))[0, 0].tolist(), [0, 128, 255])
        bright = 4 * colour
        self.assertEqual(pixels(_pictures.png_of(bright))[0, 0].tolist(), [0, 128, 255])
        flat = numpy.full((2, 2), 3.0)
        self.assertEqual(pixels(_pictures.png_of(flat)).tolist(), [[0, 0], [0, 0]])
        self.assertIn(" 2&times;2, 3 to 3<", _pictures.html_of("flat", flat))
        self.assertIn(" 2&times;2&times;3, 0.5 to 2<", _pictures.html_of("bright", bright / 4 * 1.5 + 0.5))
        nothing = numpy.full((2, 2), numpy.nan)
        self.assertEqual(pixels(_pictures.png_of(nothing)).tolist(), [[0, 0], [0, 0]])
        self.assertIn(" 2&times;2, no number<", _pictures.html_of("nothing", nothing))
        true = numpy.full((2, 2), True)
        self.assertEqual(pixels(_pictures.png_of(true)).tolist(), [[255, 255], [255, 255]])

    def test_large_ones_are_thinned(self):
        self.assertEqual(pixels(_pictures.png_of(numpy.zeros((1500, 40)))).shape, (500, 14))

    def test_sizes(self):
        """Small ones are enlarged, so that their pixels can be seen."""
        for shape, expected in (((8, 8), (160, 160)), ((3, 4), (160, 120)), ((100, 60, 3), (60, 100)),
                                ((200, 2), (2, 200)), ((1500, 40), (14, 500))):
            self.assertEqual(_pictures.size_of(numpy.zeros(shape)), expected)
            self.assertIn("width='%d' height='%d'" % expected, _pictures.html_of("x", numpy.zeros(shape)))

    def test_what_is_a_picture(self):
        for shape, expected in (((4, 5), True), ((4, 5, 1), True), ((4, 5, 3), True),
                                ((4, 5, 2), False), ((4,), False), ((1, 9), False), ((2, 2, 2, 3), False)):
            self.assertEqual(_pictures.is_picture(numpy.zeros(shape)), expected, shape)
        self.assertFalse(_pictures.is_picture([[1, 2], [3, 4]]))


class Shown(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.program = diderot.compile(PICTURES)

    def test_program(self):
        html = diderot.compile(COUNT.replace("what is counted", "what is < counted"))._repr_html_()
        for expected in ("<td style='text-align:left'>scale</td>", "what is &lt; counted", "= 2.5",
                         "tensor[2,3]", "&rarr; trail"):
            self.assertIn(expected, html)

    def test_result(self):
        result = self.program()
        found = pixels(result._repr_png_())
        self.assertEqual(found.shape, (8, 10))  # the first picture is grey, of -3.5 to 4.5
        self.assertEqual((int(found[7, 0]), int(found[0, 9])), (0, 255))
        html = result._repr_html_()
        self.assertEqual(len(re.findall("data:image/png;base64", html)), 3)
        self.assertIn("<b>grey</b> 8&times;10, -3.5 to 4.5", html)
        self.assertIn("<b>pair</b> 8&times;10&times;2, ", html)
        self.assertIn("80 strands, 1 steps", html)

    def test_no_picture(self):
        result = diderot.compile(COUNT)(rows=1, loud=True)
        self.assertIsNone(result._repr_png_())
        self.assertIn("<pre>it is 0 7 0", result._repr_html_())

    def test_histogram(self):
        html = _pictures.html_of("n", numpy.array([0.0] * 3 + [32.0]))
        heights = [float(text) for text in re.findall("height='([0-9.]+)' fill", html)]
        self.assertEqual((len(heights), heights[0], heights[-1], sum(heights)), (32, 60, 20, 80))


class Magics(unittest.TestCase):

    def setUp(self):
        self.shell = InteractiveShell.instance()
        self.shell.run_line_magic("load_ext", "diderot")

    def cell(self, line, text):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.shell.run_cell_magic("diderot", line, text)
        return re.sub("\033\\[[0-9]*m", "", said.getvalue()), said.getvalue()

    def test_cells(self):
        self.assertEqual(self.cell("seen --double --CN=2", COUNT), ("", ""))
        self.assertEqual(self.shell.user_ns["seen"](rows=1).sum.tolist(), [[2.5, 2.5]])
        self.assertEqual(self.shell.user_ns["seen"](rows=1).sum.dtype, "f8")
        self.assertEqual(self.shell.user_ns["seen"].name, "seen")

    def test_mistakes(self):
        plain, coloured = self.cell("wrong", COUNT.replace("sum += scale", "sum += skale"))
        self.assertIn("[wrong.diderot:21.14-18] Error: undeclared variable 'skale'", plain)
        self.assertIn("\033[31mError:", coloured)
        self.assertIn("^~~~~", plain)
        self.assertNotIn("wrong", self.shell.user_ns)
        self.assertIn("the program needs a name", self.cell("", COUNT)[0])
        self.assertIn("'class' is a word of Python, and cannot", self.cell("class", COUNT)[0])
        self.assertIn("x 'y: No closing quotation", self.cell("x 'y", COUNT)[0])
        self.assertIn("'--doble' is neither an option nor a name", self.cell("x --doble", COUNT)[0])

    def test_warnings(self):
        plain, _ = self.cell("doubtful", COUNT.replace("const int N", "input int idle = 1;\nconst int N"))
        self.assertIn("Warning: input 'idle' is not used", plain)
        self.assertIn("doubtful", self.shell.user_ns)

    def test_doc(self):
        for word, expected in (("∇", "∇  field#k(d)[] -> field#(k-1)(d)[d]  gradient\n"),
                               ("∇", "by name \\nabla  by two characters NB"),
                               ("`bspln3`", "bspln3  type kernel#2  support 2  degree 3  "),
                               ("abs", "absolute value, |a|\n"), ("π", "by name \\pi"),
                               ("strand", "strand  a keyword\n"), ("vec3", "vec3  a type\n"),
                               ("|", "|  an operator\n"), ("", "usage: %diderot_doc NAME"),
                               ("wxyz", "the language has no 'wxyz'\n"),
                               ("normalise", "the language has no 'normalise'; did you mean 'normalize'?")):
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.shell.run_line_magic("diderot_doc", word)
            self.assertIn(expected, said.getvalue())


class Interaction(unittest.TestCase):

    def test_sliders(self):
        program = diderot.compile(PICTURES)
        whole = diderot.interact(program, rows=6)
        boxes, (picture, said) = whole.children[0].children, whole.children[1].children
        self.assertEqual([type(box).__name__ for box in boxes],
                         ["FloatSlider", "Checkbox", "FloatText", "FloatText"])
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertEqual(pixels(picture.value).shape, (6, 10))
        self.assertEqual((picture.width, picture.height), ("160", "96"))
        before = pixels(picture.value)
        boxes[1].value = True
        self.assertTrue(whole.diderot_latest.wait(60))
        inverse = 255 - before.astype(int)
        self.assertLessEqual(abs(pixels(picture.value) - inverse).max(), 1)  # of rounding
        self.assertGreater(abs(inverse - before).max(), 200)
        self.assertRegex(said.value, "s$")

    def test_boxes_of_all_types(self):
        """Also of what has no default; ranges as descriptions say, else as diderotc view has them."""
        program = diderot.compile("""#version 2.0
            input real level ("from where [0..255]");
            input real wide  ("a scale [log 0.01..100]");
            input real odd   ("[2..1], [..], [a..b]") = 0.001;
            input real away = inf;
            input real below = -2;
            input int many;
            input int few = 3;
            input bool dark;
            input vec2 shift;
            input mat2 turn = [[1, 2], [3, 4]];
            input int[2] pair = {5, 6};
            input bool[2] both = {true, false};
            input string word;
            strand s (int y, int x) {
               output real grey = 0;
               output vec4 rest = [0, 0, 0, 0];
               update {
                  grey = level + wide + odd + below + many + few + pair[1] + turn[1,0] + shift[0] + x*y;
                  rest = [away, 1.0 if dark else 0.0, 1.0 if both[0] else 0.0, 0];
                  print(word);
                  stabilize;
               }
            }
            create_array { s(y, x) | y in 0..1, x in 0..2 }
        """, warning="none")
        whole = diderot.interact(program)
        boxes = {box.description: box for box in whole.children[0].children}
        self.assertEqual([(name, type(box).__name__, box.value) for name, box in boxes.items()], [
            ("level", "FloatSlider", 127.5), ("wide", "FloatLogSlider", 1.0),
            ("odd", "FloatSlider", 0.001), ("away", "FloatText", float("inf")),
            ("below", "FloatSlider", -2.0), ("many", "IntSlider", 2), ("few", "IntSlider", 3),
            ("dark", "Checkbox", False), ("shift[0]", "FloatText", 0.0), ("shift[1]", "FloatText", 0.0),
            ("turn[0][0]", "FloatText", 1.0), ("turn[0][1]", "FloatText", 2.0),
            ("turn[1][0]", "FloatText", 3.0), ("turn[1][1]", "FloatText", 4.0),
            ("pair[0]", "IntText", 5), ("pair[1]", "IntText", 6),
            ("both[0]", "Checkbox", True), ("both[1]", "Checkbox", False), ("word", "Text", "")])
        self.assertEqual([(boxes[name].min, boxes[name].max) for name in (
            "level", "wide", "odd", "below", "many", "few")],
            [(0, 255), (-2, 2), (0, 0.004), (-8, 8), (0, 4), (0, 12)])
        self.assertEqual([round(boxes[name].step, 9) for name in ("level", "odd", "below", "wide")],
                         [0.5, 1e-5, 0.02, 0.01])
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertEqual(pixels(whole.children[1].children[0].value).shape, (2, 3))
        with self.assertRaisesRegex(diderot.Error, "no input 'levl'; did you mean 'level'"):
            diderot.interact(program, levl=1)

    def test_names_in_other_letters(self):
        program = diderot.compile("""#version 2.0
            input real λ;
            input real α = 3;
            strand s (int y, int x) { output real grey = λ*x + α*y; update { stabilize; } }
            create_array { s(y, x) | y in 0..1, x in 0..2 }
        """)
        whole = diderot.interact(program, λ=2)
        self.assertEqual([box.description for box in whole.children[0].children], ["alpha"])
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertEqual(pixels(whole.children[1].children[0].value).shape, (2, 3))

    def test_defaults_at_the_ends(self):
        """Of what numbers there are, and of what descriptions say."""
        inputs = (("real huge = 1.0e308", "FloatText", 1e308, None), ("real tiny = 1.0e-323", "FloatText", 1e-323, None),
                  ("real less = -1.0e308", "FloatText", -1e308, None),
                  ('real far ("[1e308..1.5e308]")', "FloatSlider", 1.25e308, (1e308, 1.5e308)),
                  ('real wide ("[log 1e200..1e300]")', "FloatLogSlider", 1e250, (200, 300)),
                  ('real above ("[log 0.1..10]") = 1000', "FloatLogSlider", 1000, (-1, 3)),
                  ('real below ("[log 0.1..10]") = 0.001', "FloatLogSlider", 0.001, (-3, 1)),
                  ('real none ("[log 0.1..10]") = 0', "FloatSlider", 0, (0, 10)),
                  ('int part ("[0.5..0.7]")', "IntSlider", 2, (0, 4)),
                  ('int cut ("[0.5..2.7]")', "IntSlider", 1, (1, 2)),
                  ('int over ("[0..1e999]") = 3', "IntSlider", 3, (0, 12)),
                  ('int out ("[1e10..1e11]") = 3', "IntSlider", 3, (0, 12)),
                  ("int most = 2000000000", "IntSlider", 2000000000, (0, 2**31 - 1)),
                  ("int least = -2000000000", "IntSlider", -2000000000, (-2**31, 2**31 - 1)))
        program = diderot.compile("#version 2.0\n" + "".join("input %s;\n" % text for text, *_ in inputs) + """
            strand s (int y, int x) { output real grey = x*y; update { stabilize; } }
            create_array { s(y, x) | y in 0..1, x in 0..2 }
        """, double=True, warning="none")
        whole = diderot.interact(program)
        for box, (text, kind, value, ends) in zip(whole.children[0].children, inputs):
            self.assertEqual((type(box).__name__, box.description), (kind, text.split()[1]))
            self.assertAlmostEqual(box.value / (value or 1), bool(value), 12)
            if ends:
                self.assertEqual((round(box.min, 12), round(box.max, 12)), ends)
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertEqual(pixels(whole.children[1].children[0].value).shape, (2, 3))
        for given in (5, COUNT, None):
            with self.assertRaisesRegex(diderot.Error, "interact: expected a program, found " + type(given).__name__):
                diderot.interact(given)

    def test_steps_meet_the_value(self):
        for low, high, value in itertools.product((-7.3, 0, 0.1), (0.5, 10, 255), (0.1, 0.3, 1/3, 0.4999)):
            step = _controls.step_of(low, high, value)
            n_steps = (value - low) / step
            self.assertAlmostEqual(n_steps, round(n_steps), 5)
            self.assertTrue(200 < (high - low) / step < 1e5 or value - low < 0.01, (low, high, value))

    def test_without_a_picture(self):
        image = diderot.compile("""#version 2.0
            input image(1)[] line;
            field#1(1)[] F = line ⊛ ctmr;
            strand s (int x) { output real grey = F(x); update { stabilize; } }
            create_array { s(x) | x in 2..4 }
        """)
        with self.assertRaisesRegex(diderot.Error, "needs the input line .image.1"):
            diderot.interact(image)
        whole = diderot.interact(image, line=range)
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertIn("line: type is not an array", whole.children[1].children[1].value)
        whole = diderot.interact(image, line=[1.0, 2, 3, 4, 5, 6, 7])
        self.assertTrue(whole.diderot_latest.wait(60))
        picture, said = whole.children[1].children
        self.assertEqual((picture.layout.display, picture.value), ("none", b""))
        self.assertIn("<b>grey</b> 3, 3 to 5", said.value)

    def test_errors_are_shown(self):
        whole = diderot.interact(diderot.compile(PICTURES), shift=[1, 2, 3])
        self.assertTrue(whole.diderot_latest.wait(60))
        self.assertIn("shift: 3 values, expected 2", whole.children[1].children[1].value)

    def test_what_is_out_of_date_is_dropped(self):
        begun, go, done = threading.Event(), threading.Event(), []

        def work(value):
            begun.set()
            go.wait(60)
            done.append(value)

        latest = _notebook.Latest(work)
        latest.ask(1)
        begun.wait(60)
        for value in (2, 3, 4):
            latest.ask(value)
        go.set()
        self.assertTrue(latest.wait(60))
        self.assertEqual(done, [1, 4])

    def test_work_that_fails_is_not_the_last(self):
        done, told = [], []

        def work(value):
            if value == 1:
                raise ValueError(value)
            done.append(value)

        before, threading.excepthook = threading.excepthook, told.append
        self.addCleanup(setattr, threading, "excepthook", before)
        latest = _notebook.Latest(work)
        for value in (1, 2):
            latest.ask(value)
            self.assertTrue(latest.wait(60))
        self.assertEqual((done, [failure.exc_type for failure in told]), ([2], [ValueError]))


class Colours(unittest.TestCase):

    def test_tokens(self):
        lexer = _lexer.DiderotLexer(stripnl=False)
        text = "#version 2.0\n/* a * b */ strand S' (int i) { real λ = ∇F(x')•[1.5e-3, π]; // ⊛\n" \
               "print(\"a\\n\", evals(M)); stabilize; } field#1(2)[] F = load(\"x\") ⊛ bspln3;\n"
        found = [(kind, value) for kind, value in lexer.get_tokens(text) if value.strip()]
        self.assertEqual("".join(value for _, value in lexer.get_tokens(text)), text)
        for expected in ((Comment.Preproc, "#version 2.0"), (Keyword, "strand"), (Name.Class, "S'"),
                         (Keyword.Type, "int"), (Name, "i"), (Name, "λ"), (Operator, "∇"),
                         (Name, "F"), (Name, "x'"), (Operator, "•"), (Number.Float, "1.5e-3"),
                         (Keyword.Constant, "π"), (Comment.Single, "// ⊛"), (Keyword, "print"),
                         (String.Escape, "\\n"), (Name.Builtin, "evals"), (Keyword, "stabilize"),
                         (Keyword.Constant, "load"), (Operator, "⊛"), (Name.Constant, "bspln3"),
                         (Punctuation, ";")):
            self.assertIn(expected, found)
        self.assertEqual([value for kind, value in found if kind in Comment.Multiline],
                         ["/*", " a ", "*", " b ", "*/"])
        self.assertFalse(any(str(kind) == "Token.Error" for kind, _ in found))


if __name__ == "__main__":
    common.main()
