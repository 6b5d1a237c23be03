"""What launches use of a declaration, for a kernel of loaded code."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simt.core.completed_arguments import completed
from simt.core.requirements import Relation
from simt.core.runtime.configuration import Bounds
from simt.core.runtime.pattern import Parameter


@dataclass(frozen=True, slots=True)
class RawDeclaration:
    """What launches use of a declaration, for code that somebody else compiled."""

    name: str
    parameters: tuple[Parameter, ...]
    bounds: Bounds
    relations: tuple[Relation, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters, in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def positional_count(self) -> int:
        """All of them."""
        return len(self.parameters)

    def require_annotations(self, arguments: Mapping[str, object]) -> None:
        """Nothing to refuse: every parameter was declared."""

    def complete(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[object, ...]:
        """One argument a parameter, in order.

        Raises:
            LaunchError: names or counts do not fit.
        """
        return completed(self.name, self.names, len(self.parameters), {}, args, kwargs)
