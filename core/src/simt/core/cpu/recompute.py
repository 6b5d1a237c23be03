"""Locals that are cheaper to compute anew in each region than to keep: thread and element indices, mostly.

Besides the memory it saves, an index that LLVM sees computed from the loop's counter lets it vectorise the loop.
"""
from __future__ import annotations

from collections import Counter

from simt.core.check import tir
from simt.core.check.tir import BinaryOp
from simt.core.cpu.splitting import stored_local
from simt.core.intrinsics.recipe import SpecialRegister


def recomputed_locals(kernel: tir.Kernel, stored: frozenset[tir.Local]) -> dict[tir.Local, tir.Expr]:
    """Each such local with its value, in an order in which later ones may use earlier ones.

    It is assigned once, from the thread's position, constants, extents and parameters that never change.
    """
    assigned = [node for node in tir.walk(kernel) if isinstance(node, tir.Stmt) and stored_local(node) is not None]
    counts = Counter(stored_local(node) for node in assigned)
    addressed = {
        inner.local for node in tir.walk(kernel) if isinstance(node, tir.AddressOf)
        for inner in tir.walk(node) if isinstance(inner, tir.Variable)
    }
    constant = (set(kernel.parameters) - stored) | {allocation.local for allocation in kernel.allocations}
    found: dict[tir.Local, tir.Expr] = {}
    for node in assigned:
        if not isinstance(node, tir.Assign) or counts[node.local] != 1 or node.local in addressed:
            continue
        if node.local not in kernel.parameters and is_position(node.value, constant | found.keys()):
            found[node.local] = node.value
    return found


def is_position(node: tir.Expr, known: set[tir.Local]) -> bool:
    """Whether the expression only computes, without loads or faults, from ``known`` locals and special registers."""
    match node:
        case tir.Const():
            return True
        case tir.Ref(local=local):
            return local in known
        case tir.Call(callee=callee, arguments=()):
            return isinstance(callee.cpu, SpecialRegister)
        case tir.Binary(op=BinaryOp.FLOOR_DIV | BinaryOp.MOD, lhs=lhs, rhs=tir.Const(value=value)):
            return bool(value) and is_position(lhs, known)
        case tir.Binary(op=op, lhs=lhs, rhs=rhs) | tir.Compare(op=op, lhs=lhs, rhs=rhs):
            return op not in (BinaryOp.FLOOR_DIV, BinaryOp.MOD) and is_position(lhs, known) and is_position(rhs, known)
        case tir.Unary(operand=inner) | tir.Convert(value=inner):
            return is_position(inner, known)
        case tir.Extent(array=array):
            return is_position(array, known)
        case _:
            return False
