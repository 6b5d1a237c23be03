"""TIR statements to basic blocks."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.llvm.checks import fail_assertion, likely
from simt.core.llvm.context import Exits, FunctionContext
from simt.core.llvm.expressions import emit_all, emit_expression
from simt.core.llvm.loops import emit_for
from simt.core.llvm.places import store_place
from simt.core.llvm.variables import assign


def emit_statements(ctx: FunctionContext, statements: tuple[tir.Stmt, ...]) -> None:
    """Emit in order; what follows a statement that never ends normally is unreachable and left out."""
    for statement in statements:
        if ctx.emitter.block.terminated:
            return
        with ctx.at(statement.span):
            _emit(ctx, statement)


def _emit(ctx: FunctionContext, node: tir.Stmt) -> None:
    match node:
        case tir.Assign(local=local, value=value):
            assign(ctx, local, emit_expression(ctx, value))
        case tir.Store(place=place, value=value):
            operand = emit_expression(ctx, value)
            store_place(ctx, place, operand)
        case tir.Effect():
            _effect(ctx, node)
        case tir.Collective():
            ctx.backend.collective(ctx, node)
        case tir.If():
            _if(ctx, node)
        case tir.While():
            _while(ctx, node)
        case tir.For():
            emit_for(ctx, node, emit_statements)
        case tir.Block(label=label, body=body):
            after = ctx.emitter.new_block("after")
            ctx.exits[label] = Exits(stop=after, again=None)
            emit_statements(ctx, body)
            ctx.emitter.place(after)
        case tir.Break(label=label):
            ctx.emitter.branch(ctx.exits[label].stop)
        case tir.Continue(label=label):
            target = ctx.exits[label].again
            assert target is not None, f"{label} is not a loop"
            ctx.emitter.branch(target)
        case tir.Return():
            ctx.backend.end_thread(ctx)
        case tir.Assert():
            _assert(ctx, node)
        case tir.Print(message=message):
            ctx.backend.print(ctx, message, node.span)
        case _:
            assert_never(node)


def _effect(ctx: FunctionContext, node: tir.Effect) -> None:
    types = tuple(argument.type for argument in node.arguments)
    result_type = None if node.target is None else node.target.type
    result = ctx.backend.intrinsic(ctx, node.callee, emit_all(ctx, node.arguments), types, result_type)
    if node.target is not None:
        assert result is not None, f"{node.callee.name} gives no value"
        assign(ctx, node.target, result)


def _if(ctx: FunctionContext, node: tir.If) -> None:
    emitter = ctx.emitter
    then, after = emitter.new_block("then"), emitter.new_block("after")
    orelse = emitter.new_block("else") if node.orelse else after
    emitter.branch_if(emit_expression(ctx, node.condition), then, orelse)
    emitter.place(then)
    emit_statements(ctx, node.then)
    if node.orelse:
        emitter.branch(after)
        emitter.place(orelse)
        emit_statements(ctx, node.orelse)
    emitter.place(after)


def _while(ctx: FunctionContext, node: tir.While) -> None:
    emitter = ctx.emitter
    header, body, after = emitter.new_block("while"), emitter.new_block("body"), emitter.new_block("after")
    ctx.exits[node.label] = Exits(stop=after, again=header)
    emitter.place(header)
    ctx.backend.before_loop(ctx)
    emit_statements(ctx, node.header)
    if not emitter.block.terminated:
        emitter.branch_if(emit_expression(ctx, node.condition), body, after)
        emitter.place(body)
        emit_statements(ctx, node.body)
        emitter.branch(header)
    emitter.place(after)


def _assert(ctx: FunctionContext, node: tir.Assert) -> None:
    """The message's values are computed only where the assertion fails."""
    emitter = ctx.emitter
    failed, passed = emitter.new_block("fault"), emitter.new_block("holds")
    emitter.branch_if(emit_expression(ctx, node.condition), passed, failed, likely(ctx))
    emitter.place(failed)
    parts = [part[0] for part in node.message.parts if not isinstance(part, str)]
    fail_assertion(ctx, node, [(part, emit_expression(ctx, part)) for part in parts])
    emitter.place(passed)
