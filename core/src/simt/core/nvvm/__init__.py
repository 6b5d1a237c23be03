"""The GPU back end: TIR to NVVM IR, by libNVVM to PTX, by an assembler to a cubin. ``cpu`` is the other back end."""
