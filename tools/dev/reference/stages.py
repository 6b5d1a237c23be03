"""The stages of saxpy in ARCHITECTURE.md: a block after ``<!-- stage: NAME -->`` is what the compiler makes."""
from __future__ import annotations

import re

from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

BLOCK = re.compile(r"(<!-- stage: (\w+) -->\n```\n).*?(```\n)", re.DOTALL)


@kernel(lineinfo=False)
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = a * x[i] + y[i]


def shown(stage: str) -> str:
    """A stage that is the same on every machine, for sm_90; of NVVM IR the kernel's function alone."""
    match stage:
        case "hir":
            return saxpy.inspect("hir", target="sm_90")
        case "tir":
            return saxpy.inspect("tir", target="sm_90")
        case "nvvm":
            module = saxpy.inspect("nvvm", target="sm_90")
            return module[module.index("define") : module.index("\n}\n") + 3]
        case _:
            raise ValueError(f"ARCHITECTURE.md asks for stage {stage!r}")


def page(text: str) -> str:
    """``text`` with every marked block made anew."""
    return BLOCK.sub(lambda match: f"{match[1]}{shown(match[2]).rstrip()}\n{match[3]}", text)
