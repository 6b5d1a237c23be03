"""The size of dynamic shared memory as a launch sets it: what checked slices of it are compared with."""
from __future__ import annotations

from simt.core.intrinsics.declare import Behavior, Intrinsic, Sm, Uniformity
from simt.core.intrinsics.recipe import SpecialRegister


def _outside_a_launch() -> int:
    raise TypeError("the size of dynamic shared memory is known only inside a launch")


DYNAMIC_SHARED_BYTES: Intrinsic[[], int] = Intrinsic(
    name="dynamic_shared_bytes", parameters=(), result=int, documentation="Bytes of dynamic shared memory of a block.",
    reference=_outside_a_launch, gpu=SpecialRegister("dynamic_smem_size"), cpu=SpecialRegister("dynamic_smem_size"),
    ptx=r"%dynamic_smem_size", since=Sm(50), source="PTX ISA, Special Registers: %dynamic_smem_size",
    behavior=Behavior.PURE, uniformity=Uniformity.BLOCK,
)
"""Not registered: the compiler uses it, users do not name it."""
