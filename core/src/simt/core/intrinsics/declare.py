"""``@intrinsic``: one ``def`` says everything about an operation of the hardware, and is checked at import."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Generic, ParamSpec, TypeVar, get_type_hints

from simt.core.intrinsics.recipe import Barrier, CpuRecipe, GpuRecipe, PerLane
from simt.core.introspection import present_as, signature_text

P = ParamSpec("P")
R = TypeVar("R")


class Behavior(StrEnum):
    """What an intrinsic does besides computing its result.

    PURE: nothing; the same arguments give the same result within a thread. OBSERVE: reads what may change (clock,
    volatile memory). EFFECT: writes or orders memory, or has another effect. LAUNCH: waits for an earlier launch, so
    that even inputs change. WARP, BLOCK: threads of that scope wait.
    """

    PURE = "pure"
    OBSERVE = "observe"
    EFFECT = "effect"
    LAUNCH = "launch"
    WARP = "warp"
    BLOCK = "block"


class Uniformity(StrEnum):
    """Which threads surely get the same result when their arguments agree.

    INPUTS: as uniform as the arguments. LANE: differs between lanes. WARP: same within a warp (given uniform member
    masks). BLOCK: same within a block.
    """

    INPUTS = "inputs"
    LANE = "lane"
    WARP = "warp"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Sm:
    """A minimum target: ``Sm(90)``, or with a feature suffix ``Sm(90, "a")``."""

    number: int
    suffix: str = ""

    def __str__(self) -> str:
        return f"sm_{self.number}{self.suffix}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """``annotation`` is a scalar or struct class, a TypeVar, an annotation form or ``Callable[...]``."""

    name: str
    annotation: object
    default: object  # inspect.Parameter.empty where there is none


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Intrinsic(Generic[P, R]):
    """A declared device operation. Compared by identity. ``name`` is ``module.function``, as users write it."""

    name: str
    parameters: tuple[Parameter, ...]
    result: object
    documentation: str
    reference: Callable[P, R]
    gpu: GpuRecipe
    cpu: CpuRecipe
    ptx: str
    since: Sm
    source: str
    behavior: Behavior
    uniformity: Uniformity

    def __post_init__(self) -> None:
        present_as(self, self.reference)

    def __repr__(self) -> str:
        return f"<intrinsic {self.name.removeprefix('cuda_std.')}{signature_text(self.reference)}>"

    def __simt_fingerprint__(self) -> tuple[object, ...]:
        """What decides the code of calls: the name, for intrinsics of the suite, whose files are in every key."""
        if self.reference.__module__.startswith("simt."):
            return (self.name,)
        return tuple(getattr(self, field.name) for field in fields(self))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The reference meaning, on the host."""
        return self.reference(*args, **kwargs)


REGISTRY: dict[str, Intrinsic[Any, Any]] = {}  # Any: intrinsics of every signature


def intrinsic(
    *, gpu: GpuRecipe, cpu: CpuRecipe, ptx: str, since: Sm, source: str, behavior: Behavior = Behavior.PURE,
    uniformity: Uniformity = Uniformity.INPUTS,
) -> Callable[[Callable[P, R]], Intrinsic[P, R]]:
    """Declare an intrinsic from a function.

    The annotations are its typing rule, a constrained TypeVar its overload set, the docstring its documentation, the
    body its meaning on the host (``...`` for a pure barrier). ``ptx``: a regular expression that must be found in the
    PTX of every overload; empty where the compiler may fold it away. ``since``: minimum target.

    Raises:
        TypeError: an annotation or the docstring is missing, or the name is taken.
    """

    def declare(function: Callable[P, R]) -> Intrinsic[P, R]:
        path = function.__module__.removeprefix("simt.").split(".")
        # A package's private modules are not part of what users write: math._powers.sqrt is math.sqrt.
        name = ".".join([*(part for part in path if not part.startswith("_")), function.__qualname__])
        hints = get_type_hints(function)
        signature = inspect.signature(function)
        missing = [p for p in (*signature.parameters, "return") if p not in hints and p != "self"]
        if missing:
            raise TypeError(f"intrinsic {name}: no annotation for {', '.join(missing)}")
        if not function.__doc__:
            raise TypeError(f"intrinsic {name}: no docstring")
        if name in REGISTRY:
            raise TypeError(f"intrinsic {name} is declared twice")
        if isinstance(cpu, PerLane | Barrier) != (behavior in (Behavior.WARP, Behavior.BLOCK)):
            raise TypeError(f"intrinsic {name}: PerLane and Barrier are for collectives, and collectives need one")
        parameters = tuple(
            Parameter(p.name, hints[p.name], p.default) for p in signature.parameters.values() if p.name != "self"
        )
        entry = Intrinsic(
            name=name, parameters=parameters, result=hints["return"], documentation=inspect.cleandoc(function.__doc__),
            reference=function, gpu=gpu, cpu=cpu, ptx=ptx, since=since, source=source, behavior=behavior,
            uniformity=uniformity,
        )
        REGISTRY[name] = entry
        return entry

    return declare
