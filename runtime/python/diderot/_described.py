"""A program's interface for users: its inputs and outputs, help, the signature."""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._types import is_array, shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from inspect import Signature

    Entry = dict[str, Any]


class Input(NamedTuple):
    """An input of a program.

    type         as in the program: "real", "vec3", "image(3)[]", "int[]", ...
    shape        extents of a value, last those of vectors; of images those of a sample
    default      None if the input must be given, or is an image or a sequence
    """

    name: str
    type: str
    shape: tuple[int, ...]
    default: Any
    is_required: bool
    description: str


class Output(NamedTuple):
    """An output of a program; shape is that of one strand, None for sequences."""

    name: str
    type: str
    shape: Optional[tuple[int, ...]]
    description: str


def type_text(kind: Any) -> str:
    """A type as the program writes it."""
    if not isinstance(kind, dict):
        return str(kind)
    if kind["kind"] in ("seq", "dynseq"):
        size = kind.get("size", "")
        return "%s[%s]" % (type_text(kind["elem-ty"]), size)
    shape = kind["shape"]
    if kind["kind"] == "image":
        return "image(%d)[%s]" % (kind["dimension"], ",".join(map(str, shape)))
    if not shape:
        return "real"
    if len(shape) == 1 and shape[0] in (2, 3, 4):
        return "vec%d" % shape[0]
    return "tensor[%s]" % ",".join(map(str, shape))


def _shape_told(kind: Any) -> tuple[int, ...]:
    if is_array(kind):
        return tuple(kind["shape"]) if kind["kind"] == "image" else _shape_told(kind["elem-ty"])
    return shape_of(kind)[0]


def input_of(entry: Entry, default: Any) -> Input:
    """An Input from its entry in the description."""
    kind = entry["type"]
    return Input(entry["name"], type_text(kind), _shape_told(kind), default,
                 not entry["has-default"], entry.get("description", ""))


def output_of(entry: Entry) -> Output:
    """An Output from its entry in the description."""
    kind = entry["type"]
    is_dynamic = isinstance(kind, dict) and kind["kind"] == "dynseq"
    return Output(entry["name"], type_text(kind), None if is_dynamic else _shape_told(kind),
                  entry.get("description", ""))


def _table(title: str, rows: list[tuple[str, str, str]]) -> list[str]:
    if not rows:
        return []
    widths = [max(len(row[k]) for row in rows) for k in range(2)]
    return [title] + ["    %-*s  %-*s  %s" % (widths[0], name, widths[1], kind, rest)
                      for name, kind, rest in rows]


def default_text(known: Input) -> str:
    """How help shows the default."""
    if known.is_required:
        return "required"
    return "" if known.default is None else "= %s" % (known.default,)


def described(inputs: Mapping[str, Input], outputs: Mapping[str, Output]) -> str:
    """The text of help(program)."""
    lines = _table("Inputs:", [
        (known.name, known.type, "  ".join(filter(None, (default_text(known), known.description))))
        for known in inputs.values()])
    lines += _table("Outputs:", [(known.name, known.type, known.description)
                                 for known in outputs.values()])
    return "\n".join(line.rstrip() for line in lines)


def signature(inputs: Mapping[str, Input], has_ranks: bool, result: type) -> Signature:
    """Inputs by name, then the options of a call."""
    from inspect import Parameter, Signature
    options: list[tuple[str, Any]] = [] if "threads" in inputs else [("threads", None)]
    options += [] if "max_steps" in inputs else [("max_steps", 0)]
    options += [] if "progress" in inputs else [("progress", None)]
    options += [] if "out" in inputs else [("out", None)]
    options += [("comm", None)] if has_ranks and "comm" not in inputs else []
    kind = Parameter.KEYWORD_ONLY
    told = [Parameter(known.name, kind, annotation=known.type,
                      default=Parameter.empty if known.is_required else known.default)
            for known in inputs.values()
            if known.name.isidentifier() and not iskeyword(known.name)]
    told += [Parameter(name, kind, default=default) for name, default in options]
    return Signature(told, return_annotation=result)
