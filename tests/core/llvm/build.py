"""TIR by hand, for tests that stand below the checker."""
from __future__ import annotations

from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.types import Access, ArrayType, ScalarType, Type
from simt.core.types.scalar import BOOL, I64

HERE = Span(filename="<built>", line=1, col=0, end_line=1, end_col=1)


def local(name: str, t: Type, number: int = 0) -> tir.Local:
    return tir.Local(name, number, t)


def ref(of: tir.Local) -> tir.Ref:
    return tir.Ref(span=HERE, type=of.type, local=of)


def const(t: ScalarType, value: int | float | complex | bool) -> tir.Const:
    return tir.Const(span=HERE, type=t, value=value)


def index(value: int) -> tir.Const:
    return const(I64, value)


def binary(op: str, lhs: tir.Expr, rhs: tir.Expr) -> tir.Binary:
    return tir.Binary(span=HERE, type=lhs.type, op=tir.BinaryOp(op), lhs=lhs, rhs=rhs)


def unary(op: str, operand: tir.Expr) -> tir.Unary:
    t = BOOL if op == "not" else operand.type
    return tir.Unary(span=HERE, type=t, op=tir.UnaryOp(op), operand=operand)


def compare(op: str, lhs: tir.Expr, rhs: tir.Expr) -> tir.Compare:
    return tir.Compare(span=HERE, type=BOOL, op=tir.CompareOp(op), lhs=lhs, rhs=rhs)


def convert(value: tir.Expr, t: Type) -> tir.Convert:
    return tir.Convert(span=HERE, type=t, value=value)


def element(array: tir.Local, *indices: tir.Expr) -> tir.Element:
    assert isinstance(array.type, ArrayType)
    return tir.Element(span=HERE, type=array.type.element, array=ref(array), indices=indices)


def load(place: tir.Place) -> tir.Load:
    return tir.Load(span=HERE, type=place.type, place=place)


def store(place: tir.Place, value: tir.Expr) -> tir.Store:
    return tir.Store(span=HERE, place=place, value=value)


def assign(target: tir.Local, value: tir.Expr) -> tir.Assign:
    return tir.Assign(span=HERE, local=target, value=value)


def loop(counter: tir.Local, start: tir.Expr, stop: tir.Expr, step: tir.Expr, *body: tir.Stmt) -> tir.For:
    label = tir.Label("for", 0)
    return tir.For(span=HERE, label=label, local=counter, start=start, stop=stop, step=step, body=body)


def array(
    name: str, element_type: Type, ndim: int = 1, access: Access = Access.INOUT, strided: bool = False,
) -> tir.Local:
    return local(name, ArrayType(element_type, (None,) * ndim, access, strided=strided))


def kernel(parameters: tuple[tir.Local, ...], *body: tir.Stmt, name: str = "kernel") -> tir.Kernel:
    return tir.Kernel(span=HERE, name=name, parameters=parameters, allocations=(), body=body)
