"""Relations that ``@kernel(requires=...)`` declares between the arguments of a launch, parsed once.

A relation compares integers that a launch knows: ``x.size``, ``x.shape[0]``, scalar parameters, numbers, and what
``+ - * // %`` makes of them; ``x.shape == out.shape`` compares whole shapes; ``and`` joins relations.
"""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simt.core.diagnostics.nearest import nearest
from simt.core.errors import LaunchError

FORMS = "parameters, x.size, x.shape[0], integers, + - * // %, comparisons and `and`"
BINARY: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {  # Any: numbers
    ast.Add: ("+", operator.add), ast.Sub: ("-", operator.sub), ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", lambda left, right: left // right), ast.Mod: ("%", operator.mod),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], bool]]] = {  # Any: numbers or shapes
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar or compile-time parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Size:
    """The elements of an array."""

    name: str


@dataclass(frozen=True, slots=True)
class Extent:
    """One extent of an array."""

    name: str
    axis: int


@dataclass(frozen=True, slots=True)
class Shape:
    """All extents of an array."""

    name: str


Operand = Value | Size | Extent | Shape


@dataclass(frozen=True, slots=True)
class Relation:
    """A comparison, of two sides or a chain of more. ``operands`` are those of all sides, by their nodes."""

    text: str
    sides: tuple[ast.expr, ...]
    comparisons: tuple[type[ast.cmpop], ...]
    operands: Mapping[ast.expr, Operand]

    def check(self, kernel: str, value_of: Callable[[Operand], object]) -> None:
        """Raises ``LaunchError`` with the values of the sides where they do not compare so."""
        first = next(iter(self.operands.values())).name
        values = {node: value_of(operand) for node, operand in self.operands.items()}
        try:
            sides = [_evaluated(side, values) for side in self.sides]
        except ZeroDivisionError:
            raise LaunchError(f"{kernel} requires {self.text}: that divides by zero", argument=first) from None
        for kind, left, right in zip(self.comparisons, sides, sides[1:], strict=False):
            if not COMPARISONS[kind][1](left, right):
                shown = ", ".join(map(str, sides[:-1])) + f" and {sides[-1]}"
                raise LaunchError(f"{kernel} requires {self.text}: {shown}", argument=first)

    def source(self, written: Callable[[Operand], str]) -> str:
        """The relation as Python, with its operands as ``written`` says."""
        sides = [_source(side, self.operands, written) for side in self.sides]
        rest = (f" {COMPARISONS[kind][0]} {side}" for kind, side in zip(self.comparisons, sides[1:], strict=True))
        return sides[0] + "".join(rest)


def relations_of(requires: object, names: tuple[str, ...]) -> tuple[Relation, ...]:
    """The relations of ``requires=``, a text or a tuple of texts, about the parameters ``names``.

    Raises:
        TypeError: not of the forms above, or a name that is no parameter.
    """
    texts = (requires,) if isinstance(requires, str) else requires
    if not isinstance(texts, tuple):
        raise TypeError(f"requires={requires!r} is no text; write requires=(\"x.size == out.size\",)")
    found: list[Relation] = []
    for text in texts:  # pyright: ignore[reportUnknownVariableType] -- anything a user wrote
        if not isinstance(text, str):
            raise TypeError(f"requires: {text!r} is no text; write requires=(\"x.size == out.size\",)")
        found += _Reader(text, names).relations()
    return tuple(found)


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self.text, self.names = text, names
        self.operands: dict[ast.expr, Operand] = {}

    def relations(self) -> list[Relation]:
        try:
            node = ast.parse(self.text.strip(), mode="eval").body
        except SyntaxError as error:
            raise self.refused(f"is no expression ({error.msg})") from None
        parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
        return [self.relation(part) for part in parts]

    def relation(self, node: ast.expr) -> Relation:
        if not isinstance(node, ast.Compare):
            raise self.refused("is no comparison, such as x.size == out.size")
        self.operands = {}
        kinds, sides = tuple(type(op) for op in node.ops), (node.left, *node.comparators)
        if any(kind not in COMPARISONS for kind in kinds):
            raise self.refused("compares with something else than == != < <= > >=")
        shapes = [isinstance(side, ast.Attribute) and side.attr == "shape" for side in sides]
        if any(shapes) and not (all(shapes) and all(kind in (ast.Eq, ast.NotEq) for kind in kinds)):
            raise self.refused("compares a shape with something else; compare shapes with == or !=, or extents")
        for side in sides:
            self.read(side, shapes[0])
        if not self.operands:
            raise self.refused("names no parameter")
        return Relation(ast.unparse(node), sides, kinds, self.operands)

    def read(self, node: ast.expr, is_shape: bool = False) -> None:
        match node:
            case ast.Constant(value=int() as value) if type(value) is int:
                pass
            case ast.Name(id=name):
                self.operands[node] = Value(self.known(name))
            case ast.Attribute(value=ast.Name(id=name), attr="size"):
                self.operands[node] = Size(self.known(name))
            case ast.Attribute(value=ast.Name(id=name), attr="shape") if is_shape:
                self.operands[node] = Shape(self.known(name))
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=int() as axis)
            ):
                self.operands[node] = Extent(self.known(name), axis)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                self.read(left)
                self.read(right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                self.read(operand)
            case _:
                raise self.refused(f"holds {ast.unparse(node)}; relations are made of {FORMS}")

    def known(self, name: str) -> str:
        if name in self.names:
            return name
        close = nearest(name, list(self.names))
        offer = f" of ({', '.join(self.names)})" if close is None else f", did you mean {close}?"
        raise self.refused(f"names {name}, which is no parameter{offer}")

    def refused(self, reason: str) -> TypeError:
        return TypeError(f"requires {self.text!r} {reason}")


def _evaluated(node: ast.expr, values: Mapping[ast.expr, Any]) -> Any:  # Any: numbers, or a shape
    match node:
        case ast.Constant(value=number):
            return number
        case ast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)][1](_evaluated(left, values), _evaluated(right, values))
        case ast.UnaryOp(operand=operand):
            return -_evaluated(operand, values)
        case _:
            return values[node]


def _source(node: ast.expr, operands: Mapping[ast.expr, Operand], written: Callable[[Operand], str]) -> str:
    match node:
        case ast.Constant(value=number):
            return repr(number)
        case ast.BinOp(left=left, op=op, right=right):
            return f"({_source(left, operands, written)} {BINARY[type(op)][0]} {_source(right, operands, written)})"
        case ast.UnaryOp(operand=operand):
            return f"(-{_source(operand, operands, written)})"
        case _:
            return written(operands[node])
