"""From an array to a picture: tests/python/wheel.sh runs this with what pip installed."""

import numpy
import diderot
from diderot import array

y, x = numpy.mgrid[0:7, 0:8]
slopes = diderot.compile("""#version 2.0
input image(2)[] img;
field#1(2)[] F = img ⊛ ctmr;
strand pixel (int y, int x) {
   output vec2 slope = [0, 0];
   vec2 pos = [real(x), real(y)];
   update { if (inside(pos, F)) { slope = ∇F(pos); } stabilize; }
}
create_array { pixel(y, x) | y in 0..6, x in 0..7 }
""")
found = slopes(img=3 * x + 4.0 * y).slope
assert found.shape == (7, 8, 2) and abs(found[2:5, 2:5] - [3, 4]).max() < 1e-5, found
assert array.sum(found[..., 0] > 2) >= 9
print("the slope is", *found[3, 3].round(3))
