"""Small programs whose values are known in closed form: of all shapes of outputs, with a trace, without an end."""

# The strand of column c and row r begins with u = 3 + c/2 + 8r, and halves it until it is below 1.
HALVES = """#version 2.0
input real scale ("[1..4] of the first") = 1.0;
function real half (real v) { return 0.5*v; }
strand cell (int row, int col) {
   real u = scale*(3.0 + 0.5*col + 8.0*row);
   output int n = 0;
   update {
      bool isSmall = u < 1.0;
      if (isSmall) { stabilize; }
      u = half(u);
      n += 1;
   }
}
create_array { cell(row, col) | row in 0..4, col in 0..7 }
"""
SOLID = """#version 2.0
strand cell (int z, int y, int x) {
   output real v = real(100*z + 10*y + x);
   output vec2 w = [real(3*x), real(4*x)];
   update { stabilize; }
}
create_array { cell(z, y, x) | z in 0..2, y in 0..3, x in 0..4 }
"""
# Strand (row, col) looks at the field along a line from (col, 2*row), in steps of 1/2, and meets 5 at the column 5.
PLACES = """#version 2.0
input image(2)[] img;
field#0(2)[] F = img ⊛ tent;
strand ray (int row, int col) {
   real t = 0.0;
   output real best = 0.0;
   update {
      best = F([col + t, 2.0*row]);
      if (best >= 5.0) { stabilize; }
      t += 0.5;
   }
}
create_array { ray(row, col) | row in 0..3, col in 0..4 }
"""
COLUMNS = ("NRRD0004\ntype: float\ndimension: 2\nsizes: 8 8\nspace dimension: 2\nspace directions: (1,0) (0,1)\n"
           "space origin: (0,0)\nencoding: ascii\n\n" + "0 1 2 3 4 5 6 7\n" * 8)
GLASS = """#version 2.0
strand cell (int row, int col) {
   output vec4 rgba = [0.8, 0.8, 0.8, 0.25*col];
   output real level = 2.0*col - 2.0;
   update { stabilize; }
}
create_array { cell(row, col) | row in 0..0, col in 0..4 }
"""
LINE = """#version 2.0
strand point (int k) { output real y = real(k)*real(k); update { stabilize; } }
create_array { point(k) | k in 0..9 }
"""
POINTS = """#version 2.0
strand point (int k) {
   output vec2 pos = [real(k), real(k)];
   output vec3 colour = [0.0, 1.0, 0.0];
   update { if (k == 3) { die; } stabilize; }
}
create_collection { point(k) | k in 0..9 }
"""
NUMBERS = """#version 2.0
strand number (int k) { output int square = k*k; update { stabilize; } }
create_collection { number(k) | k in 0..9 }
"""
ENDLESS = """#version 2.0
input image(1)[] img ("samples");
field#0(1)[] F = img ⊛ tent;
strand turn (int k) {
   output real x = F(1.0);
   int n = 0;
   update { n = (n + 1) % 1000; if (n > 1000) { stabilize; } }
}
create_array { turn(k) | k in 0..99 }
"""
