"""Scalar values on the host, following the number rules exactly.

They are what ``f32(0.1)`` makes outside a kernel, and what a kernel's own Python body computes with when a test runs
it on the host. ``simt.core.scalars`` gives them their public names.
"""
