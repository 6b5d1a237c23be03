"""What a kernel calls to report a fault or to print, as LLVM IR text: part of the pool's module.

Kernels reach both through the launch record, so that no kernel is compiled or linked with them.
"""
from __future__ import annotations

from simt.core.cpu.launch_record import MAXIMUM_VALUES, LaunchField
from simt.core.cpu.native_text import field_address


def report_functions() -> str:
    """``simt_fault`` and ``simt_print``."""
    return _fault() + _print()


def _fault() -> str:
    """``simt_fault``: count, and keep the report of the lowest block, which does not depend on timing."""
    return f"""
define void @simt_fault(ptr %record, i64 %block, i64 %thread, i64 %site, i64 %threads, i64 %count, ptr %values,
                        i64 %other_thread, i64 %other_site) {{
entry:
{field_address("lock", "record", LaunchField.FAULT_LOCK)}
{field_address("count_at", "record", LaunchField.FAULT_COUNT)}
{field_address("block_at", "record", LaunchField.FAULT_BLOCK)}
{field_address("thread_at", "record", LaunchField.FAULT_THREAD)}
{field_address("site_at", "record", LaunchField.FAULT_SITE)}
{field_address("other_thread_at", "record", LaunchField.FAULT_OTHER_THREAD)}
{field_address("other_site_at", "record", LaunchField.FAULT_OTHER_SITE)}
{field_address("value_count_at", "record", LaunchField.FAULT_VALUE_COUNT)}
{field_address("values_at", "record", LaunchField.FAULT_VALUES)}
{field_address("stop_at", "record", LaunchField.STOP_AFTER)}
  %c = atomicrmw add ptr %count_at, i64 %threads seq_cst
  br label %acquire
acquire:
  %swap = cmpxchg ptr %lock, i64 0, i64 1 seq_cst seq_cst
  %mine = extractvalue {{ i64, i1 }} %swap, 1
  br i1 %mine, label %look, label %acquire
look:
  %present = load i64, ptr %block_at
  %earlier = icmp slt i64 %block, %present
  br i1 %earlier, label %write, label %release
write:
  store i64 %block, ptr %block_at
  store i64 %thread, ptr %thread_at
  store i64 %site, ptr %site_at
  store i64 %other_thread, ptr %other_thread_at
  store i64 %other_site, ptr %other_site_at
  %kept = call i64 @llvm.umin.i64(i64 %count, i64 {MAXIMUM_VALUES})
  store i64 %kept, ptr %value_count_at
  %bytes = shl i64 %kept, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %values_at, ptr %values, i64 %bytes, i1 false)
  store atomic i64 %block, ptr %stop_at seq_cst, align 8
  br label %release
release:
  store atomic i64 0, ptr %lock release, align 8
  ret void
}}
"""


def _print() -> str:
    """``simt_print``: append {bytes, site, block, thread, values...} to the print buffer, or only count the bytes."""
    return f"""
define void @simt_print(ptr %record, i64 %block, i64 %thread, i64 %site, i64 %count, ptr %values) {{
entry:
{field_address("used_at", "record", LaunchField.PRINT_USED)}
{field_address("buffer_at", "record", LaunchField.PRINT_BUFFER)}
{field_address("capacity_at", "record", LaunchField.PRINT_CAPACITY)}
  %value_bytes = shl i64 %count, 3
  %bytes = add i64 %value_bytes, 32
  %start = atomicrmw add ptr %used_at, i64 %bytes seq_cst
  %end = add i64 %start, %bytes
  %capacity = load i64, ptr %capacity_at
  %fits = icmp ule i64 %end, %capacity
  br i1 %fits, label %write, label %out
write:
  %buffer = load ptr, ptr %buffer_at
  %line = getelementptr i8, ptr %buffer, i64 %start
  store i64 %bytes, ptr %line
{field_address("site_at", "line", 8)}
  store i64 %site, ptr %site_at
{field_address("block_at", "line", 16)}
  store i64 %block, ptr %block_at
{field_address("thread_at", "line", 24)}
  store i64 %thread, ptr %thread_at
{field_address("values_at", "line", 32)}
  call void @llvm.memcpy.p0.p0.i64(ptr %values_at, ptr %values, i64 %value_bytes, i1 false)
  br label %out
out:
  ret void
}}
"""
