"""TIR: the typed, structured IR that both back ends lower.

TIR stands for Typed Intermediate Representation. Against HIR: every expression has a type, conversions are explicit,
generics, closures and compile-time values are gone, device functions are inlined, and everything with an effect is a
statement. An expression only computes: it may load and it may fault, but it never stores, and never is a collective.

Grammar (every node carries a ``span``, every expression a ``type``)::

    kernel = Kernel(name, parameters, allocations, body, ...)
    stmt = Assign(local, value) | Store(place, value) | Effect(target?, callee, arguments)
         | Collective(target?, callee, arguments, scope, meaning?)
         | If(condition, then, orelse) | While(label, header, condition, body) | For(
             label, local, start, stop, step, body,
         )
         | Block(label, body) | Break(label) | Continue(label) | Return | Assert(condition, message) | Print(message)
    expr = Const(value) | Ref(local) | Unary(op, operand) | Binary(op, lhs, rhs) | Compare(op, lhs, rhs)
         | ShortCircuit(op, lhs, rhs) | Conditional(condition, then, orelse) | Convert(value) | Bitcast(value)
         | Load(place) | Call(callee, arguments) | Aggregate(elements) | Extract(value, index)
         | Extent(array, axis) | SubArray(array, indices) | MakeArray(pointer, shape) | AddressOf(place)
         | Offset(pointer, count) | DynamicShared
    place = Element(array, indices) | Pointee(pointer) | Variable(local) | Member(place, index) | Item(place, index)
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from simt.core.diagnostics.span import Span
from simt.core.types import ArrayType, Type
from simt.core.types.address_space import AddressSpace

if TYPE_CHECKING:
    from simt.core.intrinsics.declare import Intrinsic

    AnyIntrinsic = Intrinsic[Any, Any]  # Any: intrinsics of every signature


class UnaryOp(StrEnum):
    NEGATE = "-"
    INVERT = "~"
    NOT = "not"


class BinaryOp(StrEnum):
    """Both operands have the type of the result. Integers wrap; ``//`` and ``%`` floor, for floats too.

    A shift by the width or more gives 0, or -1 for ``>>`` of a negative value. Integer division by zero is a fault
    where checks are on and undefined otherwise.
    """

    ADD = "+"
    SUB = "-"
    MUL = "*"
    TRUE_DIV = "/"
    FLOOR_DIV = "//"
    MOD = "%"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    MIN = "min"
    MAX = "max"


class CompareOp(StrEnum):
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class LogicalOp(StrEnum):
    AND = "and"
    OR = "or"


class Scope(StrEnum):
    """Which threads take part in a collective."""

    WARP = "warp"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Local:
    """A variable of one thread. ``number`` tells apart locals of the same name; it prints as ``x``, then ``x.1``."""

    name: str
    number: int
    type: Type

    def __str__(self) -> str:
        return self.name if self.number == 0 else f"{self.name}.{self.number}"


@dataclass(frozen=True, slots=True)
class Label:
    """Names a ``Block`` or a loop so that ``Break`` and ``Continue`` can leave it."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name}.{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedNode(Node):
    type: Type


# ---- expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(TypedNode):
    """A scalar. Integers are within the type's range; floats hold the exact literal, rounded once when emitted."""

    value: int | float | complex | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref(TypedNode):
    """The present value of a local. An array's local is its view."""

    local: Local


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(TypedNode):
    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(TypedNode):
    op: BinaryOp
    lhs: Expr
    rhs: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(TypedNode):
    """Operands share one type; the result is bool. Floats: only ``!=`` is true for NaN. Complex: ``==``, ``!=``."""

    op: CompareOp
    lhs: Expr
    rhs: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortCircuit(TypedNode):
    """``rhs`` is evaluated only where ``lhs`` leaves the result open. All bool."""

    op: LogicalOp
    lhs: Expr
    rhs: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(TypedNode):
    """Only the chosen operand is evaluated."""

    condition: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(TypedNode):
    """Scalar conversion. Integers wrap; float to integer truncates, saturates, and gives 0 for NaN; to bool: != 0.

    Real to complex gives a zero imaginary part. Float to float rounds to nearest even.
    """

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Bitcast(TypedNode):
    """The same bits as another type of the same size; pointer to pointer of one space, and pointer <-> u64, too."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Load(TypedNode):
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(TypedNode):
    """An intrinsic without effects."""

    callee: AnyIntrinsic
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(TypedNode):
    """A tuple, struct, vector or complex (re, im) from its parts."""

    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract(TypedNode):
    """Part ``index`` of a tuple, struct, vector or complex."""

    value: Expr
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent(TypedNode):
    """Length of one axis (i64)."""

    array: Expr
    axis: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubArray(TypedNode):
    """The view left when the leading axes are fixed: ``matrix[row]``. Indices are i64 and checked like a load's."""

    array: Expr
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeArray(TypedNode):
    """A contiguous view from a pointer and one i64 an axis with a run-time extent (``type`` is an ArrayType)."""

    pointer: Expr
    shape: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOf(TypedNode):
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Offset(TypedNode):
    """``pointer`` moved by ``count`` elements (i64)."""

    pointer: Expr
    count: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicShared(TypedNode):
    """Start of the block's dynamic shared memory: a pointer to u8 in the shared space, 16-byte aligned."""


Expr = (
    Const | Ref | Unary | Binary | Compare | ShortCircuit | Conditional | Convert | Bitcast | Load | Call | Aggregate
    | Extract | Extent | SubArray | MakeArray | AddressOf | Offset | DynamicShared
)

# ---- places: what can be loaded from and stored to


@dataclass(frozen=True, slots=True, kw_only=True)
class Element(TypedNode):
    """``array[indices]``, one i64 index an axis; bounds-checked where checks are on."""

    array: Expr
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointee(TypedNode):
    """``*pointer``; alignment-checked where checks are on."""

    pointer: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(TypedNode):
    local: Local


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(TypedNode):
    """Field ``index`` of the struct, tuple, vector or complex at ``place``."""

    place: Place
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(TypedNode):
    """Part ``index`` (i64, known only at run time) of the vector, or of the tuple of equal types, at ``place``."""

    place: Place
    index: Expr


Place = Element | Pointee | Variable | Member | Item

# ---- messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Text with values in between: ``parts`` alternates freely; a value carries its Python format specification."""

    parts: tuple[str | tuple[Expr, str], ...]


# ---- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Node):
    local: Local
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Store(Node):
    place: Place
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Node):
    """An intrinsic that writes, orders or observes memory or time, but waits for no other thread."""

    target: Local | None
    callee: AnyIntrinsic
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a collective computes in each thread, for targets without the instruction.

    ``arguments`` are 1-D views over the values of all threads of the scope, in lane (or linear thread) order; a
    thread's own position is ``lane``, and bit k of ``members`` (u32) says whether lane k takes part (warp scope).
    For block scope ``members`` is a view of bool, one entry a thread. ``body`` assigns ``result``.
    """

    lane: Local
    members: Local
    arguments: tuple[Local, ...]
    body: tuple[Stmt, ...]
    result: Local | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Collective(Node):
    """An intrinsic in which the threads of ``scope`` wait for each other.

    Warp scope: the last argument is the member mask (u32). ``meaning`` is None when compiling for a GPU, and for
    pure barriers.
    """

    target: Local | None
    callee: AnyIntrinsic
    arguments: tuple[Expr, ...]
    scope: Scope
    meaning: Meaning | None


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Node):
    condition: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Node):
    """Repeats: run ``header``, leave unless ``condition``, run ``body``. ``Continue`` goes to the header."""

    label: Label
    header: tuple[Stmt, ...]
    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Node):
    """``for local in range(start, stop, step)``: bounds are evaluated once, no overflow at the end of the type.

    ``step`` is not zero (a fault where checks are on). Assigning ``local`` in the body does not change the sequence.
    """

    label: Label
    local: Local
    start: Expr
    stop: Expr
    step: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Node):
    """Runs ``body`` once; ``Break`` with its label leaves it. Inlined functions and unrolled loops are blocks."""

    label: Label
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Node):
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Node):
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Node):
    """Ends this thread's work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assert(Node):
    condition: Expr
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Print(Node):
    message: Message


Stmt = (
    Assign | Store | Effect | Collective | If | While | For | Block | Break | Continue | Return | Assert | Print
)

# ---- the kernel


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation(Node):
    """Memory of one thread (local space), one block (shared space) or the module (constant space, with ``data``).

    ``local`` is the view; its ArrayType has compile-time extents. ``alignment`` in bytes, at least the element's.
    """

    local: Local
    alignment: int
    data: bytes | None = None

    @property
    def array(self) -> ArrayType:
        assert isinstance(self.local.type, ArrayType)
        return self.local.type

    @property
    def space(self) -> AddressSpace:
        return self.array.space


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel(Node):
    """One specialised kernel. ``parameters`` are locals set at entry, in the order of the launch's arguments.

    Compile-time parameters are absent. ``max_threads``: launch bound, threads a block. ``block``: the only block that
    it is launched with.
    """

    name: str
    parameters: tuple[Local, ...]
    allocations: tuple[Allocation, ...]
    body: tuple[Stmt, ...]
    max_threads: int | None = None
    min_blocks: int | None = None
    cluster: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None


_WITHOUT_NODES = frozenset((
    "Span", "Type", "UnaryOp", "BinaryOp", "CompareOp", "LogicalOp", "Scope", "AnyIntrinsic", "Local", "Local | None",
    "Label", "int", "int | float | complex | bool",
))
"""Annotations of fields in which no node is looked for; a field left out costs time, and nothing else."""


def children(node: Node) -> list[Node]:
    """The direct sub-nodes of ``node``, in source order; a ``Message`` or ``Meaning`` gives its contents."""
    found: list[Node] = []
    for name in _fields_with_nodes(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        else:
            found.extend(_nodes_in(value))
    return found


@cache
def _fields_with_nodes(kind: type[Node]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.type not in _WITHOUT_NODES)


def _nodes_in(value: object) -> Iterator[Node]:
    match value:
        case Node():
            yield value
        case Message(parts=parts):
            yield from (part[0] for part in parts if not isinstance(part, str))
        case Meaning(body=body):
            yield from body
        case tuple():
            for item in value:  # pyright: ignore[reportUnknownVariableType] -- fields hold homogeneous tuples of nodes
                yield from _nodes_in(item)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            pass


def walk(node: Node) -> Iterator[Node]:
    """``node`` and everything below it, parents first. No recursion: a step costs the same at any depth."""
    pending = [node]
    while pending:
        following = pending.pop()
        yield following
        below = children(following)
        below.reverse()
        pending += below
