"""The CPU target: TIR to machine code of this processor, and its launches. In the order in which data moves:

==================  =================================================================================================
functions           the main path: one kernel to LLVM IR text with its description (``host_kernel``)
regions             split at the collectives (``splitting``) into a schedule (``schedule``), if control is uniform
storage             where each local lives (``exposure``, ``recompute``); ``memory``, ``allocations``: arrays
frame, state        the kernel's function, its arena, and the state of emitting it
uniform             schedules: what a block or warp does together; ``thread_loop``, ``counting``: loops over threads
proof, interior     checks and guards that a block can do without (``bounds``, ``interval``)
collectives         threads that meet where control is uniform (``constant_arguments``)
coroutines          threads that may part: each a coroutine, resumed by a ``scheduler``
backend             answers to the shared emission in ``llvm``; ``calls``: intrinsics, ``position``: which thread
watch, prints       unwritten shared memory and races; ``print``
jit                 LLVM IR to object code and into memory: all that knows llvmlite
pool                blocks on threads, as native code: ``pool_fields``, ``pool_launch``, ``reports``, ``meeting_point``,
                    ``race_table``, over ``launch_record``; ``workers`` starts it
executable          a loaded kernel and its launches; ``fault_reading``, ``printed_text``: what they tell
==================  =================================================================================================
"""
