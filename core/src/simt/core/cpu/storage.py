"""Where each local of a kernel lives while its threads run as loops.

===========  =====================================================================================================
FIXED        one slot for the block: parameters that never change, and locals that uniform control reads
WARP         one slot a warp, likewise; an array over the warps where the value outlives one ``WarpLoop``
THREAD       an array over the block's threads: the value outlives the region that assigned it
LANE         an array over the lanes of the present warp: it outlives a region, but not the ``WarpLoop``
RECOMPUTED   a private slot, set anew at the start of each region that mentions the local (``recompute``)
PRIVATE      a slot of the running thread alone, which LLVM turns into registers
===========  =====================================================================================================
"""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from simt.core.check import tir
from simt.core.cpu.exposure import exposed_in_node, used_in_node
from simt.core.cpu.recompute import recomputed_locals
from simt.core.cpu.regions import Regions
from simt.core.cpu.schedule import Schedule, UniformFor, UniformWhile, WarpLoop, inner_schedules
from simt.core.cpu.splitting import stored_local


class Home(StrEnum):
    """See the module's table. WARP_ARRAY: an array over the block's warps; WARP: the present warp's slot only."""

    FIXED = "fixed"
    WARP = "warp"
    WARP_ARRAY = "warp array"
    THREAD = "thread"
    LANE = "lane"
    RECOMPUTED = "recomputed"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Storage:
    """The home of every local that the kernel mentions. ``stored``: those that are ever written.

    ``recomputed``: the values of those that live nowhere, each after those it needs.
    """

    homes: dict[tir.Local, Home]
    stored: frozenset[tir.Local]
    recomputed: dict[tir.Local, tir.Expr]

    def at(self, home: Home) -> tuple[tir.Local, ...]:
        """The locals that live there, in a stable order."""
        return tuple(local for local, where in self.homes.items() if where is home)


@dataclass(frozen=True, slots=True)
class _Use:
    """One node that mentions a local. ``unit``: its ``WarpLoop``, or itself; ``repeats``: it is inside a loop."""

    unit: int
    in_warp: bool
    unit_exposes: bool
    exposes: bool
    repeats: bool


def place_locals(kernel: tir.Kernel, regions: Regions) -> Storage:
    """Choose the homes."""
    stored = frozenset(
        local for node in tir.walk(kernel) if isinstance(node, tir.Stmt) and (local := stored_local(node)) is not None
    ) | _addressed(kernel)
    uses: dict[tir.Local, list[_Use]] = {}
    _collect(regions.schedule, False, None, uses)
    views = {allocation.local for allocation in kernel.allocations}
    recomputed = recomputed_locals(kernel, stored)
    homes: dict[tir.Local, Home] = {}
    for local in (*kernel.parameters, *uses):
        if local in homes or local in views:
            continue
        if local in recomputed and local not in regions.block_slots and local not in regions.warp_slots:
            homes[local] = Home.RECOMPUTED
            continue
        homes[local] = _home(local, local in kernel.parameters, stored, regions, uses.get(local, []))
    return Storage(homes, stored, recomputed)


def _addressed(kernel: tir.Kernel) -> frozenset[tir.Local]:
    """Locals that are written through their address."""
    found: set[tir.Local] = set()
    for node in tir.walk(kernel):
        if isinstance(node, tir.AddressOf):
            place = node.place
            while isinstance(place, tir.Member | tir.Item):
                place = place.place
            if isinstance(place, tir.Variable):
                found.add(place.local)
    return frozenset(found)


def _home(
    local: tir.Local, is_parameter: bool, stored: frozenset[tir.Local], regions: Regions, uses: list[_Use],
) -> Home:
    if (is_parameter and local not in stored) or local in regions.block_slots:
        return Home.FIXED
    units = {use.unit for use in uses}
    alone = len(units) == 1 and not uses[0].repeats
    outlives = any(use.unit_exposes for use in uses) and not (alone and (not uses[0].in_warp or not is_parameter))
    if local in regions.warp_slots:
        return Home.WARP_ARRAY if outlives or len(units) > 1 or is_parameter else Home.WARP
    if outlives:
        return Home.THREAD
    if any(use.exposes and use.in_warp for use in uses):
        return Home.LANE
    return Home.PRIVATE


def _collect(schedule: Schedule, repeats: bool, unit: WarpLoop | None, uses: dict[tir.Local, list[_Use]]) -> None:
    for node in schedule:
        exposed = exposed_in_node(node)
        whole = unit if unit is not None else node
        whole_exposed = exposed if unit is None else exposed_in_node(unit)
        for local in used_in_node(node):
            uses.setdefault(local, []).append(
                _Use(id(whole), unit is not None, local in whole_exposed, local in exposed, repeats)
            )
        inside = unit if unit is not None else node if isinstance(node, WarpLoop) else None
        loops = repeats or isinstance(node, UniformFor | UniformWhile)
        for inner in inner_schedules(node):
            _collect(inner, loops, inside, uses)
