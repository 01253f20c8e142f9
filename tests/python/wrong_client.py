"""What mypy --strict must refuse, one mistake a line that says so: python.types."""

import diderot
from diderot import array

diderot.compile(3)  # wrong
diderot.compile("x.diderot", doble=True)  # wrong
program = diderot.compile("x.diderot")
program.inputs["img"].kind  # wrong
program(img=[1]).stats.steps.foo  # wrong
program.world(img=[1]).run("3")  # wrong
array.View([1]).flip("x")  # wrong
array.decimate([1, 2], factors="22")  # wrong
