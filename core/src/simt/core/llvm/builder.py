"""LLVM IR as text, built line by line.

Text because libNVVM takes text, because two dialects of it are needed (typed pointers for the LLVM 7 dialect, opaque
ones for the host), and because each line can remember the span it came from.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from simt.core.diagnostics.span import Span


def plain_name(text: str) -> str:
    """``text`` with what LLVM and PTX do not take in a name replaced; Python's identifiers may be in any script."""
    return re.sub(r"[^A-Za-z0-9_]", "_", text)


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: its LLVM type and its text (``%7``, ``42``, ``@name``)."""

    type: str
    text: str

    def __str__(self) -> str:
        return f"{self.type} {self.text}"


@dataclass(slots=True)
class Module:
    """One module being built. ``typed_pointers`` chooses the dialect. Order of declaration is order of printing."""

    typed_pointers: bool
    header: list[str] = field(default_factory=list[str])
    globals: dict[str, str] = field(default_factory=dict[str, str])
    declarations: dict[str, str] = field(default_factory=dict[str, str])
    functions: list[Emitter] = field(default_factory=list["Emitter"])
    metadata: list[str] = field(default_factory=list[str])
    named_metadata: list[str] = field(default_factory=list[str])

    def pointer(self, element: str, space: int = 0) -> str:
        """The type of a pointer to ``element``.

        The host's opaque pointers have one address space. A thread's own memory (5) is reached by generic pointers,
        since LLVM 7's SROA does not look through an ``addrspacecast`` of an alloca; the NVPTX back end finds out.
        """
        if not self.typed_pointers:
            return "ptr"
        return f"{element}*" if space in (0, 5) else f"{element} addrspace({int(space)})*"

    def declare(self, name: str, result: str, parameters: Sequence[str], attributes: str = "") -> None:
        """Declare an external function once."""
        if all(function.name != name for function in self.functions):
            text = f"declare {result} @{name}({', '.join(parameters)}) {attributes}".rstrip()
            self.declarations.setdefault(name, text)

    def add_global(self, name: str, text: str) -> None:
        """Add ``@name = text``."""
        self.globals.setdefault(name, f"@{name} = {text}")

    def add_metadata(self, text: str) -> str:
        """Append a numbered node; gives its name, ``!3``."""
        self.metadata.append(text)
        return f"!{len(self.metadata) - 1}"

    def text(self) -> str:
        """The whole module."""
        return "\n".join(line for line, _ in self.lines()) + "\n"

    def lines(self) -> list[tuple[str, Span | None]]:
        """Every line with the span it stems from: libNVVM's line numbers index into this list."""
        out: list[tuple[str, Span | None]] = [(line, None) for line in self.header]
        out += [(line, None) for line in self.globals.values()]
        out += [(line, None) for line in self.declarations.values()]
        for function in self.functions:
            out += function.lines()
        out += [(line, None) for line in self.named_metadata]
        out += [(f"!{number} = {text}", None) for number, text in enumerate(self.metadata)]
        return out


@dataclass(slots=True)
class BasicBlock:
    """Instructions with the spans they stem from; ``terminated`` once the last one is a terminator."""

    name: str
    lines: list[tuple[str, Span | None]] = field(default_factory=list[tuple[str, Span | None]])
    terminated: bool = False


@dataclass(slots=True)
class Emitter:
    """One function being built. ``block`` is where the next instruction goes; ``span`` what it is for.

    ``debug_location`` (``!dbg`` reference for the present span, or "") is set by the back end's line table.
    """

    module: Module
    head: str
    tail: str = "{"
    blocks: list[BasicBlock] = field(default_factory=list[BasicBlock])
    block: BasicBlock = field(init=False)
    allocas: list[str] = field(default_factory=list[str])
    span: Span | None = None
    debug_location: str = ""
    counter: int = 0

    def __post_init__(self) -> None:
        self.module.functions.append(self)
        self.block = self.new_block("entry")
        self.blocks.append(self.block)

    @property
    def name(self) -> str:
        """The function's name, without ``@``."""
        return self.head.partition("@")[2].partition("(")[0]

    # ---- blocks

    def new_block(self, hint: str) -> BasicBlock:
        """A block with a fresh name, not yet placed."""
        self.counter += 1
        return BasicBlock(f"{hint}{self.counter}")

    def place(self, block: BasicBlock) -> None:
        """Append ``block`` and continue in it; falls through from an unterminated block."""
        if not self.block.terminated:
            self.branch(block)
        self.blocks.append(block)
        self.block = block

    def branch(self, target: BasicBlock) -> None:
        self.terminate(f"br label %{target.name}")

    def branch_if(self, condition: Value, then: BasicBlock, orelse: BasicBlock, metadata: str = "") -> None:
        self.terminate(f"br {condition}, label %{then.name}, label %{orelse.name}{metadata}")

    def terminate(self, text: str) -> None:
        """Emit a terminator; anything after it in this block is unreachable and dropped."""
        if not self.block.terminated:
            self._append(text)
            self.block.terminated = True

    # ---- instructions

    def do(self, text: str) -> None:
        """Emit an instruction without a result."""
        if not self.block.terminated:
            self._append(text)

    def let(self, type: str, text: str) -> Value:
        """Emit an instruction with a result of ``type``."""
        self.counter += 1
        name = f"%v{self.counter}"
        if not self.block.terminated:
            self._append(f"{name} = {text}")
        return Value(type, name)

    def alloca(self, type: str, hint: str = "local", alignment: int | None = None) -> Value:
        """A stack slot in the entry block."""
        self.counter += 1
        name = f"%{plain_name(hint)}.{self.counter}"
        suffix = f", align {alignment}" if alignment else ""
        self.allocas.append(f"{name} = alloca {type}{suffix}")
        return Value(self.module.pointer(type), name)

    def load(self, type: str, pointer: Value, suffix: str = "") -> Value:
        return self.let(type, f"load {type}, {pointer}{suffix}")

    def store(self, value: Value, pointer: Value, suffix: str = "") -> None:
        self.do(f"store {value}, {pointer}{suffix}")

    def element_pointer(self, element: str, pointer: Value, index: Value, space: int = 0) -> Value:
        """``pointer + index`` in units of ``element``."""
        return self.let(self.module.pointer(element, space), f"getelementptr inbounds {element}, {pointer}, {index}")

    def member_pointer(self, aggregate: str, pointer: Value, index: Value, member: str, space: int = 0) -> Value:
        """Pointer to member ``index`` (of type ``member``) of the struct or vector that ``pointer`` points to."""
        text = f"getelementptr inbounds {aggregate}, {pointer}, i32 0, {index}"
        return self.let(self.module.pointer(member, space), text)

    def cast_pointer(self, pointer: Value, element: str, space: int = 0) -> Value:
        """The same address as a pointer to ``element``; nothing to do where pointers are opaque."""
        return self.cast("bitcast", pointer, self.module.pointer(element, space))

    def call(self, result: str, name: str, arguments: Sequence[Value], attributes: str = "") -> Value:
        """Call a declared function (declared on the way if new); ``result`` may be ``void``."""
        self.module.declare(name, result, [argument.type for argument in arguments], attributes)
        text = f"call {result} @{name}({', '.join(map(str, arguments))})"
        if result == "void":
            self.do(text)
            return Value("void", "")
        return self.let(result, text)

    def binary(self, op: str, lhs: Value, rhs: Value) -> Value:
        return self.let(lhs.type, f"{op} {lhs}, {rhs.text}")

    def compare(self, op: str, lhs: Value, rhs: Value) -> Value:
        """``op`` includes the instruction: ``icmp slt``, ``fcmp olt``."""
        return self.let("i1", f"{op} {lhs}, {rhs.text}")

    def cast(self, op: str, value: Value, type: str) -> Value:
        return value if value.type == type else self.let(type, f"{op} {value} to {type}")

    def select(self, condition: Value, then: Value, orelse: Value) -> Value:
        return self.let(then.type, f"select {condition}, {then}, {orelse}")

    def phi(self, type: str, incoming: Sequence[tuple[Value, BasicBlock]]) -> Value:
        pairs = ", ".join(f"[ {value.text}, %{block.name} ]" for value, block in incoming)
        return self.let(type, f"phi {type} {pairs}")

    def extract(self, value: Value, index: int, type: str) -> Value:
        return self.let(type, f"extractvalue {value}, {index}")

    def insert(self, aggregate: Value, value: Value, index: int) -> Value:
        return self.let(aggregate.type, f"insertvalue {aggregate}, {value}, {index}")

    def lines(self) -> list[tuple[str, Span | None]]:
        """The function's text, line by line."""
        out: list[tuple[str, Span | None]] = [(f"{self.head} {self.tail}", None)]
        for number, block in enumerate(self.blocks):
            out.append((f"{block.name}:", None))
            if number == 0:
                out += [(f"  {line}", None) for line in self.allocas]
            out += block.lines
        out.append(("}", None))
        return out

    def _append(self, text: str) -> None:
        self.block.lines.append((f"  {text}{self.debug_location}", self.span))
