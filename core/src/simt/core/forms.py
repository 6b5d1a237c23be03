"""Language forms: what the compiler itself gives meaning to, with the types a kernel author's editor sees.

A form is found by identity: ``check/forms.py`` holds what each one means. Calling one outside a kernel is an error,
except those whose host meaning is plain Python's.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, ParamSpec, TypeVar

from simt.core.intrinsics.host_pointer import host_address
from simt.core.introspection import present_as, signature_text

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

if TYPE_CHECKING:
    from simt.core.annotations import HostArray, MutableView, Ptr


@dataclass(frozen=True, eq=False, repr=False)
class Form(Generic[P, R]):
    """One language form. ``declaration`` gives its types and documentation, ``host`` its meaning in plain Python."""

    declaration: Callable[P, R]
    host: Callable[P, R] | None

    def __post_init__(self) -> None:
        present_as(self, self.declaration)

    @property
    def name(self) -> str:
        """Its function's."""
        return self.declaration.__name__

    def __repr__(self) -> str:
        return f"<language form {self.name}{signature_text(self.declaration)}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if self.host is None:
            raise TypeError(f"{self.name}() has a meaning only inside a kernel or device function")
        return self.host(*args, **kwargs)


def form(function: Callable[P, R]) -> Form[P, R]:
    """Declare a form without a meaning on the host; the function gives name, types and documentation."""
    return Form(function, None)


def host_form(function: Callable[P, R]) -> Form[P, R]:
    """Declare a form whose body is its meaning on the host."""
    return Form(function, function)


@host_form
def static_range(*bounds: int) -> range:
    """``range`` over compile-time bounds; the loop is unrolled and its variable is a compile-time value."""
    return range(*bounds)


@host_form
def static_assert(condition: bool, message: str = "") -> None:
    """Compilation fails with ``message`` unless ``condition``, a compile-time value, is true."""
    if not condition:
        raise AssertionError(message)


@form
def shared_array(dtype: type[T], shape: int | tuple[int, ...], alignment: int = 0) -> MutableView[T, Any, Any]:
    """Static shared memory of one block: uninitialised, the same array for all its threads.

    ``shape`` is a compile-time value. ``alignment`` (bytes, a power of two) raises the element's own.
    """
    ...


@form
def dynamic_shared(dtype: type[T], count: int) -> MutableView[T, Any, Any]:
    """The next ``count`` elements of the block's dynamic shared memory.

    Each call in a kernel takes the bytes after the last call's, so two slices never overlap. All threads must pass
    the same counts. The launch configuration's ``shared_bytes`` is the total.
    """
    ...


@form
def local_array(dtype: type[T], shape: int | tuple[int, ...], alignment: int = 0) -> MutableView[T, Any, Any]:
    """Memory of one thread, uninitialised. ``shape`` is a compile-time value."""
    ...


@host_form
def address_of(array: MutableView[T, Any, Any] | HostArray | Ptr[T], index: int | tuple[int, ...]) -> Ptr[T]:
    """The address of one element of a writable array, the index checked like a load's.

    With a pointer, the pointer moved by ``index`` elements.
    """
    return host_address(array, index)


@form
def bitcast(value: object, dtype: type[T]) -> T:
    """The same bits as another scalar type of the same width.

    ``bitcast(address, Ptr[T])`` makes a pointer of a u64, ``bitcast(image, u64)`` gives the handle of a texture or
    surface.
    """
    ...


@host_form
def own_index(value: T, axes: int, axis: int) -> T:
    """``value``, marked as this thread's own index along ``axis`` (0 is x) of ``axes``: it may index a ``DisjointOut``.

    For the device library: the caller promises that no two threads get the same tuple of own indices.
    """
    return value


@form
def fault(message: str) -> NoReturn:
    """Ends this thread with a fault that carries ``message``."""
    ...


class Configuration:
    """Facts of the compilation, folded away: ``cfg.is_cpu``, ``cfg.compute_capability``, ``cfg.has("compute_90a")``."""

    @property
    def is_cpu(self) -> bool:
        """Whether this code is for the CPU target. In plain Python: True."""
        return True

    @property
    def compute_capability(self) -> int:
        """Ten times the target's compute capability, 90 for sm_90; 0 on the CPU target."""
        return 0

    def has(self, feature: str) -> bool:
        """Whether the target may use what the architecture ``feature`` (``compute_90a``) brought."""
        return False


cfg = Configuration()
