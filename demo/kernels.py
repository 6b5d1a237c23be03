"""The kernels of the demo: grey values, a separable blur through shared memory, the SSIM formula, two reductions.

Images are (height, width) f32 with values from 0 to 255.
Source of SSIM: Wang, Bovik, Sheikh, Simoncelli, Image quality assessment: from error visibility to structural
similarity, IEEE Transactions on Image Processing 13(4), 2004, with its Gaussian window of 11 samples, sigma 1.5.
"""
from simt.core import D2, D3, In, InOut, Out, f32, f64, i64, kernel, u8
from simt.cuda_std import atomic, block, shared, thread, warp

RADIUS = 5
"""Samples on each side of the blur's centre."""
LINE = 128
"""Threads of a block that blurs along a row."""
TILE_WIDTH, TILE_HEIGHT = 32, 16
"""Threads of a block that blurs along columns."""
STABLE_MEAN = (0.01 * 255) ** 2
STABLE_VARIANCE = (0.03 * 255) ** 2
THREADS = 256


@kernel
def grey(rgb: In[u8, D3], out: Out[f32, D2]):
    """Brightness of each pixel: ITU-R BT.601 weights."""
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = 0.299 * rgb[row, col, 0] + 0.587 * rgb[row, col, 1] + 0.114 * rgb[row, col, 2]


@kernel
def multiply(x: In[f32, D2], y: In[f32, D2], out: Out[f32, D2]):
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        out[row, col] = x[row, col] * y[row, col]


def clamp(index: i64, size: i64) -> i64:
    """The nearest index inside ``0 .. size - 1``."""
    return min(max(index, 0), size - 1)


@kernel(max_threads=LINE)
def blur_rows(image: In[f32, D2], weights: In[f32], out: Out[f32, D2]):
    """Each row convolved with ``weights`` (2 * RADIUS + 1 of them), edges repeated; a block blurs LINE pixels."""
    line = shared.array(f32, LINE + 2 * RADIUS)
    width = image.shape[1]
    row, first = thread.block_idx.y, thread.block_idx.x * LINE
    mine = thread.thread_idx.x
    for k in range(mine, LINE + 2 * RADIUS, LINE):
        line[k] = image[row, clamp(first + k - RADIUS, width)]
    block.sync()
    total = f32(0)
    for k in range(2 * RADIUS + 1):
        total += weights[k] * line[mine + k]
    if first + mine < width:
        out[row, first + mine] = total


@kernel(max_threads=TILE_WIDTH * TILE_HEIGHT)
def blur_columns(image: In[f32, D2], weights: In[f32], out: Out[f32, D2]):
    """As ``blur_rows`` along the other axis: a block is TILE_WIDTH columns wide, so that its loads stay contiguous."""
    tile = shared.array(f32, (TILE_HEIGHT + 2 * RADIUS, TILE_WIDTH))
    height, width = image.shape
    x, y = thread.thread_idx.x, thread.thread_idx.y
    first = thread.block_idx.y * TILE_HEIGHT
    col = thread.block_idx.x * TILE_WIDTH + x
    for k in range(y, TILE_HEIGHT + 2 * RADIUS, TILE_HEIGHT):
        tile[k, x] = image[clamp(first + k - RADIUS, height), clamp(col, width)]
    block.sync()
    total = f32(0)
    for k in range(2 * RADIUS + 1):
        total += weights[k] * tile[y + k, x]
    if first + y < height and col < width:
        out[first + y, col] = total


@kernel
def similarity(
    mean_x: In[f32, D2], mean_y: In[f32, D2], mean_xx: In[f32, D2], mean_yy: In[f32, D2], mean_xy: In[f32, D2],
    out: Out[f32, D2],
):
    """SSIM of each pixel from the blurred images and the blurred products of images."""
    col, row = thread.index_2d()
    if row < out.shape[0] and col < out.shape[1]:
        mx, my = mean_x[row, col], mean_y[row, col]
        variance_x, variance_y = mean_xx[row, col] - mx * mx, mean_yy[row, col] - my * my
        covariance = mean_xy[row, col] - mx * my
        means = (2 * mx * my + STABLE_MEAN) / (mx * mx + my * my + STABLE_MEAN)
        out[row, col] = means * (2 * covariance + STABLE_VARIANCE) / (variance_x + variance_y + STABLE_VARIANCE)


def add_over_block(value: f64, out: InOut[f64]):
    """Adds every thread's ``value`` into ``out[0]``: shuffles within warps, shared memory, one atomic a block."""
    partial = shared.array(f64, THREADS // 32)
    for offset in (16, 8, 4, 2, 1):
        value += warp.shuffle_down(value, offset)
    if warp.lane_id() == 0:
        partial[warp.warp_id()] = value
    block.sync()
    if thread.thread_idx.x == 0:
        for k in range(1, THREADS // 32):
            value += partial[k]
        atomic.add(out, 0, value)


@kernel(max_threads=THREADS)
def squared_difference(x: In[f32, D2], y: In[f32, D2], out: InOut[f64]):
    mine = f64(0)
    width = x.shape[1]
    for i in thread.grid_stride(x.size):
        difference = f64(x[i // width, i % width]) - f64(y[i // width, i % width])
        mine += difference * difference
    add_over_block(mine, out)


@kernel(max_threads=THREADS)
def total(x: In[f32, D2], out: InOut[f64]):
    mine = f64(0)
    width = x.shape[1]
    for i in thread.grid_stride(x.size):
        mine += f64(x[i // width, i % width])
    add_over_block(mine, out)
