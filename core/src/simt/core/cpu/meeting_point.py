"""Deciding who may go on where threads run as coroutines, as LLVM IR text: part of the pool's module.

A coroutine that waits notes where: its state is the number of its collective (from 1; BLOCK_BIT added for those of
block scope), RUNNABLE while it can run, FINISHED once it has returned. ``simt_meet`` is called after each round in
which every runnable thread has run up to its next wait.
"""
from __future__ import annotations

RUNNABLE = 0
FINISHED = -1
BLOCK_BIT = 1 << 30

ALL_FINISHED = 0
GO_ON = 1
DIVERGENT = 2
DEADLOCK = 3


def meeting_function() -> str:
    """``simt_meet(state, mask, members, threads, culprits)``: release whoever has met; gives one of the codes above.

    A warp collective releases the lanes of a mask once all of them that have not finished wait there with this very
    mask, and sets their ``members``. A block barrier releases all once all that have not finished wait at it. Where
    nobody can go on, ``culprits`` (two i64) get two threads that wait for each other at different places.
    """
    return f"""
define i64 @simt_meet(ptr %state, ptr %mask, ptr %members, i64 %threads, ptr %culprits) {{
entry:
  br label %warp
warp:
  %first = phi i64 [ 0, %entry ], [ %first_next, %warp_done ]
  %live_in = phi i64 [ 0, %entry ], [ %live_out, %warp_done ]
  %blocked_in = phi i64 [ 0, %entry ], [ %blocked_out, %warp_done ]
  %moved_in = phi i1 [ false, %entry ], [ %moved_out, %warp_done ]
  %left = sub i64 %threads, %first
  %short = icmp ult i64 %left, 32
  %lanes = select i1 %short, i64 %left, i64 32
  br label %look
look:
  %i = phi i64 [ 0, %warp ], [ %i_next, %look ]
  %alive_in = phi i32 [ 0, %warp ], [ %alive, %look ]
  %ti = add i64 %first, %i
  %si_at = getelementptr i32, ptr %state, i64 %ti
  %si = load i32, ptr %si_at
  %here = icmp ne i32 %si, {FINISHED}
  %i32 = trunc i64 %i to i32
  %bit = shl i32 1, %i32
  %with = or i32 %alive_in, %bit
  %alive = select i1 %here, i32 %with, i32 %alive_in
  %i_next = add i64 %i, 1
  %more_i = icmp ult i64 %i_next, %lanes
  br i1 %more_i, label %look, label %lane
lane:
  %k = phi i64 [ 0, %look ], [ %k_next, %lane_done ]
  %live = phi i64 [ %live_in, %look ], [ %live_next, %lane_done ]
  %blocked = phi i64 [ %blocked_in, %look ], [ %blocked_next, %lane_done ]
  %moved = phi i1 [ %moved_in, %look ], [ %moved_next, %lane_done ]
  %t = add i64 %first, %k
  %s_at = getelementptr i32, ptr %state, i64 %t
  %s = load i32, ptr %s_at
  %finished = icmp eq i32 %s, {FINISHED}
  br i1 %finished, label %idle, label %at_work
idle:
  br label %lane_done
at_work:
  %counted = add i64 %live, 1
  %runs = icmp eq i32 %s, {RUNNABLE}
  br i1 %runs, label %running, label %waiting
running:
  br label %lane_done
waiting:
  %block_part = and i32 %s, {BLOCK_BIT}
  %of_block = icmp ne i32 %block_part, 0
  br i1 %of_block, label %at_barrier, label %group
at_barrier:
  %one_more = add i64 %blocked, 1
  br label %lane_done
group:
  %m_at = getelementptr i32, ptr %mask, i64 %t
  %m = load i32, ptr %m_at
  %need = and i32 %m, %alive
  br label %member
member:
  %j = phi i64 [ 0, %group ], [ %j_next, %member_next ]
  %j32 = trunc i64 %j to i32
  %shifted = lshr i32 %need, %j32
  %wanted_bit = and i32 %shifted, 1
  %wanted = icmp ne i32 %wanted_bit, 0
  br i1 %wanted, label %compare, label %member_next
compare:
  %tj = add i64 %first, %j
  %sj_at = getelementptr i32, ptr %state, i64 %tj
  %sj = load i32, ptr %sj_at
  %mj_at = getelementptr i32, ptr %mask, i64 %tj
  %mj = load i32, ptr %mj_at
  %same_place = icmp eq i32 %sj, %s
  %same_mask = icmp eq i32 %mj, %m
  %agrees = and i1 %same_place, %same_mask
  br i1 %agrees, label %member_next, label %not_yet
member_next:
  %j_next = add i64 %j, 1
  %more_j = icmp ult i64 %j_next, %lanes
  br i1 %more_j, label %member, label %release
not_yet:
  store i64 %t, ptr %culprits
  %other_at = getelementptr i64, ptr %culprits, i64 1
  store i64 %tj, ptr %other_at
  br label %lane_done
release:
  %r = phi i64 [ 0, %member_next ], [ %r_next, %release_next ]
  %r32 = trunc i64 %r to i32
  %r_shifted = lshr i32 %need, %r32
  %r_bit = and i32 %r_shifted, 1
  %r_wanted = icmp ne i32 %r_bit, 0
  br i1 %r_wanted, label %let_go, label %release_next
let_go:
  %tr = add i64 %first, %r
  %sr_at = getelementptr i32, ptr %state, i64 %tr
  store i32 {RUNNABLE}, ptr %sr_at
  %mr_at = getelementptr i32, ptr %members, i64 %tr
  store i32 %need, ptr %mr_at
  br label %release_next
release_next:
  %r_next = add i64 %r, 1
  %more_r = icmp ult i64 %r_next, %lanes
  br i1 %more_r, label %release, label %released
released:
  br label %lane_done
lane_done:
  %live_next = phi i64 [ %live, %idle ], [ %counted, %running ], [ %counted, %at_barrier ],
                       [ %counted, %not_yet ], [ %counted, %released ]
  %blocked_next = phi i64 [ %blocked, %idle ], [ %blocked, %running ], [ %one_more, %at_barrier ],
                          [ %blocked, %not_yet ], [ %blocked, %released ]
  %moved_next = phi i1 [ %moved, %idle ], [ true, %running ], [ %moved, %at_barrier ],
                       [ %moved, %not_yet ], [ true, %released ]
  %k_next = add i64 %k, 1
  %more_k = icmp ult i64 %k_next, %lanes
  br i1 %more_k, label %lane, label %warp_done
warp_done:
  %live_out = phi i64 [ %live_next, %lane_done ]
  %blocked_out = phi i64 [ %blocked_next, %lane_done ]
  %moved_out = phi i1 [ %moved_next, %lane_done ]
  %first_next = add i64 %first, 32
  %more_w = icmp ult i64 %first_next, %threads
  br i1 %more_w, label %warp, label %decide
decide:
  %nobody = icmp eq i64 %live_out, 0
  br i1 %nobody, label %all_finished, label %someone
all_finished:
  ret i64 {ALL_FINISHED}
someone:
  br i1 %moved_out, label %go_on, label %barrier
go_on:
  ret i64 {GO_ON}
barrier:
  %all_blocked = icmp eq i64 %blocked_out, %live_out
  br i1 %all_blocked, label %same, label %stuck
stuck:
  %any_blocked = icmp ne i64 %blocked_out, 0
  br i1 %any_blocked, label %find, label %deadlock
find:
  %f = phi i64 [ 0, %stuck ], [ %f_next, %find ]
  %sf_at = getelementptr i32, ptr %state, i64 %f
  %sf = load i32, ptr %sf_at
  %f_next = add i64 %f, 1
  %f_positive = icmp sgt i32 %sf, 0
  %f_part = and i32 %sf, {BLOCK_BIT}
  %f_block = icmp ne i32 %f_part, 0
  %f_found = and i1 %f_positive, %f_block
  br i1 %f_found, label %found, label %find
found:
  %second_at = getelementptr i64, ptr %culprits, i64 1
  store i64 %f, ptr %second_at
  br label %deadlock
deadlock:
  ret i64 {DEADLOCK}
same:
  %q = phi i64 [ 0, %barrier ], [ %q_next, %same_next ]
  %place = phi i32 [ 0, %barrier ], [ %place_next, %same_next ]
  %holder = phi i64 [ 0, %barrier ], [ %holder_next, %same_next ]
  %sq_at = getelementptr i32, ptr %state, i64 %q
  %sq = load i32, ptr %sq_at
  %gone = icmp eq i32 %sq, {FINISHED}
  br i1 %gone, label %same_next, label %check
check:
  %unset = icmp eq i32 %place, 0
  %equal = icmp eq i32 %place, %sq
  %fine = or i1 %unset, %equal
  %first_here = select i1 %unset, i64 %q, i64 %holder
  br i1 %fine, label %same_next, label %apart
apart:
  store i64 %holder, ptr %culprits
  %apart_at = getelementptr i64, ptr %culprits, i64 1
  store i64 %q, ptr %apart_at
  ret i64 {DIVERGENT}
same_next:
  %place_next = phi i32 [ %place, %same ], [ %sq, %check ]
  %holder_next = phi i64 [ %holder, %same ], [ %first_here, %check ]
  %q_next = add i64 %q, 1
  %more_q = icmp ult i64 %q_next, %threads
  br i1 %more_q, label %same, label %open
open:
  %o = phi i64 [ 0, %same_next ], [ %o_next, %open_next ]
  %so_at = getelementptr i32, ptr %state, i64 %o
  %so = load i32, ptr %so_at
  %so_gone = icmp eq i32 %so, {FINISHED}
  br i1 %so_gone, label %open_next, label %open_one
open_one:
  store i32 {RUNNABLE}, ptr %so_at
  br label %open_next
open_next:
  %o_next = add i64 %o, 1
  %more_o = icmp ult i64 %o_next, %threads
  br i1 %more_o, label %open, label %go_on
}}
"""
