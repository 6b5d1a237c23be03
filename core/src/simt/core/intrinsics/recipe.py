"""Recipes: the ways to lower an intrinsic. A small closed union of data; ``Expand`` is the escape.

Types written in strings: ``{0}`` is the LLVM name of the first argument's type, ``{result}`` that of the result
(``i32``, ``f32``, ``f64``, ``i64``), as LLVM suffixes overloaded intrinsics.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simt.core.llvm.builder import Emitter, Value
    from simt.core.types import Type


@dataclass(frozen=True, slots=True)
class LlvmCall:
    """One LLVM or NVVM intrinsic or external function by name.

    ``extra`` are trailing constants: i32, or i1 where they are bools.
    """

    name: str
    extra: tuple[int | bool, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Libdevice:
    """A libdevice function, chosen by the first argument's type; f16 and bf16 compute in f32."""

    f32: str
    f64: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMath:
    """A function of the C mathematics library (``sinf``, ``sin``) or an LLVM intrinsic, by the first argument's type.

    f16 and bf16 compute in f32.
    """

    f32: str
    f64: str


@dataclass(frozen=True, slots=True)
class SpecialRegister:
    """``%name`` on the GPU, through ``llvm.nvvm.read.ptx.sreg.name``; a thread's coordinate on the CPU target."""

    name: str


@dataclass(frozen=True, slots=True)
class InlinePtx:
    """PTX text with ``$0`` for the result (if any), then ``$1`` ... for the arguments.

    ``constraints`` in LLVM's syntax (``=r,r,r``). ``effects``: clobbers memory and must not be removed or moved.
    """

    text: str
    constraints: str
    effects: bool = True


@dataclass(frozen=True, slots=True)
class Body:
    """The declaration's own Python body, compiled in place as a device function."""


@dataclass(frozen=True, slots=True)
class PerLane:
    """A collective's meaning: ``fn(lane, members, *values)`` compiled in place, once for each thread of the scope.

    ``values`` are the intrinsic's arguments but the member mask, each as ``Lanes[T]``: indexable by lane.
    """

    fn: Callable[..., Any]  # Any: each collective has its own signature; the checker types it per call


@dataclass(frozen=True, slots=True)
class Barrier:
    """Threads of the scope wait for each other; nothing is computed."""


@dataclass(frozen=True, slots=True)
class Expand:
    """A function that emits the lowering: ``fn(emitter, arguments, argument_types, result_type) -> value or None``."""

    fn: Callable[[Emitter, tuple[Value, ...], tuple[Type, ...], Type | None], Value | None]


GpuRecipe = LlvmCall | Libdevice | SpecialRegister | InlinePtx | Body | Expand
CpuRecipe = LlvmCall | HostMath | SpecialRegister | Body | PerLane | Barrier | Expand
