"""What the tests of the package share.

    NAME_test.py MODULE-FOLDER [FOLDER...] [OPTION...]

The module is that of the source tree, or with "-" the package that is installed. Options are those of
pytest, or where that is not installed those of unittest. $DIDEROTC names the compiler, $XDG_CACHE_HOME a
folder for what is compiled.
"""

import contextlib
import importlib.util
import os
import sys
import unittest

PRELOAD = os.environ.pop("LD_PRELOAD", None)  # of sanitizers, which this process has and others have themselves
MODULE = sys.argv.pop(1)
FOLDERS = []  # of a test that wants some
while len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
    FOLDERS.append(sys.argv.pop(1))
sys.dont_write_bytecode = True
if MODULE != "-":
    sys.path.insert(0, MODULE)

try:
    import numpy
except ImportError:
    numpy = None

# Value and gradient of an image at positions: a collection of strands.
PROBE = """#version 2.0
input image(%(d)d)[] img ("samples");
input vec%(d)d[] at ("positions");
input real scale ("what values are multiplied by") = 1.0;
field#1(%(d)d)[] F = img ⊛ ctmr;

strand probe (vec%(d)d pos) {
   output real value = 0;
   output vec%(d)d slope = %(zero)s;
   update {
      value = scale*F(pos);
      slope = scale*∇F(pos);
      stabilize;
   }
}

create_collection { probe(pos) | pos in at }
"""
PROBE_2 = PROBE % {"d": 2, "zero": "[0, 0]"}
PROBE_3 = PROBE % {"d": 3, "zero": "[0, 0, 0]"}

# A grid of 3 x 4 strands that takes a step for each row.
COUNT = """#version 2.0
input real scale ("what is counted") = 2.5;
input int rows = 3;
input bool loud = false;
input vec2 shift = [0.1, -2];
input tensor[2,3] turn = [[1,2,3],[4,5,6]];
input int[3] fixed = {7, 8, 9};
input string word ("what is printed") = "it is";
input int[] many = {};
const int N = 4;

strand count (int row, int column) {
   int step = 0;
   output real sum = 0;
   output vec2 pair = shift;
   output tensor[2,3] turned = turn;
   output int[] trail = {};
   output bool flag = loud;
   update {
      step += 1;
      sum += scale;
      trail = trail @ (10*row + column);
      if (step > row) {
         if (loud && column == 0) { print(word, " ", row, " ", fixed[row], " ", length(many), "\\n"); }
         stabilize;
      }
   }
}

create_array { count(row, column) | row in 0..rows-1, column in 0..N-1 }
"""


@contextlib.contextmanager
def environment(**variables):
    """For a while; None: without it."""
    before = dict(os.environ)
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def as_lists(value):
    return value.tolist() if hasattr(value, "tolist") else value


def main():
    """Run the tests of the program."""
    if importlib.util.find_spec("pytest") is None:
        unittest.main()
    import pytest
    sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv]))
