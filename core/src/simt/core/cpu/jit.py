"""LLVM IR text to machine code of this processor, through llvmlite. Nothing else of the CPU target knows llvmlite.

Compiling and loading are apart: an object file is what the disk cache keeps, and loading one runs no optimiser.
"""
from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import llvmlite.binding as llvm

from simt.core.errors import InternalCompilerError

if TYPE_CHECKING:
    from simt.core.options import Options

_LOCK = threading.RLock()
"""LLVM's target machines and engines are not safe to use from two threads at once."""


@dataclass(slots=True)
class LoadedObject:
    """Machine code in memory. The code lives as long as this object."""

    engine: llvm.ExecutionEngine

    def address(self, symbol: str) -> int:
        """Address of a function of the object.

        Raises:
            InternalCompilerError: the object has no such function.
        """
        with _LOCK:
            address = self.engine.get_function_address(symbol)
        if not address:
            raise InternalCompilerError(f"the compiled object has no function {symbol}")
        return address


def compile_text(text: str, opt: Literal[0, 3]) -> bytes:
    """Optimise and compile a module; gives an object file.

    Raises:
        InternalCompilerError: LLVM refuses the text.
    """
    with _LOCK:
        module = _optimised(text, opt)
        return _target_machine(opt).emit_object(module)


def assembly_of(text: str, options: Options) -> str:
    """The assembly that ``compile_text`` makes of ``text``, for people to read."""
    with _LOCK:
        return _target_machine(options.opt).emit_assembly(_optimised(text, options.opt))


def load(image: bytes) -> LoadedObject:
    """Bring an object file into memory; the C library's functions come from the process."""
    with _LOCK:
        _initialise()
        # A machine without a processor's features is quick to make, and all that loading asks for.
        machine = _target().create_target_machine(opt=0, reloc="pic", codemodel="small")
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(image))
        engine.finalize_object()
    return LoadedObject(engine)


def host_description() -> str:
    """What object files of this process depend on besides their text: part of every cache key."""
    _initialise()
    return f"llvm {llvm.llvm_version_info} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {_features()}"


def compiler_name() -> str:
    """``LLVM 20.1.8 for znver4``."""
    _initialise()
    return f"LLVM {'.'.join(map(str, llvm.llvm_version_info))} for {llvm.get_host_cpu_name()}"


def _optimised(text: str, opt: Literal[0, 3]) -> llvm.ModuleRef:
    _initialise()
    # Without the layout LLVM assumes one in which i64 is aligned to 4 bytes, and optimises to other field offsets.
    layout = f'target datalayout = "{_target_machine(opt).target_data}"\n'
    try:
        module = llvm.parse_assembly(f'{layout}target triple = "{llvm.get_default_triple()}"\n{text}')
        module.verify()
    except RuntimeError as error:
        raise InternalCompilerError(f"LLVM refuses the module of the CPU target: {error}") from error
    tuning = llvm.create_pipeline_tuning_options(speed_level=opt)
    tuning.loop_vectorization = tuning.slp_vectorization = opt > 0
    builder = llvm.create_pass_builder(_target_machine(opt), tuning)
    builder.getModulePassManager().run(module, builder)
    return module


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()


@cache
def _features() -> str:
    return llvm.get_host_cpu_features().flatten()


@cache
def _target() -> llvm.Target:
    _initialise()
    return llvm.Target.from_default_triple()


@cache
def _target_machine(opt: Literal[0, 3]) -> llvm.TargetMachine:
    return _target().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=opt, reloc="pic", codemodel="small",
    )
