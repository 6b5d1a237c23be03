"""Which locals a statement may change, with all that is inside it; each statement is looked into once."""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.check import tir
from simt.core.cpu.exposure import mentioned
from simt.core.cpu.splitting import stored_local


@dataclass(slots=True)
class Changes:
    """``found`` by the identity of a statement, which must live as long as this: an ``elif`` is a part of every one
    before it, and asked about with each of them.
    """

    found: dict[int, tuple[tir.Local, ...]] = field(default_factory=dict[int, tuple[tir.Local, ...]])

    def of(self, statement: tir.Stmt) -> tuple[tir.Local, ...]:
        """The locals that it assigns or takes the address of, in the order of the text."""
        known = self.found.get(id(statement))
        if known is None:
            changed = dict[tir.Local, None]()
            local = stored_local(statement)
            if local is not None:
                changed[local] = None
            self._look_into(statement, changed)
            known = self.found[id(statement)] = tuple(changed)
        return known

    def _look_into(self, node: tir.Node, changed: dict[tir.Local, None]) -> None:
        for child in tir.children(node):
            if isinstance(child, tir.Stmt):
                changed |= dict.fromkeys(self.of(child))
                continue
            for part in tir.walk(child):
                if isinstance(part, tir.AddressOf):
                    changed |= dict.fromkeys(mentioned((part.place,)))
