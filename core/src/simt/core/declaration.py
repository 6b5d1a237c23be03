"""What a kernel is, apart from what it is compiled for: its function, bounds, and the names around it."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, cast

from simt.core.runtime.configuration import Bounds, Three

if TYPE_CHECKING:
    from simt.core.requirements import Relation
    from simt.core.runtime.pattern import Parameter

NOTHING: Mapping[str, object] = MappingProxyType({})


class Declaration:
    """A decorated function. ``frame_names``: locals of the frame around it, which its annotations may use.
    ``relations``: what ``requires`` says of the arguments of every launch.
    """

    def __init__(
        self, function: FunctionType, name: str, max_threads: int | None = None, min_blocks: int | None = None,
        cluster: Three | None = None, frame_names: Mapping[str, object] = NOTHING, requires: object = (),
        block: Three | None = None,
    ) -> None:
        self.function: FunctionType = function
        self.name = name
        self.max_threads = max_threads
        self.min_blocks = min_blocks
        self.cluster = cluster
        self.block = block
        self.frame_names = frame_names
        self.relations = _relations(requires, self.names)
        self._annotations: dict[str, object] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters, in order."""
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @cached_property
    def positional_count(self) -> int:
        """How many positional arguments are all there are; -1 where some can only be given by keyword."""
        code = self.function.__code__
        return -1 if code.co_kwonlyargcount else code.co_argcount

    @cached_property
    def defaults(self) -> dict[str, object]:
        """Default values by parameter."""
        code = self.function.__code__
        positional = code.co_varnames[: code.co_argcount]
        values = self.function.__defaults__ or ()
        found = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
        return found | cast("dict[str, object]", self.function.__kwdefaults__ or {})

    @cached_property
    def bounds(self) -> Bounds:
        """What launches must keep to."""
        return Bounds(self.name, self.max_threads, self.cluster, self.block)

    @property
    def annotations(self) -> dict[str, object]:
        """Values of the annotations by parameter."""
        if self._annotations is None:
            from simt.core.frontend.names import annotations_of

            self._annotations = annotations_of(self.function, self.frame_names)
        return self._annotations

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters with what they accept.

        Raises:
            CompileError: an annotation names no type of kernel parameters, or a result is annotated.
        """
        from simt.core.declared_parameters import parameters_of

        return parameters_of(self)

    def require_annotations(self, arguments: Mapping[str, object]) -> None:
        """Refuse parameters without an annotation, offering what ``arguments`` suggest.

        Raises:
            CompileError: one diagnostic for each such parameter.
        """
        missing = [name for name in self.names if name not in self.annotations]
        if missing:
            from simt.core.declared_parameters import missing_annotations

            raise missing_annotations(self, missing, arguments)

    def complete(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[object, ...]:
        """One argument a parameter, in order: positional, by keyword, or the default.

        Raises:
            LaunchError: names or counts do not fit.
        """
        from simt.core.completed_arguments import completed

        positional = self.function.__code__.co_argcount
        return completed(self.name, self.names, positional, self.defaults, args, kwargs)


def _relations(requires: object, names: tuple[str, ...]) -> tuple[Relation, ...]:
    if requires == ():
        return ()
    from simt.core.requirements import relations_of

    return relations_of(requires, names)
