"""Two names for one struct. In Python both see every change; compiled structs are values, so such changes are refused.

A name given to a struct that already has one, or that lies in an array, is a copy. Changing a copy of a named struct
is refused where the change is written; changing a copy of an element, where it is never stored back.
"""
from __future__ import annotations

from collections.abc import Iterator

from simt.core.check import tir
from simt.core.check.operand import Stored
from simt.core.check.state import State
from simt.core.diagnostics.diagnostic import Label
from simt.core.diagnostics.span import Span
from simt.core.types import ArrayType, StructType


def root_of(place: tir.Place) -> tir.Place:
    """The variable, element or pointee of which ``place`` is a part."""
    while isinstance(place, tir.Member | tir.Item):
        place = place.place
    return place


def adopt(state: State, place: tir.Place) -> Stored | None:
    """The operand for a name given to a value that has none yet, such as the result of a call; None otherwise."""
    if not isinstance(place, tir.Variable) or place.local in state.named:
        return None
    state.named.add(place.local)
    return Stored(place)


def note_copy(state: State, local: tir.Local, place: tir.Place, span: Span) -> None:
    """Remember that ``local`` became a copy of the struct at ``place``."""
    state.named.add(local)
    if not isinstance(place.type, StructType):
        return
    root = root_of(place)
    match root:
        case tir.Variable(local=original) if original in state.named and original != local:
            state.copies[local] = state.copies[original] = span
        case tir.Element(array=array) if isinstance(array.type, ArrayType) and array.type.access.writable:
            state.element_copies[local] = span, whole_array(state, array)
        case _:
            pass


def note_view(state: State, local: tir.Local, array: tir.Expr) -> None:
    """Remember that ``local`` shows the elements of ``array``, or some of them."""
    state.views[local] = whole_array(state, array)


def whole_array(state: State, array: tir.Expr) -> tir.Local | None:
    """The parameter or allocation of which ``array`` is a view."""
    match array:
        case tir.Ref(local=local):
            return state.views.get(local, local)
        case tir.SubArray(array=base):
            return whole_array(state, base)
        case _:
            return None


def refuse_change_of_copy(state: State, place: tir.Place, span: Span) -> bool:
    """Whether ``place`` is part of a struct with two names; reported."""
    root = root_of(place)
    if not isinstance(root, tir.Variable) or root.local not in state.copies:
        return False
    state.error(
        "struct-alias", "this struct has two names, and Python would change it under both", span, "changed here",
        secondary=(Label(span=state.copies[root.local], text="second name given here"),),
        help="write `.copy()` where the second name is given if two structs are meant",
    )
    return True


def refuse_lost_changes(state: State, kernel: tir.Kernel) -> None:
    """Report structs taken from a writable array and changed, but never stored back."""
    if not state.element_copies:
        return
    nodes = list(tir.walk(kernel))
    kept = {local for node in nodes if isinstance(node, tir.Store) for local in _stored_back(state, node)}
    for node in nodes:
        if not isinstance(node, tir.Store) or not isinstance(node.place, tir.Member | tir.Item):
            continue
        root = root_of(node.place)
        if isinstance(root, tir.Variable) and root.local in state.element_copies and root.local not in kept:
            state.add_error(
                "lost-change", f"`{root.local.name}` is a copy of an array's element, and this change is never stored",
                node.place.span, "changes the copy only",
                secondary=(Label(span=state.element_copies[root.local][0], text="copied here"),),
                help=f"store it back, as in `array[i] = {root.local.name}`, or take a `.copy()` if that is meant",
            )
            kept.add(root.local)


def _stored_back(state: State, node: tir.Store) -> Iterator[tir.Local]:
    """The copy that a statement stores whole into the array it came from."""
    value = node.value
    if isinstance(node.place, tir.Element) and isinstance(value, tir.Load) and isinstance(value.place, tir.Variable):
        local = value.place.local
        if local in state.element_copies and state.element_copies[local][1] == whole_array(state, node.place.array):
            yield local


def refuse_changes_across_rounds(state: State, kernel: tir.Kernel) -> None:
    """Report structs that a loop changes and later gives a second name: the next round changes both."""
    if not state.copies:
        return
    for loop in tir.walk(kernel):
        if not isinstance(loop, tir.While | tir.For):
            continue
        nodes = [node for node in tir.walk(loop) if isinstance(node, tir.Store | tir.Assign)]
        shared = {local for node in nodes if isinstance(node, tir.Assign) for local in _named_twice(state, node)}
        for node in nodes:
            root = root_of(node.place) if isinstance(node, tir.Store) else None
            if isinstance(root, tir.Variable) and root.local in shared and isinstance(node, tir.Store):
                state.add_error(
                    "struct-alias", "this struct gets a second name in this loop, and the next round changes both",
                    node.place.span, "changed here",
                    secondary=(Label(span=state.copies[root.local], text="second name given here"),),
                    help="write `.copy()` where the second name is given if two structs are meant",
                )


def _named_twice(state: State, node: tir.Assign) -> Iterator[tir.Local]:
    if isinstance(node.value, tir.Load) and node.local in state.copies:
        root = root_of(node.value.place)
        if isinstance(root, tir.Variable) and root.local in state.copies:
            yield root.local
