"""``Lanes[T]``: the values that all threads of a warp or block hand to a collective, indexed by lane."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Lanes(Generic[T]):
    """One entry a thread of the scope: a lane of the warp, or a linear thread index of the block.

    In a collective's meaning the compiler makes this a view of the exchange memory of the CPU target; on the host it
    wraps a sequence. The entry of a thread that takes no part is unspecified on the CPU target: ask ``members`` first.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Sequence[T]) -> None:
        self._values = values

    def __getitem__(self, lane: int, /) -> T:
        """The value that thread ``lane`` passed, ``0 <= lane < size``.

        Raises:
            IndexError: there is no such lane; a negative index is never meant.
        """
        if not 0 <= int(lane) < len(self._values):
            raise IndexError(f"lane {lane} of {len(self._values)}")
        return self._values[int(lane)]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    @property
    def dtype(self) -> type[T]:
        """The class of the values."""
        return next(type(value) for value in self._values if value is not None)

    @property
    def size(self) -> int:
        """Number of threads of the scope: 32, or the threads of the block."""
        return len(self._values)
