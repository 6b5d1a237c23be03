"""What emission of one kernel knows, and what it asks of the target.

``FunctionContext`` is the state; ``Backend`` the questions whose answers differ between a GPU and the CPU target. The
modules beside this one say everything that is the same on both.
"""
from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import BasicBlock, Emitter, Module, Value
from simt.core.llvm.faults import Site, SiteTable
from simt.core.llvm.types import register_type, storage_type
from simt.core.options import Options
from simt.core.passes.ranges import Facts
from simt.core.types import AddressSpace, Type

if TYPE_CHECKING:
    from simt.core.check.tir import AnyIntrinsic


@dataclass(frozen=True, slots=True)
class Access:
    """One read or write of memory through an array or a pointer, shown to the back end before it happens.

    ``pointer`` points to ``size`` bytes in ``space``; ``place`` is the whole place that is read or written, ``value``
    the operand about to be stored, or None for a read.
    """

    pointer: Value
    size: int
    space: AddressSpace
    place: tir.Place
    value: Value | None


class Backend(Protocol):
    """What a target decides. Every method emits at ``ctx.emitter``'s present position.

    ``float_flags`` are fast-math flags for arithmetic, with a trailing space (``"contract "``), or "".
    """

    @property
    def float_flags(self) -> str: ...

    def intrinsic(
        self, ctx: FunctionContext, callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...],
        result: Type | None,
    ) -> Value | None:
        """Call an intrinsic that waits for no other thread; None where ``result`` is None."""
        ...

    def collective(self, ctx: FunctionContext, node: tir.Collective) -> None:
        """Emit a collective: evaluate its arguments, meet the other threads, assign its target."""
        ...

    def fault(self, ctx: FunctionContext, site: Site, values: tuple[Value, ...]) -> None:
        """Record the fault (``values`` are i64, in the site's order) and end the thread; terminates the block."""
        ...

    def end_thread(self, ctx: FunctionContext) -> None:
        """End this thread's work; terminates the block."""
        ...

    def print(self, ctx: FunctionContext, message: tir.Message, span: Span) -> None:
        """Print one line: text and values."""
        ...

    def local_pointer(self, ctx: FunctionContext, local: tir.Local) -> Value:
        """Where ``local`` lives: a pointer to its ``storage_type``. Asked once a local."""
        ...

    def dynamic_shared(self, ctx: FunctionContext) -> Value:
        """Start of the block's dynamic shared memory, a pointer to i8 in the shared space."""
        ...

    def remainder(self, ctx: FunctionContext, lhs: Value, rhs: Value) -> Value:
        """C's ``fmod`` on float or double: exact, with the sign of ``lhs``."""
        ...

    def float_to_integer(self, ctx: FunctionContext, value: Value, bits: int, signed: bool) -> Value:
        """float or double, toward zero, to 32 or 64 bits; saturates, and gives 0 for NaN."""
        ...

    def load_suffix(self, ctx: FunctionContext, place: tir.Place) -> str:
        """What follows a load's alignment, such as ``, !invariant.load !3``."""
        ...

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        """Called where checks are on, before each access through an array or a pointer."""
        ...

    def before_loop(self, ctx: FunctionContext) -> None:
        """Called at the head of every iteration of every loop."""
        ...

    def debug_location(self, ctx: FunctionContext, span: Span) -> str:
        """The ``, !dbg`` suffix of instructions for ``span``, or ""."""
        ...


@dataclass(frozen=True, slots=True)
class Exits:
    """Where ``Break`` and ``Continue`` of a label go."""

    stop: BasicBlock
    again: BasicBlock | None


@dataclass(slots=True, kw_only=True)
class FunctionContext:
    """The state of emitting one kernel's body.

    ``checks``: emit bounds, alignment and division checks. ``small``: every index value fits in 32 bits. ``facts``:
    the ranges of the kernel's integer locals, as far as they are known. ``proven``: ids of nodes whose check cannot
    fail, so that none is emitted.
    """

    emitter: Emitter
    kernel: tir.Kernel
    options: Options
    backend: Backend
    checks: bool
    small: bool = False
    facts: Facts = field(default_factory=Facts)
    proven: frozenset[int] = frozenset()
    sites: SiteTable = field(default_factory=SiteTable)
    pointers: dict[tir.Local, Value] = field(default_factory=dict[tir.Local, Value])
    exits: dict[tir.Label, Exits] = field(default_factory=dict[tir.Label, Exits])

    @property
    def module(self) -> Module:
        return self.emitter.module

    def register(self, t: Type) -> str:
        """LLVM's type for a value of ``t``."""
        return register_type(self.module, t)

    def pointer_to(self, local: tir.Local) -> Value:
        """Pointer to the local's ``storage_type``."""
        if local not in self.pointers:
            self.pointers[local] = self.backend.local_pointer(self, local)
        return self.pointers[local]

    @contextmanager
    def at(self, span: Span) -> Generator[None]:
        """Mark what is emitted inside as stemming from ``span``."""
        emitter = self.emitter
        before = emitter.span, emitter.debug_location
        emitter.span, emitter.debug_location = span, self.backend.debug_location(self, span)
        yield
        emitter.span, emitter.debug_location = before


def stack_slot(ctx: FunctionContext, local: tir.Local) -> Value:
    """A slot in the function's entry block: the usual answer to ``Backend.local_pointer``."""
    return ctx.emitter.alloca(storage_type(ctx.module, local.type), hint=local.name)
