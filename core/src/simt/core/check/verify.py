"""What valid TIR is. A violation is a bug of the compiler, never of the user.

- Every ``Ref`` and ``Variable`` names a parameter, an allocation or a local assigned by some statement, with its type.
- Operands of ``Binary`` have its type; shifts, arithmetic and comparisons are over scalars; conditions are bool.
- Indices, extents and offsets are i64; an ``Element`` has one index an axis of its array.
- ``Assign`` and ``Store`` store exactly the type of their place; nothing is stored through a read-only array.
- ``Break`` and ``Continue`` name a construct around them; ``Continue`` a loop.
- ``Call`` holds only intrinsics without effects, ``Effect`` only those that wait for nobody, ``Collective`` the rest.
- Constants are in the range of their type. ``Extract`` and ``Member`` name a part that exists.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simt.core.check import tir
from simt.core.check.show import show, show_expression
from simt.core.errors import InternalCompilerError
from simt.core.intrinsics.declare import Behavior
from simt.core.types import ArrayType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.types.scalar import BOOL, I64

if TYPE_CHECKING:
    from simt.core.diagnostics.span import Span

COLLECTIVE = (Behavior.WARP, Behavior.BLOCK)


def verify(kernel: tir.Kernel, stage: str) -> None:
    """Check ``kernel`` as it is after ``stage``.

    Raises:
        InternalCompilerError: lists every violation, with the kernel's text.
    """
    known = {*kernel.parameters, *(allocation.local for allocation in kernel.allocations), *_assigned(kernel)}
    problems = [*_problems(kernel, known), *_jumps(kernel.body, {})]
    if problems:
        lines = "\n".join(f"  {span.filename}:{span.line}: {text}" for span, text in problems)
        raise InternalCompilerError(f"invalid TIR after {stage}:\n{lines}\n\n{show(kernel)}")


def _assigned(kernel: tir.Kernel) -> Iterator[tir.Local]:
    for node in tir.walk(kernel):
        match node:
            case tir.Assign(local=local) | tir.For(local=local):
                yield local
            case tir.Effect(target=tir.Local() as target):
                yield target
            case tir.Collective(target=target, meaning=meaning):
                if target is not None:
                    yield target
                if meaning is not None:
                    yield from (meaning.lane, meaning.members, *meaning.arguments)
            case _:
                pass


def _problems(kernel: tir.Kernel, known: set[tir.Local]) -> Iterator[tuple[Span, str]]:
    for node in tir.walk(kernel):
        for problem in _problem(node, known):
            yield node.span, problem


def _problem(node: tir.Node, known: set[tir.Local]) -> Iterator[str]:
    match node:
        case tir.Ref(local=local, type=kind) | tir.Variable(local=local, type=kind):
            if local not in known:
                yield f"{local} is never assigned"
            if local.type != kind:
                yield f"{local} is {local.type}, used as {kind}"
        case tir.Const(value=value, type=ScalarType() as kind):
            if kind.is_integer and not (isinstance(value, int) and kind.minimum <= value <= kind.maximum):
                yield f"constant {value!r} is not in {kind}"
        case tir.Binary(lhs=lhs, rhs=rhs, type=kind):
            if not (lhs.type == rhs.type == kind) or not isinstance(kind, ScalarType):
                yield f"operands {lhs.type} and {rhs.type} of {kind}: {show_expression(node)}"
        case tir.Compare(lhs=lhs, rhs=rhs, type=kind):
            if lhs.type != rhs.type or kind != BOOL:
                yield f"comparison of {lhs.type} and {rhs.type}"
        case tir.ShortCircuit(lhs=lhs, rhs=rhs):
            yield from _bool(lhs)
            yield from _bool(rhs)
        case tir.Conditional(condition=condition, then=then, orelse=orelse, type=kind):
            yield from _bool(condition)
            if not (then.type == orelse.type == kind):
                yield f"alternatives {then.type} and {orelse.type} of {kind}"
        case tir.Convert(value=value, type=kind):
            if not isinstance(value.type, ScalarType) or not isinstance(kind, ScalarType):
                yield f"conversion of {value.type} to {kind}"
        case tir.If(condition=condition) | tir.While(condition=condition) | tir.Assert(condition=condition):
            yield from _bool(condition)
        case tir.Element(array=array, indices=indices) | tir.SubArray(array=array, indices=indices):
            yield from _indexed(node, array, indices)
        case tir.Pointee(pointer=pointer, type=kind):
            if not isinstance(pointer.type, PointerType) or pointer.type.element != kind:
                yield f"{pointer.type} does not point to {kind}"
        case tir.Offset(count=count):
            yield from _i64(count)
        case tir.Member(place=place, index=index):
            yield from _part(place.type, index)
        case tir.Extract(value=value, index=index):
            yield from _part(value.type, index)
        case _:
            yield from _statement_problem(node)


def _statement_problem(node: tir.Node) -> Iterator[str]:
    match node:
        case tir.Assign(local=local, value=value):
            if local.type != value.type:
                yield f"{local}: {local.type} is assigned {value.type}"
        case tir.Store(place=place, value=value):
            if place.type != value.type:
                yield f"a place of {place.type} is given {value.type}"
            root = place
            while isinstance(root, tir.Member | tir.Item):
                root = root.place
            array = root.array.type if isinstance(root, tir.Element) else None
            if isinstance(array, ArrayType) and not array.access.writable:
                yield "a store through a read-only array"
        case tir.For(local=local, start=start, stop=stop, step=step):
            if len({local.type, start.type, stop.type, step.type}) != 1:
                yield f"a loop over {local.type} with bounds {start.type}, {stop.type}, {step.type}"
        case tir.Call(callee=callee):
            if callee.behavior is not Behavior.PURE:
                yield f"{callee.name} is not pure, yet part of an expression"
        case tir.Effect(callee=callee):
            if callee.behavior in COLLECTIVE:
                yield f"{callee.name} is a collective"
        case tir.Collective(callee=callee):
            if callee.behavior not in COLLECTIVE:
                yield f"{callee.name} is no collective"
        case _:
            pass


def _bool(expr: tir.Expr) -> Iterator[str]:
    if expr.type != BOOL:
        yield f"{expr.type} where a bool is needed: {show_expression(expr)}"


def _i64(expr: tir.Expr) -> Iterator[str]:
    if expr.type != I64:
        yield f"{expr.type} where an i64 is needed: {show_expression(expr)}"


def _indexed(node: tir.Element | tir.SubArray, array: tir.Expr, indices: tuple[tir.Expr, ...]) -> Iterator[str]:
    if not isinstance(array.type, ArrayType):
        yield f"{array.type} is indexed"
        return
    complete = len(indices) == array.type.ndim
    if isinstance(node, tir.Element) != complete or not indices:
        yield f"{len(indices)} indices of {array.type}"
    for item in indices:
        yield from _i64(item)


def _part(kind: Type, index: int) -> Iterator[str]:
    match kind:
        case StructType(fields=fields):
            count = len(fields)
        case TupleType(elements=elements):
            count = len(elements)
        case VectorType(lanes=lanes):
            count = lanes
        case ScalarType() if kind.is_complex:
            count = 2
        case _:
            count = 0
    if not 0 <= index < count:
        yield f"part {index} of {kind}"


def _jumps(body: tuple[tir.Stmt, ...], around: dict[tir.Label, bool]) -> Iterator[tuple[Span, str]]:
    """``around``: the labels of the enclosing constructs, and whether each is a loop."""
    for node in body:
        match node:
            case tir.Break(label=label):
                if label not in around:
                    yield node.span, f"break {label} outside of it"
            case tir.Continue(label=label):
                if not around.get(label, False):
                    yield node.span, f"continue {label} outside of it"
            case tir.If(then=then, orelse=orelse):
                yield from _jumps(then, around)
                yield from _jumps(orelse, around)
            case tir.While(label=label, header=header, body=inner):
                yield from _jumps((*header, *inner), {**around, label: True})
            case tir.For(label=label, body=inner):
                yield from _jumps(inner, {**around, label: True})
            case tir.Block(label=label, body=inner):
                yield from _jumps(inner, {**around, label: False})
            case _:
                pass
