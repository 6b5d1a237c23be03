"""A launch that is kept, by a graph or a prepared launch: its arguments can be replaced later."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from simt.core.errors import LaunchError
from simt.core.required_values import check_requirements
from simt.core.specialize import bind

if TYPE_CHECKING:
    from simt.core.device import Device
    from simt.core.general_launch import Specialisation, Specialiser
    from simt.core.runtime.configuration import Configuration
    from simt.core.runtime.memory import Located


@dataclass(frozen=True, slots=True)
class RecordedLaunch:
    """One launch, checked. It keeps ``arguments``, and so the memory behind them; ``record`` is their packed form, and
    ``located`` the memory it reaches."""

    kernel: Specialiser
    configuration: Configuration
    arguments: tuple[object, ...]
    device: Device
    specialisation: Specialisation
    record: bytes
    located: tuple[Located, ...] = ()

    def replaced(self, changes: Mapping[str, object]) -> RecordedLaunch:
        """The launch with other values for the named arguments, checked as a launch of them would be.

        Raises:
            LaunchError: no such parameter, or a value does not fit.
        """
        declaration = self.kernel.declaration
        for name in changes:
            if name not in declaration.names:
                raise LaunchError(
                    f"{declaration.name} has no parameter {name}; its parameters are ({', '.join(declaration.names)})",
                    argument=name,
                )
        pairs = zip(declaration.names, self.arguments, strict=True)
        arguments = tuple(changes.get(name, value) for name, value in pairs)
        bound = bind(declaration.parameters, arguments, self.configuration.threads)
        check_requirements(declaration.name, declaration.relations, declaration.names, arguments, bound)
        if bound.place not in (None, self.device.place):
            raise LaunchError(
                f"a launch of {declaration.name} that is kept for {self.device.name} cannot take arrays that lie "
                "elsewhere; capture or prepare it there"
            )
        specialisation = self.kernel.specialisation(bound, self.device)
        record = specialisation.record.pack(*bound.leaves)
        return replace(
            self, arguments=arguments, specialisation=specialisation, record=record, located=bound.located
        )
