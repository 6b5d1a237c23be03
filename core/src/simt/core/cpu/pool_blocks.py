"""Handing out the blocks of a launch, as LLVM IR text: to a caller alone, or in shares to all hands of the pool."""
from __future__ import annotations

from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.native_text import field_address
from simt.core.cpu.pool_fields import SHARE_BYTES, PoolField


def block_functions() -> str:
    """``simt_take_blocks``, ``simt_cut_shares`` and ``simt_take_shares``."""
    return _take_blocks() + _cut_shares() + _take_shares()


def _take_blocks() -> str:
    """``simt_take_blocks(pool, record, arena)``: run chunks of blocks until none is left or the grid stops,
    for a caller without help."""
    return f"""
define internal void @simt_take_blocks(ptr %pool, ptr %record, ptr %arena) {{
entry:
{field_address("kernel_at", "record", LaunchField.KERNEL)}
  %kernel = load ptr, ptr %kernel_at
{field_address("total_at", "record", LaunchField.TOTAL_BLOCKS)}
  %total = load i64, ptr %total_at
{field_address("next_at", "record", LaunchField.NEXT_BLOCK)}
{field_address("stop_at", "record", LaunchField.STOP_AFTER)}
  call void @simt_begin(ptr %record)
  br label %take
take:
  %chunk = phi i64 [ 1, %entry ], [ %chunk_next, %run ]
  %first = atomicrmw add ptr %next_at, i64 %chunk seq_cst
  %stop = load atomic i64, ptr %stop_at monotonic, align 8
  %left = icmp slt i64 %first, %total
  %wanted = icmp sle i64 %first, %stop
  %go = and i1 %left, %wanted
  br i1 %go, label %run, label %out
run:
  %past = add i64 %first, %chunk
  %end = call i64 @llvm.smin.i64(i64 %past, i64 %total)
  call void %kernel(ptr %record, i64 %first, i64 %end, ptr %arena)
  %chunk_next = call i64 @simt_pace(ptr %pool, ptr %record, i64 %chunk, i64 %total)
  br label %take
out:
  ret void
}}
"""


def _cut_shares() -> str:
    """``simt_cut_shares(pool, first, end)``: give every hand a share of the blocks ``first`` to ``end`` - 1."""
    return f"""
define internal void @simt_cut_shares(ptr %pool, i64 %first, i64 %end) {{
entry:
{field_address("workers_at", "pool", PoolField.WORKERS)}
  %workers = load i64, ptr %workers_at
  %hands = add i64 %workers, 1
{field_address("shares", "pool", PoolField.SHARES)}
  br label %cut
cut:
  %hand = phi i64 [ 0, %entry ], [ %next_hand, %cut ]
  %from = phi i64 [ %first, %entry ], [ %to, %cut ]
  %others = sub i64 %hands, %hand
  %left = sub i64 %end, %from
  %others_less_one = sub i64 %others, 1
  %up = add i64 %left, %others_less_one
  %size = udiv i64 %up, %others
  %to = add i64 %from, %size
  %offset = mul i64 %hand, {SHARE_BYTES}
  %share = getelementptr i8, ptr %shares, i64 %offset
  store i64 %from, ptr %share
{field_address("end_at", "share", 8)}
  store i64 %to, ptr %end_at
  %next_hand = add i64 %hand, 1
  %more = icmp ult i64 %next_hand, %hands
  br i1 %more, label %cut, label %out
out:
  ret void
}}
"""


def _take_shares() -> str:
    """``simt_take_shares(pool, record, hand, chunk, arena)``: run chunks of the own share, then of the others'.

    A chunk above a failed block is left out; the shares before it may still hold lower ones. Hand 0, the caller,
    begins with a chunk of one block and paces itself, to see signals in time.
    """
    return f"""
define internal void @simt_take_shares(ptr %pool, ptr %record, i64 %hand, i64 %chunk, ptr %arena) {{
entry:
{field_address("kernel_at", "record", LaunchField.KERNEL)}
  %kernel = load ptr, ptr %kernel_at
{field_address("stop_at", "record", LaunchField.STOP_AFTER)}
{field_address("workers_at", "pool", PoolField.WORKERS)}
  %workers = load i64, ptr %workers_at
  %hands = add i64 %workers, 1
{field_address("shares", "pool", PoolField.SHARES)}
  %calls = icmp eq i64 %hand, 0
  %size_at = alloca i64
  %size_first = select i1 %calls, i64 1, i64 %chunk
  store i64 %size_first, ptr %size_at
  br label %choose
choose:
  %visited = phi i64 [ 0, %entry ], [ %visited_next, %other ]
  %distant = add i64 %hand, %visited
  %whose = urem i64 %distant, %hands
  %offset = mul i64 %whose, {SHARE_BYTES}
  %next_at = getelementptr i8, ptr %shares, i64 %offset
{field_address("end_at", "next_at", 8)}
  %end = load i64, ptr %end_at
  br label %look
look:
  %seen = load atomic i64, ptr %next_at monotonic, align 8
  %stop = load atomic i64, ptr %stop_at monotonic, align 8
  %left = icmp slt i64 %seen, %end
  %wanted = icmp sle i64 %seen, %stop
  %go = and i1 %left, %wanted
  br i1 %go, label %take, label %other
take:
  %size = load i64, ptr %size_at
  %first = atomicrmw add ptr %next_at, i64 %size seq_cst
  %got = icmp slt i64 %first, %end
  br i1 %got, label %run, label %other
run:
  %past = add i64 %first, %size
  %last = call i64 @llvm.smin.i64(i64 %past, i64 %end)
  call void %kernel(ptr %record, i64 %first, i64 %last, ptr %arena)
  br i1 %calls, label %pace, label %look
pace:
  %size_next = call i64 @simt_pace(ptr %pool, ptr %record, i64 %size, i64 %chunk)
  store i64 %size_next, ptr %size_at
  br label %look
other:
  %visited_next = add i64 %visited, 1
  %more = icmp ult i64 %visited_next, %hands
  br i1 %more, label %choose, label %out
out:
  ret void
}}
"""
