"""Passes from TIR to TIR, and what they know.

``uniformity`` says which threads agree on what; the CPU target splits kernels by it. For a GPU, in order:
``narrow_indices`` (small launches: index arithmetic in 32 bits), ``version_loops`` (checks on: loops without them where
one test covers all rounds). ``ranges`` and ``local_ranges`` hold the integer ranges that both go by.
"""
