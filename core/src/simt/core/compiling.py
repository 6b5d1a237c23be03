"""``compiling``: one compilation as callers ask for it: on a stack that is deep enough, its failures reported."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import TypeVar, cast

from simt.core.check import tir
from simt.core.deep_stack import is_on_deep_stack, on_deep_stack
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError
from simt.core.frontend import hir
from simt.core.frontend.nesting import too_deep
from simt.core.task import Task

T = TypeVar("T")


def compiling(task: Task, work: Callable[[], T]) -> T:
    """What ``work()`` gives, which does a part of ``task``'s compilation and may be called twice.

    Raises:
        CompileError: the kernel cannot be compiled as written; also where it nests too deep.
        InternalCompilerError: ``work`` failed with anything that is no message to the user.
    """
    with task.stages.reporting():
        if not is_on_deep_stack():
            try:
                return work()
            except RecursionError:
                work = partial(on_deep_stack, work)  # below, for this handler keeps the frames of the first attempt
        try:
            return work()
        except RecursionError as error:
            raise CompileError((too_deep(_place_of(error) or _first_line(task)),)) from None


def _place_of(error: RecursionError) -> Span | None:
    """Where in the user's text the compiler was: what the innermost call that works on a part of it holds."""
    frames: list[FrameType] = []
    traceback = error.__traceback__
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    return next((span for frame in reversed(frames) for span in _spans_in(frame)), None)


def _spans_in(frame: FrameType) -> Iterator[Span]:
    for value in cast("dict[str, object]", frame.f_locals).values():
        match value:
            case Span():
                yield value
            case hir.Node(span=span) | tir.Node(span=span):
                yield span
            case _:
                pass


def _first_line(task: Task) -> Span:
    code = task.declaration.function.__code__
    line = code.co_firstlineno
    return Span(filename=code.co_filename, line=line, col=0, end_line=line, end_col=1)
