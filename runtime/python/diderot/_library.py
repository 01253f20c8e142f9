"""Generated libraries: the functions and structs of a description through ctypes.

Read next: _world.py.
"""

from __future__ import annotations

import ctypes
import json
import os

from ._errors import Error
from ._inputs import setter_of
from ._types import c_type, struct_type
from ._world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Union


def _spelled(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The ASCII names of those that the program writes in other letters."""
    return {entry["written"]: name for name, entry in entries.items() if "written" in entry}


def _named(kind: str, all_spelled: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for name, value in given.items():
        spelled = all_spelled.get(name, name)
        if spelled in named:
            raise Error("the %s %r is given twice" % (kind, spelled))
        named[spelled] = value
    return named


class Library:
    """A generated library, by its description, a file or what is in it; the shared object is beside
    it, or given.

    inputs, outputs  dictionaries of what the description says of each
    path             of the shared object
    """

    def __init__(self, description: Union[str, os.PathLike[str], dict[str, Any]],
                 shared: Union[None, str, os.PathLike[str]] = None) -> None:
        if isinstance(description, dict):
            self.description = description
        else:
            path = os.fspath(description)
            with open(path, encoding="utf-8") as file:
                self.description = json.load(file)
            shared = shared or os.path.splitext(path)[0] + ".so"
        self._functions: dict[str, Any] = {}
        self._setters: dict[str, Callable[[World, Any], None]] = {}
        self._printer_type: Any = None
        self.path = os.path.abspath(shared or "")
        self._shared = ctypes.CDLL(self.path)
        self.inputs: dict[str, dict[str, Any]] = {
            entry["name"]: entry for entry in self.description["inputs"]}
        self.outputs: dict[str, dict[str, Any]] = {
            entry["name"]: entry for entry in self.description["outputs"]}
        self.spelled_inputs = _spelled(self.inputs)
        self.spelled_outputs = _spelled(self.outputs)
        self.new_view = struct_type(self.description["view"])
        self.new_frame = struct_type(self.description.get("frame", {"fields": []}))
        self.codes: dict[str, int] = self.description["view"]["types"]
        self.kinds = {code: name for name, code in self.codes.items()}
        self.free = ctypes.CDLL(None).free
        self.free.argtypes, self.free.restype = [ctypes.c_void_p], None
        self.runtime = {(entry["name"], key): self.function(entry[key])
                        for entry in self.description["runtime"]
                        for key in ("func", "get", "set") if key in entry}

    def function(self, description: Mapping[str, Any]) -> Any:
        """A function of the library, ready to be called."""
        found = self._functions.get(description["name"])
        if found is not None:
            return found
        found = getattr(self._shared, description["name"])
        found.argtypes = [c_type(parameter["param-ty"]) for parameter in description["params"]]
        found.restype = c_type(description["return-ty"])
        self._functions[description["name"]] = found
        return found

    def named(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs by their ASCII names, given so or as the program writes them."""
        return _named("input", self.spelled_inputs, given)

    def named_outputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The same for outputs."""
        return _named("output", self.spelled_outputs, given)

    def setter(self, name: str) -> Callable[[World, Any], None]:
        """The function that sets an input of a world."""
        found = self._setters.get(name)
        if found is None:
            found = self._setters[name] = setter_of(self, self.inputs[name])
        return found

    def printer_type(self) -> Any:
        """The ctype of the argument of set_printer_cb."""
        if self._printer_type is None:
            description = next(entry for entry in self.description["runtime"]
                               if entry["name"] == "printer_cb")["set"]
            self._printer_type = c_type(description["params"][1]["param-ty"])
        return self._printer_type

    def world(self, **inputs: Any) -> World:
        """A new world with these inputs; comm: of processes that share it, if no input is called so."""
        comm = None if "comm" in self.inputs else inputs.pop("comm", None)
        return self.world_of(inputs, comm)

    def world_of(self, inputs: Mapping[str, Any], comm: Any = None) -> World:
        """The same with the inputs in a dictionary."""
        world = World(self, comm)
        try:
            for name, value in self.named(inputs).items():
                world.set(name, value)
        except BaseException:
            world.close()
            raise
        return world
