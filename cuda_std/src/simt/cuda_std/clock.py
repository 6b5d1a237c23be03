"""Time as a thread sees it: two readings and a subtraction. Readings of different threads are in no order."""
from __future__ import annotations

import sys
import time

from simt.core.errors import UnavailableError
from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.recipe import Expand, InlinePtx, LlvmCall
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i64
from simt.core.types import Type


@intrinsic(
    gpu=InlinePtx("mov.u64 $0, %clock64;", "=l"), cpu=LlvmCall("llvm.readcyclecounter"), ptx=r"%clock64", since=Sm(50),
    source="PTX ISA, Special Registers: %clock64", behavior=Behavior.OBSERVE, uniformity=Uniformity.LANE,
)
def cycles() -> i64:
    """Cycles of this multiprocessor's clock (CPU target: of the processor's time-stamp counter) since some start.

    Comparable only between readings on the same multiprocessor; the frequency varies.
    """
    return i64(time.perf_counter_ns())


def _host_nanoseconds(
    emitter: Emitter, _arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    if sys.platform == "win32":
        raise UnavailableError("clock.nanoseconds() on the CPU target needs clock_gettime, which Windows lacks")
    slot = emitter.alloca("{ i64, i64 }", "timespec")
    emitter.call("i32", "clock_gettime", [Value("i32", str(time.CLOCK_MONOTONIC)), slot])
    time_of_day = emitter.load("{ i64, i64 }", slot)
    seconds, rest = emitter.extract(time_of_day, 0, "i64"), emitter.extract(time_of_day, 1, "i64")
    return emitter.binary("add", emitter.binary("mul", seconds, Value("i64", "1000000000")), rest)


@intrinsic(
    gpu=InlinePtx("mov.u64 $0, %globaltimer;", "=l"), cpu=Expand(_host_nanoseconds), ptx=r"%globaltimer", since=Sm(50),
    source="PTX ISA, Special Registers: %globaltimer; POSIX clock_gettime", behavior=Behavior.OBSERVE,
    uniformity=Uniformity.LANE,
)
def nanoseconds() -> i64:
    """Nanoseconds since some start, the same for all threads of the device.

    The GPU's timer may advance in steps of about a microsecond.
    """
    return i64(time.monotonic_ns())
