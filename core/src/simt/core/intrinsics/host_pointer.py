"""``HostPointer``: what a ``Ptr[T]`` is while a kernel's own Python runs on the host."""
from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
_UPDATES = RLock()


class Memory(Protocol[T]):
    """An array of the host run: a NumPy array or what wraps one."""

    def __getitem__(self, index: tuple[int, ...], /) -> T: ...
    def __setitem__(self, index: tuple[int, ...], value: T, /) -> None: ...


class HostPointer(Generic[T]):
    """The address of ``memory[index]``; offsets move along the last axis."""

    __slots__ = ("_index", "_memory")

    def __init__(self, memory: Memory[T], index: int | tuple[int, ...]) -> None:
        self._memory = memory
        self._index = tuple(int(i) for i in index) if isinstance(index, tuple) else (int(index),)

    @property
    def dtype(self) -> object:
        """The class of the elements, where the memory says it."""
        return getattr(self._memory, "dtype", None)

    def __add__(self, count: int, /) -> HostPointer[T]:
        return HostPointer(self._memory, (*self._index[:-1], self._index[-1] + int(count)))

    def __getitem__(self, count: int, /) -> T:
        return self._memory[(self + count)._index]

    def __setitem__(self, count: int, value: T, /) -> None:
        self._memory[(self + count)._index] = value

    def update(self, change: Callable[[T], T]) -> T:
        """Replace the value by ``change`` of it in one step that no other update can split; gives the old value."""
        with _UPDATES:
            old = self[0]
            self[0] = change(old)
            return old


def host_address(array: Any, index: Any) -> Any:
    """What ``address_of(array, index)`` is on the host. Any: the array stands for a parameter of whatever type."""
    return array + index if isinstance(array, HostPointer) else HostPointer(array, index)
