"""Programs on communicators of mpi4py: each process gets what a run alone gives.

    ranks_test.py MODULES     to be started by mpirun
"""

import sys

sys.path.insert(0, sys.argv.pop(1))
import numpy  # noqa: E402
from mpi4py import MPI  # noqa: E402
import diderot  # noqa: E402

TEXT = """#version 2.0
input int n = 3000;
input image(2)[] img;
field#1(2)[] F = img ⊛ ctmr;
real all = 0;

strand walker (int i) {
   output vec2 pos = [i*0.37 - floor(i*0.37), i*0.71 - floor(i*0.71)];
   output int[] seen = {i};
   int age = 0;
   update {
      pos += 0.01*∇F([10, 10] + 5*pos) + [0.001*all, 0];
      age += 1;
      if (age == 2 && i < n && i % 5 == 0) { new walker(i + n); }
      if (age == 3 && i % 7 == 0) { die; }
      if (age > 4) { print(i, "\\n"); stabilize; }
   }
}
update { all = sum { w.pos[0] | w in walker.all }/n; print("all ", all, "\\n"); }
create_collection { walker(i) | i in 0..n-1 }
"""

comm = MPI.COMM_WORLD
image = numpy.add.outer(numpy.arange(30)**2 % 17, numpy.arange(32) % 5).astype("f4")
text = TEXT.replace("   output int[] seen = {i};\n", "")


def same(found, want):
    assert found.shape == want.shape and found.size > 0, (found.shape, want.shape)
    assert found.tobytes() == want.tobytes()


for source, name in ((text, "shared out"), (TEXT, "each does all")):
    program = diderot.compile(source, target="mpi")
    alone = program(img=image, n=2500, threads=1)
    shared = program(img=image, n=2500, comm=comm)
    same(shared.pos, alone.pos)
    assert shared.stats[:4] == alone.stats[:4], (name, shared.stats, alone.stats)
    assert shared.printed == (alone.printed if comm.rank == 0 else ""), name
    assert len(alone.printed) > 1000
    if source is TEXT:
        assert [int(n) for n in shared.seen[7]] == [int(n) for n in alone.seen[7]]

# Steps; outputs of one rank alone; a world that one drops early; part of the processes.
program = diderot.compile(text, target="mpi", snapshot=True)
part = comm.Split(comm.rank % 2)
for group in (comm, part):
    with program.world(img=image, comm=group) as world, program.world(img=image) as other:
        for each in world, other:
            each.on_print(lambda text: None)
        while True:
            assert world.run(2) == other.run(2)
            if group.rank == group.size - 1:
                same(world.snapshot("pos"), other.snapshot("pos"))
            if not world.num_active:
                break
        if group.rank == 0:
            world.close()
        with program.world(img=image, n=100, comm=group) as third:
            third.on_print(lambda text: None)
            assert third.run() > 0
        if group.rank > 0:
            same(world["pos"], other["pos"])
part.Free()


def refusal(function):
    try:
        function()
    except diderot.Error as error:
        return str(error)
    raise AssertionError("no error")


differ = refusal(lambda: program(img=image, n=100 + comm.rank, comm=comm)) if comm.size > 1 else ""
assert differ in ("", "[DIDEROT] n: rank 1 was given another value than rank 0"), differ
assert "expected a communicator of mpi4py, found int" in refusal(
    lambda: program(img=image, comm=3))
assert "it is not a communicator" in refusal(lambda: program(img=image, comm=MPI.COMM_NULL))
assert "cannot be cut by the clock of one" in refusal(
    lambda: program(img=image, comm=comm, progress=True))
assert "is not for the target mpi" in refusal(
    lambda: diderot.compile(text, target="sequential")(img=image, comm=comm))
if comm.rank == 0:
    print("good")
