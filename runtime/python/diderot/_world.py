"""Worlds: one run of a program, step by step.

Read next: _inputs.py, _shown.py.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from _thread import get_ident  # threading is imported only if needed

from ._device import DeviceArray
from ._dlpack import CUDA, ROCM
from ._errors import Error, unknown_name
from ._images import Frame
from ._inputs import frame_of, view_of
from ._memory import Memory, count_of, writable_memory_of
from ._shown import Sequences, array_of
from ._types import c_type, is_array, shape_of
from ._values import c_count, c_path, c_string, nested, shortest, utf_8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, NoReturn, Optional, Union

    from ._library import Library


def _number_of_gpu(which: Optional[str]) -> int:
    """The number of the GPU so chosen; all words mean the first."""
    text = os.environ.get("DIDEROT_GPU", "") if which is None else which
    return int(text) if text.isdigit() else 0


def _is_main_thread() -> bool:
    """Signal handlers are called only in the main thread."""
    threading = sys.modules.get("threading")
    return threading is None or get_ident() == threading.main_thread().ident


def _keeper(printing: Any, failures: list[BaseException], told: Any) -> Callable[[Any], None]:
    """A hook for exceptions that ctypes can only report: keeps an interrupt that comes when the
    printer begins, before it can catch anything. Otherwise the run would continue."""
    def keep(raised: Any) -> None:
        if raised.object is printing:
            failures.append(raised.exc_value)
        else:
            told(raised)
    return keep


def _check_components(name: str, given: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Check that the last axes are those of a value, or one of all its components, which an axis of
    one element may follow; the library knows only how many components there are."""
    given = given[:-1] if given[-1:] == (1,) else given
    last = given[-len(shape):]
    if not shape or len(last) < len(shape) or last == shape or last[-1] == count_of(shape):
        return
    found, expected = (" x ".join(map(str, sizes)) for sizes in (last, shape))
    raise Error("%s: the array ends in axes of size %s, expected %s" % (name, found, expected))


class World:
    """One run of the program: set inputs, run, read outputs. Close it, or use `with`.

    With a library for the target mpi and a communicator of mpi4py, its processes share the run. All
    of them give the same inputs and make the same calls until run returns; each gets all outputs.
    """

    def __init__(self, library: Library, comm: Any = None) -> None:
        self.library = library
        self._kept: dict[str, Any] = {}  # memory of inputs, and the communicator
        self._is_created = False
        self._is_running = False
        self._started: Optional[int] = None  # max_steps of a run whose end wait has not seen yet
        self._n_waited = 0  # steps of that run
        self._failures: list[BaseException] = []  # of the printer, which must not know the world
        self._printing: list[int] = []  # likewise: the threads that are calling it
        self._printer: Any = None
        self._print: Any = None  # called by the printer
        self._number = _number_of_gpu(None)
        self._world = library.runtime["new_world", "func"]()
        if not self._world:
            raise Error("there is no world: memory is short, or the library was made for another "
                        "version of its runtime")
        if comm is None:
            self.call(library.runtime["init_world", "func"])
        else:
            self._join(comm)

    def _join(self, comm: Any) -> None:
        function = self.library.runtime.get(("init_world_mpi", "func"))
        if not function:
            raise Error("the library is not for the target mpi, so it takes no communicator")
        if not hasattr(comm, "py2f"):
            raise Error("comm: expected a communicator of mpi4py, found %s" % type(comm).__name__)
        self.call(function, comm.py2f())
        self._kept["(comm)"] = comm  # no input has this name

    def __enter__(self) -> World:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 where: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_world", None):
            self.close()

    def __reduce__(self) -> NoReturn:
        """Not allowed: two copies would free the same memory."""
        raise Error("a world cannot be copied, nor pickled; arrays of its outputs can")

    def close(self) -> None:
        """Release everything, once a run that was started has ended; arrays in place and borrowed
        ones are not used any more."""
        if self._is_running or get_ident() in self._printing:
            raise Error("a world that runs cannot be closed")
        world, self._world = self._world, None
        if world:
            self.library.runtime["shutdown", "func"](world)
        self._kept = {}

    def _handle(self) -> int:
        if not self._world:
            raise Error("the world is closed")
        return int(self._world)

    def _errors(self) -> str:
        address = self.library.runtime["get_errors", "get"](self._handle())
        text = ctypes.string_at(address).decode("utf-8", "replace") if address else ""
        self.library.free(address)
        return text.strip() or "out of memory"  # also for an empty message

    def call(self, function: Any, *arguments: Any) -> None:
        """Call a function of the library for this world, and raise the errors that it records."""
        if function(self._handle(), *arguments):
            raise Error(self._errors())

    def _work(self, function: Any, *arguments: Any) -> Any:
        """Call a function that may call the printer, which must not be replaced meanwhile."""
        was_running, self._is_running = self._is_running, True
        n_printing, told = len(self._printing), sys.unraisablehook
        if self._printer and _is_main_thread():
            sys.unraisablehook = _keeper(self._print, self._failures, told)
        try:
            return function(self._handle(), *arguments)
        finally:
            if sys.unraisablehook is not told and _is_main_thread():
                sys.unraisablehook = told
            del self._printing[n_printing:]  # left by an interrupt
            self._is_running = was_running

    # ---- inputs ----

    def _input(self, name: str) -> str:
        """Its ASCII name."""
        name = self.library.spelled_inputs.get(name, name)
        if name not in self.library.inputs:
            raise unknown_name("input", name, self.library.inputs)
        return name

    def default(self, name: str) -> Any:
        """The value of an input that is neither an image nor a sequence; None: it has none yet."""
        entry = self.library.inputs[self._input(name)]
        kind = entry["type"]
        if is_array(kind) or not entry["has-default"]:
            return None
        held: Any
        if kind == "string":
            held = ctypes.c_char_p()
            self.library.function(entry["get"])(self._handle(), ctypes.addressof(held))
            return (held.value or b"").decode("utf-8", "replace")
        parameter = entry["get"]["params"][1]["param-ty"]
        held = (c_type(parameter["arg"]) * parameter.get("size", 1))()
        self.library.function(entry["get"])(self._handle(), ctypes.addressof(held))
        numbers = [shortest(number) if parameter["arg"] == "float" else number for number in held]
        return nested(numbers, shape_of(kind)[0])

    def set(self, name: str, value: Any) -> None:
        """Set an input. Images and sequences take an array or the name of a file; an image may
        be an Image, which places it in space, or a Frame."""
        self.library.setter(self._input(name))(self, value)

    def __setitem__(self, name: str, value: Any) -> None:
        self.set(name, value)

    def keep(self, name: str, memory: Any) -> None:
        """Keep the memory of an input alive as long as the world."""
        self._kept[name] = memory

    def on_print(self, function: Optional[Callable[[str], object]]) -> None:
        """Call function(text) with the text of each print statement; None: standard output. An
        exception of it ends the run, which raises it again."""
        if not (function is None or callable(function)):
            raise Error("on_print: expected a function or None, found %r" % (function,))
        kind = self.library.printer_type()
        failures, printing = self._failures, self._printing

        def printer(_: Any, text: int) -> bool:
            try:
                printing.append(get_ident())
                try:
                    if function and not failures:
                        function(ctypes.string_at(text).decode("utf-8", "replace"))
                finally:
                    printing.remove(get_ident())
            except BaseException as failure:  # run raises it again
                failures.append(failure)
            return bool(failures)

        callback = kind(printer) if function else kind()
        self.call(self.library.runtime["printer_cb", "set"], callback, None)
        self._printer, self._print = callback, printer  # until here the old one may be called

    def set_num_workers(self, count: int) -> None:
        """Threads of a library for the parallel target; 0: all cores."""
        if ("num_workers", "set") not in self.library.runtime:
            raise Error("the library is not for the parallel target")
        self.call(self.library.runtime["num_workers", "set"], c_count("workers", count))

    def set_gpu(self, which: Union[None, int, str], block_size: int = 0) -> None:
        """For a library for --target=cuda: "any", "none", "required", or the number of a GPU; None:
        $DIDEROT_GPU decides. block_size is the threads per block; 0: chosen automatically."""
        if ("gpu", "set") not in self.library.runtime:
            raise Error("the library is not for the target cuda or hip")
        text = None if which is None else c_string("gpu", str(which).encode("utf-8"))
        address = None if text is None else ctypes.addressof(text)
        self.call(self.library.runtime["gpu", "set"], address, c_count("block_size", block_size))
        self._number = _number_of_gpu(None if which is None else str(which))

    @property
    def gpu(self) -> str:
        """The name of the GPU that does the work; empty: the CPU does."""
        if ("gpu", "get") not in self.library.runtime:
            return ""
        return ctypes.string_at(self.library.runtime["gpu", "get"](self._handle())).decode()

    # ---- running ----

    def create(self) -> None:
        """Make the strands; run does it too. Inputs are fixed from now on."""
        self._make(self.library.runtime["create_strands", "func"])

    def checkpoint(self, path: Union[str, os.PathLike[str]]) -> None:
        """Save the state of the world to a file, which appears complete or not at all. For programs
        with supersteps, between two runs."""
        text = c_path("path", path)
        self.call(self.library.runtime["checkpoint", "func"], ctypes.addressof(text))

    def resume(self, path: Union[str, os.PathLike[str]]) -> None:
        """Instead of create, with the same inputs: continue from a file of checkpoint, on
        any number of workers. What was printed before is not printed again."""
        text = c_path("path", path)
        self._make(self.library.runtime["resume", "func"], ctypes.addressof(text))

    def _make(self, function: Any, *arguments: Any) -> None:
        """Create the strands, then raise an interrupt of the last print."""
        self._failures.clear()
        has_failed = self._work(function, *arguments)
        self._is_created = self._is_created or not has_failed
        self._raise_failure()
        if has_failed:
            raise Error(self._errors())

    def run(self, max_steps: int = 0) -> int:
        """Run at most that many supersteps (0: to the end), and return their number. Ctrl-C ends the
        run after the superstep, or the current step of each strand; the next run continues."""
        c_count("max_steps", max_steps)
        if self._started is not None:
            self.wait()
        if not self._is_created:
            self.create()
        self._listen()
        return self._go_on(self._run_once(max_steps), max_steps)

    def _go_on(self, total: int, max_steps: int) -> int:
        """Continue after a signal whose handler returned: it ends the call, but not the run, even
        before the first step.  Two calls without a step mean that there is nothing left to do."""
        last, count = 1, total
        while (last or count) and not 0 < max_steps <= total and self.num_active:
            last = count
            count = self._run_once(max_steps - total if max_steps else 0)
            total += count
        return total

    def start(self, max_steps: int = 0) -> None:
        """As run, by a thread of the library, for a library for --target=cuda: returns at once.
        Whatever is asked of the world then waits; wait returns what run would."""
        c_count("max_steps", max_steps)
        if ("start", "func") not in self.library.runtime:
            raise Error("the library is not for the target cuda or hip")
        if self._started is not None:
            self.wait()
        if not self._is_created:
            self.create()
        self._failures.clear()
        self._listen()
        self.call(self.library.runtime["start", "func"], max_steps)
        self._started = max_steps

    def wait(self) -> int:
        """Wait for the end of a run that was started, whose errors are raised here."""
        if ("wait", "func") not in self.library.runtime:
            raise Error("the library is not for the target cuda or hip")
        if get_ident() in self._printing:
            raise Error("a world that runs cannot be waited for")
        count = int(self._work(self.library.runtime["wait", "func"]))
        max_steps, self._started = self._started, None
        self._check_run()
        if max_steps is not None:
            self._n_waited = self._go_on(count, max_steps)
        return self._n_waited

    def share(self, name: str, other: World) -> None:
        """Set an image input to the image of another world of this library, without a copy. The
        other one may be closed first."""
        if ("share", "func") not in self.library.runtime:
            raise Error("the library is not for the target cuda or hip")
        name = self.library.spelled_inputs.get(name, name)
        text = c_string("name", utf_8("name", name))
        self.call(self.library.runtime["share", "func"], ctypes.addressof(text), other._handle())
        self.keep(name, other._kept.get(name))

    def _run_once(self, max_steps: int) -> int:
        self._failures.clear()
        count = self._work(self.library.runtime["run", "func"], max_steps)
        self._check_run()
        return int(count)

    def _check_run(self) -> None:
        self._raise_failure()
        if self.library.runtime["any_errors", "get"](self._world):
            raise Error(self._errors())

    def trace(self, *index: int, birth: Optional[int] = None, max_steps: int = 0,
              max_records: int = 0) -> Any:
        """Instead of run, for a program that was compiled with --trace: run one strand, and return
        what each line computed (doc/trace.md), as dictionaries and lists. The strand is that of a
        grid with this index, fastest axis first, or that with this birth number, from 0.
        max_records 0: the usual limit. Afterwards the world can only be closed."""
        function = self.library.runtime.get(("trace", "func"))
        if not function:
            raise Error("the program was compiled without --trace")
        if (birth is None) == (not index):
            raise Error("trace needs an index, such as trace(120, 80), or birth=17")
        strand = ",".join(map(str, index)) if index else "#%s" % birth
        text = c_string("strand", strand.encode("utf-8"))
        address = self._work(function, ctypes.addressof(text), c_count("max_steps", max_steps),
                             c_count("max_records", max_records))
        if not address:
            raise Error(self._errors())
        told = ctypes.string_at(address).decode("utf-8", "replace")
        self.library.free(address)
        return json.loads(told)

    def _listen(self) -> None:
        """Signals are handled in the main thread only."""
        from threading import current_thread, main_thread
        listen = self.library.runtime.get(("make_interruptible", "func"))
        if listen and current_thread() is main_thread():
            listen(self._handle())

    def _raise_failure(self) -> None:
        if self._failures:
            self._errors()
            raise self._failures.pop()

    def _count(self, which: str) -> int:
        return int(self.library.runtime[which, "get"](self._handle()))

    @property
    def num_strands(self) -> int:
        return self._count("num_strands")

    @property
    def num_active(self) -> int:
        return self._count("num_active_strands")

    @property
    def num_stable(self) -> int:
        return self._count("num_stable_strands")

    # ---- outputs ----

    def output(self, name: str, copy: bool = True, memory: str = "host") -> Any:
        """An output: an array, or Sequences. copy=False: memory of the world, which is valid until
        the same output is read again, run or close. memory="cuda": a DeviceArray, where a GPU does
        the work; never a copy."""
        if memory == "host":
            return self._look(name, "get-view", copy)
        if memory != "cuda":
            raise Error('memory: expected "host" or "cuda", found %r' % (memory,))
        return self._look_on_device(name)

    def _look_on_device(self, name: str) -> DeviceArray:
        entry = self._output(name)
        if ("gpu", "get") not in self.library.runtime:
            raise Error("%s: the library is not for the target cuda or hip" % name)
        if "get-device-view" not in entry:
            raise Error("%s: sequences are no array" % name)
        view = self.library.new_view()
        self.call(self.library.function(entry["get-device-view"]), ctypes.addressof(view))
        shape, scalar = shape_of(entry["type"])
        is_of_amd = "amdhip64" in self.library.description["libraries"]
        return DeviceArray(self._memory(view), shape, scalar == "bool", self,
                           (ROCM if is_of_amd else CUDA, self._number))

    def __getitem__(self, name: str) -> Any:
        return self.output(name)

    def write(self, name: str, out: Any) -> Any:
        """Write an output into memory that `out` shows and return it: an array of the output's
        shape, with any strides and of any type, to which values are converted; or a Frame, of a
        program whose strands are a grid of two or three axes."""
        entry = self._output(name)
        if isinstance(out, Frame):
            if "write-frame" not in entry:
                raise Error("%s: only outputs of grids of two and three axes are frames" % name)
            memory = writable_memory_of(name, out.data)
            memory.spare = 0  # what follows a part of an array belongs to others
            struct, key = frame_of(self.library, name, out, memory), "write-frame"
        else:
            if "write-view" not in entry:
                raise Error("%s: sequences are no array" % name)
            memory = writable_memory_of(name, out)
            _check_components(name, memory.shape, shape_of(entry["type"])[0])
            struct, key = view_of(self.library, name, memory), "write-view"
        self.call(self.library.function(entry[key]), ctypes.addressof(struct))
        return out

    def snapshot(self, name: str, copy: bool = True) -> Any:
        """The same for all living strands, while the program runs; for libraries that were compiled
        with --snapshot."""
        return self._look(name, "snapshot-view", copy)

    def _output(self, name: str) -> dict[str, Any]:
        name = self.library.spelled_outputs.get(name, name)
        if name not in self.library.outputs:
            raise unknown_name("output", name, self.library.outputs)
        return self.library.outputs[name]

    def _look(self, name: str, key: str, copy: bool) -> Any:
        entry = self._output(name)
        if key not in entry:
            raise Error("the library was compiled without --snapshot")
        kind = entry["type"]
        is_dynamic = isinstance(kind, dict) and kind["kind"] == "dynseq"
        views = [self.library.new_view() for _ in range(2 if is_dynamic else 1)]
        self.call(self.library.function(entry[key]), *map(ctypes.addressof, views))
        shape, scalar = shape_of(kind["elem-ty"] if is_dynamic else kind)
        data = array_of(self._memory(views[-1]), shape, scalar == "bool", copy, self)
        if not is_dynamic:
            return data
        return Sequences(array_of(self._memory(views[0]), (2,), False, copy, self), data)

    def _memory(self, view: Any) -> Memory:
        return Memory(view.data or 1, self.library.kinds[view.type], view.shape[:view.rank],
                      view.strides[:view.rank], 0, self)
