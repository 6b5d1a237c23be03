"""HIR: the untyped, structured form of one Python function. It says what was written, and where; it knows no types.

HIR stands for High-level Intermediate Representation. Against the ``ast`` it comes from: every name is resolved to a
local or a captured name, unsupported syntax is reported and only ``Refused`` is left of it, and every node carries a
``Span``.

Grammar::

    function = Function(name, parameters, returns, body)
    stmt = Assign(target, value) | AugmentedAssign(target, op, value) | AnnotatedAssign(local, annotation, value?)
         | Evaluate(value) | If(condition, then, orelse) | While(condition, body) | For(target, iterable, body)
         | Match(subject, cases) | Break | Continue | Return(value?) | Assert(condition, message?)
         | Define(local, function)
    target = LocalName | Attribute | Subscript | Tuple of targets
    expr = Constant(value) | LocalName(name) | CapturedName(name) | Attribute(value, name) | Subscript(value, indices)
         | Unary(op, operand) | Binary(op, lhs, rhs) | Comparison(first, rest) | Logical(op, operands)
         | Conditional(condition, then, orelse) | Call(callee, arguments, keywords) | Tuple(elements)
         | Lambda(function) | FormattedText(parts) | Slice(start?, stop?, step?) | Refused(names)
    case = Case(patterns, guard?, body)       patterns: expressions compared with ==; empty means the wildcard
"""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from simt.core.diagnostics.diagnostic import Diagnostic
from simt.core.diagnostics.span import Span


class UnaryOp(StrEnum):
    NEGATE = "-"
    PLUS = "+"
    INVERT = "~"
    NOT = "not"


class BinaryOp(StrEnum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    TRUE_DIV = "/"
    FLOOR_DIV = "//"
    MOD = "%"
    POW = "**"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    MATMUL = "@"


class CompareOp(StrEnum):
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IS = "is"
    IS_NOT = "is not"


class LogicalOp(StrEnum):
    AND = "and"
    OR = "or"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span


# ---- expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Node):
    value: int | float | complex | bool | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalName(Node):
    """A parameter or a name assigned in this function."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedName(Node):
    """A name from the enclosing functions, the module or builtins; its value is looked up when checking."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Node):
    value: Expr
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscript(Node):
    value: Expr
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Node):
    """Only as an index of a ``Subscript``."""

    start: Expr | None
    stop: Expr | None
    step: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Node):
    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Node):
    op: BinaryOp
    lhs: Expr
    rhs: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Node):
    """``first op operand op operand ...``: chained, each operand evaluated once."""

    first: Expr
    rest: tuple[tuple[CompareOp, Expr], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Logical(Node):
    op: LogicalOp
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(Node):
    condition: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    callee: Expr
    arguments: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuple(Node):
    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lambda(Node):
    """A function value; its captured names may be locals of the function around it."""

    function: Function


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedText(Node):
    """An f-string: text, and values with their format specification. Only as a message."""

    parts: tuple[str | tuple[Expr, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Node):
    """What kernels leave out, already reported: poison to the checker. ``names`` are the locals that it binds."""

    names: tuple[str, ...]


Expr = (
    Constant | LocalName | CapturedName | Attribute | Subscript | Slice | Unary | Binary | Comparison | Logical
    | Conditional | Call | Tuple | Lambda | FormattedText | Refused
)

# ---- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Node):
    """``a = b = value`` becomes one ``Assign`` with two targets; the value is evaluated once."""

    targets: tuple[Target, ...]
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class AugmentedAssign(Node):
    """The target's own parts are evaluated once."""

    target: Target
    op: BinaryOp
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedAssign(Node):
    local: LocalName
    annotation: Expr
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluate(Node):
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Node):
    condition: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Node):
    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Node):
    target: Target
    iterable: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Node):
    patterns: tuple[Expr, ...]
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Node):
    subject: Expr
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Node):
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assert(Node):
    condition: Expr
    message: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Define(Node):
    """A nested ``def``: binds a local to a function value."""

    local: LocalName
    function: Function


Stmt = (
    Assign | AugmentedAssign | AnnotatedAssign | Evaluate | If | While | For | Match | Break | Continue | Return
    | Assert | Define
)
Target = LocalName | Attribute | Subscript | Tuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(Node):
    name: str
    annotation: Expr | None
    default: Expr | None
    keyword_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Function(Node):
    """``captured`` lists the dotted names this function reads from outside (``math.sqrt`` as one), sorted.

    ``refused`` is what was reported of it and of the functions inside; a function with any is checked, not compiled.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: Expr | None
    body: tuple[Stmt, ...]
    captured: tuple[str, ...]
    refused: tuple[Diagnostic, ...] = ()
