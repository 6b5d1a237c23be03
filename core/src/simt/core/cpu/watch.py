"""Watching memory while checks are on: reads of shared memory that nobody has written, and, in race mode, accesses of
two threads that nothing orders.

Shared memory has a shadow of one byte a byte, 0 until the byte is first written in the block.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simt.core.check import tir
from simt.core.check.tir import Scope
from simt.core.cpu.counting import counting
from simt.core.cpu.frame import ArenaPlan, record_field
from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.pool_fields import ARENA_ALIGNMENT
from simt.core.cpu.race_table import ATOMIC, SHARED, WRITE
from simt.core.llvm.builder import Emitter, Value
from simt.core.llvm.checks import require
from simt.core.llvm.constants import integer
from simt.core.llvm.context import Access, FunctionContext
from simt.core.llvm.faults import FaultKind, Site, source_text
from simt.core.types import Access as Use
from simt.core.types import AddressSpace, ArrayType, PointerType, Type
from simt.core.types.layout import align_up, size_of

if TYPE_CHECKING:
    from simt.core.cpu.backend import HostBackend
    from simt.core.cpu.calls import AnyIntrinsic


@dataclass(frozen=True, slots=True)
class ShadowedPart:
    """A part of shared memory with its shadow. ``size`` is None for dynamic shared memory."""

    start: Value
    shadow: Value
    size: int | None


@dataclass(slots=True)
class Watch:
    """``static`` and ``dynamic`` are the shadowed parts, where the kernel has them and checks are on.

    ``all_written`` (i1 slot): all shared memory of the block is known to be written; ``assume_written``: the code at
    hand runs only where it is. ``barriers`` and ``meetings`` are slots that count what the running thread has passed,
    ``conflict`` gets the other side of a race: all three belong to the function at hand.
    """

    races: bool
    static: ShadowedPart | None = None
    dynamic: ShadowedPart | None = None
    barriers: Value | None = None
    meetings: Value | None = None
    conflict: Value | None = None
    all_written: Value | None = None
    assume_written: bool = False

    # ---- the function and the block

    def enter_function(self, emitter: Emitter) -> None:
        """Make the slots that race mode needs."""
        if self.races:
            self.barriers, self.meetings = emitter.alloca("i64", "barriers"), emitter.alloca("i64", "meetings")
            self.conflict = emitter.alloca("[2 x i64]", "conflict")
            for slot in (self.barriers, self.meetings):
                emitter.store(integer(64, 0), slot)
            emitter.store(Value("[2 x i64]", "[i64 -1, i64 -1]"), self.conflict)

    def add_parts(self, plan: ArenaPlan, static: Value | None, size: int, dynamic: Value | None) -> None:
        """Give the kernel's shared memory its shadows."""
        if static is not None:
            self.static = ShadowedPart(static, plan.add_fixed("shadow", size), size)
        if dynamic is not None:
            self.dynamic = ShadowedPart(dynamic, plan.add_dynamic("shadow"), None)

    def block_start(self, ctx: FunctionContext) -> None:
        """At the start of a block nothing is written. Shadows end on a granule whose rest counts as written."""
        emitter = ctx.emitter
        emitter.module.declare("llvm.memset.p0.i64", "void", ["ptr", "i8", "i64", "i1"])
        for part in self._parts():
            size, padded = self._sizes(ctx, part)
            rest = emitter.let("ptr", f"getelementptr i8, {part.shadow}, {size}")
            emitter.do(f"call void @llvm.memset.p0.i64({part.shadow}, i8 0, {size}, i1 false)")
            emitter.do(f"call void @llvm.memset.p0.i64({rest}, i8 1, {emitter.binary('sub', padded, size)}, i1 false)")
        if self._parts():
            if self.all_written is None:
                self.all_written = emitter.alloca("i1", "all_written")
            emitter.store(Value("i1", "false"), self.all_written)

    def is_all_written(self, ctx: FunctionContext) -> Value:
        """Whether all shared memory of the block has been written (i1); looks at the shadows until it once has."""
        if self.all_written is None:
            return Value("i1", "true")
        emitter = ctx.emitter
        look, known = emitter.new_block("look"), emitter.new_block("known")
        emitter.branch_if(emitter.load("i1", self.all_written), known, look)
        emitter.place(look)
        whole = emitter.alloca("i64", "whole")
        emitter.store(integer(64, _ones(64)), whole)
        for part in self._parts():
            _, padded = self._sizes(ctx, part)
            words = emitter.cast("trunc", emitter.binary("lshr", padded, integer(64, 3)), "i32")
            some, after = emitter.new_block("some"), emitter.new_block("after")
            emitter.branch_if(emitter.compare("icmp ne", words, integer(32, 0)), some, after)
            emitter.place(some)
            with counting(emitter, words, "word") as (number, _):
                word = emitter.let("ptr", f"getelementptr i64, {part.shadow}, {emitter.cast('zext', number, 'i64')}")
                emitter.store(emitter.binary("and", emitter.load("i64", whole), emitter.load("i64", word)), whole)
            emitter.place(after)
        full = emitter.compare("icmp eq", emitter.load("i64", whole), integer(64, _ones(64)))
        emitter.store(full, self.all_written)
        emitter.place(known)
        return emitter.load("i1", self.all_written)

    def _parts(self) -> list[ShadowedPart]:
        return [part for part in (self.static, self.dynamic) if part is not None]

    def _sizes(self, ctx: FunctionContext, part: ShadowedPart) -> tuple[Value, Value]:
        """Bytes of the part's shadow, and the same rounded up to the arena's granule."""
        if part.size is not None:
            return integer(64, part.size), integer(64, align_up(part.size, ARENA_ALIGNMENT))
        emitter = ctx.emitter
        size = emitter.load("i64", record_field(emitter, _backend(ctx).block.record, LaunchField.SHARED_BYTES))
        raised = emitter.binary("add", size, integer(64, ARENA_ALIGNMENT - 1))
        return size, emitter.binary("and", raised, integer(64, -ARENA_ALIGNMENT))

    def barrier(self, ctx: FunctionContext, scope: Scope) -> None:
        """The threads of ``scope`` have met here."""
        slot = self.barriers if scope is Scope.BLOCK else self.meetings
        if slot is not None:
            emitter = ctx.emitter
            emitter.store(emitter.binary("add", emitter.load("i64", slot), integer(64, 1)), slot)

    def other(self, ctx: FunctionContext) -> tuple[Value, Value]:
        """The other side of the fault being reported: its thread (block in the upper half) and site; -1 without one."""
        if self.conflict is None:
            return integer(64, -1), integer(64, -1)
        emitter = ctx.emitter
        second = emitter.let("ptr", f"getelementptr i64, {self.conflict}, i64 1")
        return emitter.load("i64", self.conflict), emitter.load("i64", second)

    # ---- accesses

    def before_access(self, ctx: FunctionContext, access: Access) -> None:
        """An access to memory that more than one thread may see.

        In race mode, a read of what another thread has yet to write is left to be found as the race that it is.
        """
        unwatched = self.assume_written or (self.races and access.value is None)
        if access.space is AddressSpace.SHARED and not unwatched:
            self._shadow(ctx, access)
        if self.races and access.space in (AddressSpace.SHARED, AddressSpace.GLOBAL) and not _is_input(access.place):
            self._race(ctx, access.pointer, access.space, WRITE if access.value is not None else 0, access.place)

    def before_effect(
        self, ctx: FunctionContext, callee: AnyIntrinsic, arguments: tuple[Value, ...], types: tuple[Type, ...],
    ) -> None:
        """An intrinsic with effects: one with pointers is atomic there, one without arguments is a fence."""
        if self.races and not arguments:
            fences = record_field(ctx.emitter, _backend(ctx).block.record, LaunchField.RACE_FENCES)
            ctx.emitter.store(ctx.emitter.binary("add", ctx.emitter.load("i64", fences), integer(64, 1)), fences)
        for argument, t in zip(arguments, types, strict=True):
            if not isinstance(t, PointerType):
                continue
            if t.space is AddressSpace.SHARED:
                shadow = self._shadow_of(ctx, argument)
                if shadow is not None:
                    bits = 8 * size_of(t.element)
                    ctx.emitter.store(integer(bits, _ones(bits)), shadow, ", align 1")
            if self.races and t.space in (AddressSpace.SHARED, AddressSpace.GLOBAL):
                self._race(ctx, argument, t.space, WRITE | ATOMIC, None)

    def _shadow(self, ctx: FunctionContext, access: Access) -> None:
        shadow = self._shadow_of(ctx, access.pointer)
        if shadow is None or access.size == 0:
            return
        emitter, bits = ctx.emitter, 8 * access.size
        if access.value is not None:
            emitter.store(integer(bits, _ones(bits)), shadow, ", align 1")
            return
        written = emitter.load(f"i{bits}", shadow, ", align 1")
        span = access.place.span
        site = Site(kind=FaultKind.UNINITIALISED_READ, span=span, expression=source_text(span, "shared memory"))
        require(ctx, emitter.compare("icmp eq", written, integer(bits, _ones(bits))), site, ())

    def _shadow_of(self, ctx: FunctionContext, pointer: Value) -> Value | None:
        emitter = ctx.emitter

        def within(part: ShadowedPart) -> tuple[Value, Value]:
            start, address = emitter.cast("ptrtoint", part.start, "i64"), emitter.cast("ptrtoint", pointer, "i64")
            offset = emitter.binary("sub", address, start)
            return offset, emitter.let("ptr", f"getelementptr i8, {part.shadow}, {offset}")

        if self.static is None or self.dynamic is None:
            part = self.static or self.dynamic
            return None if part is None else within(part)[1]
        offset, static = within(self.static)
        assert self.static.size is not None
        is_static = emitter.compare("icmp ult", offset, integer(64, self.static.size))
        return emitter.select(is_static, static, within(self.dynamic)[1])

    def _race(
        self, ctx: FunctionContext, pointer: Value, space: AddressSpace, flags: int, place: tir.Place | None,
    ) -> None:
        assert self.barriers is not None and self.meetings is not None and self.conflict is not None
        emitter, backend = ctx.emitter, _backend(ctx)
        span = place.span if place is not None else emitter.span
        assert span is not None
        site = Site(kind=FaultKind.RACE, span=span, expression=source_text(span, "an access"))
        function = emitter.load("ptr", record_field(emitter, backend.block.record, LaunchField.RACE_FUNCTION))
        arguments = [
            backend.block.record, pointer, integer(64, flags | (SHARED if space is AddressSpace.SHARED else 0)),
            backend.block.linear, integer(64, -1) if backend.thread is None else backend.thread.linear,
            emitter.load("i64", self.barriers), emitter.load("i64", self.meetings),
            integer(64, ctx.sites.number_of(site)), self.conflict,
        ]
        races = emitter.let("i1", f"call i1 {function.text}({', '.join(map(str, arguments))})")
        require(ctx, emitter.binary("xor", races, Value("i1", "true")), site, ())


def _ones(bits: int) -> int:
    return int("01" * (bits // 8), 16)


def _is_input(place: tir.Place) -> bool:
    """Whether ``place`` is in an array that nobody writes."""
    while isinstance(place, tir.Member | tir.Item):
        place = place.place
    if not isinstance(place, tir.Element):
        return False
    t = place.array.type
    return isinstance(t, ArrayType) and t.access is Use.IN


def _backend(ctx: FunctionContext) -> HostBackend:
    from simt.core.cpu.backend import HostBackend  # the back end owns its watch

    assert isinstance(ctx.backend, HostBackend)
    return ctx.backend
