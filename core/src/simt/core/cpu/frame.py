"""The kernel's function and the memory around its threads: entry, arguments, blocks, arena.

Two functions a kernel. The entry has the signature that the pool calls; it takes the pointers out of the argument
record and the arena and passes them on as ``noalias`` parameters of the second, which loops over the blocks. Only as
parameters can LLVM learn that input arrays are not written, and that shared memory is nobody else's.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.cpu.host_kernel import THREAD_GRANULE, Arena
from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.pool_fields import ARENA_ALIGNMENT
from simt.core.llvm.builder import BasicBlock, Emitter, Module, Value
from simt.core.llvm.constants import integer
from simt.core.types import Access, ArrayType
from simt.core.types.layout import align_up


@dataclass(slots=True)
class ArenaPlan:
    """The arena being laid out: fixed parts, then arrays over threads, then parts as large as dynamic shared memory.

    Each part becomes a ``noalias`` parameter of the blocks' function; asking gives its name there.
    """

    fixed: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    arrays: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    dynamic: list[str] = field(default_factory=list[str])

    def add_fixed(self, hint: str, size: int) -> Value:
        """``size`` bytes a block."""
        name = self._name(hint)
        self.fixed.append((name, align_up(size, ARENA_ALIGNMENT)))
        return Value("ptr", f"%{name}")

    def add_array(self, hint: str, size: int) -> Value:
        """``size`` bytes a thread."""
        name = self._name(hint)
        self.arrays.append((name, size))
        return Value("ptr", f"%{name}")

    def add_dynamic(self, hint: str) -> Value:
        """As many bytes as the launch asks for in dynamic shared memory."""
        name = self._name(hint)
        self.dynamic.append(name)
        return Value("ptr", f"%{name}")

    def totals(self) -> Arena:
        return Arena(
            fixed=sum(size for _, size in self.fixed), per_thread=sum(size for _, size in self.arrays),
            dynamic=len(self.dynamic),
        )

    def _name(self, hint: str) -> str:
        return f"arena.{hint}.{len(self.fixed) + len(self.arrays) + len(self.dynamic)}"


def record_field(emitter: Emitter, record: Value, offset: LaunchField) -> Value:
    """Address of a field of the launch record."""
    return emitter.let("ptr", f"getelementptr i8, {record}, i64 {int(offset)}")


def small_field(emitter: Emitter, record: Value, offset: LaunchField, limit: int) -> Value:
    """A dimension from the record as an i32, which LLVM is told to be from 1 to ``limit``."""
    node = emitter.module.add_metadata(f"!{{i32 1, {integer(32, limit + 1)}}}")
    return emitter.load("i32", record_field(emitter, record, offset), f", align 8, !range {node}")


def emit_entry(module: Module, symbol: str, kernel: tir.Kernel, offsets: tuple[int, ...], plan: ArenaPlan) -> None:
    """The function that the pool calls. ``offsets`` place each parameter in the argument record."""
    head = f"define void @{symbol}(ptr %record, i64 %first, i64 %end, ptr %arena) nounwind"
    emitter = Emitter(module=module, head=head)
    record = Value("ptr", "%record")
    arguments = emitter.load("ptr", record_field(emitter, record, LaunchField.ARGUMENTS))
    passed = [record, arguments, Value("i64", "%first"), Value("i64", "%end")]
    passed += [
        emitter.load("ptr", _offset(emitter, arguments, integer(64, offset)))
        for parameter, offset in zip(kernel.parameters, offsets, strict=True) if isinstance(parameter.type, ArrayType)
    ]
    passed += _arena_parts(emitter, record, plan)
    emitter.do(f"call void @{symbol}.blocks({', '.join(map(str, passed))})")
    emitter.terminate("ret void")


def shared_parameters(kernel: tir.Kernel, plan: ArenaPlan, noalias: str) -> list[str]:
    """The parameters of the functions inside: array parameters are named ``%array.0`` and so on, the arena's parts as
    the plan says. ``noalias`` is the attribute of the pointers, or empty."""
    parameters = ["ptr %record", "ptr readonly %arguments", "i64 %first", "i64 %end"]
    for position, parameter in enumerate(kernel.parameters):
        if isinstance(parameter.type, ArrayType):
            readonly = " readonly" if parameter.type.access is Access.IN and noalias else ""
            parameters.append(f"ptr {noalias}{readonly} %array.{position}")
    parts = [name for name, _ in plan.fixed] + [name for name, _ in plan.arrays] + plan.dynamic
    return parameters + [f"ptr {noalias} align 16 %{name}" for name in parts]


def blocks_head(symbol: str, kernel: tir.Kernel, plan: ArenaPlan) -> str:
    """The head of the function that loops over blocks."""
    parameters = shared_parameters(kernel, plan, "noalias")
    return f"define internal void @{symbol}.blocks({', '.join(parameters)}) noinline nounwind"


def thread_head(symbol: str, kernel: tir.Kernel, plan: ArenaPlan, extra: tuple[str, ...]) -> str:
    """The head of a coroutine. Without ``noalias``: while it is suspended, other threads write to the same memory."""
    parameters = [*shared_parameters(kernel, plan, ""), *extra]
    return f"define internal ptr @{symbol}.thread({', '.join(parameters)}) presplitcoroutine nounwind"


def thread_call(symbol: str, kernel: tir.Kernel, plan: ArenaPlan) -> str:
    """A call of the coroutine from the blocks' function, up to the arguments that each thread has for itself."""
    names = [f"{text.split()[0]} {text.split()[-1]}" for text in shared_parameters(kernel, plan, "")]
    return f"call ptr @{symbol}.thread({', '.join(names)}"


@dataclass(frozen=True, slots=True)
class BlockLoop:
    """The loop over blocks under construction: ``skip`` goes to the next block."""

    head: BasicBlock
    skip: BasicBlock
    counter: Value
    linear: Value


def open_block_loop(emitter: Emitter, record: Value, at_end: Callable[[], None] = lambda: None) -> BlockLoop:
    """Begin the loop: leaves ``emitter`` at the start of a block's work. Blocks above a failed one do not start.

    ``at_end`` emits what is to be done before the function returns.
    """
    counter = emitter.alloca("i64", hint="block")
    emitter.store(Value("i64", "%first"), counter)
    head, body, out, skip = (emitter.new_block(hint) for hint in ("blocks", "start", "done", "next"))
    emitter.place(head)
    linear = emitter.load("i64", counter)
    stop = emitter.load("atomic i64", record_field(emitter, record, LaunchField.STOP_AFTER), " monotonic, align 8")
    stop = Value("i64", stop.text)
    more = emitter.compare("icmp slt", linear, Value("i64", "%end"))
    wanted = emitter.compare("icmp sle", linear, stop)
    emitter.branch_if(emitter.binary("and", more, wanted), body, out)
    emitter.place(out)
    at_end()
    emitter.terminate("ret void")
    emitter.place(body)
    return BlockLoop(head, skip, counter, linear)


def close_block_loop(emitter: Emitter, loop: BlockLoop) -> None:
    """End a block's work and go on to the next."""
    emitter.place(loop.skip)
    emitter.store(emitter.binary("add nuw nsw", loop.linear, integer(64, 1)), loop.counter)
    emitter.branch(loop.head)


def _arena_parts(emitter: Emitter, record: Value, plan: ArenaPlan) -> list[Value]:
    """The addresses of the plan's parts, in the order of ``blocks_head``."""
    parts: list[Value] = []
    place = Value("ptr", "%arena")
    for _, size in plan.fixed:
        parts.append(place)
        place = _offset(emitter, place, integer(64, size))
    if plan.arrays:
        threads = _padded_threads(emitter, record)
        for _, size in plan.arrays:
            parts.append(place)
            place = _offset(emitter, place, emitter.binary("mul", threads, integer(64, size)))
    if plan.dynamic:
        size = emitter.load("i64", record_field(emitter, record, LaunchField.SHARED_BYTES))
        padded = _rounded(emitter, size, ARENA_ALIGNMENT)
        for _ in plan.dynamic:
            parts.append(place)
            place = _offset(emitter, place, padded)
    return parts


def _padded_threads(emitter: Emitter, record: Value) -> Value:
    x, y, z = (
        emitter.load("i64", record_field(emitter, record, axis))
        for axis in (LaunchField.BLOCK_X, LaunchField.BLOCK_Y, LaunchField.BLOCK_Z)
    )
    return _rounded(emitter, emitter.binary("mul", emitter.binary("mul", x, y), z), THREAD_GRANULE)


def _rounded(emitter: Emitter, value: Value, granule: int) -> Value:
    return emitter.binary("and", emitter.binary("add", value, integer(64, granule - 1)), integer(64, -granule))


def _offset(emitter: Emitter, pointer: Value, distance: Value) -> Value:
    return emitter.let("ptr", f"getelementptr i8, {pointer}, {distance}")
