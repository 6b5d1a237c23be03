"""Faults on a GPU: one record in global memory, written by the first thread that fails; the thread then exits.

The record is the module variable ``simt_fault``, little-endian, zero before the launch::

    0   u32     state: 0 nothing, 1 being written, 2 written
    4   u32     count: threads that failed
    8   u32     site: position in the module's table of sites
    12  u32     not used
    16  3 x u32 block index x, y, z
    28  3 x u32 thread index x, y, z
    40  8 x u64 values, as the site's table entry says

A failing thread exits with the ``exit`` instruction, which barriers count as arrived, so that the other threads of the
block go on. Where checks are on, each thread first looks at the state, and a grid that has failed ends quickly. All
sites of a kernel share one block of code: a failing check costs its own block two moves and a branch.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.llvm.builder import BasicBlock, Emitter, Value
from simt.core.llvm.constants import integer
from simt.core.llvm.faults import MAXIMUM_VALUES

RECORD_SYMBOL = "simt_fault"
RECORD_BYTES = 40 + 8 * MAXIMUM_VALUES
_HELD = f"[{RECORD_BYTES // 4} x i32]"
_WORD = "i32 addrspace(1)*"


@dataclass(slots=True)
class FaultPath:
    """The common end of all failing checks of one kernel: what to record is left in stack slots, which become phis."""

    emitter: Emitter
    block: BasicBlock | None = None
    site: Value | None = None
    values: list[Value] = field(default_factory=list[Value])

    def fail(self, site: int, values: tuple[Value, ...]) -> None:
        """End the present block on the way to the record."""
        if self.block is None or self.site is None:
            self.block = self.emitter.new_block("record")
            self.site = self.emitter.alloca("i32", "site")
        while len(self.values) < len(values):
            self.values.append(self.emitter.alloca("i64", "recorded"))
        self.emitter.store(integer(32, site), self.site)
        for slot, value in zip(self.values, values, strict=False):
            self.emitter.store(value, slot)
        self.emitter.branch(self.block)

    def finish(self) -> None:
        """Emit the common block, if any check leads there."""
        if self.block is None or self.site is None:
            return
        emitter = self.emitter
        emitter.place(self.block)
        declare_record(emitter)
        emitter.let("i32", f"atomicrmw add {_word(1)}, i32 1 monotonic")
        found = emitter.let("{ i32, i1 }", f"cmpxchg {_word(0)}, i32 0, i32 1 monotonic monotonic")
        first = emitter.compare("icmp eq", emitter.extract(found, 0, "i32"), integer(32, 0))
        write, leave = emitter.new_block("write"), emitter.new_block("leave")
        emitter.branch_if(first, write, leave)
        emitter.place(write)
        emitter.store(emitter.load("i32", self.site), _word(2))
        registers = [f"{name}.{axis}" for name in ("ctaid", "tid") for axis in "xyz"]
        for position, register in enumerate(registers, start=4):
            value = emitter.call("i32", f"llvm.nvvm.read.ptx.sreg.{register}", ())
            emitter.store(value, _word(position))
        for position, slot in enumerate(self.values):
            pointer = emitter.cast_pointer(_word(10 + 2 * position), "i64", 1)
            emitter.store(emitter.load("i64", slot), pointer, ", align 8")
        emitter.call("void", "llvm.nvvm.membar.sys", ())
        emitter.do(f"store volatile i32 2, {_word(0)}")
        emitter.place(leave)
        exit_thread(emitter)


def exit_thread(emitter: Emitter) -> None:
    """End the thread. A return follows rather than ``unreachable``, which would let LLVM drop the way here."""
    emitter.do('call void asm sideeffect "exit;", "~{memory}"()')
    emitter.terminate("ret void")


def declare_record(emitter: Emitter) -> None:
    """Define the module's record."""
    emitter.module.add_global(
        RECORD_SYMBOL, f"addrspace(1) externally_initialized global {_HELD} zeroinitializer, align 8"
    )


def leave_if_failed(emitter: Emitter, start: BasicBlock) -> None:
    """Go to ``start``, or end the thread where the grid has failed already."""
    declare_record(emitter)
    state = emitter.let("i32", f"load volatile i32, {_word(0)}")
    stop = emitter.new_block("stopped")
    emitter.branch_if(emitter.compare("icmp eq", state, integer(32, 0)), start, stop)
    emitter.blocks.append(stop)
    stop.lines.append(("  ret void", None))
    stop.terminated = True


def _word(position: int) -> Value:
    """Pointer to the record's 32-bit word ``position``, as a constant expression."""
    text = f"getelementptr inbounds ({_HELD}, {_HELD} addrspace(1)* @{RECORD_SYMBOL}, i32 0, i32 {position})"
    return Value(_WORD, text)
