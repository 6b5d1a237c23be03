"""The 32 threads that run together: lanes, shuffles, votes, matches, the warp's barrier."""
from simt.cuda_std.warp._lane import (
    FULL,
    SIZE,
    active_mask,
    lane_id,
    lanemask_eq,
    lanemask_ge,
    lanemask_gt,
    lanemask_le,
    lanemask_lt,
    warp_id,
)
from simt.cuda_std.warp._match import match_all, match_any
from simt.cuda_std.warp._shuffle import (
    shuffle,
    shuffle_down,
    shuffle_down_with_flag,
    shuffle_up,
    shuffle_up_with_flag,
    shuffle_xor,
    shuffle_xor_with_flag,
)
from simt.cuda_std.warp._vote import all, any, ballot, sync, uniform

__all__ = [
    "FULL", "SIZE", "active_mask", "lane_id", "lanemask_eq", "lanemask_ge", "lanemask_gt", "lanemask_le",
    "lanemask_lt", "warp_id",
    "shuffle", "shuffle_down", "shuffle_down_with_flag", "shuffle_up", "shuffle_up_with_flag", "shuffle_xor",
    "shuffle_xor_with_flag",
    "all", "any", "ballot", "match_all", "match_any", "sync", "uniform",
]
