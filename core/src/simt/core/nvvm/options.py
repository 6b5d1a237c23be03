"""Options to libNVVM's flags.

Source: libNVVM API, nvvmCompileProgram.
"""
from __future__ import annotations

from simt.core.options import Options
from simt.core.target import Gpu


def libnvvm_flags(gpu: Gpu, options: Options) -> list[str]:
    """The flags for one compilation.

    Raises:
        ValueError: ``debug`` with optimisation, which libNVVM does not do.
    """
    if options.debug and options.opt != 0:
        raise ValueError("debug=True needs opt=0: libNVVM describes unoptimised code only")
    flags = [f"-arch={gpu.architecture.compute}", f"-opt={options.opt}"]
    flags.append(f"-ftz={int(options.ftz or options.fast_math)}")
    flags.append(f"-prec-div={int(options.prec_div and not options.fast_math)}")
    flags.append(f"-prec-sqrt={int(options.prec_sqrt and not options.fast_math)}")
    flags.append(f"-fma={int(options.fma or options.fast_math)}")
    if options.debug:
        flags.append("-g")
    return flags
