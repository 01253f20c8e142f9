"""How numpy and others read a view in place: the array interfaces and DLPack."""

from __future__ import annotations

from . import _arrays
from ._arrays import ELEMENTS, NdView, refuse
from ._memory import NATIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


class Lending:
    """The methods of a view by which others access its memory."""

    _c: NdView
    is_constant: bool

    if TYPE_CHECKING:  # defined by View

        @property
        def shape(self) -> tuple[int, ...]: ...

        @property
        def strides(self) -> tuple[int, ...]: ...

        @property
        def size(self) -> int: ...

        @property
        def itemsize(self) -> int: ...

        def copy(self) -> Any: ...

    def _interface(self) -> dict[str, Any]:
        _, size, _, letter = ELEMENTS[self._c.type]
        order = "|" if size == 1 else NATIVE
        address = (self._c.data or 0) + self._c.layout.offset * size if self.size else (
            self._c.data or 1)
        return {"version": 3, "typestr": "%s%s%d" % (order, letter, size), "shape": self.shape,
                "strides": tuple(stride * size for stride in self.strides),
                "data": (address, self.is_constant or not self._can_be_written())}

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self._c.residency == _arrays.CUDA:
            raise AttributeError("the memory is a device's")
        return self._interface()

    def __array__(self, *_: Any, **__: Any) -> Any:
        """For numpy, if there is no array interface."""
        refuse("ERESIDENCY", "%r in memory of a device as an array of numpy" % self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._c.residency == _arrays.HOST:
            raise AttributeError("the memory is the host's")
        interface = self._interface()
        address, is_constant = interface["data"]
        return dict(interface, stream=None, data=(address if self.size else 0, is_constant))

    def _can_be_written(self) -> bool:
        return all(stride or extent < 2 for extent, stride in zip(self.shape, self.strides))

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        # pylint: disable=unused-argument
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("%r is lent where it is, not on another device: see View.to" % self)
        if copy:
            return self.copy().__dlpack__()
        address = (self._c.data or 0) + self._c.layout.offset * self.itemsize if self.size else 0
        return _arrays.dlpack_of(address, self._c.type, self.shape, self.strides, self,
                                 self._c.residency)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _arrays.dlpack_device(self._c.residency)
