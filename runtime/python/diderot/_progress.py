"""Progress of a run: it is divided into slices of supersteps, which grow to a tenth of a second."""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union
    
    from ._world import World

_PERIOD = 0.1  # seconds


class Progress(NamedTuple):
    """What a function given as progress is called with.

    steps    supersteps that were done, of limit (0: to the end)
    strands, active, stable  how many there are
    seconds  since the run began
    """

    steps: int
    limit: int
    strands: int
    active: int
    stable: int
    seconds: float


def run(world: World, max_steps: int, report: Callable[[Progress], object]) -> int:
    """Like world.run; report is called after each slice."""
    begin = time.perf_counter()
    done, size = 0, 1
    while True:
        slice_begin = time.perf_counter()
        wanted = min(size, max_steps - done) if max_steps else size
        count = world.run(wanted)
        done += count
        now = time.perf_counter()
        report(Progress(done, max_steps, world.num_strands, world.num_active, world.num_stable,
                        now - begin))
        if not world.num_active or not count or 0 < max_steps <= done:
            return done
        if now - slice_begin < _PERIOD / 2:
            size *= 2
        elif now - slice_begin > 2 * _PERIOD:
            size = max(1, size // 2)


# ---- shown ------------------------------------------------------------------------------------


class _Text:
    """A line on standard error that is overwritten."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_open = False

    def __call__(self, told: Progress) -> None:
        of = "/%d" % told.limit if told.limit else ""
        sys.stderr.write("\r%s: step %d%s, %d of %d strands active, %.1f s " % (
            self._name, told.steps, of, told.active, told.strands, told.seconds))
        sys.stderr.flush()
        self._is_open = True

    def close(self) -> None:
        if self._is_open:
            sys.stderr.write("\n")


class _Bar:
    """A bar of tqdm: ended strands, or steps if there is a limit."""

    def __init__(self, name: str, tqdm: Any) -> None:
        self._name = name
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, told: Progress) -> None:
        unit = "step" if told.limit else "strand"
        total = told.limit or told.strands
        if self._bar is None:
            self._bar = self._tqdm(total=total, desc=self._name, unit=unit)
        self._bar.total = total
        self._bar.n = told.steps if told.limit else told.strands - told.active
        self._bar.set_postfix_str("step %d" % told.steps, refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def shown(name: str) -> Union[_Text, _Bar]:
    """A bar of tqdm, in notebooks the one for notebooks; without tqdm a line of text."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Text(name)
    return _Bar(name, tqdm)


def follow(world: World, name: str, max_steps: int, progress: Union[bool,
           Callable[[Progress], object]]) -> int:
    """Run with progress: True shows it, a function receives it."""
    if callable(progress):
        return run(world, max_steps, progress)
    teller = shown(name)
    try:
        return run(world, max_steps, teller)
    finally:
        teller.close()
