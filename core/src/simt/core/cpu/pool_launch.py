"""Running one launch on the pool, as LLVM IR text: steps 1 to 4 of ``pool``'s description."""
from __future__ import annotations

from simt.core.cpu.launch_record import RECORD_BYTES, LaunchField
from simt.core.cpu.native_text import field_address
from simt.core.cpu.pool_fields import OPEN, PROBE_NANOSECONDS, SPIN_ROUNDS, PoolField
from simt.core.cpu.pool_signals import signal_functions


def launch_functions(pause: str, clock: int) -> str:
    """``simt_launch`` and what it calls. ``pause`` is the processor's spin hint, ``clock`` the clock to read."""
    return signal_functions(clock) + _share(pause) + _run() + _launch()


def _launch() -> str:
    """``simt_launch(pool, template, arguments)``: run a grid; returns when it has ended. Called with the GIL, which it
    gives away meanwhile; a signal whose handler raises ends the grid early, and the exception is set.

    The record is made on the caller's stack, so that any number of threads may launch from one template; what comes
    back to it is a hint, of which any value is right. Gives null, or, where a thread failed or printed, a copy of the
    record for the host to read and hand to ``simt_release``.
    """
    return f"""
define ptr @simt_launch(ptr %pool, ptr %template, ptr %arguments) {{
entry:
  %record = alloca [{RECORD_BYTES // 8} x i64], align 64
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %record, ptr %template, i64 {RECORD_BYTES}, i1 false)
{field_address("arguments_at", "record", LaunchField.ARGUMENTS)}
  store ptr %arguments, ptr %arguments_at
{field_address("capacity_at", "record", LaunchField.PRINT_CAPACITY)}
  %capacity = load i64, ptr %capacity_at
  %prints = icmp ne i64 %capacity, 0
  br i1 %prints, label %buffer, label %run
buffer:
{field_address("buffer_at", "record", LaunchField.PRINT_BUFFER)}
  %memory = call ptr @calloc(i64 %capacity, i64 1)
  store ptr %memory, ptr %buffer_at
  br label %run
run:
{field_address("save_at", "pool", PoolField.SAVE_THREAD)}
  %save = load ptr, ptr %save_at
  %caller = call ptr %save()
{field_address("caller_at", "record", LaunchField.CALLER_STATE)}
  store ptr %caller, ptr %caller_at
  call void @simt_run(ptr %pool, ptr %record)
{field_address("restore_at", "pool", PoolField.RESTORE_THREAD)}
  %restore = load ptr, ptr %restore_at
  %caller_now = load ptr, ptr %caller_at
  call void %restore(ptr %caller_now)
{field_address("long_at", "record", LaunchField.IS_LONG)}
  %long = load i64, ptr %long_at
{field_address("was_long_at", "template", LaunchField.IS_LONG)}
  %was_long = load atomic i64, ptr %was_long_at monotonic, align 8
  %changed = icmp ne i64 %long, %was_long
  br i1 %changed, label %note, label %noted
note:
  store atomic i64 %long, ptr %was_long_at monotonic, align 8
  br label %noted
noted:
{field_address("count_at", "record", LaunchField.FAULT_COUNT)}
  %failures = load i64, ptr %count_at
{field_address("used_at", "record", LaunchField.PRINT_USED)}
  %used = load i64, ptr %used_at
  %news = or i64 %failures, %used
  %any = icmp ne i64 %news, 0
{field_address("interrupted_at", "record", LaunchField.INTERRUPTED)}
  %interrupted = load i64, ptr %interrupted_at
  %whole = icmp eq i64 %interrupted, 0
  %telling = and i1 %any, %whole
  br i1 %telling, label %tell, label %silent
silent:
{field_address("silent_buffer_at", "record", LaunchField.PRINT_BUFFER)}
  %unused = load ptr, ptr %silent_buffer_at
  call void @free(ptr %unused)
  ret ptr null
tell:
  %copy = call ptr @malloc(i64 {RECORD_BYTES})
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %record, i64 {RECORD_BYTES}, i1 false)
  ret ptr %copy
}}

define void @simt_release(ptr %copy) {{
{field_address("buffer_at", "copy", LaunchField.PRINT_BUFFER)}
  %buffer = load ptr, ptr %buffer_at
  call void @free(ptr %buffer)
  call void @free(ptr %copy)
  ret void
}}
"""


def _run() -> str:
    """``simt_run(pool, record)``: run all blocks, on the pool if it is free, else on the caller alone."""
    return f"""
define internal void @simt_run(ptr %pool, ptr %record) {{
entry:
  %own_slot = alloca [2 x i64], align 16
  store [2 x i64] zeroinitializer, ptr %own_slot
{field_address("busy_at", "pool", PoolField.BUSY)}
{field_address("kept_slot", "pool", PoolField.ARENA)}
{field_address("total_at", "record", LaunchField.TOTAL_BLOCKS)}
  %total = load i64, ptr %total_at
{field_address("bytes_at", "record", LaunchField.ARENA_BYTES)}
  %bytes = load i64, ptr %bytes_at
{field_address("race_at", "record", LaunchField.RACE_FUNCTION)}
  %race = load ptr, ptr %race_at
  %races = icmp ne ptr %race, null
  br i1 %races, label %alone, label %claim
claim:
  %swap = cmpxchg ptr %busy_at, i64 0, i64 1 seq_cst seq_cst
  %owner = extractvalue {{ i64, i1 }} %swap, 1
  br i1 %owner, label %together, label %alone
alone:
  %own_arena = call ptr @simt_arena(ptr %own_slot, i64 %bytes)
  call void @simt_take_blocks(ptr %pool, ptr %record, ptr %own_arena)
  %own_memory = load ptr, ptr %own_slot
  call void @free(ptr %own_memory)
  br i1 %races, label %forget, label %parted
forget:
  call void @simt_race_end(ptr %record)
  ret void
parted:
  ret void
together:
  %arena = call ptr @simt_arena(ptr %kept_slot, i64 %bytes)
{field_address("workers_at", "pool", PoolField.WORKERS)}
  %workers = load i64, ptr %workers_at
  %helped = icmp ne i64 %workers, 0
  %several = icmp ugt i64 %total, 1
  %shared = and i1 %helped, %several
  br i1 %shared, label %share, label %whole
whole:
  call void @simt_take_blocks(ptr %pool, ptr %record, ptr %arena)
  br label %release
share:
  call void @simt_share(ptr %pool, ptr %record, ptr %arena, i64 %workers, i64 %total)
  br label %release
release:
  store atomic i64 0, ptr %busy_at release, align 8
  ret void
}}
"""


def _share(pause: str) -> str:
    """``simt_share``: probe, open, work, close, wait: steps 2 to 4 of the module's description. Notes in the record
    whether it was worth it."""
    return f"""
define internal void @simt_share(ptr %pool, ptr %record, ptr %arena, i64 %workers, i64 %total) {{
entry:
{field_address("mutex", "pool", PoolField.MUTEX)}
{field_address("wake", "pool", PoolField.WAKE)}
{field_address("state_at", "pool", PoolField.STATE)}
{field_address("record_at", "pool", PoolField.RECORD)}
{field_address("chunk_at", "pool", PoolField.CHUNK)}
{field_address("generation_at", "pool", PoolField.GENERATION)}
{field_address("sleepers_at", "pool", PoolField.SLEEPERS)}
{field_address("kernel_at", "record", LaunchField.KERNEL)}
{field_address("stop_at", "record", LaunchField.STOP_AFTER)}
{field_address("long_at", "record", LaunchField.IS_LONG)}
  %kernel = load ptr, ptr %kernel_at
  call void @simt_begin(ptr %record)
{field_address("began_at", "record", LaunchField.CHUNK_BEGAN)}
  %start = load i64, ptr %began_at
  %known = load i64, ptr %long_at
  %is_long = icmp ne i64 %known, 0
  br i1 %is_long, label %open, label %probe
probe:
  %first = phi i64 [ 0, %entry ], [ %end, %look ]
  %batch = phi i64 [ 1, %entry ], [ %double, %look ]
  %past = add i64 %first, %batch
  %end = call i64 @llvm.smin.i64(i64 %past, i64 %total)
  call void %kernel(ptr %record, i64 %first, i64 %end, ptr %arena)
  %stop = load atomic i64, ptr %stop_at monotonic, align 8
  %failed = icmp slt i64 %stop, %end
  %over = icmp sge i64 %end, %total
  %finished = or i1 %failed, %over
  br i1 %finished, label %out, label %look
look:
  %now = call i64 @simt_now()
  %spent = sub i64 %now, %start
  %double = shl i64 %batch, 1
  %long = icmp sgt i64 %spent, {PROBE_NANOSECONDS}
  br i1 %long, label %open, label %probe
open:
  %begin = phi i64 [ 0, %entry ], [ %end, %look ]
  call void @simt_cut_shares(ptr %pool, i64 %begin, i64 %total)
  store ptr %record, ptr %record_at
  %left = sub i64 %total, %begin
  %hands = add i64 %workers, 1
  %shares = shl i64 %hands, 3
  %portion = udiv i64 %left, %shares
  %chunk = call i64 @llvm.smax.i64(i64 %portion, i64 1)
  store i64 %chunk, ptr %chunk_at
  store atomic i64 {OPEN}, ptr %state_at seq_cst, align 8
  %g = atomicrmw add ptr %generation_at, i64 1 seq_cst
  %asleep = load atomic i64, ptr %sleepers_at seq_cst, align 8
  %any = icmp ne i64 %asleep, 0
  br i1 %any, label %call, label %work
call:
  %l0 = call i32 @pthread_mutex_lock(ptr %mutex)
  %few = icmp ult i64 %left, %asleep
  br i1 %few, label %some, label %all
some:
  %k = phi i64 [ 0, %call ], [ %k_next, %some ]
  %c0 = call i32 @pthread_cond_signal(ptr %wake)
  %k_next = add i64 %k, 1
  %more = icmp ult i64 %k_next, %left
  br i1 %more, label %some, label %called
all:
  %b0 = call i32 @pthread_cond_broadcast(ptr %wake)
  br label %called
called:
  %u0 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work
work:
  call void @simt_take_shares(ptr %pool, ptr %record, i64 0, i64 %chunk, ptr %arena)
  %was = atomicrmw sub ptr %state_at, i64 {OPEN} seq_cst
  br label %spin
spin:
  %round = phi i64 [ 0, %work ], [ %round_next, %again ]
  %inside = load atomic i64, ptr %state_at acquire, align 8
  %empty = icmp eq i64 %inside, 0
  br i1 %empty, label %judge, label %again
again:
  call void asm sideeffect "{pause}", "~{{memory}}"()
  %round_next = add i64 %round, 1
  %tired = icmp ugt i64 %round_next, {SPIN_ROUNDS}
  br i1 %tired, label %sleep, label %spin
sleep:
  %l1 = call i32 @pthread_mutex_lock(ptr %mutex)
  br label %check
check:
  %still = load atomic i64, ptr %state_at seq_cst, align 8
  %gone = icmp eq i64 %still, 0
  br i1 %gone, label %awake, label %wait
wait:
  call void @simt_wait_slice(ptr %pool, ptr %record)
  br label %check
awake:
  %u1 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %judge
judge:
  %ended = call i64 @simt_now()
  %took = sub i64 %ended, %start
  %worth = icmp sgt i64 %took, {PROBE_NANOSECONDS}
  %verdict = zext i1 %worth to i64
  store i64 %verdict, ptr %long_at
  br label %out
out:
  ret void
}}
"""
