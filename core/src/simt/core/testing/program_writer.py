"""Writes the text of a random program: statements in every control structure, expressions of an asked type.

All loops are bounded, all indices in range, and no divisor is an integer zero.
"""
from __future__ import annotations

import random
from dataclasses import dataclass, field

from simt.core.types import Kind, ScalarType
from simt.core.types.conversion import arithmetic_type
from simt.core.types.scalar import BOOL, F32, I8, I32, I64, U8, U32

ALWAYS = (I32, F32)  # the types of device functions
COUNTERS = (I8, I32, I64, U8, U32)
ELEMENTS = 8
HEADER = """\
from __future__ import annotations

from simt.core import InOut, In, bf16, f16, f32, f64, i8, i16, i32, i64, i128, kernel, u8, u16, u32, u64, u128
from simt.core.forms import static_range

"""


@dataclass(slots=True)
class ProgramWriter:
    """Writes one program. ``scope`` holds the names that surely have a value here, with their types."""

    source: random.Random
    types: tuple[ScalarType, ...]
    lines: list[str] = field(default_factory=list[str])
    scope: list[tuple[str, ScalarType]] = field(default_factory=list[tuple[str, ScalarType]])
    indent: int = 1
    loops: int = 0
    names: int = 0

    def write(self) -> str:
        parameters = [f"in_{kind}: In[{kind}]" for kind in self.types]
        parameters += [f"out_{kind}: InOut[{kind}]" for kind in self.types]
        self._device_functions()
        self.lines += ["@kernel", f"def program({', '.join(parameters)}):"]
        for kind in (*self.types, BOOL):
            self._declare(kind, self._expression(kind, 1))
        for _ in range(self.source.randint(4, 8)):
            self._statement(3)
        for name, kind in self.scope:
            if kind in self.types:
                self._line(f"out_{kind}[{self.source.randrange(ELEMENTS)}] = {name}")
        return HEADER + "\n".join(self.lines) + "\n"

    # ---- statements

    def _statement(self, depth: int) -> None:
        simple = [self._assign, self._assign, self._update, self._store]
        nested = [self._if, self._if, self._while, self._for, self._for, self._unrolled]
        write = self.source.choice(simple if depth == 0 else simple + nested)
        write(depth)

    def _assign(self, depth: int) -> None:
        name, kind = self.source.choice(self._variables())
        self._line(f"{name} = {self._expression(kind, 3)}")

    def _update(self, depth: int) -> None:
        """``x op= y`` where the result keeps the type of ``x``."""
        name, kind = self.source.choice([pair for pair in self._variables() if pair[1] != BOOL])
        op = self.source.choice(("+", "-", "*") if kind.is_float else ("+", "-", "*", "&", "|", "^"))
        self._line(f"{name} {op}= {self._expression(kind, 2)}")

    def _store(self, depth: int) -> None:
        kind = self.source.choice(self.types)
        self._line(f"out_{kind}[{self._index()}] = {self._expression(kind, 2)}")

    def _if(self, depth: int) -> None:
        self._line(f"if {self._condition(2)}:")
        self._body(depth)
        if self.source.random() < 0.3:
            self._line(f"elif {self._condition(2)}:")
            self._body(depth)
        if self.source.random() < 0.5:
            self._line("else:")
            self._body(depth)

    def _while(self, depth: int) -> None:
        counter = self._name("turn")
        self._line(f"{counter} = i32({self.source.randint(0, 6)})")
        self._line(f"while {counter} > 0 and {self._condition(1)}:")
        self.indent += 1
        self._line(f"{counter} -= 1")
        self.indent -= 1
        self._loop_body(depth)

    def _for(self, depth: int) -> None:
        variable, kind = self._name("step"), self.source.choice(COUNTERS)
        start, stop = self.source.randint(0, 5), self.source.randint(0, 9)
        step = self.source.choice((1, 1, 2, 3))
        if kind.kind is Kind.SIGNED and self.source.random() < 0.4:
            start, stop, step = stop, start - 3, -step
        self._line(f"for {variable} in range({kind}({start}), {kind}({stop}), {step}):")
        self._loop_body(depth, (variable, kind))

    def _unrolled(self, depth: int) -> None:
        """A loop over compile-time values, which stay literals."""
        variable = self._name("constant")
        values = ", ".join(str(self.source.randint(0, 7)) for _ in range(self.source.randint(2, 3)))
        ranges = (f"({values})", "static_range(3)", "static_range(1, 6, 2)", "static_range(4, 0, -2)")
        name, kind = self.source.choice([pair for pair in self._variables() if pair[1] != BOOL])
        self._line(f"for {variable} in {self.source.choice(ranges)}:")
        self.indent += 1
        if self.source.random() < 0.4:
            self._line(f"if {self._condition(1)}:")
            self._line(f"    {self.source.choice(('break', 'continue'))}")
        self._line(f"{name} = {kind}({name} + {variable})")
        self._statement(0)
        self.indent -= 1

    def _loop_body(self, depth: int, variable: tuple[str, ScalarType] | None = None) -> None:
        self.loops += 1
        mark = len(self.scope)
        if variable is not None:
            self.scope.append(variable)
        self._body(depth)
        del self.scope[mark:]
        self.loops -= 1

    def _body(self, depth: int) -> None:
        self.indent += 1
        for _ in range(self.source.randint(1, 3)):
            self._statement(depth - 1)
        if self.loops and self.source.random() < 0.3:
            self._line(f"if {self._condition(1)}:")
            self._line(f"    {self.source.choice(('break', 'continue'))}")
        self.indent -= 1

    # ---- expressions: text whose value has exactly the asked type

    def _expression(self, kind: ScalarType, depth: int) -> str:
        if kind == BOOL:
            return self._condition(depth)
        if depth == 0 or self.source.random() < 0.15:
            return self._leaf(kind)
        forms = [self._convert, self._choose, self._extreme, self._negate, self._call, *[self._binary] * 3]
        return self.source.choice(forms)(kind, depth - 1)

    def _leaf(self, kind: ScalarType) -> str:
        names = [name for name, other in self.scope if other == kind]
        choice = self.source.random()
        if names and choice < 0.5:
            return self.source.choice(names)
        if choice < 0.75:
            return f"{self.source.choice(('in', 'out'))}_{kind}[{self._index()}]"
        return f"{kind}({self._literal(kind)})"

    def _literal(self, kind: ScalarType) -> str:
        if kind.is_float:
            return self.source.choice(("0.0", "1.0", "0.5", "-2.25", "3", "0.1", "1e10", "-1e-10"))
        low, high = max(kind.minimum, -9), min(kind.maximum, 99)
        return str(self.source.choice((self.source.randint(low, high), kind.maximum, kind.minimum)))

    def _binary(self, kind: ScalarType, depth: int) -> str:
        op = self.source.choice(("+", "-", "*", "//", "%", *(("/",) if kind.is_float else ("&", "|", "^", "<<", ">>"))))
        left, right = self._operand_types(kind, op)
        a, b = self._expression(left, depth), self._expression(right, depth)
        if op in ("//", "%") and not kind.is_float:
            b = f"({b} | 1)"
        elif op not in ("<<", ">>") and left == kind and self.source.random() < 0.2:
            b = self._literal_operand(kind, op)
        return f"({a} {op} {b})"

    def _literal_operand(self, kind: ScalarType, op: str) -> str:
        """A weak literal, which takes the other operand's type."""
        if kind.is_float:
            return self.source.choice(("2", "0.1", "-1.5", "7"))
        return str(self.source.randint(1 if op in ("//", "%") else 0, 99))

    def _operand_types(self, kind: ScalarType, op: str) -> tuple[ScalarType, ScalarType]:
        """Types that meet in ``kind``."""
        if op in ("<<", ">>"):
            return kind, self.source.choice([other for other in self.types if other.is_integer])
        pairs = [(a, b) for a in self.types for b in self.types if arithmetic_type(a, b) == kind]
        if op == "/":
            pairs = [(a, b) for a, b in pairs if a.is_float or b.is_float]
        return self.source.choice(pairs) if self.source.random() < 0.5 else (kind, kind)

    def _convert(self, kind: ScalarType, depth: int) -> str:
        return f"{kind}({self._expression(self.source.choice((*self.types, BOOL)), depth)})"

    def _choose(self, kind: ScalarType, depth: int) -> str:
        return f"({self._expression(kind, depth)} if {self._condition(depth)} else {self._expression(kind, depth)})"

    def _extreme(self, kind: ScalarType, depth: int) -> str:
        return f"{self.source.choice(('min', 'max'))}({self._expression(kind, depth)}, {self._expression(kind, depth)})"

    def _negate(self, kind: ScalarType, depth: int) -> str:
        form = self.source.choice(("(-{})", "abs({})") if kind.is_float else ("(-{})", "abs({})", "(~{})", "({} ** 3)"))
        return form.format(self._expression(kind, depth))

    def _call(self, kind: ScalarType, depth: int) -> str:
        if kind not in ALWAYS:
            return self._leaf(kind)
        return f"mixed_{kind}({self._expression(kind, depth)}, {self._expression(kind, depth)}, {self._condition(0)})"

    def _condition(self, depth: int) -> str:
        flags = [name for name, kind in self.scope if kind == BOOL]
        choice = self.source.random()
        if depth > 0 and choice < 0.2:
            joined = self.source.choice(("and", "or"))
            return f"({self._condition(depth - 1)} {joined} {self._condition(depth - 1)})"
        if depth > 0 and choice < 0.3:
            return f"(not {self._condition(depth - 1)})"
        if flags and choice < 0.4:
            return self.source.choice(flags)
        kind = self.source.choice(self.types)
        inner = max(depth - 1, 0)
        parts = [self._expression(kind, inner) for _ in range(3 if choice > 0.9 else 2)]
        ops = ("<", "<=", "==", "!=", ">", ">=")
        return "(" + "".join(f"{part} {self.source.choice(ops)} " for part in parts[:-1]) + parts[-1] + ")"

    def _index(self) -> str:
        whole = [name for name, kind in self.scope if kind.is_integer and kind.bits <= 64]
        if whole and self.source.random() < 0.3:
            return f"{self.source.choice(whole)} & {ELEMENTS - 1}"
        return str(self.source.randrange(ELEMENTS))

    # ---- names and lines

    def _device_functions(self) -> None:
        """One function a type, with an early return in a branch and in a loop."""
        for kind in ALWAYS:
            self.lines += [
                f"def mixed_{kind}(a: {kind}, b: {kind}, flag: bool) -> {kind}:",
                "    if flag:",
                f"        return a - {self._literal_operand(kind, '-')}",
                "    for turn in range(3):",
                f"        if a {self.source.choice(('<', '>=', '=='))} b:",
                f"            return {kind}(turn) * b",
                f"        b = b + {self._literal_operand(kind, '+')}",
                "    return a", "", "",
            ]

    def _declare(self, kind: ScalarType, value: str) -> None:
        name = self._name(str(kind) + "_")
        self._line(f"{name} = {value}")
        self.scope.append((name, kind))

    def _variables(self) -> list[tuple[str, ScalarType]]:
        """Names that may be assigned: not those of loops."""
        return [pair for pair in self.scope if not pair[0].startswith("step")]

    def _name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)
