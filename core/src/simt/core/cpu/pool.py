"""The thread pool that runs blocks, as native code: LLVM IR text, compiled once a process.

Native because a worker must never need the GIL: it sits in one foreign call for the life of the process. The threads
themselves are Python's (``workers.py``), so no platform's thread creation is needed here; of the platform this uses
the POSIX mutex and condition variable, ``malloc`` and a clock.

How a launch runs (``simt_launch``):

1. The caller claims the pool. Where another thread has it, the launch simply runs on the caller alone.
2. The caller runs blocks by itself, doubling their number, until about PROBE nanoseconds have passed. Grids that are
   done by then never wake anybody: that is what keeps small launches cheap. Where the last launch of the same
   configuration took longer, this step is left out: its first block may be a good part of the grid.
3. The launch is opened: workers that spin or sleep join it. Each hand, the caller included, has a share, one stretch of
   blocks, of which it takes chunks through an atomic counter; with its own share done it helps with the others. So
   repeated launches touch the same data on the same processor, whose cache may still hold them.
4. The launch is closed, and the caller waits for those inside.

The caller gives the GIL away for the launch, and looks for signals in between (``pool_signals``).

``state`` is one word: OPEN while workers may join, plus the number of workers inside. Joining is a compare-and-swap
that fails once the launch is closed, so a late worker never touches a record that its owner has taken back.
"""
from __future__ import annotations

from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.meeting_point import meeting_function
from simt.core.cpu.native_text import field_address
from simt.core.cpu.pool_blocks import block_functions
from simt.core.cpu.pool_fields import ARENA_ALIGNMENT, OPEN, SPIN_ROUNDS, PoolField
from simt.core.cpu.pool_launch import launch_functions
from simt.core.cpu.race_table import race_functions
from simt.core.cpu.reports import report_functions


def pool_module(system: str, machine: str) -> str:
    """The pool's LLVM IR for a system and processor, named as ``sys.platform`` and ``platform.machine()``."""
    pause = "yield" if machine in ("aarch64", "arm64") else "pause"
    clock_monotonic = 6 if system == "darwin" else 1
    return "\n".join([
        _DECLARATIONS, _arena(), _worker(pause), _setup(), block_functions(),
        launch_functions(pause, clock_monotonic), report_functions(), meeting_function(), race_functions(),
    ])


_DECLARATIONS = """
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @clock_gettime(i32, ptr)
declare i32 @sched_yield()
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
"""


def _arena() -> str:
    """``simt_arena(slot, bytes)``: memory of at least ``bytes``, kept in ``slot`` = {memory, size} for next time."""
    return f"""
define internal ptr @simt_arena(ptr %slot, i64 %bytes) {{
entry:
  %none = icmp eq i64 %bytes, 0
  br i1 %none, label %empty, label %look
empty:
  ret ptr null
look:
  %size_at = getelementptr i8, ptr %slot, i64 8
  %size = load i64, ptr %size_at
  %old = load ptr, ptr %slot
  %enough = icmp uge i64 %size, %bytes
  br i1 %enough, label %have, label %grow
grow:
  call void @free(ptr %old)
  %padded = add i64 %bytes, {ARENA_ALIGNMENT}
  %new = call ptr @malloc(i64 %padded)
  store ptr %new, ptr %slot
  store i64 %bytes, ptr %size_at
  br label %have
have:
  %raw = phi ptr [ %old, %look ], [ %new, %grow ]
  %address = ptrtoint ptr %raw to i64
  %up = add i64 %address, {ARENA_ALIGNMENT - 1}
  %aligned = and i64 %up, {-ARENA_ALIGNMENT}
  %arena = inttoptr i64 %aligned to ptr
  ret ptr %arena
}}
"""


def _worker(pause: str) -> str:
    """``simt_worker(pool)``: a worker's life. It never returns; the process's end ends it."""
    return f"""
define void @simt_worker(ptr %pool) {{
entry:
  %slot = alloca [2 x i64], align 16
  store [2 x i64] zeroinitializer, ptr %slot
{field_address("mutex", "pool", PoolField.MUTEX)}
{field_address("wake", "pool", PoolField.WAKE)}
{field_address("done", "pool", PoolField.DONE)}
{field_address("state_at", "pool", PoolField.STATE)}
{field_address("record_at", "pool", PoolField.RECORD)}
{field_address("chunk_at", "pool", PoolField.CHUNK)}
{field_address("generation_at", "pool", PoolField.GENERATION)}
{field_address("sleepers_at", "pool", PoolField.SLEEPERS)}
{field_address("started_at", "pool", PoolField.STARTED)}
  %number = atomicrmw add ptr %started_at, i64 1 seq_cst
  %hand = add i64 %number, 1
  br label %idle
idle:
  %seen = phi i64 [ 0, %entry ], [ %present, %closed ], [ %present, %left ], [ %present, %tell ]
  br label %spin
spin:
  %round = phi i64 [ 0, %idle ], [ %round_next, %again ]
  %now = load atomic i64, ptr %generation_at acquire, align 8
  %new = icmp ne i64 %now, %seen
  br i1 %new, label %join, label %again
again:
  call void asm sideeffect "{pause}", "~{{memory}}"()
  %round_next = add i64 %round, 1
  %tired = icmp ugt i64 %round_next, {SPIN_ROUNDS}
  br i1 %tired, label %sleep, label %spin
sleep:
  %l0 = call i32 @pthread_mutex_lock(ptr %mutex)
  %s0 = atomicrmw add ptr %sleepers_at, i64 1 seq_cst
  br label %check
check:
  %later = load atomic i64, ptr %generation_at seq_cst, align 8
  %same = icmp eq i64 %later, %seen
  br i1 %same, label %wait, label %woken
wait:
  %w0 = call i32 @pthread_cond_wait(ptr %wake, ptr %mutex)
  br label %check
woken:
  %s1 = atomicrmw sub ptr %sleepers_at, i64 1 seq_cst
  %u0 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %join
join:
  %present = phi i64 [ %now, %spin ], [ %later, %woken ]
  %before = load atomic i64, ptr %state_at seq_cst, align 8
  br label %try
try:
  %expected = phi i64 [ %before, %join ], [ %actual, %attempt ]
  %open = icmp uge i64 %expected, {OPEN}
  br i1 %open, label %attempt, label %closed
closed:
  br label %idle
attempt:
  %inside = add i64 %expected, 1
  %swap = cmpxchg ptr %state_at, i64 %expected, i64 %inside seq_cst seq_cst
  %actual = extractvalue {{ i64, i1 }} %swap, 0
  %joined = extractvalue {{ i64, i1 }} %swap, 1
  br i1 %joined, label %work, label %try
work:
  %record = load ptr, ptr %record_at
  %chunk = load i64, ptr %chunk_at
{field_address("bytes_at", "record", LaunchField.ARENA_BYTES)}
  %bytes = load i64, ptr %bytes_at
  %arena = call ptr @simt_arena(ptr %slot, i64 %bytes)
  call void @simt_take_shares(ptr %pool, ptr %record, i64 %hand, i64 %chunk, ptr %arena)
  %was = atomicrmw sub ptr %state_at, i64 1 seq_cst
  %last = icmp eq i64 %was, 1
  br i1 %last, label %tell, label %left
left:
  br label %idle
tell:
  %l1 = call i32 @pthread_mutex_lock(ptr %mutex)
  %b1 = call i32 @pthread_cond_broadcast(ptr %done)
  %u1 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %idle
}}
"""


def _setup() -> str:
    """``simt_setup(pool, workers)``: make zeroed memory a pool that ``workers`` threads will serve."""
    return f"""
define void @simt_setup(ptr %pool, i64 %workers) {{
{field_address("mutex", "pool", PoolField.MUTEX)}
{field_address("wake", "pool", PoolField.WAKE)}
{field_address("done", "pool", PoolField.DONE)}
{field_address("workers_at", "pool", PoolField.WORKERS)}
  %m = call i32 @pthread_mutex_init(ptr %mutex, ptr null)
  %c = call i32 @pthread_cond_init(ptr %wake, ptr null)
  %d = call i32 @pthread_cond_init(ptr %done, ptr null)
  store i64 %workers, ptr %workers_at
  ret void
}}
"""
