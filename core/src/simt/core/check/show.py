"""TIR as text: what golden tests compare and ``kernel.inspect("tir")`` prints. One statement a line."""
from __future__ import annotations

from typing import assert_never

from simt.core.check import tir
from simt.core.types import ScalarType
from simt.core.types.scalar import I64

INDENT = "    "


def show(kernel: tir.Kernel) -> str:
    """The kernel's text."""
    parameters = ", ".join(f"{local}: {local.type}" for local in kernel.parameters)
    lines = [f"kernel {kernel.name}({parameters})"]
    bounds = [("max_threads", kernel.max_threads), ("min_blocks", kernel.min_blocks), ("cluster", kernel.cluster),
              ("block", kernel.block)]
    lines += [f"{INDENT}@{name} {value}" for name, value in bounds if value is not None]
    for allocation in kernel.allocations:
        data = "" if allocation.data is None else f" = {len(allocation.data)} bytes"
        lines.append(f"{INDENT}{allocation.local}: {allocation.array} align {allocation.alignment}{data}")
    lines += show_statements(kernel.body, 1)
    return "\n".join(lines) + "\n"


def show_statements(body: tuple[tir.Stmt, ...], depth: int) -> list[str]:
    """One line a statement, nested ones indented."""
    if not body:
        return [f"{INDENT * depth}pass"]
    return [line for statement in body for line in _statement(statement, depth)]


def _statement(node: tir.Stmt, depth: int) -> list[str]:
    pad = INDENT * depth
    match node:
        case tir.Assign(local=local, value=value):
            return [f"{pad}{local}: {local.type} = {show_expression(value)}"]
        case tir.Store(place=place, value=value):
            return [f"{pad}{show_place(place)} = {show_expression(value)}"]
        case tir.Effect(target=target, callee=callee, arguments=arguments):
            return [f"{pad}{_target(target)}{callee.name}({_list(arguments)})"]
        case tir.Collective(target=target, callee=callee, arguments=arguments, scope=scope, meaning=meaning):
            lines = [f"{pad}{_target(target)}collective[{scope}] {callee.name}({_list(arguments)})"]
            return lines + ([] if meaning is None else _meaning(meaning, depth + 1))
        case tir.If(condition=condition, then=then, orelse=orelse):
            lines = [f"{pad}if {show_expression(condition)}", *show_statements(then, depth + 1)]
            return lines + ([f"{pad}else", *show_statements(orelse, depth + 1)] if orelse else [])
        case tir.While(label=label, header=header, condition=condition, body=body):
            before = [f"{pad}{INDENT}header", *show_statements(header, depth + 2)] if header else []
            return [f"{pad}while[{label}] {show_expression(condition)}", *before, *show_statements(body, depth + 1)]
        case tir.For(label=label, local=local, start=start, stop=stop, step=step, body=body):
            bounds = _list((start, stop, step))
            return [f"{pad}for[{label}] {local}: {local.type} in range({bounds})", *show_statements(body, depth + 1)]
        case tir.Block(label=label, body=body):
            return [f"{pad}block[{label}]", *show_statements(body, depth + 1)]
        case tir.Break(label=label):
            return [f"{pad}break {label}"]
        case tir.Continue(label=label):
            return [f"{pad}continue {label}"]
        case tir.Return():
            return [f"{pad}return"]
        case tir.Assert(condition=condition, message=message):
            return [f"{pad}assert {show_expression(condition)}, {_message(message)}"]
        case tir.Print(message=message):
            return [f"{pad}print {_message(message)}"]
        case _:
            assert_never(node)


def _target(local: tir.Local | None) -> str:
    return "" if local is None else f"{local}: {local.type} = "


def _meaning(meaning: tir.Meaning, depth: int) -> list[str]:
    names = ", ".join(map(str, (meaning.lane, meaning.members, *meaning.arguments)))
    result = "" if meaning.result is None else f" -> {meaning.result}"
    return [f"{INDENT * depth}meaning({names}){result}", *show_statements(meaning.body, depth + 1)]


def _message(message: tir.Message) -> str:
    parts = [repr(part) if isinstance(part, str) else _formatted(*part) for part in message.parts]
    return " ".join(parts) if parts else "''"


def _formatted(value: tir.Expr, spec: str) -> str:
    return f"{{{show_expression(value)}{':' + spec if spec else ''}}}"


def _list(items: tuple[tir.Expr, ...]) -> str:
    return ", ".join(map(show_expression, items))


def show_expression(node: tir.Expr) -> str:
    """One expression; types stand where they are not plain from the operands."""
    match node:
        case tir.Const(value=value, type=kind):
            return f"{value!r}" if kind == I64 or isinstance(value, bool) else f"{value!r}:{kind}"
        case tir.Ref(local=local):
            return str(local)
        case tir.Unary(op=op, operand=operand):
            return f"{op}{' ' if op is tir.UnaryOp.NOT else ''}{show_expression(operand)}"
        case tir.Binary(op=tir.BinaryOp.MIN | tir.BinaryOp.MAX as op, lhs=lhs, rhs=rhs):
            return f"{op}({show_expression(lhs)}, {show_expression(rhs)})"
        case tir.Binary(op=op, lhs=lhs, rhs=rhs, type=kind):
            suffix = "" if kind == I64 else f":{kind}"
            return f"({show_expression(lhs)} {op} {show_expression(rhs)}){suffix}"
        case tir.Compare(op=op, lhs=lhs, rhs=rhs) | tir.ShortCircuit(op=op, lhs=lhs, rhs=rhs):
            return f"({show_expression(lhs)} {op} {show_expression(rhs)})"
        case tir.Conditional(condition=condition, then=then, orelse=orelse):
            return f"({show_expression(then)} if {show_expression(condition)} else {show_expression(orelse)})"
        case tir.Convert(value=value, type=kind):
            return f"{kind}({show_expression(value)})"
        case tir.Bitcast(value=value, type=kind):
            return f"bitcast[{kind}]({show_expression(value)})"
        case tir.Load(place=place):
            return show_place(place)
        case tir.Call(callee=callee, arguments=arguments, type=kind):
            suffix = f":{kind}" if isinstance(kind, ScalarType) and arguments else ""
            return f"{callee.name}({_list(arguments)}){suffix}"
        case tir.Aggregate(elements=elements, type=kind):
            return f"{kind}({_list(elements)})"
        case tir.Extract(value=value, index=index):
            return f"{show_expression(value)}.{index}"
        case tir.Extent(array=array, axis=axis):
            return f"extent({show_expression(array)}, {axis})"
        case tir.SubArray(array=array, indices=indices):
            return f"{show_expression(array)}[{_list(indices)}, ...]"
        case tir.MakeArray(pointer=pointer, shape=shape):
            return f"array({show_expression(pointer)}, ({_list(shape)}))"
        case tir.AddressOf(place=place):
            return f"&{show_place(place)}"
        case tir.Offset(pointer=pointer, count=count):
            return f"({show_expression(pointer)} + {show_expression(count)})"
        case tir.DynamicShared():
            return "dynamic_shared"
        case _:
            assert_never(node)


def show_place(node: tir.Place) -> str:
    """One place."""
    match node:
        case tir.Element(array=array, indices=indices):
            return f"{show_expression(array)}[{_list(indices)}]"
        case tir.Pointee(pointer=pointer):
            return f"*{show_expression(pointer)}"
        case tir.Variable(local=local):
            return str(local)
        case tir.Member(place=place, index=index):
            return f"{show_place(place)}.{index}"
        case tir.Item(place=place, index=index):
            return f"{show_place(place)}[{show_expression(index)}]"
        case _:
            assert_never(node)
