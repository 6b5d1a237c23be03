"""A plain counting loop around emitted code."""
from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from simt.core.llvm.builder import BasicBlock, Emitter, Module, Value
from simt.core.llvm.constants import integer


@contextmanager
def counting(
    emitter: Emitter, count: Value, name: str, *, plain: bool = False,
) -> Generator[tuple[Value, BasicBlock], None, None]:
    """A loop over 0 .. ``count`` - 1 (i32, at least 1) around what is emitted inside; gives the counter, and the
    block that goes on to the next round. ``plain``: LLVM shall leave the loop as it is."""
    slot = emitter.alloca("i32", hint=name)
    head, again, after = emitter.new_block(name), emitter.new_block(f"{name}.next"), emitter.new_block(f"{name}.done")
    emitter.store(integer(32, 0), slot)
    emitter.place(head)
    counter = emitter.load("i32", slot)
    yield counter, again
    emitter.place(again)
    following = emitter.binary("add nuw nsw", counter, integer(32, 1))
    emitter.store(following, slot)
    metadata = _plain(emitter.module) if plain else ""
    emitter.branch_if(emitter.compare("icmp ult", following, count), head, after, metadata)
    emitter.place(after)


def _plain(module: Module) -> str:
    """Metadata for a loop's last branch that turns optional transformations off."""
    option = module.add_metadata('!{!"llvm.loop.disable_nonforced"}')
    loop = len(module.metadata)
    return f", !llvm.loop {module.add_metadata(f'distinct !{{!{loop}, {option}}}')}"
