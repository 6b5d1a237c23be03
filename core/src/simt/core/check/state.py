"""The state of checking one kernel: the statements made so far, diagnostics, fresh names, the target."""
from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FunctionType

from simt.core.check import tir
from simt.core.check.operand import POISON, Operand, Poison
from simt.core.check.scope import Scope
from simt.core.check.stability import freeze
from simt.core.diagnostics.diagnostic import Diagnostic, Label, Severity
from simt.core.diagnostics.span import Span
from simt.core.frontend import hir
from simt.core.frontend.names import annotations_of
from simt.core.options import Options
from simt.core.target import Target
from simt.core.types import Type

MAX_CALL_DEPTH = 64


@dataclass(slots=True)
class State:
    """Mutable while one kernel is checked. ``block`` is the statement list being filled."""

    target: Target
    options: Options
    expression_checker: Callable[[State, Scope, hir.Expr], Operand]  # breaks the cycle between the checker's files
    call_checker: Callable[[State, Operand, tuple[Operand, ...], tuple[tuple[str, Operand], ...], Span], Operand]
    body_checker: Callable[[State, Scope, tuple[hir.Stmt, ...]], bool]
    subscript_checker: Callable[[State, Operand, tuple[Operand, ...], Span], Operand]
    tables: dict[int, tuple[object, tir.Local]] = field(default_factory=dict[int, tuple[object, tir.Local]])  # by id
    block: list[tir.Stmt] = field(default_factory=list[tir.Stmt])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    allocations: list[tir.Allocation] = field(default_factory=list[tir.Allocation])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    call_site: Span | None = None
    calls: list[object] = field(default_factory=list[object])
    mutable: set[tir.Local] = field(default_factory=set[tir.Local])
    named: set[tir.Local] = field(default_factory=set[tir.Local])
    copies: dict[tir.Local, Span] = field(default_factory=dict[tir.Local, Span])
    element_copies: dict[tir.Local, tuple[Span, tir.Local | None]] = field(
        default_factory=dict[tir.Local, tuple[Span, tir.Local | None]],
    )  # where the copy was made, and of which array
    views: dict[tir.Local, tir.Local | None] = field(default_factory=dict[tir.Local, tir.Local | None])
    nesting: int = 0
    known_annotations: dict[FunctionType, dict[str, object]] = field(
        default_factory=dict[FunctionType, dict[str, object]],
    )
    dynamic_offset: tir.Local | None = None
    written: dict[Span, hir.Call] = field(default_factory=dict[Span, hir.Call])  # calls in users' text, by place
    plans: dict[object, object] = field(default_factory=dict[object, object])

    # ---- expressions

    def expression(self, scope: Scope, node: hir.Expr) -> Operand:
        """Check one expression."""
        return self.expression_checker(self, scope, node)

    def call(
        self, callee: Operand, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...], span: Span,
    ) -> Operand:
        """Check a call of operands."""
        return self.call_checker(self, callee, arguments, keywords, span)

    def subscript(self, value: Operand, indices: tuple[Operand, ...], span: Span) -> Operand:
        """Check ``value[indices]`` of operands."""
        return self.subscript_checker(self, value, indices, span)

    def body(self, scope: Scope, statements: tuple[hir.Stmt, ...]) -> bool:
        """Check statements; whether control reaches their end."""
        return self.body_checker(self, scope, statements)

    def in_order(self, scope: Scope, nodes: Sequence[hir.Expr]) -> list[Operand]:
        """Check several, left to right: a value that a later one's statements could change is kept before them."""
        operands: list[Operand] = []
        for node in nodes:
            mark = len(self.block)
            operand = self.expression(scope, node)
            operands = [*self.kept_from(mark, operands, node.span), operand]
        return operands

    def kept_from(self, mark: int, operands: Sequence[Operand], span: Span) -> list[Operand]:
        """Operands evaluated before the statements that the block has got since its length was ``mark``."""
        if len(self.block) == mark:
            return list(operands)
        later = self.block[mark:]
        del self.block[mark:]
        kept = [freeze(self, operand, span) for operand in operands]
        self.block.extend(later)
        return kept

    # ---- names

    def annotations(self, function: FunctionType) -> dict[str, object]:
        """The annotations of a device function, evaluated once a kernel.

        Raises:
            CompileError: one of them has no value.
        """
        if function not in self.known_annotations:
            self.known_annotations[function] = annotations_of(function)
        return self.known_annotations[function]

    def fresh(self, name: str, type: Type) -> tir.Local:
        """A local that no other shares."""
        number = self.numbers.get(name, 0)
        self.numbers[name] = number + 1
        return tir.Local(name, number, type)

    def label(self, name: str) -> tir.Label:
        number = self.numbers.get(f"@{name}", 0)
        self.numbers[f"@{name}"] = number + 1
        return tir.Label(name, number)

    # ---- spans and diagnostics

    def at(self, span: Span) -> Span:
        """``span`` as reached through the present chain of calls."""
        return span if self.call_site is None else replace(span, call_site=self.call_site)

    def error(
        self, code: str, message: str, span: Span, label: str = "", *, help: str | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> Poison:
        """Report, and give the operand to go on with."""
        self._report(Diagnostic(
            code=code, message=message, primary=Label(span=self.at(span), text=label), secondary=secondary, help=help,
        ))
        return POISON

    def add_error(
        self, code: str, message: str, span: Span, label: str, *, help: str, secondary: tuple[Label, ...] = (),
    ) -> None:
        """Report at a span that knows its chain of calls."""
        self._report(Diagnostic(
            code=code, message=message, primary=Label(span=span, text=label), secondary=secondary, help=help,
        ))

    def warn(self, code: str, message: str, span: Span, label: str = "", *, help: str | None = None) -> None:
        self._report(Diagnostic(
            code=code, message=message, primary=Label(span=span, text=label), help=help, severity=Severity.WARNING,
        ))

    def add(self, diagnostic: Diagnostic) -> None:
        """Report a diagnostic made elsewhere."""
        self._report(diagnostic)

    def _report(self, diagnostic: Diagnostic) -> None:
        diagnostic = replace(diagnostic, primary=replace(diagnostic.primary, span=self._place(diagnostic.primary.span)))
        if not any(_is_same_mistake(diagnostic, known) for known in self.diagnostics):
            self.diagnostics.append(diagnostic)

    def _place(self, span: Span) -> Span:
        """Where the user can act: the call, for what is found inside a function of the device library."""
        for function in reversed(self.calls):
            if span.call_site is None or not isinstance(function, FunctionType) or not is_of_library(function):
                break
            span = span.call_site
        return span

    # ---- statements

    def emit(self, statement: tir.Stmt) -> None:
        self.block.append(statement)

    @contextmanager
    def new_block(self, *, nested: bool = True) -> Generator[list[tir.Stmt], None, None]:
        """Collect statements apart. ``nested``: they will run more than once, or not always."""
        outer, self.block = self.block, []
        self.nesting += nested
        try:
            yield self.block
        finally:
            self.block = outer
            self.nesting -= nested

    def spill(self, expr: tir.Expr, name: str = "t") -> tir.Ref:
        """Evaluate ``expr`` here and now into a fresh local."""
        local = self.fresh(name, expr.type)
        self.emit(tir.Assign(span=expr.span, local=local, value=expr))
        return tir.Ref(span=expr.span, type=expr.type, local=local)

    # ---- attempts

    def snapshot(self) -> Snapshot:
        return Snapshot(
            len(self.block), len(self.diagnostics), len(self.allocations), dict(self.numbers), set(self.mutable),
            set(self.named), dict(self.copies), dict(self.element_copies), self.dynamic_offset, dict(self.tables),
        )

    def rollback(self, to: Snapshot) -> None:
        """Forget everything since ``to``, which was taken in the present block."""
        del self.block[to.statements:]
        del self.diagnostics[to.diagnostics:]
        del self.allocations[to.allocations:]
        self.numbers = dict(to.numbers)
        self.mutable = set(to.mutable)
        self.named = set(to.named)
        self.copies = dict(to.copies)
        self.element_copies = dict(to.element_copies)
        self.dynamic_offset = to.dynamic_offset
        self.tables = dict(to.tables)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where an attempt began."""

    statements: int
    diagnostics: int
    allocations: int
    numbers: dict[str, int]
    mutable: set[tir.Local]
    named: set[tir.Local]
    copies: dict[tir.Local, Span]
    element_copies: dict[tir.Local, tuple[Span, tir.Local | None]]
    dynamic_offset: tir.Local | None
    tables: dict[int, tuple[object, tir.Local]]


def is_of_library(function: FunctionType) -> bool:
    """Whether a function is of the device library, whose text users do not see."""
    return function.__module__.startswith("simt.")


def _is_same_mistake(one: Diagnostic, other: Diagnostic) -> bool:
    """Whether two reports differ at most in the call that led there: calls and unrolled loops meet a mistake again."""
    if (one.code, one.message) != (other.code, other.message):
        return False
    return replace(one.primary.span, call_site=None) == replace(other.primary.span, call_site=None)
