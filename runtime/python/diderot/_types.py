"""The types in descriptions of libraries."""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_C_TYPES = {
    "int": ctypes.c_int32,
    "long long int": ctypes.c_longlong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "bool": ctypes.c_bool,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "ptrdiff_t": ctypes.c_ssize_t,
    "char": ctypes.c_char,
    "void*": ctypes.c_void_p,
    "void": None,
}


def c_type(kind: Any) -> Any:
    """The ctype of a type of the description; pointers are addresses."""
    if not isinstance(kind, dict):
        return _C_TYPES.get(kind, ctypes.c_void_p)
    if kind["kind"] == "const":
        return c_type(kind["arg"])
    if kind["kind"] == "*()":
        parameters = [c_type(parameter["param-ty"]) for parameter in kind["params"]]
        return ctypes.CFUNCTYPE(c_type(kind["return-ty"]), *parameters)
    return ctypes.c_void_p


def struct_type(description: Mapping[str, Any]) -> Any:
    """A struct of the library's interface."""
    fields = []
    for field in description["fields"]:
        kind: Any = _C_TYPES[field["type"]]
        fields.append((field["name"], kind * field["size"] if "size" in field else kind))
    return type("Struct", (ctypes.Structure,), {"_fields_": fields})


def is_array(kind: Any) -> bool:
    """Whether it is an image or a sequence of any length."""
    return isinstance(kind, dict) and kind["kind"] in ("image", "dynseq")


def shape_of(kind: Any) -> tuple[tuple[int, ...], str]:
    """Extents of a value of fixed size, and the type of its scalars."""
    if isinstance(kind, dict) and kind["kind"] == "seq":
        inner, scalar = shape_of(kind["elem-ty"])
        return ((kind["size"],) if kind["size"] > 1 else ()) + inner, scalar
    if isinstance(kind, dict):
        return tuple(kind["shape"]), "real"
    return (), kind
