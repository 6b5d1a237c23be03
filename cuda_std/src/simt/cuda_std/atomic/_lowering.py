"""Atomic operations as LLVM instructions, the same on both targets but for the scope.

On a GPU the scope is spelled out: without it, libNVVM's newer dialect takes a relaxed operation as one of system scope,
which is slower. Atomic loads and stores are volatile ones there, as libNVVM has no others; PTX gives a volatile access
the relaxed order.
"""
from __future__ import annotations

from simt.core.llvm.builder import Emitter, Value
from simt.core.types import AddressSpace, PointerType, ScalarType, Type

Values = tuple[Value, ...]
Types = tuple[Type, ...]


def _scope(emitter: Emitter) -> str:
    return 'syncscope("device") ' if _on_gpu(emitter) else ""


def _on_gpu(emitter: Emitter) -> bool:
    return emitter.module.typed_pointers


def _element(types: Types) -> tuple[ScalarType, int]:
    """What the pointer points to, and its address space."""
    pointer = types[0]
    assert isinstance(pointer, PointerType)
    assert isinstance(pointer.element, ScalarType)
    return pointer.element, int(pointer.space)


def _modify(emitter: Emitter, operation: str, pointer: Value, value: Value) -> Value:
    return emitter.let(value.type, f"atomicrmw {operation} {pointer}, {value} {_scope(emitter)}monotonic")


def add(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """Floats on a GPU: as PTX. LLVM 7 has no ``atomicrmw fadd``, and what libNVVM 12.9 makes of the NVVM intrinsic for
    sm_100 and later it then refuses itself, for the order that it has."""
    pointer, value = arguments
    element, space = _element(types)
    if not element.is_float:
        return _modify(emitter, "add", pointer, value)
    if _on_gpu(emitter):
        state = {AddressSpace.GLOBAL: ".global", AddressSpace.SHARED: ".shared"}.get(AddressSpace(space), "")
        register = "f" if element.bits == 32 else "d"
        constraints = f"={register},l,{register},~{{memory}}"
        text = f"atom{state}.add.{element} $0, [$1], $2;"
        return emitter.let(
            value.type, f'call {value.type} asm sideeffect "{text}", "{constraints}"({pointer}, {value})'
        )
    return _modify(emitter, "fadd", pointer, value)


def subtract(emitter: Emitter, arguments: Values, types: Types, result: Type | None) -> Value:
    """Add the negative: there is no instruction for it. -0.0 - x, since LLVM 7 has no ``fneg``."""
    pointer, value = arguments
    element, _ = _element(types)
    operation, zero = ("fsub", "-0.0") if element.is_float else ("sub", "0")
    return add(emitter, (pointer, emitter.binary(operation, Value(value.type, zero), value)), types, result)


def minimum(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """``min`` for signed, ``umin`` for unsigned integers, a loop for floats."""
    return _extreme(emitter, arguments, types, "min", "fcmp ult")


def maximum(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """``max`` for signed, ``umax`` for unsigned integers, a loop for floats."""
    return _extreme(emitter, arguments, types, "max", "fcmp ugt")


def _extreme(emitter: Emitter, arguments: Values, types: Types, name: str, better: str) -> Value:
    element, _ = _element(types)
    pointer, value = arguments
    if element.is_float:
        return _float_extreme(emitter, pointer, value, types, better)
    return _modify(emitter, name if element.minimum < 0 else f"u{name}", pointer, value)


def _float_extreme(emitter: Emitter, pointer: Value, value: Value, types: Types, better: str) -> Value:
    """Compare and swap until the value is in, or no better than what is there.

    No instruction does it for floats. Comparing their bits as integers would, but for NaN: it must lose, whatever its
    sign. ``better`` is an unordered comparison, so it holds against a NaN.
    """
    ordered = emitter.compare("fcmp ord", value, value)
    first = load(emitter, (pointer,), types[:1], None)
    before, head, attempt = emitter.block, emitter.new_block("extreme"), emitter.new_block("attempt")
    done = emitter.new_block("settled")
    emitter.place(head)
    seen = Value(value.type, f"%seen.{head.name}")
    again = Value(value.type, f"%again.{head.name}")
    emitter.do(f"{seen.text} = phi {seen.type} [ {first.text}, %{before.name} ], [ {again.text}, %{attempt.name} ]")
    wanted = emitter.binary("and", ordered, emitter.compare(better, value, seen))
    emitter.branch_if(wanted, attempt, done)
    emitter.place(attempt)
    found, stored = _compare_and_swap(emitter, pointer, seen, value, types)
    emitter.do(f"{again.text} = bitcast {found} to {again.type}")
    emitter.branch_if(stored, done, head)
    emitter.place(done)
    return seen


def bitwise_and(emitter: Emitter, arguments: Values, _types: Types, _result: Type | None) -> Value:
    """``atomicrmw and``."""
    return _modify(emitter, "and", *arguments)


def bitwise_or(emitter: Emitter, arguments: Values, _types: Types, _result: Type | None) -> Value:
    """``atomicrmw or``."""
    return _modify(emitter, "or", *arguments)


def bitwise_xor(emitter: Emitter, arguments: Values, _types: Types, _result: Type | None) -> Value:
    """``atomicrmw xor``."""
    return _modify(emitter, "xor", *arguments)


def exchange(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """``atomicrmw xchg`` on the bits: LLVM 7 exchanges integers only."""
    pointer, value = arguments
    bits, address = _as_bits(emitter, pointer, types)
    old = _modify(emitter, "xchg", address, emitter.cast("bitcast", value, bits))
    return emitter.cast("bitcast", old, value.type)


def compare_and_swap(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """``cmpxchg`` on the bits."""
    pointer, expected, desired = arguments
    old, _ = _compare_and_swap(emitter, pointer, expected, desired, types)
    return emitter.cast("bitcast", old, desired.type)


def _compare_and_swap(
    emitter: Emitter, pointer: Value, expected: Value, desired: Value, types: Types
) -> tuple[Value, Value]:
    """(old bits, whether it was stored)."""
    bits, address = _as_bits(emitter, pointer, types)
    operands = f"{address}, {emitter.cast('bitcast', expected, bits)}, {emitter.cast('bitcast', desired, bits)}"
    pair = emitter.let(f"{{ {bits}, i1 }}", f"cmpxchg {operands} {_scope(emitter)}monotonic monotonic")
    return emitter.extract(pair, 0, bits), emitter.extract(pair, 1, "i1")


def _as_bits(emitter: Emitter, pointer: Value, types: Types) -> tuple[str, Value]:
    """The integer type of the element's width, and the pointer to one."""
    element, space = _element(types)
    bits = f"i{element.bits}"
    return bits, emitter.cast_pointer(pointer, bits, space)


def load(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> Value:
    """Integers go as such: LLVM 7 has no atomic access to floats."""
    element, _ = _element(types)
    bits, address = _as_bits(emitter, arguments[0], types)
    alignment = element.bits // 8
    if _on_gpu(emitter):
        value = emitter.let(bits, f"load volatile {bits}, {address}, align {alignment}")
    else:
        value = emitter.let(bits, f"load atomic {bits}, {address} monotonic, align {alignment}")
    return emitter.cast("bitcast", value, "float" if element.name == "f32" else "double" if element.is_float else bits)


def store(emitter: Emitter, arguments: Values, types: Types, _result: Type | None) -> None:
    """As ``load``."""
    element, _ = _element(types)
    bits, address = _as_bits(emitter, arguments[0], types)
    value = emitter.cast("bitcast", arguments[1], bits)
    alignment = element.bits // 8
    if _on_gpu(emitter):
        emitter.do(f"store volatile {value}, {address}, align {alignment}")
    else:
        emitter.do(f"store atomic {value}, {address} monotonic, align {alignment}")
