"""Finding races, as LLVM IR text: part of the pool's module.

A launch in race mode runs on one processor thread and remembers, for every address, the last write and the last two
reads by different threads. ``simt_race`` compares an access with those and reports a pair that nothing orders:

* two accesses of one thread, two atomic ones, or two reads never conflict;
* within a block, a block barrier between them orders them; within a warp, a warp collective does;
* shared memory is another memory in each block; in global memory, accesses of two blocks conflict, unless a fence was
  executed in between: then the kernel orders them by itself, and this table cannot tell how.

Addresses live in the C library's search tree, keyed by where an access starts.
"""
from __future__ import annotations

from enum import IntEnum

from simt.core.cpu.launch_record import LaunchField
from simt.core.cpu.native_text import field_address

WRITE = 1
ATOMIC = 2
SHARED = 4
STAMP_BYTES = 64
ENTRY_BYTES = 256


class Stamp(IntEnum):
    """Offsets within the note of one access, all i64. ``USED`` is 1 where there is one."""

    USED = 0
    BLOCK = 8
    THREAD = 16
    BARRIERS = 24
    MEETINGS = 32
    FENCES = 40
    SITE = 48
    ATOMIC = 56


def race_functions() -> str:
    """``simt_race`` and what it calls.

    ``simt_race(record, address, flags, block, thread, barriers, meetings, site, out)``: true where the access
    conflicts; ``out`` (two i64) then gets the other thread, as block in the upper half, and its site. ``barriers`` and
    ``meetings`` count the block barriers and warp collectives that the thread has passed; ``thread`` is -1 for an
    access by all threads at once.
    """
    return _COMPARE + _orders() + _note() + _race() + _end()


_COMPARE = """
declare ptr @tsearch(ptr, ptr, ptr)

define internal i32 @simt_race_compare(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  %y = load i64, ptr %b
  %less = icmp ult i64 %x, %y
  %more = icmp ugt i64 %x, %y
  %high = zext i1 %more to i32
  %result = select i1 %less, i32 -1, i32 %high
  ret i32 %result
}
"""


def _loads(prefix: str, base: str) -> str:
    """Load every field of the stamp at ``%base`` as ``%prefix.name``."""
    lines: list[str] = []
    for field in Stamp:
        name = f"{prefix}.{field.name}"
        lines += [field_address(f"{name}.at", base, field), f"  %{name} = load i64, ptr %{name}.at"]
    return "\n".join(lines)


def _orders() -> str:
    """``simt_conflict(old, new, shared)``: whether two accesses, one of which writes, are unordered."""
    return f"""
define internal i1 @simt_conflict(ptr %old, ptr %new, i1 %shared) {{
entry:
{_loads("o", "old")}
{_loads("n", "new")}
  %exists = icmp ne i64 %o.USED, 0
  %both = and i64 %o.ATOMIC, %n.ATOMIC
  %plain = icmp eq i64 %both, 0
  %candidate = and i1 %exists, %plain
  %same_block = icmp eq i64 %o.BLOCK, %n.BLOCK
  %same_thread = icmp eq i64 %o.THREAD, %n.THREAD
  %other_thread = xor i1 %same_thread, true
  %same_phase = icmp eq i64 %o.BARRIERS, %n.BARRIERS
  %o_warp = ashr i64 %o.THREAD, 5
  %n_warp = ashr i64 %n.THREAD, 5
  %same_warp = icmp eq i64 %o_warp, %n_warp
  %met = icmp ne i64 %o.MEETINGS, %n.MEETINGS
  %warp_ordered = and i1 %same_warp, %met
  %warp_free = xor i1 %warp_ordered, true
  %a = and i1 %other_thread, %same_phase
  %inside = and i1 %a, %warp_free
  %no_fence = icmp eq i64 %o.FENCES, %n.FENCES
  %global = xor i1 %shared, true
  %outside = and i1 %no_fence, %global
  %unordered = select i1 %same_block, i1 %inside, i1 %outside
  %conflict = and i1 %candidate, %unordered
  ret i1 %conflict
}}
"""


def _note() -> str:
    """``simt_tell(old, site, out)``: hand out the other side of a conflict."""
    return f"""
define internal void @simt_tell(ptr %old, ptr %out) {{
{_loads("o", "old")}
  %upper = shl i64 %o.BLOCK, 32
  %known = icmp sgt i64 %o.THREAD, 0
  %thread = select i1 %known, i64 %o.THREAD, i64 0
  %packed = or i64 %upper, %thread
  store i64 %packed, ptr %out
{field_address("site_at", "out", 8)}
  store i64 %o.SITE, ptr %site_at
  ret void
}}
"""


def _race() -> str:
    new = {
        Stamp.USED: "1", Stamp.BLOCK: "%block", Stamp.THREAD: "%thread", Stamp.BARRIERS: "%barriers",
        Stamp.MEETINGS: "%meetings", Stamp.FENCES: "%fences", Stamp.SITE: "%site", Stamp.ATOMIC: "%atomic",
    }
    stores = "\n".join(
        f"{field_address(f'new.{field.name}', 'new', field)}\n  store i64 {value}, ptr %new.{field.name}"
        for field, value in new.items()
    )
    return f"""
define i1 @simt_race(ptr %record, ptr %address, i64 %flags, i64 %block, i64 %thread, i64 %barriers, i64 %meetings,
                     i64 %site, ptr %out) {{
entry:
  %new = alloca [{STAMP_BYTES} x i8], align 8
{field_address("fences_at", "record", LaunchField.RACE_FENCES)}
  %fences = load i64, ptr %fences_at
  %atomic_bit = and i64 %flags, {ATOMIC}
  %atomic = lshr i64 %atomic_bit, 1
{stores}
  %shared_bit = and i64 %flags, {SHARED}
  %shared = icmp ne i64 %shared_bit, 0
  %entry_new = call ptr @calloc(i64 1, i64 {ENTRY_BYTES})
  %key = ptrtoint ptr %address to i64
  store i64 %key, ptr %entry_new
{field_address("root", "record", LaunchField.RACE_ROOT)}
  %node = call ptr @tsearch(ptr %entry_new, ptr %root, ptr @simt_race_compare)
  %entry_kept = load ptr, ptr %node
  %fresh = icmp eq ptr %entry_kept, %entry_new
  br i1 %fresh, label %found, label %drop
drop:
  call void @free(ptr %entry_new)
  br label %found
found:
{field_address("write", "entry_kept", 8)}
{field_address("read1", "entry_kept", 8 + STAMP_BYTES)}
{field_address("read2", "entry_kept", 8 + 2 * STAMP_BYTES)}
  %w = call i1 @simt_conflict(ptr %write, ptr %new, i1 %shared)
  br i1 %w, label %bad_write, label %reads
bad_write:
  call void @simt_tell(ptr %write, ptr %out)
  br label %keep
reads:
  %write_bit = and i64 %flags, {WRITE}
  %writes = icmp ne i64 %write_bit, 0
  br i1 %writes, label %against1, label %keep
against1:
  %c1 = call i1 @simt_conflict(ptr %read1, ptr %new, i1 %shared)
  br i1 %c1, label %bad1, label %against2
bad1:
  call void @simt_tell(ptr %read1, ptr %out)
  br label %keep
against2:
  %c2 = call i1 @simt_conflict(ptr %read2, ptr %new, i1 %shared)
  br i1 %c2, label %bad2, label %keep
bad2:
  call void @simt_tell(ptr %read2, ptr %out)
  br label %keep
keep:
  %conflict = phi i1 [ true, %bad_write ], [ false, %reads ], [ true, %bad1 ], [ true, %bad2 ], [ false, %against2 ]
  %write_bit2 = and i64 %flags, {WRITE}
  %writes2 = icmp ne i64 %write_bit2, 0
  br i1 %writes2, label %note_write, label %note_read
note_write:
  call void @llvm.memcpy.p0.p0.i64(ptr %write, ptr %new, i64 {STAMP_BYTES}, i1 false)
  ret i1 %conflict
note_read:
{field_address("r1_thread_at", "read1", Stamp.THREAD)}
  %r1_thread = load i64, ptr %r1_thread_at
  %again = icmp eq i64 %r1_thread, %thread
  br i1 %again, label %replace, label %shift
shift:
  call void @llvm.memcpy.p0.p0.i64(ptr %read2, ptr %read1, i64 {STAMP_BYTES}, i1 false)
  br label %replace
replace:
  call void @llvm.memcpy.p0.p0.i64(ptr %read1, ptr %new, i64 {STAMP_BYTES}, i1 false)
  ret i1 %conflict
}}
"""


def _end() -> str:
    """``simt_race_end(record)``: forget all addresses."""
    return f"""
declare void @tdestroy(ptr, ptr)

define internal void @simt_race_end(ptr %record) {{
{field_address("root_at", "record", LaunchField.RACE_ROOT)}
  %root = load ptr, ptr %root_at
  call void @tdestroy(ptr %root, ptr @free)
  ret void
}}
"""
