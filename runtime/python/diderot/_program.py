"""Programs as functions: inputs are arguments, outputs are arrays."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _compiler, _described, _placed
from ._errors import Error, unknown_name
from ._library import Library
from ._memory import numpy_if_any
from ._types import is_array
from ._values import c_count
from ._world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence

    from ._device import DeviceArray
    from ._progress import Progress

    Entry = dict[str, Any]
    Teller = Union[None, bool, Callable[[Progress], object]]


class Stats(NamedTuple):
    """How a run went.

    steps    supersteps; strands, stable, active  numbers at the end; seconds  elapsed time
    """

    steps: int
    strands: int
    stable: int
    active: int
    seconds: float


# ---- programs ---------------------------------------------------------------------------------

_OPTIONS = ("threads", "max_steps", "progress", "out", "comm")  # options of a call, besides inputs


def _mapping(expected: str, given: Any) -> Mapping[str, Any]:
    """The argument, which must be a dictionary."""
    if not hasattr(given, "items"):
        raise Error("%s, in a dictionary, found %s" % (expected, type(given).__name__))
    known: Mapping[str, Any] = given
    return known


def check_given(program: Program, inputs: Mapping[str, Any]) -> None:
    """Check that all required inputs are given."""
    missing = [known.name for known in program.inputs.values()
               if known.is_required and known.name not in inputs]
    if missing:
        raise Error("%s: the program needs the input%s %s" % (
            program.name, "s" if len(missing) > 1 else "",
            ", ".join("%s (%s)" % (name, program.inputs[name].type) for name in missing)))


def check_run(program: Program, inputs: Mapping[str, Any], threads: Optional[int]) -> None:
    """Check the names of inputs, and that all required ones are given."""
    for name in inputs:
        if name not in program.inputs:
            raise unknown_name("input", name, [*program.inputs, *_OPTIONS])
    check_given(program, inputs)
    c_count("threads", threads or 0)


def is_image(entry: Entry) -> bool:
    """Whether an input is an image."""
    return is_array(entry["type"]) and bool(entry["type"]["kind"] == "image")


class Program:
    """A compiled program: call it with its inputs.

    inputs, outputs  their descriptions, by name
    library          the functions behind it
    file             its name
    """

    def __init__(self, library: Library, file: str) -> None:
        self.library = library
        self.file = file
        self.name: str = library.description["program"]
        with World(library) as world:
            self.inputs = {name: _described.input_of(entry, world.default(name))
                           for name, entry in library.inputs.items()}
        self.outputs = {name: _described.output_of(entry) for name, entry in library.outputs.items()}

    def __repr__(self) -> str:
        return "<diderot.Program %s(%s) -> %s>" % (
            self.name, ", ".join(self.inputs), ", ".join(self.outputs))

    def _repr_html_(self) -> str:
        from ._notebook import html_of_program
        return html_of_program(self)

    def __copy__(self) -> Program:
        """A program is immutable, so its copy is itself, even if no other process could load it."""
        return self

    def __deepcopy__(self, _: Any) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its file: on the same machine other processes load the same library."""
        return _loaded, (self.library.description, self.library.path, self.file)

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            has_ranks = ("init_world_mpi", "func") in self.library.runtime
            self.__signature__ = _described.signature(self.inputs, has_ranks, Result)
            return self.__signature__
        raise AttributeError("%s has no attribute %r" % (type(self).__name__, name))

    def __call__(self, **given: Any) -> Result:
        """Run it: inputs by name, and

        threads    their number; None: one for each core
        max_steps  limit of supersteps; 0: to the end
        progress   True: shown; a function: called about ten times a second with a Progress
        out        arrays for outputs, by name, which are written to and shown by the Result
        comm       for the target mpi, a communicator of mpi4py, whose processes all make this call
                   and share the work

        If an input has the name of one of these, the argument is the input; run separates them.
        """
        options = {name: given.pop(name) for name in _OPTIONS
                   if name in given and name not in self.inputs}
        return self.run(given, **options)

    def run(self, inputs: Mapping[str, Any], threads: Optional[int] = None, max_steps: int = 0,
            progress: Teller = None, out: Optional[Mapping[str, Any]] = None,
            comm: Any = None) -> Result:
        """Run with the inputs in a dictionary."""
        inputs = self.library.named(_mapping("run: expected the inputs", inputs))
        arrays = self.library.named_outputs(
            {} if out is None else _mapping("out: expected arrays by the names of outputs", out))
        for name in arrays:
            if name not in self.outputs:
                raise unknown_name("output", name, self.outputs)
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise Error("progress: expected True or a function, found %r" % (progress,))
        if comm is not None and progress:
            raise Error("progress: runs of several processes cannot be cut by the clock of one")
        result = self._run(inputs, threads, max_steps, self._like_of(inputs), progress, comm)
        for name, array in arrays.items():
            result.write(name, array)
        return result

    def _like_of(self, inputs: Mapping[str, Any]) -> Optional[_placed.Like]:
        return _placed.like_of(self.library.inputs, inputs)

    def _run(self, inputs: Mapping[str, Any], threads: Optional[int], max_steps: int,
             like: Optional[_placed.Like], progress: Teller = None, comm: Any = None) -> Result:
        check_run(self, inputs, threads)
        world = self.library.world_of(inputs, comm)
        if threads is not None:
            world.set_num_workers(threads)
        return Result(self, world, max_steps, like, progress)

    def world(self, **inputs: Any) -> World:
        """A World with these inputs, to be run in steps; comm as in a call."""
        return self.library.world(**inputs)

    def run_many(self, runs: Iterable[Mapping[str, Any]], threads: Optional[int] = None,
                 max_steps: int = 0, **common: Any) -> list[Result]:
        """A list of results, one for each dictionary of inputs; inputs in `common` are for all.
        Images are prepared only once. On a GPU the next run is prepared while one goes on, and
        results are in memory of the host."""
        seen: dict[tuple[str, int], Any] = {}
        results: list[Result] = []
        if not hasattr(runs, "__iter__"):
            raise Error("run_many: expected the inputs of each run, found %r" % (runs,))
        common = self.library.named(common)
        with _Row(self, max_steps, common) as row:
            for inputs in runs:
                own = _mapping("run_many: expected the inputs of each run", inputs)
                given = {**common, **self.library.named(own)}
                prepared = {name: self._prepared(seen, name, value)
                            for name, value in given.items()}
                if row.is_possible:
                    results.append(row.next(prepared, threads, self._like_of(given)))
                else:
                    results.append(self._run(prepared, threads, max_steps, self._like_of(given)))
        return results

    def _prepared(self, seen: dict[tuple[str, int], Any], name: str, value: Any) -> Any:
        """An image of an array, prepared with its placement; the same object for the same value."""
        entry = self.library.inputs.get(name)
        if entry is None or not is_image(entry):
            return value
        if (name, id(value)) not in seen:  # the value is kept, so its id stays unique
            seen[name, id(value)] = value, _placed.prepared(entry, value)
        return seen[name, id(value)][1]


class _Row:
    """Runs on a GPU, one after another: while one goes on, the next is prepared; then the outputs
    of the first are fetched and its world is closed.  So the GPU holds at most two worlds, and what
    they share."""

    def __init__(self, program: Program, max_steps: int, common: Iterable[str]) -> None:
        self.is_possible = ("start", "func") in program.library.runtime
        self._program, self._max_steps, self._common = program, max_steps, frozenset(common)
        self._last: Optional[Result] = None
        self._images: dict[str, Any] = {}  # shared by all runs
        self._owner: Optional[World] = None  # the world that owns these images and never runs

    def __enter__(self) -> _Row:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the last run; its error came before the exception that ended the block."""
        last, self._last = self._last, None
        try:
            if last:
                last.finish()
                last.leave()
        finally:
            if self._owner:
                self._owner.close()

    def next(self, inputs: Mapping[str, Any], threads: Optional[int],
             like: Optional[_placed.Like]) -> Result:
        result = Result(self._program, self._world(inputs, threads), like=like, is_started=True)
        before, self._last = self._last, None
        try:
            if before:
                before.finish()
            result.start(self._max_steps)
        except BaseException:
            result._world.close()
            raise
        self._last = result
        if before:
            before.leave()  # while the next run goes on
        return result

    def _own(self, inputs: Mapping[str, Any]) -> World:
        """The world that owns shared images, made by the first run."""
        if not self._owner:
            images = {name: inputs[name] for name in self._common
                      if is_image(self._program.library.inputs[name])
                      and not _placed.is_on_device(inputs[name])}
            self._owner, self._images = self._program.library.world_of(images), images
        return self._owner

    def _world(self, inputs: Mapping[str, Any], threads: Optional[int]) -> World:
        """A world for a run; shared images are not set again."""
        check_run(self._program, inputs, threads)
        owner = self._own(inputs)
        shared = [name for name, value in inputs.items()
                  if name in self._images and self._images[name] is value]
        world = self._program.library.world_of({name: value for name, value in inputs.items()
                                                if name not in shared})
        for name in shared:
            world.share(name, owner)
        if threads is not None:
            world.set_num_workers(threads)
        return world


def _loaded(description: dict[str, Any], path: str, file: str) -> Program:
    if not os.path.exists(path):
        raise Error("%s: the library of the program is not kept any more, compile it again" % file)
    return made(Library(description, path), file)


def made(library: Library, file: str) -> Program:
    """A program as an instance of its own class, whose docstring help shows."""
    made_of = Program(library, file)
    name = library.description["program"]
    made_of.__class__ = type(str(name), (Program,), {
        "__doc__": _described.described(made_of.inputs, made_of.outputs), "__module__": "diderot"})
    return made_of


# ---- results ----------------------------------------------------------------------------------


class Result:
    """What a run computed: outputs are attributes, and items by name.

    The first axes are those of the grid of strands; a collection has one, with a row per stable
    strand. Numpy arrays lie in memory of the world, which is freed with the last of them.

    stats    how the run went
    printed  what the program printed
    """

    def __init__(self, program: Program, world: World, max_steps: int = 0,
                 like: Optional[_placed.Like] = None, progress: Teller = None,
                 is_started: bool = False) -> None:
        """is_started: the world is created, and runs between start and finish."""
        self._program = program
        self._world = world
        self._like = like
        self._outputs: dict[str, Any] = {}
        self._printed: list[str] = []
        world.on_print(self._printed.append)
        self._begin = time.perf_counter()
        if is_started:
            world.create()
        elif progress:
            from . import _progress
            self._tell(_progress.follow(world, program.name, max_steps, progress))
        else:
            self._tell(world.run(max_steps))

    def _tell(self, steps: int) -> None:
        world = self._world
        self.stats = Stats(steps, world.num_strands, world.num_stable, world.num_active,
                           time.perf_counter() - self._begin)

    def start(self, max_steps: int) -> None:
        """Begin the run, which continues until finish."""
        self._begin = time.perf_counter()
        self._world.start(max_steps)

    def finish(self) -> None:
        """Wait for the end of the run, raise its errors, then close the world."""
        try:
            self._tell(self._world.wait())
        except BaseException:
            self._world.close()
            raise

    def leave(self) -> None:
        """Fetch all outputs, and close the world."""
        try:
            for name in self._program.outputs:
                self._outputs[name] = self._read(name, True)
        finally:
            self._world.close()

    @property
    def printed(self) -> str:
        return "".join(self._printed)

    def __getitem__(self, name: str) -> Any:
        name = self._program.library.spelled_outputs.get(name, name)
        if name not in self._outputs:
            if name not in self._program.outputs:
                raise unknown_name("output", name, self._program.outputs)
            self._outputs[name] = self._read(name, numpy_if_any() is None)
        return self._outputs[name]

    def _read(self, name: str, copy: bool) -> Any:
        found = self._world.output(name, copy=copy)
        return found if self._like is None else _placed.as_like(
            self._like, found, name, self._program.outputs[name])

    def on_device(self, name: str) -> DeviceArray:
        """An output where it is in memory of the GPU, for CuPy, PyTorch and others."""
        shown: DeviceArray = self._world.output(name, memory="cuda")
        return shown

    def write(self, name: str, out: Any) -> Any:
        """Write an output to an array of its shape, with any strides and type, which the result
        shows from then on."""
        spelled = self._program.library.spelled_outputs.get(name, name)
        self._outputs[spelled] = self._world.write(spelled, out)
        return out

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except Error as error:
            raise AttributeError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._program.outputs or name in self._program.library.spelled_outputs

    def __iter__(self) -> Iterator[str]:
        return iter(self._program.outputs)

    def __len__(self) -> int:
        return len(self._program.outputs)

    def keys(self) -> KeysView[str]:
        return self._program.outputs.keys()

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(self._program.outputs))

    def _repr_html_(self) -> str:
        from ._notebook import html_of_result
        return html_of_result(self)

    def _repr_png_(self) -> Optional[bytes]:
        from ._notebook import png_of_result
        return png_of_result(self)

    def __repr__(self) -> str:
        return "<diderot.Result of %s: %s; %d steps, %.3g s>" % (
            self._program.name, ", ".join(self._program.outputs), self.stats.steps,
            self.stats.seconds)


# ---- compiling --------------------------------------------------------------------------------


def compile(source: Union[str, os.PathLike[str]], *,  # pylint: disable=redefined-builtin
            name: str = "program", target: str = "parallel", double: bool = False,
            long_int: bool = False, snapshot: bool = False,
            constants: Optional[Mapping[str, Any]] = None, cache: bool = True, debug: bool = False,
            arch: Optional[str] = None, warning: str = "on",
            options: Sequence[str] = ()) -> Program:
    """A Program of a text, or of a file that ends in .diderot.

    name       of a text, in messages
    target     "parallel", "sequential", "cuda", "hip" or "mpi"
    double     reals are doubles; long_int: ints have 64 bits
    snapshot   outputs can be read while it runs
    constants  values of `const` globals by name
    cache      keep the library where `diderotc run` keeps executables, and reuse it
    debug      with checks, for debuggers
    arch       kinds of processors, as for --arch
    warning    "on", "none" or "error"
    options    further options of diderotc

    Raises CompileError with all messages; warnings are CompileWarnings.
    """
    file, library = _compiler.make(
        source, Library, name=name, target=target, double=double, long_int=long_int,
        snapshot=snapshot, constants=constants, cache=cache, debug=debug, arch=arch,
        warning=warning, options=options)
    return made(library, file)
