"""``@kernel``: the object a user holds in place of the function.

The compiler is imported where it is first needed, so that importing a package of kernels stays quick.
"""
from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Generic, ParamSpec, Unpack, overload

from simt.core.declaration import Declaration
from simt.core.declared_options import (
    OptionFields,
    block_of,
    cluster_of,
    consistent,
    known_fields,
    name_of,
    named_in_annotations,
    positive,
)
from simt.core.errors import LaunchError
from simt.core.launch import Launch
from simt.core.options import Options
from simt.core.runtime.configuration import BLOCK_THREADS, Dimensions, configure, cover

if TYPE_CHECKING:
    from simt.core.check.signature import Signature
    from simt.core.compiled import Compiled
    from simt.core.device import Device
    from simt.core.inspection import Stage
    from simt.core.specialisation import Specialisation
    from simt.core.specialize import Bound
    from simt.core.target import Target

P = ParamSpec("P")
LAUNCHES_KEPT = 64


class Kernel(Generic[P]):
    """A function that runs once in each thread of a grid.

    ``kernel[grid, block](...)`` launches it, ``kernel.for_elements(n)(...)`` with a thread an element. It is compiled
    at the first launch for the types it gets, and again for other types, other compile-time values, or when a captured
    global has changed.
    """

    only_device: Device | None = None

    def __init__(
        self, declaration: Declaration, options: Options, variants: dict[Options, Kernel[P]] | None = None
    ) -> None:
        self.declaration = declaration
        self.options = options
        self._variants = {} if variants is None else variants  # one kernel for each choice of options
        self._variants[options] = self
        self._specialisations: dict[object, Specialisation] = {}
        self._launches: dict[object, Launch[P]] = {}
        self._lock = threading.RLock()
        for attribute in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(declaration.function, attribute):
                setattr(self, attribute, getattr(declaration.function, attribute))
        self.__wrapped__ = declaration.function

    @property
    def name(self) -> str:
        """Its name in messages and in the compiled code."""
        return self.declaration.name

    @property
    def function(self) -> FunctionType:
        """The Python function, whose body is the kernel's reference meaning."""
        return self.declaration.function

    @overload
    def __getitem__(self, configuration: tuple[Dimensions, Dimensions], /) -> Launch[P]: ...
    @overload
    def __getitem__(self, configuration: tuple[Dimensions, Dimensions, int], /) -> Launch[P]: ...
    @overload
    def __getitem__(self, configuration: tuple[Dimensions, Dimensions, int, object], /) -> Launch[P]: ...
    def __getitem__(self, configuration: tuple[object, ...], /) -> Launch[P]:
        """``kernel[grid, block]`` or ``kernel[grid, block, shared_bytes, stream]``, each dimension up to 3 integers.

        Raises:
            LaunchError: outside the limits of the hardware or of the kernel's declaration.
        """
        key = _exact(configuration[:3]), *map(id, configuration[3:])  # a kept launch keeps its stream, and so the id
        launch = self._launches.get(key)
        if launch is None:
            launch = Launch[P](self, configure(configuration, self.declaration.bounds))
            self._keep(key, launch)
        return launch

    def for_elements(self, shape: int | tuple[int, ...], /) -> Launch[P]:
        """A launch of at least one thread an element: x runs over the last axis, y and z over those before.

        A GPU chooses the block when it first launches: 128 to 1024 threads, as many as give the highest occupancy,
        with up to a warp along x where there are several axes. ``with_attributes`` fixes the block of the CPU.

        For 0 elements the launch checks its arguments and runs nothing.

        Raises:
            LaunchError: not one to three non-negative integers.
        """
        key = ("elements", _exact(shape))
        launch = self._launches.get(key)
        if launch is None:
            launch = Launch[P](self, cover(shape, self.declaration.bounds))
            self._keep(key, launch)
        return launch

    def with_options(self, **options: Unpack[OptionFields]) -> Kernel[P]:
        """The same kernel compiled with other options; the same object for the same options."""
        wanted = consistent(replace(self.options, **known_fields(options)))
        known = self._variants.get(wanted)
        return Kernel(self.declaration, wanted, self._variants) if known is None else known

    def compile(
        self, *args: object, signature: Signature | tuple[object, ...] | None = None,
        target: str | Target | None = None, **kwargs: object,
    ) -> Compiled:
        """Compile without a launch.

        Args:
            args, kwargs: example arguments, which decide types and compile-time values.
            signature: instead of them, one annotation or compile-time value a parameter; may be left out where the
                kernel's annotations say everything.
            target: ``"cpu"`` (the default), or an architecture such as ``"sm_90a"``.

        Raises:
            CompileError: the kernel's text must change.
            UnavailableError: a GPU architecture, and libNVVM is not installed.
        """
        from simt.core.code import compiled
        from simt.core.task import Task, parse_target

        chosen = self._signature(args, kwargs, signature)
        return compiled(Task(self.declaration, chosen, parse_target(target), self.options))

    def inspect(
        self, stage: Stage, *args: object, signature: Signature | tuple[object, ...] | None = None,
        target: str | Target | None = None, **kwargs: object,
    ) -> str:
        """The text of one stage: ``"hir"``, ``"tir"``, ``"llvm"``, ``"asm"`` (CPU), ``"nvvm"``, ``"ptx"``, ``"sass"``.

        Arguments as for ``compile``; without ``target``, the CPU for the first four and sm_90 for the last three.
        """
        from simt.core.inspection import stage_text, target_for
        from simt.core.task import Task

        where = target_for(stage, target)
        return stage_text(stage, Task(self.declaration, self._signature(args, kwargs, signature), where, self.options))

    def specialisation(self, bound: Bound, device: Device) -> Specialisation:
        """The code for a signature on a device, made anew where a captured value has changed."""
        key = device.place, bound.key
        found = self._specialisations.get(key)
        if found is not None and not found.changed():
            return found
        from simt.core.specialisation import specialise

        with self._lock:
            found = self._specialisations.get(key)
            if found is None or found.changed():
                found = specialise(self.declaration, bound.signature, self.options, device)
                self._specialisations[key] = found
        return found

    def _signature(
        self, args: tuple[object, ...], kwargs: Mapping[str, object], signature: Signature | tuple[object, ...] | None
    ) -> Signature:
        from simt.core.check.signature import Signature
        from simt.core.declared_signature import signature_of
        from simt.core.specialize import bind

        declaration = self.declaration
        if signature is not None and (args or kwargs):
            raise LaunchError(f"{self.name}: give example arguments or signature=, not both", argument="signature")
        if isinstance(signature, Signature):
            return signature
        if signature is None and (args or kwargs):
            arguments = declaration.complete(args, kwargs)
            declaration.require_annotations(dict(zip(declaration.names, arguments, strict=True)))
            return bind(declaration.parameters, arguments, 1).signature
        declaration.require_annotations({})
        return signature_of(declaration.name, declaration.parameters, signature)

    def _keep(self, key: object, launch: Launch[P]) -> None:
        with self._lock:
            while len(self._launches) >= LAUNCHES_KEPT:
                del self._launches[next(iter(self._launches))]
            self._launches[key] = launch

    if not TYPE_CHECKING:  # a type checker shall see that a kernel is not callable

        def __call__(self, *args: object, **kwargs: object) -> None:
            raise LaunchError(
                f"{self.name} is a kernel: launch it with {self.name}[grid, block](...) "
                f"or {self.name}.for_elements(n)(...)"
            )

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.declaration.names)})>"


@overload
def kernel(function: Callable[P, None], /) -> Kernel[P]: ...
@overload
def kernel(
    *, max_threads: int | None = None, min_blocks: int | None = None,
    cluster: int | tuple[int] | tuple[int, int] | tuple[int, int, int] | None = None, name: str | None = None,
    requires: str | tuple[str, ...] = (),
    block: int | tuple[int] | tuple[int, int] | tuple[int, int, int] | None = None, **options: Unpack[OptionFields],
) -> Callable[[Callable[P, None]], Kernel[P]]: ...
def kernel(
    function: Callable[P, None] | None = None, /, *, max_threads: int | None = None, min_blocks: int | None = None,
    cluster: int | tuple[int, ...] | None = None, name: str | None = None, requires: str | tuple[str, ...] = (),
    block: int | tuple[int, ...] | None = None, **options: Unpack[OptionFields],
) -> Kernel[P] | Callable[[Callable[P, None]], Kernel[P]]:
    """Declare a kernel: ``@kernel``, or ``@kernel(max_threads=256, fast_math=True)``.

    Args:
        max_threads: most threads a block may have; lets the compiler use more registers.
        min_blocks: blocks that a multiprocessor should hold at once, which limits registers.
        cluster: blocks of a cluster along x, y, z (compute capability 9.0 and later).
        block: the exact threads of a block along x, y, z: launches with another block are refused, and the
            compiler knows ``thread.block_dim``.
        requires: relations between the arguments that every launch must meet, such as
            ``("x.size == out.size", "x.shape[0] % 4 == 0")``: of parameters, ``.size``, ``.shape[axis]``, integers,
            ``+ - * // %``, comparisons and ``and``.
        name: name in messages and compiled code, by default the function's.
        options: fields of ``Options``.

    Raises:
        TypeError: not a Python function, an unknown option, a bound out of range, or a relation that is none.
    """
    frame = inspect.currentframe()
    caller = None if frame is None else frame.f_back
    names: Mapping[str, object] = {} if caller is None else caller.f_locals  # annotations may use them

    def declare(function: Callable[P, None]) -> Kernel[P]:
        if not isinstance(function, FunctionType):
            raise TypeError(f"@kernel takes a function, not {type(function).__name__}")
        frame_names = {} if names is function.__globals__ else named_in_annotations(function, names)
        declaration = Declaration(
            function, name_of(name, function), positive("max_threads", max_threads, BLOCK_THREADS),
            positive("min_blocks", min_blocks, 32), cluster_of(cluster), frame_names, requires,
            block_of(block, max_threads),
        )
        return Kernel(declaration, consistent(Options(**known_fields(options))))

    return declare if function is None else declare(function)


def _exact(value: object) -> object:
    """A key that tells 2 from 2.0 and True."""
    if type(value) is int:
        return value
    if isinstance(value, tuple):
        return tuple(map(_exact, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] -- anything a user wrote
    return type(value), repr(value)
