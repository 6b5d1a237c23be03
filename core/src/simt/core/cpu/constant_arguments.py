"""Constant arguments of collectives need no exchange: what every thread hands over is known."""
from __future__ import annotations

from dataclasses import replace

from simt.core.check import tir
from simt.core.cpu.exposure import mentioned
from simt.core.passes.rewrite import map_children


def without_constants(node: tir.Collective) -> tir.Collective:
    """The collective with its constant arguments written into its meaning; a warp's member mask stays."""
    meaning = node.meaning
    if meaning is None:
        return node
    values = {
        local: argument for local, argument in zip(meaning.arguments, node.arguments, strict=False)
        if isinstance(argument, tir.Const)
    }
    body = tuple(map_children(statement, lambda inner: _fold(inner, values)) for statement in meaning.body)
    left = mentioned(body)  # a view that is passed on as a whole keeps its exchange
    kept = [local not in values or local in left for local in meaning.arguments]
    locals = tuple(local for local, keep in zip(meaning.arguments, kept, strict=True) if keep)
    arguments = [argument for argument, keep in zip(node.arguments, kept, strict=False) if keep]
    arguments += node.arguments[len(kept) :]
    return replace(node, arguments=tuple(arguments), meaning=replace(meaning, arguments=locals, body=body))


def _fold(node: tir.Node, values: dict[tir.Local, tir.Const]) -> tir.Node:
    match node:
        case tir.Load(place=tir.Element(array=tir.Ref(local=local))) if local in values:
            return replace(values[local], span=node.span)
        case _:
            return map_children(node, lambda inner: _fold(inner, values))
