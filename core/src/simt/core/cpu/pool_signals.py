"""Clock and signals of a launching thread, as LLVM IR text: part of the pool's module.

Python runs the handlers of signals where its interpreter does, and a launch is outside of it until its grid has ended.
So the caller paces itself: it runs blocks in chunks, or waits for the workers, for some milliseconds, and now and then
takes the GIL and asks for signals. Where a handler raises, as that of the keyboard's interrupt does, no further block
starts. Blocks that run are not cut short.
"""
from __future__ import annotations

from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.native_text import field_address
from simt.core.cpu.pool_fields import LOOK_NANOSECONDS, SLICE_NANOSECONDS, PoolField


def signal_functions(clock: int) -> str:
    """``simt_now``, ``simt_begin``, ``simt_pace``, ``simt_wait_slice``. ``clock`` is one that never steps back."""
    return _clock(clock) + _look() + _pace() + _wait()


def _clock(clock: int) -> str:
    """``simt_now()``: nanoseconds. ``simt_begin(record)``: the caller begins its first chunk of blocks."""
    return f"""
define internal i64 @simt_now() {{
  %time = alloca [2 x i64]
  %ok = call i32 @clock_gettime(i32 {clock}, ptr %time)
  %seconds = load i64, ptr %time
  %rest_at = getelementptr i8, ptr %time, i64 8
  %rest = load i64, ptr %rest_at
  %scaled = mul i64 %seconds, 1000000000
  %now = add i64 %scaled, %rest
  ret i64 %now
}}

define internal void @simt_begin(ptr %record) {{
  %now = call i64 @simt_now()
{field_address("began_at", "record", LaunchField.CHUNK_BEGAN)}
  store i64 %now, ptr %began_at
{field_address("looked_at", "record", LaunchField.LOOKED)}
  store i64 %now, ptr %looked_at
  ret void
}}
"""


def _look() -> str:
    """``simt_look(pool, record, now)``: ask for signals if it is time to; where a handler raises, stop the grid."""
    return f"""
define internal void @simt_look(ptr %pool, ptr %record, i64 %now) {{
entry:
{field_address("looked_at", "record", LaunchField.LOOKED)}
  %looked = load i64, ptr %looked_at
  %since = sub i64 %now, %looked
  %due = icmp sgt i64 %since, {LOOK_NANOSECONDS}
{field_address("interrupted_at", "record", LaunchField.INTERRUPTED)}
  %interrupted = load i64, ptr %interrupted_at
  %whole = icmp eq i64 %interrupted, 0
  %asks = and i1 %due, %whole
  br i1 %asks, label %ask, label %out
ask:
{field_address("caller_at", "record", LaunchField.CALLER_STATE)}
{field_address("restore_at", "pool", PoolField.RESTORE_THREAD)}
{field_address("check_at", "pool", PoolField.CHECK_SIGNALS)}
{field_address("save_at", "pool", PoolField.SAVE_THREAD)}
  %caller = load ptr, ptr %caller_at
  %restore = load ptr, ptr %restore_at
  %check = load ptr, ptr %check_at
  %save = load ptr, ptr %save_at
  call void %restore(ptr %caller)
  %raised = call i32 %check()
  %again = call ptr %save()
  store ptr %again, ptr %caller_at
  %later = call i64 @simt_now()
  store i64 %later, ptr %looked_at
  %stops = icmp ne i32 %raised, 0
  br i1 %stops, label %stop, label %out
stop:
  store i64 1, ptr %interrupted_at
{field_address("stop_at", "record", LaunchField.STOP_AFTER)}
  store atomic i64 -1, ptr %stop_at seq_cst, align 8
  br label %out
out:
  ret void
}}
"""


def _pace() -> str:
    """``simt_pace(pool, record, chunk, most)``: after a chunk of blocks, how many the next shall have, 1 to ``most``.

    It grows while chunks are short beside a slice, and shrinks where they are longer. Looks for signals as well.
    """
    return f"""
define internal i64 @simt_pace(ptr %pool, ptr %record, i64 %chunk, i64 %most) {{
entry:
  %now = call i64 @simt_now()
{field_address("began_at", "record", LaunchField.CHUNK_BEGAN)}
  %began = load i64, ptr %began_at
  %took = sub i64 %now, %began
  call void @simt_look(ptr %pool, ptr %record, i64 %now)
  store i64 %now, ptr %began_at
  %short = icmp slt i64 %took, {SLICE_NANOSECONDS // 4}
  %long = icmp sgt i64 %took, {SLICE_NANOSECONDS}
  %larger = shl i64 %chunk, 2
  %smaller = lshr i64 %chunk, 2
  %reduced = select i1 %long, i64 %smaller, i64 %chunk
  %wanted = select i1 %short, i64 %larger, i64 %reduced
  %positive = call i64 @llvm.smax.i64(i64 %wanted, i64 1)
  %next = call i64 @llvm.smin.i64(i64 %positive, i64 %most)
  ret i64 %next
}}
"""


def _wait() -> str:
    """``simt_wait_slice(pool, record)``: wait for the workers with the mutex held, at most about the time between two
    looks for signals; looks where it has passed."""
    return f"""
declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

define internal void @simt_wait_slice(ptr %pool, ptr %record) {{
entry:
{field_address("mutex", "pool", PoolField.MUTEX)}
{field_address("done", "pool", PoolField.DONE)}
  %time = alloca [2 x i64]
  %ok = call i32 @clock_gettime(i32 0, ptr %time)
  %rest_at = getelementptr i8, ptr %time, i64 8
  %seconds = load i64, ptr %time
  %rest = load i64, ptr %rest_at
  %later = add i64 %rest, {LOOK_NANOSECONDS}
  %carry = udiv i64 %later, 1000000000
  %until = add i64 %seconds, %carry
  %until_rest = urem i64 %later, 1000000000
  store i64 %until, ptr %time
  store i64 %until_rest, ptr %rest_at
  %woken = call i32 @pthread_cond_timedwait(ptr %done, ptr %mutex, ptr %time)
  %in_time = icmp eq i32 %woken, 0
  br i1 %in_time, label %out, label %look
look:
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  %now = call i64 @simt_now()
  call void @simt_look(ptr %pool, ptr %record, i64 %now)
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  br label %out
out:
  ret void
}}
"""
