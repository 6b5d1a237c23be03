"""Random small structured programs: one thread, every control structure, every kind of number.

``random_program(seed)`` writes a kernel as text; the same seed gives the same text. All its loops are bounded, all
indices are in range and no divisor is an integer zero, so every run must succeed, and any difference between the
oracle and a target is a bug. One thread only: with more, a program would also need to be free of races.
"""
from __future__ import annotations

import linecache
import random
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from simt.core.kernel import Kernel
from simt.core.testing.host_array import Buffer
from simt.core.testing.program_writer import ALWAYS, ELEMENTS, ProgramWriter
from simt.core.types import ScalarType
from simt.core.types.scalar import BF16, F16, F64, I8, I16, I64, I128, U8, U16, U32, U64, U128
from simt.core.values.numpy_types import DTYPES, payload_to_numpy
from simt.core.values.payload import convert

OTHERS = (I8, I16, I64, I128, U8, U16, U32, U64, U128, F16, BF16, F64)


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel as text. For each of ``types``, it reads an array ``in_T`` and changes ``out_T``, of ``ELEMENTS``."""

    seed: int
    text: str
    types: tuple[ScalarType, ...]

    def load(self) -> Kernel[Any]:  # Any: the parameters are known only as text
        """The kernel."""
        return kernel_from_text(self.text, "program", f"random program {self.seed}")

    def arguments(self) -> list[Buffer]:
        """Input and output arrays, filled from the seed with ordinary and extreme values."""
        source = random.Random(self.seed)
        return [_array(source, kind) for kind in self.types * 2]


def random_program(seed: int) -> Program:
    """The program of ``seed``."""
    source = random.Random(seed)
    types = (*ALWAYS, *source.sample(OTHERS, 4))
    return Program(seed, ProgramWriter(source, types).write(), types)


def kernel_from_text(text: str, name: str, title: str) -> Kernel[Any]:  # Any: the parameters are known only as text
    """The kernel called ``name`` in the module that ``text`` writes; ``title`` names it in messages."""
    filename = f"<{title}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, object] = {"__name__": title.replace(" ", "_")}
    exec(compile(text, filename, "exec"), names)
    return cast("Kernel[Any]", names[name])


def _array(source: random.Random, kind: ScalarType) -> Buffer:
    array = np.zeros(ELEMENTS, DTYPES[kind])
    for i in range(ELEMENTS):
        array[i] = payload_to_numpy(convert(_element(source, kind), kind), kind)[()]
    return array


def _element(source: random.Random, kind: ScalarType) -> int | float:
    if kind.is_float:
        special = (0.0, -0.0, 1.0, -1.5, 0.1, 1e30, -1e-30, float("inf"), float("nan"), 255.0, -128.5, 2.0**31)
        return source.choice(special) if source.random() < 0.5 else source.uniform(-100, 100)
    if source.random() < 0.4:
        return source.choice((0, 1, kind.maximum, kind.minimum, kind.maximum - 1, kind.minimum + 1, 2, 7))
    return source.randint(max(kind.minimum, -100), min(kind.maximum, 100))
