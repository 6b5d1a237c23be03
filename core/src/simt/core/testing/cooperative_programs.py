"""Random kernels whose threads meet: barriers, votes, shuffles and shared memory in nested control flow, without races.

Each program keeps two kinds of control flow apart. Where all threads of the block that are still there take the same
way ("uniform"), threads meet; where they may not ("varying"), a thread only computes. Conditions of uniform flow come
from parameters, counters and block votes. Threads may return early, one by one. So every program is legal, and its
result does not depend on the order in which threads run.
"""
from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt.core.kernel import Kernel
from simt.core.testing.host_array import Buffer
from simt.core.testing.programs import kernel_from_text

THREADS = (1, 5, 32, 40, 70)
HEADER = """\
from __future__ import annotations

from simt.core import In, InOut, i32, kernel, u32
from simt.cuda_std import block, shared, thread, warp

"""
ROTATE = """\
def rotate(tile: InOut[i32], value: i32, by: i32, count: i32) -> i32:
    t = thread.index_in_block()
    tile[t] = value
    block.sync()
    other = tile[(t + by) % count]
    block.sync()
    return other


"""


@dataclass(frozen=True, slots=True)
class CooperativeProgram:
    """A kernel as text, and the block it runs in."""

    seed: int
    text: str
    threads: int

    def load(self) -> Kernel[Any]:  # Any: the parameters are known only as text
        """The kernel."""
        return kernel_from_text(self.text, "program", f"cooperative program {self.seed}")

    def arguments(self) -> list[int | Buffer]:
        """``n``, ``m``, an input and an output element a thread."""
        source = random.Random(self.seed)
        values = np.array([source.randint(-20, 20) for _ in range(self.threads)], np.int32)
        return [source.randint(0, 4), source.randint(0, 4), values, np.zeros(self.threads, np.int32)]


def cooperative_program(seed: int) -> CooperativeProgram:
    """The program of ``seed``."""
    source = random.Random(seed)
    return CooperativeProgram(seed, _Writer(source).write(), source.choice(THREADS))


@dataclass(slots=True)
class _Writer:
    """``counters``: loop variables in scope, all uniform; ``loops``: uniform loops around the present line."""

    source: random.Random
    lines: list[str] = field(default_factory=list[str])
    counters: list[str] = field(default_factory=list[str])
    indent: int = 1
    loops: int = 0
    names: int = 0

    def write(self) -> str:
        self._line("tile = shared.array(i32, 128)")
        self._line("t = thread.index_in_block()")
        self._line("count = thread.block_dim.x")
        self._line("a, b, c, u = x[t], t, i32(1), n")
        self._line("tile[t] = 0")
        self._line("block.sync()")
        self._uniform_body(3, self.source.randint(4, 7))
        self._line("out[t] += a + 3 * b + 7 * c + 1000 * u")
        signature = "def program(n: i32, m: i32, x: In[i32], out: InOut[i32]):"
        return HEADER + "\n" + ROTATE + "\n".join(["@kernel", signature, *self.lines]) + "\n"

    # ---- uniform flow: threads may meet

    def _uniform_body(self, depth: int, statements: int) -> None:
        for _ in range(statements):
            meet = [self._exchange, self._shuffle, self._vote, self._warp_vote, self._compute, self._varying_if]
            nest = [self._uniform_if, self._uniform_for, self._uniform_while, self._return]
            self.source.choice(meet if depth == 0 else [*meet, *nest])(depth)

    def _exchange(self, depth: int) -> None:
        if self.source.random() < 0.4:
            self._line(f"{self._local()} = rotate(tile, {self._value(1)}, {self.source.randint(0, 5)}, count)")
            return
        self._line(f"tile[t] = {self._value(1)}")
        self._line("block.sync()")
        self._line(f"{self._local()} += tile[(t * {self.source.choice((1, 3, 5))} + ({self._uniform()})) % count]")
        self._line("block.sync()")

    def _shuffle(self, depth: int) -> None:
        kind, operand = self.source.choice((
            ("shuffle", "t * 5 & 31"), ("shuffle_up", "3"), ("shuffle_down", f"({self._uniform()}) & 31"),
            ("shuffle_xor", "9"), ("shuffle_down", "1, 8"),
        ))
        self._line(f"{self._local()} ^= warp.{kind}({self._value(1)}, {operand})")

    def _vote(self, depth: int) -> None:
        form = self.source.choice(("= block.sync_count({})", "+= i32(block.sync_or({}))", "-= i32(block.sync_and({}))"))
        self._line(f"u {form.format(self._varying_condition())}")

    def _warp_vote(self, depth: int) -> None:
        form = self.source.choice((
            "{} += i32(warp.ballot({}) & 0xFFFF)", "{} += i32(warp.any({}))", "{} -= i32(warp.all({}))",
        ))
        self._line(form.format(self._local(), self._varying_condition()))

    def _uniform_if(self, depth: int) -> None:
        condition = self._uniform_condition()
        if self.source.random() < 0.3:
            condition = f"block.sync_or({self._varying_condition()})"
        self._line(f"if {condition}:")
        self._nested(depth)
        if self.source.random() < 0.5:
            self._line("else:")
            self._nested(depth)

    def _uniform_for(self, depth: int) -> None:
        counter = self._name("k")
        self._line(f"for {counter} in range({self.source.choice(('n', 'm', '2', 'n + 1', '3'))}):")
        self._loop(depth, counter)

    def _uniform_while(self, depth: int) -> None:
        counter = self._name("turn")
        self._line(f"{counter} = {self.source.randint(1, 3)}")
        vote = f"block.sync_or({self._varying_condition()})"
        self._line(f"while {counter} > 0 and {self.source.choice((vote, self._uniform_condition()))}:")
        self.indent += 1
        self._line(f"{counter} -= 1")
        self.indent -= 1
        self._loop(depth, counter)

    def _loop(self, depth: int, counter: str) -> None:
        self.loops += 1
        self.counters.append(counter)
        self._nested(depth)
        self.counters.remove(counter)
        self.loops -= 1

    def _nested(self, depth: int) -> None:
        self.indent += 1
        self._uniform_body(depth - 1, self.source.randint(1, 3))
        if self.loops and self.source.random() < 0.25:
            self._line(f"if {self._uniform_condition()}:")
            self._line(f"    {self.source.choice(('break', 'continue'))}")
        self.indent -= 1

    def _return(self, depth: int) -> None:
        if self.source.random() < 0.6:
            self._compute(depth)
            return
        self._line(f"if {self._varying_condition()}:")
        self._line("    out[t] = a - c")
        self._line("    return")

    # ---- varying flow: a thread only computes

    def _varying_if(self, depth: int) -> None:
        self._line(f"if {self._varying_condition()}:")
        self.indent += 1
        self._compute(0)
        if self.source.random() < 0.5:
            counter = self._name("j")
            self._line(f"for {counter} in range(({self._value(1)}) & 3):")
            self._line(f"    {self._local()} += {counter} * t")
            self._line(f"    if {self._varying_condition()}:")
            self._line(f"        {self.source.choice(('break', 'continue'))}")
            self._line(f"    {self._local()} ^= {self._value(1)}")
        self.indent -= 1
        if self.source.random() < 0.4:
            self._line("else:")
            self.indent += 1
            self._compute(0)
            self.indent -= 1

    def _compute(self, depth: int) -> None:
        self._line(f"{self._local()} {self.source.choice(('=', '+=', '-=', '^='))} {self._value(2)}")

    # ---- expressions, all i32

    def _value(self, depth: int) -> str:
        if depth == 0 or self.source.random() < 0.2:
            return self.source.choice(("a", "b", "c", "t", "x[t]", "u", str(self.source.randint(0, 9)), *self.counters))
        if self.source.random() < 0.2:
            return f"({self._value(depth - 1)} if {self._varying_condition()} else {self._value(depth - 1)})"
        op = self.source.choice(("+", "-", "*", "&", "|", "^", "//", "%"))
        right = f"({self._value(0)} & 7 | 1)" if op in ("//", "%") else self._value(depth - 1)
        return f"({self._value(depth - 1)} {op} {right})"

    def _varying_condition(self) -> str:
        return f"{self._value(1)} {self.source.choice(('<', '>', '==', '!=', '<='))} {self._value(1)}"

    def _uniform(self) -> str:
        return self.source.choice(("n", "m", "u", str(self.source.randint(0, 5)), *self.counters))

    def _uniform_condition(self) -> str:
        op = self.source.choice(("<", "==", "!=", ">"))
        return f"({self._uniform()} + {self._uniform()}) % 3 {op} {self.source.randint(0, 2)}"

    def _local(self) -> str:
        return self.source.choice(("a", "b", "c"))

    def _name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)
