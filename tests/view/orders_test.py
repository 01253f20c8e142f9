"""Programs that take orders: their frames are compared with the files of the executable; runs end, crash or never end."""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checks import check, finish, until
from programs import received, reader, run_alone

diderotc, root, folder = sys.argv[1:4]
os.makedirs(folder, exist_ok=True)

ENDLESS = """#version 2.0
input image(1)[] img;
input real gain = 1.0;
field#0(1)[] F = img ⊛ tent;
strand turn (int k) {
   output real x = gain*F(1.0);
   int n = 0;
   update {
      n = (n + 1) % 1000;
      if (n > 1000) { stabilize; }
   }
}
create_array { turn(k) | k in 0..99 }
"""

# With u from 1.5 on doubled in each step until it is above the limit: closed forms for each line.
DOUBLING = """#version 2.0
input real limit = 20.0;
function real twice (real v) { return 2.0*v; }
strand cell (int row, int col) {
   real u = 1.5 + col + 10.0*row;
   output int n = 0;
   update {
      if (u > limit) { stabilize; }
      u = twice(u);
      n += 1;
      print(n);
   }
}
create_array { cell(row, col) | row in 0..4, col in 0..6 }
"""
# Every strand that lives makes one more, in steps: strand k is born in superstep k.
BIRTHS = """#version 2.0
strand link (int k) {
   output int age = 0;
   update {
      age += 1;
      if (age == 1 && k < 6) { new link(k + 1); }
      if (age == 3) { stabilize; }
   }
}
create_collection { link(k) | k in 0..0 }
"""
# Half of six die, and two of the others make one more: what is left has the births 0, 2, 4, 6, 7.
DYING = """#version 2.0
strand link (int k) {
   output int number = k;
   int age = 0;
   update {
      age += 1;
      if (k < 6 && k % 2 == 1) { die; }
      if (age == 2 && k < 4) { new link(k + 10); }
      if (age == 4) { stabilize; }
   }
}
create_collection { link(k) | k in 0..5 }
"""
# The same deaths where no strand sees another, so that nobody can tell supersteps.
ALONE = """#version 2.0
strand one (int k) {
   output int number = k;
   update { if (k % 2 == 1) { die; } stabilize; }
}
create_collection { one(k) | k in 0..5 }
"""
# All work is in initial values, for which strands are created in lanes.
AT_FIRST = """#version 2.0
input int width = 47;
strand pixel (int j, int i) {
   real x = 0.1*i + 0.03*j;
   output real value = x*sin(x) + exp(-x)*sqrt(x + 2.0);
   output int place = 1000*j + i;
   update { stabilize; }
}
create_array { pixel(j, i) | j in -3..19, i in 2..1 + width }
"""
# One strand waits for ever; all look at each other.
WAITING = """#version 2.0
strand one (int k) {
   output int n = 0;
   output vec2 pos = [1.0*k, 0.0];
   update {
      foreach (one o in sphere(0.5)) { n += o.n; }
      n = 1 - n;
   }
}
create_collection { one(k) | k in 0..3 }
"""


class Program:
    def __init__(self, path, *arguments, options=()):
        self.orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen(
            [diderotc, "run", "--viewed", "--warnings=none", "--target=parallel", *options, path, "--", *arguments],
            stdin=theirs, stderr=subprocess.PIPE)
        theirs.close()
        text = self.orders.recv(1 << 20)
        self.description = json.loads(text) if text else None

    def order(self, thinning=1, mode="end", strand=None, **inputs):
        ours, theirs = socket.socketpair()
        words = [str(thinning), mode] + ([strand] if strand is not None else [])
        for name, values in inputs.items():
            words += [name, str(len(values)), *values]
        socket.send_fds(self.orders, ["".join(word + "\0" for word in words).encode()], [theirs.fileno()])
        theirs.close()
        return ours

    def frames(self, *arguments, **inputs):
        with self.order(*arguments, **inputs) as wire:
            return list(received(reader(wire.recv)))

    def end(self):
        self.orders.close()
        return self.process.wait(timeout=10)


def children(process):
    with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as file:
        return file.read().split()


def written(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def same_as_alone():
    path = os.path.join(root, "examples/mandelbrot/mandelbrot.diderot")
    with tempfile.TemporaryDirectory() as alone:
        shape, values = run_alone(diderotc, path, alone, "-width", "101", "-height", "67", "-span", "0.5")["rgb"]
    program = Program(path, "-width", "101")
    check([i["value"] for i in program.description["inputs"] if i["name"] == "width"] == [["101"]], "argument")
    given = {"height": ["67"], "span": ["0.5"]}
    (head, whole), = program.frames(**given)
    check(head["kind"] == "last" and head["outputs"][0]["shape"] == [67, 101] and shape == [67, 101, 3], head)
    check(whole["rgb"] == values, "all pixels")
    (head, thin), = program.frames(4, **given)
    check(head["thinning"] == 4 and head["outputs"][0]["shape"] == [17, 26], head)
    check(thin["rgb"] == [values[3 * (101 * y + x) + c] for y in range(0, 67, 4) for x in range(0, 101, 4)
                          for c in range(3)], "every fourth pixel")
    (head, _), = program.frames(steps=["many"])
    check(head["kind"] == "error" and 'steps: cannot read "many"' in head["text"], head)
    (head, _), = program.frames(centre=["1"])
    check(head["kind"] == "error" and "centre: expected 2 values, found 1" in head["text"], head)
    check(program.end() == 0, "ends with its orders")


def thinned_at_first(width, *options):
    """Strands that are created together: rows of the thinned grid are longer than a gang, or shorter."""
    program = Program(written("at-first.diderot", AT_FIRST), "-width", str(width), options=options)
    (_, whole), = program.frames()
    check(whole["place"] == [1000*j + i for j in range(-3, 20) for i in range(2, 2 + width)], "places")
    for n in (2, 3, 8, 64):
        (head, thin), = program.frames(n)
        kept = [width*j + i for j in range(0, 23, n) for i in range(0, width, n)]
        check(head["thinning"] == n and thin["place"] == [whole["place"][k] for k in kept], width, n, options)
        check(thin["value"] == [whole["value"][k] for k in kept], width, n, options)
    check(program.end() == 0, "ends")


def creates_in_lanes():
    code = subprocess.run([diderotc, "--emit-c", written("at-first.diderot", AT_FIRST)], capture_output=True, text=True)
    check("ddr_iterators(" in code.stdout, code.stderr)


def by_steps():
    path = os.path.join(root, "examples/reaction/reaction.diderot")
    program = Program(path, "-l", "7", "-width", "24", "-height", "18")
    last = [values for head, values in program.frames() if head["kind"] == "last"][0]
    with program.order(mode="play") as wire:
        steps = []
        for head, values in received(reader(wire.recv)):
            steps.append((head["kind"], head["step"]))
            if head["kind"] == "last":
                check(values == last, "the same by steps")
            else:
                wire.send(b"s")
    check(steps == [("step", k) for k in range(7)] + [("last", 7)], steps)
    (head, _), = program.frames(thinning=2)
    check(head["kind"] == "error" and "cannot be thinned" in head["text"], head)
    check(program.end() == 0, "ends")


def without_an_end():
    image = written("ramp.nrrd", "NRRD0004\ntype: float\ndimension: 1\nsizes: 4\nspace dimension: 1\n"
                    "space directions: (1)\nspace origin: (0)\nencoding: ascii\n\n1 2 4 8\n")
    program = Program(written("endless.diderot", ENDLESS))
    (head, _), = program.frames()
    check((head["kind"], head["name"]) == ("missing", "img"), head)
    (head, _), = program.frames(img=["none.nrrd"])
    check(head["kind"] == "missing" and "No such file" in head["text"], head)
    wire = program.order(img=[image])
    check(until(lambda: children(program.process)), "a run begins")
    time.sleep(0.05)
    wire.close()
    check(until(lambda: not children(program.process)), "a run that nobody wants ends")
    first = program.order(mode="play", img=[image])
    next(received(reader(first.recv)))
    process = int(children(program.process)[0])
    second = program.order(mode="play", img=[image])
    next(received(reader(second.recv)))
    os.kill(process, signal.SIGKILL)
    first.settimeout(10)
    check([head["kind"] for head, _ in received(reader(first.recv))] == ["error"], "one ends while another goes on")
    check(len(children(program.process)) == 1, "which it does")
    second.close()
    with program.order(mode="play", img=[image], gain=["0.5"]) as wire:
        head, values = next(received(reader(wire.recv)))
        check(values["x"] == [1.0] * 100, "the image stays", values["x"][:3])
    check(program.end() == 0, "ends")
    return image


def crash(image):
    program = Program(os.path.join(folder, "endless.diderot"))
    wire = program.order(img=[image])
    check(until(lambda: children(program.process)), "a run begins")
    os.kill(int(children(program.process)[0]), signal.SIGSEGV)
    (head, _), = received(reader(wire.recv))
    check(head["kind"] == "error" and "ended by signal 11" in head["text"], head)
    with program.order(mode="play", img=[image]) as wire:
        check(next(received(reader(wire.recv)))[0]["kind"] == "step", "the next run")
    check(program.end() == 0, "ends")


def refused():
    program = Program(os.path.join(root, "examples/reaction/reaction.diderot"), "-none", "1")
    check(program.description is None, "an unknown option ends it")
    check(b'"-none"' in program.process.stderr.read() and program.end() == 1, "and is told")
    alone = subprocess.run([diderotc, "run", "--viewed", "--warnings=none", os.path.join(folder, "endless.diderot")],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True)
    check(alone.returncode == 1 and "can only be started by diderotc view" in alone.stderr, alone.stderr)


def values_of(trace, name, superstep):
    """What a variable was made in that superstep."""
    return [record["value"] for part in trace["parts"] if part["superstep"] == superstep for record in part["records"]
            if trace["sites"][record["site"]]["kind"] == "assign" and trace["sites"][record["site"]]["name"] == name]


def follows_a_strand():
    program = Program(written("doubling.diderot", DOUBLING), options=["--trace"])
    for strand, (row, col), limit in (("3,1", (1, 3), 20.0), ("0,0", (0, 0), 20.0), ("#34", (4, 6), 1000.0)):
        (head, trace), = program.frames(mode="trace", strand=strand, limit=[str(limit)])
        check(head == {"kind": "trace"} and trace["strand"]["index"] == [col, row], head, trace["strand"])
        u, step = 1.5 + col + 10.0 * row, 1
        while u <= limit:
            check(values_of(trace, "u", step) == [2 * u] and values_of(trace, "v", step) == [u], strand, step, u)
            check(values_of(trace, "n", step) == [step], strand, step)
            u, step = 2 * u, step + 1
        check(trace["end"] == {"how": "stable", "superstep": step}, trace["end"], step)
        check(values_of(trace, "u", step) == [], "no line behind stabilize")
    head, values = program.frames()[-1]
    check(head["kind"] == "last" and values["n"][:7] == [4, 4, 3, 3, 2, 2, 2], "whole runs as ever", head, values)
    for strand, message in (("7,0", "outside"), ("1", "too few"), ("#35", "no strand #35"), ("#", "names no"), ("", "names no"),
                            (",,", "names no"), ("#,1", "names no"), ("1,", "names no"), ("9" * 64, ""), ("#" + "9" * 63, ""),
                            ("1,2,3,4,5,6,7,8,9,10,11,12", "")):
        (head, _), = program.frames(mode="trace", strand=strand)
        check(head["kind"] == "error" and message in head["text"] and head["text"].count("\n") <= 1, strand, head)
    check(program.end() == 0, "ends")


def follows_births():
    program = Program(written("births.diderot", BIRTHS), options=["--trace"])
    for k in (0, 2, 6):
        (head, trace), = program.frames(mode="trace", strand="#%d" % k)
        check(trace["strand"] == {"name": "link", "index": None, "birth": k}, trace["strand"])
        check([values_of(trace, "age", k + n) for n in (1, 2, 3)] == [[1], [2], [3]], k)
        check(trace["end"] == {"how": "stable", "superstep": k + 3}, trace["end"])
    (head, _), = program.frames(mode="trace", strand="#7")
    check(head["kind"] == "error" and "strand #7 is never born" in head["text"], head)
    check(program.end() == 0, "ends")
    program = Program(os.path.join(folder, "births.diderot"))
    (head, _), = program.frames(mode="trace", strand="#0")
    check(head["kind"] == "error" and "--trace" in head["text"], head)
    check(program.end() == 0, "ends")


def tells_births():
    """In each frame the birth of each strand, by which a trace finds the same one."""
    program = Program(written("dying.diderot", DYING), options=["--trace"])
    expected = {0: [0, 1, 2, 3, 4, 5], 1: [0, 2, 4]}
    with program.order(mode="play") as wire:
        for head, values in received(reader(wire.recv)):
            check(values["births"] == expected.get(head["step"], [0, 2, 4, 6, 7]), head, values)
            if head["kind"] == "last":
                check(values["number"] == [0, 2, 4, 10, 12], head, values)
            else:
                wire.send(b"s")
    for birth, number in ((2, 2), (6, 10), (7, 12)):
        (head, trace), = program.frames(mode="trace", strand="#%d" % birth)
        check(values_of(trace, "number", trace["parts"][0]["superstep"]) == [number], birth, trace["parts"][0])
    check(program.end() == 0, "ends")
    program = Program(written("alone.diderot", ALONE))
    (head, values), = program.frames()
    check(values["births"] == [0, 2, 4] and values["number"] == [0, 2, 4], head, values)
    check(program.end() == 0, "ends")


def follows_without_an_end():
    """A strand that is never born keeps all others running; who asked goes away."""
    program = Program(written("waiting.diderot", WAITING), options=["--trace"])
    wire = program.order(mode="trace", strand="#9")
    check(until(lambda: children(program.process)), "a run begins")
    wire.close()
    check(until(lambda: not children(program.process)), "a trace that nobody wants ends")
    check(program.end() == 0, "ends")


same_as_alone()
creates_in_lanes()
thinned_at_first(5)
thinned_at_first(331)
thinned_at_first(331, "--scalar")
by_steps()
follows_a_strand()
follows_births()
tells_births()
follows_without_an_end()
crash(without_an_end())
refused()
finish()
