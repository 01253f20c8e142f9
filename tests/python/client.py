"""A client that mypy --strict reads: python.types."""

import pathlib

import diderot
from diderot import array


def edges(samples: object) -> float:
    program = diderot.compile(pathlib.Path("edges.diderot"), double=True, constants={"N": 3})
    result = program(img=diderot.Image(samples, affine=[[1, 0, 0], [0, 1, 0]]), threads=2)
    name: str = program.inputs["img"].type
    steps: int = result.stats.steps + len(name)
    try:
        with program.world(img=samples) as world:
            world.run(max_steps=steps)
            world["edge"].sum()
    except diderot.CompileError as error:
        print(error.diagnostics[0].span, error)
    return float(result.edge.max())


for found in diderot.compile("x.diderot").run_many([{"scale": 1}], img=[[1, 2], [3, 4]]):
    print(found.printed, found["edge"], list(found.keys()))

view = array.View([[1, 2], [3, 4]]).transpose()
total: float = array.sum(abs(view * 2 - 1), axis=0).item()
smooth: array.View = array.Convolution([1, 2, 1], range="same")(view[0])
